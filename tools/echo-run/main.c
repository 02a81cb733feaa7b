/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-run: runs `main` of a module, at any stage, on the interpreter, the host's processor or a
 * GPU. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "dialects/echo/parts.h"
#include "dialects/func/build.h"
#include "dialects/sdy/shardings.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/driver/processes.h"
#include "jit/runtime/cuda/nccl.h"
#include "tools/common/entry.h"
#include "tools/common/progress.h"
#include "tools/common/report.h"
#include "tools/echo-run/calibrate.h"
#include "tools/echo-run/ranks.h"
#include "tools/echo-run/run.h"

static bool complain(const char *message)
{
  fprintf(stderr, "echo-run: error: %s\n", message);
  return false;
}

static bool complain_and_free(EchoBuffer *error)
{
  complain(echo_buffer_c_str(error));
  echo_buffer_destroy(error);
  return false;
}

/* ---- before the run ---- */

/* $XDG_CACHE_HOME/echo or ~/.cache/echo; NULL where there is no home or it cannot be written. */
static const char *default_cache_dir(EchoArena *arena)
{
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  EchoBuffer path = {0}, error = {0};
  if (base != NULL && base[0] == '/')
    echo_buffer_printf(&path, "%s/echo", base);
  else if (home != NULL && home[0] == '/')
    echo_buffer_printf(&path, "%s/.cache/echo", home);
  bool is_there = path.size != 0 && echo_directory_create(path.data, &error);
  const char *found = is_there ? echo_arena_copy_string(arena, path.data, path.size) : NULL;
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  return found;
}

static bool choose_cache(Run *run, Settings *settings)
{
  if (settings->no_cache) {
    settings->cache_dir = NULL;
    return true;
  }
  if (settings->cache_dir == NULL) {
    settings->cache_dir = default_cache_dir(&run->arena);
    return true;
  }
  EchoBuffer error = {0};
  return echo_directory_create(settings->cache_dir, &error) || complain_and_free(&error);
}

/* Results that are arguments in the next step, by the command line: "res1:arg0,res2:arg1". */
static void append_result_feeds(const Run *run, EchoBuffer *feeds)
{
  const EchoStringList *list = &run->settings->feeds;
  for (size_t i = 0; i < list->size; i++)
    if (inputs_is_result_feed(list->data[i]))
      echo_buffer_printf(feeds, "%s%s", feeds->size != 0 ? "," : "", list->data[i]);
}

static EchoContext *create_planner(void *user)
{
  const Run *run = user;
  if (!run_is_for_gpu(run))
    return echo_plugins_create_planner(&run->settings->plugins);
  EchoContext *ctx = echo_plugins_create_context(&run->settings->plugins);
  EchoBuffer error = {0};
  if (!echo_nccl_register_targets(ctx, &error))
    echo_buffer_destroy(&error); /* a plugin brings them */
  return ctx;
}

static EchoStateForm state_form(const char *how)
{
  if (how == NULL)
    return ECHO_STATE_BY_GOAL;
  if (strcmp(how, "off") == 0)
    return ECHO_STATE_WHOLE;
  return strcmp(how, "norms") == 0 ? ECHO_STATE_PARTS_AND_NORMS : ECHO_STATE_PARTS;
}

/* What is to be split by its shardings, or by the names on the command line, is split; what the
 * processes do is then calls. */
static bool split(Run *run, bool is_whole)
{
  const Settings *settings = run->settings;
  EchoBuffer loss = {0}, feeds = {0};
  EchoCompileOptions compile = settings->compile;
  append_result_feeds(run, &feeds);
  if (run->loss >= 0)
    echo_buffer_printf(&loss, "loss=%lld", (long long)run->loss);
  compile.differentiate = echo_buffer_c_str(&loss);
  compile.echo = settings->echo;
  compile.target = run_target_or_null(run);
  compile.device = settings->model;
  const EchoProcessesOptions options = {.n_processes = echo_mpi_size(),
                                        .batch = settings->batch,
                                        .is_whole = is_whole,
                                        .feeds = echo_buffer_c_str(&feeds),
                                        .state = state_form(settings->shard_state),
                                        .create_context = create_planner,
                                        .user = run};
  bool ok = echo_processes_lower(run->ctx, run->passes, run->module, &options, &compile);
  run->outcome.state_bytes_elsewhere =
      (uint64_t)echo_op_attr_i64(run->module, ECHO_STATE_ELSEWHERE, 0);
  run->outcome.state_bytes_undivided =
      (uint64_t)echo_op_attr_i64(run->module, ECHO_STATE_UNDIVIDED, 0);
  echo_buffer_destroy(&loss);
  echo_buffer_destroy(&feeds);
  return ok;
}

