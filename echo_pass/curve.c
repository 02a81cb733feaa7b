/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Between proposals. Two choices mix by position: what stands before a place is decided by one,
 * what stands behind it by the other. Any mix is a choice: a recomputed value's operands are kept
 * or recomputed, whoever decided so. And groups are given back, least bytes for a nanosecond first.
 */
#include "echo_pass/search_state_t.h"

#include <stdlib.h>

#define MAX_MEASURED_CLASSES 24
#define MAX_PRUNED 2     /* proposals that are pruned of groups, the lowest ones */
#define N_PRUNED 7       /* points between a proposal and nothing */
#define MAX_MIXED 7      /* points between two neighbours, either way */
#define CURVE_PARTS 32   /* of the whole height of the curve: what lies closer needs no mix */
#define MIX_PARTS 64     /* of what two choices differ in: how finely a limit is met */
#define CLOSE_PARTS 2048 /* of the step's time: closer to a limit than that nobody looks */
#define N_MORE_ORDERS 2  /* mostly, of a point that was looked at in the first */
#define MAX_BEYOND 2     /* points beyond a limit that are mixed with the best within */

/* ---- the frontier ---- */

typedef struct Ranked {
  const EchoPoint *point;
  uint32_t index;
} Ranked;

static int compare_cheaper(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (echo_point_is_cheaper(x->point, y->point))
    return -1;
  if (echo_point_is_cheaper(y->point, x->point))
    return 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

void echo_frontier_find(const EchoSearcher *searcher, EchoFrontier *frontier)
{
  const EchoCurve *curve = searcher->curve;
  EchoArena *scratch = searcher->scratch;
  size_t n = 0;
  EchoArenaMark mark = echo_arena_mark(scratch);
  Ranked *ranked = ECHO_ARENA_ARRAY(scratch, Ranked, curve->points.size + 1);
  for (uint32_t i = 0; i < curve->points.size; ++i)
    if (i == 0 || i == searcher->nothing || i >= searcher->first_point)
      ranked[n++] = (Ranked){&curve->points.data[i], i};
  qsort(ranked, n, sizeof(Ranked), compare_cheaper);
  echo_vector_clear(&frontier->points);
  for (size_t i = 0; i < n; ++i)
    if (frontier->points.size == 0 ||
        ranked[i].point->peak_bytes <
            curve->points.data[echo_vector_last(&frontier->points)].peak_bytes)
      echo_vector_push(&frontier->points, ranked[i].index);
  echo_arena_reset(scratch, mark);
}

/* Every how many-th point of the frontier there is work for, in the orders that are left. */
static size_t find_stride(const EchoSearcher *searcher, size_t n_points)
{
  uint64_t end = 2 * searcher->max_work, each = searcher->candidates->graph->nodes.size + 1;
  uint64_t n_looks = end > searcher->work ? (end - searcher->work) / (each * N_MORE_ORDERS) : 0;
  return n_looks != 0 ? (n_points + n_looks - 1) / n_looks : n_points + 1;
}

void echo_frontier_evaluate(EchoSearcher *searcher, EchoFrontier *frontier)
{
  EchoCurve *curve = searcher->curve;
  for (bool is_final = false; !is_final;) {
    echo_frontier_find(searcher, frontier);
    is_final = true;
    size_t n = frontier->points.size, stride = find_stride(searcher, n);
    for (size_t i = stride - 1; i < n; i += stride) { /* the lowest is one of them, or near */
      EchoPoint *point = &curve->points.data[frontier->points.data[i]];
      is_final &= (searcher->orders & ~point->orders) == 0;
      echo_point_evaluate(searcher, point, searcher->orders);
      echo_curve_add_orders(searcher, frontier->points.data[i]);
    }
  }
}

/* ---- mixing ---- */

typedef struct Mix {
  size_t near, far;  /* points of the curve */
  bool is_far_first; /* what stands first is the far one's to decide */
} Mix;

/* `parts` of MIX_PARTS of the bytes that the two differ in go the far one's way. False where that
 * is a choice that was tried; else the point, evaluated, to be added. */
static bool make_mix(EchoSearcher *searcher, const Mix *mix, uint32_t parts, EchoPoint *point)
{
  const EchoGraph *graph = searcher->candidates->graph;
  const EchoPoint *near = &searcher->curve->points.data[mix->near];
  const EchoPoint *far = &searcher->curve->points.data[mix->far];
  double total = 0, seen = 0;
  for (uint32_t v = 0; v < graph->values.size; ++v)
    if (echo_choice_remakes(&near->choice, v) != echo_choice_remakes(&far->choice, v))
      total += (double)graph->values.data[v].bytes;
  uint32_t first = mix->is_far_first ? parts : MIX_PARTS - parts;
  echo_point_create(searcher, point);
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (echo_choice_remakes(&near->choice, v) != echo_choice_remakes(&far->choice, v))
      seen += (double)graph->values.data[v].bytes;
    bool is_far = (seen * MIX_PARTS <= total * first) == mix->is_far_first;
    const EchoChoice *from = is_far ? &far->choice : &near->choice;
    EchoChosenValue *chosen = &point->choice.values[v];
    chosen->is_recomputed = echo_choice_remakes(from, v);
    chosen->is_carried = chosen->is_recomputed && from->values[v].is_carried;
  }
  if (!echo_point_finish(searcher, point))
    return false;
  echo_point_evaluate(searcher, point, echo_point_best_order(near) | echo_point_best_order(far));
  return true;
}

