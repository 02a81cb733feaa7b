/* The search, in four steps:
 *   propose  minimum cuts at several prices, nearest either side; chains cut; each applied whole
 * and tried refine   classes of equal groups given back where the peak stands without them; the
 * others measured one by one thin     groups given back, least bytes for a nanosecond first, to
 * make the points between a proposal and nothing choose   the point that the options ask for, by
 * the arena it really comes to */
#include "echo_pass/search.h"

#include "base/map.h"
#include "planning/offsets.h"

#include <stdlib.h>

#define MAX_MEASURED_CLASSES 64
#define MAX_WORKED_OUT 2 /* proposals that points are made between, the lowest ones */
#define N_THINNED 7      /* points between a proposal and nothing */

typedef struct Searcher {
  const EchoCandidates *candidates;
  const EchoBlockInterface *interface;
  const EchoSearchOptions *options;
  EchoCurve *curve;
  uint64_t chain_bytes; /* chains that hold less are left whole */
} Searcher;

typedef struct Evaluation {
  uint64_t peak_bytes, ns;
  EchoOrderPolicy order;
} Evaluation;

/* ---- trying ---- */

static Evaluation evaluate_order(const Searcher *searcher, const EchoGraph *graph,
                                 EchoOrderPolicy policy)
{
  Evaluation evaluation = {.order = policy};
  uint32_t *order = echo_alloc_array(graph->nodes.size + 1, sizeof(uint32_t));
  EchoGraph permuted;
  EchoEstimate estimate;
  echo_order_make(graph, searcher->interface, policy, order);
  echo_graph_permute(graph, order, &permuted);
  echo_estimate_create(&estimate, &permuted, searcher->interface, &searcher->options->fusion);
  evaluation.peak_bytes = estimate.storage.bound_bytes;
  evaluation.ns = echo_fusion_ns(&permuted, &estimate.fusion, &searcher->options->device);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&permuted);
  echo_free(order);
  return evaluation;
}

/* In the order that --schedule would choose. */
static Evaluation evaluate_all_orders(const Searcher *searcher, const EchoPoint *point)
{
  EchoGraph echoed;
  echo_choice_apply(&point->choice, searcher->candidates, point->is_active, &echoed);
  Evaluation best = evaluate_order(searcher, &echoed, ECHO_ORDER_GIVEN);
  for (int policy = 1; policy < ECHO_N_ORDER_POLICIES; ++policy) {
    Evaluation other = evaluate_order(searcher, &echoed, (EchoOrderPolicy)policy);
    if (other.peak_bytes < best.peak_bytes)
      best = other;
  }
  echo_graph_destroy(&echoed);
  return best;
}

/* In the order that was best for the whole proposal: an upper bound of what --schedule comes to. */
static Evaluation evaluate(const Searcher *searcher, const EchoPoint *point)
{
  EchoGraph echoed;
  echo_choice_apply(&point->choice, searcher->candidates, point->is_active, &echoed);
  Evaluation evaluation = evaluate_order(searcher, &echoed, point->order);
  echo_graph_destroy(&echoed);
  return evaluation;
}

static void record(EchoPoint *point, const Evaluation *evaluation)
{
  point->peak_bytes = evaluation->peak_bytes;
  point->ns = evaluation->ns;
  point->order = evaluation->order;
}

/* ---- points ---- */

static void point_destroy(EchoPoint *point)
{
  echo_choice_destroy(&point->choice);
  echo_free(point->is_active);
}

static EchoPoint point_copy(const Searcher *searcher, const EchoPoint *from)
{
  size_t n_values = searcher->candidates->graph->values.size + 1;
  EchoPoint point = *from;
  echo_choice_create(&point.choice, searcher->candidates);
  memcpy(point.choice.is_recomputed, from->choice.is_recomputed, n_values * sizeof(bool));
  memcpy(point.choice.is_step, from->choice.is_step, n_values * sizeof(bool));
  memcpy(point.choice.group, from->choice.group, n_values * sizeof(uint32_t));
  point.choice.n_groups = from->choice.n_groups;
  point.choice.n_classes = from->choice.n_classes;
  point.choice.class_of_group = echo_alloc_array(from->choice.n_groups + 1u, sizeof(uint32_t));
  memcpy(point.choice.class_of_group, from->choice.class_of_group,
         from->choice.n_groups * sizeof(uint32_t));
  point.is_active = echo_alloc_array(from->choice.n_groups + 1u, sizeof(bool));
  memcpy(point.is_active, from->is_active, from->choice.n_groups * sizeof(bool));
  return point;
}

