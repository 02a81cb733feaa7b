/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Perfect packings, where no section has slack, are dissections of a rectangle into rectangles, and
 * those are planar networks (Brooks, Smith, Stone and Tutte 1940): a vertex for each seam, a
 * maximal vertical line inside; an edge for each item, from the seam it begins at to the seam it
 * ends at, which carries its size as a current. Every seam takes in as many bytes as it gives out.
 * Conversely every planar embedding of the network, with its two ends joined by an edge, is a
 * packing: the faces are the horizontal lines, and their heights follow from the sizes.
 *
 * So only the seams have to be found: how the items that begin or end at a border fall into
 * balanced groups. Where sizes are arbitrary few subsets balance, mostly the seams themselves, so
 * every border starts with as many seams as it can have. When that is not planar, a shortest range
 * of borders is found that contradicts itself: earlier seams drawn together into one end and later
 * ones into the other, since drawing a connected part together keeps a network planar. One of its
 * borders has to be changed, then the next conflict is looked for; few changes first. The answer
 * "found" is checked; "not found" proves nothing. */
#include "base/panic.h"
#include "planning/offsets/planar_t.h"
#include "planning/offsets/problem_t.h"

#include <stdlib.h>

#define MAX_PARTED_ITEMS 64 /* a border with more is taken for one seam */
#define MAX_BALANCED 4096   /* subsets of one border that are considered */
#define MAX_WAYS 128        /* of one border */
#define MAX_COVER_STEPS 4096
/* Up to here all balanced subsets are found; beyond, those of at most six items: of more there are
 * too many that balance by accident. */
#define MAX_HALVED_ITEMS 24
#define MAX_ITEMS 4000
#define MAX_CHANGES 12 /* borders that do not have their most likely way */

typedef struct Way {
  uint32_t n_groups;
  uint8_t group[MAX_PARTED_ITEMS]; /* by item of the border */
} Way;

typedef struct Border {
  uint32_t section; /* the first after it */
  uint32_t n_items, n_crossing;
  uint32_t items[MAX_PARTED_ITEMS]; /* the first of them */
  Way *ways;
  uint32_t n_ways, choice;
} Border;

typedef struct Dissection {
  const EchoOffsetProblem *problem;
  EchoArena *arena;
  Border *borders; /* by section; borders[0] is not used */
  uint32_t n_borders;
  uint32_t *begin_slot, *end_slot; /* by item: its place in the lists of its borders */
  uint64_t work, max_work;
} Dissection;

typedef struct Half {
  uint64_t sum, mask;
} Half;

typedef ECHO_VECTOR(Half) HalfVector;

typedef struct Halves {
  HalfVector list;
} Halves;

static int compare_halves(const void *a, const void *b)
{
  const Half *x = a, *y = b;
  if (x->sum != y->sum)
    return x->sum < y->sum ? -1 : 1;
  return (x->mask > y->mask) - (x->mask < y->mask);
}

/* All subsets of the numbers [first, end) with at most `most` members, sums modulo 2^64. */
static void list_subsets(const uint64_t *numbers, uint32_t first, uint32_t end, uint32_t most,
                         Half chosen, Halves *halves)
{
  echo_vector_push(&halves->list, chosen);
  for (uint32_t k = first; k < end && most > 0; k++)
    list_subsets(numbers, k + 1, end, most - 1,
                 (Half){chosen.sum + numbers[k], chosen.mask | UINT64_C(1) << k}, halves);
}

static void add_balanced(uint64_t mask, uint64_t *balanced, uint32_t *n_balanced)
{
  if (mask != 0 && *n_balanced < MAX_BALANCED)
    balanced[(*n_balanced)++] = mask;
}

static int compare_masks(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  int n_x = __builtin_popcountll(x), n_y = __builtin_popcountll(y);
  if (n_x != n_y)
    return n_x < n_y ? -1 : 1;
  return (x > y) - (x < y);
}

/* Subsets of a border's items whose begins and ends balance, by meeting in the middle; the smallest
 * first. A subset of at most six of many items is met as two of three. */
