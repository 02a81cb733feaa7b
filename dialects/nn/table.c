/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The nn dialect: layers, losses and optimizers as single ops of the model stage, and nn.gradient.
 * Shapes are checked by inference, which the verifier compares with the types written. Dimension
 * letters: B batch, T time, I inputs, H hidden, O outputs, V vocabulary, E embedding, Q query, M
 * memory, N heads, D head size, L labels. */
#include "dialects/dialects.h"
#include "ir/diagnostics.h"

/* ---- small checks, all at the op's location ---- */

typedef struct Shapes {
  const EchoOpState *state;
  bool ok;
} Shapes;

static const EchoType *operand(const Shapes *s, size_t i)
{
  return s->state->operands[i]->type;
}

static void expect(Shapes *s, bool holds, const char *message)
{
  if (!holds && s->ok)
    s->ok = echo_error(s->state->ctx, s->state->loc, "'%s' op %s", s->state->info->name, message);
}

static uint32_t rank(const Shapes *s, size_t i)
{
  return echo_type_rank(operand(s, i));
}

static int64_t dim(const Shapes *s, size_t i, size_t axis)
{
  return axis < rank(s, i) ? echo_type_dim(operand(s, i), axis) : -1;
}

static int64_t last_dim(const Shapes *s, size_t i)
{
  return rank(s, i) != 0 ? dim(s, i, rank(s, i) - 1) : -1;
}

/* Operands 0 to n - 1. */
static void expect_one_float_type(Shapes *s, size_t n)
{
  for (size_t i = 1; i < n; i++)
    expect(s, echo_type_element(operand(s, i)) == echo_type_element(operand(s, 0)),
           "expects floats of one type");
}

static void expect_float_ranks(Shapes *s, const uint32_t *ranks, size_t n)
{
  for (size_t i = 0; i < n; i++)
    expect(s, rank(s, i) == ranks[i], "has an operand of the wrong rank");
  expect_one_float_type(s, n);
}

/* Layers are lowered to ops of known sizes. */
static Shapes shapes_of(const EchoOpState *state)
{
  Shapes s = {state, true};
  for (size_t i = 0; i < state->n_operands; i++)
    expect(&s, echo_type_is_tensor(operand(&s, i)) && echo_type_has_static_shape(operand(&s, i)),
           "expects tensors of static shape");
  return s;
}

static const EchoType *shaped(const Shapes *s, const int64_t *dims, size_t n)
{
  return echo_type_tensor(s->state->ctx, dims, n, echo_type_element(operand(s, 0)), NULL);
}

static bool finish(const Shapes *s, const EchoType **types, size_t *n_types,
                   const EchoType *const *results, size_t n)
{
  if (!s->ok)
    return false;
  for (size_t i = 0; i < n; i++)
    types[i] = results[i];
  *n_types = n;
  return true;
}

/* ---- layers ---- */

/* input [..., I], weight [I, O], bias [O] -> [..., O] */
static bool infer_linear(const EchoOpState *state, const EchoRegion *regions,
                         const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) >= 1 && rank(&s, 1) == 2,
         "expects an input of rank 1 or more and a matrix");
  expect(&s, last_dim(&s, 0) == dim(&s, 1, 0), "expects weight rows = input features");
  if (state->n_operands == 3)
    expect(&s, rank(&s, 2) == 1 && dim(&s, 2, 0) == dim(&s, 1, 1), "expects bias = weight columns");
  expect_one_float_type(&s, state->n_operands);
  if (!s.ok)
    return false;
  int64_t dims[ECHO_MAX_RANK];
  memcpy(dims, operand(&s, 0)->as.shaped.dims, rank(&s, 0) * sizeof(int64_t));
  dims[rank(&s, 0) - 1] = dim(&s, 1, 1);
  const EchoType *result = shaped(&s, dims, rank(&s, 0));
  return finish(&s, types, n_types, &result, 1);
}

