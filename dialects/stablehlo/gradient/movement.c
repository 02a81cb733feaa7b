/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of ops that move elements: the same movement backwards, summed where an element went to
 * several places. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"

/* gy when it exists and operand 0 wants it, else NULL. */
static EchoValue *wanted_or_null(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  return gy != NULL && echo_gradient_needs(g, echo_op_operand(op, 0)) ? gy : NULL;
}

static EchoValue *scalar_zero(EchoBuilder *b, EchoValue *like)
{
  return echo_hlo_scalar_f64(b, echo_type_element(like->type), 0);
}

/* The gradient of spreading `x` over gy's shape with x's dimension i at dims[i]: the sum over new
 * and stretched dimensions. */
static EchoValue *unbroadcast(EchoBuilder *b, EchoValue *gy, const EchoType *x, EchoDimList dims)
{
  int64_t summed[ECHO_MAX_RANK], permutation[ECHO_MAX_RANK];
  size_t n_summed = 0;
  uint32_t rank = echo_type_rank(gy->type);
  for (uint32_t d = 0; d < rank; d++) {
    bool is_kept = false;
    for (size_t i = 0; i < dims.size; i++)
      is_kept |= dims.dims[i] == d && echo_type_dim(x, i) == echo_type_dim(gy->type, d);
    if (!is_kept)
      summed[n_summed++] = d;
  }
  EchoValue *sum = n_summed != 0 ? echo_hlo_reduce_sum(b, gy, summed, n_summed) : gy;
  /* What is left stands in the order of gy's dimensions; x's own order may differ. */
  size_t n_kept = 0;
  for (size_t i = 0; i < dims.size; i++) {
    if (echo_type_dim(x, i) != echo_type_dim(gy->type, (size_t)dims.dims[i]))
      continue;
    int64_t position = 0;
    for (size_t k = 0; k < dims.size; k++)
      position += dims.dims[k] < dims.dims[i] &&
                  echo_type_dim(x, k) == echo_type_dim(gy->type, (size_t)dims.dims[k]);
    permutation[n_kept++] = position;
  }
  sum = echo_hlo_transpose(b, sum, permutation);
  return echo_hlo_reshape(b, sum, x->as.shaped.dims, echo_type_rank(x));
}

bool echo_hlo_differentiate_broadcast_in_dim(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op), *x = echo_op_operand(op, 0);
  if (gy != NULL)
    echo_gradient_add(
        g, x,
        unbroadcast(g->builder, gy, x->type, echo_stablehlo_dims(op, "broadcast_dimensions")));
  return true;
}

bool echo_hlo_differentiate_broadcast(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op);
  int64_t dims[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_dims(op, "broadcast_sizes").size;
  for (size_t i = 0; i < n; i++)
    dims[i] = (int64_t)i;
  if (gy != NULL)
    echo_gradient_add(g, echo_op_operand(op, 0),
                      n != 0 ? echo_hlo_reduce_sum(g->builder, gy, dims, n) : gy);
  return true;
}

bool echo_hlo_differentiate_reshape(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op), *x = echo_op_operand(op, 0);
  if (gy != NULL)
    echo_gradient_add(
        g, x, echo_hlo_reshape(g->builder, gy, x->type->as.shaped.dims, echo_type_rank(x->type)));
  return true;
}

bool echo_hlo_differentiate_transpose(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op);
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  int64_t inverse[ECHO_MAX_RANK];
  for (size_t i = 0; i < permutation.size; i++)
    inverse[permutation.dims[i]] = (int64_t)i;
  if (gy != NULL)
    echo_gradient_add(g, echo_op_operand(op, 0), echo_hlo_transpose(g->builder, gy, inverse));
  return true;
}

bool echo_hlo_differentiate_reverse(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op);
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  if (gy != NULL)
    echo_gradient_add(g, echo_op_operand(op, 0),
                      echo_hlo_reverse(g->builder, gy, dims.dims, dims.size));
  return true;
}

bool echo_hlo_differentiate_slice(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op);
  if (gy != NULL)
    echo_gradient_add_slice(g, echo_op_operand(op, 0), gy,
                            echo_stablehlo_dims(op, "start_indices").dims,
                            echo_stablehlo_dims(op, "strides").dims);
  return true;
}

