/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --expect: results against a file, element by element: |got - expected| <= atol + rtol *
 * |expected|. NaN equals NaN, an infinity only itself. */
#ifndef ECHO_TOOLS_ECHO_RUN_COMPARE_H
#define ECHO_TOOLS_ECHO_RUN_COMPARE_H

#include "jit/data/tensor_set.h"

typedef struct Tolerance {
  double rtol, atol;
} Tolerance;

/* The outcome for one result. */
typedef struct Comparison {
  int64_t n_different, worst; /* worst: row-major index; -1 when there are no elements */
  double got, expected, difference;
} Comparison;

/* Of tensors of one shape and element kind. */
Comparison compare_tensors(const EchoTensor *got, const EchoTensor *expected, Tolerance tolerance);

/* Compares every array of `expected` (res0, res1, …) with the result of its name; one line each is
 * appended to *report. *is_same = nothing differs. False with the reason in *error when the file's
 * names, shapes or types are not those of results. */
bool compare_results(EchoTensor *const *results, size_t n_results, const EchoTensorSet *expected,
                     Tolerance tolerance, bool *is_same, EchoBuffer *report, EchoBuffer *error);

#endif
