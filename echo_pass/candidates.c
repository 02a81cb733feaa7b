/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gaps by position, in the order in which the block is to run: between two readers of a value,
 * where it only waits. Where most bytes wait the step turns back: at its loss mostly, once for each
 * microbatch, and where gradients wait for their norm. A turn parts the uses of the values that
 * live through it, the largest turn first. */
#include "echo_pass/candidates.h"

#include <stdlib.h>

bool echo_node_is_recomputable(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return entry->op != NULL && entry->kind != ECHO_NODE_CONTROL && entry->kind != ECHO_NODE_RETURN &&
         entry->kind != ECHO_NODE_BARRIER && entry->kind != ECHO_NODE_BLOB &&
         echo_op_is_pure(entry->op);
}

bool echo_candidate_may_run_again(const EchoCandidates *candidates, uint32_t value)
{
  const EchoGraph *graph = candidates->graph;
  return candidates->values[value].state == ECHO_VALUE_CANDIDATE &&
         !graph->nodes.data[graph->values.data[value].def].has_effect;
}

/* Traffic, in times of a value's own bytes, above which computing it counts as heavy. */
#define HEAVY_TRAFFIC 8

static bool is_cheap(const EchoCandidates *candidates, uint32_t node)
{
  const EchoGraph *graph = candidates->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  if (!echo_node_is_recomputable(graph, node) || echo_op_has_trait(entry->op, ECHO_HEAVY))
    return false;
  double bytes = 0;
  for (uint32_t i = 0; i < entry->n_results; ++i)
    bytes += (double)graph->values.data[entry->first_result + i].bytes;
  for (uint32_t i = 0; i < entry->n_operands; ++i) /* a reduction frees what it reads, too */
    if (entry->kind == ECHO_NODE_REDUCE)
      bytes += (double)graph->values.data[echo_graph_operands(graph, node)[i]].bytes;
  return candidates->nodes[node].ns * candidates->bytes_per_ns <= bytes * HEAVY_TRAFFIC;
}

/* ---- gaps ---- */

/* Up to where values stand in the arena: until the last kernel that reads what is in their buffer,
 * or until another value is written over them. */
static void measure_held(EchoCandidates *candidates, const EchoEstimate *estimate, bool *is_held)
{
  const EchoGraph *graph = candidates->graph;
  size_t n_buffers = estimate->storage.buffers.size;
  uint32_t *ends = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, n_buffers + 1);
  for (size_t b = 0; b < n_buffers; ++b) {
    uint32_t last = estimate->storage.buffers.data[b].last_step;
    ends[b] = last < estimate->fusion.groups.size ? estimate->fusion.groups.data[last].root
                                                  : (uint32_t)graph->nodes.size - 1;
  }
  for (uint32_t v = (uint32_t)graph->values.size; v-- > 0;) {
    uint32_t buffer = estimate->storage.buffer_of_value[v];
    is_held[v] = v >= graph->n_inputs && buffer != ECHO_NONE &&
                 echo_buffer_is_movable(estimate->storage.buffers.data[buffer].kind);
    if (!is_held[v])
      continue;
    candidates->values[v].held_until = ends[buffer];
    ends[buffer] = graph->values.data[v].def;
  }
}

/* Live bytes by node (a node belongs to the kernel that stands at it or next behind it), and which
 * values stand in the arena, or would without what results lend. */
static void measure_live(EchoCandidates *candidates, const EchoBlockInterface *interface,
                         const EchoFusionOptions *fusion, bool *is_held)
{
  const EchoGraph *graph = candidates->graph;
  EchoEstimate estimate = {0};
  echo_estimate_create(&estimate, graph, interface, fusion);
  uint64_t *profile = echo_storage_profile(&estimate.storage, graph, &estimate.fusion);
  memset(candidates->live_bytes, 0, graph->nodes.size * sizeof(uint64_t));
  uint32_t next = 0;
  for (uint32_t g = 0; g < estimate.fusion.groups.size; ++g)
    for (; next <= estimate.fusion.groups.data[g].root; ++next)
      candidates->live_bytes[next] = profile[g];
  measure_held(candidates, &estimate, is_held);
  echo_free(profile);
  echo_estimate_destroy(&estimate);
}

