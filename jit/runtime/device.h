/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A device: where buffers live and executables run. It hands out buffers, counts what it has handed
 * out, and copies to and from the host. Its shape follows the PJRT C API. */
#ifndef ECHO_JIT_RUNTIME_DEVICE_H
#define ECHO_JIT_RUNTIME_DEVICE_H

#include "base/thread_pool.h"
#include "ir/attributes/tensor.h"
#include "ir/diagnostics.h"
#include "jit/runtime/copy_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoDevice EchoDevice;
typedef struct EchoDeviceBuffer EchoDeviceBuffer;

/* The host: n_threads as for echo_thread_pool_create (0 = all processors). */
EchoDevice *echo_device_create_cpu(unsigned n_threads);
/* A GPU, by its number in the CUDA driver, which is looked for now. NULL with the reason appended
 * to *error: no driver, one that is too old for the PTX that we emit, no such device. */
EchoDevice *echo_device_create_cuda_or_null(unsigned ordinal, EchoBuffer *error);
/* By the name that tools take: "cpu" (n_threads as above), "cuda", "cuda:1". Of the processes of
 * one program on one machine (jit/runtime/mpi.h) each takes the next GPU for "cuda", and the next
 * one named for "cuda:0,2". NULL with the reason appended to *error. */
EchoDevice *echo_device_create_named_or_null(const char *name, unsigned n_threads,
                                             EchoBuffer *error);
/* All its buffers are destroyed before. */
void echo_device_destroy(EchoDevice *device);
const char *echo_device_name(const EchoDevice *device); /* "cpu", "cuda" */
/* The target that its code is compiled for, one of planning/cost/target.h: "cpu", "sm_80". */
const char *echo_device_target(const EchoDevice *device);
/* What the driver calls it ("NVIDIA H100 80GB HBM3"); "" for the host. */
const char *echo_device_model_name(const EchoDevice *device);
/* Threads of the host: they compute on the CPU, and compile for either. */
EchoThreadPool *echo_device_pool(EchoDevice *device);

/* Bytes handed out now, and the most at any time since the last reset. Exact sizes: no rounding, no
 * bookkeeping. */
uint64_t echo_device_bytes(const EchoDevice *device);
uint64_t echo_device_peak_bytes(const EchoDevice *device);
void echo_device_reset_peak(EchoDevice *device);

/* The stream that copies to host memory (`is_out`), or the one that copies back; made when first
 * asked for, the device's own. */
EchoCopyStream *echo_device_copy_stream(EchoDevice *device, bool is_out);

/* The stream of calls that run beside the program, likewise. */
EchoCopyStream *echo_device_call_stream(EchoDevice *device);
/* Such calls that have been waited for since the device was made, and how long they ran while
 * nobody waited for them. */
typedef struct EchoCallTimes {
  uint64_t n_calls, hidden_ns;
} EchoCallTimes;
EchoCallTimes echo_device_call_times(const EchoDevice *device);

/* ---- buffers ---- */

/* No device has as much: half of what addresses of 48 bits reach. */
#define ECHO_DEVICE_MAX_BYTES (UINT64_C(1) << 47)

/* `ctx`, here and below, is whose diagnostics say what was wrong with the arguments; NULL = nobody
 * is told. */

/* Buffers may be created, destroyed, read and written by any thread. */

/* Uninitialised memory, 64-byte aligned. NULL after an error: no device, a size that no device has,
 * or more than a GPU has left. Where the host's memory is used up, the hook of base/memory.h is
 * called. */
EchoDeviceBuffer *echo_device_buffer_create_or_null(EchoContext *ctx, EchoDevice *device,
                                                    uint64_t size_bytes);
/* The same in the host's memory, where swapped values wait; counted apart. (On the CPU both are one
 * memory: this one stands for the host's.) */
EchoDeviceBuffer *echo_device_host_buffer_create_or_null(EchoContext *ctx, EchoDevice *device,
                                                         uint64_t size_bytes);
/* Whether the buffer is one of the device's own memory; one of the host's that it was asked for. */
bool echo_device_has_buffer(const EchoDevice *device, const EchoDeviceBuffer *buffer);
bool echo_device_has_host_buffer(const EchoDevice *device, const EchoDeviceBuffer *buffer);
uint64_t echo_device_host_peak_bytes(const EchoDevice *device);
/* What a GPU has left to hand out, by its driver; 0 for the host, whose memory is its own business.
 */
uint64_t echo_device_free_bytes(const EchoDevice *device);
void echo_device_buffer_destroy(EchoDeviceBuffer *buffer); /* NULL allowed */
uint64_t echo_device_buffer_bytes(const EchoDeviceBuffer *buffer);
/* Where the device's code sees it: on a GPU no address of the host's. */
void *echo_device_buffer_address(const EchoDeviceBuffer *buffer);
/* Copies of the whole buffer from and to `host`, where host_bytes lie, as many as the buffer has;
 * both wait until the copy is done. False after an error, and nothing is copied. */
bool echo_device_buffer_write(EchoContext *ctx, EchoDeviceBuffer *buffer, const void *host,
                              uint64_t host_bytes);
bool echo_device_buffer_read(EchoContext *ctx, const EchoDeviceBuffer *buffer, void *host,
                             uint64_t host_bytes);
/* Copies a whole buffer into another of the same device and size, and waits. */
bool echo_device_buffer_copy(EchoContext *ctx, const EchoDeviceBuffer *from, EchoDeviceBuffer *to);

#ifdef __cplusplus
}
#endif

#endif
