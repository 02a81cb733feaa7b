/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A choice carried out on the graph. Before each node that reads recomputed values behind their
 * gaps these are made: the clones it needs, deepest first, behind one barrier whose operands are
 * what the clones start from and a value that arrives by then. A value has one clone at a time;
 * where it is renewed the old one is forgotten, and the next reader gets another. */
#include "echo_pass/choice.h"

typedef enum CloneMode {
  MODE_DIRECT, /* for a reader behind the gap */
  MODE_CHAIN,  /* for the next link of a chain */
  N_MODES
} CloneMode;

#define LISTED 0 /* as a clone's number: it is about to be made */

typedef struct Wanted {
  uint32_t value;
  CloneMode mode;
  bool is_open; /* its operands were pushed */
} Wanted;

/* What a barrier hands on: a value, or its clone. */
typedef struct Source {
  uint32_t value, number;
} Source;

/* A value of the old graph, as values of `out`. */
typedef struct AppliedValue {
  uint32_t number;
  uint32_t clone[N_MODES]; /* ECHO_NONE before there is one */
  uint32_t behind;         /* its result of the present barrier; valid where behind_site is it */
  uint32_t behind_site;    /* the reader that the barrier stands before */
  uint32_t passed;         /* what that barrier hands on: the value's number or a clone's */
  uint32_t n_renewed;      /* renewals before the site of its clones */
} AppliedValue;

typedef struct Applier {
  const EchoChoice *choice;
  const EchoCandidates *candidates;
  EchoGraph *out;
  AppliedValue *values;
  uint32_t last_heavy;             /* the heavy node that was copied last; ECHO_NONE = none */
  ECHO_VECTOR(Wanted) stack, list; /* list: clones to make, in order */
  ECHO_VECTOR(Source) sources;
  ECHO_VECTOR(uint32_t) operands;
} Applier;

/* Whether `site`, or a clone that is made for it, reads a clone of the value. */
static bool is_remade(const Applier *applier, uint32_t value, uint32_t site)
{
  return echo_choice_remakes(applier->choice, value) &&
         site > echo_choice_last_early(applier->choice, applier->candidates, value);
}

/* What carries a chain has one clone for everybody. */
static CloneMode mode_of(const Applier *applier, uint32_t value, CloneMode mode)
{
  return applier->choice->values[value].is_carried ? MODE_CHAIN : mode;
}

static void add_source(Applier *applier, uint32_t value, uint32_t number, uint32_t site)
{
  AppliedValue *applied = &applier->values[value];
  if (applied->behind_site == site)
    return;
  applied->behind_site = site;
  applied->passed = number;
  echo_vector_push(&applier->sources, (Source){value, number});
}

/* Clones that were made before a renewal serve no more. */
static void renew(Applier *applier, uint32_t value, uint32_t site)
{
  const EchoRenewals *renewals = applier->choice->values[value].renewals;
  AppliedValue *applied = &applier->values[value];
  uint32_t n = echo_renewals_before(renewals, site);
  if (n == applied->n_renewed)
    return;
  applied->n_renewed = n;
  for (int mode = 0; mode < N_MODES; ++mode)
    applied->clone[mode] = ECHO_NONE;
}

static bool is_remade_in_kernels(const Applier *applier, uint32_t value)
{
  const EchoGraph *graph = applier->candidates->graph;
  uint32_t def = graph->values.data[value].def;
  return def != ECHO_NONE && echo_node_is_made_of_constants(graph, def);
}

/* What is made anew starts behind the barrier from older clones, too: else it would be the same as
 * what was made from them before. */
static void pass_clone(Applier *applier, uint32_t value, CloneMode mode, uint32_t site)
{
  if (!is_remade(applier, value, site))
    return;
  renew(applier, value, site);
  uint32_t clone = applier->values[value].clone[mode_of(applier, value, mode)];
  if (clone != ECHO_NONE && clone != LISTED)
    add_source(applier, value, clone, site);
}

/* Lists the clones that `value` needs, operands before users, and the values they start from. No
 * recursion. */
static void want(Applier *applier, uint32_t value, CloneMode mode, uint32_t site)
{
  const EchoGraph *graph = applier->candidates->graph;
  echo_vector_push(&applier->stack, (Wanted){value, mode, false});
  while (applier->stack.size != 0) {
    Wanted top = echo_vector_last(&applier->stack);
    CloneMode actual = mode_of(applier, top.value, top.mode);
    if (!is_remade(applier, top.value, site)) {
      if (!is_remade_in_kernels(applier, top.value))
        add_source(applier, top.value, applier->values[top.value].number, site);
      --applier->stack.size;
      continue;
    }
    renew(applier, top.value, site);
    uint32_t *clone = &applier->values[top.value].clone[actual];
    if (*clone != ECHO_NONE) {
      --applier->stack.size;
      continue;
    }
    if (top.is_open) {
      --applier->stack.size;
      *clone = LISTED;
      top.mode = actual;
      echo_vector_push(&applier->list, top);
      continue;
    }
    echo_vector_last(&applier->stack).is_open = true;
    uint32_t node = graph->values.data[top.value].def;
    for (uint32_t i = graph->nodes.data[node].n_operands; i-- > 0;) {
      uint32_t operand = echo_graph_operands(graph, node)[i];
      if (applier->choice->values[top.value].renewals != NULL)
        pass_clone(applier, operand, actual, site);
      echo_vector_push(&applier->stack, (Wanted){operand, actual, false});
    }
  }
}

