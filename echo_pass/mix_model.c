/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lives of values as intervals of nodes: from the readers back to what they are made of. */
#include "echo_pass/mix_model_t.h"

/* ---- lives when everything is kept ---- */

/* Whether a kernel of its own or a call reads what it reads: then that has to be there as a whole.
 */
static bool reads_whole(const EchoGraph *graph, uint32_t node)
{
  EchoNodeKind kind = graph->nodes.data[node].kind;
  return kind == ECHO_NODE_SINGLE || kind == ECHO_NODE_CONTROL || kind == ECHO_NODE_RETURN;
}

/* The readers behind its gap. */
static void find_late_uses(EchoMixModel *model, uint32_t value)
{
  const EchoGraph *graph = model->graph;
  uint32_t n_uses = graph->values.data[value].n_uses;
  model->late_use[value] = ECHO_NONE;
  model->last_use[value] = 0;
  model->is_read_whole[value] = false;
  const EchoCandidateValue *entry = &model->candidates->values[value];
  uint32_t early = entry->is_read ? entry->last_early : entry->brief_early;
  for (uint32_t u = n_uses; u-- > 0;) {
    uint32_t user = echo_graph_uses(graph, value)[u];
    if (user <= early) /* none is the largest */
      return;
    model->late_use[value] = user;
    model->last_use[value] = echo_graph_uses(graph, value)[n_uses - 1];
    model->is_read_whole[value] |= reads_whole(graph, user);
  }
}

/* The value whose bytes a view of it shares. */
static uint32_t holder(const EchoGraph *graph, uint32_t value)
{
  for (;;) {
    const EchoGraphValue *entry = &graph->values.data[value];
    if (entry->def == ECHO_NONE || (graph->nodes.data[entry->def].kind != ECHO_NODE_RESHAPE &&
                                    graph->nodes.data[entry->def].kind != ECHO_NODE_BARRIER))
      return value;
    value = echo_graph_operands(graph, entry->def)[entry->index];
  }
}

/* Whether a kernel that reads what the node makes may read its operands instead. */
static bool passes_on(const EchoGraph *graph, uint32_t node)
{
  EchoNodeKind kind = graph->nodes.data[node].kind;
  return kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE || kind == ECHO_NODE_BARRIER;
}

/* What stands in the arena, and until when, in the plan in which everything is kept. */
static void find_held(EchoMixModel *model, const EchoEstimate *estimate)
{
  const EchoGraph *graph = model->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    uint32_t buffer = estimate->storage.buffer_of_value[v];
    model->is_held[v] = buffer != ECHO_NONE && holder(graph, v) == v &&
                        echo_buffer_is_movable(estimate->storage.buffers.data[buffer].kind);
    find_late_uses(model, v);
  }
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    uint32_t result = graph->nodes.data[node].first_result;
    model->inner[node] = passes_on(graph, node) && !model->is_held[result] ? result : ECHO_NONE;
  }
}

/* Until when what is not cloned reads the value: kernels read what stays inside others, too. */
static uint32_t read_until(const EchoMixModel *model, uint32_t value)
{
  const EchoGraph *graph = model->graph;
  uint32_t until = graph->values.data[value].def;
  bool is_kept = model->decisions[value] == ECHO_MIX_KEPT;
  for (uint32_t u = 0; u < graph->values.data[value].n_uses; ++u) {
    uint32_t user = echo_graph_uses(graph, value)[u];
    if (!is_kept && user > echo_mix_last_early(model, value))
      break;
    uint32_t result = model->inner[user], end = user;
    if (result != ECHO_NONE && model->until[result] == 0 &&
        model->read_until[result] > user) /* what clones want is written, and holds nothing */
      end = model->read_until[result];
    until = end > until ? end : until;
  }
  return until;
}

/* Room for the clones of each value. */
static void count_clones(EchoMixModel *model, const EchoSearcher *searcher)
{
  const EchoCurve *curve = searcher->curve;
  uint32_t n_values = (uint32_t)model->graph->values.size, n = 0;
  model->first_clone = ECHO_ARENA_ARRAY(searcher->scratch, uint32_t, n_values + 1u);
  memset(model->first_clone, 0, (n_values + 1u) * sizeof *model->first_clone);
  for (size_t i = 0; i < curve->points.size; ++i)
    for (uint32_t v = 0; v < n_values; ++v) {
      const EchoRenewals *renewals = curve->points.data[i].choice.values[v].renewals;
      if (renewals != NULL && renewals->n > model->first_clone[v])
        model->first_clone[v] = renewals->n;
    }
  for (uint32_t v = 0; v < n_values; ++v) {
    uint32_t first = n;
    n += 2 * (1 + model->first_clone[v]);
    model->first_clone[v] = first;
  }
  model->first_clone[n_values] = n;
  model->clones = ECHO_ARENA_ARRAY(searcher->scratch, EchoMixClone, n + 1u);
}

