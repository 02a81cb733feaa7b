/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which layers of a chain to keep so that training it takes the least memory: the planners of Hong
 * et al. (arXiv 2502.12499). The invariant: every planner's set holds layer 0 and layer n, and the
 * peak that is reported is echo_chain_peak of that set. Not a planner of general graphs: a graph is
 * first brought to the chain of its articulation points.
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

/* Longest chains that the slower planners take, in layers. */
#define ECHO_CHAIN_MAX_BRUTE 24
#define ECHO_CHAIN_MAX_CUBIC 2048
#define ECHO_CHAIN_MAX_QUADRATIC 65536

/* True when no sum of this chain can overflow: 4 * (sum of bytes) < 2^63. The planners check it.
 * O(n). */
bool echo_chain_is_bounded(const uint64_t *bytes, size_t n_layers);

/* The peak of `set` by the formula above, in bytes. O(n). */
uint64_t echo_chain_peak(const uint64_t *bytes, size_t n_layers, const EchoChainSet *set);

/* What keeping everything takes: all outputs and the largest gradient buffer. O(n). */
uint64_t echo_chain_store_all_bytes(const uint64_t *bytes, size_t n_layers);

/* The planners. n_layers >= 1 counts layer 0; `set` is overwritten, and freed by the caller with
 * echo_vector_destroy. All but the last two reach the least peak. Of equal choices for the next
 * checkpoint the nearest is taken, and then every layer that the least peak leaves room for is kept
 * too, from the last layer to the first: less recompute at the same peak. So linear and quadratic
 * give the same set. */
void echo_chain_linear(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);    /* O(n) */
void echo_chain_quadratic(const uint64_t *bytes, size_t n_layers, EchoChainSet *set); /* O(n^2) */
/* Every set; of those with the least peak the one with the most checkpoints, then the
 * lexicographically first. O(2^n n), n_layers <= ECHO_CHAIN_MAX_BRUTE. */
void echo_chain_brute(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);
/* The earlier objective: least (sum of checkpoints) + (largest segment), with the most checkpoints.
 * Its peak by the formula above is no better than the others'. O(n^3), n_layers <=
 * ECHO_CHAIN_MAX_CUBIC. */
void echo_chain_cubic(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);
/* The customary baseline: every ceil(sqrt(n))-th layer, n = n_layers - 1, and the last. O(n). */
void echo_chain_sqrt_n(size_t n_layers, EchoChainSet *set);

#ifdef __cplusplus
}
#endif

#endif
