/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to planning/offsets: which items meet, by time. A clique is a maximal set of items that
 * are live together; all that a plan must keep apart lies within cliques, so there are fewer of
 * them than sections. Not a plan: nothing here changes during a search. */
#ifndef ECHO_PLANNING_OFFSETS_CLIQUES_T_H
#define ECHO_PLANNING_OFFSETS_CLIQUES_T_H

#include "planning/offsets/problem_t.h"

typedef struct EchoOffsetNeighbor {
  uint32_t item;
  uint64_t rise; /* how far above the owner's base the neighbor's lies at least, if above it */
} EchoOffsetNeighbor;

typedef struct EchoOffsetCliques {
  uint32_t n;
  /* by clique, with one more at the end: members[first_member[c] .. first_member[c + 1]) */
  uint32_t *first_member;
  uint32_t *members;
  /* by item: its hull in cliques; neighbors[first_neighbor[i] .. first_neighbor[i + 1]) */
  uint32_t *begin, *end;
  uint32_t *first_neighbor;
  EchoOffsetNeighbor *neighbors;
  uint32_t *clique_of_section;
} EchoOffsetCliques;

/* False when some item's bytes do not begin at its base everywhere (then who lies above whom is no
 * order), or when too many items meet. All lives in `arena`. O(n log n + k) for k meetings. */
bool echo_offset_cliques_create(EchoOffsetCliques *cliques, const EchoOffsetProblem *problem,
                                EchoArena *arena);

#endif
