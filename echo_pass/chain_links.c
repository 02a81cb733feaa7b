/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Articulation points by one sweep: what the deepest candidate is computed from is put in the order
 * in which a depth-first walk finishes it, deepest operand first, so that what joins late stands
 * late; where a single value crosses from one side of a place to the other, it is a link's. So
 * links are the values on the longest way to the deepest one from whose sources no way leads around
 * them. What elementwise ops make of arguments alone (biases, masks, counters of random numbers)
 * joins anywhere and is on no way: it is derived. */
#include "echo_pass/chain_links.h"

#include <stdlib.h>

typedef struct Operand {
  uint32_t depth, position, value;
} Operand;

static int compare_operands(const void *a, const void *b)
{
  const Operand *x = a, *y = b;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  return x->position > y->position ? -1 : x->position < y->position;
}

/* A value while the slice is made. */
typedef struct SliceValue {
  uint32_t depth; /* ops on the longest way to it; 0 for what is no part of the chain */
  uint32_t place; /* in the slice, ECHO_NONE outside it */
  bool is_open;   /* the walk has been at it */
} SliceValue;

/* A place in the slice's order of execution. */
typedef struct SlicePlace {
  uint32_t value;
  uint32_t last_use; /* place of the last reader in the slice */
  uint32_t n_ending; /* values whose last reader stands here */
} SlicePlace;

/* The slice of the deepest candidate in order of execution. */
typedef struct BackwardSlice {
  const EchoCandidates *candidates;
  SliceValue *values; /* of the graph */
  SlicePlace *places;
  uint32_t n_places;
} BackwardSlice;

static bool is_candidate(const BackwardSlice *slice, uint32_t value)
{
  return slice->candidates->values[value].state == ECHO_VALUE_CANDIDATE;
}

static bool is_part(const BackwardSlice *slice, uint32_t value)
{
  return echo_candidate_is_on_way(slice->candidates, value);
}

/* Values are numbered in block order: operands before users. Returns the deepest, or ECHO_NONE. */
static uint32_t measure_depths(BackwardSlice *slice)
{
  const EchoGraph *graph = slice->candidates->graph;
  uint32_t deepest = ECHO_NONE, most = 0;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++) {
    if (!is_part(slice, v))
      continue;
    uint32_t node = graph->values.data[v].def, below = 0;
    if (node > slice->candidates->turn)
      break; /* what is made behind the turn is no part of the network */
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      uint32_t depth = slice->values[echo_graph_operands(graph, node)[i]].depth;
      below = depth > below ? depth : below;
    }
    slice->values[v].depth = below + 1;
    if (below + 1 > most) {
      most = below + 1;
      deepest = v;
    }
  }
  return deepest;
}

/* A walk without recursion: a value is finished when it comes up the second time. */
static void walk(BackwardSlice *slice, uint32_t root)
{
  const EchoGraph *graph = slice->candidates->graph;
  ECHO_VECTOR(uint32_t) stack = {0};
  ECHO_VECTOR(Operand) operands = {0};
  echo_vector_push(&stack, root);
  while (stack.size != 0) {
    uint32_t value = echo_vector_last(&stack);
    SliceValue *entry = &slice->values[value];
    if (entry->is_open) {
      stack.size--;
      if (entry->place == ECHO_NONE) {
        entry->place = slice->n_places;
        slice->places[slice->n_places++] = (SlicePlace){.value = value, .last_use = entry->place};
      }
      continue;
    }
    entry->is_open = true;
    uint32_t node = graph->values.data[value].def;
    echo_vector_clear(&operands);
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      uint32_t operand = echo_graph_operands(graph, node)[i];
      if (is_part(slice, operand) && !slice->values[operand].is_open)
        echo_vector_push(&operands, (Operand){slice->values[operand].depth, i, operand});
    }
    if (operands.size != 0)
      qsort(operands.data, operands.size, sizeof(Operand), compare_operands);
    for (size_t i = 0; i < operands.size; i++) /* the deepest comes up first */
      echo_vector_push(&stack, operands.data[i].value);
  }
  echo_vector_destroy(&operands);
  echo_vector_destroy(&stack);
}

