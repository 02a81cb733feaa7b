/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Made-up training steps, the passes over them, and a symbolic run of every stage: each value is a
 * hash of how it is computed, so that two stages compute the same exactly when their results'
 * hashes agree. It shares no code with the planners. */
#ifndef ECHO_TESTS_UNIT_PLAN_STEP_H
#define ECHO_TESTS_UNIT_PLAN_STEP_H

#include "ir/table/op_info.h"

typedef struct TestStep {
  EchoContext *ctx;
  EchoOp *module, *main;
  EchoBuffer text;
} TestStep;

/* A random step: `n_forward` forward ops over 8x8 matrices and their rows, backward ops that read
 * them, one update for each parameter, the last of which takes its parameter's storage. Equal seeds
 * give equal steps. */
void test_step_random(TestStep *step, uint32_t seed, uint32_t n_forward);
/* A stack of layers, each weight updated over its argument:
 * h[t] = tanh(h[t-1] w[t]); d[t] = g[t] (1 - h[t]^2); gw[t] = h[t-1]' d[t]; g[t-1] = d[t] w[t]'. */
void test_step_stack(TestStep *step, int n_layers);
void test_step_parse(TestStep *step, const char *text);
void test_step_destroy(TestStep *step);

/* Runs a pipeline; false when a pass failed. */
bool test_step_run(TestStep *step, const char *pipeline);
/* An attribute of the module, or -1. */
int64_t test_step_fact(const TestStep *step, const char *name);

#define TEST_MAX_RESULTS 16
/* Hashes of main's results at any stage up to planned; returns their number. What reads bytes that
 * do not hold the whole of its buffer gets a hash that nothing else has. */
size_t test_step_results(const TestStep *step, uint64_t *hashes);

#endif
