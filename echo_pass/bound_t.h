/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What no plan of a block can undercut, whatever it recomputes and in whatever order it runs. The
 * invariant: a bound is one, for straight-line code and branches; loops, which stacks may change,
 * count for nothing. What folds into other kernels may be recomputed for nothing, so only kernels
 * of their own count: contractions, convolutions, gathers, sorts. */
#ifndef ECHO_ECHO_PASS_BOUND_T_H
#define ECHO_ECHO_PASS_BOUND_T_H

#include "echo_pass/search_t.h"

typedef struct EchoBound {
  uint64_t least_bytes; /* of the arena: what some kernel reads and writes stands there together */
  uint64_t again_ns;    /* kernels that run a second time take at least that long together, where
                           the arena holds at most the bytes that were asked for */
} EchoBound;

/* While a kernel of a contraction runs, what was made for it and is read behind it is kept, or
 * computed again behind it: the least price of that within `peak_bytes` is a minimum cut with a
 * multiplier on bytes (Lagrange), which is searched for; of some such kernels the greatest counts.
 * In a step of `step_ns`, the link to the host can take as many bytes out before that kernel and in
 * behind it as both copies together take time for: with swaps allowed, so much more room there is.
 *   cost   of some tens of minimum cuts of the graph, of large graphs fewer */
EchoBound echo_bound_find(const EchoCandidates *candidates, const EchoBlockInterface *interface,
                          const EchoSearchOptions *options, uint64_t peak_bytes, uint64_t step_ns);

/* What the kernels of their own among the point's clones take. */
uint64_t echo_bound_point_again_ns(const EchoCandidates *candidates, const EchoPoint *point,
                                   const EchoBlockInterface *interface,
                                   const EchoSearchOptions *options);

#endif
