/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From text to something that runs, and what is known before it does: ops, plan, what Echo did. */
#include <time.h>

#include "dialects/kernel/host_call.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/report/memory_report.h"
#include "planning/cost/runtime.h"
#include "tools/common/progress.h"
#include "tools/common/report.h"
#include "tools/echo-run/run.h"

static double now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t count_ops(EchoOp *root)
{
  uint64_t n = 0;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    n++;
  return n - 1;
}

/* Ops called `name` inside `root`; NULL counts those with the attribute echo.recompute. */
static uint64_t count_named(EchoOp *root, const char *name)
{
  uint64_t n = 0;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    n += name != NULL ? echo_op_is(op, name) : echo_op_has_attr(op, "echo.recompute");
  return n;
}

static const EchoOp *find_main(EchoOp *module)
{
  EchoArena arena = {0};
  Signature signature;
  bool ok = signature_read(module, &arena, &signature);
  EchoOp *main = ok ? signature.main : module;
  echo_arena_destroy(&arena);
  return main;
}

static bool reach(EchoContext *ctx, const EchoPassRegistry *passes, EchoReplay *replay,
                  EchoOp *module, EchoStage stage, const EchoCompileOptions *options)
{
  const EchoPassWatcher watcher = echo_report_watcher(replay);
  const EchoPassManagerOptions manager = {
      .verify_each = true, .print = echo_report_print, .watcher = &watcher};
  return echo_module_stage(module) >= stage ||
         echo_compile_to_stage(ctx, passes, module, stage, options, &manager);
}

static bool reach_stage(Run *run, EchoStage stage, const EchoCompileOptions *options)
{
  return reach(run->ctx, run->passes, &run->replay, run->module, stage, options);
}

/* What the pass left on the module: see echo_pass/echo_pass.h. */
static void read_echo(const EchoOp *module, EchoFacts *facts)
{
  int64_t off_bytes = echo_op_attr_i64(module, "echo.off_bytes", 0);
  int64_t on_bytes = echo_op_attr_i64(module, "echo.on_bytes", 0);
  int64_t off_ns = echo_op_attr_i64(module, "echo.off_ns", 0);
  int64_t on_ns = echo_op_attr_i64(module, "echo.on_ns", 0);
  int64_t bound_ns = echo_op_attr_i64(module, "echo.bound_ns", 0);
  facts->n_regions = (uint64_t)echo_op_attr_i64(module, "echo.regions", 0);
  facts->bytes_saved = off_bytes > on_bytes ? (uint64_t)(off_bytes - on_bytes) : 0;
  facts->predicted_overhead = off_ns > 0 ? (double)on_ns / (double)off_ns - 1 : 0;
  facts->gap = bound_ns > 0 ? (double)on_ns / (double)bound_ns - 1 : 0;
}

static void read_plan(Outcome *outcome, EchoOp *module, bool is_gpu)
{
  EchoMemoryTimeline timeline;
  echo_memory_timeline_create(&timeline, module);
  outcome->planned = (EchoExecutableMemory){.arg_bytes = timeline.arg_bytes,
                                            .result_bytes = timeline.result_bytes,
                                            .arena_bytes = timeline.arena_bytes,
                                            .constant_bytes = timeline.constant_bytes,
                                            .peak_bytes = timeline.planned_peak_bytes,
                                            .host_bytes = timeline.host_bytes};
  if (is_gpu)
    outcome->planned.host_bytes =
        echo_kernel_host_bytes(outcome->planned.host_bytes, echo_kernel_staged_bytes(module));
  outcome->bound_bytes = (uint64_t)echo_op_attr_i64(module, "plan.bound_bytes", 0);
  outcome->is_planned = true;
  echo_memory_timeline_destroy(&timeline);
}

/* The plan of the same text with other options: in a context of its own. */
static EchoOp *plan_with(const Run *run, EchoContext *ctx, const EchoCompileOptions *options)
{
  EchoOp *module = echo_parse_file_or_null(ctx, run->settings->file);
  EchoReplay replay = {.source = echo_context_buffer_text(ctx, 0)};
  if (module != NULL && !reach(ctx, run->passes, &replay, module, ECHO_STAGE_PLANNED, options))
    module = NULL;
  echo_replay_destroy(&replay);
  echo_context_flush_diagnostics(ctx);
  return module;
}

/* ---- a device that is too small ---- */

