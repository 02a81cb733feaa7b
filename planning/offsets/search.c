/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is there a plan of at most a given height? A depth-first search over canonical plans, those in
 * which every item rests on the floor or on another item.
 *
 * The state is a skyline: per section of time how high it is filled, and how many bytes are still
 * to come. The difference to the height asked for is the section's slack; it can only be lost, and
 * a branch dies when one would become negative. A plateau of the skyline with higher walls on both
 * sides (a pit) has two corners, and in any completion a corner is either filled by an item that
 * starts (ends) there and fits the pit, or stays empty up to the next height something can rest on,
 * which costs slack. The search branches on the corner with the fewest possibilities; where there
 * is no slack, as in perfect packings, only items count.
 *
 * Remaining items that share no time fall apart into components, decided one after another: when
 * one fails, nothing is gained by trying the others differently. States that failed are remembered
 * by a hash of the remaining items and the skyline. Items that are equal are placed in the order of
 * their numbers.
 *
 * Depth-first search can lose itself below a bad early choice, so it runs in rounds of growing
 * length, each with its own order of the possibilities; what failed stays remembered over rounds.
 */
#include "planning/offsets/problem_t.h"

#include "base/map.h"
#include "base/panic.h"

#include <stdlib.h>

#define NO_ITEM UINT32_MAX
#define WALL UINT64_MAX
#define MEMO_BITS 20

typedef struct Run {
  uint32_t begin, end;
  uint64_t height;
} Run;

/* One step of the search; undone from the newest. Raises have no item. */
typedef struct Step {
  uint32_t item;
  uint32_t open_at_begin, open_at_end; /* before the step */
  size_t first_run;                    /* heights before the step are runs[first_run ..] */
} Step;

typedef struct Range {
  uint32_t first, end;
} Range;

typedef struct Corner {
  uint32_t begin, end; /* of the pit */
  bool is_left;
  bool may_stay_empty;
  uint32_t raise_begin, raise_end;
  uint64_t raise_to;
  uint32_t n_choices;
  uint64_t floor;
} Corner;

/* A component while its possibilities are tried. */
typedef struct Node {
  uint32_t begin, end;
  Corner corner;
  size_t first_choice, n_choices, next_choice; /* in search->choices */
  size_t n_steps;                              /* before any was tried */
  bool is_raised;                              /* the corner stays empty: the last possibility */
  uint64_t hash;                               /* of the state */
} Node;

/* Sections while their components are solved, one after another. */
typedef struct Ranging {
  uint32_t next, end;
  size_t n_steps; /* before the first */
} Ranging;

typedef struct Search {
  const EchoOffsetProblem *problem;
  uint64_t height;
  /* by section */
  uint64_t *filled, *remaining, *start_hash;
  uint32_t *joins; /* remaining items over this section and the next */
  Range *starters, *enders;
  uint32_t *by_start, *by_end; /* items with a segment that begins (ends) at a section */
  uint32_t *open_group; /* the group whose seam is unfinished between the section before and this */
  /* by item */
  uint64_t *bases, *hash;
  double *rank;                      /* larger first */
  uint32_t *twin;                    /* the equal item before this one, or NO_ITEM */
  uint32_t *begin_group, *end_group; /* seams at its borders; 0 = any */
  bool *is_placed;
  bool by_groups; /* this round */
  ECHO_VECTOR(Step) steps;
  ECHO_VECTOR(Run) runs;
  ECHO_VECTOR(uint32_t) choices; /* stacks of the possibilities of the nodes on the path */
  uint64_t *memo;
  ECHO_VECTOR(Node) nodes; /* on the path, each between two ranges */
  ECHO_VECTOR(Ranging) ranges;
  uint64_t round_nodes; /* left in this round */
  uint64_t seed;
  EchoOffsetSearchLimits *limits;
} Search;

/* The lowest base at which the item lies on the skyline. */
static uint64_t resting_base(const Search *search, uint32_t i)
{
  const EchoOffsetItem *item = &search->problem->items[i];
  uint64_t base = 0;
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &search->problem->segments[item->first_segment + k];
    for (uint32_t s = segment->begin; s < segment->end; s++)
      if (search->filled[s] > base + segment->low)
        base = search->filled[s] - segment->low;
  }
  return echo_align_up(base, item->alignment);
}

