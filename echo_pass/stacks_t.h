/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recompute between counted loops (echo_pass/loop_pair_t.h): which values of the writer's body are
 * stacked, and which the reader computes again from slices of those, from what does not change
 * between the loops, and constants. Any value may be stacked, a carry too, as jax.checkpoint around
 * the body has it; heavy ops and loops inside the body may run again. What is best depends on the
 * price of a byte alone, whatever the number of iterations: it is a minimum cut of the writer's
 * body. The invariant: results stay bit for bit what they were. Not which price to pay. */
#ifndef ECHO_ECHO_PASS_STACKS_T_H
#define ECHO_ECHO_PASS_STACKS_T_H

#include "base/map.h"
#include "echo_pass/loop_pair_t.h"
#include "planning/cost/device_model.h"

/* Of the stacks of a pair that are read in one order, or of what one branch hands on. By values and
 * nodes of `graph`, the writer's body. */
typedef struct EchoStackChoice {
  EchoGraph graph;
  uint64_t trip_hash;
  bool *is_kept;    /* value: the reader takes it from a stack, or as it was handed on */
  bool *runs_again; /* node: the reader computes it again */
  double ns;        /* of one iteration: what runs again, and writing and reading what is kept */
  double bytes;     /* of what is kept: one slice of each stack */
} EchoStackChoice;

/* What is cheapest when a byte of an iteration costs `price` nanoseconds. Lives in pair->scratch;
 * destroy the graph. O(min cut of the body). */
void echo_stack_choice_create(EchoStackChoice *choice, const EchoLoopPair *pair, uint64_t trip_hash,
                              const EchoDeviceModel *device, double price);
void echo_stack_choice_destroy(EchoStackChoice *choice);
/* What the writer's body takes once: the most that running parts of it again may cost. */
double echo_body_ns(const EchoBlock *body, const EchoDeviceModel *device);
/* Marks an op of the reader that runs again. */
void echo_mark_clone(EchoOp *op);
/* Runs again in front of `anchor` what the choice says. `built` (value of the writer's body -> the
 * reader's) knows what is kept, and knows what was built afterwards. */
void echo_stack_choice_build(const EchoStackChoice *choice, EchoMap *built, EchoOp *anchor);

/* Carries a choice out: both loops are rebuilt, pair->writer and pair->reader name the new ones,
 * and what the pair says of stacks no longer holds. Returns how many stacks were added or dropped;
 * with none, nothing was touched. */
size_t echo_stack_choice_apply(EchoLoopPair *pair, const EchoStackChoice *choice);

/* A value of the writer's body, and the same one as the reader computes it again. */
typedef struct EchoStacked {
  EchoValue *value, *again;
} EchoStacked;

/* Stacks of values that the reader reads in place of computing them again, written and read where
 * `like`, one of the pair's stacks, is; both loops are rebuilt, and what the pair says of stacks no
 * longer holds. */
void echo_loop_pair_add_stacks(EchoLoopPair *pair, const EchoStack *like,
                               const EchoStacked *stacked, size_t n);
/* The same of all that the reader, as it was written, runs heavy ops of the writer again for:
 * jax.checkpoint is a proposal. Returns how many; with none, nothing was touched. */
size_t echo_loop_pair_stack_proposals(EchoLoopPair *pair);

/* Where each iteration of the reader reads what the mirrored one of the writer wrote: stores the
 * state of every k-th iteration only, and runs the writer's segments again inside the reader, with
 * stacks of k slices (echo_pass/segments.c); what k leaves over stays a loop of its own,
 * pair->tail. k is where fewest bytes stand at once, when the states are put into segments in their
 * turn, `n_levels` in all. False, with nothing touched, where that is no less than before. */
bool echo_segment_pair(EchoLoopPair *pair, size_t n_levels);

/* Ascending prices at which the choice between any two loops, or branches, of the function changes,
 * `max` at most; returns how many. 0: there is nothing to choose. Stacks that a loop reads as they
 * stand outside become carried values of it. */
size_t echo_stack_prices(EchoOp *function, const EchoDeviceModel *device, EchoArena *scratch,
                         double *prices, size_t max);
/* Decides all pairs of loops and of branches that stand in one block, of the function or of a loop
 * or branch inside it, by one price; returns how many stacks were added or dropped, and values that
 * branches no longer hand on. */
size_t echo_decide_stacks(EchoOp *function, const EchoDeviceModel *device, double price,
                          EchoArena *scratch);
/* Segments pairs of loops that stand in one block, on up to `n_levels` levels each; returns how
 * many levels there are in all. */
size_t echo_segment_loops(EchoOp *function, size_t n_levels, EchoArena *scratch);

#endif
