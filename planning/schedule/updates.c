/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From the results to the update that makes them, element by element, and from the arguments that
 * they replace to who reads these. What one update makes (a weight and its moments) waits together:
 * it is one kernel.
 *
 * No cycle: what an update makes is read by nothing but what leads to the end alone (its tail);
 * whoever is no tail cannot wait for one. A tail that is no update itself is waited for only where
 * nothing but the end reads what the update makes. */
#include "planning/schedule/updates_t.h"

typedef struct Pair {
  uint32_t before, after;
} Pair;

typedef ECHO_VECTOR(Pair) Pairs;

typedef struct Finder {
  const EchoGraph *graph;
  uint32_t end;     /* the return */
  bool *is_tail;    /* by node: all that waits for it leads to the end alone */
  bool *is_update;  /* by node: a tail that makes a result, element by element */
  bool *is_result;  /* by value: it is returned beside the arena */
  uint32_t *update; /* by node: the update that it was last found in */
  uint32_t n_updates;
  bool is_closed;              /* nothing but the end waits for the present update */
  ECHO_VECTOR(uint32_t) nodes; /* of the present update: those that the block returns, once found */
  ECHO_VECTOR(uint32_t) sources; /* what it is made from */
  ECHO_VECTOR(uint32_t) views;   /* values with the bytes of its target */
  Pairs overwrites;              /* a reader, a writer */
  Pairs made;                    /* a source, what is made of it */
} Finder;

/* ---- updates ---- */

static bool is_element_wise(const EchoGraph *graph, uint32_t node)
{
  EchoNodeKind kind = graph->nodes.data[node].kind;
  return kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE;
}

/* Whether `user`, which reads `value`, makes as many elements. */
static bool makes_as_many(const EchoGraph *graph, uint32_t user, uint32_t value)
{
  uint32_t made = graph->nodes.data[user].first_result;
  return is_element_wise(graph, user) &&
         graph->values.data[made].n_elements == graph->values.data[value].n_elements;
}

/* From the end back: who leads to it alone, and of those who makes a result, element by element. */
static void find_tails(Finder *finder)
{
  const EchoGraph *graph = finder->graph;
  finder->is_tail[finder->end] = finder->is_update[finder->end] = false;
  for (uint32_t node = finder->end; node-- > 0;) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    bool is_tail = entry->kind != ECHO_NODE_BARRIER, is_update = false;
    for (uint32_t r = 0; r < entry->n_results; ++r) {
      uint32_t value = entry->first_result + r;
      is_update |= finder->is_result[value];
      for (uint32_t u = 0; u < graph->values.data[value].n_uses && is_tail; ++u) {
        uint32_t user = echo_graph_uses(graph, value)[u];
        is_tail = user == finder->end || finder->is_tail[user];
        is_update |= finder->is_update[user] && makes_as_many(graph, user, value);
      }
    }
    finder->is_tail[node] = is_tail;
    finder->is_update[node] = is_tail && is_update;
  }
}

/* What is only repeated (a learning rate) may be in the updates of all weights. */
static bool is_repeated(const EchoGraph *graph, uint32_t node)
{
  const EchoGraphNode *entry = &graph->nodes.data[node];
  return echo_node_is_free_to_remake(graph, node) &&
         (entry->n_operands == 0 ||
          !makes_as_many(graph, node, echo_graph_operands(graph, node)[0]));
}

/* The node that makes `value` joins the update, or is where it begins. */
static void join_update(Finder *finder, uint32_t value)
{
  uint32_t def = finder->graph->values.data[value].def;
  if (def == ECHO_NONE || finder->update[def] == finder->n_updates ||
      is_repeated(finder->graph, def))
    return;
  if (!finder->is_update[def] || !is_element_wise(finder->graph, def))
    echo_vector_push(&finder->sources, def);
  if (!finder->is_update[def])
    return;
  finder->update[def] = finder->n_updates;
  echo_vector_push(&finder->nodes, def);
}

/* What makes the result `value`, element by element, back to where something else is made of it. */
static void find_update(Finder *finder, uint32_t value)
{
  const EchoGraph *graph = finder->graph;
  ++finder->n_updates;
  echo_vector_clear(&finder->nodes);
  echo_vector_clear(&finder->sources);
  join_update(finder, value);
  for (size_t i = 0; i < finder->nodes.size; ++i) {
    uint32_t node = finder->nodes.data[i];
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k)
      if (makes_as_many(graph, node, echo_graph_operands(graph, node)[k]))
        join_update(finder, echo_graph_operands(graph, node)[k]);
  }
}

/* Whether the end reads what the node makes; others outside the update leave it open. */
static bool is_returned(Finder *finder, uint32_t node)
{
  const EchoGraph *graph = finder->graph;
  const EchoGraphNode *entry = &graph->nodes.data[node];
  bool is_returned = false;
  for (uint32_t r = 0; r < entry->n_results; ++r)
    for (uint32_t u = 0; u < graph->values.data[entry->first_result + r].n_uses; ++u) {
      uint32_t user = echo_graph_uses(graph, entry->first_result + r)[u];
      is_returned |= user == finder->end;
      finder->is_closed &= user == finder->end || finder->update[user] == finder->n_updates;
    }
  return is_returned;
}