static void find_balanced(const Dissection *dissection, const Border *border, uint64_t *balanced,
                          uint32_t *n_balanced)
{
  uint64_t numbers[MAX_PARTED_ITEMS];
  for (uint32_t k = 0; k < border->n_items; k++) {
    const EchoOffsetItem *item = &dissection->problem->items[border->items[k]];
    numbers[k] = item->begin == border->section ? item->size : -item->size;
  }
  bool is_halved = border->n_items <= MAX_HALVED_ITEMS;
  uint32_t middle = is_halved ? border->n_items / 2 : border->n_items;
  Halves low = {0}, high = {0};
  list_subsets(numbers, 0, middle, is_halved ? middle : 3, (Half){0, 0}, &low);
  if (is_halved)
    list_subsets(numbers, middle, border->n_items, border->n_items, (Half){0, 0}, &high);
  const Halves *other = is_halved ? &high : &low;
  qsort(low.list.data, low.list.size, sizeof(Half), compare_halves);
  *n_balanced = 0;
  for (size_t h = 0; h < other->list.size; h++) {
    Half half = other->list.data[h];
    size_t first = 0, last = low.list.size;
    while (first < last) {
      size_t m = first + (last - first) / 2;
      if (low.list.data[m].sum < -half.sum)
        first = m + 1;
      else
        last = m;
    }
    for (; first < low.list.size && low.list.data[first].sum == -half.sum; first++)
      if ((low.list.data[first].mask & half.mask) == 0)
        add_balanced(half.mask | low.list.data[first].mask, balanced, n_balanced);
  }
  qsort(balanced, *n_balanced, sizeof *balanced, compare_masks);
  uint32_t n_distinct = 0;
  for (uint32_t b = 0; b < *n_balanced; b++)
    if (b == 0 || balanced[b] != balanced[n_distinct - 1])
      balanced[n_distinct++] = balanced[b];
  *n_balanced = n_distinct;
  echo_vector_destroy(&low.list);
  echo_vector_destroy(&high.list);
}

/* Enumeration of the ways to part a border's items into balanced subsets: some of the list, and the
 * rest. */
typedef struct Cover {
  const Border *border;
  const uint64_t *balanced;
  uint32_t n_balanced, n_steps;
  uint64_t chosen[MAX_PARTED_ITEMS];
  uint32_t n_chosen;
  ECHO_VECTOR(Way) ways;
} Cover;

/* Groups are numbered by their first items, so that equal ways look equal. */
static void note_way(Cover *cover)
{
  Way way = {.n_groups = 0};
  uint32_t number_of[MAX_PARTED_ITEMS];
  for (uint32_t g = 0; g < cover->n_chosen; g++)
    number_of[g] = UINT32_MAX;
  for (uint32_t k = 0; k < cover->border->n_items; k++) {
    uint32_t g = 0;
    while ((cover->chosen[g] >> k & 1) == 0)
      g++;
    if (number_of[g] == UINT32_MAX)
      number_of[g] = way.n_groups++;
    way.group[k] = (uint8_t)number_of[g];
  }
  echo_vector_push(&cover->ways, way);
}

/* At most MAX_PARTED_ITEMS deep. */
static void list_covers(Cover *cover, uint32_t first, uint64_t left)
{
  if (cover->n_chosen + (left != 0) > cover->border->n_crossing + 1)
    return; /* seams are parted by items that cross */
  if (left != 0)
    cover->chosen[cover->n_chosen++] = left;
  note_way(cover);
  if (left == 0)
    return;
  cover->n_chosen--;
  for (uint32_t b = first; b < cover->n_balanced && cover->n_steps < MAX_COVER_STEPS; b++) {
    uint64_t mask = cover->balanced[b];
    if ((mask & ~left) != 0 || mask == left)
      continue;
    cover->n_steps++;
    cover->chosen[cover->n_chosen++] = mask;
    list_covers(cover, b + 1, left & ~mask);
    cover->n_chosen--;
  }
}

static int compare_ways(const void *a, const void *b)
{
  const Way *x = a, *y = b;
  if (x->n_groups != y->n_groups)
    return x->n_groups > y->n_groups ? -1 : 1;
  return memcmp(x->group, y->group, sizeof x->group);
}

