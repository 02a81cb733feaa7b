/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the arith rows cannot say in their constraints: relations between operand and result types.
 */
#include "dialects/arith/hooks_t.h"
#include "dialects/interfaces/scalar.h"

static bool check_shape(const EchoOp *op)
{
  if (echo_type_shapes_compatible(echo_op_operand_type(op, 0), echo_op_result_type(op, 0)))
    return true;
  return echo_op_error(op, "requires the same shape for all operands and results");
}

/* A dialect's attribute with a shaped type may be elements of its own. */
static bool is_number(const EchoAttr *value)
{
  switch (value->kind) {
  case ECHO_ATTR_INTEGER:
  case ECHO_ATTR_FLOAT:
  case ECHO_ATTR_DENSE_ELEMENTS:
  case ECHO_ATTR_DENSE_STRINGS:
  case ECHO_ATTR_DENSE_RESOURCE:
  case ECHO_ATTR_SPARSE:
    return true;
  case ECHO_ATTR_OPAQUE:
    return echo_type_is_shaped(value->type);
  default:
    return false;
  }
}

bool echo_arith_verify_constant(const EchoOp *op)
{
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = echo_op_result_type(op, 0);
  if (value == NULL || value->type != type)
    return echo_op_error(op, "failed to verify that all of {value, result} have same type");
  if (!is_number(value))
    return echo_op_error(op, "value must be an integer, float, or elements attribute");
  if (type->kind == ECHO_TYPE_INTEGER && type->as.integer.signedness != ECHO_SIGNLESS)
    return echo_op_error(op, "integer return type must be signless");
  if (type->kind == ECHO_TYPE_VECTOR && type->as.shaped.scalable != 0 &&
      !(value->kind == ECHO_ATTR_DENSE_ELEMENTS && value->as.elements.is_splat))
    return echo_op_error(op, "of a scalable vector must be a splat");
  return true;
}

bool echo_arith_verify_select(const EchoOp *op)
{
  const EchoType *condition = echo_op_operand_type(op, 0);
  const EchoType *type = echo_op_operand_type(op, 1);
  if (type != echo_op_operand_type(op, 2) || type != echo_op_result_type(op, 0))
    return echo_op_error(op, "failed to verify that all of {true_value, false_value, result} have "
                             "same type");
  if (echo_type_is_shaped(condition) &&
      (condition->kind != type->kind || !echo_type_shapes_compatible(condition, type)))
    return echo_op_error(op, "expected condition type to have the same shape as the result type");
  return true;
}

static bool incompatible(const EchoOp *op)
{
  return echo_op_error(op, "operand type '%s' and result type '%s' are cast incompatible",
                       echo_type_text(echo_op_context(op), echo_op_operand_type(op, 0)),
                       echo_type_text(echo_op_context(op), echo_op_result_type(op, 0)));
}

static bool check_width(const EchoOp *op, bool widen)
{
  const EchoType *in = echo_arith_scalar_of(echo_op_operand_type(op, 0));
  const EchoType *out = echo_arith_scalar_of(echo_op_result_type(op, 0));
  uint32_t from = echo_type_bit_width(in), to = echo_type_bit_width(out);
  if (in->kind != out->kind || in->kind == ECHO_TYPE_INDEX || (widen ? to <= from : to >= from))
    return incompatible(op);
  return check_shape(op);
}

bool echo_arith_verify_widen(const EchoOp *op)
{
  return check_width(op, true);
}

bool echo_arith_verify_narrow(const EchoOp *op)
{
  return check_width(op, false);
}

static bool is_index(const EchoType *type)
{
  return echo_type_element(type)->kind == ECHO_TYPE_INDEX;
}

bool echo_arith_verify_cast(const EchoOp *op)
{
  if (is_index(echo_op_operand_type(op, 0)) || is_index(echo_op_result_type(op, 0)))
    return incompatible(op);
  return check_shape(op);
}

/* Of memrefs too: their elements are seen as another type. */
bool echo_arith_verify_index_cast(const EchoOp *op)
{
  if (is_index(echo_op_operand_type(op, 0)) == is_index(echo_op_result_type(op, 0)))
    return incompatible(op);
  return check_shape(op);
}

bool echo_arith_verify_bitcast(const EchoOp *op)
{
  const EchoType *in = echo_type_element(echo_op_operand_type(op, 0));
  const EchoType *out = echo_type_element(echo_op_result_type(op, 0));
  if (in->kind == ECHO_TYPE_INDEX || out->kind == ECHO_TYPE_INDEX ||
      echo_type_bit_width(in) != echo_type_bit_width(out))
    return incompatible(op);
  return check_shape(op);
}

bool echo_arith_verify_cmp(const EchoOp *op)
{
  bool is_cmpi = echo_scalar_opcode(op->info) == ECHO_ARITH_CMPI;
  int64_t limit = is_cmpi ? (int64_t)ECHO_N_CMPI_PREDICATES : (int64_t)ECHO_N_CMPF_PREDICATES;
  int64_t predicate = echo_op_attr_i64(op, "predicate", -1);
  if (predicate < 0 || predicate >= limit)
    return echo_op_error(op, "has an unknown predicate %lld", (long long)predicate);
  if (echo_op_operand_type(op, 0) != echo_op_operand_type(op, 1))
    return echo_op_error(op, "requires all operands to have the same type");
  return check_shape(op);
}

bool echo_arith_verify_carry(const EchoOp *op)
{
  if (echo_op_operand_type(op, 0) == echo_op_operand_type(op, 1) &&
      echo_op_operand_type(op, 0) == echo_op_result_type(op, 0) &&
      echo_type_shapes_compatible(echo_op_result_type(op, 0), echo_op_result_type(op, 1)))
    return true;
  return echo_op_error(op, "failed to verify that all of {lhs, rhs, sum} have same type");
}
