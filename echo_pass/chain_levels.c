/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains of a choice with several levels of checkpoints. A piece's links become those of a chain in
 * planning/cuts/levels.h: what crosses, what a link holds for its turn (what a cut through cheap
 * ops keeps of it), what stands beside the piece meanwhile. A link whose turn does not come after
 * that of the next one is one with it, and where there are too many, neighbours are one. What runs
 * again in somebody's turn is renewed there. */
#include <math.h>

#include "echo_pass/chains_t.h"
#include "planning/cuts/levels.h"

#define MAX_LINKS 96 /* bench/results/levels.md */
#define N_UNITS 256  /* of memory, from what stands beside a chain to the peak; the same */

/* One value of a piece. */
typedef struct Member {
  uint32_t first_read, last_read; /* behind its gap; ECHO_NONE and 0 without one */
  uint32_t link;                  /* group of links that it is made in, */
  uint32_t end;                   /* and the last one whose end it crosses; less: none */
  bool crosses;                   /* the end of a group, */
  bool crosses_inside;            /* or of a link inside one */
  bool is_held;                   /* where its link is kept as a whole it is, too */
  bool is_needed;                 /* in the turn of its link */
} Member;

/* Links that are one. */
typedef struct Link {
  uint32_t end; /* of the piece's ends; n_ends for the last */
  uint32_t turn;
} Link;

/* Bytes and time of a link, before they are put into units. */
typedef struct Weights {
  uint64_t out, out_read, inner, again, beside, beside_in;
  uint64_t link_again; /* of the piece's link that is looked at */
  double ns, inner_ns;
} Weights;

typedef struct Chain {
  EchoPiece piece;
  Member *members; /* by place */
  Link *links;
  uint32_t n_links;
  uint64_t base_bytes, unit_bytes;
  EchoLevels tables;
  EchoLevelKept *kept;
} Chain;

struct EchoChainLevels {
  const EchoCandidates *candidates;
  const EchoChoice *light; /* what a cut through cheap ops recomputes */
  ECHO_VECTOR(Chain) chains;
};

static bool folds(const EchoGraph *graph, uint32_t value)
{
  EchoNodeKind kind = graph->nodes.data[graph->values.data[value].def].kind;
  return kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE;
}

/* ---- members ---- */

static void find_reads(const EchoCandidates *candidates, uint32_t value, Member *member)
{
  const EchoGraph *graph = candidates->graph;
  *member = (Member){.first_read = ECHO_NONE};
  for (uint32_t u = graph->values.data[value].n_uses; u-- > 0;) {
    uint32_t user = echo_graph_uses(graph, value)[u];
    if (!candidates->values[value].is_read || !echo_candidate_is_late(candidates, value, user))
      return;
    member->first_read = user;
    if (member->last_read < user)
      member->last_read = user;
  }
}

/* By link of the piece: when its turn begins, with the first that is read of what it starts from or
 * holds; ECHO_NONE where nothing is. */
static void find_turns(const Chain *chain, uint32_t *turns)
{
  const EchoPiece *piece = &chain->piece;
  for (uint32_t k = 0; k <= piece->n_ends; ++k)
    turns[k] = ECHO_NONE;
  for (uint32_t i = 0; i < piece->n_values; ++i) {
    uint32_t link = echo_piece_link(piece, piece->places[i].last_use);
    if (turns[link] > chain->members[i].first_read)
      turns[link] = chain->members[i].first_read;
  }
}

/* From the last link back: one without a turn of its own starts from what nobody else reads. */
static void join_links(Chain *chain, const uint32_t *turns)
{
  uint32_t n_ends = chain->piece.n_ends, lowest = n_ends, turn = turns[n_ends];
  chain->n_links = 1;
  chain->links[0] = (Link){n_ends, turn};
  for (uint32_t k = n_ends; k-- > 0; lowest = k) {
    Link *link = &chain->links[chain->n_links - 1];
    bool is_first = turns[k] == ECHO_NONE && k == 0;
    if (turns[lowest] != ECHO_NONE && link->turn != ECHO_NONE &&
        (turns[k] > link->turn || is_first)) {
      chain->links[chain->n_links++] = (Link){k, turns[k]};
    } else if (turns[k] < link->turn) {
      link->turn = turns[k];
    }
  }
  for (uint32_t k = 0; k < chain->n_links / 2; ++k) {
    Link last = chain->links[chain->n_links - 1 - k];
    chain->links[chain->n_links - 1 - k] = chain->links[k];
    chain->links[k] = last;
  }
}

