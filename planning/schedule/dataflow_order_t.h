/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order that does not depend on the order given. Private to planning/schedule. */
#ifndef ECHO_PLANNING_SCHEDULE_DATAFLOW_ORDER_T_H
#define ECHO_PLANNING_SCHEDULE_DATAFLOW_ORDER_T_H

#include "planning/schedule/updates_t.h"

/* What runs earlier than it would be asked for. */
typedef enum EchoFlowHaste {
  ECHO_HASTE_OPERANDS, /* the last few operands that a node waits for */
  ECHO_HASTE_UPDATES,  /* and what only updates of state read, as soon as these can follow, whatever
                          else grows less */
  ECHO_HASTE_THROUGH   /* the last few operands, and what they are moved or converted from */
} EchoFlowHaste;

/* Fills order[0 .. nodes); `updates` are the graph's. Two graphs that differ in the order of their
 * nodes alone get the same order, where no two nodes stand at equal places. False where the order
 * is the same with ECHO_HASTE_THROUGH. O((nodes + operands) log n). */
bool echo_order_by_dataflow(const EchoGraph *graph, const EchoBlockInterface *interface,
                            const EchoUpdates *updates, EchoFlowHaste haste, uint32_t *order);

#endif
