/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From the results to the update that makes them, element by element, and from the arguments that
 * they replace to who reads these. Results that are made of the same values (a weight and its
 * moments, a fast weight and a slow one) have one update, which waits together: it is one kernel.
 *
 * No cycle: what an update makes is read by nothing but what leads to the end alone (its tail);
 * whoever is no tail cannot wait for one. A tail is waited for only where nothing but the end reads
 * what the update makes, and only where it is part of no update that is written over an argument:
 * of two of those each could read what the other replaces. */
#include "planning/schedule/updates_t.h"

typedef struct Pair {
  uint32_t before, after;
} Pair;

typedef ECHO_VECTOR(Pair) Pairs;

#define MAX_ALIKE 16 /* results of one kernel */

/* A result that shares values with others. */
typedef struct Joint {
  uint32_t next;      /* result; ECHO_NONE ends */
  uint32_t n_results; /* of the first: with it */
  bool replaces;      /* of the first: one of them is written over an argument */
} Joint;

/* An argument and who returns what is written over it. */
typedef struct EchoOverwrite {
  uint32_t argument, n_writers;
  uint32_t *writers; /* nodes */
  bool is_closed;    /* nothing but the end waits for them */
} EchoOverwrite;

typedef struct Finder {
  const EchoGraph *graph;
  uint32_t end;     /* the return */
  bool *is_tail;    /* by node: all that waits for it leads to the end alone */
  bool *is_update;  /* by node: a tail that makes a result, element by element */
  bool *is_result;  /* by value: it is returned beside the arena */
  bool *replaces;   /* by node: part of an update that is written over an argument */
  uint32_t *update; /* by node: the update that it was last found in */
  uint32_t n_updates;
  uint32_t *joint; /* by result: an earlier one that shares values with it; itself: the first */
  Joint *joints;   /* by result */
  ECHO_VECTOR(uint32_t) alike; /* the results of the present update */
  bool is_part;                /* of more than a kernel makes, which have an update each */
  bool is_closed;              /* nothing but the end waits for the present update */
  ECHO_VECTOR(uint32_t) nodes; /* of the present update: those that the block returns, once found */
  ECHO_VECTOR(uint32_t) sources; /* what it is made from */
  ECHO_VECTOR(EchoOverwrite) overwrites;
  Pairs made;  /* a source, what is made of it */
  Pairs mates; /* two that one update returns */
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

/* Whether the update of one of too many for a kernel begins at `value`, a result with an update of
 * its own: of running sums each is made of all before it. */
static bool is_other_part(const Finder *finder, uint32_t value)
{
  return finder->is_part && finder->is_result[value] &&
         finder->graph->values.data[value].def != ECHO_NONE;
}

/* What makes the results of the update, element by element, back to where something else is made of
 * it. */
static void find_update(Finder *finder)
{
  const EchoGraph *graph = finder->graph;
  ++finder->n_updates;
  echo_vector_clear(&finder->nodes);
  echo_vector_clear(&finder->sources);
  for (size_t i = 0; i < finder->alike.size; ++i)
    join_update(finder, echo_graph_operands(graph, finder->end)[finder->alike.data[i]]);
  for (size_t i = 0; i < finder->nodes.size; ++i) {
    uint32_t node = finder->nodes.data[i];
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (makes_as_many(graph, node, operand) && is_other_part(finder, operand))
        echo_vector_push(&finder->sources, graph->values.data[operand].def);
      else if (makes_as_many(graph, node, operand))
        join_update(finder, operand);
    }
  }
}

/* ---- results that are made together ---- */

static uint32_t first_alike(const Finder *finder, uint32_t result)
{
  while (finder->joint[result] != result)
    result = finder->joint[result] = finder->joint[finder->joint[result]];
  return result;
}

/* The node that makes `value` belongs to the update of `result`, and so does whatever else it is in
 * the update of. */
static void share(Finder *finder, uint32_t value, uint32_t result)
{
  uint32_t def = finder->graph->values.data[value].def;
  if (def == ECHO_NONE || !finder->is_update[def] || is_repeated(finder->graph, def))
    return;
  if (finder->update[def] == ECHO_NONE) {
    finder->update[def] = result;
    echo_vector_push(&finder->nodes, def);
    return;
  }
  uint32_t one = first_alike(finder, finder->update[def]), other = first_alike(finder, result);
  finder->joint[one > other ? one : other] = one < other ? one : other;
}

