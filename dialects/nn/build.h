/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shorthands that models are written with: one function an nn op, types inferred. What does not fit
 * is a misuse, as for echo_build_op: the results are then NULL. */
#ifndef ECHO_DIALECTS_NN_BUILD_H
#define ECHO_DIALECTS_NN_BUILD_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Dimension letters as in table.c. Optional operands may be NULL. */
EchoValue *echo_nn_linear(EchoBuilder *b, EchoValue *input, EchoValue *weight,
                          EchoValue *bias_or_null);
EchoValue *echo_nn_embedding(EchoBuilder *b, EchoValue *table, EchoValue *ids);
/* results: output, h, c */
void echo_nn_lstm(EchoBuilder *b, EchoValue *input, EchoValue *h, EchoValue *c,
                  EchoValue *weight_input, EchoValue *weight_hidden, EchoValue *bias,
                  EchoValue *results[3]);
/* results: output, h */
void echo_nn_gru(EchoBuilder *b, EchoValue *input, EchoValue *h, EchoValue *weight_input,
                 EchoValue *weight_hidden, EchoValue *bias_input, EchoValue *bias_hidden,
                 EchoValue *results[2]);
typedef struct EchoGru {
  bool is_reverse; /* from the last step to the first; output t is still that of step t */
  bool is_loop;    /* a loop over the steps in place of a copy of the cell for each */
} EchoGru;
void echo_nn_gru_with(EchoBuilder *b, EchoValue *input, EchoValue *h, EchoValue *weight_input,
                      EchoValue *weight_hidden, EchoValue *bias_input, EchoValue *bias_hidden,
                      const EchoGru *options, EchoValue *results[2]);
/* results: context, weights */
void echo_nn_attention_mlp(EchoBuilder *b, EchoValue *query, EchoValue *keys, EchoValue *memory,
                           EchoValue *score, EchoValue *mask_or_null, EchoValue *results[2]);
/* scale 0 = 1/sqrt(D) */
EchoValue *echo_nn_attention_dot(EchoBuilder *b, EchoValue *query, EchoValue *key, EchoValue *value,
                                 EchoValue *mask_or_null, double scale);
EchoValue *echo_nn_layer_norm(EchoBuilder *b, EchoValue *input, EchoValue *scale, EchoValue *bias,
                              double epsilon);
/* results: output, running mean, running variance; `feature` is the dimension that is kept */
void echo_nn_batch_norm(EchoBuilder *b, EchoValue *input, EchoValue *scale, EchoValue *bias,
                        EchoValue *mean, EchoValue *variance, int64_t feature, double epsilon,
                        double momentum, EchoValue *results[3]);
EchoValue *echo_nn_dropout(EchoBuilder *b, EchoValue *input, EchoValue *key, EchoValue *counter,
                           double rate);
EchoValue *echo_nn_softmax(EchoBuilder *b, EchoValue *input);
EchoValue *echo_nn_softmax_cross_entropy(EchoBuilder *b, EchoValue *logits, EchoValue *labels,
                                         EchoValue *mask_or_null);
EchoValue *echo_nn_log_softmax(EchoBuilder *b, EchoValue *input);

typedef struct EchoCtc {
  int64_t blank;      /* the class that spells nothing */
  bool zero_infinity; /* labels that the frames cannot spell: a loss of 0 rather than inf */
  bool is_unrolled;   /* not a loop over time, but a copy of its body for each step */
} EchoCtc;
/* Connectionist temporal classification (Graves et al. 2006), one loss a row of the batch.
 *   log_probs [T, B, V], labels [B, L], frames [B]: how many of the T count, label_counts [B]: how
 *   many of the L; integers may be of any type. Labels that are no class cannot be spelled; what
 *   stands behind a row's count is not read. No gradient flows from a row that cannot be spelled.
 *   cost  O(T B L V) time, O(B L) memory beside what the gradient keeps */
EchoValue *echo_nn_ctc_loss(EchoBuilder *b, EchoValue *log_probs, EchoValue *labels,
                            EchoValue *frames, EchoValue *label_counts, const EchoCtc *options);
/* gradients has room for n */
void echo_nn_gradient(EchoBuilder *b, EchoValue *loss, EchoValue *const *values, size_t n,
                      EchoValue **gradients);

typedef struct EchoAdam {
  double beta1, beta2, epsilon, weight_decay;
} EchoAdam;
/* results: parameter, first moment, second moment */
void echo_nn_adam(EchoBuilder *b, EchoValue *parameter, EchoValue *gradient, EchoValue *first,
                  EchoValue *second, EchoValue *step, EchoValue *learning_rate,
                  const EchoAdam *options, EchoValue *results[3]);

/* results: parameter, velocity (with one only) */
void echo_nn_sgd(EchoBuilder *b, EchoValue *parameter, EchoValue *gradient,
                 EchoValue *learning_rate, EchoValue *velocity_or_null, double momentum,
                 double weight_decay, EchoValue *results[2]);

#ifdef __cplusplus
}
#endif

#endif
