/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of elementwise ops. */
#include "dialects/stablehlo/infer/infer_t.h"

/* Merges the shapes of operands [begin, end) (which must agree) and gives the merged type with
 * `element`. */
static const EchoType *merged_or_null(const EchoOpState *state, size_t begin, size_t end,
                                      const EchoType *element)
{
  const EchoType *first = echo_hlo_state_type(state, begin);
  if (!echo_type_is_tensor(first)) /* unranked, in chlo */
    return element == first->as.shaped.element ? first
                                               : echo_type_unranked_tensor(state->ctx, element);
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(first);
  bool any_dynamic = false;
  for (size_t d = 0; d < rank; ++d) {
    dims[d] = echo_type_dim(first, d);
    any_dynamic = any_dynamic || dims[d] == ECHO_DYNAMIC;
  }
  for (size_t i = begin + 1; i < end; ++i) {
    const EchoType *type = echo_hlo_state_type(state, i);
    if (!echo_hlo_shapes_agree(first, type)) {
      echo_hlo_error(state, "requires the same shape for all operands, but got '%s' and '%s'",
                     echo_type_text(state->ctx, first), echo_type_text(state->ctx, type));
      return NULL;
    }
    for (size_t d = 0; any_dynamic && echo_type_is_tensor(type) && d < rank; ++d)
      dims[d] = echo_hlo_merge_dim(dims[d], echo_type_dim(type, d));
  }
  if (!any_dynamic && first->as.shaped.encoding == NULL && element == first->as.shaped.element)
    return first;
  return echo_type_tensor(state->ctx, dims, rank, element, first->as.shaped.encoding);
}

static bool check_same_elements(const EchoOpState *state, size_t begin, size_t end)
{
  for (size_t i = begin + 1; i < end; ++i)
    if (!echo_hlo_elements_agree(echo_hlo_state_type(state, begin), echo_hlo_state_type(state, i)))
      return echo_hlo_error(
          state, "requires the same element type for all operands, but got '%s' and '%s'",
          echo_type_text(state->ctx, echo_hlo_state_type(state, begin)),
          echo_type_text(state->ctx, echo_hlo_state_type(state, i)));
  return true;
}

static bool check_has_operands(const EchoOpState *state, size_t n)
{
  return state->n_operands >= n ||
         echo_hlo_error(state, "expects %zu operands, got %u", n, state->n_operands);
}

static bool infer_merged(const EchoOpState *state, size_t begin, size_t end,
                         const EchoType *element, const EchoType **types, size_t *n_types)
{
  const EchoType *type = merged_or_null(state, begin, end, element);
  return type != NULL && echo_hlo_infer_one(types, n_types, type);
}

bool echo_hlo_infer_same_type(const EchoOpState *state, const EchoRegion *regions,
                              const EchoType **types, size_t *n_types)
{
  (void)regions;
  return check_has_operands(state, 1) && check_same_elements(state, 0, state->n_operands) &&
         infer_merged(state, 0, state->n_operands, echo_hlo_state_type(state, 0)->as.shaped.element,
                      types, n_types);
}

bool echo_hlo_infer_pred(const EchoOpState *state, const EchoRegion *regions,
                         const EchoType **types, size_t *n_types)
{
  (void)regions;
  return check_has_operands(state, 1) && check_same_elements(state, 0, state->n_operands) &&
         infer_merged(state, 0, state->n_operands, echo_type_i1(state->ctx), types, n_types);
}

bool echo_hlo_infer_real(const EchoOpState *state, const EchoRegion *regions,
                         const EchoType **types, size_t *n_types)
{
  (void)regions;
  return check_has_operands(state, 1) &&
         infer_merged(state, 0, 1,
                      echo_hlo_real_element(echo_hlo_state_type(state, 0)->as.shaped.element),
                      types, n_types);
}

bool echo_hlo_infer_complex(const EchoOpState *state, const EchoRegion *regions,
                            const EchoType **types, size_t *n_types)
{
  (void)regions;
  if (!check_has_operands(state, 2) || !check_same_elements(state, 0, 2))
    return false;
  const EchoType *element = echo_hlo_state_type(state, 0)->as.shaped.element;
  return infer_merged(state, 0, 2, echo_type_complex(state->ctx, element), types, n_types);
}

