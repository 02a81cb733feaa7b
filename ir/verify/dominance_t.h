/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The dominator tree of one region, for passes of ir/ that walk it. */
#ifndef ECHO_IR_VERIFY_DOMINANCE_T_H
#define ECHO_IR_VERIFY_DOMINANCE_T_H

#include "ir/verify/dominance.h"

/* Blocks that can be reached from the entry, in reverse post-order of the control flow graph; the
 * entry is number 0. */
typedef struct EchoDomTree {
  EchoBlock **blocks;
  uint32_t *idom;          /* immediate dominator of each; the entry's is 0 */
  uint32_t *enter, *leave; /* pre-order interval in the dominator tree: a dominates b iff enter[a]
                              <= enter[b] < leave[a] */
  uint32_t *preorder; /* blocks in pre-order of the dominator tree; children in reverse post-order
                         of the graph */
  uint32_t n_blocks;
  EchoMap numbers; /* EchoBlock * -> number */
} EchoDomTree;

/* The region's tree, built on first use in O(blocks + edges) for reducible graphs. */
const EchoDomTree *echo_dominance_tree(EchoDominance *dominance, EchoRegion *region);

/* The same as echo_dominance_value when `at`, the user or the op around it, lies in the value's
 * region. O(1) amortised. */
bool echo_dominance_value_at(EchoDominance *dominance, const EchoValue *value, EchoOp *at);

#endif
