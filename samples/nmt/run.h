/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What training, validating and translating share: one task, one device, one state, and the
 * programs that run on it. */
#ifndef ECHO_SAMPLES_NMT_RUN_H
#define ECHO_SAMPLES_NMT_RUN_H

#include <stdio.h>

#include "samples/common/progress.h"
#include "samples/nmt/task.h"
#include "samples/nmt/trainer.h"

typedef struct NmtRun {
  const NmtOptions *options;
  NmtConfig config;
  NmtTask task;
  EchoPassRegistry *passes;
  EchoDevice *device;
} NmtRun;

bool nmt_run_create(NmtRun *run, const NmtOptions *options);
void nmt_run_destroy(NmtRun *run);

/* Compiles the training step; `echo` as in EchoCompileOptions. */
bool nmt_run_compile_step(const NmtRun *run, const char *echo, NmtProgram *program);

/* What a stretch of training gave. */
typedef struct NmtTraining {
  ECHO_VECTOR(float) losses;
  double step_s, steps_s;       /* median; all together */
  double tokens_per_s;          /* source and target positions, padding included */
  uint64_t measured_peak_bytes; /* what the device held at most */
  uint64_t process_peak_bytes;  /* resident set of the process at most, 0 = unknown */
} NmtTraining;

void nmt_training_destroy(NmtTraining *training);
/* Called after each step; false ends the stretch. */
typedef bool NmtAfterStepFn(void *user, int64_t step, float loss);
/* Trains until the state's step number exceeds `last_step`. after may be NULL. */
void nmt_run_train(const NmtRun *run, NmtProgram *program, NmtState *state, int64_t last_step,
                   NmtAfterStepFn *after, void *user, NmtTraining *training);

/* Translations of the validation pairs, a line each. False after diagnostics. */
bool nmt_run_translate(const NmtRun *run, NmtState *state, EchoBuffer *translations);

/* "label: step 10/200  loss 3.21  …" over itself, on a terminal only. */
void nmt_progress(const char *label, int64_t step, int64_t last_step, float loss, double step_s);

#endif