/* Leaves those whose results the block returns. */
static void keep_returned(Finder *finder)
{
  size_t n = 0;
  finder->is_closed = true;
  for (size_t i = 0; i < finder->nodes.size; ++i)
    if (is_returned(finder, finder->nodes.data[i]))
      finder->nodes.data[n++] = finder->nodes.data[i];
  finder->nodes.size = n;
}

/* ---- readers ---- */

static bool is_view(const EchoGraph *graph, uint32_t node)
{
  EchoNodeKind kind = graph->nodes.data[node].kind;
  return kind == ECHO_NODE_RESHAPE || kind == ECHO_NODE_BARRIER;
}

static void add_reader(Finder *finder, uint32_t reader)
{
  if (reader == finder->end ||
      (finder->is_tail[reader] && (finder->is_update[reader] || !finder->is_closed)))
    return;
  for (size_t i = 0; i < finder->nodes.size; ++i)
    echo_vector_push(&finder->overwrites, ((Pair){reader, finder->nodes.data[i]}));
}

/* Each reader of the argument, through views, runs before the update. */
static void add_readers(Finder *finder, uint32_t argument)
{
  const EchoGraph *graph = finder->graph;
  echo_vector_clear(&finder->views);
  echo_vector_push(&finder->views, argument);
  for (size_t i = 0; i < finder->views.size; ++i) {
    uint32_t value = finder->views.data[i];
    for (uint32_t u = 0; u < graph->values.data[value].n_uses; ++u) {
      uint32_t user = echo_graph_uses(graph, value)[u];
      const EchoGraphNode *entry = &graph->nodes.data[user];
      if (u != 0 && user == echo_graph_uses(graph, value)[u - 1]) /* once, however often it reads */
        continue;
      if (!is_view(graph, user))
        add_reader(finder, user);
      for (uint32_t k = 0; k < entry->n_operands && is_view(graph, user); ++k)
        if (echo_graph_operands(graph, user)[k] == value)
          echo_vector_push(&finder->views, entry->first_result + k);
    }
  }
}

/* ---- lists ---- */

/* By one end of the pairs, the other. */
static EchoNodeLists make_lists(const Pairs *pairs, bool is_by_after, size_t n_nodes,
                                EchoArena *scratch)
{
  EchoNodeLists lists = {ECHO_ARENA_ARRAY(scratch, uint32_t, n_nodes + 2),
                         ECHO_ARENA_ARRAY(scratch, uint32_t, pairs->size + 1)};
  memset(lists.first, 0, (n_nodes + 2) * sizeof *lists.first);
  for (size_t i = 0; i < pairs->size; ++i)
    ++lists.first[(is_by_after ? pairs->data[i].after : pairs->data[i].before) + 2];
  for (size_t i = 2; i < n_nodes + 2; ++i)
    lists.first[i] += lists.first[i - 1];
  for (size_t i = 0; i < pairs->size; ++i) {
    const Pair *pair = &pairs->data[i];
    lists.list[lists.first[(is_by_after ? pair->after : pair->before) + 1]++] =
        is_by_after ? pair->before : pair->after;
  }
  return lists;
}

static void find_pairs(Finder *finder, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = finder->graph;
  const EchoGraphNode *end = &graph->nodes.data[finder->end];
  memset(finder->is_result, 0, graph->values.size);
  for (uint32_t i = 0; i < end->n_operands; ++i)
    finder->is_result[echo_graph_operands(graph, finder->end)[i]] =
        interface->result_targets[i] != ECHO_TO_ARENA;
  find_tails(finder);
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    if (interface->result_targets[i] == ECHO_TO_ARENA)
      continue;
    find_update(finder, echo_graph_operands(graph, finder->end)[i]);
    keep_returned(finder);
    for (size_t k = 0; k < finder->sources.size * finder->nodes.size; ++k)
      echo_vector_push(&finder->made, ((Pair){finder->sources.data[k / finder->nodes.size],
                                              finder->nodes.data[k % finder->nodes.size]}));
    if (interface->result_targets[i] < graph->n_inputs)
      add_readers(finder, interface->result_targets[i]);
  }
}

void echo_updates_create(EchoUpdates *updates, const EchoGraph *graph,
                         const EchoBlockInterface *interface, EchoArena *scratch)
{
  size_t n = graph->nodes.size;
  Finder finder = {.graph = graph, .end = (uint32_t)n - 1};
  finder.is_tail = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  finder.is_update = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  finder.is_result = ECHO_ARENA_ARRAY(scratch, bool, graph->values.size + 1);
  finder.update = ECHO_ARENA_ARRAY(scratch, uint32_t, n + 1);
  memset(finder.update, 0, (n + 1) * sizeof *finder.update);
  if (n != 0 && graph->nodes.data[n - 1].kind == ECHO_NODE_RETURN)
    find_pairs(&finder, interface);
  updates->readers = make_lists(&finder.overwrites, true, n, scratch);
  updates->writers = make_lists(&finder.overwrites, false, n, scratch);
  updates->made = make_lists(&finder.made, false, n, scratch);
  echo_vector_destroy(&finder.nodes);
  echo_vector_destroy(&finder.sources);
  echo_vector_destroy(&finder.views);
  echo_vector_destroy(&finder.overwrites);
  echo_vector_destroy(&finder.made);
}
