/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The minimum cut. A candidate is a split node whose edge costs its bytes; a heavy op's result
 * hangs on the source, for it can only be kept; a cheap op's result follows its operands, and hangs
 * on the source by the price of computing it; what the backward part reads hangs on the sink. Cut
 * values are kept; values on the sink's side are recomputed. */
#include "echo_pass/choice.h"
#include "planning/cuts/min_cut.h"

#include <math.h>

void echo_choice_create(EchoChoice *choice, const EchoCandidates *candidates)
{
  size_t n = candidates->graph->values.size + 1;
  *choice = (EchoChoice){.values = ECHO_ARENA_ARRAY(candidates->scratch, EchoChosenValue, n)};
  for (size_t v = 0; v < n; ++v)
    choice->values[v] = (EchoChosenValue){.group = ECHO_NONE};
  choice->levels = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, candidates->n_menus + 1u);
  memset(choice->levels, 0, (candidates->n_menus + 1u) * sizeof *choice->levels);
}

typedef struct Cutter {
  const EchoCandidates *candidates;
  const EchoCutOptions *options;
  uint32_t *entry; /* by value: its split node in the network of its component */
  EchoFlowNetwork network;
} Cutter;

#define SOURCE 0u
#define SINK 1u
#define MAX_PRICE (UINT64_C(1) << 50)

static bool may_run_again(const Cutter *cutter, uint32_t value)
{
  uint32_t node = cutter->candidates->graph->values.data[value].def;
  if (cutter->options->keeps_turned && cutter->candidates->values[value].is_turned)
    return false;
  return cutter->options->allow_heavy ? echo_node_is_recomputable(cutter->candidates->graph, node)
                                      : cutter->candidates->nodes[node].is_cheap;
}

static uint64_t price(const Cutter *cutter, uint32_t node)
{
  double bytes = ceil(cutter->candidates->nodes[node].ns * cutter->candidates->bytes_per_ns *
                      cutter->options->price);
  return bytes >= (double)MAX_PRICE ? MAX_PRICE : (uint64_t)bytes;
}

static void add_value(Cutter *cutter, uint32_t value)
{
  const EchoCandidates *candidates = cutter->candidates;
  const EchoGraph *graph = candidates->graph;
  EchoFlowNetwork *network = &cutter->network;
  uint32_t node = graph->values.data[value].def;
  uint32_t entry = cutter->entry[value] =
      echo_flow_add_split_node(network, graph->values.data[value].bytes);
  if (candidates->values[value].is_read)
    echo_flow_add_edge(network, echo_flow_split_exit(entry), SINK, ECHO_FLOW_INFINITE);
  if (!may_run_again(cutter, value)) {
    echo_flow_add_edge(network, SOURCE, entry, ECHO_FLOW_INFINITE);
    return;
  }
  echo_flow_add_edge(network, SOURCE, entry, price(cutter, node));
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t operand = echo_graph_operands(graph, node)[i];
    if (candidates->values[operand].state == ECHO_VALUE_CANDIDATE)
      echo_flow_add_edge(network, echo_flow_split_exit(cutter->entry[operand]), entry,
                         ECHO_FLOW_INFINITE);
  }
}

static void cut_values(Cutter *cutter, const uint32_t *values, size_t n_values, EchoChoice *choice)
{
  EchoFlowNetwork *network = &cutter->network;
  *network = (EchoFlowNetwork){0};
  echo_flow_add_node(network);
  echo_flow_add_node(network);
  for (size_t i = 0; i < n_values; ++i)
    add_value(cutter, values[i]);
  EchoMinCut cut;
  if (echo_flow_min_cut(network, SOURCE, SINK, cutter->options->side, &cut))
    for (size_t i = 0; i < n_values; ++i)
      choice->values[values[i]].is_recomputed =
          !echo_min_cut_on_source_side(&cut, cutter->entry[values[i]]);
  echo_min_cut_destroy(&cut);
  echo_flow_destroy(network);
}

/* The part of the candidates that `value` is cut with: a component of them, or all where heavy ops
 * no longer part them. */
static uint32_t part_of(const Cutter *cutter, uint32_t value)
{
  return cutter->options->allow_heavy ? 0 : cutter->candidates->values[value].component;
}

void echo_choice_cut(EchoChoice *choice, const EchoCandidates *candidates,
                     const EchoCutOptions *options)
{
  const EchoGraph *graph = candidates->graph;
  EchoArena *scratch = candidates->scratch;
  EchoArenaMark mark = echo_arena_mark(scratch);
  Cutter cutter = {.candidates = candidates, .options = options};
  cutter.entry = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->values.size + 1);
  /* Values by part, ascending: first[p + 1] is where part p is filled, in the end where it ends. */
  uint32_t n_parts = options->allow_heavy ? 1 : candidates->n_components;
  uint32_t *first = ECHO_ARENA_ARRAY(scratch, uint32_t, n_parts + 2u);
  memset(first, 0, (n_parts + 2u) * sizeof *first);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (candidates->values[v].state == ECHO_VALUE_CANDIDATE)
      ++first[part_of(&cutter, v) + 2];
  for (uint32_t p = 0; p < n_parts; ++p)
    first[p + 2] += first[p + 1];
  uint32_t *values = ECHO_ARENA_ARRAY(scratch, uint32_t, first[n_parts + 1] + 1u);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (candidates->values[v].state == ECHO_VALUE_CANDIDATE)
      values[first[part_of(&cutter, v) + 1]++] = v;
  for (uint32_t p = 0; p < n_parts; ++p)
    cut_values(&cutter, values + first[p], first[p + 1] - first[p], choice);
  echo_arena_reset(scratch, mark);
}

EchoCutCost echo_choice_cost(const EchoChoice *choice, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  bool *is_wanted = ECHO_ARENA_ARRAY(candidates->scratch, bool, graph->values.size + 1);
  EchoCutCost cost = {0};
  for (uint32_t v = 0; v < graph->values.size; ++v)
    is_wanted[v] = candidates->values[v].is_read;
  for (uint32_t v = (uint32_t)graph->values.size; v-- > graph->n_inputs;) {
    if (!is_wanted[v] || candidates->values[v].state != ECHO_VALUE_CANDIDATE)
      continue;
    if (!echo_choice_remakes(choice, v)) {
      cost.bytes += (double)graph->values.data[v].bytes;
      continue;
    }
    uint32_t node = graph->values.data[v].def;
    cost.ns += candidates->nodes[node].ns;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      is_wanted[echo_graph_operands(graph, node)[i]] = true;
  }
  echo_arena_reset(candidates->scratch, mark);
  return cost;
}
