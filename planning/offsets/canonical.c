/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One plan for all lifetimes that conflict alike. Times become numbers of the cliques between them
 * (a block that starts after another has ended opens a new one), blocks stand in order of time and
 * size: what is left is the conflicts themselves. */
#include <stdlib.h>

#include "base/memory.h"
#include "planning/offsets/offsets.h"

typedef struct Endpoint {
  int64_t time;
  size_t block;
  bool is_start;
} Endpoint;

static int by_time(const void *a, const void *b)
{
  const Endpoint *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->is_start != y->is_start)
    return x->is_start ? 1 : -1; /* what ends makes room for what starts */
  return x->block < y->block ? -1 : x->block > y->block;
}

static void number_cliques(EchoOffsetBlock *blocks, size_t n)
{
  Endpoint *endpoints = echo_alloc_array(2 * n + 1, sizeof *endpoints);
  size_t n_endpoints = 0;
  int64_t clique = 0;
  bool has_ended = false;
  for (size_t i = 0; i < n; ++i) {
    bool takes_room = blocks[i].lower < blocks[i].upper && blocks[i].size_bytes != 0;
    if (!takes_room) {
      blocks[i].lower = blocks[i].upper = 0;
      continue;
    }
    endpoints[n_endpoints++] = (Endpoint){blocks[i].lower, i, true};
    endpoints[n_endpoints++] = (Endpoint){blocks[i].upper, i, false};
  }
  qsort(endpoints, n_endpoints, sizeof *endpoints, by_time);
  for (size_t e = 0; e < n_endpoints; ++e) {
    EchoOffsetBlock *block = &blocks[endpoints[e].block];
    if (endpoints[e].is_start) {
      clique += has_ended;
      has_ended = false;
      block->lower = clique;
    } else {
      block->upper = clique + 1;
      has_ended = true;
    }
  }
  echo_free(endpoints);
}

typedef struct Sorted {
  const EchoOffsetBlock *block;
  size_t index;
} Sorted;

static int by_block(const void *a, const void *b)
{
  const Sorted *x = a, *y = b;
  if (x->block->lower != y->block->lower)
    return x->block->lower < y->block->lower ? -1 : 1;
  if (x->block->upper != y->block->upper)
    return x->block->upper < y->block->upper ? -1 : 1;
  if (x->block->size_bytes != y->block->size_bytes)
    return x->block->size_bytes > y->block->size_bytes ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

bool echo_offsets_assign_canonical(const EchoOffsetBlock *blocks, size_t n_blocks,
                                   const EchoOffsetOptions *options, uint64_t *offsets,
                                   EchoOffsetResult *result, EchoBuffer *error)
{
  EchoOffsetBlock *numbered = echo_alloc_array(n_blocks + 1, sizeof *numbered);
  EchoOffsetBlock *ordered = echo_alloc_array(n_blocks + 1, sizeof *ordered);
  uint64_t *ordered_offsets = echo_alloc_array(n_blocks + 1, sizeof *ordered_offsets);
  Sorted *sorted = echo_alloc_array(n_blocks + 1, sizeof *sorted);
  for (size_t i = 0; i < n_blocks; ++i) {
    numbered[i] = blocks[i];
    sorted[i] = (Sorted){&numbered[i], i};
  }
  number_cliques(numbered, n_blocks);
  qsort(sorted, n_blocks, sizeof *sorted, by_block);
  for (size_t i = 0; i < n_blocks; ++i)
    ordered[i] = *sorted[i].block;
  bool is_fine = echo_offsets_assign(ordered, n_blocks, options, ordered_offsets, result, error);
  for (size_t i = 0; i < n_blocks && is_fine; ++i)
    offsets[sorted[i].index] = ordered_offsets[i];
  echo_free(numbered);
  echo_free(ordered);
  echo_free(ordered_offsets);
  echo_free(sorted);
  return is_fine;
}
