/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Folding of stablehlo. Two kinds of folds, both exact to the bit (law 2):
 * identities that hold for every value including -0, infinities and NaN, and ops on constants whose
 * evaluation is exact or correctly rounded (ECHO_EXACT). Sums of floats and transcendentals are
 * never folded: the kernel that computes them decides their bits, as it does those of a NaN. */
#include "dialects/interfaces/denormals.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/rows/elementwise_t.h"

/* Constants larger than this stay the ops that make them: folding must not blow the module up. */
enum { MAX_FOLDED_BYTES = 1 << 16 };
/* Constants no larger than this are parts of kernels' code (planning/schedule/graph.c). */
enum { MAX_GROWN_ELEMENTS = 16 };

static bool to_value(EchoFoldResult *results, EchoValue *value)
{
  results[0] = (EchoFoldResult){.value = value};
  return true;
}

/* ---- constants ---- */

static bool is_splat(const EchoAttr *constant)
{
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         constant->as.elements.is_splat &&
         echo_type_element_kind(constant->type) != ECHO_ELEMENT_NONE;
}

static bool is_real_tensor(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_element_kind(type) != ECHO_ELEMENT_NONE &&
         echo_type_element(type)->kind != ECHO_TYPE_COMPLEX;
}

static bool is_foldable_type(const EchoType *type)
{
  uint64_t bytes;
  return is_real_tensor(type) && echo_type_bytes(type, &bytes) && bytes <= MAX_FOLDED_BYTES;
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

/* What a constant holds that is written out: one element, or all. */
static int64_t n_stored(const EchoAttr *constant)
{
  return is_splat(constant) ? 1 : echo_type_static_n_elements(constant->type);
}

static bool is_one_number(const EchoTensor *tensor)
{
  size_t bytes = echo_type_element_bytes(tensor->type);
  const char *data = tensor->data;
  for (int64_t i = 1; i < tensor->n_elements; i++)
    if (memcmp(data, data + (size_t)i * bytes, bytes) != 0)
      return false;
  return true;
}

/* A broadcast or pad of a constant stays what it is: every kernel makes its elements of those few,
 * and as a constant all of them would stand in memory. */
static bool is_blown_up(const EchoOp *op, const EchoAttr *const *constants,
                        const EchoTensor *result)
{
  int64_t n_operands = 0;
  for (uint32_t i = 0; i < op->n_operands; i++)
    n_operands += n_stored(constants[i]);
  return result->n_elements > MAX_GROWN_ELEMENTS && result->n_elements > n_operands &&
         !is_one_number(result);
}

static bool can_fold(const EchoOp *op)
{
  return echo_op_has_trait(op, ECHO_EXACT) && op->n_operands != 0 && op->n_regions == 0 &&
         op->n_results == 1 && op->info->evaluate != NULL;
}

/* What the op makes of these constants; NULL where that is no constant. */
static const EchoAttr *evaluate_or_null(const EchoOp *op, const EchoAttr *const *constants)
{
  EchoEvaluator evaluator = {.ctx = echo_op_context(op)};
  EchoTensor **operands = echo_alloc_array(op->n_operands, sizeof *operands), *result = NULL;
  const EchoAttr *made = NULL;
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = echo_tensor_from_elements(constants[i]);
  EchoFloatMode before = echo_float_mode_set(echo_op_flushes_denormals(op));
  bool ok = op->info->evaluate(&evaluator, op, (const EchoTensor *const *)operands, &result);
  echo_float_mode_restore(before);
  if (ok && !makes_nan(op, result) && !is_blown_up(op, constants, result))
    made = echo_tensor_to_elements(evaluator.ctx, result);
  echo_tensor_destroy(result);
  for (uint32_t i = 0; i < op->n_operands; i++)
    echo_tensor_destroy(operands[i]);
  echo_free(operands);
  return made;
}

/* A splat of the same number; the type is not that of an empty tensor. */
static const EchoAttr *splat(EchoContext *ctx, const EchoType *type, const EchoAttr *number)
{
  return echo_attr_elements(ctx, type, number->as.elements.data, echo_type_element_bytes(type),
                            true);
}

static bool is_map_of_splats(const EchoOp *op, const EchoAttr *const *constants)
{
  const EchoType *type = echo_op_result_type(op, 0);
  bool is_map = echo_op_has_trait(op, ECHO_ELEMENTWISE) && is_real_tensor(type) &&
                echo_type_has_static_shape(type) && echo_type_static_n_elements(type) != 0;
  for (uint32_t i = 0; is_map && i < op->n_operands; i++)
    is_map =
        is_splat(constants[i]) && is_real_tensor(constants[i]->type) &&
        (echo_type_rank(constants[i]->type) == 0 || echo_type_same_dims(constants[i]->type, type));
  return is_map;
}

/* Of any size: a copy of the op says what it makes of one element of each. */
static bool fold_splats(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoContext *ctx = echo_op_context(op);
  const EchoType *type = echo_op_result_type(op, 0);
  const EchoAttr **numbers = echo_alloc_array(op->n_operands, sizeof *numbers);
  for (uint32_t i = 0; i < op->n_operands; i++)
    numbers[i] =
        splat(ctx, echo_hlo_scalar_type(ctx, echo_type_element(constants[i]->type)), constants[i]);
  EchoOp *of_one = echo_op_clone(op, NULL);
  echo_value_set_type(echo_op_result(of_one, 0),
                      echo_hlo_scalar_type(ctx, echo_type_element(type)));
  const EchoAttr *number = evaluate_or_null(of_one, numbers);
  echo_op_erase(of_one);
  echo_free(numbers);
  if (number == NULL)
    return false;
  results[0].attr = splat(ctx, type, number);
  return true;
}

/* Evaluates the op on its constant operands. */
bool echo_hlo_fold_constants(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  if (!can_fold(op))
    return false;
  bool is_small = is_foldable_type(echo_op_result_type(op, 0));
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (constants[i] == NULL || constants[i]->kind != ECHO_ATTR_DENSE_ELEMENTS)
      return false;
    is_small = is_small && is_foldable_type(constants[i]->type);
  }
  if (!is_small)
    return is_map_of_splats(op, constants) && fold_splats(op, constants, results);
  results[0].attr = evaluate_or_null(op, constants);
  return results[0].attr != NULL;
}

