/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One choice: what is put away, and what the whole program then takes by its clock. */
#include "planning/swap/choose_t.h"

/* ---- a choice ---- */

void echo_stay_parts(const EchoChooser *chooser, const EchoSwapStay *stay, uint32_t begin[2],
                     uint32_t end[2])
{
  begin[0] = stay->last_step + 1;
  end[0] = stay->wraps ? chooser->n_steps : stay->next_step;
  begin[1] = 0;
  end[1] = stay->wraps ? stay->next_step : 0;
}

void echo_chooser_put(EchoChooser *chooser, uint32_t g, bool is_chosen)
{
  EchoSwapStay *stay = &chooser->stays[g];
  uint32_t begin[2], end[2];
  int64_t bytes = is_chosen ? -(int64_t)stay->size_bytes : (int64_t)stay->size_bytes;
  if (chooser->is_chosen[g] == is_chosen)
    return;
  chooser->is_chosen[g] = is_chosen;
  echo_stay_parts(chooser, stay, begin, end);
  for (int part = 0; part < 2; ++part)
    echo_profile_add(&chooser->load, begin[part], end[part], bytes);
  if (stay->needs == ECHO_NO_STAY)
    return;
  chooser->stays[stay->needs].n_needed += is_chosen ? 1 : UINT32_MAX;
  if (is_chosen)
    echo_chooser_put(chooser, stay->needs, true);
}

bool echo_chooser_fits(const EchoChooser *chooser)
{
  return echo_profile_max(&chooser->load) <= (int64_t)chooser->limit_bytes;
}

void echo_chooser_give_back(EchoChooser *chooser, uint32_t g)
{
  if (!chooser->is_chosen[g] || chooser->stays[g].n_needed != 0)
    return;
  echo_chooser_put(chooser, g, false);
  if (!echo_chooser_fits(chooser))
    echo_chooser_put(chooser, g, true);
}

void echo_chooser_put_all(EchoChooser *chooser, const bool *is_chosen)
{
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (is_chosen == NULL || !is_chosen[g])
      echo_chooser_put(chooser, g, false);
  for (uint32_t g = 0; g < chooser->n_stays && is_chosen != NULL; ++g)
    if (is_chosen[g])
      echo_chooser_put(chooser, g, true);
  echo_profile_commit(&chooser->load);
}

/* ---- judging ---- */

static void list_places(EchoChooser *chooser)
{
  echo_vector_clear(&chooser->places);
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (chooser->is_chosen[g] && chooser->stays[g].wraps)
      echo_vector_push(&chooser->places,
                       ((EchoSwapPlace){.block = chooser->stays[g].block,
                                        .last_step = ECHO_SWAP_NEVER,
                                        .next_step = chooser->stays[g].next_step,
                                        .size_bytes = chooser->stays[g].size_bytes}));
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (chooser->is_chosen[g])
      echo_vector_push(
          &chooser->places,
          ((EchoSwapPlace){.block = chooser->stays[g].block,
                           .last_step = chooser->stays[g].last_step,
                           .next_step = chooser->stays[g].wraps ? chooser->n_steps
                                                                : chooser->stays[g].next_step,
                           .copies_out = chooser->stays[g].copies_out,
                           .size_bytes = chooser->stays[g].size_bytes}));
}

static int64_t place_and_clock(EchoChooser *chooser, const int64_t *start_ns, uint64_t limit_bytes)
{
  EchoSwapPlaces *places = &chooser->places;
  echo_swap_place(places->data, places->size, chooser->live, start_ns, chooser->n_steps,
                  limit_bytes, chooser->transfer);
  chooser->work += chooser->n_steps + ECHO_PLACE_WORK * places->size;
  return echo_swap_clock(places->data, places->size, chooser->program->start_ns.data,
                         chooser->n_steps, chooser->transfer, chooser->real_ns);
}

bool echo_chooser_judge(EchoChooser *chooser)
{
  bool is_better = false;
  if (!echo_chooser_fits(chooser))
    return false;
  list_places(chooser);
  for (int look = 0; look < 2; ++look) {
    int64_t ns =
        place_and_clock(chooser, look == 0 ? chooser->program->start_ns.data : chooser->real_ns,
                        chooser->limit_bytes);
    if (ns < chooser->best_ns) {
      chooser->best_ns = ns;
      echo_vector_clear(&chooser->best_places);
      for (size_t i = 0; i < chooser->places.size; ++i)
        echo_vector_push(&chooser->best_places, chooser->places.data[i]);
      memcpy(chooser->best, chooser->is_chosen, chooser->n_stays);
      is_better = true;
    }
    if (ns == 0 || chooser->places.size == 0)
      break;
  }
  return is_better;
}

int64_t echo_chooser_time_so_far(EchoChooser *chooser)
{
  int64_t most = echo_profile_max(&chooser->load);
  list_places(chooser);
  return place_and_clock(chooser, chooser->program->start_ns.data,
                         most > (int64_t)chooser->limit_bytes ? (uint64_t)most
                                                              : chooser->limit_bytes);
}