/* What is said of some function is so of another, too; partitions that nothing tells apart all have
 * the whole, as JAX writes what is the same on all devices. */
static bool is_of_wholes(EchoOp *module)
{
  const EchoOp *main = echo_module_main_or_null(module);
  bool is_divided = main == NULL; /* by --partition */
  for (uint32_t i = 0; !is_divided && i < echo_op_body(main, 0)->n_args; i++)
    is_divided = echo_func_arg_attr_or_null(main, i, ECHO_PARTS) != NULL;
  return echo_sdy_is_sharded(module) ||
         (!is_divided && echo_op_attr_i64(module, "mhlo.num_replicas", 1) == 1 &&
          !echo_sdy_names_processes(module));
}

static bool flatten(Run *run)
{
  EchoPassManager *manager = echo_pass_manager_create(run->ctx, run->passes, NULL);
  bool is_split = echo_module_stage(run->module) == ECHO_STAGE_MODEL && echo_mpi_size() > 1;
  bool ok = true;
  if (is_split) {
    EchoPassManager *unused = echo_pass_manager_create(run->ctx, run->passes, NULL);
    const bool is_whole = is_of_wholes(run->module);
    ok = echo_pass_manager_add_pass(unused, ECHO_STR("symbol-dce")) &&
         echo_pass_manager_run(unused, run->module) && split(run, is_whole);
    echo_pass_manager_destroy(unused);
  }
  ok = ok && entry_flatten(manager, run->module) && echo_pass_manager_run(manager, run->module);
  echo_pass_manager_destroy(manager);
  return ok;
}

static bool is_interpreter(const Settings *settings)
{
  return strcmp(settings->device, "interpreter") == 0;
}

/* A plan for the GPU that is here asks it what it is; any other needs no device. */
static bool needs_device(const Settings *settings)
{
  if (settings->plan_only)
    return settings->target == NULL && strncmp(settings->device, "cuda", 4) == 0;
  return !is_interpreter(settings);
}

static bool open_device(Run *run)
{
  const Settings *settings = run->settings;
  EchoBuffer error = {0};
  if (run->device != NULL || !needs_device(settings))
    return true;
  run->device =
      echo_device_create_named_or_null(settings->device, (unsigned)settings->n_threads, &error);
  if (run->device == NULL)
    return complain_and_free(&error);
  run->outcome.n_threads = echo_thread_pool_size(echo_device_pool(run->device));
  return true;
}

/* What is called for what goes between processes: by the device, which each has then. */
static bool join_engine(Run *run)
{
  EchoBuffer error = {0};
  if (echo_mpi_size() == 1)
    return true;
  if (!ranks_agree(open_device(run)))
    return false;
  echo_mpi_set_limit((double)run->settings->limit_s);
  bool ok = run_is_for_gpu(run) ? echo_nccl_register_targets(run->ctx, &error) &&
                                      (run->device == NULL || echo_nccl_start(run->device, &error))
                                : echo_mpi_register_targets(run->ctx, &error);
  return ranks_agree(ok || complain_and_free(&error));
}

/* With many processes: that they run the same. */
static bool join(Run *run)
{
  const Settings *settings = run->settings;
  EchoBuffer error = {0};
  EchoStr text = echo_context_buffer_text(run->ctx, 0);
  if (!ranks_check(run->module, text, settings->batch != NULL, settings->argc, settings->argv,
                   &error))
    return complain_and_free(&error);
  return join_engine(run);
}

/* The groups of what is called; what is only planned for a GPU has none. */
static bool prepare(Run *run)
{
  EchoBuffer error = {0};
  if (echo_mpi_size() == 1 || (run_is_for_gpu(run) && run->device == NULL))
    return true;
  bool ok = run_is_for_gpu(run) ? echo_nccl_prepare(run->module, &error)
                                : echo_mpi_prepare(run->module, &error);
  return ok || complain_and_free(&error);
}

