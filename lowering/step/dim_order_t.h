/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values in another order of their dimensions: dimension d of one is dimension order[d] of the
 * other, which it is the transpose of. Private to lowering/. */
#ifndef ECHO_LOWERING_STEP_DIM_ORDER_T_H
#define ECHO_LOWERING_STEP_DIM_ORDER_T_H

#include "base/map.h"
#include "ir/builder.h"

/* The type of the other. */
const EchoType *echo_order_type(EchoContext *ctx, const EchoType *type, const int64_t *order);
/* Whether the value, a tensor, can be made in another order as well as in its own: one number,
 * counted, or repeated from what is there. */
bool echo_has_any_order(const EchoValue *value);
/* Such a value, of at least one dimension, in the other order. */
EchoValue *echo_build_in_order(EchoBuilder *builder, EchoValue *value, const int64_t *order);
/* A copy of the op, elementwise, before it, with these operands (by value, EchoMap of pointers),
 * which have `type`'s shape. Returns its result. */
EchoValue *echo_clone_map(EchoOp *op, EchoMap *operands, const EchoType *type);

#endif
