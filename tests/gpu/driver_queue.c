/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The queue of what was asked for, and how it is carried out. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/driver.h"

void clock_join(Clock *clock, const Clock *other)
{
  for (unsigned i = 0; i < MAX_STREAMS; i++)
    if (clock->done[i] < other->done[i])
      clock->done[i] = other->done[i];
}

bool clock_is_reached(const Clock *clock, const Clock *by)
{
  for (unsigned i = 0; i < MAX_STREAMS; i++)
    if (clock->done[i] > by->done[i])
      return false;
  return true;
}

void gpu_host_waits(const Clock *clock)
{
  clock_join(&gpu.host, clock);
}

static bool is_operation(WorkKind kind)
{
  return kind == WORK_LAUNCH || kind == WORK_COPY || kind == WORK_FILL;
}

CUresult gpu_submit(Work *work)
{
  CUresult result = gpu_check();
  if (result != CUDA_SUCCESS)
    return result;
  if (work->stream == NULL)
    work->stream = &gpu.streams[0];
  CUstream stream = work->stream;
  if (stream->captured != NULL)
    return is_operation(work->kind) ? gpu_graph_append(stream->captured, work)
                                    : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  clock_join(&stream->clock, &gpu.host);
  work->clock = stream->clock; /* without itself */
  if (is_operation(work->kind))
    stream->clock.done[stream->number]++;
  if (gpu.n_queued == gpu.queue_capacity) {
    gpu.queue_capacity = gpu.queue_capacity == 0 ? 256 : gpu.queue_capacity * 2;
    gpu.queue = realloc(gpu.queue, gpu.queue_capacity * sizeof *gpu.queue);
  }
  gpu.queue[gpu.n_queued++] = *work;
  return CUDA_SUCCESS;
}

/* ---- order ---- */

/* Whether the operation of a stamp is done before `user`, a Work. */
static bool is_done_before(void *user, Stamp stamp)
{
  const Work *work = user;
  size_t low = 0, high = gpu.n_done;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (gpu.done[middle].first <= stamp)
      low = middle;
    else
      high = middle;
  }
  return gpu.done[low].number <= work->clock.done[gpu.done[low].stream];
}

/* The stamps below which all is done before `work`. */
static Stamp ordered_up_to(const Work *work)
{
  Stamp up_to = gpu.stamp;
  for (unsigned s = 0; s < gpu.n_streams; s++) {
    uint32_t next = work->clock.done[s] + 1;
    if (next < gpu.first_capacity[s] && gpu.first_of[s][next] != 0 &&
        gpu.first_of[s][next] <= up_to)
      up_to = gpu.first_of[s][next] - 1;
  }
  return up_to;
}

static void begin_operation(const Work *work)
{
  unsigned s = work->stream->number;
  uint32_t number = work->clock.done[s] + 1;
  if (gpu.n_done == gpu.done_capacity) {
    gpu.done_capacity = gpu.done_capacity == 0 ? 1024 : gpu.done_capacity * 2;
    gpu.done = realloc(gpu.done, gpu.done_capacity * sizeof *gpu.done);
  }
  gpu.done[gpu.n_done++] = (Done){gpu.stamp + 1, s, number};
  if (number >= gpu.first_capacity[s]) {
    size_t capacity = number < 512 ? 1024 : (size_t)number * 2;
    gpu.first_of[s] = realloc(gpu.first_of[s], capacity * sizeof(Stamp));
    memset(gpu.first_of[s] + gpu.first_capacity[s], 0,
           (capacity - gpu.first_capacity[s]) * sizeof(Stamp));
    gpu.first_capacity[s] = capacity;
  }
  gpu.first_of[s][number] = gpu.stamp + 1;
}

/* ---- carrying out ---- */

CUresult gpu_fail(CUresult result)
{
  fprintf(stderr, "emulated GPU: %s\n", gpu.finding.text);
  gpu.failure = result;
  return result;
}

/* Time by the larger of what memory and what the multiprocessors need; the last wave of blocks
 * counts as a full one. */
static double launch_ns(const Work *work, const Counters *before, const Counters *after)
{
  const GpuModel *model = gpu_model();
  uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];
  unsigned threads = work->block[0] * work->block[1] * work->block[2];
  unsigned resident = gpu_blocks_per_multiprocessor(work->function, threads, work->dynamic_shared);
  uint64_t slots = (uint64_t)model->multiprocessors * (resident != 0 ? resident : 1);
  uint64_t waves = (blocks + slots - 1) / slots;
  double per_wave = (double)blocks / (double)(waves * slots); /* of the slots, how many have work */
  double busy = per_wave * model->multiprocessors;
  if (busy < 1)
    busy = 1;
  uint64_t warps_here = (uint64_t)(threads + 31) / 32 * resident;
  double issue = warps_here < 4 ? (double)warps_here : 4; /* schedulers with a warp to take */
  double instructions = (double)(after->warp_instructions - before->warp_instructions) +
                        (double)(after->bank_conflicts - before->bank_conflicts);
  double compute_ns = instructions / (busy * issue * model->clock_ghz);
  double share = busy / model->multiprocessors * 2; /* half of them draw all of the bandwidth */
  double memory_ns = (double)(after->moved_bytes - before->moved_bytes) /
                     (model->memory_gb_s * (share < 1 ? share : 1));
  double factor = work->function->time_factor != 0 ? work->function->time_factor : 1;
  return factor * (model->launch_ns + (compute_ns > memory_ns ? compute_ns : memory_ns));
}

