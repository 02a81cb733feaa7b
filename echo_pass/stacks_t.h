/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recompute between counted loops. A stack is a value that one loop writes slice by slice and a
 * later loop reads slice by slice, each iteration that of one iteration of the first. Where the
 * slice can be computed in the second loop from slices of other stacks, from what does not change
 * in the first loop, and constants, by cheap ops, the stack is dropped. The invariant: results stay
 * bit for bit what they were. No stack is added. */
#ifndef ECHO_ECHO_PASS_STACKS_T_H
#define ECHO_ECHO_PASS_STACKS_T_H

#include "base/arena.h"
#include "planning/schedule/graph.h"

/* Drops stacks between pairs of loops that stand in one block, of the function or of a loop or
 * branch inside it; returns how many. O(ops + iterations * stacks). */
size_t echo_drop_stacks(EchoOp *function, EchoArena *scratch);

#endif
