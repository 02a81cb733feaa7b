/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --partition: a module for all processes becomes what each of them runs. What shardings cut, or
 * the batch where arguments are named, is cut along with it in what depends on it; sums over what
 * is cut are reduced among the processes, what mixes it is computed of the whole by all of them.
 *
 *   read    how arguments, results and constraints are cut (shardings.c)
 *   follow  how each value is had, and what each op wants of its operands (split_follow.c), once
 *           more when it is known how values are taken (split_demand.c)
 *   write   main as one process runs it (split_write.c)
 */
#include "base/arena.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/sdy/shardings.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"
#include "lowering/partition/shardings_t.h"

typedef ECHO_VECTOR(const EchoAttr *) Attrs;

static bool is_manual(const EchoOp *op)
{
  return echo_op_is(op, "sdy.manual_computation");
}

/* ---- all that is said of axes ---- */

static void add_manual(const EchoOp *op, Attrs *all)
{
  const EchoAttr *own = echo_op_attr_or_null(op, ECHO_READ_SHARDING);
  for (uint32_t i = 0; i < own->as.array.size; i++)
    echo_vector_push(all, own->as.array.elements[i]);
}

static void add_signature(const EchoOp *main, const char *name, Attrs *all)
{
  const EchoAttr *attrs = echo_op_attr_or_null(main, name);
  for (uint32_t i = 0; attrs != NULL && i < attrs->as.array.size; i++)
    echo_vector_push(all,
                     echo_dictionary_get_or_null(attrs->as.array.elements[i], ECHO_READ_SHARDING));
}

/* Every sharding, main's own first. */
static void find_all(EchoOp *module, const EchoOp *main, Attrs *all)
{
  add_signature(main, "arg_attrs", all);
  add_signature(main, "res_attrs", all);
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (is_manual(op))
      add_manual(op, all);
    else if (echo_is_constraint(op) || echo_is_shard_call(op))
      echo_vector_push(all, echo_op_attr_or_null(op, ECHO_READ_SHARDING));
    else if (echo_is_for_one(op)) /* the others are told: all is had by all */
      echo_vector_push(all, echo_attr_i64_array(echo_op_context(op), NULL, 0));
}

/* ---- processes that stand in another order ---- */

/* The value of place p goes to process order[p], or comes from there. */
static EchoValue *permuted(EchoBuilder *b, const EchoAttr *order, bool goes_out, EchoValue *value)
{
  const int64_t n = (int64_t)echo_attr_ints_size(order), dims[] = {n, 2};
  ECHO_VECTOR(int64_t) pairs = {0};
  for (int64_t p = 0; p < n; p++) {
    const int64_t process = echo_attr_ints_get(order, (size_t)p);
    echo_vector_push(&pairs, goes_out ? p : process);
    echo_vector_push(&pairs, goes_out ? process : p);
  }
  const EchoType *type = echo_hlo_tensor(b->ctx, dims, 2, echo_type_i64(b->ctx));
  const EchoChannelHandle channel = {.handle = 1, .type = 1};
  const EchoAttrArg attrs[] = {
      {"source_target_pairs",
       echo_attr_elements(b->ctx, type, pairs.data, pairs.size * sizeof *pairs.data, false)},
      {"channel_handle", echo_stablehlo_channel_handle_attr(b->ctx, channel)}};
  EchoOp *op =
      echo_build_op(b, "stablehlo.collective_permute", &value, 1, &value->type, 1, attrs, 2);
  echo_vector_destroy(&pairs);
  return echo_op_result(op, 0);
}

/* The order of what is not the same everywhere; NULL: its own, or nobody can tell. */
static const EchoAttr *order_or_null(const EchoAttr *order, const EchoSplit *split)
{
  return split != NULL ? order : NULL;
}

static void permute_argument(EchoOp *main, uint32_t i, const EchoAttr *order)
{
  EchoValue *value = echo_block_arg(echo_op_body(main, 0), i);
  EchoBuilder b = echo_builder_before(echo_op_body(main, 0)->first);
  EchoOp *hold = echo_hlo_optimization_barrier(&b, &value, 1); /* the uses of before */
  echo_value_replace_all_uses(value, echo_op_result(hold, 0));
  echo_op_set_operand(hold, 0, value);
  b = echo_builder_before(hold);
  echo_value_replace_all_uses(echo_op_result(hold, 0), permuted(&b, order, false, value));
  echo_op_erase(hold);
}

