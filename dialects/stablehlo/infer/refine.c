/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of results from operands that have become known. An op that takes a shape as an operand is
 * inferred as the static op that it is once that operand is a constant. */
#include "dialects/stablehlo/refine.h"

#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"

const EchoType *echo_stablehlo_refine_type(EchoContext *ctx, const EchoType *type,
                                           const EchoType *other)
{
  if (ctx == NULL || type == NULL || other == NULL || !echo_type_is_tensor(other) ||
      type->kind == ECHO_TYPE_OPAQUE)
    return type;
  if (!echo_type_is_tensor(type))
    return type->kind != ECHO_TYPE_UNRANKED_TENSOR
               ? type
               : echo_type_tensor(ctx, other->as.shaped.dims, echo_type_rank(other),
                                  echo_type_element(type), NULL);
  if (echo_type_rank(type) != echo_type_rank(other))
    return type;
  int64_t dims[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = echo_hlo_merge_dim(echo_type_dim(type, d), echo_type_dim(other, d));
  const EchoType *merged =
      echo_type_tensor(ctx, dims, echo_type_rank(type), echo_type_element(type), NULL);
  return type->as.shaped.encoding == NULL || echo_type_has_static_shape(merged) ? merged : type;
}

/* What `other` says of result `i` is taken over. */
static bool take(const EchoOp *op, size_t i, const EchoType *other, const EchoType **types)
{
  if (echo_type_is_tensor(types[i]) && echo_type_is_tensor(other) &&
      !echo_hlo_shapes_agree(types[i], other))
    return echo_op_error(op, "result %zu has type '%s', but its operands make it '%s'", i,
                         echo_type_text(echo_op_context(op), types[i]),
                         echo_type_text(echo_op_context(op), other));
  types[i] = echo_stablehlo_refine_type(echo_op_context(op), types[i], other);
  return true;
}

/* As `infer` has it of the state. */
static bool take_inferred(const EchoOp *op, const EchoOpState *state, EchoInferFn *infer,
                          const EchoType **types)
{
  size_t n = (size_t)op->n_results + op->n_operands + 64; /* see create_inferred in ir/builder.c */
  const EchoType **inferred = echo_alloc_array(n, sizeof *inferred);
  bool ok = infer(state, op->regions, inferred, &n);
  for (size_t i = 0; ok && i < n && i < op->n_results; ++i)
    ok = take(op, i, inferred[i], types);
  echo_free(inferred);
  return ok;
}

static bool take_hook(const EchoOp *op, EchoInferFn *infer, const EchoType **types)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  bool ok = take_inferred(op, &state, infer, types);
  echo_free(operands);
  return ok;
}

/* ---- a shape that is an operand ---- */

/* Result `i` has the shape that the constant in `operand` says. */
static bool take_shape_of(const EchoOp *op, size_t i, size_t operand, const EchoType **types)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n;
  if (!echo_hlo_constant_dims(op, operand, dims, &n))
    return true;
  for (size_t d = 0; d < n; ++d)
    if (dims[d] < 0)
      return echo_op_error(op, "dimension %zu of its result would be %lld", d, (long long)dims[d]);
  EchoContext *ctx = echo_op_context(op);
  return take(op, i, echo_type_tensor(ctx, dims, n, echo_type_element(types[i]), NULL), types);
}

/* The static op of operands [first, …): it has them as attributes `names`. */
static bool take_as_static(const EchoOp *op, size_t first, const char *const *names, size_t n_names,
                           EchoInferFn *infer, const EchoType **types)
{
  enum { MOST = 3 };
  EchoContext *ctx = echo_op_context(op);
  size_t n_own = op->properties != NULL ? op->properties->as.dictionary.size : 0;
  EchoNamedAttr *attrs = echo_alloc_array(n_own + MOST, sizeof *attrs);
  if (n_own != 0)
    memcpy(attrs, op->properties->as.dictionary.entries, n_own * sizeof *attrs);
  bool is_known = true, ok = true;
  for (size_t i = 0; i < n_names && is_known; ++i) {
    int64_t dims[ECHO_MAX_RANK];
    size_t n;
    is_known = echo_hlo_constant_dims(op, first + i, dims, &n);
    if (is_known)
      attrs[n_own + i] = (EchoNamedAttr){echo_str(names[i]), echo_attr_i64_array(ctx, dims, n)};
  }
  if (is_known) {
    EchoValue **operands;
    EchoOpState state = echo_hlo_state_of(op, &operands);
    state.n_operands = (uint32_t)first;
    state.properties = echo_attr_dictionary(ctx, attrs, n_own + n_names);
    ok = take_inferred(op, &state, infer, types);
    echo_free(operands);
  }
  echo_free(attrs);
  return ok;
}

