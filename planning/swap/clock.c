/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When the steps of a program run, with its copies. */
#include "base/memory.h"
#include "planning/swap/program.h"

/* Places by a step of theirs: those of step s are order[first[s] .. first[s + 1]), in their own
 * order. */
typedef struct ByStep {
  uint32_t *first, *order;
} ByStep;

typedef enum Which { WAIT_STEP, IN_STEP, NEXT_STEP, BEHIND_LAST_STEP, N_WHICH } Which;

static uint32_t step_of(const EchoSwapPlace *place, Which which)
{
  switch (which) {
  case WAIT_STEP:
    return place->wait_step;
  case IN_STEP:
    return place->in_step;
  case NEXT_STEP:
    return place->next_step;
  default:
    return place->last_step + 1; /* 0 for what comes in first */
  }
}

static ByStep sort_by_step(const EchoSwapPlace *places, size_t n_places, uint32_t n_steps,
                           Which which, uint32_t *room)
{
  ByStep by = {.first = room, .order = room + n_steps + 3};
  for (uint32_t s = 0; s < n_steps + 3; ++s)
    by.first[s] = 0;
  for (size_t i = 0; i < n_places; ++i)
    ++by.first[step_of(&places[i], which) + 2];
  for (uint32_t s = 1; s < n_steps + 3; ++s)
    by.first[s] += by.first[s - 1];
  for (size_t i = 0; i < n_places; ++i)
    by.order[by.first[step_of(&places[i], which) + 1]++] = (uint32_t)i;
  return by;
}

static int64_t later(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

int64_t echo_swap_clock(const EchoSwapPlace *places, size_t n_places, const int64_t *start_ns,
                        uint32_t n_steps, const EchoSwapTransfer *transfer, int64_t *real_ns)
{
  size_t room_for_one = n_steps + 3u + n_places;
  uint32_t *room = echo_alloc_array(N_WHICH * room_for_one, sizeof *room);
  int64_t *out_end = echo_alloc_array(2 * n_places + 1, sizeof *out_end);
  int64_t *in_end = out_end + n_places, now = 0, out_free = 0, in_free = 0;
  ByStep by[N_WHICH];
  for (unsigned w = 0; w < N_WHICH; ++w)
    by[w] = sort_by_step(places, n_places, n_steps, (Which)w, room + w * room_for_one);
  for (uint32_t s = 0; s <= n_steps; ++s) {
    for (uint32_t k = by[BEHIND_LAST_STEP].first[s]; k < by[BEHIND_LAST_STEP].first[s + 1]; ++k) {
      uint32_t i = by[BEHIND_LAST_STEP].order[k];
      if (places[i].copies_out)
        out_free = later(now, out_free) + echo_swap_out_ns(transfer, places[i].size_bytes);
      out_end[i] = places[i].copies_out ? out_free : now;
    }
    for (uint32_t k = by[WAIT_STEP].first[s]; k < by[WAIT_STEP].first[s + 1]; ++k)
      now = later(now, out_end[by[WAIT_STEP].order[k]]);
    if (s == n_steps)
      break;
    for (uint32_t k = by[IN_STEP].first[s]; k < by[IN_STEP].first[s + 1]; ++k) {
      uint32_t i = by[IN_STEP].order[k];
      in_end[i] = in_free = later(now, in_free) + echo_swap_in_ns(transfer, places[i].size_bytes);
    }
    for (uint32_t k = by[NEXT_STEP].first[s]; k < by[NEXT_STEP].first[s + 1]; ++k)
      now = later(now, in_end[by[NEXT_STEP].order[k]]);
    if (real_ns != NULL)
      real_ns[s] = now;
    now += start_ns[s + 1] - start_ns[s];
  }
  if (real_ns != NULL)
    real_ns[n_steps] = now;
  echo_free(room);
  echo_free(out_end);
  return now - start_ns[n_steps];
}
