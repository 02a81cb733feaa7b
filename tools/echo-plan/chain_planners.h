/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The planners of a chain that the compiler does not use: the slower ones of Hong et al. (arXiv
 * 2502.12499) and the baselines that their tables compare with. Chains, sets and peaks are those of
 * planning/cuts/chain.h, whose linear planner is the one to use. */
#ifndef ECHO_TOOLS_ECHO_PLAN_CHAIN_PLANNERS_H
#define ECHO_TOOLS_ECHO_PLAN_CHAIN_PLANNERS_H

#include "planning/cuts/chain.h"

/* Longest chains that they take, in layers. */
#define CHAIN_MAX_BRUTE 24
#define CHAIN_MAX_CUBIC 2048
#define CHAIN_MAX_QUADRATIC 65536

/* As echo_chain_linear, and the same set. O(n^2). */
void chain_quadratic(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);
/* Every set; of those with the least peak the one with the most checkpoints, then the
 * lexicographically first. O(2^n n). */
void chain_brute(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);
/* The earlier objective: least (sum of checkpoints) + (largest segment), with the most checkpoints.
 * Its peak by echo_chain_peak is no better than the others'. O(n^3). */
void chain_cubic(const uint64_t *bytes, size_t n_layers, EchoChainSet *set);
/* The customary baseline: every ceil(sqrt(n))-th layer, n = n_layers - 1, and the last. O(n). */
void chain_sqrt_n(size_t n_layers, EchoChainSet *set);

/* What keeping everything takes: all outputs and the largest gradient buffer. O(n). */
uint64_t chain_store_all_bytes(const uint64_t *bytes, size_t n_layers);

#endif
