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

typedef struct EchoChoice {
  bool *is_recomputed; /* by value */
  bool *is_step; /* by value: recomputed, and carries a chain from one step to the next: one clone
                    serves a segment */
  uint32_t
      *group; /* by recomputed value: what is recomputed or kept together; ECHO_NONE for others */
  uint32_t n_groups;
  uint32_t *
      class_of_group; /* equal groups (the steps of a loop, the layers of a stack) have one class */
  uint32_t n_classes;
} EchoChoice;

/* Nothing recomputed. Destroy with echo_choice_destroy. */
void echo_choice_create(EchoChoice *choice, const EchoCandidates *candidates);
void echo_choice_destroy(EchoChoice *choice);

typedef struct EchoCutOptions {
  EchoCutSide side; /* of equal cuts: near the sink recomputes least, near the source most */
  double price;     /* of recompute: bytes for the time that moving one byte takes */
  bool allow_heavy; /* contractions and convolutions may run again, too */
} EchoCutOptions;

/* Decides by minimum cuts, component by component: the least (bytes kept + price of what is
 * recomputed). Of equal cuts the one nearest the backward part: least recompute. cost    near
 * linear; source  Echo (ISCA 2020) asked greedily; the cut is that of PyTorch's min-cut partitioner
 * with a price */
void echo_choice_cut(EchoChoice *choice, const EchoCandidates *candidates,
                     const EchoCutOptions *options);
/* The paper's own rule, for comparison. */
void echo_choice_greedy(EchoChoice *choice, const EchoCandidates *candidates);

/* The whole network as a chain of articulation points (echo_pass/chain_links.h): the optimal
 * checkpoints of it are kept, all else runs again. Near the source: what stays inside a link is
 * computed once to go on and once more for its gradient, so that a segment holds only what crosses;
 * near the sink: one run of a segment keeps what its gradients read. source  Hong et al., arXiv
 * 2502.12499 */
void echo_choice_chain(EchoChoice *choice, const EchoCandidates *candidates, EchoCutSide side);

/* Cuts long chains of recompute (the cell state of an LSTM, the residual stream of a stack) into
 * segments by the optimal checkpoint algorithm: checkpoints become kept values, and what carries
 * the chain between them steps. `spread_bytes`: chains that hold less than this at once are left
 * whole. */
void echo_choice_cut_chains(EchoChoice *choice, const EchoCandidates *candidates,
                            uint64_t spread_bytes);

/* Numbers what is left recomputed: linked values are one group, equal groups one class. Called
 * once, last. */
void echo_choice_group(EchoChoice *choice, const EchoCandidates *candidates);

/* The graph with this choice carried out: clones behind barriers right before their first use, dead
 * nodes left out. `is_active` by group; NULL = all. `echoed` is created; destroy with
 * echo_graph_destroy. */
void echo_choice_apply(const EchoChoice *choice, const EchoCandidates *candidates,
                       const bool *is_active, EchoGraph *echoed);

#ifdef __cplusplus
}
#endif

#endif
