/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the Echo pass did, candidate by candidate, as remarks at the ops' locations. */
#ifndef ECHO_ECHO_PASS_EXPLAIN_T_H
#define ECHO_ECHO_PASS_EXPLAIN_T_H

#include "echo_pass/search_t.h"
#include "planning/schedule/estimate.h"

/* One remark a candidate of a block that the backward part needs, or needed before the curve's best
 * point was carried out. O(nodes). */
void echo_explain(const EchoCandidates *candidates, const EchoCurve *curve);
/* What that comes to, at the function, beside what it takes with nothing recomputed. */
void echo_explain_sums(const EchoOp *function, uint64_t off_bytes, uint64_t off_ns,
                       const EchoCurve *curve);

/* How many of the point's groups left a clone in `echoed`. O(nodes). */
size_t echo_count_regions(const EchoCandidates *candidates, const EchoPoint *point,
                          const EchoGraph *echoed);

/* One remark for each kind of value that stands at the peak of `graph` in its present order,
 * largest first, at most `max_remarks`; before them one for the regions of a loop or branch that
 * stands there, which is returned; NULL without one. */
const EchoOp *echo_explain_peak_or_null(const EchoGraph *graph, const EchoEstimate *estimate,
                                        size_t max_remarks, EchoArena *scratch);

#endif
