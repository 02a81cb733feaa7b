/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An execution order for a block, chosen for its peak: several greedy topological orders, each
 * measured on the one model (planning/schedule/estimate.h); the lowest wins. The invariant: the
 * order is topological, and its estimated peak is never above that of the order given. */
#ifndef ECHO_PLANNING_SCHEDULE_ORDER_H
#define ECHO_PLANNING_SCHEDULE_ORDER_H

#include "planning/schedule/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoOrderPolicy {
  ECHO_ORDER_GIVEN,
  ECHO_ORDER_DEMAND, /* heavy nodes as given; what shrinks at once, what grows when it is asked for
                      */
  ECHO_ORDER_EAGER,  /* the same, and heavy nodes too run at once where they shrink */
  ECHO_ORDER_LATE,   /* everything right before its first reader */
  ECHO_N_ORDER_POLICIES
} EchoOrderPolicy;

typedef struct EchoOrderResult {
  EchoOrderPolicy policy;
  uint64_t given_bytes, best_bytes;
} EchoOrderResult;

/* Fills order[0 .. nodes) with nodes in order of execution. O(n log n). */
void echo_order_make(const EchoGraph *graph, const EchoBlockInterface *interface,
                     EchoOrderPolicy policy, uint32_t *order);
/* The best of all policies. */
EchoOrderResult echo_order_best(const EchoGraph *graph, const EchoBlockInterface *interface,
                                const EchoFusionOptions *options, uint32_t *order);

/* The same nodes numbered in this order. `permuted` is created; destroy with echo_graph_destroy. */
void echo_graph_permute(const EchoGraph *graph, const uint32_t *order, EchoGraph *permuted);

#ifdef __cplusplus
}
#endif

#endif
