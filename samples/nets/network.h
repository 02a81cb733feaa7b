/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A network under construction as one training step: inputs, values that training carries (created
 * where a layer asks for them), layers, and at the end loss, gradients and updates. The invariant:
 * carried value i is argument first + i and result i. Images are [B, Y, X, C], kernels
 * [y, x, C in, C out]. Dimension letters: B batch, Y and X places, C channels, T tokens, H hidden,
 * N heads, V vocabulary. */
#ifndef ECHO_SAMPLES_NETS_NETWORK_H
#define ECHO_SAMPLES_NETS_NETWORK_H

#include "samples/nets/nets.h"

/* Something that training carries: a parameter, running statistics, the optimizer's state. */
typedef struct NetCarried {
  EchoValue *value, *next; /* before and after the step */
  bool is_trained;
} NetCarried;

typedef struct Network {
  SampleFunction f;
  EchoBuilder *b; /* the function's */
  const NetConfig *config;
  NetModel *model;
  bool is_test; /* nothing is learnt */
  ECHO_VECTOR(NetCarried) carried;
  EchoValue *counter, *key; /* number of the step, key of dropout */
  int64_t n_dropouts;
} Network;

const EchoType *net_tensor(const Network *net, const int64_t *dims, size_t rank);
static inline int64_t net_dim(const EchoValue *x, size_t axis)
{
  return echo_type_dim(x->type, axis);
}

/* Ops from here on belong to this layer. */
void net_layer(Network *net, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A trained value "layer.name", uniform in [center - range, center + range] at first. */
EchoValue *net_parameter(Network *net, const char *name, const int64_t *dims, size_t rank,
                         double range, double center);

/* ---- layers; weights are made on the way ---- */

typedef struct NetWindow {
  int64_t size, stride, padding; /* the same in y and x */
} NetWindow;

/* [B, Y, X, C] -> [B, Y', X', channels] */
EchoValue *net_convolution(Network *net, EchoValue *x, int64_t channels, NetWindow window,
                           bool has_bias);
/* With windows of their own in y and x, without a bias. */
EchoValue *net_convolution_2d(Network *net, EchoValue *x, int64_t channels,
                              const NetWindow windows[2]);
/* Twice as many places in y and x: the gradient of a convolution of 2 x 2 with stride 2. */
EchoValue *net_upsample(Network *net, EchoValue *x, int64_t channels);
EchoValue *net_batch_norm(Network *net, EchoValue *x);
EchoValue *net_layer_norm(Network *net, EchoValue *x);
EchoValue *net_relu(Network *net, EchoValue *x);
/* min(max(x, 0), 20): Hannun et al. 2014. */
EchoValue *net_clipped_relu(Network *net, EchoValue *x);
/* By tanh: Hendrycks and Gimpel 2016. */
EchoValue *net_gelu(Network *net, EchoValue *x);
EchoValue *net_max_pool(Network *net, EchoValue *x, NetWindow window);
EchoValue *net_average_pool(Network *net, EchoValue *x, NetWindow window);
/* [..., I] -> [..., outputs] */
EchoValue *net_linear(Network *net, EchoValue *x, const char *name, int64_t outputs);
/* [T, B, I] -> [T, B, hidden]: the sum of a GRU from the first step and one from the last. */
EchoValue *net_bidirectional_gru(Network *net, EchoValue *x, int64_t hidden);
/* The identity where the configuration asks for none. */
EchoValue *net_dropout(Network *net, EchoValue *x);

/* ---- networks: input to logits ---- */

/* Simonyan and Zisserman 2015, configurations A, D and E, as torchvision has them at 224 (average
 * pool to 7 x 7, dropout); smaller images get a head of their size. images -> [B, classes] */
EchoValue *net_vgg(Network *net, EchoValue *images);
/* He et al. 2016: bottlenecks, stride in the 3 x 3 convolution; images of less than 64 places keep
 * their size in the stem. images -> [B, classes] */
EchoValue *net_resnet(Network *net, EchoValue *images);
/* Ronneberger et al. 2015, with padding, so that places stay. images -> [B, Y, X, classes] */
EchoValue *net_unet(Network *net, EchoValue *images);
/* A decoder-only Transformer, normalised before each part (Radford et al. 2019), table tied to the
 * output. ids [B, T] -> [B, T, V] */
EchoValue *net_transformer(Network *net, EchoValue *ids);

/* Vaswani et al. 2017: as many layers for the source as for the target, one table for both and the
 * output, places learnt. ids [B, 2 T], source and target so far -> [B, T, V] */
EchoValue *net_translator(Network *net, EchoValue *ids);
/* Amodei et al. 2016: two convolutions over time and frequency, GRUs in both directions with batch
 * norm between them. spectrograms [B, T, F] -> log-probabilities [T / 2, B, V] */
EchoValue *net_deepspeech2(Network *net, EchoValue *spectrograms);

#endif
