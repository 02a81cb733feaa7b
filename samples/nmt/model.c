/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nmt/model.h"

#include <math.h>
#include <stdio.h>

#include "dialects/nn/build.h"
#include "dialects/stablehlo/build.h"
#include "samples/nmt/vocabulary.h"

/* One function under construction. */
typedef struct Graph {
  SampleFunction f;
  EchoContext *ctx;
  EchoBuilder *b; /* the function's */
  NmtModel *model;
  NmtConfig c;
  EchoValue *key, *step; /* dropout; NULL = none */
  int64_t n_dropouts;
} Graph;

static const EchoType *tensor(Graph *g, int64_t d0, int64_t d1, int64_t d2, const EchoType *element)
{
  const int64_t dims[] = {d0, d1, d2};
  size_t rank = 0;
  while (rank < 3 && dims[rank] >= 0)
    rank++;
  return echo_hlo_tensor(g->ctx, dims, rank, element);
}

static const EchoType *f32(Graph *g)
{
  return echo_type_f32(g->ctx);
}

/* ---- parameters ---- */

typedef struct LstmWeights {
  size_t input, hidden, bias; /* indices of parameters */
} LstmWeights;

#define MAX_LAYERS 16

typedef struct Layout {
  size_t source_table, target_table, key_weight, query_weight, score, combine, output_weight,
      output_bias;
  LstmWeights encoder[MAX_LAYERS], decoder[MAX_LAYERS];
} Layout;

static size_t parameter(Graph *g, const char *name, int64_t rows, int64_t columns, double range)
{
  const EchoType *type = tensor(g, rows, columns, -1, f32(g));
  return sample_parameter_add(&g->model->parameters, name, type, range, 0);
}

static LstmWeights lstm_parameters(Graph *g, const char *part, int64_t layer, int64_t inputs)
{
  char name[48];
  int64_t hidden = g->c.hidden;
  double range = 1 / sqrt((double)hidden);
  LstmWeights weights;
  snprintf(name, sizeof name, "%s.%d.weight_input", part, (int)layer);
  weights.input = parameter(g, name, inputs, 4 * hidden, range);
  snprintf(name, sizeof name, "%s.%d.weight_hidden", part, (int)layer);
  weights.hidden = parameter(g, name, hidden, 4 * hidden, range);
  snprintf(name, sizeof name, "%s.%d.bias", part, (int)layer);
  weights.bias = parameter(g, name, 4 * hidden, -1, 0);
  return weights;
}

static void declare_parameters(Graph *g, Layout *layout)
{
  int64_t e = g->c.embedding, h = g->c.hidden;
  double range = 1 / sqrt((double)h);
  layout->source_table = parameter(g, "source.embedding", g->c.source_vocab, e, 0.1);
  layout->target_table = parameter(g, "target.embedding", g->c.target_vocab, e, 0.1);
  for (int64_t l = 0; l < g->c.layers; l++)
    layout->encoder[l] = lstm_parameters(g, "encoder", l, l == 0 ? e : h);
  for (int64_t l = 0; l < g->c.layers; l++)
    layout->decoder[l] = lstm_parameters(g, "decoder", l, l == 0 ? e + h : h);
  layout->key_weight = parameter(g, "attention.key", h, h, range);
  layout->query_weight = parameter(g, "attention.query", h, h, range);
  layout->score = parameter(g, "attention.score", h, -1, range);
  layout->combine = parameter(g, "attention.combine", 2 * h, h, range);
  layout->output_weight = parameter(g, "output.weight", h, g->c.target_vocab, range);
  layout->output_bias = parameter(g, "output.bias", g->c.target_vocab, -1, 0);
}

/* ---- the network ---- */

typedef struct State {
  EchoValue *h[MAX_LAYERS], *c[MAX_LAYERS];
} State;

static EchoValue *dropout(Graph *g, EchoValue *x)
{
  if (g->c.dropout <= 0 || g->key == NULL)
    return x;
  /* Each use of a step draws from counters of its own: step * 2^40 + use * 2^32. */
  const EchoType *scalar = g->key->type, *ui64 = echo_type_element(scalar);
  EchoValue *step = echo_hlo_convert(g->b, g->step, ui64);
  EchoValue *base =
      echo_hlo_multiply(g->b, step, echo_hlo_constant_i64(g->b, scalar, INT64_C(1) << 40));
  EchoValue *use = echo_hlo_constant_i64(g->b, scalar, g->n_dropouts++ << 32);
  return echo_nn_dropout(g->b, x, g->key, echo_hlo_add(g->b, base, use), g->c.dropout);
}

