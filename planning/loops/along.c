/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/along.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"

static int64_t broadcast_dim(const EchoOp *op, int64_t dim)
{
  EchoDimList places = echo_stablehlo_dims(op, "broadcast_dimensions");
  for (size_t d = 0; d < places.size; ++d)
    if (places.dims[d] == dim)
      return echo_type_dim(echo_op_operand_type(op, 0), d) ==
                     echo_type_dim(echo_op_result_type(op, 0), (size_t)dim)
                 ? (int64_t)d
                 : ECHO_ALONG_WHOLE;
  return ECHO_ALONG_WHOLE;
}

/* The dimension of `from` that has as many elements, with as many before it. */
static int64_t reshaped_dim(const EchoType *from, const EchoType *to, int64_t dim)
{
  int64_t before = 1, n = 1;
  for (int64_t d = 0; d < dim; ++d)
    before *= echo_type_dim(to, (size_t)d);
  for (size_t d = 0; d < echo_type_rank(from); n *= echo_type_dim(from, d), ++d)
    if (n == before && echo_type_dim(from, d) == echo_type_dim(to, (size_t)dim))
      return (int64_t)d;
  return ECHO_ALONG_NONE;
}

int64_t echo_along_operand(const EchoOp *op, size_t i, int64_t dim)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_TRANSPOSE:
    return echo_stablehlo_dims(op, "permutation").dims[dim];
  case ECHO_HLO_BROADCAST_IN_DIM:
    return broadcast_dim(op, dim);
  case ECHO_HLO_RESHAPE:
    return reshaped_dim(echo_op_operand_type(op, 0), echo_op_result_type(op, 0), dim);
  default:
    break;
  }
  if (!echo_op_has_trait(op, ECHO_ELEMENTWISE))
    return ECHO_ALONG_NONE;
  return echo_type_rank(echo_op_operand_type(op, i)) != 0 ? dim : ECHO_ALONG_WHOLE;
}

int64_t echo_along_result(const EchoOp *op, size_t i, int64_t dim)
{
  if (op->n_results != 1 || !echo_type_is_tensor(echo_op_result_type(op, 0)))
    return ECHO_ALONG_NONE;
  for (size_t d = 0; d < echo_type_rank(echo_op_result_type(op, 0)); ++d)
    if (echo_along_operand(op, i, (int64_t)d) == dim)
      return (int64_t)d;
  return ECHO_ALONG_NONE;
}

const EchoType *echo_along_slice_type(EchoContext *ctx, const EchoType *type, int64_t dim)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = (int64_t)d == dim ? 1 : echo_type_dim(type, d);
  return echo_type_tensor(ctx, dims, echo_type_rank(type), type->as.shaped.element,
                          type->as.shaped.encoding);
}

EchoValue *echo_along_read(EchoBuilder *builder, EchoValue *value, int64_t dim, EchoValue *index)
{
  EchoValue *starts[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(value->type); ++d) {
    bool is_index = (int64_t)d == dim;
    sizes[d] = is_index ? 1 : echo_type_dim(value->type, d);
    starts[d] = is_index ? index : echo_hlo_scalar_i64(builder, index->type->as.shaped.element, 0);
  }
  return echo_hlo_dynamic_slice(builder, value, starts, sizes);
}

bool echo_along_is_splat(const EchoValue *value)
{
  const EchoAttr *attr = echo_value_constant_or_null(value);
  return attr != NULL && attr->kind == ECHO_ATTR_DENSE_ELEMENTS && attr->as.elements.is_splat;
}

EchoValue *echo_along_splat_or_null(EchoBuilder *builder, const EchoValue *value, int64_t dim)
{
  const EchoAttr *attr = echo_value_constant_or_null(value);
  if (!echo_along_is_splat(value))
    return NULL;
  const EchoType *type = echo_along_slice_type(builder->ctx, value->type, dim);
  return echo_hlo_constant(builder, echo_attr_elements(builder->ctx, type, attr->as.elements.data,
                                                       attr->as.elements.size_bytes, true));
}
