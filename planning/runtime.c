/* Times from costs: arithmetic against traffic, kernel by kernel. */
#include "planning/runtime.h"

EchoRates echo_rates_default(void)
{
  return (EchoRates){.flops_per_second = 200e9,
                     .simple_flops_per_second = 50e9,
                     .transcendentals_per_second = 2e9,
                     .bytes_per_second = 20e9,
                     .launch_seconds = 2e-6};
}

double echo_node_seconds(const EchoGraph *graph, uint32_t node, const EchoRates *rates)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (entry->op == NULL || entry->kind == ECHO_NODE_RETURN || entry->kind == ECHO_NODE_BARRIER)
    return 0;
  EchoCost cost;
  echo_op_cost(entry->op, &cost);
  bool is_heavy = echo_op_has_trait(entry->op, ECHO_HEAVY);
  return cost.flops / (is_heavy ? rates->flops_per_second : rates->simple_flops_per_second) +
         cost.transcendentals / rates->transcendentals_per_second;
}

/* Bytes of an input that the group reads: parts of it where only slices do. */
static double bytes_read(const EchoGraph *graph, const EchoFusion *fusion,
                         const EchoFusionGroup *group, uint32_t input)
{
  double whole = (double)graph->values.data[input].bytes, parts = 0;
  const uint32_t *members = fusion->members.data + group->first_member;
  for (uint32_t i = 0; i < group->n_members; ++i) {
    const EchoGraphNode *member = &graph->nodes.data[members[i]];
    for (uint32_t k = 0; k < member->n_operands; ++k) {
      if (echo_graph_operands(graph, members[i])[k] != input)
        continue;
      EchoCost cost;
      echo_op_cost(member->op, &cost);
      double read = cost.bytes_read;
      for (uint32_t j = 0; j < member->n_operands; ++j)
        if (j != k)
          read -= (double)graph->values.data[echo_graph_operands(graph, members[i])[j]].bytes;
      parts += read > 0 ? read : 0;
    }
    if (parts >= whole)
      return whole;
  }
  return parts;
}

double echo_group_seconds(const EchoGraph *graph, const EchoFusion *fusion, uint32_t g,
                          const EchoRates *rates)
{
  const EchoFusionGroup *group = &fusion->groups.data[g];
  if (group->kind == ECHO_GROUP_VIEW || group->kind == ECHO_GROUP_BLOB ||
      group->kind == ECHO_GROUP_RETURN)
    return 0;
  double arithmetic = 0, bytes = 0;
  for (uint32_t i = 0; i < group->n_members; ++i)
    arithmetic += echo_node_seconds(graph, fusion->members.data[group->first_member + i], rates);
  if (group->kind == ECHO_GROUP_CONTROL) {
    EchoCost cost;
    echo_op_cost(graph->nodes.data[group->root].op, &cost);
    bytes = cost.bytes_read + cost.bytes_written;
  } else {
    bool is_small =
        group->n_members <= 8; /* looking for slices in large kernels is not worth its time */
    for (uint32_t i = 0; i < group->n_inputs; ++i) {
      uint32_t input = fusion->inputs.data[group->first_input + i];
      bytes += is_small && group->kind != ECHO_GROUP_SINGLE
                   ? bytes_read(graph, fusion, group, input)
                   : (double)graph->values.data[input].bytes;
    }
    for (uint32_t i = 0; i < group->n_outputs; ++i)
      bytes += (double)graph->values.data[fusion->outputs.data[group->first_output + i]].bytes;
  }
  double traffic = bytes / rates->bytes_per_second;
  return (arithmetic > traffic ? arithmetic : traffic) + rates->launch_seconds;
}

double echo_fusion_seconds(const EchoGraph *graph, const EchoFusion *fusion, const EchoRates *rates)
{
  double seconds = 0;
  for (uint32_t g = 0; g < fusion->groups.size; ++g)
    seconds += echo_group_seconds(graph, fusion, g, rates);
  return seconds;
}