static void set_class(EchoPoint *point, uint32_t class_number, bool is_active)
{
  for (uint32_t g = 0; g < point->choice.n_groups; ++g)
    if (point->choice.class_of_group[g] == class_number)
      point->is_active[g] = is_active;
}

/* ---- proposing ---- */

static uint64_t hash_choice(const Searcher *searcher, const EchoChoice *choice)
{
  size_t n_values = searcher->candidates->graph->values.size;
  return echo_hash_bytes(choice->is_step, n_values,
                         echo_hash_bytes(choice->is_recomputed, n_values, 0));
}

/* Adds the point of one cut unless it is known or no better than nothing. */
static void propose(Searcher *searcher, const EchoCutOptions *cut, bool cuts_chains, EchoMap *known)
{
  EchoCurve *curve = searcher->curve;
  EchoPoint point = {0};
  echo_choice_create(&point.choice, searcher->candidates);
  if (cut->policy == ECHO_CUT_GREEDY)
    echo_choice_greedy(&point.choice, searcher->candidates);
  else if (cut->policy == ECHO_CUT_CHAIN)
    echo_choice_chain(&point.choice, searcher->candidates, cut->side);
  else
    echo_choice_cut(&point.choice, searcher->candidates, cut);
  if (cuts_chains)
    echo_choice_cut_chains(&point.choice, searcher->candidates, searcher->chain_bytes);
  if (!echo_map_insert(known, hash_choice(searcher, &point.choice), 1)) {
    point_destroy(&point);
    return;
  }
  echo_choice_group(&point.choice, searcher->candidates);
  point.is_active = echo_alloc_array(point.choice.n_groups + 1u, sizeof(bool));
  memset(point.is_active, true, point.choice.n_groups + 1u);
  Evaluation evaluation = evaluate_all_orders(searcher, &point);
  record(&point, &evaluation);
  if (point.peak_bytes < curve->points.data[0].peak_bytes)
    echo_vector_push(&curve->points, point);
  else
    point_destroy(&point);
}

/* Prices, dear to cheap. At the first a byte kept is worth the arithmetic that takes as long as
 * moving it. */
static const double PRICES[] = {1, 0.25, 0.03125, 0};
#define N_PRICES (sizeof PRICES / sizeof PRICES[0])

static void propose_all(Searcher *searcher)
{
  EchoMap known = {0};
  EchoPoint nothing = {0};
  echo_choice_create(&nothing.choice, searcher->candidates);
  echo_choice_group(&nothing.choice, searcher->candidates);
  nothing.is_active = echo_alloc_zero(1, sizeof(bool));
  Evaluation evaluation = evaluate_all_orders(searcher, &nothing);
  record(&nothing, &evaluation);
  echo_map_set(&known, hash_choice(searcher, &nothing.choice), 1);
  echo_vector_push(&searcher->curve->points, nothing);
  searcher->chain_bytes = evaluation.peak_bytes / 64;
  if (searcher->options->policy != ECHO_CUT_MIN) {
    EchoCutOptions cut = {.policy = searcher->options->policy, .side = ECHO_CUT_NEAR_SINK};
    bool is_chain = cut.policy == ECHO_CUT_CHAIN;
    propose(searcher, &cut, !is_chain, &known);
    cut.side = ECHO_CUT_NEAR_SOURCE;
    if (is_chain)
      propose(searcher, &cut, false, &known);
  } else {
    bool tries_heavy = searcher->options->goal != ECHO_GOAL_OVERHEAD;
    for (int heavy = 0; heavy <= (int)tries_heavy; ++heavy)
      for (size_t i = 0; i < N_PRICES; ++i)
        for (int side = 0; side < 2; ++side) {
          EchoCutOptions cut = {ECHO_CUT_MIN, side == 0 ? ECHO_CUT_NEAR_SINK : ECHO_CUT_NEAR_SOURCE,
                                PRICES[i], heavy != 0};
          propose(searcher, &cut, true, &known);
          propose(searcher, &cut, false, &known);
        }
  }
  echo_map_destroy(&known);
}

/* ---- refining ---- */