static void list_ways(Dissection *dissection, Border *border)
{
  if (border->n_crossing == 0 || border->n_items <= 3 || border->n_items > MAX_PARTED_ITEMS) {
    border->ways = ECHO_ARENA_NEW(dissection->arena, Way);
    *border->ways = (Way){.n_groups = 1};
    border->n_ways = 1;
    return;
  }
  uint64_t balanced[MAX_BALANCED], all = UINT64_MAX >> (64 - border->n_items);
  Cover cover = {.border = border, .balanced = balanced};
  find_balanced(dissection, border, balanced, &cover.n_balanced);
  list_covers(&cover, 0, all);
  qsort(cover.ways.data, cover.ways.size, sizeof *cover.ways.data, compare_ways);
  border->ways = ECHO_ARENA_ARRAY(dissection->arena, Way, MAX_WAYS);
  for (size_t w = 0; w < cover.ways.size && border->n_ways < MAX_WAYS; w++)
    if (w == 0 || compare_ways(&cover.ways.data[w], &cover.ways.data[w - 1]) != 0)
      border->ways[border->n_ways++] = cover.ways.data[w];
  echo_vector_destroy(&cover.ways);
}

static void list_borders(Dissection *dissection)
{
  const EchoOffsetProblem *problem = dissection->problem;
  for (uint32_t s = 0; s < problem->n_sections; s++)
    dissection->borders[s] = (Border){.section = s};
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    for (int side = 0; side < 2; side++) {
      uint32_t s = side == 0 ? item->begin : item->end;
      if (s == 0 || s == problem->n_sections)
        continue;
      Border *border = &dissection->borders[s];
      (side == 0 ? dissection->begin_slot : dissection->end_slot)[i] = border->n_items;
      if (border->n_items < MAX_PARTED_ITEMS)
        border->items[border->n_items] = i;
      border->n_items++;
    }
    for (uint32_t s = item->begin + 1; s < item->end; s++)
      dissection->borders[s].n_crossing++;
  }
  for (uint32_t s = 1; s < problem->n_sections; s++)
    list_ways(dissection, &dissection->borders[s]);
}

enum { SOURCE, SINK, FIRST_SEAM };

static uint32_t seam_at(const Border *border, uint32_t slot)
{
  const Way *way = &border->ways[border->choice];
  return way->n_groups == 1 ? 0 : way->group[slot];
}

/* Embeds the network of the borders [first, last]; what lies before is drawn together into the
 * source, what lies behind into the sink. Of the whole network, edge i + 1 is item i; of a part,
 * items that play no role are left out. */
static bool embed(Dissection *dissection, uint32_t first, uint32_t last, EchoArena *scratch,
                  EchoPlanarSides **sides, uint32_t *n_faces)
{
  const EchoOffsetProblem *problem = dissection->problem;
  bool is_whole = first == 1 && last + 1 == dissection->n_borders;
  uint32_t *first_seam = ECHO_ARENA_ARRAY(scratch, uint32_t, dissection->n_borders);
  uint32_t n_vertices = FIRST_SEAM, n_edges = 1;
  for (uint32_t s = first; s <= last; s++) {
    const Border *border = &dissection->borders[s];
    first_seam[s] = n_vertices;
    n_vertices += border->ways[border->choice].n_groups;
  }
  EchoPlanarEdge *edges = ECHO_ARENA_ARRAY(scratch, EchoPlanarEdge, (size_t)problem->n_items + 1);
  edges[0] = (EchoPlanarEdge){SOURCE, SINK};
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    if (!is_whole &&
        (item->end < first || item->begin > last || (item->begin < first && item->end > last)))
      continue;
    EchoPlanarEdge edge = {SOURCE, SINK};
    if (item->begin >= first)
      edge.from = first_seam[item->begin] +
                  seam_at(&dissection->borders[item->begin], dissection->begin_slot[i]);
    if (item->end <= last)
      edge.to =
          first_seam[item->end] + seam_at(&dissection->borders[item->end], dissection->end_slot[i]);
    edges[n_edges++] = edge;
  }
  dissection->work += 1000 + 100 * (uint64_t)n_edges;
  *sides = ECHO_ARENA_ARRAY(scratch, EchoPlanarSides, n_edges);
  return echo_planar_embed(n_vertices, edges, n_edges, scratch, *sides, n_faces);
}

