/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In the order of the dataflow a layer's nodes stand together, and the next layer's follow in the
 * same order: in the forward part, in the backward part, in updates. Equal windows of labels give
 * the period; how one run of repetitions reads another (the same layer, the one before, or
 * mirrored, as gradients do) says which of its repetitions go with those that were left out there.
 * An operand that went is replaced by the one that stands where it would be read from if the step
 * had been written with so few repetitions. */
#include "echo_pass/fold_t.h"

#include "base/map.h"

#define WINDOW 32    /* nodes that are equal before a period is looked at */
#define KEPT 8       /* repetitions that stay: bench/results/depth.md */
#define MIN_FOLDED 2 /* times as many are there where folding begins */
#define MAX_RUNS 256 /* what is cut into more repeats by chance */

/* How a run reads an earlier one (or itself): from repetition i + offset, or offset - i. */
typedef struct Link {
  uint32_t run; /* that is read; ECHO_NONE = none */
  bool is_mirrored;
  int64_t offset;
  uint32_t votes; /* operands that say so */
} Link;

/* Where a node stands. */
typedef struct Place {
  uint32_t run; /* ECHO_NONE: in none */
  uint32_t repetition, position;
} Place;

typedef struct Folder {
  const EchoGraph *graph;
  EchoArena *scratch;
  EchoFold *fold;
  uint64_t *labels; /* by number without constants */
  uint32_t *run_of; /* by node; ECHO_NONE */
  Link *links;      /* by pair of runs: reader * n_runs + read */
  uint32_t n_runs;
  ECHO_VECTOR(uint32_t) operands;
} Folder;

/* ---- labels ---- */

static uint64_t hash_type(uint64_t hash, const EchoType *type)
{
  return echo_hash_combine(hash, echo_key(type));
}

/* What an op is, without what it reads: types and attributes are unique in a context. */
static uint64_t hash_op(uint64_t hash, const EchoOp *op)
{
  hash = echo_hash_combine(hash, echo_key(op->info));
  if (!echo_op_has_trait(op, ECHO_CONSTANT)) /* their values differ from layer to layer */
    hash = echo_hash_combine(hash, echo_key(op->properties));
  for (size_t i = 0; i < op->n_operands; ++i)
    hash = hash_type(hash, echo_op_operand_type(op, i));
  for (size_t i = 0; i < op->n_results; ++i)
    hash = hash_type(hash, echo_op_result_type(op, i));
  return hash;
}

static uint64_t label(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint64_t hash = echo_hash_combine(entry->kind, entry->n_operands);
  hash = echo_hash_combine(hash, entry->inner_bytes);
  hash = echo_hash_combine(hash, entry->inner_ns);
  EchoOp *op = (EchoOp *)entry->op;
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
    hash = hash_op(hash, inner);
  return hash;
}

/* Constants stand anywhere, and equal ones are one: they are left out. */
static void label_nodes(Folder *folder)
{
  const EchoGraph *graph = folder->graph;
  EchoFold *fold = folder->fold;
  size_t n = graph->nodes.size + 1;
  folder->labels = ECHO_ARENA_ARRAY(folder->scratch, uint64_t, n);
  fold->run_of = ECHO_ARENA_ARRAY(folder->scratch, uint32_t, n);
  fold->index = ECHO_ARENA_ARRAY(folder->scratch, uint32_t, n);
  fold->nodes = ECHO_ARENA_ARRAY(folder->scratch, uint32_t, n);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    fold->run_of[node] = fold->index[node] = ECHO_NONE;
    if (graph->nodes.data[node].kind == ECHO_NODE_CONSTANT)
      continue;
    folder->labels[fold->n_nodes] = label(graph, node);
    fold->nodes[fold->n_nodes] = node;
    fold->index[node] = fold->n_nodes++;
  }
}

/* ---- runs ---- */

/* By number: the next one at which an equal window begins; ECHO_NONE. */
static void find_next_equal(const Folder *folder, uint32_t *next)
{
  uint32_t n = folder->fold->n_nodes;
  EchoMap latest = {0};
  for (uint32_t t = n; t-- > 0;) {
    next[t] = ECHO_NONE;
    if (t + WINDOW > n)
      continue;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < WINDOW; ++i)
      hash = echo_hash_combine(hash, folder->labels[t + i]);
    next[t] = (uint32_t)echo_map_get_or(&latest, hash, ECHO_NONE);
    echo_map_set(&latest, hash, t);
  }
  echo_map_destroy(&latest);
}

