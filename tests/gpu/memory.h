/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The device's memory and what is known of each word in it: who wrote it and who read it last, so
 * that a race, or a read of what nothing wrote, is found when it happens. Addresses are none of the
 * host's: who follows one on the host crashes, as with a GPU. */
#ifndef ECHO_TESTS_GPU_MEMORY_H
#define ECHO_TESTS_GPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Accesses carry a stamp. Stamps grow; an operation (a launch, a copy) has a range of them, in it
 * each block one range, in it each stretch between two barriers one stamp. Stamp 0 is "never". */
typedef uint32_t Stamp;

/* Who accessed: a thread of the block; or several of one warp (its number is added), or of several
 * warps. */
enum { BY_WARP = 0x4000, BY_MANY = 0x7fff, BY_THREADS = 0x7fff, BY_FLAG = 0x8000 };

typedef struct Cell {
  Stamp written, read;
  uint16_t writer; /* BY_FLAG: by an atomic operation */
  uint16_t reader; /* BY_FLAG: several blocks of a launch read */
} Cell;

enum { PAGE_BYTES = 4096 };

/* Cells of PAGE_BYTES, one for each four bytes, or for each byte once a smaller access came. */
typedef struct ShadowPage {
  Cell *cells;
  bool is_fine;
} ShadowPage;

typedef struct Shadow {
  ShadowPage *pages;
  size_t n_pages;
} Shadow;

void shadow_create(Shadow *shadow, size_t bytes);
void shadow_destroy(Shadow *shadow);
/* The cell of an offset, and in *n how many cells `bytes` from there have, all in one page. */
Cell *shadow_cells(Shadow *shadow, size_t offset, size_t bytes, size_t *n);

/* Who accesses, and when. */
typedef struct Access {
  Stamp now;     /* this stretch of the warp: up to its next barrier, or that of the warp alone */
  Stamp stretch; /* the first of the block since its last barrier */
  Stamp block_first;  /* the first of the block */
  Stamp launch_first; /* the first of the operation */
  Stamp written_from; /* what was written before it counts as not written */
  Stamp ordered;      /* all stamps up to here are of operations that are done before this one */
  uint16_t thread;
  bool is_atomic;
} Access;

typedef enum Fault {
  FAULT_NONE,
  FAULT_BOUNDS,
  FAULT_ALIGNMENT,
  FAULT_UNWRITTEN,
  FAULT_RACE_THREADS, /* between two barriers */
  FAULT_RACE_BLOCKS,
  FAULT_RACE_OPERATIONS,
  FAULT_BARRIER, /* not reached by all */
  FAULT_TRAP
} Fault;

/* Whether the operation that stamp belongs to is done before the present one; asked for stamps
 * above Access.ordered only. */
typedef bool IsOrdered(void *user, Stamp stamp);

/* Marks and checks one access. *new_bytes grows by what this operation touches for the first time
 * in this way. */
Fault shadow_read(Shadow *shadow, size_t offset, size_t bytes, const Access *access,
                  IsOrdered *is_ordered, void *user, uint64_t *new_bytes);
Fault shadow_write(Shadow *shadow, size_t offset, size_t bytes, const Access *access,
                   IsOrdered *is_ordered, void *user, uint64_t *new_bytes);

/* Where the device's addresses begin: no host has any from here to twice as high. */
#define DEVICE_ADDRESSES UINT64_C(0x4000000000000000)

/* One allocation. */
typedef struct Allocation {
  uint64_t address; /* the device's, or a pinned host pointer */
  size_t bytes;
  uint8_t *data;
  Shadow shadow;
  bool is_host;
} Allocation;

typedef struct Memory {
  Allocation **list;
  size_t n, capacity;
  uint64_t next_address;
  uint64_t used_bytes, total_bytes;
} Memory;

/* NULL when it does not fit. */
Allocation *memory_allocate_or_null(Memory *memory, size_t bytes);
Allocation *memory_add_host(Memory *memory, void *data, size_t bytes);
bool memory_free(Memory *memory, uint64_t address);
/* The allocation that `address` lies in, or up to 64 KiB behind; or NULL. */
Allocation *memory_near_or_null(const Memory *memory, uint64_t address);
/* The allocation that holds `address`, or NULL. */
Allocation *memory_find_or_null(const Memory *memory, uint64_t address);

#endif
