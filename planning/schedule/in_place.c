/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which inputs a kernel may be written over. */
#include "base/search.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/schedule/branch.h"
#include "planning/schedule/fusion_t.h"

/* The op writes to its only operand, place by place. */
static bool updates_in_place(const EchoGraph *graph, uint32_t node, uint32_t input, uint32_t output)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(graph, node);
  if (!entry->is_update || entry->n_results != 1 || operands[0] != input ||
      output != entry->first_result)
    return false;
  for (uint32_t i = 1; i < entry->n_operands; ++i)
    if (operands[i] == input)
      return false;
  return true;
}

/* How a kernel's loops read a value, as a number of elements, its level: position p of a result
 * with n elements reads of a value only what lies in block p * level / n of so many equal blocks,
 * counted row-major. So level n means element p itself, and a smaller one the row of p. */
#define ELSEWHERE 0  /* anywhere */
#define OWN_SLICE -1 /* of a slice that is stored: the element that is stored there */

/* The level of what is read at both. */
static int64_t both_levels(int64_t a, int64_t b)
{
  if (a == INT64_MAX || a == b)
    return b;
  if (b == INT64_MAX)
    return a;
  if (a == OWN_SLICE || b == OWN_SLICE)
    return ELSEWHERE;
  return a < b ? a : b;
}

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
  if (level == OWN_SLICE)
    return (kind == ECHO_NODE_RESHAPE || echo_op_has_trait(op, ECHO_ELEMENTWISE)) &&
                   n_operand == n_result
               ? OWN_SLICE
               : ELSEWHERE;
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
  uint32_t n = group->n_members;
  if (n == 0 || node < members[0] || node > members[n - 1]) /* mostly: made by another kernel */
    return n;
  uint32_t at = echo_lower_bound(members, n, node);
  return members[at] == node ? at : n;
}

/* The update that all updates of the group write like: slices of one shape at one place. ECHO_NONE
 * where there is none. */
static uint32_t common_update(const EchoGraph *graph, const EchoFusion *fusion,
                              const EchoFusionGroup *group)
{
  uint32_t like = ECHO_NONE;
  for (uint32_t i = 0; i < group->n_members && group->has_updates; ++i) {
    uint32_t node = fusion->members.data[group->first_member + i];
    const EchoGraphNode *entry = &graph->nodes.data[node];
    if (!entry->is_update)
      continue;
    if (echo_hlo_opcode(entry->op) != ECHO_HLO_DYNAMIC_UPDATE_SLICE)
      return ECHO_NONE;
    if (like == ECHO_NONE)
      like = node;
    const uint32_t *own = echo_graph_operands(graph, node);
    const uint32_t *others = echo_graph_operands(graph, like);
    bool is_alike =
        entry->n_operands == graph->nodes.data[like].n_operands &&
        echo_type_same_dims(echo_graph_type(graph, own[0]), echo_graph_type(graph, others[0])) &&
        echo_type_same_dims(echo_graph_type(graph, own[1]), echo_graph_type(graph, others[1]));
    for (uint32_t k = 2; k < entry->n_operands && is_alike; ++k)
      is_alike = own[k] == others[k];
    if (!is_alike)
      return ECHO_NONE;
  }
  return like;
}

/* The op reads the slice that the update writes. */
static bool reads_updated_slice(const EchoGraph *graph, uint32_t node, uint32_t update)
{
  const EchoGraphNode *entry = &graph->nodes.data[node], *writer = &graph->nodes.data[update];
  if (entry->op == NULL || echo_hlo_opcode(entry->op) != ECHO_HLO_DYNAMIC_SLICE ||
      entry->n_operands + 1 != writer->n_operands)
    return false;
  const uint32_t *read = echo_graph_operands(graph, node);
  const uint32_t *written = echo_graph_operands(graph, update);
  bool is_same =
      echo_type_same_dims(echo_graph_type(graph, read[0]), echo_graph_type(graph, written[0])) &&
      echo_type_same_dims(echo_graph_type(graph, entry->first_result),
                          echo_graph_type(graph, written[1]));
  for (uint32_t k = 1; k < entry->n_operands && is_same; ++k)
    is_same = read[k] == written[k + 1];
  return is_same;
}

#define FEW_MEMBERS 128 /* mostly: not worth an allocation */

/* Two products of which the second multiplies rows that the first one makes (fusion_chains.c). */
typedef struct RowProducts {
  uint32_t second; /* node; ECHO_NONE: they are not there */
  uint32_t rows;   /* value: what it multiplies */
} RowProducts;