static void set_height(Search *search, uint32_t begin, uint32_t end, uint64_t height)
{
  for (uint32_t s = begin; s < end;) {
    Run run = {s, s + 1, search->filled[s]};
    while (run.end < end && search->filled[run.end] == run.height)
      run.end++;
    echo_vector_push(&search->runs, run);
    for (; s < run.end; s++)
      search->filled[s] = height;
  }
}

static void count_item(Search *search, uint32_t i, bool is_placed)
{
  const EchoOffsetItem *item = &search->problem->items[i];
  uint32_t sign = is_placed ? UINT32_MAX : 1;
  search->is_placed[i] = is_placed;
  search->start_hash[item->begin] ^= search->hash[i];
  for (uint32_t s = item->begin; s + 1 < item->end; s++)
    search->joins[s] += sign;
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &search->problem->segments[item->first_segment + k];
    uint64_t bytes = segment->high - segment->low;
    for (uint32_t s = segment->begin; s < segment->end; s++)
      search->remaining[s] += is_placed ? -bytes : bytes;
  }
}

static void open_seam(Search *search, uint32_t border, uint32_t group)
{
  if (group != 0)
    search->open_group[border] = search->filled[border - 1] == search->filled[border] ? 0 : group;
}

/* False, with nothing changed, when a section would not have room for what is still to come. */
static bool place(Search *search, uint32_t i, uint64_t base)
{
  const EchoOffsetItem *item = &search->problem->items[i];
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &search->problem->segments[item->first_segment + k];
    for (uint32_t s = segment->begin; s < segment->end; s++)
      if (base + segment->low + search->remaining[s] > search->height)
        return false;
  }
  echo_vector_push(&search->steps, (Step){i, search->open_group[item->begin],
                                          search->open_group[item->end], search->runs.size});
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &search->problem->segments[item->first_segment + k];
    set_height(search, segment->begin, segment->end, base + segment->high);
  }
  count_item(search, i, true);
  open_seam(search, item->begin, search->begin_group[i]);
  open_seam(search, item->end, search->end_group[i]);
  search->bases[i] = base;
  return true;
}

static void raise(Search *search, const Corner *corner)
{
  echo_vector_push(&search->steps, (Step){NO_ITEM, 0, 0, search->runs.size});
  set_height(search, corner->raise_begin, corner->raise_end, corner->raise_to);
}

static void undo_to(Search *search, size_t n_steps)
{
  while (search->steps.size > n_steps) {
    Step step = echo_vector_pop(&search->steps);
    while (search->runs.size > step.first_run) {
      Run run = echo_vector_pop(&search->runs);
      for (uint32_t s = run.begin; s < run.end; s++)
        search->filled[s] = run.height;
    }
    if (step.item == NO_ITEM)
      continue;
    count_item(search, step.item, false);
    search->open_group[search->problem->items[step.item].begin] = step.open_at_begin;
    search->open_group[search->problem->items[step.item].end] = step.open_at_end;
  }
}

static bool fits_corner(const Search *search, const Corner *corner, uint32_t i)
{
  const EchoOffsetItem *item = &search->problem->items[i];
  if (search->is_placed[i])
    return false;
  if (search->twin[i] != NO_ITEM && !search->is_placed[search->twin[i]])
    return false;
  if (search->by_groups) {
    uint32_t at_begin = search->open_group[item->begin], at_end = search->open_group[item->end];
    if ((at_begin != 0 && at_begin != search->begin_group[i]) ||
        (at_end != 0 && at_end != search->end_group[i]))
      return false;
  }
  if (item->n_segments == 1) {
    const EchoOffsetSegment *segment = &search->problem->segments[item->first_segment];
    return item->begin >= corner->begin && item->end <= corner->end &&
           corner->floor >= segment->low &&
           ((corner->floor - segment->low) & (item->alignment - 1)) == 0;
  }
  uint64_t base = resting_base(search, i);
  uint32_t at = corner->is_left ? corner->begin : corner->end - 1;
  for (uint32_t k = 0; k < item->n_segments; k++) {
    const EchoOffsetSegment *segment = &search->problem->segments[item->first_segment + k];
    if (segment->begin <= at && at < segment->end)
      return base + segment->low == corner->floor;
  }
  return false;
}