/* Neighbours are one; the turn is that of the last, which comes first. */
static void thin_links(Chain *chain)
{
  uint32_t each = (chain->n_links + MAX_LINKS - 1) / MAX_LINKS, n = 0;
  for (uint32_t k = 0; k < chain->n_links; ++k)
    if ((k + 1) % each == 0 || k + 1 == chain->n_links)
      chain->links[n++] = chain->links[k];
  chain->n_links = n;
}

static uint32_t link_of_end(const Chain *chain, uint32_t end)
{
  uint32_t low = 0, high = chain->n_links - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (chain->links[middle].end < end)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void place_members(Chain *chain)
{
  const EchoPiece *piece = &chain->piece;
  for (uint32_t i = 0; i < piece->n_values; ++i) {
    Member *member = &chain->members[i];
    uint32_t first = echo_piece_link(piece, i);
    uint32_t last = echo_piece_link(piece, piece->places[i].last_use);
    member->link = link_of_end(chain, first);
    member->end = link_of_end(chain, last);
    member->crosses = member->end > member->link;
    member->crosses_inside = last > first;
  }
}

/* What the turn of a link needs, and what of it is there when it is kept as a whole. */
static void mark_needed(const EchoChainLevels *levels, Chain *chain, uint32_t *place_of)
{
  const EchoGraph *graph = levels->candidates->graph;
  const EchoPiece *piece = &chain->piece;
  for (uint32_t i = 0; i < piece->n_values; ++i)
    place_of[piece->values[i]] = i;
  for (uint32_t i = piece->n_values; i-- > 0;) {
    Member *member = &chain->members[i];
    uint32_t value = piece->values[i], node = graph->values.data[value].def;
    bool is_light = levels->light->values[value].is_recomputed;
    member->is_needed |= member->first_read != ECHO_NONE;
    member->is_held |= member->first_read != ECHO_NONE;
    bool is_held = member->is_held;
    member->is_held &= !is_light;
    if (!member->is_needed || member->crosses)
      continue;
    for (uint32_t o = 0; o < graph->nodes.data[node].n_operands; ++o) {
      uint32_t operand = echo_graph_operands(graph, node)[o], place = place_of[operand];
      if (place >= i || piece->values[place] != operand ||
          chain->members[place].link != member->link)
        continue;
      chain->members[place].is_needed = true;
      chain->members[place].is_held |= is_held && is_light;
    }
  }
}

/* ---- weights ---- */

/* What stands in the arena while a node runs, without the piece. */
static uint64_t *beside_piece(const EchoChainLevels *levels, const Chain *chain)
{
  const EchoCandidates *candidates = levels->candidates;
  const EchoGraph *graph = candidates->graph;
  size_t n = graph->nodes.size;
  uint64_t *beside = ECHO_ARENA_ARRAY(candidates->scratch, uint64_t, n + 2);
  memset(beside, 0, (n + 2) * sizeof *beside);
  for (uint32_t i = 0; i < chain->piece.n_values; ++i) {
    const EchoGraphValue *value = &graph->values.data[chain->piece.values[i]];
    uint32_t last = candidates->values[chain->piece.values[i]].held_until;
    if (last == ECHO_NONE || last < value->def)
      continue;
    beside[value->def] += value->bytes;
    beside[last + 1] -= value->bytes;
  }
  uint64_t held = 0;
  for (size_t node = 0; node < n; ++node) {
    held += beside[node];
    uint64_t live = candidates->live_bytes[node];
    beside[node] = live > held ? live - held : 0;
  }
  return beside;
}

static void weigh_member(const EchoChainLevels *levels, const Chain *chain, uint32_t i,
                         Weights *weights)
{
  const EchoGraph *graph = levels->candidates->graph;
  const Member *member = &chain->members[i];
  uint32_t value = chain->piece.values[i], node = graph->values.data[value].def;
  uint64_t bytes = graph->values.data[value].bytes;
  Weights *weight = &weights[member->link];
  if (i == 0 || graph->values.data[chain->piece.values[i - 1]].def != node) {
    weight->ns += levels->candidates->nodes[node].ns;
    weight->inner_ns +=
        member->is_needed && !member->crosses ? levels->candidates->nodes[node].ns : 0;
  }
  for (uint32_t k = member->link; k < member->end; ++k) {
    weights[k].out += bytes;
    weights[k].out_read += member->last_read >= chain->links[k].turn ? bytes : 0;
  }
  if (member->crosses || !member->is_needed)
    return;
  weight->inner += member->is_held || member->crosses_inside ? bytes : 0;
  if (member->crosses_inside)
    weight->again += bytes;
  else if (!folds(graph, value))
    weight->link_again += bytes;
}

/* Of the links inside one each computes what it holds again by itself. */
static void end_link(Weights *weight, uint64_t *most)
{
  *most = *most < weight->link_again ? weight->link_again : *most;
  weight->link_again = 0;
}

static bool is_behind_turn(const EchoCandidates *candidates, uint32_t node)
{
  const EchoGraphNode *entry = &candidates->graph->nodes.data[node];
  for (uint32_t r = 0; r < entry->n_results; ++r)
    if (candidates->values[entry->first_result + r].is_behind ||
        candidates->values[entry->first_result + r].is_turned)
      return true;
  return false;
}

/* The node behind the last one that reads of the chain in its turns. What reads of it behind the
 * next turn of the step, or on the way to that, is another microbatch. */
static uint32_t end_of_turns(const EchoCandidates *candidates, const Chain *chain)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t first = chain->links[chain->n_links - 1].turn, end = first + 1;
  uint32_t next = (uint32_t)graph->nodes.size;
  for (uint32_t i = candidates->n_turns; i-- > 0 && candidates->turns[i] >= first;)
    next = candidates->turns[i];
  for (uint32_t i = 0; i < chain->piece.n_values; ++i) {
    uint32_t value = chain->piece.values[i];
    for (uint32_t u = graph->values.data[value].n_uses; u-- > 0;) {
      uint32_t use = echo_graph_uses(graph, value)[u];
      if (use < next && end <= use && is_behind_turn(candidates, use))
        end = use + 1;
    }
  }
  return end;
}

