/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fixed-size bit sets over [0, n_bits). */
#ifndef ECHO_BASE_BITSET_H
#define ECHO_BASE_BITSET_H

#include <stdbool.h>

#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoBitset {
  uint64_t *words;
  size_t n_bits;
} EchoBitset;

void echo_bitset_create(EchoBitset *set, size_t n_bits); /* all clear */
void echo_bitset_destroy(EchoBitset *set);
void echo_bitset_clear_all(EchoBitset *set);
size_t echo_bitset_count(const EchoBitset *set);
/* The first set bit at or after `from`, or n_bits. */
size_t echo_bitset_next(const EchoBitset *set, size_t from);
/* target |= source; true when target changed. Sizes are equal. */
bool echo_bitset_union(EchoBitset *target, const EchoBitset *source);

static inline bool echo_bitset_has(const EchoBitset *set, size_t bit)
{
  return (set->words[bit >> 6] >> (bit & 63)) & 1;
}
static inline void echo_bitset_set(EchoBitset *set, size_t bit)
{
  set->words[bit >> 6] |= UINT64_C(1) << (bit & 63);
}
static inline void echo_bitset_clear(EchoBitset *set, size_t bit)
{
  set->words[bit >> 6] &= ~(UINT64_C(1) << (bit & 63));
}

#ifdef __cplusplus
}
#endif

#endif
