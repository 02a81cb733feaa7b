/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Long chains of recompute. A piece is what is recomputed and linked; its values stand in order of
 * execution. Between two of them the piece is narrow where few bytes cross to later ones: there a
 * link ends. Links are the layers of a chain, what crosses is a layer's output, and
 * planning/cuts/chain.h says which outputs to keep. */
#include "echo_pass/chains_t.h"

#include "base/map.h"
#include "base/search.h"
#include "planning/cuts/chain.h"

/* One value while pieces are found. */
typedef struct Member {
  uint32_t parent; /* union-find: a root is its own */
  uint32_t number; /* of a root's piece; ECHO_NONE before it has one */
} Member;

static uint32_t find_root(Member *members, uint32_t v)
{
  while (members[v].parent != v)
    v = members[v].parent = members[members[v].parent].parent;
  return v;
}

/* Each recomputed value's piece becomes its group. What a value reads behind a gap links nothing:
 * it starts from that as from what is there anyway, so that microbatches of one set of biases, or
 * of one encoding, are pieces of their own. Returns how many there are. */
static uint32_t number_pieces(EchoChoice *choice, const EchoCandidates *candidates)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t n_values = (uint32_t)graph->values.size, n_pieces = 0;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  Member *members = ECHO_ARENA_ARRAY(candidates->scratch, Member, n_values + 1u);
  for (uint32_t v = 0; v < n_values; ++v)
    members[v] = (Member){.parent = v, .number = ECHO_NONE};
  for (uint32_t v = 0; v < n_values; ++v) {
    if (!choice->values[v].is_recomputed)
      continue;
    uint32_t node = graph->values.data[v].def;
    for (uint32_t i = 0; i < graph->nodes.data[node].n_operands; ++i) {
      uint32_t operand = echo_graph_operands(graph, node)[i];
      if (choice->values[operand].is_recomputed &&
          node <= echo_choice_last_early(choice, candidates, operand))
        members[find_root(members, v)].parent = find_root(members, operand);
    }
  }
  for (uint32_t v = 0; v < n_values; ++v) {
    choice->values[v].group = ECHO_NONE;
    if (!choice->values[v].is_recomputed)
      continue;
    Member *root = &members[find_root(members, v)];
    if (root->number == ECHO_NONE)
      root->number = n_pieces++;
    choice->values[v].group = root->number;
  }
  echo_arena_reset(candidates->scratch, mark);
  return n_pieces;
}

EchoPieces echo_pieces_list(EchoChoice *choice, const EchoCandidates *candidates)
{
  size_t n_values = candidates->graph->values.size;
  EchoArena *scratch = candidates->scratch;
  EchoPieces pieces = {.n_pieces = number_pieces(choice, candidates)};
  pieces.first = ECHO_ARENA_ARRAY(scratch, uint32_t, pieces.n_pieces + 2u);
  memset(pieces.first, 0, (pieces.n_pieces + 2u) * sizeof(uint32_t));
  for (uint32_t v = 0; v < n_values; ++v)
    if (choice->values[v].group != ECHO_NONE)
      ++pieces.first[choice->values[v].group + 2];
  for (uint32_t p = 0; p < pieces.n_pieces; ++p)
    pieces.first[p + 2] += pieces.first[p + 1];
  pieces.list = ECHO_ARENA_ARRAY(scratch, uint32_t, pieces.first[pieces.n_pieces + 1] + 1u);
  for (uint32_t v = 0; v < n_values; ++v) /* first[p + 1] moves to where piece p ends */
    if (choice->values[v].group != ECHO_NONE)
      pieces.list[pieces.first[choice->values[v].group + 1]++] = v;
  return pieces;
}

/* ---- links ---- */

/* Place of a value, or the first behind which it would stand. */
static uint32_t place_of(const EchoPiece *piece, uint32_t value)
{
  return echo_lower_bound(piece->values, piece->n_values, value);
}

static void find_crossings(EchoPiece *chain, const EchoChoice *choice)
{
  const EchoGraph *graph = chain->graph;
  for (uint32_t i = 0; i < chain->n_values; ++i)
    chain->places[i] = (EchoPlace){.last_use = i};
  for (uint32_t i = 0; i < chain->n_values; ++i) {
    uint32_t node = graph->values.data[chain->values[i]].def;
    for (uint32_t k = 0; k < graph->nodes.data[node].n_operands; ++k) {
      uint32_t operand = echo_graph_operands(graph, node)[k];
      if (choice->values[operand].is_recomputed &&
          choice->values[operand].group == choice->values[chain->values[i]].group)
        chain->places[place_of(chain, operand)].last_use = i;
    }
  }
  for (uint32_t i = 0; i < chain->n_values; ++i) { /* differences, then sums; unsigned wraps back */
    uint64_t bytes = graph->values.data[chain->values[i]].bytes;
    EchoPlace *place = &chain->places[i], *end = &chain->places[place->last_use];
    place->bytes += bytes;
    place->count += 1;
    place->identity += chain->values[i] + 1u;
    end->bytes -= bytes;
    end->count -= 1;
    end->identity -= chain->values[i] + 1u;
  }
  for (uint32_t i = 1; i < chain->n_values; ++i) {
    chain->places[i].bytes += chain->places[i - 1].bytes;
    chain->places[i].count += chain->places[i - 1].count;
    chain->places[i].identity += chain->places[i - 1].identity;
  }
}