/* What a mix that was not tried before comes to. */
typedef struct Tried {
  bool is_new;
  uint64_t peak_bytes, ns;
} Tried;

static Tried try_mix(EchoSearcher *searcher, const Mix *mix, uint32_t parts)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  Tried tried = {.is_new = make_mix(searcher, mix, parts, &point)};
  if (tried.is_new) {
    tried.peak_bytes = point.peak_bytes;
    tried.ns = point.ns;
    echo_curve_add(searcher, &point);
  }
  echo_arena_reset(searcher->scratch, mark);
  return tried;
}

/* Points all the way from one neighbour to the other, more where they are far apart. */
static void mix_neighbours(EchoSearcher *searcher, size_t near, size_t far)
{
  const EchoCurve *curve = searcher->curve;
  uint64_t gap = curve->points.data[near].peak_bytes - curve->points.data[far].peak_bytes;
  uint64_t wide = curve->points.data[0].peak_bytes / CURVE_PARTS + 1;
  uint32_t n = gap / wide < MAX_MIXED ? (uint32_t)(gap / wide) : MAX_MIXED;
  for (uint32_t i = 1; i <= n; ++i)
    for (int is_far_first = 1; is_far_first >= 0 && echo_search_has_work(searcher, 1);
         --is_far_first)
      try_mix(searcher, &(Mix){near, far, is_far_first != 0}, MIX_PARTS * i / (n + 1));
}

/* Where between two mixes the limit is met, were time a straight line; the middle without a limit.
 */
static uint32_t guess_parts(uint32_t low, uint32_t high, uint64_t low_ns, uint64_t high_ns,
                            uint64_t limit_ns)
{
  uint32_t between = (high - low) / 2;
  if (low_ns < limit_ns && limit_ns < high_ns)
    between =
        (uint32_t)((double)(high - low) * (double)(limit_ns - low_ns) / (double)(high_ns - low_ns));
  if (between == 0)
    between = 1;
  return low + (between < high - low ? between : high - low - 1);
}

/* Searches for where a mix begins to take more than `limit_ns`, or no more than `enough_bytes`:
 * time rises with the parts and the peak falls, near enough. By turns where a straight line meets
 * the limit and in the middle. */
