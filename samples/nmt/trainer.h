/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs the training step on a device: parameters and moments live in device buffers and are updated
 * in place. */
#ifndef ECHO_SAMPLES_NMT_TRAINER_H
#define ECHO_SAMPLES_NMT_TRAINER_H

#include "jit/compile.h"
#include "samples/nmt/data.h"

/* Everything of one compiled function: a context of its own, its module, its executable. */
typedef struct NmtProgram {
  EchoContext *ctx;
  NmtModel model;
  EchoExecutable *executable;
  double compile_s;
} NmtProgram;

typedef void NmtBuildFn(EchoContext *ctx, const NmtConfig *config, NmtModel *model);

/* What many processes have a part of: nothing, the batch (and what a budget asks for), the state of
 * the optimizer, too. */
typedef enum NmtDivision { NMT_WHOLE, NMT_DIVIDED, NMT_DIVIDED_STATE } NmtDivision;

/* False after diagnostics. */
bool nmt_program_create(NmtProgram *program, EchoDevice *device, const EchoPassRegistry *passes,
                        NmtBuildFn *build, NmtDivision division, const NmtConfig *config,
                        const EchoCompileOptions *options, const EchoExecutableOptions *executable);
void nmt_program_destroy(NmtProgram *program);

/* The values that training carries from step to step, in the order of the step's first arguments.
 */
typedef struct NmtState {
  EchoDevice *device;
  EchoDeviceBuffer **buffers; /* parameters, moments, step */
  size_t n_parameters, n_buffers;
} NmtState;

/* Initial values from `seed`; zero moments; step 1. */
void nmt_state_create(NmtState *state, EchoDevice *device, const NmtModel *model, uint64_t seed);
/* Of what was created whole, what this process has as `program` takes it. */
void nmt_state_shrink(NmtState *state, const NmtProgram *program);
void nmt_state_destroy(NmtState *state);
/* The step that comes next, from 1. */
int32_t nmt_state_step(const NmtState *state);
/* Every byte of the state, for comparing. The caller frees it. */
uint8_t *nmt_state_bytes(const NmtState *state, uint64_t *size);

typedef struct NmtTrainer {
  NmtProgram *program;
  NmtState *state;
  EchoDeviceBuffer *inputs[NMT_N_OTHER_ARGS - 1]; /* key, rate, batch */
  NmtBatch batch;
  const NmtCorpus *corpus;
  uint64_t seed;
  double learning_rate;
  int64_t warmup_steps; /* the rate rises linearly over these */
} NmtTrainer;

void nmt_trainer_create(NmtTrainer *trainer, NmtProgram *program, NmtState *state,
                        const NmtCorpus *corpus, uint64_t seed, double learning_rate,
                        int64_t warmup_steps);
void nmt_trainer_destroy(NmtTrainer *trainer);
/* One step; returns its loss. */
float nmt_trainer_step(NmtTrainer *trainer);

/* Mean loss a target token over a corpus. `program` is of nmt_build_loss. */
double nmt_validate(NmtProgram *program, NmtState *state, const NmtCorpus *corpus);
/* Greedy translations of pairs [0, n) of a corpus, appended to `out` one a line. `program` is of
 * nmt_build_decoder. */
void nmt_translate(NmtProgram *program, NmtState *state, const NmtCorpus *corpus, size_t n,
                   const NmtVocabulary *target, EchoBuffer *out);

#endif