/* The same number moved about is a splat of the result's shape, of any size. */
static bool fold_moved(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  const EchoType *type = echo_op_result_type(op, 0);
  if (!is_splat(constants[0]) || !echo_type_has_static_shape(type) ||
      echo_type_static_n_elements(type) == 0)
    return echo_hlo_fold_constants(op, constants, results);
  results[0].attr = splat(echo_op_context(op), type, constants[0]);
  return true;
}

/* ---- identities of elements ---- */

/* A splat of the row's neutral element; -0 is not 0. */
static bool is_neutral(const EchoHloElementwise *row, const EchoAttr *constant)
{
  if (!is_splat(constant))
    return false;
  EchoElementKind kind = echo_type_element_kind(constant->type);
  if (!echo_element_is_float(kind))
    return echo_elements_i64(constant, 0) == echo_hlo_neutral_i64(row->neutral_int, kind);
  double value = echo_elements_f64(constant, 0);
  return memcmp(&value, &row->neutral_float, sizeof value) == 0;
}

bool echo_hlo_fold_binary(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  const EchoHloElementwise *row = echo_hlo_elementwise(op);
  bool on_left = row->neutral == ECHO_NEUTRAL_BOTH;
  if ((on_left || row->neutral == ECHO_NEUTRAL_RIGHT) && is_neutral(row, constants[1]))
    return to_value(results, echo_op_operand(op, 0));
  if (on_left && is_neutral(row, constants[0]))
    return to_value(results, echo_op_operand(op, 1));
  return echo_hlo_fold_constants(op, constants, results);
}

bool echo_hlo_fold_select(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoValue *on_true = echo_op_operand(op, 1), *on_false = echo_op_operand(op, 2);
  if (on_true == on_false)
    return to_value(results, on_true);
  if (is_splat(constants[0]))
    return to_value(results, echo_elements_i64(constants[0], 0) != 0 ? on_true : on_false);
  return echo_hlo_fold_constants(op, constants, results);
}

static bool keeps_type(const EchoOp *op)
{
  return echo_op_operand_type(op, 0) == echo_op_result_type(op, 0);
}

