/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/access.h"

#include "tests/gpu/lanes.h"

void access_addresses(const Warp *warp, uint32_t place, bool is_wide, int64_t offset,
                      uint64_t addresses[LANES])
{
  const uint64_t *wide = LANES_OF(warp, place, const uint64_t);
  const uint32_t *narrow = LANES_OF(warp, place, const uint32_t);
  for (unsigned l = 0; l < LANES; l++)
    addresses[l] = (uint64_t)offset + (place == 0 ? 0 : is_wide ? wide[l] : narrow[l]);
}

Space access_space(Space space, uint64_t *address)
{
  if (space != SPACE_GENERIC)
    return space;
  uint64_t window = *address & UINT64_C(0xffffffff00000000);
  if (window != SHARED_WINDOW && window != LOCAL_WINDOW)
    return SPACE_GLOBAL;
  *address -= window;
  return window == SHARED_WINDOW ? SPACE_SHARED : SPACE_LOCAL;
}

/* ---- what was found ---- */

static const char *const SPACES[] = {"generic", "global", "shared", "local", "param", "constant"};

static void tell(Warp *warp, const Insn *insn, Space space, Fault fault, uint64_t address,
                 size_t bytes, unsigned lane, bool is_store)
{
  const char *kind = SPACES[space], *verb = is_store ? "writes" : "reads";
  unsigned long long at = address;
  switch (fault) {
  case FAULT_BOUNDS: {
    const Allocation *near = warp->block->launch->cached;
    if (space == SPACE_GLOBAL && near != NULL && address - near->address < near->bytes + 65536)
      machine_stop(
          warp, insn, fault, lane,
          "%s out of bounds: %zu bytes of global memory at offset %llu of an allocation of "
          "%zu",
          verb, bytes, at - (unsigned long long)near->address, near->bytes);
    else
      machine_stop(warp, insn, fault, lane, "%s out of bounds: %zu bytes of %s memory at 0x%llx",
                   verb, bytes, kind, at);
    return;
  }
  case FAULT_ALIGNMENT:
    machine_stop(warp, insn, fault, lane,
                 "%s %zu bytes of %s memory at 0x%llx, which is misaligned", verb, bytes, kind, at);
    return;
  case FAULT_UNWRITTEN:
    machine_stop(warp, insn, fault, lane, "reads %s memory at 0x%llx that nothing wrote", kind, at);
    return;
  case FAULT_RACE_THREADS:
    machine_stop(warp, insn, fault, lane,
                 "races: two threads touch %s memory at 0x%llx between two barriers", kind, at);
    return;
  case FAULT_RACE_BLOCKS:
    machine_stop(warp, insn, fault, lane, "races: two blocks touch %s memory at 0x%llx", kind, at);
    return;
  case FAULT_RACE_OPERATIONS:
    machine_stop(warp, insn, fault, lane,
                 "races: %s memory at 0x%llx is touched by a launch or copy of another stream that "
                 "nothing orders with this one",
                 kind, at);
    return;
  case FAULT_NONE:
  case FAULT_BARRIER:
  case FAULT_TRAP:
    return;
  }
}

/* ---- one lane ---- */

typedef struct Place {
  uint8_t *data;
  Shadow *shadow; /* NULL: local memory, which is the thread's own */
  size_t offset;
} Place;

static bool find_global(Launch *launch, uint64_t address, size_t bytes, Place *place)
{
  Allocation *allocation = launch->cached;
  if (allocation == NULL || address - allocation->address >= allocation->bytes) {
    allocation = memory_find_or_null(launch->memory, address);
    if (allocation == NULL || allocation->is_host)
      return false;
    launch->cached = allocation;
  }
  size_t offset = (size_t)(address - allocation->address);
  *place = (Place){allocation->data + offset, &allocation->shadow, offset};
  return bytes <= allocation->bytes - offset;
}

static bool find_place(Warp *warp, Space space, uint64_t address, size_t bytes, unsigned lane,
                       Place *place)
{
  Block *block = warp->block;
  Launch *launch = block->launch;
  switch (space) {
  case SPACE_SHARED:
    *place = (Place){block->shared + address, &block->shared_shadow, (size_t)address};
    return address + bytes <= (uint64_t)launch->kernel->shared_bytes + launch->dynamic_shared &&
           address + bytes >= bytes;
  case SPACE_LOCAL: {
    uint32_t own = launch->kernel->local_bytes;
    size_t offset = (size_t)(warp->first_thread + lane) * own + (size_t)address;
    *place = (Place){block->local + offset, NULL, offset};
    return address + bytes <= own && address + bytes >= bytes;
  }
  case SPACE_GLOBAL:
  case SPACE_CONST:
  case SPACE_GENERIC:
  case SPACE_PARAM:
    break;
  }
  return find_global(launch, address, bytes, place);
}

/* Blocks see nothing of each other's shared memory. */
static void access_of(const Warp *warp, Space space, unsigned lane, bool is_atomic, Access *access)
{
  *access = warp->block->access;
  access->now = warp->now;
  access->thread = (uint16_t)(warp->first_thread + lane);
  access->is_atomic = is_atomic;
  if (space != SPACE_SHARED)
    return;
  access->launch_first = access->written_from = access->block_first;
  access->ordered = access->block_first - 1;
}

