/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An order from the dataflow alone: however the text was ordered, equal graphs run equally. Nodes
 * on the longest way to where they are needed drive; what has time left is run when it is asked
 * for. Of the drivers that can run, the one that became ready last runs first, so that one branch
 * (a microbatch, a direction of a recurrence, a head) is carried through before the next begins.
 * What only ends in an update of weights waits until it frees something: where it could run long
 * before the others that read the same, they keep that all the same.
 *
 *   source   the slack is that of the critical path method (Kelley and Walker, 1959) */
#include "planning/schedule/dataflow_order_t.h"

#include "planning/schedule/updates_t.h"

#include <stdlib.h>

#define MAX_CONE 32
#define FEW_MISSING 4
#define FRACTION (UINT64_C(1) << 32)

typedef struct FlowNode {
  uint64_t key;     /* of the node's place in the dataflow, without names, addresses or numbers */
  int64_t gain;     /* bytes that running it as soon as it can frees less what it takes */
  uint64_t way;     /* mean number of nodes on the ways from it, in FRACTION parts */
  uint32_t soonest; /* nodes on the longest way to it */
  uint32_t latest;  /* where it runs so that nobody waits for it */
  uint32_t cone;    /* nodes that it is made by, itself included, up to MAX_CONE + 1 */
  uint32_t below;   /* nodes that are made from it, itself included, up to MAX_CONE + 1 */
  uint32_t height;  /* nodes on the longest way from it */
  uint32_t waiting; /* operands that are not available */
  uint32_t unread;  /* of an update: who reads what it replaces and has not run */
  bool is_side;     /* a heavy node with few below it: a gradient of weights, mostly */
  bool is_blocked;  /* it still waits for an operand */
  bool is_ready, is_emitted;
} FlowNode;

typedef struct FlowValue {
  uint32_t n_readers; /* nodes that take room of their own and read it, through views too */
  uint32_t seen;      /* the last node, plus one, that was asked about it */
  uint32_t n_driving; /* readers that have not run and are no side that could; */
  uint32_t n_blocked; /* those of them that still wait for something else */
  uint32_t first_side, n_sides; /* in the flow's list: sides that read it */
  bool is_returned;             /* it outlives the block */
  bool is_outside;              /* a result that needs no room in the arena */
} FlowValue;

typedef struct Flow {
  const EchoGraph *graph;
  const EchoUpdates *updates;
  FlowNode *nodes;
  FlowValue *values;
  EchoFlowHaste haste;
  bool has_missed; /* something that another haste would have run earlier */
  uint32_t *order, n_emitted;
  uint32_t end; /* the return; ECHO_NONE without one */
  ECHO_VECTOR(uint32_t) ready, fresh, stack, released;
  uint32_t *sides;            /* by value, those that read it */
  ECHO_VECTOR(uint32_t) held; /* sides that could run and would free nothing */
} Flow;

static bool takes_no_room(const EchoGraph *graph, uint32_t node)
{
  return graph->nodes.data[node].kind == ECHO_NODE_BARRIER ||
         echo_node_is_free_to_remake(graph, node);
}

static bool is_driver(const Flow *flow, uint32_t node)
{
  const FlowNode *place = &flow->nodes[node];
  return node != flow->end && (place->latest == place->soonest || place->cone > MAX_CONE);
}

/* ---- places ---- */

static void measure_down(Flow *flow)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    FlowNode *place = &flow->nodes[node];
    place->key = echo_hash_combine(graph->nodes.data[node].key, graph->nodes.data[node].is_clone);
    place->cone = takes_no_room(graph, node) ? 0 : 1;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = echo_graph_operands(graph, node)[i], def = graph->values.data[value].def;
      uint64_t from = def == ECHO_NONE ? value : flow->nodes[def].key;
      place->key = echo_hash_combine(place->key, from + graph->values.data[value].index);
      if (def == ECHO_NONE)
        continue;
      ++place->waiting;
      place->cone += flow->nodes[def].cone;
      if (place->cone > MAX_CONE)
        place->cone = MAX_CONE + 1;
      if (place->soonest < flow->nodes[def].soonest + 1)
        place->soonest = flow->nodes[def].soonest + 1;
    }
    place->unread = flow->updates->readers.first[node + 1] - flow->updates->readers.first[node];
    place->waiting += place->unread;
  }
}

