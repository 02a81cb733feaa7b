/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Long chains of recompute. A piece is what is recomputed and linked; its values stand in order of
 * execution. Between two of them the piece is narrow where few bytes cross to later ones: there a
 * step ends. Steps are the layers of a chain, what crosses is a layer's output, and
 * planning/cuts/chain.h says which outputs to keep. */
#include "base/map.h"
#include "echo_pass/choice.h"
#include "planning/cuts/chain.h"

#define MIN_STEPS 4

static uint32_t find_root(uint32_t *parent, uint32_t v)
{
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

/* Recomputed values by piece: values of piece p are list[first[p] .. first[p + 1]), ascending. */
typedef struct Pieces {
  uint32_t *list, *first, *piece_of; /* piece_of: by value */
  uint32_t n_pieces;
} Pieces;

static void pieces_create(Pieces *pieces, const EchoChoice *choice,
                          const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t n_values = (uint32_t)graph->values.size;
  uint32_t *parent = echo_alloc_array(n_values + 1u, sizeof(uint32_t));
  pieces->piece_of = echo_alloc_array(n_values + 1u, sizeof(uint32_t));
  for (uint32_t v = 0; v < n_values; ++v) {
    parent[v] = v;
    pieces->piece_of[v] = ECHO_NONE;
  }
  uint32_t n_recomputed = 0;
  for (uint32_t v = 0; v < n_values; ++v) {
    if (!choice->is_recomputed[v])
      continue;
    ++n_recomputed;
    uint32_t node = graph->values.data[v].def;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t operand = echo_graph_operands(graph, node)[i];
      if (choice->is_recomputed[operand])
        parent[find_root(parent, v)] = find_root(parent, operand);
    }
  }
  pieces->list = echo_alloc_array(n_recomputed + 1u, sizeof(uint32_t));
  pieces->first = echo_alloc_zero(n_recomputed + 2u, sizeof(uint32_t));
  uint32_t *piece_of_root = echo_alloc_array(n_values + 1u, sizeof(uint32_t));
  for (uint32_t v = 0; v < n_values; ++v)
    piece_of_root[v] = ECHO_NONE;
  pieces->n_pieces = 0;
  for (uint32_t v = 0; v < n_values; ++v) {
    if (!choice->is_recomputed[v])
      continue;
    uint32_t *piece = &piece_of_root[find_root(parent, v)];
    if (*piece == ECHO_NONE)
      *piece = pieces->n_pieces++;
    pieces->piece_of[v] = *piece;
    ++pieces->first[*piece + 1];
  }
  for (uint32_t p = 0; p < pieces->n_pieces; ++p)
    pieces->first[p + 1] += pieces->first[p];
  uint32_t *fill = echo_alloc_zero(pieces->n_pieces + 1u, sizeof(uint32_t));
  for (uint32_t v = 0; v < n_values; ++v)
    if (pieces->piece_of[v] != ECHO_NONE) {
      uint32_t p = pieces->piece_of[v];
      pieces->list[pieces->first[p] + fill[p]++] = v;
    }
  echo_free(fill);
  echo_free(piece_of_root);
  echo_free(parent);
}

static void pieces_destroy(Pieces *pieces)
{
  echo_free(pieces->list);
  echo_free(pieces->first);
  echo_free(pieces->piece_of);
}

/* ---- steps ---- */

typedef struct Crossing {
  uint64_t bytes;
  uint32_t count;
  uint64_t identity; /* sum of the numbers of what crosses: equal sets have equal sums */
} Crossing;

/* One piece while it is cut. Index i = after its i-th value. */
typedef struct Chain {
  const EchoGraph *graph;
  const uint32_t *values;
  uint32_t n_values;
  uint32_t *last_use;  /* by index: index of the last value of the piece that is computed from it */
  Crossing *crossings; /* by index */
  ECHO_VECTOR(uint32_t) ends; /* of steps, by index, rising */
} Chain;

