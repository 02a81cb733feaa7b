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

static bool is_cheap(const EchoCandidates *candidates, uint32_t node)
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
  return candidates->nodes[node].ns * candidates->bytes_per_ns <= bytes * HEAVY_TRAFFIC;
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
    candidates->values[v].state = ECHO_VALUE_FREE;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; end->kind == ECHO_NODE_RETURN && i < end->n_operands; ++i)
    if (interface->result_targets[i] != ECHO_TO_ARENA)
      candidates->values[graph->operands.data[end->first_operand + i]].state = ECHO_VALUE_FREE;
  for (uint32_t node = candidates->boundary; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      candidates->values[echo_graph_operands(graph, node)[i]].is_read = true;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  bool *is_needed = ECHO_ARENA_ARRAY(candidates->scratch, bool, graph->values.size + 1);
  memset(is_needed, 0, graph->values.size + 1);
  for (uint32_t node = candidates->boundary; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_any_needed = false;
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      uint32_t value = entry->first_result + r;
      if (!is_needed[value] && !candidates->values[value].is_read)
        continue;
      if (candidates->values[value].state == ECHO_VALUE_FREE)
        continue;
      bool is_free = entry->kind == ECHO_NODE_BLOB || echo_node_is_made_of_constants(graph, node);
      candidates->values[value].state = is_free ? ECHO_VALUE_FREE : ECHO_VALUE_CANDIDATE;
      is_any_needed |= !is_free;
    }
    for (uint32_t i = 0; is_any_needed && i < entry->n_operands; ++i)
      is_needed[echo_graph_operands(graph, node)[i]] = true;
  }
  echo_arena_reset(candidates->scratch, mark);
}

/* One value while components are found. */
typedef struct Member {
  uint32_t parent; /* union-find: a root is its own */
  uint32_t number; /* of a root's component; ECHO_NONE before it has one */
} Member;

static uint32_t find_root(Member *members, uint32_t v)
{
  while (members[v].parent != v)
    v = members[v].parent = members[members[v].parent].parent;
  return v;
}

/* Each result, for the first may be one that nobody reads (the state of a random generator). */
static void join_node(const EchoCandidates *candidates, const EchoGraphNode *node,
                      const uint32_t *operands, Member *members)
{
  for (uint32_t r = 0; r < node->n_results; ++r) {
    uint32_t result = node->first_result + r;
    for (uint32_t i = 0; i < node->n_operands; ++i)
      if (candidates->values[operands[i]].state == ECHO_VALUE_CANDIDATE &&
          candidates->values[result].state == ECHO_VALUE_CANDIDATE)
        members[find_root(members, result)].parent = find_root(members, operands[i]);
  }
}

/* Candidates on either side of a cheap op belong together; heavy ops part them. */
static void number_components(EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  Member *members = ECHO_ARENA_ARRAY(candidates->scratch, Member, graph->values.size + 1);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    members[v] = (Member){.parent = v, .number = ECHO_NONE};
  for (uint32_t node = 0; node < candidates->boundary; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    if (candidates->nodes[node].is_cheap)
      join_node(candidates, entry, echo_graph_operands(graph, node), members);
  }
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (candidates->values[v].state != ECHO_VALUE_CANDIDATE)
      continue;
    Member *root = &members[find_root(members, v)];
    if (root->number == ECHO_NONE)
      root->number = candidates->n_components++;
    candidates->values[v].component = root->number;
  }
  echo_arena_reset(candidates->scratch, mark);
}

void echo_candidates_create(EchoCandidates *candidates, const EchoGraph *graph,
                            const EchoBlockInterface *interface, const EchoDeviceModel *device,
                            EchoArena *scratch)
{
  *candidates = (EchoCandidates){.graph = graph,
                                 .boundary = find_boundary(graph),
                                 .bytes_per_ns = device->memory_bytes_per_s * 1e-9,
                                 .scratch = scratch};
  candidates->values = ECHO_ARENA_ARRAY(scratch, EchoCandidateValue, graph->values.size + 1);
  for (size_t v = 0; v <= graph->values.size; ++v)
    candidates->values[v] = (EchoCandidateValue){.component = ECHO_NONE};
  candidates->nodes = ECHO_ARENA_ARRAY(scratch, EchoCandidateNode, graph->nodes.size + 1);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    candidates->nodes[node].ns = echo_node_ns(graph, node, device);
    candidates->nodes[node].is_cheap = is_cheap(candidates, node);
  }
  mark_candidates(candidates, interface);
  number_components(candidates);
}
