/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/kept_blocks_t.h"

#include <assert.h>
#include <sys/mman.h>

/* Stands at the beginning of the block itself. */
struct EchoKeptBlock {
  uint64_t size_bytes;
  EchoKeptBlock *newer, *older;             /* of all */
  EchoKeptBlock *newer_alike, *older_alike; /* of its bucket */
};

static_assert(ECHO_KEPT_BUCKETS == 1 << 6, "the highest six bits of a hash");

static EchoKeptBlock **bucket_of(EchoKeptBlocks *kept, uint64_t size_bytes)
{
  /* Fibonacci hashing (Knuth, volume 3, 6.4): 2^64 divided by the golden ratio. */
  return &kept->of_size[(size_bytes * 0x9e3779b97f4a7c15u) >> 58];
}

static void take_out(EchoKeptBlocks *kept, EchoKeptBlock *block)
{
  *(block->newer != NULL ? &block->newer->older : &kept->newest) = block->older;
  *(block->older != NULL ? &block->older->newer : &kept->oldest) = block->newer;
  *(block->newer_alike != NULL ? &block->newer_alike->older_alike
                               : bucket_of(kept, block->size_bytes)) = block->older_alike;
  if (block->older_alike != NULL)
    block->older_alike->newer_alike = block->newer_alike;
  kept->bytes -= block->size_bytes;
}

void *echo_kept_blocks_take_or_null(EchoKeptBlocks *kept, uint64_t size_bytes)
{
  EchoKeptBlock *block = *bucket_of(kept, size_bytes);
  while (block != NULL && block->size_bytes != size_bytes)
    block = block->older_alike;
  if (block != NULL)
    take_out(kept, block);
  return block;
}

enum { HUGE_PAGE = 2 << 20 };

void *echo_kept_block_create(uint64_t size_bytes, size_t alignment)
{
  return echo_alloc_aligned((size_t)size_bytes, size_bytes < HUGE_PAGE ? alignment : HUGE_PAGE);
}

/* Whole huge pages behind the first, which begins with what stands in the block, the system may
 * take when it is short of memory: that costs next to nothing, of other pages as much as to write
 * them. So what is smaller stays ours, as it would the C library's. A refusal leaves it all. */
static void offer_pages(char *memory, uint64_t size_bytes)
{
  uint64_t end = size_bytes / HUGE_PAGE * HUGE_PAGE;
  if (end > HUGE_PAGE)
    madvise(memory + HUGE_PAGE, (size_t)(end - HUGE_PAGE), MADV_FREE);
}

void echo_kept_blocks_keep(EchoKeptBlocks *kept, void *memory, uint64_t size_bytes)
{
  EchoKeptBlock *block = memory, **bucket = bucket_of(kept, size_bytes);
  *block = (EchoKeptBlock){size_bytes, NULL, kept->newest, NULL, *bucket};
  if (kept->newest != NULL)
    kept->newest->newer = block;
  else
    kept->oldest = block;
  if (*bucket != NULL)
    (*bucket)->newer_alike = block;
  kept->newest = *bucket = block;
  kept->bytes += size_bytes;
  offer_pages(memory, size_bytes);
}

void echo_kept_blocks_shrink(EchoKeptBlocks *kept, uint64_t max_bytes)
{
  while (kept->bytes > max_bytes) {
    EchoKeptBlock *oldest = kept->oldest;
    take_out(kept, oldest);
    echo_free(oldest);
  }
}
