/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which parts of a chain to keep, and which to compute again how often, so that its backward part
 * takes the least time in so much memory: several levels of checkpoints. Links 0 .. n - 1 run
 * forward; then each has its turn, the last one first, and in it reads what crosses from the link
 * before and what the link holds inside. Not a planner of graphs: a graph is first brought to a
 * chain. One level of checkpoints in linear time: planning/cuts/chain.h.
 *   source   Griewank, Walther: revolve (TOMS 2000); Beaumont et al.: rotor (arXiv 1911.13214),
 *            here with a link's own output counted until its turn */
#ifndef ECHO_PLANNING_CUTS_LEVELS_H
#define ECHO_PLANNING_CUTS_LEVELS_H

#include "base/arena.h"
#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes in units that the caller chooses. */
typedef struct EchoLevelLink {
  uint32_t out;       /* what crosses to the next link; the last hands on nothing */
  uint32_t out_read;  /* of it, what the link's own turn still reads */
  uint32_t inner;     /* what its turn reads beside, kept since the link ran */
  uint32_t again;     /* the same, computed again for the turn */
  uint32_t beside;    /* what stands beside the chain during the turn, */
  uint32_t beside_in; /* and when the turn begins */
  float ns;           /* of running the link as a whole, */
  float inner_ns;     /* and only for what its turn reads */
} EchoLevelLink;

/* Links first .. last are run again when the turn of link `turn` begins; what crosses behind the
 * last of them stays until that one's turn. */
typedef struct EchoLevelRun {
  uint32_t first, last, turn;
  bool keeps_inner; /* of one link, so does what it holds inside */
} EchoLevelRun;

/* What the forward part keeps of a link. */
typedef struct EchoLevelKept {
  bool out, inner;
} EchoLevelKept;

typedef struct EchoLevels {
  const EchoLevelLink *links;
  uint32_t n_links, n_units;
  float *forward; /* [link * (n_units + 1) + units]: least time of the turns from that link on */
  float *again;   /* [(first, last) * (n_units + 1) + units]: of those links, first not yet run */
  ECHO_VECTOR(EchoLevelRun) runs; /* of the plan found last, in order of time */
} EchoLevels;

/* The tables for all amounts of memory from 0 to n_units. They live in `arena`, and so must the
 * links; destroy frees the rest. Time and space: links^3 and links^2 times units over 6 and 2. */
void echo_levels_create(EchoLevels *levels, const EchoLevelLink *links, uint32_t n_links,
                        uint32_t n_units, EchoArena *arena);
void echo_levels_destroy(EchoLevels *levels);

/* The time of what runs again in so many units; infinite where there is no plan. */
float echo_levels_ns(const EchoLevels *levels, uint32_t units);

/* The plan of that time: what is kept of each link, and levels->runs. There must be one. */
void echo_levels_plan(EchoLevels *levels, uint32_t units, EchoLevelKept *kept);

#ifdef __cplusplus
}
#endif

#endif
