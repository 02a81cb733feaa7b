/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where each dimension of an operand comes out in the results of an op: one case a kind of op.
 * Shapes and attributes only. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_DIM_MAP_T_H
#define ECHO_LOWERING_STEP_DIM_MAP_T_H

#include "ir/table/op_info.h"

/* Beside the numbers of the results' dimensions: */
#define ECHO_DIM_MIXED (-1) /* not element by element */
/* Added up, or contracted: ECHO_DIM_GONE - k is the k-th of such, the same of all operands that
 * meet there. */
#define ECHO_DIM_GONE (-2)

/* Fills to[0 .. rank of operand i); it has room for ECHO_MAX_RANK. False where the op has no such
 * map. Every shape is static; a reshape has none: look at what stands before its dimensions. */
bool echo_dim_map(const EchoOp *op, uint32_t i, int *to);

#endif