/* As differences, by node: bytes that wait between two readers, and bytes that are on their way
 * from where they are made to their first reader, or are read. */
typedef struct Flow {
  int64_t *waiting, *moving;
} Flow;

static void add_waiting(const EchoGraph *graph, uint32_t value, int64_t bytes, int64_t *waiting)
{
  const uint32_t *uses = echo_graph_uses(graph, value);
  for (uint32_t u = 1; u < graph->values.data[value].n_uses; ++u)
    if (uses[u] > uses[u - 1] + 1) {
      waiting[uses[u - 1] + 1] += bytes;
      waiting[uses[u]] -= bytes;
    }
}

static void flow_create(Flow *flow, const EchoCandidates *candidates, const bool *is_held)
{
  const EchoGraph *graph = candidates->graph;
  size_t n = graph->nodes.size + 1;
  flow->waiting = ECHO_ARENA_ARRAY(candidates->scratch, int64_t, n);
  flow->moving = ECHO_ARENA_ARRAY(candidates->scratch, int64_t, n);
  memset(flow->waiting, 0, n * sizeof *flow->waiting);
  memset(flow->moving, 0, n * sizeof *flow->moving);
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    const EchoGraphValue *value = &graph->values.data[v];
    if (!is_held[v] || value->n_uses == 0)
      continue;
    add_waiting(graph, v, (int64_t)value->bytes, flow->waiting);
    flow->moving[value->def + 1] += (int64_t)value->bytes;
    flow->moving[echo_graph_uses(graph, v)[value->n_uses - 1]] -= (int64_t)value->bytes;
  }
  for (size_t i = 0; i < n; ++i) /* what lives but does not wait */
    flow->moving[i] -= flow->waiting[i];
}

#define MAX_TURNS 64    /* looked for, each in one look at all values */
#define MIN_TURN_PART 4 /* of what waits at the first: where less does there is none */

/* Where most bytes wait and fewest move, which is the loss, not what is made for the gradients
 * behind it. ECHO_NONE where too little waits. */
static uint32_t find_turn(const Flow *flow, size_t n_nodes, int64_t *first_bytes)
{
  int64_t waiting = 0, moving = 0, most = 0;
  uint32_t at = ECHO_NONE;
  for (uint32_t node = 0; node < n_nodes; ++node) {
    waiting += flow->waiting[node];
    moving += flow->moving[node];
    if (waiting - moving > most) {
      most = waiting - moving;
      at = node;
    }
  }
  if (*first_bytes == 0)
    *first_bytes = most;
  return most < *first_bytes / MIN_TURN_PART ? ECHO_NONE : at;
}

/* The turn parts the uses of the values that live through it. */
static void part_uses(EchoCandidates *candidates, uint32_t turn, const bool *is_held, Flow *flow)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    const EchoGraphValue *value = &graph->values.data[v];
    const uint32_t *uses = echo_graph_uses(graph, v);
    EchoCandidateValue *entry = &candidates->values[v];
    if (entry->is_read || value->n_uses == 0 || value->def >= turn ||
        uses[value->n_uses - 1] <= turn)
      continue;
    entry->is_read = true;
    entry->last_early = value->def;
    for (uint32_t u = 0; uses[u] <= turn; ++u)
      entry->last_early = uses[u];
    if (is_held[v])
      add_waiting(graph, v, -(int64_t)value->bytes, flow->waiting);
  }
}

