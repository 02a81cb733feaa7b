/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Points between the proposals. The values stand in pieces, in block order; in each piece one of
 * the proposals decides. Any mix is a choice: a recomputed value's operands are kept or recomputed,
 * whoever decided so. On a ladder of targets: up from each proposal, giving back what is not needed
 * there, and down from nothing, by what takes most of the area above the target for its time. Mixes
 * are foretold (mix_model_t.h); a look at the whole plan puts the foretelling right, so that the
 * next try aims where this one missed. */
#include "echo_pass/mix_model_t.h"

#include <stdlib.h>

#define N_PIECES 64
#define N_RUNGS 32 /* targets, from all that is held when everything is kept to nothing */
#define MAX_AIMS 3 /* looks at the plan for one target */

/* Bytes more (or less) while nodes [first, end) run. */
typedef struct Effect {
  uint32_t first, end;
  int64_t bytes;
} Effect;

typedef struct Option {
  uint32_t proposal; /* point of the curve */
  uint32_t first_effect, end_effect;
  double ns;
  uint64_t hash; /* of what it decides */
} Option;

typedef struct Piece {
  uint32_t first_value, end_value;
  uint32_t first_option, end_option; /* the first is to do nothing */
  uint32_t taken;                    /* option */
} Piece;

typedef struct Ladder {
  EchoSearcher *searcher;
  EchoMixModel model;
  uint32_t *n_above; /* by node: nodes before it that stand above the target */
  ECHO_VECTOR(Piece) pieces;
  ECHO_VECTOR(Option) options;
  ECHO_VECTOR(Effect) effects;
} Ladder;

/* ---- pieces ---- */

static void cut_into_pieces(Ladder *ladder)
{
  const EchoGraph *graph = ladder->model.graph;
  uint32_t n = (uint32_t)graph->values.size, first = graph->n_inputs;
  double total = 0, seen = 0;
  for (uint32_t v = first; v < n; ++v)
    if (ladder->model.candidates->values[v].state == ECHO_VALUE_CANDIDATE)
      total += (double)graph->values.data[v].bytes;
  for (uint32_t v = first; v < n; ++v) {
    const EchoOp *op = graph->nodes.data[graph->values.data[v].def].op;
    bool may_begin =
        graph->values.data[v].index == 0 && op != NULL && echo_op_has_trait(op, ECHO_HEAVY);
    if (may_begin && seen * N_PIECES >= total && v != first) {
      echo_vector_push(&ladder->pieces, (Piece){.first_value = first, .end_value = v});
      first = v;
      seen = 0;
    }
    if (ladder->model.candidates->values[v].state == ECHO_VALUE_CANDIDATE)
      seen += (double)graph->values.data[v].bytes;
  }
  if (first < n)
    echo_vector_push(&ladder->pieces, (Piece){.first_value = first, .end_value = n});
}

static void decide(Ladder *ladder, const Piece *piece, uint32_t option)
{
  const EchoChoice *choice =
      &ladder->searcher->curve->points.data[ladder->options.data[option].proposal].choice;
  for (uint32_t v = piece->first_value; v < piece->end_value; ++v)
    echo_mix_take_value(&ladder->model, choice, v);
}

/* ---- options ---- */

/* What the piece alone does as a choice has it, everything else kept. */
static void measure_option(Ladder *ladder, const Piece *piece, const EchoChoice *choice,
                           Option *option)
{
  for (uint32_t v = piece->first_value; v < piece->end_value; ++v)
    echo_mix_take_value(&ladder->model, choice, v);
  option->ns = echo_mix_measure(&ladder->model, piece->first_value, piece->end_value);
  option->first_effect = (uint32_t)ladder->effects.size;
  int64_t sum = 0;
  for (uint32_t t = 0, first = 0; t < ladder->model.graph->nodes.size; ++t) {
    if (ladder->model.change[t] == 0)
      continue;
    if (sum != 0)
      echo_vector_push(&ladder->effects, (Effect){first, t, sum});
    sum += ladder->model.change[t];
    first = t;
  }
  option->end_effect = (uint32_t)ladder->effects.size;
  for (uint32_t v = piece->first_value; v < piece->end_value; ++v)
    ladder->model.decisions[v] = ECHO_MIX_KEPT;
}

static uint64_t hash_decisions(const Piece *piece, const EchoChoice *choice)
{
  uint64_t hash = 0;
  for (uint32_t v = piece->first_value; v < piece->end_value; ++v)
    if (echo_choice_remakes(choice, v))
      hash = echo_choice_hash_value(choice, hash, v);
  return hash;
}

static void add_options(Ladder *ladder, Piece *piece, size_t n_proposals)
{
  const EchoCurve *curve = ladder->searcher->curve;
  EchoMap known = {0};
  piece->first_option = piece->taken = (uint32_t)ladder->options.size;
  for (uint32_t p = 0; p < n_proposals; ++p) {
    if (p != 0 && p != ladder->searcher->nothing && p < ladder->searcher->first_point)
      continue;
    const EchoChoice *choice = &curve->points.data[p].choice;
    uint64_t hash = hash_decisions(piece, choice);
    if (!echo_map_insert(&known, hash, 1))
      continue;
    Option option = {.proposal = p, .hash = hash};
    measure_option(ladder, piece, choice, &option);
    echo_vector_push(&ladder->options, option);
  }
  piece->end_option = (uint32_t)ladder->options.size;
  echo_map_destroy(&known);
}

