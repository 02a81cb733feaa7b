/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs one kernel.func three ways from the same random inputs: interpreted, compiled, and compares
 * element by element. Inputs come from a seeded generator, so that a failure repeats. */
#ifndef ECHO_TESTS_UNIT_EXEC_HARNESS_H
#define ECHO_TESTS_UNIT_EXEC_HARNESS_H

#include "ir/attributes/tensor.h"
#include "ir/table/op_info.h"

typedef struct ExecOptions {
  double ulps; /* allowed distance of floats, in units of the last place of the result's type; 0 =
                  equal bits (NaNs are equal) */
  double low, high; /* range of random floats; both 0 = [-4, 4] */
  bool special;     /* every 7th element is one of 0, -0, 1, inf, -inf, nan, largest, smallest */
  int64_t int_low, int_high; /* range of random integers; both 0 = the whole type */
  bool whole;                /* floats are whole: sums and products of few of them are exact */
  bool no_blas;              /* contractions by generated loops */
  double scale; /* ulps are counted at this magnitude where the result is smaller: for sums that
                   cancel */
} ExecOptions;

/* `text` is a module with one kernel.func. Fails the running Check test on any difference. */
void exec_check(const char *text, const ExecOptions *options);
/* The same for the body of "kernel.func"() with these argument and result types. */
void exec_check_body(const char *kind, const char *arguments, const char *argument_types,
                     const char *result_types, const char *body, const ExecOptions *options);

/* Compiles and runs a module with one kernel.func on `inputs` (borrowed); fills `results`, which
 * the caller destroys. Types must outlive the call's context: results are made anew in `ctx`, where
 * the inputs live too. */
void exec_run(EchoContext *ctx, const char *text, const EchoTensor *const *inputs, bool no_blas,
              EchoTensor **results);
/* Random elements as exec_check makes them. */
void exec_fill(EchoTensor *tensor, const ExecOptions *options, uint64_t seed);

/* Fails the running test where result number `result` of `what` is not as wanted. */
void exec_compare(const char *what, const EchoTensor *got, const EchoTensor *want,
                  const ExecOptions *options, size_t result);

/* Distance of two floats of the type in units of the last place; 0 for equal values and for two
 * NaNs. */
double exec_ulps(EchoElementKind kind, double got, double want, double scale);

#endif
