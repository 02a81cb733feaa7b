/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-custom-calls: custom calls that are known become calls into libraries, on operands and
 * results that lie in memory as the call's layouts say. One that nobody knows is an error, or, in a
 * branch, a trap: an error only when it is reached. So is what acts on a world that is not there
 * (outfeed, send, and the like). */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/diagnostics.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

/* ---- known calls ---- */

enum { MAX_VALUES = 8 };

/* LAPACK's matrices lie by columns: where the last two dimensions are rows and columns, rows are
 * neighbours. */
static bool lies_by_columns(const int64_t *order, size_t rank, size_t n_batch)
{
  return rank < n_batch + 2 ||
         (order[rank - 1] == (int64_t)rank - 2 && order[rank - 2] == (int64_t)rank - 1);
}

static bool read_order(const EchoOp *op, const char *layouts, size_t i, const EchoType *type,
                       size_t n_batch, int64_t *order)
{
  size_t rank = echo_type_rank(type);
  bool ok = echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
            echo_layout_order(op, layouts, i, rank, order) && lies_by_columns(order, rank, n_batch);
  return ok || echo_op_error(op, "entry %zu of %s is not the layout by columns of '%s'", i, layouts,
                             echo_type_text(echo_op_context(op), type));
}

const EchoAttr *echo_call_dictionary_or_null(const EchoOp *op)
{
  const EchoAttr *own = echo_op_attr_or_null(op, "backend_config");
  if (own == NULL || own->kind != ECHO_ATTR_DICTIONARY)
    own = echo_op_attr_or_null(op, "mhlo.backend_config");
  return own != NULL && own->kind == ECHO_ATTR_DICTIONARY ? own : NULL;
}

bool echo_lapack_lower_call(EchoOp *op, const EchoLapackRoutine *routine, char letter)
{
  EchoBuilder builder = echo_builder_before(op);
  int64_t orders[MAX_VALUES][ECHO_MAX_RANK];
  EchoValue *operands[MAX_VALUES], *results[MAX_VALUES];
  const EchoType *types[MAX_VALUES];
  size_t n_batch = echo_lapack_n_batch_dims(routine, op);
  if (op->n_operands > MAX_VALUES || op->n_results > MAX_VALUES)
    return echo_op_error(op, "has more operands or results than any routine of LAPACK");
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    int64_t order[ECHO_MAX_RANK];
    if (!read_order(op, "operand_layouts", i, echo_op_operand_type(op, i), n_batch, order))
      return false;
    operands[i] = echo_hlo_transpose(&builder, echo_op_operand(op, i), order);
  }
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!read_order(op, "result_layouts", i, echo_op_result_type(op, i), n_batch, orders[i]))
      return false;
    types[i] = echo_layout_type(builder.ctx, echo_op_result_type(op, i), orders[i]);
  }
  const EchoLapackCall call = {
      op, echo_call_dictionary_or_null(op), operands, types, op->n_operands, op->n_results};
  if (!echo_lapack_build(&builder, routine, letter, &call, results))
    return false;
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_value_replace_all_uses(echo_op_result(op, i),
                                echo_layout_undo(&builder, results[i], orders[i]));
  return true;
}

/* ---- what nobody knows ---- */

/* Whether the op stands in a branch, which may never be taken. */
static bool is_in_branch(const EchoOp *op)
{
  for (const EchoOp *parent = echo_op_parent(op); parent != NULL; parent = echo_op_parent(parent))
    if (echo_op_is(parent, "stablehlo.case") || echo_op_is(parent, "stablehlo.if"))
      return true;
  return false;
}

static bool can_trap(const EchoOp *op)
{
  const EchoAttr *effect = echo_op_attr_or_null(op, "has_side_effect");
  bool ok =
      op->n_results != 0 && (effect == NULL || effect->as.integer.value == 0) && is_in_branch(op);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    ok = ok && echo_type_is_tensor(echo_op_operand_type(op, i));
  for (uint32_t i = 0; i < op->n_results; ++i)
    ok = ok && echo_type_is_tensor(echo_op_result_type(op, i)) &&
         echo_type_has_static_shape(echo_op_result_type(op, i));
  return ok;
}

static void trap(EchoOp *op)
{
  EchoBuilder builder = echo_builder_before(op);
  EchoLibraryCall call = {.library = ECHO_STR(ECHO_LIBRARY_TRAP),
                          .symbol = echo_stablehlo_unknown_call(op),
                          .n_grid = 1,
                          .grid = {1}};
  const EchoType **types = echo_alloc_array(op->n_results + 1u, sizeof *types);
  EchoValue **operands = echo_alloc_array(op->n_operands + 1u, sizeof *operands);
  for (uint32_t i = 0; i < op->n_results; ++i)
    types[i] = echo_op_result_type(op, i);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    operands[i] = echo_op_operand(op, i);
  EchoOp *invoke =
      echo_kernel_invoke(&builder, &call, operands, op->n_operands, types, op->n_results, 0);
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_value_replace_all_uses(echo_op_result(op, i), echo_op_result(invoke, i));
  echo_free(types);
  echo_free(operands);
}

