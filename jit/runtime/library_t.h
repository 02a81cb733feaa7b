/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls into libraries that are found at run time (kernel.library): dlopen for the symbol, libffi
 * for the call, by the signature that stands in the IR. */
#ifndef ECHO_JIT_RUNTIME_LIBRARY_T_H
#define ECHO_JIT_RUNTIME_LIBRARY_T_H

#include "dialects/kernel/kernel.h"

/* Whether a library of this name ("blas") can be opened here. Opens it once and keeps it. */
bool echo_library_available(const char *name);

/* A prepared call. */
typedef struct EchoLibraryKernel EchoLibraryKernel;

/* NULL after a diagnostic when the library or the symbol is missing. */
EchoLibraryKernel *echo_library_kernel_create_or_null(const EchoOp *library);
void echo_library_kernel_destroy(EchoLibraryKernel *kernel);
int64_t echo_library_kernel_n_tasks(const EchoLibraryKernel *kernel);
/* Makes the calls of tasks [begin, end). Thread-safe. */
void echo_library_kernel_run(const EchoLibraryKernel *kernel, void *const *buffers, int64_t begin,
                             int64_t end);

#endif