static Fault check_local(const Warp *warp, const Place *place, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    if (warp->block->local_written[place->offset + i] == 0)
      return FAULT_UNWRITTEN;
  return FAULT_NONE;
}

uint8_t *access_read_or_null(Warp *warp, const Insn *insn, Space space, uint64_t address,
                             size_t bytes, unsigned lane)
{
  Launch *launch = warp->block->launch;
  Place place;
  uint64_t ignored = 0;
  Fault fault = FAULT_NONE;
  if (!find_place(warp, space, address, bytes, lane, &place))
    fault = FAULT_BOUNDS;
  else if ((address & (bytes - 1)) != 0)
    fault = FAULT_ALIGNMENT;
  else if (place.shadow == NULL)
    fault = check_local(warp, &place, bytes);
  if (fault == FAULT_NONE && place.shadow != NULL) {
    Access access;
    access_of(warp, space, lane, false, &access);
    fault =
        shadow_read(place.shadow, place.offset, bytes, &access, launch->is_ordered, launch->order,
                    space == SPACE_SHARED ? &ignored : &launch->counters->floor_bytes);
  }
  if (fault == FAULT_NONE)
    return place.data;
  tell(warp, insn, space, fault, address, bytes, lane, false);
  return NULL;
}

uint8_t *access_write_or_null(Warp *warp, const Insn *insn, Space space, uint64_t address,
                              size_t bytes, unsigned lane, bool is_atomic)
{
  Launch *launch = warp->block->launch;
  Place place;
  uint64_t ignored = 0;
  Fault fault = FAULT_NONE;
  if (!find_place(warp, space, address, bytes, lane, &place))
    fault = FAULT_BOUNDS;
  else if ((address & (bytes - 1)) != 0)
    fault = FAULT_ALIGNMENT;
  else if (place.shadow == NULL)
    memset(warp->block->local_written + place.offset, 1, bytes);
  if (fault == FAULT_NONE && place.shadow != NULL) {
    Access access;
    access_of(warp, space, lane, is_atomic, &access);
    fault =
        shadow_write(place.shadow, place.offset, bytes, &access, launch->is_ordered, launch->order,
                     space == SPACE_SHARED ? &ignored : &launch->counters->floor_bytes);
  }
  if (fault == FAULT_NONE)
    return place.data;
  tell(warp, insn, space, fault, address, bytes, lane, true);
  return NULL;
}

/* ---- counting ---- */

static void count_sectors(Warp *warp, const uint64_t addresses[LANES], uint32_t mask,
                          unsigned bytes, bool is_store)
{
  Launch *launch = warp->block->launch;
  Counters *counters = launch->counters;
  uint64_t seen[LANES], last = UINT64_MAX, last_address = UINT64_MAX;
  unsigned n_seen = 0, n_distinct = 0;
  for (unsigned l = 0; l < LANES; l++) {
    if ((mask >> l & 1) == 0)
      continue;
    n_distinct += addresses[l] != last_address;
    last_address = addresses[l];
    uint64_t sector = addresses[l] / SECTOR_BYTES;
    if (sector == last)
      continue;
    last = sector;
    bool is_new = true;
    for (unsigned i = 0; i < n_seen && is_new; i++)
      is_new = seen[i] != sector;
    if (!is_new)
      continue;
    seen[n_seen++] = sector;
    if (is_store || !l1_has(launch->l1, sector))
      counters->moved_bytes += SECTOR_BYTES;
  }
  counters->requests++;
  counters->sectors += n_seen;
  uint64_t used = (uint64_t)n_distinct * bytes, whole = (uint64_t)n_seen * SECTOR_BYTES;
  counters->used_bytes += used < whole ? used : whole;
}

/* Words of different rows of one bank come one after the other; a request of more than 128 bytes is
 * several. */
static void count_banks(Counters *counters, const uint64_t addresses[LANES], uint32_t mask,
                        unsigned bytes)
{
  unsigned words = bytes > 4 ? bytes / 4 : 1, lanes = LANES / words;
  for (unsigned first = 0; first < LANES; first += lanes) {
    uint64_t row[32][LANES];
    uint8_t n[32] = {0};
    unsigned most = 0;
    for (unsigned l = first; l < first + lanes; l++) {
      for (unsigned w = 0; w < words && (mask >> l & 1) != 0; w++) {
        uint64_t word = addresses[l] / 4 + w;
        unsigned bank = (unsigned)(word % 32), i = 0;
        while (i < n[bank] && row[bank][i] != word)
          i++;
        if (i == n[bank])
          row[bank][n[bank]++] = word;
        most = n[bank] > most ? n[bank] : most;
      }
    }
    if (most == 0)
      continue;
    counters->shared_requests++;
    counters->bank_conflicts += most - 1;
  }
}

void access_count(Warp *warp, Space space, const uint64_t addresses[LANES], uint32_t mask,
                  unsigned bytes, bool is_store)
{
  if (space == SPACE_GLOBAL)
    count_sectors(warp, addresses, mask, bytes, is_store);
  else if (space == SPACE_SHARED)
    count_banks(warp->block->launch->counters, addresses, mask, bytes);
}
