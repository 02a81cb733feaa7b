/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Greedy orders by demand. Anchors (what a policy keeps in place) run in the order of the dataflow;
 * before an anchor its missing operands run, deepest first; after each node, those that free at
 * least as many bytes as they take run at once. */
#include "planning/schedule/order.h"

#include "planning/cost/runtime.h"
#include "planning/schedule/dataflow_order_t.h"
#include "planning/schedule/joint_order_t.h"
#include "planning/schedule/updates_t.h"

typedef struct OrderNode {
  const uint32_t *operands;
  uint32_t n_operands;
  uint32_t first_result, n_results;
  uint32_t waiting;  /* operands that are not available yet */
  uint32_t seen;     /* the closure that it was last found in */
  uint32_t asked[2]; /* nodes that were emitted, plus one, when it was last asked what running it
                        takes, alone and with its mates: */
  int64_t net[2];    /* that */
  uint32_t blocker;  /* node before which it cannot run in one piece; ECHO_NONE: not known */
  bool is_emitted;
  bool is_apart; /* no closure takes it in: an anchor, or a kernel of its own */
  bool no_room;  /* takes_no_room */
  bool may_wait; /* somebody reads what it would write over */
} OrderNode;

typedef struct OrderValue {
  int64_t bytes;      /* of the graph's value, */
  uint32_t def;       /* and where that is made */
  uint32_t remaining; /* uses that are not emitted yet */
  uint32_t seen;      /* the closure that n_inside is about */
  uint32_t n_inside;  /* its uses inside that closure */
  bool is_outside;    /* a result that needs no room in the arena */
  bool is_asked;      /* its small readers have been looked at */
  bool frees_nothing; /* whoever reads it last: it is an input, or takes no room of its own */
} OrderValue;

typedef struct Orderer {
  const EchoGraph *graph;
  EchoOrderPolicy policy;
  const EchoUpdates *updates;
  OrderNode *nodes;
  OrderValue *values;
  uint32_t *order;
  uint32_t n_emitted;
  uint32_t n_closures; /* looked at so far: the present one's number */
  uint32_t *closure, n_members;
  ECHO_VECTOR(uint32_t) ready; /* to be looked at again: may run at once */
  ECHO_VECTOR(uint32_t) stack, available;
  size_t quiet_above; /* while the stack is higher than that, nothing runs in between */
} Orderer;

static bool is_anchor(const Orderer *orderer, uint32_t node)
{
  const EchoGraphNode *entry = &orderer->graph->nodes.data[node];
  if (entry->kind == ECHO_NODE_RETURN || entry->kind == ECHO_NODE_CONTROL ||
      entry->kind == ECHO_NODE_BARRIER)
    return true;
  return entry->kind == ECHO_NODE_SINGLE && orderer->policy != ECHO_ORDER_LATE;
}

static bool takes_no_room(const EchoGraph *graph, uint32_t node)
{
  return graph->nodes.data[node].kind == ECHO_NODE_BARRIER ||
         echo_node_is_free_to_remake(graph, node);
}

#define MAX_CLOSURE 64
#define FEW_READERS 4
#define FOLLOWED 6    /* readers in a row */
#define SMALL_PART 16 /* what takes less than this part of a value is small beside it */

/* Who still has to read what the node would write over; ECHO_NONE when nobody. */
static uint32_t awaited_reader(const Orderer *orderer, uint32_t node)
{
  const EchoUpdates *updates = orderer->updates;
  for (uint32_t i = updates->readers.first[node]; i < updates->readers.first[node + 1]; ++i)
    if (!orderer->nodes[updates->readers.list[i]].is_emitted)
      return updates->readers.list[i];
  return ECHO_NONE;
}

static inline void enter_closure(Orderer *orderer, OrderNode *place, uint32_t node)
{
  place->seen = orderer->n_closures;
  orderer->closure[orderer->n_members++] = node;
}

/* The operands of a member join, with those who make them: false when an anchor is missing or there
 * is too much, which is ECHO_NONE in *missing. */
