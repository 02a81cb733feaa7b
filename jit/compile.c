/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/compile.h"

#include "codegen/codegen.h"
#include "ir/verify/verifier.h"
#include "planning/cost/target.h"

static const EchoCompileOptions DEFAULTS = {0};

/* What everyone hands over. */
static bool check_given(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module)
{
  if (ctx == NULL)
    return false;
  if (passes == NULL)
    return echo_error(ctx, echo_loc_unknown(), "a module is compiled, but 'passes' is NULL");
  if (module == NULL)
    return echo_error(ctx, echo_loc_unknown(), "a module is compiled, but 'module' is NULL");
  if (echo_op_context(module) != ctx)
    return echo_error(ctx, echo_loc_unknown(),
                      "a module is compiled, but 'module' is of another context");
  if (!echo_op_is(module, "builtin.module"))
    return echo_op_error(module, "is given as 'module', but it is none");
  return echo_verify(module);
}

/* Hands on what was said. */
static bool finish(EchoContext *ctx, bool ok)
{
  if (ctx != NULL)
    echo_context_flush_diagnostics(ctx);
  return ok;
}

bool echo_compile_pipeline(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                           const char *pipeline)
{
  if (!check_given(ctx, passes, module))
    return finish(ctx, false);
  if (pipeline == NULL)
    return finish(ctx, echo_error(ctx, module->loc, "a pipeline is run, but 'pipeline' is NULL"));
  const EchoPassManagerOptions options = {.verify_each = true};
  EchoPassManager *manager = echo_pass_manager_create(ctx, passes, &options);
  bool ok = echo_pass_manager_add_pipeline(manager, echo_str(pipeline)) &&
            echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  return finish(ctx, ok);
}

bool echo_compile_to_stage(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                           EchoStage stage, const EchoCompileOptions *options,
                           const EchoPassManagerOptions *manager_options)
{
  static const EchoPassManagerOptions plain = {.verify_each = true};
  if (!check_given(ctx, passes, module))
    return finish(ctx, false);
  if ((unsigned)stage >= ECHO_N_STAGES)
    return finish(ctx, echo_error(ctx, module->loc, "'stage' is %d, which is none", (int)stage));
  EchoPassManager *manager =
      echo_pass_manager_create(ctx, passes, manager_options != NULL ? manager_options : &plain);
  bool ok =
      echo_pipeline_add_stages(manager, module, stage, options != NULL ? options : &DEFAULTS) &&
      echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  return finish(ctx, ok);
}

EchoExecutable *echo_compile_or_null(EchoContext *ctx, const EchoPassRegistry *passes,
                                     EchoDevice *device, EchoOp *module,
                                     const EchoCompileOptions *options,
                                     const EchoExecutableOptions *executable)
{
  const char *target = options != NULL ? options->target : NULL;
  if (ctx != NULL && device == NULL) {
    finish(ctx, echo_error(ctx, echo_loc_unknown(), "a module is compiled, but 'device' is NULL"));
    return NULL;
  }
  const char *own = echo_device_target(device);
  if (ctx != NULL && target != NULL && !echo_str_is(echo_str(target), own)) {
    finish(ctx, echo_error(ctx, echo_loc_unknown(),
                           "'options->target' is '%s', but the device is '%s'", target, own));
    return NULL;
  }
  EchoCompileOptions for_device = options != NULL ? *options : DEFAULTS;
  if (!echo_str_is(echo_str(own), "cpu"))
    for_device.target = own;
  if (!echo_compile_to_stage(ctx, passes, module, ECHO_STAGE_LOOPS, &for_device, NULL))
    return NULL;
  return echo_executable_create_or_null(ctx, device, module, executable);
}

bool echo_compile_ptx(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                      const EchoCompileOptions *options, EchoBuffer *out)
{
  const char *target = options != NULL ? options->target : NULL;
  const EchoTargetInfo *info = target != NULL ? echo_target_find_or_null(echo_str(target)) : NULL;
  if (ctx != NULL && (info == NULL || !info->is_gpu))
    return finish(ctx, echo_error(ctx, echo_loc_unknown(),
                                  "PTX is asked for, but 'options->target' names no GPU"));
  if (ctx != NULL && out == NULL)
    return finish(ctx, echo_error(ctx, echo_loc_unknown(), "PTX is asked for, but 'out' is NULL"));
  return echo_compile_to_stage(ctx, passes, module, ECHO_STAGE_LOOPS, options, NULL) &&
         finish(ctx, echo_codegen_ptx(ctx, module, target, out));
}
