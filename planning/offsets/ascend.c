/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Do the items fit a capacity? A depth-first search over plans in which every item rests on the
 * floor or on another item, built from below: items are placed by rising base, those of one base by
 * rank, so that no plan comes up twice (Moffitt 2023, MiniMalloc: canonical solutions).
 *
 * An item to come cannot lie lower than its `rest`, the least base above all placed items that it
 * meets, and is placed nowhere else. What is to come in a clique lies at or above the least rest
 * there and at or above the last base; where that and the bytes to come exceed the capacity, the
 * branch ends. An item placed where another could have ended below it leaves a gap, and the plan
 * without the gap is as good. An item with nothing to come above it has no alternative.
 *
 * Items that share no clique any more fall apart into components, ranked anew and solved one after
 * another. States that failed are remembered by the rests of what is to come, and by which of it
 * lies too low to be next: that holds for every rank. The search runs in rounds of growing length,
 * each with its own rank.
 *
 * The difference to search.c, which fills the corners of a skyline: that one is strong where no
 * bytes may be lost, this one where some may; this one takes fixed items. */
#include "planning/offsets/cliques_t.h"

#include "base/map.h"

#include <stdlib.h>

#define NO_ITEM UINT32_MAX
#define MAX_MEMO_BITS 20
#define N_RANKS 3

/* An item to come; a component lists its own by rising rank. */
typedef struct Entry {
  uint32_t item, rank;
} Entry;

/* The old value of a rest or a floor. */
typedef struct Change {
  uint32_t index;
  uint64_t value;
} Change;

typedef struct RankKey {
  uint64_t values[N_RANKS]; /* larger first */
  uint32_t item;
} RankKey;

/* Cliques [begin, end) and entries [first, last) of the lists; items are placed from base `base`
 * on, and at this very base from rank `rank` on. */
typedef struct Component {
  uint32_t begin, end;
  size_t first, last;
  uint64_t base;
  uint32_t rank;
} Component;

typedef struct Ascent {
  const EchoOffsetProblem *problem;
  EchoOffsetCliques cliques;
  uint64_t height; /* the capacity, rounded up to the grain */
  /* by clique */
  uint64_t *floor, *remaining; /* least rest, and bytes, of what is to come */
  uint32_t *joins;             /* items to come over this clique and the next */
  /* by item */
  uint64_t *rest, *bases, *most; /* most: the largest base within the capacity */
  uint32_t *twin;                /* the equal item before this one, or NO_ITEM */
  bool *is_placed;
  ECHO_VECTOR(Change) rests;
  ECHO_VECTOR(Change) floors;
  ECHO_VECTOR(Entry) lists; /* a stack: components and choices of the nodes on the path */
  RankKey *keys;            /* scratch */
  uint64_t *memo;           /* hashes of states that failed, by their first memo_bits bits */
  uint32_t memo_bits;
  uint32_t round;
  uint64_t round_nodes; /* left in this round */
  EchoOffsetSearchLimits *limits;
} Ascent;

static EchoSearchAnswer solve_component(Ascent *ascent, const Component *component);

/* ---- placing ---- */

static uint64_t bytes_in(const Ascent *ascent, uint32_t i, uint32_t c)
{
  const EchoOffsetItem *item = &ascent->problem->items[i];
  if (item->n_segments == 1)
    return item->size;
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &ascent->problem->segments[item->first_segment + k];
    if (ascent->cliques.clique_of_section[segment->begin] <= c &&
        c <= ascent->cliques.clique_of_section[segment->end - 1])
      return segment->high;
  }
  return 0;
}

static void count_item(Ascent *ascent, uint32_t i, bool is_placed)
{
  uint32_t end = ascent->cliques.end[i], sign = is_placed ? UINT32_MAX : 1;
  ascent->is_placed[i] = is_placed;
  for (uint32_t c = ascent->cliques.begin[i]; c < end; c++) {
    uint64_t bytes = bytes_in(ascent, i, c);
    ascent->remaining[c] += is_placed ? -bytes : bytes;
    ascent->joins[c] += c + 1 < end ? sign : 0;
  }
}

