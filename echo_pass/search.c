/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The search, one after the other:
 *   fold     where layers repeat: what the search on few of them decides, carried over
 *            (search_repeated.c)
 *   propose  what the policy proposes (echo_pass/policy.h), each applied whole and tried
 *            (proposals.c), on several threads where there are some (look_ahead.c)
 *   fill     points between the proposals (ladder.c, refine.c, curve.c), of each policy and then
 *            of all
 *   choose   the point that the options ask for, by the arena it really comes to */
#include "base/debug.h"
#include "echo_pass/policy_t.h"

/* Nodes of the graphs tried: some seconds. A large graph is tried a few times all the same, and a
 * small one no more often than a curve has use for. */
#define MAX_WORK 4000000
#define MIN_TRIES 32
#define MAX_TRIES 2000
#define MAX_IN_ALL_SETS                                                                            \
  10                /* candidates of which every set is tried, where that takes no more than */
#define ALL_SETS 32 /* this part of the work, orders of each set included */
#define LATE_PART 8 /* of the peak: an order that stands further above it is looked at no more */
#define OTHERS 8    /* the part of the work that a policy gets which is there for comparison, */
#define BETWEEN 3   /* and what lies between all of them */

/* ---- doing nothing ---- */

/* Doing nothing is done in the order in which it runs where nobody asks for memory. */
static void take_order_to_run_in(EchoPoint *nothing)
{
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES; ++policy) {
    uint64_t bytes = nothing->bytes_in[policy], ns = nothing->ns_in[policy];
    if (bytes == UINT64_MAX || !echo_order_is_better(bytes, ns, nothing->peak_bytes, nothing->ns))
      continue;
    nothing->peak_bytes = bytes;
    nothing->ns = ns;
    nothing->order = (EchoOrderPolicy)policy;
  }
}

/* What takes less than nothing as it is done, in more time, is a point like any. */
static void add_lower(EchoSearcher *searcher, const EchoPoint *nothing, const EchoPoint *other)
{
  EchoPoint added;
  if (other->peak_bytes >= nothing->peak_bytes)
    return;
  echo_point_copy(searcher, other, &added, &searcher->curve->memory);
  added.orders = added.copies = ECHO_ALL_ORDERS;
  echo_vector_push(&searcher->curve->points, added);
}

/* Which way of doing nothing stands for it: an order in the text may be better than ours, and what
 * nothing is done to stays as it is: of a loop the estimate is an upper bound, so that equal ones
 * may come to different plans. Where the options name an order, that is the one there is. */
static void add_nothing(EchoSearcher *searcher, const EchoPoint *in_orders)
{
  EchoPoint ours = *in_orders, written = ours, nothing;
  bool has_orders = searcher->options->fusion.order == NULL;
  written.as_written = has_orders ? searcher->options->written : NULL;
  bool is_branch = searcher->options->is_branch;
  if (has_orders && !is_branch)
    take_order_to_run_in(&ours);
  if (!searcher->regions_at_least)
    searcher->usual_ns = ours.ns;
  if (written.as_written != NULL) {
    written.orders = written.copies = 0;
    echo_point_evaluate(searcher, &written, 1u << ECHO_ORDER_GIVEN);
    written.orders = written.copies = ECHO_ALL_ORDERS; /* the others do not depend on the text */
  }
  bool is_written =
      written.as_written != NULL &&
      (is_branch ? written.peak_bytes <= ours.peak_bytes
                 : !echo_order_is_better(ours.peak_bytes, ours.ns, written.peak_bytes, written.ns));
  echo_point_copy(searcher, is_written ? &written : &ours, &nothing, &searcher->curve->memory);
  searcher->nothing = (uint32_t)searcher->curve->points.size;
  echo_vector_push(&searcher->found, searcher->nothing);
  echo_vector_push(&searcher->curve->points, nothing);
  if (written.as_written != NULL)
    add_lower(searcher, &nothing, &written);
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES && has_orders; ++policy) {
    ours.order = (EchoOrderPolicy)policy;
    ours.peak_bytes = ours.bytes_in[policy];
    ours.ns = ours.ns_in[policy];
    add_lower(searcher, &nothing, &ours);
  }
}