static bool find_operands(Orderer *orderer, uint32_t member, uint32_t *missing)
{
  OrderNode *nodes = orderer->nodes;
  OrderValue *values = orderer->values;
  const uint32_t *operands = nodes[member].operands, *end = operands + nodes[member].n_operands;
  uint32_t number = orderer->n_closures;
  for (; operands < end; ++operands) {
    OrderValue *value = &values[*operands];
    value->n_inside = value->seen == number ? value->n_inside + 1 : 1;
    value->seen = number;
    if (value->def == ECHO_NONE)
      continue;
    OrderNode *def = &nodes[value->def];
    if (def->is_emitted || def->seen == number)
      continue;
    if (def->is_apart || orderer->n_members >= MAX_CLOSURE) {
      *missing = def->is_apart ? value->def : ECHO_NONE;
      return false;
    }
    enter_closure(orderer, def, value->def);
  }
  return true;
}

/* The node, where asked for with what else its update returns, and what they need that has not run:
 * false when an anchor is missing or there is too much. What is missing is noted: nothing on the
 * way from there to the node runs before it. */
static bool find_closure(Orderer *orderer, uint32_t node, bool with_mates)
{
  const EchoNodeLists *mates = &orderer->updates->mates;
  OrderNode *nodes = orderer->nodes;
  ++orderer->n_closures;
  orderer->n_members = 0;
  enter_closure(orderer, &nodes[node], node);
  for (uint32_t i = mates->first[node]; with_mates && i < mates->first[node + 1]; ++i) {
    OrderNode *mate = &nodes[mates->list[i]]; /* listed once for each update that has both */
    if (!mate->is_emitted && mate->seen != orderer->n_closures)
      enter_closure(orderer, mate, mates->list[i]);
  }
  for (uint32_t i = 0; i < orderer->n_members; ++i) {
    uint32_t member = orderer->closure[i];
    uint32_t missing = nodes[member].may_wait ? awaited_reader(orderer, member) : ECHO_NONE;
    if (missing == ECHO_NONE && find_operands(orderer, member, &missing))
      continue;
    if (missing != ECHO_NONE && !with_mates)
      nodes[node].blocker = missing;
    return false;
  }
  return true;
}

/* Of what a member of the closure makes, the bytes that somebody outside still reads. */
static inline int64_t bytes_left(const Orderer *orderer, const OrderNode *member)
{
  int64_t bytes = 0;
  const OrderValue *value = &orderer->values[member->first_result];
  for (const OrderValue *end = value + member->n_results; value < end; ++value) {
    uint32_t inside = value->seen == orderer->n_closures ? value->n_inside : 0;
    if (!value->is_outside && inside < value->remaining)
      bytes += value->bytes;
  }
  return bytes;
}

/* Of what a member of the closure reads, the bytes that nobody outside reads any more. */
static inline int64_t bytes_freed(Orderer *orderer, const OrderNode *member)
{
  int64_t bytes = 0;
  const uint32_t *operands = member->operands, *end = operands + member->n_operands;
  for (; operands < end; ++operands) {
    OrderValue *value = &orderer->values[*operands];
    if (value->n_inside != value->remaining || value->frees_nothing ||
        !orderer->nodes[value->def].is_emitted)
      continue;
    bytes += value->bytes;
    value->n_inside = 0; /* counted once */
  }
  return bytes;
}

/* Bytes that running the node, with all that it needs, takes less those it frees; INT64_MAX when it
 * cannot run now. */
static int64_t find_net_bytes(Orderer *orderer, uint32_t node, bool with_mates)
{
  if (!find_closure(orderer, node, with_mates))
    return INT64_MAX;
  int64_t net = 0;
  for (uint32_t i = 0; i < orderer->n_members; ++i) {
    const OrderNode *member = &orderer->nodes[orderer->closure[i]];
    net += member->no_room ? 0 : bytes_left(orderer, member);
    net -= bytes_freed(orderer, member);
  }
  return net;
}

/* The same, found once until something runs. */
static int64_t net_bytes(Orderer *orderer, uint32_t node, bool with_mates)
{
  OrderNode *place = &orderer->nodes[node];
  uint32_t blocker = place->blocker;
  if (blocker != ECHO_NONE && !orderer->nodes[blocker].is_emitted)
    return INT64_MAX;
  if (place->asked[with_mates] != orderer->n_emitted + 1) {
    place->net[with_mates] = find_net_bytes(orderer, node, with_mates);
    place->asked[with_mates] = orderer->n_emitted + 1;
  }
  return place->net[with_mates];
}