bool echo_hlo_infer_select(const EchoOpState *state, const EchoRegion *regions,
                           const EchoType **types, size_t *n_types)
{
  (void)regions;
  if (!check_has_operands(state, 3) || !check_same_elements(state, 1, 3))
    return false;
  const EchoType *pred = echo_hlo_state_type(state, 0);
  const EchoType *type =
      merged_or_null(state, 1, 3, echo_hlo_state_type(state, 1)->as.shaped.element);
  if (type == NULL)
    return false;
  const EchoType *on_true = echo_hlo_state_type(state, 1);
  if (echo_type_is_tensor(pred) && echo_type_rank(pred) != 0 &&
      !echo_hlo_shapes_agree(pred, on_true))
    return echo_hlo_error(state, "predicate '%s' is neither a scalar nor of the shape of '%s'",
                          echo_type_text(state->ctx, pred), echo_type_text(state->ctx, on_true));
  return echo_hlo_infer_one(types, n_types, type);
}

bool echo_hlo_infer_clamp(const EchoOpState *state, const EchoRegion *regions,
                          const EchoType **types, size_t *n_types)
{
  (void)regions;
  if (!check_has_operands(state, 3) || !check_same_elements(state, 0, 3))
    return false;
  const EchoType *operand = echo_hlo_state_type(state, 1);
  for (size_t i = 0; i < 3; i += 2) {
    const EchoType *bound = echo_hlo_state_type(state, i);
    if (echo_type_is_tensor(bound) && echo_type_rank(bound) != 0 &&
        !echo_hlo_shapes_agree(bound, operand))
      return echo_hlo_error(state, "%s '%s' is neither a scalar nor of the shape of '%s'",
                            i == 0 ? "min" : "max", echo_type_text(state->ctx, bound),
                            echo_type_text(state->ctx, operand));
  }
  return echo_hlo_infer_one(types, n_types, operand);
}

bool echo_hlo_verify_same_shape(const EchoOp *op)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  return echo_hlo_shapes_agree(operand, result) ||
         echo_op_error(op, "requires the same shape for operand and result, but got '%s' and '%s'",
                       echo_type_text(echo_op_context(op), operand),
                       echo_type_text(echo_op_context(op), result));
}

/* Bits of an element as it is stored; 0 when it is not known. */
static uint32_t element_bits(const EchoType *type)
{
  EchoQuantized quantized;
  const EchoType *element = type->as.shaped.element;
  if (!echo_hlo_is_quantized(element))
    return echo_type_bit_width(element);
  if (!echo_quantized_read(element, &quantized))
    return 0;
  echo_quantized_destroy(&quantized);
  return quantized.storage_bits;
}

/* The narrower type has one dimension more at the end, of the ratio of the widths. */
bool echo_hlo_verify_bitcast_convert(const EchoOp *op)
{
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  uint32_t from = element_bits(operand), to = element_bits(result);
  if ((operand->as.shaped.element->kind == ECHO_TYPE_COMPLEX) !=
      (result->as.shaped.element->kind == ECHO_TYPE_COMPLEX))
    return echo_op_error(op, "cannot convert between real and complex types, but got '%s' and '%s'",
                         echo_type_text(echo_op_context(op), operand),
                         echo_type_text(echo_op_context(op), result));
  if (from == 0 || to == 0)
    return true;
  const EchoType *wide = from > to ? operand : result, *narrow = from > to ? result : operand;
  uint32_t wide_bits = from > to ? from : to, narrow_bits = from > to ? to : from;
  size_t rank = echo_type_rank(wide), extra = wide_bits != narrow_bits;
  if (echo_type_rank(narrow) != rank + extra)
    return echo_op_error(op, "rank of the narrower type must be %zu, but got %u", rank + extra,
                         echo_type_rank(narrow));
  for (size_t i = 0; i < rank; ++i)
    if (!echo_hlo_dims_agree(echo_type_dim(wide, i), echo_type_dim(narrow, i)))
      return echo_op_error(op, "operand and result differ in dimension %zu", i);
  if (extra != 0 && (wide_bits % narrow_bits != 0 ||
                     !echo_hlo_dims_agree(echo_type_dim(narrow, rank), wide_bits / narrow_bits)))
    return echo_op_error(op, "last dimension of the narrower type must be %u / %u", wide_bits,
                         narrow_bits);
  return true;
}
