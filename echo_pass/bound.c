/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The minimum cut of a moment. Each value that is needed behind it is a split node whose edge costs
 * its bytes times the multiplier; uncut, it is computed again: that costs what its kernel takes,
 * and its operands are needed in turn. The value of the cut less multiplier times room is a lower
 * bound for each multiplier (Lagrange); it is concave in it, so lines through two cuts close in on
 * the best. */
#include "echo_pass/bound_t.h"

#include "base/map.h"
#include "dialects/plan/plan.h"
#include "planning/cuts/min_cut.h"

#include <math.h>

#define SOURCE 0u
#define SINK 1u
#define MAX_MOMENTS 8         /* looked at, where the graph is small enough, */
#define MAX_WORK (1u << 20)   /* in nodes of all cuts together; one moment is looked at always */
#define MAX_MULTIPLIERS 16    /* of a moment */
#define PRECISION (1.0 / 512) /* of what a moment comes to */
#define SUM_OF_CAPACITIES 0x1p60

typedef enum Place { BESIDE, BEFORE, BEHIND, HERE } Place; /* of a node, as the dataflow has it */

typedef struct Bounder {
  const EchoCandidates *candidates;
  const EchoGraph *graph;
  double *ns;       /* by node: of a second run; 0 where that may fold into another kernel */
  bool *is_outside; /* by value: may be there without arena bytes of its own */
  bool *is_live;    /* by node */
  Place *place;     /* by node */
  uint64_t *lends;  /* by node: bytes of results that it makes, whose places hold others before */
  uint64_t lent_bytes; /* of all of them */
  /* Of one moment: */
  uint64_t standing_bytes;                       /* what the kernel reads and writes */
  ECHO_VECTOR(uint32_t) required, values, nodes; /* behind it; those of the network */
  uint32_t *entry_of_value, *entry_of_node;      /* in the network; ECHO_NONE without one */
} Bounder;

/* ---- what is there anyway ---- */

/* Storage that stands outside of the arena, and where it may be. */
typedef struct Lent {
  uint32_t value;
  uint64_t bytes;
} Lent;

typedef struct Lending {
  EchoMap seen;   /* by value and bytes */
  EchoMap passed; /* by node and bytes: nodes that what is lent went through */
  ECHO_VECTOR(Lent) lent;
} Lending;

static void lend(Bounder *bounder, Lending *lending, uint32_t value, uint64_t bytes)
{
  if (!echo_map_insert(&lending->seen, echo_hash_combine(value, bytes), 1))
    return;
  bounder->is_outside[value] |= bounder->graph->values.data[value].bytes == bytes;
  echo_vector_push(&lending->lent, ((Lent){value, bytes}));
}

/* Whether storage of so many bytes goes on through the node, which it does once. */
static bool passes(const Bounder *bounder, Lending *lending, uint32_t node, uint64_t bytes)
{
  return node != ECHO_NONE && !bounder->graph->nodes.data[node].is_heavy &&
         echo_map_insert(&lending->passed, echo_hash_combine(node, bytes), 1);
}

static void clear_lending(Lending *lending)
{
  echo_map_destroy(&lending->seen);
  echo_map_destroy(&lending->passed);
  echo_vector_clear(&lending->lent);
}

/* Back from results: what is written over on the way there. */
static void lend_results(Bounder *bounder, const EchoBlockInterface *interface, Lending *lending)
{
  const EchoGraph *graph = bounder->graph;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    uint32_t value = graph->operands.data[end->first_operand + i];
    if (interface->result_targets[i] != ECHO_TO_ARENA)
      lend(bounder, lending, value, graph->values.data[value].bytes);
  }
  for (size_t i = 0; i < lending->lent.size; ++i) {
    Lent lent = lending->lent.data[i];
    uint32_t def = graph->values.data[lent.value].def;
    if (!passes(bounder, lending, def, lent.bytes))
      continue;
    for (uint32_t k = 0; k < graph->nodes.data[def].n_operands; ++k)
      lend(bounder, lending, echo_graph_operands(graph, def)[k], lent.bytes);
  }
}

