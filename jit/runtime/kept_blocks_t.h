/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks of the host's memory that nobody uses, kept for the next buffer of their size: what the
 * system takes back it hands out again page by page, filled with zeros, which takes longer than
 * most kernels that write it. Until then large ones are the system's where that is short of memory.
 * Whoever holds one says how much may be kept. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_KEPT_BLOCKS_T_H
#define ECHO_JIT_RUNTIME_KEPT_BLOCKS_T_H

#include "base/memory.h"

typedef struct EchoKeptBlock EchoKeptBlock;

enum {
  /* What is smaller the C library keeps itself (its M_MMAP_THRESHOLD). */
  ECHO_KEPT_LEAST_BYTES = 128 << 10,
  ECHO_KEPT_BUCKETS = 64,
};

/* Empty where it is zero. Not guarded: the caller holds a lock. */
typedef struct EchoKeptBlocks {
  EchoKeptBlock *of_size[ECHO_KEPT_BUCKETS]; /* of one hash of their sizes, the newest first */
  EchoKeptBlock *newest, *oldest;
  uint64_t bytes;
} EchoKeptBlocks;

/* A block of that size, at the beginning of a huge page where it fills some, so that all of them
 * are (base/memory.h asks for them): offering them to the system takes a hundredth then. Free with
 * echo_free. */
void *echo_kept_block_create(uint64_t size_bytes, size_t alignment);

/* The block of that size that was kept last, which is the caller's then; NULL where there is none.
 * O(1) where sizes differ by their hashes. */
void *echo_kept_blocks_take_or_null(EchoKeptBlocks *kept, uint64_t size_bytes);

/* Takes over `block`, from echo_kept_block_create, of at least ECHO_KEPT_LEAST_BYTES, and writes
 * its first bytes; what stands in the others is lost. O(huge pages). */
void echo_kept_blocks_keep(EchoKeptBlocks *kept, void *block, uint64_t size_bytes);

/* Frees the oldest until no more than that is kept. */
void echo_kept_blocks_shrink(EchoKeptBlocks *kept, uint64_t max_bytes);

#endif
