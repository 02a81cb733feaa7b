/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The minimum cut of a writer's body. A value is a split node whose edge costs what a stack of it
 * does: its bytes by the price, and the time to write and read them. An op hangs on the source by
 * the time of running it again, its results follow it and it follows its operands; a carry hangs
 * there for good. What the reader wants hangs on the sink. Cut values are stacked, ops on the
 * sink's side run again. */
#include "base/map.h"
#include "echo_pass/candidates.h"
#include "echo_pass/stacks_t.h"
#include "planning/cost/runtime.h"
#include "planning/cuts/min_cut.h"

#define SOURCE 0u
#define SINK 1u
#define TOTAL_CAPACITY 0x1p56 /* that all of the network shares: costs become integers */

typedef struct Cutter {
  const EchoLoopPair *pair;
  const EchoDeviceModel *device;
  EchoStackChoice *choice;
  EchoMap value_of;  /* EchoValue * -> number in the graph */
  bool *is_there;    /* value: the reader has it anyway */
  bool *is_stacked;  /* value: for others, wherever this reader takes it from */
  bool *is_wanted;   /* value: by the reader, or by what would make such a value */
  bool *is_read;     /* value: by the reader, from a stack that may go */
  double *node_ns;   /* of running it again */
  uint32_t *entry;   /* value: its split node */
  uint32_t *op_node; /* node */
  EchoFlowNetwork network;
} Cutter;

/* ---- what it costs ---- */

static double region_ns(const EchoBlock *block, const EchoDeviceModel *device);

/* With what it reads and writes where it is a kernel of its own. */
static double run_ns(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (entry->kind == ECHO_NODE_CONTROL) {
    uint64_t *ns = echo_alloc_array(entry->op->n_regions + 1u, sizeof *ns);
    for (size_t r = 0; r < entry->op->n_regions; ++r)
      ns[r] = (uint64_t)region_ns(echo_op_body(entry->op, r), device);
    double total = (double)echo_control_ns(entry->op, ns);
    echo_free(ns);
    return total;
  }
  double ns = echo_node_ns(graph, node, device);
  if (entry->kind != ECHO_NODE_SINGLE)
    return ns;
  double traffic = entry->cost.bytes_read + entry->cost.bytes_written;
  double traffic_ns = traffic / device->memory_bytes_per_s * 1e9;
  return (ns > traffic_ns ? ns : traffic_ns) + device->launch_ns;
}

/* A kernel at least; recursion is bounded by the nesting that the parser accepts. */
static double region_ns(const EchoBlock *block, const EchoDeviceModel *device)
{
  EchoGraph graph;
  double ns = 0;
  echo_graph_create(&graph, block);
  for (uint32_t node = 0; node < graph.nodes.size; ++node)
    ns += run_ns(&graph, node, device);
  echo_graph_destroy(&graph);
  return ns > 0 ? ns + device->launch_ns : 0;
}

double echo_loop_pair_ns(const EchoLoopPair *pair, const EchoDeviceModel *device)
{
  return region_ns(pair->from, device);
}

/* A stack is written by a kernel of its own. */
static double stacking_ns(const Cutter *cutter, uint32_t value)
{
  double bytes = (double)cutter->choice->graph.values.data[value].bytes;
  double ns = 2 * bytes / cutter->device->memory_bytes_per_s * 1e9;
  return cutter->is_stacked[value] ? ns / 2 : ns + cutter->device->launch_ns;
}

/* ---- the network ---- */

static bool may_run_again(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return echo_node_is_recomputable(graph, node) ||
         (entry->kind == ECHO_NODE_CONTROL && echo_op_is_pure(entry->op));
}

static bool counts(const EchoLoopPair *pair, uint64_t trip_hash)
{
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (pair->stacks.data[i].trip_hash == trip_hash && pair->stacks.data[i].counts)
      return true;
  return false;
}