static bool take_convolution(const EchoOp *op, const EchoType **types)
{
  const EchoAttr *padding = echo_value_constant_or_null(echo_op_operand(op, 2));
  EchoContext *ctx = echo_op_context(op);
  if (padding == NULL)
    return true;
  size_t n_own = op->properties != NULL ? op->properties->as.dictionary.size : 0;
  EchoNamedAttr *attrs = echo_alloc_array(n_own + 1, sizeof *attrs);
  if (n_own != 0)
    memcpy(attrs, op->properties->as.dictionary.entries, n_own * sizeof *attrs);
  attrs[n_own] = (EchoNamedAttr){ECHO_STR("padding"), padding};
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  state.n_operands = 2;
  state.properties = echo_attr_dictionary(ctx, attrs, n_own + 1);
  bool ok = take_inferred(op, &state, echo_hlo_infer_convolution, types);
  echo_free(operands);
  echo_free(attrs);
  return ok;
}

/* ---- calls that stand for an op whose shape is an operand ---- */

/* JAX's, of any target: the operand of each result's shape. */
static bool take_indexed_shapes(const EchoOp *op, const EchoAttr *indices, const EchoType **types)
{
  bool ok = true;
  for (size_t i = 0; ok && i < op->n_results && echo_type_is_tensor(types[i]); ++i) {
    int64_t operand = echo_elements_i64(indices, i);
    ok = operand < 0 || operand >= op->n_operands || take_shape_of(op, i, (size_t)operand, types);
  }
  return ok;
}

/* (operand, k): the last dimension has k elements. */
static bool take_top_k(const EchoOp *op, const EchoType **types)
{
  const EchoType *operand = echo_op_operand_type(op, 0);
  int64_t dims[ECHO_MAX_RANK], k;
  size_t n;
  if (op->n_operands != 2 || op->n_results != 2 || !echo_type_is_tensor(operand) ||
      echo_type_rank(operand) == 0 || !echo_hlo_constant_dims(op, 1, &k, &n) || n != 1)
    return true;
  size_t rank = echo_type_rank(operand);
  memcpy(dims, operand->as.shaped.dims, rank * sizeof *dims);
  if (k < 0 || (dims[rank - 1] != ECHO_DYNAMIC && k > dims[rank - 1]))
    return echo_op_error(op, "takes %lld of '%s'", (long long)k,
                         echo_type_text(echo_op_context(op), operand));
  dims[rank - 1] = k;
  for (size_t i = 0; i < 2; ++i)
    if (!take(op, i,
              echo_type_tensor(echo_op_context(op), dims, rank, echo_type_element(types[i]), NULL),
              types))
      return false;
  return true;
}

bool echo_stablehlo_called_windows(const EchoOp *call, EchoWindowDim *windows)
{
  enum { SIZE, STRIDE, BASE, WINDOW, PADDING, N_LISTS };
  size_t n = call->n_results;
  const EchoAttr *lists[N_LISTS];
  if (n == 0 || call->n_operands != 2 * n + N_LISTS ||
      !echo_type_is_tensor(echo_op_operand_type(call, 0)))
    return false;
  int64_t rank = echo_type_rank(echo_op_operand_type(call, 0));
  for (size_t k = 0; k < N_LISTS; ++k) {
    lists[k] = echo_value_constant_or_null(echo_op_operand(call, (uint32_t)(2 * n + k)));
    if (lists[k] == NULL || lists[k]->kind != ECHO_ATTR_DENSE_ELEMENTS ||
        echo_type_element(lists[k]->type)->kind != ECHO_TYPE_INTEGER ||
        echo_type_static_n_elements(lists[k]->type) != (k == PADDING ? 2 * rank : rank))
      return false;
  }
  for (size_t d = 0; d < (size_t)rank; ++d) {
    windows[d] = (EchoWindowDim){.size = echo_elements_i64(lists[SIZE], d),
                                 .stride = echo_elements_i64(lists[STRIDE], d),
                                 .base_dilation = echo_elements_i64(lists[BASE], d),
                                 .window_dilation = echo_elements_i64(lists[WINDOW], d),
                                 .padding_low = echo_elements_i64(lists[PADDING], 2 * d),
                                 .padding_high = echo_elements_i64(lists[PADDING], 2 * d + 1)};
    if (windows[d].size <= 0 || windows[d].stride <= 0 || windows[d].base_dilation <= 0 ||
        windows[d].window_dilation <= 0)
      return false;
  }
  return true;
}

static bool take_windows(const EchoOp *op, const EchoType **types)
{
  EchoWindowDim windows[ECHO_MAX_RANK];
  const EchoType *operand = echo_op_operand_type(op, 0);
  int64_t dims[ECHO_MAX_RANK];
  if (!echo_stablehlo_called_windows(op, windows) || !echo_type_has_static_shape(operand))
    return true;
  for (uint32_t d = 0; d < echo_type_rank(operand); ++d) {
    dims[d] = echo_stablehlo_window_output(&windows[d], echo_type_dim(operand, d));
    if (dims[d] < 0)
      return echo_op_error(op, "window dimension %u fits no dimension of '%s'", d,
                           echo_type_text(echo_op_context(op), operand));
  }
  for (size_t i = 0; i < op->n_results; ++i)
    if (!take(op, i,
              echo_type_tensor(echo_op_context(op), dims, echo_type_rank(operand),
                               echo_type_element(types[i]), NULL),
              types))
      return false;
  return true;
}

