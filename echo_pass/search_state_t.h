/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: one search while it runs. Work is counted
 * in nodes looked at, so that a search stops where it stops on every machine. */
#ifndef ECHO_ECHO_PASS_SEARCH_STATE_T_H
#define ECHO_ECHO_PASS_SEARCH_STATE_T_H

#include "base/map.h"
#include "echo_pass/fold_t.h"
#include "echo_pass/search_t.h"

/* What one graph came to, in the orders that it was looked at in. */
typedef struct EchoTry {
  uint32_t n_nodes;
  unsigned orders; /* bits 1 << policy */
  uint64_t bytes_in[ECHO_N_ORDER_POLICIES], ns_in[ECHO_N_ORDER_POLICIES],
      hash_in[ECHO_N_ORDER_POLICIES]; /* as those of a point */
} EchoTry;

/* All graphs that were looked at. */
typedef struct EchoKnownGraphs {
  ECHO_VECTOR(EchoTry) tries;
  EchoMap try_of_graph;    /* by hash of the graph that a choice makes */
  EchoMap graph_of_choice; /* by hash of a choice that was looked at: that hash */
} EchoKnownGraphs;

/* A point that a policy proposed, until it is tried. */
typedef struct EchoProposal {
  EchoPoint point;
  unsigned orders; /* in which it is looked at */
  bool wants_work; /* it is dropped where half of the work is done by then */
} EchoProposal;

typedef struct EchoSearcher {
  const EchoCandidates *candidates;
  EchoArena *scratch; /* the candidates' own: of one try, given back after it */
  const EchoBlockInterface *interface;
  const EchoSearchOptions *options;
  EchoCurve *curve;
  const EchoPolicy *policy; /* that is asked */
  EchoFold *fold;           /* of the graph, where layers repeat; NULL: they do not */
  bool is_repeated;         /* a large graph whose layers repeat: few of them are searched for it */
  bool is_for_comparison;   /* that one is ours, but not the default */
  const EchoCurve *beside;  /* that it is compared with: where that has what is as good as all that
                               the policy proposes, nothing is looked for in between; NULL: it is
                               not known yet */
  size_t first_point;       /* of the curve that it proposed */
  ECHO_VECTOR(uint32_t)
  found;         /* where regions have levels: the frontier of each policy, and of
                    each setting nothing */
  EchoMap known; /* choices tried so far, by hash */
  EchoKnownGraphs known_graphs;
  bool regions_at_least;     /* a new point has the regions of control nodes at their lowest */
  uint32_t nothing;          /* point of the curve: nothing recomputed beside such regions */
  unsigned first_orders;     /* in which a proposal is looked at */
  unsigned orders;           /* in which what is on the frontier is looked at */
  EchoGraph echoed, ordered; /* of one try, and what it comes to: room for the next */
  EchoOrders tried_orders;
  EchoEstimate estimate;
  uint64_t usual_ns; /* of doing nothing in our order: however the text was ordered */
  uint64_t limit_ns;
  uint64_t work, max_work; /* nodes of the graphs evaluated */
  ECHO_VECTOR(EchoProposal) waiting;
  EchoArena waiting_memory;   /* of their choices */
  struct EchoHelper *helpers; /* by thread of the options' pool; NULL before the first look ahead */
  unsigned n_helpers;
} EchoSearcher;

/* Whether less than max_work / parts is done. */
static inline bool echo_search_has_work(const EchoSearcher *searcher, uint64_t parts)
{
  return searcher->work < searcher->max_work / parts;
}

/* ---- proposals.c ---- */

/* Takes a point whose choice is made and tries it: a copy joins the curve unless it is known or no
 * better than nothing. */
void echo_search_propose(EchoSearcher *searcher, EchoPoint *point);
/* The same, its chains cut where asked to, by the time that all that waits is taken up, in turn: as
 * if each had been tried at once. `wants_work`: not where half of the work is done by then. */
void echo_search_propose_soon(EchoSearcher *searcher, EchoPoint *point, bool cuts_chains,
                              bool wants_work);
void echo_search_take_up(EchoSearcher *searcher);

/* ---- search.c ---- */

EchoSearcher echo_searcher_of(EchoCurve *curve, const EchoCandidates *candidates,
                              const EchoBlockInterface *interface,
                              const EchoSearchOptions *options);
