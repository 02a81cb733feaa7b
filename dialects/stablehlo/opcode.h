/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rows of the stablehlo dialect by number, found in O(1) from the op's row. Numbers index the
 * op table; they mean nothing outside one build. */
#ifndef ECHO_DIALECTS_STABLEHLO_OPCODE_H
#define ECHO_DIALECTS_STABLEHLO_OPCODE_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoHloOpcode {
#define HLO_OP(OPCODE, ...) ECHO_HLO_##OPCODE,
#define HLO_ANY_UNARY(OPCODE, ...) ECHO_HLO_##OPCODE,
#define HLO_ANY_BINARY(OPCODE, ...) ECHO_HLO_##OPCODE,
#include "dialects/stablehlo/rows/ops.def"
  ECHO_N_HLO_OPCODES
} EchoHloOpcode;

/* Row `opcode` is ECHO_STABLEHLO_OPS[opcode]. */
extern const EchoOpInfo ECHO_STABLEHLO_OPS[ECHO_N_HLO_OPCODES];

/* ECHO_N_HLO_OPCODES for an op of another dialect. */
static inline EchoHloOpcode echo_hlo_opcode(const EchoOp *op)
{
  uintptr_t offset = (uintptr_t)op->info - (uintptr_t)ECHO_STABLEHLO_OPS;
  return offset < sizeof ECHO_STABLEHLO_OPS ? (EchoHloOpcode)(offset / sizeof(EchoOpInfo))
                                            : ECHO_N_HLO_OPCODES;
}

/* Whether the op is for several processes, or tells them apart; false of NULL. */
bool echo_hlo_is_collective(const EchoOp *op);

/* The opcode of a combiner that is one op on the two arguments of its block (in either order);
 * ECHO_N_HLO_OPCODES otherwise. */
EchoHloOpcode echo_hlo_combiner(const EchoRegion *region);

enum { ECHO_HLO_SHORT_REDUCE = 8 };
/* A reduction with another body goes in order: on a processor in vectors of results, where there
 * are as many as a vector has lanes, for kernels and costs alike. */
enum { ECHO_HLO_ORDERED_RESULTS = 16 };

/* Whether a processor's kernel writes the elements of a reduction out one after the other, so that
 * neighbouring results go in vectors: of one value, by one op, of one to eight elements, which is
 * how far LLVM takes apart what lies in groups (its loads of interleaved elements). False for NULL
 * and other ops. O(rank). */
bool echo_hlo_is_short_reduce(const EchoOp *op);

#ifdef __cplusplus
}
#endif

#endif
