/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Devices, contexts, errors. Environment: ECHO_GPU=sm_80|sm_90 what it claims to be, ECHO_GPU=none
 * for no device; ECHO_GPU_BYTES its memory; ECHO_GPU_DRIVER its version; ECHO_GPU_COUNT how many
 * there are, of which a process opens one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/driver.h"

Gpu gpu;

/* Published figures of A100 80 GB and H100 SXM: clocks, multiprocessors, bandwidth. */
static const GpuModel MODELS[] = {
    {80, 108, 163 * 1024, 2048, 1.41, 2039, 25, 2500},
    {90, 132, 227 * 1024, 2048, 1.755, 3350, 50, 2500},
};

const GpuModel *gpu_model(void)
{
  return &MODELS[gpu.sm >= 90];
}

CUresult gpu_check(void)
{
  return !gpu.is_initialized ? CUDA_ERROR_NOT_INITIALIZED : gpu.failure;
}

CUresult cuInit(unsigned flags)
{
  const char *name = getenv("ECHO_GPU"), *bytes = getenv("ECHO_GPU_BYTES");
  const char *version = getenv("ECHO_GPU_DRIVER");
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (gpu.is_initialized)
    return CUDA_SUCCESS;
  if (name != NULL && strcmp(name, "none") == 0)
    return CUDA_ERROR_NO_DEVICE;
  gpu.sm = name != NULL && strncmp(name, "sm_", 3) == 0 ? (unsigned)atoi(name + 3) : 80;
  gpu.memory.total_bytes =
      bytes != NULL ? strtoull(bytes, NULL, 10) : UINT64_C(80) * 1000 * 1000 * 1000;
  gpu.version = version != NULL ? atoi(version) : 12040;
  gpu.n_streams = 1;
  gpu.is_initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
  const char *set = getenv("ECHO_GPU_DRIVER");
  *version = set != NULL ? atoi(set) : 12040;
  return CUDA_SUCCESS;
}

static const struct {
  CUresult number;
  const char *name, *text;
} ERRORS[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int find_error(CUresult error)
{
  for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++)
    if (ERRORS[i].number == error)
      return (int)i;
  return -1;
}

CUresult cuGetErrorName(CUresult error, const char **text)
{
  int i = find_error(error);
  *text = i >= 0 ? ERRORS[i].name : NULL;
  return i >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
  int i = find_error(error);
  *text = i >= 0 ? ERRORS[i].text : NULL;
  return i >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count)
{
  const char *text = getenv("ECHO_GPU_COUNT");
  *count = text != NULL ? atoi(text) : 1;
  return gpu_check();
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  int count;
  CUresult result = cuDeviceGetCount(&count);
  *device = ordinal;
  return ordinal >= 0 && ordinal < count ? result : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
  (void)device;
  snprintf(name, (size_t)length, "emulated sm_%u", gpu.sm);
  return gpu_check();
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
  (void)device;
  *bytes = gpu.memory.total_bytes;
  return gpu_check();
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
  const GpuModel *model = gpu_model();
  (void)device;
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 1024;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    *value = 48 * 1024;
    break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    *value = LANES;
    break;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    *value = (int)(model->clock_ghz * 1e6);
    break;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = (int)model->multiprocessors;
    break;
  case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
    *value = (int)(model->memory_gb_s * 1e9 / (5120 / 8 * 2) / 1e3);
    break;
  case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
    *value = 5120;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
    *value = (int)model->threads_per_multiprocessor;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = (int)gpu.sm / 10;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = (int)gpu.sm % 10;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
    *value = (int)model->max_shared + 1024;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
    *value = 65536;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = (int)model->max_shared;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return gpu_check();
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  (void)device;
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  gpu.n_retained++;
  *context = (CUcontext)(void *)&gpu;
  return CUDA_SUCCESS;
}

/* Who lets go of it last ends it, and waits for all its streams. */
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
  (void)device;
  CUresult result = gpu_flush();
  if (gpu.n_retained == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (--gpu.n_retained != 0)
    return result;
  for (unsigned s = 0; s < gpu.n_streams; s++)
    gpu_host_waits(&gpu.streams[s].clock);
  for (unsigned s = 0; s < MAX_STREAMS; s++) {
    free(gpu.first_of[s]);
    gpu.first_of[s] = NULL;
    gpu.first_capacity[s] = 0;
  }
  free(gpu.queue);
  free(gpu.done);
  gpu.queue = NULL;
  gpu.done = NULL;
  gpu.queue_capacity = gpu.done_capacity = gpu.n_done = 0;
  if (gpu.memory.n == 0) {
    free(gpu.memory.list);
    gpu.memory.list = NULL;
    gpu.memory.capacity = 0;
  }
  return result;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
  (void)context;
  return gpu.is_initialized ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuCtxSynchronize(void)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  for (unsigned s = 0; s < gpu.n_streams; s++)
    gpu_host_waits(&gpu.streams[s].clock);
  return gpu_flush();
}

const char *echoCudaFinding(void)
{
  return gpu.finding.text;
}