static CUresult run_launch(Work *work)
{
  static L1 cache;
  Counters *counters = &work->function->counters, before = *counters;
  Launch launch = {.module = work->function->module,
                   .kernel = work->function->kernel,
                   .memory = &gpu.memory,
                   .dynamic_shared = work->dynamic_shared,
                   .params = work->params,
                   .next_stamp = &gpu.stamp,
                   .ordered = ordered_up_to(work),
                   .is_ordered = is_done_before,
                   .order = work,
                   .counters = counters,
                   .finding = &gpu.finding,
                   .l1 = &cache};
  memcpy(launch.grid, work->grid, sizeof launch.grid);
  memcpy(launch.block, work->block, sizeof launch.block);
  counters->shared_bytes = work->function->kernel->shared_bytes + work->dynamic_shared;
  machine_run(&launch);
  double ns = launch_ns(work, &before, counters);
  counters->roofline_ns += ns;
  work->stream->time_ns += ns;
  switch (gpu.finding.fault) {
  case FAULT_NONE:
    return CUDA_SUCCESS;
  case FAULT_BOUNDS:
    return gpu_fail(CUDA_ERROR_ILLEGAL_ADDRESS);
  case FAULT_ALIGNMENT:
    return gpu_fail(CUDA_ERROR_MISALIGNED_ADDRESS);
  case FAULT_UNWRITTEN:
  case FAULT_RACE_THREADS:
  case FAULT_RACE_BLOCKS:
  case FAULT_RACE_OPERATIONS:
  case FAULT_BARRIER:
  case FAULT_TRAP:
    break;
  }
  return gpu_fail(CUDA_ERROR_LAUNCH_FAILED);
}

static CUresult copy_failed(const char *what, uint64_t address, size_t bytes)
{
  snprintf(gpu.finding.text, sizeof gpu.finding.text, "a copy of %zu bytes %s at 0x%llx", bytes,
           what, (unsigned long long)address);
  gpu.finding.fault = FAULT_BOUNDS;
  return gpu_fail(CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* One side of a copy: host memory that the driver did not hand out has no shadow. */
static CUresult touch(Work *work, uint64_t address, bool is_write, uint8_t **data)
{
  Allocation *allocation = memory_find_or_null(&gpu.memory, address);
  if (allocation == NULL) {
    if (address >= DEVICE_ADDRESSES && address < 2 * DEVICE_ADDRESSES)
      return copy_failed("is out of bounds", address, work->bytes);
    *data = (uint8_t *)(uintptr_t)address;
    return CUDA_SUCCESS;
  }
  size_t offset = (size_t)(address - allocation->address);
  *data = allocation->data + offset;
  if (work->bytes > allocation->bytes - offset)
    return copy_failed("is out of bounds", address, work->bytes);
  if (allocation->is_host && !is_write)
    return CUDA_SUCCESS; /* the host may have written it */
  Access access = {.now = gpu.stamp,
                   .stretch = gpu.stamp,
                   .block_first = gpu.stamp,
                   .launch_first = gpu.stamp,
                   .written_from = 0,
                   .ordered =
                       ordered_up_to(work) < gpu.stamp ? ordered_up_to(work) : gpu.stamp - 1};
  uint64_t ignored = 0;
  Fault fault = is_write ? shadow_write(&allocation->shadow, offset, work->bytes, &access,
                                        is_done_before, work, &ignored)
                         : shadow_read(&allocation->shadow, offset, work->bytes, &access,
                                       is_done_before, work, &ignored);
  return fault == FAULT_NONE
             ? CUDA_SUCCESS
             : copy_failed("races with a launch or copy that nothing orders with it", address,
                           work->bytes);
}

static CUresult run_copy(Work *work)
{
  uint8_t *to, *from = NULL;
  gpu.stamp++;
  CUresult result = CUDA_SUCCESS;
  if (work->kind == WORK_COPY)
    result = touch(work, work->from, false, &from);
  if (result == CUDA_SUCCESS)
    result = touch(work, work->to, true, &to);
  if (result != CUDA_SUCCESS)
    return result;
  if (work->kind == WORK_FILL)
    memset(to, work->value, work->bytes);
  else
    memmove(to, from, work->bytes);
  work->stream->time_ns += 1000 + (double)work->bytes / gpu_model()->copy_gb_s;
  return CUDA_SUCCESS;
}

static CUresult run_work(Work *work)
{
  switch (work->kind) {
  case WORK_LAUNCH:
    begin_operation(work);
    return run_launch(work);
  case WORK_COPY:
  case WORK_FILL:
    begin_operation(work);
    return run_copy(work);
  case WORK_RECORD:
    work->event->time_ns = work->stream->time_ns;
    work->event->n_pending--;
    return CUDA_SUCCESS;
  case WORK_WAIT:
    if (work->stream->time_ns < work->event->time_ns)
      work->stream->time_ns = work->event->time_ns;
    return CUDA_SUCCESS;
  case WORK_POLL:
    return work->poll(work->user) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  case WORK_GRAPH:
    break;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult gpu_advance(void)
{
  for (; gpu.n_carried < gpu.n_queued; gpu.n_carried++) {
    Work *work = &gpu.queue[gpu.n_carried];
    if (gpu.failure == CUDA_SUCCESS && run_work(work) == CUDA_ERROR_NOT_READY)
      return CUDA_ERROR_NOT_READY;
    free(work->params);
  }
  gpu.n_queued = gpu.n_carried = 0;
  return gpu.failure;
}

CUresult gpu_flush(void)
{
  CUresult result;
  while ((result = gpu_advance()) == CUDA_ERROR_NOT_READY)
    sched_yield();
  return result;
}

CUresult echoCudaPoll(CUstream stream, EmulatedPoll *poll, void *user)
{
  Work work = {.kind = WORK_POLL, .stream = stream, .poll = poll, .user = user};
  return gpu_submit(&work);
}