static bool find_loss(Run *run)
{
  const char *text = run->settings->loss;
  const EchoOp *main = echo_module_main_or_null(run->module);
  run->loss = text != NULL && main != NULL ? signature_loss(main, echo_str(text)) : -1;
  return text == NULL || main == NULL || run->loss >= 0 ||
         echo_op_error(main, "has no result '%s', which --loss asks for", text);
}

static bool load(Run *run)
{
  const Settings *settings = run->settings;
  EchoBuffer error = {0};
  run->ctx = echo_plugins_create_context(&settings->plugins);
  echo_context_set_n_threads(run->ctx, (unsigned)settings->n_threads);
  run->passes = echo_plugins_create_registry(&settings->plugins);
  echo_progress_show("reading %s", settings->file);
  run->module = echo_parse_file_or_null(run->ctx, settings->file);
  echo_progress_clear();
  run->replay.source = echo_context_buffer_text(run->ctx, 0);
  if (run->module != NULL)
    echo_plugins_mark(&settings->plugins, run->module);
  bool ok = run->module != NULL && echo_verify(run->module) &&
            entry_choose(run->module, settings->entry) && find_loss(run);
  echo_context_flush_diagnostics(run->ctx);
  ok = ranks_agree(ok) && join(run) &&
       (inputs_refine_arguments(run->module, &settings->inputs, &error) ||
        complain_and_free(&error)) &&
       flatten(run) && signature_read(run->module, &run->arena, &run->signature);
  echo_context_flush_diagnostics(run->ctx);
  if (!ok)
    return false;
  if (!prepare(run))
    return false;
  run->arg_parts = ranks_read_parts(&run->signature, false, &run->arena);
  run->result_parts = ranks_read_parts(&run->signature, true, &run->arena);
  echo_context_flush_diagnostics(run->ctx);
  if (run->arg_parts == NULL || run->result_parts == NULL)
    return false;
  run->inputs.parts = run->arg_parts;
  if (!inputs_read(run->ctx, &run->signature, &settings->inputs, &settings->feeds, &run->inputs,
                   &error))
    return complain_and_free(&error);
  if (!settings->plan_only)
    inputs_complete(run->ctx, &run->inputs, &run->signature, (uint64_t)settings->seed);
  return true;
}

/* ---- the command line ---- */

static bool check_settings(const Settings *settings)
{
  if (strcmp(settings->device, "cpu") != 0 && strcmp(settings->device, "cuda") != 0 &&
      strncmp(settings->device, "cuda:", 5) != 0 && !is_interpreter(settings))
    return complain("--device is interpreter, cpu, cuda, cuda:N or cuda:N,M,…");
  if (settings->target != NULL) {
    if (!echo_report_check_target("echo-run", settings->target))
      return false;
    if (strcmp(settings->target, "cpu") != 0 && !settings->plan_only)
      return complain(
          "--target says what a step is planned for, nothing runs there: ask for --plan-only");
  }
  bool is_for_gpu = strncmp(settings->device, "cuda", 4) == 0 ||
                    (settings->target != NULL && strcmp(settings->target, "cpu") != 0);
  if (settings->compile.cublaslt && !is_for_gpu)
    return complain(
        "--cublaslt makes a GPU's products: it needs --device=cuda, or a GPU's --target");
  if (settings->compile.cudnn && !is_for_gpu)
    return complain(
        "--cudnn makes a GPU's convolutions: it needs --device=cuda, or a GPU's --target");
  if (tolerance_error_or_null(&settings->tolerance) != NULL)
    return complain(tolerance_error_or_null(&settings->tolerance));
  if (settings->batch != NULL && (settings->batch[0] == '\0' || settings->check))
    return complain("--data-parallel names the arguments that hold the batch: arg1,arg2:1");
  const char *state = settings->shard_state;
  if (state != NULL && state[0] != '\0' && strcmp(state, "norms") != 0 && strcmp(state, "off") != 0)
    return complain("--shard-state takes nothing, norms or off");
  if (echo_mpi_size() > 1 && (settings->check || settings->report != NULL))
    return complain("--check and --report are for one process");
  bool interprets = is_interpreter(settings) && !settings->plan_only;
  if (interprets && (settings->report != NULL || settings->echo != NULL))
    return complain("--report and --echo are about a plan, which the interpreter has not "
                    "(see --plan-only)");
  if (settings->check && (settings->plan_only || settings->inputs.size != 0 ||
                          settings->outputs != NULL || settings->expect != NULL))
    return complain("--check runs functions that take nothing: no --inputs, --outputs, --expect, "
                    "--plan-only");
  if (settings->plan_only &&
      (settings->outputs != NULL || settings->expect != NULL || settings->trace != NULL))
    return complain("--plan-only runs nothing: no --outputs, --expect, --trace");
  return true;
}

