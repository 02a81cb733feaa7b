/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hash maps from 64-bit keys (integers or pointers) and from strings. Iteration is in insertion
 * order, so no result can depend on hashes or addresses. */
#ifndef ECHO_BASE_MAP_H
#define ECHO_BASE_MAP_H

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoMapEntry {
  uint64_t key, value;
} EchoMapEntry;

/* Keys are any 64-bit value. entries[0 .. size) are in insertion order, with holes squeezed out by
 * erase (erase moves no other entry's relative order; it is O(1) amortised). While iterating,
 * entries may be overwritten and erased; inserting a new key is allowed only where nothing was ever
 * erased. */
typedef struct EchoMap {
  EchoMapEntry *entries;
  uint32_t *slots; /* 0 = empty, 1 = tombstone, else entry index + 2 */
  uint8_t *dead;   /* per entry: erased; NULL while nothing was erased */
  size_t n_entries, entry_capacity, n_slots, n_live;
} EchoMap;

/* A zero-initialised map is empty and ready. */
void echo_map_destroy(EchoMap *map);
void echo_map_clear(EchoMap *map);
void echo_map_reserve(EchoMap *map, size_t n_keys);
/* Inserts or overwrites. */
void echo_map_set(EchoMap *map, uint64_t key, uint64_t value);
/* False when absent; *value untouched then. */
bool echo_map_get(const EchoMap *map, uint64_t key, uint64_t *value);
uint64_t echo_map_get_or(const EchoMap *map, uint64_t key, uint64_t otherwise);
bool echo_map_has(const EchoMap *map, uint64_t key);
bool echo_map_erase(EchoMap *map, uint64_t key); /* true when it was there */
/* True when newly inserted (then with `value`), false when the key was there (unchanged). */
bool echo_map_insert(EchoMap *map, uint64_t key, uint64_t value);
/* Iteration: for (size_t i = 0; echo_map_next(map, &i, &entry);) … in insertion order. */
bool echo_map_next(const EchoMap *map, size_t *cursor, EchoMapEntry *entry);

static inline uint64_t echo_key(const void *pointer)
{
  return (uint64_t)(uintptr_t)pointer;
}
static inline void echo_map_set_ptr(EchoMap *map, const void *key, const void *value)
{
  echo_map_set(map, echo_key(key), echo_key(value));
}
static inline void *echo_map_get_ptr(const EchoMap *map, const void *key) /* NULL when absent */
{
  return (void *)(uintptr_t)echo_map_get_or(map, echo_key(key), 0);
}

/* String keys; the bytes of a key are not copied and must outlive the map. */
typedef struct EchoStringMapEntry {
  EchoStr key;
  uint64_t hash, value;
} EchoStringMapEntry;

typedef struct EchoStringMap {
  EchoStringMapEntry *entries; /* insertion order */
  uint32_t *slots;             /* 0 = empty, else entry index + 1 */
  size_t n_entries, entry_capacity, n_slots;
} EchoStringMap;

void echo_string_map_destroy(EchoStringMap *map);
void echo_string_map_clear(EchoStringMap *map);
void echo_string_map_set(EchoStringMap *map, EchoStr key, uint64_t value);
bool echo_string_map_get(const EchoStringMap *map, EchoStr key, uint64_t *value);
uint64_t echo_string_map_get_or(const EchoStringMap *map, EchoStr key, uint64_t otherwise);

/* 64-bit hashes: fast, seedless, the same on every machine and in every run. */
uint64_t echo_hash_bytes(const void *data, size_t size, uint64_t seed);
static inline uint64_t echo_hash_u64(uint64_t x)
{
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}
static inline uint64_t echo_hash_combine(uint64_t hash, uint64_t value)
{
  return echo_hash_u64(hash ^ (value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2)));
}

#ifdef __cplusplus
}
#endif

#endif
