/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a block would take if it were fused, placed and run in its present order: the one model
 * behind --schedule, --fuse, --bufferize and --echo. The invariant: for the order that the block
 * then has, bufferization comes to the same bytes. Not the offsets: a plan may stand above this
 * bound where it cannot be packed. */
#ifndef ECHO_PLANNING_SCHEDULE_ESTIMATE_H
#define ECHO_PLANNING_SCHEDULE_ESTIMATE_H

#include "base/map.h"
#include "planning/schedule/branch.h"
#include "planning/schedule/storage.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoEstimate {
  EchoFusion fusion;
  EchoStorage storage;
} EchoEstimate;

/* `estimate` is zero-initialised, or was one before: its room is used again. Destroy with
 * echo_estimate_destroy. Cost of fusion and storage. */
void echo_estimate_create(EchoEstimate *estimate, const EchoGraph *graph,
                          const EchoBlockInterface *interface, const EchoFusionOptions *options);
void echo_estimate_destroy(EchoEstimate *estimate);
/* The bound alone, in bytes. */
uint64_t echo_estimate_bytes(const EchoGraph *graph, const EchoBlockInterface *interface,
                             const EchoFusionOptions *options);

/* The interface of a region's block, whose graph is given: a loop's body carries in place, its
 * condition keeps results in the arena, a branch leaves in its place what is handed on and writes
 * the rest where the op provides for it: the storage of what it hands on is for the first result
 * that takes it (storage.c), another one is written to its own. `handed_on` is of the branch
 * (echo_branch_find_handed_on), a loop's is not read. `targets` has room for the block's results.
 * O(results * inputs). */
EchoBlockInterface echo_region_interface(const EchoOp *op, size_t region, const EchoGraph *graph,
                                         const EchoValue *const *handed_on, uint32_t *targets);

/* Fills inner_bytes of the control nodes: `bytes_of_block` maps the blocks of regions to what each
 * holds at most. */
void echo_graph_set_inner_bytes(EchoGraph *graph, const EchoMap *bytes_of_block);

#ifdef __cplusplus
}
#endif

#endif
