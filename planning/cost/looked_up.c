/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel makes again for each row that it looks up. */
#include "planning/cost/looked_up_t.h"

#include "base/search.h"
#include "dialects/stablehlo/opcode.h"

static double elements_of(const EchoGraph *graph, uint32_t value)
{
  int64_t n;
  return echo_type_n_elements(echo_graph_type(graph, value), &n) ? (double)n : 0;
}

/* A value of the group that its kernel looks up: made again for each row that is taken, or only for
 * those. */
static bool is_looked_up(const EchoGraphNode *entry, uint32_t operand)
{
  return operand == 0 && entry->op != NULL && echo_hlo_opcode(entry->op) == ECHO_HLO_GATHER;
}

static uint32_t member_or_end(const uint32_t *members, uint32_t n, uint32_t node)
{
  if (node == ECHO_NONE || node < members[0] || node > members[n - 1])
    return n;
  uint32_t at = echo_lower_bound(members, n, node);
  return members[at] == node ? at : n;
}

/* How often each element of a member is made, on the average: once, but in front of a gather. */
static void find_times(const EchoGraph *graph, const EchoFusion *fusion,
                       const EchoFusionGroup *group, double *times)
{
  const uint32_t *members = fusion->members.data + group->first_member;
  uint32_t n = group->n_members;
  for (uint32_t i = 0; i < n; ++i)
    times[i] = members[i] == group->root ? 1 : 0;
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    uint32_t value = fusion->outputs.data[group->first_output + i];
    uint32_t at = member_or_end(members, n, graph->values.data[value].def);
    if (at < n)
      times[at] = 1;
  }
  for (uint32_t i = n; i-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[members[i]];
    const uint32_t *operands = echo_graph_operands(graph, members[i]);
    for (uint32_t k = 0; k < entry->n_operands; ++k) {
      uint32_t at = member_or_end(members, n, graph->values.data[operands[k]].def);
      double often = times[i], n_operand = elements_of(graph, operands[k]);
      if (at >= i)
        continue;
      if (is_looked_up(entry, k) && n_operand > 0)
        often *= elements_of(graph, entry->first_result) / n_operand;
      times[at] = times[at] > often ? times[at] : often;
    }
  }
}

static bool looks_up_members(const EchoGraph *graph, const EchoFusion *fusion,
                             const EchoFusionGroup *group)
{
  const uint32_t *members = fusion->members.data + group->first_member;
  uint32_t n = group->n_members;
  for (uint32_t i = 1; i < n && n <= ECHO_MOST_LOOKED_AT; ++i) {
    uint32_t table = is_looked_up(&graph->nodes.data[members[i]], 0)
                         ? echo_graph_operands(graph, members[i])[0]
                         : ECHO_NONE;
    if (table != ECHO_NONE && member_or_end(members, n, graph->values.data[table].def) < n)
      return true;
  }
  return false;
}

bool echo_find_times(const EchoGraph *graph, const EchoFusion *fusion, const EchoFusionGroup *group,
                     double *times)
{
  if (!looks_up_members(graph, fusion, group))
    return false;
  find_times(graph, fusion, group, times);
  return true;
}