void echo_search_nothing(EchoSearcher *searcher)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  echo_point_create(searcher, &point);
  echo_point_finish(searcher, &point);
  echo_point_evaluate(searcher, &point, 1u << ECHO_ORDER_LATE);
  uint64_t late_bytes = point.peak_bytes;
  /* Through what moves operands is an order with a search of its own. */
  unsigned others = searcher->options->start == ECHO_START_THROUGH ? 0 : 1u << ECHO_ORDER_THROUGH;
  searcher->orders = ECHO_ALL_ORDERS & ~others;
  echo_point_evaluate(searcher, &point, searcher->orders);
  if (late_bytes - point.peak_bytes > point.peak_bytes / LATE_PART)
    searcher->orders &= ~(1u << ECHO_ORDER_LATE);
  /* Recompute moves work behind the peak, where running what shrinks at once pays. */
  searcher->first_orders = 1u << ECHO_ORDER_GIVEN | 1u << ECHO_ORDER_DEMAND | 1u << point.order;
  echo_point_evaluate(searcher, &point, others);
  add_nothing(searcher, &point);
  echo_arena_reset(searcher->scratch, mark);
}

/* Of what all searches may do together that of this graph, and no less than `least` before it is
 * parted among starts. */
static uint64_t share_of(uint64_t work, uint64_t least, const EchoGraph *graph,
                         const EchoSearchOptions *options)
{
  if (options->n_ops > graph->nodes.size)
    work = work * graph->nodes.size / options->n_ops;
  if (options->n_alternatives > 1)
    work /= options->n_alternatives;
  work = least > work ? least : work;
  return options->part != 0 ? work / options->part : work;
}

static uint64_t max_work(const EchoGraph *graph, const EchoSearchOptions *options)
{
  uint64_t n_nodes = graph->nodes.size;
  uint64_t most = MAX_TRIES * (options->n_ops > n_nodes ? options->n_ops : n_nodes);
  return share_of(most < MAX_WORK ? most : MAX_WORK, n_nodes * MIN_TRIES, graph, options);
}

uint64_t echo_search_limit_ns(const EchoSearchOptions *options, uint64_t off_ns)
{
  double ns = (double)off_ns * (1 + options->overhead);
  return ns < (double)UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

size_t echo_search_n_affordable(uint64_t n_ops)
{
  uint64_t least = n_ops * MIN_TRIES;
  return least == 0 || least > MAX_WORK ? 1 : (size_t)(MAX_WORK / least);
}

/* One of ours that is not the default. */
static bool is_for_comparison(const EchoPolicy *policy)
{
  for (size_t i = 1; ECHO_POLICIES[i] != NULL; ++i)
    if (ECHO_POLICIES[i] == policy)
      return true;
  return false;
}

EchoSearcher echo_searcher_of(EchoCurve *curve, const EchoCandidates *candidates,
                              const EchoBlockInterface *interface, const EchoSearchOptions *options)
{
  *curve = (EchoCurve){.swap_limit_bytes = UINT64_MAX};
  return (EchoSearcher){.candidates = candidates,
                        .scratch = candidates->scratch,
                        .interface = interface,
                        .options = options,
                        .curve = curve};
}

void echo_searcher_give_back(EchoSearcher *searcher)
{
  echo_map_destroy(&searcher->known);
  echo_map_destroy(&searcher->known_graphs.try_of_graph);
  echo_map_destroy(&searcher->known_graphs.graph_of_choice);
  echo_vector_destroy(&searcher->known_graphs.tries);
  echo_vector_destroy(&searcher->waiting);
  echo_arena_destroy(&searcher->waiting_memory);
  echo_graph_destroy(&searcher->echoed);
  echo_graph_destroy(&searcher->ordered);
  echo_orders_destroy(&searcher->tried_orders);
  echo_estimate_destroy(&searcher->estimate);
  echo_search_destroy_helpers(searcher);
}

void echo_searcher_destroy(EchoSearcher *searcher)
{
  echo_searcher_give_back(searcher);
  echo_vector_destroy(&searcher->found);
}

/* ---- small graphs ---- */

/* One set of candidates, in the orders of ours and then in others. */
static void try_set(EchoSearcher *searcher, const uint32_t *values, uint32_t n, uint32_t set,
                    uint64_t max_work)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  uint64_t before = searcher->work;
  echo_point_create(searcher, &point);
  for (uint32_t i = 0; i < n; ++i)
    point.choice.values[values[i]].is_recomputed = (set >> i & 1) != 0;
  echo_search_propose(searcher, &point);
  uint64_t done = searcher->work - before;
  if (done < max_work && searcher->options->fusion.order == NULL)
    echo_point_try_orders(searcher, &point, max_work - done);
  echo_arena_reset(searcher->scratch, mark);
}

