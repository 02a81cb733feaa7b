/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A while with more or fewer carried values. In between it may be no whole op. */
#ifndef ECHO_PLANNING_LOOPS_CHANGE_H
#define ECHO_PLANNING_LOOPS_CHANGE_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The blocks get one more argument (of `type`) each; returns the body's. The loop is whole again
 * after echo_loop_yield and echo_loop_rebuild. */
EchoValue *echo_loop_add_carried(EchoOp *loop, const EchoType *type);
/* One more value that the body hands on. */
void echo_loop_yield(EchoOp *loop, EchoValue *value);
/* The loop with `added` carried values more, which its blocks have arguments for and its body
 * yields, and without those that `is_gone` (of old and added ones) names: results and arguments
 * that nobody reads. Returns the loop that took its place. O(carried values + uses). */
EchoOp *echo_loop_rebuild(EchoOp *loop, const bool *is_gone, EchoValue *const *added,
                          size_t n_added);

/* Without the carried values that nobody reads: handed on as they are, or read only by the op that
 * makes the next one. Returns the loop that took its place, or the same. */
EchoOp *echo_loop_drop_unread(EchoOp *loop);

/* What is done to one loop: returns the loop that took its place, or the same, and adds to *n. */
typedef EchoOp *EchoLoopChange(EchoOp *loop, size_t *n);
/* Does it to every while in `function`, inner loops first; returns what was counted. */
size_t echo_loop_change_all(EchoOp *function, EchoLoopChange *change);

#ifdef __cplusplus
}
#endif

#endif