static const uint32_t *items_at(const Search *search, const Corner *corner, uint32_t *n)
{
  Range range = corner->is_left ? search->starters[corner->begin] : search->enders[corner->end];
  *n = range.end - range.first;
  return (corner->is_left ? search->by_start : search->by_end) + range.first;
}

/* Whether some remaining item begins (ends) at the section border `s`. */
static bool is_border(const Search *search, const uint32_t *items, Range range)
{
  for (uint32_t k = range.first; k < range.end; k++)
    if (!search->is_placed[items[k]])
      return true;
  return false;
}

/* What leaving the corner empty would cost: items over the sections next to the corner, up to the
 * first border of a remaining item, all cover the corner, so those sections stay empty with it. */
static void weigh_empty(const Search *search, Corner *corner, uint64_t next_rest)
{
  uint32_t begin = corner->begin, end = corner->end;
  if (corner->is_left) {
    end = begin + 1;
    while (end < corner->end && !is_border(search, search->by_start, search->starters[end]))
      end++;
  } else {
    begin = end - 1;
    while (begin > corner->begin && !is_border(search, search->by_end, search->enders[begin]))
      begin--;
  }
  corner->raise_begin = begin;
  corner->raise_end = end;
  corner->raise_to = next_rest;
  corner->may_stay_empty = true;
  for (uint32_t s = begin; s < end && corner->may_stay_empty; s++)
    corner->may_stay_empty = next_rest + search->remaining[s] <= search->height;
}

static void weigh_corner(const Search *search, Corner *corner, uint64_t next_rest)
{
  uint32_t at = corner->is_left ? corner->begin : corner->end - 1, n;
  corner->may_stay_empty = false;
  if (corner->floor + search->remaining[at] < search->height)
    weigh_empty(search, corner, next_rest);
  const uint32_t *items = items_at(search, corner, &n);
  corner->n_choices = corner->may_stay_empty;
  for (uint32_t k = 0; k < n; k++)
    corner->n_choices += fits_corner(search, corner, items[k]);
}

/* The least height of a remaining item with a segment from section `begin` to `end`. */
static uint64_t least_size(const Search *search, uint32_t begin, uint32_t end)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t s = begin; s < end; s++)
    for (uint32_t k = search->starters[s].first; k < search->starters[s].end; k++) {
      uint32_t i = search->by_start[k];
      if (!search->is_placed[i] && search->problem->items[i].size < least)
        least = search->problem->items[i].size;
    }
  return least;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t wall_at(const Search *search, uint32_t s)
{
  return search->remaining[s] == 0 ? WALL : search->filled[s];
}

/* The corner with the fewest possibilities over all pits of the component; lower pits win ties. */
static Corner choose_corner(const Search *search, uint32_t begin, uint32_t end)
{
  Corner best = {.n_choices = UINT32_MAX};
  uint64_t least = 0; /* computed when first needed */
  uint64_t left_wall = WALL;
  for (uint32_t a = begin, b; a < end && best.n_choices > 0; a = b) {
    uint64_t floor = wall_at(search, a);
    for (b = a + 1; b < end && wall_at(search, b) == floor;)
      b++;
    uint64_t right_wall = b < end ? wall_at(search, b) : WALL;
    if (floor != WALL && left_wall > floor && right_wall > floor) {
      if (least == 0)
        least = least_size(search, begin, end);
      uint64_t next_rest = min_u64(min_u64(left_wall, right_wall), floor + least);
      if (search->problem->max_alignment > search->problem->grain)
        next_rest = min_u64(next_rest, echo_align_up(floor + 1, 2 * search->problem->grain));
      for (int side = 0; side < 2; side++) {
        Corner corner = {.begin = a, .end = b, .is_left = side == 0, .floor = floor};
        weigh_corner(search, &corner, next_rest);
        if (corner.n_choices < best.n_choices ||
            (corner.n_choices == best.n_choices && floor < best.floor))
          best = corner;
      }
    }
    left_wall = floor;
  }
  return best;
}

