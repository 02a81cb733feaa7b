/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/bitset.h"

#include <string.h>

#include "base/panic.h"

static size_t n_words(const EchoBitset *set)
{
  return set->n_bits / 64 + (set->n_bits % 64 != 0);
}

void echo_bitset_create(EchoBitset *set, size_t n_bits)
{
  set->n_bits = n_bits;
  set->words = echo_alloc_zero(n_words(set), sizeof(uint64_t));
}

void echo_bitset_destroy(EchoBitset *set)
{
  echo_free(set->words);
  *set = (EchoBitset){0};
}

void echo_bitset_clear_all(EchoBitset *set)
{
  if (set->n_bits != 0)
    memset(set->words, 0, n_words(set) * sizeof(uint64_t));
}

size_t echo_bitset_count(const EchoBitset *set)
{
  size_t count = 0;
  for (size_t i = 0; i < n_words(set); ++i)
    count += (size_t)__builtin_popcountll(set->words[i]);
  return count;
}

size_t echo_bitset_next(const EchoBitset *set, size_t from)
{
  if (from >= set->n_bits)
    return set->n_bits;
  size_t word = from / 64;
  uint64_t bits = set->words[word] & (UINT64_MAX << (from % 64));
  while (bits == 0)
    if (++word < n_words(set))
      bits = set->words[word];
    else
      return set->n_bits;
  return word * 64 + (size_t)__builtin_ctzll(bits);
}

bool echo_bitset_union(EchoBitset *target, const EchoBitset *source)
{
  ECHO_CHECK(target->n_bits == source->n_bits, "union of bit sets over %zu and %zu bits",
             target->n_bits, source->n_bits);
  uint64_t added = 0;
  for (size_t i = 0; i < n_words(target); ++i) {
    added |= source->words[i] & ~target->words[i];
    target->words[i] |= source->words[i];
  }
  return added != 0;
}