/* ---- what need not be measured again ---- */

/* How often the state of a measurement is noted on its way: more often costs copies, less often
 * values that are measured again. */
#define N_STATES 8

/* Before the values below `end` are measured. */
typedef struct State {
  uint32_t end;
  uint32_t *until;      /* of values below `end` */
  EchoMixClone *clones; /* of those */
  int64_t *change;
  double ns;
} State;

/* Values are measured from the last one on: what was measured before any was asked for that is
 * decided on in another way now stands. */
struct EchoMixMemory {
  State states[N_STATES]; /* the last values first */
  unsigned n_states;      /* that are of this mix: */
  EchoMixDecision *decisions;
  const EchoRenewals **renewals;
};

static struct EchoMixMemory *memory_create(const EchoMixModel *model, EchoArena *scratch)
{
  uint32_t n_values = (uint32_t)model->graph->values.size;
  struct EchoMixMemory *memory = ECHO_ARENA_ARRAY(scratch, struct EchoMixMemory, 1);
  memory->n_states = 0;
  memory->decisions = ECHO_ARENA_ARRAY(scratch, EchoMixDecision, n_values + 1u);
  memory->renewals = ECHO_ARENA_ARRAY(scratch, const EchoRenewals *, n_values + 1u);
  for (uint32_t s = 0; s < N_STATES; ++s) {
    uint32_t end = n_values - (uint32_t)((uint64_t)n_values * s / N_STATES);
    memory->states[s] =
        (State){.end = end,
                .until = ECHO_ARENA_ARRAY(scratch, uint32_t, end + 1u),
                .clones = ECHO_ARENA_ARRAY(scratch, EchoMixClone, model->first_clone[end] + 1u),
                .change = ECHO_ARENA_ARRAY(scratch, int64_t, model->graph->nodes.size + 2)};
  }
  return memory;
}

static void note_state(EchoMixModel *model, State *state, double ns)
{
  memcpy(state->until, model->until, state->end * sizeof *state->until);
  memcpy(state->clones, model->clones, model->first_clone[state->end] * sizeof *state->clones);
  memcpy(state->change, model->change, (model->graph->nodes.size + 2) * sizeof *state->change);
  state->ns = ns;
}

/* Behind the last value whose measuring asks how `value` is decided on: itself, or what is made
 * again of it. */
static uint32_t asked_until(const EchoMixModel *model, uint32_t value)
{
  const EchoGraph *graph = model->graph;
  for (uint32_t u = graph->values.data[value].n_uses; u-- > 0;) {
    const EchoGraphNode *user = &graph->nodes.data[echo_graph_uses(graph, value)[u]];
    for (uint32_t r = user->n_results; r-- > 0;)
      if (model->decisions[user->first_result + r] != ECHO_MIX_KEPT)
        return user->first_result + r + 1;
  }
  return value + 1;
}

#define COMPARED 64 /* decisions at a time: few of them differ */

/* Whether so many values from `first` on are decided on as they were. */
static bool is_as_noted(const EchoMixModel *model, uint32_t first)
{
  const struct EchoMixMemory *memory = model->memory;
  return memcmp(memory->decisions + first, model->decisions + first,
                COMPARED * sizeof *model->decisions) == 0 &&
         memcmp(memory->renewals + first, model->renewals + first,
                COMPARED * sizeof(const EchoRenewals *)) == 0;
}

/* Back to the last state that is one of the mix that is to be measured now; NULL: none is. What
 * stands above it is as it was. */
static const State *go_back_or_null(EchoMixModel *model)
{
  struct EchoMixMemory *memory = model->memory;
  uint32_t n_values = (uint32_t)model->graph->values.size, end = 0;
  unsigned n = memory->n_states;
  for (uint32_t v = 0; v < n_values && n != 0; ++v) {
    if (v % COMPARED == 0 && v + COMPARED <= n_values && is_as_noted(model, v)) {
      v += COMPARED - 1;
      continue;
    }
    if (memory->decisions[v] != model->decisions[v] || memory->renewals[v] != model->renewals[v]) {
      uint32_t until = asked_until(model, v);
      end = until > end ? until : end;
    }
  }
  while (n > 0 && memory->states[n - 1].end < end)
    --n;
  memory->n_states = n;
  if (n == 0)
    return NULL;
  const State *state = &memory->states[n - 1];
  memcpy(model->until, state->until, state->end * sizeof *state->until);
  memcpy(model->clones, state->clones, model->first_clone[state->end] * sizeof *state->clones);
  memcpy(model->change, state->change, (model->graph->nodes.size + 2) * sizeof *state->change);
  return state;
}

