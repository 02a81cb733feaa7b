/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/driver/pipeline.h"

#include "dialects/func/build.h"
#include "ir/diagnostics.h"
#include "lowering/lowering.h"
#include "planning/cost/target.h"

/* What leads to each stage from the one before it. "%s" takes the options named beside it. The pass
 * set-stage comes last: it records where the module stands and has the verifier hold it to that
 * stage's table. */
typedef enum OptionSlot {
  NO_OPTIONS,
  DIFFERENTIATE,
  ECHO_PASS,
  SCHEDULE,
  FUSE,
  SWAP,
  LOWER
} OptionSlot;

static const struct {
  const char *passes;
  OptionSlot options;
} to_stage[ECHO_N_STAGES] = {
    [ECHO_STAGE_MODEL] = {"", NO_OPTIONS},
    [ECHO_STAGE_TENSOR] =
        {"flatten-tuples,refine-shapes,nn-to-stablehlo,chlo-to-stablehlo,"
         "inline{all=true},symbol-dce,random-state,call-targets,widen-elements,split-complex,"
         "canonicalize,cse,lower-custom-calls",
         NO_OPTIONS},
    [ECHO_STAGE_STEP] = {"differentiate%s,chlo-to-stablehlo,round-operands,expand-batch-norm,"
                         "lower-algebra,unroll-maps,split-pads," ECHO_STRAIGHTEN_PASSES
                         ",sum-rows,canonicalize,sink-transposes,%s," ECHO_CSE_PASS
                         ",dce,widen-sorts,isolate-regions",
                         DIFFERENTIATE},
    [ECHO_STAGE_ECHOED] = {"roll-loops,unroll-loops,merge-recomputed,echo%s", ECHO_PASS},
    [ECHO_STAGE_SCHEDULED] = {"reuse-arrays,schedule%s", SCHEDULE},
    [ECHO_STAGE_KERNELS] = {"fuse%s", FUSE},
    [ECHO_STAGE_PLANNED] = {"bufferize,swap%s,overlap-calls,plan-memory", SWAP},
    [ECHO_STAGE_LOOPS] = {"lower-kernels%s", LOWER},
};

/* One option of a pass after others: "name=value", or, without a name, a text of options. */
static void append_option(EchoBuffer *out, const char *name, const char *value)
{
  if (value == NULL || value[0] == '\0')
    return;
  echo_buffer_append_char(out, out->size == 0 ? '{' : ' ');
  if (name != NULL)
    echo_buffer_printf(out, "%s=", name);
  echo_buffer_append_c(out, value);
}

const char *echo_compile_device_or_null(const EchoCompileOptions *options)
{
  if (options == NULL)
    return NULL;
  if (options->device != NULL || options->target == NULL)
    return options->device;
  const EchoTargetInfo *target = echo_target_find_or_null(echo_str(options->target));
  return target != NULL ? target->device_model : NULL;
}

static void append_library(EchoBuffer *out, const EchoCompileOptions *options)
{
  append_option(out, "cublaslt", options->cublaslt ? "true" : NULL);
  append_option(out, "cudnn", options->cudnn ? "true" : NULL);
}

/* What fusion is asked with where there are kernels of a GPU. */
static void append_fusion(EchoBuffer *out, const EchoCompileOptions *options)
{
  const EchoTargetInfo *target =
      options->target != NULL ? echo_target_find_or_null(echo_str(options->target)) : NULL;
  if (target == NULL || !target->is_gpu)
    return;
  append_option(out, "device", echo_compile_device_or_null(options));
  append_option(out, "target", options->target);
  append_library(out, options);
}

/* What is done with reductions, and with rows of products before a step is cut into chunks of them.
 */