static void weigh_links(const EchoChainLevels *levels, const Chain *chain, Weights *weights)
{
  const EchoPiece *piece = &chain->piece;
  uint64_t *most = ECHO_ARENA_ARRAY(levels->candidates->scratch, uint64_t, chain->n_links);
  memset(most, 0, chain->n_links * sizeof *most);
  for (uint32_t i = 0; i < piece->n_values; ++i) {
    uint32_t k = chain->members[i].link;
    weigh_member(levels, chain, i, weights);
    if (i + 1 == piece->n_values || echo_piece_link(piece, i + 1) != echo_piece_link(piece, i))
      end_link(&weights[k], &most[k]);
  }
  uint64_t *beside = beside_piece(levels, chain);
  uint32_t n = end_of_turns(levels->candidates, chain);
  for (uint32_t k = 0; k < chain->n_links; ++k) {
    uint32_t turn = chain->links[k].turn, end = k > 0 ? chain->links[k - 1].turn : n;
    weights[k].again += most[k];
    for (uint32_t node = turn; node < end && node < n; ++node)
      if (weights[k].beside < beside[node])
        weights[k].beside = beside[node];
    weights[k].beside_in = turn != 0 && turn < n ? beside[turn - 1] : 0;
  }
}

static uint32_t in_units(const Chain *chain, uint64_t bytes)
{
  return (uint32_t)((bytes + chain->unit_bytes / 2) / chain->unit_bytes);
}

static EchoLevelLink *links_in_units(Chain *chain, const Weights *weights, uint64_t peak_bytes,
                                     EchoArena *scratch)
{
  EchoLevelLink *links = ECHO_ARENA_ARRAY(scratch, EchoLevelLink, chain->n_links);
  chain->base_bytes = peak_bytes;
  for (uint32_t k = 0; k < chain->n_links; ++k)
    if (weights[k].beside_in < chain->base_bytes)
      chain->base_bytes = weights[k].beside_in;
  chain->unit_bytes = (peak_bytes - chain->base_bytes) / N_UNITS + 1;
  for (uint32_t k = 0; k < chain->n_links; ++k) {
    const Weights *weight = &weights[k];
    uint64_t beside = weight->beside > chain->base_bytes ? weight->beside - chain->base_bytes : 0;
    links[k] = (EchoLevelLink){.out = in_units(chain, weight->out),
                               .out_read = in_units(chain, weight->out_read),
                               .inner = in_units(chain, weight->inner),
                               .again = in_units(chain, weight->again),
                               .beside = in_units(chain, beside),
                               .beside_in = in_units(chain, weight->beside_in - chain->base_bytes),
                               .ns = (float)weight->ns,
                               .inner_ns = (float)weight->inner_ns};
  }
  return links;
}