/* table [V, E], ids [...] -> [..., E] */
static bool infer_embedding(const EchoOpState *state, const EchoRegion *regions,
                            const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) == 2, "expects a table of rank 2");
  expect(&s, rank(&s, 1) < ECHO_MAX_RANK, "expects ids of lower rank");
  if (!s.ok)
    return false;
  int64_t dims[ECHO_MAX_RANK];
  uint32_t n = rank(&s, 1);
  for (uint32_t d = 0; d < n; d++)
    dims[d] = dim(&s, 1, d);
  dims[n] = dim(&s, 0, 1);
  const EchoType *result = shaped(&s, dims, n + 1);
  return finish(&s, types, n_types, &result, 1);
}

/* input [T, B, I], h [B, H], c [B, H], weight_input [I, 4H], weight_hidden [H, 4H], bias [4H] ->
 * output [T, B, H], h, c */
static bool infer_lstm(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                       size_t *n_types)
{
  (void)regions;
  static const uint32_t ranks[] = {3, 2, 2, 2, 2, 1};
  Shapes s = shapes_of(state);
  expect_float_ranks(&s, ranks, 6);
  expect(&s, dim(&s, 0, 0) > 0, "expects one time step or more");
  int64_t hidden = dim(&s, 1, 1);
  expect(&s, dim(&s, 1, 0) == dim(&s, 0, 1), "expects a state for each row of the batch");
  expect(&s, operand(&s, 1) == operand(&s, 2), "expects h and c of one shape");
  expect(&s, dim(&s, 3, 0) == dim(&s, 0, 2) && dim(&s, 3, 1) == 4 * hidden,
         "expects weight_input [inputs, 4 hidden]");
  expect(&s, dim(&s, 4, 0) == hidden && dim(&s, 4, 1) == 4 * hidden,
         "expects weight_hidden [hidden, 4 hidden]");
  expect(&s, dim(&s, 5, 0) == 4 * hidden, "expects bias [4 hidden]");
  if (!s.ok)
    return false;
  const int64_t dims[] = {dim(&s, 0, 0), dim(&s, 0, 1), hidden};
  const EchoType *results[] = {shaped(&s, dims, 3), operand(&s, 1), operand(&s, 2)};
  return finish(&s, types, n_types, results, 3);
}

/* input [T, B, I], h [B, H], weight_input [I, 3H], weight_hidden [H, 3H], bias_input [3H],
 * bias_hidden [3H] -> output [T, B, H], h */
static bool infer_gru(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                      size_t *n_types)
{
  (void)regions;
  static const uint32_t ranks[] = {3, 2, 2, 2, 1, 1};
  Shapes s = shapes_of(state);
  expect_float_ranks(&s, ranks, 6);
  expect(&s, dim(&s, 0, 0) > 0, "expects one time step or more");
  int64_t hidden = dim(&s, 1, 1);
  expect(&s, dim(&s, 1, 0) == dim(&s, 0, 1), "expects a state for each row of the batch");
  expect(&s, dim(&s, 2, 0) == dim(&s, 0, 2) && dim(&s, 2, 1) == 3 * hidden,
         "expects weight_input [inputs, 3 hidden]");
  expect(&s, dim(&s, 3, 0) == hidden && dim(&s, 3, 1) == 3 * hidden,
         "expects weight_hidden [hidden, 3 hidden]");
  expect(&s, dim(&s, 4, 0) == 3 * hidden && dim(&s, 5, 0) == 3 * hidden,
         "expects biases [3 hidden]");
  if (!s.ok)
    return false;
  const int64_t dims[] = {dim(&s, 0, 0), dim(&s, 0, 1), hidden};
  const EchoType *results[] = {shaped(&s, dims, 3), operand(&s, 1)};
  return finish(&s, types, n_types, results, 2);
}

/* query [B, H], keys [B, T, H], memory [B, T, M], score [H], mask [B, T] i1 -> context [B, M],
 * weights [B, T] */
