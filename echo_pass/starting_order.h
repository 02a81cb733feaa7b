/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order in which recompute is looked for: the one in which the step turns back first. Analysis
 * only. */
#ifndef ECHO_ECHO_PASS_STARTING_ORDER_H
#define ECHO_ECHO_PASS_STARTING_ORDER_H

#include "echo_pass/candidates.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills order[0 .. nodes): of ours, or the one that `fusion` names. Cost: a look at the candidates
 * in each of ours. */
void echo_starting_order(const EchoGraph *graph, const EchoBlockInterface *interface,
                         const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                         uint32_t *order, EchoArena *scratch);

#ifdef __cplusplus
}
#endif

#endif
