/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where layers repeat, the search on few of them (fold_t.h) proposes for all: how well they are
 * decided on does not depend on how many there are. */
#include "echo_pass/policy_t.h"

#define MAX_CARRIED 32  /* points of the folded curve, each tried on the whole graph */
#define FOLDED_TRIES 64 /* of the whole graph beside them, where it is large */
#define OWN_TRIES 256   /* that there is work for: then the whole graph is searched all the same */

void echo_search_fold(EchoSearcher *searcher, EchoFold *fold, uint64_t work)
{
  const EchoSearchOptions *options = searcher->options;
  const EchoCandidates *whole = searcher->candidates;
  searcher->fold = NULL;
  searcher->is_repeated = false;
  if (options->policy != ECHO_POLICIES[0] || whole->n_menus != 0 ||
      !echo_fold_create(fold, whole, searcher->interface, &options->fusion, &options->device))
    return;
  searcher->fold = fold;
  searcher->is_repeated = work < OWN_TRIES * whole->graph->nodes.size;
}

/* ---- what earlier starts came to ---- */

static bool undercuts(const EchoFolded *before, const EchoPoint *point)
{
  for (size_t i = 0; i < before->points.size; ++i)
    if (before->points.data[i].bytes <= point->peak_bytes && before->points.data[i].ns <= point->ns)
      return true;
  return false;
}

/* Leaves of the folded frontier what no earlier start undercuts: the first point does nothing, and
 * stays. Foldings that leave another number of nodes say nothing of each other. False where nothing
 * else is left. */
static bool drop_undercut(EchoSearcher *searcher, const EchoCurve *inner, EchoFrontier *frontier)
{
  const EchoFolded *before = searcher->options->folded_before;
  size_t n = 1;
  if (!searcher->is_repeated || before == NULL ||
      before->n_nodes != searcher->fold->graph.nodes.size)
    return true;
  for (size_t i = 1; i < frontier->points.size; ++i)
    if (!undercuts(before, &inner->points.data[frontier->points.data[i]]))
      frontier->points.data[n++] = frontier->points.data[i];
  frontier->points.size = n;
  return n != 1;
}

/* For the starts to come: of those before this one, too. */
static void note_folded(EchoSearcher *searcher, const EchoCurve *inner,
                        const EchoFrontier *frontier)
{
  const EchoFolded *before = searcher->options->folded_before;
  EchoFolded *folded = &searcher->curve->folded;
  folded->n_nodes = searcher->fold->graph.nodes.size;
  for (size_t i = 0;
       before != NULL && before->n_nodes == folded->n_nodes && i < before->points.size; ++i)
    echo_vector_push(&folded->points, before->points.data[i]);
  for (size_t i = 0; i < frontier->points.size; ++i) {
    const EchoPoint *point = &inner->points.data[frontier->points.data[i]];
    echo_vector_push(&folded->points, (EchoFoldedPoint){point->peak_bytes, point->ns});
  }
}

/* ---- carried over ---- */

/* Of the folded frontier as many as there is work for, as far apart as they can be. */
static void carry_over(EchoSearcher *searcher, const EchoCurve *inner, const EchoFrontier *frontier)
{
  size_t n = frontier->points.size, n_tried = n < MAX_CARRIED ? n : MAX_CARRIED;
  unsigned first_orders = searcher->first_orders;
  for (size_t i = 1; i < n_tried; ++i) { /* the first does nothing */
    const EchoPoint *folded =
        &inner->points.data[frontier->points.data[i * (n - 1) / (n_tried - 1)]];
    searcher->first_orders = /* else who stays on the frontier gets them all */
        searcher->is_repeated ? echo_point_best_order(folded) : 1u << ECHO_ORDER_GIVEN;
    EchoArenaMark mark = echo_arena_mark(searcher->scratch);
    EchoPoint point;
    echo_point_create(searcher, &point);
    echo_fold_carry(searcher->fold, searcher->candidates, &folded->choice, &point.choice);
    echo_search_propose_soon(searcher, &point, false, false);
    echo_arena_reset(searcher->scratch, mark);
  }
  echo_search_take_up(searcher);
  searcher->first_orders = first_orders;
}

bool echo_search_carry_folded(EchoSearcher *searcher, uint64_t work)
{
  EchoFold *fold = searcher->fold;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoSearchOptions options = *searcher->options;
  EchoFrontier frontier = {0};
  EchoCurve curve;
  options.written = NULL;
  EchoSearcher inner = echo_searcher_of(&curve, &fold->candidates, &fold->interface, &options);
  echo_search_nothing(&inner);
  echo_search_policy(&inner, searcher->policy, work, &frontier);
  bool has_more = drop_undercut(searcher, &curve, &frontier);
  note_folded(searcher, &curve, &frontier);
  carry_over(searcher, &curve, &frontier);
  if (searcher->is_repeated) /* each stands in the order that was its best with few layers */
    searcher->orders = searcher->first_orders;
  echo_vector_destroy(&frontier.points);
  echo_curve_destroy(&curve);
  echo_searcher_destroy(&inner);
  echo_arena_reset(searcher->scratch, mark);
  return has_more;
}

uint64_t echo_search_work_beside_folded(const EchoSearcher *searcher, uint64_t work)
{
  uint64_t part = searcher->options->part;
  if (searcher->is_repeated)
    work = FOLDED_TRIES * searcher->candidates->graph->nodes.size / (part != 0 ? part : 1);
  return work;
}
