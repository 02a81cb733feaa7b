/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a value of the whole batch is had by many processes, and what an op makes of that. Shapes
 * here are those of the whole batch. Private to lowering/partition/. */
#ifndef ECHO_LOWERING_PARTITION_SPLIT_T_H
#define ECHO_LOWERING_PARTITION_SPLIT_T_H

#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"

typedef enum EchoSplitKind {
  ECHO_SPLIT_WHOLE,  /* every process has all of it */
  ECHO_SPLIT_PART,   /* each has its part of dimension `dim` */
  ECHO_SPLIT_PARTIAL /* each has a value of this type; combined they are the whole */
} EchoSplitKind;

/* Dimension `dim` of a part is [outer, processes, the rest]: each process has its own of each of
 * the outer ones, so that a batch is still known inside of a dimension that it was merged into. */
typedef struct EchoSplit {
  EchoSplitKind kind;
  uint8_t dim;
  EchoHloOpcode combiner; /* of what is partial */
  int64_t outer;
} EchoSplit;

static inline bool echo_split_equal(EchoSplit a, EchoSplit b)
{
  return a.kind == b.kind && (a.kind == ECHO_SPLIT_WHOLE ||
                              (a.kind == ECHO_SPLIT_PART ? a.dim == b.dim && a.outer == b.outer
                                                         : a.combiner == b.combiner));
}

/* What was found out of a function. */
typedef struct EchoSplits {
  int64_t n_processes;
  EchoArena *arena;
  EchoMap of_value; /* EchoValue * -> index in `values`; none: whole */
  EchoMap of_op;    /* EchoOp * -> index in `wants` of its first operand; none: as they are */
  ECHO_VECTOR(EchoSplit) values;
  ECHO_VECTOR(EchoSplit) wants;
} EchoSplits;

EchoSplit echo_split_of(const EchoSplits *splits, const EchoValue *value);
void echo_split_set(EchoSplits *splits, const EchoValue *value, EchoSplit split);

/* What `op`, which has no block of its own to look into, wants of its operands (n_operands of
 * `want`) and gives, the same of all results. False after an error at the op: it mixes the batch.
 */
bool echo_split_rule(const EchoSplits *splits, const EchoOp *op, EchoSplit *want, EchoSplit *out);
/* Whether the value is zeros, so that it is a partial sum as it stands. */
bool echo_split_is_zero(const EchoValue *value);

/* Follows the arguments' splits, which are set, through main's block and all inside. False after
 * errors. O(ops) but for loops: each is gone through once more for each value it carries that turns
 * out to be split. */
bool echo_splits_follow(EchoSplits *splits, EchoOp *main);
typedef struct EchoSplitFacts {
  uint64_t n_reductions, reduced_bytes; /* of all_reduce */
} EchoSplitFacts;

/* Rewrites main: types, and what stands between values and their uses. `results` are what main's
 * results become, no partial ones. */
EchoSplitFacts echo_splits_write(EchoSplits *splits, EchoOp *main, const EchoSplit *results);

#endif