static bool infer_attention_mlp(const EchoOpState *state, const EchoRegion *regions,
                                const EchoType **types, size_t *n_types)
{
  (void)regions;
  static const uint32_t ranks[] = {2, 3, 3, 1};
  Shapes s = shapes_of(state);
  expect_float_ranks(&s, ranks, 4);
  expect(&s, dim(&s, 1, 0) == dim(&s, 0, 0) && dim(&s, 1, 2) == dim(&s, 0, 1),
         "expects keys [batch, time, query features]");
  expect(&s, dim(&s, 2, 0) == dim(&s, 0, 0) && dim(&s, 2, 1) == dim(&s, 1, 1),
         "expects memory [batch, time, features]");
  expect(&s, dim(&s, 3, 0) == dim(&s, 0, 1), "expects score [query features]");
  if (state->n_operands == 5)
    expect(&s, rank(&s, 4) == 2 && dim(&s, 4, 0) == dim(&s, 1, 0) && dim(&s, 4, 1) == dim(&s, 1, 1),
           "expects mask [batch, time]");
  if (!s.ok)
    return false;
  const int64_t context[] = {dim(&s, 0, 0), dim(&s, 2, 2)},
                weights[] = {dim(&s, 1, 0), dim(&s, 1, 1)};
  const EchoType *results[] = {shaped(&s, context, 2), shaped(&s, weights, 2)};
  return finish(&s, types, n_types, results, 2);
}

/* query [B, N, Tq, D], key [B, N, Tk, D], value [B, N, Tk, D], mask [B, 1 or N, Tq, Tk] i1 -> [B,
 * N, Tq, D] */
static bool infer_attention_dot(const EchoOpState *state, const EchoRegion *regions,
                                const EchoType **types, size_t *n_types)
{
  (void)regions;
  static const uint32_t ranks[] = {4, 4, 4};
  Shapes s = shapes_of(state);
  expect_float_ranks(&s, ranks, 3);
  for (size_t axis = 0; axis < 4; axis++)
    expect(&s, axis == 2 || axis == 3 || (dim(&s, 0, axis) == dim(&s, 1, axis)),
           "expects query and key of the same batch and heads");
  expect(&s, dim(&s, 0, 3) == dim(&s, 1, 3), "expects query and key of the same head size");
  for (size_t axis = 0; axis < 3; axis++)
    expect(&s, dim(&s, 1, axis) == dim(&s, 2, axis), "expects a value for each key");
  if (state->n_operands == 4)
    expect(&s,
           rank(&s, 3) == 4 && dim(&s, 3, 0) == dim(&s, 0, 0) &&
               (dim(&s, 3, 1) == 1 || dim(&s, 3, 1) == dim(&s, 0, 1)) &&
               dim(&s, 3, 2) == dim(&s, 0, 2) && dim(&s, 3, 3) == dim(&s, 1, 2),
           "expects mask [batch, 1 or heads, queries, keys]");
  if (!s.ok)
    return false;
  const int64_t dims[] = {dim(&s, 0, 0), dim(&s, 0, 1), dim(&s, 0, 2), dim(&s, 2, 3)};
  const EchoType *result = shaped(&s, dims, 4);
  return finish(&s, types, n_types, &result, 1);
}

/* input [..., H], scale [H], bias [H] -> [..., H] */
static bool infer_layer_norm(const EchoOpState *state, const EchoRegion *regions,
                             const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) >= 1, "expects an input of rank 1 or more");
  for (size_t i = 1; i < 3; i++)
    expect(&s, rank(&s, i) == 1 && dim(&s, i, 0) == last_dim(&s, 0),
           "expects scale and bias of the last dimension's size");
  expect_one_float_type(&s, 3);
  const EchoType *result = operand(&s, 0);
  return finish(&s, types, n_types, &result, 1);
}

/* input, scale, bias, mean, variance (features each) -> output, new mean, new variance */
static bool infer_batch_norm(const EchoOpState *state, const EchoRegion *regions,
                             const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  const EchoAttr *index = echo_dictionary_get_or_null(state->properties, "feature_index");
  int64_t feature =
      index != NULL && index->kind == ECHO_ATTR_INTEGER ? index->as.integer.value : -1;
  expect(&s, feature >= 0 && feature < rank(&s, 0), "expects feature_index below the rank");
  for (size_t i = 1; i < 5 && s.ok; i++)
    expect(&s, rank(&s, i) == 1 && dim(&s, i, 0) == dim(&s, 0, (size_t)feature),
           "expects vectors of the feature dimension's size");
  expect_one_float_type(&s, 5);
  const EchoType *results[] = {operand(&s, 0), operand(&s, 3), operand(&s, 4)};
  return finish(&s, types, n_types, results, 3);
}

