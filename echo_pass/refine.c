/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points between the proposals, value by value. On a ladder of targets: down from the point above a
 * target, by what takes most of the area above it for its time, and up from the point below it,
 * giving back what is not needed there; before and after that below the lowest. What is live above
 * the target is asked what it would take to compute it again from what is there by then, and what
 * is computed again, what need not wait for it were it kept. Mixes are foretold (mix_model_t.h); a
 * look at the whole plan puts the foretelling right, so that the next try aims where this one
 * missed. */
#include "echo_pass/mix_model_t.h"

#include <stdlib.h>

#define MAX_GAPS 64     /* that are aimed at, widest first */
#define MAX_LOOKS 3     /* at the plan for one target from one start */
#define N_TRIED 16      /* moves that are foretold for one that is taken */
#define N_KEPT_TRIED 4  /* of those that keep what is made again */
#define MAX_RETURNS 256 /* that are foretold on the way up */
#define MAX_CLOSURE 64  /* values of one move */
#define AS_GOOD 2    /* a move goes with the best that takes this part of its area for its time */
#define MAX_DIVES 64 /* below the lowest point */
#define MAX_ABOVE 4  /* points above it to start from where it leads no further */
#define DIVE_PART 64 /* of its peak: how much lower each aims */

/* How far back a value is computed again from: its operands, what heavy ops made, or whatever is
 * there anyway. */
typedef enum Reach { REACH_OPERANDS, REACH_HEAVY, REACH_ALL, N_REACHES } Reach;

/* Values to be computed again together, or one to be kept after all. */
typedef struct Move {
  EchoMixDecision decision;
  uint32_t first, n; /* in `members` */
  double rate;       /* area for a nanosecond */
} Move;

/* A value that might be kept after all. */
typedef struct Return {
  uint32_t value;
  double rate; /* nanoseconds for its area */
} Return;

/* What was decided about a value. */
typedef struct Before {
  EchoMixDecision decision;
  const EchoRenewals *renewals;
} Before;

typedef struct Refiner {
  EchoSearcher *searcher;
  EchoMixModel model;
  uint32_t *n_above; /* by node: nodes before it that stand above the target */
  uint32_t *seen;    /* by value: the closure that it was last found in */
  uint32_t n_closures;
  ECHO_VECTOR(Move) moves;
  ECHO_VECTOR(uint32_t) members;
  ECHO_VECTOR(Return) returns;
  Before before[MAX_CLOSURE]; /* the move that was applied last */
  EchoMap aimed;              /* gaps, by their two points */
} Refiner;

/* ---- what stands above a target ---- */

static double mark_above(Refiner *refiner, int64_t target)
{
  uint32_t n = (uint32_t)refiner->model.graph->nodes.size, count = 0;
  double area = 0;
  for (uint32_t t = 0; t < n; ++t) {
    int64_t over = refiner->model.foretold[t] - target;
    refiner->n_above[t] = count;
    count += over > 0;
    area += over > 0 ? (double)over : 0;
  }
  refiner->n_above[n] = refiner->n_above[n + 1] = count;
  return area;
}

static double area_above(const Refiner *refiner, int64_t target)
{
  double area = 0;
  for (uint32_t t = 0; t < refiner->model.graph->nodes.size; ++t) {
    int64_t over = refiner->model.foretold[t] - target;
    area += over > 0 ? (double)over : 0;
  }
  return area;
}

/* Area of a value above the target while nodes [first, end) run. */
static double area_of(const Refiner *refiner, uint32_t value, uint32_t first, uint32_t end)
{
  if (first >= end)
    return 0;
  return (double)refiner->model.graph->values.data[value].bytes *
         (double)(refiner->n_above[end] - refiner->n_above[first]);
}

static double foretell(Refiner *refiner)
{
  refiner->searcher->work += refiner->model.graph->nodes.size / 16;
  return echo_mix_foretell(&refiner->model);
}

/* ---- moves down ---- */

/* Whether it is written: by itself, or because clones want it. */
static bool stands(const EchoMixModel *model, uint32_t value)
{
  return model->is_held[value] || model->until[value] != 0;
}