static void make_available(Orderer *orderer, uint32_t node);

/* Few readers are left: one of them, or what follows it, may free the value now. */
static void look_at_readers(Orderer *orderer, uint32_t value)
{
  const EchoGraph *graph = orderer->graph;
  for (uint32_t u = 0; u < graph->values.data[value].n_uses; ++u) {
    uint32_t user = echo_graph_uses(graph, value)[u];
    for (int level = 0;
         level < FOLLOWED && !orderer->nodes[user].is_emitted && orderer->nodes[user].waiting == 0;
         ++level) {
      echo_vector_push(&orderer->ready, user);
      const EchoGraphNode *entry = &graph->nodes.data[user];
      if (entry->n_results != 1 || graph->values.data[entry->first_result].n_uses != 1)
        break;
      user = echo_graph_uses(graph, entry->first_result)[0];
    }
  }
}

static void emit(Orderer *orderer, uint32_t node)
{
  OrderNode *place = &orderer->nodes[node];
  place->is_emitted = true;
  orderer->order[orderer->n_emitted++] = node;
  for (uint32_t i = 0; i < place->n_operands; ++i) {
    uint32_t value = place->operands[i];
    uint32_t left = --orderer->values[value].remaining;
    if (left != 0 && left <= FEW_READERS && orderer->policy != ECHO_ORDER_LATE)
      look_at_readers(orderer, value);
  }
  const EchoUpdates *updates = orderer->updates;
  for (uint32_t i = updates->writers.first[node]; i < updates->writers.first[node + 1]; ++i)
    echo_vector_push(&orderer->ready, updates->writers.list[i]);
  for (uint32_t i = updates->made.first[node]; i < updates->made.first[node + 1]; ++i)
    echo_vector_push(&orderer->ready, updates->made.list[i]);
}

/* Who only picks something out of `value` runs before the node that might be written over it: in
 * one piece, for what is in between stays in its kernel. Pushes those that can run now; true when
 * there are any. */
static bool push_small_readers(Orderer *orderer, uint32_t node, uint32_t value)
{
  const EchoGraph *graph = orderer->graph;
  uint64_t bytes = graph->values.data[value].bytes;
  size_t n_before = orderer->stack.size;
  for (uint32_t u = 0; u < graph->values.data[value].n_uses; ++u) {
    uint32_t user = echo_graph_uses(graph, value)[u];
    for (int level = 0; level < FOLLOWED && user != node && !orderer->nodes[user].is_emitted &&
                        orderer->nodes[user].waiting == 0 && !orderer->nodes[user].is_apart;
         ++level) {
      const EchoGraphNode *entry = &graph->nodes.data[user];
      if (entry->n_results != 1)
        break;
      const EchoGraphValue *result = &graph->values.data[entry->first_result];
      if (result->bytes <= bytes / SMALL_PART) {
        if (net_bytes(orderer, user, false) <= (int64_t)(bytes / SMALL_PART))
          echo_vector_push(&orderer->stack, user);
        break;
      }
      if (result->n_uses != 1)
        break;
      user = echo_graph_uses(graph, entry->first_result)[0];
    }
  }
  if (orderer->stack.size == n_before)
    return false;
  orderer->quiet_above = n_before;
  return true;
}

/* Asked once of each value, when the first node that makes as much of it is about to run. */
static bool push_early_readers(Orderer *orderer, uint32_t node)
{
  const EchoGraph *graph = orderer->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (orderer->policy == ECHO_ORDER_LATE || orderer->quiet_above != SIZE_MAX ||
      entry->kind != ECHO_NODE_MAP || takes_no_room(graph, node))
    return false;
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    uint32_t value = echo_graph_operands(graph, node)[i];
    if (orderer->values[value].is_asked || graph->values.data[value].def == ECHO_NONE ||
        graph->values.data[value].bytes > graph->values.data[entry->first_result].bytes)
      continue;
    orderer->values[value].is_asked = true;
    if (orderer->values[value].remaining > 1 && push_small_readers(orderer, node, value))
      return true;
  }
  return false;
}

