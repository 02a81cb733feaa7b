/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the launches of one kernel took on the clock, over all timed runs of an executable. A
 * measurement: nothing is decided by it. */
#ifndef ECHO_JIT_RUNTIME_KERNEL_TIME_H
#define ECHO_JIT_RUNTIME_KERNEL_TIME_H

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoKernelTime {
  EchoStr name; /* of the kernel, owned by its module */
  uint64_t n_runs, elapsed_ns;
} EchoKernelTime;

#ifdef __cplusplus
}
#endif

#endif
