/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order that does not depend on the order given. Private to planning/schedule. */
#ifndef ECHO_PLANNING_SCHEDULE_DATAFLOW_ORDER_T_H
#define ECHO_PLANNING_SCHEDULE_DATAFLOW_ORDER_T_H

#include "planning/schedule/updates_t.h"

/* Fills order[0 .. nodes); `updates` are the graph's. Two graphs that differ in the order of their
 * nodes alone get the same order, where no two nodes stand at equal places. With `updates_first`,
 * what only updates of state read runs as soon as these can follow, whatever else grows less.
 * O((nodes + operands) log n). */
void echo_order_by_dataflow(const EchoGraph *graph, const EchoBlockInterface *interface,
                            const EchoUpdates *updates, bool updates_first, uint32_t *order);

#endif
