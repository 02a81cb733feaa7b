/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a module at any stage to an executable: the passes of jit/driver/pipeline.h, then code. */
#ifndef ECHO_JIT_COMPILE_H
#define ECHO_JIT_COMPILE_H

#include "jit/driver/pipeline.h"
#include "jit/runtime/executable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes `module` to `stage` in place. False after diagnostics. `passes` are the registered ones;
 * `options` NULL = defaults; `manager` NULL = a plain one (verifying after each pass). */
bool echo_compile_to_stage(EchoContext *ctx, const EchoPassRegistry *passes, EchoOp *module,
                           EchoStage stage, const EchoCompileOptions *options,
                           const EchoPassManagerOptions *manager);

/* echo_compile_to_stage to "loops", then echo_executable_create_or_null. */
EchoExecutable *echo_compile_or_null(EchoContext *ctx, const EchoPassRegistry *passes,
                                     EchoDevice *device, EchoOp *module,
                                     const EchoCompileOptions *options,
                                     const EchoExecutableOptions *executable);

#ifdef __cplusplus
}
#endif

#endif
