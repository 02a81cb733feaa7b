/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A graph that the Echo pass made, written back into the block it came from. The invariant:
 * afterwards the block's graph is that graph, node for node. */
#ifndef ECHO_ECHO_PASS_REWRITE_T_H
#define ECHO_ECHO_PASS_REWRITE_T_H

#include "base/arena.h"
#include "planning/schedule/graph.h"

/* New nodes become ops: clones with echo.recompute, barriers; nodes that are gone are erased.
 * O(nodes + operands). */
void echo_rewrite_block(EchoBlock *block, const EchoGraph *graph, EchoArena *scratch);

#endif
