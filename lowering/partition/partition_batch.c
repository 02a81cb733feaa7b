/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --partition-batch: data parallelism. Arguments that are named, or that shardings split, are parts
 * of the batch; what depends on them is split along with it (split_rule.c), whatever sums over it
 * is reduced among the processes, everything else they all have.
 *
 *   read    which arguments are parts
 *   follow  how each value is had, and what each op wants of its operands (split_follow.c)
 *   write   main as one process runs it (split_write.c)
 *
 * What mixes the batch otherwise is an error at the op. */
#include "base/arena.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"
#include "lowering/partition/batch_arguments_t.h"

static const EchoAttr *parts_of(EchoContext *ctx, EchoSplit split, int64_t n)
{
  int64_t numbers[ECHO_MAX_RANK + 3] = {0};
  if (split.kind == ECHO_SPLIT_WHOLE)
    return echo_attr_i64_array(ctx, NULL, 0);
  numbers[split.dim] = 1;     /* axes */
  numbers[split.dim + 1] = 1; /* stride */
  numbers[split.dim + 2] = n;
  return echo_attr_i64_array(ctx, numbers, (size_t)split.dim + 3);
}

static void mark(EchoOp *main, const EchoSplit *args, const EchoSplit *results, int64_t n)
{
  EchoContext *ctx = echo_op_context(main);
  const EchoOp *end = echo_op_body(main, 0)->last;
  const EchoAttr *all = echo_op_attr_or_null(main, "res_attrs");
  ECHO_VECTOR(const EchoAttr *) own = {0};
  for (uint32_t i = 0; i < echo_op_body(main, 0)->n_args; i++) {
    echo_func_set_arg_attr(main, i, ECHO_READ_SHARDING, NULL);
    echo_func_set_arg_attr(main, i, ECHO_PARTS, parts_of(ctx, args[i], n));
  }
  for (uint32_t i = 0; i < end->n_operands; i++) {
    const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
    attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_READ_SHARDING), NULL);
    echo_vector_push(
        &own, echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_PARTS), parts_of(ctx, results[i], n)));
  }
  echo_op_set_attr(main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
}

static bool partition(EchoPassRun *pass, EchoOp *main, EchoStr names, int64_t n)
{
  EchoOp *module = pass->op;
  EchoSplits splits = {.n_processes = n, .arena = pass->scratch};
  const EchoBlock *body = echo_op_body(main, 0);
  EchoSplit *args = ECHO_ARENA_ARRAY(pass->scratch, EchoSplit, body->n_args + 1);
  EchoSplit *results = ECHO_ARENA_ARRAY(pass->scratch, EchoSplit, body->last->n_operands + 1);
  for (uint32_t i = 0; i < body->n_args; i++)
    args[i] = (EchoSplit){.kind = ECHO_SPLIT_WHOLE};
  bool ok = echo_read_shardings(module, main, n) &&
            (names.size != 0 ? echo_batch_read_names(main, names, n, args)
                             : echo_batch_read_shardings(main, n, args));
  for (uint32_t i = 0; ok && i < body->n_args; i++)
    echo_split_set(&splits, echo_block_arg(body, i), args[i]);
  ok = ok && echo_splits_follow(&splits, main);
  for (uint32_t i = 0; ok && i < body->last->n_operands; i++)
    results[i] = echo_split_of(&splits, echo_op_operand(body->last, i));
  if (ok && echo_batch_read_results(main, n, args, results)) {
    EchoSplitFacts facts = echo_splits_write(&splits, main, results);
    echo_pass_count(pass, "reductions", facts.n_reductions);
    echo_pass_count(pass, "bytes", facts.reduced_bytes);
    mark(main, args, results, n);
    echo_set_type_of_body(main);
    echo_op_set_attr(module, "mhlo.num_partitions", echo_attr_i32(pass->ctx, (int32_t)n));
  } else {
    ok = false;
  }
  echo_map_destroy(&splits.of_value);
  echo_map_destroy(&splits.of_op);
  echo_vector_destroy(&splits.values);
  echo_vector_destroy(&splits.wants);
  return ok;
}

static bool has_manual(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation"))
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
  if (own.n_replicas != 1 || (n != 0 && own.n_partitions != 1 && own.n_partitions != n))
    return echo_op_error(module,
                         "is for %lld times %lld processes: its batch cannot be divided "
                         "among others",
                         (long long)own.n_replicas, (long long)own.n_partitions);
  n = n != 0 ? n : own.n_partitions;
  if (n < 1 || n > INT32_MAX)
    return echo_op_error(module, "is partitioned among %lld processes", (long long)n);
  EchoStr names = echo_pass_option(pass, "batch");
  pass->keeps_all = true;
  if (main == NULL || n == 1)
    return true;
  if (has_manual(module)) /* what each does is written out already */
    return names.size == 0 ||
           echo_op_error(module, "says what each process does, and is not partitioned again");
  pass->keeps_all = false;
  return partition(pass, main, names, n);
}

static const EchoPassOption options[] = {
    {"processes", "how many; 0: as many partitions as the module is for", "0"},
    {"batch", "arguments with the batch and its dimension, \"arg1,arg2:1\"; none: by shardings",
     ""},
    {0}};

static const EchoPassStatistic statistics[] = {
    {"reductions", "all_reduce"}, {"bytes", "that all_reduce adds up"}, {0}};

const EchoPass ECHO_PASS_PARTITION_BATCH = {
    .name = "partition-batch",
    .summary = "data parallelism: a step for the whole batch becomes that of each process",
    .anchor = "builtin.module",
    .options = options,
    .statistics = statistics,
    .run = run,
};
