/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every order of ours shows a turn of its own. Where gradients of weights come last, gradients wait
 * for them and not layers: nearly all of the step stands before the turn, and there is little to
 * compute again that does not begin with what it is for. What an order holds when everything is
 * kept says nothing about that: each choice is put in every order later on. */
#include "echo_pass/starting_order.h"

#include <math.h>

#include "planning/schedule/order.h"

/* Orders that turn within this part of the first one's time turn at the same place, and what they
 * hold decides (bench/results/ablation.md). */
#define SAME_PART 8

/* An order, when everything is kept. */
typedef struct Start {
  uint64_t bytes; /* at its peak */
  double turn_ns; /* what runs before the step turns; all of it where it turns nowhere */
  uint32_t *order;
} Start;

static Start look_at(const EchoGraph *graph, const EchoBlockInterface *interface,
                     const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                     uint32_t *order, EchoArena *scratch)
{
  Start start = {.order = order};
  EchoGraph permuted = {0};
  EchoCandidates candidates;
  EchoArenaMark mark = echo_arena_mark(scratch);
  echo_graph_permute(graph, order, &permuted);
  echo_candidates_create(&candidates, &permuted, interface, fusion, device, scratch);
  for (uint32_t node = 0; node < permuted.nodes.size; ++node) {
    if (start.bytes < candidates.live_bytes[node])
      start.bytes = candidates.live_bytes[node];
    if (node <= candidates.turn) /* ECHO_NONE is above all */
      start.turn_ns += candidates.nodes[node].ns;
  }
  echo_graph_destroy(&permuted);
  echo_arena_reset(scratch, mark);
  return start;
}

static const Start *choose(const Start *starts, uint32_t n)
{
  double first_ns = INFINITY;
  for (uint32_t i = 0; i < n; ++i)
    if (first_ns > starts[i].turn_ns)
      first_ns = starts[i].turn_ns;
  const Start *best = NULL;
  for (uint32_t i = 0; i < n; ++i)
    if (starts[i].turn_ns <= first_ns + first_ns / SAME_PART &&
        (best == NULL || starts[i].bytes < best->bytes))
      best = &starts[i];
  return best;
}

void echo_starting_order(const EchoGraph *graph, const EchoBlockInterface *interface,
                         const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                         uint32_t *order, EchoArena *scratch)
{
  if (fusion->order != NULL) {
    echo_order_best(graph, interface, fusion, order);
    return;
  }
  EchoArenaMark mark = echo_arena_mark(scratch);
  EchoOrders orders = {0};
  Start starts[ECHO_N_ORDER_POLICIES];
  uint32_t n = 0;
  echo_orders_create(&orders, graph, interface);
  /* not from the order given: how a step was written down decides nothing */
  for (unsigned i = ECHO_ORDER_GIVEN + 1; i < ECHO_N_ORDER_POLICIES; ++i) {
    uint32_t *made = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->nodes.size + 1);
    if (echo_orders_make(&orders, (EchoOrderPolicy)i, made))
      starts[n++] = look_at(graph, interface, fusion, device, made, scratch);
  }
  memcpy(order, choose(starts, n)->order, graph->nodes.size * sizeof *order);
  echo_orders_destroy(&orders);
  echo_arena_reset(scratch, mark);
}
