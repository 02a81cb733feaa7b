/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The minimum cut of a writer's body. A value is a split node whose edge costs what it takes to
 * keep it: its bytes by the price, and the time to write and read them. An op hangs on the source
 * by the time of running it again, its results follow it and it follows its operands; a carry hangs
 * there for good. What the reader wants hangs on the sink. Cut values are kept, ops on the
 * sink's side run again. */
#include "echo_pass/stack_cut_t.h"

#include "base/map.h"
#include "echo_pass/candidates.h"
#include "planning/cost/runtime.h"
#include "planning/cuts/min_cut.h"

#define SOURCE 0u
#define SINK 1u
#define TOTAL_CAPACITY 0x1p56 /* that all of the network shares: costs become integers */

typedef struct Cutter {
  const EchoCutQuestion *question;
  EchoStackChoice *choice;
  bool *is_wanted; /* value: by the reader, or by what would make such a value */
  double *node_ns; /* of running it again */
  uint32_t *entry; /* value: its split node */
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
  return echo_device_model_kernel_ns(device, ns > traffic_ns ? ns : traffic_ns);
}

/* What is no kernel of its own, is one together; recursion is bounded by the nesting that the
 * parser accepts. */
static double region_ns(const EchoBlock *block, const EchoDeviceModel *device)
{
  EchoGraph graph;
  double apart_ns = 0, fused_ns = 0;
  echo_graph_create(&graph, block);
  for (uint32_t node = 0; node < graph.nodes.size; ++node) {
    EchoNodeKind kind = graph.nodes.data[node].kind;
    bool is_apart = kind == ECHO_NODE_SINGLE || kind == ECHO_NODE_CONTROL;
    *(is_apart ? &apart_ns : &fused_ns) += run_ns(&graph, node, device);
  }
  echo_graph_destroy(&graph);
  return apart_ns + (fused_ns > 0 ? echo_device_model_kernel_ns(device, fused_ns) : 0);
}

double echo_body_ns(const EchoBlock *body, const EchoDeviceModel *device)
{
  return region_ns(body, device);
}

double echo_pass_on_ns(const EchoGraph *graph, uint32_t value, const EchoDeviceModel *device)
{
  return 2 * (double)graph->values.data[value].bytes / device->memory_bytes_per_s * 1e9;
}

/* ---- the network ---- */

static bool may_run_again(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return echo_node_is_recomputable(graph, node) ||
         (entry->kind == ECHO_NODE_CONTROL && echo_op_is_pure(entry->op));
}

