#include "jit/device.h"

struct EchoDevice {
  EchoThreadPool *pool;
  uint64_t bytes, peak_bytes;
};

struct EchoDeviceBuffer {
  EchoDevice *device;
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
  ECHO_CHECK(device->bytes == 0, "a device is destroyed while %llu bytes of it are in use",
             (unsigned long long)device->bytes);
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
  return device->pool;
}

uint64_t echo_device_bytes(const EchoDevice *device)
{
  return device->bytes;
}

uint64_t echo_device_peak_bytes(const EchoDevice *device)
{
  return device->peak_bytes;
}

void echo_device_reset_peak(EchoDevice *device)
{
  device->peak_bytes = device->bytes;
}

EchoDeviceBuffer *echo_device_buffer_create(EchoDevice *device, uint64_t size_bytes)
{
  EchoDeviceBuffer *buffer = echo_alloc(sizeof *buffer);
  *buffer = (EchoDeviceBuffer){device, size_bytes,
                               echo_alloc_aligned((size_t)size_bytes, BUFFER_ALIGNMENT)};
  device->bytes += size_bytes;
  if (device->bytes > device->peak_bytes)
    device->peak_bytes = device->bytes;
  return buffer;
}

void echo_device_buffer_destroy(EchoDeviceBuffer *buffer)
{
  if (buffer == NULL)
    return;
  buffer->device->bytes -= buffer->size_bytes;
  echo_free(buffer->data);
  echo_free(buffer);
}

uint64_t echo_device_buffer_bytes(const EchoDeviceBuffer *buffer)
{
  return buffer->size_bytes;
}

void *echo_device_buffer_address(const EchoDeviceBuffer *buffer)
{
  return buffer->data;
}

void echo_device_buffer_write(EchoDeviceBuffer *buffer, const void *host)
{
  if (buffer->size_bytes != 0)
    memcpy(buffer->data, host, (size_t)buffer->size_bytes);
}

void echo_device_buffer_read(const EchoDeviceBuffer *buffer, void *host)
{
  if (buffer->size_bytes != 0)
    memcpy(host, buffer->data, (size_t)buffer->size_bytes);
}
