/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which layers of a chain to keep so that training it takes the least memory, by the revised
 * objective of Hong et al. (arXiv 2502.12499). The invariant: a set holds layer 0 and layer n, and
 * the peak that is reported is echo_chain_peak of that set. Not a planner of general graphs: a
 * graph is first brought to the chain of its articulation points. The slower planners of the paper
 * and its baselines are echo-plan's own (tools/echo-plan/chain_planners.h).
 *
 * A chain has layers 0 .. n; bytes[i] is the size of layer i's output, layer 0 being the input.
 * Between neighbouring checkpoints h < i the layers are recomputed as one segment, which takes s(h,
 * i) = sum of bytes[k], h < k < i, plus the largest bytes[k], h <= k < i  (the gradient buffer).
 * Later checkpoints are free by then, so the peak of a set C is
 *   max over neighbours h < i in C of (sum of bytes[c], c in C, c <= h) + s(h, i) + bytes[i]
 * and (sum over all of C) + bytes[n] for the gradient of the last layer. All sums must stay below
 * 2^63. */
#ifndef ECHO_PLANNING_CUTS_CHAIN_H
#define ECHO_PLANNING_CUTS_CHAIN_H

#include "base/vector.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef ECHO_VECTOR(size_t) EchoChainSet; /* checkpoints, rising */

/* True when no sum of this chain can overflow: 4 * (sum of bytes) < 2^63. The planner checks it.
 * O(n). */
bool echo_chain_is_bounded(const uint64_t *bytes, size_t n_layers);

/* The peak of `set` by the formula above, in bytes. O(n). */
uint64_t echo_chain_peak(const uint64_t *bytes, size_t n_layers, const EchoChainSet *set);

/* A set that reaches the least peak. n_layers >= 1 counts layer 0; `set` is overwritten, and freed
 * by the caller with echo_vector_destroy. Of equal choices for the next checkpoint the nearest is
 * taken, and then echo_chain_keep_more. O(n). */
void echo_chain_linear(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);

/* Adds to the set every layer that its peak leaves room for, from the last layer to the first: less
 * recompute at the same peak. O(n). */
void echo_chain_keep_more(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);

#ifdef __cplusplus
}
#endif

#endif