static void fit_mix(EchoSearcher *searcher, const Mix *mix, uint64_t limit_ns,
                    uint64_t enough_bytes)
{
  uint64_t low_ns = searcher->curve->points.data[mix->near].ns;
  uint64_t high_ns = searcher->curve->points.data[mix->far].ns;
  uint64_t close_ns = searcher->usual_ns / CLOSE_PARTS;
  uint32_t low = 0, high = MIX_PARTS;
  bool is_guessed = true;
  for (; high - low > 1 && echo_search_has_work(searcher, 1); is_guessed = !is_guessed) {
    if (low_ns <= limit_ns && limit_ns - low_ns <= close_ns)
      return;
    uint32_t parts =
        is_guessed ? guess_parts(low, high, low_ns, high_ns, limit_ns) : low + (high - low) / 2;
    Tried tried = try_mix(searcher, mix, parts);
    bool is_past = tried.is_new && (tried.ns > limit_ns || tried.peak_bytes <= enough_bytes);
    *(is_past ? &high : &low) = parts; /* from what was tried before as little changes */
    if (tried.is_new)
      *(is_past ? &high_ns : &low_ns) = tried.ns;
  }
}

static void fit_mixes(EchoSearcher *searcher, size_t near, size_t far, uint64_t limit_ns,
                      uint64_t enough_bytes)
{
  fit_mix(searcher, &(Mix){near, far, true}, limit_ns, enough_bytes);
  fit_mix(searcher, &(Mix){near, far, false}, limit_ns, enough_bytes);
}

/* ---- giving classes back ---- */

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

static void set_class(EchoPoint *point, uint32_t class_number, bool is_active)
{
  for (uint32_t g = 0; g < point->choice.n_groups; ++g)
    if (point->choice.groups[g].class_number == class_number)
      point->choice.groups[g].is_active = is_active;
}

/* From the values alone, for choices of too many classes to try each. */
static void estimate_worth(const EchoSearcher *searcher, const EchoPoint *point, Worth *worth)
{
  const EchoCandidates *candidates = searcher->candidates;
  const EchoGraph *graph = candidates->graph;
  const EchoChoice *choice = &point->choice;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  double *ns = ECHO_ARENA_ARRAY(searcher->scratch, double, choice->n_classes);
  for (uint32_t c = 0; c < choice->n_classes; ++c)
    ns[c] = 0;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (choice->values[v].group == ECHO_NONE || !choice->values[v].is_recomputed)
      continue;
    uint32_t class_number = choice->groups[choice->values[v].group].class_number;
    ns[class_number] += candidates->nodes[graph->values.data[v].def].ns + 1;
    if (candidates->values[v].is_read)
      worth[class_number].bytes_per_ns += (double)graph->values.data[v].bytes;
  }
  for (uint32_t c = 0; c < choice->n_classes; ++c)
    worth[c].bytes_per_ns /= ns[c] + 1;
  echo_arena_reset(searcher->scratch, mark);
}

/* Gives back what the peak stands without, and fills worth[0 .. n_classes), least first. */
static void refine(EchoSearcher *searcher, EchoPoint *point, Worth *worth)
{
  uint32_t n_classes = point->choice.n_classes;
  uint64_t left = searcher->max_work > searcher->work ? searcher->max_work - searcher->work : 0;
  bool is_measured = n_classes <= MAX_MEASURED_CLASSES &&
                     n_classes * (uint64_t)searcher->candidates->graph->nodes.size < left / 4;
  for (uint32_t c = 0; c < n_classes; ++c)
    worth[c] = (Worth){c, 0};
  estimate_worth(searcher, point, worth);
  for (uint32_t c = 0; c < n_classes && is_measured; ++c) {
    uint64_t peak_bytes = point->peak_bytes, ns = point->ns;
    set_class(point, c, false);
    point->orders = point->copies = 0;
    echo_point_evaluate(searcher, point, echo_point_best_order(point));
    if (point->peak_bytes <= peak_bytes && point->ns <= ns)
      continue;
    double bytes = (double)point->peak_bytes - (double)peak_bytes;
    double saved_ns = (double)ns - (double)point->ns;
    worth[c].bytes_per_ns = saved_ns > 0 ? bytes / saved_ns : 1e300;
    set_class(point, c, true);
    point->peak_bytes = peak_bytes;
    point->ns = ns;
  }
  qsort(worth, n_classes, sizeof(Worth), compare_worth);
}

