/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How generated code is called: all that who runs it need know of codegen/. */
#ifndef ECHO_CODEGEN_KERNEL_FN_H
#define ECHO_CODEGEN_KERNEL_FN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The C type of every generated symbol: runs tasks [begin, end) of one phase, which are at least
 * one: of a phase that has no other, task 0, whatever is asked for. buffers[i] is the address of
 * the first element of the function's i-th memref argument (a launch's operands, in order);
 * arguments must be at least 16-byte aligned and may overlap only as docs/stages.md allows.
 * Thread-safe: uses stack memory alone. */
typedef void EchoKernelFn(void *const *buffers, int64_t begin, int64_t end);

/* X(name): the functions of C, and no others, that generated code may call: what a processor has no
 * instruction for (all but the first four: on those that lack SSE4.1 or FMA), each exact. */
#define ECHO_KERNEL_IMPORTS(X)                                                                     \
  X(memcpy)                                                                                        \
  X(memset)                                                                                        \
  X(fmod)                                                                                          \
  X(fmodf)                                                                                         \
  X(memmove)                                                                                       \
  X(ceil)                                                                                          \
  X(ceilf)                                                                                         \
  X(floor)                                                                                         \
  X(floorf)                                                                                        \
  X(trunc)                                                                                         \
  X(truncf)                                                                                        \
  X(round)                                                                                         \
  X(roundf)                                                                                        \
  X(roundeven)                                                                                     \
  X(roundevenf)                                                                                    \
  X(rint)                                                                                          \
  X(rintf)                                                                                         \
  X(fma)                                                                                           \
  X(fmaf)
#define ECHO_KERNEL_COUNT_IMPORT(name) +1
enum { ECHO_N_KERNEL_IMPORTS = 0 ECHO_KERNEL_IMPORTS(ECHO_KERNEL_COUNT_IMPORT) };

#ifdef __cplusplus
}
#endif

#endif
