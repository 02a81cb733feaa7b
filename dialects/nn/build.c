/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/nn/build.h"

#define BUILD(b, name, operands, n, attrs, n_attrs)                                                \
  echo_build_op((b), (name), (operands), (n), NULL, 0, (attrs), (n_attrs))

static EchoContext *context_of(const EchoBuilder *b)
{
  return b != NULL ? b->ctx : NULL;
}

static const EchoAttr *number(const EchoBuilder *b, double value)
{
  EchoContext *ctx = context_of(b);
  return echo_attr_float(ctx, echo_type_f64(ctx), value);
}

static EchoValue *first_result(EchoOp *op)
{
  return op != NULL ? echo_op_result(op, 0) : NULL;
}

EchoValue *echo_nn_linear(EchoBuilder *b, EchoValue *input, EchoValue *weight,
                          EchoValue *bias_or_null)
{
  EchoValue *operands[] = {input, weight, bias_or_null};
  return first_result(BUILD(b, "nn.linear", operands, bias_or_null != NULL ? 3 : 2, NULL, 0));
}

EchoValue *echo_nn_embedding(EchoBuilder *b, EchoValue *table, EchoValue *ids)
{
  EchoValue *operands[] = {table, ids};
  return first_result(BUILD(b, "nn.embedding", operands, 2, NULL, 0));
}

/* Where several results go. */
static bool has_place(const EchoBuilder *b, const char *name, EchoValue **results)
{
  return echo_builder_check(b, name, "results", results);
}

/* n of them at most; NULL for an op that was refused. */
static void take_results(EchoOp *op, EchoValue **results, size_t n)
{
  for (size_t i = 0; i < n; i++)
    results[i] = op != NULL && i < op->n_results ? echo_op_result(op, i) : NULL;
}

void echo_nn_lstm(EchoBuilder *b, EchoValue *input, EchoValue *h, EchoValue *c,
                  EchoValue *weight_input, EchoValue *weight_hidden, EchoValue *bias,
                  EchoValue *results[3])
{
  if (!has_place(b, "nn.lstm", results))
    return;
  EchoValue *operands[] = {input, h, c, weight_input, weight_hidden, bias};
  take_results(BUILD(b, "nn.lstm", operands, 6, NULL, 0), results, 3);
}

/* NULL, so that it is left out, where false. */
static const EchoAttr *flag(const EchoBuilder *b, bool value)
{
  return value ? echo_attr_bool(context_of(b), true) : NULL;
}

void echo_nn_gru_with(EchoBuilder *b, EchoValue *input, EchoValue *h, EchoValue *weight_input,
                      EchoValue *weight_hidden, EchoValue *bias_input, EchoValue *bias_hidden,
                      const EchoGru *options, EchoValue *results[2])
{
  if (!has_place(b, "nn.gru", results))
    return;
  EchoValue *operands[] = {input, h, weight_input, weight_hidden, bias_input, bias_hidden};
  const EchoAttrArg attrs[] = {{"is_reverse", flag(b, options != NULL && options->is_reverse)},
                               {"is_loop", flag(b, options != NULL && options->is_loop)}};
  take_results(BUILD(b, "nn.gru", operands, 6, attrs, 2), results, 2);
}

void echo_nn_gru(EchoBuilder *b, EchoValue *input, EchoValue *h, EchoValue *weight_input,
                 EchoValue *weight_hidden, EchoValue *bias_input, EchoValue *bias_hidden,
                 EchoValue *results[2])
{
  echo_nn_gru_with(b, input, h, weight_input, weight_hidden, bias_input, bias_hidden, NULL,
                   results);
}

void echo_nn_attention_mlp(EchoBuilder *b, EchoValue *query, EchoValue *keys, EchoValue *memory,
                           EchoValue *score, EchoValue *mask_or_null, EchoValue *results[2])
{
  if (!has_place(b, "nn.attention_mlp", results))
    return;
  EchoValue *operands[] = {query, keys, memory, score, mask_or_null};
  take_results(BUILD(b, "nn.attention_mlp", operands, mask_or_null != NULL ? 5 : 4, NULL, 0),
               results, 2);
}

EchoValue *echo_nn_attention_dot(EchoBuilder *b, EchoValue *query, EchoValue *key, EchoValue *value,
                                 EchoValue *mask_or_null, double scale)
{
  EchoValue *operands[] = {query, key, value, mask_or_null};
  const EchoAttrArg attrs[] = {{"scale", scale != 0 ? number(b, scale) : NULL}};
  return first_result(
      BUILD(b, "nn.attention_dot", operands, mask_or_null != NULL ? 4 : 3, attrs, 1));
}

EchoValue *echo_nn_layer_norm(EchoBuilder *b, EchoValue *input, EchoValue *scale, EchoValue *bias,
                              double epsilon)
{
  EchoValue *operands[] = {input, scale, bias};
  const EchoAttrArg attrs[] = {{"epsilon", number(b, epsilon)}};
  return first_result(BUILD(b, "nn.layer_norm", operands, 3, attrs, 1));
}

