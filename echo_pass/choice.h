/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which candidates are kept and which are recomputed: one choice. The invariant: every recomputed
 * value can be reached from kept or free ones through ops that may run again. */
#ifndef ECHO_ECHO_PASS_CHOICE_H
#define ECHO_ECHO_PASS_CHOICE_H

#include "echo_pass/candidates.h"
#include "planning/cuts/min_cut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nodes of the graph, rising, at which clones are let go: who wants the value there or later reads
 * one made anew. So it is computed again once more than there are nodes. */
typedef struct EchoRenewals {
  uint64_t hash; /* of the nodes */
  uint32_t n;
  const uint32_t *nodes; /* n of them, with it */
} EchoRenewals;

typedef struct EchoChosenValue {
  uint32_t group; /* what is recomputed or kept together; ECHO_NONE for what is not recomputed */
  bool is_recomputed;
  bool is_carried; /* recomputed, and carries a chain from one link to the next: one clone serves a
                      segment */
  bool is_brief;   /* recomputed, and read by its readers behind its brief gap as such */
  const EchoRenewals *renewals; /* NULL: none. Whoever hands out values of a choice to others makes
                                   them where they outlive both */
} EchoChosenValue;

typedef struct EchoChoiceGroup {
  uint32_t class_number; /* equal groups (the iterations of a loop, the layers of a stack) have one
                            class */
  bool is_active;        /* false: its values are kept after all */
} EchoChoiceGroup;

typedef struct EchoChoice {
  EchoChosenValue *values;
  EchoChoiceGroup *groups; /* NULL before echo_choice_group: then all that is chosen is active */
  uint32_t n_groups, n_classes;
  uint32_t *levels; /* by menu of the candidates: what the regions of that node come to */
} EchoChoice;

/* Nothing recomputed, regions at level 0. A choice and its groups live in the candidates' scratch
 * arena, until that is reset; whoever makes one takes the mark. */
void echo_choice_create(EchoChoice *choice, const EchoCandidates *candidates);

typedef struct EchoCutOptions {
  EchoCutSide side;  /* of equal cuts: near the sink recomputes least, near the source most */
  double price;      /* of recompute: bytes for the time that moving one byte takes */
  bool allow_heavy;  /* contractions and convolutions may run again, too */
  bool keeps_turned; /* what is made behind an earlier turn does not */
} EchoCutOptions;

/* Decides by minimum cuts, component by component: the least (bytes kept + price of what is
 * recomputed). Of equal cuts the one nearest the backward part: least recompute.
 *   cost     near linear
 *   source   Echo (ISCA 2020), which asks greedily; the cut is that of PyTorch's min-cut
 *            partitioner, with a price */
void echo_choice_cut(EchoChoice *choice, const EchoCandidates *candidates,
                     const EchoCutOptions *options);
/* What a minimum cut is the least of. */
typedef struct EchoCutCost {
  double bytes; /* of candidates that are kept for readers behind their gaps, or for clones */
  double ns;    /* of computing again what those read */
} EchoCutCost;

/* Of a choice before its chains are cut. O(values + operands). */
EchoCutCost echo_choice_cost(const EchoChoice *choice, const EchoCandidates *candidates);
/* The paper's own rule, for comparison. */
void echo_choice_greedy(EchoChoice *choice, const EchoCandidates *candidates);

/* The whole network as a chain of articulation points (echo_pass/chain_links.h): the optimal
 * checkpoints of it are kept, all else runs again. Near the source: what stays inside a link is
 * computed once to go on and once more for its gradient, so that a segment holds only what crosses;
 * near the sink: one run of a segment keeps what its gradients read. `holds`: with values held that
 * all links behind them read. False where nothing was chosen: no chain, or no value to hold.
 *   source   Hong et al., arXiv 2502.12499 */
bool echo_choice_chain(EchoChoice *choice, const EchoCandidates *candidates, EchoCutSide side,
                       bool holds);

