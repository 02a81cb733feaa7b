/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counted loops: a stablehlo.while whose number of iterations is known before it runs. */
#ifndef ECHO_DIALECTS_STABLEHLO_LOOP_H
#define ECHO_DIALECTS_STABLEHLO_LOOP_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoCountedLoop {
  uint32_t counter; /* which carried value counts */
  int64_t start, step, n_trips;
} EchoCountedLoop;

/* True for the shape that importers write: the condition compares a carried integer scalar with a
 * constant, the body adds a constant to it, and its initial value is a constant (constants inside
 * or outside of the loop). O(1). */
bool echo_hlo_counted_loop(const EchoOp *loop, EchoCountedLoop *counted);

/* An integer scalar of a loop's body when its counter (NULL: none) is `count`. False where it is
 * made of anything else, of more than one value, or by other than index arithmetic. */
bool echo_hlo_index_at(const EchoValue *value, const EchoValue *counter, int64_t count,
                       int64_t *index);
/* Whether the op reads or writes slice [i, i + 1) of a stack's first dimension and all of the
 * others; i is operand `first`. */
bool echo_hlo_is_whole_slice(const EchoOp *op, size_t first, const EchoType *stack,
                             const EchoType *slice);

/* Whether the index in the loop's body takes each of 0 … n_slices - 1 once. O(trips). */
bool echo_hlo_visits_all(const EchoOp *loop, const EchoCountedLoop *counted, const EchoValue *index,
                         int64_t n_slices);
/* Whether all that the loop reads of `value`, one of its body or one from outside, are slices at
 * the index at which `update` writes. */
bool echo_hlo_reads_own_slices(const EchoOp *loop, const EchoValue *value, const EchoOp *update);
/* A carried value begins as an array and is written slice by slice, each once: where the body reads
 * the array at the index that it writes, it reads the carried value now, so that both can be one
 * buffer. Returns how many slices. O(carried values * trips). */
size_t echo_hlo_redirect_own_slices(EchoOp *loop);

/* Slice [index, index + 1) of a stack's first dimension, with that dimension. */
EchoValue *echo_hlo_read_slice(EchoBuilder *builder, EchoValue *stack, EchoValue *index);
/* The stack with that slice replaced by `value`, which has the dimension or lacks it. */
EchoValue *echo_hlo_write_slice(EchoBuilder *builder, EchoValue *stack, EchoValue *value,
                                EchoValue *index);

/* ---- a while with more or fewer carried values ---- */

/* The blocks get one more argument (of `type`) each; returns the body's. The loop is whole again
 * after echo_hlo_yield and echo_hlo_rebuild_loop. */
EchoValue *echo_hlo_add_carried(EchoOp *loop, const EchoType *type);
/* One more value that the body hands on. */
void echo_hlo_yield(EchoOp *loop, EchoValue *value);
/* The loop with `added` carried values more, which its blocks have arguments for and its body
 * yields, and without those that `is_gone` (of old and added ones) names: results and arguments
 * that nobody reads. Returns the loop that took its place. O(carried values + uses). */
EchoOp *echo_hlo_rebuild_loop(EchoOp *loop, const bool *is_gone, EchoValue *const *added,
                              size_t n_added);

/* Without the carried values that nobody reads: handed on as they are, or read only by the op that
 * makes the next one. Returns the loop that took its place, or the same. */
EchoOp *echo_hlo_drop_unread(EchoOp *loop);

#ifdef __cplusplus
}
#endif

#endif
