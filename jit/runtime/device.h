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
/* All its buffers are destroyed before. */
void echo_device_destroy(EchoDevice *device);
const char *echo_device_name(const EchoDevice *device); /* "cpu" */
EchoThreadPool *echo_device_pool(EchoDevice *device);

/* Bytes handed out now, and the most at any time since the last reset. Exact sizes: no rounding, no
 * bookkeeping. */
uint64_t echo_device_bytes(const EchoDevice *device);
uint64_t echo_device_peak_bytes(const EchoDevice *device);
void echo_device_reset_peak(EchoDevice *device);

/* The stream that copies to host memory (`is_out`), or the one that copies back; made when first
 * asked for, the device's own. */
EchoCopyStream *echo_device_copy_stream(EchoDevice *device, bool is_out);

/* ---- buffers ---- */

/* No device has as much: half of what addresses of 48 bits reach. */
#define ECHO_DEVICE_MAX_BYTES (UINT64_C(1) << 47)

/* `ctx`, here and below, is whose diagnostics say what was wrong with the arguments; NULL = nobody
 * is told. */

/* Uninitialised memory, 64-byte aligned. NULL after an error: no device, or a size that no device
 * has. Where the memory is merely used up, the hook of base/memory.h is called. */
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
void echo_device_buffer_destroy(EchoDeviceBuffer *buffer); /* NULL allowed */
uint64_t echo_device_buffer_bytes(const EchoDeviceBuffer *buffer);
/* Where the device's code sees it. */
void *echo_device_buffer_address(const EchoDeviceBuffer *buffer);
/* Copies of the whole buffer from and to `host`, where host_bytes lie, as many as the buffer has;
 * both wait until the copy is done. False after an error, and nothing is copied. */
bool echo_device_buffer_write(EchoContext *ctx, EchoDeviceBuffer *buffer, const void *host,
                              uint64_t host_bytes);
bool echo_device_buffer_read(EchoContext *ctx, const EchoDeviceBuffer *buffer, void *host,
                             uint64_t host_bytes);

#ifdef __cplusplus
}
#endif

#endif