/* What giving a class back costs in bytes for each nanosecond it saves. */
typedef struct Worth {
  uint32_t class_number;
  double bytes_per_ns;
} Worth;

static int compare_worth(const void *a, const void *b)
{
  const Worth *x = a, *y = b;
  if (x->bytes_per_ns != y->bytes_per_ns)
    return x->bytes_per_ns < y->bytes_per_ns ? -1 : 1;
  return x->class_number < y->class_number ? -1 : x->class_number > y->class_number;
}

/* From the values alone, for choices of too many classes to try each. */
static void estimate_worth(const Searcher *searcher, const EchoPoint *point, Worth *worth)
{
  const EchoGraph *graph = searcher->candidates->graph;
  const EchoChoice *choice = &point->choice;
  double *ns = echo_alloc_zero(choice->n_classes + 1u, sizeof(double));
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (choice->group[v] == ECHO_NONE || !choice->is_recomputed[v])
      continue;
    uint32_t class_number = choice->class_of_group[choice->group[v]];
    ns[class_number] += searcher->candidates->ns[graph->values.data[v].def] + 1;
    if (searcher->candidates->is_read[v])
      worth[class_number].bytes_per_ns += (double)graph->values.data[v].bytes;
  }
  for (uint32_t c = 0; c < choice->n_classes; ++c)
    worth[c].bytes_per_ns /= ns[c] + 1;
  echo_free(ns);
}

/* Gives back what the peak stands without, and fills worth[0 .. n_classes), least first. */
static void refine(const Searcher *searcher, EchoPoint *point, Worth *worth)
{
  uint32_t n_classes = point->choice.n_classes;
  for (uint32_t c = 0; c < n_classes; ++c)
    worth[c] = (Worth){c, 0};
  if (n_classes > MAX_MEASURED_CLASSES)
    estimate_worth(searcher, point, worth);
  for (uint32_t c = 0; c < n_classes && n_classes <= MAX_MEASURED_CLASSES; ++c) {
    set_class(point, c, false);
    Evaluation without = evaluate(searcher, point);
    if (without.peak_bytes <= point->peak_bytes && without.ns <= point->ns) {
      record(point, &without);
      continue;
    }
    set_class(point, c, true);
    double bytes = (double)without.peak_bytes - (double)point->peak_bytes;
    double ns = (double)point->ns - (double)without.ns;
    worth[c].bytes_per_ns = ns > 0 ? bytes / ns : 1e300;
  }
  qsort(worth, n_classes, sizeof(Worth), compare_worth);
}

/* ---- thinning ---- */

/* Active groups in the order in which they are given back. */
static uint32_t *rank_groups(const EchoPoint *point, const Worth *worth, uint32_t *n_ranked)
{
  uint32_t *ranked = echo_alloc_array(point->choice.n_groups + 1u, sizeof(uint32_t));
  uint32_t *rank = echo_alloc_array(point->choice.n_classes + 1u, sizeof(uint32_t));
  uint32_t *first = echo_alloc_zero(point->choice.n_classes + 2u, sizeof(uint32_t));
  for (uint32_t i = 0; i < point->choice.n_classes; ++i)
    rank[worth[i].class_number] = i;
  *n_ranked = 0;
  for (uint32_t g = 0; g < point->choice.n_groups; ++g)
    if (point->is_active[g]) {
      ++first[rank[point->choice.class_of_group[g]] + 1];
      ++*n_ranked;
    }
  for (uint32_t i = 0; i < point->choice.n_classes; ++i)
    first[i + 1] += first[i];
  for (uint32_t g = 0; g < point->choice.n_groups; ++g)
    if (point->is_active[g])
      ranked[first[rank[point->choice.class_of_group[g]]]++] = g;
  echo_free(first);
  echo_free(rank);
  return ranked;
}

static void add_thinned(Searcher *searcher, const EchoPoint *from, const uint32_t *ranked,
                        uint32_t n_given_back, uint64_t limit_ns)
{
  EchoPoint point = point_copy(searcher, from);
  for (uint32_t i = 0; i < n_given_back; ++i)
    point.is_active[ranked[i]] = false;
  Evaluation evaluation = evaluate_all_orders(searcher, &point);
  record(&point, &evaluation);
  if (point.peak_bytes < searcher->curve->points.data[0].peak_bytes && point.ns <= limit_ns)
    echo_vector_push(&searcher->curve->points, point);
  else
    point_destroy(&point);
}