/* The least rest in clique `c`, which is `known` or more. False when what is to come there has no
 * room. */
static bool set_floor(Ascent *ascent, uint32_t c, uint64_t known)
{
  uint64_t least = UINT64_MAX;
  const EchoOffsetCliques *cliques = &ascent->cliques;
  uint32_t k = cliques->first_member[c];
  for (; k < cliques->first_member[c + 1] && least > known; k++) {
    uint32_t i = cliques->members[k];
    if (!ascent->is_placed[i] && ascent->rest[i] < least)
      least = ascent->rest[i];
  }
  ascent->limits->n_steps += k - cliques->first_member[c];
  if (least == UINT64_MAX || least == ascent->floor[c])
    return true;
  echo_vector_push(&ascent->floors, (Change){c, ascent->floor[c]});
  ascent->floor[c] = least;
  return least + ascent->remaining[c] <= ascent->height;
}

/* Raises the rests of what is to come above item `i`. False when one rises too high. */
static bool raise_neighbors(Ascent *ascent, uint32_t i, bool *is_below_others)
{
  const EchoOffsetCliques *cliques = &ascent->cliques;
  bool fine = true;
  *is_below_others = false;
  for (uint32_t k = cliques->first_neighbor[i]; k < cliques->first_neighbor[i + 1]; k++) {
    const EchoOffsetNeighbor *neighbor = &cliques->neighbors[k];
    uint32_t j = neighbor->item;
    if (ascent->is_placed[j])
      continue;
    *is_below_others = true;
    uint64_t rest = ascent->bases[i] + neighbor->rise;
    if (rest <= ascent->rest[j])
      continue;
    rest = echo_align_up(rest, ascent->problem->items[j].alignment);
    echo_vector_push(&ascent->rests, (Change){j, ascent->rest[j]});
    ascent->rest[j] = rest;
    fine = fine && rest <= ascent->most[j];
  }
  return fine;
}

/* False when the branch is hopeless; to be undone in either case. */
static bool place(Ascent *ascent, uint32_t i, bool *is_below_others)
{
  const EchoOffsetCliques *cliques = &ascent->cliques;
  size_t first = ascent->rests.size;
  ascent->bases[i] = ascent->rest[i];
  count_item(ascent, i, true);
  if (!raise_neighbors(ascent, i, is_below_others))
    return false;
  for (uint32_t c = cliques->begin[i]; c < cliques->end[i]; c++)
    if (!set_floor(ascent, c, ascent->bases[i] + bytes_in(ascent, i, c)))
      return false;
  for (size_t k = first; k < ascent->rests.size; k++) {
    Change change = ascent->rests.data[k];
    for (uint32_t c = cliques->begin[change.index]; c < cliques->end[change.index]; c++)
      if (ascent->floor[c] == change.value && !set_floor(ascent, c, change.value))
        return false;
  }
  return true;
}

static void undo(Ascent *ascent, uint32_t i, size_t n_rests, size_t n_floors)
{
  while (ascent->rests.size > n_rests) {
    Change change = echo_vector_pop(&ascent->rests);
    ascent->rest[change.index] = change.value;
  }
  while (ascent->floors.size > n_floors) {
    Change change = echo_vector_pop(&ascent->floors);
    ascent->floor[change.index] = change.value;
  }
  count_item(ascent, i, false);
}

/* ---- ranks ---- */

static uint64_t saturating_area(const EchoOffsetItem *item)
{
  uint64_t area;
  return echo_mul_u64(item->size, item->lifetime, &area) ? area : UINT64_MAX;
}

/* The most bytes to come in a clique of the item. */
static uint64_t largest_total(const Ascent *ascent, uint32_t i)
{
  uint64_t total = 0;
  for (uint32_t c = ascent->cliques.begin[i]; c < ascent->cliques.end[i]; c++)
    total = ascent->remaining[c] > total ? ascent->remaining[c] : total;
  return total;
}

