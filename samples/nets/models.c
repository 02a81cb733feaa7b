/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The networks, from input to logits. */
#include <math.h>

#include "dialects/nn/build.h"
#include "dialects/stablehlo/build.h"
#include "samples/nets/network.h"

static EchoValue *flatten(Network *net, EchoValue *x)
{
  const int64_t dims[] = {net_dim(x, 0), net_dim(x, 1) * net_dim(x, 2) * net_dim(x, 3)};
  net_layer(net, "flatten");
  return echo_hlo_reshape(net->b, x, dims, 2);
}

/* ---- VGG ---- */

static void vgg_convolutions(int64_t depth, int64_t counts[5])
{
  static const int64_t tables[][6] = {
      {11, 1, 1, 2, 2, 2}, {16, 2, 2, 3, 3, 3}, {19, 2, 2, 4, 4, 4}};
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    if (tables[i][0] == depth)
      for (size_t block = 0; block < 5; block++)
        counts[block] = tables[i][1 + block];
}

static EchoValue *vgg_head(Network *net, EchoValue *x)
{
  const NetConfig *c = net->config;
  bool is_full = net_dim(x, 1) >= 7;
  if (is_full) { /* to 7 x 7, as torchvision does */
    int64_t size = net_dim(x, 1) / 7;
    net_layer(net, "avgpool");
    x = net_average_pool(net, x, (NetWindow){size, size, 0});
  }
  x = flatten(net, x);
  for (int i = 6; i <= 7; i++) {
    net_layer(net, "fc%d", i);
    x = net_relu(net, net_linear(net, x, "", (is_full ? 64 : 8) * c->width));
    net_layer(net, "drop%d", i);
    x = net_dropout(net, x);
  }
  net_layer(net, "fc8");
  return net_linear(net, x, "", c->classes);
}

EchoValue *net_vgg(Network *net, EchoValue *x)
{
  const NetConfig *c = net->config;
  int64_t counts[5] = {0};
  vgg_convolutions(c->depth, counts);
  for (int block = 0; block < 5; block++) {
    int64_t channels = c->width << (block < 3 ? block : 3);
    for (int64_t i = 0; i < counts[block]; i++) {
      net_layer(net, "conv%d_%d", block + 1, (int)i + 1);
      x = net_convolution(net, x, channels, (NetWindow){3, 1, 1}, !c->normalizes);
      x = net_relu(net, c->normalizes ? net_batch_norm(net, x) : x);
    }
    net_layer(net, "pool%d", block + 1);
    x = net_max_pool(net, x, (NetWindow){2, 2, 0});
  }
  return vgg_head(net, x);
}

/* ---- ResNet ---- */

static EchoValue *normalized(Network *net, EchoValue *x, int64_t channels, NetWindow window)
{
  return net_batch_norm(net, net_convolution(net, x, channels, window, false));
}

/* 1 x 1, 3 x 3, 1 x 1 with four times the channels, beside the identity or a projection. */
static EchoValue *bottleneck(Network *net, EchoValue *x, int block, int64_t i, int64_t channels,
                             int64_t stride)
{
  EchoValue *shortcut = x, *y = x;
  const NetWindow windows[] = {{1, 1, 0}, {3, stride, 1}, {1, 1, 0}};
  for (int part = 0; part < 3; part++) {
    net_layer(net, "block%d_%d.%d", block, (int)i + 1, part + 1);
    y = normalized(net, y, part == 2 ? 4 * channels : channels, windows[part]);
    if (part < 2)
      y = net_relu(net, y);
  }
  if (i == 0) {
    net_layer(net, "block%d_%d.shortcut", block, (int)i + 1);
    shortcut = normalized(net, x, 4 * channels, (NetWindow){1, stride, 0});
  }
  net_layer(net, "block%d_%d", block, (int)i + 1);
  return net_relu(net, echo_hlo_add(net->b, y, shortcut));
}

EchoValue *net_resnet(Network *net, EchoValue *x)
{
  const NetConfig *c = net->config;
  const int64_t counts[] = {3, c->depth == 152 ? 8 : 4,
                            c->depth == 152   ? 36
                            : c->depth == 101 ? 23
                                              : 6,
                            3};
  bool is_small = c->image < 64;
  net_layer(net, "stem");
  x = net_relu(
      net, normalized(net, x, c->width, is_small ? (NetWindow){3, 1, 1} : (NetWindow){7, 2, 3}));
  if (!is_small) {
    net_layer(net, "pool");
    x = net_max_pool(net, x, (NetWindow){3, 2, 1});
  }
  for (int block = 0; block < 4; block++)
    for (int64_t i = 0; i < counts[block]; i++)
      x = bottleneck(net, x, block + 1, i, c->width << block, i == 0 && block > 0 ? 2 : 1);
  net_layer(net, "avgpool");
  x = net_average_pool(net, x, (NetWindow){net_dim(x, 1), 1, 0});
  x = flatten(net, x);
  net_layer(net, "fc");
  return net_linear(net, x, "", c->classes);
}

