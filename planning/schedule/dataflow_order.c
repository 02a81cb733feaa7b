/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An order from the dataflow alone: however the text was ordered, equal graphs run equally. Nodes
 * on the longest way to where they are needed drive; what has time left is run when it is asked
 * for. Of the drivers that can run, the one that became ready last runs first, so that one branch
 * (a microbatch, a direction of a recurrence, a head) is carried through before the next begins.
 * What only ends in an update of weights waits until it frees something (flow_sides.c).
 *
 *   source   the slack is that of the critical path method (Kelley and Walker, 1959) */
#include "planning/schedule/flow_t.h"

#include <stdlib.h>

#define FEW_MISSING 4

static bool is_driver(const EchoFlow *flow, uint32_t node)
{
  const EchoFlowNode *place = &flow->nodes[node];
  return node != flow->end && (place->latest == place->soonest || place->cone > ECHO_FLOW_MAX_CONE);
}

static void emit(EchoFlow *flow, uint32_t node)
{
  if (!flow->nodes[node].is_side || !flow->nodes[node].is_ready)
    echo_flow_stop_driving(flow, node);
  const EchoNodeLists *writers = &flow->updates->writers;
  for (uint32_t i = writers->first[node]; i < writers->first[node + 1]; ++i)
    --flow->nodes[writers->list[i]].unread;
  flow->nodes[node].is_emitted = true;
  flow->order[flow->n_emitted++] = node;
}

/* What has to run for the value: its node, or, of one that only moves or converts what another
 * makes, that. ECHO_NONE where nothing of it can run now. */
static uint32_t runnable_node(const EchoFlow *flow, uint32_t value)
{
  const EchoGraph *graph = flow->graph;
  uint32_t def = graph->values.data[value].def;
  while (def != ECHO_NONE && !flow->nodes[def].is_ready && !flow->nodes[def].is_emitted &&
         graph->nodes.data[def].n_operands == 1)
    def = graph->values.data[echo_graph_operands(graph, def)[0]].def;
  return def != ECHO_NONE && flow->nodes[def].is_ready && !flow->nodes[def].is_emitted ? def
                                                                                       : ECHO_NONE;
}

/* The few operands that `node` still misses run next where they can. */
static void hurry(EchoFlow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = echo_graph_operands(graph, node)[i];
    uint32_t runnable = runnable_node(flow, value);
    if (runnable == ECHO_NONE)
      continue;
    if (runnable == graph->values.data[value].def || flow->haste == ECHO_HASTE_THROUGH)
      echo_vector_push(&flow->fresh, runnable);
    else
      flow->has_missed = true;
  }
}

/* One of those that `user` waits for is available. */
static void stop_waiting(EchoFlow *flow, uint32_t user)
{
  EchoFlowNode *place = &flow->nodes[user];
  if (--place->waiting != 0) {
    if (place->waiting <= FEW_MISSING)
      hurry(flow, user);
    return;
  }
  echo_flow_unblock(flow, user);
  if (is_driver(flow, user))
    echo_flow_make_ready(flow, user);
  else
    echo_vector_push(&flow->released, user);
}

/* One reader less of what the update replaces: what it is made from may leave nothing behind now.
 */
static void hurry_sources(EchoFlow *flow, uint32_t writer)
{
  const EchoNodeLists *sources = &flow->updates->sources;
  for (uint32_t i = sources->first[writer]; i < sources->first[writer + 1]; ++i)
    if (flow->nodes[sources->list[i]].is_ready && !flow->nodes[sources->list[i]].is_emitted)
      echo_vector_push(&flow->fresh, sources->list[i]);
}

/* The node is available: drivers that nothing else keeps are fresh, and what others would ask for
 * makes its readers available in turn. */
static void release(EchoFlow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  const EchoUpdates *updates = flow->updates;
  echo_vector_push(&flow->released, node);
  while (flow->released.size != 0) {
    uint32_t released = echo_vector_pop(&flow->released);
    const EchoGraphNode *entry = &graph->nodes.data[released];
    for (uint32_t r = 0; r < entry->n_results; ++r)
      for (uint32_t u = 0; u < graph->values.data[entry->first_result + r].n_uses; ++u)
        stop_waiting(flow, echo_graph_uses(graph, entry->first_result + r)[u]);
    for (uint32_t i = updates->writers.first[released]; i < updates->writers.first[released + 1];
         ++i) {
      stop_waiting(flow, updates->writers.list[i]);
      if (flow->haste == ECHO_HASTE_UPDATES)
        hurry_sources(flow, updates->writers.list[i]);
    }
  }
}

