/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an op does along its rows: whether rows [a, b) of its operands are all that rows [a, b) of
 * its results are computed from. The rows of a value are consecutive dimensions of it taken as one,
 * in any number and at any place, so that [batch, time, words], [batch * time, words] and
 * [words, batch, time] have the same. Shapes and numbers only; writing the op for a part of its
 * rows is flatten_rows.c. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_ROW_ROLES_T_H
#define ECHO_LOWERING_STEP_ROW_ROLES_T_H

#include "ir/table/op_info.h"

/* An op of more has no role. */
#define ECHO_MAX_ROW_OPERANDS 16

/* Dimensions [first, first + n); n = 0: there are none. */
typedef struct EchoRowDims {
  uint8_t first, n;
  bool is_cut; /* they hold the rows; false: size 1, repeated for every row */
} EchoRowDims;

typedef enum EchoRowRole {
  ECHO_ROWS_NONE,    /* rows meet in another way, or it cannot be told */
  ECHO_ROWS_EACH,    /* each row of the results from that row of the operands that are cut */
  ECHO_ROWS_PRODUCT, /* the same by a contraction over other dimensions */
  ECHO_ROWS_SUM      /* the result is a sum over rows: of contractions, or a reduction that adds */
} EchoRowRole;

typedef struct EchoRowUse {
  EchoRowDims operands[ECHO_MAX_ROW_OPERANDS];
  EchoRowDims result; /* of every result; none of a sum */
} EchoRowUse;

/* Of dimensions [first, end) of a static shape. */
int64_t echo_dims_product(const EchoType *type, size_t first, size_t end);

/* Dimensions [first, first + n) without those of size 1 at either end. */
EchoRowDims echo_row_dims(const EchoType *type, size_t first, size_t n);

/* The role of `op` when its operands have the rows that `use` says (n_rows > 1 in all; none = not
 * known to have any). Fills in the rest: what else must be cut, and where results have their rows.
 */
EchoRowRole echo_rows_down(const EchoOp *op, int64_t n_rows, EchoRowUse *use);
/* The same from the rows of the results. */
EchoRowRole echo_rows_up(const EchoOp *op, int64_t n_rows, EchoRowUse *use);

/* The shape with `rows` as one dimension of `n_rows`. */
const EchoType *echo_flat_type(EchoContext *ctx, const EchoType *type, EchoRowDims rows,
                               int64_t n_rows);
/* Makes of an op, whose operands have become those of `use` with their rows as one dimension of
 * `n_rows` each, the op on them: attributes and result types. */
void echo_flatten_op(EchoOp *op, const EchoRowUse *use, int64_t n_rows);

#endif
