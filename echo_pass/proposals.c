/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Proposals. What a policy says next does not depend on what came of what it said: so a few of them
 * wait, and are then looked at side by side. On one thread none waits. */
#include "echo_pass/search_state_t.h"

#define BATCHES                                                                                    \
  2 /* looks of a thread before proposals are taken up: they do not take equally long */

static void propose_in(EchoSearcher *searcher, EchoPoint *point, unsigned orders)
{
  if (!echo_point_finish(searcher, point))
    return;
  echo_point_evaluate(searcher, point, orders);
  echo_curve_add(searcher, point);
}

/* What is small beside the peak is left whole. */
static void cut_chains(const EchoSearcher *searcher, EchoPoint *point)
{
  echo_choice_cut_chains(&point->choice, searcher->candidates,
                         searcher->curve->points.data[0].peak_bytes / 64);
}

void echo_search_propose(EchoSearcher *searcher, EchoPoint *point)
{
  propose_in(searcher, point, searcher->first_orders);
}

void echo_search_propose_soon(EchoSearcher *searcher, EchoPoint *point, bool cuts_chains,
                              bool wants_work)
{
  size_t n_threads = echo_search_n_looks(searcher);
  EchoProposal proposal = {.orders = searcher->first_orders, .wants_work = wants_work};
  if (wants_work && !echo_search_has_work(searcher, 2))
    return;
  if (cuts_chains)
    cut_chains(searcher, point);
  if (n_threads == 1) {
    echo_search_propose(searcher, point);
    return;
  }
  echo_point_copy(searcher, point, &proposal.point, &searcher->waiting_memory);
  echo_vector_push(&searcher->waiting, proposal);
  if (searcher->waiting.size >= BATCHES * n_threads)
    echo_search_take_up(searcher);
}

static void look_ahead_at_waiting(EchoSearcher *searcher)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoLook *looks = ECHO_ARENA_ARRAY(searcher->scratch, EchoLook, searcher->waiting.size + 1);
  size_t n = 0;
  for (size_t i = 0; i < searcher->waiting.size; ++i) {
    const EchoProposal *proposal = &searcher->waiting.data[i];
    if (!echo_point_is_known(searcher, &proposal->point))
      looks[n++] = (EchoLook){.point = &proposal->point, .orders = proposal->orders};
  }
  echo_search_look_ahead(searcher, looks, n, NULL);
  echo_arena_reset(searcher->scratch, mark);
}

void echo_search_take_up(EchoSearcher *searcher)
{
  look_ahead_at_waiting(searcher);
  for (size_t i = 0; i < searcher->waiting.size; ++i) {
    EchoProposal *proposal = &searcher->waiting.data[i];
    EchoArenaMark mark = echo_arena_mark(searcher->scratch);
    if (!proposal->wants_work || echo_search_has_work(searcher, 2))
      propose_in(searcher, &proposal->point, proposal->orders);
    echo_arena_reset(searcher->scratch, mark);
  }
  echo_vector_clear(&searcher->waiting);
  echo_arena_reset(&searcher->waiting_memory, (EchoArenaMark){0});
}
