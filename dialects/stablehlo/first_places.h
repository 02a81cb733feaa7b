/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a processor finds the first places of a row that is not sorted (ECHO_SORT_FIRST_ATTR), in the
 * numbers that its kernel (lowering/kernels/first_places.c) and its cost (cost.c) both go by. */
#ifndef ECHO_DIALECTS_STABLEHLO_FIRST_PLACES_H
#define ECHO_DIALECTS_STABLEHLO_FIRST_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* Most places that are held in order. What goes among k of them is compared with all, and moves
   * them, in vectors; gathered, and sorted with 4 k others, it takes 5/4 log2(5 k) steps that wait
   * for each other. Measured with 16 to a vector (bench/results/sorting.md), both took as long at
   * k = 100 where every element goes in front, at 200 where the order is random. */
  ECHO_SORT_HELD = 64,
  /* Elements that are looked at before it is asked whether there is room for more. */
  ECHO_SORT_BLOCK = 16,
  /* Elements of a sample, a power of four, and of the row for each of them at least. */
  ECHO_SORT_SAMPLE = 256,
  ECHO_SORT_SAMPLED = 4
};

/* How many elements stand in a row at most that is gathered: those that are kept, and as many that
 * came before the last of them; four times as many, so that little of what is sorted was sorted
 * before. */
static inline int64_t echo_sort_capacity(int64_t first)
{
  return first + (first > 2 * ECHO_SORT_BLOCK / 4 ? 4 * first : 2 * ECHO_SORT_BLOCK);
}

/* Whether a row is long enough for a sample to be little work beside it. */
static inline bool echo_sort_has_sample(int64_t length, int64_t first)
{
  return length >= (int64_t)ECHO_SORT_SAMPLED * ECHO_SORT_SAMPLE &&
         echo_sort_capacity(first) >= ECHO_SORT_SAMPLE;
}

/* The place of the sample, in order, of which so many of all come before it that the first places
 * are among them: those that are expected in the sample, and twice what that may be off by. */
static inline int64_t echo_sort_place_in_sample(int64_t length, int64_t first)
{
  int64_t expected = first * ECHO_SORT_SAMPLE / length, off = 1;
  while (off * off < expected)
    ++off;
  int64_t place = expected + 2 * off;
  return place < ECHO_SORT_SAMPLE ? place : ECHO_SORT_SAMPLE - 1;
}

#ifdef __cplusplus
}
#endif

#endif