static int compare_nodes(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void find_gaps(EchoCandidates *candidates, const bool *is_held, uint32_t *turns)
{
  const EchoGraph *graph = candidates->graph;
  Flow flow;
  int64_t first_bytes = 0;
  flow_create(&flow, candidates, is_held);
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    const EchoGraphValue *value = &graph->values.data[v];
    candidates->values[v].last_early =
        value->n_uses != 0 ? echo_graph_uses(graph, v)[value->n_uses - 1] : value->def;
  }
  candidates->turns = turns;
  candidates->turn = ECHO_NONE;
  while (candidates->n_turns < MAX_TURNS) {
    uint32_t turn = find_turn(&flow, graph->nodes.size, &first_bytes);
    if (turn == ECHO_NONE)
      break;
    part_uses(candidates, turn, is_held, &flow);
    candidates->turn = candidates->turn == ECHO_NONE ? turn : candidates->turn;
    turns[candidates->n_turns++] = turn;
  }
  qsort(turns, candidates->n_turns, sizeof *turns, compare_nodes);
}

/* From the readers back: all that a recompute might have to start from, and that is nothing else
 * yet, becomes `state`. */
static void mark_needed(EchoCandidates *candidates, bool *is_needed, EchoValueState state)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_any_needed = false;
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      uint32_t value = entry->first_result + r;
      if (!is_needed[value] || candidates->values[value].state != ECHO_VALUE_OTHER)
        continue;
      bool is_free = entry->kind == ECHO_NODE_BLOB || echo_node_is_made_of_constants(graph, node);
      candidates->values[value].state = is_free ? ECHO_VALUE_FREE : state;
      is_any_needed |= !is_free;
    }
    for (uint32_t i = 0; is_any_needed && i < entry->n_operands; ++i)
      is_needed[echo_graph_operands(graph, node)[i]] = true;
  }
}

static void mark_candidates(EchoCandidates *candidates, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t v = 0; v < graph->n_inputs; ++v)
    candidates->values[v].state = ECHO_VALUE_FREE;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; end->kind == ECHO_NODE_RETURN && i < end->n_operands; ++i)
    if (interface->result_targets[i] != ECHO_TO_ARENA)
      candidates->values[graph->operands.data[end->first_operand + i]].state = ECHO_VALUE_FREE;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  bool *is_needed = ECHO_ARENA_ARRAY(candidates->scratch, bool, graph->values.size + 1);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    is_needed[v] = candidates->values[v].is_read;
  mark_needed(candidates, is_needed, ECHO_VALUE_CANDIDATE);
  echo_arena_reset(candidates->scratch, mark);
}

/* Values are numbered in block order: operands before users. */
static void find_derived(EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    uint32_t node = graph->values.data[v].def;
    EchoNodeKind kind = graph->nodes.data[node].kind;
    bool is_derived = candidates->values[v].state == ECHO_VALUE_CANDIDATE &&
                      (kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE);
    for (uint32_t i = 0; is_derived && i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t operand = echo_graph_operands(graph, node)[i];
      is_derived = !echo_candidate_is_on_way(candidates, operand);
    }
    candidates->values[v].is_derived = is_derived;
  }
}

/* Whether a value is on its way at a turn: not read yet, or made as the last of what waits there.
 */
static bool is_at_turn(const EchoGraph *graph, uint32_t value, uint32_t turn, uint32_t youngest)
{
  return value == youngest ||
         (graph->values.data[value].def <= turn && turn <= echo_graph_uses(graph, value)[0]);
}

/* Of the values that wait at a turn the one made last. */
static uint32_t find_youngest(const EchoCandidates *candidates, uint32_t turn)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t youngest = ECHO_NONE;
  for (uint32_t v = graph->n_inputs; v < graph->values.size && graph->values.data[v].def <= turn;
       ++v)
    if (echo_candidate_is_on_way(candidates, v) && candidates->values[v].is_read &&
        turn < echo_graph_uses(graph, v)[graph->values.data[v].n_uses - 1])
      youngest = v;
  return youngest;
}

