/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory, copies, streams, events. */
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/driver.h"

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
  *total_bytes = gpu.memory.total_bytes;
  *free_bytes = gpu.memory.total_bytes - gpu.memory.used_bytes;
  return gpu_check();
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS || bytes == 0)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  Allocation *allocation = memory_allocate_or_null(&gpu.memory, bytes);
  if (allocation == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = allocation->address;
  return CUDA_SUCCESS;
}

/* Waits for all that may use it. */
CUresult cuMemFree_v2(CUdeviceptr address)
{
  CUresult result = cuCtxSynchronize();
  return memory_free(&gpu.memory, address) ? result : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
  (void)flags;
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS || bytes == 0)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  *address = malloc(bytes);
  memory_add_host(&gpu.memory, *address, bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *address)
{
  CUresult result = cuCtxSynchronize();
  return memory_free(&gpu.memory, (uint64_t)(uintptr_t)address) ? result : CUDA_ERROR_INVALID_VALUE;
}

static CUresult copy(uint64_t to, uint64_t from, size_t bytes, CUstream stream)
{
  Work work = {.kind = WORK_COPY, .stream = stream, .to = to, .from = from, .bytes = bytes};
  return bytes == 0 ? gpu_check() : gpu_submit(&work);
}

/* Of memory that is not pinned, the driver reads before it returns. */
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
  uint64_t address = (uint64_t)(uintptr_t)from;
  CUresult result = copy(to, address, bytes, stream);
  bool is_pinned = memory_find_or_null(&gpu.memory, address) != NULL;
  return result != CUDA_SUCCESS || is_pinned ? result : gpu_flush();
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  uint64_t address = (uint64_t)(uintptr_t)to;
  CUresult result = copy(address, from, bytes, stream);
  bool is_pinned = memory_find_or_null(&gpu.memory, address) != NULL;
  return result != CUDA_SUCCESS || is_pinned ? result : gpu_flush();
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  return copy(to, from, bytes, stream);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
  Work work = {.kind = WORK_FILL, .stream = stream, .to = to, .bytes = bytes, .value = value};
  return bytes == 0 ? gpu_check() : gpu_submit(&work);
}

/* ---- streams ---- */

CUstream gpu_unused_stream_or_null(const Clock *reached)
{
  for (unsigned s = 1; s < gpu.n_streams; s++)
    if (gpu.streams[s].is_destroyed && clock_is_reached(&gpu.streams[s].clock, reached))
      return &gpu.streams[s];
  if (gpu.n_streams == MAX_STREAMS)
    return NULL;
  CUstream stream = &gpu.streams[gpu.n_streams];
  stream->number = gpu.n_streams++;
  return stream;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  (void)flags;
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  CUstream unused = gpu_unused_stream_or_null(&gpu.host);
  if (unused == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  unused->is_destroyed = false;
  clock_join(&unused->clock, &gpu.host);
  *stream = unused;
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
  stream->is_destroyed = true;
  return gpu_flush();
}

CUresult cuStreamSynchronize(CUstream stream)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (stream != NULL && stream->captured != NULL)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  gpu_host_waits(stream != NULL ? &stream->clock : &gpu.streams[0].clock);
  return gpu_flush();
}

CUresult cuStreamQuery(CUstream stream)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (stream != NULL && stream->captured != NULL)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  CUstream asked = stream != NULL ? stream : &gpu.streams[0];
  bool has_more = false;
  result = gpu_advance();
  for (size_t i = gpu.n_carried; result == CUDA_ERROR_NOT_READY && i < gpu.n_queued; i++)
    has_more |= gpu.queue[i].stream == asked;
  if (result == CUDA_ERROR_NOT_READY && !has_more)
    result = CUDA_SUCCESS;
  if (result == CUDA_SUCCESS)
    gpu_host_waits(&asked->clock);
  return result;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
  (void)flags;
  Work work = {.kind = WORK_WAIT, .stream = stream, .event = event};
  if (!event->is_recorded)
    return gpu_check();
  CUresult result = gpu_submit(&work);
  clock_join(&work.stream->clock, &event->clock);
  return result;
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  (void)flags;
  *event = calloc(1, sizeof **event);
  return gpu_check();
}

CUresult cuEventDestroy_v2(CUevent event)
{
  CUresult result = gpu_flush();
  free(event);
  return result;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
  Work work = {.kind = WORK_RECORD, .stream = stream, .event = event};
  CUresult result = gpu_submit(&work);
  if (result != CUDA_SUCCESS)
    return result;
  event->clock = work.stream->clock;
  event->is_recorded = true;
  event->n_pending++;
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  gpu_host_waits(&event->clock);
  return gpu_flush();
}

CUresult cuEventQuery(CUevent event)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  result = gpu_advance();
  if (result == CUDA_ERROR_NOT_READY && event->n_pending == 0)
    result = CUDA_SUCCESS;
  if (result == CUDA_SUCCESS)
    gpu_host_waits(&event->clock);
  return result;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (!from->is_recorded || !to->is_recorded)
    return CUDA_ERROR_INVALID_HANDLE;
  if (from->n_pending != 0 || to->n_pending != 0)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = (float)((to->time_ns - from->time_ns) * 1e-6);
  return CUDA_SUCCESS;
}
