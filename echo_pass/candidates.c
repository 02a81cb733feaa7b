/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Forward from backward by position: what stands before the last op of the forward part can be
 * computed before the gradients arrive, whoever made it (1 - tanh x is the backward part's, but
 * made early). */
#include "echo_pass/candidates.h"

bool echo_node_is_recomputable(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return entry->op != NULL && entry->kind != ECHO_NODE_CONTROL && entry->kind != ECHO_NODE_RETURN &&
         entry->kind != ECHO_NODE_BARRIER && entry->kind != ECHO_NODE_BLOB &&
         echo_op_is_pure(entry->op);
}

/* Traffic, in times of a value's own bytes, above which computing it counts as heavy. */
#define HEAVY_TRAFFIC 8

bool echo_node_is_cheap(const EchoCandidates *candidates, uint32_t node)
{
  const EchoGraph *graph = candidates->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (!echo_node_is_recomputable(graph, node) || echo_op_has_trait(entry->op, ECHO_HEAVY))
    return false;
  double bytes = 0;
  for (uint32_t i = 0; i < entry->n_results; ++i)
    bytes += (double)graph->values.data[entry->first_result + i].bytes;
  for (uint32_t i = 0; i < entry->n_operands; ++i) /* a reduction frees what it reads, too */
    if (entry->kind == ECHO_NODE_REDUCE)
      bytes += (double)graph->values.data[echo_graph_operands(graph, node)[i]].bytes;
  return candidates->ns[node] * candidates->bytes_per_ns <= bytes * HEAVY_TRAFFIC;
}

/* One past the last op of the forward part that a backward op reads: ops behind it serve the update
 * alone, whatever their mark. */
static uint32_t find_boundary(const EchoGraph *graph)
{
  uint32_t boundary = 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    for (uint32_t i = 0; entry->phase == ECHO_BACKWARD && i < entry->n_operands; ++i) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
      if (def != ECHO_NONE && def >= boundary && graph->nodes.data[def].phase == ECHO_FORWARD &&
          graph->nodes.data[def].n_operands != 0)
        boundary = def + 1;
    }
  }
  while (boundary != 0 && boundary < graph->nodes.size &&
         graph->nodes.data[boundary].phase == ECHO_FORWARD)
    ++boundary; /* what is left of the loss */
  return boundary;
}

/* From the readers back: everything that a recompute might have to start from. */
static void mark_candidates(EchoCandidates *candidates, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t v = 0; v < graph->n_inputs; ++v)
    candidates->state[v] = ECHO_VALUE_FREE;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; end->kind == ECHO_NODE_RETURN && i < end->n_operands; ++i)
    if (interface->result_targets[i] != ECHO_TO_ARENA)
      candidates->state[graph->operands.data[end->first_operand + i]] = ECHO_VALUE_FREE;
  for (uint32_t node = candidates->boundary; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      candidates->is_read[echo_graph_operands(graph, node)[i]] = true;
  bool *is_needed = echo_alloc_zero(graph->values.size + 1, sizeof(bool));
  for (uint32_t node = candidates->boundary; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_any_needed = false;
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      uint32_t value = entry->first_result + r;
      if (!is_needed[value] && !candidates->is_read[value])
        continue;
      if (candidates->state[value] == ECHO_VALUE_FREE)
        continue;
      bool is_free = entry->kind == ECHO_NODE_BLOB || echo_node_is_made_of_constants(graph, node);
      candidates->state[value] = is_free ? ECHO_VALUE_FREE : ECHO_VALUE_CANDIDATE;
      is_any_needed |= !is_free;
    }
    for (uint32_t i = 0; is_any_needed && i < entry->n_operands; ++i)
      is_needed[echo_graph_operands(graph, node)[i]] = true;
  }
  echo_free(is_needed);
}

static uint32_t find_root(uint32_t *parent, uint32_t v)
{
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

/* Each result, for the first may be one that nobody reads (the state of a random generator). */
static void join_node(const EchoCandidates *candidates, const EchoGraphNode *node,
                      const uint32_t *operands, uint32_t *parent)
{
  for (uint32_t r = 0; r < node->n_results; ++r) {
    uint32_t result = node->first_result + r;
    for (uint32_t i = 0; i < node->n_operands; ++i)
      if (candidates->state[operands[i]] == ECHO_VALUE_CANDIDATE &&
          candidates->state[result] == ECHO_VALUE_CANDIDATE)
        parent[find_root(parent, result)] = find_root(parent, operands[i]);
  }
}

/* Candidates on either side of a cheap op belong together; heavy ops part them. */
static void number_components(EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t *parent = echo_alloc_array(graph->values.size + 1, sizeof(uint32_t));
  for (uint32_t v = 0; v < graph->values.size; ++v)
    parent[v] = v;
  for (uint32_t node = 0; node < candidates->boundary; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    if (echo_node_is_cheap(candidates, node))
      join_node(candidates, entry, echo_graph_operands(graph, node), parent);
  }
  uint32_t *number = echo_alloc_array(graph->values.size + 1, sizeof(uint32_t));
  for (uint32_t v = 0; v < graph->values.size; ++v)
    number[v] = ECHO_NONE;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    candidates->component[v] = ECHO_NONE;
    if (candidates->state[v] != ECHO_VALUE_CANDIDATE)
      continue;
    uint32_t *root = &number[find_root(parent, v)];
    if (*root == ECHO_NONE)
      *root = candidates->n_components++;
    candidates->component[v] = *root;
  }
  echo_free(number);
  echo_free(parent);
}

void echo_candidates_create(EchoCandidates *candidates, const EchoGraph *graph,
                            const EchoBlockInterface *interface, const EchoDeviceModel *device)
{
  *candidates = (EchoCandidates){.graph = graph, .boundary = find_boundary(graph)};
  size_t n_values = graph->values.size + 1;
  candidates->state = echo_alloc_zero(n_values, sizeof(uint8_t));
  candidates->is_read = echo_alloc_zero(n_values, sizeof(bool));
  candidates->component = echo_alloc_array(n_values, sizeof(uint32_t));
  candidates->bytes_per_ns = device->memory_bytes_per_s * 1e-9;
  candidates->ns = echo_alloc_array(graph->nodes.size + 1, sizeof(double));
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    candidates->ns[node] = echo_node_ns(graph, node, device);
  mark_candidates(candidates, interface);
  number_components(candidates);
}

void echo_candidates_destroy(EchoCandidates *candidates)
{
  echo_free(candidates->state);
  echo_free(candidates->is_read);
  echo_free(candidates->component);
  echo_free(candidates->ns);
}
