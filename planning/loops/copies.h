/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies of one computation written out one after the other outside of any loop, each of other
 * slices of the same arrays, of arguments of its own or all of one array, whose results are added
 * up one by one (the gradients of microbatches) or that hand state to each other (several updates
 * in one step): they become a counted loop over one copy that carries the sums and the state. The
 * invariant: the same ops on the same elements in the same order, every op of every copy compared,
 * so that every bit stays; and copies are found from what they read, so that no order of the text
 * has a say. Not whether the loop is worth it. */
#ifndef ECHO_PLANNING_LOOPS_COPIES_H
#define ECHO_PLANNING_LOOPS_COPIES_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether there are such copies in `function`, its loops and its branches. O(ops log ops) for each
 * number of slices that arrays are cut into, or of arguments. */
bool echo_loop_has_copies(EchoOp *function);
/* Makes loops of all of them; returns how many. The same for each loop made. */
size_t echo_loop_roll_copies(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
