/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/precision.h"

#include "dialects/stablehlo/attributes/attributes.h"

static const char ATTRIBUTE[] = "echo.tf32";

static bool is_float(const EchoType *type, EchoFloatKind kind)
{
  return type->kind == ECHO_TYPE_FLOAT && type->as.float_kind == kind;
}

static bool is_tf32(const EchoDotAlgorithm *algorithm)
{
  return is_float(algorithm->lhs_precision, ECHO_TF32) &&
         is_float(algorithm->rhs_precision, ECHO_TF32) &&
         is_float(algorithm->accumulation, ECHO_F32) && algorithm->primitive_operations == 1;
}

bool echo_stablehlo_allows_tf32(const EchoOp *op)
{
  const EchoDotAlgorithm *algorithm = echo_stablehlo_dot_algorithm_or_null(op);
  if (algorithm != NULL)
    return is_tf32(algorithm);
  if (echo_stablehlo_precision(op, 0) != ECHO_PRECISION_DEFAULT ||
      echo_stablehlo_precision(op, 1) != ECHO_PRECISION_DEFAULT)
    return false;
  for (const EchoOp *parent; (parent = echo_op_parent(op)) != NULL;)
    op = parent;
  return echo_op_has_attr(op, ATTRIBUTE);
}

const EchoType *echo_stablehlo_rounded_element_or_null(const EchoOp *dot, size_t operand)
{
  const EchoDotAlgorithm *algorithm = echo_stablehlo_dot_algorithm_or_null(dot);
  if (algorithm == NULL || algorithm->primitive_operations != 1)
    return NULL; /* more products make up for it */
  const EchoType *element = operand == 0 ? algorithm->lhs_precision : algorithm->rhs_precision;
  bool is_half = is_float(element, ECHO_BF16) || is_float(element, ECHO_F16);
  const EchoType *own = echo_type_element(echo_op_operand_type(dot, operand));
  return is_half && own->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(own) > 16 ? element : NULL;
}

void echo_module_allow_tf32(EchoOp *module, bool allows)
{
  echo_op_set_attr(module, ATTRIBUTE, allows ? echo_attr_unit(echo_op_context(module)) : NULL);
}

bool echo_stablehlo_copy_precision(const EchoOp *from, EchoOp *to)
{
  static const char *const NAMES[] = {"precision_config", "algorithm"};
  if (from == NULL || to == NULL)
    return false;
  if (echo_op_context(from) != echo_op_context(to))
    return echo_misuse(echo_op_context(to), to->loc,
                       "'%s' is given a precision: 'from' is of another context", to->info->name);
  for (size_t i = 0; i < 2; ++i) {
    const EchoAttr *said = echo_op_attr_or_null(from, NAMES[i]);
    if (said != NULL)
      echo_op_set_attr(to, NAMES[i], said);
  }
  return true;
}
