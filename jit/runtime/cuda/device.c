/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Opening a GPU, its memory, and copies that wait. */
#include <stdlib.h>

#include "jit/runtime/cuda/condition_t.h"
#include "jit/runtime/cuda/cublaslt_t.h"
#include "jit/runtime/cuda/cuda_t.h"
#include "jit/runtime/cuda/cudnn_t.h"
#include "jit/runtime/cuda/nccl_t.h"
#include "planning/cost/target.h"

/* ---- opening ---- */

static bool try_call(const EchoCuda *cuda, CUresult result, const char *call, EchoBuffer *error)
{
  if (result != CUDA_SUCCESS)
    echo_cuda_describe(&cuda->driver, result, call, error);
  return result == CUDA_SUCCESS;
}

static int attribute(const EchoCuda *cuda, CUdevice_attribute which)
{
  int value = 0;
  return cuda->driver.device_attribute(&value, which, cuda->device) == CUDA_SUCCESS ? value : 0;
}

/* The newest target that the device runs: code for an older one runs on a newer one. */
static bool choose_target(EchoCuda *cuda, EchoBuffer *error)
{
  static const char *const TARGETS[] = {"sm_90", "sm_89", "sm_86", "sm_80", "sm_75"};
  int sm = attribute(cuda, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
           attribute(cuda, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0] && cuda->target == NULL; i++) {
    const EchoTargetInfo *target = echo_target_find_or_null(echo_str(TARGETS[i]));
    if (target != NULL && atoi(target->name + 3) <= sm)
      cuda->target = target->name;
  }
  if (cuda->target == NULL)
    echo_buffer_printf(error,
                       "device %d, '%s', is of sm_%d: the oldest that we emit code for is "
                       "sm_75",
                       cuda->device, cuda->name, sm);
  return cuda->target != NULL;
}

static bool find_device(EchoCuda *cuda, unsigned ordinal, EchoBuffer *error)
{
  const EchoCudaDriver *driver = &cuda->driver;
  int count = 0;
  if (!try_call(cuda, driver->init(0), "cuInit", error) ||
      !try_call(cuda, driver->device_count(&count), "cuDeviceGetCount", error))
    return false;
  if ((int)ordinal >= count) {
    echo_buffer_printf(error, "there is no device cuda:%u: the driver has %d", ordinal, count);
    return false;
  }
  return try_call(cuda, driver->device_get(&cuda->device, (int)ordinal), "cuDeviceGet", error) &&
         try_call(cuda, driver->device_name(cuda->name, (int)sizeof cuda->name, cuda->device),
                  "cuDeviceGetName", error) &&
         choose_target(cuda, error);
}

static bool open_device(EchoCuda *cuda, EchoBuffer *error)
{
  const EchoCudaDriver *driver = &cuda->driver;
  CUcontext context;
  if (!try_call(cuda, driver->context_retain(&context, cuda->device), "cuDevicePrimaryCtxRetain",
                error))
    return false;
  cuda->context = context;
  return try_call(cuda, driver->context_set(context), "cuCtxSetCurrent", error) &&
         try_call(cuda, driver->stream_create(&cuda->compute, CU_STREAM_NON_BLOCKING),
                  "cuStreamCreate", error) &&
         try_call(cuda, driver->stream_create(&cuda->in, CU_STREAM_NON_BLOCKING), "cuStreamCreate",
                  error) &&
         try_call(cuda, driver->stream_create(&cuda->out, CU_STREAM_NON_BLOCKING), "cuStreamCreate",
                  error);
}

EchoCuda *echo_cuda_create_or_null(unsigned ordinal, EchoBuffer *error)
{
  EchoCuda *cuda = echo_alloc_zero(1, sizeof *cuda);
  if (echo_cuda_driver_load(&cuda->driver, error) && find_device(cuda, ordinal, error) &&
      open_device(cuda, error))
    return cuda;
  echo_cuda_destroy(cuda);
  return NULL;
}

int echo_cuda_count(void)
{
  EchoCudaDriver driver;
  EchoBuffer ignored = {0};
  int count = 0;
  bool is_there = echo_cuda_driver_load(&driver, &ignored) && driver.init(0) == CUDA_SUCCESS &&
                  driver.device_count(&count) == CUDA_SUCCESS;
  echo_buffer_destroy(&ignored);
  return is_there ? count : 0;
}