static void find_crossings(Chain *chain, const EchoChoice *choice, uint32_t *index_of)
{
  const EchoGraph *graph = chain->graph;
  for (uint32_t i = 0; i < chain->n_values; ++i) {
    index_of[chain->values[i]] = i;
    chain->last_use[i] = i;
  }
  for (uint32_t i = 0; i < chain->n_values; ++i) {
    uint32_t node = graph->values.data[chain->values[i]].def;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (choice->is_recomputed[operand])
        chain->last_use[index_of[operand]] = i;
    }
  }
  for (uint32_t i = 0; i < chain->n_values; ++i) { /* differences, then sums; unsigned wraps back */
    uint64_t bytes = graph->values.data[chain->values[i]].bytes;
    uint32_t end = chain->last_use[i];
    chain->crossings[i].bytes += bytes;
    chain->crossings[i].count += 1;
    chain->crossings[i].identity += chain->values[i] + 1u;
    chain->crossings[end].bytes -= bytes;
    chain->crossings[end].count -= 1;
    chain->crossings[end].identity -= chain->values[i] + 1u;
  }
  for (uint32_t i = 1; i < chain->n_values; ++i) {
    chain->crossings[i].bytes += chain->crossings[i - 1].bytes;
    chain->crossings[i].count += chain->crossings[i - 1].count;
    chain->crossings[i].identity += chain->crossings[i - 1].identity;
  }
}

/* Where the fewest values cross; of neighbouring places with the same crossing the last. */
static void find_ends(Chain *chain)
{
  uint32_t fewest = UINT32_MAX, margin = chain->n_values / 8;
  for (uint32_t i = margin; i + margin + 1 < chain->n_values; ++i)
    if (chain->crossings[i].count != 0 && chain->crossings[i].count < fewest)
      fewest = chain->crossings[i].count;
  for (uint32_t i = 0; i + 1 < chain->n_values; ++i) {
    if (chain->crossings[i].count != fewest)
      continue;
    if (chain->ends.size != 0) {
      uint32_t previous = echo_vector_last(&chain->ends);
      if (chain->crossings[previous].identity == chain->crossings[i].identity) {
        echo_vector_last(&chain->ends) = i;
        continue;
      }
    }
    echo_vector_push(&chain->ends, i);
  }
}

/* Each place where many bytes cross on the way to a place where few do is no step of its own. */
static void drop_wide_ends(Chain *chain)
{
  size_t kept = 0;
  for (size_t i = 0; i < chain->ends.size; ++i) {
    uint64_t bytes = chain->crossings[chain->ends.data[i]].bytes, least = bytes;
    size_t low = i >= 2 ? i - 2 : 0, high = i + 2 < chain->ends.size ? i + 2 : chain->ends.size - 1;
    for (size_t k = low; k <= high; ++k)
      if (chain->crossings[chain->ends.data[k]].bytes < least)
        least = chain->crossings[chain->ends.data[k]].bytes;
    if (bytes <= least + least / 2)
      chain->ends.data[kept++] = chain->ends.data[i];
  }
  chain->ends.size = kept;
}

/* Values that cross the end of a checkpointed step are kept; those that cross others are steps. */
static void mark_steps(const Chain *chain, const bool *is_checkpoint, EchoChoice *choice)
{
  for (uint32_t i = 0; i < chain->n_values; ++i) {
    size_t low = 0, high = chain->ends.size; /* the first end at or after i */
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (chain->ends.data[middle] < i)
        low = middle + 1;
      else
        high = middle;
    }
    for (size_t e = low; e < chain->ends.size && chain->ends.data[e] < chain->last_use[i]; ++e) {
      if (is_checkpoint[e])
        choice->is_recomputed[chain->values[i]] = false;
      else
        choice->is_step[chain->values[i]] = true;
    }
    if (!choice->is_recomputed[chain->values[i]])
      choice->is_step[chain->values[i]] = false;
  }
}

