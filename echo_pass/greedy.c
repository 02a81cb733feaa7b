/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rule of the paper's implementation, for comparison with the minimum cut: assume that all
 * cheap ops are recomputed; take the ops that read what is kept in groups that share inputs; where
 * a group's inputs, once nobody else needs them, weigh at least as much as its outputs and the
 * inputs that stay, keep the outputs in their place and move on. */
#include "echo_pass/choice.h"

typedef struct Greedy {
  const EchoCandidates *candidates;
  bool *is_kept; /* by value */
  ECHO_VECTOR(uint32_t) nodes, inputs;
} Greedy;

static bool is_cheap_reader(const Greedy *greedy, uint32_t node)
{
  const EchoCandidates *candidates = greedy->candidates;
  const EchoGraphNode *entry = &candidates->graph->nodes.data[node];
  return entry->n_results == 1 &&
         candidates->values[entry->first_result].state == ECHO_VALUE_CANDIDATE &&
         candidates->nodes[node].is_cheap;
}

/* The cheap ops that read `value`, and all that they read; false when one of them reads what is not
 * there yet. */
static bool gather(Greedy *greedy, uint32_t value)
{
  const EchoCandidates *candidates = greedy->candidates;
  const EchoGraph *graph = candidates->graph;
  echo_vector_clear(&greedy->nodes);
  echo_vector_clear(&greedy->inputs);
  uint32_t previous = ECHO_NONE;
  for (uint32_t i = 0; i < graph->values.data[value].n_uses; ++i) {
    uint32_t node = echo_graph_uses(graph, value)[i];
    if (node == previous || !is_cheap_reader(greedy, node))
      continue;
    previous = node;
    echo_vector_push(&greedy->nodes, node);
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (candidates->values[operand].state != ECHO_VALUE_CANDIDATE)
        continue;
      if (!greedy->is_kept[operand])
        return false;
      bool is_known = false;
      for (size_t j = 0; j < greedy->inputs.size && !is_known; ++j)
        is_known = greedy->inputs.data[j] == operand;
      if (!is_known)
        echo_vector_push(&greedy->inputs, operand);
    }
  }
  return greedy->nodes.size != 0;
}

static bool is_released(const Greedy *greedy, uint32_t input)
{
  const EchoGraph *graph = greedy->candidates->graph;
  if (greedy->candidates->values[input].is_read)
    return false;
  for (uint32_t i = 0; i < graph->values.data[input].n_uses; ++i) {
    uint32_t node = echo_graph_uses(graph, input)[i];
    bool is_inside = !is_cheap_reader(greedy, node);
    for (size_t j = 0; j < greedy->nodes.size && !is_inside; ++j)
      is_inside = greedy->nodes.data[j] == node;
    if (!is_inside)
      return false;
  }
  return true;
}

static void advance(Greedy *greedy)
{
  const EchoGraph *graph = greedy->candidates->graph;
  uint64_t released = 0, allocated = 0;
  for (size_t i = 0; i < greedy->inputs.size; ++i) {
    uint64_t bytes = graph->values.data[greedy->inputs.data[i]].bytes;
    if (is_released(greedy, greedy->inputs.data[i]))
      released += bytes;
    else
      allocated += bytes;
  }
  for (size_t i = 0; i < greedy->nodes.size; ++i)
    allocated += graph->values.data[graph->nodes.data[greedy->nodes.data[i]].first_result].bytes;
  if (released < allocated)
    return;
  for (size_t i = 0; i < greedy->nodes.size; ++i)
    greedy->is_kept[graph->nodes.data[greedy->nodes.data[i]].first_result] = true;
}

void echo_choice_greedy(EchoChoice *choice, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  Greedy greedy = {.candidates = candidates};
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  greedy.is_kept = ECHO_ARENA_ARRAY(candidates->scratch, bool, graph->values.size + 1);
  memset(greedy.is_kept, 0, graph->values.size + 1);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (candidates->values[v].state == ECHO_VALUE_CANDIDATE)
      greedy.is_kept[v] = !is_cheap_reader(&greedy, graph->values.data[v].def);
  for (uint32_t v = 0; v < graph->values.size;
       ++v) /* ascending: inputs before what is made of them */
    if (greedy.is_kept[v] && gather(&greedy, v))
      advance(&greedy);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (candidates->values[v].state == ECHO_VALUE_CANDIDATE && !greedy.is_kept[v])
      choice->values[v].is_recomputed = true;
  echo_vector_destroy(&greedy.nodes);
  echo_vector_destroy(&greedy.inputs);
  echo_arena_reset(candidates->scratch, mark);
}
