/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program whose steps run one after another, as a recording for planning/swap/swap.h. Steps are
 * those of its schedule (planning/schedule/storage.h) that read or write a buffer. The invariant: a
 * step needs all the blocks it uses from its start to its end, so no gap lies within a step or
 * between two neighbouring ones. Not a measurement: times are predicted. */
#ifndef ECHO_PLANNING_SWAP_RECORD_H
#define ECHO_PLANNING_SWAP_RECORD_H

#include "planning/cost/device_model.h"
#include "planning/swap/swap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Step `step` uses `block`. */
typedef struct EchoSwapAccess {
  uint32_t step, block;
} EchoSwapAccess;

typedef struct EchoSwapProgram {
  ECHO_VECTOR(int64_t) start_ns;        /* of each step, and the end */
  ECHO_VECTOR(uint64_t) sizes;          /* by block */
  ECHO_VECTOR(EchoSwapAccess) accesses; /* in any order; the same one may stand there twice */
  ECHO_VECTOR(int64_t) inner_bytes;     /* by step: what lives in no other step */
} EchoSwapProgram;

void echo_swap_program_destroy(EchoSwapProgram *program);

/* The trace of one run, and which step each of its events belongs to. Its gaps are the largest by
 * bytes * time of those that can be used, in order of their first events. */
typedef struct EchoSwapRecording {
  EchoSwapTrace trace;
  ECHO_VECTOR(uint32_t) steps; /* by event */
  EchoSwapTransfer transfer;
} EchoSwapRecording;

/* Sorts the accesses. At least one step must use something. Destroy with
 * echo_swap_recording_destroy. O(n log n). */
void echo_swap_recording_create(EchoSwapRecording *recording, EchoSwapProgram *program,
                                const EchoDeviceModel *device);
void echo_swap_recording_destroy(EchoSwapRecording *recording);

/* What to move, where the copies stand, and what that costs. */
typedef struct EchoSwapDecision {
  ECHO_VECTOR(EchoSwapPlace) places; /* in order of last_step */
  ECHO_VECTOR(uint32_t) blocks;      /* by place */
  int64_t overhead_ns;
  uint64_t least_bytes; /* after a failure: the smallest limit that can be met */
} EchoSwapDecision;

/* Decides for a limit on what the blocks take, offsets and all: where packing loses bytes, the plan
 * is made for a limit that is lower by as much. False when the limit cannot be met. Cost: of a few
 * echo_swap_plan and as many plans of offsets. */
bool echo_swap_decide(EchoSwapDecision *decision, const EchoSwapProgram *program,
                      const EchoSwapRecording *recording, uint64_t limit_bytes,
                      EchoSwapPolicy policy);
void echo_swap_decision_destroy(EchoSwapDecision *decision);

#ifdef __cplusplus
}
#endif

#endif
