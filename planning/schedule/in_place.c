/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which inputs a kernel may be written over. */
#include "dialects/stablehlo/opcode.h"
#include "planning/schedule/branch.h"
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

/* How a kernel's loops read a value, as a number of elements, its level: position p of a result
 * with n elements reads of a value only what lies in block p * level / n of so many equal blocks,
 * counted row-major. So level n means element p itself, and a smaller one the row of p. */
#define ELSEWHERE 0 /* anywhere */

static int64_t elements_of(const EchoType *type)
{
  return echo_type_static_n_elements(type);
}

/* The level at which an operand of `n_operand` elements is read where the result, of `n_result`, is
 * read at `level`. */
static int64_t operand_level(const EchoOp *op, EchoNodeKind kind, uint32_t position,
                             int64_t n_operand, int64_t n_result, int64_t level)
{
  if (level == ELSEWHERE)
    return ELSEWHERE;
  if (n_operand == 1 ||
      (echo_hlo_opcode(op) == ECHO_HLO_BROADCAST_IN_DIM && echo_broadcasts_rows(op)))
    return level < n_operand ? level : n_operand;
  if (kind == ECHO_NODE_REDUCE)
    return echo_reduces_rows(op) ? level : ELSEWHERE;
  bool keeps_place = kind == ECHO_NODE_RESHAPE || echo_op_has_trait(op, ECHO_ELEMENTWISE) ||
                     (echo_op_has_trait(op, ECHO_UPDATES) && position == 0);
  return keeps_place && n_operand == n_result ? level : ELSEWHERE;
}

bool echo_op_is_in_place(const EchoOp *op, uint32_t operand, uint32_t result)
{
  EchoNodeKind kind = echo_op_node_kind(op);
  int64_t n = elements_of(echo_op_result_type(op, result));
  return (kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE) &&
         elements_of(echo_op_operand_type(op, operand)) == n &&
         operand_level(op, kind, operand, n, elements_of(echo_op_result_type(op, 0)), n) == n;
}

/* Where a node stands among the members of the group, which ascend; n_members where it is none. */
static uint32_t member_index(const EchoFusion *fusion, const EchoFusionGroup *group, uint32_t node)
{
  const uint32_t *members = fusion->members.data + group->first_member;
  uint32_t low = 0, high = group->n_members;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (members[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low < group->n_members && members[low] == node ? low : group->n_members;
}

/* At which level the results of the group read `input`, all together; those with more than
 * `n_elements` elements read what they read anywhere, as far as that is known here. The results of
 * one op have one level. */
static int64_t input_level(const EchoGraph *graph, const EchoFusion *fusion,
                           const EchoFusionGroup *group, uint32_t input, int64_t n_elements)
{
  int64_t *levels = echo_alloc_array(group->n_members + 1u, sizeof *levels); /* by member */
  int64_t found = n_elements;
  for (uint32_t i = 0; i <= group->n_members; ++i)
    levels[i] = INT64_MAX;
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    const EchoGraphValue *output =
        &graph->values.data[fusion->outputs.data[group->first_output + i]];
    int64_t level = output->n_elements <= n_elements ? output->n_elements : ELSEWHERE;
    int64_t *known = &levels[member_index(fusion, group, output->def)];
    *known = level < *known ? level : *known;
  }
  for (uint32_t i = group->n_members; i-- > 0 && found != ELSEWHERE;) {
    uint32_t node = fusion->members.data[group->first_member + i];
    const EchoGraphNode *member = &graph->nodes.data[node];
    int64_t n_result = graph->values.data[member->first_result].n_elements;
    for (uint32_t k = 0; k < member->n_operands && levels[i] != INT64_MAX; ++k) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      const EchoGraphValue *value = &graph->values.data[operand];
      uint32_t from = value->def != ECHO_NONE && operand != input
                          ? member_index(fusion, group, value->def)
                          : group->n_members;
      if (from == group->n_members && operand != input) /* another input */
        continue;
      int64_t level =
          operand_level(member->op, member->kind, k, value->n_elements, n_result, levels[i]);
      int64_t *known = operand == input ? &found : &levels[from];
      *known = level < *known ? level : *known;
    }
  }
  echo_free(levels);
  return found;
}

/* Loops compute a result before they store one with more elements, a row's values before they store
 * elements of the row, and all elements at one index before they store any of them; rows are whole
 * in a task. So it is enough that nothing reads the input outside of the row of what is stored, and
 * no result with more elements reads it at all. */
bool echo_group_is_in_place(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                            uint32_t input, uint32_t output)
{
  const EchoFusionGroup *entry = &fusion->groups.data[group];
  const EchoType *from = echo_graph_type(graph, input), *to = echo_graph_type(graph, output);
  EchoInPlaceRule rule = echo_kernel_row(entry->kernel)->in_place;
  if (entry->kind != ECHO_GROUP_KERNEL || rule == ECHO_IN_PLACE_NEVER)
    return false;
  if (rule == ECHO_IN_PLACE_UPDATE)
    return updates_in_place(graph, entry->root, input, output);
  int64_t n = graph->values.data[output].n_elements;
  return graph->values.data[input].n_elements == n &&
         echo_type_element_bytes(from) == echo_type_element_bytes(to) &&
         input_level(graph, fusion, entry, input, n) != ELSEWHERE;
}