/* Forth from arguments that may be written over. */
static void lend_arguments(Bounder *bounder, const EchoBlockInterface *interface, Lending *lending)
{
  const EchoGraph *graph = bounder->graph;
  for (uint32_t v = 0; v < graph->n_inputs; ++v)
    if (interface->is_donated != NULL && interface->is_donated[v])
      lend(bounder, lending, v, graph->values.data[v].bytes);
  for (size_t i = 0; i < lending->lent.size; ++i) {
    Lent lent = lending->lent.data[i];
    for (uint32_t u = 0; u < graph->values.data[lent.value].n_uses; ++u) {
      uint32_t user = echo_graph_uses(graph, lent.value)[u];
      const EchoGraphNode *reader = &graph->nodes.data[user];
      if (!passes(bounder, lending, user, lent.bytes))
        continue;
      for (uint32_t r = 0; r < reader->n_results; ++r)
        lend(bounder, lending, reader->first_result + r, lent.bytes);
    }
  }
}

/* Values may stand in the storage of results and of donated arguments of their size, where a chain
 * of kernels in place leads there; contractions are never in place, all else is taken to be. What a
 * loop makes is left to the stacks. */
static void find_outside(Bounder *bounder, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = bounder->graph;
  for (uint32_t v = 0; v < graph->values.size; ++v) {
    uint32_t def = graph->values.data[v].def;
    const EchoGraphNode *entry = def == ECHO_NONE ? NULL : &graph->nodes.data[def];
    bounder->is_outside[v] =
        entry == NULL || entry->kind == ECHO_NODE_BLOB || entry->kind == ECHO_NODE_CONSTANT ||
        (entry->kind == ECHO_NODE_CONTROL && echo_op_has_trait(entry->op, ECHO_LOOP));
  }
  Lending lending = {0};
  lend_results(bounder, interface, &lending);
  clear_lending(&lending);
  lend_arguments(bounder, interface, &lending);
  clear_lending(&lending);
  echo_vector_destroy(&lending.lent);
}

static void find_lenders(Bounder *bounder, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = bounder->graph;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  memset(bounder->lends, 0, graph->nodes.size * sizeof *bounder->lends);
  bounder->lent_bytes = 0;
  for (uint32_t i = 0; i < end->n_operands && interface->lends_results; ++i) {
    const EchoGraphValue *value = &graph->values.data[graph->operands.data[end->first_operand + i]];
    if (interface->result_targets[i] != ECHO_TO_OUTPUT || value->bytes < ECHO_PLAN_ALIGNMENT)
      continue; /* as lend_results.c has it */
    bounder->lent_bytes += value->bytes;
    if (value->def != ECHO_NONE)
      bounder->lends[value->def] += value->bytes;
  }
}

/* What nobody needs is left out of a plan. */
static void find_live(Bounder *bounder)
{
  const EchoGraph *graph = bounder->graph;
  for (uint32_t node = (uint32_t)graph->nodes.size; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_live = entry->kind == ECHO_NODE_RETURN || !echo_node_is_recomputable(graph, node);
    for (uint32_t r = 0; r < entry->n_results && !is_live; ++r) {
      uint32_t value = entry->first_result + r;
      for (uint32_t i = 0; i < graph->values.data[value].n_uses && !is_live; ++i)
        is_live = bounder->is_live[echo_graph_uses(graph, value)[i]];
    }
    bounder->is_live[node] = is_live;
  }
}

/* Kernels of their own, and the cheapest that branches come to. */
static void find_prices(Bounder *bounder, const EchoBlockInterface *interface,
                        const EchoSearchOptions *options)
{
  const EchoGraph *graph = bounder->graph;
  EchoEstimate estimate = {0};
  echo_estimate_create(&estimate, graph, interface, &options->fusion);
  memset(bounder->ns, 0, graph->nodes.size * sizeof *bounder->ns);
  for (uint32_t g = 0; g < estimate.fusion.groups.size; ++g) {
    const EchoFusionGroup *group = &estimate.fusion.groups.data[g];
    const EchoGraphNode *root = &graph->nodes.data[group->root];
    if (root->kind == ECHO_NODE_SINGLE)
      bounder->ns[group->root] =
          (double)echo_group_ns(graph, &estimate.fusion, g, &options->device);
    else if (root->kind == ECHO_NODE_CONTROL && !echo_op_has_trait(root->op, ECHO_LOOP))
      bounder->ns[group->root] = (double)root->inner_ns;
  }
  for (uint32_t m = 0; m < bounder->candidates->n_menus; ++m) {
    const EchoRegionMenu *menu = &bounder->candidates->menus[m];
    for (uint32_t level = 0; level < menu->n_levels; ++level)
      bounder->ns[menu->node] = fmin(bounder->ns[menu->node], (double)menu->levels[level].ns);
  }
  echo_estimate_destroy(&estimate);
}

