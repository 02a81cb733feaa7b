/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-run-bundle: runs and trains what echo-translate --emit=bundle has made, without a compiler:
 * echo-run's steps, on an executable that comes from a file. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "jit/runtime/bundle/bundle.h"
#include "tools/common/report.h"
#include "tools/echo-run/run.h"

static EchoBundle bundle;

static bool complain(const char *message)
{
  fprintf(stderr, "echo-run-bundle: error: %s\n", message);
  return false;
}

static bool complain_and_free(EchoBuffer *error)
{
  complain(echo_buffer_c_str(error));
  echo_buffer_destroy(error);
  return false;
}

static double now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool open_device(Run *run)
{
  const Settings *settings = run->settings;
  EchoBuffer error = {0};
  const char *name = settings->device;
  if (name == NULL)
    name = echo_str_is(bundle.target, "cpu") ? "cpu" : "cuda";
  run->device = echo_device_create_named_or_null(name, (unsigned)settings->n_threads, &error);
  if (run->device == NULL)
    return complain_and_free(&error);
  run->outcome.n_threads = echo_thread_pool_size(echo_device_pool(run->device));
  return true;
}

static uint64_t count_launches(EchoOp *module)
{
  uint64_t n = 0;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    n += echo_op_is(op, "kernel.launch");
  return n;
}

/* The file, what it takes and gives, and the arguments. */
static bool load(Run *run)
{
  const Settings *settings = run->settings;
  EchoBuffer error = {0};
  run->ctx = echo_context_create();
  echo_context_set_diagnostic_handler(run->ctx, echo_report_diagnostic, NULL);
  echo_bundle_register_dialects(run->ctx);
  if (!echo_bundle_open(run->ctx, settings->file, &bundle))
    return false;
  run->module = bundle.module;
  bool ok = signature_read(run->module, &run->arena, &run->signature);
  echo_context_flush_diagnostics(run->ctx);
  if (!ok)
    return false;
  run->arg_parts = ECHO_ARENA_ARRAY(&run->arena, const EchoAttr *, run->signature.n_args + 1);
  run->result_parts = ECHO_ARENA_ARRAY(&run->arena, const EchoAttr *, run->signature.n_results + 1);
  memset(run->arg_parts, 0, (run->signature.n_args + 1) * sizeof *run->arg_parts);
  memset(run->result_parts, 0, (run->signature.n_results + 1) * sizeof *run->result_parts);
  run->inputs.parts = run->arg_parts;
  if (!inputs_read(run->ctx, &run->signature, &settings->inputs, &settings->feeds, &run->inputs,
                   &error))
    return complain_and_free(&error);
  inputs_complete(run->ctx, &run->inputs, &run->signature, (uint64_t)settings->seed);
  return true;
}

/* In the place of a compile. */
static bool load_executable(Run *run)
{
  double begin = now_s();
  run->executable = echo_bundle_load_or_null(run->ctx, run->device, &bundle);
  if (run->executable == NULL)
    return false;
  Outcome *outcome = &run->outcome;
  outcome->is_planned = true;
  outcome->planned = echo_executable_memory(run->executable);
  outcome->bound_bytes = (uint64_t)echo_op_attr_i64(run->module, "plan.bound_bytes", 0);
  outcome->n_kernels = echo_executable_n_kernels(run->executable);
  outcome->n_launches = count_launches(run->module);
  outcome->n_ops = outcome->n_launches;
  outcome->compile_s = now_s() - begin;
  return true;
}

static bool run_file(Settings *settings)
{
  Run run = {.settings = settings};
  bool ok = load(&run) && open_device(&run);
  settings->device = ok ? echo_device_name(run.device) : NULL;
  ok = ok && run_module(&run, load_executable);
  run_destroy(&run);
  echo_bundle_close(&bundle);
  return ok;
}

int main(int argc, char **argv)
{
  static Settings settings = {.tool = "echo-run-bundle",
                              .tolerance = {NOT_GIVEN, NOT_GIVEN, NOT_GIVEN}};
  const EchoOption options[] = {
      {"inputs", ECHO_OPTION_LIST, &settings.inputs, "IN.npz",
       "arguments: one .npz or .safetensors, or several .npy"},
      {"outputs", ECHO_OPTION_STRING, &settings.outputs, "OUT.npz",
       "write the results of the last step"},
      {"expect", ECHO_OPTION_STRING, &settings.expect, "FILE.npz",
       "compare results; a difference exits 1"},
      TOLERANCE_OPTIONS(settings.tolerance),
      {"device", ECHO_OPTION_STRING, &settings.device, "NAME",
       "cpu, cuda or cuda:N (default: what the bundle was made for)"},
      {"steps", ECHO_OPTION_RANGE, ECHO_RANGE(&settings.n_steps, 1, INT32_MAX), "N",
       "run N times (as often as the feed lasts, or once)"},
      {"feed", ECHO_OPTION_LIST, &settings.feeds, "resI:argJ|FILE.npz",
       "next step's argument: a result, or slice k of an array for step k"},
      {"seed", ECHO_OPTION_I64, &settings.seed, "N",
       "draws the arguments left out, and what the program draws (default: 0)"},
      {"trace", ECHO_OPTION_STRING, &settings.trace, "FILE.npz",
       "write scalar float results of all steps"},
      {"threads", ECHO_OPTION_RANGE, ECHO_RANGE(&settings.n_threads, 0, 4096), "N",
       "threads (0 = all processors)"},
      {"json", ECHO_OPTION_STRING, &settings.json, "FILE", "write figures"},
      {"kernels", ECHO_OPTION_FLAG, &settings.kernels, NULL, "what each kernel takes, measured"},
      {"quiet", ECHO_OPTION_FLAG, &settings.quiet, NULL, "no summary"},
      {0}};
  const EchoCommandLine line = {.tool = "echo-run-bundle",
                                .synopsis = "[options] FILE.bundle",
                                .summary = "run what echo-translate --emit=bundle has made",
                                .options = options};
  EchoStringList positional = {0};
  switch (echo_report_command_line(&line, argc, argv, &positional)) {
  case ECHO_PARSE_EXIT:
    return EXIT_SUCCESS;
  case ECHO_PARSE_ERROR:
    return EXIT_FAILURE;
  case ECHO_PARSE_OK:
    break;
  }
  settings.file = positional.size == 1 ? positional.data[0] : NULL;
  echo_vector_destroy(&positional);
  echo_report_install_handlers("echo-run-bundle", NULL);
  bool ok = settings.file != NULL || complain("expects one file (see echo-run-bundle --help)");
  if (ok && tolerance_error_or_null(&settings.tolerance) != NULL)
    ok = complain(tolerance_error_or_null(&settings.tolerance));
  ok = ok && run_file(&settings);
  if (fflush(stdout) != 0)
    ok = complain("cannot write standard output");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
