/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The machine that executes decoded PTX: a launch is run block by block, in a block warp by warp up
 * to the next barrier, in a warp all lanes in step. Sides of a branch run one after the other and
 * meet where control flow says that they must. */
#ifndef ECHO_TESTS_GPU_MACHINE_H
#define ECHO_TESTS_GPU_MACHINE_H

#include "tests/gpu/counters.h"
#include "tests/gpu/memory.h"
#include "tests/gpu/ptx.h"

/* Where generic addresses of shared and local memory begin: no allocation lies there. */
#define SHARED_WINDOW UINT64_C(0x7000000000000000)
#define LOCAL_WINDOW UINT64_C(0x7100000000000000)
#define CONST_WINDOW UINT64_C(0x7200000000000000)

enum { MAX_WARPS = 32, MAX_DEPTH = 128, MAX_BARRIERS = 16, FULL = -1 };

typedef struct Side {
  int32_t pc, meets;
  uint32_t mask;
} Side;

typedef struct Block Block;

struct Warp {
  uint8_t *registers;
  Block *block;
  uint32_t first_thread;
  uint32_t live; /* lanes that have not ended */
  Side sides[MAX_DEPTH];
  int depth;         /* sides in use; the last one runs */
  int barrier;       /* waits there; -1 = runs */
  uint32_t waits_at; /* line of it */
  Stamp now;
  bool ended;
  uint32_t carry; /* of add.cc, a bit a lane */
};

typedef struct Launch Launch;

struct Block {
  Launch *launch;
  uint32_t id[3];
  Warp warps[MAX_WARPS];
  unsigned n_warps;
  uint8_t *shared, *local;
  Shadow shared_shadow;
  uint8_t *local_written; /* a byte a byte */
  Access access;
};

typedef struct Finding {
  Fault fault;
  char text[1024];
} Finding;

struct Launch {
  const PtxModule *module;
  const PtxKernel *kernel;
  Memory *memory;
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared;
  uint8_t *params;
  Stamp *next_stamp; /* of the device: where this launch begins, and after it has ended */
  Stamp launch_first, ordered;
  IsOrdered *is_ordered;
  void *order;
  Counters *counters;
  Finding *finding; /* fault FAULT_NONE until one is found; then nothing runs any more */
  bool stopped;
  Allocation *cached; /* the last one used */
  L1 *l1;
};

/* Runs to the end, or to the first finding. */
void machine_run(Launch *launch);

/* Of an instruction that goes wrong: the launch stops. */
void machine_stop(Warp *warp, const Insn *insn, Fault fault, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The driver's: sets what a handle of a conditional node holds; false when there is no such. */
bool condition_set(uint64_t handle, uint32_t value);

#define LANES_OF(warp, place, T) ((T *)(void *)((warp)->registers + (place)))

/* Where the sides of each branch meet. */
bool control_flow_find(Insn *insns, size_t n);

#endif