/* ---- a moment ---- */

static void find_places(Bounder *bounder, uint32_t here)
{
  const EchoGraph *graph = bounder->graph;
  uint32_t n_nodes = (uint32_t)graph->nodes.size;
  for (uint32_t node = 0; node < n_nodes; ++node)
    bounder->place[node] = BESIDE;
  bounder->place[here] = HERE;
  for (uint32_t node = here + 1; node < n_nodes; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
      if (def != ECHO_NONE && (bounder->place[def] == BEHIND || bounder->place[def] == HERE))
        bounder->place[node] = BEHIND;
    }
  for (uint32_t node = here + 1; node-- > 0;)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t def = graph->values.data[echo_graph_operands(graph, node)[i]].def;
      if (def != ECHO_NONE && (bounder->place[node] == BEFORE || bounder->place[node] == HERE))
        bounder->place[def] = BEFORE;
    }
}

/* The buffer that a kernel of its own reads: what a view shows. ECHO_NONE where it takes no room,
 * or is made where it is read. */
static uint32_t buffer_read(const Bounder *bounder, uint32_t value)
{
  const EchoGraph *graph = bounder->graph;
  uint32_t def = graph->values.data[value].def;
  while (def != ECHO_NONE && graph->nodes.data[def].kind == ECHO_NODE_RESHAPE) {
    value = echo_graph_operands(graph, def)[0];
    def = graph->values.data[value].def;
  }
  bool is_made = def != ECHO_NONE && (graph->nodes.data[def].kind == ECHO_NODE_BARRIER ||
                                      echo_node_is_free_to_remake(graph, def));
  return bounder->is_outside[value] || is_made ? ECHO_NONE : value;
}

/* Marks what the kernel at `here` needs beside itself as there. */
static void stand_here(Bounder *bounder, uint32_t here)
{
  const EchoGraph *graph = bounder->graph;
  const EchoGraphNode *entry = &graph->nodes.data[here];
  bounder->standing_bytes = 0;
  for (uint32_t i = 0; i < entry->n_operands + entry->n_results; ++i) {
    uint32_t value = i < entry->n_operands
                         ? buffer_read(bounder, echo_graph_operands(graph, here)[i])
                         : entry->first_result + i - entry->n_operands;
    if (value == ECHO_NONE || bounder->is_outside[value] ||
        bounder->entry_of_value[value] != ECHO_NONE)
      continue;
    bounder->entry_of_value[value] = 0; /* met, and no part of the network */
    bounder->standing_bytes += graph->values.data[value].bytes;
    echo_vector_push(&bounder->values, value);
  }
}

static bool is_wanted(const Bounder *bounder, uint32_t value)
{
  uint32_t def = bounder->graph->values.data[value].def;
  return !bounder->is_outside[value] && bounder->entry_of_value[value] == ECHO_NONE &&
         bounder->place[def] != BEHIND;
}

/* What runs behind the moment reads `values`, and what that could be computed from. */
static void gather(Bounder *bounder, uint32_t here)
{
  const EchoGraph *graph = bounder->graph;
  stand_here(bounder, here);
  size_t first = bounder->values.size;
  for (uint32_t node = here + 1; node < graph->nodes.size; ++node)
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t value = echo_graph_operands(graph, node)[i];
      if (bounder->place[node] != BEHIND || !bounder->is_live[node] || !is_wanted(bounder, value))
        continue;
      bounder->entry_of_value[value] = 0;
      echo_vector_push(&bounder->values, value);
      echo_vector_push(&bounder->required, value);
    }
  for (size_t i = first; i < bounder->values.size; ++i) {
    uint32_t def = graph->values.data[bounder->values.data[i]].def;
    if (bounder->entry_of_node[def] != ECHO_NONE)
      continue;
    bounder->entry_of_node[def] = 0;
    echo_vector_push(&bounder->nodes, def);
    for (uint32_t k = 0; k < graph->nodes.data[def].n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, def)[k];
      if (!is_wanted(bounder, value))
        continue;
      bounder->entry_of_value[value] = 0;
      echo_vector_push(&bounder->values, value);
    }
  }
  /* What stands there anyway is no part of the network. */
  size_t kept = 0;
  for (size_t i = 0; i < bounder->values.size; ++i)
    if (i < first)
      bounder->entry_of_value[bounder->values.data[i]] = ECHO_NONE;
    else
      bounder->values.data[kept++] = bounder->values.data[i];
  bounder->values.size = kept;
}