bool echo_hlo_differentiate_concatenate(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  int64_t dimension = echo_op_attr_i64(op, "dimension", 0), start = 0;
  for (uint32_t i = 0; gy != NULL && i < op->n_operands; i++) {
    EchoValue *x = echo_op_operand(op, i);
    int64_t limit = start + echo_type_dim(x->type, (size_t)dimension);
    if (echo_gradient_needs(g, x))
      echo_gradient_add(g, x, echo_hlo_slice_dim(g->builder, gy, dimension, start, limit));
    start = limit;
  }
  return true;
}

/* What pad put in place: the elements of `padded` that came from the operand. With negative padding
 * some operand elements went nowhere; they come back as zeros. */
static EchoValue *unpad(EchoBuilder *b, EchoValue *padded, EchoOp *op, const EchoType *x)
{
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList interior = echo_stablehlo_dims(op, "interior_padding");
  int64_t cut_low[ECHO_MAX_RANK], cut_high[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  int64_t start[ECHO_MAX_RANK], limit[ECHO_MAX_RANK];
  uint32_t rank = echo_type_rank(x);
  for (uint32_t i = 0; i < rank; i++) {
    /* Undo edge padding first: pad by -low, -high, then take every (interior + 1)-th. */
    int64_t size = echo_type_dim(x, i);
    int64_t spread = size == 0 ? 0 : size + (size - 1) * interior.dims[i];
    cut_low[i] = -low.dims[i];
    cut_high[i] = spread - echo_type_dim(padded->type, i) + low.dims[i];
    strides[i] = interior.dims[i] + 1;
    start[i] = 0;
    limit[i] = spread;
  }
  EchoValue *cut = echo_hlo_pad(b, padded, scalar_zero(b, padded), cut_low, cut_high, NULL);
  return echo_hlo_slice(b, cut, start, limit, strides);
}

bool echo_hlo_differentiate_pad(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  EchoValue *x = echo_op_operand(op, 0), *value = echo_op_operand(op, 1);
  if (gy == NULL)
    return true;
  EchoValue *gx = NULL;
  if (echo_gradient_needs(g, x) || echo_gradient_needs(g, value))
    gx = unpad(b, gy, op, x->type);
  if (echo_gradient_needs(g, x))
    echo_gradient_add(g, x, gx);
  if (echo_gradient_needs(g, value)) { /* all of gy less what came from the operand */
    int64_t dims[ECHO_MAX_RANK];
    uint32_t rank = echo_type_rank(x->type);
    for (uint32_t i = 0; i < rank; i++)
      dims[i] = i;
    echo_gradient_add(g, value,
                      echo_hlo_subtract(b, echo_hlo_reduce_sum(b, gy, dims, rank),
                                        echo_hlo_reduce_sum(b, gx, dims, rank)));
  }
  return true;
}

/* The start operands of dynamic_slice (from 1) and dynamic_update_slice (from 2), as forward
 * values. */
static void start_operands(EchoOp *op, uint32_t first, EchoValue **starts)
{
  for (uint32_t i = first; i < op->n_operands; i++)
    starts[i - first] = echo_op_operand(op, i);
}

bool echo_hlo_differentiate_dynamic_slice(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = wanted_or_null(g, op), *x = echo_op_operand(op, 0);
  EchoValue *starts[ECHO_MAX_RANK];
  if (gy == NULL)
    return true;
  start_operands(op, 1, starts);
  EchoValue *zero = echo_hlo_constant_like(g->builder, x, 0);
  echo_gradient_add(g, x, echo_hlo_dynamic_update_slice(g->builder, zero, gy, starts));
  return true;
}

bool echo_hlo_differentiate_dynamic_update_slice(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  EchoValue *x = echo_op_operand(op, 0), *update = echo_op_operand(op, 1);
  EchoValue *starts[ECHO_MAX_RANK];
  if (gy == NULL)
    return true;
  start_operands(op, 2, starts);
  if (echo_gradient_needs(g, x)) {
    EchoValue *zero = echo_hlo_constant_like(b, update, 0);
    echo_gradient_add(g, x, echo_hlo_dynamic_update_slice(b, gy, zero, starts));
  }
  if (echo_gradient_needs(g, update))
    echo_gradient_add(g, update,
                      echo_hlo_dynamic_slice(b, gy, starts, update->type->as.shaped.dims));
  return true;
}

bool echo_hlo_differentiate_optimization_barrier(EchoGradient *g, EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++) {
    EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, i));
    if (gy != NULL && echo_gradient_needs(g, echo_op_operand(op, i)))
      echo_gradient_add(g, echo_op_operand(op, i), gy);
  }
  return true;
}
