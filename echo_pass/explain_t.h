/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the Echo pass decided, candidate by candidate, as remarks at the ops' locations. */
#ifndef ECHO_ECHO_PASS_EXPLAIN_T_H
#define ECHO_ECHO_PASS_EXPLAIN_T_H

#include "echo_pass/search_t.h"
#include "planning/schedule/estimate.h"

/* One remark a candidate that the backward part reads or that is recomputed, then the sums.
 * O(candidates). */
void echo_explain(const EchoOp *function, const EchoCandidates *candidates, const EchoCurve *curve);

/* One remark for each kind of value that stands at the peak of `graph` in its present order,
 * largest first. */
void echo_explain_peak(const EchoOp *function, const EchoGraph *graph,
                       const EchoEstimate *estimate);

#endif