/* Those of what the node would write over; false where none is left. */
static bool push_readers(EchoFlow *flow, uint32_t node)
{
  const EchoUpdates *updates = flow->updates;
  size_t n_before = flow->stack.size;
  for (uint32_t i = updates->readers.first[node];
       i < updates->readers.first[node + 1] && !flow->nodes[node].is_emitted; ++i)
    if (!flow->nodes[updates->readers.list[i]].is_emitted)
      echo_vector_push(&flow->stack, updates->readers.list[i]);
  return flow->stack.size != n_before;
}

/* What is not asked for by then, deepest first; no recursion. */
static void emit_with_operands(EchoFlow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  echo_vector_push(&flow->stack, node);
  while (flow->stack.size != 0) {
    uint32_t top = echo_vector_last(&flow->stack);
    bool is_blocked = false;
    for (uint32_t i = graph->nodes.data[top].n_operands; i-- > 0 && !flow->nodes[top].is_emitted;) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, top)[i]].def;
      if (def == ECHO_NONE || flow->nodes[def].is_emitted)
        continue;
      echo_vector_push(&flow->stack, def);
      is_blocked = true;
    }
    is_blocked |= push_readers(flow, top);
    if (is_blocked)
      continue;
    --flow->stack.size;
    if (!flow->nodes[top].is_emitted)
      emit(flow, top);
  }
}

typedef struct Fresh {
  const EchoFlowNode *place;
  int64_t gain; /* with that of the readers that then run at once */
  uint32_t node;
} Fresh;

/* What else `user` waits for, beside `node`, and can run: its gain in *gain. False where some of it
 * cannot. */
static bool can_follow(const EchoFlow *flow, uint32_t user, uint32_t node, int64_t *gain)
{
  const EchoGraph *graph = flow->graph;
  if (flow->nodes[user].waiting > FEW_MISSING)
    return false;
  *gain = flow->nodes[user].gain;
  for (uint32_t i = 0; i < graph->nodes.data[user].n_operands; ++i) {
    uint32_t def = graph->values.data[echo_graph_operands(graph, user)[i]].def;
    if (def == ECHO_NONE || def == node || flow->nodes[def].is_emitted || !is_driver(flow, def))
      continue;
    if (!flow->nodes[def].is_ready)
      return false;
    *gain += flow->nodes[def].gain;
  }
  return true;
}

/* Who reads what `writer` replaces and has not run, but for `node`. */
static uint32_t n_unread_but(const EchoFlow *flow, uint32_t writer, uint32_t node)
{
  const EchoNodeLists *writers = &flow->updates->writers;
  uint32_t n = flow->nodes[writer].unread;
  for (uint32_t i = writers->first[node];
       i < writers->first[node + 1] && !flow->nodes[node].is_emitted; ++i)
    n -= writers->list[i] == writer;
  return n;
}

/* Whether the updates that are made from the node wait for nobody who reads what they replace. */
static bool may_update(const EchoFlow *flow, uint32_t node)
{
  const EchoNodeLists *made = &flow->updates->made;
  for (uint32_t i = made->first[node]; i < made->first[node + 1]; ++i)
    if (n_unread_but(flow, made->list[i], node) != 0)
      return false;
  return true;
}

/* Whether nothing is left of what the node makes: only updates of state read it, and nothing but
 * the node keeps them. Then its bytes; else 0. */
static int64_t consumed_bytes(const EchoFlow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  int64_t bytes = 0, gain;
  if (flow->haste != ECHO_HASTE_UPDATES || !flow->updates->is_consumed[node] ||
      echo_flow_takes_no_room(graph, node) || !may_update(flow, node))
    return 0;
  for (uint32_t r = 0; r < entry->n_results; ++r) {
    const EchoGraphValue *value = &graph->values.data[entry->first_result + r];
    bytes += (int64_t)value->bytes;
    for (uint32_t u = 0; u < value->n_uses; ++u)
      if (!can_follow(flow, echo_graph_uses(graph, entry->first_result + r)[u], node, &gain))
        return 0;
  }
  return bytes;
}

/* A product that grows is added to a sum at once, or is all that an update of state waits for: the
 * reader that could run then counts, too. */
static int64_t gain_with_reader(const EchoFlow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  int64_t gain = consumed_bytes(flow, node), followed;
  if (gain == 0 && entry->n_results == 1 && graph->values.data[entry->first_result].n_uses == 1) {
    uint32_t user = echo_graph_uses(graph, entry->first_result)[0];
    gain = user != flow->end && can_follow(flow, user, node, &followed) ? followed : 0;
  }
  return flow->nodes[node].gain + (gain > 0 ? gain : 0);
}