/* Of few candidates every set: what the least is, then, is left to the order alone. */
static void propose_all_sets(EchoSearcher *searcher)
{
  const EchoCandidates *candidates = searcher->candidates;
  const EchoGraph *graph = candidates->graph;
  uint32_t values[MAX_IN_ALL_SETS], n = 0;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (!echo_candidate_may_run_again(candidates, v))
      continue;
    if (n == MAX_IN_ALL_SETS)
      return;
    values[n++] = v;
  }
  uint64_t max_work = share_of(MAX_WORK / ALL_SETS, 0, graph, searcher->options);
  uint64_t end = searcher->work + max_work;
  if ((graph->nodes.size * ECHO_N_ORDER_POLICIES << n) > max_work)
    return;
  unsigned first_orders = searcher->first_orders;
  searcher->first_orders = searcher->orders;
  echo_map_clear(&searcher->known);            /* they were not looked at in all orders */
  for (uint32_t set = 0; set < 1u << n; ++set) /* what one does not need is left to the others */
    try_set(searcher, values, n, set,
            end > searcher->work ? (end - searcher->work) / ((1u << n) - set) : 0);
  searcher->first_orders = first_orders;
}

/* ---- the policies ---- */

static void keep_found(EchoSearcher *searcher, const EchoFrontier *frontier)
{
  for (size_t i = 0; i < frontier->points.size && searcher->candidates->n_menus != 0; ++i)
    if (frontier->points.data[i] >= searcher->first_point)
      echo_vector_push(&searcher->found, frontier->points.data[i]);
}

/* Whether what the policy proposed is new, and not undercut by what it is compared with. */
static bool has_proposed(const EchoSearcher *searcher)
{
  const EchoCurve *curve = searcher->curve;
  for (size_t i = searcher->first_point; i < curve->points.size; ++i)
    if (searcher->beside == NULL ||
        !echo_curve_has_as_good(searcher->beside, curve->points.data[i].peak_bytes,
                                curve->points.data[i].ns))
      return true;
  return false;
}

bool echo_search_policy(EchoSearcher *searcher, const EchoPolicy *policy, uint64_t work,
                        EchoFrontier *frontier)
{
  searcher->policy = policy;
  searcher->first_point = searcher->curve->points.size;
  searcher->work = 0;
  searcher->is_for_comparison = is_for_comparison(policy);
  echo_map_clear(&searcher->known);
  if (policy == ECHO_POLICIES[0] && searcher->fold != NULL) {
    bool has_more = echo_search_carry_folded(searcher, work / 2);
    searcher->work = 0;
    work = has_more ? echo_search_work_beside_folded(searcher, work / 2) : 0;
  }
  searcher->max_work = searcher->is_for_comparison ? work / OTHERS : work;
  if (work == 0) { /* nothing is left to look for */
    echo_frontier_find(searcher, frontier);
    return true;
  }
  if (!echo_policy_ask(searcher))
    return false;
  if (searcher->is_for_comparison && !has_proposed(searcher))
    return true;
  echo_curve_fill(searcher, frontier);
  if (policy == ECHO_POLICIES[0])
    propose_all_sets(searcher);
  /* Where layers repeat each point stands in the order that was its best with few; those of the
   * policies that the default one is compared with come to nothing in others (ablation.md). */
  if (searcher->is_repeated || searcher->is_for_comparison)
    echo_frontier_find(searcher, frontier);
  else
    echo_frontier_evaluate(searcher, frontier);
  keep_found(searcher, frontier);
  return true;
}

/* What one policy decides in one place and another elsewhere: beside the default one all of ours
 * have proposed, from the point `first` on. A large graph whose layers repeat (is_repeated) is not
 * looked at so often. */
static void search_between(EchoSearcher *searcher, size_t first, uint64_t work,
                           EchoFrontier *frontier)
{
  if (searcher->options->policy != ECHO_POLICIES[0] || searcher->is_repeated)
    return;
  size_t n_before = searcher->curve->points.size;
  searcher->is_for_comparison = false;
  searcher->first_point = first;
  searcher->work = 0;
  searcher->max_work = work / BETWEEN;
  echo_curve_mix(searcher, frontier);
  searcher->max_work /= 2; /* what mixes leave of it is for orders, which may take twice as much */
  echo_frontier_evaluate(searcher, frontier);
  searcher->first_point = n_before; /* where regions have levels, none was dropped */
  keep_found(searcher, frontier);
}

static bool search_with_fold(EchoSearcher *searcher, uint64_t work, EchoFrontier *frontier)
{
  EchoFold fold = {0};
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  size_t first = searcher->curve->points.size;
  echo_search_fold(searcher, &fold, work / 2);
  bool is_fine = echo_search_policies(searcher, work, frontier);
  if (is_fine)
    search_between(searcher, first, work, frontier);
  searcher->fold = NULL;
  echo_fold_destroy(&fold);
  echo_arena_reset(searcher->scratch, mark);
  return is_fine;
}