/* The value whose bytes are read where `value` is: views and what kernels make anew take none. */
static uint32_t holder(const EchoGraph *graph, uint32_t value)
{
  uint32_t def = graph->values.data[value].def;
  while (def != ECHO_NONE && takes_no_room(graph, def) && graph->nodes.data[def].n_operands != 0) {
    uint32_t operand =
        graph->nodes.data[def].kind == ECHO_NODE_BARRIER ? graph->values.data[value].index : 0;
    value = echo_graph_operands(graph, def)[operand];
    def = graph->values.data[value].def;
  }
  return value;
}

static void count_readers(Flow *flow, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    flow->values[v] = (FlowValue){0};
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands && !takes_no_room(graph, node);
         ++i) {
      FlowValue *read = &flow->values[holder(graph, echo_graph_operands(graph, node)[i])];
      read->n_readers += read->seen != node + 1;
      read->seen = node + 1;
      read->is_returned |= node == flow->end;
    }
  for (uint32_t v = 0; v < graph->values.size; ++v)
    flow->values[v].seen = 0;
  for (uint32_t i = 0; flow->end != ECHO_NONE && i < graph->nodes.data[flow->end].n_operands; ++i)
    flow->values[echo_graph_operands(graph, flow->end)[i]].is_outside =
        interface->result_targets[i] != ECHO_TO_ARENA;
}

/* Of the bytes of each operand the part that falls to the node, for whichever of its readers runs
 * last is what frees it. */
static uint64_t freed_bytes(Flow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = holder(graph, echo_graph_operands(graph, node)[i]);
    uint32_t def = graph->values.data[value].def;
    FlowValue *read = &flow->values[value];
    if (def == ECHO_NONE || takes_no_room(graph, def) || read->is_returned ||
        graph->nodes.data[def].kind == ECHO_NODE_BLOB || read->seen == node + 1)
      continue;
    read->seen = node + 1;
    bytes += graph->values.data[value].bytes / read->n_readers;
  }
  return bytes;
}

/* From the end back: what takes more than it frees waits until its first reader cannot. */
static void measure_up(Flow *flow)
{
  const EchoGraph *graph = flow->graph;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    FlowNode *place = &flow->nodes[node];
    uint32_t latest = UINT32_MAX;
    uint64_t taken = 0, above = 0, way = 0;
    uint32_t n_users = 0;
    place->below = 1;
    for (uint32_t r = 0; r < entry->n_results; ++r)
      n_users += graph->values.data[entry->first_result + r].n_uses;
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      const EchoGraphValue *value = &graph->values.data[entry->first_result + r];
      bool takes_room =
          !takes_no_room(graph, node) && !flow->values[entry->first_result + r].is_outside;
      taken += takes_room ? value->bytes : 0;
      for (uint32_t u = 0; u < value->n_uses; ++u) {
        uint32_t user = echo_graph_uses(graph, entry->first_result + r)[u];
        if (user == flow->end)
          continue;
        above += echo_hash_u64(flow->nodes[user].key + r); /* in no order */
        place->below += flow->nodes[user].below;
        way += flow->nodes[user].way / n_users;
        if (place->height < flow->nodes[user].height + 1)
          place->height = flow->nodes[user].height + 1;
        if (latest > flow->nodes[user].latest - 1)
          latest = flow->nodes[user].latest - 1;
      }
    }
    if (place->below > MAX_CONE)
      place->below = MAX_CONE + 1;
    uint64_t freed = takes_no_room(graph, node) ? 0 : freed_bytes(flow, node);
    place->gain = (int64_t)freed - (int64_t)taken;
    place->is_side = entry->is_heavy && place->below <= MAX_CONE && place->gain > 0;
    bool is_sink = latest == UINT32_MAX;
    place->way = FRACTION + way;
    place->latest = is_sink ? place->soonest : latest;
    place->key = echo_hash_combine(place->key, above);
  }
}

/* ---- sides ---- */

