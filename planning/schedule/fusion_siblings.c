/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Updates of state that read the same state (fast and slow weights, a weight and its average) in
 * one kernel: as two, the first would write over what the second reads. Only where nothing but the
 * block's end reads what they make, so that nothing lives longer for it, and where every element is
 * made of the elements at its place, so that what was in place stays so. */
#include "base/search.h"
#include "planning/schedule/fusion_t.h"

#define MAX_OUTPUTS 16

typedef struct Siblings {
  const EchoGraph *graph;
  const EchoFusionOptions *options;
  EchoFusion *fusion;
  uint32_t first;   /* group; the second follows it */
  EchoFusion joint; /* one group: both */
} Siblings;

static bool has_member(const EchoFusion *fusion, const EchoFusionGroup *group, uint32_t node)
{
  const uint32_t *members = fusion->members.data + group->first_member;
  uint32_t at = echo_lower_bound(members, group->n_members, node);
  return at < group->n_members && members[at] == node;
}

/* ---- who could be joined ---- */

static bool is_map(const EchoFusionGroup *group)
{
  return group->kind == ECHO_GROUP_KERNEL && group->kernel == ECHO_KERNEL_MAP &&
         !group->has_updates && group->n_outputs != 0;
}

/* All outputs have the shape of the first one of the first group. */
static bool is_alike(const Siblings *siblings, const EchoFusionGroup *group)
{
  const uint32_t *outputs = siblings->fusion->outputs.data;
  const EchoType *type = echo_graph_type(
      siblings->graph, outputs[siblings->fusion->groups.data[siblings->first].first_output]);
  for (uint32_t i = 0; i < group->n_outputs; ++i)
    if (!echo_type_same_dims(type,
                             echo_graph_type(siblings->graph, outputs[group->first_output + i])))
      return false;
  return true;
}

/* An argument of that size that both read. */
static bool reads_same_state(const Siblings *siblings)
{
  const EchoGraph *graph = siblings->graph;
  const EchoFusion *fusion = siblings->fusion;
  const EchoFusionGroup *first = &fusion->groups.data[siblings->first], *second = first + 1;
  int64_t n = graph->values.data[fusion->outputs.data[first->first_output]].n_elements;
  for (uint32_t i = 0; i < first->n_inputs; ++i) {
    uint32_t input = fusion->inputs.data[first->first_input + i];
    if (graph->values.data[input].def != ECHO_NONE || graph->values.data[input].n_elements != n)
      continue;
    for (uint32_t k = 0; k < second->n_inputs; ++k)
      if (fusion->inputs.data[second->first_input + k] == input)
        return true;
  }
  return false;
}

/* ---- both as one ---- */

static void join_members(Siblings *siblings)
{
  const EchoFusionGroup *first = &siblings->fusion->groups.data[siblings->first],
                        *second = first + 1;
  const uint32_t *a = siblings->fusion->members.data + first->first_member,
                 *b = siblings->fusion->members.data + second->first_member;
  uint32_t i = 0, k = 0;
  while (i < first->n_members || k < second->n_members) {
    bool takes_a = k == second->n_members || (i < first->n_members && a[i] <= b[k]);
    uint32_t node = takes_a ? a[i] : b[k];
    i += i < first->n_members && a[i] == node;
    k += k < second->n_members && b[k] == node;
    echo_vector_push(&siblings->joint.members, node);
  }
}

static bool has_output(const Siblings *siblings, uint32_t value)
{
  const EchoFusionGroup *first = &siblings->fusion->groups.data[siblings->first];
  uint32_t n = first[0].n_outputs + first[1].n_outputs; /* they follow one another */
  for (uint32_t i = 0; i < n; ++i)
    if (siblings->fusion->outputs.data[first->first_output + i] == value)
      return true;
  return false;
}

/* The outputs; false where one is not for the end alone. */
static bool join_outputs(Siblings *siblings, const EchoFusionGroup *group)
{
  const EchoGraph *graph = siblings->graph;
  for (size_t m = 0; m < siblings->joint.members.size; ++m) {
    const EchoGraphNode *entry = &graph->nodes.data[siblings->joint.members.data[m]];
    bool is_returned = false;
    if (!has_output(siblings, entry->first_result))
      continue;
    for (uint32_t u = 0; u < graph->values.data[entry->first_result].n_uses; ++u) {
      uint32_t user = echo_graph_uses(graph, entry->first_result)[u];
      bool is_end = graph->nodes.data[user].kind == ECHO_NODE_RETURN;
      if (!is_end && !has_member(&siblings->joint, group, user))
        return false;
      is_returned |= is_end;
    }
    if (!is_returned)
      return false;
    echo_vector_push(&siblings->joint.outputs, entry->first_result);
  }
  return siblings->joint.outputs.size <= MAX_OUTPUTS;
}

