/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the nn_*.c files share: each lowers a family of nn ops to stablehlo, as table rows of
 * --nn-to-stablehlo. */
#ifndef ECHO_LOWERING_MODEL_NN_TO_STABLEHLO_T_H
#define ECHO_LOWERING_MODEL_NN_TO_STABLEHLO_T_H

#include "dialects/stablehlo/build.h"
#include "ir/pass/rewrite.h"

extern const EchoPattern ECHO_NN_LAYER_PATTERNS[];
extern const size_t ECHO_N_NN_LAYER_PATTERNS;
extern const EchoPattern ECHO_NN_SEQUENCE_PATTERNS[]; /* recurrent layers, attention */
extern const size_t ECHO_N_NN_SEQUENCE_PATTERNS;
extern const EchoPattern ECHO_NN_CTC_PATTERNS[]; /* the loss over alignments */
extern const size_t ECHO_N_NN_CTC_PATTERNS;
extern const EchoPattern ECHO_NN_TRAINING_PATTERNS[]; /* losses, optimizers */
extern const size_t ECHO_N_NN_TRAINING_PATTERNS;

static inline EchoValue *echo_nn_replace(EchoRewriter *rewriter, EchoOp *op, EchoValue *value)
{
  echo_rewriter_replace(rewriter, op, &value);
  return value;
}

/* x * c, x + c for a number c */
static inline EchoValue *echo_nn_scale(EchoBuilder *b, EchoValue *x, double c)
{
  return echo_hlo_multiply(b, x, echo_hlo_constant_like(b, x, c));
}
static inline EchoValue *echo_nn_shift(EchoBuilder *b, EchoValue *x, double c)
{
  return echo_hlo_add(b, x, echo_hlo_constant_like(b, x, c));
}
/* A vector spread over the last dimension of `type`. */
static inline EchoValue *echo_nn_spread_last(EchoBuilder *b, EchoValue *vector,
                                             const EchoType *type)
{
  int64_t last = (int64_t)echo_type_rank(type) - 1;
  return echo_hlo_broadcast_in_dim(b, vector, type, &last, 1);
}
/* The value of a float attribute, or `otherwise`. */
double echo_nn_attr(const EchoOp *op, const char *name, double otherwise);
/* The value of a bool attribute, or `otherwise`. */
bool echo_nn_flag(const EchoOp *op, const char *name, bool otherwise);

/* A counted loop under construction: `index` runs from 0 to n_trips - 1 (i64). */
typedef struct EchoNnLoop {
  EchoOp *op; /* results 1, 2, ...: what is carried, after the last trip */
  EchoBuilder body;
  EchoValue *index;
} EchoNnLoop;

EchoNnLoop echo_nn_loop_begin(EchoBuilder *b, EchoValue *const *carried, size_t n, int64_t n_trips);
/* Carried value i inside the body. */
static inline EchoValue *echo_nn_loop_carried(const EchoNnLoop *loop, size_t i)
{
  return echo_block_arg(loop->body.block, 1 + i);
}
void echo_nn_loop_end(EchoNnLoop *loop, EchoValue *const *next, size_t n);
/* Step `index` of a sequence [T, ...] as [...], and the sequence with that step replaced. */
EchoValue *echo_nn_step_at(EchoBuilder *b, EchoValue *sequence, EchoValue *index);
EchoValue *echo_nn_with_step(EchoBuilder *b, EchoValue *sequence, EchoValue *step,
                             EchoValue *index);

/* softmax over the last dimension; the maximum it subtracts takes no gradient. */
EchoValue *echo_nn_build_softmax(EchoBuilder *b, EchoValue *x);
/* x less its maximum over the last dimension, which takes no gradient. */
EchoValue *echo_nn_build_centered(EchoBuilder *b, EchoValue *x);
/* input [..., I] by weight [I, O] */
EchoValue *echo_nn_build_linear(EchoBuilder *b, EchoValue *input, EchoValue *weight,
                                EchoValue *bias_or_null);

#endif
