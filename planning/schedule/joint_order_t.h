/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to planning/schedule/: an order in which more kernels are one. */
#ifndef ECHO_PLANNING_SCHEDULE_JOINT_ORDER_T_H
#define ECHO_PLANNING_SCHEDULE_JOINT_ORDER_T_H

#include "planning/schedule/graph.h"

/* A kernel of its own that reads what a map makes waits, in `order`, for maps further on that are
 * made of the same: one kernel then makes both. So the gradient of a weight waits for that of the
 * activation that is computed again for it. False where nothing moves. O(n) moves of at most a
 * bounded number of places. */
bool echo_order_joint(const EchoGraph *graph, uint32_t *order);

#endif
