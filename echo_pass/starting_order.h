/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The orders in which recompute is looked for. Gaps, turns and chains are those of one order, and
 * which one shows most differs from step to step: so there are some, and each is searched. Analysis
 * only. */
#ifndef ECHO_ECHO_PASS_STARTING_ORDER_H
#define ECHO_ECHO_PASS_STARTING_ORDER_H

#include "echo_pass/candidates.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoStart {
  ECHO_START_FIRST, /* the best that shows where the step turns (planning/schedule/order.h) */
  ECHO_START_OTHER, /* of the others the lowest, where it is lower with nothing recomputed; else the
                       one in which the step turns back first, whatever it holds then */
  ECHO_START_THROUGH, /* ECHO_ORDER_THROUGH, where that is another */
  ECHO_N_STARTS
} EchoStart;

/* Fills order[0 .. nodes): of ours, or the one that `fusion` names. The other start asks nothing of
 * the order given: how a step is written down decides nothing. False where there is no other.
 *   cost  some looks at the block in each of our orders */
bool echo_starting_order(const EchoGraph *graph, const EchoBlockInterface *interface,
                         const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                         EchoStart start, uint32_t *order, EchoArena *scratch);

#ifdef __cplusplus
}
#endif

#endif
