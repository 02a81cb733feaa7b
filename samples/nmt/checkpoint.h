/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checkpoints as safetensors: parameters under their names, moments as "NAME.first" and
 * "NAME.second", and the step. */
#ifndef ECHO_SAMPLES_NMT_CHECKPOINT_H
#define ECHO_SAMPLES_NMT_CHECKPOINT_H

#include "samples/nmt/trainer.h"

/* Writes atomically: a run that is killed leaves the old file or the new one. Many processes call
 * it alike: state in parts comes together on the first, which writes. False with the reason
 * appended to *error. */
bool nmt_checkpoint_save(const char *path, EchoContext *ctx, const NmtModel *model,
                         const NmtState *state, EchoBuffer *error);
/* Reads into a state that was created for the model. Names, shapes and types must all agree;
 * otherwise false with the reason, and the state is as it was. */
bool nmt_checkpoint_load(const char *path, EchoContext *ctx, const NmtModel *model, NmtState *state,
                         EchoBuffer *error);

#endif
