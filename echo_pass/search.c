/* Prices from dear to cheap, then heavy ops too; each choice is applied whole and then taken back
 * where nothing is lost. */
#include "echo_pass/search.h"

#include "planning/order.h"

#include <stdlib.h>

typedef struct Evaluation {
  uint64_t peak_bytes;
  double seconds;
} Evaluation;

typedef struct Searcher {
  const EchoCandidates *candidates;
  const EchoBlockInterface *interface;
  const EchoSearchOptions *options;
  EchoCurve *curve;
} Searcher;

/* The best order's peak, and the time of what it fuses to. */
static Evaluation evaluate_graph(const Searcher *searcher, const EchoGraph *graph)
{
  Evaluation evaluation;
  EchoGraph permuted;
  uint32_t *order = echo_alloc_array(graph->nodes.size + 1, sizeof(uint32_t));
  evaluation.peak_bytes = echo_order_best(graph, searcher->interface, order).best_bytes;
  echo_graph_permute(graph, order, &permuted);
  EchoFusion fusion;
  EchoFusionOptions options = {.enabled = true};
  echo_fusion_create(&fusion, &permuted, &options);
  evaluation.seconds = echo_fusion_seconds(&permuted, &fusion, &searcher->options->rates);
  echo_fusion_destroy(&fusion);
  echo_graph_destroy(&permuted);
  echo_free(order);
  return evaluation;
}

static Evaluation evaluate(const Searcher *searcher, const EchoChoice *choice,
                           const bool *is_active)
{
  EchoGraph echoed;
  echo_choice_apply(choice, searcher->candidates, is_active, &echoed);
  Evaluation evaluation = evaluate_graph(searcher, &echoed);
  echo_graph_destroy(&echoed);
  return evaluation;
}

/* ---- taking back ---- */

typedef struct GroupValue {
  uint32_t group;
  double bytes, seconds;
} GroupValue;