enum { LARGEST_SHOWN = 5 };

static void print_largest(const EchoMemoryTimeline *timeline, EchoBuffer *out)
{
  uint64_t below = UINT64_MAX;
  size_t n_shown = 0;
  while (n_shown < LARGEST_SHOWN && below != 0) {
    uint64_t next = 0;
    for (size_t i = 0; i < timeline->values.size && n_shown < LARGEST_SHOWN; i++) {
      const EchoMemoryValue *value = &timeline->values.data[i];
      bool is_there = value->begin <= timeline->peak_step && timeline->peak_step <= value->end;
      if (!is_there || value->bytes > below)
        continue;
      if (value->bytes < below) {
        next = value->bytes > next ? value->bytes : next;
        continue;
      }
      echo_buffer_printf(out, "%s %.*s of %llu", n_shown++ == 0 ? "" : ",",
                         ECHO_STR_ARG(value->maker), (unsigned long long)value->bytes);
    }
    below = next;
  }
}

/* Whose the bytes at the peak are. */
static void print_owners(EchoOp *module, EchoBuffer *out)
{
  EchoMemoryTimeline timeline;
  echo_memory_timeline_create(&timeline, module);
  echo_buffer_append_c(out, "at its peak are");
  bool is_first = true;
  for (int kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++) {
    if (timeline.peak_by_kind[kind] == 0)
      continue;
    echo_buffer_printf(out, "%s %s %llu", is_first ? "" : ",",
                       echo_memory_kind_name((EchoMemoryKind)kind),
                       (unsigned long long)timeline.peak_by_kind[kind]);
    is_first = false;
  }
  echo_buffer_append_c(out, " bytes; the largest:");
  print_largest(&timeline, out);
  echo_memory_timeline_destroy(&timeline);
}

/* The peak of the same text with the least that Echo reaches; 0 where it is not known. */
static uint64_t least_peak(const Run *run, const EchoCompileOptions *from)
{
  EchoCompileOptions options = *from;
  options.echo = "budget=min";
  if (strcmp(run->settings->file, "-") == 0)
    return 0;
  EchoContext *ctx = echo_plugins_create_context(&run->settings->plugins);
  echo_context_set_n_threads(ctx, (unsigned)run->settings->n_threads);
  echo_context_allow_unregistered(ctx, true);
  EchoOp *module = plan_with(run, ctx, &options);
  uint64_t least = 0;
  if (module != NULL) {
    EchoMemoryTimeline timeline;
    echo_memory_timeline_create(&timeline, module);
    least = timeline.planned_peak_bytes;
    echo_memory_timeline_destroy(&timeline);
  }
  echo_context_destroy(ctx);
  return least;
}

/* A step that the device has no memory for is told before it is begun: what the peak is made of,
 * and what would fit. What the device says follows when it is asked. */
static void warn_of_peak(Run *run, const EchoCompileOptions *options)
{
  uint64_t free_bytes = echo_device_free_bytes(run->device);
  uint64_t peak = run->outcome.planned.peak_bytes;
  if (free_bytes == 0 || peak <= free_bytes)
    return;
  EchoBuffer owners = {0};
  print_owners(run->module, &owners);
  echo_warning(
      run->ctx, run->module->loc, "the step takes %llu bytes, and the device has %llu left; %s",
      (unsigned long long)peak, (unsigned long long)free_bytes, echo_buffer_c_str(&owners));
  echo_buffer_destroy(&owners);
  uint64_t least = least_peak(run, options);
  if (least != 0 && least <= free_bytes)
    echo_note(run->ctx, run->module->loc,
              "--echo=budget=%llu makes it fit: the least that Echo reaches is %llu bytes",
              (unsigned long long)free_bytes, (unsigned long long)least);
  else if (least != 0)
    echo_note(run->ctx, run->module->loc,
              "no budget makes it fit: the least that Echo reaches is %llu bytes",
              (unsigned long long)least);
}