static uint64_t ns_without(const Searcher *searcher, EchoPoint *point, const uint32_t *ranked,
                           uint32_t n_given_back)
{
  for (uint32_t i = 0; i < n_given_back; ++i)
    point->is_active[ranked[i]] = false;
  uint64_t ns = evaluate(searcher, point).ns;
  for (uint32_t i = 0; i < n_given_back; ++i)
    point->is_active[ranked[i]] = true;
  return ns;
}

/* The fewest groups to give back so that the time fits: time falls with each, near enough. */
static void fit_to_limit(Searcher *searcher, EchoPoint *point, const uint32_t *ranked,
                         uint32_t n_ranked, uint64_t limit_ns)
{
  uint32_t low = 0, high = n_ranked;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ns_without(searcher, point, ranked, middle) <= limit_ns)
      high = middle;
    else
      low = middle + 1;
  }
  for (uint32_t extra = 0; extra <= n_ranked / 64 + 1;
       ++extra) { /* another order may cost a little */
    size_t n_points = searcher->curve->points.size;
    if (low + extra < n_ranked)
      add_thinned(searcher, point, ranked, low + extra, limit_ns);
    if (searcher->curve->points.size != n_points)
      break;
  }
}

/* Between the proposal at `index` and nothing. */
static void add_points_below(Searcher *searcher, size_t index, uint64_t limit_ns)
{
  EchoPoint point = point_copy(searcher, &searcher->curve->points.data[index]);
  Worth *worth = echo_alloc_array(point.choice.n_classes + 1u, sizeof(Worth));
  uint32_t n_ranked;
  refine(searcher, &point, worth);
  uint32_t *ranked = rank_groups(&point, worth, &n_ranked);
  if (searcher->options->goal == ECHO_GOAL_OVERHEAD) {
    fit_to_limit(searcher, &point, ranked, n_ranked, limit_ns);
  } else {
    for (uint32_t i = 0; i <= N_THINNED; ++i)
      add_thinned(searcher, &point, ranked, (uint32_t)((uint64_t)n_ranked * i / (N_THINNED + 1)),
                  limit_ns);
  }
  echo_free(ranked);
  echo_free(worth);
  point_destroy(&point);
}

static bool is_lower(const EchoPoint *a, const EchoPoint *b)
{
  return a->peak_bytes != b->peak_bytes ? a->peak_bytes < b->peak_bytes : a->ns < b->ns;
}

/* How many of the first n points are lower than point `index`, or as good and before it. Points
 * alike in peak and time count as one. */
static size_t n_lower(const EchoCurve *curve, size_t index, size_t n)
{
  const EchoPoint *point = &curve->points.data[index];
  size_t count = 0;
  for (size_t i = 0; i < n; ++i)
    if (is_lower(&curve->points.data[i], point))
      ++count;
    else if (i < index && !is_lower(point, &curve->points.data[i]))
      return n;
  return count;
}

/* ---- choosing ---- */