/* Rank 0 writes the model, and says what it found. */
static bool tell_calibration(const Settings *settings, const EchoDeviceModel *model,
                             const EchoDeviceModel *shipped)
{
  EchoBuffer text = {0}, error = {0};
  echo_buffer_append_c(&text, "# Measured by echo-run --calibrate.\n");
  echo_device_model_print(model, &text);
  bool ok = echo_file_write(settings->calibrate, text.data, text.size, &error) ||
            complain_and_free(&error);
  if (ok && !settings->quiet) {
    echo_buffer_clear(&text);
    calibrate_tell(model, shipped, &text);
    fputs(echo_buffer_c_str(&text), stdout);
  }
  echo_buffer_destroy(&text);
  return ok;
}

/* Processes measure their machine at the same time, as they share it when they run. */
static bool run_calibration(const Settings *settings)
{
  EchoDeviceModel model, shipped;
  EchoBuffer error = {0};
  if (is_interpreter(settings))
    return complain("--calibrate measures cpu, cuda or cuda:N: the interpreter has no model");
  EchoDevice *device =
      echo_device_create_named_or_null(settings->device, (unsigned)settings->n_threads, &error);
  if (!ranks_agree(device != NULL || complain_and_free(&error)))
    return false;
  calibrate_shipped(device, &shipped);
  echo_progress_show("measuring this machine");
  bool ok = calibrate(device, calibrate_model_name(settings->calibrate), &model);
  echo_mpi_set_limit((double)settings->limit_s);
  ok = ranks_agree(ok) && calibrate_link(device, &model, &error);
  echo_progress_clear();
  if (!ok && error.size != 0)
    complain_and_free(&error);
  if (!ok)
    echo_nccl_abort();
  echo_device_destroy(device);
  return ok && ranks_agree(echo_mpi_rank() != 0 || tell_calibration(settings, &model, &shipped));
}

static bool check_file(const Settings *settings)
{
  EchoBuffer error = {0};
  bool ok = run_checks(settings, &error);
  return error.size == 0 ? ok : complain_and_free(&error);
}

static bool run_settings(Settings *settings)
{
  Run run = {.settings = settings};
  settings->own_outputs =
      settings->outputs != NULL && strstr(settings->outputs, "%r") != NULL && echo_mpi_size() > 1;
  settings->outputs = ranks_name_file(settings->outputs, &run.arena);
  ranks_name_files(&settings->inputs, &run.arena);
  ranks_name_files(&settings->feeds, &run.arena);
  bool ok = choose_cache(&run, settings);
  if (settings->check)
    ok = ok && check_file(settings);
  else
    ok = ranks_agree(ok && load(&run) && open_device(&run)) && run_module(&run, run_compile);
  if (!ok)
    echo_nccl_abort();
  run_destroy(&run);
  return ok;
}

static void append_names(void *user, EchoBuffer *help)
{
  (void)user;
  echo_buffer_append_c(
      help,
      "\nFILE.mlir is MLIR text at any stage of the compile (- = standard input); what is run "
      "is main.\nArrays are named arg0, arg1, … and res0, res1, …; results with tf.aliasing_output "
      "feed their\nargument on the next step.\n");
}

