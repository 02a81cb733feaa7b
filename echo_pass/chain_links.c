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

/* The slice of the deepest candidate in order of execution. */
typedef struct BackwardSlice {
  const EchoCandidates *candidates;
  bool *is_derived; /* by value: made by maps from what is there anyway */
  uint32_t *depth;  /* by value: ops on the longest way to it; 0 for what is no part of the chain */
  uint32_t *index;  /* by value: its place in `order`, ECHO_NONE outside the slice */
  uint32_t *last_use; /* by place: of the last reader in the slice */
  ECHO_VECTOR(uint32_t) order;
} BackwardSlice;

static bool is_candidate(const BackwardSlice *slice, uint32_t value)
{
  return slice->candidates->state[value] == ECHO_VALUE_CANDIDATE;
}

static bool is_part(const BackwardSlice *slice, uint32_t value)
{
  return is_candidate(slice, value) && !slice->is_derived[value];
}

static void find_derived(BackwardSlice *slice)
{
  const EchoGraph *graph = slice->candidates->graph;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++) {
    uint32_t node = graph->values.data[v].def;
    EchoNodeKind kind = graph->nodes.data[node].kind;
    bool is_derived =
        is_candidate(slice, v) && (kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE);
    for (uint32_t i = 0; is_derived && i < graph->nodes.data[node].n_operands; i++)
      is_derived = !is_part(slice, echo_graph_operands(graph, node)[i]);
    slice->is_derived[v] = is_derived;
  }
}

/* Values are numbered in block order: operands before users. Returns the deepest, or ECHO_NONE. */
static uint32_t measure_depths(BackwardSlice *slice)
{
  const EchoGraph *graph = slice->candidates->graph;
  uint32_t deepest = ECHO_NONE, most = 0;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++) {
    if (!is_part(slice, v))
      continue;
    uint32_t node = graph->values.data[v].def;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      uint32_t below = slice->depth[echo_graph_operands(graph, node)[i]];
      slice->depth[v] = below > slice->depth[v] ? below : slice->depth[v];
    }
    slice->depth[v]++;
    if (slice->depth[v] > most) {
      most = slice->depth[v];
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
  bool *is_open = echo_alloc_zero(graph->values.size + 1, sizeof *is_open);
  echo_vector_push(&stack, root);
  while (stack.size != 0) {
    uint32_t value = echo_vector_last(&stack);
    if (is_open[value]) {
      stack.size--;
      if (slice->index[value] == ECHO_NONE) {
        slice->index[value] = (uint32_t)slice->order.size;
        echo_vector_push(&slice->order, value);
      }
      continue;
    }
    is_open[value] = true;
    uint32_t node = graph->values.data[value].def;
    echo_vector_clear(&operands);
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      uint32_t operand = echo_graph_operands(graph, node)[i];
      if (is_part(slice, operand) && !is_open[operand])
        echo_vector_push(&operands, (Operand){slice->depth[operand], i, operand});
    }
    if (operands.size != 0)
      qsort(operands.data, operands.size, sizeof(Operand), compare_operands);
    for (size_t i = 0; i < operands.size; i++) /* the deepest comes up first */
      echo_vector_push(&stack, operands.data[i].value);
  }
  echo_free(is_open);
  echo_vector_destroy(&operands);
  echo_vector_destroy(&stack);
}

static void cone_create(BackwardSlice *slice, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  *slice = (BackwardSlice){.candidates = candidates};
  slice->depth = echo_alloc_zero(graph->values.size + 1, sizeof(uint32_t));
  slice->index = echo_alloc_array(graph->values.size + 1, sizeof(uint32_t));
  for (size_t v = 0; v < graph->values.size; v++)
    slice->index[v] = ECHO_NONE;
  slice->is_derived = echo_alloc_zero(graph->values.size + 1, sizeof(bool));
  find_derived(slice);
  uint32_t root = measure_depths(slice);
  if (root != ECHO_NONE)
    walk(slice, root);
  slice->last_use = echo_alloc_array(slice->order.size + 1, sizeof(uint32_t));
  for (uint32_t i = 0; i < slice->order.size; i++) {
    uint32_t node = graph->values.data[slice->order.data[i]].def;
    slice->last_use[i] = i;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; k++) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (is_part(slice, operand))
        slice->last_use[slice->index[operand]] = i;
    }
  }
}

static void cone_destroy(BackwardSlice *slice)
{
  echo_vector_destroy(&slice->order);
  echo_free(slice->is_derived);
  echo_free(slice->depth);
  echo_free(slice->index);
  echo_free(slice->last_use);
}

/* ---- links ---- */

static bool is_of_maps(const EchoChainLink *link, const BackwardSlice *slice)
{
  const EchoGraph *graph = slice->candidates->graph;
  for (uint32_t i = link->first; i < link->end; i++) {
    EchoNodeKind kind = graph->nodes.data[graph->values.data[slice->order.data[i]].def].kind;
    if (kind != ECHO_NODE_MAP && kind != ECHO_NODE_RESHAPE)
      return false;
  }
  return true;
}