bool echo_hlo_fold_same_type(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  return keeps_type(op) ? to_value(results, echo_op_operand(op, 0))
                        : echo_hlo_fold_constants(op, constants, results);
}

/* ---- movement that moves nothing ---- */

/* Whether `dims` is 0, 1, 2 … */
static bool is_identity(EchoDimList dims)
{
  for (size_t i = 0; i < dims.size; i++)
    if (dims.dims[i] != (int64_t)i)
      return false;
  return true;
}

/* The operand where the op does nothing to it; else what becomes of a constant. */
static bool fold_if(bool does_nothing, EchoOp *op, const EchoAttr *const *constants,
                    EchoFoldResult *results)
{
  return does_nothing ? to_value(results, echo_op_operand(op, 0))
                      : fold_moved(op, constants, results);
}

/* The op of the same kind whose result this one moves on. */
static EchoOp *inner_or_null(const EchoOp *op)
{
  EchoOp *inner = echo_value_def_or_null(echo_op_operand(op, 0));
  return inner != NULL && inner->info == op->info ? inner : NULL;
}

bool echo_hlo_fold_slice(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  return fold_if(keeps_type(op), op, constants, results);
}

bool echo_hlo_fold_broadcast(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  return fold_moved(op, constants, results);
}

bool echo_hlo_fold_broadcast_in_dim(EchoOp *op, const EchoAttr *const *constants,
                                    EchoFoldResult *results)
{
  bool is_same = keeps_type(op) && is_identity(echo_stablehlo_dims(op, "broadcast_dimensions"));
  return fold_if(is_same, op, constants, results);
}

bool echo_hlo_fold_reverse(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  return fold_if(echo_stablehlo_dims(op, "dimensions").size == 0, op, constants, results);
}

/* Of a reshape, one reshape. */
bool echo_hlo_fold_reshape(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoOp *inner = inner_or_null(op);
  if (keeps_type(op) || inner == NULL)
    return fold_if(keeps_type(op), op, constants, results);
  EchoValue *source = echo_op_operand(inner, 0);
  if (source->type == echo_op_result_type(op, 0))
    return to_value(results, source);
  echo_op_set_operand(op, 0, source);
  return true;
}

/* Back and forth is nothing. */
bool echo_hlo_fold_transpose(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoDimList outer = echo_stablehlo_dims(op, "permutation");
  const EchoOp *inner = inner_or_null(op);
  if ((keeps_type(op) && is_identity(outer)) || inner == NULL ||
      echo_op_operand_type(inner, 0) != echo_op_result_type(op, 0))
    return fold_if(keeps_type(op) && is_identity(outer), op, constants, results);
  EchoDimList first = echo_stablehlo_dims(inner, "permutation");
  for (size_t i = 0; i < outer.size; i++)
    if (first.dims[outer.dims[i]] != (int64_t)i)
      return fold_moved(op, constants, results);
  return to_value(results, echo_op_operand(inner, 0));
}

/* Without its empty operands, but for one where all are. */
static bool drop_empty_operands(EchoOp *op)
{
  uint32_t n = op->n_operands;
  size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0);
  for (uint32_t i = op->n_operands; i-- > 0 && op->n_operands > 1;)
    if (echo_type_has_static_shape(echo_op_operand_type(op, i)) &&
        echo_type_dim(echo_op_operand_type(op, i), dim) == 0)
      echo_op_erase_operand(op, i);
  return op->n_operands != n;
}

bool echo_hlo_fold_concatenate(EchoOp *op, const EchoAttr *const *constants,
                               EchoFoldResult *results)
{
  if (drop_empty_operands(op))
    return true;
  return op->n_operands == 1 ? to_value(results, echo_op_operand(op, 0))
                             : echo_hlo_fold_constants(op, constants, results);
}

bool echo_hlo_fold_pad(EchoOp *op, const EchoAttr *const *constants, EchoFoldResult *results)
{
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList interior = echo_stablehlo_dims(op, "interior_padding");
  bool moves = !keeps_type(op);
  for (size_t i = 0; i < low.size; i++)
    moves = moves || low.dims[i] != 0 || interior.dims[i] != 0;
  return moves ? echo_hlo_fold_constants(op, constants, results)
               : to_value(results, echo_op_operand(op, 0));
}
