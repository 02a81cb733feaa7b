/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A block that is only thought of (planning/schedule/estimate.h) as a program for the swap planner:
 * what swapping would cost it. The invariant: the steps are the kernels that fusion makes, so that
 * --swap, which reads the program that came of it, decides on the same lifetimes. */
#ifndef ECHO_PLANNING_SWAP_ESTIMATE_H
#define ECHO_PLANNING_SWAP_ESTIMATE_H

#include "planning/schedule/estimate.h"
#include "planning/swap/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Destroy with echo_swap_program_destroy. O(inputs and outputs of the groups). */
void echo_swap_program_create(EchoSwapProgram *program, const EchoGraph *graph,
                              const EchoEstimate *estimate, const EchoDeviceModel *device);

/* Nanoseconds that swapping adds so that the arena takes at most limit_bytes. False when it cannot;
 * *least_bytes is then the smallest limit that swapping meets. Cost of echo_swap_decide. */
bool echo_swap_estimate(const EchoGraph *graph, const EchoEstimate *estimate,
                        const EchoDeviceModel *device, uint64_t limit_bytes, EchoSwapPolicy policy,
                        int64_t *overhead_ns, uint64_t *least_bytes);
/* No limit below this can be met; packing may lose bytes on top. O(n log n). */
uint64_t echo_swap_least_load(const EchoGraph *graph, const EchoEstimate *estimate,
                              const EchoDeviceModel *device);

#ifdef __cplusplus
}
#endif

#endif
