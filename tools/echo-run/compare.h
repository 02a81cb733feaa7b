/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --expect: results against a file. Each is compared as a whole, in the 2-norm, |got - expected| <=
 * norm * |expected| + atol * sqrt(n), or, where --rtol or --atol is given, element by element, |got
 * - expected| <= atol + rtol * |expected|. NaN equals NaN, an infinity only itself. */
#ifndef ECHO_TOOLS_ECHO_RUN_COMPARE_H
#define ECHO_TOOLS_ECHO_RUN_COMPARE_H

#include <math.h>

#include "jit/data/tensor_set.h"
#include "tools/echo-run/signature.h"

/* Each may be NOT_GIVEN. The norm's is then the root of the unit roundoff's double, half of the
 * digits of the element type: sums that cancel leave elements of a step with few right digits,
 * where the whole has most of them (Julia's isapprox is the same rule). Integers are to be equal
 * then. */
#define NOT_GIVEN (-INFINITY)
typedef struct Tolerance {
  double rtol, atol, norm;
} Tolerance;
#define TOLERANCE_OPTIONS(tolerance)                                                               \
  {"norm-rtol", ECHO_OPTION_F64, &(tolerance).norm, "X",                                           \
   "relative tolerance of a whole result, in the 2-norm (default: half of its type's digits, "     \
   "3.5e-4 for f32)"},                                                                             \
      {"rtol", ECHO_OPTION_F64, &(tolerance).rtol, "X",                                            \
       "relative tolerance of each element instead (with --atol alone: 1e-5)"},                    \
  {                                                                                                \
    "atol", ECHO_OPTION_F64, &(tolerance).atol, "X",                                               \
        "absolute tolerance of each element instead (with --rtol alone: 1e-8)"                     \
  }

/* NULL, or what is wrong with it. */
const char *tolerance_error_or_null(const Tolerance *tolerance);

/* The outcome for one result. */
typedef struct Comparison {
  bool is_same, is_whole;     /* is_whole: by the norm */
  int64_t n_different, worst; /* worst: row-major index; -1 when there are no elements */
  double got, expected, difference;
  double norm; /* is_whole: of the difference, as a part of the expected one's */
} Comparison;

/* Of tensors of one shape and element kind. */
Comparison compare_tensors(const EchoTensor *got, const EchoTensor *expected, Tolerance tolerance);

/* Compares every array of `expected` (res0, …, or JAX's name) with that result; one line each is
 * appended to *report. *is_same = nothing differs. False with the reason in *error when the file's
 * names, shapes or types are not those of results. */
bool compare_results(EchoTensor *const *results, const Signature *signature,
                     const EchoTensorSet *expected, Tolerance tolerance, bool *is_same,
                     EchoBuffer *report, EchoBuffer *error);

#endif
