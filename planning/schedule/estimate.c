/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fusion and storage of a block that is only thought of; regions from the inside out. */
#include "planning/schedule/estimate.h"

#include "planning/schedule/order.h"

void echo_estimate_create(EchoEstimate *estimate, const EchoGraph *graph,
                          const EchoBlockInterface *interface, const EchoFusionOptions *options)
{
  echo_fusion_create(&estimate->fusion, graph, options);
  echo_storage_create(&estimate->storage, graph, &estimate->fusion, interface, NULL);
}

void echo_estimate_destroy(EchoEstimate *estimate)
{
  echo_storage_destroy(&estimate->storage);
  echo_fusion_destroy(&estimate->fusion);
}

uint64_t echo_estimate_bytes(const EchoGraph *graph, const EchoBlockInterface *interface,
                             const EchoFusionOptions *options)
{
  EchoEstimate estimate;
  echo_estimate_create(&estimate, graph, interface, options);
  uint64_t bytes = estimate.storage.bound_bytes;
  echo_estimate_destroy(&estimate);
  return bytes;
}

EchoBlockInterface echo_region_interface(const EchoOp *op, size_t region, uint32_t *targets)
{
  size_t n = echo_op_body(op, region)->last->n_operands;
  bool is_loop = echo_op_has_trait(op, ECHO_LOOP);
  for (size_t i = 0; i < n; ++i)
    targets[i] = !is_loop ? ECHO_TO_OUTPUT : region == 0 ? ECHO_TO_ARENA : (uint32_t)i;
  return (EchoBlockInterface){targets, NULL};
}

void echo_graph_set_inner_bytes(EchoGraph *graph, const EchoMap *bytes_of_block)
{
  for (size_t i = 0; i < graph->nodes.size; ++i) {
    EchoGraphNode *node = &graph->nodes.data[i];
    if (node->kind != ECHO_NODE_CONTROL)
      continue;
    for (size_t r = 0; r < node->op->n_regions; ++r) {
      uint64_t bytes = echo_map_get_or(bytes_of_block, echo_key(node->op->regions[r].first), 0);
      if (node->inner_bytes < bytes)
        node->inner_bytes = bytes;
    }
  }
}

static void measure_block(const EchoOp *op, size_t region, const EchoFusionOptions *options,
                          EchoMap *bytes_of_block)
{
  const EchoBlock *block = echo_op_body(op, region);
  EchoGraph graph;
  echo_graph_create(&graph, block);
  echo_graph_set_inner_bytes(&graph, bytes_of_block);
  uint32_t *targets = echo_alloc_array(block->last->n_operands + 1u, sizeof(uint32_t));
  EchoBlockInterface interface = echo_region_interface(op, region, targets);
  uint32_t *order = echo_alloc_array(graph.nodes.size + 1, sizeof(uint32_t));
  echo_map_set(bytes_of_block, echo_key(block),
               echo_order_best(&graph, &interface, options, order).best_bytes);
  echo_free(order);
  echo_free(targets);
  echo_graph_destroy(&graph);
}

void echo_measure_regions(const EchoOp *function, const EchoFusionOptions *options,
                          EchoMap *bytes_of_block)
{
  EchoOp *root = (EchoOp *)function;
  for (EchoOp *op = echo_op_post_order_first(root); op != root; op = echo_op_post_order_next(op))
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      measure_block(op, r, options, bytes_of_block);
}
