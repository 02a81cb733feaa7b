/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places in ascending numbers. */
#ifndef ECHO_BASE_SEARCH_H
#define ECHO_BASE_SEARCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first of n ascending numbers that is not below `wanted`; n where all are. O(log n). */
#define ECHO_LOWER_BOUND(name, type)                                                               \
  static inline uint32_t name(const type *numbers, uint32_t n, type wanted)                        \
  {                                                                                                \
    uint32_t low = 0, high = n;                                                                    \
    while (low < high) {                                                                           \
      uint32_t middle = low + (high - low) / 2;                                                    \
      if (numbers[middle] < wanted)                                                                \
        low = middle + 1;                                                                          \
      else                                                                                         \
        high = middle;                                                                             \
    }                                                                                              \
    return low;                                                                                    \
  }
ECHO_LOWER_BOUND(echo_lower_bound, uint32_t)
ECHO_LOWER_BOUND(echo_lower_bound_i64, int64_t)
#undef ECHO_LOWER_BOUND

#ifdef __cplusplus
}
#endif

#endif
