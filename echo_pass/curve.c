/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Between proposals. Two choices mix by position: what stands before a place is decided by one,
 * what stands behind it by the other. Any mix is a choice: a recomputed value's operands are kept
 * or recomputed, whoever decided so. And groups are given back, least bytes for a nanosecond first.
 */
#include "echo_pass/search_state_t.h"

#include <math.h>
#include <stdlib.h>

#define MAX_MEASURED_CLASSES 24
#define MAX_PRUNED 2        /* proposals that are pruned of groups, the lowest ones */
#define N_PRUNED 7          /* points between a proposal and nothing */
#define MAX_MIXED 7         /* points between the two lowest, either way */
#define MAX_FILLS 256       /* mixes where straight lines promise most, */
#define CURVE_PARTS 256     /* as long as they promise this part of the peak */
#define FIRST_OVERHEAD 0.01 /* of the step's time: what is less is as good as nothing */
#define MIX_PARTS 64        /* of what two choices differ in: how finely a mix is aimed */
#define MAX_BEYOND 2        /* neighbours of the lowest point that it is thinned out towards */

/* ---- mixing ---- */

typedef struct Mix {
  size_t near, far;  /* points of the curve */
  bool is_far_first; /* what stands first is the far one's to decide */
} Mix;

/* A mix to be tried, and what it is worth to the curve. */
typedef struct Aim {
  Mix mix;
  uint32_t parts;
  double worth;
} Aim;

/* `parts` of MIX_PARTS of the bytes that the two differ in go the far one's way: not finished. */
static void make_mix(const EchoSearcher *searcher, const Mix *mix, uint32_t parts, EchoPoint *point)
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
    echo_choice_take_value(&point->choice, from, v);
  }
}

/* In which a mix is looked at. */
static unsigned orders_of(const EchoSearcher *searcher, const Mix *mix)
{
  const EchoPoint *points = searcher->curve->points.data;
  return echo_point_best_order(&points[mix->near]) | echo_point_best_order(&points[mix->far]);
}

static void look_ahead_at_mixes(EchoSearcher *searcher, const Aim *aims, size_t n)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint *points = ECHO_ARENA_ARRAY(searcher->scratch, EchoPoint, n + 1);
  EchoLook *looks = ECHO_ARENA_ARRAY(searcher->scratch, EchoLook, n + 1);
  size_t n_looks = 0;
  for (size_t i = 0; i < n; ++i) {
    make_mix(searcher, &aims[i].mix, aims[i].parts, &points[n_looks]);
    looks[n_looks] =
        (EchoLook){.point = &points[n_looks], .orders = orders_of(searcher, &aims[i].mix)};
    n_looks += !echo_point_is_known(searcher, &points[n_looks]);
  }
  echo_search_look_ahead(searcher, looks, n_looks, NULL);
  echo_arena_reset(searcher->scratch, mark);
}

/* What a mix that was not tried before comes to. */
typedef struct Tried {
  bool is_new;
  uint64_t peak_bytes;
} Tried;

/* Whether no order that the point was looked at in puts it on the frontier. Where regions have
 * levels, it may all the same come to something with others. */
static bool is_in_vain(const EchoSearcher *searcher, const EchoPoint *point)
{
  bool is_in_vain = searcher->candidates->n_menus == 0;
  for (unsigned policy = 0; policy < ECHO_N_ORDER_POLICIES && is_in_vain; ++policy)
    if ((point->orders >> policy & 1) != 0)
      is_in_vain = echo_curve_undercuts(searcher, point->bytes_in[policy], point->ns_in[policy]);
  return is_in_vain;
}

static Tried try_mix(EchoSearcher *searcher, const Mix *mix, uint32_t parts)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  make_mix(searcher, mix, parts, &point);
  Tried tried = {.is_new = echo_point_finish(searcher, &point)};
  if (tried.is_new) {
    echo_point_evaluate(searcher, &point, orders_of(searcher, mix));
    tried.peak_bytes = point.peak_bytes;
    if (!is_in_vain(searcher, &point))
      echo_curve_add(searcher, &point);
  }
  echo_arena_reset(searcher->scratch, mark);
  return tried;
}

