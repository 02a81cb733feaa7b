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
  if (echo_type_rank(type) != echo_type_rank(other) || type->as.shaped.encoding != NULL)
    return type;
  int64_t dims[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = echo_hlo_merge_dim(echo_type_dim(type, d), echo_type_dim(other, d));
  return echo_type_tensor(ctx, dims, echo_type_rank(type), echo_type_element(type), NULL);
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

static bool take_said_shape(const EchoOp *op, size_t operand, const EchoType **types)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n;
  if (!echo_hlo_constant_dims(op, operand, dims, &n))
    return true;
  for (size_t d = 0; d < n; ++d)
    if (dims[d] < 0)
      return echo_op_error(op, "dimension %zu of its result would be %lld", d, (long long)dims[d]);
  EchoContext *ctx = echo_op_context(op);
  return take(op, 0, echo_type_tensor(ctx, dims, n, echo_type_element(types[0]), NULL), types);
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
    return take_said_shape(op, 0, types);
  case ECHO_HLO_DYNAMIC_BROADCAST_IN_DIM:
  case ECHO_HLO_DYNAMIC_RESHAPE:
    return take_said_shape(op, 1, types);
  case ECHO_HLO_RNG:
    return take_said_shape(op, 2, types);
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
