/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an order holds when everything is kept says little about what recompute comes to: each
 * choice is put in every order later on. Where an order waits long before the step turns in it,
 * there is little to compute again that does not begin with what it is for. */
#include "echo_pass/starting_order.h"

#include <math.h>

#include "planning/schedule/order.h"

/* Orders that turn within this part of the first one's time turn at the same place, and what they
 * hold decides (bench/results/ablation.md). */
#define SAME_PART 8

/* An order, when everything is kept. */
typedef struct Look {
  uint64_t bytes; /* at its peak */
  double turn_ns; /* what runs before the step turns; all of it where it turns nowhere */
  uint32_t *order;
} Look;

static Look look_at(const EchoGraph *graph, const EchoBlockInterface *interface,
                    const EchoFusionOptions *fusion, const EchoDeviceModel *device, uint32_t *order,
                    EchoArena *scratch)
{
  Look look = {.order = order};
  EchoGraph permuted = {0};
  EchoCandidates candidates;
  EchoArenaMark mark = echo_arena_mark(scratch);
  echo_graph_permute(graph, order, &permuted);
  echo_candidates_create(&candidates, &permuted, interface, fusion, device, scratch);
  for (uint32_t node = 0; node < permuted.nodes.size; ++node) {
    if (look.bytes < candidates.live_bytes[node])
      look.bytes = candidates.live_bytes[node];
    if (node <= candidates.turn) /* ECHO_NONE is above all */
      look.turn_ns += candidates.nodes[node].ns;
  }
  echo_graph_destroy(&permuted);
  echo_arena_reset(scratch, mark);
  return look;
}

/* Of equals the first. */
static const Look *find_lowest(const Look *looks, uint32_t n, double latest_ns)
{
  const Look *best = NULL;
  for (uint32_t i = 0; i < n; ++i)
    if (looks[i].turn_ns <= latest_ns && (best == NULL || looks[i].bytes < best->bytes))
      best = &looks[i];
  return best;
}

static const Look *find_turning(const Look *looks, uint32_t n)
{
  double first_ns = INFINITY;
  for (uint32_t i = 0; i < n; ++i)
    if (first_ns > looks[i].turn_ns)
      first_ns = looks[i].turn_ns;
  return find_lowest(looks, n, first_ns + first_ns / SAME_PART);
}

/* Fills `order`: false where all orders are the first one. */
static bool find_other(const EchoGraph *graph, const EchoBlockInterface *interface,
                       const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                       uint32_t *first, uint32_t *order, EchoArena *scratch)
{
  EchoOrders orders = {0};
  Look looks[ECHO_N_ORDER_POLICIES];
  uint32_t n = 0;
  size_t n_bytes = graph->nodes.size * sizeof *order;
  echo_orders_create(&orders, graph, interface);
  for (unsigned i = ECHO_ORDER_GIVEN + 1; i < ECHO_N_ORDER_POLICIES; ++i) {
    uint32_t *made = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->nodes.size + 1);
    if (i != ECHO_ORDER_THROUGH && echo_orders_make(&orders, (EchoOrderPolicy)i, made) &&
        memcmp(made, first, n_bytes) != 0)
      looks[n++] = look_at(graph, interface, fusion, device, made, scratch);
  }
  echo_orders_destroy(&orders);
  if (n == 0)
    return false;
  Look usual = look_at(graph, interface, fusion, device, first, scratch);
  const Look *lowest = find_lowest(looks, n, INFINITY);
  const Look *other = lowest->bytes < usual.bytes ? lowest : find_turning(looks, n);
  memcpy(order, other->order, n_bytes);
  return true;
}

/* Fills `order`: false where the block has no such order, or it is one of the two before it. */
static bool find_through(const EchoGraph *graph, const EchoBlockInterface *interface,
                         const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                         uint32_t *first, uint32_t *order, EchoArena *scratch)
{
  EchoOrders orders = {0};
  size_t n_bytes = graph->nodes.size * sizeof *order;
  uint32_t *other = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->nodes.size + 1);
  echo_orders_create(&orders, graph, interface);
  bool is_another = echo_orders_make(&orders, ECHO_ORDER_THROUGH, order);
  echo_orders_destroy(&orders);
  return is_another && memcmp(order, first, n_bytes) != 0 &&
         find_other(graph, interface, fusion, device, first, other, scratch) &&
         memcmp(order, other, n_bytes) != 0;
}

bool echo_starting_order(const EchoGraph *graph, const EchoBlockInterface *interface,
                         const EchoFusionOptions *fusion, const EchoDeviceModel *device,
                         EchoStart start, uint32_t *order, EchoArena *scratch)
{
  if (start == ECHO_START_FIRST) {
    echo_order_best_by_dataflow(graph, interface, fusion, order);
    return true;
  }
  if (fusion->order != NULL) /* that alone */
    return false;
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint32_t *first = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->nodes.size + 1);
  echo_order_best_by_dataflow(graph, interface, fusion, first);
  bool is_another = start == ECHO_START_OTHER
                        ? find_other(graph, interface, fusion, device, first, order, scratch)
                        : find_through(graph, interface, fusion, device, first, order, scratch);
  echo_arena_reset(scratch, mark);
  return is_another;
}