/* input [...], key, counter -> [...] */
static bool infer_dropout(const EchoOpState *state, const EchoRegion *regions,
                          const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 1) == 0 && rank(&s, 2) == 0, "expects a scalar key and counter");
  const EchoType *result = operand(&s, 0);
  return finish(&s, types, n_types, &result, 1);
}

/* input [..., V] -> [..., V] */
static bool infer_softmax(const EchoOpState *state, const EchoRegion *regions,
                          const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) >= 1, "expects an input of rank 1 or more");
  const EchoType *result = operand(&s, 0);
  return finish(&s, types, n_types, &result, 1);
}

/* The operand's type. */
static bool infer_first(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                        size_t *n_types)
{
  (void)regions;
  Shapes s = {state, true};
  const EchoType *result = operand(&s, 0);
  return finish(&s, types, n_types, &result, 1);
}

/* logits [..., V], labels [...], mask [...] -> scalar */
static bool infer_cross_entropy(const EchoOpState *state, const EchoRegion *regions,
                                const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) >= 1 && rank(&s, 1) + 1 == rank(&s, 0), "expects a label for each row");
  for (size_t i = 1; i < state->n_operands; i++) {
    expect(&s, rank(&s, i) == rank(&s, 1), "expects a label and a weight for each row");
    for (size_t axis = 0; axis + 1 < rank(&s, 0); axis++)
      expect(&s, dim(&s, i, axis) == dim(&s, 0, axis), "expects a label and a weight for each row");
  }
  const EchoType *result = s.ok ? shaped(&s, NULL, 0) : NULL;
  return finish(&s, types, n_types, &result, 1);
}

/* log_probs [T, B, V], labels [B, L], frames [B], label_counts [B] -> losses [B] */
static bool infer_ctc_loss(const EchoOpState *state, const EchoRegion *regions,
                           const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) == 3 && dim(&s, 0, 0) > 0,
         "expects log_probs [time, batch, classes] of one time step or more");
  expect(&s, rank(&s, 1) == 2 && dim(&s, 1, 0) == dim(&s, 0, 1),
         "expects labels for each row of the batch");
  for (size_t i = 2; i < 4; i++)
    expect(&s, rank(&s, i) == 1 && dim(&s, i, 0) == dim(&s, 0, 1),
           "expects a count for each row of the batch");
  const EchoAttr *blank = echo_dictionary_get_or_null(state->properties, "blank");
  int64_t index = blank != NULL && blank->kind == ECHO_ATTR_INTEGER ? blank->as.integer.value : 0;
  expect(&s, index >= 0 && (!s.ok || index < dim(&s, 0, 2)), "expects a blank that is a class");
  if (!s.ok)
    return false;
  const int64_t batch = dim(&s, 0, 1);
  const EchoType *result = shaped(&s, &batch, 1);
  return finish(&s, types, n_types, &result, 1);
}

/* ---- optimizers ---- */

/* parameter, gradient, learning_rate (scalar), velocity? -> parameter, velocity? */
static bool infer_sgd(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                      size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, operand(&s, 0) == operand(&s, 1), "expects parameter and gradient of one type");
  expect(&s, rank(&s, 2) == 0, "expects a scalar learning rate");
  if (state->n_operands == 4)
    expect(&s, operand(&s, 3) == operand(&s, 0), "expects a velocity of the parameter's type");
  const EchoType *results[] = {operand(&s, 0), operand(&s, 0)};
  return finish(&s, types, n_types, results, state->n_operands - 2);
}

/* parameter, gradient, first, second moment, step (integer scalar, from 1), learning_rate (scalar)
 * -> parameter, moments */