static void find_stacked(Cutter *cutter)
{
  const EchoLoopPair *pair = cutter->pair;
  const EchoStack *like = echo_loop_pair_like(pair, cutter->choice->trip_hash);
  for (uint32_t i = 0; i < pair->writer->n_operands && like != NULL; ++i) {
    bool stays;
    const EchoValue *value = echo_loop_pair_stacked_or_null(pair, like, i, &stays);
    if (value != NULL && stays)
      cutter->is_stacked[echo_map_get_or(&cutter->value_of, echo_key(value), 0)] = true;
  }
}

static void find_wanted(Cutter *cutter)
{
  const EchoLoopPair *pair = cutter->pair;
  const EchoGraph *graph = &cutter->choice->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    echo_map_insert(&cutter->value_of, echo_key(graph->values.data[v].value), v);
  find_stacked(cutter);
  bool has_counter = counts(pair, cutter->choice->trip_hash);
  for (uint32_t v = 0; v < graph->n_inputs; ++v)
    cutter->is_there[v] =
        (has_counter && v == pair->written.counter) ||
        echo_loop_pair_outer_or_null(pair, (EchoValue *)graph->values.data[v].value) != NULL;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoStack *stack = &pair->stacks.data[i];
    uint64_t v = echo_map_get_or(&cutter->value_of, echo_key(stack->value), 0);
    if (stack->trip_hash != cutter->choice->trip_hash)
      continue;
    if (stack->may_go)
      cutter->is_read[v] = cutter->is_wanted[v] = true;
    else
      cutter->is_there[v] = true;
  }
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_wanted = false;
    for (uint32_t i = 0; i < entry->n_results; ++i)
      is_wanted |=
          cutter->is_wanted[entry->first_result + i] && !cutter->is_there[entry->first_result + i];
    if (!is_wanted || !may_run_again(graph, node))
      continue;
    for (uint32_t i = 0; i < entry->n_operands; ++i)
      cutter->is_wanted[echo_graph_operands(graph, node)[i]] = true;
  }
}

static uint64_t capacity(double cost, double scale)
{
  uint64_t units = (uint64_t)(cost * scale);
  return units > 0 ? units : cost > 0;
}

static void add_value(Cutter *cutter, uint32_t value, double price, double scale)
{
  if (cutter->is_stacked[value])
    price = 0;
  double cost =
      stacking_ns(cutter, value) + price * (double)cutter->choice->graph.values.data[value].bytes;
  uint32_t entry = cutter->entry[value] =
      echo_flow_add_split_node(&cutter->network, capacity(cost, scale));
  if (cutter->is_read[value])
    echo_flow_add_edge(&cutter->network, echo_flow_split_exit(entry), SINK, ECHO_FLOW_INFINITE);
}

static void add_node(Cutter *cutter, uint32_t node, double price, double scale)
{
  const EchoGraph *graph = &cutter->choice->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint32_t op = ECHO_NONE;
  for (uint32_t i = 0; i < entry->n_results; ++i) {
    uint32_t value = entry->first_result + i;
    if (!cutter->is_wanted[value] || cutter->is_there[value])
      continue;
    if (op == ECHO_NONE)
      op = cutter->op_node[node] = echo_flow_add_node(&cutter->network);
    add_value(cutter, value, price, scale);
    echo_flow_add_edge(&cutter->network, op, cutter->entry[value], ECHO_FLOW_INFINITE);
  }
  if (op == ECHO_NONE)
    return;
  if (!may_run_again(graph, node)) {
    echo_flow_add_edge(&cutter->network, SOURCE, op, ECHO_FLOW_INFINITE);
    return;
  }
  echo_flow_add_edge(&cutter->network, SOURCE, op, capacity(cutter->node_ns[node], scale));
  for (uint32_t i = 0; i < entry->n_operands; ++i) {
    uint32_t operand = echo_graph_operands(graph, node)[i];
    if (!cutter->is_there[operand])
      echo_flow_add_edge(&cutter->network, echo_flow_split_exit(cutter->entry[operand]), op,
                         ECHO_FLOW_INFINITE);
  }
}