/* As little of the far one as comes to no more than `enough_bytes`: the peak falls with the parts,
 * near enough. */
static void thin_mix(EchoSearcher *searcher, const Mix *mix, uint64_t enough_bytes)
{
  uint32_t low = 0, high = MIX_PARTS;
  while (high - low > 1 && echo_search_has_work(searcher, 1)) {
    uint32_t parts = low + (high - low) / 2;
    Tried tried = try_mix(searcher, mix, parts);
    *(tried.is_new && tried.peak_bytes <= enough_bytes ? &high : &low) = parts;
  }
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
    if (candidates->values[v].is_read || choice->values[v].is_brief)
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
  to->own_order = NULL;
}

/* The point without `n_given_back` of the ranking, the first ones. */
static void make_pruned(const EchoSearcher *searcher, const EchoPoint *from, const uint32_t *ranked,
                        uint32_t n_given_back, EchoPoint *point)
{
  copy_to_change(searcher, from, point);
  for (uint32_t i = 0; i < n_given_back; ++i)
    point->choice.groups[ranked[i]].is_active = false;
}

/* Ever fewer groups of the point. */
static void add_pruned(EchoSearcher *searcher, const EchoPoint *from, const uint32_t *ranked,
                       uint32_t n_ranked)
{
  EchoPoint points[N_PRUNED + 1];
  EchoLook looks[N_PRUNED + 1];
  uint32_t n = n_ranked < N_PRUNED ? n_ranked : N_PRUNED;
  unsigned orders = echo_point_best_order(from);
  orders |= echo_point_best_order(&searcher->curve->points.data[0]);
  for (uint32_t i = 0; i <= n; ++i) {
    make_pruned(searcher, from, ranked, (uint32_t)((uint64_t)n_ranked * i / (n + 1)), &points[i]);
    looks[i] = (EchoLook){.point = &points[i], .orders = orders};
  }
  if (echo_search_has_work(searcher, 1))
    echo_search_look_ahead(searcher, looks, n + 1, NULL);
  for (uint32_t i = 0; i <= n && echo_search_has_work(searcher, 1); ++i) {
    echo_point_evaluate(searcher, &points[i], orders);
    echo_curve_add(searcher, &points[i]);
  }
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
  add_pruned(searcher, &point, ranked, n_ranked);
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

/* Points are far fewer than 2^28. */
static uint64_t aim_key(const Aim *aim)
{
  return (uint64_t)aim->mix.near << 36 | (uint64_t)aim->mix.far << 8 | 2 * (uint64_t)aim->parts |
         aim->mix.is_far_first;
}

/* The frontier's lower hull, to `hull`: straight lines between these are the lowest. */
static void find_hull(const EchoSearcher *searcher, const EchoFrontier *frontier, uint32_t *hull)
{
  const EchoPoint *points = searcher->curve->points.data;
  size_t n = 0;
  for (size_t i = 0; i < frontier->points.size; ++i) {
    const EchoPoint *c = &points[frontier->points.data[i]];
    for (; n >= 2; --n) {
      const EchoPoint *a = &points[hull[n - 2]], *b = &points[hull[n - 1]];
      if ((double)(a->peak_bytes - b->peak_bytes) * (double)(c->ns - a->ns) >
          (double)(a->peak_bytes - c->peak_bytes) * (double)(b->ns - a->ns))
        break;
    }
    hull[n++] = frontier->points.data[i];
  }
}

/* What the frontier comes to from one point to the next, and the time in the middle of the step. */
typedef struct Gap {
  double bytes, ns;
  double width;
} Gap;

/* Takes the aim at the gap on the line between the two points when it is worth more. */
static void consider(const EchoSearcher *searcher, const EchoMap *tried, uint32_t near,
                     uint32_t far, const Gap *gap, Aim *best)
{
  const EchoPoint *a = &searcher->curve->points.data[near], *b = &searcher->curve->points.data[far];
  double along = (gap->ns - (double)a->ns) / (double)(b->ns - a->ns);
  double line = (double)a->peak_bytes - along * (double)(a->peak_bytes - b->peak_bytes);
  double gain = (gap->bytes - line) / gap->bytes;
  Aim aim = {{near, far, true}, (uint32_t)(along * MIX_PARTS), gain * gap->width};
  if (gain * CURVE_PARTS < 1 || aim.parts == 0 || aim.worth <= best->worth)
    return;
  if (echo_map_has(tried, aim_key(&aim)))
    aim.mix.is_far_first = false;
  if (!echo_map_has(tried, aim_key(&aim)))
    *best = aim;
}

/* The aim that is worth most, where the frontier's step from one point to the next stands highest
 * above a straight line between two points, one on either side: parts of the peak, times how far
 * the gap reaches, where from any added time to twice as much is as far, beyond the first hundredth
 * of the step. So what somebody asks for, be it 1 or 30 %, misses as little of what a line
 * promises. None has no worth. */
static Aim find_aim(const EchoSearcher *searcher, const EchoFrontier *frontier,
                    const EchoMap *tried)
{
  const EchoPoint *points = searcher->curve->points.data;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  uint32_t *hull = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, frontier->points.size + 1);
  size_t edge = 0;
  Aim best = {0};
  find_hull(searcher, frontier, hull);
  double start_ns = (double)points[frontier->points.data[0]].ns;
  start_ns -= (double)searcher->usual_ns * FIRST_OVERHEAD;
  for (size_t i = 0; i + 1 < frontier->points.size; ++i) {
    uint32_t near = frontier->points.data[i], far = frontier->points.data[i + 1];
    double from = (double)points[near].ns - start_ns, to = (double)points[far].ns - start_ns;
    double middle = sqrt(from * to);
    Gap gap = {(double)points[near].peak_bytes, start_ns + middle, (to - from) / middle};
    while (points[hull[edge + 1]].ns < points[far].ns)
      ++edge;
    consider(searcher, tried, hull[edge], hull[edge + 1], &gap, &best);
    consider(searcher, tried, near, far, &gap, &best);
  }
  echo_arena_reset(searcher->scratch, mark);
  return best;
}