static bool may_be_remade(const Refiner *refiner, uint32_t value)
{
  const EchoMixModel *model = &refiner->model;
  return echo_candidate_is_choice(model->candidates, value) &&
         model->decisions[value] == ECHO_MIX_KEPT &&
         echo_node_is_recomputable(model->graph, model->graph->values.data[value].def);
}

static bool is_reached(const Refiner *refiner, uint32_t value, Reach reach)
{
  uint32_t def = refiner->model.graph->values.data[value].def;
  return may_be_remade(refiner, value) &&
         (reach == REACH_ALL ||
          (reach == REACH_HEAVY && refiner->model.candidates->nodes[def].is_cheap));
}

static void join(Refiner *refiner, Move *move, uint32_t value)
{
  refiner->seen[value] = refiner->n_closures;
  echo_vector_push(&refiner->members, value);
  ++move->n;
}

/* What the operands of a member take that are kept for it, or join the move. */
static double add_operands(Refiner *refiner, Move *move, uint32_t member, uint32_t site,
                           Reach reach)
{
  const EchoMixModel *model = &refiner->model;
  uint32_t node = model->graph->values.data[member].def;
  double taken = 0;
  for (uint32_t i = 0; i < model->graph->nodes.data[node].n_operands; ++i) {
    uint32_t operand = echo_graph_operands(model->graph, node)[i];
    if (refiner->seen[operand] == refiner->n_closures ||
        !echo_candidate_is_choice(model->candidates, operand) ||
        model->decisions[operand] != ECHO_MIX_KEPT || model->until[operand] >= site)
      continue;
    if (is_reached(refiner, operand, reach) && move->n < MAX_CLOSURE) {
      join(refiner, move, operand);
    } else {
      refiner->seen[operand] = refiner->n_closures;
      uint32_t def = model->graph->values.data[operand].def, until = model->until[operand];
      taken += area_of(refiner, operand, until > def ? until + 1 : def, site + 1);
    }
  }
  return taken;
}

/* Kernels make what takes no room of its own again from the values before it: as long as that is
 * not computed again by choice, it holds them. */
static void add_readers_in_kernels(Refiner *refiner, Move *move, uint32_t value)
{
  const EchoMixModel *model = &refiner->model;
  join(refiner, move, value);
  for (uint32_t i = 0; i < move->n; ++i) {
    uint32_t member = refiner->members.data[move->first + i];
    for (uint32_t u = 0; u < model->graph->values.data[member].n_uses; ++u) {
      uint32_t user = echo_graph_uses(model->graph, member)[u];
      const EchoGraphNode *node = &model->graph->nodes.data[user];
      for (uint32_t r = 0; r < node->n_results && move->n < MAX_CLOSURE; ++r)
        if (refiner->seen[node->first_result + r] != refiner->n_closures &&
            !stands(model, node->first_result + r) &&
            may_be_remade(refiner, node->first_result + r))
          join(refiner, move, node->first_result + r);
    }
  }
}

/* Whether a value stands above the target in its brief gap: then it is computed again there. */
static bool waits_briefly(const Refiner *refiner, uint32_t value)
{
  uint32_t early = refiner->model.candidates->values[value].brief_early;
  return early != ECHO_NONE &&
         area_of(refiner, value, early + 1, refiner->model.late_use[value]) > 0;
}

/* The node behind which it need not stand if it is computed again. */
static uint32_t last_early(const Refiner *refiner, uint32_t value)
{
  const EchoCandidateValue *entry = &refiner->model.candidates->values[value];
  return waits_briefly(refiner, value) ? entry->brief_early : entry->last_early;
}

/* The move that computes `value` again, from as far back as `reach` says; worth nothing where it
 * takes no area. */