/* By first result: how many there are; by result, the next one. */
static void list_alike(Finder *finder, const EchoBlockInterface *interface)
{
  const EchoGraphNode *end = &finder->graph->nodes.data[finder->end];
  for (uint32_t i = 0; i < end->n_operands; ++i)
    finder->joints[i] = (Joint){.next = ECHO_NONE};
  for (uint32_t i = end->n_operands; i-- > 0;) {
    Joint *first = &finder->joints[first_alike(finder, i)];
    ++first->n_results;
    first->replaces |= interface->result_targets[i] < finder->graph->n_inputs;
    if (first == &finder->joints[i])
      continue;
    finder->joints[i].next = first->next;
    first->next = i;
  }
}

/* Each node is looked at once. */
static void find_alike(Finder *finder, const EchoBlockInterface *interface)
{
  const EchoGraph *graph = finder->graph;
  const EchoGraphNode *end = &graph->nodes.data[finder->end];
  for (size_t i = 0; i < graph->nodes.size; ++i)
    finder->update[i] = ECHO_NONE;
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    finder->joint[i] = i;
    echo_vector_clear(&finder->nodes);
    if (interface->result_targets[i] != ECHO_TO_ARENA)
      share(finder, echo_graph_operands(graph, finder->end)[i], i);
    for (size_t n = 0; n < finder->nodes.size; ++n) {
      uint32_t node = finder->nodes.data[n];
      for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k)
        if (makes_as_many(graph, node, echo_graph_operands(graph, node)[k]))
          share(finder, echo_graph_operands(graph, node)[k], i);
    }
  }
  list_alike(finder, interface);
  for (size_t i = 0; i < graph->nodes.size; ++i) {
    uint32_t result = finder->update[i];
    finder->replaces[i] =
        result != ECHO_NONE && finder->joints[first_alike(finder, result)].replaces;
    finder->update[i] = 0;
  }
}

