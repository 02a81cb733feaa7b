/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A counted loop written out: its body once for each iteration, the counter a constant in each. The
 * invariant: the same ops on the same elements in the same order, so that every bit stays. Indices
 * are left as they are computed, for folding; and so are stacks, for --forward-movement. Not which
 * loops are worth it, but for how many ops they come to. */
#ifndef ECHO_PLANNING_LOOPS_UNROLL_H
#define ECHO_PLANNING_LOOPS_UNROLL_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether there are loops that would be written out. O(ops). */
bool echo_loop_has_short(EchoOp *function, uint64_t max_ops);

/* Writes out the loops of `function` with up to so many iterations that it has at most `max_ops`
 * ops then, inner loops first: all loops with as many iterations or none, so that loops which
 * belong together stay alike. Returns how many; 0: nothing was touched. O(ops + ops written). */
size_t echo_loop_unroll_short(EchoOp *function, uint64_t max_ops);

/* Writes out counted loops that compute nothing but maps, carry at least `min_bytes` and come to up
 * to `max_ops` ops in all their iterations: what was a kernel an iteration, which reads and writes
 * all that the loop carries, is one. Returns how many. O(ops + ops written). */
size_t echo_loop_unroll_maps(EchoOp *function, uint64_t min_bytes, uint64_t max_ops);

#ifdef __cplusplus
}
#endif

#endif