/* By lifetime, area and total, in this order or two others (Moffitt's). */
static RankKey rank_key(const Ascent *ascent, uint32_t i)
{
  const EchoOffsetItem *item = &ascent->problem->items[i];
  uint64_t lifetime = item->lifetime, area = saturating_area(item);
  uint64_t total = largest_total(ascent, i);
  switch (ascent->round % N_RANKS) {
  case 0:
    return (RankKey){{lifetime, area, total}, i};
  case 1:
    return (RankKey){{total, area, lifetime}, i};
  default:
    return (RankKey){{total, lifetime, area}, i};
  }
}

static int by_rank_key(const void *a, const void *b)
{
  const RankKey *x = a, *y = b;
  for (int k = 0; k < N_RANKS; k++)
    if (x->values[k] != y->values[k])
      return x->values[k] > y->values[k] ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

static void rank_entries(Ascent *ascent, Entry *entries, size_t n)
{
  for (size_t k = 0; k < n; k++)
    ascent->keys[k] = rank_key(ascent, entries[k].item);
  qsort(ascent->keys, n, sizeof *ascent->keys, by_rank_key);
  for (size_t k = 0; k < n; k++)
    entries[k] = (Entry){ascent->keys[k].item, (uint32_t)k};
}

/* ---- search ---- */

/* Too low to be next: it can only come after something has raised it. */
static bool is_too_low(const Ascent *ascent, const Component *component, Entry entry)
{
  uint64_t rest = ascent->rest[entry.item];
  return rest < component->base || (rest == component->base && entry.rank < component->rank);
}

/* The components that what is left of `whole` falls into. */
static EchoSearchAnswer solve_parts(Ascent *ascent, const Component *whole)
{
  size_t size = ascent->lists.size;
  EchoSearchAnswer answer = ECHO_SEARCH_FOUND;
  for (uint32_t c = whole->begin, end; c < whole->end && answer == ECHO_SEARCH_FOUND; c = end) {
    for (end = c + 1; end < whole->end && ascent->joins[end - 1] > 0;)
      end++;
    if (end == c + 1 && ascent->remaining[c] == 0)
      continue;
    Component part = {c, end, size, size, whole->base, whole->rank};
    for (size_t k = whole->first; k < whole->last; k++) {
      Entry entry = ascent->lists.data[k];
      if (!ascent->is_placed[entry.item] && ascent->cliques.begin[entry.item] >= c &&
          ascent->cliques.end[entry.item] <= end)
        echo_vector_push(&ascent->lists, entry);
    }
    part.last = ascent->lists.size;
    if (c != whole->begin || end != whole->end) {
      rank_entries(ascent, ascent->lists.data + size, part.last - size);
      part.rank = 0;
    }
    answer = solve_component(ascent, &part);
    ascent->lists.size = size;
  }
  return answer;
}

static uint64_t state_hash(const Ascent *ascent, const Component *component)
{
  uint64_t hash = 1; /* 0 is an empty slot of the memo */
  for (size_t k = component->first; k < component->last; k++) {
    Entry entry = ascent->lists.data[k];
    uint64_t rest = 2 * ascent->rest[entry.item] + is_too_low(ascent, component, entry);
    hash += echo_hash_u64(rest * UINT64_C(0x9e3779b97f4a7c15) + entry.item + 1);
  }
  return hash;
}

/* The next item lies below this: where each of the others could end, and where each clique still
 * has room for all to come. */
static uint64_t ceiling_of(const Ascent *ascent, const Component *component)
{
  uint64_t ceiling = UINT64_MAX;
  for (size_t k = component->first; k < component->last; k++) {
    uint32_t i = ascent->lists.data[k].item;
    uint64_t top = ascent->rest[i] + ascent->problem->items[i].size;
    ceiling = top < ceiling ? top : ceiling;
  }
  for (uint32_t c = component->begin; c < component->end; c++) {
    uint64_t top = ascent->height - ascent->remaining[c] + 1;
    ceiling = top < ceiling ? top : ceiling;
  }
  return ceiling;
}

/* Pushes the items that may be next, lowest rest first, then by rank. */
static void push_choices(Ascent *ascent, const Component *component)
{
  uint64_t ceiling = ceiling_of(ascent, component);
  size_t first = ascent->lists.size;
  for (size_t k = component->first; k < component->last; k++) {
    Entry entry = ascent->lists.data[k];
    uint32_t twin = ascent->twin[entry.item];
    uint64_t rest = ascent->rest[entry.item];
    if (rest >= ceiling || is_too_low(ascent, component, entry) ||
        (twin != NO_ITEM && !ascent->is_placed[twin]))
      continue;
    size_t at = ascent->lists.size;
    echo_vector_push(&ascent->lists, entry);
    for (; at > first && ascent->rest[ascent->lists.data[at - 1].item] > rest; at--)
      ascent->lists.data[at] = ascent->lists.data[at - 1];
    ascent->lists.data[at] = entry;
  }
}

static bool is_spent(const EchoOffsetSearchLimits *limits)
{
  return limits->max_steps != 0 && limits->n_steps > limits->max_steps;
}

static EchoSearchAnswer try_choices(Ascent *ascent, const Component *component)
{
  size_t first = ascent->lists.size;
  push_choices(ascent, component);
  EchoSearchAnswer answer = ECHO_SEARCH_NONE;
  bool is_below_others = true;
  size_t n_choices = ascent->lists.size - first;
  for (size_t k = 0; k < n_choices && answer == ECHO_SEARCH_NONE && is_below_others; k++) {
    Entry choice = ascent->lists.data[first + k];
    size_t n_rests = ascent->rests.size, n_floors = ascent->floors.size;
    Component left = *component;
    if (is_spent(ascent->limits)) { /* one node may look at all cliques for each of its choices */
      answer = ECHO_SEARCH_GAVE_UP;
      break;
    }
    left.base = ascent->rest[choice.item];
    left.rank = choice.rank;
    if (place(ascent, choice.item, &is_below_others))
      answer = solve_parts(ascent, &left);
    undo(ascent, choice.item, n_rests, n_floors);
  }
  ascent->lists.size = first;
  return answer;
}

/* Leaves the state as it was; the bases stand when a plan was found. */
static EchoSearchAnswer solve_component(Ascent *ascent, const Component *component)
{
  EchoOffsetSearchLimits *limits = ascent->limits;
  if (ascent->round_nodes == 0)
    return ECHO_SEARCH_GAVE_UP;
  ascent->round_nodes--;
  limits->n_nodes++;
  if (is_spent(limits))
    ascent->round_nodes = 0;
  if ((limits->n_nodes & 1023) == 0 && limits->should_stop != NULL &&
      limits->should_stop(limits->stop_user)) {
    limits->was_stopped = true;
    return ECHO_SEARCH_GAVE_UP;
  }
  uint64_t hash = state_hash(ascent, component);
  uint64_t *slot = &ascent->memo[hash >> (64 - ascent->memo_bits)];
  if (*slot == hash)
    return ECHO_SEARCH_NONE;
  EchoSearchAnswer answer = try_choices(ascent, component);
  if (answer == ECHO_SEARCH_NONE)
    *slot = hash;
  return answer;
}

/* ---- rounds ---- */

static EchoSearchAnswer run_round(Ascent *ascent)
{
  echo_vector_clear(&ascent->lists);
  for (uint32_t i = 0; i < ascent->problem->n_items; i++)
    echo_vector_push(&ascent->lists, (Entry){i, i});
  Component whole = {0, ascent->cliques.n, 0, ascent->lists.size, 0, 0};
  rank_entries(ascent, ascent->lists.data, ascent->lists.size);
  return solve_parts(ascent, &whole);
}

/* False when what comes has no room from the start. */
static bool ascent_init(Ascent *ascent, uint64_t capacity, EchoArena *arena)
{
  const EchoOffsetProblem *problem = ascent->problem;
  size_t n_items = (size_t)problem->n_items + 1, n_cliques = (size_t)ascent->cliques.n + 1;
  bool fine = true;
  ascent->floor = ECHO_ARENA_ARRAY(arena, uint64_t, n_cliques);
  ascent->remaining = ECHO_ARENA_ARRAY(arena, uint64_t, n_cliques);
  ascent->joins = ECHO_ARENA_ARRAY(arena, uint32_t, n_cliques);
  ascent->rest = ECHO_ARENA_ARRAY(arena, uint64_t, n_items);
  ascent->bases = ECHO_ARENA_ARRAY(arena, uint64_t, n_items);
  ascent->most = ECHO_ARENA_ARRAY(arena, uint64_t, n_items);
  ascent->twin = ECHO_ARENA_ARRAY(arena, uint32_t, n_items);
  ascent->is_placed = ECHO_ARENA_ARRAY(arena, bool, n_items);
  ascent->keys = ECHO_ARENA_ARRAY(arena, RankKey, n_items);
  while (ascent->memo_bits < MAX_MEMO_BITS && ascent->limits->max_nodes >> ascent->memo_bits > 0)
    ascent->memo_bits++;
  ascent->memo = ECHO_ARENA_ARRAY(arena, uint64_t, (size_t)1 << ascent->memo_bits);
  memset(ascent->memo, 0, sizeof(uint64_t) << ascent->memo_bits);
  memset(ascent->remaining, 0, n_cliques * sizeof *ascent->remaining);
  memset(ascent->joins, 0, n_cliques * sizeof *ascent->joins);
  echo_offset_find_twins(problem, ascent->twin);
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    bool is_fixed = item->fixed_offset != ECHO_OFFSET_FREE;
    if (ascent->twin[i] != NO_ITEM && problem->items[ascent->twin[i]].top != item->top)
      ascent->twin[i] = NO_ITEM; /* equal but for the rounding, which does not count at the top */
    ascent->rest[i] = is_fixed ? item->fixed_offset : 0;
    fine = fine && item->top <= capacity && ascent->rest[i] <= capacity - item->top;
    if (fine)
      ascent->most[i] = is_fixed ? item->fixed_offset : capacity - item->top;
    count_item(ascent, i, false);
  }
  for (uint32_t c = 0; c < ascent->cliques.n; c++) {
    ascent->floor[c] = UINT64_MAX;
    fine = set_floor(ascent, c, 0) && fine;
  }
  echo_vector_clear(&ascent->floors);
  return fine;
}

