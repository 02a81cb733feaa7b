/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a planned step holds, value by value and launch by launch, read off a module at stage
 * "planned" or "loops". The invariant: the sum of what is live at any step is within the plan,
 * whose peak is the sum of arguments, results, constants and the arena. Not a measurement. */
#ifndef ECHO_JIT_REPORT_MEMORY_TIMELINE_H
#define ECHO_JIT_REPORT_MEMORY_TIMELINE_H

#include "base/vector.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoMemoryKind {
  ECHO_MEMORY_WEIGHTS,   /* arguments of role "parameter", or ones that a result replaces */
  ECHO_MEMORY_OPTIMIZER, /* arguments of role "optimizer" */
  ECHO_MEMORY_INPUTS,    /* other arguments */
  ECHO_MEMORY_RESULTS,   /* results with storage of their own */
  ECHO_MEMORY_CONSTANTS,
  ECHO_MEMORY_FEATURE_MAPS, /* written before the backward part begins, read in it */
  ECHO_MEMORY_RECOMPUTED,   /* written by a recomputed op */
  ECHO_MEMORY_GRADIENTS,    /* written in the backward part, by no update */
  ECHO_MEMORY_WORKSPACE,    /* all else: written and read within the forward part or the update */
  ECHO_N_MEMORY_KINDS
} EchoMemoryKind;

const char *echo_memory_kind_name(EchoMemoryKind kind);     /* "feature maps" */
const char *echo_memory_kind_json_key(EchoMemoryKind kind); /* "feature_maps" */

typedef enum EchoMemoryPhase {
  ECHO_MEMORY_NO_PHASE,
  ECHO_MEMORY_FORWARD,
  ECHO_MEMORY_BACKWARD,
  ECHO_MEMORY_UPDATE
} EchoMemoryPhase;

typedef struct EchoMemoryValue {
  EchoMemoryKind kind;
  const EchoType *type; /* memref */
  uint64_t bytes;
  uint32_t begin, end; /* steps, both included; outside the arena: all of them */
  uint64_t offset;     /* in the arena */
  EchoLoc loc;         /* of what writes it first */
  EchoStr maker;       /* kernel that writes it first, "arg3", "res0" or "constant" */
} EchoMemoryValue;

typedef struct EchoMemoryTimeline {
  EchoContext *ctx;
  ECHO_VECTOR(EchoMemoryValue) values;
  ECHO_VECTOR(uint8_t) phases; /* EchoMemoryPhase of each step; steps are launches and copies */
  /* Where the backward part begins: the step that best parts forward ops from others; all steps
   * where nothing is known of phases. (Residuals of the backward part may run earlier.) */
  uint32_t first_backward;
  uint64_t arg_bytes, result_bytes, constant_bytes, arena_bytes;
  uint64_t planned_peak_bytes;                /* their sum */
  uint64_t host_bytes;                        /* beside it: values that are swapped out */
  uint64_t live_peak_bytes;                   /* largest sum of live bytes, fixed ones included */
  uint64_t peak_by_kind[ECHO_N_MEMORY_KINDS]; /* at that step */
  uint32_t peak_step;
  EchoArena arena;
} EchoMemoryTimeline;

/* O(ops + values). The module outlives the timeline. */
void echo_memory_timeline_create(EchoMemoryTimeline *timeline, EchoOp *module);
void echo_memory_timeline_destroy(EchoMemoryTimeline *timeline);

static inline size_t echo_memory_timeline_n_steps(const EchoMemoryTimeline *timeline)
{
  return timeline->phases.size;
}

/* Live bytes by kind in `n` columns of equal numbers of steps: each column shows its highest step.
 * bytes[column * ECHO_N_MEMORY_KINDS + kind]. O(values + steps + columns). */
void echo_memory_timeline_sample(const EchoMemoryTimeline *timeline, size_t n_columns,
                                 uint64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