static bool take_call(const EchoOp *op, const EchoType **types)
{
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  const EchoAttr *indices = echo_op_attr_or_null(op, "indices_of_shape_operands");
  if (indices != NULL && indices->kind == ECHO_ATTR_DENSE_ELEMENTS &&
      echo_type_static_n_elements(indices->type) == op->n_results)
    return take_indexed_shapes(op, indices, types);
  if (echo_str_is(target, "stablehlo.dynamic_top_k"))
    return take_top_k(op, types);
  if (echo_str_is(target, "stablehlo.dynamic_reduce_window"))
    return take_windows(op, types);
  if (echo_str_is(target, "stablehlo.dynamic_rng_bit_generator") && op->n_operands == 2 &&
      op->n_results == 2)
    return take(op, 0, echo_op_operand_type(op, 0), types) && take_shape_of(op, 1, 1, types);
  return true;
}

/* ---- control flow: what goes in and what its regions end with ---- */

static bool take_operands(const EchoOp *op, const EchoType **types)
{
  bool ok = op->n_operands == op->n_results;
  for (uint32_t i = 0; ok && i < op->n_results; ++i)
    ok = take(op, i, echo_op_operand_type(op, i), types);
  return ok;
}

static bool take_branches(const EchoOp *op, const EchoType **types)
{
  for (uint32_t r = 0; r < op->n_regions; ++r) {
    const EchoOp *end = echo_hlo_terminator_or_null(&op->regions[r]);
    for (uint32_t i = 0; end != NULL && i < op->n_results && i < end->n_operands; ++i)
      if (!take(op, i, echo_op_operand_type(end, i), types))
        return false;
  }
  return true;
}

/* ---- which op ---- */

static bool take_rest(const EchoOp *op, const EchoType **types)
{
  const uint64_t shape = ECHO_ELEMENTWISE | ECHO_SAME_TYPE | ECHO_SAME_SHAPE;
  if (op->info->infer != NULL)
    return take_hook(op, op->info->infer, types);
  return (op->info->traits & shape) == 0 || op->n_operands == 0 || op->n_results != 1 ||
         take(op, 0, echo_op_operand_type(op, 0), types);
}

/* Elements of another width make another rank. */
static bool take_bitcast(const EchoOp *op, const EchoType **types)
{
  const EchoType *operand = echo_op_operand_type(op, 0);
  return !echo_type_is_tensor(operand) || !echo_type_is_tensor(types[0]) ||
         echo_type_element_bytes(operand) != echo_type_element_bytes(types[0]) ||
         echo_type_rank(operand) != echo_type_rank(types[0]) || take(op, 0, operand, types);
}

bool echo_stablehlo_refine_results(const EchoOp *op, const EchoType **types)
{
  static const char *const pads[] = {"edge_padding_low", "edge_padding_high", "interior_padding"};
  static const char *const slices[] = {"start_indices", "limit_indices", "strides"};
  static const char *const sizes[] = {"slice_sizes"};
  for (uint32_t i = 0; i < op->n_results; ++i)
    types[i] = echo_op_result_type(op, i);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_DYNAMIC_IOTA:
    return take_shape_of(op, 0, 0, types);
  case ECHO_HLO_DYNAMIC_BROADCAST_IN_DIM:
  case ECHO_HLO_DYNAMIC_RESHAPE:
    return take_shape_of(op, 0, 1, types);
  case ECHO_HLO_RNG:
    return take_shape_of(op, 0, 2, types);
  case ECHO_HLO_DYNAMIC_PAD:
    return take_as_static(op, 2, pads, 3, echo_hlo_infer_pad, types);
  case ECHO_HLO_REAL_DYNAMIC_SLICE:
    return take_as_static(op, 1, slices, 3, echo_hlo_infer_slice, types);
  case ECHO_HLO_DYNAMIC_GATHER:
    return take_as_static(op, 2, sizes, 1, echo_hlo_infer_gather, types);
  case ECHO_HLO_DYNAMIC_CONV:
    return take_convolution(op, types);
  case ECHO_HLO_DOT:
    return take_hook(op, echo_hlo_infer_dot, types);
  case ECHO_HLO_DOT_GENERAL:
    return take_hook(op, echo_hlo_infer_dot_general, types);
  case ECHO_HLO_CONVOLUTION:
    return take_hook(op, echo_hlo_infer_convolution, types);
  case ECHO_HLO_BITCAST_CONVERT:
    return take_bitcast(op, types);
  case ECHO_HLO_CUSTOM_CALL:
    return take_call(op, types);
  case ECHO_HLO_WHILE:
  case ECHO_HLO_OPTIMIZATION_BARRIER:
    return take_operands(op, types);
  case ECHO_HLO_CASE:
  case ECHO_HLO_IF:
    return take_branches(op, types);
  default:
    return take_rest(op, types);
  }
}
