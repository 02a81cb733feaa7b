/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Highest-label push-relabel, first phase only: a preflow of maximum value already determines the
 * nodes that can still reach the sink, which are the sink's side of the cut nearest the sink. The
 * cut nearest the source is that one on the reversed network.
 *
 * The source starts with an excess of (sum of finite capacities) + 1 instead of saturating its
 * edges, so the total excess, and with it every intermediate value, is bounded by that number;
 * infinite edges have the same capacity. If all of it arrives, no finite cut exists. */
#include "planning/cuts/min_cut.h"

#include "base/arena.h"
#include "base/panic.h"

#define NONE UINT32_MAX

typedef struct Arc {
  uint32_t head;    /* node this arc enters */
  uint32_t reverse; /* index of its residual twin */
  uint64_t residual;
} Arc;

typedef struct Node {
  uint64_t excess;
  uint32_t first_arc, current_arc; /* arcs of node v are [first_arc of v, first_arc of v+1) */
  uint32_t label;
  uint32_t next, previous; /* in its bucket of active or inactive nodes */
} Node;

typedef struct Bucket {
  uint32_t active, inactive; /* heads of lists */
} Bucket;

typedef struct Solver {
  Node *nodes; /* n_nodes + 1: the last is a sentinel for first_arc */
  Arc *arcs;
  Bucket *buckets; /* by label, n_nodes of them */
  uint32_t *queue;
  uint32_t n_nodes, source, sink;
  uint32_t highest_active, highest_label; /* upper bounds */
  uint64_t work;                          /* since the last global relabelling */
} Solver;

void echo_flow_destroy(EchoFlowNetwork *network)
{
  echo_vector_destroy(&network->edges);
  *network = (EchoFlowNetwork){0};
}

uint32_t echo_flow_add_node(EchoFlowNetwork *network)
{
  ECHO_CHECK(network->n_nodes < UINT32_MAX - 4, "too many nodes in a flow network");
  return network->n_nodes++;
}

uint32_t echo_flow_add_split_node(EchoFlowNetwork *network, uint64_t capacity)
{
  uint32_t entry = echo_flow_add_node(network);
  uint32_t leave = echo_flow_add_node(network);
  echo_flow_add_edge(network, entry, leave, capacity);
  return entry;
}

void echo_flow_add_edge(EchoFlowNetwork *network, uint32_t from, uint32_t to, uint64_t capacity)
{
  ECHO_CHECK(from < network->n_nodes && to < network->n_nodes, "edge %u -> %u of %u nodes", from,
             to, network->n_nodes);
  ECHO_CHECK(network->edges.size < UINT32_MAX / 2 - 1, "too many edges in a flow network");
  if (capacity != 0 && from != to)
    echo_vector_push(&network->edges, (EchoFlowEdge){from, to, capacity});
}

static uint64_t infinite_flow(const EchoFlowNetwork *network)
{
  uint64_t sum = 1;
  for (size_t i = 0; i < network->edges.size; i++) {
    uint64_t capacity = network->edges.data[i].capacity;
    if (capacity != ECHO_FLOW_INFINITE)
      ECHO_CHECK(echo_add_u64(sum, capacity, &sum) && sum < (UINT64_C(1) << 63),
                 "the capacities of a flow network sum to 2^63 or more");
  }
  return sum;
}

/* Arcs in node order by counting sort; each edge gives an arc and its residual twin. */
static void build_arcs(Solver *solver, const EchoFlowNetwork *network, bool reversed,
                       uint64_t infinite)
{
  Node *nodes = solver->nodes;
  for (size_t i = 0; i < network->edges.size; i++) {
    nodes[network->edges.data[i].from].current_arc++;
    nodes[network->edges.data[i].to].current_arc++;
  }
  uint32_t next = 0;
  for (uint32_t v = 0; v <= solver->n_nodes; v++) {
    uint32_t degree = nodes[v].current_arc;
    nodes[v].first_arc = nodes[v].current_arc = next;
    next += degree;
  }
  for (size_t i = 0; i < network->edges.size; i++) {
    EchoFlowEdge edge = network->edges.data[i];
    uint32_t from = reversed ? edge.to : edge.from, to = reversed ? edge.from : edge.to;
    uint32_t forward = nodes[from].current_arc++, backward = nodes[to].current_arc++;
    uint64_t capacity = edge.capacity == ECHO_FLOW_INFINITE ? infinite : edge.capacity;
    solver->arcs[forward] = (Arc){to, backward, capacity};
    solver->arcs[backward] = (Arc){from, forward, 0};
  }
}