/* One LSTM layer over [T, B, I]; updates h and c. */
static EchoValue *lstm(Graph *g, EchoValue *const *p, LstmWeights w, EchoValue *x, EchoValue **h,
                       EchoValue **c)
{
  EchoValue *results[3];
  echo_nn_lstm(g->b, x, *h, *c, p[w.input], p[w.hidden], p[w.bias], results);
  *h = results[1];
  *c = results[2];
  return results[0];
}

/* source [S, B] -> outputs of the last layer [S, B, H]; the final states go to *state. */
static EchoValue *encode(Graph *g, EchoValue *const *p, const Layout *layout, EchoValue *source,
                         State *state)
{
  sample_function_enter_layer(&g->f, "source.embedding", -1);
  EchoValue *x = dropout(g, echo_nn_embedding(g->b, p[layout->source_table], source));
  EchoValue *zero = echo_hlo_constant_f64(g->b, tensor(g, g->c.batch, g->c.hidden, -1, f32(g)), 0);
  for (int64_t l = 0; l < g->c.layers; l++) {
    sample_function_enter_layer(&g->f, "encoder", l);
    state->h[l] = state->c[l] = zero;
    x = lstm(g, p, layout->encoder[l], x, &state->h[l], &state->c[l]);
    if (l + 1 < g->c.layers)
      x = dropout(g, x);
  }
  return x;
}

/* What the decoder attends to. */
typedef struct Memory {
  EchoValue *values, *keys, *mask; /* [B, S, H], [B, S, H], [B, S] */
} Memory;

static Memory make_memory(Graph *g, EchoValue *const *p, const Layout *layout, EchoValue *encoded,
                          EchoValue *mask)
{
  static const int64_t batch_first[] = {1, 0, 2};
  Memory memory = {.mask = mask};
  sample_function_enter_layer(&g->f, "attention", -1);
  memory.values = echo_hlo_transpose(g->b, encoded, batch_first);
  memory.keys = echo_nn_linear(g->b, memory.values, p[layout->key_weight], NULL);
  return memory;
}

/* One decoder step: embedded [B, E] and the fed-back attention vector [B, H] to the next attention
 * vector. */
static EchoValue *decode_step(Graph *g, EchoValue *const *p, const Layout *layout,
                              const Memory *memory, EchoValue *embedded, EchoValue *feed,
                              State *state)
{
  EchoBuilder *b = g->b;
  EchoValue *both[] = {embedded, feed}, *attended[2];
  sample_function_enter_layer(&g->f, "decoder", 0);
  EchoValue *x = echo_hlo_concatenate(b, both, 2, 1);
  for (int64_t l = 0; l < g->c.layers; l++) {
    sample_function_enter_layer(&g->f, "decoder", l);
    const int64_t as_sequence[] = {1, g->c.batch, echo_type_dim(x->type, 1)};
    EchoValue *sequence = echo_hlo_reshape(b, x, as_sequence, 3);
    lstm(g, p, layout->decoder[l], sequence, &state->h[l], &state->c[l]);
    x = state->h[l];
    if (l + 1 < g->c.layers)
      x = dropout(g, x);
  }
  sample_function_enter_layer(&g->f, "attention", -1);
  EchoValue *query = echo_nn_linear(b, x, p[layout->query_weight], NULL);
  echo_nn_attention_mlp(b, query, memory->keys, memory->values, p[layout->score], memory->mask,
                        attended);
  EchoValue *joined[] = {attended[0], x};
  return echo_hlo_tanh(
      b, echo_nn_linear(b, echo_hlo_concatenate(b, joined, 2, 1), p[layout->combine], NULL));
}

static EchoValue *zero_feed(Graph *g)
{
  return echo_hlo_constant_f64(g->b, tensor(g, g->c.batch, g->c.hidden, -1, f32(g)), 0);
}

/* Row t of [T, B, E] as [B, E]. */
static EchoValue *row(Graph *g, EchoValue *x, int64_t t)
{
  return echo_hlo_reshape(g->b, echo_hlo_slice_dim(g->b, x, 0, t, t + 1),
                          x->type->as.shaped.dims + 1, echo_type_rank(x->type) - 1);
}

