/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls into libraries that are found at run time (kernel.library): dlopen for the symbol, libffi
 * for the call, by the signature that stands in the IR. */
#ifndef ECHO_JIT_RUNTIME_LIBRARY_T_H
#define ECHO_JIT_RUNTIME_LIBRARY_T_H

#include "dialects/kernel/kernel.h"

/* Appends what the library of this name ("blas") is on this machine, as far as it says so: its
 * version, and the processor that its kernels are for ("OpenBLAS 0.3.21, SkylakeX"). */
void echo_library_describe(EchoStr name, EchoBuffer *out);

/* A prepared call. */
typedef struct EchoLibraryKernel EchoLibraryKernel;
EchoStr echo_library_kernel_library(const EchoLibraryKernel *kernel);

/* NULL after a diagnostic when the library or the symbol is missing. */
EchoLibraryKernel *echo_library_kernel_create_or_null(const EchoOp *library);
void echo_library_kernel_destroy(EchoLibraryKernel *kernel);
int64_t echo_library_kernel_n_tasks(const EchoLibraryKernel *kernel);
/* Whether it calls nothing and must not be reached; then the error that says so: false. */
bool echo_library_kernel_is_trap(const EchoLibraryKernel *kernel);
bool echo_library_kernel_trap(const EchoLibraryKernel *kernel);
/* Makes the calls of tasks [begin, end). Thread-safe. */
void echo_library_kernel_run(const EchoLibraryKernel *kernel, void *const *buffers, int64_t begin,
                             int64_t end);

#endif
