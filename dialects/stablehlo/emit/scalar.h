/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* StableHLO's elementwise ops on one scalar, in arith and math: what emit_element hooks and the
 * lowering of reductions share. Bits are those of the op whatever it is fused with: f16 and bf16
 * are computed in f32 and rounded after each op; divisions by zero, shifts beyond the width and
 * conversions out of range give what the reference gives, and never trap. */
#ifndef ECHO_DIALECTS_STABLEHLO_EMIT_SCALAR_H
#define ECHO_DIALECTS_STABLEHLO_EMIT_SCALAR_H

#include "dialects/interfaces/element.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The signless type that holds an element of `kind` in a register: ui8 -> i8. */
const EchoType *echo_scalar_type(EchoContext *ctx, EchoElementKind kind);

/* `kind` is that of the operands. NULL when the op has no scalar form for it (complex numbers).
 * Values may be vectors too for add, multiply, maximum, minimum, and, or, xor on f32, f64, i32,
 * i64. */
EchoValue *echo_scalar_unary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                             EchoValue *operand);
EchoValue *echo_scalar_binary(EchoBuilder *builder, EchoHloOpcode opcode, EchoElementKind kind,
                              EchoValue *lhs, EchoValue *rhs);
EchoValue *echo_scalar_compare(EchoBuilder *builder, EchoCompareDirection direction,
                               EchoCompareType type, EchoElementKind kind, EchoValue *lhs,
                               EchoValue *rhs);
EchoValue *echo_scalar_convert(EchoBuilder *builder, EchoElementKind from, EchoElementKind to,
                               EchoValue *operand);
EchoValue *echo_scalar_reduce_precision(EchoBuilder *builder, EchoElementKind kind,
                                        int32_t exponent_bits, int32_t mantissa_bits,
                                        EchoValue *operand);
/* f16 and bf16 to f32 and back (rounded to nearest even); others as they are. */
EchoValue *echo_scalar_promote(EchoBuilder *builder, EchoElementKind kind, EchoValue *value);
EchoValue *echo_scalar_demote(EchoBuilder *builder, EchoElementKind kind, EchoValue *value);

/* The exact neutral element of a commutative combiner: -0.0 for float add, 1 for multiply, -inf,
 * +inf for float maximum, minimum …; as a typed attribute of the scalar type. NULL when there is
 * none. */
const EchoAttr *echo_scalar_neutral_or_null(EchoContext *ctx, EchoHloOpcode opcode,
                                            EchoElementKind kind);

/* The index in dimension `dim` at which a dynamic_update_slice writes: its start, clamped as the
 * specification says. NULL after an error. */
EchoValue *echo_hlo_emit_update_start(EchoElementEmitter *emitter, const EchoOp *op, size_t dim);

#ifdef __cplusplus
}
#endif

#endif
