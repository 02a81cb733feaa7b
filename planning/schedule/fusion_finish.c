/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What was decided node by node, as groups in execution order, each with its members, inputs and
 * outputs; updates of the same state are one. */
#include "planning/schedule/fusion_t.h"

static int64_t own_elements(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return entry->n_results != 0 ? graph->values.data[entry->first_result].n_elements : 0;
}

/* Element i of the result from element i of operands of its size. */
static bool is_flat(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return entry->kind == ECHO_NODE_RESHAPE ||
         (entry->kind == ECHO_NODE_MAP && entry->is_elementwise);
}

/* Inputs: operands that no member makes. `known` is, by value, the last group that made or read it.
 */
static void finish_group(const EchoFuser *fuser, const EchoBuildingGroup *building, uint32_t *known,
                         EchoFusion *fusion)
{
  const EchoGraph *graph = fuser->graph;
  EchoFusionGroup group = {.kind = building->kind,
                           .kernel = building->kernel,
                           .root = building->root,
                           .first_member = (uint32_t)fusion->members.size,
                           .first_input = (uint32_t)fusion->inputs.size,
                           .first_output = (uint32_t)fusion->outputs.size};
  uint32_t number = (uint32_t)(building - fuser->groups.data) + 1;
  int64_t flat = own_elements(graph, building->root);
  for (uint32_t m = building->first_member; m != ECHO_NONE;
       m = fuser->memberships.data[m].next_of_group) {
    const EchoMembership *member = &fuser->memberships.data[m];
    const EchoGraphNode *entry = &graph->nodes.data[member->node];
    if (group.kind == ECHO_GROUP_KERNEL && group.kernel == ECHO_KERNEL_MAP && entry->is_transposing)
      group.kernel = ECHO_KERNEL_TRANSPOSE;
    group.has_updates |= entry->is_update;
    fusion->members.data[fusion->members.size++] = member->node; /* there is room */
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      known[entry->first_result + r] = number;
      if (member->is_output)
        echo_vector_push(&fusion->outputs, entry->first_result + r);
    }
  }
  group.n_members = (uint32_t)fusion->members.size - group.first_member;
  group.n_outputs = (uint32_t)fusion->outputs.size - group.first_output;
  for (uint32_t i = 0; i < group.n_members; ++i) {
    uint32_t node = fusion->members.data[group.first_member + i];
    bool makes_as_many = is_flat(graph, node) && own_elements(graph, node) == flat;
    const uint32_t *operands = echo_graph_operands(graph, node);
    for (uint32_t k = 0, n = graph->nodes.data[node].n_operands; k < n; ++k) {
      uint32_t value = operands[k];
      if (!makes_as_many && graph->values.data[value].n_elements == flat)
        flat = 0;
      if (known[value] == number || echo_fuser_is_tie(fuser, node, value))
        continue;
      known[value] = number;
      echo_vector_push(&fusion->inputs, value);
    }
  }
  group.n_inputs = (uint32_t)fusion->inputs.size - group.first_input;
  group.flat_elements = group.kind == ECHO_GROUP_KERNEL && !group.has_updates ? flat : 0;
  echo_vector_push(&fusion->groups, group);
}

void echo_fuser_finish(const EchoFuser *fuser, EchoFusion *fusion)
{
  uint32_t *known = echo_alloc_zero(fuser->graph->values.size + 1, sizeof *known);
  echo_vector_clear(&fusion->groups);
  echo_vector_clear(&fusion->members);
  echo_vector_clear(&fusion->inputs);
  echo_vector_clear(&fusion->outputs);
  echo_vector_reserve(&fusion->groups, fuser->groups.size);
  echo_vector_reserve(&fusion->members, fuser->memberships.size);
  echo_vector_reserve(&fusion->inputs, fuser->memberships.size);
  echo_vector_reserve(&fusion->outputs, fuser->groups.size);
  for (size_t i = fuser->groups.size; i-- > 0;) {
    finish_group(fuser, &fuser->groups.data[i], known, fusion);
    if (fuser->options->enabled)
      echo_fusion_join_last(fuser->graph, fuser->options, fusion);
  }
  echo_free(known);
}
