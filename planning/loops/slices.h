/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks that counted loops write and read slice by slice: which slice an iteration touches,
 * followed through the arithmetic of its index. The invariant: what is answered holds for every
 * iteration, for each was looked at. */
#ifndef ECHO_PLANNING_LOOPS_SLICES_H
#define ECHO_PLANNING_LOOPS_SLICES_H

#include "dialects/stablehlo/loop.h"
#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_LOOP_MAX_SLOT 8 /* loops in loops that one array is written in */
/* Whose iterations are followed one by one: all that is decided on a pair of loops takes some
 * microseconds an iteration (bench/results/ablation.md), so that these take seconds. */
#define ECHO_LOOP_MAX_TRIPS (INT64_C(1) << 20)

/* An integer scalar of a loop's body when its counter (NULL: none) is `count`. False where it is
 * made of anything else, of more than one value, by other than index arithmetic, or wraps around.
 */
bool echo_loop_index_at(const EchoValue *value, const EchoValue *counter, int64_t count,
                        int64_t *index);
/* Whether the op reads or writes slice [i, i + 1) of a stack's first dimension and all of the
 * others; i is operand `first`. */
bool echo_loop_is_whole_slice(const EchoOp *op, size_t first, const EchoType *stack,
                              const EchoType *slice);

/* The update that writes carried value `i` of a loop slice by slice, and that alone; NULL for what
 * is no stack. */
EchoOp *echo_loop_stacking_or_null(const EchoOp *loop, uint32_t i);
/* The value that such an update writes, without the dimension of one that the slice adds. */
EchoValue *echo_loop_stacked_value(const EchoOp *update);

/* Whether the index in the loop's body takes each of 0 … n_slices - 1 once. O(trips). */
bool echo_loop_visits_all(const EchoOp *loop, const EchoCountedLoop *counted,
                          const EchoValue *index, int64_t n_slices);

/* One index of each of the first dimensions of an array, and all of the others: [i, j, :, :]. */
typedef struct EchoLoopSlot {
  EchoValue *at[ECHO_LOOP_MAX_SLOT];
  size_t n; /* 0: none */
} EchoLoopSlot;

/* What `op` reads or writes of an array, as few dimensions as will do; its starts are operands from
 * `first` on. */
EchoLoopSlot echo_loop_slot(const EchoOp *op, size_t first, const EchoType *array,
                            const EchoType *slice);
/* What each iteration writes of carried value `i`, here or in loops inside, and nothing else does:
 * its last index is another one in every iteration and takes all values, those before it come from
 * outside. O(trips). */
EchoLoopSlot echo_loop_written_slot(const EchoOp *loop, const EchoCountedLoop *counted, uint32_t i);
/* Whether all that the loop reads of `value`, one of its body or one from outside, lies in the slot
 * of that iteration. */
bool echo_loop_reads_own_slices(const EchoOp *loop, const EchoValue *value,
                                const EchoLoopSlot *slot);
/* A carried value begins as an array and is written slice by slice, each once: where the body reads
 * the array at the index that it writes, it reads the carried value now, so that both can be one
 * buffer. Returns how many slices. O(carried values * trips). */
size_t echo_loop_redirect_own_slices(EchoOp *loop);

/* Slice [index, index + 1) of a stack's first dimension, with that dimension. */
EchoValue *echo_loop_read_slice(EchoBuilder *builder, EchoValue *stack, EchoValue *index);
/* The stack with that slice replaced by `value`, which has the dimension or lacks it. */
EchoValue *echo_loop_write_slice(EchoBuilder *builder, EchoValue *stack, EchoValue *value,
                                 EchoValue *index);
/* The same of a slot whose indices have one type. */
EchoValue *echo_loop_read_slot(EchoBuilder *builder, EchoValue *array, const EchoLoopSlot *slot);
EchoValue *echo_loop_write_slot(EchoBuilder *builder, EchoValue *array, EchoValue *value,
                                const EchoLoopSlot *slot);

#ifdef __cplusplus
}
#endif

#endif
