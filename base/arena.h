/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bump allocation by lifetime: everything in an arena dies with it, or with a reset to a mark.
 * Blocks never move, so pointers into an arena stay valid until then. Not for objects that must be
 * freed singly. */
#ifndef ECHO_BASE_ARENA_H
#define ECHO_BASE_ARENA_H

#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoArenaChunk EchoArenaChunk;

typedef struct EchoArena {
  char *cursor, *end;    /* free space of the current chunk */
  EchoArenaChunk *chunk; /* newest first */
  uint64_t total_bytes;  /* sum of chunk sizes */
} EchoArena;

typedef struct EchoArenaMark {
  EchoArenaChunk *chunk;
  char *cursor;
} EchoArenaMark;

/* A zero-initialised EchoArena is ready for use. */
void echo_arena_destroy(EchoArena *arena);
EchoArenaMark echo_arena_mark(const EchoArena *arena);
/* Frees all that was allocated since `mark`. */
void echo_arena_reset(EchoArena *arena, EchoArenaMark mark);

void *echo_arena_alloc_slow(EchoArena *arena, size_t size_bytes, size_t alignment);

/* Uninitialised; alignment is a power of two. O(1). */
static inline void *echo_arena_alloc_aligned(EchoArena *arena, size_t size_bytes, size_t alignment)
{
  uintptr_t start = ((uintptr_t)arena->cursor + alignment - 1) & ~(uintptr_t)(alignment - 1);
  if (arena->cursor == NULL || start > (uintptr_t)arena->end ||
      size_bytes > (uintptr_t)arena->end - start)
    return echo_arena_alloc_slow(arena, size_bytes, alignment);
  arena->cursor = (char *)(start + size_bytes);
  return (void *)start;
}
static inline void *echo_arena_alloc(EchoArena *arena, size_t size_bytes)
{
  return echo_arena_alloc_aligned(arena, size_bytes, sizeof(void *));
}
/* count * element_bytes, checked for overflow (panics: callers bound counts first). */
void *echo_arena_alloc_array(EchoArena *arena, size_t count, size_t element_bytes);
/* Copies `size` bytes and appends a NUL. */
char *echo_arena_copy_string(EchoArena *arena, const char *data, size_t size);
void *echo_arena_copy(EchoArena *arena, const void *data, size_t size_bytes);

#define ECHO_ARENA_NEW(arena, Type) ((Type *)echo_arena_alloc((arena), sizeof(Type)))
#define ECHO_ARENA_ARRAY(arena, Type, count)                                                       \
  ((Type *)echo_arena_alloc_array((arena), (count), sizeof(Type)))

#ifdef __cplusplus
}
#endif

#endif
