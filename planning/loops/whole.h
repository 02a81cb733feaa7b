/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Carried values that need not be: those that are always equal are one; and of a loop inside
 * another that stacks its stacks in its turn, what is made of other stacks element by element is
 * made of them behind the loop, all rows at once, and the stack of a carried value is that of what
 * comes of it, a row aside. So the loop around sees what its stacks are made of, and may keep one
 * of them. The invariant: the same ops on the same elements, so that every bit stays. Not which
 * stacks are kept. */
#ifndef ECHO_PLANNING_LOOPS_WHOLE_H
#define ECHO_PLANNING_LOOPS_WHOLE_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both in all loops in `function`; return how many carried values are gone. O(ops + carried values
 * of each loop squared), and O(ops + stacks * trips). */
size_t echo_loop_merge_carried(EchoOp *function);
size_t echo_loop_make_whole(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
