/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the Echo pass may decide about: the values of the forward part that the backward part reads,
 * and those they are computed from. The invariant: a value is a candidate only if keeping it takes
 * arena bytes of its own. Analysis only. */
#ifndef ECHO_ECHO_PASS_CANDIDATES_H
#define ECHO_ECHO_PASS_CANDIDATES_H

#include "base/arena.h"
#include "planning/cost/runtime.h"
#include "planning/schedule/storage.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoValueState {
  ECHO_VALUE_OTHER,    /* no backward op needs it, or it is made by the backward part */
  ECHO_VALUE_FREE,     /* there anyway: inputs, results, constants and what kernels make out of
                          constants */
  ECHO_VALUE_CANDIDATE /* kept or recomputed */
} EchoValueState;

typedef struct EchoCandidateValue {
  EchoValueState state;
  bool is_read;       /* by a backward node */
  uint32_t component; /* candidates linked by cheap ops have one number; ECHO_NONE for others */
} EchoCandidateValue;

typedef struct EchoCandidateNode {
  double ns;     /* of running it once more, inside another kernel */
  bool is_cheap; /* it may run again, is no contraction, and takes a time that is small beside the
                    bytes it frees */
} EchoCandidateNode;

typedef struct EchoCandidates {
  const EchoGraph *graph;
  uint32_t boundary; /* nodes from here on are the backward part */
  uint32_t n_components;
  double bytes_per_ns; /* of the device's memory */
  EchoCandidateValue *values;
  EchoCandidateNode *nodes;
  EchoArena *scratch; /* where all of this lives, and what is decided about it while it is */
} EchoCandidates;

/* Whether the op of a node may run again at all: it is pure. */
bool echo_node_is_recomputable(const EchoGraph *graph, uint32_t node);

/* O(nodes + operands). Lives until `scratch` is reset. */
void echo_candidates_create(EchoCandidates *candidates, const EchoGraph *graph,
                            const EchoBlockInterface *interface, const EchoDeviceModel *device,
                            EchoArena *scratch);

#ifdef __cplusplus
}
#endif

#endif
