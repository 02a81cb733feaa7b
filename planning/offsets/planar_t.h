/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Planar embedding of a biconnected multigraph: its faces, or the answer that it has none. The
 * invariant: every edge lies once forwards and once backwards on the boundary of a face, and every
 * face is a simple cycle. Not a general planarity test: a graph that is not biconnected must be
 * completed first. */
#ifndef ECHO_PLANNING_OFFSETS_PLANAR_T_H
#define ECHO_PLANNING_OFFSETS_PLANAR_T_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct EchoPlanarEdge {
  uint32_t from, to;
} EchoPlanarEdge;

/* The face on whose boundary an edge lies in its own direction, and against it. */
typedef struct EchoPlanarSides {
  uint32_t forward, backward;
} EchoPlanarSides;

/* n_vertices >= 2; edges[0] must lie on a cycle (any edge of a biconnected graph with two edges
 * does); no self loops.
 *   sides    by edge; faces are numbered from 0. Written when true comes back
 *   arena    scratch, freed by the caller
 *   returns  false when the graph is not planar
 *   cost     O(n m / 64) with n vertices and m edges, in practice far less than the classic O(n m)
 *   source   Demoucron, Malgrange and Pertuiset 1964 */
bool echo_planar_embed(uint32_t n_vertices, const EchoPlanarEdge *edges, uint32_t n_edges,
                       EchoArena *arena, EchoPlanarSides *sides, uint32_t *n_faces);

#endif