static void note_decisions(EchoMixModel *model, uint32_t end)
{
  memcpy(model->memory->decisions, model->decisions, end * sizeof *model->decisions);
  memcpy(model->memory->renewals, model->renewals, end * sizeof *model->renewals);
}

void echo_mix_model_create(EchoMixModel *model, const EchoSearcher *searcher)
{
  const EchoCandidates *candidates = searcher->candidates;
  const EchoGraph *graph = candidates->graph;
  EchoArena *scratch = searcher->scratch;
  size_t n_values = graph->values.size + 1, n_nodes = graph->nodes.size + 2;
  *model = (EchoMixModel){.candidates = candidates, .graph = graph};
  model->decisions = ECHO_ARENA_ARRAY(scratch, EchoMixDecision, n_values);
  model->inner = ECHO_ARENA_ARRAY(scratch, uint32_t, n_nodes);
  model->is_held = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  model->late_use = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  model->last_use = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  model->is_read_whole = ECHO_ARENA_ARRAY(scratch, bool, n_values);
  model->read_until = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  model->held_until = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  model->until = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values);
  model->renewals = ECHO_ARENA_ARRAY(scratch, const EchoRenewals *, n_values);
  count_clones(model, searcher);
  model->change = ECHO_ARENA_ARRAY(scratch, int64_t, n_nodes);
  model->base = ECHO_ARENA_ARRAY(scratch, int64_t, n_nodes);
  model->foretold = ECHO_ARENA_ARRAY(scratch, int64_t, n_nodes);
  model->memory = memory_create(model, scratch);
  EchoEstimate estimate = {0};
  echo_estimate_create(&estimate, graph, searcher->interface, &searcher->options->fusion);
  find_held(model, &estimate);
  echo_estimate_destroy(&estimate);
  for (size_t v = 0; v < n_values; ++v) {
    model->decisions[v] = ECHO_MIX_KEPT;
    model->renewals[v] = NULL;
    model->until[v] = 0;
  }
  for (uint32_t v = (uint32_t)graph->values.size; v-- > graph->n_inputs;)
    model->held_until[v] = model->read_until[v] = read_until(model, v);
  for (uint32_t node = 0; node < graph->nodes.size; ++node)
    model->base[node] = (int64_t)candidates->live_bytes[node];
}

/* ---- what a mix comes to ---- */

void echo_mix_take_value(EchoMixModel *model, const EchoChoice *choice, uint32_t value)
{
  bool is_kept = !echo_choice_remakes(choice, value);
  model->renewals[value] = is_kept ? NULL : choice->values[value].renewals;
  model->decisions[value] = is_kept                            ? ECHO_MIX_KEPT
                            : choice->values[value].is_carried ? ECHO_MIX_CARRIED
                            : choice->values[value].is_brief   ? ECHO_MIX_BRIEF
                                                               : ECHO_MIX_REMADE;
}

void echo_mix_give_value(const EchoMixModel *model, EchoChoice *choice, uint32_t value)
{
  EchoChosenValue *chosen = &choice->values[value];
  chosen->is_recomputed = model->decisions[value] != ECHO_MIX_KEPT;
  chosen->is_carried = model->decisions[value] == ECHO_MIX_CARRIED;
  chosen->is_brief = model->decisions[value] == ECHO_MIX_BRIEF;
  chosen->renewals = chosen->is_recomputed ? model->renewals[value] : NULL;
}

bool echo_mix_makes(const EchoMixModel *model, uint32_t value)
{
  for (uint32_t c = model->first_clone[value]; c < model->first_clone[value + 1]; ++c)
    if (model->clones[c].site != ECHO_NONE)
      return true;
  return false;
}

/* What the kernel that a clone of the node joins takes to read `operand`, which is there. */
static double read_ns(const EchoMixModel *model, uint32_t node, uint32_t operand)
{
  const EchoGraph *graph = model->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  uint32_t def = graph->values.data[operand].def;
  if ((entry->kind != ECHO_NODE_MAP && entry->kind != ECHO_NODE_RESHAPE) ||
      (def != ECHO_NONE && echo_node_is_made_of_constants(graph, def)))
    return 0;
  uint64_t whole = graph->values.data[operand].bytes;
  uint64_t part = graph->values.data[entry->first_result].bytes;
  return (double)(whole < part ? whole : part) / model->candidates->bytes_per_ns;
}