static EchoSearchAnswer run_rounds(Ascent *ascent)
{
  EchoOffsetSearchLimits *limits = ascent->limits;
  EchoSearchAnswer answer = ECHO_SEARCH_GAVE_UP;
  uint64_t round_nodes = 2 * (uint64_t)ascent->problem->n_items;
  for (; answer == ECHO_SEARCH_GAVE_UP && limits->n_nodes < limits->max_nodes &&
         !limits->was_stopped && !is_spent(limits);
       ascent->round++) {
    uint64_t left = limits->max_nodes - limits->n_nodes;
    if (ascent->round % N_RANKS == 0)
      round_nodes *= 2;
    ascent->round_nodes = round_nodes < left ? round_nodes : left;
    answer = run_round(ascent);
  }
  return answer;
}

EchoSearchAnswer echo_offset_ascend(const EchoOffsetProblem *problem, uint64_t capacity,
                                    EchoOffsetSearchLimits *limits, EchoOffsetPlan *plan)
{
  EchoArena arena = {0};
  Ascent ascent = {.problem = problem,
                   .height = echo_align_up(capacity, problem->grain),
                   .limits = limits,
                   .memo_bits = 10};
  EchoSearchAnswer answer = ECHO_SEARCH_GAVE_UP;
  if (echo_offset_cliques_create(&ascent.cliques, problem, &arena))
    answer = ascent_init(&ascent, capacity, &arena) ? run_rounds(&ascent) : ECHO_SEARCH_NONE;
  if (answer == ECHO_SEARCH_FOUND)
    echo_offset_plan_set(problem, ascent.bases, plan);
  echo_vector_destroy(&ascent.rests);
  echo_vector_destroy(&ascent.floors);
  echo_vector_destroy(&ascent.lists);
  echo_arena_destroy(&arena);
  return answer;
}
