/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --echo=policy=chain: the network as a chain of links, the optimal checkpoints of it kept, all
 * else computed again. What a link holds beside the value that it hands on is computed once or
 * twice in the backward part, which are two chains to choose checkpoints from: lean   a segment is
 * run forward keeping only what crosses; each link is computed again by itself when its turn comes.
 * A layer is what crosses. whole  a segment is run forward once, keeping what the backward part
 * reads. A layer is what crosses, and before it what its link holds. */
#include "echo_pass/choice.h"

#include "echo_pass/chain_links.h"
#include "planning/cuts/chain.h"

/* Layer 0 is the input, which is there anyway. */
typedef struct Layers {
  ECHO_VECTOR(uint64_t) bytes;
  size_t *hands_on, *holds; /* by link: layer of what crosses, of what stays (0: it has none) */
} Layers;

static void layers_create(Layers *layers, const EchoChainLinks *chain,
                          const EchoCandidates *candidates, bool is_lean)
{
  const EchoGraph *graph = candidates->graph;
  *layers = (Layers){0};
  layers->hands_on = echo_alloc_zero(chain->links.size + 1, sizeof(size_t));
  layers->holds = echo_alloc_zero(chain->links.size + 1, sizeof(size_t));
  echo_vector_push(&layers->bytes, 0);
  for (size_t k = 0; k < chain->n_network; k++) {
    const EchoChainLink *link = &chain->links.data[k];
    if (!is_lean && link->read_bytes != 0) {
      layers->holds[k] = layers->bytes.size;
      echo_vector_push(&layers->bytes, link->read_bytes);
    }
    layers->hands_on[k] = layers->bytes.size;
    echo_vector_push(&layers->bytes, graph->values.data[link->value].bytes);
  }
}

static void layers_destroy(Layers *layers)
{
  echo_vector_destroy(&layers->bytes);
  echo_free(layers->hands_on);
  echo_free(layers->holds);
}

/* A value that stays in its link: kept with the link's layer; else one clone serves the segment
 * where it is dear, and where it folds into the kernels that read it each has its own. */
static void decide_held(EchoChoice *choice, const EchoCandidates *candidates, uint32_t value,
                        bool is_kept, bool is_lean)
{
  const EchoGraph *graph = candidates->graph;
  uint32_t node = graph->values.data[value].def;
  EchoNodeKind kind = graph->nodes.data[node].kind;
  choice->is_recomputed[value] = !is_kept && echo_node_is_recomputable(graph, node);
  choice->is_step[value] = choice->is_recomputed[value] && !is_lean && kind != ECHO_NODE_MAP &&
                           kind != ECHO_NODE_RESHAPE;
}

static void apply_set(EchoChoice *choice, const EchoCandidates *candidates,
                      const EchoChainLinks *chain, const Layers *layers, const EchoChainSet *set,
                      bool is_lean)
{
  const EchoGraph *graph = candidates->graph;
  bool *is_checkpoint = echo_alloc_zero(layers->bytes.size + 1, sizeof(bool));
  for (size_t i = 1; i < set->size; i++)
    is_checkpoint[set->data[i]] = true;
  for (size_t k = 0; k < chain->n_network; k++) {
    const EchoChainLink *link = &chain->links.data[k];
    for (uint32_t i = link->first; i < link->end; i++)
      if (chain->list.data[i] != link->value)
        decide_held(choice, candidates, chain->list.data[i], is_checkpoint[layers->holds[k]],
                    is_lean);
    uint32_t node = graph->values.data[link->value].def;
    bool is_again = !is_checkpoint[layers->hands_on[k]] && echo_node_is_recomputable(graph, node);
    choice->is_recomputed[link->value] = choice->is_step[link->value] = is_again;
  }
  /* The loss: again from the network's last value, which is always kept. */
  for (uint32_t v = 0; v < graph->values.size; v++)
    if (chain->link_of[v] != ECHO_NONE && chain->link_of[v] >= chain->n_network)
      decide_held(choice, candidates, v, !echo_node_is_cheap(candidates, graph->values.data[v].def),
                  true);
  echo_free(is_checkpoint);
}

void echo_choice_chain(EchoChoice *choice, const EchoCandidates *candidates, EchoCutSide side)
{
  bool is_lean = side == ECHO_CUT_NEAR_SOURCE;
  EchoChainLinks chain;
  Layers layers;
  EchoChainSet set = {0};
  echo_chain_links_create(&chain, candidates, true);
  layers_create(&layers, &chain, candidates, is_lean);
  if (chain.n_network != 0 && echo_chain_is_bounded(layers.bytes.data, layers.bytes.size)) {
    echo_chain_linear(layers.bytes.data, layers.bytes.size, &set);
    apply_set(choice, candidates, &chain, &layers, &set, is_lean);
  }
  echo_vector_destroy(&set);
  layers_destroy(&layers);
  echo_chain_links_destroy(&chain);
}
