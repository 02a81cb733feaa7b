/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block that is only thought of (planning/schedule/estimate.h) as a program for the swap planner:
 * what swapping would cost it. The invariant: the steps are the kernels that fusion makes and the
 * copies that bufferization adds, so that --swap, which reads the program that came of it, decides
 * on the same lifetimes. */
#ifndef ECHO_PLANNING_SWAP_ESTIMATE_H
#define ECHO_PLANNING_SWAP_ESTIMATE_H

#include "dialects/plan/plan.h"
#include "planning/schedule/estimate.h"
#include "planning/swap/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Destroy with echo_swap_program_destroy. O(inputs and outputs of the groups). */
void echo_swap_program_create(EchoSwapProgram *program, const EchoGraph *graph,
                              const EchoBlockInterface *interface, const EchoEstimate *estimate,
                              const EchoDeviceModel *device);

/* Whether an argument of so many bytes whose place a result takes may wait in the host. */
static inline bool echo_swap_may_be_state(uint64_t n_bytes)
{
  return n_bytes >= ECHO_SWAP_MIN_BYTES && n_bytes % ECHO_PLAN_ALIGNMENT == 0;
}
/* Bytes of all of them. */
uint64_t echo_swap_state_bytes(const EchoGraph *graph, const EchoBlockInterface *interface);

#ifdef __cplusplus
}
#endif

#endif