/* Remaining items and skyline, relative to nothing else: equal states have equal futures. */
static uint64_t state_hash(const Search *search, uint32_t begin, uint32_t end)
{
  uint64_t hash = echo_hash_combine(begin, end + ((uint64_t)search->by_groups << 32));
  for (uint32_t s = begin; s < end; s++) {
    hash = (hash ^ search->start_hash[s] ^ search->filled[s] * UINT64_C(0x9e3779b97f4a7c15)) *
           UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
  }
  return hash | 1;
}

/* How many borders of the item in this corner would meet a border of the skyline. Where sizes are
 * arbitrary, such a meeting is seldom an accident. */
static uint32_t count_matches(const Search *search, const Corner *corner, uint32_t i)
{
  const EchoOffsetItem *item = &search->problem->items[i];
  uint64_t top = corner->floor + item->size;
  uint32_t n = 0;
  n += item->end == corner->end && item->begin == corner->begin;
  if (item->begin == corner->begin && item->begin > 0)
    n += search->filled[item->begin - 1] == top;
  if (item->end == corner->end && item->end < search->problem->n_sections)
    n += search->filled[item->end] == top;
  return n;
}

static bool better(const Search *search, const Corner *corner, uint32_t i, uint32_t j)
{
  uint32_t a = count_matches(search, corner, i), b = count_matches(search, corner, j);
  return a != b ? a > b : search->rank[i] > search->rank[j];
}

static void sort_choices(const Search *search, const Corner *corner, uint32_t *items, size_t n)
{
  (void)corner;
  for (size_t i = 1; i < n; i++) {
    uint32_t item = items[i];
    size_t k = i;
    for (; k > 0 && better(search, corner, item, items[k - 1]); k--)
      items[k] = items[k - 1];
    items[k] = item;
  }
}

/* ---- the search ---- */

/* What fits the corner, best first, onto the stack of choices. */
static void list_choices(Search *search, Node *node)
{
  uint32_t n;
  const uint32_t *items = items_at(search, &node->corner, &n);
  node->first_choice = search->choices.size;
  for (uint32_t k = 0; k < n; k++)
    if (fits_corner(search, &node->corner, items[k]))
      echo_vector_push(&search->choices, items[k]);
  node->n_choices = search->choices.size - node->first_choice;
  sort_choices(search, &node->corner, search->choices.data + node->first_choice, node->n_choices);
}

static void enter_range(Search *search, uint32_t begin, uint32_t end)
{
  Ranging ranging = {.next = begin, .end = end, .n_steps = search->steps.size};
  echo_vector_push(&search->ranges, ranging);
}

/* Takes the node's next possibility: true where there is one, with what is left as a range to be
 * solved. */
static bool take_next(Search *search, Node *node)
{
  while (node->next_choice < node->n_choices) {
    uint32_t i = search->choices.data[node->first_choice + node->next_choice++];
    if (!place(search, i, resting_base(search, i)))
      continue;
    enter_range(search, node->begin, node->end);
    return true;
  }
  search->choices.size = node->first_choice;
  if (node->is_raised || !node->corner.may_stay_empty)
    return false;
  node->is_raised = true;
  raise(search, &node->corner);
  enter_range(search, node->begin, node->end);
  return true;
}

static bool is_spent(Search *search)
{
  if (search->round_nodes == 0)
    return true;
  search->round_nodes--;
  search->limits->n_nodes++;
  if ((search->limits->n_nodes & 1023) == 0 && search->limits->should_stop != NULL &&
      search->limits->should_stop(search->limits->stop_user))
    search->limits->was_stopped = true;
  return search->limits->was_stopped;
}

/* Enters a component: true where there is something to try, which then is a range to be solved;
 * else *answer. */
static bool enter_component(Search *search, uint32_t begin, uint32_t end, EchoSearchAnswer *answer)
{
  *answer = ECHO_SEARCH_GAVE_UP;
  if (is_spent(search))
    return false;
  *answer = ECHO_SEARCH_NONE;
  Node node = {.begin = begin, .end = end, .hash = state_hash(search, begin, end)};
  if (search->memo[node.hash >> (64 - MEMO_BITS)] == node.hash)
    return false;
  node.corner = choose_corner(search, begin, end);
  node.n_steps = search->steps.size;
  if (node.corner.n_choices > 0) {
    list_choices(search, &node);
    if (take_next(search, &node)) {
      echo_vector_push(&search->nodes, node);
      return true;
    }
  }
  search->memo[node.hash >> (64 - MEMO_BITS)] = node.hash;
  return false;
}

