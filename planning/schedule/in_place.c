/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which inputs a kernel may be written over. */
#include "base/map.h"
#include "planning/schedule/fusion_t.h"

bool echo_fusion_same_dims(const EchoType *a, const EchoType *b)
{
  if (echo_type_rank(a) != echo_type_rank(b))
    return false;
  for (size_t i = 0; i < echo_type_rank(a); ++i)
    if (echo_type_dim(a, i) != echo_type_dim(b, i))
      return false;
  return true;
}

/* The op writes to its only operand, place by place. */
static bool updates_in_place(const EchoGraph *graph, uint32_t node, uint32_t input, uint32_t output)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(graph, node);
  if (entry->op == NULL || !echo_op_has_trait(entry->op, ECHO_UPDATES) || entry->n_results != 1 ||
      operands[0] != input || output != entry->first_result)
    return false;
  for (uint32_t i = 1; i < entry->n_operands; ++i)
    if (operands[i] == input)
      return false;
  return true;
}

/* Whether the op reads operand `operand` at the index at which it makes its result. */
static bool is_read_in_place(const EchoOp *op, uint32_t operand)
{
  return echo_op_has_trait(op, ECHO_ELEMENTWISE) ||
         (echo_op_has_trait(op, ECHO_UPDATES) && operand == 0);
}

bool echo_group_is_in_place(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                            uint32_t input, uint32_t output)
{
  const EchoFusionGroup *entry = &fusion->groups.data[group];
  const EchoType *type = echo_graph_type(graph, output);
  EchoInPlaceRule rule = echo_kernel_row(entry->kernel)->in_place;
  if (entry->kind != ECHO_GROUP_KERNEL || rule == ECHO_IN_PLACE_NEVER)
    return false;
  if (rule == ECHO_IN_PLACE_UPDATE)
    return updates_in_place(graph, entry->root, input, output);
  if (!echo_fusion_same_dims(type, echo_graph_type(graph, input)) ||
      echo_type_element_bytes(type) != echo_type_element_bytes(echo_graph_type(graph, input)))
    return false;
  uint32_t n_alike = 0;
  for (uint32_t i = 0; i < entry->n_outputs; ++i)
    n_alike += echo_fusion_same_dims(
        type, echo_graph_type(graph, fusion->outputs.data[entry->first_output + i]));
  if (n_alike != (rule == ECHO_IN_PLACE_ELEMENTS ? entry->n_outputs : 1))
    return false;
  bool rows_first = rule == ECHO_IN_PLACE_ROWS && entry->n_outputs == 1;
  /* Backwards: nodes that are computed at another index than the loop's taint what they read. */
  EchoMap tainted = {0};
  bool holds = true;
  for (uint32_t i = entry->n_members; i-- > 0 && holds;) {
    uint32_t node = fusion->members.data[entry->first_member + i];
    const EchoGraphNode *member = &graph->nodes.data[node];
    bool is_clean = !echo_map_has(&tainted, member->first_result);
    for (uint32_t k = 0; k < member->n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, node)[k];
      bool is_same = is_read_in_place(member->op, k);
      bool has_dims = echo_fusion_same_dims(echo_graph_type(graph, value), type);
      if (has_dims && ((is_clean && is_same) || (rows_first && member->kind == ECHO_NODE_REDUCE)))
        continue;
      holds &= value != input;
      echo_map_set(&tainted, value, 1);
    }
  }
  echo_map_destroy(&tainted);
  return holds;
}
