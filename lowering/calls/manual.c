/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-collectives: a module for many processes becomes what each of them runs. */
#include <string.h>

#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"

/* ---- shardings ---- */

const EchoAttr *echo_manual_parts_or_null(const EchoOp *module, const EchoOp *manual,
                                          bool of_results, uint32_t i)
{
  const EchoBlock *body = echo_op_body(manual, 0);
  const EchoType *whole =
      of_results ? echo_op_result_type(manual, i) : echo_op_operand_type(manual, i);
  const EchoType *part =
      of_results ? echo_op_operand_type(body->last, i) : echo_block_arg(body, i)->type;
  const char *what = of_results ? "result" : "operand";
  const EchoAttr *parts = echo_parts_or_null(
      module, echo_op_attr_or_null(manual, of_results ? "out_shardings" : "in_shardings"), i,
      echo_op_attr_or_null(manual, "manual_axes"));
  if (parts == NULL)
    echo_op_error(manual, "has a sharding of %s #%u that is not understood", what, i);
  else if (echo_part_type_or_null(echo_op_context(manual), parts, whole) != part)
    echo_op_error(manual, "has %s #%u of '%s', of which its sharding does not make '%s'", what, i,
                  echo_type_text(echo_op_context(manual), whole),
                  echo_type_text(echo_op_context(manual), part));
  else
    return parts;
  return NULL;
}

/* ---- main as one process runs it ---- */

static bool goes_straight(const EchoOp *main, const EchoOp *manual)
{
  const EchoBlock *body = echo_op_body(main, 0);
  if (manual != body->first || manual->next != body->last)
    return false;
  for (uint32_t i = 0; i < manual->n_operands; i++) {
    bool is_argument = false;
    for (uint32_t k = 0; k < body->n_args; k++)
      is_argument |= echo_block_arg(body, k) == echo_op_operand(manual, i);
    for (uint32_t k = 0; k < i; k++)
      is_argument &= echo_op_operand(manual, k) != echo_op_operand(manual, i);
    for (uint32_t k = 0; k < body->last->n_operands; k++)
      is_argument &= echo_op_operand(body->last, k) != echo_op_operand(manual, i);
    if (!is_argument)
      return false;
  }
  for (uint32_t i = 0; i < body->last->n_operands; i++) {
    bool is_result = false;
    for (uint32_t k = 0; k < manual->n_results; k++)
      is_result |= echo_op_operand(body->last, i) == echo_op_result(manual, k);
    if (!is_result)
      return false;
  }
  return true;
}

static bool mark_argument(EchoOp *module, EchoOp *main, const EchoOp *manual, uint32_t i)
{
  const EchoBlock *body = echo_op_body(main, 0);
  const EchoAttr *parts = echo_manual_parts_or_null(module, manual, false, i);
  for (uint32_t k = 0; parts != NULL && k < body->n_args; k++)
    if (echo_block_arg(body, k) == echo_op_operand(manual, i)) {
      echo_func_set_arg_attr(main, k, "sdy.sharding", NULL);
      return !echo_type_is_tensor(echo_block_arg(body, k)->type) ||
             echo_func_set_arg_attr(main, k, ECHO_PARTS, parts);
    }
  return false;
}

/* Attributes of main's results, each with how it is put together. */
static bool mark_results(EchoOp *module, EchoOp *main, const EchoOp *manual)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoOp *end = echo_op_body(main, 0)->last;
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  ECHO_VECTOR(const EchoAttr *) own = {0};
  bool ok = true;
  for (uint32_t i = 0; i < end->n_operands && ok; i++) {
    const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL, *parts = NULL;
    for (uint32_t k = 0; k < manual->n_results; k++)
      if (echo_op_operand(end, i) == echo_op_result(manual, k))
        parts = echo_manual_parts_or_null(module, manual, true, k);
    ok = parts != NULL;
    attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("sdy.sharding"), NULL);
    if (ok && echo_type_is_tensor(echo_op_operand_type(end, i)))
      attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_PARTS), parts);
    echo_vector_push(&own, attrs);
  }
  if (ok)
    echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
  return ok;
}

static void inline_manual(EchoOp *main, EchoOp *manual)
{
  EchoBlock *inside = echo_op_body(manual, 0);
  for (uint32_t i = 0; i < manual->n_operands; i++) {
    EchoValue *operand = echo_op_operand(manual, i);
    echo_value_set_type(operand, echo_block_arg(inside, i)->type);
    echo_value_replace_all_uses(echo_block_arg(inside, i), operand);
  }
  while (inside->first != inside->last)
    echo_op_move_before(inside->first, manual);
  for (uint32_t i = 0; i < manual->n_results; i++)
    echo_value_replace_all_uses(echo_op_result(manual, i), echo_op_operand(inside->last, i));
  echo_op_erase(manual);
  echo_set_type_of_body(main);
}

static EchoOp *find_or_null(EchoOp *root, const char *name)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (echo_op_is(op, name))
      return op;
  return NULL;
}

/* A sharding that XLA would have to carry out: of an argument, or of a value between. */
static bool is_partitioned(EchoOp *main)
{
  for (uint32_t i = 0; i < echo_op_body(main, 0)->n_args; i++)
    if (echo_func_arg_attr_or_null(main, i, "sdy.sharding") != NULL ||
        echo_func_arg_attr_or_null(main, i, "mhlo.sharding") != NULL)
      return true;
  return find_or_null(main, "sdy.sharding_constraint") != NULL;
}