/* What operand `i` of the node keeps in the arena; ECHO_NONE for what it does not, or stays. */
static uint32_t kept_or_none(const Flow *flow, uint32_t node, uint32_t i)
{
  const EchoGraph *graph = flow->graph;
  uint32_t value = holder(graph, echo_graph_operands(graph, node)[i]);
  uint32_t def = graph->values.data[value].def;
  bool is_kept = def != ECHO_NONE && !takes_no_room(graph, node) && !takes_no_room(graph, def) &&
                 !flow->values[value].is_returned && graph->nodes.data[def].kind != ECHO_NODE_BLOB;
  for (uint32_t k = 0; k < i && is_kept; ++k) /* each once */
    is_kept = holder(graph, echo_graph_operands(graph, node)[k]) != value;
  return is_kept ? value : ECHO_NONE;
}

static void list_sides(Flow *flow, EchoArena *scratch)
{
  const EchoGraph *graph = flow->graph;
  uint32_t n = 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    flow->nodes[node].is_blocked = flow->nodes[node].waiting != 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = kept_or_none(flow, node, i);
      if (value == ECHO_NONE)
        continue;
      ++flow->values[value].n_driving;
      flow->values[value].n_blocked += flow->nodes[node].is_blocked;
      flow->values[value].first_side += flow->nodes[node].is_side;
      n += flow->nodes[node].is_side;
    }
  flow->sides = ECHO_ARENA_ARRAY(scratch, uint32_t, n + 1u);
  n = 0;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    uint32_t n_sides = flow->values[v].first_side;
    flow->values[v].first_side = n;
    n += n_sides;
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands && flow->nodes[node].is_side; ++i) {
      uint32_t value = kept_or_none(flow, node, i);
      if (value != ECHO_NONE)
        flow->sides[flow->values[value].first_side + flow->values[value].n_sides++] = node;
    }
}

/* Whether the value is free once the sides that read it have run, and at most one more node, which
 * can: the one that they stand beside, mostly. */
static bool is_ripe(const FlowValue *value)
{
  return value->n_blocked == 0 && value->n_driving <= 1;
}

static void push_ripe_sides(Flow *flow, uint32_t value)
{
  const uint32_t *sides = flow->sides + flow->values[value].first_side;
  for (uint32_t k = 0; k < flow->values[value].n_sides && is_ripe(&flow->values[value]); ++k)
    if (flow->nodes[sides[k]].is_ready && !flow->nodes[sides[k]].is_emitted)
      echo_vector_push(&flow->fresh, sides[k]);
}

/* The node waits for nothing more. */
static void unblock(Flow *flow, uint32_t node)
{
  if (!flow->nodes[node].is_blocked)
    return;
  flow->nodes[node].is_blocked = false;
  for (uint32_t i = 0; i < flow->graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = kept_or_none(flow, node, i);
    if (value != ECHO_NONE && --flow->values[value].n_blocked == 0)
      push_ripe_sides(flow, value);
  }
}

/* The node runs, or is a side that could: who else reads the same waits for it no more. */
static void stop_driving(Flow *flow, uint32_t node)
{
  unblock(flow, node);
  for (uint32_t i = 0; i < flow->graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = kept_or_none(flow, node, i);
    if (value != ECHO_NONE && --flow->values[value].n_driving <= 1)
      push_ripe_sides(flow, value);
  }
}

/* The node can run: at once, or, a side, once that frees something. */
static void make_ready(Flow *flow, uint32_t node)
{
  bool keeps_any = false, is_any_ripe = false;
  if (flow->nodes[node].is_side)
    stop_driving(flow, node);
  for (uint32_t i = 0; i < flow->graph->nodes.data[node].n_operands && flow->nodes[node].is_side;
       ++i) {
    uint32_t value = kept_or_none(flow, node, i);
    keeps_any |= value != ECHO_NONE;
    is_any_ripe |= value != ECHO_NONE && is_ripe(&flow->values[value]);
  }
  flow->nodes[node].is_ready = true;
  if (keeps_any && !is_any_ripe)
    echo_vector_push(&flow->held, node);
  else
    echo_vector_push(&flow->fresh, node);
}

/* ---- running ---- */

static void emit(Flow *flow, uint32_t node)
{
  if (!flow->nodes[node].is_side || !flow->nodes[node].is_ready)
    stop_driving(flow, node);
  const EchoNodeLists *writers = &flow->updates->writers;
  for (uint32_t i = writers->first[node]; i < writers->first[node + 1]; ++i)
    --flow->nodes[writers->list[i]].unread;
  flow->nodes[node].is_emitted = true;
  flow->order[flow->n_emitted++] = node;
}

