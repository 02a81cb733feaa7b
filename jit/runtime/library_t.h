/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls into libraries that are found at run time (kernel.library): dlopen for the symbol, libffi
 * for the call, by the signature that stands in the IR. */
#ifndef ECHO_JIT_RUNTIME_LIBRARY_T_H
#define ECHO_JIT_RUNTIME_LIBRARY_T_H

#include "dialects/kernel/host_call.h"

/* Appends what the library of this name ("blas") is on this machine, as far as it says so: its
 * version, and the processor that its kernels are for ("OpenBLAS 0.3.21, SkylakeX"). */
void echo_library_describe(EchoStr name, EchoBuffer *out);

/* In the configuration of a target's call, where it is a dictionary: where it stands, for messages.
 */
#define ECHO_CALL_PLACE "place"

/* A prepared call. */
typedef struct EchoLibraryKernel EchoLibraryKernel;
EchoStr echo_library_kernel_library(const EchoLibraryKernel *kernel);

/* NULL after a diagnostic when the library or the symbol is missing. */
EchoLibraryKernel *echo_library_kernel_create_or_null(const EchoOp *library);
void echo_library_kernel_destroy(EchoLibraryKernel *kernel);
int64_t echo_library_kernel_n_tasks(const EchoLibraryKernel *kernel);
/* Whether a call of it may fail: a trap, a target of the user's. Such a kernel is one call; its
 * reason is appended to *error, and said at the op's place: false. */
bool echo_library_kernel_may_fail(const EchoLibraryKernel *kernel);
bool echo_library_kernel_try(const EchoLibraryKernel *kernel, void *const *buffers,
                             EchoBuffer *error);
/* Asks for a call that is not of the host on a stream of a GPU (a CUstream), with the device's
 * addresses. */
bool echo_library_kernel_enqueue(const EchoLibraryKernel *kernel, void *const *buffers,
                                 void *stream, EchoBuffer *error);
/* Whether a GPU's host makes the call, and what it does with buffer i of it. */
bool echo_library_kernel_is_of_host(const EchoLibraryKernel *kernel);
EchoCallBuffer echo_library_kernel_buffer(const EchoLibraryKernel *kernel, size_t i);
/* What a message calls it, and where it says that it stands; empty where it does not. */
const char *echo_library_kernel_name(const EchoLibraryKernel *kernel);
EchoStr echo_library_kernel_place(const EchoLibraryKernel *kernel);
bool echo_library_kernel_say(const EchoLibraryKernel *kernel, const EchoBuffer *error);
/* Makes the calls of tasks [begin, end). Thread-safe. */
void echo_library_kernel_run(const EchoLibraryKernel *kernel, void *const *buffers, int64_t begin,
                             int64_t end);

#endif