/* Active groups in the order in which they are given back. */
static uint32_t *rank_groups(const EchoSearcher *searcher, const EchoPoint *point,
                             const Worth *worth, uint32_t *n_ranked)
{
  const EchoChoice *choice = &point->choice;
  uint32_t *ranked = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, choice->n_groups);
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  uint32_t *rank = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, choice->n_classes);
  uint32_t *first = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, choice->n_classes + 1u);
  memset(first, 0, (choice->n_classes + 1u) * sizeof *first);
  for (uint32_t i = 0; i < choice->n_classes; ++i)
    rank[worth[i].class_number] = i;
  *n_ranked = 0;
  for (uint32_t g = 0; g < choice->n_groups; ++g)
    if (choice->groups[g].is_active) {
      ++first[rank[choice->groups[g].class_number] + 1];
      ++*n_ranked;
    }
  for (uint32_t i = 0; i < choice->n_classes; ++i)
    first[i + 1] += first[i];
  for (uint32_t g = 0; g < choice->n_groups; ++g)
    if (choice->groups[g].is_active)
      ranked[first[rank[choice->groups[g].class_number]]++] = g;
  echo_arena_reset(searcher->scratch, mark);
  return ranked;
}

/* To be changed: in no order yet. */
static void copy_to_change(const EchoSearcher *searcher, const EchoPoint *from, EchoPoint *to)
{
  echo_point_copy(searcher, from, to, searcher->scratch);
  to->orders = to->copies = 0;
}

/* Adds the point without the first groups of the ranking; returns its time. */
static uint64_t add_pruned(EchoSearcher *searcher, const EchoPoint *from, const uint32_t *ranked,
                           uint32_t n_given_back)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  copy_to_change(searcher, from, &point);
  for (uint32_t i = 0; i < n_given_back; ++i)
    point.choice.groups[ranked[i]].is_active = false;
  unsigned usual = echo_point_best_order(&searcher->curve->points.data[0]);
  echo_point_evaluate(searcher, &point, echo_point_best_order(from) | usual);
  echo_curve_add(searcher, &point);
  echo_arena_reset(searcher->scratch, mark);
  return point.ns;
}

/* Between the proposal at `index` and nothing: ever fewer groups. */
static void prune(EchoSearcher *searcher, size_t index)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  copy_to_change(searcher, &searcher->curve->points.data[index], &point);
  Worth *worth = ECHO_ARENA_ARRAY(searcher->scratch, Worth, point.choice.n_classes + 1u);
  uint32_t n_ranked;
  refine(searcher, &point, worth);
  uint32_t *ranked = rank_groups(searcher, &point, worth, &n_ranked);
  uint32_t n = n_ranked < N_PRUNED ? n_ranked : N_PRUNED;
  for (uint32_t i = 0; i <= n && echo_search_has_work(searcher, 1); ++i)
    add_pruned(searcher, &point, ranked, (uint32_t)((uint64_t)n_ranked * i / (n + 1)));
  echo_arena_reset(searcher->scratch, mark);
}

/* ---- the curve ---- */

/* How many of those proposed, up to the `n`-th, stand before the one at `index` by peak. */
static size_t n_lower(const EchoSearcher *searcher, size_t index, size_t n)
{
  const EchoCurve *curve = searcher->curve;
  size_t count = 0;
  const EchoPoint *point = &curve->points.data[index];
  for (size_t i = searcher->first_point; i < n; ++i)
    count += i != index && (echo_point_is_lower(&curve->points.data[i], point) ||
                            (i < index && !echo_point_is_lower(point, &curve->points.data[i])));
  return count;
}

static void prune_lowest(EchoSearcher *searcher, size_t n_proposed)
{
  for (size_t i = searcher->first_point; i < n_proposed && echo_search_has_work(searcher, 1); ++i)
    if (n_lower(searcher, i, n_proposed) < MAX_PRUNED)
      prune(searcher, i);
}

/* All of it: what a budget asks for may lie anywhere. And as little of the lowest point as keeps
 * its peak. */
