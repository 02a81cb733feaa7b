/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A compiled program as one file that runs without a compiler (docs/bundles.md). Who reads it:
 * jit/runtime/bundle/bundle.h. */
#ifndef ECHO_JIT_BUNDLE_H
#define ECHO_JIT_BUNDLE_H

#include "base/thread_pool.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoBundleOptions {
  const char *target;    /* a GPU, "sm_80"; NULL or "cpu" = this machine's kind of processor */
  const char *cpu;       /* "x86-64", "x86-64-v2" to -v4; NULL = the host's */
  const char *features;  /* LLVM's, beside `cpu` */
  const char *cache_dir; /* of compiled objects; NULL = none */
  EchoThreadPool *pool;  /* compiles; NULL = the calling thread */
} EchoBundleOptions;

/* Appends the bundle of a module at stage "loops" that was lowered for the target. The module stays
 * as it is. Same module and options, same bytes. options NULL = defaults. False after diagnostics:
 * the module calls functions that only a process has (custom calls, MPI), or is asked for a
 * processor whose features nobody could check. */
bool echo_bundle_create(EchoContext *ctx, EchoOp *module, const EchoBundleOptions *options,
                        EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
