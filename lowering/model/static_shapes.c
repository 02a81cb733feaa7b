/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops whose shapes are operands, where these are constants and the result's type says the same: the
 * ops that have the shapes as attributes. */
#include "dialects/stablehlo/build.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

typedef struct Numbers {
  int64_t values[ECHO_MAX_RANK];
  size_t n;
} Numbers;

/* The constant that operand `i` is, a list of at most ECHO_MAX_RANK integers; false where it is
 * none. */
static bool read_numbers(const EchoOp *op, size_t i, Numbers *numbers)
{
  const EchoAttr *value = echo_value_constant_or_null(echo_op_operand(op, i));
  if (value == NULL || value->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_rank(value->type) != 1 || echo_type_static_n_elements(value->type) > ECHO_MAX_RANK)
    return false;
  numbers->n = (size_t)echo_type_static_n_elements(value->type);
  for (size_t k = 0; k < numbers->n; k++)
    numbers->values[k] = echo_elements_i64(value, k);
  return true;
}

/* Whether operand `i` says the shape of the (static) result: as a constant, or by the result's
 * type, which a shape that is computed is to agree with. */
static bool says_shape(const EchoOp *op, size_t i)
{
  const EchoType *type = echo_op_result_type(op, 0);
  Numbers shape;
  if (!echo_type_has_static_shape(type))
    return false;
  if (echo_value_constant_or_null(echo_op_operand(op, i)) == NULL)
    return echo_type_rank(echo_op_operand_type(op, i)) == 1 &&
           echo_type_dim(echo_op_operand_type(op, i), 0) == (int64_t)echo_type_rank(type);
  if (!read_numbers(op, i, &shape) || shape.n != echo_type_rank(type))
    return false;
  for (size_t k = 0; k < shape.n; k++)
    if (shape.values[k] != echo_type_dim(type, k))
      return false;
  return true;
}

static bool replace(EchoRewriter *rewriter, EchoOp *op, EchoValue *value)
{
  if (value == NULL || value->type != echo_op_result_type(op, 0))
    return false;
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}

static bool lower_reshape(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  return says_shape(op, 1) && echo_type_has_static_shape(echo_op_operand_type(op, 0)) &&
         echo_type_static_n_elements(type) ==
             echo_type_static_n_elements(echo_op_operand_type(op, 0)) &&
         replace(rewriter, op,
                 echo_hlo_reshape(&rewriter->builder, echo_op_operand(op, 0), type->as.shaped.dims,
                                  echo_type_rank(type)));
}

/* Each dimension of the operand is one of the result, as it is or stretched. */
static bool can_broadcast(const EchoType *operand, const EchoType *result, EchoDimList dims)
{
  if (!echo_type_has_static_shape(operand) || dims.size != echo_type_rank(operand))
    return false;
  for (size_t i = 0; i < dims.size; i++) {
    int64_t size = echo_type_dim(operand, i);
    if (dims.dims[i] < 0 || dims.dims[i] >= (int64_t)echo_type_rank(result) ||
        (size != 1 && size != echo_type_dim(result, (size_t)dims.dims[i])))
      return false;
  }
  return true;
}

static bool lower_broadcast(EchoRewriter *rewriter, EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  return says_shape(op, 1) &&
         can_broadcast(echo_op_operand_type(op, 0), echo_op_result_type(op, 0), dims) &&
         replace(rewriter, op,
                 echo_hlo_broadcast_in_dim(&rewriter->builder, echo_op_operand(op, 0),
                                           echo_op_result_type(op, 0), dims.dims, dims.size));
}

static bool lower_iota(EchoRewriter *rewriter, EchoOp *op)
{
  return says_shape(op, 0) && replace(rewriter, op,
                                      echo_hlo_iota(&rewriter->builder, echo_op_result_type(op, 0),
                                                    echo_op_attr_i64(op, "iota_dimension", 0)));
}

/* Of rank-many amounts each. */
static bool read_amounts(const EchoOp *op, size_t first, Numbers amounts[3])
{
  size_t rank = echo_type_rank(echo_op_operand_type(op, 0));
  for (size_t i = 0; i < 3; i++)
    if (!read_numbers(op, first + i, &amounts[i]) || amounts[i].n != rank)
      return false;
  return echo_type_has_static_shape(echo_op_operand_type(op, 0)) &&
         echo_type_has_static_shape(echo_op_result_type(op, 0));
}

static bool lower_pad(EchoRewriter *rewriter, EchoOp *op)
{
  Numbers amounts[3]; /* low, high, interior */
  const EchoType *type = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  if (!read_amounts(op, 2, amounts))
    return false;
  for (size_t d = 0; d < echo_type_rank(type); d++) {
    int64_t size = echo_type_dim(type, d), inside = amounts[2].values[d];
    int64_t gaps = size > 0 ? (size - 1) * inside : 0;
    if (inside < 0 ||
        amounts[0].values[d] + size + gaps + amounts[1].values[d] != echo_type_dim(result, d))
      return false;
  }
  return replace(rewriter, op,
                 echo_hlo_pad(&rewriter->builder, echo_op_operand(op, 0), echo_op_operand(op, 1),
                              amounts[0].values, amounts[1].values, amounts[2].values));
}