typedef struct Batch {
  EchoValue *source, *source_mask, *target_in, *target_out, *target_weight;
} Batch;

static EchoValue *build_loss(Graph *g, EchoValue *const *p, const Layout *layout,
                             const Batch *batch)
{
  EchoBuilder *b = g->b;
  State state;
  EchoValue *encoded = encode(g, p, layout, batch->source, &state);
  Memory memory = make_memory(g, p, layout, encoded, batch->source_mask);
  EchoValue *embedded = dropout(g, echo_nn_embedding(b, p[layout->target_table], batch->target_in));
  EchoValue *feed = zero_feed(g);
  EchoValue **rows = echo_alloc_array((size_t)g->c.target_length, sizeof *rows);
  const int64_t as_row[] = {1, g->c.batch, g->c.hidden};
  for (int64_t t = 0; t < g->c.target_length; t++) {
    feed = decode_step(g, p, layout, &memory, row(g, embedded, t), feed, &state);
    rows[t] = echo_hlo_reshape(b, feed, as_row, 3);
  }
  sample_function_enter_layer(&g->f, "output", -1);
  EchoValue *feeds = echo_hlo_concatenate(b, rows, (size_t)g->c.target_length, 0);
  echo_free(rows);
  EchoValue *logits =
      echo_nn_linear(b, dropout(g, feeds), p[layout->output_weight], p[layout->output_bias]);
  return echo_nn_softmax_cross_entropy(b, logits, batch->target_out, batch->target_weight);
}

/* ---- functions ---- */

static void begin(Graph *g, EchoContext *ctx, const NmtConfig *config, NmtModel *model)
{
  *g = (Graph){.ctx = ctx, .model = model, .c = *config};
  sample_function_begin(&g->f, ctx);
  g->b = &g->f.builder;
  *model = (NmtModel){.config = *config, .module = g->f.module};
}

static EchoValue *ids(Graph *g, int64_t length)
{
  return sample_function_argument(&g->f, tensor(g, length, g->c.batch, -1, echo_type_i32(g->ctx)),
                                  "input", NULL, -1);
}

static EchoValue *source_mask(Graph *g)
{
  return sample_function_argument(
      &g->f, tensor(g, g->c.batch, g->c.source_length, -1, echo_type_i1(g->ctx)), "input", NULL,
      -1);
}

static Batch batch_arguments(Graph *g)
{
  Batch batch;
  batch.source = ids(g, g->c.source_length);
  batch.source_mask = source_mask(g);
  batch.target_in = ids(g, g->c.target_length);
  batch.target_out = ids(g, g->c.target_length);
  batch.target_weight = sample_function_argument(
      &g->f, tensor(g, g->c.target_length, g->c.batch, -1, f32(g)), "input", NULL, -1);
  return batch;
}

static EchoValue **parameter_arguments(Graph *g, bool updated)
{
  const NmtModel *model = g->model;
  EchoValue **p = echo_alloc_array(model->parameters.size, sizeof *p);
  for (size_t i = 0; i < model->parameters.size; i++)
    p[i] = sample_function_argument(&g->f, model->parameters.data[i].type, "parameter",
                                    model->parameters.data[i].name, updated ? (int64_t)i : -1);
  return p;
}

void nmt_build_training_step(EchoContext *ctx, const NmtConfig *config, NmtModel *model)
{
  Graph g;
  begin(&g, ctx, config, model);
  Layout layout;
  declare_parameters(&g, &layout);
  size_t n = model->parameters.size, n_results = 3 * n + 2;
  EchoValue **p = parameter_arguments(&g, true);
  EchoValue **moments = echo_alloc_array(2 * n, sizeof *moments);
  for (size_t i = 0; i < 2 * n; i++)
    moments[i] = sample_function_argument(&g.f, model->parameters.data[i % n].type, "optimizer",
                                          NULL, (int64_t)(n + i));
  const EchoType *i32 = echo_hlo_scalar_type(ctx, echo_type_i32(ctx));
  const EchoType *ui64 = echo_hlo_scalar_type(ctx, echo_type_integer(ctx, 64, ECHO_UNSIGNED));
  g.step = sample_function_argument(&g.f, i32, "optimizer", NULL, (int64_t)(3 * n));
  g.key = sample_function_argument(&g.f, ui64, "input", NULL, -1);
  EchoValue *rate =
      sample_function_argument(&g.f, echo_hlo_scalar_type(ctx, f32(&g)), "input", NULL, -1);
  Batch batch = batch_arguments(&g);
  EchoValue *loss = build_loss(&g, p, &layout, &batch);
  EchoValue **gradients = echo_alloc_array(n, sizeof *gradients);
  echo_nn_gradient(g.b, loss, p, n, gradients);
  EchoValue **results = echo_alloc_array(n_results, sizeof *results);
  sample_function_enter_layer(&g.f, "optimizer", -1);
  static const EchoAdam adam = {0.9, 0.999, 1e-8, 0};
  for (size_t i = 0; i < n; i++) {
    EchoValue *updated[3];
    echo_nn_adam(g.b, p[i], gradients[i], moments[i], moments[n + i], g.step, rate, &adam, updated);
    results[i] = updated[0];
    results[n + i] = updated[1];
    results[2 * n + i] = updated[2];
  }
  results[3 * n] = echo_hlo_add(g.b, g.step, echo_hlo_constant_i64(g.b, i32, 1));
  results[3 * n + 1] = loss;
  sample_function_end(&g.f, results, n_results);
  echo_free(results);
  echo_free(gradients);
  echo_free(moments);
  echo_free(p);
}

