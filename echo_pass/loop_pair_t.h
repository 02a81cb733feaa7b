/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: two counted loops of one block, and the stacks between them. A stack is a
 * value that the first loop, the writer, stores slice by slice and the second, the reader, reads
 * slice by slice, each iteration that of one iteration of the writer. The invariant: what is found
 * here holds for every iteration, for each was looked at. Not what is done about them:
 * echo_pass/stacks_t.h. */
#ifndef ECHO_ECHO_PASS_LOOP_PAIR_T_H
#define ECHO_ECHO_PASS_LOOP_PAIR_T_H

#include "base/arena.h"
#include "dialects/stablehlo/loop.h"
#include "planning/schedule/graph.h"

typedef struct EchoStack {
  uint32_t carried;   /* of the writer */
  EchoOp *update;     /* the dynamic_update_slice that writes it */
  EchoValue *value;   /* what is written, in the writer's body */
  EchoValue *inside;  /* the stack as the reader's body sees it */
  EchoOp *slice;      /* one of the dynamic_slices there that read it, all at the same index */
  uint64_t trip_hash; /* which iteration of the writer each iteration of the reader reads */
  bool counts;        /* the index it is written at is the writer's counter itself */
  bool may_go;    /* nobody else reads it but loops behind the reader, which may let it go too */
  bool is_shared; /* there are such loops */
  bool is_dropped;
} EchoStack;

typedef struct EchoLoopPair {
  EchoOp *writer, *reader;
  EchoOp *tail;         /* of a writer in segments: its last iterations, after it; else NULL */
  EchoBlock *from, *to; /* their bodies */
  EchoCountedLoop written, read;
  ECHO_VECTOR(EchoStack) stacks; /* by carried value */
  EchoArena *scratch;
} EchoLoopPair;

/* Results of the writer that the reader's body takes slices of as they stand outside are carried
 * values of it now, as those are that a stack is looked for among. Returns the loop that took the
 * reader's place, or the same. */
EchoOp *echo_loop_carry_stacks(EchoOp *writer, EchoOp *reader);

/* The stacks between two loops; none where one of them is not counted. Destroy in either case.
 * O(carried values * iterations). */
void echo_loop_pair_create(EchoLoopPair *pair, EchoOp *writer, EchoOp *reader, EchoArena *scratch);
void echo_loop_pair_destroy(EchoLoopPair *pair);

/* The stack that those read in one order are written and read like; the pair has one of them. */
const EchoStack *echo_loop_pair_like(const EchoLoopPair *pair, uint64_t trip_hash);
/* What the writer stacks as carried value `i` where `like` is written, whoever reads it; NULL where
 * that is no such stack. It `stays` where loops read it that were decided on before. */
EchoValue *echo_loop_pair_stacked_or_null(const EchoLoopPair *pair, const EchoStack *like,
                                          uint32_t i, bool *stays);

/* The counter of the reader as its body sees it. */
const EchoValue *echo_loop_pair_read_counter(const EchoLoopPair *pair);
/* What the writer's body sees and the reader's sees too; NULL for what changes from iteration to
 * iteration. */
EchoValue *echo_loop_pair_outer_or_null(const EchoLoopPair *pair, EchoValue *value);

#endif