/* Heights of the faces, from item to item. False when they contradict one another. */
static bool measure_faces(const EchoOffsetProblem *problem, const EchoPlanarSides *sides,
                          uint32_t n_faces, EchoArena *scratch, int64_t *height)
{
  uint32_t n = problem->n_items, n_queue = 0;
  uint32_t *first = ECHO_ARENA_ARRAY(scratch, uint32_t, (size_t)n_faces + 2);
  uint32_t *around = ECHO_ARENA_ARRAY(scratch, uint32_t, 2 * (size_t)n);
  uint32_t *queue = ECHO_ARENA_ARRAY(scratch, uint32_t, n_faces);
  bool *is_known = ECHO_ARENA_ARRAY(scratch, bool, n_faces);
  memset(first, 0, ((size_t)n_faces + 2) * sizeof *first);
  memset(is_known, 0, n_faces * sizeof *is_known);
  for (uint32_t i = 0; i < n; i++) {
    first[sides[i + 1].forward + 2]++;
    first[sides[i + 1].backward + 2]++;
  }
  for (uint32_t f = 1; f <= n_faces + 1; f++)
    first[f] += first[f - 1];
  for (uint32_t i = 0; i < n; i++) {
    around[first[sides[i + 1].forward + 1]++] = i;
    around[first[sides[i + 1].backward + 1]++] = i;
  }
  queue[n_queue++] = sides[0].forward;
  is_known[sides[0].forward] = true;
  height[sides[0].forward] = 0;
  for (uint32_t q = 0; q < n_queue; q++) {
    uint32_t f = queue[q];
    for (uint32_t k = first[f]; k < first[f + 1]; k++) {
      EchoPlanarSides side = sides[around[k] + 1];
      bool is_below = side.backward == f;
      uint32_t other = is_below ? side.forward : side.backward;
      int64_t size = (int64_t)problem->items[around[k]].size;
      int64_t expected = is_below ? height[f] + size : height[f] - size;
      if (is_known[other] && height[other] != expected)
        return false;
      if (!is_known[other])
        queue[n_queue++] = other;
      is_known[other] = true;
      height[other] = expected;
    }
  }
  return n_queue == n_faces;
}

typedef struct Placed {
  uint64_t base;
  uint32_t item;
} Placed;

