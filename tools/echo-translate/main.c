/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-translate: a module at any stage to LLVM IR, assembly, an object, PTX or a GPU's machine
 * code and the list of its launches, to a bundle that runs without a compiler, or to the tables
 * that echo-plan reads: its chain of layers, the lifetimes of its buffers, the trace of its memory.
 */
#include <stdio.h>

#include "base/file.h"
#include "codegen/codegen.h"
#include "echo_pass/chain_links.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/bundle.h"
#include "jit/driver/pipeline.h"
#include "jit/report/launch_list.h"
#include "jit/report/memory_trace.h"
#include "planning/cost/runtime.h"
#include "tools/common/entry.h"
#include "tools/common/plugins.h"
#include "tools/common/progress.h"
#include "tools/common/report.h"
#include "tools/echo-translate/ptxas.h"

typedef struct Settings {
  const char *file, *output, *emit, *target, *cpu, *features, *echo, *device_model, *kernel;
  bool has_statistics;
  const char *entry; /* NULL: main */
  bool runs_main;    /* as echo-run does: its arrays are what is fed and returned */
  EchoStringList positional;
  EchoPlugins plugins;
  EchoCompileOptions compile;
} Settings;

typedef enum Emission {
  EMIT_LLVM,
  EMIT_LLVM_RAW,
  EMIT_ASSEMBLY,
  EMIT_OBJECT,
  EMIT_PTX, /* from here to EMIT_LAUNCHES: of a GPU */
  EMIT_CUBIN,
  EMIT_SASS,
  EMIT_LAUNCHES,
  EMIT_BUNDLE,
  EMIT_CHAIN,
  EMIT_LIFETIMES,
  EMIT_TRACE
} Emission;

static bool complain(const char *format, const char *what)
{
  fprintf(stderr, "echo-translate: error: ");
  fprintf(stderr, format, what);
  fputc('\n', stderr);
  return false;
}

static EchoParseOutcome parse(Settings *settings, int argc, char **argv)
{
  const EchoOption options[] = {
      {"emit", ECHO_OPTION_STRING, &settings->emit, "KIND",
       "llvm (default), llvm-raw (before optimisation), asm, obj; of a GPU: llvm, llvm-raw, ptx, "
       "cubin (by ptxas), sass (by nvdisasm), launches; bundle (for echo-run-bundle); for "
       "echo-plan: chain, "
       "lifetimes, trace"},
      {"target", ECHO_OPTION_STRING, &settings->target, "NAME",
       "cpu, or a GPU from sm_75 to sm_90 (default: cpu; for what is of a GPU: sm_80)"},
      {"entry", ECHO_OPTION_STRING, &settings->entry, "NAME",
       "function that is a program's main; else the one of that name"},
      {"kernel", ECHO_OPTION_STRING, &settings->kernel, "NAME",
       "only this kernel, with its phases: llvm and llvm-raw of a GPU, ptx, cubin, sass"},
      {"ptxas-stats", ECHO_OPTION_FLAG, &settings->has_statistics, NULL,
       "with ptx: what ptxas says of each kernel, as a comment above it"},
      {"cpu", ECHO_OPTION_STRING, &settings->cpu, "NAME",
       "LLVM's name of the processor; else the host's"},
      {"features", ECHO_OPTION_STRING, &settings->features, "LIST", "LLVM's list of its features"},
      {"echo", ECHO_OPTION_OPTIONAL, &settings->echo, "OPTIONS",
       "recompute to save memory: budget=BYTES|min, overhead=P%, swap=on, policy=NAME, explain"},
      {"cublaslt", ECHO_OPTION_FLAG, &settings->compile.cublaslt, NULL,
       "of a GPU: products have nothing else in their kernels, so that who runs a bundle has "
       "cuBLASLt make them where it is found and faster"},
      {"device-model", ECHO_OPTION_STRING, &settings->device_model, "NAME|FILE",
       "device that times are predicted for; else the target's"},
      ECHO_PLUGIN_OPTIONS(&settings->plugins),
      {"o", ECHO_OPTION_STRING, &settings->output, "FILE", "output (default: standard output)"},
      {0}};
  const EchoCommandLine line = {.tool = "echo-translate",
                                .synopsis = "[options] FILE",
                                .summary = "translate a module at any stage to LLVM IR, assembly, "
                                           "an object file, PTX, a GPU's machine code or the list "
                                           "of its launches, or to tables for echo-plan.",
                                .options = options};
  return echo_report_command_line(&line, argc, argv, &settings->positional);
}

