/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The times that blocks need not be there. */
#include <stdlib.h>

#include "planning/swap/choose_t.h"

static int by_last_step(const void *a, const void *b)
{
  const EchoSwapStay *x = a, *y = b;
  if (x->last_step != y->last_step)
    return x->last_step < y->last_step ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

static void add_stay(EchoChooser *chooser, EchoSwapStay stay)
{
  const int64_t *start_ns = chooser->program->start_ns.data;
  int64_t end_ns = stay.wraps ? start_ns[chooser->n_steps] : 0;
  stay.size_bytes = chooser->program->blocks.data[stay.block].size_bytes;
  stay.out_ns = stay.copies_out ? echo_swap_out_ns(chooser->transfer, stay.size_bytes) : 0;
  stay.in_ns = echo_swap_in_ns(chooser->transfer, stay.size_bytes);
  stay.away_ns = end_ns + start_ns[stay.next_step] - start_ns[stay.last_step + 1];
  chooser->stays[chooser->n_stays++] = stay;
}

/* The accesses [first, end) are one block's. */
static void find_stays_of(EchoChooser *chooser, size_t first, size_t end)
{
  const EchoSwapAccess *accesses = chooser->program->accesses.data;
  uint32_t block = accesses[first].block;
  bool is_state = chooser->program->blocks.data[block].is_state;
  bool is_written = accesses[first].writes;
  if (chooser->program->blocks.data[block].size_bytes < ECHO_SWAP_MIN_BYTES)
    return;
  for (size_t i = first + 1; i < end; ++i) {
    if (accesses[i].step > accesses[i - 1].step + 1)
      add_stay(chooser, (EchoSwapStay){.block = block,
                                       .last_step = accesses[i - 1].step,
                                       .next_step = accesses[i].step,
                                       .copies_out = !is_state || is_written});
    is_written |= accesses[i].writes;
  }
  if (is_state)
    add_stay(chooser, (EchoSwapStay){.block = block,
                                     .last_step = accesses[end - 1].step,
                                     .next_step = accesses[first].step,
                                     .wraps = true,
                                     .copies_out = is_written});
}

/* Stays of state are none without the one that wraps. */
static void find_needs(EchoChooser *chooser)
{
  uint32_t *wrapping =
      ECHO_ARENA_ARRAY(&chooser->arena, uint32_t, chooser->program->blocks.size + 1);
  for (size_t b = 0; b < chooser->program->blocks.size; ++b)
    wrapping[b] = ECHO_NO_STAY;
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    if (chooser->stays[g].wraps)
      wrapping[chooser->stays[g].block] = g;
  for (uint32_t g = 0; g < chooser->n_stays; ++g)
    chooser->stays[g].needs =
        chooser->stays[g].wraps ? ECHO_NO_STAY : wrapping[chooser->stays[g].block];
}

static void find_stays(EchoChooser *chooser)
{
  const EchoSwapProgram *program = chooser->program;
  size_t n = program->accesses.size;
  chooser->stays = ECHO_ARENA_ARRAY(&chooser->arena, EchoSwapStay, n + program->blocks.size + 1);
  for (size_t first = 0, end; first < n; first = end) {
    for (end = first + 1;
         end < n && program->accesses.data[end].block == program->accesses.data[first].block;)
      ++end;
    find_stays_of(chooser, first, end);
  }
  if (chooser->n_stays != 0)
    qsort(chooser->stays, chooser->n_stays, sizeof(EchoSwapStay), by_last_step);
  find_needs(chooser);
}

void echo_chooser_create(EchoChooser *chooser, const EchoSwapProgram *program,
                         const EchoSwapTransfer *transfer, uint64_t limit_bytes)
{
  *chooser = (EchoChooser){.program = program,
                           .transfer = transfer,
                           .limit_bytes = limit_bytes,
                           .n_steps = (uint32_t)program->inner_bytes.size,
                           .best_ns = INT64_MAX};
  find_stays(chooser);
  size_t n = chooser->n_stays + 1u;
  chooser->is_chosen = ECHO_ARENA_ARRAY(&chooser->arena, bool, n);
  chooser->best = ECHO_ARENA_ARRAY(&chooser->arena, bool, n);
  memset(chooser->is_chosen, 0, n);
  memset(chooser->best, 0, n);
  chooser->real_ns = ECHO_ARENA_ARRAY(&chooser->arena, int64_t, chooser->n_steps + 1u);
  chooser->live = echo_swap_program_live_bytes(program);
  echo_profile_create_from(&chooser->load, chooser->live, chooser->n_steps);
}

void echo_chooser_destroy(EchoChooser *chooser)
{
  echo_profile_destroy(&chooser->load);
  echo_vector_destroy(&chooser->places);
  echo_vector_destroy(&chooser->best_places);
  echo_free(chooser->live);
  echo_arena_destroy(&chooser->arena);
}