/* At the aim, and at those that would be next if it came to nothing. */
static void look_ahead_at_aims(EchoSearcher *searcher, const EchoFrontier *frontier, EchoMap *tried,
                               EchoMap *ahead, Aim aim)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  size_t n_wanted = echo_search_n_looks(searcher), n = 0;
  Aim *aims = ECHO_ARENA_ARRAY(searcher->scratch, Aim, n_wanted);
  while (n < n_wanted && aim.worth > 0) {
    aims[n++] = aim;
    echo_map_set(tried, aim_key(&aim), 1);
    echo_map_set(ahead, aim_key(&aim), 1);
    aim = find_aim(searcher, frontier, tried);
  }
  look_ahead_at_mixes(searcher, aims, n);
  for (size_t i = 0; i < n; ++i)
    echo_map_erase(tried, aim_key(&aims[i]));
  echo_arena_reset(searcher->scratch, mark);
}

/* Wherever a straight line promises most. */
static void fill_gaps(EchoSearcher *searcher, EchoFrontier *frontier)
{
  EchoMap tried = {0}, ahead = {0};
  for (size_t n = 0; n < MAX_FILLS && echo_search_has_work(searcher, 1); ++n) {
    echo_frontier_find(searcher, frontier);
    Aim aim = find_aim(searcher, frontier, &tried);
    if (aim.worth <= 0)
      break;
    if (echo_search_n_looks(searcher) > 1 && !echo_map_has(&ahead, aim_key(&aim)))
      look_ahead_at_aims(searcher, frontier, &tried, &ahead, aim);
    echo_map_set(&tried, aim_key(&aim), 1);
    try_mix(searcher, &aim.mix, aim.parts);
  }
  echo_map_destroy(&tried);
  echo_map_destroy(&ahead);
}