static void add_run(EchoFold *fold, const EchoRepeat *repeat)
{
  for (uint32_t i = repeat->first; i < repeat->first + repeat->n * repeat->period; ++i)
    fold->run_of[fold->nodes[i]] = (uint32_t)fold->repeats.size;
  echo_vector_push(&fold->repeats, *repeat);
}

/* Runs from left to right, each as long as the labels go on. */
static void find_runs(Folder *folder)
{
  uint32_t n = folder->fold->n_nodes;
  uint32_t *next = ECHO_ARENA_ARRAY(folder->scratch, uint32_t, n + 1u);
  uint32_t end = 0, known_period = 0; /* up to `end` the labels are known to repeat with it */
  find_next_equal(folder, next);
  for (uint32_t t = 0; t < n;) {
    uint32_t period = next[t] != ECHO_NONE ? next[t] - t : 0;
    if (period == 0) {
      ++t;
      continue;
    }
    if (period != known_period || end < t)
      end = t;
    known_period = period;
    while (end + period < n && folder->labels[end] == folder->labels[end + period])
      ++end;
    EchoRepeat repeat = {.first = t, .period = period, .n = (end - t) / period + 1};
    if (repeat.n < KEPT * MIN_FOLDED) {
      ++t;
      continue;
    }
    add_run(folder->fold, &repeat);
    t += repeat.n * period;
    known_period = 0;
  }
}

/* ---- links ---- */

static Place place_of(const EchoFold *fold, uint32_t node)
{
  uint32_t run = node != ECHO_NONE ? fold->run_of[node] : ECHO_NONE;
  if (run == ECHO_NONE)
    return (Place){.run = ECHO_NONE};
  const EchoRepeat *repeat = &fold->repeats.data[run];
  uint32_t along = fold->index[node] - repeat->first;
  return (Place){run, along / repeat->period, along % repeat->period};
}

static void vote(EchoMap *votes, Link *link, bool is_mirrored, int64_t offset)
{
  uint64_t key = echo_hash_combine(echo_hash_combine(link->run, is_mirrored), (uint64_t)offset);
  uint32_t count = (uint32_t)echo_map_get_or(votes, key, 0) + 1;
  echo_map_set(votes, key, count);
  if (count <= link->votes)
    return;
  link->votes = count;
  link->is_mirrored = is_mirrored;
  link->offset = offset;
}

/* Each operand votes for both ways in which it may be read: the true one gets all votes. */
static void find_links(Folder *folder, uint32_t reader)
{
  const EchoGraph *graph = folder->graph;
  const EchoRepeat *repeat = &folder->fold->repeats.data[reader];
  EchoMap votes = {0};
  for (uint32_t run = 0; run < folder->n_runs; ++run)
    folder->links[reader * folder->n_runs + run] = (Link){.run = run};
  for (uint32_t t = repeat->first; t < repeat->first + repeat->n * repeat->period; ++t) {
    uint32_t node = folder->fold->nodes[t];
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = echo_graph_operands(graph, node)[i];
      Place from = place_of(folder->fold, graph->values.data[value].def);
      Place to = place_of(folder->fold, node);
      if (from.run == ECHO_NONE)
        continue;
      Link *link = &folder->links[reader * folder->n_runs + from.run];
      vote(&votes, link, false, (int64_t)from.repetition - (int64_t)to.repetition);
      vote(&votes, link, true, (int64_t)from.repetition + (int64_t)to.repetition);
    }
  }
  echo_map_destroy(&votes);
}

/* The earlier run that is read most. */
static const Link *strongest_link_or_null(const Folder *folder, uint32_t reader)
{
  const Link *strongest = NULL;
  for (uint32_t run = 0; run < reader; ++run) {
    const Link *link = &folder->links[reader * folder->n_runs + run];
    if (link->votes >= KEPT && (strongest == NULL || link->votes > strongest->votes))
      strongest = link;
  }
  return strongest;
}

/* Repetitions in the middle go; those that go with them elsewhere, too. False where they are not
 * all there. */
static bool cut_run(Folder *folder, uint32_t run)
{
  EchoRepeat *repeat = &folder->fold->repeats.data[run];
  const Link *link = strongest_link_or_null(folder, run);
  if (link == NULL) {
    repeat->n_cut = repeat->n - KEPT;
    repeat->cut = KEPT / 2;
    return true;
  }
  const EchoRepeat *read = &folder->fold->repeats.data[link->run];
  int64_t cut = link->is_mirrored ? link->offset - (int64_t)(read->cut + read->n_cut) + 1
                                  : (int64_t)read->cut - link->offset;
  if (cut < 1 || cut + (int64_t)read->n_cut + 1 > (int64_t)repeat->n)
    return false;
  repeat->cut = (uint32_t)cut;
  repeat->n_cut = read->n_cut;
  return true;
}

