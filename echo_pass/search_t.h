/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The search for a choice that the whole plan confirms: cuts at several prices, each tried on the
 * one model of order, fusion and storage, mixed with each other and taken back group by group. The
 * invariant: the answer's peak is never above that of doing nothing, and a smaller budget never
 * gets a larger peak. Deterministic: nothing is cut short by time. */
#ifndef ECHO_ECHO_PASS_SEARCH_T_H
#define ECHO_ECHO_PASS_SEARCH_T_H

#include "base/thread_pool.h"
#include "echo_pass/choice.h"
#include "echo_pass/policy.h"
#include "echo_pass/starting_order.h"
#include "planning/schedule/order.h"

#define ECHO_SEARCH_LEAST_OPS 64 /* of a module whose search takes longer than starting threads */
#define ECHO_LOWEST_SLACK 4096   /* budget=min may stand this part above the lowest point */

typedef enum EchoGoal {
  ECHO_GOAL_OVERHEAD, /* the smallest peak within a price */
  ECHO_GOAL_BUDGET,   /* the cheapest point whose peak fits */
  ECHO_GOAL_LEAST,    /* the lowest peak, to 1/4096: of those as low the cheapest */
  ECHO_GOAL_NOTHING   /* nothing is recomputed */
} EchoGoal;

/* What few layers of a step came to where all of them repeat, from one start or several. */
typedef struct EchoFoldedPoint {
  uint64_t bytes, ns;
} EchoFoldedPoint;
typedef struct EchoFolded {
  ECHO_VECTOR(EchoFoldedPoint) points;
  size_t n_nodes; /* of the graph with few layers */
} EchoFolded;

typedef struct EchoSearchOptions {
  EchoGoal goal;
  const EchoPolicy *policy;
  double overhead;       /* fraction of the predicted time that may be added */
  uint64_t limit_ns;     /* instead, when it is not 0: the predicted time that must not be passed */
  uint64_t budget_bytes; /* of the arena */
  bool allow_swap;       /* values may also go to the host and back: for a budget or the least */
  uint64_t swap_budget_bytes; /* then: of the arena and of the state that may wait in the host */
  /* What another way to run the step comes to that does what is asked: of the arena, or, where the
   * budget is of the step, of all of it, and its time. What is chosen here may then be any point
   * that is no better. 0: there is none. */
  uint64_t known_bytes, known_ns;
  bool is_branch;        /* the block is one of alternatives: doing nothing weighs no time */
  size_t n_alternatives; /* searches that share the work with this one; 0 = none */
  uint64_t n_ops;        /* that the work is for: of all blocks searched; 0 = this one alone */
  EchoThreadPool *pool;  /* that looks ahead; NULL: one thread */
  EchoThreadPool *policy_pool;     /* that searches policies side by side; NULL: one thread */
  EchoStart start;                 /* in the order of which blocks are searched */
  uint64_t part;                   /* of the work: one in so many; 0 = all of it */
  const EchoFolded *folded_before; /* from the starts before this one; NULL: it is the first */
  EchoDeviceModel device;
  EchoFusionOptions fusion;
  const EchoGraph
      *written; /* the block in the order of the text, or NULL: one more way to do nothing */
} EchoSearchOptions;

/* One point of the curve of peak against time. */
typedef struct EchoPoint {
  uint64_t peak_bytes; /* of the arena: the bound of the plan */
  uint64_t ns;
  EchoOrderPolicy order; /* of those looked at the one with the lowest peak, of equals the first;
                            of a copy that stands for another order, that */
  unsigned orders;       /* looked at: bits 1 << policy */
  unsigned copies;       /* orders for which a copy was added to the curve */
  uint64_t bytes_in[ECHO_N_ORDER_POLICIES], ns_in[ECHO_N_ORDER_POLICIES]; /* where looked at */
  uint64_t hash_in[ECHO_N_ORDER_POLICIES]; /* of the order that it was; 0: none that was measured */
  EchoChoice choice;
  const EchoGraph *as_written; /* NULL, or what stands as it was written: nothing is chosen then */
  const uint32_t *own_order;   /* NULL, or its order, which no policy makes */
  uint64_t arena_bytes;        /* that it was packed into; 0: it was not */
} EchoPoint;

typedef struct EchoCurve {
  ECHO_VECTOR(EchoPoint) points; /* in order of discovery; points[0] recomputes nothing */
  EchoArena memory;              /* of their choices, */
  ECHO_VECTOR(EchoArena) joined; /* and of those that were found aside */
  EchoFolded folded;             /* for the starts after this one */
  size_t best;                   /* what the options ask for */
  bool fits;                     /* false: no point fits the budget; best is then the lowest */
  uint64_t least_bytes;          /* then: the arena of that point, and its state_bytes */
  uint64_t state_bytes;          /* of arguments that may wait in the host; 0 = no swaps allowed */
  uint64_t swap_limit_bytes;     /* that --swap is to bring the arena and those arguments to;
                                    UINT64_MAX = no swaps */
  uint64_t swap_ns;              /* what they add to the point's time */
} EchoCurve;

/* Points of a curve that no other one undercuts in both peak and time: in order of time, each lower
 * than the one before. */
typedef struct EchoFrontier {
  ECHO_VECTOR(uint32_t) points;
} EchoFrontier;

/* All points and, in all orders, those that no other one undercuts; nothing is chosen. False, and
 * destroyed, as with echo_search; the frontier is destroyed with echo_vector_destroy. */
bool echo_search_frontier(EchoCurve *curve, EchoFrontier *frontier,
                          const EchoCandidates *candidates, const EchoBlockInterface *interface,
                          const EchoSearchOptions *options);
/* What the price allows where the step takes `off_ns` with nothing recomputed, as it is planned
 * without Echo. */
uint64_t echo_search_limit_ns(const EchoSearchOptions *options, uint64_t off_ns);
/* How many searches of blocks with `n_ops` ops all together the work of one is enough for. */
size_t echo_search_n_affordable(uint64_t n_ops);
/* False after an error of the policy. Destroy with echo_curve_destroy in either case. Cost: some
 * tens of estimates of the graph, fewer for large ones. */
bool echo_search(EchoCurve *curve, const EchoCandidates *candidates,
                 const EchoBlockInterface *interface, const EchoSearchOptions *options);
void echo_curve_destroy(EchoCurve *curve);

/* The graph with the point carried out, in its order, or, where the options name one, in that.
 * Makes `ordered`, as echo_graph_create_like does; destroy with echo_graph_destroy. */
void echo_point_apply_in_order(const EchoPoint *point, const EchoCandidates *candidates,
                               const EchoBlockInterface *interface, const EchoFusionOptions *fusion,
                               EchoGraph *ordered);

/* The graph with the point carried out, not yet in its order. Makes `echoed`, as
 * echo_graph_create_like does; destroy with echo_graph_destroy. */
void echo_point_apply(const EchoPoint *point, const EchoCandidates *candidates, EchoGraph *echoed);

#endif
