/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Networks of the papers on memory, as training steps: VGG, ResNet, U-Net, a decoder-only
 * Transformer and the one of Vaswani et al., with softmax cross entropy, and DeepSpeech2 with CTC;
 * SGD with momentum or Adam. Built with the public builder API. */
#ifndef ECHO_SAMPLES_NETS_NETS_H
#define ECHO_SAMPLES_NETS_NETS_H

#include "samples/common/function.h"

typedef enum NetKind {
  NET_VGG,
  NET_RESNET,
  NET_UNET,
  NET_TRANSFORMER,
  NET_TRANSLATOR,
  NET_SPEECH
} NetKind;

typedef struct NetConfig {
  NetKind kind;
  int64_t depth;                         /* VGG: 11, 16, 19; ResNet: 50, 101, 152 */
  int64_t batch, image, classes;         /* images are image x image */
  int64_t width;                         /* channels of the first block */
  int64_t layers, hidden, heads, length; /* Transformer; classes = vocabulary */
  int64_t bins, labels;                  /* DeepSpeech2: frequencies of a frame, of which there are
                                            `length`; characters of an utterance; classes with blank */
  bool is_unrolled;                      /* recurrent layers step by step, rather than as loops */
  bool normalizes;                       /* VGG, U-Net: batch norm after each convolution */
  bool uses_adam;
  double dropout;
} NetConfig;

/* False when no model has that name; else the kind and the sizes that the model was published
 * with. */
bool net_config_from_name(EchoStr name, NetConfig *config);
/* For help texts: "vgg11, vgg16, ...". */
const char *net_model_names(void);
/* Whether the sizes fit together; the reason in *error. */
bool net_config_check(const NetConfig *config, EchoBuffer *error);

typedef struct NetModel {
  NetConfig config;
  EchoOp *module; /* builtin.module with func.func @main */
  /* What training carries: argument NET_N_INPUTS + i is result i. The first counts steps from 1
   * (i32), all others are f32. The last result is the loss; DeepSpeech2 gives the likeliest class
   * of each frame before it, i32 [T / 2, B]. */
  SampleParameters carried;
} NetModel;

/* The arguments before those. */
enum {
  NET_ARG_DATA,   /* images [B, Y, X, 3] f32, ids [B, T] or [B, 2 T] i32, spectrograms [B, T, F] f32
                   */
  NET_ARG_LABELS, /* i32: [B], [B, Y, X], [B, T], or for each utterance its frames in the output,
                     how many labels it has, and these: [B, 2 + L] */
  NET_ARG_RATE,   /* f32 */
  NET_ARG_KEY,    /* ui64, of dropout */
  NET_N_INPUTS
};

/* The module belongs to the context. Destroy with net_model_destroy. */
void net_build_training_step(EchoContext *ctx, const NetConfig *config, NetModel *model);
/* Of the same arguments, as far as they are no optimizer's, the last results alone: what a network
 * makes of a batch without learning from it. Batch norm is by the batch, as in training. */
void net_build_test(EchoContext *ctx, const NetConfig *config, NetModel *model);
void net_model_destroy(NetModel *model);

/* One of the programs that these networks are behind. */
typedef struct NetProgram {
  const char *name, *summary;
  const char *model; /* unless --model names another */
} NetProgram;

/* The program: its exit status. */
int net_main(int argc, char **argv, const NetProgram *program);

#endif
