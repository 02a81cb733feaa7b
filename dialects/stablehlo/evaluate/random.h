/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The counter-based generators behind rng_bit_generator, and which word of which block each element
 * is. StableHLO leaves the bits to the implementation; ours are those of XLA, on every target.
 *
 *   state       ui64[2] = {key, counter}; for Philox also ui64[3] = {key, counter low, and high};
 * of two words, the key is the counter's high one block b     the generator applied to key and
 * counter + b THREE_FRY   two 32-bit words a block. 32-bit elements (and narrower ones, low bits)
 * are dealt out along one dimension: the first of an even size, else the largest (the first of
 *               equal ones). Elements 2k and 2k + 1 along it are words 0 and 1 of one block; blocks
 *               are counted row-major over the shape with that dimension halved, upwards.
 *               64-bit: word 0 | word 1 << 32 of block i
 *   PHILOX      four words a block. 32-bit: word i % 4 of block i / 4;
 *               64-bit: words 2(i % 2), 2(i % 2) + 1 of block i / 2
 *   DEFAULT     PHILOX
 *   new state   the counter moved past the blocks used
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011). */
#ifndef ECHO_DIALECTS_STABLEHLO_EVALUATE_RANDOM_H
#define ECHO_DIALECTS_STABLEHLO_EVALUATE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dimension along which THREE_FRY deals out its words; 0 for a scalar. */
size_t echo_threefry_dimension(const int64_t *dims, size_t rank);

/* 20 rounds of Threefry-2x32; in and out may be the same. */
void echo_threefry_2x32(const uint32_t key[2], const uint32_t counter[2], uint32_t words[2]);
/* 10 rounds of Philox-4x32. */
void echo_philox_4x32(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]);

#ifdef __cplusplus
}
#endif

#endif
