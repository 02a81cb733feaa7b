/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* again(s, t, m): the least time of the turns t .. s in m units, when only what crosses before link
 * s is there, and what crosses behind t is counted in m as far as turn t reads it. For s = t, where
 * the turn fits, inner_ns(s); else the least of, for s <= j < t,
 *     ns(s .. j) + again(j + 1, t, m - out(j)) + again(s, j, m)
 * and, where turn s fits with its inside kept,
 *     ns(s) + again(s + 1, t, m - out(s) - inner(s)).
 * The forward part is the same with free runs. A plan is read off the tables by asking again which
 * choice gave their value. */
#include "planning/cuts/levels.h"

#include <math.h>

#include "base/panic.h"

/* ---- tables ---- */

static size_t pair_number(uint32_t first, uint32_t last)
{
  return (size_t)last * (last + 1u) / 2 + first;
}

static float *again_of(const EchoLevels *levels, uint32_t first, uint32_t last)
{
  return levels->again + pair_number(first, last) * (levels->n_units + 1u);
}

static float *forward_of(const EchoLevels *levels, uint32_t first)
{
  return levels->forward + (size_t)first * (levels->n_units + 1u);
}

/* What the links s .. j take to run when turn t begins. */
typedef struct Run {
  float ns;
  uint32_t units; /* at the most */
} Run;

static void extend_run(const EchoLevels *levels, uint32_t first, uint32_t j, uint32_t turn,
                       Run *run)
{
  const EchoLevelLink *links = levels->links;
  uint32_t units = links[j].out + (j > first ? links[j - 1].out : 0);
  units += links[turn].out_read + links[turn].beside_in;
  run->ns += links[j].ns;
  if (run->units < units)
    run->units = units;
}

/* What a link holds from its run until its turn, and takes in that, when its inside is kept. */
static uint32_t whole_units(const EchoLevelLink *link)
{
  return link->out + link->inner;
}

static uint32_t whole_turn_units(const EchoLevelLink *link)
{
  return link->out_read + link->inner + link->beside;
}