static void forget(Bounder *bounder)
{
  for (size_t i = 0; i < bounder->values.size; ++i)
    bounder->entry_of_value[bounder->values.data[i]] = ECHO_NONE;
  for (size_t i = 0; i < bounder->nodes.size; ++i)
    bounder->entry_of_node[bounder->nodes.data[i]] = ECHO_NONE;
  echo_vector_clear(&bounder->values);
  echo_vector_clear(&bounder->nodes);
  echo_vector_clear(&bounder->required);
}

/* What was not yet computed costs nothing: it is computed for the first time. */
static double again_ns(const Bounder *bounder, uint32_t node)
{
  return bounder->place[node] == BEFORE ? bounder->ns[node] : 0;
}

/* ---- cuts ---- */

typedef struct Line {
  double ns, bytes; /* of one cut: computed again, and kept */
} Line;

static void add_network(Bounder *bounder, EchoFlowNetwork *network, double multiplier, double scale)
{
  const EchoGraph *graph = bounder->graph;
  echo_flow_add_node(network);
  echo_flow_add_node(network);
  for (size_t i = 0; i < bounder->values.size; ++i) {
    uint32_t value = bounder->values.data[i];
    double capacity = (double)graph->values.data[value].bytes * multiplier * scale;
    bounder->entry_of_value[value] = echo_flow_add_split_node(network, (uint64_t)capacity);
  }
  for (size_t i = 0; i < bounder->nodes.size; ++i)
    bounder->entry_of_node[bounder->nodes.data[i]] = echo_flow_add_node(network);
  for (size_t i = 0; i < bounder->required.size; ++i)
    echo_flow_add_edge(network, SOURCE, bounder->entry_of_value[bounder->required.data[i]],
                       ECHO_FLOW_INFINITE);
  for (size_t i = 0; i < bounder->values.size; ++i) {
    uint32_t value = bounder->values.data[i];
    echo_flow_add_edge(network, echo_flow_split_exit(bounder->entry_of_value[value]),
                       bounder->entry_of_node[graph->values.data[value].def], ECHO_FLOW_INFINITE);
  }
  for (size_t i = 0; i < bounder->nodes.size; ++i) {
    uint32_t node = bounder->nodes.data[i], entry = bounder->entry_of_node[node];
    bool may_run_again = bounder->place[node] != BEFORE || echo_node_is_recomputable(graph, node);
    echo_flow_add_edge(network, entry, SINK,
                       may_run_again ? (uint64_t)(again_ns(bounder, node) * scale)
                                     : ECHO_FLOW_INFINITE);
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t value = echo_graph_operands(graph, node)[k];
      if (bounder->entry_of_value[value] != ECHO_NONE)
        echo_flow_add_edge(network, entry, bounder->entry_of_value[value], ECHO_FLOW_INFINITE);
    }
  }
}

/* The cut at a multiplier. Returns its value, in nanoseconds. */
static double cut_at(Bounder *bounder, double multiplier, Line limits, Line *line)
{
  double scale = SUM_OF_CAPACITIES / (limits.ns + multiplier * limits.bytes + 1);
  EchoFlowNetwork network = {0};
  EchoMinCut cut;
  add_network(bounder, &network, multiplier, scale);
  bool is_finite = echo_flow_min_cut(&network, SOURCE, SINK, ECHO_CUT_NEAR_SOURCE, &cut);
  ECHO_CHECK(is_finite, "all may be kept");
  *line = (Line){0, 0};
  for (size_t i = 0; i < bounder->values.size; ++i) {
    uint32_t value = bounder->values.data[i], entry = bounder->entry_of_value[value];
    if (echo_min_cut_on_source_side(&cut, entry) &&
        !echo_min_cut_on_source_side(&cut, echo_flow_split_exit(entry)))
      line->bytes += (double)bounder->graph->values.data[value].bytes;
  }
  for (size_t i = 0; i < bounder->nodes.size; ++i)
    if (echo_min_cut_on_source_side(&cut, bounder->entry_of_node[bounder->nodes.data[i]]))
      line->ns += again_ns(bounder, bounder->nodes.data[i]);
  double value = (double)cut.value / scale;
  echo_min_cut_destroy(&cut);
  echo_flow_destroy(&network);
  return value;
}