static bool choose_emission(const Settings *settings, Emission *emission)
{
  static const char *const NAMES[] = {"llvm", "llvm-raw", "asm",    "obj",   "ptx",       "cubin",
                                      "sass", "launches", "bundle", "chain", "lifetimes", "trace"};
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; ++i)
    if (echo_str_is(echo_str(settings->emit), NAMES[i])) {
      *emission = (Emission)i;
      return true;
    }
  return complain("--emit=%s is unknown: llvm, llvm-raw, asm, obj, ptx, cubin, sass, launches, "
                  "bundle, chain, lifetimes and trace are there",
                  settings->emit);
}

static EchoStage stage_of(Emission emission)
{
  return emission == EMIT_CHAIN                                 ? ECHO_STAGE_STEP
         : emission == EMIT_LIFETIMES || emission == EMIT_TRACE ? ECHO_STAGE_PLANNED
                                                                : ECHO_STAGE_LOOPS;
}

static EchoCompileOptions compile_options(const Settings *settings)
{
  EchoCompileOptions options = settings->compile;
  options.echo = settings->echo;
  options.target = settings->target;
  options.device = settings->device_model;
  return options;
}

/* Runs the stages that are left, for the target. */
static bool lower(EchoContext *ctx, EchoOp *module, const Settings *settings, EchoStage stage)
{
  EchoPassRegistry *passes = echo_plugins_create_registry(&settings->plugins);
  EchoReplay replay = {.source = echo_context_buffer_text(ctx, 0)};
  const EchoPassWatcher watcher = echo_report_watcher(&replay);
  EchoPassManagerOptions manager_options = {.print = echo_report_print, .watcher = &watcher};
  EchoPassManager *manager = echo_pass_manager_create(ctx, passes, &manager_options);
  const EchoCompileOptions options = compile_options(settings);
  bool has_kernels = false;
  for (const EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    has_kernels |= echo_op_is(op, "kernel.func");
  bool fine = echo_pipeline_check_passes(module, stage, &options);
  if (!fine) {
    echo_context_flush_diagnostics(ctx);
  } else if (has_kernels && echo_module_stage(module) == ECHO_STAGE_MODEL &&
             stage == ECHO_STAGE_LOOPS) {
    /* kernels on their own, without a step around them */
    EchoBuffer pass = {0};
    echo_buffer_printf(&pass, "lower-kernels{target=%s blas=false}", settings->target);
    fine = echo_pass_manager_add_pipeline(manager, echo_buffer_str(&pass));
    echo_buffer_destroy(&pass);
  } else if (echo_module_stage(module) != stage) {
    fine = !settings->runs_main || entry_flatten(manager, module);
    fine = fine && echo_pipeline_add_stages(manager, module, stage, &options);
  }
  fine = fine && echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  echo_replay_destroy(&replay);
  echo_pass_registry_destroy(passes);
  return fine;
}

/* ---- of a GPU ---- */

/* What only a GPU has. */
static bool is_of_gpu(Emission emission)
{
  return emission >= EMIT_PTX && emission <= EMIT_LAUNCHES;
}

static bool is_llvm(Emission emission)
{
  return emission == EMIT_LLVM || emission == EMIT_LLVM_RAW;
}

/* Each kernel by itself. */
static bool is_code_for_gpu(const Settings *settings, Emission emission)
{
  return (is_of_gpu(emission) && emission != EMIT_LAUNCHES) ||
         (is_llvm(emission) && !echo_str_is(echo_str(settings->target), "cpu"));
}

/* "map_0__1" is a phase of "map_0", and itself. */
static bool is_kernel(EchoStr name, const char *wanted)
{
  size_t size = strlen(wanted);
  if (name.size < size || memcmp(name.data, wanted, size) != 0)
    return false;
  return name.size == size ||
         (name.size > size + 2 && name.data[size] == '_' && name.data[size + 1] == '_');
}

/* Drops all others. */
static bool keep_kernel(EchoOp *module, const char *wanted)
{
  bool found = false;
  for (EchoOp *gpu = echo_op_body(module, 0)->first; gpu != NULL; gpu = gpu->next) {
    if (!echo_op_is(gpu, "gpu.module"))
      continue;
    for (EchoOp *op = echo_op_body(gpu, 0)->first, *next; op != NULL; op = next) {
      next = op->next;
      if (!echo_op_is(op, "gpu.func"))
        continue;
      bool is_wanted = is_kernel(echo_op_attr_string(op, "sym_name"), wanted);
      found |= is_wanted;
      if (!is_wanted)
        echo_op_erase(op);
    }
  }
  return found || complain("--kernel=%s is no kernel of this module", wanted);
}

static bool emit_for_gpu(EchoContext *ctx, EchoOp *module, const Settings *settings,
                         Emission emission, EchoBuffer *out)
{
  EchoBuffer ptx = {0}, cubin = {0}, report = {0}, error = {0};
  if (emission == EMIT_LAUNCHES)
    return echo_launch_list_print(module, out);
  bool asks_ptxas = !is_llvm(emission) && (emission != EMIT_PTX || settings->has_statistics);
  EchoGpuText kind = emission == EMIT_LLVM       ? ECHO_GPU_LLVM
                     : emission == EMIT_LLVM_RAW ? ECHO_GPU_LLVM_UNOPTIMIZED
                                                 : ECHO_GPU_PTX;
  bool fine = (settings->kernel == NULL || keep_kernel(module, settings->kernel)) &&
              echo_codegen_gpu(ctx, module, settings->target, kind, asks_ptxas ? &ptx : out);
  if (fine && asks_ptxas) {
    fine = echo_ptxas(echo_buffer_str(&ptx), settings->target, &cubin, &report, &error);
    if (fine && emission == EMIT_PTX)
      echo_ptxas_annotate(echo_buffer_str(&ptx), echo_buffer_str(&report), settings->target, out);
    else if (fine && emission == EMIT_CUBIN)
      echo_buffer_append_str(out, echo_buffer_str(&cubin));
    else if (fine)
      fine = echo_nvdisasm(echo_buffer_str(&cubin), out, &error);
    if (!fine)
      complain("%s", echo_buffer_c_str(&error));
  }
  echo_buffer_destroy(&ptx);
  echo_buffer_destroy(&cubin);
  echo_buffer_destroy(&report);
  echo_buffer_destroy(&error);
  return fine;
}

static bool emit(EchoContext *ctx, EchoOp *module, const Settings *settings, Emission emission,
                 EchoBuffer *out)
{
  static const EchoCodegenOutput OUTPUTS[] = {[EMIT_LLVM] = ECHO_CODEGEN_LLVM,
                                              [EMIT_LLVM_RAW] = ECHO_CODEGEN_LLVM_UNOPTIMIZED,
                                              [EMIT_ASSEMBLY] = ECHO_CODEGEN_ASSEMBLY,
                                              [EMIT_OBJECT] = ECHO_CODEGEN_OBJECT};
  if (emission == EMIT_BUNDLE)
    return echo_bundle_create(ctx, module,
                              &(EchoBundleOptions){.target = settings->target,
                                                   .cpu = settings->cpu,
                                                   .features = settings->features},
                              out);
  if (emission == EMIT_LAUNCHES || is_code_for_gpu(settings, emission))
    return emit_for_gpu(ctx, module, settings, emission, out);
  if (emission == EMIT_LIFETIMES)
    return echo_memory_lifetimes_print(module, out);
  if (emission == EMIT_CHAIN || emission == EMIT_TRACE) {
    const EchoCompileOptions compile = compile_options(settings);
    EchoDeviceModel device;
    return echo_device_model_load(ctx, module->loc, echo_str(echo_compile_device_or_null(&compile)),
                                  &device) &&
           (emission == EMIT_CHAIN ? echo_chain_print : echo_memory_trace_print)(module, &device,
                                                                                 out);
  }
  EchoCodegenOptions options = {.cpu = settings->cpu, .features = settings->features};
  return echo_codegen_translate(ctx, module, &options, OUTPUTS[emission], out);
}

static bool show_and_emit(EchoContext *ctx, EchoOp *module, const Settings *settings,
                          Emission emission, EchoBuffer *out)
{
  echo_progress_show("making %s", settings->emit);
  bool fine = emit(ctx, module, settings, emission, out);
  echo_progress_clear();
  return fine;
}

/* One function is what is translated of a program that has others beside its main. What was fused
 * already has no others but those that are its parts. */
static bool choose_entry(const Settings *settings, EchoOp *module)
{
  bool has_main =
      echo_module_stage(module) <= ECHO_STAGE_SCHEDULED && echo_module_main_or_null(module) != NULL;
  return (!settings->runs_main && settings->entry == NULL && !has_main) ||
         entry_choose(module, settings->entry);
}

static bool run(const Settings *settings, Emission emission)
{
  EchoContext *ctx = echo_plugins_create_planner(&settings->plugins);
  EchoOp *module = echo_parse_file_or_null(ctx, settings->file);
  if (module != NULL)
    echo_plugins_mark(&settings->plugins, module);
  EchoBuffer out = {0}, error = {0};
  bool fine = module != NULL && echo_verify(module) && choose_entry(settings, module) &&
              lower(ctx, module, settings, stage_of(emission)) &&
              show_and_emit(ctx, module, settings, emission, &out);
  echo_context_flush_diagnostics(ctx);
  if (fine && !echo_file_write(settings->output, echo_buffer_c_str(&out), out.size, &error))
    fine = complain("%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&out);
  echo_buffer_destroy(&error);
  echo_context_destroy(ctx);
  return fine;
}

int main(int argc, char **argv)
{
  Settings settings = {.output = "-", .emit = "llvm", .target = "cpu"};
  Emission emission = EMIT_LLVM;
  echo_report_install_handlers("echo-translate", NULL);
  if (!echo_plugins_load(&settings.plugins, "echo-translate", argc, argv))
    return 1;
  EchoParseOutcome outcome = parse(&settings, argc, argv);
  bool fine = outcome == ECHO_PARSE_OK && choose_emission(&settings, &emission) &&
              echo_plugins_take_passes(&settings.plugins, &settings.compile);
  if (fine && settings.positional.size != 1)
    fine = complain("expects one input file%s", "");
  fine = fine && echo_report_check_target("echo-translate", settings.target);
  if (fine && is_of_gpu(emission) && echo_str_is(echo_str(settings.target), "cpu"))
    settings.target = "sm_80";
  if (fine && ((settings.kernel != NULL && !is_code_for_gpu(&settings, emission)) ||
               (settings.has_statistics && (!is_of_gpu(emission) || emission == EMIT_LAUNCHES))))
    fine = complain("--kernel and --ptxas-stats go with a GPU's code, not with --emit=%s",
                    settings.emit);
  if (fine && emission < EMIT_PTX && !is_llvm(emission) &&
      !echo_str_is(echo_str(settings.target), "cpu"))
    fine = complain("--target=%s has no assembly or object of its own: ask for --emit=ptx, cubin "
                    "or sass",
                    settings.target);
  if (fine && settings.compile.cublaslt && echo_str_is(echo_str(settings.target), "cpu"))
    fine = complain("--cublaslt makes a GPU's products: it needs a GPU's --target%s", "");
  settings.runs_main = emission == EMIT_BUNDLE;
  if (fine) {
    settings.file = settings.positional.data[0];
    fine = run(&settings, emission);
  }
  echo_vector_destroy(&settings.positional);
  echo_plugins_destroy(&settings.plugins);
  return outcome == ECHO_PARSE_EXIT || fine ? 0 : 1;
}
