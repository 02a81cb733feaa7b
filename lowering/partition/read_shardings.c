/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --read-shardings: what Shardy or GSPMD say of main's arguments and results and of constraints, as
 * numbers, while the mesh that they speak of is there. */
#include <stdio.h>

#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/sdy/shardings.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/lowering.h"
#include "lowering/partition/shardings_t.h"

static bool read_one(const EchoOp *module, const EchoAttr *sdy, const EchoAttr *mhlo, size_t rank,
                     EchoSharding *sharding)
{
  const EchoProcesses processes = echo_processes_of(module);
  *sharding = (EchoSharding){0};
  if (sdy != NULL)
    return echo_sharding_read(module, sdy, 0, NULL, sharding);
  if (mhlo->kind == ECHO_ATTR_STRING)
    sharding->parts =
        echo_parts_of_text_or_null(echo_op_context(module), mhlo->as.string, rank,
                                   processes.n_replicas * processes.n_partitions, &sharding->order);
  return sharding->parts != NULL;
}

/* Why a sharding cannot be read, which `what` says whose it is: a mesh that nobody declares, or
 * `else_hint`. */
static bool refuse(const EchoOp *module, const EchoOp *op, const EchoAttr *sdy, const char *what,
                   const char *else_hint)
{
  EchoStr mesh;
  if (echo_sharding_misses_mesh(module, sdy, &mesh))
    return echo_op_error(op, "has a sharding%s on the mesh @%.*s, which no sdy.mesh declares", what,
                         ECHO_STR_ARG(mesh));
  return echo_op_error(op, "has a sharding%s that is not understood%s", what, else_hint);
}

static const char WRITE_IT[] = ": write what each device does with jax.shard_map";

/* An argument's or a result's attributes with the sharding read; NULL after an error. */
static const EchoAttr *read_or_null(const EchoOp *module, const EchoOp *main, const EchoAttr *attrs,
                                    const char *what, uint32_t i, const EchoType *type)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoAttr *sdy = echo_dictionary_get_or_null(attrs, "sdy.sharding");
  const EchoAttr *mhlo = echo_dictionary_get_or_null(attrs, "mhlo.sharding");
  EchoSharding sharding;
  if (sdy == NULL && mhlo == NULL)
    return attrs;
  if (!read_one(module, sdy, mhlo, echo_type_is_tensor(type) ? echo_type_rank(type) : 0,
                &sharding)) {
    char whose[64];
    snprintf(whose, sizeof whose, " of %s #%u", what, i);
    refuse(module, main, sdy, whose, WRITE_IT);
    return NULL;
  }
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("sdy.sharding"), NULL);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR("mhlo.sharding"), NULL);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_READ_SHARDING), sharding.parts);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_OPEN_DIMS), sharding.open);
  return echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_ORDER), sharding.order);
}

/* What a constraint wants; where its devices stand says nothing of its value. */
static bool read_constraint(const EchoOp *module, EchoOp *op)
{
  const EchoAttr *sdy = echo_sdy_wanted_or_null(op);
  const EchoAttr *mhlo = echo_op_attr_or_null(op, "mhlo.sharding");
  EchoSharding sharding;
  if ((sdy == NULL && mhlo == NULL) || echo_op_has_attr(op, ECHO_READ_SHARDING) ||
      op->n_results != 1 || !echo_type_is_tensor(echo_op_result_type(op, 0)))
    return true;
  if (!read_one(module, sdy, mhlo, echo_type_rank(echo_op_result_type(op, 0)), &sharding))
    return refuse(module, op, sdy, "", WRITE_IT);
  echo_op_set_attr(op, ECHO_READ_SHARDING, sharding.parts);
  if (sharding.open != NULL)
    echo_op_set_attr(op, ECHO_OPEN_DIMS, sharding.open);
  return true;
}

static bool refuse_manual(const EchoOp *module, const EchoOp *op)
{
  static const char *const LISTS[] = {"in_shardings", "out_shardings"};
  EchoStr mesh;
  for (size_t i = 0; i < 2; i++)
    if (echo_sharding_misses_mesh(module, echo_op_attr_or_null(op, LISTS[i]), &mesh))
      return refuse(module, op, echo_op_attr_or_null(op, LISTS[i]), "", "");
  return echo_op_error(op, "has manual_axes that are not understood: its mesh has no such axis, or "
                           "is not of the module's processes");
}