static int compare_placed(const void *a, const void *b)
{
  const Placed *x = a, *y = b;
  if (x->base != y->base)
    return x->base < y->base ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

/* Items from below, each above all that is there already. */
static bool is_packing(const EchoOffsetProblem *problem, const uint64_t *bases, EchoArena *scratch)
{
  Placed *placed = ECHO_ARENA_ARRAY(scratch, Placed, problem->n_items);
  uint64_t *filled = ECHO_ARENA_ARRAY(scratch, uint64_t, problem->n_sections);
  memset(filled, 0, problem->n_sections * sizeof *filled);
  for (uint32_t i = 0; i < problem->n_items; i++)
    placed[i] = (Placed){bases[i], i};
  qsort(placed, problem->n_items, sizeof *placed, compare_placed);
  for (uint32_t k = 0; k < problem->n_items; k++) {
    const EchoOffsetItem *item = &problem->items[placed[k].item];
    for (uint32_t s = item->begin; s < item->end; s++) {
      if (filled[s] > placed[k].base)
        return false;
      filled[s] = placed[k].base + item->size;
    }
  }
  return true;
}

static bool take_plan(const Dissection *dissection, const EchoPlanarSides *sides, uint32_t n_faces,
                      EchoArena *scratch, EchoOffsetPlan *plan)
{
  const EchoOffsetProblem *problem = dissection->problem;
  int64_t *height = ECHO_ARENA_ARRAY(scratch, int64_t, n_faces), lowest = INT64_MAX;
  if (!measure_faces(problem, sides, n_faces, scratch, height))
    return false;
  for (uint32_t f = 0; f < n_faces; f++)
    lowest = height[f] < lowest ? height[f] : lowest;
  plan->height = 0;
  for (uint32_t i = 0; i < problem->n_items; i++) {
    plan->bases[i] = (uint64_t)(height[sides[i + 1].backward] - lowest);
    uint64_t top = plan->bases[i] + problem->items[i].size;
    plan->height = top > plan->height ? top : plan->height;
  }
  return is_packing(problem, plan->bases, scratch);
}

/* The whole network also has to give a packing. */
static bool holds(Dissection *dissection, uint32_t first, uint32_t last, EchoOffsetPlan *plan)
{
  EchoArena scratch = {0};
  EchoPlanarSides *sides;
  uint32_t n_faces;
  bool fine = embed(dissection, first, last, &scratch, &sides, &n_faces);
  if (fine && plan != NULL)
    fine = take_plan(dissection, sides, n_faces, &scratch, plan);
  echo_arena_destroy(&scratch);
  return fine;
}

/* Borders whose present ways contradict one another: the shortest range that fails from its left,
 * cut from its right end. More borders only make it harder to hold, so both ends are found by
 * halving. */
static void find_conflict(Dissection *dissection, uint32_t *first, uint32_t *last)
{
  uint32_t low = 1, high = dissection->n_borders - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (holds(dissection, 1, middle, NULL))
      low = middle + 1;
    else
      high = middle;
  }
  *last = low;
  low = 1;
  high = *last;
  while (low < high) {
    uint32_t middle = low + (high - low + 1) / 2;
    if (holds(dissection, middle, *last, NULL))
      high = middle - 1;
    else
      low = middle;
  }
  *first = low;
}

/* Tries to get by with at most n_changes borders that do not have their first way. One of them must
 * lie in the conflict that stands. At most MAX_CHANGES deep. */
static bool change_ways(Dissection *dissection, uint32_t n_changes, EchoOffsetPlan *plan)
{
  uint32_t first, last;
  if (holds(dissection, 1, dissection->n_borders - 1, plan))
    return true;
  if (n_changes == 0 || dissection->work > dissection->max_work)
    return false;
  find_conflict(dissection, &first, &last);
  for (uint32_t s = last + 1; s-- > first;) {
    Border *border = &dissection->borders[s];
    if (border->choice != 0)
      continue;
    for (border->choice = 1; border->choice < border->n_ways; border->choice++)
      if (holds(dissection, first, last, NULL) && change_ways(dissection, n_changes - 1, plan))
        return true;
    border->choice = 0;
  }
  return false;
}

static bool is_perfect(const EchoOffsetProblem *problem)
{
  if (!problem->is_plain || problem->n_items < 2 || problem->n_items > MAX_ITEMS ||
      problem->max_alignment != problem->grain)
    return false;
  for (uint32_t s = 0; s < problem->n_sections; s++)
    if (problem->section_load[s] != problem->rounded_bound)
      return false;
  return true;
}

bool echo_offset_dissect(const EchoOffsetProblem *problem, uint64_t max_work, EchoOffsetPlan *plan)
{
  if (!is_perfect(problem))
    return false;
  EchoArena arena = {0};
  Dissection dissection = {
      .problem = problem,
      .arena = &arena,
      .borders = ECHO_ARENA_ARRAY(&arena, Border, problem->n_sections),
      .n_borders = problem->n_sections,
      .begin_slot = ECHO_ARENA_ARRAY(&arena, uint32_t, problem->n_items),
      .end_slot = ECHO_ARENA_ARRAY(&arena, uint32_t, problem->n_items),
      .max_work = max_work,
  };
  list_borders(&dissection);
  bool found = false;
  for (uint32_t n = 0; n <= MAX_CHANGES && !found && dissection.work <= max_work; n++)
    found = change_ways(&dissection, n, plan);
  echo_arena_destroy(&arena);
  return found;
}
