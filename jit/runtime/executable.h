/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A compiled module that can be run on a device: machine code for its kernels, and the host program
 * that launches them on buffers in one arena. What it will allocate is known before it runs. */
#ifndef ECHO_JIT_RUNTIME_EXECUTABLE_H
#define ECHO_JIT_RUNTIME_EXECUTABLE_H

#include "jit/runtime/cuda/counters.h"
#include "jit/runtime/device.h"
#include "jit/runtime/image.h"
#include "jit/runtime/kernel_time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoExecutable EchoExecutable;

/* Readies an image: finds the libraries that it calls, hands its PTX to the driver. The image is
 * taken over, in failure too: *image is empty then. Its module, the context and the device must
 * outlive the executable. NULL after diagnostics. (From a module: echo_executable_create_or_null of
 * jit/compile.h. From a file: jit/runtime/bundle/bundle.h.) */
EchoExecutable *echo_executable_load_or_null(EchoContext *ctx, EchoDevice *device,
                                             EchoImage *image);
void echo_executable_destroy(EchoExecutable *executable); /* NULL allowed */

/* ---- signature: that of the module before planning ---- */
size_t echo_executable_n_args(const EchoExecutable *executable);
size_t echo_executable_n_results(const EchoExecutable *executable);
const EchoType *echo_executable_arg_type(const EchoExecutable *executable, size_t i); /* tensors */
const EchoType *echo_executable_result_type(const EchoExecutable *executable,
                                            size_t i); /* tensors */
/* The argument whose storage takes result i, or -1. */
int64_t echo_executable_result_alias(const EchoExecutable *executable, size_t i);
/* Whether a run may leave something else in argument i: its storage takes a result, or the module
 * may reuse it. */
bool echo_executable_overwrites_arg(const EchoExecutable *executable, size_t i);
/* Whether argument i, and the result that takes its place, is in the host's memory
 * (echo_device_host_buffer_create_or_null): it comes to the device piece by piece while the program
 * runs, and goes back. */
bool echo_executable_arg_is_in_host(const EchoExecutable *executable, size_t i);
/* On the CPU, where both are one memory, and before the first run: the arguments that are handed
 * over in the host's memory, and are read where they lie, and the results that are to be there. A
 * result that takes the place of an argument in the other memory changes hands when the run is
 * over.
 *   args, results   as many as there are of either
 *   errors          false, the reason in the executable's context: no such arrays, a GPU, whose
 * code does not read the host's memory */
bool echo_executable_put_in_host(EchoExecutable *executable, const bool *args, const bool *results);

/* ---- random numbers ---- */
/* Whether the program draws from a state that is none of its arguments (stablehlo.rng). */
bool echo_executable_draws(const EchoExecutable *executable);
/* What the next run draws: the numbers of `seed` that are those of `run`, which no other run has;
 * each run after it is the next. Without a call both are 0. Equal ones give equal numbers, whatever
 * the plan, the target and the number of threads. */
void echo_executable_seed(EchoExecutable *executable, uint64_t seed, uint64_t run);

/* ---- memory, to the byte ---- */
typedef struct EchoExecutableMemory {
  uint64_t arg_bytes, result_bytes; /* on the device; results that have storage of their own */
  uint64_t arena_bytes, constant_bytes;
  uint64_t peak_bytes; /* all of it: what execute makes the device hold, arguments included */
  uint64_t
      library_bytes;   /* beside it, of the device: what libraries work in, held from loading on */
  uint64_t host_bytes; /* beside it, in host memory: values that are swapped out, and arguments that
                          are there */
} EchoExecutableMemory;
EchoExecutableMemory echo_executable_memory(const EchoExecutable *executable);

size_t echo_executable_n_kernels(const EchoExecutable *executable);
size_t echo_executable_n_cache_hits(const EchoExecutable *executable);
/* Appends the library that products are left to ("cuBLASLt 13.0.2 for 2 of 5 products"), by version
 * and processor, on which their last bits depend ("OpenBLAS 0.3.21, SkylakeX"); nothing when all
 * code is our own, whose bits are the same on every machine. */
void echo_executable_library(const EchoExecutable *executable, EchoBuffer *out);

/* ---- time ---- */
/* From now on each run adds what its launches took (or no longer does). The clock is looked at
 * twice a launch; what is computed does not change. */
void echo_executable_time_kernels(EchoExecutable *executable, bool is_timed);
/* One entry a kernel, in the order in which the module has them, generated ones first; zero before
 * a timed run. Valid as long as the executable. */
const EchoKernelTime *echo_executable_kernel_times(const EchoExecutable *executable, size_t *n);

/* What the device counted of the launches of a kernel, by its place among the times, since the
 * module was loaded; false when it does not count, as all but emulated ones. */
bool echo_executable_counters(const EchoExecutable *executable, size_t kernel,
                              EchoCudaCounters *counters);

/* Runs once. args[i] is borrowed; one whose storage takes a result is overwritten with it, others
 * are unchanged unless the module may reuse them (jax.buffer_donor). results[i] = the argument's
 * buffer for an aliased result (still owned by whoever owned it), else a new buffer that the caller
 * destroys. The arena and the constants are held by the device between runs, until
 * echo_executable_release.
 *   n_args, n_results   how many `args` and `results` have; they are those of the signature
 *   errors   false, the reason in the executable's context: the device has not enough memory or
 *            fails, or, and then nothing has run, a wrong count, an
 *            argument that is NULL, of another device or not as large as its type, or one buffer
 *            for two arguments of which one is overwritten; also when a call is reached that nobody
 *            knows: what was donated is then lost */
bool echo_executable_execute(EchoExecutable *executable, EchoDeviceBuffer *const *args,
                             size_t n_args, EchoDeviceBuffer **results, size_t n_results);
/* Gives the arena back to the device; the next run takes it again. */
void echo_executable_release(EchoExecutable *executable);

#ifdef __cplusplus
}
#endif

#endif