/* What runs first comes last: what frees most, then the longest way to go. */
static int compare_fresh(const void *a, const void *b)
{
  const Fresh *x = a, *y = b;
  bool x_grows = x->gain < 0, y_grows = y->gain < 0;
  if (x_grows != y_grows)
    return x_grows ? -1 : 1;
  if (!x_grows && x->place->height != y->place->height)
    return x->place->height > y->place->height ? -1 : 1;
  if (x->gain != y->gain)
    return x->gain < y->gain ? -1 : 1;
  if (x->place->height != y->place->height)
    return x->place->height < y->place->height ? -1 : 1;
  if (x->place->way != y->place->way)
    return x->place->way < y->place->way ? -1 : 1;
  if (x->place->key != y->place->key)
    return x->place->key < y->place->key ? -1 : 1;
  return x->node > y->node ? -1 : x->node < y->node;
}

static void take_fresh(EchoFlow *flow, EchoArena *scratch)
{
  size_t n = flow->fresh.size;
  if (n <= 1) {
    for (size_t i = 0; i < n; ++i)
      echo_vector_push(&flow->ready, flow->fresh.data[i]);
    echo_vector_clear(&flow->fresh);
    return;
  }
  EchoArenaMark mark = echo_arena_mark(scratch);
  Fresh *list = ECHO_ARENA_ARRAY(scratch, Fresh, n);
  for (size_t i = 0; i < n; ++i)
    list[i] = (Fresh){&flow->nodes[flow->fresh.data[i]],
                      gain_with_reader(flow, flow->fresh.data[i]), flow->fresh.data[i]};
  qsort(list, n, sizeof *list, compare_fresh);
  for (size_t i = 0; i < n; ++i)
    echo_vector_push(&flow->ready, list[i].node);
  echo_vector_clear(&flow->fresh);
  echo_arena_reset(scratch, mark);
}

/* Nothing else is left to run. */
static void take_held(EchoFlow *flow, EchoArena *scratch)
{
  for (size_t i = 0; i < flow->held.size; ++i)
    echo_vector_push(&flow->fresh, flow->held.data[i]);
  echo_vector_clear(&flow->held);
  take_fresh(flow, scratch);
}

static void start(EchoFlow *flow)
{
  const EchoGraph *graph = flow->graph;
  uint32_t n = (uint32_t)graph->nodes.size;
  bool *is_source = echo_alloc_zero(n + 1u, sizeof(bool));
  for (uint32_t node = 0; node < n; ++node)
    is_source[node] = flow->nodes[node].waiting == 0;
  for (uint32_t node = 0; node < n; ++node) {
    if (!is_source[node] || node == flow->end)
      continue;
    if (is_driver(flow, node))
      echo_flow_make_ready(flow, node);
    else
      release(flow, node);
  }
  echo_free(is_source);
}

bool echo_order_by_dataflow(const EchoGraph *graph, const EchoBlockInterface *interface,
                            const EchoUpdates *updates, EchoFlowHaste haste, uint32_t *order)
{
  uint32_t n = (uint32_t)graph->nodes.size;
  EchoArena scratch = {0};
  EchoFlow flow = {
      .graph = graph, .updates = updates, .haste = haste, .order = order, .end = ECHO_NONE};
  flow.nodes = ECHO_ARENA_ARRAY(&scratch, EchoFlowNode, n + 1u);
  for (uint32_t node = 0; node < n; ++node)
    flow.nodes[node] = (EchoFlowNode){0};
  if (n != 0 && graph->nodes.data[n - 1].kind == ECHO_NODE_RETURN)
    flow.end = n - 1;
  flow.values = ECHO_ARENA_ARRAY(&scratch, EchoFlowValue, graph->values.size + 1);
  echo_flow_measure(&flow, interface);
  echo_flow_list_sides(&flow, &scratch);
  start(&flow);
  take_fresh(&flow, &scratch);
  while (flow.ready.size != 0 || flow.held.size != 0) {
    if (flow.ready.size == 0)
      take_held(&flow, &scratch);
    uint32_t node = echo_vector_pop(&flow.ready);
    if (flow.nodes[node].is_emitted)
      continue;
    emit_with_operands(&flow, node);
    release(&flow, node);
    take_fresh(&flow, &scratch);
  }
  for (uint32_t node = 0; node < n; ++node) /* what nobody waits for */
    if (!flow.nodes[node].is_emitted && node != flow.end)
      emit_with_operands(&flow, node);
  if (flow.end != ECHO_NONE)
    emit(&flow, flow.end);
  ECHO_CHECK(flow.n_emitted == n, "the order left out nodes");
  echo_vector_destroy(&flow.ready);
  echo_vector_destroy(&flow.fresh);
  echo_vector_destroy(&flow.stack);
  echo_vector_destroy(&flow.released);
  echo_vector_destroy(&flow.held);
  echo_arena_destroy(&scratch);
  return flow.has_missed;
}