/* The results that the update with `result` makes; none where an earlier one named it. */
static void name_alike(Finder *finder, uint32_t result)
{
  uint32_t first = first_alike(finder, result);
  echo_vector_clear(&finder->alike);
  finder->is_part = finder->joints[first].n_results > MAX_ALIKE;
  if (finder->is_part)
    echo_vector_push(&finder->alike, result);
  else if (first == result)
    for (uint32_t i = result; i != ECHO_NONE; i = finder->joints[i].next)
      echo_vector_push(&finder->alike, i);
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

/* Who overwrites what, of a graph. */
typedef struct Lister {
  const EchoGraph *graph;
  const EchoUpdates *updates;
  ECHO_VECTOR(uint32_t) views; /* values with the bytes of the argument */
  Pairs pairs;                 /* a reader, a writer */
} Lister;

static void add_reader(Lister *lister, const EchoOverwrite *overwrite, uint32_t reader)
{
  if (lister->updates->may_follow[overwrite->is_closed][reader])
    return;
  for (uint32_t i = 0; i < overwrite->n_writers; ++i)
    echo_vector_push(&lister->pairs, ((Pair){reader, overwrite->writers[i]}));
}

/* Each reader of the argument, through views, runs before the update. */
static void add_readers(Lister *lister, const EchoOverwrite *overwrite)
{
  const EchoGraph *graph = lister->graph;
  echo_vector_clear(&lister->views);
  echo_vector_push(&lister->views, overwrite->argument);
  for (size_t i = 0; i < lister->views.size; ++i) {
    uint32_t value = lister->views.data[i];
    for (uint32_t u = 0; u < graph->values.data[value].n_uses; ++u) {
      uint32_t user = echo_graph_uses(graph, value)[u];
      const EchoGraphNode *entry = &graph->nodes.data[user];
      if (u != 0 && user == echo_graph_uses(graph, value)[u - 1]) /* once, however often it reads */
        continue;
      if (!is_view(graph, user))
        add_reader(lister, overwrite, user);
      for (uint32_t k = 0; k < entry->n_operands && is_view(graph, user); ++k)
        if (echo_graph_operands(graph, user)[k] == value)
          echo_vector_push(&lister->views, entry->first_result + k);
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

static void list_overwrites(EchoUpdates *updates, const EchoGraph *graph, EchoArena *scratch)
{
  Lister lister = {.graph = graph, .updates = updates};
  for (uint32_t i = 0; i < updates->n_overwrites; ++i)
    add_readers(&lister, &updates->overwrites[i]);
  updates->readers = make_lists(&lister.pairs, true, graph->nodes.size, scratch);
  updates->writers = make_lists(&lister.pairs, false, graph->nodes.size, scratch);
  echo_vector_destroy(&lister.views);
  echo_vector_destroy(&lister.pairs);
}

/* What the update is made from with each node that it returns, and these with one another. */
static void pair_nodes(Finder *finder)
{
  size_t n = finder->nodes.size;
  for (size_t k = 0; k < finder->sources.size * n; ++k)
    echo_vector_push(&finder->made,
                     ((Pair){finder->sources.data[k / n], finder->nodes.data[k % n]}));
  for (size_t k = 0; k < n * n; ++k)
    if (k / n != k % n)
      echo_vector_push(&finder->mates,
                       ((Pair){finder->nodes.data[k / n], finder->nodes.data[k % n]}));
}

static void add_overwrite(Finder *finder, uint32_t argument, EchoArena *scratch)
{
  size_t n = finder->nodes.size;
  if (n == 0)
    return;
  uint32_t *writers = echo_arena_copy(scratch, finder->nodes.data, n * sizeof *writers);
  echo_vector_push(&finder->overwrites,
                   ((EchoOverwrite){argument, (uint32_t)n, writers, finder->is_closed}));
}

static void find_pairs(Finder *finder, const EchoBlockInterface *interface, EchoArena *scratch)
{
  const EchoGraph *graph = finder->graph;
  const EchoGraphNode *end = &graph->nodes.data[finder->end];
  memset(finder->is_result, 0, graph->values.size);
  for (uint32_t i = 0; i < end->n_operands; ++i)
    finder->is_result[echo_graph_operands(graph, finder->end)[i]] =
        interface->result_targets[i] != ECHO_TO_ARENA;
  find_tails(finder);
  find_alike(finder, interface);
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    if (interface->result_targets[i] == ECHO_TO_ARENA)
      continue;
    name_alike(finder, i);
    if (finder->alike.size == 0)
      continue;
    find_update(finder);
    keep_returned(finder);
    pair_nodes(finder);
    for (size_t k = 0; k < finder->alike.size; ++k)
      if (interface->result_targets[finder->alike.data[k]] < graph->n_inputs)
        add_overwrite(finder, interface->result_targets[finder->alike.data[k]], scratch);
  }
}

/* Whether all that reads what the node makes is updates, which leave none of it. */
static void find_consumed(const Finder *finder, bool *is_consumed)
{
  const EchoGraph *graph = finder->graph;
  for (uint32_t node = 0; node < graph->nodes.size; ++node) {
    const EchoGraphNode *entry = &graph->nodes.data[node];
    is_consumed[node] =
        finder->is_tail[node] && !(finder->is_update[node] && is_element_wise(graph, node));
    for (uint32_t r = 0; r < entry->n_results; ++r)
      for (uint32_t u = 0; u < graph->values.data[entry->first_result + r].n_uses; ++u) {
        uint32_t user = echo_graph_uses(graph, entry->first_result + r)[u];
        is_consumed[node] &=
            finder->is_update[user] && makes_as_many(graph, user, entry->first_result + r);
      }
  }
}

/* Who may read what an update replaces once it has run: the end; and a tail of an update that is
 * written over an argument itself, or where something else waits for the update. */
static void find_followers(const Finder *finder, EchoUpdates *updates)
{
  for (uint32_t node = 0; node < finder->graph->nodes.size; ++node) {
    bool is_end = node == finder->end;
    updates->may_follow[0][node] = is_end || finder->is_tail[node];
    updates->may_follow[1][node] = is_end || (finder->is_tail[node] && finder->replaces[node]);
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
  finder.replaces = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  finder.update = ECHO_ARENA_ARRAY(scratch, uint32_t, n + 1);
  updates->is_consumed = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  memset(updates->is_consumed, 0, (n + 1) * sizeof(bool));
  updates->may_follow[0] = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  updates->may_follow[1] = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  memset(updates->may_follow[0], 0, (n + 1) * sizeof(bool));
  memset(updates->may_follow[1], 0, (n + 1) * sizeof(bool));
  if (n != 0 && graph->nodes.data[n - 1].kind == ECHO_NODE_RETURN) {
    size_t n_results = graph->nodes.data[n - 1].n_operands;
    finder.joint = ECHO_ARENA_ARRAY(scratch, uint32_t, n_results + 1);
    finder.joints = ECHO_ARENA_ARRAY(scratch, Joint, n_results + 1);
    find_pairs(&finder, interface, scratch);
    find_consumed(&finder, updates->is_consumed);
    find_followers(&finder, updates);
  }
  updates->n_overwrites = (uint32_t)finder.overwrites.size;
  updates->overwrites = echo_arena_copy(scratch, finder.overwrites.data,
                                        finder.overwrites.size * sizeof(EchoOverwrite));
  list_overwrites(updates, graph, scratch);
  updates->made = make_lists(&finder.made, false, n, scratch);
  updates->sources = make_lists(&finder.made, true, n, scratch);
  updates->mates = make_lists(&finder.mates, false, n, scratch);
  echo_vector_destroy(&finder.nodes);
  echo_vector_destroy(&finder.sources);
  echo_vector_destroy(&finder.overwrites);
  echo_vector_destroy(&finder.made);
  echo_vector_destroy(&finder.mates);
  echo_vector_destroy(&finder.alike);
}

/* ---- in another order ---- */

static EchoNodeLists permute_lists(const EchoNodeLists *lists, const uint32_t *order,
                                   const uint32_t *place, size_t n_nodes, EchoArena *scratch)
{
  EchoNodeLists made = {ECHO_ARENA_ARRAY(scratch, uint32_t, n_nodes + 2),
                        ECHO_ARENA_ARRAY(scratch, uint32_t, lists->first[n_nodes] + 1u)};
  uint32_t n = 0;
  for (size_t i = 0; i < n_nodes; ++i) {
    made.first[i] = n;
    for (uint32_t k = lists->first[order[i]]; k < lists->first[order[i] + 1]; ++k)
      made.list[n++] = place[lists->list[k]];
  }
  made.first[n_nodes] = made.first[n_nodes + 1] = n;
  return made;
}

static bool *permute_flags(const bool *flags, const uint32_t *order, size_t n, EchoArena *scratch)
{
  bool *made = ECHO_ARENA_ARRAY(scratch, bool, n + 1);
  for (size_t i = 0; i < n; ++i)
    made[i] = flags[order[i]];
  return made;
}

/* Only in which order an argument is read depends on how nodes are numbered. */
void echo_updates_permute(const EchoUpdates *updates, const EchoGraph *permuted,
                          const uint32_t *order, EchoUpdates *made, EchoArena *scratch)
{
  size_t n = permuted->nodes.size, n_overwrites = updates->n_overwrites;
  uint32_t *place = ECHO_ARENA_ARRAY(scratch, uint32_t, n + 1);
  for (size_t i = 0; i < n; ++i)
    place[order[i]] = (uint32_t)i;
  made->is_consumed = permute_flags(updates->is_consumed, order, n, scratch);
  for (int closed = 0; closed < 2; ++closed)
    made->may_follow[closed] = permute_flags(updates->may_follow[closed], order, n, scratch);
  made->made = permute_lists(&updates->made, order, place, n, scratch);
  made->sources = permute_lists(&updates->sources, order, place, n, scratch);
  made->mates = permute_lists(&updates->mates, order, place, n, scratch);
  made->n_overwrites = updates->n_overwrites;
  made->overwrites =
      echo_arena_copy(scratch, updates->overwrites, n_overwrites * sizeof *updates->overwrites);
  for (size_t i = 0; i < n_overwrites; ++i) {
    EchoOverwrite *overwrite = &made->overwrites[i];
    overwrite->writers = echo_arena_copy(scratch, overwrite->writers,
                                         overwrite->n_writers * sizeof *overwrite->writers);
    for (uint32_t k = 0; k < overwrite->n_writers; ++k)
      overwrite->writers[k] = place[overwrite->writers[k]];
  }
  list_overwrites(made, permuted, scratch);
}
