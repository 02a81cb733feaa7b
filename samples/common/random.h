/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A counter-based generator: the same numbers on every machine, in any order of asking. */
#ifndef ECHO_SAMPLES_COMMON_RANDOM_H
#define ECHO_SAMPLES_COMMON_RANDOM_H

#include <stdint.h>

/* splitmix64's finalizer (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t sample_hash(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* In [0, 1), 24 bits. */
static inline float sample_uniform(uint64_t seed, uint64_t i)
{
  return (float)(sample_hash(sample_hash(seed) ^ i) >> 40) * 0x1p-24f;
}

#endif