static bool lower_slice(EchoRewriter *rewriter, EchoOp *op)
{
  Numbers amounts[3]; /* start, limit, stride */
  const EchoType *type = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  if (!read_amounts(op, 1, amounts))
    return false;
  for (size_t d = 0; d < echo_type_rank(type); d++) {
    int64_t start = amounts[0].values[d], limit = amounts[1].values[d];
    int64_t stride = amounts[2].values[d];
    if (start < 0 || start > limit || limit > echo_type_dim(type, d) || stride < 1 ||
        (limit - start + stride - 1) / stride != echo_type_dim(result, d))
      return false;
  }
  return replace(rewriter, op,
                 echo_hlo_slice(&rewriter->builder, echo_op_operand(op, 0), amounts[0].values,
                                amounts[1].values, amounts[2].values));
}

static bool lower_gather(EchoRewriter *rewriter, EchoOp *op)
{
  Numbers sizes;
  EchoContext *ctx = rewriter->builder.ctx;
  const EchoType *result = echo_op_result_type(op, 0);
  if (!read_numbers(op, 2, &sizes) || !echo_type_has_static_shape(result))
    return false;
  const EchoAttrArg attrs[] = {
      {"dimension_numbers", echo_op_attr_or_null(op, "dimension_numbers")},
      {"slice_sizes", echo_attr_i64_array(ctx, sizes.values, sizes.n)},
      {"indices_are_sorted", echo_op_attr_or_null(op, "indices_are_sorted")}};
  EchoValue *operands[] = {echo_op_operand(op, 0), echo_op_operand(op, 1)};
  return replace(rewriter, op,
                 echo_built_result(echo_build_op(&rewriter->builder, "stablehlo.gather", operands,
                                                 2, &result, 1, attrs, 3)));
}

/* The padding is a constant of two numbers a spatial dimension. */
static bool lower_convolution(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoAttr *padding = echo_value_constant_or_null(echo_op_operand(op, 2));
  const EchoType *result = echo_op_result_type(op, 0);
  if (padding == NULL || padding->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      !echo_type_has_static_shape(result))
    return false;
  EchoContext *ctx = rewriter->builder.ctx;
  size_t n = (size_t)echo_type_static_n_elements(padding->type);
  int64_t *values = echo_alloc_array(n + 1, sizeof *values);
  for (size_t i = 0; i < n; i++)
    values[i] = echo_elements_i64(padding, i);
  const EchoType *type =
      echo_type_tensor(ctx, padding->type->as.shaped.dims, echo_type_rank(padding->type),
                       echo_type_integer(ctx, 64, ECHO_SIGNLESS), NULL);
  static const char *const KEPT[] = {
      "window_strides",    "lhs_dilation",        "rhs_dilation",      "window_reversal",
      "dimension_numbers", "feature_group_count", "batch_group_count", "precision_config"};
  enum { N_KEPT = sizeof KEPT / sizeof KEPT[0] };
  EchoAttrArg attrs[N_KEPT + 1] = {
      {"padding", echo_attr_elements(ctx, type, values, n * sizeof *values, false)}};
  for (size_t i = 0; i < N_KEPT; i++)
    attrs[i + 1] = (EchoAttrArg){KEPT[i], echo_op_attr_or_null(op, KEPT[i])};
  EchoValue *operands[] = {echo_op_operand(op, 0), echo_op_operand(op, 1)};
  EchoOp *convolution = echo_build_op(&rewriter->builder, "stablehlo.convolution", operands, 2,
                                      &result, 1, attrs, N_KEPT + 1);
  echo_free(values);
  return replace(rewriter, op, echo_built_result(convolution));
}

/* Of an operand whose shape is known the operand: those who read it are refined in turn. */
static bool lower_cast(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *x = echo_op_operand(op, 0);
  if (!echo_type_has_static_shape(x->type))
    return false;
  echo_rewriter_replace(rewriter, op, &x);
  return true;
}

/* So many of the dimension as the constant says; what comes after them nobody may read. */
static bool lower_set_size(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  const EchoAttr *size = echo_value_constant_or_null(echo_op_operand(op, 1));
  int64_t dimension = echo_op_attr_i64(op, "dimension", 0);
  if (!echo_type_has_static_shape(type) || size == NULL || size->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      dimension < 0 || dimension >= (int64_t)echo_type_rank(type))
    return false;
  int64_t n = echo_elements_i64(size, 0);
  if (n < 0 || n > echo_type_dim(type, (size_t)dimension))
    return false;
  EchoValue *x = echo_op_operand(op, 0);
  EchoValue *part = echo_hlo_slice_dim(&rewriter->builder, x, dimension, 0, n);
  echo_rewriter_replace(rewriter, op, &part);
  return true;
}

const EchoPattern ECHO_STATIC_SHAPES_PATTERNS[] = {
    {"stablehlo.dynamic_broadcast_in_dim", 0, lower_broadcast, "broadcast_in_dim"},
    {"stablehlo.dynamic_conv", 0, lower_convolution, "convolution"},
    {"stablehlo.dynamic_gather", 0, lower_gather, "gather"},
    {"stablehlo.dynamic_iota", 0, lower_iota, "iota"},
    {"stablehlo.dynamic_pad", 0, lower_pad, "pad"},
    {"stablehlo.dynamic_reshape", 0, lower_reshape, "reshape"},
    {"stablehlo.real_dynamic_slice", 0, lower_slice, "slice"},
    {"stablehlo.set_dimension_size", 0, lower_set_size, "slice"},
    {"tensor.cast", 0, lower_cast, "its operand"},
};
const size_t ECHO_N_STATIC_SHAPES_PATTERNS =
    sizeof ECHO_STATIC_SHAPES_PATTERNS / sizeof ECHO_STATIC_SHAPES_PATTERNS[0];