/* Doing nothing, in the ways that there are, is what the curve begins with. */
void echo_search_nothing(EchoSearcher *searcher);
/* What it has beside what it found; it is destroyed all the same. */
void echo_searcher_give_back(EchoSearcher *searcher);
void echo_searcher_destroy(EchoSearcher *searcher);
/* What one policy proposes and what lies between: as if no other had been asked. False after an
 * error. */
bool echo_search_policy(EchoSearcher *searcher, const EchoPolicy *policy, uint64_t work,
                        EchoFrontier *frontier);

/* ---- search_repeated.c ---- */

/* Finds what repeats, in the scratch arena of the candidates; `work` is what a search of few
 * repetitions may take. Destroy the fold with echo_fold_destroy in any case. */
void echo_search_fold(EchoSearcher *searcher, EchoFold *fold, uint64_t work);
/* Searches few repetitions, for as much work, and carries over what no earlier start undercuts.
 * False where that is nothing: then this start has nothing more to find. */
bool echo_search_carry_folded(EchoSearcher *searcher, uint64_t work);
/* What the whole graph is searched for, of as much work. */
uint64_t echo_search_work_beside_folded(const EchoSearcher *searcher, uint64_t work);

/* ---- search_policies.c ---- */

/* All policies that there are to be searched, as much as `work` says. False after an error. */
bool echo_search_policies(EchoSearcher *searcher, uint64_t work, EchoFrontier *frontier);

/* ---- evaluate.c: points ---- */

/* A point on trial lives in the scratch arena: whoever makes one takes the mark and resets to it.
 * Nothing recomputed yet: the caller decides, then calls finish, which groups, and is false when
 * that choice is known already. */
void echo_point_create(const EchoSearcher *searcher, EchoPoint *point);
bool echo_point_finish(EchoSearcher *searcher, EchoPoint *point);
/* Whether finish would be false. */
bool echo_point_is_known(const EchoSearcher *searcher, const EchoPoint *point);
/* The copy's choice lives in `arena`. */
void echo_point_copy(const EchoSearcher *searcher, const EchoPoint *from, EchoPoint *to,
                     EchoArena *arena);

/* Peak and time by the one model of fusion and storage, in each order of the set (bits 1 << policy)
 * that was not looked at yet; the lowest peak stands. O(orders * n log n). Whoever changes a point
 * clears its `orders` and `copies`. */
void echo_point_evaluate(EchoSearcher *searcher, EchoPoint *point, unsigned wanted);
/* An estimate of `echoed`, the graph of the point, in the order given: it is not made again. */
void echo_point_note_given(EchoSearcher *searcher, const EchoPoint *point, const EchoGraph *echoed,
                           const EchoEstimate *estimate);
#define ECHO_ALL_ORDERS ((1u << ECHO_N_ORDER_POLICIES) - 1)
static inline unsigned echo_n_orders(unsigned orders)
{
  unsigned n = 0;
  for (; orders != 0; orders &= orders - 1)
    ++n;
  return n;
}
static inline unsigned echo_point_best_order(const EchoPoint *point)
{
  return 1u << point->order;
}
/* What the point comes to. The caller destroys both. */
void echo_point_estimate_create(const EchoSearcher *searcher, const EchoPoint *point,
                                EchoGraph *ordered, EchoEstimate *estimate);
/* Size of the arena that the point comes to, packed as plan-memory packs it. */
uint64_t echo_point_arena_bytes(const EchoSearcher *searcher, const EchoPoint *point);

/* Lower peak, or as low in less time; in less time, or in as much with a lower peak. */
bool echo_point_is_lower(const EchoPoint *a, const EchoPoint *b);
bool echo_point_is_cheaper(const EchoPoint *a, const EchoPoint *b);
/* A copy of the point joins the curve where its peak is below that of doing nothing. */
void echo_curve_add(EchoSearcher *searcher, const EchoPoint *point);
/* Copies of a point of the curve join it for the orders in which it takes less time. */
void echo_curve_add_orders(EchoSearcher *searcher, size_t index);

/* ---- look_ahead.c ---- */

/* A point that is about to be evaluated in some orders, and, once it was looked at, what it comes
 * to. The point need not be finished. */
typedef struct EchoLook {
  const EchoPoint *point;
  unsigned orders; /* bits 1 << policy */
  uint64_t choice_hash, graph_hash;
  EchoTry found;
} EchoLook;

/* Something else that is to be done by then; it may touch all of the searcher but what is known of
 * graphs. */