uint32_t echo_piece_link(const EchoPiece *piece, uint32_t place)
{
  return echo_lower_bound(piece->ends, piece->n_ends, place);
}

/* Bytes of the largest link where ends are the places that no more than `count` values cross. */
static uint64_t widest_link(const EchoPiece *piece, uint32_t count)
{
  uint64_t widest = 0, bytes = 0;
  for (uint32_t i = 0; i < piece->n_values; ++i) {
    bytes += piece->graph->values.data[piece->values[i]].bytes;
    widest = widest < bytes ? bytes : widest;
    if (piece->places[i].count <= count)
      bytes = 0;
  }
  return widest;
}

/* The fewest that cross anywhere but near both ends. */
static uint32_t fewest_crossing(const EchoPiece *piece)
{
  uint32_t fewest = UINT32_MAX, margin = piece->n_values / 8;
  for (uint32_t i = margin; i + margin + 1 < piece->n_values; ++i)
    if (piece->places[i].count != 0 && piece->places[i].count < fewest)
      fewest = piece->places[i].count;
  return fewest;
}

/* As few as leave no link with more than its part of a chain of the least length. */
static uint32_t fewest_for_all(const EchoPiece *piece)
{
  uint32_t low = 1, high = 1;
  uint64_t total = widest_link(piece, 0);
  for (uint32_t i = 0; i < piece->n_values; ++i)
    high = high < piece->places[i].count ? piece->places[i].count : high;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (widest_link(piece, middle) > total / ECHO_MIN_CHAIN_LINKS)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Where few values cross; of neighbouring places with the same crossing the last. */
static void find_ends(EchoPiece *chain, uint32_t least, uint32_t most)
{
  const EchoPlace *places = chain->places;
  for (uint32_t i = 0; i + 1 < chain->n_values; ++i) {
    if (places[i].count < least || places[i].count > most)
      continue;
    if (chain->n_ends != 0 && places[chain->ends[chain->n_ends - 1]].identity == places[i].identity)
      chain->ends[chain->n_ends - 1] = i;
    else
      chain->ends[chain->n_ends++] = i;
  }
}

/* Each place where many bytes cross on the way to a place where few do ends no link of its own. */
static void drop_wide_ends(EchoPiece *chain)
{
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < chain->n_ends; ++i) {
    uint64_t bytes = chain->places[chain->ends[i]].bytes, least = bytes;
    uint32_t low = i >= 2 ? i - 2 : 0, high = i + 2 < chain->n_ends ? i + 2 : chain->n_ends - 1;
    for (uint32_t k = low; k <= high; ++k)
      if (chain->places[chain->ends[k]].bytes < least)
        least = chain->places[chain->ends[k]].bytes;
    if (bytes <= least + least / 2)
      chain->ends[n_kept++] = chain->ends[i];
  }
  chain->n_ends = n_kept;
}

/* Values that cross the end of a checkpointed link are kept; those that cross others are carried.
 */
static void mark_carried(const EchoPiece *chain, const bool *is_checkpoint, EchoChoice *choice)
{
  for (uint32_t i = 0; i < chain->n_values; ++i) {
    EchoChosenValue *chosen = &choice->values[chain->values[i]];
    for (uint32_t e = echo_piece_link(chain, i);
         e < chain->n_ends && chain->ends[e] < chain->places[i].last_use; ++e) {
      if (is_checkpoint[e])
        chosen->is_recomputed = false;
      else
        chosen->is_carried = true;
    }
    if (!chosen->is_recomputed)
      chosen->is_carried = false;
  }
}

