/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decisions out of a fuzzer's bytes: each takes the next byte or two, and 0 once they are spent, so
 * that every input means one graph and a change of one byte changes one decision. */
#ifndef ECHO_TESTS_FUZZ_GRAPH_FUZZ_DRAW_H
#define ECHO_TESTS_FUZZ_GRAPH_FUZZ_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
  const uint8_t *data;
  size_t size, at;
} Bytes;

static inline bool bytes_left(const Bytes *bytes)
{
  return bytes->at < bytes->size;
}

/* In [0, n). */
static inline uint32_t draw(Bytes *bytes, uint32_t n)
{
  uint32_t value = 0;
  for (uint32_t range = 1; range < n; range <<= 8)
    value = value << 8 | (bytes_left(bytes) ? bytes->data[bytes->at++] : 0);
  return n != 0 ? value % n : 0;
}

/* In [low, high]. */
static inline int64_t draw_between(Bytes *bytes, int64_t low, int64_t high)
{
  return low + (int64_t)draw(bytes, (uint32_t)(high - low + 1));
}

#endif