static bool write_report(Run *run, const EchoCompileOptions *options)
{
  EchoMemoryTimeline before, after;
  EchoMemoryReport report = {.title = run->settings->file, .after = &after};
  EchoContext *ctx = NULL;
  echo_memory_timeline_create(&after, run->module);
  bool ok = true;
  if (run->outcome.echo.is_on && strcmp(run->settings->file, "-") != 0) {
    ctx = echo_plugins_create_context(&run->settings->plugins);
    echo_context_set_n_threads(ctx, (unsigned)run->settings->n_threads);
    echo_context_allow_unregistered(ctx, true);
    EchoCompileOptions off = *options;
    off.echo = NULL;
    EchoOp *module = plan_with(run, ctx, &off);
    ok = module != NULL;
    if (ok) {
      echo_memory_timeline_create(&before, module);
      report.before = &before;
      report.predicted_overhead = run->outcome.echo.predicted_overhead;
      run->outcome.echo.off_peak_bytes = before.planned_peak_bytes;
    }
  }
  if (ok)
    echo_memory_report_html(&report, &run->report);
  if (report.before != NULL)
    echo_memory_timeline_destroy(&before);
  echo_memory_timeline_destroy(&after);
  if (ctx != NULL)
    echo_context_destroy(ctx);
  return ok;
}

static bool list_kernels(Run *run, const EchoCompileOptions *options)
{
  EchoDeviceModel device;
  const char *name = echo_compile_device_or_null(options);
  if (!echo_device_model_load(run->ctx, run->module->loc,
                              name != NULL ? echo_str(name) : (EchoStr){0}, &device))
    return false;
  device = echo_device_model_on_threads(&device, run->outcome.n_threads);
  kernels_list(&run->outcome.kernels, run->module, &device);
  return true;
}

static bool compile_for_device(Run *run, const EchoCompileOptions *options)
{
  Outcome *outcome = &run->outcome;
  if (!reach_stage(run, ECHO_STAGE_PLANNED, options))
    return false;
  read_plan(outcome, run->module, run_is_for_gpu(run));
  outcome->n_launches = count_named(run->module, "kernel.launch");
  if (run->settings->report != NULL && !write_report(run, options))
    return false;
  if (run->settings->kernels && !list_kernels(run, options))
    return false;
  if (run->settings->plan_only) {
    outcome->n_kernels = count_named(run->module, "kernel.func");
    return reach_stage(run, ECHO_STAGE_LOOPS, options); /* what has no loops has no plan */
  }
  if (!reach_stage(run, ECHO_STAGE_LOOPS, options))
    return false;
  EchoExecutableOptions executable = {.cache_dir = run->settings->cache_dir};
  echo_progress_show("machine code of the kernels");
  run->executable = echo_executable_create_or_null(run->ctx, run->device, run->module, &executable);
  echo_progress_clear();
  if (run->executable == NULL)
    return false;
  outcome->planned = echo_executable_memory(run->executable);
  outcome->n_kernels = echo_executable_n_kernels(run->executable);
  outcome->n_cache_hits = echo_executable_n_cache_hits(run->executable);
  warn_of_peak(run, options);
  return true;
}

bool run_compile(Run *run)
{
  const Settings *settings = run->settings;
  EchoCompileOptions options = settings->compile;
  options.echo = settings->echo;
  options.target = run_target_or_null(run);
  options.device = settings->model;
  EchoBuffer loss = {0};
  echo_buffer_printf(&loss, "loss=%lld", (long long)run->loss);
  options.differentiate = loss.data;
  double begin = now_s();
  bool interprets = run->device == NULL && !settings->plan_only;
  bool differentiates = !interprets || count_named(run->module, "nn.gradient") != 0;
  EchoStage first = differentiates ? ECHO_STAGE_STEP : ECHO_STAGE_TENSOR;
  EchoStage last = interprets ? first : settings->plan_only ? ECHO_STAGE_PLANNED : ECHO_STAGE_LOOPS;
  bool ok =
      echo_pipeline_check_passes(run->module, last, &options) && reach_stage(run, first, &options);
  run->outcome.n_ops = ok ? count_ops((EchoOp *)(uintptr_t)find_main(run->module)) : 0;
  if (ok && !interprets && options.echo != NULL) {
    ok = reach_stage(run, ECHO_STAGE_ECHOED, &options);
    run->outcome.echo.is_on = ok;
    run->outcome.echo.n_recomputed = ok ? count_named(run->module, NULL) : 0;
    read_echo(run->module, &run->outcome.echo);
  }
  ok = ok && (interprets || compile_for_device(run, &options));
  run->outcome.compile_s = now_s() - begin;
  echo_context_flush_diagnostics(run->ctx);
  echo_buffer_destroy(&loss);
  return ok;
}