/* Goes on with the newest range: true where it entered another; else *answer is that of the whole
 * range. */
static bool resume_range(Search *search, EchoSearchAnswer *answer)
{
  *answer = ECHO_SEARCH_FOUND;
  while (*answer == ECHO_SEARCH_FOUND) {
    Ranging *ranging = &echo_vector_last(&search->ranges);
    uint32_t s = ranging->next, after, end = ranging->end;
    while (s < end && search->remaining[s] == 0 && search->joins[s] == 0)
      s++;
    if (s >= end)
      return false;
    for (after = s + 1; after < end && search->joins[after - 1] > 0;)
      after++;
    ranging->next = after;
    if (enter_component(search, s, after, answer))
      return true;
  }
  return false;
}

/* The newest node's possibility came to *answer: true where it takes another; else *answer is that
 * of the node. */
static bool resume_node(Search *search, EchoSearchAnswer *answer)
{
  Node *node = &echo_vector_last(&search->nodes);
  if (*answer != ECHO_SEARCH_FOUND)
    undo_to(search, node->n_steps);
  if (*answer == ECHO_SEARCH_NONE && take_next(search, node))
    return true;
  search->choices.size = node->first_choice;
  if (*answer == ECHO_SEARCH_NONE)
    search->memo[node->hash >> (64 - MEMO_BITS)] = node->hash;
  return false;
}

/* A range is solved component by component, a component possibility by possibility, each of which
 * leaves a range: as deep as there are items and raises, so the stacks are our own. */
static EchoSearchAnswer solve_range(Search *search, uint32_t begin, uint32_t end)
{
  EchoSearchAnswer answer;
  enter_range(search, begin, end);
  for (;;) {
    if (resume_range(search, &answer))
      continue;
    for (;;) {
      Ranging solved = echo_vector_pop(&search->ranges);
      if (answer != ECHO_SEARCH_FOUND)
        undo_to(search, solved.n_steps);
      if (search->ranges.size == 0)
        return answer;
      if (resume_node(search, &answer))
        break;
      --search->nodes.size;
      if (answer == ECHO_SEARCH_FOUND) /* the range around it goes on */
        break;
    }
  }
}

static void list_borders(Search *search, EchoArena *arena, bool starts)
{
  const EchoOffsetProblem *problem = search->problem;
  uint32_t n = problem->n_sections;
  Range *ranges = ECHO_ARENA_ARRAY(arena, Range, (size_t)n + 1);
  uint32_t *items = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)problem->n_segments + 1);
  for (uint32_t s = 0; s <= n; s++)
    ranges[s] = (Range){0, 0};
  for (uint32_t k = 0; k < problem->n_segments; k++)
    ranges[starts ? problem->segments[k].begin : problem->segments[k].end].end++;
  uint32_t next = 0;
  for (uint32_t s = 0; s <= n; s++) {
    uint32_t count = ranges[s].end;
    ranges[s] = (Range){next, next};
    next += count;
  }
  for (uint32_t i = 0; i < problem->n_items; i++)
    for (uint32_t k = 0; k < problem->items[i].n_segments; k++) {
      const EchoOffsetSegment *segment = &problem->segments[problem->items[i].first_segment + k];
      items[ranges[starts ? segment->begin : segment->end].end++] = i;
    }
  if (starts) {
    search->starters = ranges;
    search->by_start = items;
  } else {
    search->enders = ranges;
    search->by_end = items;
  }
}

/* The order in which the possibilities of a corner are tried: by area every other round, by size
 * and by lifetime between; after the first three rounds scattered by up to a factor of five. */
static void rank_items(Search *search, uint32_t round)
{
  const EchoOffsetProblem *problem = search->problem;
  double all_time = problem->n_sections + 1.0, all_bytes = (double)problem->rounded_bound + 1;
  for (uint32_t i = 0; i < problem->n_items; i++) {
    const EchoOffsetItem *item = &problem->items[i];
    double size = (double)item->size / all_bytes, lifetime = (item->end - item->begin) / all_time;
    double key = round % 4 == 1   ? size + 1e-4 * lifetime
                 : round % 4 == 3 ? lifetime + 1e-4 * size
                                  : size * lifetime;
    uint64_t noise = echo_hash_u64(search->seed + round * UINT64_C(0x9e3779b97f4a7c15) + i);
    double spread = round < 3 ? 0 : (round < 8 ? 0.5 * round : 4);
    search->rank[i] = key / (1 + spread * ((double)(noise >> 40) / (1 << 24)));
  }
}

