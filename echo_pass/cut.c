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
  *choice = (EchoChoice){0};
  choice->is_recomputed = echo_alloc_zero(n, sizeof(bool));
  choice->is_step = echo_alloc_zero(n, sizeof(bool));
  choice->group = echo_alloc_array(n, sizeof(uint32_t));
  for (size_t v = 0; v < n; ++v)
    choice->group[v] = ECHO_NONE;
}

void echo_choice_destroy(EchoChoice *choice)
{
  echo_free(choice->is_recomputed);
  echo_free(choice->is_step);
  echo_free(choice->group);
  echo_free(choice->class_of_group);
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

static bool may_run_again(const Cutter *cutter, uint32_t node)
{
  return cutter->options->allow_heavy ? echo_node_is_recomputable(cutter->candidates->graph, node)
                                      : echo_node_is_cheap(cutter->candidates, node);
}

static uint64_t price(const Cutter *cutter, uint32_t node)
{
  double bytes = ceil(cutter->candidates->ns[node] * cutter->candidates->bytes_per_ns *
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
  if (candidates->is_read[value])
    echo_flow_add_edge(network, echo_flow_split_exit(entry), SINK, ECHO_FLOW_INFINITE);
  if (!may_run_again(cutter, node)) {
    echo_flow_add_edge(network, SOURCE, entry, ECHO_FLOW_INFINITE);
    return;
  }
  echo_flow_add_edge(network, SOURCE, entry, price(cutter, node));
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t operand = echo_graph_operands(graph, node)[i];
    if (candidates->state[operand] == ECHO_VALUE_CANDIDATE)
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
      choice->is_recomputed[values[i]] =
          !echo_min_cut_on_source_side(&cut, cutter->entry[values[i]]);
  echo_min_cut_destroy(&cut);
  echo_flow_destroy(network);
}

void echo_choice_cut(EchoChoice *choice, const EchoCandidates *candidates,
                     const EchoCutOptions *options)
{
  const EchoGraph *graph = candidates->graph;
  Cutter cutter = {.candidates = candidates, .options = options};
  cutter.entry = echo_alloc_array(graph->values.size + 1, sizeof(uint32_t));
  /* Values by component, ascending; one network for all where heavy ops no longer part them. */
  uint32_t n_components = options->allow_heavy ? 1 : candidates->n_components;
  uint32_t *first = echo_alloc_zero(n_components + 2u, sizeof(uint32_t));
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (candidates->state[v] == ECHO_VALUE_CANDIDATE)
      ++first[(options->allow_heavy ? 0 : candidates->component[v]) + 1];
  for (uint32_t c = 0; c < n_components; ++c)
    first[c + 1] += first[c];
  uint32_t *values = echo_alloc_array(first[n_components] + 1u, sizeof(uint32_t));
  uint32_t *fill = echo_alloc_zero(n_components + 1u, sizeof(uint32_t));
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (candidates->state[v] == ECHO_VALUE_CANDIDATE) {
      uint32_t c = options->allow_heavy ? 0 : candidates->component[v];
      values[first[c] + fill[c]++] = v;
    }
  for (uint32_t c = 0; c < n_components; ++c)
    cut_values(&cutter, values + first[c], first[c + 1] - first[c], choice);
  echo_free(values);
  echo_free(fill);
  echo_free(first);
  echo_free(cutter.entry);
}
