/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From what is away to places in a program. Copies out in order of time, each held back as long
 * as the copy takes or the limit allows; copies in from the last to the first, each begun early
 * enough to be back in time, or as early as the limit allows. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "planning/swap/profile_t.h"
#include "planning/swap/program.h"

static void move_away(EchoProfile *live, const EchoSwapPlace *place, int64_t sign)
{
  if (place->wait_step < place->in_step)
    echo_profile_add(live, place->wait_step, place->in_step, sign * (int64_t)place->size_bytes);
}

/* The last step up to `wanted` until which the value may stay where it is. */
static uint32_t stay_until(const EchoProfile *live, const EchoSwapPlace *place, uint32_t wanted,
                           int64_t limit)
{
  uint32_t low = place->wait_step, high = wanted < place->in_step ? wanted : place->in_step;
  if (low >= high)
    return low;
  size_t full =
      echo_profile_next_above(live, low, limit - (int64_t)place->size_bytes); /* no room there */
  return full < high ? (uint32_t)full : high;
}

/* The first step from `wanted` on from which the value may be back. */
static uint32_t back_from(const EchoProfile *live, const EchoSwapPlace *place, uint32_t wanted,
                          int64_t limit)
{
  uint32_t low = wanted > place->wait_step ? wanted : place->wait_step, high = place->in_step;
  while (low < high) { /* room for [s, high) implies room for shorter ranges */
    uint32_t middle = low + (high - low) / 2;
    if (echo_profile_max_in(live, middle, place->in_step) + (int64_t)place->size_bytes <= limit)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static int by_next_step(const void *a, const void *b)
{
  const EchoSwapPlace *x = *(EchoSwapPlace *const *)a, *y = *(EchoSwapPlace *const *)b;
  if (x->next_step != y->next_step)
    return x->next_step > y->next_step ? -1 : 1;
  return x > y ? -1 : 1;
}

static void place_outs(EchoSwapPlace *places, size_t n_places, EchoProfile *live,
                       const int64_t *start_ns, uint32_t n_steps, int64_t limit,
                       const EchoSwapTransfer *transfer)
{
  int64_t free_ns = 0;
  for (size_t i = 0; i < n_places; ++i) {
    EchoSwapPlace *place = &places[i];
    if (!place->copies_out)
      continue; /* away at once */
    int64_t end_ns = start_ns[place->last_step + 1];
    end_ns = end_ns > free_ns ? end_ns : free_ns;
    free_ns = end_ns + echo_swap_out_ns(transfer, place->size_bytes);
    uint32_t wanted = echo_lower_bound_i64(start_ns, n_steps, free_ns);
    uint32_t stays = stay_until(live, place, wanted, limit);
    move_away(live, place, 1);
    place->wait_step = stays;
    move_away(live, place, -1);
  }
}

static void place_ins(EchoSwapPlace **order, size_t n_places, EchoProfile *live,
                      const int64_t *start_ns, uint32_t n_steps, int64_t limit,
                      const EchoSwapTransfer *transfer)
{
  int64_t free_ns = INT64_MAX;
  for (size_t i = 0; i < n_places; ++i) {
    EchoSwapPlace *place = order[i];
    if (place->next_step == n_steps)
      continue; /* nobody waits for it */
    int64_t due_ns = start_ns[place->next_step];
    due_ns = due_ns < free_ns ? due_ns : free_ns;
    int64_t begin_ns = due_ns - echo_swap_in_ns(transfer, place->size_bytes);
    uint32_t after = echo_lower_bound_i64(start_ns, n_steps, begin_ns);
    uint32_t wanted =
        after > 0 && (after == n_steps || start_ns[after] > begin_ns) ? after - 1 : after;
    uint32_t back = back_from(live, place, wanted, limit);
    move_away(live, place, 1);
    place->in_step = back;
    move_away(live, place, -1);
    free_ns = begin_ns < start_ns[back] ? start_ns[back] : begin_ns;
  }
}

void echo_swap_place(EchoSwapPlace *places, size_t n_places, const int64_t *live_bytes,
                     const int64_t *start_ns, uint32_t n_steps, uint64_t limit_bytes,
                     const EchoSwapTransfer *transfer)
{
  EchoProfile live;
  EchoSwapPlace **order = echo_alloc_array(n_places + 1, sizeof(*order));
  echo_profile_create_from(&live, live_bytes, n_steps);
  for (size_t i = 0; i < n_places; ++i) { /* away for as long as can be */
    places[i].wait_step = places[i].last_step + 1;
    places[i].in_step = places[i].next_step;
    order[i] = &places[i];
    move_away(&live, &places[i], -1);
  }
  place_outs(places, n_places, &live, start_ns, n_steps, (int64_t)limit_bytes, transfer);
  if (n_places != 0)
    qsort(order, n_places, sizeof(*order), by_next_step);
  place_ins(order, n_places, &live, start_ns, n_steps, (int64_t)limit_bytes, transfer);
  echo_profile_destroy(&live);
  echo_free(order);
}
