/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --echo=policy=chain: the network as a chain of links, the optimal checkpoints of it kept, all
 * else computed again. What a link holds beside the value that it hands on is computed once or
 * twice in the backward part, which are two chains to choose checkpoints from:
 *
 *   lean    a segment is run forward keeping only what crosses; each link is computed again by
 *           itself when its turn comes. A layer is what crosses.
 *   whole   a segment is run forward once, keeping what the backward part reads. A layer is what
 *           crosses, and before it what its link holds. */
#include "echo_pass/choice.h"

#include "echo_pass/chain_links.h"
#include "planning/cuts/chain.h"

typedef struct LinkLayers {
  size_t hands_on, holds; /* layer of what crosses, of what stays (0: there is none) */
} LinkLayers;

/* Layer 0 is the input, which is there anyway. */
typedef struct Layers {
  uint64_t *bytes;
  size_t n_layers;
  LinkLayers *of_links;
} Layers;

static void layers_create(Layers *layers, const EchoChainLinks *chain,
                          const EchoCandidates *candidates, bool is_lean)
{
  const EchoGraph *graph = candidates->graph;
  EchoArena *scratch = candidates->scratch;
  *layers = (Layers){.n_layers = 1};
  layers->bytes = ECHO_ARENA_ARRAY(scratch, uint64_t, 2 * (size_t)chain->n_network + 1);
  layers->of_links = ECHO_ARENA_ARRAY(scratch, LinkLayers, chain->n_network);
  layers->bytes[0] = 0;
  for (uint32_t k = 0; k < chain->n_network; k++) {
    const EchoChainLink *link = &chain->links[k];
    LinkLayers *of_link = &layers->of_links[k];
    of_link->holds = 0;
    if (!is_lean && link->read_bytes != 0) {
      of_link->holds = layers->n_layers;
      layers->bytes[layers->n_layers++] = link->read_bytes;
    }
    of_link->hands_on = layers->n_layers;
    layers->bytes[layers->n_layers++] = graph->values.data[link->value].bytes;
  }
}

/* A value that stays in its link: kept with the link's layer; else one clone serves the segment
 * where it is dear, and where it folds into the kernels that read it each has its own. */
static void decide_held(EchoChoice *choice, const EchoCandidates *candidates, uint32_t value,
                        bool is_kept, bool is_lean)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t node = graph->values.data[value].def;
  EchoNodeKind kind = graph->nodes.data[node].kind;
  EchoChosenValue *chosen = &choice->values[value];
  chosen->is_recomputed = !is_kept && echo_node_is_recomputable(graph, node);
  chosen->is_carried =
      chosen->is_recomputed && !is_lean && kind != ECHO_NODE_MAP && kind != ECHO_NODE_RESHAPE;
}

static void apply_set(EchoChoice *choice, const EchoCandidates *candidates,
                      const EchoChainLinks *chain, const Layers *layers, const EchoChainSet *set,
                      bool is_lean)
{
  const EchoGraph *graph = candidates->graph;
  bool *is_checkpoint = ECHO_ARENA_ARRAY(candidates->scratch, bool, layers->n_layers);
  memset(is_checkpoint, 0, layers->n_layers);
  for (size_t i = 1; i < set->size; i++)
    is_checkpoint[set->data[i]] = true;
  for (uint32_t k = 0; k < chain->n_network; k++) {
    const EchoChainLink *link = &chain->links[k];
    for (uint32_t i = link->first; i < link->end; i++)
      if (chain->list[i] != link->value)
        decide_held(choice, candidates, chain->list[i], is_checkpoint[layers->of_links[k].holds],
                    is_lean);
    uint32_t node = graph->values.data[link->value].def;
    bool is_kept = link->is_held || is_checkpoint[layers->of_links[k].hands_on];
    bool is_again = !is_kept && echo_node_is_recomputable(graph, node);
    EchoChosenValue *chosen = &choice->values[link->value];
    chosen->is_recomputed = chosen->is_carried = is_again;
  }
  /* The loss: again from the network's last value, which is always kept. */
  for (uint32_t v = 0; v < graph->values.size; v++)
    if (chain->link_of[v] != ECHO_NONE && chain->link_of[v] >= chain->n_network)
      decide_held(choice, candidates, v, !candidates->nodes[graph->values.data[v].def].is_cheap,
                  true);
}

bool echo_choice_chain(EchoChoice *choice, const EchoCandidates *candidates, EchoCutSide side,
                       bool holds)
{
  bool is_lean = side == ECHO_CUT_NEAR_SOURCE;
  EchoArenaMark mark = echo_arena_mark(candidates->scratch);
  EchoChainLinks chain;
  Layers layers;
  EchoChainSet set = {0};
  echo_chain_links_create(&chain, candidates, &(EchoChainOptions){.merges = true, .holds = holds});
  layers_create(&layers, &chain, candidates, is_lean);
  bool is_chosen = chain.n_network != 0 && (!holds || echo_chain_links_hold(&chain)) &&
                   echo_chain_is_bounded(layers.bytes, layers.n_layers);
  if (is_chosen) {
    echo_chain_linear(layers.bytes, layers.n_layers, &set);
    apply_set(choice, candidates, &chain, &layers, &set, is_lean);
  }
  echo_vector_destroy(&set);
  echo_arena_reset(candidates->scratch, mark);
  return is_chosen;
}
