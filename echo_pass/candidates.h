/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the Echo pass may decide about: values with a gap in their life and what those are computed
 * from. Gaps count where many of them meet: a step turns back there, once for each of its losses,
 * microbatches or passes over its gradients. What is forward and what is backward
 * plays no part. The invariant: a value is a candidate only if keeping it takes arena bytes of its
 * own. Analysis only. */
#ifndef ECHO_ECHO_PASS_CANDIDATES_H
#define ECHO_ECHO_PASS_CANDIDATES_H

#include "base/arena.h"
#include "planning/cost/runtime.h"
#include "planning/schedule/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum EchoValueState {
  ECHO_VALUE_OTHER, /* it has no gap, and nothing that has one is computed from it */
  ECHO_VALUE_FREE,  /* there anyway: inputs, results, constants and what kernels make out of
                       constants */
  ECHO_VALUE_BRIEF, /* it waits, but at no turn, or what does is computed from it: recomputed where
                       what stands at a peak is looked at (refine.c), and else kept */
  ECHO_VALUE_CANDIDATE /* kept or recomputed */
} EchoValueState;

typedef struct EchoCandidateValue {
  EchoValueState state;
  bool is_read;    /* behind its gap, which is at a turn */
  bool is_derived; /* a candidate that maps make of what is there anyway (biases, masks, counters
                      of random numbers): it joins a chain anywhere and is on no way */
  bool is_behind;  /* made of what is on its way at a turn, up to what waits for a later one */
  bool is_turned;  /* what waits there: computing it again would turn once more */
  uint32_t last_early;  /* the last node before its gap that reads it, or the one that makes it; the
                           last of all where it has no gap */
  uint32_t brief_early; /* of what is not read behind a turn: the last reader before the gap in
                           which most kernels of weight run; ECHO_NONE without one */
  uint32_t held_until;  /* it stands in the arena up to this node when everything is kept; ECHO_NONE
                           where it takes no bytes of it */
  uint32_t component;   /* candidates linked by cheap ops have one number; ECHO_NONE for others */
} EchoCandidateValue;

typedef struct EchoCandidateNode {
  double ns;     /* of running it once more, inside another kernel */
  bool is_cheap; /* it may run again, is no contraction, and takes a time that is small beside the
                    bytes it frees */
  uint32_t menu; /* of a control node: which one is its own; ECHO_NONE without a choice */
} EchoCandidateNode;

/* What the regions of a control node come to, all trips of a loop together. */
typedef struct EchoRegionLevel {
  uint64_t bytes, ns;
  const EchoBranchTakes *takes; /* of a branch, as its node has them; NULL for a loop */
} EchoRegionLevel;

/* A control node whose regions are planned by themselves (echo_pass/bodies_t.h) and may come to
 * less than they do now. */
typedef struct EchoRegionMenu {
  uint32_t node;
  uint32_t n_levels;
  const EchoRegionLevel *levels; /* at level 0 nothing is computed again; behind it in order of
                                    time, each lower than the one before */
} EchoRegionMenu;

typedef struct EchoCandidates {
  const EchoGraph *graph;
  uint64_t *live_bytes;  /* by node: of the arena while it runs, when everything is kept */
  uint32_t turn;         /* the node at which most bytes wait for later ones: where the step turns
                            back, mostly behind its loss */
  const uint32_t *turns; /* all of them, in order of execution */
  uint32_t n_turns;
  uint32_t n_components;
  double bytes_per_ns; /* of the device's memory */
  EchoCandidateValue *values;
  EchoCandidateNode *nodes;
  const EchoRegionMenu *menus; /* in block order; none before they are offered */
  uint32_t n_menus;
  EchoArena *scratch; /* where all of this lives, and what is decided about it while it is */
} EchoCandidates;

/* Whether the op of a node may run again at all: it is pure. */
bool echo_node_is_recomputable(const EchoGraph *graph, uint32_t node);
/* Whether a value is a candidate that is not made by an effect: those that are can only be kept. */
bool echo_candidate_may_run_again(const EchoCandidates *candidates, uint32_t value);

/* The graph stands in the order that it is to run in. O((nodes + operands) log n). Lives until
 * `scratch` is reset. */
void echo_candidates_create(EchoCandidates *candidates, const EchoGraph *graph,
                            const EchoBlockInterface *interface, const EchoFusionOptions *fusion,
                            const EchoDeviceModel *device, EchoArena *scratch);

/* Whether `node` stands behind the gap of `value`: if that is computed again, it reads the clone.
 */
static inline bool echo_candidate_is_late(const EchoCandidates *candidates, uint32_t value,
                                          uint32_t node)
{
  return node > candidates->values[value].last_early;
}

/* Whether a value is recomputed in any plan. */
static inline bool echo_candidate_is_choice(const EchoCandidates *candidates, uint32_t value)
{
  EchoValueState state = candidates->values[value].state;
  return state == ECHO_VALUE_CANDIDATE || state == ECHO_VALUE_BRIEF;
}

/* Whether a value is a candidate that is not derived. */
static inline bool echo_candidate_is_on_way(const EchoCandidates *candidates, uint32_t value)
{
  const EchoCandidateValue *entry = &candidates->values[value];
  return entry->state == ECHO_VALUE_CANDIDATE && !entry->is_derived;
}

#ifdef __cplusplus
}
#endif

#endif
