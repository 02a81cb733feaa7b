/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/map.h"

#include "base/memory.h"

/* Open addressing with linear probes over slots that hold entry indices; at most half of the slots
 * are ever taken, tombstones included, because each entry ever appended since the last rebuild took
 * at most one. */

enum { EMPTY = 0, TOMBSTONE = 1, FIRST_INDEX = 2, MIN_CAPACITY = 8 };

__extension__ typedef unsigned __int128 u128;

/* One folded multiplication: keys are often pointers or small integers, whose entropy is in few
 * bits. */
static size_t slot_of(uint64_t key, size_t n_slots)
{
  u128 product = (u128)(key ^ 0x8bb84b93962eacc9u) * 0xa0761d6478bd642fu;
  return (size_t)((uint64_t)product ^ (uint64_t)(product >> 64)) & (n_slots - 1);
}

/* The slot that holds `key`, or SIZE_MAX. */
static size_t find_slot(const EchoMap *map, uint64_t key)
{
  if (map->n_live == 0)
    return SIZE_MAX;
  size_t slot = slot_of(key, map->n_slots);
  for (uint32_t content; (content = map->slots[slot]) != EMPTY;
       slot = (slot + 1) & (map->n_slots - 1))
    if (content != TOMBSTONE && map->entries[content - FIRST_INDEX].key == key)
      return slot;
  return SIZE_MAX;
}

static EchoMapEntry *find_entry(const EchoMap *map, uint64_t key)
{
  size_t slot = find_slot(map, key);
  return slot != SIZE_MAX ? &map->entries[map->slots[slot] - FIRST_INDEX] : NULL;
}

static void place(EchoMap *map, uint64_t key, size_t index)
{
  size_t slot = slot_of(key, map->n_slots);
  while (map->slots[slot] != EMPTY)
    slot = (slot + 1) & (map->n_slots - 1);
  map->slots[slot] = (uint32_t)index + FIRST_INDEX;
}

static void squeeze_out_dead(EchoMap *map)
{
  if (map->dead == NULL)
    return;
  size_t kept = 0;
  for (size_t i = 0; i < map->n_entries; ++i)
    if (!map->dead[i])
      map->entries[kept++] = map->entries[i];
  map->n_entries = kept;
  echo_free(map->dead);
  map->dead = NULL;
}

/* Rebuilds with room for `capacity` entries, a power of two. Each allocation leaves a valid map
 * behind, so one that fails loses nothing. */
static void rebuild(EchoMap *map, size_t capacity)
{
  ECHO_CHECK(capacity <= (size_t)1 << 31, "map of more than 2^31 entries");
  if (capacity > map->entry_capacity) {
    map->entries = echo_realloc_array(map->entries, capacity, sizeof *map->entries);
    uint32_t *slots = echo_alloc_zero(capacity * 2, sizeof *slots);
    echo_free(map->slots);
    map->slots = slots;
    map->n_slots = capacity * 2;
    map->entry_capacity = capacity;
  } else {
    memset(map->slots, 0, map->n_slots * sizeof *map->slots);
  }
  squeeze_out_dead(map);
  for (size_t i = 0; i < map->n_entries; ++i)
    place(map, map->entries[i].key, i);
}

static void append(EchoMap *map, uint64_t key, uint64_t value)
{
  if (map->n_entries == map->entry_capacity) {
    bool mostly_dead = map->n_live <= map->entry_capacity / 2;
    size_t capacity = mostly_dead ? map->entry_capacity : map->entry_capacity * 2;
    rebuild(map, capacity < MIN_CAPACITY ? MIN_CAPACITY : capacity);
  }
  size_t index = map->n_entries;
  place(map, key, index);
  map->entries[index] = (EchoMapEntry){key, value};
  if (map->dead != NULL)
    map->dead[index] = 0;
  map->n_entries++;
  map->n_live++;
}

void echo_map_destroy(EchoMap *map)
{
  echo_free(map->entries);
  echo_free(map->slots);
  echo_free(map->dead);
  *map = (EchoMap){0};
}

void echo_map_clear(EchoMap *map)
{
  if (map->n_entries != 0)
    memset(map->slots, 0, map->n_slots * sizeof *map->slots);
  echo_free(map->dead);
  map->dead = NULL;
  map->n_entries = map->n_live = 0;
}

void echo_map_reserve(EchoMap *map, size_t n_keys)
{
  size_t capacity = MIN_CAPACITY;
  ECHO_CHECK(n_keys <= (size_t)1 << 31, "map of more than 2^31 entries");
  while (capacity < n_keys)
    capacity *= 2;
  if (capacity > map->entry_capacity)
    rebuild(map, capacity);
}

void echo_map_set(EchoMap *map, uint64_t key, uint64_t value)
{
  EchoMapEntry *entry = find_entry(map, key);
  if (entry != NULL)
    entry->value = value;
  else
    append(map, key, value);
}

bool echo_map_insert(EchoMap *map, uint64_t key, uint64_t value)
{
  if (find_entry(map, key) != NULL)
    return false;
  append(map, key, value);
  return true;
}

bool echo_map_get(const EchoMap *map, uint64_t key, uint64_t *value)
{
  const EchoMapEntry *entry = find_entry(map, key);
  if (entry == NULL)
    return false;
  *value = entry->value;
  return true;
}

uint64_t echo_map_get_or(const EchoMap *map, uint64_t key, uint64_t otherwise)
{
  const EchoMapEntry *entry = find_entry(map, key);
  return entry != NULL ? entry->value : otherwise;
}

bool echo_map_has(const EchoMap *map, uint64_t key)
{
  return find_slot(map, key) != SIZE_MAX;
}

bool echo_map_erase(EchoMap *map, uint64_t key)
{
  size_t slot = find_slot(map, key);
  if (slot == SIZE_MAX)
    return false;
  if (map->dead == NULL)
    map->dead = echo_alloc_zero(map->entry_capacity, 1);
  map->dead[map->slots[slot] - FIRST_INDEX] = 1;
  map->slots[slot] = TOMBSTONE;
  map->n_live--;
  return true;
}

bool echo_map_next(const EchoMap *map, size_t *cursor, EchoMapEntry *entry)
{
  while (*cursor < map->n_entries) {
    size_t index = (*cursor)++;
    if (map->dead == NULL || !map->dead[index]) {
      *entry = map->entries[index];
      return true;
    }
  }
  return false;
}