/* ---- aiming ---- */

static void take(Ladder *ladder, Piece *piece, uint32_t option)
{
  decide(ladder, piece, option);
  piece->taken = option;
}

/* Area that the option takes from what stands above the target. */
static double area(const Ladder *ladder, uint32_t option)
{
  double bytes = 0;
  for (uint32_t e = ladder->options.data[option].first_effect;
       e < ladder->options.data[option].end_effect; ++e) {
    const Effect *effect = &ladder->effects.data[e];
    bytes -= (double)effect->bytes *
             (double)(ladder->n_above[effect->end] - ladder->n_above[effect->first]);
  }
  return bytes;
}

static uint32_t mark_above(Ladder *ladder, int64_t target)
{
  uint32_t n = (uint32_t)ladder->model.graph->nodes.size, count = 0;
  for (uint32_t t = 0; t < n; ++t) {
    ladder->n_above[t] = count;
    count += ladder->model.foretold[t] > target;
  }
  ladder->n_above[n] = count;
  return count;
}

/* The move that takes most area for its time. False when none takes any. */
static bool descend(Ladder *ladder)
{
  Piece *best_piece = NULL;
  uint32_t best_option = 0;
  double best_rate = 0;
  for (size_t p = 0; p < ladder->pieces.size; ++p) {
    Piece *piece = &ladder->pieces.data[p];
    double taken_area = area(ladder, piece->taken);
    double taken_ns = ladder->options.data[piece->taken].ns;
    for (uint32_t o = piece->first_option; o < piece->end_option; ++o) {
      double more = area(ladder, o) - taken_area, ns = ladder->options.data[o].ns - taken_ns;
      if (o == piece->taken || more <= 0)
        continue;
      double rate = ns > 1 ? more / ns : more;
      if (rate > best_rate) {
        best_rate = rate;
        best_piece = piece;
        best_option = o;
      }
    }
  }
  if (best_piece == NULL)
    return false;
  take(ladder, best_piece, best_option);
  echo_mix_foretell(&ladder->model);
  return true;
}

/* A cheaper option, and what it saves for the bytes that it leaves where. */
typedef struct Return {
  uint32_t piece, option;
  double rate;
} Return;

static int compare_returns(const void *a, const void *b)
{
  const Return *x = a, *y = b;
  if (x->rate != y->rate)
    return x->rate > y->rate ? -1 : 1;
  if (x->piece != y->piece)
    return x->piece < y->piece ? -1 : 1;
  return x->option < y->option ? -1 : x->option > y->option;
}

/* Bytes times nodes that the option holds beside doing nothing. */
static double whole_area(const Ladder *ladder, uint32_t option)
{
  double bytes = 0;
  for (uint32_t e = ladder->options.data[option].first_effect;
       e < ladder->options.data[option].end_effect; ++e) {
    const Effect *effect = &ladder->effects.data[e];
    bytes += (double)effect->bytes * (double)(effect->end - effect->first);
  }
  return bytes;
}

/* Cheaper options where nothing rises above the target, what saves most for its bytes first. */
static void give_back(Ladder *ladder, int64_t target)
{
  EchoArena *scratch = ladder->searcher->scratch;
  EchoArenaMark mark = echo_arena_mark(scratch);
  Return *returns = ECHO_ARENA_ARRAY(scratch, Return, ladder->options.size + 1);
  uint32_t n = 0;
  for (uint32_t p = 0; p < ladder->pieces.size; ++p) {
    const Piece *piece = &ladder->pieces.data[p];
    double ns = ladder->options.data[piece->taken].ns, bytes = whole_area(ladder, piece->taken);
    for (uint32_t o = piece->first_option; o < piece->end_option; ++o) {
      double saved = ns - ladder->options.data[o].ns, more = whole_area(ladder, o) - bytes;
      if (saved > 0)
        returns[n++] = (Return){p, o, more > 1 ? saved / more : saved};
    }
  }
  double now_ns = echo_mix_foretell(&ladder->model);
  if (n != 0)
    qsort(returns, n, sizeof *returns, compare_returns);
  for (uint32_t i = 0; i < n; ++i) {
    Piece *piece = &ladder->pieces.data[returns[i].piece];
    uint32_t before = piece->taken;
    if (ladder->options.data[returns[i].option].ns >= ladder->options.data[before].ns)
      continue;
    take(ladder, piece, returns[i].option);
    double after_ns = echo_mix_foretell(&ladder->model);
    ladder->searcher->work += ladder->model.graph->nodes.size / 16;
    if (echo_mix_highest(&ladder->model) > target || after_ns >= now_ns)
      take(ladder, piece, before);
    else
      now_ns = after_ns;
  }
  echo_mix_foretell(&ladder->model);
  echo_arena_reset(scratch, mark);
}

/* ---- looking ---- */

