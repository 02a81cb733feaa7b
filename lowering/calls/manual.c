/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-collectives: a module for many processes becomes what each of them runs. */
#include <string.h>

#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/sdy/shardings.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"
#include "planning/cost/runtime.h"

/* ---- what is left of shardings ---- */

/* A sharding that is to be carried out first. */
static bool is_partitioned(const EchoOp *module, EchoOp *main)
{
  for (uint32_t i = 0; i < echo_op_body(main, 0)->n_args; i++)
    if (echo_func_arg_attr_or_null(main, i, "sdy.sharding") != NULL ||
        echo_func_arg_attr_or_null(main, i, "mhlo.sharding") != NULL)
      return true;
  for (EchoOp *op = (EchoOp *)(uintptr_t)module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "sdy.manual_computation") || echo_sdy_wants_sharding(op))
      return true;
  return false;
}

/* What only says where a value should lie, and of which devices it spoke. */
static bool is_hint(const EchoOp *op)
{
  return echo_op_is(op, "sdy.mesh") || echo_op_is(op, "sdy.sharding_group") ||
         echo_sdy_is_edge(op) || echo_sdy_wants_sharding(op);
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

static bool read_engine(EchoPassRun *pass, EchoEngine *engine)
{
  EchoDeviceModel device;
  EchoStr name = echo_pass_option(pass, "engine");
  if (!echo_device_model_load(pass->ctx, pass->op->loc, echo_pass_option(pass, "device"), &device))
    return false;
  engine->is_nccl = echo_str_is(name, "nccl");
  engine->gather_bytes =
      (device.link_latency_ns + device.launch_ns) * 1e-9 * device.link_bytes_per_s;
  return engine->is_nccl || echo_str_is(name, "mpi") ||
         echo_op_error(pass->op, "has collectives, and '%.*s' carries none: mpi and nccl do",
                       ECHO_STR_ARG(name));
}

static bool run(EchoPassRun *pass)
{
  EchoOp *module = pass->op, *main = echo_module_main_or_null(module);
  const EchoProcesses processes = echo_processes_of(module);
  EchoEngine engine;
  if (!read_engine(pass, &engine))
    return false;
  if (processes.n_replicas < 1 || processes.n_partitions < 1 ||
      processes.n_replicas > INT32_MAX / processes.n_partitions)
    return echo_op_error(module, "is for %lld times %lld processes",
                         (long long)processes.n_replicas, (long long)processes.n_partitions);
  pass->keeps_all = processes.n_replicas * processes.n_partitions == 1 || main == NULL;
  if (pass->keeps_all)
    return true;
  ECHO_VECTOR(EchoOp *) ops = {0};
  bool ok = !is_partitioned(module, main) ||
            echo_op_error(main, "is to be partitioned by its shardings: run --partition first");
  if (ok)
    drop_hints(module);
  for (EchoOp *op = module; ok && op != NULL; op = echo_op_walk_next(module, op))
    echo_vector_push(&ops, op);
  for (size_t i = ops.size; ok && i-- != 0;) /* what stands inside an op before it */
    ok = echo_lower_collective(ops.data[i], &processes, &engine);
  echo_vector_destroy(&ops);
  return ok;
}

static const EchoPassOption OPTIONS[] = {
    {"engine", "that carries them: mpi, or nccl between GPUs", "mpi"},
    {"device", "model that says what a link takes: a name or a file", ""},
    {NULL, NULL, NULL}};

const EchoPass ECHO_PASS_LOWER_COLLECTIVES = {
    .name = "lower-collectives",
    .summary = "what goes between processes becomes calls, main what one process does",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .run = run,
};