/* Where regions have a choice, once as they are and once at their lowest: what else is worth
 * recomputing depends on it. */
static bool find_points(EchoSearcher *searcher, EchoFrontier *frontier)
{
  unsigned n_settings = searcher->candidates->n_menus != 0 ? 2 : 1;
  uint64_t work = max_work(searcher->candidates->graph, searcher->options) / n_settings;
  for (unsigned setting = 0; setting < n_settings; ++setting) {
    searcher->regions_at_least = setting != 0;
    echo_search_nothing(searcher);
    if (searcher->options->goal == ECHO_GOAL_NOTHING)
      return true;
    if (!search_with_fold(searcher, work, frontier))
      return false;
  }
  searcher->first_point = 0;
  echo_curve_add_levels(searcher);
  return true;
}

/* What levels were foretold to come to is looked at. */
static void find_frontier(EchoSearcher *searcher, EchoFrontier *frontier)
{
  searcher->work = 0;
  if (searcher->candidates->n_menus != 0)
    echo_frontier_evaluate(searcher, frontier);
  else
    echo_frontier_find(searcher, frontier);
}

/* ---- choosing ---- */

static uint64_t with_slack(uint64_t bytes)
{
  return bytes + bytes / ECHO_LOWEST_SLACK;
}

/* What the point is packed into. */
static uint64_t pack(const EchoSearcher *searcher, uint32_t index)
{
  EchoPoint *point = &searcher->curve->points.data[index];
  if (point->arena_bytes == 0)
    point->arena_bytes = echo_point_arena_bytes(searcher, point);
  return point->arena_bytes;
}

/* What is above it is no better than what is known, however well it packs. */
static uint64_t most_bytes(const EchoSearchOptions *options)
{
  bool is_budget = options->goal == ECHO_GOAL_BUDGET; /* there time decides */
  if (options->known_bytes == 0 || is_budget || options->allow_swap)
    return UINT64_MAX;
  return options->goal == ECHO_GOAL_LEAST ? with_slack(options->known_bytes) : options->known_bytes;
}

/* What doing nothing is packed into, or, where that cannot be better than what is known, what it
 * takes at least. */
static uint64_t pack_nothing(const EchoSearcher *searcher)
{
  uint64_t least_bytes = searcher->curve->points.data[0].peak_bytes;
  return least_bytes > most_bytes(searcher->options) ? least_bytes : pack(searcher, 0);
}

/* Of the points that take no more than `limit_ns` the one whose arena is the smallest, and of equal
 * ones the cheapest; lowest bounds first: a bound that is larger than an arena ends the search.
 * Doing nothing is one of them, however well it packs. */
static void choose_least(const EchoSearcher *searcher, const EchoFrontier *frontier,
                         uint64_t off_bytes, uint64_t limit_ns)
{
  EchoCurve *curve = searcher->curve;
  uint64_t max_bytes = most_bytes(searcher->options);
  curve->best = 0;
  curve->least_bytes = off_bytes;
  for (size_t i = frontier->points.size; i-- > 0;) {
    const EchoPoint *point = &curve->points.data[frontier->points.data[i]];
    if (point->ns > limit_ns)
      continue;
    if (point->peak_bytes > curve->least_bytes || point->peak_bytes > max_bytes)
      return;
    uint64_t bytes = pack(searcher, frontier->points.data[i]);
    if (bytes > curve->least_bytes || (bytes == off_bytes && point->ns >= curve->points.data[0].ns))
      continue;
    curve->best = frontier->points.data[i];
    curve->least_bytes = bytes;
  }
}

/* Points in order of time, each tried as it will be packed: the first that comes to no more becomes
 * the best. False when none does, or none in the time that is known to be enough. */
static bool find_first(const EchoSearcher *searcher, const EchoFrontier *frontier,
                       uint64_t limit_bytes, uint64_t limit_ns)
{
  EchoCurve *curve = searcher->curve;
  for (size_t i = 0; i < frontier->points.size; ++i) {
    const EchoPoint *point = &curve->points.data[frontier->points.data[i]];
    if (point->ns > limit_ns)
      return false;
    if (point->peak_bytes > limit_bytes || pack(searcher, frontier->points.data[i]) > limit_bytes)
      continue;
    curve->best = frontier->points.data[i];
    return true;
  }
  return false;
}