/* Operands first, deepest first, and in between whatever runs at once by then; no recursion. */
static bool runs_at_once(Orderer *orderer, uint32_t node);
static bool push_with_mates(Orderer *orderer, uint32_t node);

static void emit_with_operands(Orderer *orderer, uint32_t node)
{
  echo_vector_push(&orderer->stack, node);
  while (orderer->stack.size != 0 || orderer->ready.size != 0) {
    if (orderer->stack.size <= orderer->quiet_above)
      orderer->quiet_above = SIZE_MAX;
    if (orderer->ready.size != 0 && orderer->quiet_above == SIZE_MAX) {
      uint32_t candidate = echo_vector_pop(&orderer->ready);
      if (!push_with_mates(orderer, candidate) && runs_at_once(orderer, candidate))
        echo_vector_push(&orderer->stack, candidate);
      continue;
    }
    uint32_t top = echo_vector_last(&orderer->stack);
    if (orderer->nodes[top].is_emitted) {
      --orderer->stack.size;
      continue;
    }
    bool is_blocked = false;
    const OrderNode *place = &orderer->nodes[top];
    for (uint32_t i = place->n_operands; i-- > 0;) {
      uint32_t def = orderer->values[place->operands[i]].def;
      if (def != ECHO_NONE && !orderer->nodes[def].is_emitted) {
        echo_vector_push(&orderer->stack, def);
        is_blocked = true;
      }
    }
    const EchoUpdates *updates = orderer->updates;
    for (uint32_t i = updates->readers.first[top]; i < updates->readers.first[top + 1]; ++i)
      if (!orderer->nodes[updates->readers.list[i]].is_emitted) {
        echo_vector_push(&orderer->stack, updates->readers.list[i]);
        is_blocked = true;
      }
    if (is_blocked || push_early_readers(orderer, top))
      continue;
    --orderer->stack.size;
    bool was_available = orderer->nodes[top].waiting == 0;
    emit(orderer, top);
    if (!was_available || orderer->nodes[top].is_apart)
      make_available(orderer, top);
  }
}

/* One of those that `user` waits for can be had: true where it can then be had itself, without
 * being run. */
static bool stop_waiting(Orderer *orderer, uint32_t user)
{
  if (orderer->nodes[user].waiting == 0 || --orderer->nodes[user].waiting != 0)
    return false;
  echo_vector_push(&orderer->ready, user);
  return !orderer->nodes[user].is_apart;
}

/* What the node computes can be had now: readers that wait for nothing else are looked at; those
 * that would grow are available in turn, without being run. */
static void make_available(Orderer *orderer, uint32_t node)
{
  const EchoGraph *graph = orderer->graph;
  const EchoUpdates *updates = orderer->updates;
  echo_vector_push(&orderer->available, node);
  while (orderer->available.size != 0) {
    uint32_t available = echo_vector_pop(&orderer->available);
    const EchoGraphNode *entry = &graph->nodes.data[available];
    for (uint32_t r = 0; r < entry->n_results; ++r)
      for (uint32_t i = 0; i < graph->values.data[entry->first_result + r].n_uses; ++i)
        if (stop_waiting(orderer, echo_graph_uses(graph, entry->first_result + r)[i]))
          echo_vector_push(&orderer->available, echo_graph_uses(graph, entry->first_result + r)[i]);
    for (uint32_t i = updates->writers.first[available]; i < updates->writers.first[available + 1];
         ++i)
      if (stop_waiting(orderer, updates->writers.list[i]))
        echo_vector_push(&orderer->available, updates->writers.list[i]);
  }
}

static bool runs_at_once(Orderer *orderer, uint32_t node)
{
  const EchoGraphNode *entry = &orderer->graph->nodes.data[node];
  if (orderer->nodes[node].is_emitted || orderer->nodes[node].waiting != 0 ||
      orderer->policy == ECHO_ORDER_LATE)
    return false;
  if (is_anchor(orderer, node) &&
      !(orderer->policy == ECHO_ORDER_EAGER && entry->kind == ECHO_NODE_SINGLE))
    return false;
  return entry->n_operands != 0 && !orderer->nodes[node].no_room &&
         net_bytes(orderer, node, false) <= 0;
}

