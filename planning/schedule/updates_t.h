/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a block returns beside the arena: updates of state, mostly. Whoever else reads an argument
 * whose storage a result takes runs before the kernel that writes it, or the result waits in the
 * arena; and what an update is made from is gone once it has run. Private to planning/schedule:
 * orders keep to it, legality does not ask for it. The invariant: no order gets a cycle by it. */
#ifndef ECHO_PLANNING_SCHEDULE_UPDATES_T_H
#define ECHO_PLANNING_SCHEDULE_UPDATES_T_H

#include "base/arena.h"
#include "planning/schedule/storage.h"

/* Nodes by node: those of node i are list[first[i]] up to list[first[i + 1]]. */
typedef struct EchoNodeLists {
  uint32_t *first, *list;
} EchoNodeLists;

typedef struct EchoUpdates {
  EchoNodeLists readers; /* of a writer: who runs before it */
  EchoNodeLists writers; /* of a reader: who waits for it */
  EchoNodeLists made; /* of what an update is made from: what can run, and is returned, by then */
  EchoNodeLists sources; /* of what an update returns: what it is made from */
  EchoNodeLists mates;   /* of what an update returns: what else it returns */
  bool *is_consumed;     /* by node: all that reads it is updates, so that nothing of it is left */
  /* what readers and writers come from: */
  struct EchoOverwrite *overwrites;
  uint32_t n_overwrites;
  bool *may_follow[2]; /* by node: it may run behind an update that something else waits for, and
                          one that nothing waits for */
} EchoUpdates;

/* Both live in `scratch`. O(nodes + operands + pairs). */
void echo_updates_create(EchoUpdates *updates, const EchoGraph *graph,
                         const EchoBlockInterface *interface, EchoArena *scratch);
/* Those of `permuted`, which has the nodes in this order: the same as from there. */
void echo_updates_permute(const EchoUpdates *updates, const EchoGraph *permuted,
                          const uint32_t *order, EchoUpdates *made, EchoArena *scratch);

#endif