/* ---- chains ---- */

/* False where the piece is no chain: a link that hands something on has its turn before the next.
 */
static bool find_links(EchoChainLevels *levels, Chain *chain)
{
  const EchoCandidates *candidates = levels->candidates;
  EchoArena *scratch = candidates->scratch;
  const EchoPiece *piece = &chain->piece;
  chain->members = ECHO_ARENA_ARRAY(scratch, Member, piece->n_values);
  chain->links = ECHO_ARENA_ARRAY(scratch, Link, piece->n_ends + 1u);
  for (uint32_t i = 0; i < piece->n_values; ++i)
    find_reads(candidates, piece->values[i], &chain->members[i]);
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint32_t *turns = ECHO_ARENA_ARRAY(scratch, uint32_t, piece->n_ends + 1u);
  find_turns(chain, turns);
  join_links(chain, turns);
  echo_arena_reset(scratch, mark);
  if (chain->n_links < ECHO_MIN_CHAIN_LINKS)
    return false;
  thin_links(chain);
  place_members(chain);
  return true;
}

static void add_chain(EchoChainLevels *levels, const EchoPiece *piece, uint32_t *place_of)
{
  const EchoCandidates *candidates = levels->candidates;
  EchoArena *scratch = candidates->scratch;
  Chain chain = {.piece = *piece};
  if (!find_links(levels, &chain))
    return;
  mark_needed(levels, &chain, place_of);
  uint64_t peak_bytes = 0;
  for (size_t node = 0; node < candidates->graph->nodes.size; ++node)
    if (peak_bytes < candidates->live_bytes[node])
      peak_bytes = candidates->live_bytes[node];
  Weights *weights = ECHO_ARENA_ARRAY(scratch, Weights, chain.n_links);
  memset(weights, 0, chain.n_links * sizeof *weights);
  weigh_links(levels, &chain, weights);
  const EchoLevelLink *links = links_in_units(&chain, weights, peak_bytes, scratch);
  chain.kept = ECHO_ARENA_ARRAY(scratch, EchoLevelKept, chain.n_links);
  echo_levels_create(&chain.tables, links, chain.n_links, N_UNITS, scratch);
  if (isfinite(echo_levels_ns(&chain.tables, N_UNITS)))
    echo_vector_push(&levels->chains, chain);
  else
    echo_levels_destroy(&chain.tables);
}

EchoChainLevels *echo_chain_levels_create_or_null(EchoChoice *cut, const EchoCandidates *candidates,
                                                  const EchoChoice *light, uint64_t min_bytes)
{
  EchoArena *scratch = candidates->scratch;
  EchoChainLevels *levels = ECHO_ARENA_ARRAY(scratch, EchoChainLevels, 1);
  *levels = (EchoChainLevels){.candidates = candidates, .light = light};
  EchoPieces pieces = echo_pieces_list(cut, candidates);
  uint32_t *place_of = ECHO_ARENA_ARRAY(scratch, uint32_t, candidates->graph->values.size + 1);
  memset(place_of, 0, (candidates->graph->values.size + 1) * sizeof *place_of);
  for (uint32_t p = 0; p < pieces.n_pieces; ++p) {
    EchoPiece piece = echo_piece_cut(&pieces, p, cut, candidates, min_bytes, true);
    if (piece.n_ends != 0)
      add_chain(levels, &piece, place_of);
  }
  if (levels->chains.size != 0)
    return levels;
  echo_chain_levels_destroy(levels);
  return NULL;
}

void echo_chain_levels_destroy(EchoChainLevels *levels)
{
  for (size_t i = 0; i < levels->chains.size; ++i)
    echo_levels_destroy(&levels->chains.data[i].tables);
  echo_vector_destroy(&levels->chains);
}

/* ---- plans ---- */

/* As many units as the target has, or as the chain needs. */
static uint32_t units_below(const Chain *chain, uint64_t target_bytes)
{
  uint64_t bytes = target_bytes > chain->base_bytes ? target_bytes - chain->base_bytes : 0;
  uint64_t units = bytes / chain->unit_bytes;
  uint32_t taken = units < N_UNITS ? (uint32_t)units : N_UNITS;
  while (!isfinite(echo_levels_ns(&chain->tables, taken)))
    ++taken;
  return taken;
}