/* Seams. Where neither the section before a border nor the one after has slack, the border is cut
 * into seams, stretches with an item's end on one side and an item's begin on the other, and
 * crossing items between them; each seam's ends and begins sum to the same height. When sizes are
 * arbitrary few subsets balance, so the seams can be guessed from sums alone: the union of minimal
 * balanced subsets that share an item is a group. Rounds by groups finish a seam before they start
 * another at its border; that may miss plans, so what fails there is no proof. */
#define MAX_BORDER_ITEMS 18

typedef struct Border {
  uint32_t n;
  uint32_t items[MAX_BORDER_ITEMS];
  uint64_t signed_size[MAX_BORDER_ITEMS]; /* begins count up, ends down */
} Border;

static bool list_border(const Search *search, uint32_t t, Border *border)
{
  Range begins = search->starters[t], ends = search->enders[t];
  border->n = 0;
  if (begins.end - begins.first + ends.end - ends.first > MAX_BORDER_ITEMS)
    return false;
  for (uint32_t k = begins.first; k < begins.end; k++) {
    border->items[border->n] = search->by_start[k];
    border->signed_size[border->n++] = search->problem->items[search->by_start[k]].size;
  }
  for (uint32_t k = ends.first; k < ends.end; k++) {
    border->items[border->n] = search->by_end[k];
    border->signed_size[border->n++] = -search->problem->items[search->by_end[k]].size;
  }
  return true;
}

/* group[k] = a bit mask of the items that k is tied to. sums is scratch for 2^n. */
static void tie_balanced(const Border *border, uint64_t *sums, uint32_t *group)
{
  uint32_t n_masks = UINT32_C(1) << border->n, found[256], n_found = 0;
  sums[0] = 0;
  for (uint32_t mask = 1; mask < n_masks; mask++) {
    uint32_t low = (uint32_t)__builtin_ctz(mask);
    sums[mask] = sums[mask & (mask - 1)] + border->signed_size[low];
  }
  for (uint32_t k = 0; k < border->n; k++)
    group[k] = UINT32_C(1) << k;
  for (int size = 2; size <= (int)border->n; size++)
    for (uint32_t mask = (UINT32_C(1) << size) - 1; mask < n_masks;) {
      bool is_minimal = sums[mask] == 0 && n_found < 256;
      for (uint32_t f = 0; f < n_found && is_minimal; f++)
        is_minimal = (mask & found[f]) != found[f];
      if (is_minimal) {
        found[n_found++] = mask;
        uint32_t all = 0;
        for (uint32_t k = 0; k < border->n; k++)
          if (mask >> k & 1)
            all |= group[k];
        for (uint32_t k = 0; k < border->n; k++)
          if (all >> k & 1)
            group[k] = all;
      }
      uint32_t lowest = mask & -mask, ripple = mask + lowest; /* the next mask of as many bits */
      mask = ripple | (((mask ^ ripple) >> 2) / lowest);
    }
}

static void guess_seams(Search *search, EchoArena *arena)
{
  const EchoOffsetProblem *problem = search->problem;
  uint64_t *sums = ECHO_ARENA_ARRAY(arena, uint64_t, (size_t)1 << MAX_BORDER_ITEMS);
  uint32_t next_group = 1;
  Border border;
  for (uint32_t t = 1; t < problem->n_sections; t++) {
    if (problem->section_load[t - 1] != search->height ||
        problem->section_load[t] != search->height || !list_border(search, t, &border))
      continue;
    uint32_t group[MAX_BORDER_ITEMS];
    tie_balanced(&border, sums, group);
    for (uint32_t k = 0; k < border.n; k++) {
      uint32_t id = next_group + (uint32_t)__builtin_ctz(group[k]);
      if (problem->items[border.items[k]].begin == t)
        search->begin_group[border.items[k]] = id;
      else
        search->end_group[border.items[k]] = id;
    }
    next_group += border.n;
  }
}