/* The most that any multiplier shows for this room. */
static double find_price(Bounder *bounder, double room_bytes)
{
  Line all = {0, 0}, keeps = {0, 0}, remakes = {0, 0};
  for (size_t i = 0; i < bounder->values.size; ++i)
    all.bytes += (double)bounder->graph->values.data[bounder->values.data[i]].bytes;
  for (size_t i = 0; i < bounder->required.size; ++i)
    keeps.bytes += (double)bounder->graph->values.data[bounder->required.data[i]].bytes;
  for (size_t i = 0; i < bounder->nodes.size; ++i)
    all.ns += again_ns(bounder, bounder->nodes.data[i]);
  remakes.ns = all.ns;
  double best = 0;
  for (unsigned i = 0; i < MAX_MULTIPLIERS && keeps.bytes > room_bytes; ++i) {
    double multiplier = (remakes.ns - keeps.ns) / (keeps.bytes - remakes.bytes);
    double hope = keeps.ns + multiplier * (keeps.bytes - room_bytes);
    if (!(multiplier > 0) || hope <= best * (1 + PRECISION))
      break;
    Line line;
    best = fmax(best, cut_at(bounder, multiplier, all, &line) - multiplier * room_bytes);
    if (line.bytes > room_bytes)
      keeps = line;
    else
      remakes = line;
  }
  return best;
}

/* ---- moments ---- */

/* The contraction while which most is alive when all is kept, of a part of the block, where that is
 * more than the plan allows; ECHO_NONE without one. */
static uint32_t fullest(const Bounder *bounder, uint32_t begin, uint32_t end, uint64_t peak_bytes)
{
  uint32_t found = ECHO_NONE;
  uint64_t most = peak_bytes;
  for (uint32_t node = begin; node < end; ++node) {
    uint64_t live = bounder->candidates->live_bytes[node];
    if (bounder->graph->nodes.data[node].is_heavy && bounder->is_live[node] && live > most) {
      most = live;
      found = node;
    }
  }
  return found;
}

/* What the places of results that are not written yet hold beside the arena. */
static uint64_t lent_bytes(const Bounder *bounder, uint32_t here)
{
  uint64_t bytes = bounder->lent_bytes;
  for (uint32_t node = 0; node <= here; ++node)
    if (bounder->place[node] == BEFORE || bounder->place[node] == HERE)
      bytes -= bounder->lends[node];
  return bytes;
}

static void look(Bounder *bounder, uint32_t here, uint64_t peak_bytes, EchoBound *bound)
{
  find_places(bounder, here);
  peak_bytes += lent_bytes(bounder, here);
  gather(bounder, here);
  if (bounder->standing_bytes <= peak_bytes) {
    double ns = find_price(bounder, (double)(peak_bytes - bounder->standing_bytes));
    if (ns > (double)bound->again_ns)
      bound->again_ns = (uint64_t)ns;
  }
  forget(bounder);
}

static uint64_t find_least(Bounder *bounder)
{
  uint64_t least = 0;
  for (uint32_t node = 0; node < bounder->graph->nodes.size; ++node) {
    if (!bounder->graph->nodes.data[node].is_heavy || !bounder->is_live[node])
      continue;
    uint64_t lent = bounder->lent_bytes - bounder->lends[node];
    stand_here(bounder, node);
    if (bounder->standing_bytes > least + lent)
      least = bounder->standing_bytes - lent;
    forget(bounder);
  }
  return least;
}