/* The value that ties the clones to their place: the youngest operand of the reader that is made
 * behind the gaps of those that it reads, or what a heavy node made there; ECHO_NONE without one.
 */
static uint32_t find_tie(const Applier *applier, uint32_t reader)
{
  const EchoGraph *graph = applier->candidates->graph;
  const uint32_t *operands = echo_graph_operands(graph, reader);
  uint32_t n_operands = graph->nodes.data[reader].n_operands, behind = 0;
  for (uint32_t i = 0; i < n_operands; ++i) {
    uint32_t early = echo_choice_last_early(applier->choice, applier->candidates, operands[i]);
    if (is_remade(applier, operands[i], reader) && early > behind)
      behind = early;
  }
  uint32_t tie = ECHO_NONE, youngest = behind;
  for (uint32_t i = 0; i < n_operands; ++i) {
    uint32_t def = graph->values.data[operands[i]].def;
    if (def == ECHO_NONE || def <= youngest || graph->nodes.data[def].kind == ECHO_NODE_CONSTANT)
      continue;
    youngest = def;
    tie = operands[i];
  }
  if (tie == ECHO_NONE && applier->last_heavy != ECHO_NONE && applier->last_heavy > behind) {
    uint32_t made = graph->nodes.data[applier->last_heavy].first_result;
    uint32_t n_uses = graph->values.data[made].n_uses;
    if (n_uses != 0 && echo_graph_uses(graph, made)[n_uses - 1] > reader) /* it lives on anyway */
      tie = made;
  }
  return tie != ECHO_NONE ? applier->values[tie].number : ECHO_NONE;
}

static void make_barrier(Applier *applier, uint32_t reader)
{
  if (applier->sources.size == 0)
    return;
  echo_vector_clear(&applier->operands);
  for (size_t i = 0; i < applier->sources.size; ++i)
    echo_vector_push(&applier->operands, applier->sources.data[i].number);
  uint32_t tie = find_tie(applier, reader);
  if (tie != ECHO_NONE)
    echo_vector_push(&applier->operands, tie);
  uint32_t barrier =
      echo_graph_add_barrier(applier->out, applier->operands.data, applier->operands.size);
  EchoGraphNode *entry = &applier->out->nodes.data[barrier];
  entry->is_new = true;
  for (size_t i = 0; i < applier->sources.size; ++i)
    applier->values[applier->sources.data[i].value].behind = entry->first_result + (uint32_t)i;
}

/* As the node that stands before `site` reads it, or, for a clone made there, behind the barrier.
 */
static uint32_t resolve(const Applier *applier, uint32_t value, CloneMode mode, uint32_t site,
                        bool is_behind)
{
  const AppliedValue *applied = &applier->values[value];
  uint32_t number = is_remade(applier, value, site) ? applied->clone[mode_of(applier, value, mode)]
                                                    : applied->number;
  return is_behind && applied->behind_site == site && applied->passed == number ? applied->behind
                                                                                : number;
}

static void make_clone(Applier *applier, const Wanted *wanted, uint32_t site)
{
  const EchoGraph *graph = applier->candidates->graph;
  uint32_t node = graph->values.data[wanted->value].def;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  echo_vector_clear(&applier->operands);
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    echo_vector_push(&applier->operands, resolve(applier, echo_graph_operands(graph, node)[i],
                                                 wanted->mode, site, true));
  ECHO_CHECK(!graph->nodes.data[node].has_effect, "what acts on the world would run again");
  uint32_t copy = echo_graph_add_copy(applier->out, graph, node, applier->operands.data);
  EchoGraphNode *made = &applier->out->nodes.data[copy];
  made->is_clone = made->is_new = true;
  made->phase = ECHO_BACKWARD;
  applier->values[wanted->value].clone[wanted->mode] =
      made->first_result + graph->values.data[wanted->value].index;
}

/* What the regions of a control node come to. */
static void set_level(const Applier *applier, uint32_t node, EchoGraphNode *copy)
{
  uint32_t menu = applier->candidates->nodes[node].menu;
  if (menu == ECHO_NONE)
    return;
  const EchoRegionLevel *level =
      &applier->candidates->menus[menu].levels[applier->choice->levels[menu]];
  copy->inner_bytes = level->bytes;
  copy->inner_ns = level->ns;
  copy->takes = level->takes;
}

