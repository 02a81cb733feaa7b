/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the Echo pass may decide about: the values of the forward part that the backward part reads,
 * and those they are computed from. The invariant: a value is a candidate only if keeping it takes
 * arena bytes of its own. Analysis only. */
#ifndef ECHO_ECHO_PASS_CANDIDATES_H
#define ECHO_ECHO_PASS_CANDIDATES_H

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

typedef struct EchoCandidates {
  const EchoGraph *graph;
  uint32_t boundary;   /* nodes from here on are the backward part */
  uint8_t *state;      /* EchoValueState by value */
  bool *is_read;       /* by value: a backward node reads it */
  double *ns;          /* by node: of running it once more, inside another kernel */
  double bytes_per_ns; /* of the device's memory */
  uint32_t *component; /* by value: candidates linked by cheap ops have one number; ECHO_NONE for
                          others */
  uint32_t n_components;
} EchoCandidates;

/* Whether the op of a node may run again at all (pure), and whether that is cheap: neither a
 * contraction nor anything whose time is not small beside the bytes it frees. */
bool echo_node_is_recomputable(const EchoGraph *graph, uint32_t node);
bool echo_node_is_cheap(const EchoCandidates *candidates, uint32_t node);

/* O(nodes + operands). Destroy with echo_candidates_destroy. */
void echo_candidates_create(EchoCandidates *candidates, const EchoGraph *graph,
                            const EchoBlockInterface *interface, const EchoDeviceModel *device);
void echo_candidates_destroy(EchoCandidates *candidates);

#ifdef __cplusplus
}
#endif

#endif
