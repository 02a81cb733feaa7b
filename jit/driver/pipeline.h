/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The whole compile, stage by stage, in one table: which passes lead from each stage to the next.
 */
#ifndef ECHO_JIT_DRIVER_PIPELINE_H
#define ECHO_JIT_DRIVER_PIPELINE_H

#include "dialects/echo/stages.h"
#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoCompileOptions {
  const char
      *echo; /* options of the echo pass ("budget=min"); NULL = no Echo at all, "" = its defaults */
  const char *schedule;      /* options of the schedule pass; NULL = defaults */
  const char *differentiate; /* options of differentiate ("loss=2"); NULL = none */
  const char *target;        /* one of planning/cost/target.h: "cpu", "sm_80"; NULL = cpu */
  const char *device;        /* device model: a name or a file; NULL = the target's */
} EchoCompileOptions;

/* The device model that the passes are given: the one asked for, or the target's; NULL where no
 * target is named either, which is the passes' own default. */
const char *echo_compile_device_or_null(const EchoCompileOptions *options);

/* Appends the passes that lead from where `module` stands (echo.stage) to `stage`; none when it is
 * there already. False after an error when `module` is past it, or the target is none. */
bool echo_pipeline_add_stages(EchoPassManager *manager, const EchoOp *module, EchoStage stage,
                              const EchoCompileOptions *options);

#ifdef __cplusplus
}
#endif

#endif
