/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Folding of stablehlo, one hook for all rows. Two kinds of folds, both exact to the bit (law 2):
 * identities that hold for every value including -0, infinities and NaN, and ops on constants whose
 * evaluation is exact or correctly rounded (ECHO_EXACT). Sums of floats and transcendentals are
 * never folded: the kernel that computes them decides their bits, as it does those of a NaN. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks.h"

/* Constants larger than this stay the ops that make them: folding must not blow the module up. */
enum { MAX_FOLDED_BYTES = 1 << 16 };

static bool to_value(EchoFoldResult *results, EchoValue *value)
{
  results[0] = (EchoFoldResult){.value = value};
  return true;
}

/* ---- identities ---- */

static bool is_splat(const EchoAttr *constant)
{
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         constant->as.elements.is_splat &&
         echo_type_element_kind(constant->type) != ECHO_ELEMENT_NONE;
}

/* A splat of exactly this number; -0 is not 0. */
static bool is_number(const EchoAttr *constant, double number)
{
  if (!is_splat(constant))
    return false;
  if (!echo_element_is_float(echo_type_element_kind(constant->type)))
    return echo_elements_i64(constant, 0) == (int64_t)number;
  double value = echo_elements_f64(constant, 0);
  return memcmp(&value, &number, sizeof value) == 0;
}

static bool is_integer_typed(const EchoValue *value)
{
  return !echo_element_is_float(echo_type_element_kind(value->type));
}

/* x + -0 = x and x - 0 = x for every x; x + 0 only for integers, since -0 + 0 = 0. */
static bool fold_binary_identity(EchoOp *op, const EchoAttr *const *constants,
                                 EchoFoldResult *results)
{
  EchoValue *lhs = echo_op_operand(op, 0), *rhs = echo_op_operand(op, 1);
  bool is_integer = is_integer_typed(lhs);
  double additive = is_integer ? 0.0 : -0.0;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ADD:
    if (is_number(constants[1], additive))
      return to_value(results, lhs);
    return is_number(constants[0], additive) && to_value(results, rhs);
  case ECHO_HLO_SUBTRACT:
    return is_number(constants[1], 0) && to_value(results, lhs);
  case ECHO_HLO_MULTIPLY:
    if (is_number(constants[1], 1) && !echo_type_is_integer(echo_type_element(lhs->type), 1))
      return to_value(results, lhs);
    return is_number(constants[0], 1) && !echo_type_is_integer(echo_type_element(lhs->type), 1) &&
           to_value(results, rhs);
  case ECHO_HLO_DIVIDE:
    return is_number(constants[1], 1) && to_value(results, lhs);
  default:
    return false;
  }
}

static bool fold_select(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoValue *on_true = echo_op_operand(op, 1), *on_false = echo_op_operand(op, 2);
  if (on_true == on_false)
    return to_value(results, on_true);
  return is_splat(constants[0]) &&
         to_value(results, echo_elements_i64(constants[0], 0) != 0 ? on_true : on_false);
}

/* Whether `dims` is 0, 1, 2 … */
static bool is_identity(EchoDimList dims)
{
  for (size_t i = 0; i < dims.size; i++)
    if (dims.dims[i] != (int64_t)i)
      return false;
  return true;
}

/* Movement that moves nothing. */
static bool fold_movement_identity(EchoOp *op, EchoFoldResult *results)
{
  EchoValue *operand = echo_op_operand(op, 0);
  bool same_type = operand->type == echo_op_result_type(op, 0);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_BITCAST_CONVERT:
  case ECHO_HLO_CONVERT:
  case ECHO_HLO_RESHAPE:
  case ECHO_HLO_SLICE:
  case ECHO_HLO_DYNAMIC_SLICE:
    return same_type && to_value(results, operand);
  case ECHO_HLO_BROADCAST_IN_DIM:
    return same_type && is_identity(echo_stablehlo_dims(op, "broadcast_dimensions")) &&
           to_value(results, operand);
  case ECHO_HLO_TRANSPOSE:
    return same_type && is_identity(echo_stablehlo_dims(op, "permutation")) &&
           to_value(results, operand);
  case ECHO_HLO_CONCATENATE:
    return op->n_operands == 1 && to_value(results, operand);
  case ECHO_HLO_PAD: {
    EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
    EchoDimList interior = echo_stablehlo_dims(op, "interior_padding");
    for (size_t i = 0; i < low.size; i++)
      if (low.dims[i] != 0 || interior.dims[i] != 0)
        return false;
    return same_type && to_value(results, operand);
  }
  case ECHO_HLO_REVERSE:
    return echo_stablehlo_dims(op, "dimensions").size == 0 && to_value(results, operand);
  default:
    return false;
  }
}

