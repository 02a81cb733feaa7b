/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A stack whose slices are put together of parts, and of which only those parts are read again, is
 * one stack for each part: then nobody has a slice whole, and each part is kept, dropped or made
 * again by itself (the probabilities of attention in a loop over layers, made and read a few heads
 * at a time). The invariant: elements are moved, never computed, so every bit stays. */
#ifndef ECHO_PLANNING_LOOPS_PARTS_H
#define ECHO_PLANNING_LOOPS_PARTS_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a slice falls into parts, whatever its shape: its elements as [before, n_rows, after], rows
 * [c * rows_a_part, (c + 1) * rows_a_part) of which are part c; the last has what is left. */
typedef struct EchoStackParts {
  int64_t before, n_rows, after, rows_a_part;
} EchoStackParts;

/* Whether `update` writes a stack of the loop that it stands in, and all that is read of that stack
 * are the parts of its slices, by loops behind this one. O(readers). */
bool echo_loop_is_read_in_parts(const EchoOp *update, EchoStackParts *parts);
/* In all loops in `function`, where a slice is a concatenation of just those parts; returns how
 * many stacks became several. O(ops + stacks * readers + carried values). */
size_t echo_loop_part_stacks(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