/* ---- U-Net ---- */

enum { UNET_DEPTH = 4 };

static EchoValue *two_convolutions(Network *net, EchoValue *x, const char *side, int level,
                                   int64_t channels)
{
  for (int i = 1; i <= 2; i++) {
    net_layer(net, "%s%d_%d", side, level, i);
    x = net_convolution(net, x, channels, (NetWindow){3, 1, 1}, !net->config->normalizes);
    x = net_relu(net, net->config->normalizes ? net_batch_norm(net, x) : x);
  }
  return x;
}

EchoValue *net_unet(Network *net, EchoValue *x)
{
  const NetConfig *c = net->config;
  EchoValue *skips[UNET_DEPTH];
  for (int level = 0; level < UNET_DEPTH; level++) {
    skips[level] = x = two_convolutions(net, x, "down", level + 1, c->width << level);
    net_layer(net, "pool%d", level + 1);
    x = net_max_pool(net, x, (NetWindow){2, 2, 0});
  }
  x = two_convolutions(net, x, "bottom", UNET_DEPTH + 1, c->width << UNET_DEPTH);
  for (int level = UNET_DEPTH; level-- > 0;) {
    net_layer(net, "up%d", level + 1);
    EchoValue *both[] = {skips[level], net_upsample(net, x, c->width << level)};
    x = echo_hlo_concatenate(net->b, both, 2, 3);
    x = two_convolutions(net, x, "up", level + 1, c->width << level);
  }
  net_layer(net, "output");
  return net_convolution(net, x, c->classes, (NetWindow){1, 1, 0}, true);
}

/* ---- Transformer ---- */

/* [B, T, H] -> [B, N, T, H / N] */
static EchoValue *split_heads(Network *net, EchoValue *x)
{
  static const int64_t heads_first[] = {0, 2, 1, 3};
  const NetConfig *c = net->config;
  const int64_t dims[] = {c->batch, c->length, c->heads, c->hidden / c->heads};
  return echo_hlo_transpose(net->b, echo_hlo_reshape(net->b, x, dims, 4), heads_first);
}

/* Token i sees tokens up to i. */
static EchoValue *causal_mask(Network *net)
{
  const NetConfig *c = net->config;
  const int64_t dims[] = {c->batch, 1, c->length, c->length};
  const EchoType *type = echo_hlo_tensor(net->f.ctx, dims, 4, echo_type_i32(net->f.ctx));
  return echo_hlo_compare(net->b, ECHO_COMPARE_GE, echo_hlo_iota(net->b, type, 2),
                          echo_hlo_iota(net->b, type, 3));
}

/* Of x to memory, which is x itself or what a source's layers made. */
static EchoValue *attention(Network *net, EchoValue *x, EchoValue *memory, bool is_causal)
{
  static const int64_t tokens_first[] = {0, 2, 1, 3};
  const NetConfig *c = net->config;
  const int64_t dims[] = {c->batch, c->length, c->hidden};
  EchoValue *query = split_heads(net, net_linear(net, x, "query.", c->hidden));
  EchoValue *key = split_heads(net, net_linear(net, memory, "key.", c->hidden));
  EchoValue *value = split_heads(net, net_linear(net, memory, "value.", c->hidden));
  EchoValue *y =
      echo_nn_attention_dot(net->b, query, key, value, is_causal ? causal_mask(net) : NULL, 0);
  y = echo_hlo_reshape(net->b, echo_hlo_transpose(net->b, y, tokens_first), dims, 3);
  return net_dropout(net, net_linear(net, y, "output.", c->hidden));
}

static EchoValue *embed(Network *net, EchoValue *ids, EchoValue *table)
{
  static const int64_t rows[] = {1, 2};
  const NetConfig *c = net->config;
  const int64_t dims[] = {c->length, c->hidden};
  EchoValue *x = echo_nn_embedding(net->b, table, ids);
  EchoValue *places = net_parameter(net, "positions", dims, 2, 0.02, 0);
  return echo_hlo_add(net->b, x, echo_hlo_broadcast_in_dim(net->b, places, x->type, rows, 2));
}