/* What is cut by the axes of a manual computation's own. */
static bool read_manual(const EchoOp *module, EchoOp *op)
{
  const EchoAttr *manual = echo_op_attr_or_null(op, "manual_axes");
  ECHO_VECTOR(const EchoAttr *) all = {0};
  if (echo_op_has_attr(op, ECHO_READ_SHARDING))
    return true;
  echo_vector_push(&all, echo_manual_axes_or_null(module, op));
  bool ok = all.data[0] != NULL || refuse_manual(module, op);
  for (uint32_t i = 0; ok && i < op->n_operands + op->n_results; i++) {
    bool of_results = i >= op->n_operands;
    uint32_t own = of_results ? i - op->n_operands : i;
    const EchoAttr *given = echo_op_attr_or_null(op, of_results ? "out_shardings" : "in_shardings");
    EchoSharding sharding;
    char whose[64];
    snprintf(whose, sizeof whose, " of %s #%u", of_results ? "result" : "operand", own);
    if (!echo_sharding_read(module, given, own, manual, &sharding))
      ok = refuse(module, op, given, whose, "");
    else if (sharding.order != NULL && echo_parts_cut(sharding.parts).n_parts != 1)
      ok = echo_op_error(op,
                         "has %s #%u on a mesh whose devices stand in another order than the "
                         "processes: constrain it to a mesh of that order first",
                         of_results ? "result" : "operand", own);
    echo_vector_push(&all, sharding.parts);
  }
  if (ok)
    echo_op_set_attr(op, ECHO_READ_SHARDING,
                     echo_attr_array(echo_op_context(op), all.data, all.size));
  echo_vector_destroy(&all);
  return ok;
}

/* How the whole is cut stands at the call that gives it, or in front of the one that takes it. */
static bool read_shard_call(const EchoOp *module, EchoOp *op)
{
  const EchoOp *at = echo_goes_into_parts(op) ? echo_value_def_or_null(echo_op_operand(op, 0)) : op;
  const EchoAttr *text = at != NULL ? echo_op_attr_or_null(at, "mhlo.sharding") : NULL;
  const EchoType *whole =
      echo_goes_into_parts(op) ? echo_op_operand_type(op, 0) : echo_op_result_type(op, 0);
  const EchoAttr *own = echo_op_attr_or_null(op, "mhlo.sharding");
  EchoSharding sharding;
  if (echo_op_has_attr(op, ECHO_READ_SHARDING))
    return true;
  if (text == NULL || !echo_type_is_tensor(whole) ||
      !read_one(module, NULL, text, echo_type_rank(whole), &sharding) ||
      (echo_goes_into_parts(op) &&
       (own == NULL || own->kind != ECHO_ATTR_STRING || !echo_str_is(own->as.string, "{manual}"))))
    return echo_op_error(op,
                         "is a shard_map over some axes of a mesh, or by a sharding that is not "
                         "understood: leave jax_use_shardy_partitioner on");
  if (sharding.order != NULL && echo_parts_cut(sharding.parts).n_parts != 1)
    return echo_op_error(op,
                         "is on a mesh whose devices stand in another order than the processes: "
                         "constrain it to a mesh of that order first");
  echo_op_set_attr(op, ECHO_READ_SHARDING, sharding.parts);
  return true;
}

static bool read_all(const EchoOp *module, EchoOp *main, const char *name, const char *what)
{
  const bool of_results = name[0] == 'r';
  const EchoBlock *body = echo_op_body(main, 0);
  const EchoAttr *all = echo_op_attr_or_null(main, name);
  ECHO_VECTOR(const EchoAttr *) own = {0};
  bool ok = true;
  for (uint32_t i = 0; all != NULL && i < all->as.array.size; i++) {
    const EchoAttr *attrs = read_or_null(module, main, all->as.array.elements[i], what, i,
                                         of_results ? echo_op_operand_type(body->last, i)
                                                    : echo_block_arg(body, i)->type);
    ok &= attrs != NULL;
    echo_vector_push(&own, attrs);
  }
  if (ok && own.size != 0)
    echo_op_set_attr(main, name, echo_attr_array(echo_op_context(main), own.data, own.size));
  echo_vector_destroy(&own);
  return ok;
}

bool echo_read_shardings(EchoOp *module, EchoOp *main)
{
  bool ok = read_all(module, main, "arg_attrs", "argument");
  ok &= read_all(module, main, "res_attrs", "result");
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_is_constraint(op))
      ok &= read_constraint(module, op);
    else if (echo_op_is(op, "sdy.sharding_group"))
      echo_op_set_attr(op, ECHO_READ_SHARDING, echo_attr_unit(echo_op_context(op)));
    else if (echo_op_is(op, "sdy.manual_computation"))
      ok &= read_manual(module, op);
    else if (echo_is_shard_call(op))
      ok &= read_shard_call(module, op);
    else
      ok &= echo_read_one_device(module, op);
  return ok;
}

static bool run(EchoPassRun *pass)
{
  EchoOp *module = pass->op, *main = echo_module_main_or_null(module);
  const EchoProcesses processes = echo_processes_of(module);
  if (main == NULL || processes.n_replicas * processes.n_partitions == 1)
    return true;
  echo_op_set_attr(module, ECHO_READ_SHARDING, echo_attr_unit(pass->ctx));
  return echo_read_shardings(module, main);
}

const EchoPass ECHO_PASS_READ_SHARDINGS = {
    .name = "read-shardings",
    .summary = "shardings of main and of constraints as numbers, for --partition",
    .anchor = "builtin.module",
    .run = run,
};
