/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layers that look at one position at a time: linear, embedding, normalisation, dropout, softmax.
 */
#include <math.h>

#include "lowering/model/nn_to_stablehlo_t.h"

EchoValue *echo_nn_build_linear(EchoBuilder *b, EchoValue *input, EchoValue *weight,
                                EchoValue *bias_or_null)
{
  const int64_t lhs = (int64_t)echo_type_rank(input->type) - 1, rhs = 0;
  const EchoDotDims dims = {.lhs_contracting = {&lhs, 1}, .rhs_contracting = {&rhs, 1}};
  EchoValue *product = echo_hlo_dot_general(b, input, weight, &dims, NULL);
  if (bias_or_null == NULL)
    return product;
  return echo_hlo_add(b, product, echo_nn_spread_last(b, bias_or_null, product->type));
}

static bool lower_linear(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *bias = op->n_operands == 3 ? echo_op_operand(op, 2) : NULL;
  echo_nn_replace(rewriter, op,
                  echo_nn_build_linear(&rewriter->builder, echo_op_operand(op, 0),
                                       echo_op_operand(op, 1), bias));
  return true;
}

/* One row of the table for each id. Ids outside the table clamp, as gather does. */
static bool lower_embedding(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *table = echo_op_operand(op, 0), *ids = echo_op_operand(op, 1);
  const int64_t offset = echo_type_rank(ids->type), zero = 0;
  const EchoGatherDims dims = {.offset_dims = {&offset, 1},
                               .collapsed_slice_dims = {&zero, 1},
                               .start_index_map = {&zero, 1},
                               .index_vector_dim = offset};
  const int64_t sizes[] = {1, echo_type_dim(table->type, 1)};
  echo_nn_replace(rewriter, op,
                  echo_hlo_gather(&rewriter->builder, table, ids, &dims, sizes, false));
  return true;
}

/* Mean over the last dimension, spread back. */
static EchoValue *mean_last(EchoBuilder *b, EchoValue *x)
{
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1;
  EchoValue *sum = echo_hlo_reduce_sum(b, x, &last, 1);
  double n = (double)echo_type_dim(x->type, (size_t)last);
  return echo_hlo_broadcast_reduced(b, echo_nn_scale(b, sum, 1 / n), x->type, &last, 1);
}

static bool lower_layer_norm(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *x = echo_op_operand(op, 0);
  EchoValue *centered = echo_hlo_subtract(b, x, mean_last(b, x));
  EchoValue *variance = mean_last(b, echo_hlo_multiply(b, centered, centered));
  EchoValue *inverse =
      echo_hlo_rsqrt(b, echo_nn_shift(b, variance, echo_nn_attr(op, "epsilon", 0)));
  EchoValue *normal = echo_hlo_multiply(b, centered, inverse);
  EchoValue *scaled =
      echo_hlo_multiply(b, normal, echo_nn_spread_last(b, echo_op_operand(op, 1), x->type));
  echo_nn_replace(rewriter, op,
                  echo_hlo_add(b, scaled, echo_nn_spread_last(b, echo_op_operand(op, 2), x->type)));
  return true;
}

/* running = momentum * running + (1 - momentum) * batch; statistics are values, so recomputing
 * changes nothing. */
static EchoValue *running(EchoBuilder *b, EchoValue *old, EchoValue *batch, double momentum)
{
  return echo_hlo_add(b, echo_nn_scale(b, old, momentum), echo_nn_scale(b, batch, 1 - momentum));
}

