/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --plan-only: what a step will take, with and without Echo, without running anything. */
#ifndef ECHO_SAMPLES_COMMON_PLAN_H
#define ECHO_SAMPLES_COMMON_PLAN_H

#include "ir/op.h"

/* Builds the model; the module belongs to the context. */
typedef EchoOp *SampleBuildFn(void *user, EchoContext *ctx);

typedef struct SamplePlanOptions {
  const char *program; /* for messages */
  const char *device;  /* that times are predicted for; NULL = a GPU: nothing is run */
  const char *echo;    /* options of the pass; NULL = its defaults */
  const char *json;    /* file for the figures; NULL = none */
  SampleBuildFn *build;
  void *user;
} SamplePlanOptions;

/* Prints the figures, and writes them as JSON. False after a message. */
bool sample_plan_only(const SamplePlanOptions *options);

#endif
