/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/step/kept_products_t.h"

static bool has_contraction(const EchoBlock *block)
{
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_op_has_trait(op, ECHO_HEAVY))
      return true;
  return false;
}

static bool has_static_shapes(const EchoBlock *block)
{
  for (uint32_t i = 0; i < block->n_args; ++i)
    if (!echo_type_has_static_shape(echo_block_arg(block, i)->type))
      return false;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    for (uint32_t i = 0; i < op->n_results; ++i)
      if (!echo_type_has_static_shape(echo_op_result_type(op, i)))
        return false;
  return true;
}

/* The most elements of what the group writes. */
static int64_t largest_output(const EchoGraph *graph, const EchoFusion *fusion,
                              const EchoFusionGroup *group)
{
  int64_t largest = 0;
  for (uint32_t i = 0; i < group->n_outputs; ++i) {
    uint32_t value = fusion->outputs.data[group->first_output + i];
    int64_t n = graph->values.data[value].n_elements;
    largest = n > largest ? n : largest;
  }
  return largest;
}

/* What it makes is larger than all that is written. */
static bool is_kept(const EchoGraph *graph, const EchoGraphNode *node, int64_t largest)
{
  return graph->values.data[node->first_result].n_elements > largest;
}

/* A product is a member of one group, or of all that make it again. */
static void find_in_group(const EchoGraph *graph, const EchoFusion *fusion,
                          const EchoFusionGroup *group, EchoMap *facts)
{
  int64_t largest = largest_output(graph, fusion, group);
  const uint32_t *members = fusion->members.data + group->first_member;
  uint64_t beside = 0;
  for (uint32_t i = 0; i < group->n_members; ++i) {
    const EchoGraphNode *node = &graph->nodes.data[members[i]];
    if (!node->is_heavy || node->n_results != 1)
      continue;
    bool stays = is_kept(graph, node, largest);
    uint64_t fact = echo_map_get_or(facts, echo_key(node->op), 0);
    echo_map_set(facts, echo_key(node->op), fact | beside | (stays ? 0 : ECHO_PRODUCT_IS_WRITTEN));
    beside |= stays ? ECHO_PRODUCT_READS_KEPT : 0;
  }
}

static void find_in_block(const EchoBlock *block, const EchoFusionOptions *options, EchoMap *facts)
{
  EchoGraph graph;
  EchoFusion fusion = {0};
  echo_graph_create(&graph, block);
  echo_fusion_create(&fusion, &graph, options);
  for (size_t g = 0; g < fusion.groups.size; ++g)
    find_in_group(&graph, &fusion, &fusion.groups.data[g], facts);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&graph);
}

void echo_find_kept_products(EchoOp *root, const EchoFusionOptions *options, EchoMap *facts)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    for (uint32_t r = 0; r < op->n_regions; ++r) {
      const EchoBlock *block = op->regions[r].first;
      if (block != NULL && block->next == NULL && has_contraction(block) &&
          has_static_shapes(block))
        find_in_block(block, options, facts);
    }
}

bool echo_product_stays(const EchoMap *facts, const EchoOp *product)
{
  uint64_t fact = 0;
  return echo_map_get(facts, echo_key(product), &fact) && (fact & ECHO_PRODUCT_IS_WRITTEN) == 0;
}

bool echo_product_reads_kept(const EchoMap *facts, const EchoOp *product)
{
  return (echo_map_get_or(facts, echo_key(product), 0) & ECHO_PRODUCT_READS_KEPT) != 0;
}