static bool make_point(const Ladder *ladder, EchoPoint *point)
{
  const EchoCurve *curve = ladder->searcher->curve;
  echo_point_create(ladder->searcher, point);
  for (size_t p = 0; p < ladder->pieces.size; ++p) {
    const Piece *piece = &ladder->pieces.data[p];
    const EchoChoice *from =
        &curve->points.data[ladder->options.data[piece->taken].proposal].choice;
    for (uint32_t v = piece->first_value; v < piece->end_value; ++v) {
      echo_choice_take_value(&point->choice, from, v);
    }
  }
  return echo_point_finish(ladder->searcher, point);
}

/* Tries the mix; false where it was tried before. */
static bool look(Ladder *ladder)
{
  EchoSearcher *searcher = ladder->searcher;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  EchoPoint point;
  bool is_new = make_point(ladder, &point);
  if (is_new) {
    echo_mix_take_profile(&ladder->model, searcher, &point,
                          searcher->first_orders); /* looks at the order given, too */
    echo_point_evaluate(searcher, &point, searcher->first_orders);
    echo_curve_add(searcher, &point);
  }
  echo_arena_reset(searcher->scratch, mark);
  return is_new;
}

/* A mix that is foretold to stay below the target; false where there is none. */
static bool aim(Ladder *ladder, int64_t target)
{
  size_t n_moves = ladder->pieces.size;
  while (mark_above(ladder, target) != 0)
    if (n_moves-- == 0 || !descend(ladder))
      return false;
  give_back(ladder, target);
  return true;
}

/* As a proposal has it. */
static void start_at(Ladder *ladder, uint32_t proposal)
{
  const EchoChoice *choice = &ladder->searcher->curve->points.data[proposal].choice;
  for (size_t p = 0; p < ladder->pieces.size; ++p) {
    Piece *piece = &ladder->pieces.data[p];
    uint64_t hash = hash_decisions(piece, choice);
    for (uint32_t o = piece->first_option; o < piece->end_option; ++o)
      if (ladder->options.data[o].hash == hash)
        take(ladder, piece, o);
  }
  echo_mix_take_profile(&ladder->model, ladder->searcher,
                        &ladder->searcher->curve->points.data[proposal], 0);
}

/* From a proposal back to where the next one stands. */
static void climb_up(Ladder *ladder, uint32_t proposal, uint64_t off_bytes, uint64_t end_bytes)
{
  start_at(ladder, proposal);
  int64_t target = echo_mix_highest(&ladder->model);
  for (uint64_t rung = 0; rung < N_RUNGS && echo_search_has_work(ladder->searcher, 1); ++rung) {
    int64_t next = (int64_t)(off_bytes * (rung + 1) / N_RUNGS);
    if (rung != 0 && next <= target)
      continue;
    if (rung != 0)
      target = next;
    if (target > (int64_t)end_bytes)
      return;
    for (int tries = 0; tries < MAX_AIMS; ++tries) {
      if (tries > 0)
        aim(ladder, target);
      else
        give_back(ladder, target);
      bool moves = look(ladder);
      if (!moves || echo_mix_highest(&ladder->model) <= target)
        break;
    }
  }
}

/* From nothing to the lowest. */
static void climb_down(Ladder *ladder, uint64_t off_bytes)
{
  for (uint64_t rung = 1; rung < N_RUNGS && echo_search_has_work(ladder->searcher, 1); ++rung) {
    int64_t target = (int64_t)(off_bytes - off_bytes * rung / N_RUNGS);
    bool moves = true;
    for (int tries = 0; tries < MAX_AIMS && moves && echo_mix_highest(&ladder->model) > target;
         ++tries) {
      aim(ladder, target);
      moves = look(ladder);
    }
  }
}

/* ---- the ladder ---- */

static void ladder_create(Ladder *ladder, EchoSearcher *searcher)
{
  size_t n_nodes = searcher->candidates->graph->nodes.size + 1;
  size_t n_proposals = searcher->curve->points.size;
  *ladder = (Ladder){.searcher = searcher};
  echo_mix_model_create(&ladder->model, searcher);
  ladder->n_above = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, n_nodes);
  cut_into_pieces(ladder);
  for (size_t p = 0; p < ladder->pieces.size; ++p)
    add_options(ladder, &ladder->pieces.data[p], n_proposals);
}

void echo_curve_climb(EchoSearcher *searcher, const EchoFrontier *frontier)
{
  Ladder ladder;
  EchoArenaMark mark = echo_arena_mark(searcher->scratch);
  ladder_create(&ladder, searcher);
  start_at(&ladder, searcher->nothing);
  climb_down(&ladder, searcher->curve->points.data[0].peak_bytes);
  for (size_t i = 1; i < frontier->points.size; ++i)
    climb_up(&ladder, frontier->points.data[i], searcher->curve->points.data[0].peak_bytes,
             searcher->curve->points.data[frontier->points.data[i - 1]].peak_bytes);
  echo_vector_destroy(&ladder.pieces);
  echo_vector_destroy(&ladder.options);
  echo_vector_destroy(&ladder.effects);
  echo_arena_reset(searcher->scratch, mark);
}
