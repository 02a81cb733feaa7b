/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Losses and optimizers. */
#include "lowering/model/nn_to_stablehlo_t.h"

/* loss = sum_i m_i (log sum_v exp(x_iv - max_v x_iv) - (x_i,label - max_v x_iv)) / max(sum_i m_i,
 * 1). Nothing of the logits' size is read but the logits themselves, so that nothing else of that
 * size need be kept. The label's element is picked by comparing with iota, whose gradient is a
 * comparison too and not a scatter. */
static bool lower_cross_entropy(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *logits = echo_op_operand(op, 0), *labels = echo_op_operand(op, 1);
  const EchoType *type = logits->type, *element = echo_type_element(type);
  int64_t rows[ECHO_MAX_RANK];
  uint32_t n_rows = echo_type_rank(type) - 1;
  for (uint32_t i = 0; i < n_rows; i++)
    rows[i] = i;
  const int64_t last = n_rows;
  EchoValue *maximum =
      echo_build_unary(b, "nn.stop_gradient", echo_hlo_reduce_max(b, logits, &last, 1), NULL);
  EchoValue *centered =
      echo_hlo_subtract(b, logits, echo_hlo_broadcast_reduced(b, maximum, type, &last, 1));
  EchoValue *sum_exp = echo_hlo_reduce_sum(b, echo_hlo_exponential(b, centered), &last, 1);
  EchoValue *normalizer = echo_hlo_log(b, sum_exp);
  /* Labels narrower than 32 bits may not count to the last class. */
  if (echo_type_element_bytes(labels->type) < 4)
    labels = echo_hlo_convert(b, labels, echo_type_integer(b->ctx, 32, ECHO_SIGNLESS));
  const EchoType *index_type =
      echo_type_with_element(b->ctx, type, echo_type_element(labels->type));
  EchoValue *wanted = echo_hlo_broadcast_in_dim(b, labels, index_type, rows, n_rows);
  EchoValue *is_label =
      echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_hlo_iota(b, index_type, last), wanted);
  EchoValue *zero = echo_hlo_constant_like(b, logits, 0);
  EchoValue *picked = echo_hlo_reduce_sum(b, echo_hlo_select(b, is_label, logits, zero), &last, 1);
  /* The label's distance from the maximum first: large logits must not cancel after rounding. */
  EchoValue *losses = echo_hlo_subtract(b, normalizer, echo_hlo_subtract(b, picked, maximum));
  EchoValue *mean;
  if (op->n_operands == 3) {
    EchoValue *mask = echo_hlo_convert(b, echo_op_operand(op, 2), element);
    EchoValue *sum = echo_hlo_reduce_sum(b, echo_hlo_multiply(b, losses, mask), rows, n_rows);
    EchoValue *count = echo_hlo_reduce_sum(b, mask, rows, n_rows);
    EchoValue *one = echo_hlo_constant_like(b, count, 1);
    mean = echo_hlo_divide(b, sum, echo_hlo_maximum(b, count, one));
  } else {
    double n = (double)echo_type_static_n_elements(losses->type);
    mean = echo_nn_scale(b, echo_hlo_reduce_sum(b, losses, rows, n_rows), n > 0 ? 1 / n : 0);
  }
  echo_nn_replace(rewriter, op, mean);
  return true;
}

static EchoValue *spread(EchoBuilder *b, EchoValue *scalar, EchoValue *like)
{
  EchoValue *converted = echo_hlo_convert(b, scalar, echo_type_element(like->type));
  return echo_hlo_broadcast_scalar(b, converted, like->type);
}

