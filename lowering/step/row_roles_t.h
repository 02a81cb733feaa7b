/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an op does along its leading dimension: whether rows [a, b) of its operands are all that
 * rows [a, b) of its result are computed from. Shapes and numbers only; not a rewrite. Private to
 * lowering/. */
#ifndef ECHO_LOWERING_STEP_ROW_ROLES_T_H
#define ECHO_LOWERING_STEP_ROW_ROLES_T_H

#include "ir/table/op_info.h"

typedef enum EchoRowRole {
  ECHO_ROWS_NONE,    /* rows meet in another way, or it cannot be told */
  ECHO_ROWS_EACH,    /* each row of the result from that row of the operands that follow */
  ECHO_ROWS_PRODUCT, /* the same by a contraction over other dimensions */
  ECHO_ROWS_SUM      /* the result is a sum over rows: of contractions, or a reduction that adds */
} EchoRowRole;

/* The role of `op`; bit i of *follows is set when rows of operand i go with the result's (or, for
 * sums, are what is added up). The leading dimensions of those operands, and of the result but for
 * sums, are of one size. */
EchoRowRole echo_row_role(const EchoOp *op, uint32_t *follows);

#endif
