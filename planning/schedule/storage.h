/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which buffer each value of a block lives in, and for how long: in place where a kernel allows it,
 * in an argument's storage where a result takes it, in one arena for the rest. The invariant:
 * between the step that writes a value and the last step that reads it, no step writes its buffer.
 * A step of a schedule is one group of its fusion as it runs (a kernel, a call, a view), numbered
 * from 0; the block as a whole is a training step or a part of one. What is found here for a fusion
 * that is only thought of is what bufferization makes of it. Not offsets:
 * planning/offsets/offsets.h places the arena's buffers. */
#ifndef ECHO_PLANNING_SCHEDULE_STORAGE_H
#define ECHO_PLANNING_SCHEDULE_STORAGE_H

#include "base/arena.h"
#include "planning/schedule/branch.h"
#include "planning/schedule/fusion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where result i of a block goes. */
#define ECHO_TO_OUTPUT ECHO_NONE      /* a buffer of its own that the caller provides */
#define ECHO_TO_ARENA (ECHO_NONE - 1) /* wherever it was computed, kept until the block ends */
/* any other number: into the storage of that input */

typedef struct EchoBlockInterface {
  const uint32_t *result_targets; /* one a result */
  const bool *is_donated; /* by input: its storage may be reused once it is dead; NULL = none */
  bool lends_results;     /* what ECHO_TO_OUTPUT results go to is free until they are written */
} EchoBlockInterface;

typedef enum EchoBufferKind {
  ECHO_BUFFER_ARENA,
  ECHO_BUFFER_INPUT,   /* storage of input `number` */
  ECHO_BUFFER_OUTPUT,  /* of result `number` */
  ECHO_BUFFER_LENT,    /* a place in that of result `number`, before it is written */
  ECHO_BUFFER_CONSTANT /* of the value `number` */
} EchoBufferKind;

/* Whether a buffer of that kind would be another's room if it went. */
static inline bool echo_buffer_is_movable(EchoBufferKind kind)
{
  return kind == ECHO_BUFFER_ARENA || kind == ECHO_BUFFER_LENT;
}

typedef struct EchoBufferRange {
  EchoBufferKind kind;
  uint32_t number;
  uint64_t bytes;
  uint32_t first_step, last_step; /* both included */
  bool is_only_entered;  /* the last step is a loop that starts from a copy of it: while the loop
                            runs, it is free */
  uint64_t offset_bytes; /* LENT: of the place */
} EchoBufferRange;

/* At the end of the block, in order: the buffer of a value to another buffer. */
typedef struct EchoFinalCopy {
  uint32_t from_buffer, to_buffer;
} EchoFinalCopy;

typedef struct EchoStepBytes {
  uint32_t step;
  uint64_t bytes;
} EchoStepBytes;

typedef struct EchoStorage {
  uint32_t *buffer_of_value; /* by value: ECHO_NONE when it stays inside a kernel */
  size_t n_values;
  ECHO_VECTOR(EchoBufferRange) buffers;
  ECHO_VECTOR(EchoFinalCopy) copies;
  ECHO_VECTOR(EchoStepBytes)
  more;                 /* what regions of branches hold beside inner_bytes, for results
                           are written over what they read (EchoBranchTakes) */
  uint64_t bound_bytes; /* largest sum of live arena bytes, each rounded up to the alignment */
  uint32_t bound_step;  /* the first step that reaches it */
} EchoStorage;

/* `storage` is zero-initialised, or was one before: its room is used again. `calls`: what is known
 * of the callees of a block whose groups are calls; NULL: groups of ops, and
 * echo_group_is_in_place. Destroy with echo_storage_destroy. O(inputs * outputs of each group + n
 * log n). */
void echo_storage_create(EchoStorage *storage, const EchoGraph *graph, const EchoFusion *fusion,
                         const EchoBlockInterface *interface, const EchoCalls *calls);
void echo_storage_destroy(EchoStorage *storage);

/* What the region holds at most, result i written over operand over[i]; ECHO_NONE: it has a room of
 * its own. O(results + steps). */
uint64_t echo_branch_region_bytes(const EchoBranchRegion *region, uint32_t n_results,
                                  const uint32_t *over);
/* Fills what takes->ways says nothing of: what the regions of the branch `node` hold, each with its
 * graph in the order in which it runs, its fusion and its interface. Lives in `arena`. O(a storage
 * of each region, and one more for each result whose room is used before, and operand that it may
 * be written over). */
void echo_branch_find_bytes(const EchoGraph *graph, uint32_t node, const EchoGraph *regions,
                            const EchoFusion *fusions, const EchoBlockInterface *interfaces,
                            EchoBranchTakes *takes, EchoArena *arena);

/* Moves buffers of the arena into those of results that are written later. The rest of the plan
 * stays as it is, so that no step holds more. O(n log n). Part of echo_storage_create. */
void echo_storage_lend_results(EchoStorage *storage, const EchoFusion *fusion);

/* What the regions of the step hold: nothing where it is none. O(such branches). */
uint64_t echo_storage_inner_bytes(const EchoStorage *storage, const EchoGraph *graph,
                                  const EchoFusion *fusion, uint32_t step);

/* By step: bytes of the arena that are free again while the loop that it is runs. The caller frees
 * it with echo_free. */
uint64_t *echo_storage_entered_bytes(const EchoStorage *storage, size_t n_steps);
/* Live arena bytes by step; n = groups of the fusion. The caller frees it with echo_free. */
uint64_t *echo_storage_profile(const EchoStorage *storage, const EchoGraph *graph,
                               const EchoFusion *fusion);

/* The interface of a function with MLIR's argument attributes: tf.aliasing_output,
 * jax.buffer_donor. The arrays are owned by `owner`. */
typedef struct EchoFunctionInterface {
  EchoBlockInterface interface;
  uint32_t *targets;
  bool *donated;
} EchoFunctionInterface;
/* `graph` is that of the function's body. False after an error at `function` (an alias to a result
 * that is not there, has another size, or is taken). */
bool echo_function_interface_create(EchoFunctionInterface *owner, const EchoOp *function,
                                    const EchoGraph *graph);
void echo_function_interface_destroy(EchoFunctionInterface *owner);

#ifdef __cplusplus
}
#endif

#endif