static bool infer_adam(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                       size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  for (size_t i = 1; i < 4; i++)
    expect(&s, operand(&s, i) == operand(&s, 0),
           "expects gradient and moments of the parameter's type");
  expect(&s, rank(&s, 4) == 0 && rank(&s, 5) == 0, "expects a scalar step and learning rate");
  const EchoType *results[] = {operand(&s, 0), operand(&s, 0), operand(&s, 0)};
  return finish(&s, types, n_types, results, 3);
}

/* loss, values -> gradients of the values' types */
static bool infer_gradient(const EchoOpState *state, const EchoRegion *regions,
                           const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shapes s = shapes_of(state);
  expect(&s, rank(&s, 0) == 0 && echo_element_is_float(echo_type_element_kind(operand(&s, 0))),
         "expects a scalar float loss first");
  for (size_t i = 1; i < state->n_operands; i++)
    expect(&s, echo_element_is_float(echo_type_element_kind(operand(&s, i))),
           "differentiates by f64, f32, f16 and bf16 only");
  if (!s.ok)
    return false;
  for (size_t i = 1; i < state->n_operands; i++)
    types[i - 1] = operand(&s, i);
  *n_types = state->n_operands - 1;
  return true;
}

static bool verify_rate(const EchoOp *op)
{
  double rate = echo_op_attr_or_null(op, "rate")->as.floating.value;
  return (rate >= 0 && rate < 1) || echo_op_error(op, "expects 0 <= rate < 1, got %g", rate);
}

#define FLOATS "tensor<float>"