/* What takes room alone may free some with all that its update returns: true where that can run,
 * which is then on the stack. */
static bool push_with_mates(Orderer *orderer, uint32_t node)
{
  const EchoNodeLists *mates = &orderer->updates->mates;
  if (mates->first[node] == mates->first[node + 1] || orderer->nodes[node].is_emitted ||
      orderer->nodes[node].waiting != 0 || orderer->policy == ECHO_ORDER_LATE ||
      net_bytes(orderer, node, true) > 0)
    return false;
  for (uint32_t i = mates->first[node + 1]; i-- > mates->first[node];)
    if (!orderer->nodes[mates->list[i]].is_emitted)
      echo_vector_push(&orderer->stack, mates->list[i]);
  echo_vector_push(&orderer->stack, node);
  return true;
}

static void prepare(Orderer *orderer, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = orderer->graph;
  const uint32_t *first_reader = orderer->updates->readers.first;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    orderer->nodes[node] =
        (OrderNode){.operands = echo_graph_operands(graph, node),
                    .n_operands = entry->n_operands,
                    .first_result = entry->first_result,
                    .n_results = entry->n_results,
                    .blocker = ECHO_NONE,
                    .is_apart = is_anchor(orderer, node) || entry->kind == ECHO_NODE_SINGLE,
                    .no_room = takes_no_room(graph, node),
                    .may_wait = first_reader[node] != first_reader[node + 1]};
  }
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    const EchoGraphValue *value = &graph->values.data[v];
    bool is_input = value->def == ECHO_NONE;
    orderer->values[v] =
        (OrderValue){.bytes = (int64_t)value->bytes,
                     .def = value->def,
                     .remaining = value->n_uses,
                     .frees_nothing = is_input || orderer->nodes[value->def].no_room ||
                                      graph->nodes.data[value->def].kind == ECHO_NODE_BLOB};
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    orderer->nodes[node].waiting = first_reader[node + 1] - first_reader[node];
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      orderer->nodes[node].waiting +=
          graph->values.data[echo_graph_operands(graph, node)[i]].def != ECHO_NONE;
  }
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; i < end->n_operands && end->kind == ECHO_NODE_RETURN; ++i)
    if (interface->result_targets[i] != ECHO_TO_ARENA)
      orderer->values[graph->operands.data[end->first_operand + i]].is_outside = true;
}

/* By demand around the anchors of a graph in the order that it has. */
static void make_by_demand(const EchoGraph *graph, const EchoBlockInterface *interface,
                           const EchoUpdates *updates, EchoOrderPolicy policy, uint32_t *order)
{
  uint32_t n = (uint32_t)graph->nodes.size;
  Orderer orderer = {.graph = graph,
                     .policy = policy,
                     .updates = updates,
                     .order = order,
                     .quiet_above = SIZE_MAX};
  EchoArena scratch = {0};
  orderer.nodes = ECHO_ARENA_ARRAY(&scratch, OrderNode, n);
  orderer.values = ECHO_ARENA_ARRAY(&scratch, OrderValue, graph->values.size + 1);
  orderer.closure = ECHO_ARENA_ARRAY(&scratch, uint32_t, n);
  prepare(&orderer, interface);
  for (uint32_t node = 0; node < n; ++node) /* what depends on inputs alone */
    if (orderer.nodes[node].waiting == 0 && graph->nodes.data[node].kind != ECHO_NODE_SINGLE &&
        !is_anchor(&orderer, node))
      make_available(&orderer, node);
  echo_vector_clear(&orderer.ready);
  /* The end runs last: what it returns, then what nobody reads but the block still holds, then it.
   */
  uint32_t end = graph->nodes.data[n - 1].kind == ECHO_NODE_RETURN ? n - 1 : ECHO_NONE;
  for (uint32_t node = 0; node < n; ++node)
    if (is_anchor(&orderer, node) && !orderer.nodes[node].is_emitted && node != end)
      emit_with_operands(&orderer, node);
  for (uint32_t i = 0; end != ECHO_NONE && i < graph->nodes.data[end].n_operands; ++i) {
    uint32_t def = graph->values.data[echo_graph_operands(graph, end)[i]].def;
    if (def != ECHO_NONE && !orderer.nodes[def].is_emitted)
      emit_with_operands(&orderer, def);
  }
  for (uint32_t node = 0; node < n; ++node)
    if (!orderer.nodes[node].is_emitted && node != end)
      emit_with_operands(&orderer, node);
  if (end != ECHO_NONE)
    emit(&orderer, end);
  ECHO_CHECK(orderer.n_emitted == n, "the order left out nodes");
  echo_vector_destroy(&orderer.ready);
  echo_vector_destroy(&orderer.stack);
  echo_vector_destroy(&orderer.available);
  echo_arena_destroy(&scratch);
}

