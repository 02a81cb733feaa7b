/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: the bodies of loops and the branches of a function, each planned like a
 * step of its own: its order, its candidates, its curve. The block around it takes from that curve
 * what leaves it below its own target. The invariant: no body reads a value of another block but
 * through its inputs, so a plan of one holds whatever is decided about the others. Not the
 * function's own block. */
#ifndef ECHO_ECHO_PASS_BODIES_T_H
#define ECHO_ECHO_PASS_BODIES_T_H

#include "echo_pass/search_t.h"

/* One block: of a control op, or the function's own. */
typedef struct EchoBody {
  EchoBlock *block;
  EchoGraph written; /* in the order of the text */
  EchoGraph graph;   /* in the one that recompute is looked for in: of its start */
  EchoBlockInterface interface;
  EchoCandidates candidates;
  EchoCurve curve; /* its best point is what was decided */
  EchoFrontier frontier;
} EchoBody;

/* A point of one of the bodies of a region. */
typedef struct EchoRegionPoint {
  uint32_t body, point;
} EchoRegionPoint;

/* A region of a control op: its block as it was searched from each start, one after the other. */
typedef struct EchoPlannedRegion {
  EchoBody bodies[ECHO_N_STARTS];
  uint32_t n_bodies;
  ECHO_VECTOR(EchoRegionPoint) frontier; /* of all of them, as that of one curve */
  uint32_t chosen;                       /* the body whose curve has what was decided */
} EchoPlannedRegion;

/* A control op, with what its regions come to together. */
typedef struct EchoControl {
  const EchoOp *op; /* gone once its step is rewritten, where nothing reads it */
  uint32_t n_regions;
  EchoPlannedRegion *regions;
  EchoRegionLevel *levels;
  uint32_t n_levels;
} EchoControl;

typedef struct EchoBodies {
  EchoArena *scratch;
  ECHO_VECTOR(EchoControl) controls; /* innermost first */
  EchoMap control_of_op;
  uint64_t n_ops; /* of the whole function: what the work is shared among */
} EchoBodies;

/* Plans all bodies inside `function`. False after an error: a value without a static size, or of
 * the policy. Destroy with echo_bodies_destroy in either case; it lives until `scratch` is reset.
 * Cost: a search each from each start; they share the work of one. */
bool echo_bodies_create(EchoBodies *bodies, EchoOp *function, const EchoSearchOptions *options,
                        EchoArena *scratch);
void echo_bodies_destroy(EchoBodies *bodies);

/* Of a block whose own bodies are planned, with its written graph and its interface: its graph in
 * the order of the options' start, what the control nodes of both hold, and its candidates with
 * their menus. */
void echo_body_prepare(const EchoBodies *bodies, EchoBody *body, const EchoSearchOptions *options);
/* The block of `body` once more, from the next start, which the options then name with the part of
 * the work that it gets. False, with nothing made, where there is no other order, nothing to decide
 * or nothing asked for. */
bool echo_body_prepare_next(const EchoBodies *bodies, const EchoBody *body, EchoBody *next,
                            EchoSearchOptions *options);
void echo_body_destroy(EchoBody *body);
/* Carries out what was decided, in the order that was decided on where the options name none.
 * Returns how many groups are recomputed. */
size_t echo_body_rewrite(EchoBody *body, const EchoFusionOptions *fusion);

/* Decides for all bodies what the choice of the function's block leaves to them. */
void echo_bodies_decide(EchoBodies *bodies, const EchoCandidates *candidates,
                        const EchoChoice *choice);
/* Of the constants of all bodies that stand beside the arena. */
uint64_t echo_bodies_constant_bytes(const EchoBodies *bodies);
/* One remark a candidate of each body, as it was decided on; innermost first. */
void echo_bodies_explain(const EchoBodies *bodies);
/* Of the regions of `op`, as they were decided on, the one with the highest peak. */
const EchoBody *echo_bodies_highest(const EchoBodies *bodies, const EchoOp *op);
/* Calls `see` with each body that was decided on, what it holds first. */
void echo_bodies_for_chosen(const EchoBodies *bodies, void (*see)(void *user, const EchoBody *body),
                            void *user);
/* Carries that out, before the function's own block is rewritten. Returns how many groups are
 * recomputed. */
size_t echo_bodies_rewrite(EchoBodies *bodies, const EchoFusionOptions *fusion);

#endif
