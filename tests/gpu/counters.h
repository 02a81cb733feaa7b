/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the launches of one kernel did: the figures by which kernels are judged where there is no
 * clock to do it. */
#ifndef ECHO_TESTS_GPU_COUNTERS_H
#define ECHO_TESTS_GPU_COUNTERS_H

#include "jit/runtime/cuda/counters.h"

typedef EchoCudaCounters Counters;

enum { SECTOR_BYTES = 32, L1_SECTORS = 4096 };

/* Sectors that the block's multiprocessor has near: 128 KiB, one place for each sector, empty when
 * a block begins. */
typedef struct L1 {
  uint64_t sectors[L1_SECTORS]; /* sector * 2^24 + block's number, the low bits of it; 0 = none */
  uint32_t block;
} L1;

/* True when the sector is there; else it is from now on. */
static inline bool l1_has(L1 *l1, uint64_t sector)
{
  uint64_t *place = &l1->sectors[sector % L1_SECTORS];
  uint64_t tag = sector << 24 | (l1->block & 0xffffff);
  if (*place == tag)
    return true;
  *place = tag;
  return false;
}

#endif