/* A call that only keeps its operands from being dropped (jax.lax.dce_sink); their makers have no
 * effects, or would be kept without it. */
static bool is_sink(const EchoOp *op, EchoStr target)
{
  return echo_str_is(target, "dce_sink") && op->n_results == 0;
}

/* The type of a result, or else of an operand, whose shape the program computes; NULL where all
 * shapes are known. */
static const EchoType *dynamic_type_or_null(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (echo_type_is_tensor(echo_op_result_type(op, i)) &&
        !echo_type_has_static_shape(echo_op_result_type(op, i)))
      return echo_op_result_type(op, i);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (echo_type_is_tensor(echo_op_operand_type(op, i)) &&
        !echo_type_has_static_shape(echo_op_operand_type(op, i)))
      return echo_op_operand_type(op, i);
  return NULL;
}

/* Ops that are told shapes, or where pieces lie, by operands (--refine-shapes). */
static bool takes_shapes(const EchoOp *op)
{
  for (size_t i = 0; i < ECHO_N_STATIC_SHAPES_PATTERNS; ++i)
    if (echo_op_is(op, ECHO_STATIC_SHAPES_PATTERNS[i].op))
      return true;
  return false;
}

/* Whether it only orders effects, each of which is refused by itself. */
static bool is_token(const EchoOp *op)
{
  bool ok = op->n_results == 1 && !echo_op_has_trait(op, ECHO_SIDE_EFFECTS) &&
            !echo_type_is_tensor(echo_op_result_type(op, 0)) &&
            !echo_value_is_unused(echo_op_result(op, 0));
  for (const EchoUse *use = ok ? echo_op_result(op, 0)->first_use : NULL; use != NULL;
       use = use->next)
    ok = ok && echo_op_has_trait(use->owner, ECHO_SIDE_EFFECTS);
  return ok;
}

/* What neither runs nor is lowered: an effect on a world that is not there, a value whose shape
 * nobody knows before it is there, or one that nothing computes. */
static bool refuse(const EchoOp *op)
{
  if (is_token(op))
    return false;
  if (echo_op_has_trait(op, ECHO_SIDE_EFFECTS))
    return echo_op_error(op, "has an effect that nothing here carries out");
  const EchoType *type = dynamic_type_or_null(op);
  if (type != NULL)
    return echo_op_error(op,
                         "has a shape that is known only when it runs, '%s': here shapes are "
                         "constants, or those of the arguments",
                         echo_type_text(echo_op_context(op), type));
  if (takes_shapes(op))
    return echo_op_error(op, "takes a shape that is known only when it runs: here such operands "
                             "are constants");
  return echo_op_error(op, "is not supported");
}

static bool is_supported(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_N_HLO_OPCODES || op->info->evaluate != NULL ||
         echo_op_has_trait(op, ECHO_TERMINATOR);
}

/* ---- the pass ---- */

static bool lower_call(EchoPassRun *pass, EchoOp *op)
{
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  char letter;
  const EchoLapackRoutine *routine = echo_lapack_routine_or_null(target, &letter);
  if (routine != NULL) {
    if (!echo_lapack_lower_call(op, routine, letter))
      return false;
    echo_pass_count(pass, "calls", 1);
  } else if (is_sink(op, target)) {
    /* nothing takes its place */
  } else if (can_trap(op)) {
    trap(op);
    echo_pass_count(pass, "traps", 1);
  } else {
    return echo_op_error(op, "%.*s", ECHO_STR_ARG(echo_stablehlo_unknown_call(op)));
  }
  echo_op_erase(op);
  return true;
}

static bool run(EchoPassRun *pass)
{
  bool ok = true;
  uint64_t n = 0;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    if (!is_supported(op))
      ok = refuse(op);
    if (echo_hlo_opcode(op) != ECHO_HLO_CUSTOM_CALL)
      continue;
    ok &= lower_call(pass, op);
    ++n;
  }
  pass->keeps_all = n == 0;
  return ok;
}

static const EchoPassStatistic STATISTICS[] = {
    {"calls", "calls of libraries"}, {"traps", "unknown calls in branches"}, {NULL, NULL}};

const EchoPass ECHO_PASS_LOWER_CUSTOM_CALLS = {
    .name = "lower-custom-calls",
    .summary = "custom calls that are known become calls into libraries",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