static void join_inputs(Siblings *siblings, const EchoFusionGroup *group)
{
  const EchoGraph *graph = siblings->graph;
  EchoFusion *joint = &siblings->joint;
  for (size_t m = 0; m < joint->members.size; ++m)
    for (uint32_t k = 0; k < graph->nodes.data[joint->members.data[m]].n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, joint->members.data[m])[k];
      uint32_t def = graph->values.data[value].def;
      bool is_known = def != ECHO_NONE && has_member(joint, group, def);
      for (size_t i = 0; i < joint->inputs.size && !is_known; ++i)
        is_known = joint->inputs.data[i] == value;
      if (!is_known)
        echo_vector_push(&joint->inputs, value);
    }
}

/* Whether each input of the size of the outputs may be written over by each of these. */
static bool is_in_place(const Siblings *siblings)
{
  const EchoGraph *graph = siblings->graph;
  const EchoFusion *joint = &siblings->joint;
  uint32_t output = joint->outputs.data[0];
  for (size_t i = 0; i < joint->inputs.size; ++i) {
    uint32_t input = joint->inputs.data[i];
    if (graph->values.data[input].n_elements == graph->values.data[output].n_elements &&
        echo_type_element_bytes(echo_graph_type(graph, input)) ==
            echo_type_element_bytes(echo_graph_type(graph, output)) &&
        !echo_group_is_in_place(graph, joint, 0, input, output))
      return false;
  }
  return true;
}

static bool join(Siblings *siblings)
{
  EchoFusion *joint = &siblings->joint;
  const EchoFusionGroup *first = &siblings->fusion->groups.data[siblings->first];
  EchoFusionGroup group = first[1];
  if (first->flat_elements != group.flat_elements)
    group.flat_elements = 0;
  echo_vector_clear(&joint->groups);
  echo_vector_clear(&joint->members);
  echo_vector_clear(&joint->inputs);
  echo_vector_clear(&joint->outputs);
  join_members(siblings);
  group.first_member = group.first_input = group.first_output = 0;
  group.n_members = (uint32_t)joint->members.size;
  if (group.n_members > siblings->options->max_members || !join_outputs(siblings, &group))
    return false;
  join_inputs(siblings, &group);
  group.n_inputs = (uint32_t)joint->inputs.size;
  group.n_outputs = (uint32_t)joint->outputs.size;
  echo_vector_push(&joint->groups, group);
  return is_in_place(siblings);
}

/* The joint group in place of both, which are the last ones. */
static void put_joint(Siblings *siblings)
{
  EchoFusion *fusion = siblings->fusion, *joint = &siblings->joint;
  EchoFusionGroup group = joint->groups.data[0];
  const EchoFusionGroup *first = &fusion->groups.data[siblings->first];
  group.first_member = first->first_member;
  group.first_input = first->first_input;
  group.first_output = first->first_output;
  fusion->members.size = group.first_member;
  fusion->inputs.size = group.first_input;
  fusion->outputs.size = group.first_output;
  for (size_t i = 0; i < joint->members.size; ++i)
    echo_vector_push(&fusion->members, joint->members.data[i]);
  for (size_t i = 0; i < joint->inputs.size; ++i)
    echo_vector_push(&fusion->inputs, joint->inputs.data[i]);
  for (size_t i = 0; i < joint->outputs.size; ++i)
    echo_vector_push(&fusion->outputs, joint->outputs.data[i]);
  fusion->groups.size = siblings->first;
  echo_vector_push(&fusion->groups, group);
}

bool echo_fusion_join_last(const EchoGraph *graph, const EchoFusionOptions *options,
                           EchoFusion *fusion)
{
  if (fusion->groups.size < 2)
    return false;
  Siblings siblings = {.graph = graph,
                       .options = options,
                       .fusion = fusion,
                       .first = (uint32_t)fusion->groups.size - 2};
  const EchoFusionGroup *first = &fusion->groups.data[siblings.first];
  if (!is_map(&first[0]) || !is_map(&first[1]) || !is_alike(&siblings, &first[0]) ||
      !is_alike(&siblings, &first[1]) || !reads_same_state(&siblings))
    return false;
  bool is_joint = join(&siblings);
  if (is_joint)
    put_joint(&siblings);
  echo_vector_destroy(&siblings.joint.groups);
  echo_vector_destroy(&siblings.joint.members);
  echo_vector_destroy(&siblings.joint.inputs);
  echo_vector_destroy(&siblings.joint.outputs);
  return is_joint;
}