void nmt_build_loss(EchoContext *ctx, const NmtConfig *config, NmtModel *model)
{
  Graph g;
  begin(&g, ctx, config, model);
  Layout layout;
  declare_parameters(&g, &layout);
  EchoValue **p = parameter_arguments(&g, false);
  Batch batch = batch_arguments(&g);
  EchoValue *loss = build_loss(&g, p, &layout, &batch);
  sample_function_end(&g.f, &loss, 1);
  echo_free(p);
}

/* The lowest id with the largest logit, [B, V] -> [B] i32. */
static EchoValue *argmax(Graph *g, EchoValue *logits)
{
  EchoBuilder *b = g->b;
  const int64_t last = 1, vocab = g->c.target_vocab;
  const EchoType *i32 = echo_type_i32(g->ctx);
  const EchoType *index_type = echo_type_with_element(g->ctx, logits->type, i32);
  EchoValue *maximum = echo_hlo_broadcast_reduced(b, echo_hlo_reduce_max(b, logits, &last, 1),
                                                  logits->type, &last, 1);
  EchoValue *is_max = echo_hlo_compare(b, ECHO_COMPARE_EQ, logits, maximum);
  EchoValue *candidates = echo_hlo_select(b, is_max, echo_hlo_iota(b, index_type, last),
                                          echo_hlo_constant_i64(b, index_type, vocab));
  return echo_hlo_reduce(b, candidates, echo_hlo_scalar_i64(b, i32, vocab), &last, 1,
                         "stablehlo.minimum");
}

void nmt_build_decoder(EchoContext *ctx, const NmtConfig *config, NmtModel *model)
{
  Graph g;
  begin(&g, ctx, config, model);
  EchoBuilder *b = g.b;
  Layout layout;
  declare_parameters(&g, &layout);
  EchoValue **p = parameter_arguments(&g, false);
  EchoValue *source = ids(&g, config->source_length), *mask = source_mask(&g);
  State state;
  EchoValue *encoded = encode(&g, p, &layout, source, &state);
  Memory memory = make_memory(&g, p, &layout, encoded, mask);
  EchoValue *feed = zero_feed(&g);
  EchoValue *token =
      echo_hlo_constant_i64(b, tensor(&g, config->batch, -1, -1, echo_type_i32(ctx)), NMT_BEGIN);
  EchoValue **rows = echo_alloc_array((size_t)config->target_length, sizeof *rows);
  const int64_t as_row[] = {1, config->batch};
  for (int64_t t = 0; t < config->target_length; t++) {
    EchoValue *embedded = echo_nn_embedding(b, p[layout.target_table], token);
    feed = decode_step(&g, p, &layout, &memory, embedded, feed, &state);
    token = argmax(&g, echo_nn_linear(b, feed, p[layout.output_weight], p[layout.output_bias]));
    rows[t] = echo_hlo_reshape(b, token, as_row, 2);
  }
  EchoValue *result = echo_hlo_concatenate(b, rows, (size_t)config->target_length, 0);
  sample_function_end(&g.f, &result, 1);
  echo_free(rows);
  echo_free(p);
}

void nmt_model_destroy(NmtModel *model)
{
  echo_vector_destroy(&model->parameters); /* the IR belongs to the context */
}