/* From what the reader reads down to what would have to be there. */
static void find_wanted(Cutter *cutter)
{
  const EchoCutValue *values = cutter->question->values;
  const EchoGraph *graph = &cutter->choice->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    cutter->is_wanted[v] = values[v].is_read;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_wanted = false;
    for (uint32_t i = 0; i < entry->n_results; ++i)
      is_wanted |=
          cutter->is_wanted[entry->first_result + i] && !values[entry->first_result + i].is_there;
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

static double cost_of(const Cutter *cutter, uint32_t value)
{
  const EchoCutValue *facts = &cutter->question->values[value];
  return facts->keep_ns + cutter->question->price * facts->keep_bytes;
}

static void add_value(Cutter *cutter, uint32_t value, double scale)
{
  uint32_t entry = cutter->entry[value] =
      echo_flow_add_split_node(&cutter->network, capacity(cost_of(cutter, value), scale));
  if (cutter->question->values[value].is_read)
    echo_flow_add_edge(&cutter->network, echo_flow_split_exit(entry), SINK, ECHO_FLOW_INFINITE);
}

static void add_node(Cutter *cutter, uint32_t node, double scale)
{
  const EchoGraph *graph = &cutter->choice->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint32_t op = ECHO_NONE;
  for (uint32_t i = 0; i < entry->n_results; ++i) {
    uint32_t value = entry->first_result + i;
    if (!cutter->is_wanted[value] || cutter->question->values[value].is_there)
      continue;
    if (op == ECHO_NONE)
      op = echo_flow_add_node(&cutter->network);
    add_value(cutter, value, scale);
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
    if (!cutter->question->values[operand].is_there)
      echo_flow_add_edge(&cutter->network, echo_flow_split_exit(cutter->entry[operand]), op,
                         ECHO_FLOW_INFINITE);
  }
}

static void make_network(Cutter *cutter)
{
  const EchoGraph *graph = &cutter->choice->graph;
  double total = 1;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (cutter->is_wanted[v])
      total += cost_of(cutter, v);
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    total += cutter->node_ns[node];
  double scale = TOTAL_CAPACITY / total;
  echo_flow_add_node(&cutter->network);
  echo_flow_add_node(&cutter->network);
  for (uint32_t v = 0; v < graph->n_inputs; ++v) {
    if (!cutter->is_wanted[v] || cutter->question->values[v].is_there)
      continue;
    add_value(cutter, v, scale);
    echo_flow_add_edge(&cutter->network, SOURCE, cutter->entry[v], ECHO_FLOW_INFINITE);
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    add_node(cutter, node, scale);
}

/* What the cut says, as far as the reader comes to it. */
static void read_cut(Cutter *cutter, const EchoMinCut *cut)
{
  EchoStackChoice *choice = cutter->choice;
  const EchoGraph *graph = &choice->graph;
  const EchoCutValue *values = cutter->question->values;
  bool *is_used = cutter->is_wanted; /* from here on: by the reader as it will be */
  for (uint32_t v = 0; v < graph->values.size; ++v)
    is_used[v] = values[v].is_read;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    for (uint32_t i = 0; i < entry->n_results; ++i) {
      uint32_t v = entry->first_result + i;
      if (!is_used[v] || values[v].is_there)
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
      choice->is_kept[v] = is_used[v] && !values[v].is_there;
    if (!choice->is_kept[v])
      continue;
    choice->bytes += values[v].keep_bytes;
    choice->ns += values[v].keep_ns;
  }
}

EchoCutValue *echo_stack_choice_begin(EchoStackChoice *choice, const EchoBlock *body,
                                      EchoArena *scratch)
{
  *choice = (EchoStackChoice){0};
  echo_graph_create(&choice->graph, body);
  size_t n_values = choice->graph.values.size + 1, n_nodes = choice->graph.nodes.size + 1;
  choice->is_kept = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  choice->runs_again = ECHO_ARENA_ARRAY(scratch, bool, n_nodes);
  EchoCutValue *values = ECHO_ARENA_ARRAY(scratch, EchoCutValue, n_values);
  memset(choice->is_kept, 0, n_values);
  memset(choice->runs_again, 0, n_nodes);
  memset(values, 0, n_values * sizeof *values);
  return values;
}

void echo_stack_choice_cut(EchoStackChoice *choice, const EchoCutQuestion *question,
                           EchoArena *scratch)
{
  size_t n_values = choice->graph.values.size + 1, n_nodes = choice->graph.nodes.size + 1;
  Cutter cutter = {.question = question, .choice = choice};
  EchoArenaMark mark = echo_arena_mark(scratch);
  cutter.is_wanted = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  cutter.entry = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  cutter.node_ns = ECHO_ARENA_ARRAY(scratch, double, n_nodes);
  for (uint32_t node = 0; node < choice->graph.nodes.size; ++node)
    cutter.node_ns[node] = run_ns(&choice->graph, node, question->device);
  find_wanted(&cutter);
  make_network(&cutter);
  EchoMinCut cut;
  if (echo_flow_min_cut(&cutter.network, SOURCE, SINK, ECHO_CUT_NEAR_SINK, &cut))
    read_cut(&cutter, &cut);
  echo_min_cut_destroy(&cut);
  echo_flow_destroy(&cutter.network);
  echo_arena_reset(scratch, mark);
}

/* ---- stacks ---- */

static bool counts(const EchoLoopPair *pair, uint64_t trip_hash)
{
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (pair->stacks.data[i].trip_hash == trip_hash && pair->stacks.data[i].counts)
      return true;
  return false;
}

static uint32_t number_of(const EchoMap *numbers, const EchoValue *value)
{
  return (uint32_t)echo_map_get_or(numbers, echo_key(value), 0);
}

/* A stack is written by a kernel of its own, if it is not there for others. */
static void find_costs(const EchoLoopPair *pair, const EchoStackChoice *choice,
                       const EchoMap *numbers, const EchoDeviceModel *device, EchoCutValue *values)
{
  const EchoGraph *graph = &choice->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    values[v].keep_bytes = (double)graph->values.data[v].bytes;
    values[v].keep_ns = echo_device_model_kernel_ns(device, echo_pass_on_ns(graph, v, device));
  }
  const EchoStack *like = echo_loop_pair_like(pair, choice->trip_hash);
  for (uint32_t i = 0; i < pair->writer->n_operands && like != NULL; ++i) {
    bool stays;
    const EchoValue *value = echo_loop_pair_stacked_or_null(pair, like, i, &stays);
    if (value == NULL || !stays)
      continue;
    uint32_t v = number_of(numbers, value);
    values[v].keep_bytes = 0;
    values[v].keep_ns = echo_pass_on_ns(graph, v, device) / 2;
  }
}

/* What the reader reads, and what it has anyway. */
static void find_reads(const EchoLoopPair *pair, const EchoStackChoice *choice,
                       const EchoMap *numbers, EchoCutValue *values)
{
  const EchoGraph *graph = &choice->graph;
  bool has_counter = counts(pair, choice->trip_hash);
  for (uint32_t v = 0; v < graph->n_inputs; ++v)
    values[v].is_there =
        (has_counter && v == pair->written.counter) ||
        echo_loop_pair_outer_or_null(pair, (EchoValue *)graph->values.data[v].value) != NULL;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoStack *stack = &pair->stacks.data[i];
    if (stack->trip_hash != choice->trip_hash)
      continue;
    EchoCutValue *facts = &values[number_of(numbers, stack->value)];
    facts->is_read |= stack->may_go;
    facts->is_there |= !stack->may_go;
  }
}

void echo_stack_choice_create(EchoStackChoice *choice, const EchoLoopPair *pair, uint64_t trip_hash,
                              const EchoDeviceModel *device, double price)
{
  EchoCutValue *values = echo_stack_choice_begin(choice, pair->from, pair->scratch);
  EchoCutQuestion question = {values, device, price};
  EchoMap numbers = {0};
  choice->trip_hash = trip_hash;
  for (uint32_t v = 0; v < choice->graph.values.size; ++v)
    echo_map_insert(&numbers, echo_key(choice->graph.values.data[v].value), v);
  find_costs(pair, choice, &numbers, device, values);
  find_reads(pair, choice, &numbers, values);
  echo_stack_choice_cut(choice, &question, pair->scratch);
  echo_map_destroy(&numbers);
}

void echo_stack_choice_destroy(EchoStackChoice *choice)
{
  echo_graph_destroy(&choice->graph);
}
