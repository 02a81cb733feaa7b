/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/map.h"
#include "base/memory.h"

enum { MIN_CAPACITY = 16 };

static EchoStringMapEntry *find_entry(const EchoStringMap *map, EchoStr key, uint64_t hash)
{
  if (map->n_entries == 0)
    return NULL;
  size_t slot = hash & (map->n_slots - 1);
  for (uint32_t content; (content = map->slots[slot]) != 0;
       slot = (slot + 1) & (map->n_slots - 1)) {
    EchoStringMapEntry *entry = &map->entries[content - 1];
    if (entry->hash == hash && echo_str_equal(entry->key, key))
      return entry;
  }
  return NULL;
}

static void place(EchoStringMap *map, uint64_t hash, size_t index)
{
  size_t slot = hash & (map->n_slots - 1);
  while (map->slots[slot] != 0)
    slot = (slot + 1) & (map->n_slots - 1);
  map->slots[slot] = (uint32_t)index + 1;
}

static void grow(EchoStringMap *map)
{
  size_t capacity = map->entry_capacity == 0 ? MIN_CAPACITY : map->entry_capacity * 2;
  ECHO_CHECK(capacity <= (size_t)1 << 31, "map of more than 2^31 entries");
  map->entries = echo_realloc_array(map->entries, capacity, sizeof *map->entries);
  uint32_t *slots = echo_alloc_zero(capacity * 2, sizeof *slots);
  echo_free(map->slots);
  map->slots = slots;
  map->n_slots = capacity * 2;
  map->entry_capacity = capacity;
  for (size_t i = 0; i < map->n_entries; ++i)
    place(map, map->entries[i].hash, i);
}

void echo_string_map_destroy(EchoStringMap *map)
{
  echo_free(map->entries);
  echo_free(map->slots);
  *map = (EchoStringMap){0};
}

void echo_string_map_clear(EchoStringMap *map)
{
  if (map->n_entries != 0)
    memset(map->slots, 0, map->n_slots * sizeof *map->slots);
  map->n_entries = 0;
}

void echo_string_map_set(EchoStringMap *map, EchoStr key, uint64_t value)
{
  uint64_t hash = echo_hash_bytes(key.data, key.size, 0);
  EchoStringMapEntry *entry = find_entry(map, key, hash);
  if (entry != NULL) {
    entry->value = value;
    return;
  }
  if (map->n_entries == map->entry_capacity)
    grow(map);
  place(map, hash, map->n_entries);
  map->entries[map->n_entries++] = (EchoStringMapEntry){key, hash, value};
}

bool echo_string_map_get(const EchoStringMap *map, EchoStr key, uint64_t *value)
{
  const EchoStringMapEntry *entry = find_entry(map, key, echo_hash_bytes(key.data, key.size, 0));
  if (entry == NULL)
    return false;
  *value = entry->value;
  return true;
}

uint64_t echo_string_map_get_or(const EchoStringMap *map, EchoStr key, uint64_t otherwise)
{
  uint64_t value = otherwise;
  echo_string_map_get(map, key, &value);
  return value;
}
