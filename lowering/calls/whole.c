/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-collectives{gather}: every device has all values whole and computes all of them, but for
 * what stands in a manual computation. Arguments that come in parts are gathered, a manual
 * computation is given its parts and what it makes is gathered, results go out in parts. It saves
 * no memory and no time against one device; it runs whatever the shardings are. */
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"

/* ---- a manual computation ---- */

static bool inline_parts(EchoOp *module, const EchoProcesses *p, EchoOp *manual)
{
  EchoBlock *inside = echo_op_body(manual, 0);
  EchoBuilder b = echo_builder_before(manual);
  for (uint32_t i = 0; i < manual->n_operands; i++) {
    const EchoAttr *parts = echo_manual_parts_or_null(module, manual, false, i);
    if (parts == NULL)
      return false;
    EchoValue *own =
        echo_part_of_whole(&b, parts, echo_op_operand(manual, i), echo_block_arg(inside, i)->type);
    echo_value_replace_all_uses(echo_block_arg(inside, i), own);
  }
  while (inside->first != inside->last)
    echo_op_move_before(inside->first, manual);
  for (uint32_t i = 0; i < manual->n_results; i++) {
    const EchoAttr *parts = echo_manual_parts_or_null(module, manual, true, i);
    if (parts == NULL)
      return false;
    EchoValue *all = echo_whole_of(&b, p, parts, echo_op_operand(inside->last, i),
                                   echo_op_result_type(manual, i));
    echo_value_replace_all_uses(echo_op_result(manual, i), all);
  }
  echo_op_erase(manual);
  return true;
}

/* ---- main's arguments and results ---- */

/* What a sharding makes of a value of main's, or an error. */
static const EchoAttr *read_parts_or_null(EchoOp *module, const EchoOp *main,
                                          const EchoAttr *sharding, const EchoType *whole,
                                          const char *what, size_t i, const EchoType **part)
{
  EchoContext *ctx = echo_op_context(module);
  const EchoAttr *parts = echo_parts_or_null(module, sharding, 0, NULL);
  *part = parts != NULL ? echo_part_type_or_null(ctx, parts, whole) : NULL;
  if (*part == NULL)
    echo_op_error(main,
                  "has %s #%zu of '%s' with a sharding that is not understood or does not "
                  "cut it into equal parts",
                  what, i, echo_type_text(ctx, whole));
  return *part != NULL ? parts : NULL;
}

static bool gather_argument(EchoOp *module, const EchoProcesses *p, EchoOp *main, size_t i)
{
  EchoBlock *body = echo_op_body(main, 0);
  const EchoAttr *sharding = echo_func_arg_attr_or_null(main, i, "sdy.sharding");
  if (echo_func_arg_attr_or_null(main, i, "mhlo.sharding") != NULL)
    return echo_op_error(main,
                         "has argument #%zu with a sharding of the partitioner before Shardy "
                         "(jax_use_shardy_partitioner)",
                         i);
  if (sharding == NULL)
    return true;
  EchoValue *own = echo_block_arg(body, (uint32_t)i);
  const EchoType *whole = own->type, *part;
  const EchoAttr *parts = read_parts_or_null(module, main, sharding, whole, "argument", i, &part);
  if (parts == NULL)
    return false;
  echo_func_set_arg_attr(main, i, "sdy.sharding", NULL);
  if (echo_type_is_tensor(whole))
    echo_func_set_arg_attr(main, i, ECHO_PARTS, parts);
  if (part == whole && echo_parts_sum(parts).n_parts == 1)
    return true;
  EchoBuilder b = echo_builder_before(body->first);
  EchoOp *hold = echo_build_op(&b, "stablehlo.optimization_barrier", &own, 1, &whole, 1, NULL, 0);
  echo_value_replace_all_uses(own, echo_op_result(hold, 0));
  echo_op_set_operand(hold, 0, own);
  echo_value_set_type(own, part);
  b = echo_builder_before(hold);
  echo_value_replace_all_uses(echo_op_result(hold, 0), echo_whole_of(&b, p, parts, own, whole));
  echo_op_erase(hold);
  return true;
}

/* The attributes of result `i` once it is cut as they say, or as it lies; NULL after an error. */
static const EchoAttr *cut_result_or_null(EchoOp *module, EchoOp *main, uint32_t i,
                                          const EchoAttr *attrs, const EchoAttr *place_or_null)
{
  EchoContext *ctx = echo_op_context(main);
  EchoOp *end = echo_op_body(main, 0)->last;
  EchoValue *whole = echo_op_operand(end, i);
  const EchoAttr *sharding =
      attrs != NULL ? echo_dictionary_get_or_null(attrs, "sdy.sharding") : NULL;
  const EchoAttr *parts = place_or_null;
  const EchoType *part = NULL;
  if (sharding != NULL)
    parts = read_parts_or_null(module, main, sharding, whole->type, "result", i, &part);
  else if (parts != NULL)
    part = echo_part_type_or_null(ctx, parts, whole->type);
  if (sharding != NULL && parts == NULL)
    return NULL;
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("sdy.sharding"), NULL);
  if (parts == NULL || !echo_type_is_tensor(whole->type))
    return attrs;
  EchoBuilder b = echo_builder_before(end);
  echo_op_set_operand(end, i, echo_part_of_whole(&b, parts, whole, part));
  return echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_PARTS), parts);
}

static bool cut_results(EchoOp *module, EchoOp *main, const EchoAttr *const *places)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  ECHO_VECTOR(const EchoAttr *) own = {0};
  bool ok = true, has_any = all != NULL;
  for (uint32_t i = 0; ok && i < echo_op_body(main, 0)->last->n_operands; i++) {
    const EchoAttr *attrs = cut_result_or_null(
        module, main, i, all != NULL ? all->as.array.elements[i] : NULL, places[i]);
    ok = attrs != NULL;
    has_any |= places[i] != NULL;
    echo_vector_push(&own, attrs);
  }
  if (ok && has_any)
    echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
  return ok;
}

/* The place of an argument takes a result only of the same type. */
static void drop_aliases(EchoOp *main)
{
  const EchoBlock *body = echo_op_body(main, 0);
  for (uint32_t i = 0; i < body->n_args; i++) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(main, i, "tf.aliasing_output");
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER && alias->as.integer.value >= 0 &&
        alias->as.integer.value < body->last->n_operands &&
        echo_op_operand_type(body->last, (uint32_t)alias->as.integer.value) !=
            echo_block_arg(body, i)->type)
      echo_func_set_arg_attr(main, i, "tf.aliasing_output", NULL);
  }
}

bool echo_inline_manuals(EchoOp *module, const EchoProcesses *p)
{
  ECHO_VECTOR(EchoOp *) manuals = {0};
  bool ok = true;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation"))
      echo_vector_push(&manuals, op);
  for (size_t i = 0; ok && i < manuals.size; i++) /* the outer ones first */
    ok = inline_parts(module, p, manuals.data[i]);
  echo_vector_destroy(&manuals);
  return ok;
}

bool echo_gather_for_each(EchoOp *module, EchoOp *main, const EchoProcesses *p)
{
  const EchoAttr **places =
      echo_alloc_array(echo_op_body(main, 0)->last->n_operands + 1, sizeof *places);
  echo_find_result_places(module, main, places);
  bool ok = echo_inline_manuals(module, p);
  for (size_t i = 0; ok && i < echo_op_body(main, 0)->n_args; i++)
    ok = gather_argument(module, p, main, i);
  ok = ok && cut_results(module, main, places);
  echo_free(places);
  if (ok) {
    drop_aliases(main);
    echo_set_type_of_body(main);
  }
  return ok;
}
