/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The counter-based generators behind rng_bit_generator, and which word of which block each element
 * is. StableHLO leaves the bits to the implementation; these are ours on every target.
 *
 *   state       ui64[2] = {key, counter}; for Philox also ui64[3] = {key, counter low, and high}
 *   block b     the generator applied to key and counter + b
 *   THREE_FRY   two 32-bit words a block. 32-bit elements (and narrower ones, low bits) of n:
 *               element i < h = ceil(n/2) is word 0 of block i, else word 1 of block i - h;
 *               64-bit: word 0 | word 1 << 32 of block i
 *   PHILOX      four words a block. 32-bit: word i % 4 of block i / 4;
 *               64-bit: words 2(i % 2), 2(i % 2) + 1 of block i / 2
 *   DEFAULT     PHILOX
 *   new state   the counter moved past the blocks used
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011). */
#ifndef ECHO_DIALECTS_STABLEHLO_EVALUATE_RANDOM_H
#define ECHO_DIALECTS_STABLEHLO_EVALUATE_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 20 rounds of Threefry-2x32; in and out may be the same. */
void echo_threefry_2x32(const uint32_t key[2], const uint32_t counter[2], uint32_t words[2]);
/* 10 rounds of Philox-4x32. */
void echo_philox_4x32(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]);

#ifdef __cplusplus
}
#endif

#endif
