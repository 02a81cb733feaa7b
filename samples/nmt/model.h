/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The translation model as IR: an encoder-decoder LSTM with MLP attention and input feeding
 * (Bahdanau et al. 2015; Luong et al. 2015), one training step as a whole, and greedy decoding.
 * Written with the public builder API. Dimension letters: B batch, S source length, T target
 * length, E embedding, H hidden, V vocabulary, L layers. */
#ifndef ECHO_SAMPLES_NMT_MODEL_H
#define ECHO_SAMPLES_NMT_MODEL_H

#include "samples/common/function.h"

typedef struct NmtConfig {
  int64_t batch, source_length, target_length;
  int64_t source_vocab, target_vocab;
  int64_t embedding, hidden, layers;
  double dropout;
} NmtConfig;

typedef struct NmtModel {
  NmtConfig config;
  EchoOp *module; /* builtin.module with func.func @main */
  SampleParameters parameters;
} NmtModel;

/* Arguments of the training step, in order, with P parameters:
 *   [0, P)               parameters, updated in place
 *   [P, 2P), [2P, 3P)    Adam's moments, updated in place
 *   3P                   step: i32, from 1, updated in place
 *   3P+1                 key: ui64 for dropout
 *   3P+2                 learning rate: f32
 *   3P+3                 source ids [S, B] i32 (padded on the left)
 *   3P+4                 source mask [B, S] i1
 *   3P+5, 3P+6           target ids in and out [T, B] i32
 *   3P+7                 target weights [T, B] f32
 *
 * Results: new parameters, moments, step, then the loss (f32). */
enum {
  NMT_ARG_STEP,
  NMT_ARG_KEY,
  NMT_ARG_RATE,
  NMT_ARG_SOURCE,
  NMT_ARG_SOURCE_MASK,
  NMT_ARG_TARGET_IN,
  NMT_ARG_TARGET_OUT,
  NMT_ARG_TARGET_WEIGHT,
  NMT_N_OTHER_ARGS
};

void nmt_build_training_step(EchoContext *ctx, const NmtConfig *config, NmtModel *model);
/* The same without gradients: parameters, key and batch in (no moments, step or rate: arguments P =
 * source, P+1 = mask, P+2 = target in, P+3 = target out, P+4 = weights), loss out. For validation;
 * no dropout. */
void nmt_build_loss(EchoContext *ctx, const NmtConfig *config, NmtModel *model);
/* Greedy decoding: parameters, source ids, source mask in; ids [T, B] i32 out. */
void nmt_build_decoder(EchoContext *ctx, const NmtConfig *config, NmtModel *model);
void nmt_model_destroy(NmtModel *model);

#endif
