/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What --split-reductions is made of. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_SPLIT_REDUCTIONS_T_H
#define ECHO_LOWERING_STEP_SPLIT_REDUCTIONS_T_H

#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"

/* The least divisor of n from `wanted` to twice that, else the largest below. */
int64_t echo_divisor_near(int64_t n, int64_t wanted);

/* A reduction by the body of `op`, from `init`, of `operand` over n of its dimensions, ascending.
 */
EchoValue *echo_reduce_like(EchoBuilder *builder, const EchoOp *op, EchoValue *operand,
                            EchoValue *init, const int64_t *dims, size_t n);

/* Whether to begin twice with `init` is to begin with it once. */
bool echo_reduce_may_begin_twice(EchoHloOpcode combiner, const EchoValue *init);

/* Cuts a dot_general along one contracted dimension, where its results are too few to fill a chip:
 * products of parts, in f32 where it is of halves, then their sum. Erases `op`, or does nothing and
 * answers false. */
bool echo_split_product(EchoOp *op);
/* The same of a convolution, along its input's features. */
bool echo_split_convolution(EchoOp *op);

/* A convolution of one group with its window's rows, of the spatial dimension that gives most
 * parts, as features more: about `wanted` times as many, at most `most` times. Erases `op` and
 * answers what stands for it; `op` itself where wanted < 2, or no dimension can be cut. */
EchoOp *echo_stack_rows(EchoOp *op, int64_t wanted, int64_t most);

/* How many parts a product of batch m n results, of k terms each, is worth; 0 or 1: it stays whole.
 */
int64_t echo_split_wanted(int64_t batch, int64_t m, int64_t n, int64_t k);
/* What sums of parts are kept in: f32 where `op` makes halves. */
const EchoType *echo_split_sum_type(const EchoOp *op);
/* [.., d, ..] as [.., parts, d / parts, ..]. */
EchoValue *echo_split_cut(EchoBuilder *builder, EchoValue *value, size_t dim, int64_t parts);

#endif
