/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/fuzz/graph_fuzz/run.h"

#include <stdio.h>

#include "dialects/dialects.h"
#include "echo_pass/echo_pass.h"
#include "ir/diagnostics.h"
#include "jit/compile.h"
#include "lowering/lowering.h"

static void keep_error(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  if (diagnostic->severity == ECHO_ERROR)
    echo_diagnostic_format(ctx, diagnostic, user);
}

EchoContext *create_context(EchoBuffer *errors)
{
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  echo_context_set_diagnostic_handler(ctx, keep_error, errors);
  return ctx;
}

EchoOp *find_main(const EchoOp *module)
{
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_str_is(echo_op_attr_string(op, "sym_name"), "main"))
      return op;
  return NULL;
}

/* ---- inputs ---- */

EchoTensor *make_input(const EchoType *type, size_t number)
{
  EchoTensor *tensor = echo_tensor_create(type, true);
  for (int64_t i = 0; i < tensor->n_elements; i++) {
    uint64_t bits = echo_hash_u64((uint64_t)number << 32 | (uint64_t)i);
    double unit = (double)(bits >> 11) * 0x1p-53;
    if (echo_element_is_float(tensor->kind))
      echo_tensor_set_f64(tensor, i, 4 * unit - 2);
    else if (tensor->kind == ECHO_ELEMENT_I1)
      echo_tensor_set_i64(tensor, i, (int64_t)(bits & 1));
    else
      echo_tensor_set_i64(tensor, i, bits % 8 == 0 ? (int64_t)bits : (int64_t)(bits % 17) - 8);
  }
  return tensor;
}

/* ---- compiling ---- */

static EchoPassRegistry *create_passes(void)
{
  EchoPassRegistry *passes = echo_pass_registry_create();
  echo_register_ir_passes(passes);
  echo_register_lowering_passes(passes);
  echo_register_echo_passes(passes);
  return passes;
}

bool run_to_stage(Run *run, EchoStr text, EchoStage stage, const Settings *settings)
{
  char loss[32];
  snprintf(loss, sizeof loss, "loss=%zu", settings->loss_number);
  EchoCompileOptions options = {.echo = settings->echo,
                                .differentiate = loss,
                                .target = settings->target,
                                .device = settings->device};
  EchoPassRegistry *passes = create_passes();
  *run = (Run){0};
  run->ctx = create_context(&run->errors);
  run->module = echo_parse_text_or_null(run->ctx, ECHO_STR("step"), text);
  bool ok = run->module != NULL &&
            echo_compile_to_stage(run->ctx, passes, run->module, stage, &options, NULL);
  if (ok) {
    run->main = find_main(run->module);
    run->planned_bytes = (uint64_t)echo_op_attr_i64(run->module, "plan.peak_bytes", 0);
  }
  echo_context_flush_diagnostics(run->ctx);
  echo_pass_registry_destroy(passes);
  return ok;
}

bool run_passes(Run *run, EchoStr text, const char *pipeline)
{
  EchoPassRegistry *passes = create_passes();
  EchoPassManagerOptions options = {.verify_each = true};
  *run = (Run){0};
  run->ctx = create_context(&run->errors);
  EchoPassManager *manager = echo_pass_manager_create(run->ctx, passes, &options);
  run->module = echo_parse_text_or_null(run->ctx, ECHO_STR("step"), text);
  bool ok = run->module != NULL && echo_pass_manager_add_pipeline(manager, echo_str(pipeline)) &&
            echo_pass_manager_run(manager, run->module);
  echo_context_flush_diagnostics(run->ctx);
  echo_pass_manager_destroy(manager);
  echo_pass_registry_destroy(passes);
  return ok;
}

/* ---- running ---- */

static void make_arguments(Run *run, EchoDevice *device, const EchoExecutable *executable,
                           EchoDeviceBuffer **args, size_t n_args)
{
  for (size_t i = 0; i < n_args; i++) {
    EchoTensor *input = make_input(echo_executable_arg_type(executable, i), i);
    uint64_t bytes = echo_type_static_bytes(input->type);
    args[i] = echo_executable_arg_is_in_host(executable, i)
                  ? echo_device_host_buffer_create_or_null(run->ctx, device, bytes)
                  : echo_device_buffer_create_or_null(run->ctx, device, bytes);
    bool is_written = echo_device_buffer_write(run->ctx, args[i], input->data, bytes);
    ECHO_CHECK(is_written, "argument %zu cannot be written", i);
    echo_tensor_destroy(input);
  }
}

static void read_results(Run *run, const EchoExecutable *executable, EchoDeviceBuffer **results)
{
  run->n_results = echo_executable_n_results(executable);
  for (size_t i = 0; i < run->n_results; i++) {
    run->results[i] = echo_tensor_create(echo_executable_result_type(executable, i), false);
    bool is_read = echo_device_buffer_read(run->ctx, results[i], run->results[i]->data,
                                           echo_device_buffer_bytes(results[i]));
    ECHO_CHECK(is_read, "result %zu cannot be read", i);
    if (echo_executable_result_alias(executable, i) < 0)
      echo_device_buffer_destroy(results[i]);
  }
}

static bool execute(Run *run, EchoDevice *device, EchoExecutable *executable)
{
  EchoDeviceBuffer *args[64], *results[512];
  size_t n_args = echo_executable_n_args(executable);
  size_t n_results = echo_executable_n_results(executable);
  ECHO_CHECK(n_args <= 64 && n_results <= 512, "too many for a test");
  make_arguments(run, device, executable, args, n_args);
  bool ok = echo_executable_execute(executable, args, n_args, results, n_results);
  run->planned_bytes = echo_executable_memory(executable).peak_bytes;
  run->measured_bytes = echo_device_peak_bytes(device);
  if (ok)
    read_results(run, executable, results);
  for (size_t i = 0; i < n_args; i++)
    echo_device_buffer_destroy(args[i]);
  return ok;
}

static EchoDevice *create_device(Run *run, const Settings *settings)
{
  const char *name = settings->target == NULL ? "cpu" : "cuda";
  EchoDevice *device = echo_device_create_named_or_null(name, settings->n_threads, &run->errors);
  ECHO_CHECK(device != NULL, "%s", echo_buffer_c_str(&run->errors));
  ECHO_CHECK(settings->target == NULL || strcmp(echo_device_target(device), settings->target) == 0,
             "the device is no %s", settings->target);
  return device;
}

bool run_step(Run *run, EchoStr text, const Settings *settings)
{
  if (!run_to_stage(run, text, ECHO_STAGE_LOOPS, settings))
    return false;
  EchoDevice *device = create_device(run, settings);
  EchoExecutableOptions options = {.cache_dir = settings->cache_dir};
  EchoExecutable *executable =
      echo_executable_create_or_null(run->ctx, device, run->module, &options);
  bool ok = executable != NULL && execute(run, device, executable);
  echo_context_flush_diagnostics(run->ctx);
  echo_executable_destroy(executable);
  echo_device_destroy(device);
  return ok;
}

void run_destroy(Run *run)
{
  for (size_t i = 0; i < run->n_results; i++)
    echo_tensor_destroy(run->results[i]);
  echo_buffer_destroy(&run->errors);
  echo_context_destroy(run->ctx);
}