static bool lower_batch_norm(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *x = echo_op_operand(op, 0);
  const int64_t feature = echo_op_attr_i64(op, "feature_index", 0);
  double momentum = echo_nn_attr(op, "momentum", 0);
  int64_t others[ECHO_MAX_RANK];
  size_t n_others = 0;
  for (uint32_t d = 0; d < echo_type_rank(x->type); d++)
    if (d != feature)
      others[n_others++] = d;
  double n = (double)echo_type_static_n_elements(x->type) /
             (double)echo_type_dim(x->type, (size_t)feature);
  EchoValue *mean = echo_nn_scale(b, echo_hlo_reduce_sum(b, x, others, n_others), 1 / n);
  EchoValue *centered =
      echo_hlo_subtract(b, x, echo_hlo_broadcast_in_dim(b, mean, x->type, &feature, 1));
  EchoValue *square = echo_hlo_multiply(b, centered, centered);
  EchoValue *variance = echo_nn_scale(b, echo_hlo_reduce_sum(b, square, others, n_others), 1 / n);
  EchoValue *inverse =
      echo_hlo_rsqrt(b, echo_nn_shift(b, variance, echo_nn_attr(op, "epsilon", 0)));
  EchoValue *slope = echo_hlo_multiply(b, inverse, echo_op_operand(op, 1));
  EchoValue *scaled =
      echo_hlo_multiply(b, centered, echo_hlo_broadcast_in_dim(b, slope, x->type, &feature, 1));
  EchoValue *bias = echo_hlo_broadcast_in_dim(b, echo_op_operand(op, 2), x->type, &feature, 1);
  EchoValue *results[] = {echo_hlo_add(b, scaled, bias),
                          running(b, echo_op_operand(op, 3), mean, momentum),
                          running(b, echo_op_operand(op, 4), variance, momentum)};
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* Element i is kept where random word i is at least rate * 2^32. */
static bool lower_dropout(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *x = echo_op_operand(op, 0), *words[2], *state[2];
  double rate = echo_nn_attr(op, "rate", 0);
  const EchoType *ui64 = echo_type_integer(b->ctx, 64, ECHO_UNSIGNED);
  const EchoType *ui32 = echo_type_integer(b->ctx, 32, ECHO_UNSIGNED);
  const int64_t one = 1;
  for (size_t i = 0; i < 2; i++)
    state[i] = echo_hlo_reshape(b, echo_hlo_convert(b, echo_op_operand(op, 1 + i), ui64), &one, 1);
  EchoValue *seed = echo_hlo_concatenate(b, state, 2, 0);
  const EchoType *bits = echo_type_with_element(b->ctx, x->type, ui32);
  echo_hlo_rng_bit_generator(b, ECHO_RNG_THREE_FRY, seed, bits, words);
  EchoValue *threshold = echo_hlo_constant_i64(b, bits, (int64_t)floor(rate * 0x1p32));
  EchoValue *kept = echo_hlo_compare(b, ECHO_COMPARE_GE, words[1], threshold);
  EchoValue *scaled = echo_nn_scale(b, x, 1 / (1 - rate));
  echo_nn_replace(rewriter, op, echo_hlo_select(b, kept, scaled, echo_hlo_constant_like(b, x, 0)));
  return true;
}

EchoValue *echo_nn_build_centered(EchoBuilder *b, EchoValue *x)
{
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1;
  EchoValue *maximum =
      echo_build_unary(b, "nn.stop_gradient", echo_hlo_reduce_max(b, x, &last, 1), NULL);
  return echo_hlo_subtract(b, x, echo_hlo_broadcast_reduced(b, maximum, x->type, &last, 1));
}

EchoValue *echo_nn_build_softmax(EchoBuilder *b, EchoValue *x)
{
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1;
  EchoValue *weights = echo_hlo_exponential(b, echo_nn_build_centered(b, x));
  EchoValue *sum = echo_hlo_reduce_sum(b, weights, &last, 1);
  return echo_hlo_divide(b, weights, echo_hlo_broadcast_reduced(b, sum, x->type, &last, 1));
}

static bool lower_softmax(EchoRewriter *rewriter, EchoOp *op)
{
  echo_nn_replace(rewriter, op, echo_nn_build_softmax(&rewriter->builder, echo_op_operand(op, 0)));
  return true;
}

static bool lower_log_softmax(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *x = echo_op_operand(op, 0), *centered = echo_nn_build_centered(b, x);
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1;
  EchoValue *sum = echo_hlo_reduce_sum(b, echo_hlo_exponential(b, centered), &last, 1);
  EchoValue *normalizer = echo_hlo_broadcast_reduced(b, echo_hlo_log(b, sum), x->type, &last, 1);
  echo_nn_replace(rewriter, op, echo_hlo_subtract(b, centered, normalizer));
  return true;
}

const EchoPattern ECHO_NN_LAYER_PATTERNS[] = {
    {"nn.linear", 0, lower_linear, "a contraction and a bias"},
    {"nn.embedding", 0, lower_embedding, "a gather of rows"},
    {"nn.layer_norm", 0, lower_layer_norm, "mean, variance, scale and bias"},
    {"nn.batch_norm", 0, lower_batch_norm, "batch statistics as values"},
    {"nn.dropout", 0, lower_dropout, "random words compared with the rate"},
    {"nn.softmax", 0, lower_softmax, "exponentials of the centered input over their sum"},
    {"nn.log_softmax", 0, lower_log_softmax, "the centered input less its log-sum-exp"},
};
const size_t ECHO_N_NN_LAYER_PATTERNS =
    sizeof ECHO_NN_LAYER_PATTERNS / sizeof ECHO_NN_LAYER_PATTERNS[0];
