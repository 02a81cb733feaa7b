/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program in one file (docs/bundles.md): its plan as IR, and code for its kernels. It is read by
 * the version of Echo that made it, on a processor like the one that it was made for; whatever else
 * it is, or whatever has become of it, is refused. No compiler is needed. */
#ifndef ECHO_JIT_RUNTIME_BUNDLE_BUNDLE_H
#define ECHO_JIT_RUNTIME_BUNDLE_BUNDLE_H

#include "base/file.h"
#include "jit/runtime/executable.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoBundle {
  EchoFile file;  /* empty: read from the caller's bytes */
  EchoOp *module; /* main at stage loops; its arguments' attributes are those of the program */
  EchoStr target; /* "cpu", "sm_80" */
  EchoStr code;
} EchoBundle;

/* Registers the dialects of plans, where the context lacks them. */
void echo_bundle_register_dialects(EchoContext *ctx);

/* Reads and checks the file, and parses the plan into `ctx`, which has the dialects of plans.
 *   errors   false, the reason among the diagnostics, the bundle empty: no such file, no bundle, of
 *            another version, cut, or not what its checksum says */
bool echo_bundle_open(EchoContext *ctx, const char *path, EchoBundle *bundle);
/* The same of a bundle that the caller has in memory, and keeps there until it is closed; `name` is
 * what diagnostics call it. */
bool echo_bundle_read(EchoContext *ctx, const char *name, EchoStr bytes, EchoBundle *bundle);
/* The context keeps what it has of it; executables that were loaded stay. */
void echo_bundle_close(EchoBundle *bundle);

/* Loads the code. NULL after diagnostics: the device is of another kind than the bundle's target,
 * or this processor lacks what the code was made for; and as echo_executable_load_or_null. */
EchoExecutable *echo_bundle_load_or_null(EchoContext *ctx, EchoDevice *device,
                                         const EchoBundle *bundle);

#ifdef __cplusplus
}
#endif

#endif
