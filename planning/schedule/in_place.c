/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which inputs a kernel may be written over. */
#include "base/map.h"
#include "dialects/stablehlo/opcode.h"
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

/* A scatter adds to its only operand, destination by destination. */
static bool scatters_in_place(const EchoGraph *graph, uint32_t node, uint32_t input,
                              uint32_t output)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(graph, node);
  if (entry->op == NULL || echo_hlo_opcode(entry->op) != ECHO_HLO_SCATTER ||
      entry->n_results != 1 || operands[0] != input || output != entry->first_result)
    return false;
  for (uint32_t i = 1; i < entry->n_operands; ++i)
    if (operands[i] == input)
      return false;
  return true;
}

/* The operand that an op updates element by element although it is no elementwise op; ECHO_NONE
 * without one. */
static uint32_t updated_operand(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_UPDATE_SLICE ? 0 : ECHO_NONE;
}

bool echo_group_is_in_place(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                            uint32_t input, uint32_t output)
{
  const EchoFusionGroup *entry = &fusion->groups.data[group];
  const EchoType *type = echo_graph_type(graph, output);
  if (entry->kind == ECHO_GROUP_SINGLE)
    return scatters_in_place(graph, entry->root, input, output);
  if (entry->kind > ECHO_GROUP_REDUCE ||
      !echo_fusion_same_dims(type, echo_graph_type(graph, input)) ||
      echo_type_element_bytes(type) != echo_type_element_bytes(echo_graph_type(graph, input)))
    return false;
  /* Maps write all results in one pass; a reduction's results of different shapes have passes of
   * their own. */
  bool is_map = entry->kind == ECHO_GROUP_MAP || entry->kind == ECHO_GROUP_TRANSPOSE;
  uint32_t n_alike = 0;
  for (uint32_t i = 0; i < entry->n_outputs; ++i)
    n_alike += echo_fusion_same_dims(
        type, echo_graph_type(graph, fusion->outputs.data[entry->first_output + i]));
  if (n_alike != (is_map ? entry->n_outputs : 1))
    return false;
  /* A row's reductions are done before its only result is written (softmax over its own operand).
   */
  bool rows_first = entry->kind == ECHO_GROUP_ROW_REDUCE && entry->n_outputs == 1;
  /* Backwards: nodes that are computed at another index than the loop's taint what they read. */
  EchoMap tainted = {0};
  bool holds = true;
  for (uint32_t i = entry->n_members; i-- > 0 && holds;) {
    uint32_t node = fusion->members.data[entry->first_member + i];
    const EchoGraphNode *member = &graph->nodes.data[node];
    bool is_clean = !echo_map_has(&tainted, member->first_result);
    for (uint32_t k = 0; k < member->n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, node)[k];
      bool is_same =
          echo_op_has_trait(member->op, ECHO_ELEMENTWISE) || k == updated_operand(member->op);
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