/* Size of the arena that the point comes to, packed as plan-memory packs it. */
static uint64_t arena_bytes(const Searcher *searcher, const EchoPoint *point)
{
  EchoGraph echoed, permuted;
  EchoEstimate estimate;
  echo_choice_apply(&point->choice, searcher->candidates, point->is_active, &echoed);
  uint32_t *order = echo_alloc_array(echoed.nodes.size + 1, sizeof(uint32_t));
  echo_order_make(&echoed, searcher->interface, point->order, order);
  echo_graph_permute(&echoed, order, &permuted);
  echo_estimate_create(&estimate, &permuted, searcher->interface, &searcher->options->fusion);
  ECHO_VECTOR(EchoOffsetBlock) blocks = {0};
  for (size_t i = 0; i < estimate.storage.buffers.size; ++i) {
    const EchoBufferRange *range = &estimate.storage.buffers.data[i];
    EchoOffsetBlock block = {.lower = range->first_step,
                             .upper = (int64_t)range->last_step + 1,
                             .size_bytes = echo_align_up(range->bytes, ECHO_PLAN_ALIGNMENT),
                             .alignment = ECHO_PLAN_ALIGNMENT,
                             .fixed_offset = ECHO_OFFSET_FREE};
    if (range->kind == ECHO_BUFFER_ARENA)
      echo_vector_push(&blocks, block);
  }
  uint64_t *offsets = echo_alloc_array(blocks.size + 1, sizeof(uint64_t));
  EchoOffsetOptions options = {.policy = ECHO_OFFSETS_DEFAULT, .thrift = ECHO_OFFSETS_THRIFT};
  EchoOffsetResult result = {0};
  EchoBuffer error = {0};
  ECHO_CHECK(echo_offsets_assign(blocks.data, blocks.size, &options, offsets, &result, &error),
             "no plan: %s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  echo_free(offsets);
  echo_vector_destroy(&blocks);
  echo_estimate_destroy(&estimate);
  echo_graph_destroy(&permuted);
  echo_graph_destroy(&echoed);
  echo_free(order);
  return result.height_bytes > point->peak_bytes ? result.height_bytes : point->peak_bytes;
}

static bool is_cheaper(const EchoPoint *a, const EchoPoint *b)
{
  return a->ns != b->ns ? a->ns < b->ns : a->peak_bytes < b->peak_bytes;
}

/* The lowest point within the time, or of all. */
static size_t find_lowest(const EchoCurve *curve, uint64_t limit_ns)
{
  size_t best = 0;
  for (size_t i = 1; i < curve->points.size; ++i)
    if (curve->points.data[i].ns <= limit_ns &&
        is_lower(&curve->points.data[i], &curve->points.data[best]))
      best = i;
  return best;
}

/* Points in order of time, each tried as it will be packed; the first that fits. The order does not
 * depend on the budget, so a smaller budget can only lead further along it: to a point that is
 * packed no larger. */
static bool find_cheapest(const Searcher *searcher, uint64_t budget_bytes)
{
  EchoCurve *curve = searcher->curve;
  bool *is_tried = echo_alloc_zero(curve->points.size + 1, sizeof(bool));
  bool found = false;
  uint64_t reached = UINT64_MAX; /* lowest arena so far: later points must be below it */
  for (size_t n = 0; n < curve->points.size && !found; ++n) {
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < curve->points.size; ++i)
      if (!is_tried[i] &&
          (next == SIZE_MAX || is_cheaper(&curve->points.data[i], &curve->points.data[next])))
        next = i;
    is_tried[next] = true;
    if (curve->points.data[next].peak_bytes >= reached)
      continue;
    uint64_t bytes = arena_bytes(searcher, &curve->points.data[next]);
    if (bytes >= reached)
      continue;
    curve->best = next;
    curve->least_bytes = reached = bytes;
    found = bytes <= budget_bytes;
  }
  echo_free(is_tried);
  return found;
}

static void choose(const Searcher *searcher, uint64_t limit_ns)
{
  EchoCurve *curve = searcher->curve;
  curve->fits = true;
  curve->best =
      find_lowest(curve, searcher->options->goal == ECHO_GOAL_OVERHEAD ? limit_ns : UINT64_MAX);
  if (searcher->options->goal == ECHO_GOAL_BUDGET)
    curve->fits = find_cheapest(searcher, searcher->options->budget_bytes);
  else if (curve->best != 0 && arena_bytes(searcher, &curve->points.data[curve->best]) >
                                   arena_bytes(searcher, &curve->points.data[0]))
    curve->best = 0; /* it packs so badly that nothing is gained */
}

void echo_search(EchoCurve *curve, const EchoCandidates *candidates,
                 const EchoBlockInterface *interface, const EchoSearchOptions *options)
{
  *curve = (EchoCurve){0};
  Searcher searcher = {candidates, interface, options, curve, 0};
  propose_all(&searcher);
  uint64_t limit_ns = UINT64_MAX;
  if (options->goal == ECHO_GOAL_OVERHEAD)
    limit_ns = options->limit_ns != 0
                   ? options->limit_ns
                   : (uint64_t)((double)curve->points.data[0].ns * (1 + options->overhead));
  size_t n_proposed = curve->points.size;
  for (size_t i = 1; i < n_proposed; ++i)
    if (n_lower(curve, i, n_proposed) < MAX_WORKED_OUT)
      add_points_below(&searcher, i, limit_ns);
  choose(&searcher, limit_ns);
}

void echo_curve_destroy(EchoCurve *curve)
{
  for (size_t i = 0; i < curve->points.size; ++i)
    point_destroy(&curve->points.data[i]);
  echo_vector_destroy(&curve->points);
}
