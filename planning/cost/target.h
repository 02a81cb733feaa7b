/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The targets that a program is compiled for, by the names that tools and passes take. The one
 * list: who is given a name looks it up here, and refuses what is not here with the whole of it.
 * Not LLVM's target: codegen/ makes that from the name. */
#ifndef ECHO_PLANNING_COST_TARGET_H
#define ECHO_PLANNING_COST_TARGET_H

#include "ir/diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoTargetInfo {
  const char *name;      /* "cpu", "sm_80" */
  bool is_gpu;           /* kernels become PTX */
  bool has_tensor_cores; /* that multiply halves into f32; asynchronous copies, halves in pairs */
  /* That a block may have where it asks for it; without asking, 48 KiB. 0: no GPU. Of the CUDA C++
   * programming guide's table of compute capabilities. */
  int64_t shared_bytes;
  /* The shipped device model that times are predicted by where the user names none. */
  const char *device_model;
} EchoTargetInfo;

/* NULL when `name` is none. */
const EchoTargetInfo *echo_target_find_or_null(EchoStr name);
/* The same, after an error at `loc` that lists the targets. */
const EchoTargetInfo *echo_target_load_or_null(EchoContext *ctx, EchoLoc loc, EchoStr name);
/* Appends "'sm_999' is no target: cpu, sm_75, … are". */
void echo_target_refuse(EchoStr name, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