static void cut_chain(const EchoPiece *chain, EchoChoice *choice, EchoArena *scratch)
{
  size_t n_layers = chain->n_ends + 2u;
  uint64_t *bytes = ECHO_ARENA_ARRAY(scratch, uint64_t, n_layers);
  bytes[0] = bytes[n_layers - 1] = 0;
  for (size_t e = 0; e < chain->n_ends; ++e)
    bytes[e + 1] = chain->places[chain->ends[e]].bytes;
  if (!echo_chain_is_bounded(bytes, n_layers))
    return;
  EchoChainSet set = {0};
  echo_chain_linear(bytes, n_layers, &set);
  bool *is_checkpoint = ECHO_ARENA_ARRAY(scratch, bool, n_layers);
  memset(is_checkpoint, 0, n_layers);
  for (size_t i = 0; i < set.size; ++i)
    if (set.data[i] >= 1 && set.data[i] <= chain->n_ends)
      is_checkpoint[set.data[i] - 1] = true;
  mark_carried(chain, is_checkpoint, choice);
  echo_vector_destroy(&set);
}

EchoPiece echo_piece_cut(const EchoPieces *pieces, uint32_t p, const EchoChoice *choice,
                         const EchoCandidates *candidates, uint64_t min_bytes, bool reaches_all)
{
  const EchoGraph *graph = candidates->graph;
  EchoArena *scratch = candidates->scratch;
  EchoPiece piece = {.graph = graph,
                     .values = pieces->list + pieces->first[p],
                     .n_values = pieces->first[p + 1] - pieces->first[p]};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < piece.n_values; ++i)
    bytes += graph->values.data[piece.values[i]].bytes;
  if (bytes <= min_bytes)
    return piece;
  piece.places = ECHO_ARENA_ARRAY(scratch, EchoPlace, piece.n_values);
  piece.ends = ECHO_ARENA_ARRAY(scratch, uint32_t, piece.n_values);
  find_crossings(&piece, choice);
  if (reaches_all)
    find_ends(&piece, 1, fewest_for_all(&piece));
  else
    find_ends(&piece, fewest_crossing(&piece), fewest_crossing(&piece));
  drop_wide_ends(&piece);
  if (piece.n_ends < ECHO_MIN_CHAIN_LINKS)
    piece.n_ends = 0;
  return piece;
}

void echo_choice_cut_chains(EchoChoice *choice, const EchoCandidates *candidates,
                            uint64_t min_bytes)
{
  EchoArena *scratch = candidates->scratch;
  EchoArenaMark before = echo_arena_mark(scratch);
  EchoPieces pieces = echo_pieces_list(choice, candidates);
  for (uint32_t p = 0; p < pieces.n_pieces; ++p) {
    EchoArenaMark mark = echo_arena_mark(scratch);
    EchoPiece piece = echo_piece_cut(&pieces, p, choice, candidates, min_bytes, false);
    if (piece.n_ends != 0)
      cut_chain(&piece, choice, scratch);
    echo_arena_reset(scratch, mark);
  }
  echo_arena_reset(scratch, before);
}

/* ---- groups ---- */

/* What a value is, without names or addresses. */
static uint64_t hash_value(const EchoChoice *choice, const EchoGraph *graph, uint32_t value,
                           uint64_t hash)
{
  const EchoOp *op = graph->nodes.data[graph->values.data[value].def].op;
  const EchoType *type = echo_graph_type(graph, value);
  hash = echo_hash_bytes(op->info->name, strlen(op->info->name), hash);
  hash = echo_hash_combine(hash, choice->values[value].is_carried);
  if (choice->values[value].is_brief)
    hash = echo_hash_combine(hash, 1);
  hash = echo_hash_combine(hash, (uint64_t)echo_type_element_kind(type));
  for (size_t i = 0; i < echo_type_rank(type); ++i)
    hash = echo_hash_combine(hash, (uint64_t)echo_type_dim(type, i));
  return hash;
}

void echo_choice_group(EchoChoice *choice, const EchoCandidates *candidates)
{
  EchoArena *scratch = candidates->scratch;
  EchoMap class_of_hash = {0};
  choice->n_groups = number_pieces(choice, candidates);
  choice->groups = ECHO_ARENA_ARRAY(scratch, EchoChoiceGroup, choice->n_groups + 1u);
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint64_t *hashes = ECHO_ARENA_ARRAY(scratch, uint64_t, choice->n_groups + 1u);
  memset(hashes, 0, choice->n_groups * sizeof *hashes);
  for (uint32_t v = 0; v < candidates->graph->values.size; ++v) {
    uint32_t group = choice->values[v].group;
    if (group != ECHO_NONE)
      hashes[group] = hash_value(choice, candidates->graph, v, hashes[group]);
  }
  for (uint32_t g = 0; g < choice->n_groups; ++g) {
    if (echo_map_insert(&class_of_hash, hashes[g], choice->n_classes))
      ++choice->n_classes;
    choice->groups[g] = (EchoChoiceGroup){
        .class_number = (uint32_t)echo_map_get_or(&class_of_hash, hashes[g], 0), .is_active = true};
  }
  echo_map_destroy(&class_of_hash);
  echo_arena_reset(scratch, mark);
}