static uint32_t again_turn_units(const EchoLevelLink *link)
{
  return link->out_read + link->again + link->beside;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* best[m] = min(best[m], ns + rest[m - held] + own[m]) for m >= least. */
static void better(float *best, float ns, const float *rest, uint32_t held, const float *own,
                   uint32_t least, uint32_t n_units)
{
  for (uint32_t m = max_u32(least, held); m <= n_units; ++m) {
    float found = ns + rest[m - held] + (own != NULL ? own[m] : 0);
    best[m] = found < best[m] ? found : best[m];
  }
}

static void fill_again(const EchoLevels *levels, uint32_t first, uint32_t last)
{
  const EchoLevelLink *link = &levels->links[first];
  float *best = again_of(levels, first, last);
  for (uint32_t m = 0; m <= levels->n_units; ++m)
    best[m] = first == last && m >= again_turn_units(link) ? link->inner_ns : INFINITY;
  if (first == last)
    return;
  Run run = {0, 0};
  for (uint32_t j = first; j < last; ++j) {
    extend_run(levels, first, j, last, &run);
    better(best, run.ns, again_of(levels, j + 1, last), levels->links[j].out,
           again_of(levels, first, j), run.units, levels->n_units);
  }
  better(best, link->ns, again_of(levels, first + 1, last), whole_units(link), NULL,
         whole_turn_units(link), levels->n_units);
}

static void fill_forward(const EchoLevels *levels, uint32_t first)
{
  const EchoLevelLink *link = &levels->links[first];
  float *best = forward_of(levels, first);
  uint32_t last = levels->n_links - 1;
  for (uint32_t m = 0; m <= levels->n_units; ++m) {
    best[m] = INFINITY;
    if (first == last && m >= whole_turn_units(link))
      best[m] = 0;
    else if (first == last && m >= again_turn_units(link))
      best[m] = link->inner_ns;
  }
  for (uint32_t j = first; j < last; ++j)
    better(best, 0, forward_of(levels, j + 1), levels->links[j].out, again_of(levels, first, j), 0,
           levels->n_units);
  if (first < last)
    better(best, 0, forward_of(levels, first + 1), whole_units(link), NULL, whole_turn_units(link),
           levels->n_units);
}

void echo_levels_create(EchoLevels *levels, const EchoLevelLink *links, uint32_t n_links,
                        uint32_t n_units, EchoArena *arena)
{
  ECHO_CHECK(n_links != 0, "a chain needs a link");
  *levels = (EchoLevels){.links = links, .n_links = n_links, .n_units = n_units};
  levels->forward = ECHO_ARENA_ARRAY(arena, float, (size_t)n_links *(n_units + 1u));
  levels->again = ECHO_ARENA_ARRAY(arena, float, pair_number(0, n_links) * (n_units + 1u));
  for (uint32_t last = 0; last < n_links; ++last)
    for (uint32_t first = last + 1; first-- > 0;)
      fill_again(levels, first, last);
  for (uint32_t first = n_links; first-- > 0;)
    fill_forward(levels, first);
}

void echo_levels_destroy(EchoLevels *levels)
{
  echo_vector_destroy(&levels->runs);
}

float echo_levels_ns(const EchoLevels *levels, uint32_t units)
{
  return forward_of(levels, 0)[units < levels->n_units ? units : levels->n_units];
}

/* ---- a plan ---- */

/* Turns that are still to come: links first .. last. */
typedef struct Turns {
  uint32_t first, last, units;
} Turns;

/* The choice that again(first, last, units) came from: a run up to j, or, j = last, of the first
 * link with its inside. */
static uint32_t find_choice(const EchoLevels *levels, const Turns *turns)
{
  Run run = {0, 0};
  float best = again_of(levels, turns->first, turns->last)[turns->units];
  for (uint32_t j = turns->first; j < turns->last; ++j) {
    uint32_t out = levels->links[j].out, m = turns->units;
    extend_run(levels, turns->first, j, turns->last, &run);
    if (m >= max_u32(run.units, out) && run.ns + again_of(levels, j + 1, turns->last)[m - out] +
                                                again_of(levels, turns->first, j)[m] <=
                                            best)
      return j;
  }
  return turns->last;
}

/* The turns of links whose first was not run yet, the last first. A stack: no recursion. */
static void plan_again(EchoLevels *levels, Turns turns)
{
  ECHO_VECTOR(Turns) stack = {0};
  echo_vector_push(&stack, turns);
  while (stack.size != 0) {
    Turns top = echo_vector_last(&stack);
    --stack.size;
    if (top.first == top.last)
      continue;
    uint32_t j = find_choice(levels, &top);
    bool is_whole = j == top.last;
    const EchoLevelLink *first = &levels->links[top.first];
    EchoLevelRun run = {top.first, is_whole ? top.first : j, top.last, is_whole};
    echo_vector_push(&levels->runs, run);
    if (is_whole) {
      echo_vector_push(&stack, ((Turns){top.first + 1, top.last, top.units - whole_units(first)}));
      continue;
    }
    echo_vector_push(&stack, ((Turns){top.first, j, top.units}));
    echo_vector_push(&stack, ((Turns){j + 1, top.last, top.units - levels->links[j].out}));
  }
  echo_vector_destroy(&stack);
}

/* The choice that forward(first, units) came from: what crosses behind j stays, or, j = last, all
 * of the first link. */
static uint32_t find_forward_choice(const EchoLevels *levels, uint32_t first, uint32_t units)
{
  uint32_t last = levels->n_links - 1;
  float best = forward_of(levels, first)[units];
  const EchoLevelLink *link = &levels->links[first];
  if (units >= max_u32(whole_units(link), whole_turn_units(link)) &&
      forward_of(levels, first + 1)[units - whole_units(link)] <= best)
    return last;
  for (uint32_t j = first; j < last; ++j)
    if (units >= levels->links[j].out && forward_of(levels, j + 1)[units - levels->links[j].out] +
                                                 again_of(levels, first, j)[units] <=
                                             best)
      return j;
  ECHO_CHECK(false, "a table of levels has no choice for its value");
  return last;
}

void echo_levels_plan(EchoLevels *levels, uint32_t units, EchoLevelKept *kept)
{
  ECHO_VECTOR(Turns) left = {0};
  uint32_t first = 0, last = levels->n_links - 1;
  units = units < levels->n_units ? units : levels->n_units;
  ECHO_CHECK(isfinite(echo_levels_ns(levels, units)), "no plan in %u units", units);
  echo_vector_clear(&levels->runs);
  for (uint32_t k = 0; k < levels->n_links; ++k)
    kept[k] = (EchoLevelKept){false, false};
  while (first < last) {
    uint32_t j = find_forward_choice(levels, first, units);
    bool is_whole = j == last;
    j = is_whole ? first : j;
    kept[j] = (EchoLevelKept){true, is_whole};
    if (!is_whole)
      echo_vector_push(&left, ((Turns){first, j, units}));
    units -= is_whole ? whole_units(&levels->links[j]) : levels->links[j].out;
    first = j + 1;
  }
  kept[last].inner = units >= whole_turn_units(&levels->links[last]);
  for (size_t i = left.size; i-- > 0;)
    plan_again(levels, left.data[i]);
  echo_vector_destroy(&left);
}
