/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of chlo ops. Broadcasting aligns dimensions at the end (numpy), or puts the operand of
 * lower rank where broadcast_dimensions says. */
#include "dialects/chlo/chlo_t.h"
#include "dialects/stablehlo/infer/shape_t.h"

typedef struct Shape {
  int64_t dims[ECHO_MAX_RANK];
  size_t rank;
} Shape;

/* Takes a size into a broadcast dimension: 1 gives way. */
static bool stretch(const EchoOpState *state, int64_t *dim, int64_t size)
{
  if (*dim == 1 || *dim == size) {
    *dim = size;
    return true;
  }
  if (size == 1)
    return true;
  if (*dim != ECHO_DYNAMIC && size != ECHO_DYNAMIC)
    return echo_hlo_error(state, "operands have sizes %lld and %lld in one dimension",
                          (long long)*dim, (long long)size);
  *dim = *dim == ECHO_DYNAMIC ? size : *dim;
  return true;
}

/* Lays `type` over the shape at the end. */
static bool overlay(const EchoOpState *state, Shape *shape, const EchoType *type)
{
  size_t rank = echo_type_rank(type);
  if (rank > shape->rank) {
    for (size_t d = shape->rank; d-- > 0;)
      shape->dims[d + rank - shape->rank] = shape->dims[d];
    for (size_t d = 0; d < rank - shape->rank; ++d)
      shape->dims[d] = 1;
    shape->rank = rank;
  }
  for (size_t d = 0; d < rank; ++d)
    if (!stretch(state, &shape->dims[shape->rank - rank + d], echo_type_dim(type, d)))
      return false;
  return true;
}

/* The operand of lower rank goes where the list says. */
static bool overlay_at(const EchoOpState *state, Shape *shape, const EchoType *large,
                       const EchoType *small, EchoDimList places)
{
  if (!echo_hlo_check_size(state, places.size, echo_type_rank(small), "broadcast_dimensions") ||
      !echo_hlo_check_dims(state, places, echo_type_rank(large), "broadcast_dimensions") ||
      !overlay(state, shape, large))
    return false;
  for (size_t d = 0; d < places.size; ++d)
    if (!stretch(state, &shape->dims[places.dims[d]], echo_type_dim(small, d)))
      return false;
  return true;
}

static bool infer_binary(const EchoOpState *state, const EchoType *element, const EchoType **types,
                         size_t *n_types)
{
  const EchoType *lhs = echo_hlo_state_type(state, 0), *rhs = echo_hlo_state_type(state, 1);
  Shape shape = {.rank = 0};
  if (!echo_hlo_elements_agree(lhs, rhs))
    return echo_hlo_error(state,
                          "requires the same element type for all operands, but got '%s' and '%s'",
                          echo_type_text(state->ctx, lhs), echo_type_text(state->ctx, rhs));
  if (!echo_type_is_tensor(lhs) || !echo_type_is_tensor(rhs))
    return echo_hlo_infer_one(types, n_types, echo_type_unranked_tensor(state->ctx, element));
  bool ok;
  if (echo_hlo_state_attr_or_null(state, "broadcast_dimensions") == NULL ||
      echo_type_rank(lhs) == echo_type_rank(rhs)) {
    ok = overlay(state, &shape, lhs) && overlay(state, &shape, rhs);
  } else {
    bool left_is_larger = echo_type_rank(lhs) > echo_type_rank(rhs);
    ok = overlay_at(state, &shape, left_is_larger ? lhs : rhs, left_is_larger ? rhs : lhs,
                    echo_hlo_state_dims(state, "broadcast_dimensions"));
  }
  return ok && echo_hlo_infer_one(types, n_types,
                                  echo_hlo_make_tensor(state, shape.dims, shape.rank, element));
}

bool echo_chlo_infer_broadcast_binary(const EchoOpState *state, const EchoRegion *regions,
                                      const EchoType **types, size_t *n_types)
{
  (void)regions;
  return infer_binary(state, echo_hlo_state_type(state, 0)->as.shaped.element, types, n_types);
}

bool echo_chlo_infer_broadcast_compare(const EchoOpState *state, const EchoRegion *regions,
                                       const EchoType **types, size_t *n_types)
{
  (void)regions;
  return infer_binary(state, echo_type_i1(state->ctx), types, n_types);
}

bool echo_chlo_infer_broadcast_complex(const EchoOpState *state, const EchoRegion *regions,
                                       const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *element = echo_hlo_state_type(state, 0)->as.shaped.element;
  return infer_binary(state, echo_type_complex(state->ctx, element), types, n_types);
}

bool echo_chlo_infer_broadcast_select(const EchoOpState *state, const EchoRegion *regions,
                                      const EchoType **types, size_t *n_types)
{
  (void)regions;
  Shape shape = {.rank = 0};
  const EchoType *element = echo_hlo_state_type(state, 1)->as.shaped.element;
  for (size_t i = 0; i < 3; ++i) {
    const EchoType *type = echo_hlo_state_type(state, i);
    if (!echo_type_is_tensor(type))
      return echo_hlo_infer_one(types, n_types, echo_type_unranked_tensor(state->ctx, element));
    if (!overlay(state, &shape, type))
      return false;
  }
  return echo_hlo_infer_one(types, n_types,
                            echo_hlo_make_tensor(state, shape.dims, shape.rank, element));
}

bool echo_chlo_infer_constant_like(const EchoOpState *state, const EchoRegion *regions,
                                   const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoAttr *value = echo_hlo_state_attr_or_null(state, "value");
  const EchoType *operand = echo_hlo_state_type(state, 0);
  if (value == NULL || value->type == NULL)
    return echo_hlo_error(state, "requires a typed attribute 'value'");
  return echo_hlo_infer_one(types, n_types,
                            echo_type_with_element(state->ctx, operand, value->type));
}

bool echo_chlo_infer_top_k(const EchoOpState *state, const EchoRegion *regions,
                           const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_type(state, 0);
  int64_t k = echo_hlo_state_i64(state, "k", 0), dims[ECHO_MAX_RANK];
  if (!echo_type_is_tensor(operand)) {
    types[0] = operand;
    types[1] = echo_type_unranked_tensor(state->ctx, echo_type_i32(state->ctx));
    *n_types = 2;
    return true;
  }
  if (echo_type_rank(operand) == 0)
    return echo_hlo_error(state, "operand's rank must be at least 1");
  if (echo_hlo_state_i64(state, "largest", 1) == 0) /* which MHLO's op of that name may say */
    return echo_hlo_error(state, "takes the largest elements: 'largest' must be true");
  size_t rank = echo_type_rank(operand);
  int64_t last = echo_type_dim(operand, rank - 1);
  if (k < 0 || (last != ECHO_DYNAMIC && k > last))
    return echo_hlo_error(state, "operand's last dimension must be at least %lld", (long long)k);
  for (size_t d = 0; d + 1 < rank; ++d)
    dims[d] = echo_type_dim(operand, d);
  dims[rank - 1] = k;
  types[0] = echo_hlo_make_tensor(state, dims, rank, operand->as.shaped.element);
  types[1] = echo_hlo_make_tensor(state, dims, rank, echo_type_i32(state->ctx));
  *n_types = 2;
  return true;
}