static Move make_move(Refiner *refiner, uint32_t value, Reach reach)
{
  const EchoMixModel *model = &refiner->model;
  Move move = {.decision = ECHO_MIX_REMADE, .first = (uint32_t)refiner->members.size};
  uint32_t site =
      model->late_use[value] != ECHO_NONE ? model->late_use[value] : model->until[value];
  double area = 0, ns = 1;
  ++refiner->n_closures;
  add_readers_in_kernels(refiner, &move, value);
  for (uint32_t i = 0; i < move.n; ++i) {
    uint32_t member = refiner->members.data[move.first + i];
    ns += model->candidates->nodes[model->graph->values.data[member].def].ns;
    if (stands(model, member))
      area += area_of(refiner, member, last_early(refiner, member) + 1, model->until[member]);
    area -= add_operands(refiner, &move, member, site, reach);
  }
  move.rate = area / ns;
  return move;
}

static int compare_moves(const void *a, const void *b)
{
  const Move *x = a, *y = b;
  if (x->rate != y->rate)
    return x->rate > y->rate ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* What kept values take that wait for the clone of a member, which reads them; what else it is made
 * of joins the move. */
static double held_for(Refiner *refiner, Move *move, uint32_t member, const EchoMixClone *clone)
{
  const EchoMixModel *model = &refiner->model;
  uint32_t node = model->graph->values.data[member].def;
  double held = 0;
  for (uint32_t i = 0; i < model->graph->nodes.data[node].n_operands; ++i) {
    uint32_t operand = echo_graph_operands(model->graph, node)[i];
    if (refiner->seen[operand] == refiner->n_closures ||
        !echo_candidate_is_choice(model->candidates, operand))
      continue;
    if (model->decisions[operand] != ECHO_MIX_KEPT && move->n < MAX_CLOSURE &&
        clone->site > echo_mix_last_early(model, operand)) {
      join(refiner, move, operand);
      continue;
    }
    refiner->seen[operand] = refiner->n_closures;
    if (stands(model, operand) && model->until[operand] >= clone->site)
      held += area_of(refiner, operand, model->read_until[operand] + 1, clone->site);
  }
  return held;
}

/* The clone that is made last; NULL without one. */
static const EchoMixClone *last_clone(const EchoMixModel *model, uint32_t value)
{
  const EchoMixClone *last = NULL;
  for (uint32_t c = model->first_clone[value]; c < model->first_clone[value + 1]; ++c)
    if (model->clones[c].site != ECHO_NONE && (last == NULL || model->clones[c].site > last->site))
      last = &model->clones[c];
  return last;
}

/* The move that keeps `value`, so that what it is made of need not wait for its last clone. */
static Move make_keeping_move(Refiner *refiner, uint32_t value)
{
  const EchoMixModel *model = &refiner->model;
  Move move = {.decision = ECHO_MIX_KEPT, .first = (uint32_t)refiner->members.size};
  const EchoMixClone *clone = last_clone(model, value);
  if (clone == NULL || !model->is_held[value])
    return move;
  ++refiner->n_closures;
  join(refiner, &move, value);
  move.rate -= area_of(refiner, value, model->read_until[value] + 1, clone->site);
  for (uint32_t i = 0; i < move.n; ++i)
    move.rate += held_for(refiner, &move, refiner->members.data[move.first + i], clone);
  refiner->members.size = move.first + 1;
  move.n = 1;
  return move;
}

/* Moves of all that waits above the target, best first. */
static void find_moves(Refiner *refiner)
{
  const EchoMixModel *model = &refiner->model;
  for (uint32_t v = model->graph->n_inputs; v < model->graph->values.size; ++v) {
    if (!stands(model, v) || !may_be_remade(refiner, v) ||
        area_of(refiner, v, last_early(refiner, v) + 1, model->until[v]) <= 0)
      continue;
    uint32_t n_before = 0;
    for (Reach reach = 0; reach < N_REACHES; ++reach) {
      Move move = make_move(refiner, v, reach);
      if (move.n == n_before) /* it reaches no further */
        continue;
      n_before = move.n;
      if (move.rate > 0)
        echo_vector_push(&refiner->moves, move);
    }
  }
}

/* Of all that is made again. */
static void find_keeping_moves(Refiner *refiner)
{
  const EchoMixModel *model = &refiner->model;
  for (uint32_t v = model->graph->n_inputs; v < model->graph->values.size; ++v) {
    if (model->decisions[v] == ECHO_MIX_KEPT)
      continue;
    Move move = make_keeping_move(refiner, v);
    if (move.rate > 0)
      echo_vector_push(&refiner->moves, move);
  }
}

static void apply(Refiner *refiner, const Move *move)
{
  EchoMixModel *model = &refiner->model;
  for (uint32_t i = 0; i < move->n; ++i) {
    uint32_t value = refiner->members.data[move->first + i];
    refiner->before[i] = (Before){model->decisions[value], model->renewals[value]};
    model->decisions[value] = move->decision == ECHO_MIX_REMADE && waits_briefly(refiner, value)
                                  ? ECHO_MIX_BRIEF
                                  : move->decision;
    model->renewals[value] = NULL;
  }
}

/* What was applied last. */
static void undo(Refiner *refiner, const Move *move)
{
  for (uint32_t i = 0; i < move->n; ++i) {
    uint32_t value = refiner->members.data[move->first + i];
    refiner->model.decisions[value] = refiner->before[i].decision;
    refiner->model.renewals[value] = refiner->before[i].renewals;
  }
}

/* What a mix comes to: its time, and its area above the target. */
typedef struct Level {
  double ns, area;
} Level;

static Level level(Refiner *refiner, int64_t target)
{
  double ns = foretell(refiner);
  return (Level){ns, area_above(refiner, target)};
}

static double rate_between(const Level *from, const Level *to)
{
  double ns = to->ns - from->ns, taken = from->area - to->area;
  return ns > 1 ? taken / ns : taken;
}

/* Of the moves found, those that promise most: the one that takes most area for its time, and those
 * that do nearly as well with it, as equal layers do. False where none takes any. */
static bool take_moves(Refiner *refiner, int64_t target, Level now, size_t n_tried)
{
  size_t n = refiner->moves.size < n_tried ? refiner->moves.size : n_tried;
  Move *moves = refiner->moves.data;
  if (n == 0)
    return false;
  qsort(moves, refiner->moves.size, sizeof(Move), compare_moves);
  for (size_t i = 0; i < n; ++i) {
    apply(refiner, &moves[i]);
    Level after = level(refiner, target);
    moves[i].rate = rate_between(&now, &after);
    undo(refiner, &moves[i]);
  }
  qsort(moves, n, sizeof(Move), compare_moves);
  double enough = moves[0].rate / AS_GOOD;
  if (moves[0].rate <= 0)
    return false;
  for (size_t i = 0; i < n && now.area > 0 && moves[i].rate >= enough; ++i) {
    apply(refiner, &moves[i]);
    Level after = level(refiner, target);
    if (rate_between(&now, &after) >= enough)
      now = after;
    else
      undo(refiner, &moves[i]);
  }
  return true;
}

/* What is kept after all, where that takes from the area; else what is computed again. False when
 * nothing takes any. */
static bool step_down(Refiner *refiner, int64_t target)
{
  Level now = {.ns = foretell(refiner)};
  now.area = mark_above(refiner, target);
  if (now.area <= 0)
    return false;
  echo_vector_clear(&refiner->moves);
  echo_vector_clear(&refiner->members);
  find_keeping_moves(refiner);
  if (take_moves(refiner, target, now, N_KEPT_TRIED))
    return true;
  if (refiner->moves.size != 0) /* a mix that was tried is foretold */
    foretell(refiner);
  echo_vector_clear(&refiner->moves);
  echo_vector_clear(&refiner->members);
  find_moves(refiner);
  return take_moves(refiner, target, now, N_TRIED);
}

/* ---- moves up ---- */

static int compare_returns(const void *a, const void *b)
{
  const Return *x = a, *y = b;
  if (x->rate != y->rate)
    return x->rate > y->rate ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* What is made again, what saves most time for its bytes first. */
static void find_returns(Refiner *refiner)
{
  const EchoMixModel *model = &refiner->model;
  echo_vector_clear(&refiner->returns);
  for (uint32_t v = model->graph->n_inputs; v < model->graph->values.size; ++v) {
    if (model->decisions[v] == ECHO_MIX_KEPT || !echo_mix_makes(model, v))
      continue;
    double bytes = (double)model->graph->values.data[v].bytes;
    uint32_t first = echo_mix_last_early(model, v);
    double nodes = model->held_until[v] > first ? (double)(model->held_until[v] - first) : 1;
    double ns = model->candidates->nodes[model->graph->values.data[v].def].ns;
    echo_vector_push(&refiner->returns, (Return){v, (ns + 1) / (bytes * nodes + 1)});
  }
  if (refiner->returns.size != 0)
    qsort(refiner->returns.data, refiner->returns.size, sizeof(Return), compare_returns);
}

/* Whether the mix as it is takes less time, with nothing above the target; what it takes, then. */
static bool is_better(Refiner *refiner, int64_t target, double *now_ns)
{
  double ns = foretell(refiner);
  if (ns >= *now_ns || echo_mix_highest(&refiner->model) > target)
    return false;
  *now_ns = ns;
  return true;
}

/* Keeps what may be kept with nothing above the target, or, of what is made anew again and again,
 * what was made first. */
static void give_back(Refiner *refiner, int64_t target)
{
  EchoMixModel *model = &refiner->model;
  double now_ns = foretell(refiner);
  find_returns(refiner);
  for (size_t i = 0; i < refiner->returns.size && i < MAX_RETURNS; ++i) {
    uint32_t value = refiner->returns.data[i].value;
    EchoMixDecision before = model->decisions[value];
    const EchoRenewals *renewals = model->renewals[value];
    model->decisions[value] = ECHO_MIX_KEPT;
    if (is_better(refiner, target, &now_ns))
      continue;
    model->decisions[value] = before;
    model->renewals[value] = NULL;
    if (renewals != NULL && !is_better(refiner, target, &now_ns))
      model->renewals[value] = renewals;
  }
  foretell(refiner);
}

/* ---- looking ---- */

static void start_at(Refiner *refiner, uint32_t index)
{
  const EchoPoint *point = &refiner->searcher->curve->points.data[index];
  for (uint32_t v = 0; v < refiner->model.graph->values.size; ++v)
    echo_mix_take_value(&refiner->model, &point->choice, v);
  echo_mix_take_profile(&refiner->model, refiner->searcher, point, 0);
}

/* Tries the mix; false where it was tried before. */
static bool look(Refiner *refiner)
{
  EchoSearcher *searcher = refiner->searcher;
  const EchoMixModel *model = &refiner->model;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  echo_point_create(searcher, &point);
  for (uint32_t v = 0; v < model->graph->values.size; ++v)
    echo_mix_give_value(model, &point.choice, v);
  bool is_new = echo_point_finish(searcher, &point);
  if (is_new) {
    echo_mix_take_profile(&refiner->model, searcher, &point,
                          searcher->first_orders); /* looks at the order given, too */
    echo_point_evaluate(searcher, &point, searcher->first_orders);
    echo_curve_add(searcher, &point);
  }
  echo_arena_reset(searcher->scratch, mark);
  return is_new;
}

/* From a point to a target, as often as a look shows that it was missed. */
static void aim(Refiner *refiner, uint32_t start, int64_t target)
{
  start_at(refiner, start);
  for (int i = 0; i < MAX_LOOKS && echo_search_has_work(refiner->searcher, 1); ++i) {
    while (echo_search_has_work(refiner->searcher, 1) && step_down(refiner, target))
      ;
    if (echo_mix_highest(&refiner->model) > target && i == 0)
      return;
    give_back(refiner, target);
    if (!look(refiner) || echo_mix_highest(&refiner->model) <= target)
      return;
  }
}

/* ---- the curve ---- */

/* Two neighbours on the frontier: what is cheaper and what is lower. */
typedef struct Gap {
  uint32_t above, below;
  double area; /* in which a point might stand that nothing undercuts */
} Gap;

static uint64_t gap_key(const Gap *gap)
{
  return (uint64_t)gap->above << 32 | gap->below;
}

/* The widest gap that was not aimed at yet; its area is 0 where there is none. */
static Gap find_gap(const Refiner *refiner, const EchoFrontier *frontier)
{
  const EchoCurve *curve = refiner->searcher->curve;
  Gap widest = {0};
  for (size_t i = 0; i + 1 < frontier->points.size; ++i) {
    Gap gap = {.above = frontier->points.data[i], .below = frontier->points.data[i + 1]};
    const EchoPoint *above = &curve->points.data[gap.above];
    const EchoPoint *below = &curve->points.data[gap.below];
    gap.area = (double)(above->peak_bytes - below->peak_bytes) * (double)(below->ns - above->ns);
    if (gap.area > widest.area && !echo_map_has(&refiner->aimed, gap_key(&gap)))
      widest = gap;
  }
  return widest;
}

/* At the middle of the widest gap, from either side. False where there is none. */
static bool narrow(Refiner *refiner, EchoFrontier *frontier)
{
  const EchoCurve *curve = refiner->searcher->curve;
  echo_frontier_find(refiner->searcher, frontier);
  Gap gap = find_gap(refiner, frontier);
  if (gap.area <= 0)
    return false;
  uint64_t high = curve->points.data[gap.above].peak_bytes;
  uint64_t low = curve->points.data[gap.below].peak_bytes;
  int64_t target = (int64_t)(low + (high - low) / 2);
  echo_map_set(&refiner->aimed, gap_key(&gap), 1);
  aim(refiner, gap.below, target);
  aim(refiner, gap.above, target);
  return true;
}

/* Below the lowest point, from it or else from one of those above it, until nothing takes anything
 * from the peak. */
static void dive(Refiner *refiner, EchoFrontier *frontier, uint64_t end, size_t max_above)
{
  EchoSearcher *searcher = refiner->searcher;
  const EchoCurve *curve = searcher->curve;
  uint64_t before = UINT64_MAX;
  size_t above = 0; /* how many points above the lowest it starts */
  for (int i = 0; i < MAX_DIVES && searcher->work < end; ++i) {
    echo_frontier_find(searcher, frontier);
    uint64_t peak_bytes = curve->points.data[echo_vector_last(&frontier->points)].peak_bytes;
    above = peak_bytes < before ? 0 : above + 1;
    if (above > max_above || (above != 0 && above + 1 >= frontier->points.size))
      return;
    before = peak_bytes;
    aim(refiner, frontier->points.data[frontier->points.size - 1 - above],
        (int64_t)(peak_bytes - peak_bytes / DIVE_PART));
  }
}

static void refiner_create(Refiner *refiner, EchoSearcher *searcher)
{
  EchoArena *scratch = searcher->scratch;
  *refiner = (Refiner){.searcher = searcher};
  echo_mix_model_create(&refiner->model, searcher);
  const EchoGraph *graph = refiner->model.graph;
  refiner->n_above = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->nodes.size + 2);
  refiner->seen = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->values.size + 1);
  memset(refiner->seen, 0, (graph->values.size + 1) * sizeof *refiner->seen);
}

static void refiner_destroy(Refiner *refiner)
{
  echo_map_destroy(&refiner->aimed);
  echo_vector_destroy(&refiner->moves);
  echo_vector_destroy(&refiner->members);
  echo_vector_destroy(&refiner->returns);
}

/* A third of the work for each. */
void echo_curve_refine(EchoSearcher *searcher, EchoFrontier *frontier)
{
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  Refiner refiner;
  refiner_create(&refiner, searcher);
  uint64_t max_work = searcher->max_work;
  uint64_t third = searcher->work < max_work ? (max_work - searcher->work) / 3 : 0;
  dive(&refiner, frontier, searcher->work + third, 0);
  searcher->max_work = max_work - third;
  for (int i = 0; i < MAX_GAPS && echo_search_has_work(searcher, 1); ++i)
    if (!narrow(&refiner, frontier))
      break;
  searcher->max_work = max_work;
  dive(&refiner, frontier, max_work, MAX_ABOVE);
  refiner_destroy(&refiner);
  echo_arena_reset(searcher->scratch, mark);
}