static void make_network(Cutter *cutter, double price)
{
  const EchoGraph *graph = &cutter->choice->graph;
  double total = 1;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (cutter->is_wanted[v])
      total += stacking_ns(cutter, v) + price * (double)graph->values.data[v].bytes;
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    total += cutter->node_ns[node];
  double scale = TOTAL_CAPACITY / total;
  echo_flow_add_node(&cutter->network);
  echo_flow_add_node(&cutter->network);
  for (uint32_t v = 0; v < graph->n_inputs; ++v) {
    if (!cutter->is_wanted[v] || cutter->is_there[v])
      continue;
    add_value(cutter, v, price, scale);
    echo_flow_add_edge(&cutter->network, SOURCE, cutter->entry[v], ECHO_FLOW_INFINITE);
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    add_node(cutter, node, price, scale);
}

/* What the cut says, as far as the reader comes to it. */
static void read_cut(Cutter *cutter, const EchoMinCut *cut)
{
  EchoStackChoice *choice = cutter->choice;
  const EchoGraph *graph = &choice->graph;
  bool *is_used = cutter->is_wanted; /* from here on: by the reader as it will be */
  memcpy(is_used, cutter->is_read, graph->values.size * sizeof *is_used);
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    for (uint32_t i = 0; i < entry->n_results; ++i) {
      uint32_t v = entry->first_result + i;
      if (!is_used[v] || cutter->is_there[v])
        continue;
      choice->is_kept[v] = echo_min_cut_on_source_side(cut, cutter->entry[v]);
      choice->runs_again[node] |= !choice->is_kept[v];
    }
    if (!choice->runs_again[node])
      continue;
    choice->ns += cutter->node_ns[node];
    for (uint32_t i = 0; i < entry->n_operands; ++i)
      is_used[echo_graph_operands(graph, node)[i]] = true;
  }
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (v < graph->n_inputs)
      choice->is_kept[v] = is_used[v] && !cutter->is_there[v];
    if (!choice->is_kept[v])
      continue;
    if (!cutter->is_stacked[v])
      choice->bytes += (double)graph->values.data[v].bytes;
    choice->ns += stacking_ns(cutter, v);
  }
}

void echo_stack_choice_create(EchoStackChoice *choice, const EchoLoopPair *pair, uint64_t trip_hash,
                              const EchoDeviceModel *device, double price)
{
  *choice = (EchoStackChoice){.trip_hash = trip_hash};
  echo_graph_create(&choice->graph, pair->from);
  size_t n_values = choice->graph.values.size + 1, n_nodes = choice->graph.nodes.size + 1;
  EchoArena *scratch = pair->scratch;
  choice->is_kept = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  choice->runs_again = ECHO_ARENA_ARRAY(scratch, bool, n_nodes);
  memset(choice->is_kept, 0, n_values);
  memset(choice->runs_again, 0, n_nodes);
  Cutter cutter = {.pair = pair, .device = device, .choice = choice};
  EchoArenaMark mark = echo_arena_mark(scratch);
  cutter.is_there = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  cutter.is_stacked = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  cutter.is_wanted = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  cutter.is_read = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  cutter.entry = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  cutter.op_node = ECHO_ARENA_ARRAY(scratch, uint32_t, n_nodes);
  cutter.node_ns = ECHO_ARENA_ARRAY(scratch, double, n_nodes);
  memset(cutter.is_there, 0, n_values);
  memset(cutter.is_stacked, 0, n_values);
  memset(cutter.is_wanted, 0, n_values);
  memset(cutter.is_read, 0, n_values);
  for (uint32_t node = 0; node < choice->graph.nodes.size; ++node)
    cutter.node_ns[node] = run_ns(&choice->graph, node, device);
  find_wanted(&cutter);
  make_network(&cutter, price);
  EchoMinCut cut;
  if (echo_flow_min_cut(&cutter.network, SOURCE, SINK, ECHO_CUT_NEAR_SINK, &cut))
    read_cut(&cutter, &cut);
  echo_min_cut_destroy(&cut);
  echo_flow_destroy(&cutter.network);
  echo_map_destroy(&cutter.value_of);
  echo_arena_reset(scratch, mark);
}

void echo_stack_choice_destroy(EchoStackChoice *choice)
{
  echo_graph_destroy(&choice->graph);
}