/* ---- the signature ---- */

typedef struct Signature {
  const EchoSplit **args, **results;
  const EchoType **result_types; /* of the wholes */
} Signature;

static const EchoAttr *result_attr_or_null(const EchoOp *main, uint32_t i, const char *name)
{
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  return all != NULL && all->as.array.elements[i] != NULL
             ? echo_dictionary_get_or_null(all->as.array.elements[i], name)
             : NULL;
}

static void mark_argument(const EchoSplits *splits, EchoOp *main, uint32_t i,
                          const EchoSplit *split, const EchoType *whole)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoAttr *order = order_or_null(echo_func_arg_attr_or_null(main, i, ECHO_ORDER), split);
  echo_func_set_arg_attr(main, i, ECHO_READ_SHARDING, NULL);
  echo_func_set_arg_attr(main, i, ECHO_OPEN_DIMS, NULL);
  echo_func_set_arg_attr(main, i, ECHO_ORDER, order);
  if (echo_type_is_tensor(whole))
    echo_func_set_arg_attr(main, i, ECHO_PARTS, echo_split_parts(splits, ctx, split, whole));
  if (order != NULL)
    permute_argument(main, i, order);
}

static const EchoAttr *marked_result(const EchoSplits *splits, EchoOp *main, uint32_t i,
                                     const EchoSplit *split, const EchoType *whole)
{
  EchoContext *ctx = echo_op_context(main);
  EchoOp *end = echo_op_body(main, 0)->last;
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
  const EchoAttr *order = order_or_null(result_attr_or_null(main, i, ECHO_ORDER), split);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_READ_SHARDING), NULL);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_OPEN_DIMS), NULL);
  attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_ORDER), order);
  if (echo_type_is_tensor(whole))
    attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_PARTS),
                                 echo_split_parts(splits, ctx, split, whole));
  if (order != NULL) {
    EchoBuilder b = echo_builder_before(end);
    echo_op_set_operand(end, i, permuted(&b, order, true, echo_op_operand(end, i)));
  }
  return attrs;
}

static void mark(const EchoSplits *splits, EchoOp *main, const Signature *signature,
                 const EchoType *const *arg_types)
{
  EchoContext *ctx = echo_op_context(main);
  Attrs own = {0};
  for (uint32_t i = 0; i < echo_op_body(main, 0)->last->n_operands; i++)
    echo_vector_push(
        &own, marked_result(splits, main, i, signature->results[i], signature->result_types[i]));
  for (uint32_t i = 0; i < echo_op_body(main, 0)->n_args; i++)
    mark_argument(splits, main, i, signature->args[i], arg_types[i]);
  echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
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

/* ---- the pass ---- */

static bool partition(EchoPassRun *pass, EchoSplits *splits, EchoOp *main, EchoStr names)
{
  const EchoBlock *body = echo_op_body(main, 0);
  const uint32_t n_args = body->n_args, n_results = body->last->n_operands;
  EchoArena *arena = pass->scratch;
  Signature signature = {ECHO_ARENA_ARRAY(arena, const EchoSplit *, n_args + 1),
                         ECHO_ARENA_ARRAY(arena, const EchoSplit *, n_results + 1),
                         ECHO_ARENA_ARRAY(arena, const EchoType *, n_results + 1)};
  const EchoType **arg_types = ECHO_ARENA_ARRAY(arena, const EchoType *, n_args + 1);
  for (uint32_t i = 0; i < n_args; i++) {
    arg_types[i] = echo_block_arg(body, i)->type;
    signature.args[i] = NULL;
  }
  if (!(names.size != 0 ? echo_batch_read_names(splits, main, names, signature.args)
                        : echo_arguments_read(splits, main, signature.args)))
    return false;
  for (uint32_t i = 0; i < n_args; i++)
    echo_split_set(splits, echo_block_arg(body, i), signature.args[i]);
  for (int round = 0; round < 2; round++) { /* as values come; then as they are taken, too */
    if (!echo_splits_follow(splits, main))
      return false;
    for (uint32_t i = 0; i < n_results; i++) {
      signature.results[i] = echo_split_of(splits, echo_op_operand(body->last, i));
      signature.result_types[i] = echo_op_operand_type(body->last, i);
    }
    if (!echo_results_read(splits, main, signature.args, signature.results))
      return false;
    if (round == 0)
      echo_splits_demand(splits, main, signature.results);
  }
  EchoSplitFacts facts = echo_splits_write(splits, main, signature.results);
  echo_pass_count(pass, "reductions", facts.n_reductions);
  echo_pass_count(pass, "bytes", facts.reduced_bytes);
  echo_pass_count(pass, "gathers", facts.n_gathers);
  echo_pass_count(pass, "gathered-bytes", facts.gathered_bytes);
  echo_pass_count(pass, "exchanges", facts.n_exchanges);
  echo_pass_count(pass, "exchanged-bytes", facts.exchanged_bytes);
  echo_write_one_device(main, splits->n_processes);
  mark(splits, main, &signature, arg_types);
  drop_aliases(main);
  echo_set_type_of_body(main);
  echo_op_set_attr(pass->op, "mhlo.num_partitions",
                   echo_attr_i32(pass->ctx, (int32_t)splits->n_processes));
  return true;
}

/* Whether anything says how values are cut. */
static bool is_sharded(const Attrs *all)
{
  for (size_t i = 0; i < all->size; i++)
    if (all->data[i] != NULL)
      return true;
  return false;
}

static bool has_shard_calls(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_is_shard_call(op))
      return true;
  return false;
}