void echo_cuda_destroy(EchoCuda *cuda)
{
  if (cuda == NULL)
    return;
  echo_nccl_leave(cuda);
  echo_cuda_conditions_destroy(cuda);
  echo_cublaslt_destroy(cuda->cublaslt);
  echo_cudnn_destroy(cuda->cudnn);
  CUstream streams[] = {cuda->compute, cuda->in, cuda->out, cuda->calls};
  for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
    if (streams[i] != NULL)
      cuda->driver.stream_destroy(streams[i]);
  if (cuda->context != NULL)
    cuda->driver.context_release(cuda->device);
  echo_free(cuda);
}

const char *echo_cuda_target(const EchoCuda *cuda)
{
  return cuda->target;
}

const char *echo_cuda_name(const EchoCuda *cuda)
{
  return cuda->name;
}

/* ---- memory ---- */

static CUdeviceptr device_address(const void *address)
{
  return (CUdeviceptr)(uintptr_t)address;
}

static void *allocate(EchoContext *ctx, EchoCuda *cuda, uint64_t size_bytes)
{
  CUdeviceptr address = 0;
  size_t free_bytes = 0, total_bytes = 0;
  CUresult result = cuda->driver.memory_alloc(&address, (size_t)size_bytes);
  if (result == CUDA_SUCCESS)
    return (void *)(uintptr_t)address;
  if (result != CUDA_ERROR_OUT_OF_MEMORY || ctx == NULL ||
      cuda->driver.memory_info(&free_bytes, &total_bytes) != CUDA_SUCCESS) {
    echo_cuda_check(ctx, cuda, result, "cuMemAlloc", NULL);
    return NULL;
  }
  echo_error(
      ctx, echo_loc_unknown(),
      "cuMemAlloc: device memory is used up: %llu bytes are asked for, %llu of %llu are free",
      (unsigned long long)size_bytes, (unsigned long long)free_bytes,
      (unsigned long long)total_bytes);
  return NULL;
}

/* What a failed launch left behind is told by the call that waits for it. */
static void release(EchoCuda *cuda, void *address)
{
  (void)cuda->driver.memory_free(device_address(address));
}

static void *host_allocate(EchoContext *ctx, EchoCuda *cuda, uint64_t size_bytes)
{
  void *address = NULL;
  CUresult result = cuda->driver.host_alloc(&address, (size_t)size_bytes, 0);
  return echo_cuda_check(ctx, cuda, result, "cuMemHostAlloc", NULL) ? address : NULL;
}

static void host_release(EchoCuda *cuda, void *address)
{
  (void)cuda->driver.host_free(address);
}

/* ---- copies that wait ---- */

static bool finish(EchoContext *ctx, EchoCuda *cuda, CUresult result, const char *call)
{
  return echo_cuda_check(ctx, cuda, result, call, NULL) &&
         echo_cuda_check(ctx, cuda, cuda->driver.stream_synchronize(cuda->compute), call, NULL);
}

static bool write_device(EchoContext *ctx, EchoCuda *cuda, void *device, const void *host,
                         uint64_t bytes)
{
  return finish(ctx, cuda,
                cuda->driver.copy_in(device_address(device), host, (size_t)bytes, cuda->compute),
                "cuMemcpyHtoDAsync");
}

static bool read_device(EchoContext *ctx, EchoCuda *cuda, const void *device, void *host,
                        uint64_t bytes)
{
  return finish(ctx, cuda,
                cuda->driver.copy_out(host, device_address(device), (size_t)bytes, cuda->compute),
                "cuMemcpyDtoHAsync");
}

static bool copy_device(EchoContext *ctx, EchoCuda *cuda, void *to, const void *from,
                        uint64_t bytes)
{
  return finish(
      ctx, cuda,
      cuda->driver.copy(device_address(to), device_address(from), (size_t)bytes, cuda->compute),
      "cuMemcpyDtoDAsync");
}

static uint64_t free_bytes(EchoCuda *cuda)
{
  size_t free = 0, total = 0;
  return cuda->driver.memory_info(&free, &total) == CUDA_SUCCESS ? free : 0;
}

const EchoDeviceMethods ECHO_CUDA_METHODS = {.name = "cuda",
                                             .allocate = allocate,
                                             .release = release,
                                             .host_allocate = host_allocate,
                                             .host_release = host_release,
                                             .write = write_device,
                                             .read = read_device,
                                             .copy = copy_device,
                                             .free_bytes = free_bytes};