static void bucket_push(Solver *solver, uint32_t v)
{
  Node *node = &solver->nodes[v];
  Bucket *bucket = &solver->buckets[node->label];
  bool active = node->excess > 0;
  uint32_t *head = active ? &bucket->active : &bucket->inactive;
  node->next = *head;
  node->previous = NONE;
  if (*head != NONE)
    solver->nodes[*head].previous = v;
  *head = v;
  if (active && node->label > solver->highest_active)
    solver->highest_active = node->label;
  if (node->label > solver->highest_label)
    solver->highest_label = node->label;
}

static void bucket_remove(Solver *solver, uint32_t v, uint32_t *head)
{
  Node *node = &solver->nodes[v];
  if (node->previous != NONE)
    solver->nodes[node->previous].next = node->next;
  else
    *head = node->next;
  if (node->next != NONE)
    solver->nodes[node->next].previous = node->previous;
}

/* Exact distances to the sink by breadth-first search over residual arcs; nodes that cannot reach
 * it get label n and leave the game. */
static void relabel_all(Solver *solver)
{
  uint32_t n = solver->n_nodes;
  for (uint32_t v = 0; v < n; v++) {
    solver->nodes[v].label = n;
    solver->nodes[v].current_arc = solver->nodes[v].first_arc;
    solver->buckets[v] = (Bucket){NONE, NONE};
  }
  solver->highest_active = solver->highest_label = 0;
  solver->work = 0;
  uint32_t head = 0, tail = 0;
  solver->nodes[solver->sink].label = 0;
  solver->queue[tail++] = solver->sink;
  while (head < tail) {
    uint32_t v = solver->queue[head++];
    uint32_t label = solver->nodes[v].label + 1;
    for (uint32_t a = solver->nodes[v].first_arc; a < solver->nodes[v + 1].first_arc; a++) {
      const Arc *arc = &solver->arcs[a];
      if (solver->nodes[arc->head].label != n || solver->arcs[arc->reverse].residual == 0)
        continue;
      solver->nodes[arc->head].label = label;
      bucket_push(solver, arc->head);
      solver->queue[tail++] = arc->head;
    }
  }
}

/* No node is left at `empty`: whatever stands above it cannot reach the sink any more. */
static void cut_gap(Solver *solver, uint32_t empty)
{
  for (uint32_t label = empty + 1; label <= solver->highest_label; label++) {
    Bucket *bucket = &solver->buckets[label];
    for (uint32_t v = bucket->active; v != NONE; v = solver->nodes[v].next)
      solver->nodes[v].label = solver->n_nodes;
    for (uint32_t v = bucket->inactive; v != NONE; v = solver->nodes[v].next)
      solver->nodes[v].label = solver->n_nodes;
    *bucket = (Bucket){NONE, NONE};
  }
  solver->highest_label = empty;
  if (solver->highest_active > empty)
    solver->highest_active = empty;
}

static void push(Solver *solver, Node *node, Arc *arc)
{
  uint64_t amount = node->excess < arc->residual ? node->excess : arc->residual;
  Node *head = &solver->nodes[arc->head];
  arc->residual -= amount;
  solver->arcs[arc->reverse].residual += amount;
  node->excess -= amount;
  bool wakes = head->excess == 0 && arc->head != solver->sink;
  if (wakes)
    bucket_remove(solver, arc->head, &solver->buckets[head->label].inactive);
  head->excess += amount;
  if (wakes)
    bucket_push(solver, arc->head);
}

