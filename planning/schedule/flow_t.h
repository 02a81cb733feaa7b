/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is known of each node and value of a graph while the order that does not depend on the order
 * given is made (planning/schedule/dataflow_order_t.h): their places in the dataflow, measured once
 * (flow_places.c), and the gradients of weights that wait until they free something (flow_sides.c).
 * Private to planning/schedule. */
#ifndef ECHO_PLANNING_SCHEDULE_FLOW_T_H
#define ECHO_PLANNING_SCHEDULE_FLOW_T_H

#include "planning/schedule/dataflow_order_t.h"

#define ECHO_FLOW_MAX_CONE 32
#define ECHO_FLOW_FRACTION (UINT64_C(1) << 32)

typedef struct EchoFlowNode {
  uint64_t key;     /* of the node's place in the dataflow, without names, addresses or numbers */
  int64_t gain;     /* bytes that running it as soon as it can frees less what it takes */
  uint64_t way;     /* mean number of nodes on the ways from it, in ECHO_FLOW_FRACTION parts */
  uint32_t soonest; /* nodes on the longest way to it */
  uint32_t latest;  /* where it runs so that nobody waits for it */
  uint32_t cone;    /* nodes that it is made by, itself included, up to ECHO_FLOW_MAX_CONE + 1 */
  uint32_t below;   /* nodes that are made from it, itself included, up to ECHO_FLOW_MAX_CONE + 1 */
  uint32_t height;  /* nodes on the longest way from it */
  uint32_t waiting; /* operands that are not available */
  uint32_t unread;  /* of an update: who reads what it replaces and has not run */
  bool is_side;     /* a heavy node with few below it: a gradient of weights, mostly */
  bool is_blocked;  /* it still waits for an operand */
  bool is_ready, is_emitted;
} EchoFlowNode;

typedef struct EchoFlowValue {
  uint32_t n_readers; /* nodes that take room of their own and read it, through views too */
  uint32_t seen;      /* the last node, plus one, that was asked about it */
  uint32_t n_driving; /* readers that have not run and are no side that could; */
  uint32_t n_blocked; /* those of them that still wait for something else */
  uint32_t first_side, n_sides; /* in the flow's list: sides that read it */
  bool is_returned;             /* it outlives the block */
  bool is_outside;              /* a result that needs no room in the arena */
} EchoFlowValue;

typedef struct EchoFlow {
  const EchoGraph *graph;
  const EchoUpdates *updates;
  EchoFlowNode *nodes;
  EchoFlowValue *values;
  EchoFlowHaste haste;
  bool has_missed; /* something that another haste would have run earlier */
  uint32_t *order, n_emitted;
  uint32_t end; /* the return; ECHO_NONE without one */
  ECHO_VECTOR(uint32_t) ready, fresh, stack, released;
  uint32_t *sides;            /* by value, those that read it */
  ECHO_VECTOR(uint32_t) held; /* sides that could run and would free nothing */
} EchoFlow;

static inline bool echo_flow_takes_no_room(const EchoGraph *graph, uint32_t node)
{
  return graph->nodes.data[node].kind == ECHO_NODE_BARRIER ||
         echo_node_is_free_to_remake(graph, node);
}

/* ---- flow_places.c ---- */

/* The value whose bytes are read where `value` is: views and what kernels make anew take none. */
uint32_t echo_flow_holder(const EchoGraph *graph, uint32_t value);
/* Fills in keys, cones, ways, gains and who may wait of all nodes, and the readers of all values.
 * O(nodes + operands). */
void echo_flow_measure(EchoFlow *flow, const EchoBlockInterface *interface);

/* ---- flow_sides.c ---- */

/* Sides by value, in the arena; what waits is known of all nodes. O(nodes + operands). */
void echo_flow_list_sides(EchoFlow *flow, EchoArena *arena);
/* The node waits for nothing more. */
void echo_flow_unblock(EchoFlow *flow, uint32_t node);
/* The node runs, or is a side that could: who else reads the same waits for it no more. */
void echo_flow_stop_driving(EchoFlow *flow, uint32_t node);
/* The node can run: at once, or, a side, once that frees something. */
void echo_flow_make_ready(EchoFlow *flow, uint32_t node);

#endif
