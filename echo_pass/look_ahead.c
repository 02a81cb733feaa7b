/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What points come to, found on several threads shortly before the search asks. The search itself
 * runs as if it were alone: it asks in its own order, and what it asks about is known already, as
 * the graphs are that it looked at before. So nothing but time depends on how many threads there
 * are, nor on what is looked at in vain. */
#include "echo_pass/search_state_t.h"

/* Nodes looked at, all points and orders together, below which one thread is as fast: a node takes
 * close to a microsecond, and to wake another thread some tens. */
#define LEAST_NODES 512

/* A thread's own room. It has what is read from the searcher that it helps, and never its curve. */
typedef struct EchoHelper {
  EchoSearcher searcher;
  EchoCandidates candidates; /* those of the searcher it helps, on `memory` */
  EchoArena memory;
} EchoHelper;

typedef struct LookAhead {
  EchoSearcher *searcher;
  EchoLook *looks;
  const EchoOwnTask *own; /* the first task, or NULL */
} LookAhead;

unsigned echo_search_n_looks(const EchoSearcher *searcher)
{
  EchoThreadPool *pool = searcher->options->pool;
  bool is_named = searcher->options->fusion.order != NULL; /* its code need not be ready for it */
  return pool != NULL && !is_named ? echo_thread_pool_size(pool) : 1;
}

static void create_helpers(EchoSearcher *searcher)
{
  searcher->n_helpers = echo_search_n_looks(searcher);
  searcher->helpers = echo_alloc_zero(searcher->n_helpers, sizeof(EchoHelper));
  for (unsigned i = 0; i < searcher->n_helpers; ++i) {
    EchoHelper *helper = &searcher->helpers[i];
    helper->candidates = *searcher->candidates;
    helper->candidates.scratch = &helper->memory;
    helper->searcher = (EchoSearcher){.candidates = &helper->candidates,
                                      .scratch = &helper->memory,
                                      .interface = searcher->interface,
                                      .options = searcher->options};
  }
}

void echo_search_destroy_helpers(EchoSearcher *searcher)
{
  for (unsigned i = 0; i < searcher->n_helpers; ++i) {
    echo_searcher_destroy(&searcher->helpers[i].searcher);
    echo_arena_destroy(&searcher->helpers[i].memory);
  }
  echo_free(searcher->helpers);
  searcher->helpers = NULL;
  searcher->n_helpers = 0;
}

static void run_tasks(void *user, int64_t begin, int64_t end, unsigned thread)
{
  const LookAhead *ahead = user;
  EchoSearcher *searcher = ahead->searcher;
  for (int64_t task = begin; task < end; ++task) {
    int64_t look = ahead->own != NULL ? task - 1 : task;
    if (look < 0)
      ahead->own->run(ahead->own->user);
    else
      echo_point_look(&searcher->helpers[thread].searcher, searcher, &ahead->looks[look]);
  }
}

/* Looks that ask for something first. */
static size_t drop_idle(EchoLook *looks, size_t n)
{
  size_t n_left = 0;
  for (size_t i = 0; i < n; ++i) {
    looks[i].orders &= ~looks[i].point->orders;
    if (looks[i].orders != 0 && looks[i].point->as_written == NULL)
      looks[n_left++] = looks[i];
  }
  return n_left;
}

void echo_search_look_ahead(EchoSearcher *searcher, EchoLook *looks, size_t n,
                            const EchoOwnTask *own)
{
  uint64_t n_nodes = searcher->candidates->graph->nodes.size, sum = 0;
  n = echo_search_n_looks(searcher) > 1 ? drop_idle(looks, n) : 0;
  for (size_t i = 0; i < n; ++i)
    sum += n_nodes * echo_n_orders(looks[i].orders);
  size_t n_tasks = n + (own != NULL);
  if (n_tasks < 2 || sum < LEAST_NODES) {
    if (own != NULL)
      own->run(own->user);
    return;
  }
  if (searcher->helpers == NULL)
    create_helpers(searcher);
  LookAhead ahead = {searcher, looks, own};
  echo_thread_pool_run(searcher->options->pool, (int64_t)n_tasks, 1, run_tasks, &ahead);
  for (size_t i = 0; i < n; ++i)
    echo_search_take_look(searcher, &looks[i]);
}