typedef struct EchoOwnTask {
  void (*run)(void *user);
  void *user;
} EchoOwnTask;

/* How many points can be looked at side by side: 1 on one thread. */
unsigned echo_search_n_looks(const EchoSearcher *searcher);
/* Looks at the points, on several threads where there are some and it pays; what they come to is
 * then known. Reorders the looks. `own` is run in any case; NULL: nothing. */
void echo_search_look_ahead(EchoSearcher *searcher, EchoLook *looks, size_t n,
                            const EchoOwnTask *own);
void echo_search_destroy_helpers(EchoSearcher *searcher);

/* What a look finds, by what is known to `searcher` and in the room of `helper`; and makes it known
 * (evaluate.c). */
void echo_point_look(EchoSearcher *helper, const EchoSearcher *searcher, EchoLook *look);
void echo_search_take_look(EchoSearcher *searcher, const EchoLook *look);

/* ---- orders.c ---- */

/* What is done with a point in one order, `own_order`, which lives as long as the call; false where
 * the others need not be looked at. The searcher's room for a try holds the graph and the
 * estimate. */
typedef bool (*EchoOrderVisit)(void *user, const EchoPoint *point, const EchoGraph *ordered,
                               const EchoEstimate *estimate);
/* All orders there are of a point whose choice is made, as far as the work goes. */
void echo_point_visit_orders(EchoSearcher *searcher, const EchoPoint *point, uint64_t max_work,
                             EchoOrderVisit visit, void *user);
/* A copy of the order that lives as long as the curve. */
const uint32_t *echo_point_keep_order(const EchoSearcher *searcher, const EchoPoint *point,
                                      const EchoGraph *ordered);
/* Copies of the point join the curve for orders that are none of the policies, where no point
 * undercuts them: of all orders there are, as far as the work goes. */
void echo_point_try_orders(EchoSearcher *searcher, const EchoPoint *point, uint64_t max_work);

/* ---- frontier.c ---- */

/* The frontier of doing nothing and of the points from first_point on, looked at in all orders: for
 * as much work again as the search has. Finds it anew, until that changes nothing. */
void echo_frontier_evaluate(EchoSearcher *searcher, EchoFrontier *frontier);
/* Those of the points that are there. */
void echo_frontier_find(const EchoSearcher *searcher, EchoFrontier *frontier);
/* The lowest points in all orders, on the frontier or not: what is the least depends on the order.
 */
void echo_curve_evaluate_lowest(EchoSearcher *searcher);

/* Whether a point that may be on the frontier is better in one of both and no worse in the other:
 * then none that comes to this will ever be on it. */
bool echo_curve_undercuts(const EchoSearcher *searcher, uint64_t peak_bytes, uint64_t ns);
/* Whether any point of the curve is as good in both. */
bool echo_curve_has_as_good(const EchoCurve *curve, uint64_t peak_bytes, uint64_t ns);
/* Gives back what such points from first_point on live in. With menus they stay, for they may come
 * to something at other levels. What is left has other numbers, in the same order. */
void echo_curve_drop_undercut(EchoSearcher *searcher);

/* ---- curve.c: the points between proposals ---- */

/* Adds points between those of the frontier and below it, value by value (refine.c). */
void echo_curve_refine(EchoSearcher *searcher, EchoFrontier *frontier);
/* Adds points between those of the frontier, piece by piece (ladder.c). */
void echo_curve_climb(EchoSearcher *searcher, const EchoFrontier *frontier);
/* Drops what is undercut and adds mixes of what is left, two points at a time. */
void echo_curve_mix(EchoSearcher *searcher, EchoFrontier *frontier);
/* Adds points between those that a policy proposed: by the two above, by giving groups back, mixed.
 */
void echo_curve_fill(EchoSearcher *searcher, EchoFrontier *frontier);

/* ---- levels.c ---- */

/* Adds, where control nodes have menus, what the points found come to with each region at the
 * cheapest level that stays below a target, for all targets. What another policy undercuts is one
 * of them: with other levels it need not be. Cost of an estimate a point. */
void echo_curve_add_levels(EchoSearcher *searcher);

/* ---- swap_choice.c ---- */

/* Betters what was chosen without swaps: the curve's best point and its swaps. False, and
 * least_bytes, when nothing fits. A bounded number of estimates and plans of swaps. */
bool echo_curve_choose_with_swaps(EchoSearcher *searcher, const EchoFrontier *frontier);

#endif
