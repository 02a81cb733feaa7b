/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts that a custom call names, as transposes. */
#include "dialects/stablehlo/build.h"
#include "lowering/calls/custom_calls_t.h"

/* Entry i of the layouts; NULL: none is said. */
static const EchoAttr *layout_or_null(const EchoOp *op, const char *name, size_t i)
{
  const EchoAttr *all = echo_op_attr_or_null(op, name);
  return all != NULL && all->kind == ECHO_ATTR_ARRAY && i < all->as.array.size
             ? all->as.array.elements[i]
             : NULL;
}

bool echo_layout_order(const EchoOp *call, const char *layouts, size_t i, size_t rank,
                       int64_t *order)
{
  const EchoAttr *layout = layout_or_null(call, layouts, i);
  bool seen[ECHO_MAX_RANK] = {false};
  for (size_t d = 0; d < rank; ++d)
    order[d] = (int64_t)d;
  if (layout == NULL)
    return true;
  if (layout->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_static_n_elements(layout->type) != (int64_t)rank)
    return false;
  for (size_t d = 0; d < rank; ++d) {
    int64_t dim = echo_elements_i64(layout, d);
    if (dim < 0 || dim >= (int64_t)rank || seen[dim])
      return false;
    seen[dim] = true;
    order[rank - 1 - d] = dim;
  }
  return true;
}

const EchoType *echo_layout_type(EchoContext *ctx, const EchoType *type, const int64_t *order)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(type);
  for (size_t i = 0; i < rank; ++i)
    dims[i] = echo_type_dim(type, (size_t)order[i]);
  return echo_hlo_tensor(ctx, dims, rank, type->as.shaped.element);
}

EchoValue *echo_layout_undo(EchoBuilder *builder, EchoValue *value, const int64_t *order)
{
  int64_t inverse[ECHO_MAX_RANK];
  for (size_t i = 0; i < echo_type_rank(value->type); ++i)
    inverse[order[i]] = (int64_t)i;
  return echo_hlo_transpose(builder, value, inverse);
}
