/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the launches of one kernel did: the figures by which kernels are judged where there is no
 * clock to do it. */
#ifndef ECHO_TESTS_GPU_COUNTERS_H
#define ECHO_TESTS_GPU_COUNTERS_H

#include "jit/runtime/cuda/counters.h"

typedef EchoCudaCounters Counters;

enum { SECTOR_BYTES = 32, L1_SETS = 1024, L1_WAYS = 4 };

/* Sectors that the block's multiprocessor has near: 128 KiB in sets of four, of which the one that
 * was used longest ago goes first; empty when a block begins. Which set a sector is of is hashed,
 * as in the hardware: arrays that lie at the same offset in their allocations do not meet. */
typedef struct L1 {
  uint64_t sectors[L1_SETS][L1_WAYS]; /* sector * 2^24 + block's number, the low bits of it; 0 =
                                         none; the last one used first */
  uint32_t block;
} L1;

/* True when the sector is there; else it is from now on. */
static inline bool l1_has(L1 *l1, uint64_t sector)
{
  uint64_t *set = l1->sectors[(sector * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
  uint64_t tag = sector << 24 | (l1->block & 0xffffff);
  int at = 0;
  while (at < L1_WAYS - 1 && set[at] != tag)
    at++;
  bool is_there = set[at] == tag;
  for (; at > 0; at--)
    set[at] = set[at - 1];
  set[0] = tag;
  return is_there;
}

#endif
