/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/arena.h"

#include <string.h>

#include "base/panic.h"

struct EchoArenaChunk {
  EchoArenaChunk *older;
  char *end;
};

/* Chunks grow with the arena, so that a small arena stays small and a large one makes few calls. */
enum { MIN_CHUNK_BYTES = 4096, MAX_CHUNK_BYTES = 1 << 20 };

static void free_newest_chunk(EchoArena *arena)
{
  EchoArenaChunk *chunk = arena->chunk;
  arena->total_bytes -= (uint64_t)(chunk->end - (char *)chunk);
  arena->chunk = chunk->older;
  echo_free(chunk);
}

void echo_arena_destroy(EchoArena *arena)
{
  while (arena->chunk != NULL)
    free_newest_chunk(arena);
  *arena = (EchoArena){0};
}

EchoArenaMark echo_arena_mark(const EchoArena *arena)
{
  return (EchoArenaMark){arena->chunk, arena->cursor};
}

void echo_arena_reset(EchoArena *arena, EchoArenaMark mark)
{
  while (arena->chunk != mark.chunk) {
    ECHO_CHECK(arena->chunk != NULL, "arena reset to a mark that is not on it");
    free_newest_chunk(arena);
  }
  arena->cursor = mark.cursor;
  arena->end = mark.chunk != NULL ? mark.chunk->end : NULL;
}

void *echo_arena_alloc_slow(EchoArena *arena, size_t size_bytes, size_t alignment)
{
  size_t chunk_bytes = (size_t)(arena->total_bytes / 2);
  if (chunk_bytes < MIN_CHUNK_BYTES)
    chunk_bytes = MIN_CHUNK_BYTES;
  if (chunk_bytes > MAX_CHUNK_BYTES)
    chunk_bytes = MAX_CHUNK_BYTES;
  size_t needed;
  if (__builtin_add_overflow(size_bytes, alignment + sizeof(EchoArenaChunk), &needed))
    needed = SIZE_MAX; /* more than any machine has: the allocator refuses it */
  if (chunk_bytes < needed)
    chunk_bytes = needed;

  EchoArenaChunk *chunk = echo_alloc(chunk_bytes);
  chunk->older = arena->chunk;
  chunk->end = (char *)chunk + chunk_bytes;
  uintptr_t start = ((uintptr_t)(chunk + 1) + alignment - 1) & ~(uintptr_t)(alignment - 1);
  arena->chunk = chunk;
  arena->cursor = (char *)(start + size_bytes);
  arena->end = chunk->end;
  arena->total_bytes += chunk_bytes;
  return (void *)start;
}

void *echo_arena_alloc_array(EchoArena *arena, size_t count, size_t element_bytes)
{
  size_t size_bytes;
  ECHO_CHECK(!__builtin_mul_overflow(count, element_bytes, &size_bytes),
             "array of %zu elements of %zu bytes does not fit in memory", count, element_bytes);
  return echo_arena_alloc_aligned(arena, size_bytes, sizeof(void *));
}

char *echo_arena_copy_string(EchoArena *arena, const char *data, size_t size)
{
  char *copy = echo_arena_alloc_aligned(arena, size + 1, 1);
  if (size != 0)
    memcpy(copy, data, size);
  copy[size] = '\0';
  return copy;
}

void *echo_arena_copy(EchoArena *arena, const void *data, size_t size_bytes)
{
  void *copy = echo_arena_alloc(arena, size_bytes);
  if (size_bytes != 0)
    memcpy(copy, data, size_bytes);
  return copy;
}
