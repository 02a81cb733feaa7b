/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The policy that was asked for; beside the default one our others, so that none of them reaches
 * what it does not. Each of those is searched aside, knowing of nothing but the points that do
 * nothing, and what it finds joins the curve in turn: so they may run side by side. */
#include "echo_pass/policy_t.h"

/* Of a graph with fewer nodes the others take no longer, some tens of looks each, than to wake
 * threads: a node of a look takes close to a microsecond, that some tens. */
#define LEAST_NODES 32

/* A search of one policy, with all that it writes. */
typedef struct Aside {
  EchoSearcher searcher;
  EchoSearchOptions options;
  EchoCandidates candidates; /* the searcher's own, on `memory` */
  EchoArena memory;
  EchoCurve curve;
  EchoFrontier frontier;
} Aside;

typedef struct Together {
  EchoSearcher *searcher;
  EchoFrontier *frontier;
  Aside *asides;
  size_t n_asides;
  uint64_t work;
  bool is_asked; /* the policy that was asked for has been searched */
  bool is_fine;  /* of the policy that was asked for: ours make no errors */
} Together;

/* In all orders it was looked at before: no copies of it stand for others. */
static void take_nothing(const EchoSearcher *searcher, uint32_t index, Aside *aside)
{
  EchoPoint point;
  echo_point_copy(searcher, &searcher->curve->points.data[index], &point, &aside->curve.memory);
  point.copies = ECHO_ALL_ORDERS;
  aside->searcher.nothing = (uint32_t)aside->curve.points.size;
  echo_vector_push(&aside->curve.points, point);
}

static void aside_create(Aside *aside, const EchoSearcher *searcher)
{
  *aside = (Aside){.options = *searcher->options,
                   .candidates = *searcher->candidates,
                   .curve = {.swap_limit_bytes = UINT64_MAX}};
  aside->options.pool = aside->options.policy_pool = NULL;
  aside->candidates.scratch = &aside->memory;
  aside->searcher = (EchoSearcher){.candidates = &aside->candidates,
                                   .scratch = &aside->memory,
                                   .interface = searcher->interface,
                                   .options = &aside->options,
                                   .curve = &aside->curve,
                                   .regions_at_least = searcher->regions_at_least,
                                   .first_orders = searcher->first_orders,
                                   .orders = searcher->orders,
                                   .usual_ns = searcher->usual_ns};
  take_nothing(searcher, 0, aside);
  if (searcher->nothing != 0)
    take_nothing(searcher, searcher->nothing, aside);
}

static void aside_destroy(Aside *aside)
{
  echo_searcher_destroy(&aside->searcher);
  echo_curve_destroy(&aside->curve);
  echo_vector_destroy(&aside->frontier.points);
  echo_arena_destroy(&aside->memory);
}

/* Its points become those of the searcher, with the memory that they live in. */
static void join(EchoSearcher *searcher, Aside *aside)
{
  EchoCurve *curve = searcher->curve;
  EchoSearcher *from = &aside->searcher;
  uint32_t first = (uint32_t)curve->points.size, own = (uint32_t)from->first_point;
  for (size_t i = own; i < aside->curve.points.size; ++i)
    echo_vector_push(&curve->points, aside->curve.points.data[i]);
  for (size_t i = 0; i < from->found.size; ++i)
    echo_vector_push(&searcher->found, first + from->found.data[i] - own);
  echo_vector_push(&curve->joined, aside->curve.memory);
  aside->curve.memory = (EchoArena){0};
  searcher->policy = from->policy;
  searcher->is_for_comparison = from->is_for_comparison;
  searcher->max_work = from->max_work;
}

static void search_asked(Together *together)
{
  EchoSearcher *searcher = together->searcher;
  unsigned orders = searcher->orders;
  together->is_fine =
      echo_search_policy(searcher, searcher->options->policy, together->work, together->frontier);
  searcher->is_repeated = false; /* the others know nothing of layers */
  searcher->orders = orders;
  if (together->is_fine)
    echo_curve_drop_undercut(searcher);
}

static void search_aside(Together *together, size_t index)
{
  Aside *aside = &together->asides[index];
  echo_search_policy(&aside->searcher, ECHO_POLICIES[index + 1], together->work, &aside->frontier);
  echo_curve_drop_undercut(&aside->searcher);
}

/* With what is known of graphs of its own. */
static void search_aside_alone(Together *together, size_t index)
{
  search_aside(together, index);
  echo_searcher_give_back(&together->asides[index].searcher);
}

static void run_tasks(void *user, int64_t begin, int64_t end, unsigned thread)
{
  Together *together = user;
  (void)thread;
  for (int64_t task = begin; task < end; ++task)
    if (task == 0 && !together->is_asked)
      search_asked(together);
    else
      search_aside_alone(together, (size_t)task - !together->is_asked);
}

/* What is known of graphs is of use to the others, one after the other. */
static void exchange_known(EchoSearcher *a, EchoSearcher *b)
{
  EchoKnownGraphs known = a->known_graphs;
  a->known_graphs = b->known_graphs;
  b->known_graphs = known;
}

static void run_alone(Together *together)
{
  for (size_t i = 0; i < together->n_asides && together->is_fine; ++i) {
    exchange_known(together->searcher, &together->asides[i].searcher);
    search_aside(together, i);
    exchange_known(together->searcher, &together->asides[i].searcher);
    echo_searcher_give_back(&together->asides[i].searcher);
  }
}

/* Where layers repeat, the others look at the whole step all the same: from one start. */
static bool has_asides(const EchoSearcher *searcher)
{
  return !searcher->is_repeated || searcher->options->start == ECHO_START_FIRST;
}

/* Where layers repeat, what it came to is what the others are held against. */
static void ask_first(Together *together)
{
  const EchoSearcher *searcher = together->searcher;
  bool is_repeated = searcher->is_repeated;
  search_asked(together);
  for (size_t i = 0; i < together->n_asides && is_repeated; ++i)
    together->asides[i].searcher.beside = searcher->curve;
}

bool echo_search_policies(EchoSearcher *searcher, uint64_t work, EchoFrontier *frontier)
{
  Together together = {.searcher = searcher, .frontier = frontier, .work = work};
  EchoThreadPool *pool = searcher->options->policy_pool;
  while (searcher->options->policy == ECHO_POLICIES[0] && has_asides(searcher) &&
         ECHO_POLICIES[together.n_asides + 1] != NULL)
    ++together.n_asides;
  together.asides = echo_alloc_array(together.n_asides + 1, sizeof *together.asides);
  for (size_t i = 0; i < together.n_asides; ++i)
    aside_create(&together.asides[i], searcher);
  bool is_side_by_side = pool != NULL && together.n_asides != 0 &&
                         searcher->candidates->graph->nodes.size >= LEAST_NODES;
  together.is_asked = !is_side_by_side || searcher->is_repeated;
  if (together.is_asked)
    ask_first(&together);
  if (!is_side_by_side)
    run_alone(&together);
  else
    echo_thread_pool_run(pool, (int64_t)together.n_asides + !together.is_asked, 1, run_tasks,
                         &together);
  for (size_t i = 0; i < together.n_asides; ++i) {
    if (together.is_fine)
      join(searcher, &together.asides[i]);
    aside_destroy(&together.asides[i]);
  }
  echo_free(together.asides);
  return together.is_fine;
}
