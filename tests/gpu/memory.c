/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tests/gpu/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- shadows ---- */

void shadow_create(Shadow *shadow, size_t bytes)
{
  shadow->n_pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
  shadow->pages = calloc(shadow->n_pages + 1, sizeof *shadow->pages);
}

void shadow_destroy(Shadow *shadow)
{
  for (size_t i = 0; i < shadow->n_pages; i++)
    free(shadow->pages[i].cells);
  free(shadow->pages);
  *shadow = (Shadow){0};
}

static void refine(ShadowPage *page)
{
  Cell *fine = calloc(PAGE_BYTES, sizeof *fine);
  for (size_t i = 0; i < PAGE_BYTES && page->cells != NULL; i++)
    fine[i] = page->cells[i / 4];
  free(page->cells);
  *page = (ShadowPage){fine, true};
}

Cell *shadow_cells(Shadow *shadow, size_t offset, size_t bytes, size_t *n)
{
  ShadowPage *page = &shadow->pages[offset / PAGE_BYTES];
  size_t at = offset % PAGE_BYTES;
  if (!page->is_fine && ((at | bytes) & 3) != 0)
    refine(page);
  if (page->cells == NULL)
    page->cells = calloc(PAGE_BYTES / 4, sizeof *page->cells);
  if (at + bytes > PAGE_BYTES)
    bytes = PAGE_BYTES - at;
  *n = page->is_fine ? bytes : bytes / 4;
  return &page->cells[page->is_fine ? at : at / 4];
}

/* Whether someone else's access of this stretch, at `when`, is not ordered with ours. */
static bool meets_thread(Stamp when, uint16_t who, const Access *access)
{
  if (when < access->stretch)
    return false;
  who &= BY_THREADS;
  if (who == access->thread)
    return false;
  unsigned warp = who == BY_MANY         ? ~0u
                  : (who & BY_WARP) != 0 ? who & ~(unsigned)BY_WARP
                                         : who / 32u;
  return warp != access->thread / 32u || when == access->now;
}

static Fault check_order(Stamp when, uint16_t who, bool several_blocks, const Access *access,
                         IsOrdered *is_ordered, void *user)
{
  if (when >= access->block_first) {
    if (several_blocks)
      return FAULT_RACE_BLOCKS;
    return meets_thread(when, who, access) ? FAULT_RACE_THREADS : FAULT_NONE;
  }
  if (when >= access->launch_first)
    return FAULT_RACE_BLOCKS;
  if (when > access->ordered && is_ordered != NULL && !is_ordered(user, when))
    return FAULT_RACE_OPERATIONS;
  return FAULT_NONE;
}

static void mark_read(Cell *cell, const Access *access)
{
  uint16_t flag = 0, who = access->thread;
  if (cell->read >= access->launch_first) {
    flag = cell->reader & BY_FLAG;
    if (cell->read < access->block_first)
      flag = BY_FLAG;
    uint16_t other = cell->reader & BY_THREADS;
    if (cell->read >= access->stretch && other != who) {
      unsigned warp = other == BY_MANY         ? ~0u
                      : (other & BY_WARP) != 0 ? other & ~(unsigned)BY_WARP
                                               : other / 32u;
      who = warp == who / 32u ? (uint16_t)(BY_WARP | warp) : BY_MANY;
    }
  }
  cell->read = access->now;
  cell->reader = who | flag;
}

static inline Fault read_cell(Cell *cell, const Access *access, IsOrdered *is_ordered, void *user)
{
  if (cell->written < access->written_from)
    return FAULT_UNWRITTEN;
  if (cell->written >= access->stretch || cell->written > access->ordered) {
    bool is_atomic = (cell->writer & BY_FLAG) != 0 && access->is_atomic;
    Fault fault = is_atomic
                      ? FAULT_NONE
                      : check_order(cell->written, cell->writer, false, access, is_ordered, user);
    if (fault != FAULT_NONE)
      return fault;
  }
  if (cell->read != access->now || (cell->reader & BY_THREADS) != access->thread)
    mark_read(cell, access);
  return FAULT_NONE;
}

Fault shadow_read(Shadow *shadow, size_t offset, size_t bytes, const Access *access,
                  IsOrdered *is_ordered, void *user, uint64_t *new_bytes)
{
  while (bytes != 0) {
    size_t n, left = PAGE_BYTES - offset % PAGE_BYTES, here = bytes < left ? bytes : left;
    Cell *cells = shadow_cells(shadow, offset, here, &n);
    size_t cell_bytes = here / n;
    for (size_t i = 0; i < n; i++) {
      if (cells[i].read < access->launch_first)
        *new_bytes += cell_bytes;
      Fault fault = read_cell(&cells[i], access, is_ordered, user);
      if (fault != FAULT_NONE)
        return fault;
    }
    offset += here;
    bytes -= here;
  }
  return FAULT_NONE;
}

