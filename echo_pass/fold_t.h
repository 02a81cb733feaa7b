/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: what repeats in a step (layers, microbatches, unrolled time steps) is
 * found, and most repetitions are left out: what is decided on the few that stay is carried over to
 * all, each deciding as the one that stands as far along. The invariant: nothing is believed of the
 * folded graph; what it proposes is tried on the whole one. Not the search on it: search.c. */
#ifndef ECHO_ECHO_PASS_FOLD_T_H
#define ECHO_ECHO_PASS_FOLD_T_H

#include "echo_pass/choice.h"

/* Nodes [first, first + n * period) but for constants: n repetitions, equal in all but what they
 * read. */
typedef struct EchoRepeat {
  uint32_t first, period, n;
  uint32_t cut, n_cut; /* repetitions [cut, cut + n_cut) are left out */
} EchoRepeat;

typedef struct EchoFold {
  EchoGraph graph; /* with few repetitions */
  EchoBlockInterface interface;
  EchoCandidates candidates;
  uint32_t *run_of; /* by node of the whole graph: which repeat it is of; ECHO_NONE */
  uint32_t *index;  /* by node of the whole graph: its number without constants; ECHO_NONE */
  uint32_t *nodes;  /* and back */
  uint32_t n_nodes;
  uint32_t *numbers; /* by value of the whole graph: its number in this one; ECHO_NONE: it went */
  ECHO_VECTOR(EchoRepeat) repeats;
} EchoFold;

/* False where too little repeats; the fold is then empty. Destroy with echo_fold_destroy in either
 * case; it lives in the scratch arena of `whole`. O((nodes + operands) log n). */
bool echo_fold_create(EchoFold *fold, const EchoCandidates *whole,
                      const EchoBlockInterface *interface, const EchoFusionOptions *fusion,
                      const EchoDeviceModel *device);
void echo_fold_destroy(EchoFold *fold);

/* The folded choice carried over to a choice of nothing on the whole graph: each repetition decides
 * as the one of the folded graph that stands as far along. */
void echo_fold_carry(const EchoFold *fold, const EchoCandidates *whole, const EchoChoice *folded,
                     EchoChoice *choice);

#endif
