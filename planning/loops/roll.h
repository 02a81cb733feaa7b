/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A counted loop whose body holds k copies of one computation, each beginning with what the one
 * before it ends with, becomes a loop of k times as many iterations over one copy: what
 * lax.scan(unroll=k) writes, and what is written by hand like it. Stacks of blocks of k rows are
 * stacks of rows then. The invariant: the same ops on the same elements in the same order, every
 * operand of every copy compared, so that every bit stays. Not whether it is worth it. */
#ifndef ECHO_PLANNING_LOOPS_ROLL_H
#define ECHO_PLANNING_LOOPS_ROLL_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All such loops of `function`, inner ones first, each with as many copies as it holds; returns how
 * many. Loops that are none may gain ops that nobody reads. O(ops + pairs of values that are looked
 * at, of which there are at most ECHO_ROLL_MAX_PAIRS a loop). */
size_t echo_loop_roll(EchoOp *function);
/* Loops behind which more of their iterations stand written out, as many as a loop's body k by k
 * leaves over, go on over those; returns how many loops. What is left of the old ones nobody reads.
 * Arrays are to be read where they come from (--forward-movement). O(ops * carried values). */
size_t echo_loop_roll_tails(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