int main(int argc, char **argv)
{
  static Settings settings = {.tool = "echo-run",
                              .device = "cpu",
                              .limit_s = 600,
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
       "interpreter, cpu, cuda or cuda:N (default: cpu); under mpirun cuda:N,M,…, one a process of "
       "the machine"},
      {"collective-limit", ECHO_OPTION_RANGE, ECHO_RANGE(&settings.limit_s, 1, INT32_MAX), "S",
       "under mpirun: seconds after which a collective that not all join is an error "
       "(default: 600)"},
      {"echo", ECHO_OPTION_OPTIONAL, &settings.echo, "OPTIONS",
       "recompute to save memory: budget=BYTES|min, overhead=P%, swap=on, policy=NAME, explain"},
      {"steps", ECHO_OPTION_RANGE, ECHO_RANGE(&settings.n_steps, 1, INT32_MAX), "N",
       "run N times (as often as the feed lasts, or once)"},
      {"feed", ECHO_OPTION_LIST, &settings.feeds, "resI:argJ|FILE.npz",
       "next step's argument: a result, or slice k of an array for step k"},
      {"data-parallel", ECHO_OPTION_STRING, &settings.batch, "argI,argJ:DIM",
       "under mpirun: arguments whose dimension (0) is the batch, which the processes divide"},
      {"shard-state", ECHO_OPTION_OPTIONAL, &settings.shard_state, "norms|off",
       "under mpirun: each process keeps its part of the optimizer's state (else a budget "
       "decides)"},
      {"seed", ECHO_OPTION_I64, &settings.seed, "N",
       "draws the arguments left out, and what the program draws (default: 0)"},
      {"trace", ECHO_OPTION_STRING, &settings.trace, "FILE.npz",
       "write scalar float results of all steps"},
      {"loss", ECHO_OPTION_STRING, &settings.loss, "N",
       "which result is the loss of a step that comes with its gradients: its number, or JAX's "
       "name"},
      {"threads", ECHO_OPTION_RANGE, ECHO_RANGE(&settings.n_threads, 0, 4096), "N",
       "threads (0 = all processors)"},
      {"entry", ECHO_OPTION_STRING, &settings.entry, "NAME",
       "function that is run (default: main, or the only public one)"},
      {"check", ECHO_OPTION_FLAG, &settings.check, NULL,
       "run a self-checking file: all sections, all that check.expect_… says"},
      {"plan-only", ECHO_OPTION_FLAG, &settings.plan_only, NULL, "plan memory and run nothing"},
      {"report", ECHO_OPTION_STRING, &settings.report, "FILE.html",
       "draw memory over the step, before and after Echo"},
      {"json", ECHO_OPTION_STRING, &settings.json, "FILE", "write figures"},
      {"kernels", ECHO_OPTION_FLAG, &settings.kernels, NULL,
       "what each kernel takes, measured and predicted"},
      {"device-model", ECHO_OPTION_STRING, &settings.model, "NAME|FILE",
       "device that times are predicted for; else the target's"},
      {"target", ECHO_OPTION_STRING, &settings.target, "NAME",
       "with --plan-only: cpu, or plan for a GPU from sm_75 to sm_90 (default: cpu)"},
      {"cublaslt", ECHO_OPTION_FLAG, &settings.compile.cublaslt, NULL,
       "a GPU's products by cuBLASLt where it is found and measured to be faster"},
      {"cudnn", ECHO_OPTION_FLAG, &settings.compile.cudnn, NULL,
       "a GPU's convolutions by cuDNN where it is found and measured to be faster"},
      {"calibrate", ECHO_OPTION_STRING, &settings.calibrate, "FILE.device",
       "measure this machine, or the GPU of --device, and write its device model; runs no module"},
      ECHO_PLUGIN_OPTIONS(&settings.plugins),
      {"cache-dir", ECHO_OPTION_STRING, &settings.cache_dir, "DIR",
       "of compiled kernels ($XDG_CACHE_HOME/echo)"},
      {"no-cache", ECHO_OPTION_FLAG, &settings.no_cache, NULL, "compile everything anew"},
      {"quiet", ECHO_OPTION_FLAG, &settings.quiet, NULL, "no summary"},
      {0}};
  const EchoCommandLine line = {.tool = "echo-run",
                                .synopsis = "[options] FILE.mlir",
                                .summary = "run a module, and tell what it takes",
                                .options = options,
                                .more_help = append_names};
  EchoStringList positional = {0};
  if (!echo_plugins_load(&settings.plugins, "echo-run", argc, argv))
    return EXIT_FAILURE;
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
  echo_report_install_handlers("echo-run", NULL);
  bool ok = (settings.file != NULL) != (settings.calibrate != NULL) ||
            complain(settings.file != NULL ? "--calibrate runs no module"
                                           : "expects one file (see echo-run --help)");
  EchoBuffer error = {0};
  settings.argc = argc;
  settings.argv = argv;
  ok = ok && (ranks_start(&error) || complain_and_free(&error)) && check_settings(&settings) &&
       echo_plugins_take_passes(&settings.plugins, &settings.compile) &&
       (settings.calibrate != NULL ? run_calibration(&settings) : run_settings(&settings));
  echo_plugins_destroy(&settings.plugins);
  if (fflush(stdout) != 0)
    ok = complain("cannot write standard output");
  ranks_end(ok);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
