/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "ir/text/text.h"
#include "jit/driver/register.h"
#include "jit/runtime/mpi.h"
#include "samples/common/progress.h"

double sample_now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void print_diagnostic(void *user, EchoContext *ctx, const EchoDiagnostic *diagnostic)
{
  (void)user;
  EchoBuffer text = {0};
  sample_progress_clear();
  echo_diagnostic_format(ctx, diagnostic, &text);
  fputs(echo_buffer_c_str(&text), stderr);
  echo_buffer_destroy(&text);
}

EchoContext *sample_context_create(void)
{
  EchoContext *ctx = echo_context_create();
  echo_register_all(ctx, NULL);
  echo_context_set_diagnostic_handler(ctx, print_diagnostic, NULL);
  return ctx;
}

EchoPassRegistry *sample_passes_create(void)
{
  EchoPassRegistry *passes = echo_pass_registry_create();
  echo_register_all(NULL, passes);
  return passes;
}

static void begin_run(void *user, EchoStr pipeline)
{
  (void)user;
  (void)pipeline;
}

static void begin_pass(void *user, const EchoPass *pass)
{
  (void)user;
  sample_progress_show("compiling: %s", pass->name);
}

static void end_run(void *user)
{
  (void)user;
  sample_progress_clear();
}

bool sample_compile_to_stage(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                             EchoStage stage, const EchoCompileOptions *options)
{
  const EchoPassWatcher watcher = {begin_run, begin_pass, end_run, NULL};
  const EchoPassManagerOptions manager = {.verify_each = true, .watcher = &watcher};
  return echo_compile_to_stage(ctx, passes, module, stage, options, &manager);
}

EchoExecutable *sample_compile_or_null(EchoContext *ctx, const EchoPassRegistry *passes,
                                       EchoDevice *device, EchoOp *module,
                                       const EchoCompileOptions *options,
                                       const EchoExecutableOptions *executable)
{
  EchoCompileOptions for_device = options != NULL ? *options : (EchoCompileOptions){0};
  if (strcmp(echo_device_target(device), "cpu") != 0)
    for_device.target = echo_device_target(device);
  if (!sample_compile_to_stage(ctx, passes, module, ECHO_STAGE_LOOPS, &for_device))
    return NULL;
  sample_progress_show("compiling: machine code of the kernels");
  EchoExecutable *compiled = echo_executable_create_or_null(ctx, device, module, executable);
  sample_progress_clear();
  return compiled;
}

EchoDevice *sample_device_create_or_null(const char *program, const char *name, int64_t n_threads)
{
  EchoBuffer error = {0};
  EchoDevice *device = echo_device_create_named_or_null(name, (unsigned)n_threads, &error);
  if (device == NULL)
    fprintf(stderr, "%s: error: %s\n", program, echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return device;
}

/* What is wrong has been said. Other processes would wait for this one. */
static void stop(void)
{
  sample_progress_clear();
  echo_mpi_abort();
  exit(EXIT_FAILURE);
}

/* Who asks again listens this time. */
EchoDeviceBuffer *sample_buffer_create(EchoDevice *device, uint64_t size_bytes)
{
  EchoDeviceBuffer *buffer = echo_device_buffer_create_or_null(NULL, device, size_bytes);
  if (buffer != NULL)
    return buffer;
  EchoContext *ctx = sample_context_create();
  buffer = echo_device_buffer_create_or_null(ctx, device, size_bytes);
  echo_context_flush_diagnostics(ctx);
  if (buffer == NULL)
    stop();
  echo_context_destroy(ctx);
  return buffer;
}

void sample_buffer_fit(EchoDevice *device, const EchoExecutable *executable, size_t arg,
                       EchoDeviceBuffer **buffer)
{
  bool is_in_host = echo_executable_arg_is_in_host(executable, arg);
  uint64_t size_bytes = echo_device_buffer_bytes(*buffer);
  if (is_in_host == echo_device_has_host_buffer(device, *buffer))
    return;
  void *bytes = echo_alloc((size_t)size_bytes + 1);
  sample_buffer_read(*buffer, bytes);
  echo_device_buffer_destroy(*buffer);
  *buffer = is_in_host ? echo_device_host_buffer_create_or_null(NULL, device, size_bytes)
                       : sample_buffer_create(device, size_bytes);
  sample_buffer_write(*buffer, bytes);
  echo_free(bytes);
}

void sample_buffer_write(EchoDeviceBuffer *buffer, const void *host)
{
  uint64_t bytes = echo_device_buffer_bytes(buffer);
  if (echo_device_buffer_write(NULL, buffer, host, bytes))
    return;
  EchoContext *ctx = sample_context_create();
  echo_device_buffer_write(ctx, buffer, host, bytes);
  echo_context_flush_diagnostics(ctx);
  stop();
}

void sample_buffer_read(const EchoDeviceBuffer *buffer, void *host)
{
  uint64_t bytes = echo_device_buffer_bytes(buffer);
  if (echo_device_buffer_read(NULL, buffer, host, bytes))
    return;
  EchoContext *ctx = sample_context_create();
  echo_device_buffer_read(ctx, buffer, host, bytes);
  echo_context_flush_diagnostics(ctx);
  stop();
}

void sample_execute(EchoExecutable *executable, EchoDeviceBuffer *const *args,
                    EchoDeviceBuffer **results)
{
  if (!echo_executable_execute(executable, args, echo_executable_n_args(executable), results,
                               echo_executable_n_results(executable)))
    stop();
}

bool sample_write_file(const char *program, const char *path, const EchoBuffer *text)
{
  EchoBuffer error = {0};
  bool ok = echo_file_write(path, text->data, text->size, &error);
  if (!ok)
    fprintf(stderr, "%s: error: %s\n", program, echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return ok;
}

bool sample_emit(const char *program, EchoContext *ctx, EchoOp *module, const char *stage,
                 const EchoCompileOptions *options, bool has_locations, const char *path)
{
  EchoStage target;
  if (!echo_stage_from_name(echo_str(stage), &target)) {
    fprintf(stderr, "%s: error: '%s' is no stage\n", program, stage);
    return false;
  }
  EchoCompileOptions compile = *options;
  if (target == ECHO_STAGE_ECHOED && compile.echo == NULL)
    compile.echo = "";
  const EchoPrintOptions print = {.debug_info = has_locations};
  EchoPassRegistry *passes = sample_passes_create();
  EchoBuffer text = {0};
  bool ok = sample_compile_to_stage(ctx, passes, module, target, &compile);
  if (ok)
    echo_print_op(module, &print, &text);
  ok = ok && sample_write_file(program, path != NULL ? path : "-", &text);
  echo_buffer_destroy(&text);
  echo_pass_registry_destroy(passes);
  return ok;
}
