/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/dim_order_t.h"

const EchoType *echo_order_type(EchoContext *ctx, const EchoType *type, const int64_t *order)
{
  int64_t dims[ECHO_MAX_RANK] = {0};
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[order[d]] = echo_type_dim(type, d);
  return echo_type_tensor(ctx, dims, echo_type_rank(type), echo_type_element(type), NULL);
}

bool echo_has_any_order(const EchoValue *value)
{
  const EchoOp *def = echo_value_def_or_null(value);
  if (def == NULL || !echo_type_is_tensor(value->type) ||
      !echo_type_has_static_shape(value->type) || value->type->as.shaped.encoding != NULL)
    return false;
  if (echo_type_rank(value->type) == 0)
    return true;
  switch (echo_hlo_opcode(def)) {
  case ECHO_HLO_CONSTANT: {
    const EchoAttr *elements = echo_value_constant_or_null(value);
    return elements != NULL && elements->kind == ECHO_ATTR_DENSE_ELEMENTS &&
           elements->as.elements.is_splat;
  }
  case ECHO_HLO_BROADCAST_IN_DIM:
  case ECHO_HLO_IOTA:
    return true;
  default:
    return false;
  }
}

EchoValue *echo_build_in_order(EchoBuilder *builder, EchoValue *value, const int64_t *order)
{
  const EchoOp *def = echo_value_def_or_null(value);
  const EchoType *type = echo_order_type(builder->ctx, value->type, order);
  int64_t places[ECHO_MAX_RANK];
  switch (echo_hlo_opcode(def)) {
  case ECHO_HLO_CONSTANT: {
    const EchoAttr *elements = echo_value_constant_or_null(value);
    return echo_hlo_constant(builder,
                             echo_attr_elements(builder->ctx, type, elements->as.elements.data,
                                                elements->as.elements.size_bytes, true));
  }
  case ECHO_HLO_BROADCAST_IN_DIM: {
    EchoDimList dims = echo_stablehlo_dims(def, "broadcast_dimensions");
    for (size_t i = 0; i < dims.size; ++i)
      places[i] = order[dims.dims[i]];
    return echo_hlo_broadcast_in_dim(builder, echo_op_operand(def, 0), type, places, dims.size);
  }
  default:
    return echo_hlo_iota(builder, type, order[echo_op_attr_i64(def, "iota_dimension", 0)]);
  }
}

EchoValue *echo_clone_map(EchoOp *op, EchoMap *operands, const EchoType *type)
{
  EchoOp *clone = echo_op_clone(op, operands);
  EchoValue *result = echo_op_result(clone, 0);
  echo_value_set_type(result, echo_type_tensor(echo_op_context(op), type->as.shaped.dims,
                                               echo_type_rank(type),
                                               echo_type_element(result->type), NULL));
  echo_op_insert_before(clone, op);
  return result;
}
