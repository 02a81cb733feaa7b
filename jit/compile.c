/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/compile.h"

bool echo_compile_to_stage(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                           EchoStage stage, const EchoCompileOptions *options,
                           const EchoPassManagerOptions *manager_options)
{
  static const EchoCompileOptions defaults = {0};
  static const EchoPassManagerOptions plain = {.verify_each = true};
  EchoPassManager *manager =
      echo_pass_manager_create(ctx, passes, manager_options != NULL ? manager_options : &plain);
  bool ok =
      echo_pipeline_add_stages(manager, module, stage, options != NULL ? options : &defaults) &&
      echo_pass_manager_run(manager, module);
  echo_pass_manager_destroy(manager);
  echo_context_flush_diagnostics(ctx);
  return ok;
}

EchoExecutable *echo_compile_or_null(EchoContext *ctx, const EchoPassRegistry *passes,
                                     EchoDevice *device, EchoOp *module,
                                     const EchoCompileOptions *options,
                                     const EchoExecutableOptions *executable)
{
  if (!echo_compile_to_stage(ctx, passes, module, ECHO_STAGE_LOOPS, options, NULL))
    return NULL;
  return echo_executable_create_or_null(ctx, device, module, executable);
}