/* A mix of the two lowest points may stand below both: all the way from one to the other. */
static void mix_lowest(EchoSearcher *searcher, EchoFrontier *frontier)
{
  echo_frontier_find(searcher, frontier);
  size_t n = frontier->points.size, n_aims = 0;
  Aim aims[2 * MAX_MIXED];
  if (n < 2)
    return;
  for (uint32_t i = 1; i <= MAX_MIXED; ++i)
    for (int is_far_first = 1; is_far_first >= 0; --is_far_first)
      aims[n_aims++] = (Aim){
          .mix = {frontier->points.data[n - 2], frontier->points.data[n - 1], is_far_first != 0},
          .parts = MIX_PARTS * i / (MAX_MIXED + 1)};
  if (echo_search_n_looks(searcher) > 1 && echo_search_has_work(searcher, 1))
    look_ahead_at_mixes(searcher, aims, n_aims);
  for (size_t i = 0; i < n_aims && echo_search_has_work(searcher, 1); ++i)
    try_mix(searcher, &aims[i].mix, aims[i].parts);
}

/* As little of the lowest point as keeps its peak. */
static void thin_lowest(EchoSearcher *searcher, EchoFrontier *frontier)
{
  echo_frontier_find(searcher, frontier);
  size_t lowest = echo_vector_last(&frontier->points);
  uint64_t enough_bytes = searcher->curve->points.data[lowest].peak_bytes;
  enough_bytes += enough_bytes / ECHO_LOWEST_SLACK;
  for (size_t i = 1; i <= MAX_BEYOND && i < frontier->points.size; ++i) {
    size_t near = frontier->points.data[frontier->points.size - 1 - i];
    thin_mix(searcher, &(Mix){near, lowest, true}, enough_bytes);
    thin_mix(searcher, &(Mix){near, lowest, false}, enough_bytes);
  }
}

/* Piece by piece, then value by value, for as much work each: up to half of the whole, and no less
 * than an eighth, however much was proposed. */
static void fill_from_models(EchoSearcher *searcher, EchoFrontier *frontier)
{
  uint64_t start = searcher->work, least = start + searcher->max_work / 8;
  uint64_t end = searcher->max_work / 2 > least ? searcher->max_work / 2 : least;
  searcher->max_work = start + (end - start) / 2;
  echo_curve_climb(searcher, frontier);
  searcher->max_work = end;
  if (!searcher->is_for_comparison) /* what a policy is compared by is its own */
    echo_curve_refine(searcher, frontier);
}

void echo_curve_mix(EchoSearcher *searcher, EchoFrontier *frontier)
{
  echo_curve_drop_undercut(searcher); /* mixes are of the frontier alone */
  mix_lowest(searcher, frontier);
  fill_gaps(searcher, frontier);
  thin_lowest(searcher, frontier);
}

/* The same points whatever is asked for. */
void echo_curve_fill(EchoSearcher *searcher, EchoFrontier *frontier)
{
  size_t n_proposed = searcher->curve->points.size;
  if (searcher->is_repeated) { /* the rest was done where layers are few */
    fill_gaps(searcher, frontier);
    thin_lowest(searcher, frontier);
    return;
  }
  uint64_t max_work = searcher->max_work;
  echo_frontier_evaluate(searcher, frontier);
  fill_from_models(searcher, frontier);
  searcher->max_work = max_work;
  prune_lowest(searcher, n_proposed);
  echo_curve_evaluate_lowest(searcher);
  echo_curve_mix(searcher, frontier);
}