static bool run(EchoPassRun *pass)
{
  EchoOp *module = pass->op, *main = echo_module_main_or_null(module);
  const EchoProcesses own = echo_processes_of(module);
  int64_t n = 0;
  if (!echo_pass_option_i64(pass, "processes", &n))
    return false;
  EchoStr names = echo_pass_option(pass, "batch");
  bool was_read = echo_op_has_attr(module, ECHO_READ_SHARDING);
  pass->keeps_all = !was_read;
  echo_op_set_attr(module, ECHO_READ_SHARDING, NULL);
  if (main == NULL || !echo_read_shardings(module, main))
    return main == NULL;
  Attrs all = {0};
  find_all(module, main, &all);
  bool ok = true, has_any = is_sharded(&all);
  n = n != 0 ? n : own.n_replicas * own.n_partitions;
  if (was_read && own.n_partitions > 1 && !echo_sdy_names_processes(module))
    has_any = true; /* the shardings stood at what nothing needs: all have all */
  if (!has_any && names.size == 0) {
    /* each does what is written */
  } else if (own.n_replicas != 1 || (own.n_partitions != 1 && own.n_partitions != n)) {
    ok = echo_op_error(module,
                       "is for %lld times %lld processes: its values cannot be divided among "
                       "others",
                       (long long)own.n_replicas, (long long)own.n_partitions);
  } else if (n < 1 || n > INT32_MAX) {
    ok = echo_op_error(module, "is partitioned among %lld processes", (long long)n);
  } else if (n != 1) {
    EchoSplits splits;
    pass->keeps_all = false;
    echo_groups_to_constraints(module);
    echo_splits_create(&splits, pass->scratch, n, all.data, names.size != 0 ? 0 : all.size);
    splits.has_shard_calls = has_shard_calls(module);
    ok = partition(pass, &splits, main, names);
    echo_splits_destroy(&splits);
  }
  echo_vector_destroy(&all);
  return ok;
}

static const EchoPassOption options[] = {
    {"processes", "how many; 0: as many partitions as the module is for", "0"},
    {"batch", "arguments with the batch and its dimension, \"arg1,arg2:1\"; none: by shardings",
     ""},
    {0}};

static const EchoPassStatistic statistics[] = {{"reductions", "all_reduce and reduce_scatter"},
                                               {"bytes", "that they add up"},
                                               {"gathers", "all_gather"},
                                               {"gathered-bytes", "that come of them"},
                                               {"exchanges", "all_to_all"},
                                               {"exchanged-bytes", "that change places in them"},
                                               {0}};

const EchoPass ECHO_PASS_PARTITION = {
    .name = "partition",
    .summary = "a module with shardings, or a batch, becomes what each process does",
    .anchor = "builtin.module",
    .options = options,
    .statistics = statistics,
    .run = run,
};