static void relabel(Solver *solver, uint32_t v)
{
  Node *node = &solver->nodes[v];
  uint32_t end = solver->nodes[v + 1].first_arc, label = solver->n_nodes;
  for (uint32_t a = node->first_arc; a < end; a++) {
    const Arc *arc = &solver->arcs[a];
    if (arc->residual > 0 && solver->nodes[arc->head].label + 1 < label) {
      label = solver->nodes[arc->head].label + 1;
      node->current_arc = a;
    }
  }
  node->label = label;
  solver->work += 12 + (end - node->first_arc);
}

/* Pushes the whole excess of `v`, which is in no bucket, or lifts it out of the game. */
static void discharge(Solver *solver, uint32_t v)
{
  Node *node = &solver->nodes[v];
  uint32_t end = solver->nodes[v + 1].first_arc;
  for (;;) {
    for (; node->current_arc < end; node->current_arc++) {
      Arc *arc = &solver->arcs[node->current_arc];
      if (arc->residual > 0 && solver->nodes[arc->head].label + 1 == node->label) {
        push(solver, node, arc);
        if (node->excess == 0) {
          bucket_push(solver, v);
          return;
        }
      }
    }
    uint32_t old = node->label;
    const Bucket *bucket = &solver->buckets[old];
    if (bucket->active == NONE && bucket->inactive == NONE) {
      cut_gap(solver, old);
      node->label = solver->n_nodes;
      return;
    }
    relabel(solver, v);
    if (node->label >= solver->n_nodes)
      return;
  }
}

static void push_all(Solver *solver, uint64_t relabel_period)
{
  relabel_all(solver);
  for (;;) {
    Bucket *bucket = &solver->buckets[solver->highest_active];
    if (bucket->active == NONE) {
      if (solver->highest_active == 0)
        return;
      solver->highest_active--;
      continue;
    }
    uint32_t v = bucket->active;
    bucket_remove(solver, v, &bucket->active);
    discharge(solver, v);
    if (solver->work > relabel_period)
      relabel_all(solver);
  }
}

/* Marks the nodes that cannot reach the sink in the residual network, or, reversed, those that can.
 */
static void take_sides(Solver *solver, bool reversed, EchoBitset *source_side)
{
  relabel_all(solver);
  echo_bitset_create(source_side, solver->n_nodes);
  for (uint32_t v = 0; v < solver->n_nodes; v++) {
    bool reaches_sink = solver->nodes[v].label < solver->n_nodes;
    if (reaches_sink == reversed)
      echo_bitset_set(source_side, v);
  }
}

bool echo_flow_min_cut(const EchoFlowNetwork *network, uint32_t source, uint32_t sink,
                       EchoCutSide side, EchoMinCut *cut)
{
  ECHO_CHECK(source < network->n_nodes && sink < network->n_nodes && source != sink,
             "no cut between nodes %u and %u of %u", source, sink, network->n_nodes);
  bool reversed = side == ECHO_CUT_NEAR_SOURCE;
  uint64_t infinite = infinite_flow(network);
  uint32_t n = network->n_nodes;
  size_t n_arcs = 2 * network->edges.size;
  EchoArena arena = {0};
  Solver solver = {
      .nodes = ECHO_ARENA_ARRAY(&arena, Node, (size_t)n + 1),
      .arcs = ECHO_ARENA_ARRAY(&arena, Arc, n_arcs),
      .buckets = ECHO_ARENA_ARRAY(&arena, Bucket, n),
      .queue = ECHO_ARENA_ARRAY(&arena, uint32_t, n),
      .n_nodes = n,
      .source = reversed ? sink : source,
      .sink = reversed ? source : sink,
  };
  for (uint32_t v = 0; v <= n; v++)
    solver.nodes[v] = (Node){0};
  build_arcs(&solver, network, reversed, infinite);
  solver.nodes[solver.source].excess = infinite;
  push_all(&solver, 6 * (uint64_t)n + n_arcs / 2);
  uint64_t flow = solver.nodes[solver.sink].excess;
  take_sides(&solver, reversed, &cut->source_side);
  echo_arena_destroy(&arena);
  bool finite = flow < infinite;
  cut->value = finite ? flow : ECHO_FLOW_INFINITE;
  return finite;
}
