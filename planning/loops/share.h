/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two stacks of one loop that hold the same rows are one: a value stacked twice, or what a loop
 * carries stacked before an iteration changes it and after, so that row t of the one is row t - 1
 * of the other (the states of a recurrent network that its gradient reads, and the outputs that
 * everybody reads). The loops that read the one read the other then, a row aside; the row that is
 * in neither is what the loop begins or ends with. The invariant: elements are moved, never
 * computed, so every bit stays. */
#ifndef ECHO_PLANNING_LOOPS_SHARE_H
#define ECHO_PLANNING_LOOPS_SHARE_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In all loops in `function`; returns how many stacks are gone. A stack goes where counted loops
 * are all that reads it, slice by slice. O(ops + stacks * readers * trips). */
size_t echo_loop_share_stacks(EchoOp *function);
/* Whether what `loop` stacks as carried value `i` can be read in the place of another of its
 * stacks. O(stacks * readers * trips). */
bool echo_loop_is_shared_stack(EchoOp *loop, uint32_t i);

#ifdef __cplusplus
}
#endif

#endif