/* Every place of the order that one value crosses ends a link, and the last place does. */
static void find_links(EchoChainLinks *chain, const BackwardSlice *slice)
{
  uint32_t n = (uint32_t)slice->order.size, n_crossing = 0, first = 0;
  uint32_t *n_ending = echo_alloc_zero(n + 1u, sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++)
    n_ending[slice->last_use[i]]++;
  for (uint32_t i = 0; i < n; i++) {
    n_crossing += 1 - n_ending[i]; /* unsigned wraps back */
    if (n_crossing != 1 && i + 1 != n)
      continue;
    EchoChainLink link = {.value = slice->order.data[i], .first = first, .end = i + 1};
    link.is_of_maps = is_of_maps(&link, slice);
    echo_vector_push(&chain->links, link);
    first = i + 1;
  }
  echo_free(n_ending);
}

static void merge_links(EchoChainLinks *chain)
{
  size_t n_kept = 0;
  for (size_t k = 0; k < chain->links.size; k++) {
    EchoChainLink link = chain->links.data[k];
    if (n_kept != 0 && link.is_of_maps) {
      link.first = chain->links.data[--n_kept].first;
      link.is_of_maps = chain->links.data[n_kept].is_of_maps;
    }
    chain->links.data[n_kept++] = link;
  }
  chain->links.size = n_kept;
}

/* Candidates outside the slice follow their youngest operand: its link, or the next one when the
 * operand is all that crosses; behind the last link when they have none. */
static void number_values(EchoChainLinks *chain, const BackwardSlice *slice)
{
  const EchoCandidates *candidates = slice->candidates;
  const EchoGraph *graph = candidates->graph;
  chain->link_of = echo_alloc_array(graph->values.size + 1, sizeof(uint32_t));
  for (size_t v = 0; v < graph->values.size; v++)
    chain->link_of[v] = ECHO_NONE;
  for (uint32_t k = 0; k < chain->links.size; k++)
    for (uint32_t i = chain->links.data[k].first; i < chain->links.data[k].end; i++)
      chain->link_of[slice->order.data[i]] = k;
  for (uint32_t v = graph->n_inputs; v < graph->values.size; v++) {
    if (!is_candidate(slice, v) || slice->index[v] != ECHO_NONE)
      continue;
    uint32_t node = graph->values.data[v].def, link = ECHO_NONE;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; i++) {
      uint32_t operand = echo_graph_operands(graph, node)[i], of = chain->link_of[operand];
      if (of == ECHO_NONE)
        continue;
      of += of < chain->links.size && chain->links.data[of].value == operand;
      link = link == ECHO_NONE || of > link ? of : link;
    }
    chain->link_of[v] = link != ECHO_NONE ? link : (uint32_t)chain->links.size;
  }
}

/* The list by link: the slice's values in its order, then the others in block order. */
static void list_values(EchoChainLinks *chain, const BackwardSlice *slice)
{
  const EchoCandidates *candidates = slice->candidates;
  const EchoGraph *graph = candidates->graph;
  uint32_t n_links = (uint32_t)chain->links.size;
  uint32_t *first = echo_alloc_zero(n_links + 2u, sizeof(uint32_t));
  for (size_t v = 0; v < graph->values.size; v++)
    if (chain->link_of[v] != ECHO_NONE)
      first[chain->link_of[v] + 1]++;
  for (uint32_t k = 0; k <= n_links; k++)
    first[k + 1] += first[k];
  for (uint32_t i = 0; i < first[n_links + 1]; i++)
    echo_vector_push(&chain->list, 0);
  for (uint32_t k = 0; k < n_links; k++) {
    chain->links.data[k].first = first[k];
    chain->links.data[k].end = first[k + 1];
  }
  for (size_t i = 0; i < slice->order.size; i++)
    chain->list.data[first[chain->link_of[slice->order.data[i]]]++] = slice->order.data[i];
  for (uint32_t v = 0; v < graph->values.size; v++)
    if (chain->link_of[v] != ECHO_NONE && slice->index[v] == ECHO_NONE)
      chain->list.data[first[chain->link_of[v]]++] = v;
  echo_free(first);
}

/* Whether an earlier result of the same op is a candidate: the op counts once. */
static bool is_later_result(const EchoCandidates *candidates, uint32_t value)
{
  const EchoGraphValue *entry = &candidates->graph->values.data[value];
  for (uint32_t i = 1; i <= entry->index; i++)
    if (candidates->state[value - i] == ECHO_VALUE_CANDIDATE)
      return true;
  return false;
}

static void measure_links(EchoChainLinks *chain, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  for (uint32_t k = 0; k < chain->links.size; k++) {
    EchoChainLink *link = &chain->links.data[k];
    for (uint32_t i = link->first; i < link->end; i++) {
      uint32_t value = chain->list.data[i], node = graph->values.data[value].def;
      if (value != link->value && candidates->is_read[value])
        link->read_bytes += graph->values.data[value].bytes;
      if (!is_later_result(candidates, value))
        link->ns += candidates->ns[node];
      link->has_heavy |= echo_op_has_trait(graph->nodes.data[node].op, ECHO_HEAVY);
    }
    if (link->has_heavy)
      chain->n_network = k + 1;
  }
}

void echo_chain_links_create(EchoChainLinks *chain, const EchoCandidates *candidates, bool merges)
{
  BackwardSlice slice;
  *chain = (EchoChainLinks){0};
  cone_create(&slice, candidates);
  find_links(chain, &slice);
  if (merges)
    merge_links(chain);
  number_values(chain, &slice);
  list_values(chain, &slice);
  measure_links(chain, candidates);
  cone_destroy(&slice);
}

void echo_chain_links_destroy(EchoChainLinks *chain)
{
  echo_vector_destroy(&chain->links);
  echo_vector_destroy(&chain->list);
  echo_free(chain->link_of);
}
