/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kind of device does in its own way: memory and copies. Accounts, checks of what is handed
 * over and messages about them are device.c's, the same for all. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_DEVICE_T_H
#define ECHO_JIT_RUNTIME_DEVICE_T_H

#include "jit/runtime/device.h"

typedef struct EchoCuda EchoCuda;

typedef struct EchoDeviceMethods {
  const char *name; /* "cuda" */
  /* NULL after an error (told where `ctx` is not NULL); size_bytes > 0. */
  void *(*allocate)(EchoContext *ctx, EchoCuda *cuda, uint64_t size_bytes);
  void (*release)(EchoCuda *cuda, void *address);
  void *(*host_allocate)(EchoContext *ctx, EchoCuda *cuda, uint64_t size_bytes);
  void (*host_release)(EchoCuda *cuda, void *address);
  /* Done when they return; false after an error. */
  bool (*write)(EchoContext *ctx, EchoCuda *cuda, void *device, const void *host, uint64_t bytes);
  bool (*read)(EchoContext *ctx, EchoCuda *cuda, const void *device, void *host, uint64_t bytes);
  bool (*copy)(EchoContext *ctx, EchoCuda *cuda, void *to, const void *from, uint64_t bytes);
  uint64_t (*free_bytes)(EchoCuda *cuda); /* 0 after an error */
} EchoDeviceMethods;

/* A call that ran beside a step, once it has been waited for. */
void echo_device_count_call(EchoDevice *device, uint64_t run_ns, uint64_t waited_ns);

/* NULL: the host. */
EchoCuda *echo_device_cuda_or_null(const EchoDevice *device);

/* Where both are one memory, on the CPU: the buffer is one of the host's from now on, or one of the
 * device's own. */
void echo_device_buffer_count_in(EchoDeviceBuffer *buffer, bool is_host);

#endif