static inline Fault write_cell(Cell *cell, const Access *access, IsOrdered *is_ordered, void *user)
{
  Fault fault = FAULT_NONE;
  bool is_atomic = (cell->writer & BY_FLAG) != 0 && access->is_atomic;
  if (!is_atomic && (cell->written >= access->stretch || cell->written > access->ordered))
    fault = check_order(cell->written, cell->writer, false, access, is_ordered, user);
  if (fault == FAULT_NONE && (cell->read >= access->launch_first || cell->read > access->ordered))
    fault = check_order(cell->read, cell->reader, (cell->reader & BY_FLAG) != 0, access, is_ordered,
                        user);
  cell->written = access->now;
  cell->writer = (uint16_t)(access->thread | (access->is_atomic ? BY_FLAG : 0));
  return fault;
}

Fault shadow_write(Shadow *shadow, size_t offset, size_t bytes, const Access *access,
                   IsOrdered *is_ordered, void *user, uint64_t *new_bytes)
{
  while (bytes != 0) {
    size_t n, left = PAGE_BYTES - offset % PAGE_BYTES, here = bytes < left ? bytes : left;
    Cell *cells = shadow_cells(shadow, offset, here, &n);
    size_t cell_bytes = here / n;
    for (size_t i = 0; i < n; i++) {
      if (cells[i].written < access->launch_first)
        *new_bytes += cell_bytes;
      Fault fault = write_cell(&cells[i], access, is_ordered, user);
      if (fault != FAULT_NONE)
        return fault;
    }
    offset += here;
    bytes -= here;
  }
  return FAULT_NONE;
}

/* ---- allocations ---- */

static void add(Memory *memory, Allocation *allocation)
{
  if (memory->n == memory->capacity) {
    memory->capacity = memory->capacity == 0 ? 64 : memory->capacity * 2;
    memory->list = realloc(memory->list, memory->capacity * sizeof(Allocation *));
  }
  memory->list[memory->n++] = allocation;
}

/* As the driver: multiples of 512, with room between them, so that whoever runs over an end is
 * caught. */
Allocation *memory_allocate_or_null(Memory *memory, size_t bytes)
{
  if (bytes > memory->total_bytes - memory->used_bytes)
    return NULL;
  if (memory->next_address == 0)
    memory->next_address = DEVICE_ADDRESSES;
  Allocation *allocation = calloc(1, sizeof *allocation);
  allocation->address = memory->next_address;
  allocation->bytes = bytes;
  allocation->data = malloc(bytes + 1);
  memset(allocation->data, 0xcd, bytes); /* what nothing wrote shows */
  shadow_create(&allocation->shadow, bytes);
  memory->next_address += (bytes / 65536 + 2) * 65536;
  memory->used_bytes += bytes;
  add(memory, allocation);
  return allocation;
}

Allocation *memory_add_host(Memory *memory, void *data, size_t bytes)
{
  Allocation *allocation = calloc(1, sizeof *allocation);
  *allocation = (Allocation){
      .address = (uint64_t)(uintptr_t)data, .bytes = bytes, .data = data, .is_host = true};
  shadow_create(&allocation->shadow, bytes);
  add(memory, allocation);
  return allocation;
}

bool memory_free(Memory *memory, uint64_t address)
{
  for (size_t i = 0; i < memory->n; i++) {
    Allocation *allocation = memory->list[i];
    if (allocation->address != address)
      continue;
    if (!allocation->is_host)
      memory->used_bytes -= allocation->bytes;
    free(allocation->data);
    shadow_destroy(&allocation->shadow);
    free(allocation);
    memory->list[i] = memory->list[--memory->n];
    return true;
  }
  return false;
}

Allocation *memory_find_or_null(const Memory *memory, uint64_t address)
{
  for (size_t i = 0; i < memory->n; i++) {
    Allocation *allocation = memory->list[i];
    if (address - allocation->address < allocation->bytes)
      return allocation;
  }
  return NULL;
}

Allocation *memory_near_or_null(const Memory *memory, uint64_t address)
{
  for (size_t i = 0; i < memory->n; i++) {
    Allocation *allocation = memory->list[i];
    if (!allocation->is_host && address - allocation->address < allocation->bytes + 65536)
      return allocation;
  }
  return NULL;
}
