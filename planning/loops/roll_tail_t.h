/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A loop that goes on over iterations written out behind it, as its parts see it: what stands
 * behind the iterations found so far, and which rows of arrays an iteration reads. */
#ifndef ECHO_PLANNING_LOOPS_ROLL_TAIL_T_H
#define ECHO_PLANNING_LOOPS_ROLL_TAIL_T_H

#include "planning/loops/roll_t.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ECHO_VECTOR(EchoOp *) EchoTailOps;

typedef struct EchoTailCarried {
  EchoValue *now; /* behind the iterations found so far; NULL: not known */
  EchoOp *update; /* of a stack: what writes a row of it in each iteration */
  EchoOp
      *concatenation; /* of a stack: where the rows of more iterations stand beside it; or NULL */
  uint32_t place;     /* of the stack in it */
  EchoRollLine line;  /* of a stack: its row */
  EchoTailOps path;   /* of a state: from an op that reads state `begin` to the one that makes it */
  uint32_t begin;
} EchoTailCarried;

typedef struct EchoTail {
  EchoRoll roll; /* of one copy: for its lines */
  EchoBlock *outer;
  EchoTailCarried *carried;
  int64_t n_more; /* iterations found */
} EchoTail;

static inline bool echo_tail_is_outside(const EchoTail *tail, const EchoValue *value)
{
  return !echo_op_is_ancestor(tail->roll.loop, echo_block_parent(echo_value_block(value)));
}
static inline bool echo_tail_is_handed_on(const EchoTail *tail, const EchoValue *argument)
{
  return echo_op_operand(tail->roll.body->last, argument->index) == argument;
}
static inline bool echo_tail_is_stack(const EchoTail *tail, const EchoValue *array)
{
  return echo_value_block(array) == tail->roll.body && array->is_block_arg &&
         tail->carried[array->index].update != NULL;
}
/* Carried, and neither a stack nor an index. */
static inline bool echo_tail_is_state(EchoTail *tail, const EchoValue *value)
{
  return echo_value_block(value) == tail->roll.body && value->is_block_arg &&
         tail->carried[value->index].update == NULL && !echo_tail_is_handed_on(tail, value) &&
         !echo_roll_line(&tail->roll, value).is_line;
}
/* An array that the body reads, as it is in front of the loop. */
static inline EchoValue *echo_tail_outside_of(const EchoTail *tail, EchoValue *array)
{
  return echo_value_block(array) == tail->roll.body ? echo_op_operand(tail->roll.loop, array->index)
                                                    : array;
}

/* Whether a slice takes rows from `*start` on, one after the other, and all of each. */
bool echo_tail_takes_rows(const EchoOp *op, int64_t *start);
/* A row a slice, of an array from outside, or of a stack before it is written. */
bool echo_tail_reads_row(EchoTail *tail, const EchoValue *value, EchoValue **array,
                         EchoRollLine *line);
/* As many rows as there are iterations, from one end to the other. */
bool echo_tail_is_full(const EchoTail *tail, const EchoType *type, const EchoRollLine *line);
/* Of what an iteration makes and the same in the next one behind those found; `user`: EchoTail. */
EchoShiftLeaf echo_tail_leaf(void *user, EchoValue *from, EchoValue *to);

/* Of a state, from what it is made; states of which nothing is known are left. O(ops). */
void echo_tail_find_path(EchoTail *tail, uint32_t i);
/* What state `i` is after one more iteration; NULL: not known. The pairs that are found stay in
 * `shift`. O(ops that read what the iteration is made of, each with what the state is made of). */
EchoValue *echo_tail_find_state(EchoTail *tail, EchoShift *shift, uint32_t i);

/* Whether all stacks can begin longer, and all that is read row by row goes on. */
bool echo_tail_can_extend(EchoTail *tail);
/* The longer loop in the place of the old one, which is left without readers but for ops that
 * nobody reads. False where the counter's type does not hold it. */
bool echo_tail_write(EchoTail *tail);

#ifdef __cplusplus
}
#endif

#endif
