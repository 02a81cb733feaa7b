/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the Echo pass did, candidate by candidate, as remarks at the ops' locations. */
#ifndef ECHO_ECHO_PASS_EXPLAIN_T_H
#define ECHO_ECHO_PASS_EXPLAIN_T_H

#include "echo_pass/search_t.h"
#include "planning/schedule/estimate.h"

/* One remark a candidate that the backward part needs, or needed before the curve's best point was
 * carried out: `echoed`, not yet reordered, says what became of it. Then the sums. O(nodes). */
void echo_explain(const EchoOp *function, const EchoCandidates *candidates, const EchoCurve *curve,
                  const EchoGraph *echoed);

/* How many of the point's groups left a clone in `echoed`. O(nodes). */
size_t echo_count_regions(const EchoCandidates *candidates, const EchoPoint *point,
                          const EchoGraph *echoed);

/* One remark for each kind of value that stands at the peak of `graph` in its present order,
 * largest first, at most `max_remarks`; before them one for the regions of a loop or branch that
 * stands there.
 */
void echo_explain_peak(const EchoOp *function, const EchoGraph *graph, const EchoEstimate *estimate,
                       size_t max_remarks, EchoArena *scratch);

#endif