static void cut_chain(Chain *chain, EchoChoice *choice)
{
  size_t n_layers = chain->ends.size + 2;
  uint64_t *bytes = echo_alloc_zero(n_layers, sizeof(uint64_t));
  for (size_t e = 0; e < chain->ends.size; ++e)
    bytes[e + 1] = chain->crossings[chain->ends.data[e]].bytes;
  EchoChainSet set = {0};
  if (echo_chain_is_bounded(bytes, n_layers)) {
    echo_chain_linear(bytes, n_layers, &set);
    bool *is_checkpoint = echo_alloc_zero(n_layers, sizeof(bool));
    for (size_t i = 0; i < set.size; ++i)
      if (set.data[i] >= 1 && set.data[i] <= chain->ends.size)
        is_checkpoint[set.data[i] - 1] = true;
    mark_steps(chain, is_checkpoint, choice);
    echo_free(is_checkpoint);
  }
  echo_vector_destroy(&set);
  echo_free(bytes);
}

void echo_choice_cut_chains(EchoChoice *choice, const EchoCandidates *candidates,
                            uint64_t spread_bytes)
{
  const EchoGraph *graph = candidates->graph;
  Pieces pieces;
  pieces_create(&pieces, choice, candidates);
  uint32_t *index_of = echo_alloc_zero(graph->values.size + 1, sizeof(uint32_t));
  for (uint32_t p = 0; p < pieces.n_pieces; ++p) {
    Chain chain = {.graph = graph,
                   .values = pieces.list + pieces.first[p],
                   .n_values = pieces.first[p + 1] - pieces.first[p]};
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < chain.n_values; ++i)
      bytes += graph->values.data[chain.values[i]].bytes;
    if (bytes <= spread_bytes)
      continue;
    chain.last_use = echo_alloc_array(chain.n_values + 1u, sizeof(uint32_t));
    chain.crossings = echo_alloc_zero(chain.n_values + 1u, sizeof(Crossing));
    find_crossings(&chain, choice, index_of);
    find_ends(&chain);
    drop_wide_ends(&chain);
    if (chain.ends.size >= MIN_STEPS)
      cut_chain(&chain, choice);
    echo_vector_destroy(&chain.ends);
    echo_free(chain.last_use);
    echo_free(chain.crossings);
  }
  echo_free(index_of);
  pieces_destroy(&pieces);
}

/* ---- groups ---- */

/* What a value is, without names or addresses. */
static uint64_t hash_value(const EchoChoice *choice, const EchoGraph *graph, uint32_t value,
                           uint64_t hash)
{
  const EchoOp *op = graph->nodes.data[graph->values.data[value].def].op;
  const EchoType *type = echo_graph_type(graph, value);
  hash = echo_hash_bytes(op->info->name, strlen(op->info->name), hash);
  hash = echo_hash_combine(hash, choice->is_step[value]);
  hash = echo_hash_combine(hash, (uint64_t)echo_type_element_kind(type));
  for (size_t i = 0; i < echo_type_rank(type); ++i)
    hash = echo_hash_combine(hash, (uint64_t)echo_type_dim(type, i));
  return hash;
}

void echo_choice_group(EchoChoice *choice, const EchoCandidates *candidates)
{
  Pieces pieces;
  pieces_create(&pieces, choice, candidates);
  EchoMap class_of_hash = {0};
  choice->n_groups = pieces.n_pieces;
  choice->class_of_group = echo_alloc_array(pieces.n_pieces + 1u, sizeof(uint32_t));
  for (uint32_t p = 0; p < pieces.n_pieces; ++p) {
    uint64_t hash = 0;
    for (uint32_t i = pieces.first[p]; i < pieces.first[p + 1]; ++i) {
      hash = hash_value(choice, candidates->graph, pieces.list[i], hash);
      choice->group[pieces.list[i]] = p;
    }
    if (echo_map_insert(&class_of_hash, hash, choice->n_classes))
      ++choice->n_classes;
    choice->class_of_group[p] = (uint32_t)echo_map_get_or(&class_of_hash, hash, 0);
  }
  echo_map_destroy(&class_of_hash);
  pieces_destroy(&pieces);
}