static bool lower_sgd(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *parameter = echo_op_operand(op, 0), *direction = echo_op_operand(op, 1);
  double decay = echo_nn_attr(op, "weight_decay", 0);
  if (decay != 0)
    direction = echo_hlo_add(b, direction, echo_nn_scale(b, parameter, decay));
  EchoValue *results[2];
  if (op->n_operands == 4) {
    EchoValue *kept = echo_nn_scale(b, echo_op_operand(op, 3), echo_nn_attr(op, "momentum", 0));
    direction = results[1] = echo_hlo_add(b, kept, direction);
  }
  EchoValue *step = echo_hlo_multiply(b, spread(b, echo_op_operand(op, 2), parameter), direction);
  results[0] = echo_hlo_subtract(b, parameter, step);
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* decay * moment + (1 - decay) * x */
static EchoValue *moving_average(EchoBuilder *b, EchoValue *moment, EchoValue *x, double decay)
{
  return echo_hlo_add(b, echo_nn_scale(b, moment, decay), echo_nn_scale(b, x, 1 - decay));
}

/* 1 - beta^step, a scalar */
static EchoValue *correction(EchoBuilder *b, EchoValue *step, double beta, const EchoType *element)
{
  EchoValue *t = echo_hlo_convert(b, step, element);
  EchoValue *power = echo_hlo_power(b, echo_hlo_constant_like(b, t, beta), t);
  return echo_hlo_subtract(b, echo_hlo_constant_like(b, power, 1), power);
}

/* Operand i; f16 and bf16 as f32, since 0.999 is 1 in bf16 and the bias correction would be 0. */
static EchoValue *wide_operand(EchoBuilder *b, const EchoOp *op, size_t i)
{
  EchoValue *x = echo_op_operand(op, i);
  return echo_type_element_bytes(x->type) < 4 ? echo_hlo_convert(b, x, echo_type_f32(b->ctx)) : x;
}

/* Source: Kingma and Ba, "Adam" (2015), algorithm 1; weight decay as in Loshchilov and Hutter
 * (2019). */
static bool lower_adam(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *parameter = wide_operand(b, op, 0), *gradient = wide_operand(b, op, 1);
  const EchoType *element = echo_type_element(parameter->type);
  double beta1 = echo_nn_attr(op, "beta1", 0), beta2 = echo_nn_attr(op, "beta2", 0);
  double decay = echo_nn_attr(op, "weight_decay", 0);
  EchoValue *first = moving_average(b, wide_operand(b, op, 2), gradient, beta1);
  EchoValue *second =
      moving_average(b, wide_operand(b, op, 3), echo_hlo_multiply(b, gradient, gradient), beta2);
  EchoValue *step = echo_op_operand(op, 4);
  EchoValue *mean =
      echo_hlo_divide(b, first, spread(b, correction(b, step, beta1, element), first));
  EchoValue *square =
      echo_hlo_divide(b, second, spread(b, correction(b, step, beta2, element), second));
  EchoValue *deviation = echo_nn_shift(b, echo_hlo_sqrt(b, square), echo_nn_attr(op, "epsilon", 0));
  EchoValue *direction = echo_hlo_divide(b, mean, deviation);
  if (decay != 0)
    direction = echo_hlo_add(b, direction, echo_nn_scale(b, parameter, decay));
  EchoValue *change = echo_hlo_multiply(b, spread(b, echo_op_operand(op, 5), parameter), direction);
  EchoValue *results[] = {echo_hlo_subtract(b, parameter, change), first, second};
  for (size_t i = 0; i < 3; i++)
    results[i] = echo_hlo_convert(b, results[i], echo_type_element(echo_op_result_type(op, i)));
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

const EchoPattern ECHO_NN_TRAINING_PATTERNS[] = {
    {"nn.softmax_cross_entropy", 0, lower_cross_entropy, "log-sum-exp less the label's logit"},
    {"nn.sgd", 0, lower_sgd, "parameter less rate times direction"},
    {"nn.adam", 0, lower_adam, "bias-corrected moments"},
};
const size_t ECHO_N_NN_TRAINING_PATTERNS =
    sizeof ECHO_NN_TRAINING_PATTERNS / sizeof ECHO_NN_TRAINING_PATTERNS[0];