/* Constants and what is derived begin nothing. */
static bool is_of_step(const EchoCandidates *candidates, uint32_t value)
{
  const EchoGraph *graph = candidates->graph;
  const EchoCandidateValue *entry = &candidates->values[value];
  uint32_t node = graph->values.data[value].def;
  return graph->values.data[value].n_uses != 0 && !entry->is_derived &&
         entry->state != ECHO_VALUE_FREE && graph->nodes.data[node].kind != ECHO_NODE_BLOB &&
         !echo_node_is_made_of_constants(graph, node);
}

/* What is on its way at a turn and all that is made of it was made behind that turn, up to what
 * waits for a later one: a sum of gradients between two microbatches, weights between two steps.
 * What merely waits at the turn begins nothing. */
static void find_turned(EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t youngest[MAX_TURNS];
  for (uint32_t i = 0; i < candidates->n_turns; ++i)
    youngest[i] = find_youngest(candidates, candidates->turns[i]);
  for (uint32_t v = graph->n_inputs; v < graph->values.size; ++v) {
    EchoCandidateValue *entry = &candidates->values[v];
    uint32_t node = graph->values.data[v].def;
    if (!is_of_step(candidates, v))
      continue;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i)
      entry->is_behind |= candidates->values[echo_graph_operands(graph, node)[i]].is_behind;
    entry->is_turned = entry->is_behind && entry->is_read;
    for (uint32_t i = 0; i < candidates->n_turns; ++i)
      entry->is_behind |= is_at_turn(graph, v, candidates->turns[i], youngest[i]);
    entry->is_behind &= !entry->is_turned;
  }
}

/* One value while components are found. */
typedef struct Member {
  uint32_t parent; /* union-find: a root is its own */
  uint32_t number; /* of a root's component; ECHO_NONE before it has one */
} Member;

static uint32_t find_root(Member *members, uint32_t v)
{
  while (members[v].parent != v)
    v = members[v].parent = members[members[v].parent].parent;
  return v;
}

/* Each result, for the first may be one that nobody reads (the state of a random generator). */
static void join_node(const EchoCandidates *candidates, const EchoGraphNode *node,
                      const uint32_t *operands, Member *members)
{
  for (uint32_t r = 0; r < node->n_results; ++r) {
    uint32_t result = node->first_result + r;
    for (uint32_t i = 0; i < node->n_operands; ++i)
      if (candidates->values[operands[i]].state == ECHO_VALUE_CANDIDATE &&
          candidates->values[result].state == ECHO_VALUE_CANDIDATE)
        members[find_root(members, result)].parent = find_root(members, operands[i]);
  }
}

/* Candidates on either side of a cheap op belong together; heavy ops part them. */
static void number_components(EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  Member *members = ECHO_ARENA_ARRAY(candidates->scratch, Member, graph->values.size + 1);
  for (uint32_t v = 0; v < graph->values.size; ++v)
    members[v] = (Member){.parent = v, .number = ECHO_NONE};
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    if (candidates->nodes[node].is_cheap)
      join_node(candidates, entry, echo_graph_operands(graph, node), members);
  }
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    if (candidates->values[v].state != ECHO_VALUE_CANDIDATE)
      continue;
    Member *root = &members[find_root(members, v)];
    if (root->number == ECHO_NONE)
      root->number = candidates->n_components++;
    candidates->values[v].component = root->number;
  }
  echo_arena_reset(candidates->scratch, mark);
}

/* ---- brief gaps ---- */

#define BRIEF_PART 64 /* of the peak: what takes less lowers it by less than refine.c aims at */

/* By node: how many kernels of weight stand before it. */
static uint32_t *count_weights(const EchoGraph *graph, EchoArena *scratch)
{
  uint32_t *n_before = ECHO_ARENA_ARRAY(scratch, uint32_t, graph->nodes.size + 1), n = 0;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    EchoNodeKind kind = graph->nodes.data[node].kind;
    n_before[node] = n;
    n += kind == ECHO_NODE_SINGLE || kind == ECHO_NODE_REDUCE || kind == ECHO_NODE_CONTROL;
  }
  return n_before;
}

