/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fusion groups: which nodes of a graph become one kernel, and in which order the kernels run. The
 * invariant: groups stand in execution order (the position of each is that of its last member),
 * every value that a group reads from outside is written by an earlier group, and no group computes
 * a value that nobody reads. Cheap producers may be members of several groups. Not a rewrite:
 * lowering/plan/fuse.c carries it out. */
#ifndef ECHO_PLANNING_SCHEDULE_FUSION_H
#define ECHO_PLANNING_SCHEDULE_FUSION_H

#include "ir/pass/pass.h"
#include "planning/cost/device_model.h"
#include "planning/cost/target.h"
#include "planning/schedule/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoGroupKind {
  ECHO_GROUP_KERNEL,
  ECHO_GROUP_VIEW, /* a reshape or barrier that stays outside kernels */
  ECHO_GROUP_BLOB, /* a constant outside kernels */
  ECHO_GROUP_CONTROL,
  ECHO_GROUP_RETURN
} EchoGroupKind;

typedef struct EchoFusionGroup {
  EchoGroupKind kind;
  EchoKernelKind kernel; /* of ECHO_GROUP_KERNEL */
  uint32_t root;         /* its last member: the node whose place it takes */
  bool has_updates;      /* a member writes to its operand, place by place */
  int64_t flat_elements; /* who reads a value of so many makes as many, element by element: each
                            may then be written over; 0: not known */
  uint32_t first_member, n_members; /* nodes, ascending */
  uint32_t first_input, n_inputs;   /* values from outside, each once, in order of first reading */
  uint32_t first_output, n_outputs; /* values that others read, ascending */
} EchoFusionGroup;

typedef struct EchoFuser EchoFuser; /* private to planning/schedule */

typedef struct EchoFusion {
  ECHO_VECTOR(EchoFusionGroup) groups;
  ECHO_VECTOR(uint32_t) members, inputs, outputs;
  EchoFuser *fuser; /* room alone; NULL: none yet */
} EchoFusion;

typedef struct EchoOrder EchoOrder;

typedef struct EchoFusionOptions {
  bool enabled;         /* false: every node by itself */
  uint32_t max_members; /* of one group, beside constants: what registers bear */
  /* Products (contractions, convolutions) are loops of ours, which end in what maps their elements.
   * Where libraries make some of a kind none has anything else in its kernel: its bits are the
   * op's. */
  bool fuses_contractions, fuses_convolutions;
  /* The exchange rate of the decision, in bytes of traffic: what a kernel launch, one simple
   * operation, one transcendental, and a byte that the last cache has take. Only kernels depend on
   * it, never bits. */
  double launch_bytes, flop_bytes, transcendental_bytes, cached_bytes;
  double row_tile_bytes; /* of shared memory, for rows of products that a block makes whole */
  double product_flop_bytes, tensor_flop_bytes; /* an operation of a product: of f32, of halves */
  double bf16_flops; /* that a simple operation of bf16 takes as many as of f32 */
  /* The one order in which blocks are thought through (planning/schedule/order.h); NULL = the best
   * of ours. */
  const EchoOrder *order;
} EchoFusionOptions;

/* Which of a GPU's products a library may make; on the CPU one always may. */
typedef struct EchoLibraryUse {
  bool contractions, convolutions;
} EchoLibraryUse;

/* What pays on this device, of what the kernels of the target can be. */
EchoFusionOptions echo_fusion_options(const EchoDeviceModel *device, const EchoTargetInfo *target,
                                      EchoLibraryUse libraries);
/* Rows of the option table of a pass that is told so; its `device` stands before them. */
#define ECHO_FUSION_PASS_OPTIONS                                                                   \
  {"target", "whose kernels there can be: cpu, or a GPU's architecture", "cpu"},                   \
      {"cublaslt", "a GPU's contractions stand alone, so that cuBLASLt may make them", "false"},   \
  {                                                                                                \
    "cudnn", "a GPU's convolutions stand alone, so that cuDNN may make them", "false"              \
  }
/* What a pass is told of it by its options target, cublaslt, cudnn and device, and that device.
 * False after an error. */
bool echo_fusion_options_load(const EchoPassRun *pass, EchoDeviceModel *device,
                              EchoFusionOptions *options);

/* Groups of a finished graph. `fusion` is zero-initialised, or was one before: its room is used
 * again. Destroy with echo_fusion_destroy. O(nodes * members that a node meets
 * + uses). */
void echo_fusion_create(EchoFusion *fusion, const EchoGraph *graph,
                        const EchoFusionOptions *options);
/* One group of this kind that holds a whole block, whose last node is its return: a kernel's body.
 */
void echo_fusion_create_whole(EchoFusion *fusion, const EchoGraph *graph, EchoKernelKind kind);
void echo_fusion_destroy(EchoFusion *fusion);

/* Whether the kernel reads element i of `input` only to compute element i of the same-sized
 * `output`, and all its results in one pass: then the output may take the input's buffer.
 * O(members). */
bool echo_group_is_in_place(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                            uint32_t input, uint32_t output);

#ifdef __cplusplus
}
#endif

#endif