EchoValue *net_transformer(Network *net, EchoValue *ids)
{
  static const int64_t swapped[] = {1, 0};
  EchoBuilder *b = net->b;
  const NetConfig *c = net->config;
  const int64_t dims[] = {c->classes, c->hidden};
  net_layer(net, "embedding");
  EchoValue *table = net_parameter(net, "table", dims, 2, 0.02, 0);
  EchoValue *x = net_dropout(net, embed(net, ids, table));
  for (int64_t i = 0; i < c->layers; i++) {
    net_layer(net, "attention%d", (int)i + 1);
    EchoValue *normal = net_layer_norm(net, x);
    x = echo_hlo_add(b, x, attention(net, normal, normal, true));
    net_layer(net, "mlp%d", (int)i + 1);
    EchoValue *y = net_linear(net, net_layer_norm(net, x), "up.", 4 * c->hidden);
    y = net_dropout(net, net_linear(net, net_gelu(net, y), "down.", c->hidden));
    x = echo_hlo_add(b, x, y);
  }
  net_layer(net, "output");
  x = net_layer_norm(net, x);
  return echo_hlo_matmul(b, x, echo_hlo_transpose(b, table, swapped));
}

/* ---- the Transformer that translates ---- */

/* Normalised behind the sum, as published. */
static EchoValue *add_and_normalize(Network *net, EchoValue *x, EchoValue *y)
{
  return net_layer_norm(net, echo_hlo_add(net->b, x, y));
}

static EchoValue *feed_forward(Network *net, EchoValue *x, const char *side, int64_t i)
{
  net_layer(net, "%s%d.mlp", side, (int)i + 1);
  EchoValue *y = net_relu(net, net_linear(net, x, "up.", 4 * net->config->hidden));
  return add_and_normalize(net, x,
                           net_dropout(net, net_linear(net, y, "down.", net->config->hidden)));
}

/* Columns [begin, begin + T) of ids, embedded. */
static EchoValue *embed_side(Network *net, EchoValue *ids, int64_t begin, EchoValue *table,
                             const char *side)
{
  net_layer(net, "%s.embedding", side);
  return net_dropout(
      net,
      embed(net, echo_hlo_slice_dim(net->b, ids, 1, begin, begin + net->config->length), table));
}

EchoValue *net_translator(Network *net, EchoValue *ids)
{
  static const int64_t swapped[] = {1, 0};
  const NetConfig *c = net->config;
  const int64_t dims[] = {c->classes, c->hidden};
  net_layer(net, "embedding");
  EchoValue *table = net_parameter(net, "table", dims, 2, 1 / sqrt((double)c->hidden), 0);
  EchoValue *source = embed_side(net, ids, 0, table, "encoder");
  for (int64_t i = 0; i < c->layers; i++) {
    net_layer(net, "encoder%d", (int)i + 1);
    source = add_and_normalize(net, source, attention(net, source, source, false));
    source = feed_forward(net, source, "encoder", i);
  }
  EchoValue *x = embed_side(net, ids, c->length, table, "decoder");
  for (int64_t i = 0; i < c->layers; i++) {
    net_layer(net, "decoder%d", (int)i + 1);
    x = add_and_normalize(net, x, attention(net, x, x, true));
    net_layer(net, "decoder%d.source", (int)i + 1);
    x = add_and_normalize(net, x, attention(net, x, source, false));
    x = feed_forward(net, x, "decoder", i);
  }
  net_layer(net, "output");
  return echo_hlo_matmul(net->b, x, echo_hlo_transpose(net->b, table, swapped));
}

/* ---- DeepSpeech2 ---- */

EchoValue *net_deepspeech2(Network *net, EchoValue *x)
{
  static const int64_t time_first[] = {1, 0, 2};
  EchoBuilder *b = net->b;
  const NetConfig *c = net->config;
  /* Of 161 frequencies, 41 and 21 of them at once. */
  const int64_t heights[] = {c->bins / 4 | 1, c->bins / 8 | 1};
  const int64_t dims[] = {c->batch, c->length, c->bins, 1};
  x = echo_hlo_reshape(b, x, dims, 4);
  for (int i = 0; i < 2; i++) {
    const NetWindow windows[] = {{11, i == 0 ? 2 : 1, 5}, {heights[i], 2, heights[i] / 2}};
    net_layer(net, "conv%d", i + 1);
    x = net_clipped_relu(net, net_batch_norm(net, net_convolution_2d(net, x, c->width, windows)));
  }
  const int64_t frames[] = {c->batch, net_dim(x, 1), net_dim(x, 2) * net_dim(x, 3)};
  x = echo_hlo_transpose(b, echo_hlo_reshape(b, x, frames, 3), time_first);
  for (int i = 0; i < c->layers; i++) {
    net_layer(net, "gru%d", i + 1);
    x = net_bidirectional_gru(net, i == 0 ? x : net_batch_norm(net, x), c->hidden);
  }
  net_layer(net, "output");
  return echo_nn_log_softmax(b, net_linear(net, net_batch_norm(net, x), "", c->classes));
}