static void append_rows(EchoBuffer *out, const EchoCompileOptions *options)
{
  EchoBuffer text = {0};
  append_fusion(&text, options);
  echo_buffer_printf(out, "sink-reductions%s%s,join-reductions,", echo_buffer_c_str(&text),
                     text.size != 0 ? "}" : "");
  if (text.size != 0 && !options->cublaslt)
    echo_buffer_append_c(out, "keep-row-order,canonicalize," ECHO_CSE_PASS ",dce,");
  echo_buffer_append_c(out, "rows-first,chunk-rows");
  if (text.size != 0)
    echo_buffer_printf(out, "%s}", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

/* Appends passes up to the first "%s", and `slot` in its place. Returns what follows; NULL: there
 * was no "%s", and all is appended. */
static const char *append_passes(EchoBuffer *out, const char *passes, EchoStr slot)
{
  const char *at = strstr(passes, "%s");
  if (at == NULL) {
    echo_buffer_append_c(out, passes);
    return NULL;
  }
  echo_buffer_append(out, passes, (size_t)(at - passes));
  echo_buffer_append_str(out, slot);
  return at + 2;
}

static void append_stage(EchoBuffer *out, EchoStage stage, const EchoCompileOptions *options)
{
  const char *device = echo_compile_device_or_null(options);
  EchoBuffer text = {0};
  switch (to_stage[stage].options) {
  case NO_OPTIONS:
    break;
  case DIFFERENTIATE:
    append_option(&text, NULL, options->differentiate);
    break;
  case ECHO_PASS:
    append_option(&text, NULL, options->echo);
    append_option(&text, "device", device);
    append_option(&text, "target", options->target);
    append_library(&text, options);
    append_option(&text, "order", options->order);
    break;
  case SCHEDULE:
    append_option(&text, NULL, options->schedule);
    append_option(&text, "device", device);
    append_option(&text, "target", options->target);
    append_library(&text, options);
    append_option(&text, "order", options->order);
    break;
  case FUSE:
    append_option(&text, "device", device);
    append_option(&text, "target", options->target);
    append_library(&text, options);
    break;
  case SWAP:
    append_option(&text, "device", device);
    break;
  case LOWER:
    append_option(&text, "target", options->target);
    append_option(&text, "device",
                  options->device); /* where none is named the pass knows its target's */
    append_library(&text, options);
    break;
  }
  if (text.size != 0)
    echo_buffer_append_char(&text, '}');
  const char *passes = append_passes(out, to_stage[stage].passes, echo_buffer_str(&text));
  if (passes != NULL) {
    echo_buffer_clear(&text);
    append_rows(&text, options);
    passes = append_passes(out, passes, echo_buffer_str(&text));
  }
  if (passes != NULL)
    echo_buffer_append_c(out, passes);
  const EchoTargetInfo *target =
      options->target != NULL ? echo_target_find_or_null(echo_str(options->target)) : NULL;
  /* What is a target's: which kernel makes a product, the order of a reduction, and how much of a
   * row a block holds. */
  if (stage == ECHO_STAGE_STEP && target != NULL && target->is_gpu) {
    echo_buffer_clear(&text);
    append_fusion(&text, options);
    echo_buffer_printf(out, ",contract-convolutions%s,split-reductions%s},widen-sorts{shared=true}",
                       options->cudnn ? ",reverse-windows" : "", echo_buffer_c_str(&text));
  }
  echo_buffer_printf(out, ",set-stage{stage=%s}", echo_stage_name(stage));
  echo_buffer_destroy(&text);
}

/* ---- what stands between the stages ---- */

static const char LOWERING[] = "stage lowering";

bool echo_stage_passes_parse(const char *text, EchoStagePasses *passes, EchoBuffer *error)
{
  if (text == NULL || passes == NULL) {
    echo_buffer_printf(error, "passes of a stage are read: '%s' is NULL",
                       text == NULL ? "text" : "passes");
    return false;
  }
  size_t size = strcspn(text, ":");
  EchoStr name = {text, size};
  if (text[size] != ':' || text[size + 1] == '\0') {
    echo_buffer_printf(error, "'%s' is not STAGE:PIPELINE", text);
    return false;
  }
  if (!echo_stage_from_name(name, &passes->before)) {
    echo_buffer_printf(error, "'%.*s' is no stage", ECHO_STR_ARG(name));
    return false;
  }
  if (passes->before == ECHO_STAGE_MODEL) {
    echo_buffer_append_c(error, "nothing comes before stage 'model'");
    return false;
  }
  passes->pipeline = text + size + 1;
  return true;
}

bool echo_context_register_lowering(EchoContext *ctx, const EchoStageLowering *lowering,
                                    EchoBuffer *error)
{
  EchoStage stage;
  if (ctx == NULL || lowering == NULL) {
    echo_buffer_printf(error, "a lowering is registered: '%s' is NULL",
                       ctx == NULL ? "ctx" : "lowering");
    return false;
  }
  if (lowering->name == NULL || lowering->stage == NULL || lowering->pipeline == NULL) {
    echo_buffer_append_c(error, "a lowering has no name, no stage or no pipeline");
    return false;
  }
  if (!echo_stage_from_name(echo_str(lowering->stage), &stage) || stage == ECHO_STAGE_MODEL) {
    echo_buffer_printf(error, "lowering '%s': no lowering leads to '%s'", lowering->name,
                       lowering->stage);
    return false;
  }
  if (echo_context_register_row(ctx, LOWERING, lowering->name, lowering))
    return true;
  echo_buffer_printf(error, "two lowerings are named '%s'", lowering->name);
  return false;
}

static const EchoCompileOptions DEFAULTS = {0};

/* What both functions below are handed. */
static bool check_given(const EchoOp *module, EchoStage stage, const EchoCompileOptions *options)
{
  if (module == NULL)
    return false; /* nobody to tell */
  if ((unsigned)stage >= ECHO_N_STAGES)
    return echo_op_error(module, "is taken to a stage, but 'stage' is %d, which is none",
                         (int)stage);
  if (options->passes == NULL && options->n_passes != 0)
    return echo_op_error(module, "is taken to a stage, but 'options->passes' is NULL");
  for (size_t i = 0; i < options->n_passes; i++)
    if (options->passes[i].pipeline == NULL)
      return echo_op_error(module,
                           "is taken to a stage, but 'options->passes[%zu].pipeline' is NULL", i);
  return true;
}

bool echo_pipeline_check_passes(const EchoOp *module, EchoStage stage,
                                const EchoCompileOptions *options)
{
  if (options == NULL)
    options = &DEFAULTS;
  if (!check_given(module, stage, options))
    return false;
  EchoStage at = echo_module_stage(module);
  bool ok = true;
  for (size_t i = 0; i < options->n_passes; i++) {
    const EchoStagePasses *passes = &options->passes[i];
    if (passes->before <= at)
      ok = echo_op_error(module, "is at stage '%s': nothing runs before '%s' any more",
                         echo_stage_name(at), echo_stage_name(passes->before));
    else if (passes->before > stage)
      ok = echo_op_error(module, "is taken to stage '%s' only: nothing runs before '%s'",
                         echo_stage_name(stage), echo_stage_name(passes->before));
  }
  return ok;
}

/* What the user asked for, then what dialects need. */
static bool add_passes_before(EchoPassManager *manager, EchoContext *ctx, EchoStage stage,
                              const EchoCompileOptions *options)
{
  for (size_t i = 0; i < options->n_passes; i++)
    if (options->passes[i].before == stage &&
        !echo_pass_manager_add_pipeline(manager, echo_str(options->passes[i].pipeline)))
      return false;
  const EchoStageLowering *lowering;
  for (size_t i = 0; (lowering = echo_context_row_at_or_null(ctx, LOWERING, i)) != NULL; i++)
    if (strcmp(lowering->stage, echo_stage_name(stage)) == 0 &&
        !echo_pass_manager_add_pipeline(manager, echo_str(lowering->pipeline)))
      return false;
  return true;
}

/* ---- the whole ---- */

bool echo_pipeline_add_stages(EchoPassManager *manager, const EchoOp *module, EchoStage stage,
                              const EchoCompileOptions *options)
{
  if (options == NULL)
    options = &DEFAULTS;
  EchoContext *ctx = echo_pass_manager_context(manager);
  if (ctx == NULL)
    return false; /* nobody to tell */
  if (module == NULL || echo_op_context(module) != ctx)
    return echo_misuse(ctx, echo_loc_unknown(), "stages are added: 'module' is %s",
                       module == NULL ? "NULL" : "of another context");
  if (!check_given(module, stage, options))
    return false;
  EchoStage at = echo_module_stage(module);
  if (at > stage)
    return echo_op_error(module, "is at stage '%s' already, past '%s'", echo_stage_name(at),
                         echo_stage_name(stage));
  if (options->target != NULL && echo_target_load_or_null(echo_op_context(module), module->loc,
                                                          echo_str(options->target)) == NULL)
    return false;
  EchoBuffer text = {0};
  bool ok = true;
  for (int next = (int)at + 1; next <= (int)stage && ok; next++) {
    ok = add_passes_before(manager, echo_op_context(module), (EchoStage)next, options);
    if (!ok || (next == ECHO_STAGE_ECHOED && options->echo == NULL))
      continue; /* without Echo a training step is scheduled as it is */
    echo_buffer_clear(&text);
    append_stage(&text, (EchoStage)next, options);
    ok = echo_pass_manager_add_pipeline(manager, echo_buffer_str(&text));
  }
  echo_buffer_destroy(&text);
  return ok;
}

bool echo_pipeline_add_collectives(EchoPassManager *manager, const EchoCompileOptions *options)
{
  const char *target = options != NULL ? options->target : NULL;
  const EchoTargetInfo *info = target != NULL ? echo_target_find_or_null(echo_str(target)) : NULL;
  EchoBuffer bucket = {0}, lower = {0}, passes = {0};
  append_option(&bucket, "device", echo_compile_device_or_null(options));
  append_option(&lower, "device", echo_compile_device_or_null(options));
  append_option(&lower, "engine", info != NULL && info->is_gpu ? "nccl" : NULL);
  if (bucket.size != 0)
    echo_buffer_append_char(&bucket, '}');
  if (lower.size != 0)
    echo_buffer_append_char(&lower, '}');
  echo_buffer_printf(&passes, "bucket-collectives%s,lower-collectives%s",
                     echo_buffer_c_str(&bucket), echo_buffer_c_str(&lower));
  bool ok = echo_pass_manager_add_pipeline(manager, echo_buffer_str(&passes));
  echo_buffer_destroy(&passes);
  echo_buffer_destroy(&bucket);
  echo_buffer_destroy(&lower);
  return ok;
}

/* The step as it is written down, before anything is decided: forward, backward and update are ops
 * on whole tensors, with no call between them. */
bool echo_pipeline_add_partitioning(EchoPassManager *manager, int64_t n_processes,
                                    const char *batch, const EchoCompileOptions *options)
{
  EchoBuffer text = {0}, differentiate = {0};
  append_option(&differentiate, NULL, options != NULL ? options->differentiate : NULL);
  if (differentiate.size != 0)
    echo_buffer_append_char(&differentiate, '}');
  echo_buffer_printf(
      &text,
      "read-shardings,flatten-tuples,refine-shapes,nn-to-stablehlo,chlo-to-stablehlo,"
      "inline{all=true},symbol-dce,canonicalize,cse,differentiate%s,chlo-to-stablehlo,round-"
      "operands,"
      "expand-batch-norm,canonicalize," ECHO_CSE_PASS
      ",partition{processes=%lld%s%s},canonicalize," ECHO_CSE_PASS ",dce",
      echo_buffer_c_str(&differentiate), (long long)n_processes,
      batch != NULL && batch[0] != '\0' ? " batch=" : "", batch != NULL ? batch : "");
  bool ok = echo_pass_manager_add_pipeline(manager, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&differentiate);
  return ok;
}

bool echo_pipeline_add_state_shards(EchoPassManager *manager, const char *feeds, bool sums_by_parts)
{
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "shard-state{sums=%s%s%s},canonicalize," ECHO_CSE_PASS ",dce",
                     sums_by_parts ? "parts" : "whole",
                     feeds != NULL && feeds[0] != '\0' ? " feeds=" : "",
                     feeds != NULL ? feeds : "");
  bool ok = echo_pass_manager_add_pipeline(manager, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return ok;
}