/* What has to run for the value: its node, or, of one that only moves or converts what another
 * makes, that. ECHO_NONE where nothing of it can run now. */
static uint32_t runnable_node(const Flow *flow, uint32_t value)
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
static void hurry(Flow *flow, uint32_t node)
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
static void stop_waiting(Flow *flow, uint32_t user)
{
  FlowNode *place = &flow->nodes[user];
  if (--place->waiting != 0) {
    if (place->waiting <= FEW_MISSING)
      hurry(flow, user);
    return;
  }
  unblock(flow, user);
  if (is_driver(flow, user))
    make_ready(flow, user);
  else
    echo_vector_push(&flow->released, user);
}

/* One reader less of what the update replaces: what it is made from may leave nothing behind now.
 */
static void hurry_sources(Flow *flow, uint32_t writer)
{
  const EchoNodeLists *sources = &flow->updates->sources;
  for (uint32_t i = sources->first[writer]; i < sources->first[writer + 1]; ++i)
    if (flow->nodes[sources->list[i]].is_ready && !flow->nodes[sources->list[i]].is_emitted)
      echo_vector_push(&flow->fresh, sources->list[i]);
}

/* The node is available: drivers that nothing else keeps are fresh, and what others would ask for
 * makes its readers available in turn. */
static void release(Flow *flow, uint32_t node)
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
static bool push_readers(Flow *flow, uint32_t node)
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
static void emit_with_operands(Flow *flow, uint32_t node)
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
  const FlowNode *place;
  int64_t gain; /* with that of the readers that then run at once */
  uint32_t node;
} Fresh;

/* What else `user` waits for, beside `node`, and can run: its gain in *gain. False where some of it
 * cannot. */
static bool can_follow(const Flow *flow, uint32_t user, uint32_t node, int64_t *gain)
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
static uint32_t n_unread_but(const Flow *flow, uint32_t writer, uint32_t node)
{
  const EchoNodeLists *writers = &flow->updates->writers;
  uint32_t n = flow->nodes[writer].unread;
  for (uint32_t i = writers->first[node];
       i < writers->first[node + 1] && !flow->nodes[node].is_emitted; ++i)
    n -= writers->list[i] == writer;
  return n;
}

/* Whether the updates that are made from the node wait for nobody who reads what they replace. */
static bool may_update(const Flow *flow, uint32_t node)
{
  const EchoNodeLists *made = &flow->updates->made;
  for (uint32_t i = made->first[node]; i < made->first[node + 1]; ++i)
    if (n_unread_but(flow, made->list[i], node) != 0)
      return false;
  return true;
}

/* Whether nothing is left of what the node makes: only updates of state read it, and nothing but
 * the node keeps them. Then its bytes; else 0. */
static int64_t consumed_bytes(const Flow *flow, uint32_t node)
{
  const EchoGraph *graph = flow->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  int64_t bytes = 0, gain;
  if (flow->haste != ECHO_HASTE_UPDATES || !flow->updates->is_consumed[node] ||
      takes_no_room(graph, node) || !may_update(flow, node))
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
static int64_t gain_with_reader(const Flow *flow, uint32_t node)
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

static void take_fresh(Flow *flow, EchoArena *scratch)
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
static void take_held(Flow *flow, EchoArena *scratch)
{
  for (size_t i = 0; i < flow->held.size; ++i)
    echo_vector_push(&flow->fresh, flow->held.data[i]);
  echo_vector_clear(&flow->held);
  take_fresh(flow, scratch);
}

static void start(Flow *flow)
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
      make_ready(flow, node);
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
  Flow flow = {
      .graph = graph, .updates = updates, .haste = haste, .order = order, .end = ECHO_NONE};
  flow.nodes = ECHO_ARENA_ARRAY(&scratch, FlowNode, n + 1u);
  for (uint32_t node = 0; node < n; ++node)
    flow.nodes[node] = (FlowNode){0};
  if (n != 0 && graph->nodes.data[n - 1].kind == ECHO_NODE_RETURN)
    flow.end = n - 1;
  flow.values = ECHO_ARENA_ARRAY(&scratch, FlowValue, graph->values.size + 1);
  measure_down(&flow);
  count_readers(&flow, interface);
  measure_up(&flow);
  list_sides(&flow, &scratch);
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