static void slice_create(BackwardSlice *slice, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  size_t n_values = graph->values.size + 1;
  *slice = (BackwardSlice){.candidates = candidates};
  slice->values = ECHO_ARENA_ARRAY(candidates->scratch, SliceValue, n_values);
  for (size_t v = 0; v < n_values; v++)
    slice->values[v] = (SliceValue){.place = ECHO_NONE};
  slice->places = ECHO_ARENA_ARRAY(candidates->scratch, SlicePlace, n_values);
  uint32_t root = measure_depths(slice);
  if (root != ECHO_NONE)
    walk(slice, root);
  for (uint32_t i = 0; i < slice->n_places; i++) {
    uint32_t node = graph->values.data[slice->places[i].value].def;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; k++) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (is_part(slice, operand))
        slice->places[slice->values[operand].place].last_use = i;
    }
  }
  for (uint32_t i = 0; i < slice->n_places; i++)
    slice->places[slice->places[i].last_use].n_ending++;
}

/* ---- links ---- */

static bool is_of_maps(const EchoChainLink *link, const BackwardSlice *slice)
{
  const EchoGraph *graph = slice->candidates->graph;
  for (uint32_t i = link->first; i < link->end; i++) {
    EchoNodeKind kind = graph->nodes.data[graph->values.data[slice->places[i].value].def].kind;
    if (kind != ECHO_NODE_MAP && kind != ECHO_NODE_RESHAPE)
      return false;
  }
  return true;
}

static void push_link(EchoChainLinks *chain, const BackwardSlice *slice, uint32_t first,
                      uint32_t last)
{
  EchoChainLink link = {.value = slice->places[last].value, .first = first, .end = last + 1};
  link.is_of_maps = is_of_maps(&link, slice);
  chain->links[chain->n_links++] = link;
}

/* Every place of the order that one value crosses ends a link, and the last place does. */
static void find_links(EchoChainLinks *chain, const BackwardSlice *slice)
{
  uint32_t n = slice->n_places, n_crossing = 0, first = 0;
  chain->links = ECHO_ARENA_ARRAY(slice->candidates->scratch, EchoChainLink, n);
  for (uint32_t i = 0; i < n; i++) {
    n_crossing += 1 - slice->places[i].n_ending; /* unsigned wraps back */
    if (n_crossing != 1 && i + 1 != n)
      continue;
    push_link(chain, slice, first, i);
    first = i + 1;
  }
}

/* Whether an op of places [first, last] reads the value. */
static bool reads(const BackwardSlice *slice, uint32_t first, uint32_t last, uint32_t value)
{
  const EchoGraph *graph = slice->candidates->graph;
  for (uint32_t i = first; i <= last; i++) {
    uint32_t node = graph->values.data[slice->places[i].value].def;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; k++)
      if (echo_graph_operands(graph, node)[k] == value)
        return true;
  }
  return false;
}

/* A residual block reads what it starts from in its branch and where that ends. What more parts
 * read is no residual. */
enum { MAX_RESIDUAL_PARTS = 2 };

/* Takes a link apart at the places that one value crosses beside `held`, which stays until its end.
 * The parts are added to *chain, and how many of them read `held` is returned. */
static uint32_t split_link(EchoChainLinks *chain, const BackwardSlice *slice,
                           const EchoChainLink *link, uint32_t held)
{
  uint32_t n_crossing = 1, n_reading = 0, first = link->first;
  uint32_t end_of_held = slice->places[slice->values[held].place].last_use;
  for (uint32_t i = link->first; i < link->end; i++) {
    n_crossing += 1 - slice->places[i].n_ending;
    if (n_crossing != 1 + (uint32_t)(i < end_of_held) && i + 1 != link->end)
      continue;
    n_reading += reads(slice, first, i, held);
    push_link(chain, slice, first, i);
    first = i + 1;
  }
  return n_reading;
}

static void hold_values(EchoChainLinks *chain, const BackwardSlice *slice)
{
  EchoChainLinks parts = {
      .links = ECHO_ARENA_ARRAY(slice->candidates->scratch, EchoChainLink, slice->n_places + 1u)};
  for (uint32_t k = 0; k < chain->n_links; k++) {
    uint32_t n_before = parts.n_links;
    if (k != 0 && split_link(&parts, slice, &chain->links[k], chain->links[k - 1].value) >
                      MAX_RESIDUAL_PARTS) {
      parts.links[n_before - 1].is_held = true;
    } else {
      parts.n_links = n_before;
      parts.links[parts.n_links++] = chain->links[k];
    }
  }
  chain->links = parts.links;
  chain->n_links = parts.n_links;
}

bool echo_chain_links_hold(const EchoChainLinks *chain)
{
  for (uint32_t k = 0; k < chain->n_links; k++)
    if (chain->links[k].is_held)
      return true;
  return false;
}

