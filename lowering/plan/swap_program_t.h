/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A bufferized function as the swap planner sees it: which buffers and which arguments that results
 * take the place of which steps use, and when. The invariant: a step is an op of main's own block
 * that runs, control flow whole; what lives inside of one control flow alone is a sum of bytes and
 * no block. Decides nothing. */
#ifndef ECHO_LOWERING_PLAN_SWAP_PROGRAM_T_H
#define ECHO_LOWERING_PLAN_SWAP_PROGRAM_T_H

#include "base/map.h"
#include "dialects/plan/plan.h"
#include "planning/swap/program.h"

typedef struct EchoBufferUse {
  uint32_t step;
  EchoPlanUse use;
} EchoBufferUse;

/* A block of the program. */
typedef struct EchoStepBuffer {
  EchoValue *value;         /* of plan.buffer, or an argument */
  size_t first_use, n_uses; /* in `uses`, in order of steps */
} EchoStepBuffer;

typedef struct EchoStepProgram {
  ECHO_VECTOR(EchoOp *) steps;
  ECHO_VECTOR(EchoStepBuffer) buffers; /* by number of a block */
  ECHO_VECTOR(EchoBufferUse) uses;
  EchoMap step_of_op;
  EchoSwapProgram swap;
} EchoStepProgram;

/* `module` holds the kernels. Destroy with echo_step_program_destroy. O(n log n). */
void echo_step_program_create(EchoStepProgram *program, EchoOp *module, EchoOp *function,
                              const EchoOp *arena, const EchoDeviceModel *device);
void echo_step_program_destroy(EchoStepProgram *program);

#endif
