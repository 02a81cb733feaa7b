/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --kernels: what each kernel takes, on the clock beside what the device model predicts. The plan
 * lists them; a run adds the times. */
#ifndef ECHO_TOOLS_ECHO_RUN_KERNELS_H
#define ECHO_TOOLS_ECHO_RUN_KERNELS_H

#include "base/json.h"
#include "base/vector.h"
#include "jit/runtime/executable.h"
#include "planning/cost/device_model.h"

typedef struct KernelFact {
  EchoStr name, kind;     /* copies of the list */
  uint64_t n_ops;         /* of its body */
  uint64_t n_launches;    /* in one step; in the text, until a run has counted */
  uint64_t predicted_ns;  /* of one launch */
  uint64_t measured_ns;   /* of one launch, the mean of all timed */
  uint64_t least_ns;      /* of the shortest of them */
  uint64_t least_step_ns; /* of all of a step, the shortest step's */
  bool is_predicted;      /* not at stage loops, where no op says what the kernel computes */
  bool is_measured;
  bool is_counted; /* by an emulated device: all launches of the run */
  EchoCudaCounters counters;
} KernelFact;

typedef struct KernelList {
  EchoArena arena;
  ECHO_VECTOR(KernelFact) list; /* most time first: measured, or predicted until a run */
} KernelList;

/* From a module at stage planned; beyond it the list is empty until a run. */
void kernels_list(KernelList *kernels, EchoOp *module, const EchoDeviceModel *device);
/* Adds what `n_steps` timed steps took. */
void kernels_measure(KernelList *kernels, const EchoExecutable *executable, uint64_t n_steps);
void kernels_destroy(KernelList *kernels);

/* The longest ones as a table. */
void kernels_tell(const KernelList *kernels, EchoBuffer *out);
/* All of them, as the value of a key. */
void kernels_write_json(const KernelList *kernels, EchoJsonWriter *json);

#endif