uint64_t echo_chain_levels_least(const EchoChainLevels *levels)
{
  uint64_t least = 0;
  for (size_t i = 0; i < levels->chains.size; ++i) {
    const Chain *chain = &levels->chains.data[i];
    uint64_t bytes = chain->base_bytes + units_below(chain, 0) * chain->unit_bytes;
    least = least < bytes ? bytes : least;
  }
  return least;
}

/* When a link runs again, and what is made of that. */
typedef struct Again {
  const EchoRenewals *of_out, *of_inner;
  bool keeps_inner; /* the last time */
} Again;

static const EchoRenewals *make_renewals(const uint32_t *nodes, uint32_t n, EchoArena *memory)
{
  if (n == 0)
    return NULL;
  EchoRenewals *made = ECHO_ARENA_ARRAY(memory, EchoRenewals, 1);
  uint32_t *own = ECHO_ARENA_ARRAY(memory, uint32_t, n);
  memcpy(own, nodes, n * sizeof *own);
  *made = (EchoRenewals){.n = n, .nodes = own};
  for (uint32_t i = 0; i < n; ++i)
    made->hash = echo_hash_combine(made->hash, nodes[i]);
  return made;
}

/* The first time needs no renewal. */
static Again find_again(const Chain *chain, uint32_t link, uint32_t *nodes, EchoArena *memory)
{
  Again again = {0};
  uint32_t n = 0;
  for (size_t r = 0; r < chain->tables.runs.size; ++r) {
    const EchoLevelRun *run = &chain->tables.runs.data[r];
    if (link < run->first || link > run->last)
      continue;
    nodes[n++] = chain->links[run->turn].turn;
    again.keeps_inner = run->keeps_inner;
  }
  again.of_out = make_renewals(nodes + 1, n > 1 ? n - 1 : 0, memory);
  again.of_inner = again.of_out;
  if (again.keeps_inner || n == 0)
    return again;
  nodes[n] = chain->links[link].turn;
  again.of_inner = make_renewals(nodes + 1, n, memory);
  return again;
}

static bool is_kept_crossing(const Chain *chain, const Member *member)
{
  for (uint32_t k = member->link; k < member->end; ++k)
    if (chain->kept[k].out)
      return true;
  return false;
}

static void take_member(const EchoChainLevels *levels, const Chain *chain, uint32_t i,
                        const Again *again, EchoChoice *choice)
{
  const Member *member = &chain->members[i];
  uint32_t value = chain->piece.values[i];
  EchoChosenValue *chosen = &choice->values[value];
  bool stays = member->crosses_inside || !levels->light->values[value].is_recomputed;
  chosen->is_recomputed = member->crosses ? !is_kept_crossing(chain, member)
                                          : !(chain->kept[member->link].inner && stays);
  chosen->is_carried = chosen->is_recomputed &&
                       (member->crosses || member->crosses_inside || (again->keeps_inner && stays));
  bool is_inside = !member->crosses && member->crosses_inside;
  chosen->renewals = !chosen->is_recomputed ? NULL : is_inside ? again->of_inner : again->of_out;
}

void echo_choice_take_levels(EchoChoice *choice, EchoChainLevels *levels, uint64_t target_bytes,
                             EchoArena *memory)
{
  EchoArena *scratch = levels->candidates->scratch;
  for (size_t c = 0; c < levels->chains.size; ++c) {
    Chain *chain = &levels->chains.data[c];
    EchoArenaMark mark = echo_arena_mark(scratch);
    echo_levels_plan(&chain->tables, units_below(chain, target_bytes), chain->kept);
    Again *again = ECHO_ARENA_ARRAY(scratch, Again, chain->n_links);
    uint32_t *nodes = ECHO_ARENA_ARRAY(scratch, uint32_t, chain->tables.runs.size + 2);
    for (uint32_t k = 0; k < chain->n_links; ++k)
      again[k] = find_again(chain, k, nodes, memory);
    for (uint32_t i = 0; i < chain->piece.n_values; ++i)
      take_member(levels, chain, i, &again[chain->members[i].link], choice);
    echo_arena_reset(scratch, mark);
  }
}