static bool cut_runs(Folder *folder)
{
  folder->n_runs = (uint32_t)folder->fold->repeats.size;
  if (folder->n_runs == 0 || folder->n_runs > MAX_RUNS)
    return false;
  folder->links =
      ECHO_ARENA_ARRAY(folder->scratch, Link, (size_t)folder->n_runs * folder->n_runs + 1);
  for (uint32_t run = 0; run < folder->n_runs; ++run) {
    find_links(folder, run);
    if (!cut_run(folder, run))
      return false;
  }
  return true;
}

/* ---- the folded graph ---- */

static bool is_cut(const EchoFold *fold, const Place *place)
{
  if (place->run == ECHO_NONE)
    return false;
  const EchoRepeat *repeat = &fold->repeats.data[place->run];
  return place->repetition >= repeat->cut && place->repetition < repeat->cut + repeat->n_cut;
}

static uint32_t node_at(const EchoFold *fold, const Place *place)
{
  const EchoRepeat *repeat = &fold->repeats.data[place->run];
  return fold->nodes[repeat->first + place->repetition * repeat->period + place->position];
}

/* Who stands in for a node that went, to a reader: by the way in which the one run reads the
 * other, else the last repetition before the cut. */
static uint32_t stand_in(const Folder *folder, uint32_t reader, Place from)
{
  const EchoRepeat *repeat = &folder->fold->repeats.data[from.run];
  Place to = place_of(folder->fold, reader);
  bool is_behind = false;
  if (to.run != ECHO_NONE) {
    const EchoRepeat *own = &folder->fold->repeats.data[to.run];
    const Link *link = &folder->links[to.run * folder->n_runs + from.run];
    is_behind = (to.repetition >= own->cut + own->n_cut) != link->is_mirrored;
  }
  if (is_behind && from.repetition >= repeat->n_cut)
    from.repetition -= repeat->n_cut;
  if (is_cut(folder->fold, &from))
    from.repetition = repeat->cut - 1;
  return node_at(folder->fold, &from);
}

static void copy_node(const Folder *folder, uint32_t node, const uint32_t *operands)
{
  const EchoGraphNode *entry = &folder->graph->nodes.data[node];
  EchoGraph *folded = &folder->fold->graph;
  uint32_t made = echo_graph_add_copy(folded, folder->graph, node, operands);
  for (uint32_t r = 0; r < entry->n_results; ++r)
    folder->fold->numbers[entry->first_result + r] = folded->nodes.data[made].first_result + r;
}

/* The value that is read for `value`, in numbers of the folded graph. Constants are there once
 * somebody reads them. */
static uint32_t fold_operand(const Folder *folder, uint32_t reader, uint32_t value)
{
  const EchoGraphValue *entry = &folder->graph->values.data[value];
  Place from = place_of(folder->fold, entry->def);
  uint32_t read = value;
  if (is_cut(folder->fold, &from)) {
    uint32_t node = stand_in(folder, reader, from);
    read = folder->graph->nodes.data[node].first_result + entry->index;
  } else if (folder->fold->numbers[value] == ECHO_NONE) {
    copy_node(folder, entry->def, NULL);
  }
  return folder->fold->numbers[read];
}

/* What the end would have returned of a repetition that went is not returned. */
static void fold_return(Folder *folder, uint32_t node, const uint32_t *targets, uint32_t *kept)
{
  const EchoGraph *graph = folder->graph;
  uint32_t n = 0;
  echo_vector_clear(&folder->operands);
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t value = echo_graph_operands(graph, node)[i];
    Place from = place_of(folder->fold, graph->values.data[value].def);
    if (is_cut(folder->fold, &from))
      continue;
    echo_vector_push(&folder->operands, fold_operand(folder, node, value));
    kept[n++] = targets[i];
  }
  EchoGraph *folded = &folder->fold->graph;
  uint32_t made = echo_graph_add_copy(folded, graph, node, echo_graph_operands(graph, node));
  folded->operands.size = folded->nodes.data[made].first_operand;
  folded->nodes.data[made].n_operands = n;
  for (uint32_t i = 0; i < n; ++i)
    echo_vector_push(&folded->operands, folder->operands.data[i]);
}