static void merge_links(EchoChainLinks *chain)
{
  uint32_t n_kept = 0;
  for (uint32_t k = 0; k < chain->n_links; k++) {
    EchoChainLink link = chain->links[k];
    if (n_kept != 0 && link.is_of_maps && !chain->links[n_kept - 1].is_held) {
      link.first = chain->links[--n_kept].first;
      link.is_of_maps = chain->links[n_kept].is_of_maps;
    }
    chain->links[n_kept++] = link;
  }
  chain->n_links = n_kept;
}

/* Candidates outside the slice follow their youngest operand: its link, or the next one when the
 * operand is all that crosses; behind the last link when they have none. */
static void number_values(EchoChainLinks *chain, const BackwardSlice *slice)
{
  const EchoCandidates *candidates = slice->candidates;
  const EchoGraph *graph = candidates->graph;
  chain->link_of = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, graph->values.size + 1);
  for (size_t v = 0; v < graph->values.size; v++)
    chain->link_of[v] = ECHO_NONE;
  for (uint32_t k = 0; k < chain->n_links; k++)
    for (uint32_t i = chain->links[k].first; i < chain->links[k].end; i++)
      chain->link_of[slice->places[i].value] = k;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++) {
    if (!is_candidate(slice, v) || slice->values[v].place != ECHO_NONE)
      continue;
    uint32_t node = graph->values.data[v].def, link = ECHO_NONE;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      uint32_t operand = echo_graph_operands(graph, node)[i], of = chain->link_of[operand];
      if (of == ECHO_NONE)
        continue;
      of += of < chain->n_links && chain->links[of].value == operand;
      link = link == ECHO_NONE || of > link ? of : link;
    }
    chain->link_of[v] = link != ECHO_NONE ? link : chain->n_links;
  }
}

/* The list by link: the slice's values in its order, then the others in block order. */
static void list_values(EchoChainLinks *chain, const BackwardSlice *slice)
{
  const EchoCandidates *candidates = slice->candidates;
  const EchoGraph *graph = candidates->graph;
  uint32_t n_links = chain->n_links;
  uint32_t *first = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, n_links + 2u);
  memset(first, 0, (n_links + 2u) * sizeof *first);
  for (size_t v = 0; v < graph->values.size; v++)
    if (chain->link_of[v] != ECHO_NONE)
      first[chain->link_of[v] + 1]++;
  for (uint32_t k = 0; k <= n_links; k++)
    first[k + 1] += first[k];
  chain->list = ECHO_ARENA_ARRAY(candidates->scratch, uint32_t, first[n_links + 1]);
  for (uint32_t k = 0; k < n_links; k++) {
    chain->links[k].first = first[k];
    chain->links[k].end = first[k + 1];
  }
  for (uint32_t i = 0; i < slice->n_places; i++) {
    uint32_t value = slice->places[i].value;
    chain->list[first[chain->link_of[value]]++] = value;
  }
  for (uint32_t v = 0; v < graph->values.size; v++)
    if (chain->link_of[v] != ECHO_NONE && slice->values[v].place == ECHO_NONE)
      chain->list[first[chain->link_of[v]]++] = v;
}

/* Whether an earlier result of the same op is a candidate: the op counts once. */
static bool is_later_result(const EchoCandidates *candidates, uint32_t value)
{
  const EchoGraphValue *entry = &candidates->graph->values.data[value];
  for (uint32_t i = 1; i <= entry->index; i++)
    if (candidates->values[value - i].state == ECHO_VALUE_CANDIDATE)
      return true;
  return false;
}

static void measure_links(EchoChainLinks *chain, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t k = 0; k < chain->n_links; k++) {
    EchoChainLink *link = &chain->links[k];
    for (uint32_t i = link->first; i < link->end; i++) {
      uint32_t value = chain->list[i], node = graph->values.data[value].def;
      if (value != link->value && candidates->values[value].is_read)
        link->read_bytes += graph->values.data[value].bytes;
      if (!is_later_result(candidates, value))
        link->ns += candidates->nodes[node].ns;
      link->has_heavy |= echo_op_has_trait(graph->nodes.data[node].op, ECHO_HEAVY);
    }
    if (link->has_heavy)
      chain->n_network = k + 1;
  }
}

void echo_chain_links_create(EchoChainLinks *chain, const EchoCandidates *candidates,
                             const EchoChainOptions *options)
{
  BackwardSlice slice;
  *chain = (EchoChainLinks){0};
  slice_create(&slice, candidates);
  find_links(chain, &slice);
  if (options->holds)
    hold_values(chain, &slice);
  if (options->merges)
    merge_links(chain);
  number_values(chain, &slice);
  list_values(chain, &slice);
  measure_links(chain, candidates);
}