static void bounder_create(Bounder *bounder, const EchoCandidates *candidates,
                           const EchoBlockInterface *interface, const EchoSearchOptions *options)
{
  EchoArena *scratch = candidates->scratch;
  size_t n_nodes = candidates->graph->nodes.size, n_values = candidates->graph->values.size;
  *bounder = (Bounder){.candidates = candidates, .graph = candidates->graph};
  bounder->ns = ECHO_ARENA_ARRAY(scratch, double, n_nodes + 1);
  bounder->is_outside = ECHO_ARENA_ARRAY(scratch, bool, n_values + 1);
  bounder->is_live = ECHO_ARENA_ARRAY(scratch, bool, n_nodes + 1);
  bounder->place = ECHO_ARENA_ARRAY(scratch, Place, n_nodes + 1);
  bounder->lends = ECHO_ARENA_ARRAY(scratch, uint64_t, n_nodes + 1);
  bounder->entry_of_value = ECHO_ARENA_ARRAY(scratch, uint32_t, n_values + 1);
  bounder->entry_of_node = ECHO_ARENA_ARRAY(scratch, uint32_t, n_nodes + 1);
  for (size_t v = 0; v < n_values; ++v)
    bounder->entry_of_value[v] = ECHO_NONE;
  for (size_t node = 0; node < n_nodes; ++node)
    bounder->entry_of_node[node] = ECHO_NONE;
  find_outside(bounder, interface);
  find_lenders(bounder, interface);
  find_live(bounder);
  find_prices(bounder, interface, options);
}

static void bounder_destroy(Bounder *bounder)
{
  echo_vector_destroy(&bounder->values);
  echo_vector_destroy(&bounder->nodes);
  echo_vector_destroy(&bounder->required);
}

/* That may be on the host at one time, in a step that takes so long. */
static uint64_t host_bytes(const EchoDeviceModel *device, uint64_t step_ns)
{
  double ns_per_byte = 1e9 / device->copy_out_bytes_per_s + 1e9 / device->copy_in_bytes_per_s;
  return (uint64_t)((double)step_ns / ns_per_byte);
}

EchoBound echo_bound_find(const EchoCandidates *candidates, const EchoBlockInterface *interface,
                          const EchoSearchOptions *options, uint64_t peak_bytes, uint64_t step_ns)
{
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  Bounder bounder;
  bounder_create(&bounder, candidates, interface, options);
  EchoBound bound = {find_least(&bounder), 0};
  if (options->allow_swap)
    peak_bytes += host_bytes(&options->device, step_ns);
  uint64_t n_nodes = candidates->graph->nodes.size;
  uint64_t n_moments = MAX_WORK / (MAX_MULTIPLIERS * n_nodes);
  n_moments = n_moments > MAX_MOMENTS ? MAX_MOMENTS : n_moments < 1 ? 1 : n_moments;
  for (uint64_t i = 0; i < n_moments; ++i) {
    uint32_t here = fullest(&bounder, (uint32_t)(i * n_nodes / n_moments),
                            (uint32_t)((i + 1) * n_nodes / n_moments), peak_bytes);
    if (here != ECHO_NONE)
      look(&bounder, here, peak_bytes, &bound);
  }
  bounder_destroy(&bounder);
  echo_arena_reset(candidates->scratch, mark);
  return bound;
}

uint64_t echo_bound_point_again_ns(const EchoCandidates *candidates, const EchoPoint *point,
                                   const EchoBlockInterface *interface,
                                   const EchoSearchOptions *options)
{
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  Bounder bounder;
  EchoGraph echoed = {0};
  EchoMap ns_of_op = {0}; /* what each run behind the first takes */
  bounder_create(&bounder, candidates, interface, options);
  echo_point_apply(point, candidates, &echoed);
  double ns = 0;
  for (uint32_t node = 0; node < candidates->graph->nodes.size; ++node)
    if (candidates->graph->nodes.data[node].op != NULL && bounder.ns[node] > 0) {
      echo_map_set(&ns_of_op, echo_key(candidates->graph->nodes.data[node].op), node);
      ns -= bounder.is_live[node] ? bounder.ns[node] : 0;
    }
  for (size_t i = 0; i < echoed.nodes.size; ++i) {
    const EchoOp *op = echoed.nodes.data[i].op;
    uint64_t node = op != NULL ? echo_map_get_or(&ns_of_op, echo_key(op), ECHO_NONE) : ECHO_NONE;
    ns += node != ECHO_NONE && bounder.is_live[node] ? bounder.ns[node] : 0;
  }
  echo_graph_destroy(&echoed);
  echo_map_destroy(&ns_of_op);
  bounder_destroy(&bounder);
  echo_arena_reset(candidates->scratch, mark);
  return ns > 0 ? (uint64_t)ns : 0;
}
