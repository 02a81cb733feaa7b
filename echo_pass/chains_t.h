/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to echo_pass/: pieces of what a choice computes again, and the places where little of one
 * crosses to what comes later. */
#ifndef ECHO_ECHO_PASS_CHAINS_T_H
#define ECHO_ECHO_PASS_CHAINS_T_H

#include "echo_pass/choice.h"

#define ECHO_MIN_CHAIN_LINKS 4

/* Recomputed values by piece: values of piece p are list[first[p] .. first[p + 1]), ascending. */
typedef struct EchoPieces {
  uint32_t *list, *first;
  uint32_t n_pieces;
} EchoPieces;

/* One value of a piece, and what crosses to later ones behind it. */
typedef struct EchoPlace {
  uint64_t bytes;
  uint64_t identity; /* sum of the numbers of what crosses: equal sets have equal sums */
  uint32_t count;
  uint32_t last_use; /* place of the last value of the piece that is computed from this one */
} EchoPlace;

/* One piece, cut into links. */
typedef struct EchoPiece {
  const EchoGraph *graph;
  const uint32_t *values;
  uint32_t n_values;
  EchoPlace *places; /* of the values */
  uint32_t *ends;    /* of links, by place, rising; behind the last there is one more link */
  uint32_t n_ends;
} EchoPiece;

/* Each recomputed value's piece becomes its group. In the candidates' scratch arena. */
EchoPieces echo_pieces_list(EchoChoice *choice, const EchoCandidates *candidates);
/* Piece p with its links; without ends where it takes no more than `min_bytes` or has few links. A
 * link ends where as few values cross as anywhere, or, with `reaches_all`, where few enough do that
 * no link holds a large part of the piece: what crosses may then differ from link to link. */
EchoPiece echo_piece_cut(const EchoPieces *pieces, uint32_t p, const EchoChoice *choice,
                         const EchoCandidates *candidates, uint64_t min_bytes, bool reaches_all);
/* The first end at or behind a place; n_ends where there is none: the link that the place is in. */
uint32_t echo_piece_link(const EchoPiece *piece, uint32_t place);

#endif
