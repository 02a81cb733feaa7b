/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small graphs: of every set of candidates every order, as far as the work goes. A policy of orders
 * sees one value or branch at a time; what is best of all depends on which kernels come of it. */
#include "echo_pass/search_state_t.h"

/* All orders of one set, depth first. */
typedef struct Orders {
  EchoSearcher *searcher;
  EchoPoint point; /* of the set */
  const EchoGraph *graph;
  uint32_t *order, *waiting;
  uint32_t n; /* placed */
  uint64_t max_work;
  EchoOrderVisit visit;
  void *user;
} Orders;

static bool look(Orders *orders)
{
  EchoSearcher *searcher = orders->searcher;
  EchoEstimate *estimate = &searcher->estimate;
  echo_graph_permute(orders->graph, orders->order, &searcher->ordered);
  echo_estimate_create(estimate, &searcher->ordered, searcher->interface,
                       &searcher->options->fusion);
  orders->point.peak_bytes = estimate->storage.bound_bytes;
  orders->point.ns =
      echo_fusion_ns(&searcher->ordered, &estimate->fusion, &searcher->options->device);
  searcher->work += orders->graph->nodes.size;
  return orders->visit(orders->user, &orders->point, &searcher->ordered, estimate);
}

/* Of what reads the node, one wait less, or one more again. */
static void release(Orders *orders, uint32_t node, bool is_back)
{
  const EchoGraphNode *entry = &orders->graph->nodes.data[node];
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    uint32_t value = entry->first_result + r;
    for (uint32_t u = 0; u < orders->graph->values.data[value].n_uses; ++u)
      orders->waiting[echo_graph_uses(orders->graph, value)[u]] += is_back ? 1 : UINT32_MAX;
  }
}

static void place(Orders *orders, uint32_t node)
{
  orders->waiting[node] = 1; /* it is not ready again */
  release(orders, node, false);
  orders->order[orders->n++] = node;
}

static void take_back(Orders *orders, uint32_t node)
{
  --orders->n;
  release(orders, node, true);
  orders->waiting[node] = 0;
}

/* The first node from `from` on that may be next, the return last; the number of nodes without one.
 */
static uint32_t find_ready(const Orders *orders, uint32_t from)
{
  uint32_t n_nodes = (uint32_t)orders->graph->nodes.size;
  while (from < n_nodes &&
         (orders->waiting[from] != 0 || (from + 1 == n_nodes && orders->n != from)))
    ++from;
  return from;
}

/* No recursion: what was placed last makes way for the next one that is ready. */
static void look_at_all(Orders *orders)
{
  uint32_t n_nodes = (uint32_t)orders->graph->nodes.size, from = 0;
  while (orders->searcher->work < orders->max_work) {
    uint32_t node = find_ready(orders, from);
    if (node < n_nodes) {
      place(orders, node);
      from = 0;
      if (orders->n == n_nodes && !look(orders))
        return;
      continue;
    }
    if (orders->n == 0)
      return;
    from = orders->order[orders->n - 1];
    take_back(orders, from++);
  }
}

void echo_point_visit_orders(EchoSearcher *searcher, const EchoPoint *point, uint64_t max_work,
                             EchoOrderVisit visit, void *user)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoGraph echoed = {0};
  echo_point_apply(point, searcher->candidates, &echoed);
  uint32_t n = (uint32_t)echoed.nodes.size;
  Orders orders = {.searcher = searcher,
                   .point = *point,
                   .graph = &echoed,
                   .max_work = searcher->work + max_work,
                   .visit = visit,
                   .user = user};
  orders.order = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, n + 1u);
  orders.waiting = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, n + 1u);
  orders.point.own_order = orders.order;
  orders.point.order = ECHO_ORDER_GIVEN;
  orders.point.orders = orders.point.copies = ECHO_ALL_ORDERS;
  for (uint32_t node = 0; node < n; ++node) {
    orders.waiting[node] = 0;
    for (uint32_t i = 0; i < echoed.nodes.data[node].n_operands; ++i)
      orders.waiting[node] +=
          echoed.values.data[echo_graph_operands(&echoed, node)[i]].def != ECHO_NONE;
  }
  look_at_all(&orders);
  echo_graph_destroy(&echoed);
  echo_arena_reset(searcher->scratch, mark);
}

/* ---- for the curve ---- */

const uint32_t *echo_point_keep_order(const EchoSearcher *searcher, const EchoPoint *point,
                                      const EchoGraph *ordered)
{
  return echo_arena_copy(&searcher->curve->memory, point->own_order,
                         ordered->nodes.size * sizeof *point->own_order);
}

static bool add_to_curve(void *user, const EchoPoint *point, const EchoGraph *ordered,
                         const EchoEstimate *estimate)
{
  EchoSearcher *searcher = user;
  (void)estimate;
  if (echo_curve_has_as_good(searcher->curve, point->peak_bytes, point->ns))
    return true;
  EchoPoint kept = *point;
  kept.own_order = echo_point_keep_order(searcher, point, ordered);
  echo_curve_add(searcher, &kept);
  return true;
}

void echo_point_try_orders(EchoSearcher *searcher, const EchoPoint *point, uint64_t max_work)
{
  echo_point_visit_orders(searcher, point, max_work, add_to_curve, searcher);
}