static void fold_node(Folder *folder, uint32_t node)
{
  const EchoGraph *graph = folder->graph;
  echo_vector_clear(&folder->operands);
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
    echo_vector_push(&folder->operands,
                     fold_operand(folder, node, echo_graph_operands(graph, node)[i]));
  copy_node(folder, node, folder->operands.data);
}

static void build(Folder *folder, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = folder->graph;
  EchoFold *fold = folder->fold;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  uint32_t *targets = ECHO_ARENA_ARRAY(folder->scratch, uint32_t, end->n_operands + 1u);
  folder->fold->numbers = ECHO_ARENA_ARRAY(folder->scratch, uint32_t, graph->values.size + 1);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    folder->fold->numbers[v] = v < graph->n_inputs ? v : ECHO_NONE;
  echo_graph_create_like(&fold->graph, graph);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    Place place = place_of(folder->fold, node);
    if (graph->nodes.data[node].kind == ECHO_NODE_RETURN)
      fold_return(folder, node, interface->result_targets, targets);
    else if (graph->nodes.data[node].kind != ECHO_NODE_CONSTANT && !is_cut(folder->fold, &place))
      fold_node(folder, node);
  }
  echo_graph_finish(&fold->graph);
  fold->interface = (EchoBlockInterface){targets, interface->is_donated, interface->lends_results};
}

/* ---- carrying over ---- */

/* Of the n_kept repetitions that stayed, the one that decides for `repetition`. */
static uint32_t decider(const EchoRepeat *repeat, uint32_t repetition)
{
  return (uint32_t)((uint64_t)repetition * (repeat->n - repeat->n_cut) / repeat->n);
}

static uint32_t value_at(const EchoFold *fold, const EchoGraph *graph, const Place *place,
                         uint32_t index)
{
  const EchoGraphNode *node = &graph->nodes.data[node_at(fold, place)];
  return fold->numbers[node->first_result + index];
}

/* Whose decision `value` takes, as a value of the folded graph; ECHO_NONE: nobody's. Where nothing
 * is to be decided there, as in the last layer, whose values hardly wait, the next one towards the
 * middle decides. */
static uint32_t deciding_value(const EchoFold *fold, const EchoGraph *graph, uint32_t value)
{
  const EchoGraphValue *entry = &graph->values.data[value];
  Place place = place_of(fold, entry->def);
  if (place.run == ECHO_NONE)
    return fold->numbers[value];
  const EchoRepeat *repeat = &fold->repeats.data[place.run];
  uint32_t n_kept = repeat->n - repeat->n_cut, kept = decider(repeat, place.repetition);
  for (uint32_t tries = 0;; ++tries, kept += 2 * kept < n_kept ? 1 : UINT32_MAX) {
    place.repetition = kept < repeat->cut ? kept : kept + repeat->n_cut;
    uint32_t number = value_at(fold, graph, &place, entry->index);
    if (number == ECHO_NONE || tries == 1 || echo_candidate_is_choice(&fold->candidates, number))
      return number;
  }
}

void echo_fold_carry(const EchoFold *fold, const EchoCandidates *whole, const EchoChoice *folded,
                     EchoChoice *choice)
{
  const EchoGraph *graph = whole->graph;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    if (!echo_candidate_is_choice(whole, v) ||
        !echo_node_is_recomputable(graph, graph->values.data[v].def))
      continue;
    uint32_t from = deciding_value(fold, graph, v);
    if (from == ECHO_NONE || !echo_choice_remakes(folded, from))
      continue;
    choice->values[v].is_recomputed = true;
    choice->values[v].is_carried = folded->values[from].is_carried;
    choice->values[v].is_brief =
        folded->values[from].is_brief && whole->values[v].brief_early != ECHO_NONE;
  }
}

/* ---- folding ---- */

bool echo_fold_create(EchoFold *fold, const EchoCandidates *whole,
                      const EchoBlockInterface *interface, const EchoFusionOptions *fusion,
                      const EchoDeviceModel *device)
{
  const EchoGraph *graph = whole->graph;
  *fold = (EchoFold){0};
  Folder folder = {.graph = graph, .scratch = whole->scratch, .fold = fold};
  label_nodes(&folder);
  find_runs(&folder);
  bool is_folded = cut_runs(&folder);
  if (is_folded) {
    build(&folder, interface);
    echo_candidates_create(&fold->candidates, &fold->graph, &fold->interface, fusion, device,
                           whole->scratch);
  }
  echo_vector_destroy(&folder.operands);
  return is_folded;
}

void echo_fold_destroy(EchoFold *fold)
{
  echo_graph_destroy(&fold->graph);
  echo_vector_destroy(&fold->repeats);
}