void echo_orders_create(EchoOrders *orders, const EchoGraph *graph,
                        const EchoBlockInterface *interface)
{
  orders->graph = graph;
  orders->interface = interface;
  orders->flow = orders->demand = NULL;
  orders->updates = orders->given_updates = NULL;
  echo_arena_reset(&orders->memory, (EchoArenaMark){0});
}

static void find_flow(EchoOrders *orders)
{
  if (orders->flow != NULL)
    return;
  orders->flow = ECHO_ARENA_ARRAY(&orders->memory, uint32_t, orders->graph->nodes.size);
  orders->given_updates = ECHO_ARENA_ARRAY(&orders->memory, EchoUpdates, 1);
  echo_updates_create(orders->given_updates, orders->graph, orders->interface, &orders->memory);
  orders->has_through = echo_order_by_dataflow(
      orders->graph, orders->interface, orders->given_updates, ECHO_HASTE_OPERANDS, orders->flow);
}

static void find_updates(EchoOrders *orders)
{
  if (orders->updates != NULL)
    return;
  echo_graph_permute(orders->graph, orders->flow, &orders->in_flow);
  orders->updates = ECHO_ARENA_ARRAY(&orders->memory, EchoUpdates, 1);
  echo_updates_permute(orders->given_updates, &orders->in_flow, orders->flow, orders->updates,
                       &orders->memory);
}

static void find_demand(EchoOrders *orders)
{
  if (orders->demand != NULL)
    return;
  orders->demand = ECHO_ARENA_ARRAY(&orders->memory, uint32_t, orders->graph->nodes.size);
  make_by_demand(&orders->in_flow, orders->interface, orders->updates, ECHO_ORDER_DEMAND,
                 orders->demand);
}

/* Of the graph in the order of its dataflow. */
static bool make_in_flow(EchoOrders *orders, EchoOrderPolicy policy, uint32_t *order)
{
  find_updates(orders);
  if (policy != ECHO_ORDER_DEMAND && policy != ECHO_ORDER_JOINT) {
    make_by_demand(&orders->in_flow, orders->interface, orders->updates, policy, order);
    return true;
  }
  find_demand(orders);
  memcpy(order, orders->demand, orders->graph->nodes.size * sizeof *order);
  return policy == ECHO_ORDER_DEMAND || echo_order_joint(&orders->in_flow, order);
}

/* By demand, of the dataflow in another haste; false where that is no other one. */
static bool make_in_haste(EchoOrders *orders, EchoFlowHaste haste, uint32_t *order)
{
  uint32_t n = (uint32_t)orders->graph->nodes.size;
  EchoArena scratch = {0};
  EchoGraph *in_flow = &orders->in_another;
  EchoUpdates updates;
  uint32_t *flow = ECHO_ARENA_ARRAY(&scratch, uint32_t, n);
  echo_order_by_dataflow(orders->graph, orders->interface, orders->given_updates, haste, flow);
  bool is_another = memcmp(flow, orders->flow, n * sizeof *flow) != 0;
  if (is_another) {
    echo_graph_permute(orders->graph, flow, in_flow);
    echo_updates_permute(orders->given_updates, in_flow, flow, &updates, &scratch);
    make_by_demand(in_flow, orders->interface, &updates, ECHO_ORDER_DEMAND, order);
    for (uint32_t i = 0; i < n; ++i)
      order[i] = flow[order[i]];
  }
  echo_arena_destroy(&scratch);
  return is_another;
}

