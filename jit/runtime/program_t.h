/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host program: main of the loops stage as a tree of instructions over numbered buffers. Built
 * once, run many times; no IR is touched while it runs. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_PROGRAM_T_H
#define ECHO_JIT_RUNTIME_PROGRAM_T_H

#include "base/vector.h"
#include "jit/runtime/device.h"
#include "jit/runtime/image.h"
#include "jit/runtime/kernel_time.h"
#include "jit/runtime/library_t.h"

/* Where a buffer lies. */
typedef enum EchoSlotKind { ECHO_SLOT_ARG, ECHO_SLOT_ARENA, ECHO_SLOT_CONSTANT } EchoSlotKind;

typedef struct EchoSlot {
  EchoSlotKind kind;
  uint64_t where;  /* argument number of main (results count on), byte offset, or offset among the
                      constants */
  uint64_t offset; /* in the argument, in bytes */
} EchoSlot;

/* What a launch runs: generated phases, or a library call. */
typedef struct EchoKernelCode {
  size_t number; /* among the kernels of the executable */
  const EchoImagePhase *phases;
  size_t n_phases;
  EchoLibraryKernel *library;        /* or NULL */
  const struct EchoCudaKernel *cuda; /* on a GPU; then there are no phases */
} EchoKernelCode;

typedef enum EchoInstructionKind {
  ECHO_RUN_LAUNCH, /* kernel, slots; where it only begins, or calls a target, it is `event` */
  ECHO_RUN_COPY,   /* slots[0] to slots[1], n_bytes */
  ECHO_RUN_WHILE,  /* blocks[0] = condition (flag in slots[0]), blocks[1] = body */
  ECHO_RUN_CASE,   /* slots[0] selects among blocks */
  ECHO_RUN_SWAP,   /* begins to copy slots[0] to host memory, or from there: at host_offset, or the
                      argument slots[1]; the copy is `event` */
  ECHO_RUN_WAIT    /* until the copy or the call `event` is done */
} EchoInstructionKind;

typedef struct EchoProgramBlock EchoProgramBlock;

typedef struct EchoInstruction {
  EchoInstructionKind kind;
  const EchoKernelCode *kernel;
  const uint32_t *slots;
  size_t n_slots;
  uint64_t n_bytes;
  const EchoProgramBlock *blocks;
  size_t n_blocks;
  bool selects_by_flag; /* CASE: memref<i1>, true = block 0 */
  bool is_out;          /* SWAP, and the WAIT for it: to the host */
  bool is_of_call;      /* LAUNCH: it only begins; WAIT: for such a one */
  uint32_t event;
  uint64_t host_offset;
  bool is_of_argument; /* SWAP */
  bool is_counted;     /* WHILE: blocks[1] runs n_trips times, and blocks[0] need not be run */
  uint64_t n_trips;
} EchoInstruction;

struct EchoProgramBlock {
  EchoInstruction *instructions;
  size_t size;
  size_t number; /* among the blocks of the program */
};

typedef struct EchoProgramConstant {
  const EchoOp *op; /* plan.constant */
  uint64_t where;   /* offset among the constants */
} EchoProgramConstant;

typedef struct EchoProgram {
  EchoArena arena;
  ECHO_VECTOR(EchoSlot) slots;
  ECHO_VECTOR(EchoProgramConstant) constants;
  EchoProgramBlock main;
  uint64_t arena_bytes, constant_bytes, host_bytes;
  uint64_t staged_at; /* offset in the host's memory of what calls of the host work in */
  size_t max_launch_slots, n_events, n_blocks;
} EchoProgram;

/* Builds from `main`. kernels: symbol name -> EchoKernelCode *. False after diagnostics. */
bool echo_program_create(EchoProgram *program, const EchoOp *main, const EchoStringMap *kernels);
void echo_program_destroy(EchoProgram *program);
/* Adds so many bytes to the host's memory: for a GPU, whose host makes calls of its own. */
void echo_program_stage(EchoProgram *program, uint64_t n_bytes);

/* addresses[i] = where slot i lies; `host` has program->host_bytes. times[number of a kernel] is
 * added to when it is given: two looks at the clock a launch. False after a diagnostic when a call
 * was reached that must not be. */
bool echo_program_run(const EchoProgram *program, void *const *addresses, void *host,
                      EchoDevice *device, EchoKernelTime *times);

#endif