static void fill_everywhere(EchoSearcher *searcher, EchoFrontier *frontier)
{
  echo_frontier_find(searcher, frontier);
  for (size_t i = 0; i + 1 < frontier->points.size; ++i)
    mix_neighbours(searcher, frontier->points.data[i], frontier->points.data[i + 1]);
  echo_frontier_find(searcher, frontier);
  size_t lowest = echo_vector_last(&frontier->points);
  uint64_t enough_bytes = searcher->curve->points.data[lowest].peak_bytes;
  enough_bytes += enough_bytes / ECHO_LOWEST_SLACK;
  for (size_t i = 1; i <= MAX_BEYOND && i < frontier->points.size; ++i)
    fit_mixes(searcher, frontier->points.data[frontier->points.size - 1 - i], lowest, UINT64_MAX,
              enough_bytes);
}

/* Overheads that people ask for. Where there is work to fill the whole curve, the last are part of
 * it. */
static const double LIMITS[] = {0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3};
#define N_LIMITS (sizeof LIMITS / sizeof LIMITS[0])
#define N_FAR_LIMITS 2

/* The lowest point within a limit, and one beyond it. */
typedef struct Gap {
  size_t near, far;
  uint64_t limit_ns;
  double gain; /* bytes that a mix at the limit would be lower, were the curve a straight line */
} Gap;

/* Of a limit with the `n_beyond`-th point beyond; no gain where there is none. */
static Gap find_gap(const EchoSearcher *searcher, const EchoFrontier *frontier, double overhead,
                    size_t n_beyond)
{
  const EchoCurve *curve = searcher->curve;
  Gap gap = {.limit_ns = (uint64_t)((double)searcher->usual_ns * (1 + overhead))};
  size_t within = 0;
  while (within + 1 < frontier->points.size &&
         curve->points.data[frontier->points.data[within + 1]].ns <= gap.limit_ns)
    ++within;
  if (within + n_beyond >= frontier->points.size)
    return gap;
  gap.near = frontier->points.data[within];
  gap.far = frontier->points.data[within + n_beyond];
  const EchoPoint *near = &curve->points.data[gap.near], *far = &curve->points.data[gap.far];
  if (near->ns < gap.limit_ns)
    gap.gain = (double)(near->peak_bytes - far->peak_bytes) * (double)(gap.limit_ns - near->ns) /
               (double)(far->ns - near->ns);
  return gap;
}

/* As much as fits of what lies beyond each limit, where that promises most first. */
static void fill_at_limits(EchoSearcher *searcher, EchoFrontier *frontier)
{
  Gap tried[N_LIMITS * MAX_BEYOND] = {0};
  size_t n_limits = searcher->is_repeated ? N_LIMITS : N_LIMITS - N_FAR_LIMITS;
  for (size_t n = 0; n < n_limits * MAX_BEYOND; ++n) {
    Gap best = {0};
    size_t chosen = 0;
    echo_frontier_find(searcher, frontier);
    for (size_t i = 0; i < n_limits * MAX_BEYOND; ++i) {
      Gap gap = find_gap(searcher, frontier, LIMITS[i / MAX_BEYOND], 1 + i % MAX_BEYOND);
      bool is_tried = tried[i].near == gap.near && tried[i].far == gap.far;
      if (is_tried || gap.gain <= best.gain)
        continue;
      best = gap;
      chosen = i;
    }
    if (best.gain == 0 || !echo_search_has_work(searcher, 1))
      return;
    tried[chosen] = best;
    fit_mixes(searcher, best.near, best.far, best.limit_ns, 0);
  }
}

/* The same points whatever is asked for. */
void echo_curve_fill(EchoSearcher *searcher, EchoFrontier *frontier)
{
  size_t n_proposed = searcher->curve->points.size;
  if (!searcher->is_repeated) { /* else that was done where layers are few */
    uint64_t max_work = searcher->max_work;
    echo_frontier_evaluate(searcher, frontier);
    searcher->max_work = max_work / 2; /* what lies between is left as much */
    echo_curve_climb(searcher, frontier);
    if (!searcher->is_for_comparison) /* what a policy is compared by is its own */
      echo_curve_refine(searcher, frontier);
    searcher->max_work = max_work;
    prune_lowest(searcher, n_proposed);
  }
  fill_at_limits(searcher, frontier);
  fill_everywhere(searcher, frontier);
}
