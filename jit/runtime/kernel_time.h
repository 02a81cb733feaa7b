/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the launches of one kernel took on the clock, over all timed runs of an executable, and the
 * shortest of them: what others do on the machine only ever adds. Where one thread runs, the time
 * that others had its processor does not count in the shortest. A measurement: nothing is decided
 * by it. */
#ifndef ECHO_JIT_RUNTIME_KERNEL_TIME_H
#define ECHO_JIT_RUNTIME_KERNEL_TIME_H

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoKernelTime {
  EchoStr name; /* of the kernel, owned by its module */
  uint64_t n_runs, elapsed_ns;
  uint64_t least_ns; /* of one launch; 0 before the first */
  /* Likewise of all launches of a run of the program, which may have different work; of the runs
   * that are over, 0 before the first. */
  uint64_t least_run_ns;
  uint64_t run_ns; /* of those of the run that goes on */
} EchoKernelTime;

/* One launch more: on the clock, and without what others took. */
static inline void echo_kernel_time_add(EchoKernelTime *time, uint64_t elapsed_ns, uint64_t own_ns)
{
  time->least_ns = time->n_runs == 0 || own_ns < time->least_ns ? own_ns : time->least_ns;
  time->elapsed_ns += elapsed_ns;
  time->run_ns += own_ns;
  ++time->n_runs;
}

/* The run is over. */
static inline void echo_kernel_time_end_run(EchoKernelTime *time)
{
  if (time->run_ns != 0 && (time->least_run_ns == 0 || time->run_ns < time->least_run_ns))
    time->least_run_ns = time->run_ns;
  time->run_ns = 0;
}

#ifdef __cplusplus
}
#endif

#endif
