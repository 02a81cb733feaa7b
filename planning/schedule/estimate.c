/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fusion and storage of a block that is only thought of. */
#include "planning/schedule/estimate.h"

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
  EchoEstimate estimate = {0};
  echo_estimate_create(&estimate, graph, interface, options);
  uint64_t bytes = estimate.storage.bound_bytes;
  echo_estimate_destroy(&estimate);
  return bytes;
}

EchoBlockInterface echo_region_interface(const EchoOp *op, size_t region, const EchoGraph *graph,
                                         const EchoValue *const *handed_on, uint32_t *targets)
{
  size_t n = echo_op_body(op, region)->last->n_operands;
  bool is_loop = echo_op_has_trait(op, ECHO_LOOP);
  for (uint32_t i = 0; i < n; ++i)
    targets[i] = !is_loop      ? echo_graph_input_or(graph, handed_on[i], ECHO_TO_OUTPUT)
                 : region == 0 ? ECHO_TO_ARENA
                               : i;
  return (EchoBlockInterface){targets, NULL, false};
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
