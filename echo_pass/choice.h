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

typedef struct EchoChosenValue {
  uint32_t group; /* what is recomputed or kept together; ECHO_NONE for what is not recomputed */
  bool is_recomputed;
  bool is_carried; /* recomputed, and carries a chain from one link to the next: one clone serves a
                      segment */
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
  EchoCutSide side; /* of equal cuts: near the sink recomputes least, near the source most */
  double price;     /* of recompute: bytes for the time that moving one byte takes */
  bool allow_heavy; /* contractions and convolutions may run again, too */
} EchoCutOptions;

/* Decides by minimum cuts, component by component: the least (bytes kept + price of what is
 * recomputed). Of equal cuts the one nearest the backward part: least recompute.
 *   cost     near linear
 *   source   Echo (ISCA 2020), which asks greedily; the cut is that of PyTorch's min-cut
 *            partitioner, with a price */
void echo_choice_cut(EchoChoice *choice, const EchoCandidates *candidates,
                     const EchoCutOptions *options);
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

/* Numbers what is left recomputed: linked values are one group, equal groups one class. All are
 * active. Called once, last. */
void echo_choice_group(EchoChoice *choice, const EchoCandidates *candidates);

/* The graph with the active part of this choice carried out: clones behind barriers right before
 * their first use, dead nodes left out. `echoed` is created; destroy with echo_graph_destroy. */
void echo_choice_apply(const EchoChoice *choice, const EchoCandidates *candidates,
                       EchoGraph *echoed);

/* Whether that computes `value` again. */
static inline bool echo_choice_remakes(const EchoChoice *choice, uint32_t value)
{
  const EchoChosenValue *chosen = &choice->values[value];
  return chosen->is_recomputed && (choice->groups == NULL || chosen->group == ECHO_NONE ||
                                   choice->groups[chosen->group].is_active);
}

#ifdef __cplusplus
}
#endif

#endif