static const EchoOpInfo OPS[] = {
    {.name = "nn.linear",
     .operands = "input: " FLOATS ", weight: " FLOATS ", bias: " FLOATS "?",
     .results = "output: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_linear,
     .summary = "input [..., I] times weight [I, O], plus bias [O]"},
    {.name = "nn.embedding",
     .operands = "table: " FLOATS ", ids: tensor<int>",
     .results = "output: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_embedding,
     .summary = "rows of table [V, E] picked by ids [...]"},
    {.name = "nn.lstm",
     .operands = "input: " FLOATS ", h: " FLOATS ", c: " FLOATS ", weight_input: " FLOATS
                 ", weight_hidden: " FLOATS ", bias: " FLOATS,
     .results = "output: " FLOATS ", h_last: " FLOATS ", c_last: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_lstm,
     .summary = "an LSTM layer over input [T, B, I], unrolled; gates in the order i, f, g, o"},
    {.name = "nn.gru",
     .operands = "input: " FLOATS ", h: " FLOATS ", weight_input: " FLOATS
                 ", weight_hidden: " FLOATS ", bias_input: " FLOATS ", bias_hidden: " FLOATS,
     .results = "output: " FLOATS ", h_last: " FLOATS,
     .attrs = "is_reverse: bool?, is_loop: bool?",
     .traits = ECHO_PURE,
     .infer = infer_gru,
     .summary = "a GRU layer over input [T, B, I], from the last step with is_reverse, unrolled or "
                "with is_loop a loop; gates in the order r, z, n"},
    {.name = "nn.attention_mlp",
     .operands = "query: " FLOATS ", keys: " FLOATS ", memory: " FLOATS ", score: " FLOATS
                 ", mask: tensor<pred>?",
     .results = "context: " FLOATS ", weights: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_attention_mlp,
     .summary =
         "softmax over T of score . tanh(query + keys [B, T, H]), applied to memory [B, T, M]"},
    {.name = "nn.attention_dot",
     .operands = "query: " FLOATS ", key: " FLOATS ", value: " FLOATS ", mask: tensor<pred>?",
     .results = "output: " FLOATS,
     .attrs = "scale: float?",
     .traits = ECHO_PURE,
     .infer = infer_attention_dot,
     .summary =
         "scaled dot-product attention over heads [B, N, T, D]; scale defaults to 1/sqrt(D)"},
    {.name = "nn.layer_norm",
     .operands = "input: " FLOATS ", scale: " FLOATS ", bias: " FLOATS,
     .results = "output: " FLOATS,
     .attrs = "epsilon: float",
     .traits = ECHO_PURE,
     .infer = infer_layer_norm,
     .summary = "normalisation over the last dimension"},
    {.name = "nn.batch_norm",
     .operands = "input: " FLOATS ", scale: " FLOATS ", bias: " FLOATS ", mean: " FLOATS
                 ", variance: " FLOATS,
     .results = "output: " FLOATS ", new_mean: " FLOATS ", new_variance: " FLOATS,
     .attrs = "feature_index: i64, epsilon: float, momentum: float",
     .traits = ECHO_PURE,
     .infer = infer_batch_norm,
     .summary = "normalisation over all but the feature dimension; running statistics as values"},
    {.name = "nn.dropout",
     .operands = "input: " FLOATS ", key: tensor<int>, counter: tensor<int>",
     .results = "output: " FLOATS,
     .attrs = "rate: float",
     .traits = ECHO_PURE,
     .verify = verify_rate,
     .infer = infer_dropout,
     .summary =
         "zeroes elements with probability rate and scales the others; a function of key and "
         "counter (ui64 scalars)"},
    {.name = "nn.softmax",
     .operands = "input: " FLOATS,
     .results = "output: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_softmax,
     .summary = "softmax over the last dimension"},
    {.name = "nn.log_softmax",
     .operands = "input: " FLOATS,
     .results = "output: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_softmax,
     .summary = "logarithm of the softmax over the last dimension"},
    {.name = "nn.softmax_cross_entropy",
     .operands = "logits: " FLOATS ", labels: tensor<int>, mask: " FLOATS "?",
     .results = "loss: " FLOATS,
     .traits = ECHO_PURE,
     .infer = infer_cross_entropy,
     .summary = "mean of -log softmax(logits [..., V])[label], weighted by mask (0 for padding)"},
    {.name = "nn.ctc_loss",
     .operands = "log_probs: " FLOATS
                 ", labels: tensor<int>, frames: tensor<int>, label_counts: tensor<int>",
     .results = "losses: " FLOATS,
     .attrs = "blank: i64?, zero_infinity: bool?, is_loop: bool?",
     .traits = ECHO_PURE,
     .infer = infer_ctc_loss,
     .summary =
         "-log of the probability that the first frames of log_probs [T, B, V] spell the "
         "first labels of [B, L] by CTC, a loop over T unless is_loop = false; inf, or 0 with "
         "zero_infinity, where they cannot"},
    {.name = "nn.sgd",
     .operands = "parameter: " FLOATS ", gradient: " FLOATS ", learning_rate: " FLOATS
                 ", velocity: " FLOATS "?",
     .results = "new_parameter: " FLOATS ", new_velocity: " FLOATS "?",
     .attrs = "momentum: float?, weight_decay: float?",
     .traits = ECHO_PURE,
     .infer = infer_sgd,
     .summary = "stochastic gradient descent, with momentum when there is a velocity"},
    {.name = "nn.adam",
     .operands = "parameter: " FLOATS ", gradient: " FLOATS ", first: " FLOATS ", second: " FLOATS
                 ", step: tensor<int>, learning_rate: " FLOATS,
     .results = "new_parameter: " FLOATS ", new_first: " FLOATS ", new_second: " FLOATS,
     .attrs = "beta1: float, beta2: float, epsilon: float, weight_decay: float?",
     .traits = ECHO_PURE,
     .infer = infer_adam,
     .summary = "Adam (Kingma and Ba, 2015), decoupled weight decay; step counts from 1"},
    {.name = "nn.stop_gradient",
     .operands = "input: tensor",
     .results = "output: tensor",
     .traits = ECHO_PURE | ECHO_SAME_TYPE,
     .infer = infer_first,
     .summary = "the identity, through which no gradient flows; --differentiate removes it"},
    {.name = "nn.gradient",
     .operands = "loss: " FLOATS ", values: " FLOATS "*",
     .results = "gradients: " FLOATS "*",
     .traits = ECHO_PURE,
     .infer = infer_gradient,
     .summary = "the gradients of a scalar loss by these values; --differentiate replaces it"},
};

const EchoDialect ECHO_NN_DIALECT = {.name = "nn",
                                     .summary = "Layers, losses and optimizers",
                                     .ops = OPS,
                                     .n_ops = sizeof OPS / sizeof OPS[0]};