/* The order of the points does not depend on the budget, so a smaller budget can only lead further
 * along it: to a point that is packed no larger, for one that was packed smaller would have been
 * met before. What packs worse than doing nothing is never taken, however large the budget. */
static bool choose_cheapest(const EchoSearcher *searcher, const EchoFrontier *frontier,
                            uint64_t off_bytes)
{
  EchoCurve *curve = searcher->curve;
  const EchoSearchOptions *options = searcher->options;
  uint64_t budget_bytes = options->budget_bytes;
  bool is_known = options->known_bytes != 0 && !options->allow_swap;
  if (find_first(searcher, frontier, off_bytes < budget_bytes ? off_bytes : budget_bytes,
                 is_known ? options->known_ns : UINT64_MAX))
    return true;
  curve->best = 0;
  curve->least_bytes = off_bytes;
  if (is_known)
    return false;
  choose_least(searcher, frontier, off_bytes, UINT64_MAX);
  return curve->least_bytes <= budget_bytes;
}

/* The cheapest point of those that are as low as any, near enough: for the last kilobytes nobody
 * runs half a step again. */
static void choose_lowest(const EchoSearcher *searcher, const EchoFrontier *frontier,
                          uint64_t off_bytes)
{
  EchoCurve *curve = searcher->curve;
  choose_least(searcher, frontier, off_bytes, UINT64_MAX);
  uint64_t enough_bytes = with_slack(curve->least_bytes);
  if (curve->best != 0) /* else nothing is lower than doing nothing */
    find_first(searcher, frontier, enough_bytes < off_bytes ? enough_bytes : off_bytes, UINT64_MAX);
}

/* For ECHO_DEBUG=curve: bench/ reads it. */
static void show(const EchoCurve *curve, const EchoFrontier *frontier)
{
  for (size_t i = 0; i < frontier->points.size && echo_debug_enabled("curve", 1); ++i) {
    const EchoPoint *point = &curve->points.data[frontier->points.data[i]];
    echo_debug_print("curve", "%llu bytes, %llu ns", (unsigned long long)point->peak_bytes,
                     (unsigned long long)point->ns);
  }
}

/* A point of the frontier, which is the same whatever is asked for. */
static void choose(EchoSearcher *searcher, EchoFrontier *frontier)
{
  EchoCurve *curve = searcher->curve;
  curve->fits = true;
  if (searcher->options->goal == ECHO_GOAL_NOTHING)
    return;
  find_frontier(searcher, frontier);
  show(curve, frontier);
  uint64_t off_bytes = pack_nothing(searcher);
  if (searcher->options->goal == ECHO_GOAL_OVERHEAD)
    choose_least(searcher, frontier, off_bytes, searcher->limit_ns);
  else if (searcher->options->goal == ECHO_GOAL_LEAST)
    choose_lowest(searcher, frontier, off_bytes);
  else
    curve->fits = choose_cheapest(searcher, frontier, off_bytes);
  if (searcher->options->allow_swap)
    curve->fits = echo_curve_choose_with_swaps(searcher, frontier);
}

/* ---- the search ---- */

bool echo_search_frontier(EchoCurve *curve, EchoFrontier *frontier,
                          const EchoCandidates *candidates, const EchoBlockInterface *interface,
                          const EchoSearchOptions *options)
{
  EchoSearcher searcher = echo_searcher_of(curve, candidates, interface, options);
  *frontier = (EchoFrontier){0};
  bool is_fine = find_points(&searcher, frontier);
  if (is_fine)
    find_frontier(&searcher, frontier);
  echo_searcher_destroy(&searcher);
  return is_fine;
}

bool echo_search(EchoCurve *curve, const EchoCandidates *candidates,
                 const EchoBlockInterface *interface, const EchoSearchOptions *options)
{
  EchoSearcher searcher = echo_searcher_of(curve, candidates, interface, options);
  EchoFrontier frontier = {0};
  bool is_fine = find_points(&searcher, &frontier);
  if (is_fine) {
    searcher.limit_ns = options->limit_ns != 0
                            ? options->limit_ns
                            : echo_search_limit_ns(options, curve->points.data[0].ns);
    choose(&searcher, &frontier);
  }
  echo_vector_destroy(&frontier.points);
  echo_searcher_destroy(&searcher);
  return is_fine;
}

void echo_curve_destroy(EchoCurve *curve)
{
  echo_vector_destroy(&curve->points);
  echo_arena_destroy(&curve->memory);
  for (size_t i = 0; i < curve->joined.size; ++i)
    echo_arena_destroy(&curve->joined.data[i]);
  echo_vector_destroy(&curve->joined);
  echo_vector_destroy(&curve->folded.points);
}