/* Whether main's values come and go as the manual computation has them: a client hands over parts
 * by main's own shardings where it has any. */
static bool agrees(const EchoOp *module, const EchoOp *main, const EchoOp *manual)
{
  const EchoBlock *body = echo_op_body(main, 0);
  const EchoAttr *results = echo_op_attr_or_null(main, "res_attrs");
  for (uint32_t k = 0; k < body->n_args; k++) {
    const EchoAttr *own = echo_func_arg_attr_or_null(main, k, "sdy.sharding");
    const EchoAttr *parts = own != NULL ? echo_parts_or_null(module, own, 0, NULL) : NULL;
    for (uint32_t i = 0; own != NULL && i < manual->n_operands; i++)
      if (echo_op_operand(manual, i) == echo_block_arg(body, k) &&
          parts != echo_parts_or_null(module, echo_op_attr_or_null(manual, "in_shardings"), i,
                                      echo_op_attr_or_null(manual, "manual_axes")))
        return false;
  }
  for (uint32_t k = 0; results != NULL && k < body->last->n_operands; k++) {
    const EchoAttr *attrs = results->as.array.elements[k];
    const EchoAttr *own = attrs != NULL ? echo_dictionary_get_or_null(attrs, "sdy.sharding") : NULL;
    const EchoAttr *parts = own != NULL ? echo_parts_or_null(module, own, 0, NULL) : NULL;
    for (uint32_t i = 0; own != NULL && i < manual->n_results; i++)
      if (echo_op_operand(body->last, k) == echo_op_result(manual, i) &&
          parts != echo_parts_or_null(module, echo_op_attr_or_null(manual, "out_shardings"), i,
                                      echo_op_attr_or_null(manual, "manual_axes")))
        return false;
  }
  return true;
}

static bool lower_manual(EchoOp *module, EchoOp *main, bool gathers)
{
  EchoOp *manual = find_or_null(main, "sdy.manual_computation");
  const EchoProcesses processes = echo_processes_of(module);
  if (gathers && (manual == NULL || !goes_straight(main, manual) || !agrees(module, main, manual)))
    return echo_gather_for_each(module, main, &processes);
  if (manual == NULL)
    return !is_partitioned(main) ||
           echo_op_error(main, "is to be partitioned by its shardings: run --partition-batch "
                               "first, or write what each device does with jax.shard_map");
  if (!goes_straight(main, manual))
    return echo_op_error(manual, "is not all that main does: its operands are to be main's "
                                 "arguments, each once, and main's results its own");
  for (uint32_t i = 0; i < manual->n_operands; i++)
    if (!mark_argument(module, main, manual, i))
      return false;
  if (!mark_results(module, main, manual))
    return false;
  inline_manual(main, manual);
  return echo_inline_manuals(module, &processes);
}

/* What only says where a value should lie, and of which devices it spoke. */
static bool is_hint(const EchoOp *op)
{
  return echo_op_is(op, "sdy.mesh") || echo_op_is(op, "sdy.sharding_constraint") ||
         echo_op_is(op, "sdy.reshard") || echo_op_is(op, "sdy.propagation_barrier");
}

static void drop_hints(EchoOp *module)
{
  ECHO_VECTOR(EchoOp *) hints = {0};
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (is_hint(op))
      echo_vector_push(&hints, op);
  for (size_t i = 0; i < hints.size; i++) {
    EchoOp *hint = hints.data[i];
    if (hint->n_results == 1 && hint->n_operands == 1)
      echo_value_replace_all_uses(echo_op_result(hint, 0), echo_op_operand(hint, 0));
    echo_op_erase(hint);
  }
  echo_vector_destroy(&hints);
}

/* ---- the pass ---- */

static bool run(EchoPassRun *pass)
{
  EchoOp *module = pass->op, *main = echo_module_main_or_null(module);
  const EchoProcesses processes = echo_processes_of(module);
  if (processes.n_replicas < 1 || processes.n_partitions < 1 ||
      processes.n_replicas > INT32_MAX / processes.n_partitions)
    return echo_op_error(module, "is for %lld times %lld processes",
                         (long long)processes.n_replicas, (long long)processes.n_partitions);
  pass->keeps_all = processes.n_replicas * processes.n_partitions == 1 || main == NULL;
  if (pass->keeps_all)
    return true;
  ECHO_VECTOR(EchoOp *) ops = {0};
  bool gathers,
      ok = echo_pass_option_bool(pass, "gather", &gathers) && lower_manual(module, main, gathers);
  if (ok)
    drop_hints(module);
  for (EchoOp *op = module; ok && op != NULL; op = echo_op_walk_next(module, op))
    echo_vector_push(&ops, op);
  for (size_t i = ops.size; ok && i-- != 0;) /* what stands inside an op before it */
    ok = echo_lower_collective(ops.data[i], &processes);
  echo_vector_destroy(&ops);
  return ok;
}

static const EchoPassOption OPTIONS[] = {
    {"gather",
     "compute on every device all that stands outside of a manual computation, whatever the "
     "shardings",
     "false"},
    {NULL, NULL, NULL}};

const EchoPass ECHO_PASS_LOWER_COLLECTIVES = {
    .name = "lower-collectives",
    .summary = "what goes between processes becomes calls, main what one process does",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .run = run,
};