static void add_bytes(EchoMixModel *model, uint32_t first, uint32_t end, int64_t bytes)
{
  if (first >= end)
    return;
  model->change[first] += bytes;
  model->change[end] -= bytes;
}

/* Whether clones of the node stay inside the kernels that read them. */
static bool folds(const EchoCandidates *candidates, uint32_t node)
{
  EchoNodeKind kind = candidates->graph->nodes.data[node].kind;
  return kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE;
}

/* Where a clone is made, until when it is read, and whether one reads it as a whole. */
static void want(EchoMixModel *model, uint32_t value, uint32_t mode, uint32_t site, uint32_t until,
                 bool is_whole)
{
  uint32_t n_renewed = echo_renewals_before(model->renewals[value], site);
  EchoMixClone *clone = &model->clones[model->first_clone[value] + 2 * n_renewed +
                                       (model->decisions[value] == ECHO_MIX_CARRIED ? 1 : mode)];
  if (clone->site > site) /* none is the largest */
    clone->site = site;
  if (clone->until < until)
    clone->until = until;
  clone->is_whole |= is_whole;
}

/* Kernels make what stays inside them again from its operands wherever they read it. */
static bool takes_room(const EchoMixModel *model, uint32_t node, const EchoMixClone *clone)
{
  return clone->is_whole || !folds(model->candidates, node);
}

/* What a clone reads: clones in turn, or what is kept until then. Returns the time of reading that.
 */
static double model_operands(EchoMixModel *model, uint32_t node, uint32_t mode,
                             const EchoMixClone *clone)
{
  const EchoGraph *graph = model->graph;
  const EchoCandidates *candidates = model->candidates;
  uint32_t until = takes_room(model, node, clone) ? clone->site : clone->until;
  double ns = 0;
  for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
    uint32_t operand = echo_graph_operands(graph, node)[i];
    if (model->decisions[operand] != ECHO_MIX_KEPT &&
        clone->site > echo_mix_last_early(model, operand)) {
      want(model, operand, mode, clone->site, until, reads_whole(graph, node));
      continue;
    }
    ns += read_ns(model, node, operand);
    if (echo_candidate_is_choice(candidates, operand) && model->until[operand] < until)
      model->until[operand] = until;
  }
  return ns;
}

/* The readers behind the gap: those that nothing is renewed between read one clone. */
static void want_reads(EchoMixModel *model, uint32_t value)
{
  bool is_brief = model->decisions[value] == ECHO_MIX_BRIEF;
  if (model->late_use[value] == ECHO_NONE ||
      (!is_brief && !model->candidates->values[value].is_read))
    return;
  if (model->renewals[value] == NULL) {
    want(model, value, 0, model->late_use[value], model->last_use[value],
         model->is_read_whole[value]);
    return;
  }
  for (uint32_t u = model->graph->values.data[value].n_uses; u-- > 0;) {
    uint32_t user = echo_graph_uses(model->graph, value)[u];
    if (user <= echo_mix_last_early(model, value))
      return;
    want(model, value, 0, user, user, reads_whole(model->graph, user));
  }
}

/* Time and operands of the clones of a value, and what they hold. */
static void model_clones(EchoMixModel *model, uint32_t value, double *ns)
{
  const EchoGraph *graph = model->graph;
  uint32_t node = graph->values.data[value].def, first = model->first_clone[value];
  want_reads(model, value);
  for (uint32_t c = first; c < model->first_clone[value + 1]; ++c) {
    const EchoMixClone *clone = &model->clones[c];
    if (clone->site == ECHO_NONE)
      continue;
    *ns += model->candidates->nodes[node].ns + model_operands(model, node, (c - first) % 2, clone);
    if (!takes_room(model, node, clone))
      continue;
    add_bytes(model, clone->site, clone->until + 1, (int64_t)graph->values.data[value].bytes);
    if (folds(model->candidates, node)) /* it is written, and read */
      *ns += 2 * (double)graph->values.data[value].bytes / model->candidates->bytes_per_ns;
  }
}

static void start_measuring(EchoMixModel *model, uint32_t end_value)
{
  memset(model->change, 0, (model->graph->nodes.size + 2) * sizeof *model->change);
  memset(model->until, 0, end_value * sizeof *model->until);
  for (uint32_t c = 0; c < model->first_clone[end_value]; ++c)
    model->clones[c] = (EchoMixClone){.site = ECHO_NONE};
}

