/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --check: self-checking modules. What a function expects of its values (check.expect_…, and the
 * custom calls of those names) becomes results of it, which are compared on the host. */
#ifndef ECHO_TOOLS_ECHO_RUN_CHECK_H
#define ECHO_TOOLS_ECHO_RUN_CHECK_H

#include "base/vector.h"
#include "ir/attributes/tensor.h"
#include "ir/op.h"

typedef enum CheckKind { CHECK_EQUAL, CHECK_ALMOST_EQUAL, CHECK_CLOSE } CheckKind;

typedef struct Check {
  CheckKind kind;
  EchoLoc loc;
  double tolerance;            /* ALMOST_EQUAL: of |actual - expected| */
  uint64_t min_ulps, max_ulps; /* CLOSE */
  const EchoAttr *value;       /* what is expected; NULL: result `expected` */
  size_t actual, expected;     /* numbers of results */
} Check;

typedef ECHO_VECTOR(Check) CheckList;

/* Takes the checks out of the body of `function` (outside of its regions): its results are then
 * what they look at. False after a diagnostic: a check that cannot be made. */
bool check_lift(EchoOp *function, CheckList *checks);

/* The first element that is not as expected; -1: none. StableHLO's own rules: equal numbers (NaN is
 * none), |a - b| <= tolerance, or so many units in the last place. Complex numbers by their parts.
 */
int64_t check_first_difference(const Check *check, const EchoTensor *actual,
                               const EchoTensor *expected);

#endif