static bool fills_buffer(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (entry->kind != ECHO_NODE_CONSTANT || graph->values.data[entry->first_result].n_uses != 1)
    return false;
  EchoNodeKind reader = graph->nodes.data[echo_graph_uses(graph, entry->first_result)[0]].kind;
  return reader == ECHO_NODE_RETURN || reader == ECHO_NODE_CONTROL;
}

/* A constant that the block returns, or hands to a loop, right before that reads it: there it is
 * made, wherever it stands (lowering/plan/sink_constants_t.h). */
static void sink_constants(const EchoGraph *graph, EchoArena *scratch, uint32_t *order)
{
  uint32_t n = (uint32_t)graph->nodes.size, n_placed = 0;
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint32_t *sunk = ECHO_ARENA_ARRAY(scratch, uint32_t, n);
  for (uint32_t i = 0; i < n; ++i) {
    const EchoGraphNode *entry = &graph->nodes.data[order[i]];
    if (fills_buffer(graph, order[i]))
      continue;
    for (uint32_t k = 0; k < entry->n_operands; ++k) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, order[i])[k]].def;
      if (def != ECHO_NONE && fills_buffer(graph, def))
        sunk[n_placed++] = def;
    }
    sunk[n_placed++] = order[i];
  }
  ECHO_CHECK(n_placed == n, "a constant was left out");
  memcpy(order, sunk, n * sizeof *order);
  echo_arena_reset(scratch, mark);
}

static bool make_order(EchoOrders *orders, EchoOrderPolicy policy, uint32_t *order)
{
  uint32_t n = (uint32_t)orders->graph->nodes.size;
  if (policy == ECHO_ORDER_UPDATE)
    return make_in_haste(orders, ECHO_HASTE_UPDATES, order);
  if (policy == ECHO_ORDER_THROUGH)
    return orders->has_through && make_in_haste(orders, ECHO_HASTE_THROUGH, order);
  bool is_another = policy == ECHO_ORDER_FLOW || make_in_flow(orders, policy, order);
  for (uint32_t i = 0; i < n; ++i)
    order[i] = orders->flow[order[i]];
  return is_another;
}

bool echo_orders_make(EchoOrders *orders, EchoOrderPolicy policy, uint32_t *order)
{
  uint32_t n = (uint32_t)orders->graph->nodes.size;
  for (uint32_t i = 0; i < n; ++i)
    order[i] = i;
  if (policy == ECHO_ORDER_GIVEN || n == 0)
    return true;
  find_flow(orders);
  bool is_another = make_order(orders, policy, order);
  sink_constants(orders->graph, &orders->memory, order);
  return is_another;
}

void echo_orders_destroy(EchoOrders *orders)
{
  echo_graph_destroy(&orders->in_flow);
  echo_graph_destroy(&orders->in_another);
  echo_arena_destroy(&orders->memory);
}

void echo_order_make(const EchoGraph *graph, const EchoBlockInterface *interface,
                     EchoOrderPolicy policy, uint32_t *order)
{
  EchoOrders orders = {0};
  echo_orders_create(&orders, graph, interface);
  if (!echo_orders_make(&orders, policy, order))
    echo_orders_make(&orders, ECHO_ORDER_DEMAND, order);
  echo_orders_destroy(&orders);
}

/* What the block comes to in an order; no time where no device is asked for. */
typedef struct Measure {
  uint64_t bytes, ns;
} Measure;

static Measure measure(const EchoGraph *graph, const EchoBlockInterface *interface,
                       const EchoFusionOptions *options, const EchoDeviceModel *device_or_null,
                       const uint32_t *order)
{
  EchoGraph permuted = {0};
  EchoEstimate estimate = {0};
  echo_graph_permute(graph, order, &permuted);
  echo_estimate_create(&estimate, &permuted, interface, options);
  Measure found = {.bytes = estimate.storage.bound_bytes};
  if (device_or_null != NULL)
    found.ns = echo_fusion_ns(&permuted, &estimate.fusion, device_or_null);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&permuted);
  return found;
}

