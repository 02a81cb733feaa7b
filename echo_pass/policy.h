/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A recompute policy (--echo=policy=NAME): which sets of values it would compute again rather than
 * keep. A policy only proposes. The search carries each proposal out on the whole plan (order,
 * fusion, storage), tries what lies between two of them, gives back what turns out not to be
 * needed, and answers for budget=, overhead=, swap= and explain. The invariant: no proposal changes
 * a bit of the results, and a bad one costs nothing but the time to try it. Our own policies are
 * rows of this kind (echo_pass/policies.c); a plugin brings others. */
#ifndef ECHO_ECHO_PASS_POLICY_H
#define ECHO_ECHO_PASS_POLICY_H

#include "planning/schedule/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One question to a policy: a training step, and where proposals go. Lives as long as the call. The
 * bodies of loops and the branches are asked about one by one, before the block around them. */
typedef struct EchoPolicyRun EchoPolicyRun;

typedef struct EchoPolicy {
  const char *name;    /* as in policy=NAME */
  const char *summary; /* one line */
  /* Proposes as often as it likes (echo_policy_propose), best first, for the work may end. The
   * same step must get the same proposals. False after an error (echo_op_error), which ends the
   * compile. */
  bool (*propose)(EchoPolicyRun *run);
  bool asks_for_least; /* without budget= and overhead= the lowest peak is sought, not the lowest
                          within 2 % */
} EchoPolicy;

/* ---- what a policy sees ---- */

/* A value that takes bytes of its own and has a gap in its life, mostly from the forward part to
 * the backward part, or that such values are made of. Numbered from 0 in block order: what a
 * candidate is made of has a smaller number. Arguments and constants are there anyway and are no
 * candidates. */
typedef struct EchoPolicyCandidate {
  const EchoOp *op;        /* computes it; its source location is op->loc */
  uint64_t bytes;          /* that keeping it takes */
  double recompute_ns;     /* of computing it once more, what it is made of being there */
  uint32_t region;         /* candidates that are linked by cheap ops have one number */
  uint32_t value;          /* its number in echo_policy_graph */
  uint32_t def;            /* the node that makes it; nodes are numbered in block order */
  uint32_t last_forward;   /* the last node before its gap that reads it; def when none does */
  uint32_t first_backward; /* the first node behind its gap that does; ECHO_NONE = none:
                              something made of it is read */
  bool may_rerun;          /* its op is pure */
  bool is_cheap; /* and its time is small beside the bytes that it frees: no contraction */
} EchoPolicyCandidate;

uint32_t echo_policy_n_candidates(const EchoPolicyRun *run);
const EchoPolicyCandidate *echo_policy_candidate(const EchoPolicyRun *run, uint32_t index);
/* The candidates that the op of candidate `index` reads, as often as it reads them: numbers, all
 * smaller than `index`. */
const uint32_t *echo_policy_inputs(const EchoPolicyRun *run, uint32_t index, uint32_t *n_inputs);
/* Live bytes of the arena while each node runs, when everything is kept and the order is the one
 * given; as many as the graph has nodes. */
const uint64_t *echo_policy_live_bytes(const EchoPolicyRun *run);
/* The whole step: nodes, values, ops. */
const EchoGraph *echo_policy_graph(const EchoPolicyRun *run);

/* ---- what it says ---- */

/* One proposal: is_recomputed has an entry a candidate; whatever is not recomputed is kept. With
 * `cuts_chains`, long chains of what is recomputed (the state of a recurrence) are cut by the
 * optimal checkpoints first. False after an error: a candidate that may not run again. A proposal
 * that was made before, or for which no work is left, is passed over. Cost: a look at the whole
 * graph. */
bool echo_policy_propose(EchoPolicyRun *run, const bool *is_recomputed, bool cuts_chains);

/* ---- by name ---- */

/* Makes a policy known in a context, for as long as that lives. False with the reason appended to
 * *error: no name, nothing to ask, or a name that is taken. */
bool echo_context_register_policy(EchoContext *ctx, const EchoPolicy *policy, EchoBuffer *error);
/* One of ours, or one that was registered; NULL when there is none of that name. */
const EchoPolicy *echo_policy_or_null(const EchoContext *ctx, EchoStr name);
/* Appends "mincut, greedy, chain or levels", with what was registered. */
void echo_policy_list_names(const EchoContext *ctx, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
