/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks in the storage of arrays that die: a loop that reads an array slice by slice, the last to
 * read it, writes a stack of that type over it, each slice behind its reader, one stack a loop. The
 * invariant: what is computed is what was; the stack begins as another value, of which nothing is
 * left. */
#ifndef ECHO_PLANNING_LOOPS_REUSE_H
#define ECHO_PLANNING_LOOPS_REUSE_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In all loops in `function`; returns how many stacks. A loop that nothing is left to do in is not
 * touched. O(ops + stacks * arrays * trips). */
size_t echo_loop_reuse_arrays(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