static EchoOrderResult take_named(const EchoGraph *graph, const EchoBlockInterface *interface,
                                  const EchoFusionOptions *options,
                                  const EchoDeviceModel *device_or_null, uint32_t *order)
{
  EchoOrderResult result = {.is_named = true};
  echo_order_make(graph, interface, ECHO_ORDER_GIVEN, order);
  result.given_bytes = measure(graph, interface, options, NULL, order).bytes;
  result.is_wrong = !echo_order_run(options->order, graph, interface, order);
  Measure found = measure(graph, interface, options, device_or_null, order);
  result.best_bytes = found.bytes;
  result.best_ns = found.ns;
  return result;
}

/* Where everything runs right before its first reader, gradients wait for the updates of weights:
 * then most waits behind the last layer's gradient, and where the step turns is nowhere to be seen.
 * Recompute starts from such an order only where it holds less by this part of it, which recompute
 * would have to make up for: bench/results/ablation.md. */
#define LATE_PART 8

static uint64_t rank_of(EchoOrderPolicy policy, uint64_t bytes)
{
  return policy == ECHO_ORDER_LATE ? bytes + bytes / LATE_PART : bytes;
}

bool echo_order_is_better(uint64_t bytes, uint64_t ns, uint64_t other_bytes, uint64_t other_ns)
{
  double product = (double)bytes * (double)ns, other = (double)other_bytes * (double)other_ns;
  return product != other ? product < other : ns < other_ns;
}

/* What an order is to be good for. */
typedef enum Use { USE_RUN, USE_RUN_BRANCH, USE_START } Use;

static bool is_better(Use use, EchoOrderPolicy policy, const Measure *found,
                      const EchoOrderResult *best)
{
  if (best->best_bytes == UINT64_MAX)
    return true;
  if (use == USE_RUN)
    return echo_order_is_better(found->bytes, found->ns, best->best_bytes, best->best_ns);
  if (use == USE_RUN_BRANCH)
    return found->bytes < best->best_bytes;
  return rank_of(policy, found->bytes) < rank_of(best->policy, best->best_bytes);
}

static EchoOrderResult take_best(const EchoGraph *graph, const EchoBlockInterface *interface,
                                 const EchoFusionOptions *options,
                                 const EchoDeviceModel *device_or_null, Use use, uint32_t *order)
{
  if (options->order != NULL)
    return take_named(graph, interface, options, device_or_null, order);
  bool is_start = use == USE_START; /* then what is given comes last */
  EchoOrderResult result = {.policy = ECHO_ORDER_GIVEN, .best_bytes = UINT64_MAX};
  uint32_t *candidate = echo_alloc_array(graph->nodes.size + 1, sizeof(uint32_t));
  EchoOrders orders = {0};
  echo_orders_create(&orders, graph, interface);
  for (unsigned i = 0; i < ECHO_N_ORDER_POLICIES; ++i) {
    EchoOrderPolicy policy = (EchoOrderPolicy)((i + is_start) % ECHO_N_ORDER_POLICIES);
    if ((policy == ECHO_ORDER_THROUGH && is_start) || !echo_orders_make(&orders, policy, candidate))
      continue;
    Measure found = measure(graph, interface, options, device_or_null, candidate);
    if (policy == ECHO_ORDER_GIVEN)
      result.given_bytes = found.bytes;
    if (!is_better(use, policy, &found, &result))
      continue;
    result.best_bytes = found.bytes;
    result.best_ns = found.ns;
    result.policy = policy;
    memcpy(order, candidate, graph->nodes.size * sizeof(uint32_t));
  }
  echo_orders_destroy(&orders);
  echo_free(candidate);
  return result;
}

EchoOrderResult echo_order_best(const EchoGraph *graph, const EchoBlockInterface *interface,
                                const EchoFusionOptions *options, const EchoDeviceModel *device,
                                bool is_branch, uint32_t *order)
{
  return take_best(graph, interface, options, device, is_branch ? USE_RUN_BRANCH : USE_RUN, order);
}

EchoOrderResult echo_order_best_by_dataflow(const EchoGraph *graph,
                                            const EchoBlockInterface *interface,
                                            const EchoFusionOptions *options, uint32_t *order)
{
  return take_best(graph, interface, options, NULL, USE_START, order);
}
