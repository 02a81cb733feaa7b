/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An execution order for a block, chosen for its peak: several greedy topological orders, each
 * measured on the one model (planning/schedule/estimate.h); the lowest wins. The invariant: the
 * order is topological, and its estimated peak is never above that of the order given. */
#ifndef ECHO_PLANNING_SCHEDULE_ORDER_H
#define ECHO_PLANNING_SCHEDULE_ORDER_H

#include "base/arena.h"
#include "ir/diagnostics.h"
#include "planning/schedule/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoOrderPolicy {
  ECHO_ORDER_GIVEN,
  ECHO_ORDER_FLOW,   /* by the dataflow alone: one branch after the other */
  ECHO_ORDER_DEMAND, /* heavy nodes as the dataflow has them; what shrinks at once, what grows when
                        it is asked for */
  ECHO_ORDER_EAGER,  /* the same, and heavy nodes too run at once where they shrink */
  ECHO_ORDER_LATE,   /* everything right before its first reader */
  ECHO_ORDER_JOINT,  /* by demand, and kernels of their own wait for maps that one kernel could make
                        with what they read */
  ECHO_ORDER_UPDATE, /* by demand, and what only updates of state read as soon as these can follow
                      */
  ECHO_ORDER_THROUGH, /* by demand, and the last operands of a product at once, through what moves
                         or converts them */
  ECHO_N_ORDER_POLICIES
} EchoOrderPolicy;

typedef struct EchoOrderResult {
  EchoOrderPolicy policy;
  uint64_t given_bytes, best_bytes;
  uint64_t best_ns;
  bool is_named; /* by options->order: `policy` says nothing then */
  bool is_wrong; /* the named order is none: the order is the one given */
} EchoOrderResult;

/* ---- orders by name ---- */

/* A way to order a block, as a row: of ours, or of a plugin. */
struct EchoOrder {
  const char *name;    /* as in order=NAME */
  const char *summary; /* one line */
  /* Fills order[0 .. nodes) with nodes in order of execution: each once, behind the nodes whose
   * values it reads, the return last. Equal graphs get equal orders. The graph may hold clones that
   * no op stands for. */
  void (*make)(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order);
};

/* Makes an order known in a context, for as long as that lives. False with the reason appended to
 * *error: no name, nothing to call, or a name that is taken. */
bool echo_context_register_order(EchoContext *ctx, const EchoOrder *order, EchoBuffer *error);
/* "given", "flow", "demand", "eager", "late", "joint", "update", "through", or one that was
 * registered; NULL when there is none.
 */
const EchoOrder *echo_order_or_null(const EchoContext *ctx, EchoStr name);
/* The order that a pass option names; *order = NULL for an empty name, which asks for the best of
 * ours. False after an error at `loc`. */
bool echo_order_load(EchoContext *ctx, EchoLoc loc, EchoStr name, const EchoOrder **order);
/* Position of the first node that cannot run there; ECHO_NONE when there is none. O(nodes +
 * operands). */
uint32_t echo_order_mistake(const EchoGraph *graph, const uint32_t *order);
/* Runs the row; where what it makes is no order, false, and the order is the one given. */
bool echo_order_run(const EchoOrder *row, const EchoGraph *graph,
                    const EchoBlockInterface *interface, uint32_t *order);

/* ---- ours ---- */

/* Fills order[0 .. nodes) with nodes in order of execution. All but the one given depend on the
 * dataflow alone, not on the order in which the graph has its nodes. O(n log n). */
void echo_order_make(const EchoGraph *graph, const EchoBlockInterface *interface,
                     EchoOrderPolicy policy, uint32_t *order);
/* Several orders of one graph: what they share is found once. The graph outlives it. */
typedef struct EchoOrders {
  const EchoGraph *graph;
  const EchoBlockInterface *interface;
  uint32_t *flow;       /* by the dataflow alone; NULL: not asked for yet */
  bool has_through;     /* whether it is another through what moves or converts */
  EchoGraph in_flow;    /* the graph in that order */
  EchoGraph in_another; /* the graph in the order that was asked for last: room alone */
  struct EchoUpdates *given_updates; /* of the graph: there where `flow` is */
  struct EchoUpdates *updates;       /* of the graph in_flow; NULL: not asked for yet */
  uint32_t *demand;                  /* of its nodes, by demand; NULL: not asked for yet */
  EchoArena memory;
} EchoOrders;
/* `orders` is zero-initialised, or was some before: its room is used again. */
void echo_orders_create(EchoOrders *orders, const EchoGraph *graph,
                        const EchoBlockInterface *interface);
/* False where the order is that of a policy before it. */
bool echo_orders_make(EchoOrders *orders, EchoOrderPolicy policy, uint32_t *order);
void echo_orders_destroy(EchoOrders *orders);
/* Whether a block that takes `bytes` and `ns` in one order runs in that rather than in one in which
 * it takes the others, where nobody says what memory is worth: the product of both is lower, a
 * percent of the bytes for a percent of the time; of equal ones the sooner. */
bool echo_order_is_better(uint64_t bytes, uint64_t ns, uint64_t other_bytes, uint64_t other_ns);
/* The best of all policies on this device, or, where options->order names one, that. In a
 * branch the least bytes are best, of equals the first policy's: an order with more is one more
 * level to choose among for each branch (bench/results/ablation.md). */
EchoOrderResult echo_order_best(const EchoGraph *graph, const EchoBlockInterface *interface,
                                const EchoFusionOptions *options, const EchoDeviceModel *device,
                                bool is_branch, uint32_t *order);

/* The one with the least bytes that shows where the step turns, which recompute is looked for in;
 * of equals the one that asks less of the order given. ECHO_ORDER_THROUGH is none of them: from
 * that it is looked for beside (echo_pass/starting_order.h). */
EchoOrderResult echo_order_best_by_dataflow(const EchoGraph *graph,
                                            const EchoBlockInterface *interface,
                                            const EchoFusionOptions *options, uint32_t *order);

#ifdef __cplusplus
}
#endif

#endif
