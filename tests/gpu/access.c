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
    const Allocation *near = memory_near_or_null(warp->block->launch->memory, address);
    if (space == SPACE_GLOBAL && near != NULL)
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

/* Of the whole warp; lanes put their threads in. Blocks see nothing of each other's shared
 * memory. */
static void begin_access(const Warp *warp, Space space, AccessMode mode, Access *access)
{
  *access = warp->block->access;
  access->now = warp->now;
  access->is_atomic = mode == ACCESS_ATOMIC;
  if (space != SPACE_SHARED)
    return;
  access->launch_first = access->written_from = access->block_first;
  access->ordered = access->block_first - 1;
}

static Fault check_local(const Warp *warp, const Place *place, size_t bytes, AccessMode mode)
{
  uint8_t *written = warp->block->local_written + place->offset;
  if (mode != ACCESS_READ) {
    memset(written, 1, bytes);
    return FAULT_NONE;
  }
  for (size_t i = 0; i < bytes; i++)
    if (written[i] == 0)
      return FAULT_UNWRITTEN;
  return FAULT_NONE;
}

/* Words that were written before the last barrier and that several warps have read since: reading
 * them once more changes nothing. */
static inline bool is_known(const Shadow *shadow, size_t offset, size_t bytes, const Access *access)
{
  const ShadowPage *page = &shadow->pages[offset / PAGE_BYTES];
  if (page->is_fine || page->cells == NULL || ((offset | bytes) & 3) != 0)
    return false;
  const Cell *cell = &page->cells[offset % PAGE_BYTES / 4];
  for (size_t i = 0; i < bytes / 4; i++, cell++)
    if (cell->read < access->stretch || (cell->reader & BY_THREADS) != BY_MANY ||
        cell->written < access->written_from ||
        (cell->written > access->ordered &&
         (cell->written >= access->stretch || cell->written < access->block_first)))
      return false;
  return true;
}

static Fault check_shadow(Launch *launch, const Place *place, size_t bytes, AccessMode mode,
                          const Access *access, uint64_t *new_bytes)
{
  if (mode != ACCESS_READ)
    return shadow_write(place->shadow, place->offset, bytes, access, launch->is_ordered,
                        launch->order, new_bytes);
  if (is_known(place->shadow, place->offset, bytes, access))
    return FAULT_NONE;
  return shadow_read(place->shadow, place->offset, bytes, access, launch->is_ordered, launch->order,
                     new_bytes);
}

bool access_lanes(Warp *warp, const Insn *insn, Space space, const uint64_t addresses[LANES],
                  uint32_t mask, size_t bytes, AccessMode mode, uint8_t *places[LANES])
{
  Launch *launch = warp->block->launch;
  uint64_t ignored = 0;
  uint64_t *new_bytes = space == SPACE_SHARED ? &ignored : &launch->counters->floor_bytes;
  Access access;
  begin_access(warp, space, mode, &access);
  for (unsigned l = 0; l < LANES; l++) {
    if ((mask >> l & 1) == 0)
      continue;
    Place place;
    Fault fault = FAULT_NONE;
    access.thread = (uint16_t)(warp->first_thread + l);
    if (!find_place(warp, space, addresses[l], bytes, l, &place))
      fault = FAULT_BOUNDS;
    else if ((addresses[l] & (bytes - 1)) != 0)
      fault = FAULT_ALIGNMENT;
    else if (place.shadow == NULL)
      fault = check_local(warp, &place, bytes, mode);
    else
      fault = check_shadow(launch, &place, bytes, mode, &access, new_bytes);
    if (fault != FAULT_NONE) {
      tell(warp, insn, space, fault, addresses[l], bytes, l, mode != ACCESS_READ);
      return false;
    }
    places[l] = place.data;
  }
  return true;
}

uint8_t *access_lane_or_null(Warp *warp, const Insn *insn, Space space, uint64_t address,
                             size_t bytes, unsigned lane, AccessMode mode)
{
  uint64_t addresses[LANES];
  uint8_t *places[LANES];
  addresses[lane] = address;
  return access_lanes(warp, insn, space, addresses, 1u << lane, bytes, mode, places) ? places[lane]
                                                                                     : NULL;
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

/* All lanes active, and each at the place of the one before it, or behind it: no bank has two
 * words to give. */
static bool are_in_step(const uint64_t addresses[LANES], uint32_t mask, unsigned bytes)
{
  uint64_t step = addresses[1] - addresses[0];
  if (mask != UINT32_MAX || bytes < 4 || (step != 0 && step != bytes))
    return false;
  uint64_t differs = 0;
  for (unsigned l = 1; l < LANES; l++)
    differs |= addresses[l] - addresses[l - 1] - step;
  return differs == 0;
}

/* Words of different rows of one bank come one after the other; a request of more than 128 bytes is
 * several. */
static void count_banks(Counters *counters, const uint64_t addresses[LANES], uint32_t mask,
                        unsigned bytes)
{
  unsigned words = bytes > 4 ? bytes / 4 : 1, lanes = LANES / words;
  if (are_in_step(addresses, mask, bytes)) {
    counters->shared_requests += words;
    return;
  }
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
