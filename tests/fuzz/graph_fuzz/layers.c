/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What models are made of: layers with weights that are inputs, attention, convolutions. */
#include "dialects/nn/build.h"
#include "tests/fuzz/graph_fuzz/generate.h"

static bool has_rows(const EchoValue *value)
{
  return is_float(value) && echo_type_rank(value->type) >= 2 && echo_type_rank(value->type) <= 4;
}

static EchoValue *weights(Generator *generator, const EchoValue *like, const int64_t *dims,
                          size_t rank)
{
  return input_of_type(generator,
                       echo_type_tensor(generator->ctx, dims, rank, element_of(like), NULL));
}

static int64_t last_dim(const EchoValue *value)
{
  return echo_type_dim(value->type, echo_type_rank(value->type) - 1);
}

static void add_linear(Generator *generator, EchoValue *x)
{
  int64_t in = last_dim(x), out = draw_between(&generator->bytes, 1, generator->scale->max_width);
  if (n_elements(x) / in * out > generator->scale->max_elements)
    return;
  EchoValue *w = weights(generator, x, (int64_t[]){in, out}, 2);
  EchoValue *bias = draw(&generator->bytes, 4) != 0 ? weights(generator, x, &out, 1) : NULL;
  add_value(generator, echo_nn_linear(&generator->builder, x, w, bias));
}

static void add_normalized(Generator *generator, EchoValue *x)
{
  EchoBuilder *b = &generator->builder;
  int64_t n = last_dim(x);
  switch (draw(&generator->bytes, 3)) {
  case 0:
    add_value(generator, echo_nn_softmax(b, x));
    break;
  case 1:
    add_value(generator, echo_nn_log_softmax(b, x));
    break;
  default:
    add_value(generator, echo_nn_layer_norm(b, x, weights(generator, x, &n, 1),
                                            weights(generator, x, &n, 1), 1e-3));
  }
}

/* The largest divisor of `n` that is at most `most`. */
static int64_t divisor(int64_t n, int64_t most)
{
  while (n % most != 0)
    --most;
  return most;
}

/* Rows of `x` as queries [B, N, T, D], keys and values of as many places or of others. */
static void add_attention(Generator *generator, EchoValue *x)
{
  EchoBuilder *b = &generator->builder;
  EchoContext *ctx = generator->ctx;
  int64_t n = n_elements(x), dims[4] = {1, 1, 1, 1};
  dims[3] = divisor(n, draw_between(&generator->bytes, 1, 64));
  dims[0] = divisor(n / dims[3], draw_between(&generator->bytes, 1, 2));
  dims[1] = divisor(n / dims[3] / dims[0], draw_between(&generator->bytes, 1, 4));
  dims[2] = n / dims[3] / dims[0] / dims[1];
  EchoValue *query = echo_hlo_reshape(b, x, dims, 4), *mask = NULL;
  int64_t n_queries = dims[2], places = generator->scale->max_rows;
  if (draw(&generator->bytes, 2) != 0)
    dims[2] = draw_between(&generator->bytes, 1, places);
  int64_t scores[4] = {dims[0], dims[1], n_queries, dims[2]};
  const EchoType *predicates = echo_type_tensor(ctx, scores, 4, echo_type_i1(ctx), NULL);
  if (echo_type_static_n_elements(predicates) > generator->scale->max_elements)
    return;
  EchoValue *key = weights(generator, x, dims, 4), *value = weights(generator, x, dims, 4);
  if (draw(&generator->bytes, 3) == 0)
    mask = echo_hlo_compare(
        b, ECHO_COMPARE_GE,
        echo_hlo_iota(b, echo_type_with_element(ctx, predicates, echo_type_i32(ctx)), 2),
        echo_hlo_iota(b, echo_type_with_element(ctx, predicates, echo_type_i32(ctx)), 3));
  add_value(generator, echo_nn_attention_dot(b, query, key, value, mask, 0));
}

/* Scores of queries [B, T, N, D] and keys of as many heads, or of one without a dimension of its
 * own, in the order that an einsum has them in; as [B, N, T, S], what softmax is of. */
static EchoValue *scores_of(Generator *generator, EchoValue *query, EchoValue *key)
{
  static const int64_t HEADS[] = {0, 2}, FEATURES = 3, KEY_FEATURES = 2;
  static const int64_t OF_HEADS[] = {0, 1, 3, 2}, OF_QUERIES[] = {0, 2, 1, 3};
  static const int64_t OF_KEYS[] = {0, 3, 2, 1};
  EchoBuilder *b = &generator->builder;
  bool has_heads = echo_type_rank(key->type) == 4, swaps = draw(&generator->bytes, 2) != 0;
  EchoDimList query_batch = {HEADS, has_heads ? 2 : 1}, of_query = {&FEATURES, 1};
  EchoDimList of_key = {has_heads ? &FEATURES : &KEY_FEATURES, 1};
  EchoDotDims dims = {query_batch, query_batch, swaps ? of_key : of_query,
                      swaps ? of_query : of_key};
  const EchoType *element = element_of(query);
  if (draw(&generator->bytes, 4) == 0)
    element = echo_type_f32(generator->ctx);
  EchoValue *scores =
      echo_hlo_dot_general(b, swaps ? key : query, swaps ? query : key, &dims, element);
  if (has_heads)
    return swaps ? echo_hlo_transpose(b, scores, OF_HEADS) : scores;
  return echo_hlo_transpose(b, scores, swaps ? OF_KEYS : OF_QUERIES);
}