static void copy_node(Applier *applier, uint32_t node, bool reads_clones)
{
  const EchoGraph *graph = applier->candidates->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(graph, node);
  echo_vector_reserve(&applier->operands, entry->n_operands);
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    applier->operands.data[i] = reads_clones
                                    ? resolve(applier, operands[i], MODE_DIRECT, node, false)
                                    : applier->values[operands[i]].number;
  uint32_t made = echo_graph_add_copy(applier->out, graph, node, applier->operands.data);
  EchoGraphNode *copy = &applier->out->nodes.data[made];
  set_level(applier, node, copy);
  for (uint32_t r = 0; r < entry->n_results; ++r)
    applier->values[entry->first_result + r].number = copy->first_result + r;
  if (entry->n_results != 0 && entry->is_heavy)
    applier->last_heavy = node;
}

static void apply_node(Applier *applier, uint32_t node)
{
  const EchoGraph *graph = applier->candidates->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  const uint32_t *operands = echo_graph_operands(graph, node);
  bool reads_clones = false;
  echo_vector_clear(&applier->list);
  echo_vector_clear(&applier->sources);
  for (uint32_t i = 0; i < entry->n_operands; ++i)
    if (is_remade(applier, operands[i], node)) {
      reads_clones = true;
      want(applier, operands[i], MODE_DIRECT, node);
    }
  if (applier->list.size != 0) {
    make_barrier(applier, node);
    for (size_t i = 0; i < applier->list.size; ++i)
      make_clone(applier, &applier->list.data[i], node);
  }
  copy_node(applier, node, reads_clones);
}

/* ---- dead nodes ---- */

/* Moves the node to place `to`, and what it reads and makes to the ends of those lists: nothing
 * stands there that is still to be moved. `number` is, by value, its number then. */
static void move_node(EchoGraph *graph, uint32_t node, uint32_t to, uint32_t *number)
{
  EchoGraphNode *moved = &graph->nodes.data[to];
  *moved = graph->nodes.data[node];
  for (uint32_t i = 0; i < moved->n_operands; ++i)
    graph->operands.data[graph->operands.size + i] =
        number[graph->operands.data[moved->first_operand + i]];
  for (uint32_t r = 0; r < moved->n_results; ++r) {
    number[moved->first_result + r] = (uint32_t)graph->values.size + r;
    graph->values.data[graph->values.size + r] = graph->values.data[moved->first_result + r];
    graph->values.data[graph->values.size + r].def = to;
  }
  moved->first_operand = (uint32_t)graph->operands.size;
  moved->first_result = (uint32_t)graph->values.size;
  graph->operands.size += moved->n_operands;
  graph->values.size += moved->n_results;
}

/* Leaves the nodes that the results depend on, in the same order. */
static void drop_dead(EchoGraph *graph, EchoArena *scratch)
{
  uint32_t n = (uint32_t)graph->nodes.size, n_live = 0;
  bool *is_live = ECHO_ARENA_ARRAY(scratch, bool, n + 1u);
  memset(is_live, 0, n + 1u);
  for (uint32_t node = n; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    is_live[node] |= entry->kind == ECHO_NODE_RETURN || entry->has_effect;
    for (uint32_t i = 0; is_live[node] && i < entry->n_operands; ++i) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
      if (def != ECHO_NONE)
        is_live[def] = true;
    }
    n_live += is_live[node];
  }
  if (n_live != n) {
    uint32_t *number = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->values.size + 1);
    for (uint32_t i = 0; i < graph->n_inputs; ++i)
      number[i] = i;
    graph->nodes.size = graph->operands.size = 0;
    graph->values.size = graph->n_inputs;
    for (uint32_t node = 0; node < n; ++node)
      if (is_live[node])
        move_node(graph, node, (uint32_t)graph->nodes.size++, number);
  }
  echo_graph_finish(graph);
}

void echo_choice_apply(const EchoChoice *choice, const EchoCandidates *candidates,
                       EchoGraph *echoed)
{
  const EchoGraph *graph = candidates->graph;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  echo_graph_create_like(echoed, graph);
  Applier applier = {
      .choice = choice, .candidates = candidates, .out = echoed, .last_heavy = ECHO_NONE};
  applier.values = ECHO_ARENA_ARRAY(candidates->scratch, AppliedValue, graph->values.size + 1);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    applier.values[v] = (AppliedValue){.number = v < graph->n_inputs ? v : ECHO_NONE,
                                       .clone = {ECHO_NONE, ECHO_NONE},
                                       .behind_site = ECHO_NONE};
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    apply_node(&applier, node);
  echo_vector_destroy(&applier.stack);
  echo_vector_destroy(&applier.list);
  echo_vector_destroy(&applier.sources);
  echo_vector_destroy(&applier.operands);
  echo_arena_reset(candidates->scratch, mark);
  drop_dead(echoed, candidates->scratch);
  echo_arena_reset(candidates->scratch, mark);
}