/* One after the other of the same kind: reshape(reshape x), transpose back and forth. What is so
 * for every value of an op (not(not x), floor(floor x)) its traits say. */
static bool fold_pairs(EchoOp *op, EchoFoldResult *results)
{
  EchoOp *inner = op->n_operands == 1 ? echo_value_def_or_null(echo_op_operand(op, 0)) : NULL;
  if (inner == NULL || inner->info != op->info)
    return false;
  EchoValue *source = echo_op_operand(inner, 0);
  bool same_type = source->type == echo_op_result_type(op, 0);
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_HLO_RESHAPE) {
    if (same_type)
      return to_value(results, source);
    echo_op_set_operand(op, 0, source);
    return true;
  }
  if (opcode != ECHO_HLO_TRANSPOSE || !same_type)
    return false;
  EchoDimList outer = echo_stablehlo_dims(op, "permutation");
  EchoDimList first = echo_stablehlo_dims(inner, "permutation");
  for (size_t i = 0; i < outer.size; i++)
    if (first.dims[outer.dims[i]] != (int64_t)i)
      return false;
  return to_value(results, source);
}

/* ---- constants ---- */

/* The same number moved about is a splat of the result's shape, of any size. */
static bool fold_moved_splat(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  bool moves_one = opcode == ECHO_HLO_BROADCAST_IN_DIM || opcode == ECHO_HLO_BROADCAST ||
                   opcode == ECHO_HLO_RESHAPE || opcode == ECHO_HLO_TRANSPOSE ||
                   opcode == ECHO_HLO_REVERSE || opcode == ECHO_HLO_SLICE ||
                   opcode == ECHO_HLO_DYNAMIC_SLICE;
  if (!moves_one || !is_splat(constants[0]))
    return false;
  const EchoType *type = echo_op_result_type(op, 0);
  if (!echo_type_has_static_shape(type) || echo_type_static_n_elements(type) == 0)
    return false;
  results[0].attr = echo_attr_elements(echo_op_context(op), type, constants[0]->as.elements.data,
                                       echo_type_element_bytes(type), true);
  return true;
}

static bool is_foldable_type(const EchoType *type)
{
  uint64_t bytes;
  return echo_type_is_tensor(type) && echo_type_element_kind(type) != ECHO_ELEMENT_NONE &&
         echo_type_element(type)->kind != ECHO_TYPE_COMPLEX && echo_type_bytes(type, &bytes) &&
         bytes <= MAX_FOLDED_BYTES;
}

/* The sign and payload of a NaN that an op makes are the target's to choose. */
static bool makes_nan(const EchoOp *op, const EchoTensor *result)
{
  if (echo_op_has_trait(op, ECHO_MOVEMENT) || !echo_element_is_float(result->kind))
    return false;
  for (int64_t i = 0; i < result->n_elements; i++) {
    double value = echo_tensor_get_f64(result, i);
    if (value != value)
      return true;
  }
  return false;
}

/* Evaluates the op on its constant operands. */
static bool fold_constants(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  if (!echo_op_has_trait(op, ECHO_EXACT) || op->n_operands == 0 || op->n_regions != 0 ||
      op->n_results != 1 || op->info->evaluate == NULL ||
      !is_foldable_type(echo_op_result_type(op, 0)))
    return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (constants[i] == NULL || constants[i]->kind != ECHO_ATTR_DENSE_ELEMENTS ||
        !is_foldable_type(constants[i]->type))
      return false;
  EchoEvaluator evaluator = {.ctx = echo_op_context(op)};
  EchoTensor **operands = echo_alloc_array(op->n_operands, sizeof *operands), *result = NULL;
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = echo_tensor_from_elements(constants[i]);
  bool ok = op->info->evaluate(&evaluator, op, (const EchoTensor *const *)operands, &result) &&
            !makes_nan(op, result);
  if (ok)
    results[0].attr = echo_tensor_to_elements(evaluator.ctx, result);
  echo_tensor_destroy(result);
  for (uint32_t i = 0; i < op->n_operands; i++)
    echo_tensor_destroy(operands[i]);
  echo_free(operands);
  return ok;
}

bool echo_hlo_fold(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  if (op->n_operands == 0)
    return false;
  if (op->n_operands == 2 && echo_op_has_trait(op, ECHO_ELEMENTWISE) &&
      fold_binary_identity(op, constants, results))
    return true;
  if (echo_hlo_opcode(op) == ECHO_HLO_SELECT && fold_select(op, constants, results))
    return true;
  return fold_movement_identity(op, results) || fold_pairs(op, results) ||
         fold_moved_splat(op, constants, results) || fold_constants(op, constants, results);
}