/* Attention as its einsums are written. */
static void add_einsum_attention(Generator *generator, EchoValue *x)
{
  static const int64_t HEADS[] = {0, 1}, VALUE_HEADS[] = {0, 2}, KEYS = 3, PLACES = 1;
  static const int64_t BACK[] = {0, 2, 1, 3};
  EchoBuilder *b = &generator->builder;
  Bytes *bytes = &generator->bytes;
  int64_t n = n_elements(x), q[4], k[4];
  q[3] = divisor(n, draw_between(bytes, 1, 64));
  q[0] = divisor(n / q[3], draw_between(bytes, 1, 2));
  q[2] = divisor(n / q[3] / q[0], draw_between(bytes, 1, 4));
  q[1] = n / q[3] / q[0] / q[2];
  int64_t places = draw_between(bytes, 1, generator->scale->max_rows);
  if (q[0] * q[1] * q[2] * places > generator->scale->max_elements)
    return;
  size_t rank = draw(bytes, 2) != 0 ? 3 : 4;
  k[0] = q[0];
  k[1] = places;
  k[2] = rank == 4 ? q[2] : q[3];
  k[3] = q[3];
  EchoValue *key = weights(generator, x, k, rank), *value = weights(generator, x, k, rank);
  EchoValue *scores = scores_of(generator, echo_hlo_reshape(b, x, q, 4), key);
  scores =
      echo_nn_softmax(b, echo_hlo_multiply(b, scores, echo_hlo_constant_like(b, scores, 0.25)));
  scores = echo_hlo_convert(b, scores, element_of(x));
  EchoDotDims dims = {
      {HEADS, rank == 4 ? 2 : 1}, {VALUE_HEADS, rank == 4 ? 2 : 1}, {&KEYS, 1}, {&PLACES, 1}};
  add_value(generator,
            echo_hlo_transpose(b, echo_hlo_dot_general(b, scores, value, &dims, NULL), BACK));
}

/* Of images that are the elements of `x`, features last. */
static void add_convolution(Generator *generator, EchoValue *x)
{
  static const int64_t PLACES[] = {1, 2};
  static const int64_t WINDOW[] = {0, 1};
  EchoConvDims dims = {.input_batch = 0,
                       .input_feature = 3,
                       .input_spatial = {PLACES, 2},
                       .kernel_input_feature = 2,
                       .kernel_output_feature = 3,
                       .kernel_spatial = {WINDOW, 2},
                       .output_batch = 0,
                       .output_feature = 3,
                       .output_spatial = {PLACES, 2}};
  EchoBuilder *b = &generator->builder;
  Bytes *bytes = &generator->bytes;
  EchoWindowDim windows[2];
  int64_t n = n_elements(x), shape[4], kernel[4];
  shape[3] = divisor(n, draw_between(bytes, 1, 32));
  shape[0] = divisor(n / shape[3], draw_between(bytes, 1, 4));
  shape[1] = divisor(n / shape[3] / shape[0], draw_between(bytes, 1, 16));
  shape[2] = n / shape[3] / shape[0] / shape[1];
  for (size_t d = 0; d < 2; ++d) {
    kernel[d] = divisor(shape[1 + d] < 3 ? 1 : 6, draw_between(bytes, 1, 3));
    windows[d] = (EchoWindowDim){.size = kernel[d],
                                 .stride = 1 + (draw(bytes, 4) == 3),
                                 .base_dilation = 1,
                                 .window_dilation = 1,
                                 .padding_low = draw_between(bytes, 0, kernel[d] - 1),
                                 .padding_high = draw_between(bytes, 0, kernel[d] - 1)};
  }
  kernel[2] = shape[3];
  kernel[3] = draw_between(bytes, 1, generator->scale->max_width);
  if (n / shape[3] * kernel[3] > generator->scale->max_elements)
    return;
  EchoValue *w = weights(generator, x, kernel, 4);
  add_value(generator, echo_hlo_convolution(b, echo_hlo_reshape(b, x, shape, 4), w, &dims, windows,
                                            1, 1, NULL));
}

void add_layer(Generator *generator)
{
  static void (*const LAYERS[])(Generator *, EchoValue *) = {
      add_linear,    add_linear,           add_normalized, add_normalized,
      add_attention, add_einsum_attention, add_convolution};
  EchoValue *x = pick_or_null(generator, has_rows);
  uint32_t choice = draw(&generator->bytes, sizeof LAYERS / sizeof LAYERS[0]);
  if (x != NULL && n_elements(x) != 0)
    LAYERS[choice](generator, x);
}
