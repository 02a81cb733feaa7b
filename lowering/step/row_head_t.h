/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A contraction and what can be done with its rows before the next ones are looked at: found by
 * chunk_rows.c, written by write_chunks.c. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_ROW_HEAD_T_H
#define ECHO_LOWERING_STEP_ROW_HEAD_T_H

#include "base/map.h"
#include "base/vector.h"
#include "lowering/step/row_roles_t.h"

typedef struct EchoRowMember {
  EchoOp *op;
  EchoRowRole role;
  EchoRowUse use;
  bool is_pulled; /* it does not depend on the root, but is made chunk by chunk too */
} EchoRowMember;

typedef struct EchoRowHead {
  EchoContext *ctx;
  EchoOp *root;
  EchoRowUse root_use;
  int64_t n_rows, rows_a_chunk;
  uint64_t bytes;                     /* of the root's result */
  uint64_t largest_bytes;             /* of what has its rows */
  bool has_gradient;                  /* contractions of the root's gradient are members */
  uint64_t sum_bytes;                 /* of all sums over rows, as they are added up */
  uint64_t row_bytes;                 /* of what contractions give back, row by row */
  EchoMap class_of;                   /* value -> what it is in chunk_rows.c */
  EchoMap is_member;                  /* op -> 1: replaced by the chunks */
  ECHO_VECTOR(EchoRowMember) members; /* in the order of the block once they are written */
} EchoRowHead;

/* One number throughout. */
bool echo_is_splat(const EchoValue *value);
/* What sums over rows are added up in: a float type of fewer than 32 bits would round each time. */
const EchoType *echo_row_sum_type(EchoContext *ctx, const EchoType *type);
/* Replaces the members by chunks of rows_a_chunk rows, the last of what is left, at the root. */
void echo_write_chunks(const EchoRowHead *head);

#endif
