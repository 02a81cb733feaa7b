/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Orders by name: ours, and those of plugins, which are looked at before they are believed. */
#include "planning/schedule/order.h"

#include "ir/context.h"

static const char KIND[] = "order";

static void make_given(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_GIVEN, order);
}
static void make_flow(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_FLOW, order);
}
static void make_demand(const EchoGraph *graph, const EchoBlockInterface *interface,
                        uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_DEMAND, order);
}
static void make_eager(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_EAGER, order);
}
static void make_late(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_LATE, order);
}

static void make_joint(const EchoGraph *graph, const EchoBlockInterface *interface, uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_JOINT, order);
}

static void make_update(const EchoGraph *graph, const EchoBlockInterface *interface,
                        uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_UPDATE, order);
}

static void make_through(const EchoGraph *graph, const EchoBlockInterface *interface,
                         uint32_t *order)
{
  echo_order_make(graph, interface, ECHO_ORDER_THROUGH, order);
}

static const EchoOrder ORDERS[ECHO_N_ORDER_POLICIES] = {
    [ECHO_ORDER_GIVEN] = {"given", "as it is", make_given},
    [ECHO_ORDER_FLOW] = {"flow", "by the dataflow, one branch after the other", make_flow},
    [ECHO_ORDER_DEMAND] = {"demand", "heavy ops by the dataflow, the rest when it is asked for",
                           make_demand},
    [ECHO_ORDER_EAGER] = {"eager", "the same, and heavy ops at once where they shrink", make_eager},
    [ECHO_ORDER_LATE] = {"late", "everything right before its first reader", make_late},
    [ECHO_ORDER_JOINT] = {"joint",
                          "by demand, products behind maps that share a kernel with theirs",
                          make_joint},
    [ECHO_ORDER_UPDATE] = {"update",
                           "by demand, gradients as soon as the updates that read them can follow",
                           make_update},
    [ECHO_ORDER_THROUGH] = {"through",
                            "by demand, a product's last operands at once, through what moves them",
                            make_through},
};

bool echo_context_register_order(EchoContext *ctx, const EchoOrder *order, EchoBuffer *error)
{
  if (order->name == NULL || order->name[0] == '\0') {
    echo_buffer_append_c(error, "an order has no name");
    return false;
  }
  if (order->summary == NULL || order->make == NULL) {
    echo_buffer_printf(error, "order '%s' has no %s", order->name,
                       order->summary == NULL ? "summary" : "'make'");
    return false;
  }
  if (echo_order_or_null(ctx, echo_str(order->name)) == NULL &&
      echo_context_register_row(ctx, KIND, order->name, order))
    return true;
  echo_buffer_printf(error, "two orders are named '%s'", order->name);
  return false;
}

const EchoOrder *echo_order_or_null(const EchoContext *ctx, EchoStr name)
{
  for (int i = 0; i < ECHO_N_ORDER_POLICIES; ++i)
    if (echo_str_is(name, ORDERS[i].name))
      return &ORDERS[i];
  return echo_context_row_or_null(ctx, KIND, name);
}

bool echo_order_load(EchoContext *ctx, EchoLoc loc, EchoStr name, const EchoOrder **order)
{
  *order = name.size != 0 ? echo_order_or_null(ctx, name) : NULL;
  if (name.size == 0 || *order != NULL)
    return true;
  EchoBuffer names = {0};
  const EchoOrder *row;
  for (int i = 0; i < ECHO_N_ORDER_POLICIES; ++i)
    echo_buffer_printf(&names, "%s%s", i != 0 ? ", " : "", ORDERS[i].name);
  for (size_t i = 0; (row = echo_context_row_at_or_null(ctx, KIND, i)) != NULL; ++i)
    echo_buffer_printf(&names, ", %s", row->name);
  echo_error(ctx, loc, "'%.*s' is no order: %s are", ECHO_STR_ARG(name), echo_buffer_c_str(&names));
  echo_buffer_destroy(&names);
  return false;
}

uint32_t echo_order_mistake(const EchoGraph *graph, const uint32_t *order)
{
  uint32_t n = (uint32_t)graph->nodes.size, mistake = ECHO_NONE;
  bool *is_done = echo_alloc_zero(n + 1u, sizeof(bool));
  for (uint32_t i = 0; i < n && mistake == ECHO_NONE; ++i) {
    uint32_t node = order[i];
    if (node >= n || is_done[node] ||
        (graph->nodes.data[node].kind == ECHO_NODE_RETURN && i + 1 != n)) {
      mistake = i;
      break;
    }
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[k]].def;
      if (def != ECHO_NONE && !is_done[def])
        mistake = i;
    }
    is_done[node] = true;
  }
  echo_free(is_done);
  return mistake;
}

bool echo_order_run(const EchoOrder *row, const EchoGraph *graph,
                    const EchoBlockInterface *interface, uint32_t *order)
{
  for (size_t i = 0; i < graph->nodes.size; ++i)
    order[i] = ECHO_NONE; /* what is left out is seen */
  row->make(graph, interface, order);
  if (echo_order_mistake(graph, order) == ECHO_NONE)
    return true;
  make_given(graph, interface, order);
  return false;
}
