/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Live bytes over program positions [0, n): range add, maximum and where it stands, with undo. The
 * invariant: after undo to a checkpoint every position holds what it held then. Not a plan of
 * offsets: it knows sums of sizes only, which bound a plan from below (planning/offsets/offsets.h
 * finds the plan). */
#ifndef ECHO_PLANNING_SWAP_PROFILE_T_H
#define ECHO_PLANNING_SWAP_PROFILE_T_H

#include "base/vector.h"

#include <stdbool.h>

typedef struct EchoProfileNode {
  int64_t max_bytes; /* maximum below this node, its own `add_bytes` included */
  int64_t add_bytes; /* pending on all positions below */
} EchoProfileNode;

typedef struct EchoProfileChange {
  size_t begin, end;
  int64_t bytes;
} EchoProfileChange;

typedef struct EchoProfile {
  size_t n_positions, n_leaves; /* n_leaves is a power of two */
  EchoProfileNode *nodes;       /* a heap: node 1 is the root, the children of i are 2i and 2i+1 */
  ECHO_VECTOR(EchoProfileChange) journal;
} EchoProfile;

/* All positions zero, or `bytes[0 .. n_positions)` when given. n_positions >= 1. O(n). */
void echo_profile_create(EchoProfile *profile, size_t n_positions);
void echo_profile_create_from(EchoProfile *profile, const int64_t *bytes, size_t n_positions);
void echo_profile_destroy(EchoProfile *profile);

/* Adds `bytes` (negative: takes away) to positions [begin, end); empty ranges do nothing. O(log n).
 */
void echo_profile_add(EchoProfile *profile, size_t begin, size_t end, int64_t bytes);

int64_t echo_profile_at(const EchoProfile *profile, size_t position); /* O(log n) */
int64_t echo_profile_max(const EchoProfile *profile);                 /* O(1) */
size_t echo_profile_argmax(const EchoProfile *profile);               /* the leftmost; O(log n) */
/* Over [begin, end), which must not be empty. O(log n). */
int64_t echo_profile_max_in(const EchoProfile *profile, size_t begin, size_t end);
size_t echo_profile_argmax_in(const EchoProfile *profile, size_t begin, size_t end);
/* The first position at or after `from` that holds more than `bytes`, or n_positions. O(log n). */
size_t echo_profile_next_above(const EchoProfile *profile, size_t from, int64_t bytes);

/* A checkpoint names the present state; undo goes back to it, in O(log n) a change made since.
 * Checkpoints nest. */
size_t echo_profile_checkpoint(const EchoProfile *profile);
void echo_profile_undo(EchoProfile *profile, size_t checkpoint);
/* Forgets the journal: all earlier checkpoints become invalid. */
void echo_profile_commit(EchoProfile *profile);

#endif