static Search search_create(const EchoOffsetProblem *problem, uint64_t height,
                            EchoOffsetSearchLimits *limits, EchoArena *arena)
{
  size_t n_sections = (size_t)problem->n_sections + 1, n_items = (size_t)problem->n_items + 1;
  Search search = {
      .problem = problem,
      .height = height,
      .filled = ECHO_ARENA_ARRAY(arena, uint64_t, n_sections),
      .remaining = ECHO_ARENA_ARRAY(arena, uint64_t, n_sections),
      .start_hash = ECHO_ARENA_ARRAY(arena, uint64_t, n_sections),
      .joins = ECHO_ARENA_ARRAY(arena, uint32_t, n_sections),
      .bases = ECHO_ARENA_ARRAY(arena, uint64_t, n_items),
      .hash = ECHO_ARENA_ARRAY(arena, uint64_t, n_items),
      .rank = ECHO_ARENA_ARRAY(arena, double, n_items),
      .twin = ECHO_ARENA_ARRAY(arena, uint32_t, n_items),
      .is_placed = ECHO_ARENA_ARRAY(arena, bool, n_items),
      .open_group = ECHO_ARENA_ARRAY(arena, uint32_t, n_sections),
      .begin_group = ECHO_ARENA_ARRAY(arena, uint32_t, n_items),
      .end_group = ECHO_ARENA_ARRAY(arena, uint32_t, n_items),
      .memo = ECHO_ARENA_ARRAY(arena, uint64_t, (size_t)1 << MEMO_BITS),
      .seed = 1,
      .limits = limits,
  };
  for (size_t s = 0; s < n_sections; s++) {
    search.filled[s] = search.remaining[s] = search.start_hash[s] = 0;
    search.joins[s] = search.open_group[s] = 0;
  }
  for (size_t k = 0; k < (size_t)1 << MEMO_BITS; k++)
    search.memo[k] = 0;
  list_borders(&search, arena, true);
  list_borders(&search, arena, false);
  echo_offset_find_twins(problem, search.twin);
  for (uint32_t i = 0; i < problem->n_items; i++) {
    search.begin_group[i] = search.end_group[i] = 0;
    search.hash[i] = echo_hash_u64(UINT64_C(0x5851f42d4c957f2d) + i);
    count_item(&search, i, false);
  }
  return search;
}

EchoSearchAnswer echo_offset_search(const EchoOffsetProblem *problem, uint64_t height,
                                    EchoOffsetSearchLimits *limits, EchoOffsetPlan *plan)
{
  ECHO_CHECK(!problem->has_fixed, "the exact search takes no fixed items");
  if (height < problem->rounded_bound)
    return ECHO_SEARCH_NONE;
  EchoArena arena = {0};
  Search search = search_create(problem, height, limits, &arena);
  EchoSearchAnswer answer = ECHO_SEARCH_GAVE_UP;
  if (problem->is_plain)
    guess_seams(&search, &arena);
  bool try_groups = problem->is_plain;
  uint64_t round_nodes = 8 * (uint64_t)problem->n_items + 2000;
  for (uint32_t round = 0;
       answer == ECHO_SEARCH_GAVE_UP && limits->n_nodes < limits->max_nodes && !limits->was_stopped;
       round++) {
    uint64_t left = limits->max_nodes - limits->n_nodes;
    search.round_nodes = round_nodes < left ? round_nodes : left;
    round_nodes += round_nodes / 4;
    rank_items(&search, round);
    search.by_groups = try_groups && round % 4 != 3;
    answer = solve_range(&search, 0, problem->n_sections);
    if (answer == ECHO_SEARCH_NONE && search.by_groups) {
      try_groups = false;
      answer = ECHO_SEARCH_GAVE_UP;
    }
  }
  if (answer == ECHO_SEARCH_FOUND)
    echo_offset_plan_set(problem, search.bases, plan);
  echo_vector_destroy(&search.steps);
  echo_vector_destroy(&search.runs);
  echo_vector_destroy(&search.choices);
  echo_vector_destroy(&search.nodes);
  echo_vector_destroy(&search.ranges);
  echo_arena_destroy(&arena);
  return answer;
}
