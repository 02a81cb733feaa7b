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

/* Passes that run on the way to a stage, before those of the table: on a module that is in the
 * stage before it. */
typedef struct EchoStagePasses {
  EchoStage before;
  const char *pipeline; /* "cse,my-pass{limit=3}" */
} EchoStagePasses;

/* "planned:cse,my-pass{limit=3}" into *passes, which then points into `text`. False with the reason
 * appended to *error. */
bool echo_stage_passes_parse(const char *text, EchoStagePasses *passes, EchoBuffer *error);

/* What a dialect needs on the way to a stage: passes that run each time a module is taken there,
 * after those that the user asked for. The row and its texts live as long as the context. */
typedef struct EchoStageLowering {
  const char *name;     /* of the lowering, for messages */
  const char *stage;    /* the stage that it leads to: "tensor" */
  const char *pipeline; /* "poly-to-stablehlo" */
} EchoStageLowering;

/* False with the reason appended to *error: no name, no such stage, no pipeline, known already. */
bool echo_context_register_lowering(EchoContext *ctx, const EchoStageLowering *lowering,
                                    EchoBuffer *error);

typedef struct EchoCompileOptions {
  const char
      *echo; /* options of the echo pass ("budget=min"); NULL = no Echo at all, "" = its defaults */
  const char *schedule;      /* options of the schedule pass; NULL = defaults */
  const char *order;         /* for Echo and the schedule alike; NULL = the best of ours */
  const char *differentiate; /* options of differentiate ("loss=2"); NULL = none */
  const char *target;        /* one of planning/cost/target.h: "cpu", "sm_80"; NULL = cpu */
  const char *device;        /* device model: a name or a file; NULL = the target's */
  bool cublaslt; /* a GPU's products by cuBLASLt where it is found and faster: none of them has
                    anything else in its kernel then */
  bool cudnn;    /* the same of its convolutions and cuDNN */
  const EchoStagePasses *passes; /* of one stage in this order; NULL = none */
  size_t n_passes;
} EchoCompileOptions;

/* The device model that the passes are given: the one asked for, or the target's; NULL where no
 * target is named either, which is the passes' own default. */
const char *echo_compile_device_or_null(const EchoCompileOptions *options);

/* Here and below, options NULL = defaults. */

/* Whether all of options->passes will run when `module` is taken to `stage`: an error for those
 * that are not on the way. */
bool echo_pipeline_check_passes(const EchoOp *module, EchoStage stage,
                                const EchoCompileOptions *options);

/* Appends the passes that lead from where `module` stands (echo.stage) to `stage`; none when it is
 * there already. False after an error when `module` is past it, or the target is none. */
bool echo_pipeline_add_stages(EchoPassManager *manager, const EchoOp *module, EchoStage stage,
                              const EchoCompileOptions *options);

/* Appends what makes calls of the collectives of a module at stage model that says what each
 * process does: small ones together, by the device model of `options` (NULL: the default). False
 * after an error. */
bool echo_pipeline_add_collectives(EchoPassManager *manager, const EchoCompileOptions *options);
/* Appends what makes of a module at stage model the one that each of `n_processes` runs: values are
 * cut (--partition), and collectives stand where something goes between processes. `batch` names
 * the arguments that hold it, "arg1,arg2:1"; NULL or "": shardings say what is cut. False after an
 * error. */
bool echo_pipeline_add_partitioning(EchoPassManager *manager, int64_t n_processes,
                                    const char *batch, const EchoCompileOptions *options);

/* Appends what has each process keep its part of what all of them take from one step to the next
 * (--shard-state), to follow echo_pipeline_add_partitioning. `feeds` names results and the
 * arguments that they are in the next step, "res1:arg0,res2:arg1", beside those with
 * tf.aliasing_output; NULL or "": none. With `sums_by_parts` sums over what is cut (norms) are
 * added up between processes, in another order than without. False after an error. */
bool echo_pipeline_add_state_shards(EchoPassManager *manager, const char *feeds,
                                    bool sums_by_parts);

#ifdef __cplusplus
}
#endif

#endif