/* Cuts long chains of recompute (the cell state of an LSTM, the residual stream of a stack) into
 * segments by the optimal checkpoint algorithm: checkpoints become kept values, and what carries
 * the chain between them is_carried. Chains whose values take no more than `min_bytes` together are
 * left whole. */
void echo_choice_cut_chains(EchoChoice *choice, const EchoCandidates *candidates,
                            uint64_t min_bytes);

/* Several levels of checkpoints for the chains of a choice that was cut (planning/cuts/levels.h):
 * what crosses from link to link, and what links hold, is kept, or computed again once or more
 * often, whichever takes the least time below a target for the bytes of the arena. Lives in the
 * candidates' scratch arena. */
typedef struct EchoChainLevels EchoChainLevels;

/* Of the chains of `cut` that take more than `min_bytes`; NULL where there are none. Where a link
 * is kept as a whole, what `light` recomputes of it is all the same. Both choices must outlive the
 * levels. A bounded cost for each chain, however long. */
EchoChainLevels *echo_chain_levels_create_or_null(EchoChoice *cut, const EchoCandidates *candidates,
                                                  const EchoChoice *light, uint64_t min_bytes);
void echo_chain_levels_destroy(EchoChainLevels *levels);
/* The lowest target that there is a plan for, by the model of a chain. */
uint64_t echo_chain_levels_least(const EchoChainLevels *levels);
/* The cut, with its chains below the target, or at their least. Renewals are made in `memory`. */
void echo_choice_take_levels(EchoChoice *choice, EchoChainLevels *levels, uint64_t target_bytes,
                             EchoArena *memory);

/* Numbers what is left recomputed: linked values are one group, equal groups one class. All are
 * active. Called once, last. */
void echo_choice_group(EchoChoice *choice, const EchoCandidates *candidates);

/* The graph with the active part of this choice carried out: clones behind barriers right before
 * their first use, dead nodes left out. Makes `echoed`, as echo_graph_create_like does; destroy
 * with echo_graph_destroy. */
void echo_choice_apply(const EchoChoice *choice, const EchoCandidates *candidates,
                       EchoGraph *echoed);

/* How many of the renewals stand at or before `node`. O(log n). */
static inline uint32_t echo_renewals_before(const EchoRenewals *renewals, uint32_t node)
{
  uint32_t low = 0, high = renewals != NULL ? renewals->n : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (renewals->nodes[middle] <= node)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Whether that computes `value` again. */
static inline bool echo_choice_remakes(const EchoChoice *choice, uint32_t value)
{
  const EchoChosenValue *chosen = &choice->values[value];
  return chosen->is_recomputed && (choice->groups == NULL || chosen->group == ECHO_NONE ||
                                   choice->groups[chosen->group].is_active);
}

/* The last node that reads `value` as it was made where it is recomputed. */
static inline uint32_t echo_choice_last_early(const EchoChoice *choice,
                                              const EchoCandidates *candidates, uint32_t value)
{
  const EchoCandidateValue *entry = &candidates->values[value];
  return choice->values[value].is_brief ? entry->brief_early : entry->last_early;
}

/* Combined with how a recomputed value is. */
static inline uint64_t echo_choice_hash_value(const EchoChoice *choice, uint64_t hash,
                                              uint32_t value)
{
  const EchoChosenValue *chosen = &choice->values[value];
  hash = echo_hash_combine(hash, 2 * (uint64_t)value + chosen->is_carried);
  if (chosen->is_brief)
    hash = echo_hash_combine(hash, 1);
  return chosen->renewals != NULL ? echo_hash_combine(hash, chosen->renewals->hash) : hash;
}

/* What another choice decides about a value; groups are to be numbered anew. */
static inline void echo_choice_take_value(EchoChoice *choice, const EchoChoice *from,
                                          uint32_t value)
{
  EchoChosenValue *chosen = &choice->values[value];
  chosen->is_recomputed = echo_choice_remakes(from, value);
  chosen->is_carried = chosen->is_recomputed && from->values[value].is_carried;
  chosen->is_brief = chosen->is_recomputed && from->values[value].is_brief;
  chosen->renewals = chosen->is_recomputed ? from->values[value].renewals : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