/* The last reader before the gap in which most of those run; ECHO_NONE: none runs in any. */
static uint32_t find_brief_gap(const EchoGraph *graph, uint32_t value, const uint32_t *n_before)
{
  const uint32_t *uses = echo_graph_uses(graph, value);
  uint32_t early = ECHO_NONE, most = 0;
  for (uint32_t u = 1; u < graph->values.data[value].n_uses; ++u) {
    uint32_t n = uses[u] > uses[u - 1] ? n_before[uses[u]] - n_before[uses[u - 1] + 1] : 0;
    if (n > most) {
      early = uses[u - 1];
      most = n;
    }
  }
  return early;
}

static uint64_t highest(const EchoCandidates *candidates)
{
  uint64_t bytes = 0;
  for (uint32_t node = 0; node < candidates->graph->nodes.size; ++node)
    if (candidates->live_bytes[node] > bytes)
      bytes = candidates->live_bytes[node];
  return bytes;
}

/* What does not live through a turn waits, too: a layer's gradient reads what the layer computed,
 * or computed again, before and behind products of its own. */
static void find_brief_gaps(EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  bool *is_needed = ECHO_ARENA_ARRAY(candidates->scratch, bool, graph->values.size + 1);
  uint32_t *n_before = count_weights(graph, candidates->scratch);
  uint64_t min_bytes = highest(candidates) / BRIEF_PART;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    EchoCandidateValue *entry = &candidates->values[v];
    if (v >= graph->n_inputs && !entry->is_read && entry->state != ECHO_VALUE_FREE &&
        graph->values.data[v].bytes >= min_bytes &&
        echo_node_is_recomputable(graph, graph->values.data[v].def))
      entry->brief_early = find_brief_gap(graph, v, n_before);
    is_needed[v] = entry->brief_early != ECHO_NONE;
  }
  mark_needed(candidates, is_needed, ECHO_VALUE_BRIEF);
  echo_arena_reset(candidates->scratch, mark);
}

void echo_candidates_create(EchoCandidates *candidates, const EchoGraph *graph,
                            const EchoBlockInterface *interface, const EchoFusionOptions *fusion,
                            const EchoDeviceModel *device, EchoArena *scratch)
{
  *candidates = (EchoCandidates){
      .graph = graph, .bytes_per_ns = device->memory_bytes_per_s * 1e-9, .scratch = scratch};
  candidates->values = ECHO_ARENA_ARRAY(scratch, EchoCandidateValue, graph->values.size + 1);
  for (size_t v = 0; v <= graph->values.size; ++v)
    candidates->values[v] = (EchoCandidateValue){.last_early = ECHO_NONE,
                                                 .brief_early = ECHO_NONE,
                                                 .held_until = ECHO_NONE,
                                                 .component = ECHO_NONE};
  candidates->nodes = ECHO_ARENA_ARRAY(scratch, EchoCandidateNode, graph->nodes.size + 1);
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    candidates->nodes[node].ns = echo_node_ns(graph, node, device);
    candidates->nodes[node].is_cheap = is_cheap(candidates, node);
    candidates->nodes[node].menu = ECHO_NONE;
  }
  candidates->live_bytes = ECHO_ARENA_ARRAY(scratch, uint64_t, graph->nodes.size + 1);
  uint32_t *turns = ECHO_ARENA_ARRAY(scratch, uint32_t, MAX_TURNS);
  EchoArenaMark mark = echo_arena_mark(scratch);
  bool *is_held = ECHO_ARENA_ARRAY(scratch, bool, graph->values.size + 1);
  measure_live(candidates, interface, fusion, is_held);
  find_gaps(candidates, is_held, turns);
  echo_arena_reset(scratch, mark);
  mark_candidates(candidates, interface);
  find_derived(candidates);
  find_turned(candidates);
  number_components(candidates);
  find_brief_gaps(candidates);
}
