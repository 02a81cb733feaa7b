/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory of ops, blocks and operand lists: slabs aligned to their size, cut into pieces of a few
 * sizes. */
#include "ir/context_t.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ECHO_HAS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ECHO_HAS_ASAN 1
#endif
#ifdef ECHO_HAS_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

struct EchoIrSlab {
  EchoContext *ctx; /* found by masking the address of a piece */
  EchoIrSlab *older, *newer;
  size_t size_bytes;
  bool in_chunk; /* part of a chunk that the context owns */
};

enum {
  GRANULE = 8,
  SLAB_HEADER_BYTES = (sizeof(EchoIrSlab) + GRANULE - 1) / GRANULE * GRANULE,
  LARGEST_SMALL_BYTES = ECHO_IR_N_SMALL_CLASSES * GRANULE
};

/* The largest piece that shares a slab; what is larger gets one of its own, so that little is lost
 * at a slab's end. */
#define LARGEST_SHARED_BYTES (ECHO_IR_SLAB_BYTES / 4)

/* The free list of a size, and the size that its pieces really have. */
static size_t size_class(size_t size_bytes, size_t *piece_bytes)
{
  if (size_bytes <= LARGEST_SMALL_BYTES) {
    size_t granules = size_bytes == 0 ? 1 : (size_bytes + GRANULE - 1) / GRANULE;
    *piece_bytes = granules * GRANULE;
    return granules - 1;
  }
  size_t index = ECHO_IR_N_SMALL_CLASSES;
  size_t bytes = 2 * LARGEST_SMALL_BYTES;
  for (; bytes < size_bytes; bytes *= 2)
    index++;
  *piece_bytes = bytes;
  return index;
}

/* Once there is much IR, slabs come several at a time, in memory that the system can map with large
 * pages. */
#define CHUNK_BYTES ((size_t)4 << 20)
#define CHUNKS_FROM_BYTES ((size_t)2 << 20)

static void *slab_memory(EchoContext *ctx, size_t size_bytes, bool *in_chunk)
{
  EchoIrMemory *ir = &ctx->ir;
  *in_chunk = size_bytes == ECHO_IR_SLAB_BYTES && ir->slab_bytes >= CHUNKS_FROM_BYTES;
  if (!*in_chunk)
    return echo_alloc_aligned(size_bytes, ECHO_IR_SLAB_BYTES);
  if (ir->chunk_cursor == ir->chunk_end) {
    ir->chunk_cursor = echo_alloc_aligned(CHUNK_BYTES, CHUNK_BYTES / 2);
    ir->chunk_end = ir->chunk_cursor + CHUNK_BYTES;
    echo_vector_push(&ctx->owned_blocks, (void *)ir->chunk_cursor);
  }
  void *slab = ir->chunk_cursor;
  ir->chunk_cursor += ECHO_IR_SLAB_BYTES;
  return slab;
}

static EchoIrSlab *add_slab(EchoContext *ctx, size_t size_bytes)
{
  bool in_chunk;
  EchoIrSlab *slab = slab_memory(ctx, size_bytes, &in_chunk);
  *slab = (EchoIrSlab){
      .ctx = ctx, .older = ctx->ir.slabs, .size_bytes = size_bytes, .in_chunk = in_chunk};
  if (slab->older != NULL)
    slab->older->newer = slab;
  ctx->ir.slabs = slab;
  ctx->ir.slab_bytes += size_bytes;
  return slab;
}

static void remove_slab(EchoContext *ctx, EchoIrSlab *slab)
{
  *(slab->newer != NULL ? &slab->newer->older : &ctx->ir.slabs) = slab->older;
  if (slab->older != NULL)
    slab->older->newer = slab->newer;
  ctx->ir.slab_bytes -= slab->size_bytes;
  if (!slab->in_chunk)
    echo_free(slab);
}

static void *cut_from_slab(EchoContext *ctx, size_t piece_bytes)
{
  EchoIrMemory *ir = &ctx->ir;
  if (ir->cursor == NULL || (size_t)(ir->end - ir->cursor) < piece_bytes) {
    EchoIrSlab *slab = add_slab(ctx, ECHO_IR_SLAB_BYTES);
    ir->cursor = (char *)slab + SLAB_HEADER_BYTES;
    ir->end = (char *)slab + ECHO_IR_SLAB_BYTES;
  }
  void *piece = ir->cursor;
  ir->cursor += piece_bytes;
  return piece;
}

void *echo_ir_alloc(EchoContext *ctx, size_t size_bytes)
{
  if (size_bytes > LARGEST_SHARED_BYTES) {
    ECHO_CHECK(size_bytes <= SIZE_MAX - SLAB_HEADER_BYTES, "IR object of %zu bytes", size_bytes);
    EchoIrSlab *slab = add_slab(ctx, size_bytes + SLAB_HEADER_BYTES);
    ctx->ir.live_bytes += size_bytes;
    return (char *)slab + SLAB_HEADER_BYTES;
  }
  size_t piece_bytes;
  size_t index = size_class(size_bytes, &piece_bytes);
  ctx->ir.live_bytes += piece_bytes;
  void *piece = ctx->ir.free_lists[index];
  if (piece == NULL)
    return cut_from_slab(ctx, piece_bytes);
  ASAN_UNPOISON_MEMORY_REGION(piece, piece_bytes);
  memcpy(&ctx->ir.free_lists[index], piece, sizeof(void *));
  return piece;
}

void echo_ir_free(EchoContext *ctx, void *piece, size_t size_bytes)
{
  if (piece == NULL)
    return;
  if (size_bytes > LARGEST_SHARED_BYTES) {
    ctx->ir.live_bytes -= size_bytes;
    remove_slab(ctx, (EchoIrSlab *)(void *)((char *)piece - SLAB_HEADER_BYTES));
    return;
  }
  size_t piece_bytes;
  size_t index = size_class(size_bytes, &piece_bytes);
  ctx->ir.live_bytes -= piece_bytes;
  memcpy(piece, &ctx->ir.free_lists[index], sizeof(void *));
  ctx->ir.free_lists[index] = piece;
  ASAN_POISON_MEMORY_REGION(piece, piece_bytes);
}

EchoContext *echo_ir_context(const void *piece)
{
  uintptr_t slab = (uintptr_t)piece & ~(uintptr_t)(ECHO_IR_SLAB_BYTES - 1);
  return ((const EchoIrSlab *)slab)->ctx;
}

void echo_ir_memory_destroy(EchoContext *ctx)
{
  while (ctx->ir.slabs != NULL) {
    EchoIrSlab *slab = ctx->ir.slabs;
    ASAN_UNPOISON_MEMORY_REGION(slab, slab->size_bytes);
    remove_slab(ctx, slab);
  }
}
