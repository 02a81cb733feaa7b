/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/device.h"

#include <inttypes.h>

/* What was handed out of one memory. */
typedef struct Account {
  uint64_t bytes, peak_bytes;
} Account;

struct EchoDevice {
  EchoThreadPool *pool;
  EchoCopyStream *streams[2]; /* in, out; NULL until they are needed */
  Account own, host;
};

struct EchoDeviceBuffer {
  Account *account;
  uint64_t size_bytes;
  void *data;
};

enum { BUFFER_ALIGNMENT = 64 };

EchoDevice *echo_device_create_cpu(unsigned n_threads)
{
  EchoDevice *device = echo_alloc_zero(1, sizeof *device);
  device->pool = echo_thread_pool_create(n_threads);
  return device;
}

void echo_device_destroy(EchoDevice *device)
{
  if (device == NULL)
    return;
  uint64_t bytes = device->own.bytes + device->host.bytes;
  ECHO_CHECK(bytes == 0, "a device is destroyed while %llu bytes of it are in use",
             (unsigned long long)bytes);
  for (int i = 0; i < 2; i++)
    echo_copy_stream_destroy(device->streams[i]);
  echo_thread_pool_destroy(device->pool);
  echo_free(device);
}

const char *echo_device_name(const EchoDevice *device)
{
  (void)device;
  return "cpu";
}

EchoThreadPool *echo_device_pool(EchoDevice *device)
{
  if (device == NULL)
    return NULL;
  return device->pool;
}

uint64_t echo_device_bytes(const EchoDevice *device)
{
  if (device == NULL)
    return 0;
  return device->own.bytes;
}

uint64_t echo_device_peak_bytes(const EchoDevice *device)
{
  if (device == NULL)
    return 0;
  return device->own.peak_bytes;
}

void echo_device_reset_peak(EchoDevice *device)
{
  if (device == NULL)
    return;
  device->own.peak_bytes = device->own.bytes;
  device->host.peak_bytes = device->host.bytes;
}

EchoCopyStream *echo_device_copy_stream(EchoDevice *device, bool is_out)
{
  if (device == NULL)
    return NULL;
  EchoCopyStream **stream = &device->streams[is_out];
  if (*stream == NULL)
    *stream = echo_copy_stream_create();
  return *stream;
}

/* Says what is wrong where somebody listens; returns false. */
static bool refuse(EchoContext *ctx, const char *format, ...) ECHO_PRINTF(2, 3);
static bool refuse(EchoContext *ctx, const char *format, ...)
{
  if (ctx == NULL)
    return false;
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&text));
  echo_context_flush_diagnostics(ctx);
  echo_buffer_destroy(&text);
  return false;
}

static bool check_size(EchoContext *ctx, const EchoDevice *device, uint64_t size_bytes)
{
  if (device == NULL)
    return refuse(ctx, "a buffer is created, but 'device' is NULL");
  if (size_bytes > ECHO_DEVICE_MAX_BYTES)
    return refuse(ctx,
                  "a buffer is created, but 'size_bytes' is %" PRIu64 ": no device has as much",
                  size_bytes);
  return true;
}

static EchoDeviceBuffer *create_buffer(Account *account, uint64_t size_bytes)
{
  EchoDeviceBuffer *buffer = echo_alloc(sizeof *buffer);
  *buffer = (EchoDeviceBuffer){account, size_bytes,
                               echo_alloc_aligned((size_t)size_bytes, BUFFER_ALIGNMENT)};
  account->bytes += size_bytes;
  if (account->bytes > account->peak_bytes)
    account->peak_bytes = account->bytes;
  return buffer;
}

EchoDeviceBuffer *echo_device_buffer_create_or_null(EchoContext *ctx, EchoDevice *device,
                                                    uint64_t size_bytes)
{
  return check_size(ctx, device, size_bytes) ? create_buffer(&device->own, size_bytes) : NULL;
}

EchoDeviceBuffer *echo_device_host_buffer_create_or_null(EchoContext *ctx, EchoDevice *device,
                                                         uint64_t size_bytes)
{
  return check_size(ctx, device, size_bytes) ? create_buffer(&device->host, size_bytes) : NULL;
}

bool echo_device_has_buffer(const EchoDevice *device, const EchoDeviceBuffer *buffer)
{
  return device != NULL && buffer != NULL && buffer->account == &device->own;
}

bool echo_device_has_host_buffer(const EchoDevice *device, const EchoDeviceBuffer *buffer)
{
  return device != NULL && buffer != NULL && buffer->account == &device->host;
}

uint64_t echo_device_host_peak_bytes(const EchoDevice *device)
{
  return device != NULL ? device->host.peak_bytes : 0;
}

void echo_device_buffer_destroy(EchoDeviceBuffer *buffer)
{
  if (buffer == NULL)
    return;
  buffer->account->bytes -= buffer->size_bytes;
  echo_free(buffer->data);
  echo_free(buffer);
}

uint64_t echo_device_buffer_bytes(const EchoDeviceBuffer *buffer)
{
  return buffer != NULL ? buffer->size_bytes : 0;
}

void *echo_device_buffer_address(const EchoDeviceBuffer *buffer)
{
  return buffer != NULL ? buffer->data : NULL;
}

/* `what` is "written" or "read". */
static bool check_copy(EchoContext *ctx, const EchoDeviceBuffer *buffer, const void *host,
                       uint64_t host_bytes, const char *what)
{
  if (buffer == NULL)
    return refuse(ctx, "a buffer is %s, but 'buffer' is NULL", what);
  if (host_bytes != buffer->size_bytes)
    return refuse(ctx, "a buffer of %" PRIu64 " bytes is %s, but 'host_bytes' is %" PRIu64,
                  buffer->size_bytes, what, host_bytes);
  if (host == NULL && host_bytes != 0)
    return refuse(ctx, "a buffer is %s, but 'host' is NULL", what);
  return true;
}

bool echo_device_buffer_write(EchoContext *ctx, EchoDeviceBuffer *buffer, const void *host,
                              uint64_t host_bytes)
{
  if (!check_copy(ctx, buffer, host, host_bytes, "written"))
    return false;
  if (host_bytes != 0)
    memcpy(buffer->data, host, (size_t)host_bytes);
  return true;
}

bool echo_device_buffer_read(EchoContext *ctx, const EchoDeviceBuffer *buffer, void *host,
                             uint64_t host_bytes)
{
  if (!check_copy(ctx, buffer, host, host_bytes, "read"))
    return false;
  if (host_bytes != 0)
    memcpy(host, buffer->data, (size_t)host_bytes);
  return true;
}
