/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function of nn ops, lowered and interpreted. The tests compare it with loops written from the
 * formulas, in f64. */
#ifndef ECHO_TESTS_UNIT_NN_RUN_H
#define ECHO_TESTS_UNIT_NN_RUN_H

#include "ir/attributes/tensor.h"

enum { RUN_MAX_VALUES = 8 };

typedef struct Run {
  EchoContext *ctx;
  EchoOp *module, *function;
  EchoTensor *args[RUN_MAX_VALUES], *results[RUN_MAX_VALUES];
  size_t n_args, n_results;
} Run;

/* Lowers the module's only function and draws its arguments: floats from [-1, 1), integers from
 * [0, 4). */
void run_start(Run *run, const char *text);
/* Fills `results`, which replace those of the last call. */
void run_evaluate(Run *run);
void run_finish(Run *run);

static inline double *run_arg(const Run *run, size_t i)
{
  return run->args[i]->data;
}
static inline double run_result(const Run *run, size_t i, size_t element)
{
  return ((const double *)run->results[i]->data)[element];
}

/* |got - want| <= 1e-12 (1 + |want|): some thousand roundings of f64. */
void run_expect(double got, double want, const char *what, size_t i);

#endif
