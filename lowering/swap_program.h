/* A bufferized function as the swap planner sees it: steps with predicted times, and what they do
 * to buffers. The invariant: a step is an op of main's own block that runs, control flow whole;
 * what lives inside of one step alone is a sum of bytes and no candidate. Decides nothing. */
#ifndef ECHO_LOWERING_SWAP_PROGRAM_H
#define ECHO_LOWERING_SWAP_PROGRAM_H

#include "base/map.h"
#include "dialects/plan/plan.h"
#include "planning/device_model.h"
#include "planning/swap.h"

typedef struct EchoSwapUse {
  uint32_t step;
  EchoPlanUse use;
} EchoSwapUse;

/* A buffer that more than one step uses. */
typedef struct EchoSwapBuffer {
  EchoOp *op; /* plan.buffer */
  uint64_t size_bytes;
  size_t first_use, n_uses; /* in `uses`, in order of steps */
} EchoSwapBuffer;

typedef struct EchoSwapProgram {
  ECHO_VECTOR(EchoOp *) steps;
  ECHO_VECTOR(int64_t) start_ns; /* of each step, and the end */
  ECHO_VECTOR(EchoSwapBuffer) buffers;
  ECHO_VECTOR(EchoSwapUse) uses;
  ECHO_VECTOR(int64_t) live_bytes;  /* by step: the most that the arena holds in it */
  ECHO_VECTOR(int64_t) inner_bytes; /* by step: of it, what lives in no other step */
  EchoMap step_of_op;
} EchoSwapProgram;

/* `module` holds the kernels. Destroy with echo_swap_program_destroy. O(n log n). */
void echo_swap_program_create(EchoSwapProgram *program, EchoOp *module, EchoOp *function,
                              const EchoOp *arena, const EchoDeviceModel *device);
void echo_swap_program_destroy(EchoSwapProgram *program);

/* The program as a recording. Block b < buffers.size is buffer b, others are what lives inside of
 * single steps. */
typedef struct EchoSwapRecording {
  ECHO_VECTOR(EchoSwapEvent) events;
  ECHO_VECTOR(uint32_t) steps; /* by event */
  ECHO_VECTOR(uint64_t) sizes; /* by block */
} EchoSwapRecording;

/* A step needs all its buffers from its start to its end: each is accessed at both. */
void echo_swap_record(const EchoSwapProgram *program, EchoSwapRecording *recording);
void echo_swap_recording_destroy(EchoSwapRecording *recording);

#endif
