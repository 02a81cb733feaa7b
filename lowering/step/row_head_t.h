/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A contraction and what can be done with its rows before the next ones are looked at: found by
 * find_rows.c, completed by pull_rows.c, written by write_chunks.c. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_ROW_HEAD_T_H
#define ECHO_LOWERING_STEP_ROW_HEAD_T_H

#include "base/map.h"
#include "base/vector.h"
#include "lowering/step/row_roles_t.h"

/* The chunks run once, or a second time behind what depends on all of the first: the gradient of
 * attention needs what comes after it. */
#define ECHO_MAX_ROW_SPANS 2

typedef enum EchoRowClass {
  ECHO_CLASS_NONE,   /* does not depend on the contraction */
  ECHO_CLASS_ROWS,   /* has its rows */
  ECHO_CLASS_PULLED, /* does not depend on the rows, but is made chunk by chunk too */
  ECHO_CLASS_DONE    /* depends on it, and is whole */
} EchoRowClass;

/* What a value is to a head. */
typedef struct EchoRowState {
  EchoRowClass value_class;
  EchoRowDims rows; /* none unless its class is ECHO_CLASS_ROWS */
  uint8_t span;     /* in or behind which it is there */
} EchoRowState;

typedef struct EchoRowMember {
  EchoOp *op;
  EchoRowRole role;
  EchoRowUse use;
  bool is_pulled; /* it does not depend on the root, but is made chunk by chunk too */
  uint8_t span;
} EchoRowMember;

typedef ECHO_VECTOR(EchoOp *) EchoOpList;

/* A slice of a stack that a loop hands to this one, whose rows the chunks cut: all that reads it
 * is a member. */
typedef struct EchoRowView {
  EchoValue *value;
  EchoRowDims rows;
} EchoRowView;

typedef struct EchoRowHead {
  EchoContext *ctx;
  EchoOp *root;
  EchoOp *places[ECHO_MAX_ROW_SPANS]; /* the chunks of a span stand before it; the first: root */
  uint8_t n_spans;                    /* 1 or 2 */
  EchoRowUse root_use;
  int64_t n_rows, rows_a_chunk;
  bool writes_stacks;     /* rows may end in stacks of a loop that are read in chunks, */
  int64_t stack_rows;     /* of so many rows; 0: there are none */
  uint64_t bytes;         /* of the root's result */
  uint64_t largest_bytes; /* of what has its rows */
  bool has_gradient;      /* contractions of the root's gradient are members */
  bool is_own_gradient;   /* no others are, in one span */
  uint64_t sum_bytes;     /* of all sums over rows, as they are added up */
  uint64_t row_bytes;     /* of what contractions give back, row by row */
  bool saves_little; /* what comes out of all spans takes more than half of the root's result */
  EchoMap state_of;  /* value -> echo_row_state */
  EchoMap is_member; /* op -> 1: replaced by the chunks */
  ECHO_VECTOR(EchoRowView) views;
  ECHO_VECTOR(EchoRowMember) members; /* in the order of the block once they are written */
} EchoRowHead;

EchoRowState echo_row_state(const EchoRowHead *head, const EchoValue *value);
/* Of all results of `op`. */
void echo_set_row_state(EchoRowHead *head, const EchoOp *op, EchoRowState state);
/* One number throughout. */
bool echo_is_splat(const EchoValue *value);
/* A value of less than a sixteenth of the root's result: it may be whole. */
bool echo_is_small_row(const EchoRowHead *head, const EchoType *type);
/* A value of more than half of it. */
bool echo_is_wide_row(const EchoRowHead *head, const EchoType *type);
/* It does not depend on the rows of `span`, and is whole before it. */
bool echo_row_is_outer(const EchoRowHead *head, const EchoValue *value, uint8_t span);
/* Whether the member cuts something wide of that kind which the block makes: not an argument, nor
 * what the loop around the head carries or reads from outside, for that stands there whether in
 * chunks or not. */
bool echo_row_cuts_wide(const EchoRowHead *head, const EchoRowMember *member);
/* What sums over rows are added up in: a float type of fewer than 32 bits would round each time. */
const EchoType *echo_row_sum_type(EchoContext *ctx, const EchoType *type);

/* Fills in members, views and bytes, in at most `n_spans` spans; of `head` are set: ctx, root,
 * root_use, n_rows, bytes, writes_stacks. Ops that depend on views move behind the root. False when
 * somebody needs a large value whole, or what comes out of the chunks of a span is no smaller than
 * half of it. */
bool echo_find_rows(EchoRowHead *head, uint8_t n_spans);
void echo_row_head_destroy(EchoRowHead *head);
/* What makes large operands of the members becomes a member where that is better; all that members
 * need moves before their chunks. False when something may not move, or when something as wide as
 * the root's result stays whole beside the chunks of more than a gradient of their own: they gain
 * little then. */
bool echo_pull_rows(EchoRowHead *head);
/* Replaces the members by chunks of rows_a_chunk rows, the last of what is left, at their places.
 */
void echo_write_chunks(const EchoRowHead *head);

#endif
