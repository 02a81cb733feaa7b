/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Minimum s-t cuts of directed networks with integer capacities. The invariant: the value is exact,
 * and of all minimum cuts the one nearest the chosen terminal comes back, so results do not depend
 * on edge order. Not a general flow library: the flow itself is not handed out. */
#ifndef ECHO_PLANNING_CUTS_MIN_CUT_H
#define ECHO_PLANNING_CUTS_MIN_CUT_H

#include "base/bitset.h"
#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No cut goes through such an edge. */
#define ECHO_FLOW_INFINITE UINT64_MAX

typedef struct EchoFlowEdge {
  uint32_t from, to;
  uint64_t capacity;
} EchoFlowEdge;

/* A zero-initialised network is empty and ready. Nodes are numbered from 0. */
typedef struct EchoFlowNetwork {
  uint32_t n_nodes;
  ECHO_VECTOR(EchoFlowEdge) edges;
} EchoFlowNetwork;

/* Which of the minimum cuts: the fewest nodes on the source's side, or the fewest on the sink's. */
typedef enum EchoCutSide { ECHO_CUT_NEAR_SOURCE, ECHO_CUT_NEAR_SINK } EchoCutSide;

typedef struct EchoMinCut {
  uint64_t value; /* sum of the capacities cut; ECHO_FLOW_INFINITE when no finite cut exists */
  EchoBitset source_side; /* a bit a node; meaningless when the value is infinite */
} EchoMinCut;

void echo_flow_destroy(EchoFlowNetwork *network);
uint32_t echo_flow_add_node(EchoFlowNetwork *network);
/* A node that costs `capacity` to cut: two nodes and the edge between them. Returns the node that
 * edges enter; edges leave from that plus one. It is cut when the first is on the source's side and
 * the second is not. */
uint32_t echo_flow_add_split_node(EchoFlowNetwork *network, uint64_t capacity);
static inline uint32_t echo_flow_split_exit(uint32_t entry)
{
  return entry + 1;
}
/* Zero capacities and self loops are dropped; parallel edges add up. */
void echo_flow_add_edge(EchoFlowNetwork *network, uint32_t from, uint32_t to, uint64_t capacity);

/* The cut between `source` and `sink`, which differ. The caller destroys cut->source_side. The
 * finite capacities must sum to less than 2^63 (checked).
 *   returns  false when every cut is infinite
 *   cost     O(V^2 sqrt(E)) at worst, near linear on the graphs of this compiler
 *   source   highest-label push-relabel with global and gap relabelling: Cherkassky and Goldberg
 *            1997 */
bool echo_flow_min_cut(const EchoFlowNetwork *network, uint32_t source, uint32_t sink,
                       EchoCutSide side, EchoMinCut *cut);
static inline void echo_min_cut_destroy(EchoMinCut *cut)
{
  echo_bitset_destroy(&cut->source_side);
}
static inline bool echo_min_cut_on_source_side(const EchoMinCut *cut, uint32_t node)
{
  return echo_bitset_has(&cut->source_side, node);
}

#ifdef __cplusplus
}
#endif

#endif
