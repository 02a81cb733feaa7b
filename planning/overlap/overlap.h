/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that run beside the program. A call begins as soon as the order allows; of the steps that
 * then wait for nothing under way the first runs, and a call is waited for when there is none, or
 * when memory is used up. The invariants: a step runs behind all that wrote what it reads or writes
 * and behind all that read what it writes; calls keep their order among themselves; what a call
 * that is under way reads is not written, and what it writes is not touched; no more bytes are live
 * than the limit, nor, where that is less, than in the order given. */
#ifndef ECHO_PLANNING_OVERLAP_OVERLAP_H
#define ECHO_PLANNING_OVERLAP_OVERLAP_H

#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoOverlapAccess {
  uint32_t resource;
  bool writes;
  bool is_token; /* of a call: what only says that it has begun */
} EchoOverlapAccess;

typedef struct EchoOverlapStep {
  size_t first_access, n_accesses;
  uint64_t inner_bytes; /* that it holds while it runs, beside resources */
  bool is_call;         /* it may be under way beside others */
  bool is_barrier;      /* nothing moves over it, and no call is under way then */
} EchoOverlapStep;

/* A block, in the order given. */
typedef struct EchoOverlapProgram {
  ECHO_VECTOR(EchoOverlapStep) steps;
  ECHO_VECTOR(EchoOverlapAccess) accesses; /* of one step side by side */
  ECHO_VECTOR(uint64_t) resource_bytes;    /* 0: it is there all the time */
} EchoOverlapProgram;

typedef enum EchoOverlapKind {
  ECHO_OVERLAP_RUN,
  ECHO_OVERLAP_BEGIN,
  ECHO_OVERLAP_WAIT
} EchoOverlapKind;

typedef struct EchoOverlapAction {
  EchoOverlapKind kind;
  uint32_t step;
} EchoOverlapAction;

typedef ECHO_VECTOR(EchoOverlapAction) EchoOverlapActions;

void echo_overlap_program_destroy(EchoOverlapProgram *program);
/* Most bytes that are live at once in the order given. O(accesses). */
uint64_t echo_overlap_peak(const EchoOverlapProgram *program);
/* Appends to *actions what to do, each step once, or begun and waited for. O(n log n) in accesses
 * and stretches between barriers. */
void echo_overlap_decide(const EchoOverlapProgram *program, uint64_t limit_bytes,
                         EchoOverlapActions *actions);

#ifdef __cplusplus
}
#endif

#endif