static void measure_value(EchoMixModel *model, uint32_t value, bool is_decided, double *ns)
{
  const EchoGraph *graph = model->graph;
  int64_t bytes = (int64_t)graph->values.data[value].bytes;
  if (is_decided && model->decisions[value] != ECHO_MIX_KEPT)
    model_clones(model, value, ns);
  model->read_until[value] = read_until(model, value);
  if (!model->is_held[value]) { /* clones want what stayed inside kernels */
    add_bytes(model, graph->values.data[value].def, model->until[value] + 1, bytes);
    return;
  }
  if (model->until[value] < model->read_until[value])
    model->until[value] = model->read_until[value];
  add_bytes(model, model->held_until[value] + 1, model->until[value] + 1, bytes);
  add_bytes(model, model->until[value] + 1, model->held_until[value] + 1, -bytes);
}

double echo_mix_measure(EchoMixModel *model, uint32_t first_value, uint32_t end_value)
{
  double ns = 0;
  model->memory->n_states = 0;
  start_measuring(model, end_value);
  for (uint32_t v = end_value; v-- > model->graph->n_inputs;)
    measure_value(model, v, v >= first_value, &ns);
  return ns;
}

/* The same of all values. */
static double measure_all(EchoMixModel *model)
{
  struct EchoMixMemory *memory = model->memory;
  const State *state = go_back_or_null(model);
  uint32_t end = (uint32_t)model->graph->values.size;
  double ns = 0;
  if (state != NULL) {
    end = state->end;
    ns = state->ns;
  } else {
    start_measuring(model, end);
  }
  for (uint32_t v = end; v-- > model->graph->n_inputs;) {
    while (memory->n_states < N_STATES && memory->states[memory->n_states].end == v + 1)
      note_state(model, &memory->states[memory->n_states++], ns);
    measure_value(model, v, true, &ns);
  }
  note_decisions(model, end);
  return ns;
}

double echo_mix_foretell(EchoMixModel *model)
{
  uint32_t n = (uint32_t)model->graph->nodes.size;
  double ns = measure_all(model);
  int64_t sum = 0;
  for (uint32_t t = 0; t < n; ++t) {
    sum += model->change[t];
    model->foretold[t] = sum + model->base[t];
  }
  return ns;
}

int64_t echo_mix_highest(const EchoMixModel *model)
{
  int64_t most = 0;
  for (uint32_t t = 0; t < model->graph->nodes.size; ++t)
    most = model->foretold[t] > most ? model->foretold[t] : most;
  return most;
}

/* ---- a look at the plan ---- */

/* The profile that was seen is that of the mix that is taken. */
static void calibrate(EchoMixModel *model)
{
  measure_all(model);
  int64_t sum = 0;
  for (uint32_t t = 0; t < model->graph->nodes.size; ++t) {
    sum += model->change[t];
    model->base[t] = model->foretold[t] - sum;
  }
}

static void estimate_echoed(void *user)
{
  EchoSearcher *searcher = user;
  echo_estimate_create(&searcher->estimate, &searcher->echoed, searcher->interface,
                       &searcher->options->fusion);
}

/* A clone's bytes count for the node of the base that it stands before. */
void echo_mix_take_profile(EchoMixModel *model, EchoSearcher *searcher, const EchoPoint *point,
                           unsigned orders)
{
  const EchoGraph *graph = model->graph;
  EchoGraph *echoed = &searcher->echoed;
  EchoEstimate *estimate = &searcher->estimate;
  EchoLook look = {.point = point, .orders = orders & ~(1u << ECHO_ORDER_GIVEN)};
  EchoOwnTask own = {estimate_echoed, searcher};
  echo_choice_apply(&point->choice, model->candidates, echoed);
  echo_search_look_ahead(searcher, &look, 1, &own);
  echo_point_note_given(searcher, point, echoed, estimate);
  uint64_t *profile = echo_storage_profile(&estimate->storage, echoed, &estimate->fusion);
  uint32_t group = 0, node = 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < echoed->nodes.size; ++i) {
    const EchoGraphNode *entry = &echoed->nodes.data[i];
    while (estimate->fusion.groups.data[group].root < i)
      ++group;
    most = profile[group] > most ? profile[group] : most;
    if (entry->is_new)
      continue;
    for (;; ++node) {
      model->foretold[node] = (int64_t)most;
      if (graph->nodes.data[node].op == entry->op)
        break;
    }
    ++node;
    most = 0;
  }
  echo_free(profile);
  calibrate(model);
}