void echo_nn_batch_norm(EchoBuilder *b, EchoValue *input, EchoValue *scale, EchoValue *bias,
                        EchoValue *mean, EchoValue *variance, int64_t feature, double epsilon,
                        double momentum, EchoValue *results[3])
{
  if (!has_place(b, "nn.batch_norm", results))
    return;
  EchoValue *operands[] = {input, scale, bias, mean, variance};
  const EchoAttrArg attrs[] = {{"feature_index", echo_attr_i64(context_of(b), feature)},
                               {"epsilon", number(b, epsilon)},
                               {"momentum", number(b, momentum)}};
  take_results(BUILD(b, "nn.batch_norm", operands, 5, attrs, 3), results, 3);
}

EchoValue *echo_nn_dropout(EchoBuilder *b, EchoValue *input, EchoValue *key, EchoValue *counter,
                           double rate)
{
  EchoValue *operands[] = {input, key, counter};
  const EchoAttrArg attrs[] = {{"rate", number(b, rate)}};
  return first_result(BUILD(b, "nn.dropout", operands, 3, attrs, 1));
}

EchoValue *echo_nn_softmax(EchoBuilder *b, EchoValue *input)
{
  return first_result(BUILD(b, "nn.softmax", &input, 1, NULL, 0));
}

EchoValue *echo_nn_softmax_cross_entropy(EchoBuilder *b, EchoValue *logits, EchoValue *labels,
                                         EchoValue *mask_or_null)
{
  EchoValue *operands[] = {logits, labels, mask_or_null};
  return first_result(
      BUILD(b, "nn.softmax_cross_entropy", operands, mask_or_null != NULL ? 3 : 2, NULL, 0));
}

EchoValue *echo_nn_log_softmax(EchoBuilder *b, EchoValue *input)
{
  return first_result(BUILD(b, "nn.log_softmax", &input, 1, NULL, 0));
}

EchoValue *echo_nn_ctc_loss(EchoBuilder *b, EchoValue *log_probs, EchoValue *labels,
                            EchoValue *frames, EchoValue *label_counts, const EchoCtc *options)
{
  static const EchoCtc plain = {0};
  const EchoCtc *o = options != NULL ? options : &plain;
  EchoValue *operands[] = {log_probs, labels, frames, label_counts};
  EchoContext *ctx = context_of(b);
  const EchoAttrArg attrs[] = {{"blank", o->blank != 0 ? echo_attr_i64(ctx, o->blank) : NULL},
                               {"zero_infinity", flag(b, o->zero_infinity)},
                               {"is_loop", o->is_unrolled ? echo_attr_bool(ctx, false) : NULL}};
  return first_result(BUILD(b, "nn.ctc_loss", operands, 4, attrs, 3));
}

void echo_nn_gradient(EchoBuilder *b, EchoValue *loss, EchoValue *const *values, size_t n,
                      EchoValue **gradients)
{
  if (n != 0 && (!echo_builder_check(b, "nn.gradient", "values", values) ||
                 !echo_builder_check(b, "nn.gradient", "gradients", gradients)))
    return;
  EchoValue **operands = echo_alloc_array(n + 1, sizeof *operands);
  operands[0] = loss;
  for (size_t i = 0; i < n; i++)
    operands[1 + i] = values != NULL ? values[i] : NULL;
  take_results(BUILD(b, "nn.gradient", operands, n + 1, NULL, 0), gradients, n);
  echo_free(operands);
}

void echo_nn_adam(EchoBuilder *b, EchoValue *parameter, EchoValue *gradient, EchoValue *first,
                  EchoValue *second, EchoValue *step, EchoValue *learning_rate,
                  const EchoAdam *options, EchoValue *results[3])
{
  if (!has_place(b, "nn.adam", results))
    return;
  EchoValue *operands[] = {parameter, gradient, first, second, step, learning_rate};
  if (options == NULL) {
    echo_builder_check(b, "nn.adam", "options", options);
    take_results(NULL, results, 3);
    return;
  }
  const EchoAttrArg attrs[] = {
      {"beta1", number(b, options->beta1)},
      {"beta2", number(b, options->beta2)},
      {"epsilon", number(b, options->epsilon)},
      {"weight_decay", options->weight_decay != 0 ? number(b, options->weight_decay) : NULL}};
  take_results(BUILD(b, "nn.adam", operands, 6, attrs, 4), results, 3);
}

void echo_nn_sgd(EchoBuilder *b, EchoValue *parameter, EchoValue *gradient,
                 EchoValue *learning_rate, EchoValue *velocity_or_null, double momentum,
                 double weight_decay, EchoValue *results[2])
{
  if (!has_place(b, "nn.sgd", results))
    return;
  EchoValue *operands[] = {parameter, gradient, learning_rate, velocity_or_null};
  bool has_velocity = velocity_or_null != NULL;
  const EchoAttrArg attrs[] = {
      {"momentum", has_velocity ? number(b, momentum) : NULL},
      {"weight_decay", weight_decay != 0 ? number(b, weight_decay) : NULL}};
  take_results(BUILD(b, "nn.sgd", operands, has_velocity ? 4 : 3, attrs, 2), results,
               has_velocity ? 2 : 1);
}
