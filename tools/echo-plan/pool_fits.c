/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Named orders in which blocks are placed one by one, to compare with: SmartPool's two (arXiv
 * 1903.06631, by size) and those that allocators and packers use. */
#include <stdlib.h>

#include "base/memory.h"
#include "tools/echo-plan/commands.h"

/* Larger keys are placed first. */
typedef double KeyFn(const EchoOffsetBlock *block, int64_t period);

static double by_size(const EchoOffsetBlock *block, int64_t period)
{
  (void)period;
  return (double)block->size_bytes;
}

/* When it begins; a block that wraps around is there from the iteration before. */
static double start_of(const EchoOffsetBlock *block, int64_t period)
{
  bool wraps = period != 0 && block->lower >= block->upper;
  return (double)block->lower - (wraps ? (double)period : 0);
}

static double by_lifetime(const EchoOffsetBlock *block, int64_t period)
{
  return (double)block->upper - start_of(block, period);
}

static double by_area(const EchoOffsetBlock *block, int64_t period)
{
  return by_size(block, period) * by_lifetime(block, period);
}

static double by_start(const EchoOffsetBlock *block, int64_t period)
{
  return -start_of(block, period);
}

static const struct {
  const char *name;
  KeyFn *key;
  EchoOffsetFit fit;
} fits[] = {
    {"first-fit", by_size, ECHO_FIT_FIRST},
    {"best-fit", by_size, ECHO_FIT_BEST}, /* the hole below the first block is one too */
    {"best-fit-area", by_area, ECHO_FIT_BEST},
    {"best-fit-lifetime", by_lifetime, ECHO_FIT_BEST},
    {"first-fit-start", by_start, ECHO_FIT_FIRST}, /* as an allocator at run time would */
    {"first-fit-lifetime", by_lifetime, ECHO_FIT_FIRST},
};

#define N_FITS (sizeof fits / sizeof *fits)

const char *plan_fit_name_or_null(size_t number)
{
  return number < N_FITS ? fits[number].name : NULL;
}

typedef struct Ranked {
  double key;
  uint64_t size;
  int64_t lower;
  uint32_t block;
} Ranked;

static int compare_ranked(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  if (x->lower != y->lower)
    return x->lower < y->lower ? -1 : 1;
  return (x->block > y->block) - (x->block < y->block);
}

bool plan_fit(size_t number, const EchoOffsetBlock *blocks, size_t n_blocks, int64_t period,
              uint64_t *offsets, EchoOffsetResult *result, EchoBuffer *error)
{
  Ranked *ranked = echo_alloc_array(n_blocks + 1, sizeof *ranked);
  uint32_t *order = echo_alloc_array(n_blocks + 1, sizeof *order);
  for (size_t b = 0; b < n_blocks; b++)
    ranked[b] = (Ranked){fits[number].key(&blocks[b], period), blocks[b].size_bytes,
                         blocks[b].lower, (uint32_t)b};
  qsort(ranked, n_blocks, sizeof *ranked, compare_ranked);
  for (size_t k = 0; k < n_blocks; k++)
    order[k] = ranked[k].block;
  bool fine =
      echo_offsets_fit(blocks, n_blocks, period, order, fits[number].fit, offsets, result, error);
  echo_free(ranked);
  echo_free(order);
  return fine;
}