static bool is_contraction(const EchoGraph *graph, uint32_t node)
{
  const EchoOp *op = graph->nodes.data[node].op;
  return op != NULL && echo_op_kernel_kind(op) == ECHO_KERNEL_CONTRACTION;
}

static RowProducts row_products(const EchoGraph *graph, const EchoFusion *fusion,
                                const EchoFusionGroup *group)
{
  RowProducts none = {ECHO_NONE, ECHO_NONE}, found = none;
  bool is_of_rows[FEW_MEMBERS + 1], has_first = false;
  if (group->kernel != ECHO_KERNEL_CONTRACTION || group->n_members > FEW_MEMBERS)
    return none;
  is_of_rows[group->n_members] = false;
  for (uint32_t i = 0; i < group->n_members; ++i) {
    uint32_t node = fusion->members.data[group->first_member + i];
    bool is_first = !has_first && is_contraction(graph, node);
    is_of_rows[i] = is_first;
    has_first |= is_first;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, node)[k], def = graph->values.data[value].def;
      if (def == ECHO_NONE || !is_of_rows[member_index(fusion, group, def)])
        continue;
      is_of_rows[i] = true;
      if (!is_first && is_contraction(graph, node))
        found = (RowProducts){node, value};
    }
  }
  return found;
}

/* At which level the results of the group read `input`, all together; those with more elements than
 * `written`, an output, read what they read anywhere, as far as that is known here. The results of
 * one op have one level. */
static int64_t input_level(const EchoGraph *graph, const EchoFusion *fusion,
                           const EchoFusionGroup *group, uint32_t input, uint32_t written)
{
  int64_t n_elements = graph->values.data[written].n_elements;
  int64_t few[FEW_MEMBERS + 1], *many = NULL;
  if (group->n_members > FEW_MEMBERS)
    many = echo_alloc_array(group->n_members + 1u, sizeof *many);
  int64_t *levels = many != NULL ? many : few; /* by member */
  int64_t found = n_elements;
  uint32_t first_reader =
      graph->values.data[input].n_uses != 0 ? echo_graph_uses(graph, input)[0] : ECHO_NONE;
  uint32_t update = common_update(graph, fusion, group);
  /* A result that is made of rows is stored when they are, place by place; the second product,
   * which finds them in its block's own memory then, reads nothing more of what they are made of.
   */
  RowProducts products = row_products(graph, fusion, group);
  bool has_rows = products.second != ECHO_NONE && graph->values.data[written].def < products.second;
  for (uint32_t i = 0; i <= group->n_members; ++i)
    levels[i] = INT64_MAX;
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    const EchoGraphValue *output =
        &graph->values.data[fusion->outputs.data[group->first_output + i]];
    bool is_at_place =
        output->n_elements <= n_elements && (!has_rows || output->def < products.second);
    int64_t level = is_at_place ? output->n_elements : ELSEWHERE;
    int64_t *known = &levels[member_index(fusion, group, output->def)];
    *known = both_levels(level, *known);
  }
  for (uint32_t i = group->n_members; i-- > 0 && found != ELSEWHERE;) {
    uint32_t node = fusion->members.data[group->first_member + i];
    if (node < first_reader) /* nor does what is made before it read the input */
      break;
    if (levels[i] == INT64_MAX)
      continue;
    const EchoGraphNode *member = &graph->nodes.data[node];
    const uint32_t *operands = echo_graph_operands(graph, node);
    int64_t n_result = graph->values.data[member->first_result].n_elements;
    for (uint32_t k = 0; k < member->n_operands; ++k) {
      uint32_t operand = operands[k];
      const EchoGraphValue *value = &graph->values.data[operand];
      uint32_t from = value->def != ECHO_NONE && operand != input
                          ? member_index(fusion, group, value->def)
                          : group->n_members;
      if (from == group->n_members && operand != input) /* another input */
        continue;
      int64_t level =
          operand_level(member->op, member->kind, k, value->n_elements, n_result, levels[i]);
      if (has_rows && node == products.second && operand == products.rows)
        level = value->n_elements <= n_elements ? value->n_elements : ELSEWHERE;
      else if (update != ECHO_NONE && member->is_update && k == 1 && levels[i] == n_result)
        level = OWN_SLICE;
      else if (levels[i] == OWN_SLICE && k == 0 && reads_updated_slice(graph, node, update))
        level = value->n_elements;
      int64_t *known = operand == input ? &found : &levels[from];
      *known = both_levels(level, *known);
    }
  }
  echo_free(many);
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
         ((n != 0 && entry->flat_elements == n) ||
          input_level(graph, fusion, entry, input, output) > ELSEWHERE);
}