static int compare_groups(const void *a, const void *b)
{
  const GroupValue *x = a, *y = b;
  double left = x->bytes / x->seconds, right = y->bytes / y->seconds; /* least first */
  if (left != right)
    return left < right ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

static GroupValue *rank_groups(const Searcher *searcher, const EchoChoice *choice)
{
  const EchoGraph *graph = searcher->candidates->graph;
  GroupValue *ranked = echo_alloc_zero(choice->n_groups + 1u, sizeof(GroupValue));
  for (uint32_t g = 0; g < choice->n_groups; ++g)
    ranked[g] = (GroupValue){.group = g, .seconds = 1e-9};
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (choice->group[v] != ECHO_NONE && choice->is_recomputed[v]) {
      GroupValue *group = &ranked[choice->group[v]];
      group->seconds += searcher->candidates->seconds[graph->values.data[v].def] + 1e-9;
      if (searcher->candidates->is_read[v])
        group->bytes += (double)graph->values.data[v].bytes;
    }
  qsort(ranked, choice->n_groups, sizeof(GroupValue), compare_groups);
  return ranked;
}

#define MAX_SINGLE_TRIES 48

/* Switches ranked groups [begin, end) off where the peak stays at or below `limit`; halves where it
 * does not. */
static void take_back(const Searcher *searcher, EchoPoint *point, const GroupValue *ranked,
                      uint64_t limit)
{
  typedef struct Range {
    uint32_t begin, end;
  } Range;
  ECHO_VECTOR(Range) ranges = {0};
  uint32_t n_tries = 0;
  if (point->choice.n_groups != 0)
    echo_vector_push(&ranges, (Range){0, point->choice.n_groups});
  while (ranges.size != 0 && n_tries < MAX_SINGLE_TRIES) {
    Range range = echo_vector_pop(&ranges);
    for (uint32_t i = range.begin; i < range.end; ++i)
      point->is_active[ranked[i].group] = false;
    Evaluation without = evaluate(searcher, &point->choice, point->is_active);
    ++n_tries;
    if (without.peak_bytes <= limit && without.seconds <= point->seconds) {
      point->peak_bytes = without.peak_bytes;
      point->seconds = without.seconds;
      continue;
    }
    for (uint32_t i = range.begin; i < range.end; ++i)
      point->is_active[ranked[i].group] = true;
    if (range.end - range.begin < 2)
      continue;
    uint32_t middle = range.begin + (range.end - range.begin) / 2;
    echo_vector_push(&ranges, (Range){middle, range.end});
    echo_vector_push(&ranges, (Range){range.begin, middle}); /* the least worth first */
  }
  echo_vector_destroy(&ranges);
}

/* ---- the curve ---- */

static void point_destroy(EchoPoint *point)
{
  echo_choice_destroy(&point->choice);
  echo_free(point->is_active);
}

static void add_point(Searcher *searcher, const EchoCutOptions *cut)
{
  EchoCurve *curve = searcher->curve;
  EchoPoint point = {0};
  echo_choice_create(&point.choice, searcher->candidates);
  if (cut != NULL) {
    if (cut->policy == ECHO_CUT_GREEDY)
      echo_choice_greedy(&point.choice, searcher->candidates);
    else
      echo_choice_cut(&point.choice, searcher->candidates, cut);
    echo_choice_cut_chains(&point.choice, searcher->candidates, curve->off_bytes / 64);
  }
  echo_choice_group(&point.choice, searcher->candidates);
  point.is_active = echo_alloc_array(point.choice.n_groups + 1u, sizeof(bool));
  memset(point.is_active, true, point.choice.n_groups + 1u);
  Evaluation evaluation = evaluate(searcher, &point.choice, point.is_active);
  point.peak_bytes = evaluation.peak_bytes;
  point.seconds = evaluation.seconds;
  if (cut != NULL && point.choice.n_groups != 0) {
    if (point.peak_bytes >= curve->off_bytes) {
      point_destroy(&point);
      return;
    }
    GroupValue *ranked = rank_groups(searcher, &point.choice);
    take_back(searcher, &point, ranked, point.peak_bytes);
    echo_free(ranked);
  }
  echo_vector_push(&curve->points, point);
}

/* The same point with less: whole groups given back, least worth first, until the price fits. */
static void add_cheaper_points(Searcher *searcher, size_t index, double limit_seconds)
{
  EchoCurve *curve = searcher->curve;
  if (curve->points.data[index].seconds <= limit_seconds)
    return;
  EchoPoint point = {0};
  const EchoPoint *from = &curve->points.data[index];
  size_t n_values = searcher->candidates->graph->values.size + 1;
  echo_choice_create(&point.choice, searcher->candidates);
  memcpy(point.choice.is_recomputed, from->choice.is_recomputed, n_values * sizeof(bool));
  memcpy(point.choice.is_step, from->choice.is_step, n_values * sizeof(bool));
  memcpy(point.choice.group, from->choice.group, n_values * sizeof(uint32_t));
  point.choice.n_groups = from->choice.n_groups;
  point.is_active = echo_alloc_array(point.choice.n_groups + 1u, sizeof(bool));
  memcpy(point.is_active, from->is_active, point.choice.n_groups * sizeof(bool));
  GroupValue *ranked = rank_groups(searcher, &point.choice);
  for (uint32_t i = 0; i < point.choice.n_groups; ++i) {
    if (!point.is_active[ranked[i].group])
      continue;
    point.is_active[ranked[i].group] = false;
    Evaluation evaluation = evaluate(searcher, &point.choice, point.is_active);
    point.peak_bytes = evaluation.peak_bytes;
    point.seconds = evaluation.seconds;
    if (evaluation.seconds <= limit_seconds)
      break;
  }
  echo_free(ranked);
  if (point.seconds <= limit_seconds && point.peak_bytes < curve->off_bytes && point.seconds > 0)
    echo_vector_push(&curve->points, point);
  else
    point_destroy(&point);
}

/* Prices in bytes a second, dear to cheap; the first is what a fast memory writes in a second. */
static const double PRICES[] = {2e11, 2e10, 2e9, 0};
#define N_PRICES (sizeof PRICES / sizeof PRICES[0])

static void choose(EchoCurve *curve, const EchoSearchOptions *options)
{
  double limit = curve->off_seconds * (1 + options->overhead);
  curve->fits = false;
  curve->best = 0;
  for (size_t i = 0; i < curve->points.size; ++i) {
    const EchoPoint *point = &curve->points.data[i], *best = &curve->points.data[curve->best];
    bool is_lower = point->peak_bytes < best->peak_bytes ||
                    (point->peak_bytes == best->peak_bytes && point->seconds < best->seconds);
    if (options->goal == ECHO_GOAL_OVERHEAD) {
      if (point->seconds <= limit && is_lower)
        curve->best = i;
      curve->fits = true;
    } else if (options->goal == ECHO_GOAL_LEAST || !curve->fits) {
      if (is_lower)
        curve->best = i;
    }
    if (options->goal != ECHO_GOAL_BUDGET) {
      curve->fits = true;
    } else if (point->peak_bytes <= options->budget_bytes) {
      bool is_cheaper = point->seconds < best->seconds ||
                        (point->seconds == best->seconds && point->peak_bytes < best->peak_bytes);
      if (!curve->fits || is_cheaper)
        curve->best = i;
      curve->fits = true;
    }
  }
}

void echo_search(EchoCurve *curve, const EchoCandidates *candidates,
                 const EchoBlockInterface *interface, const EchoSearchOptions *options)
{
  *curve = (EchoCurve){0};
  Searcher searcher = {candidates, interface, options, curve};
  add_point(&searcher, NULL);
  curve->off_bytes = curve->points.data[0].peak_bytes;
  curve->off_seconds = curve->points.data[0].seconds;
  if (options->policy == ECHO_CUT_GREEDY) {
    EchoCutOptions cut = {.policy = ECHO_CUT_GREEDY};
    add_point(&searcher, &cut);
  } else {
    bool allow_heavy = options->goal != ECHO_GOAL_OVERHEAD;
    for (size_t heavy = 0; heavy <= (size_t)allow_heavy; ++heavy)
      for (size_t i = 0; i < N_PRICES; ++i) {
        EchoCutOptions cut = {ECHO_CUT_MIN, PRICES[i], heavy != 0};
        add_point(&searcher, &cut);
      }
  }
  if (options->goal == ECHO_GOAL_OVERHEAD)
    for (size_t i = 0, n = curve->points.size; i < n; ++i)
      add_cheaper_points(&searcher, i, curve->off_seconds * (1 + options->overhead));
  choose(curve, options);
}

void echo_curve_destroy(EchoCurve *curve)
{
  for (size_t i = 0; i < curve->points.size; ++i)
    point_destroy(&curve->points.data[i]);
  echo_vector_destroy(&curve->points);
}
