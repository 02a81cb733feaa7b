/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a module at any stage to another stage, to an executable or to PTX: the passes of
 * jit/driver/pipeline.h, then code.
 *
 * For all of them: `ctx` is the module's; `passes` are the registered ones; `options` NULL =
 * defaults. The module is verified, then changed in place. False or NULL after diagnostics, which
 * name the argument where one is missing or does not fit. */
#ifndef ECHO_JIT_COMPILE_H
#define ECHO_JIT_COMPILE_H

#include "jit/driver/pipeline.h"
#include "jit/runtime/executable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a pipeline given as text, "builtin.module(canonicalize,cse)", verifying after each pass. */
bool echo_compile_pipeline(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                           const char *pipeline);

/* Takes `module` to `stage`. `manager` NULL = a plain one (verifying after each pass). */
bool echo_compile_to_stage(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                           EchoStage stage, const EchoCompileOptions *options,
                           const EchoPassManagerOptions *manager);

typedef struct EchoExecutableOptions {
  const char *cache_dir; /* of compiled objects; NULL = none */
  const char *cpu;       /* processor to compile for; NULL = the host's */
} EchoExecutableOptions;

/* Compiles a module at stage "loops", whose kernels were lowered for echo_device_target. The
 * module, its context and the device must outlive the executable. NULL after diagnostics. */
EchoExecutable *echo_executable_create_or_null(EchoContext *ctx, EchoDevice *device, EchoOp *module,
                                               const EchoExecutableOptions *options);

/* echo_compile_to_stage to "loops", then echo_executable_create_or_null. The target is the
 * device's. */
EchoExecutable *echo_compile_or_null(EchoContext *ctx, const EchoPassRegistry *passes,
                                     EchoDevice *device, EchoOp *module,
                                     const EchoCompileOptions *options,
                                     const EchoExecutableOptions *executable);

/* echo_compile_to_stage to "loops" for the GPU that options->target names, then its kernels as PTX,
 * appended to `out`. Needs no GPU. */
bool echo_compile_ptx(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                      const EchoCompileOptions *options, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
