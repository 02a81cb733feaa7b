/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A module's text taken to a stage, or compiled and run for one step on made-up inputs. Every run
 * starts from text in a context of its own, so that nothing is shared but what is written. */
#ifndef ECHO_TESTS_FUZZ_GRAPH_FUZZ_RUN_H
#define ECHO_TESTS_FUZZ_GRAPH_FUZZ_RUN_H

#include "ir/attributes/tensor.h"
#include "ir/text/text.h"
#include "jit/driver/pipeline.h"

typedef struct Settings {
  const char *echo; /* options of the pass; NULL = without */
  size_t loss_number;
  const char *target; /* NULL = the host; "sm_80": the GPU, which is one */
  const char *device; /* the device model that it is planned for; NULL = the target's */
  unsigned n_threads;
  const char *cache_dir; /* of compiled kernels, which most runs of one step share */
} Settings;

typedef struct Run {
  EchoContext *ctx;
  EchoOp *module, *main; /* of the stage that was asked for */
  EchoTensor *results[512];
  size_t n_results;
  uint64_t planned_bytes, measured_bytes; /* peaks */
  EchoBuffer errors;
} Run;

/* Parses `text` and compiles to `stage`; run->planned_bytes is set from planned on. False after
 * errors, which stand in run->errors. */
bool run_to_stage(Run *run, EchoStr text, EchoStage stage, const Settings *settings);
/* Runs these passes alone. */
bool run_passes(Run *run, EchoStr text, const char *pipeline);
/* run_to_stage to machine code, and one step; what the device found wrong is an error. */
bool run_step(Run *run, EchoStr text, const Settings *settings);
void run_destroy(Run *run);

EchoContext *create_context(EchoBuffer *errors);
/* What argument `number` holds; the same for a type and number in every run. */
EchoTensor *make_input(const EchoType *type, size_t number);
/* The function main of a module. */
EchoOp *find_main(const EchoOp *module);

#endif
