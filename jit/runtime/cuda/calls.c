/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/cuda/calls_t.h"

#include <sched.h>
#include <time.h>

#include "jit/runtime/cuda/nccl_t.h"
#include "jit/runtime/mpi_t.h"

static bool check(const EchoCudaRun *run, CUresult result, const char *call)
{
  return echo_cuda_check(run->ctx, run->cuda, result, call, NULL);
}

/* ---- begin and join ---- */

static bool prepare(const EchoCudaRun *run, EchoCudaCall *call)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  CUstream *stream = &run->cuda->calls;
  return (*stream != NULL ||
          check(run, driver->stream_create(stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate")) &&
         (call->began != NULL ||
          check(run, driver->event_create(&call->began, 0), "cuEventCreate")) &&
         (call->done != NULL ||
          check(run, driver->event_create(&call->done, 0), "cuEventCreate")) &&
         (call->reached != NULL ||
          check(run, driver->event_create(&call->reached, 0), "cuEventCreate"));
}

static bool enqueue(const EchoCudaRun *run, const EchoInstruction *launch)
{
  const EchoLibraryKernel *library = launch->kernel->library;
  void **buffers = echo_alloc_array(launch->n_slots + 1, sizeof *buffers);
  EchoBuffer error = {0};
  for (size_t i = 0; i < launch->n_slots; i++)
    buffers[i] = run->addresses[launch->slots[i]];
  bool ok = echo_library_kernel_enqueue(library, buffers, run->cuda->calls, &error) ||
            echo_library_kernel_say(library, &error);
  echo_buffer_destroy(&error);
  echo_free(buffers);
  return ok;
}

/* `done` is recorded twice: where the compute stream is, for the calls to begin behind it. */
bool echo_cuda_call_begin(const EchoCudaRun *run, EchoCudaStep *step, const EchoInstruction *launch)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  EchoCudaCall *call = &step->calls[launch->event];
  if (!prepare(run, call))
    return false;
  CUstream stream = run->cuda->calls;
  call->kernel = launch->kernel;
  call->is_beside = launch->is_of_call;
  call->is_joined = false;
  echo_mpi_wait_in(
      echo_library_kernel_name(call->kernel->library),
      echo_library_kernel_place(call->kernel->library)); /* to be connected, at first */
  bool ok = check(run, driver->event_record(call->done, run->cuda->compute), "cuEventRecord") &&
            check(run, driver->stream_wait(stream, call->done, 0), "cuStreamWaitEvent") &&
            check(run, driver->event_record(call->began, stream), "cuEventRecord") &&
            enqueue(run, launch) &&
            check(run, driver->event_record(call->done, stream), "cuEventRecord");
  echo_mpi_wait_in(NULL, (EchoStr){0});
  if (ok && !call->is_under_way) {
    call->is_under_way = true;
    echo_vector_push(&step->under_way, call);
  }
  return ok;
}

bool echo_cuda_call_join(const EchoCudaRun *run, EchoCudaStep *step, uint32_t event)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  EchoCudaCall *call = &step->calls[event];
  if (call->done == NULL)
    return true;
  call->is_joined = true;
  return check(run, driver->event_record(call->reached, run->cuda->compute), "cuEventRecord") &&
         check(run, driver->stream_wait(run->cuda->compute, call->done, 0), "cuStreamWaitEvent");
}

/* ---- waiting ---- */

static uint64_t now_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* A thirty-second of what has been waited, so that nothing is found much later than it is there,
 * and no more than a millisecond; what is shorter than a timer takes is no sleep. */
static void pause_after(uint64_t waited_ns)
{
  enum { TIMER_NS = 50000, MOST_NS = 1000000 };
  uint64_t ns = waited_ns / 32;
  if (ns < TIMER_NS) {
    sched_yield();
    return;
  }
  const struct timespec sleep = {.tv_nsec = (long)(ns < MOST_NS ? ns : MOST_NS)};
  nanosleep(&sleep, NULL);
}

static bool is_done(const EchoCudaRun *run, CUevent event)
{
  return run->cuda->driver.event_query(event) == CUDA_SUCCESS;
}

/* 0 where they are not both over, or came the other way round. */
static double elapsed_ms(const EchoCudaRun *run, CUevent from, CUevent to)
{
  float milliseconds = 0;
  CUresult result = run->cuda->driver.event_elapsed(&milliseconds, from, to);
  return result == CUDA_SUCCESS && milliseconds > 0 ? (double)milliseconds : 0;
}

/* How long it ran while the compute stream did not wait for it: who has not come to the wait, or
 * came after the end, waits for nothing. */
static void count_beside(const EchoCudaRun *run, const EchoCudaCall *call, double call_ms)
{
  EchoCallTimes *times = &run->cuda->call_times;
  bool has_waited = call->is_joined && is_done(run, call->reached);
  double before_ms = has_waited ? elapsed_ms(run, call->began, call->reached) : call_ms;
  times->n_calls++;
  times->hidden_ns += (uint64_t)((before_ms < call_ms ? before_ms : call_ms) * 1e6);
}

/* The first ones that are done leave the list, with what they took. */
static void settle(const EchoCudaRun *run, EchoCudaStep *step, EchoKernelTime *times)
{
  size_t n = 0;
  while (n < step->under_way.size && is_done(run, step->under_way.data[n]->done)) {
    EchoCudaCall *call = step->under_way.data[n++];
    double milliseconds = elapsed_ms(run, call->began, call->done);
    uint64_t ns = (uint64_t)(milliseconds * 1e6);
    if (times != NULL)
      echo_kernel_time_add(&times[call->kernel->number], ns, ns);
    if (call->is_beside)
      count_beside(run, call, milliseconds);
    echo_mpi_count(0, 0, milliseconds * 1e-3);
    call->is_under_way = false;
  }
  for (size_t i = n; n != 0 && i < step->under_way.size; i++)
    step->under_way.data[i - n] = step->under_way.data[i];
  step->under_way.size -= n;
}

typedef struct Watch {
  const EchoCudaCall *first; /* of those under way, since the host sees that it has begun */
  uint64_t since_ns;
} Watch;

static bool fail(const EchoCudaStep *step, const EchoBuffer *error)
{
  return echo_library_kernel_say(step->under_way.data[0]->kernel->library, error);
}

/* What no engine tells: that somebody never comes. */
static bool check_limit(const EchoCudaRun *run, const EchoCudaStep *step, Watch *watch)
{
  const EchoCudaCall *first = step->under_way.data[0];
  if (watch->first != first) {
    if (!is_done(run, first->began))
      return true;
    *watch = (Watch){first, now_ns()};
    echo_mpi_wait_in(echo_library_kernel_name(first->kernel->library),
                     echo_library_kernel_place(first->kernel->library));
  }
  if ((double)(now_ns() - watch->since_ns) * 1e-9 <= echo_mpi_limit_s())
    return true;
  EchoBuffer error = {0};
  echo_buffer_printf(&error,
                     "rank %d of %d has waited for %g s, and not all of its group have joined it",
                     echo_mpi_rank(), echo_mpi_size(), echo_mpi_limit_s());
  fail(step, &error);
  echo_buffer_destroy(&error);
  return false;
}

static bool check_well(const EchoCudaStep *step)
{
  EchoBuffer error = {0};
  bool ok = echo_nccl_is_well(&error) || fail(step, &error);
  echo_buffer_destroy(&error);
  return ok;
}

bool echo_cuda_calls_wait(const EchoCudaRun *run, EchoCudaStep *step, EchoKernelTime *times,
                          bool for_all, CUresult *result)
{
  const EchoCudaDriver *driver = &run->cuda->driver;
  uint64_t begin_ns = now_ns();
  Watch watch = {0};
  bool ok = true;
  *result = CUDA_ERROR_NOT_READY;
  while (ok && step->under_way.size != 0) {
    *result = driver->stream_query(run->cuda->compute);
    settle(run, step, times);
    if (*result != CUDA_ERROR_NOT_READY &&
        (*result != CUDA_SUCCESS || !for_all || step->under_way.size == 0))
      break;
    ok = step->under_way.size == 0 || (check_well(step) && check_limit(run, step, &watch));
    pause_after(now_ns() - begin_ns);
  }
  echo_mpi_wait_in(NULL, (EchoStr){0});
  if (!ok)
    echo_cuda_calls_end(step);
  else if (*result == CUDA_ERROR_NOT_READY)
    *result = driver->stream_synchronize(run->cuda->compute);
  return ok;
}

void echo_cuda_calls_end(EchoCudaStep *step)
{
  if (step->under_way.size != 0)
    echo_nccl_abort();
  for (size_t i = 0; i < step->under_way.size; i++)
    step->under_way.data[i]->is_under_way = false;
  echo_vector_clear(&step->under_way);
}

void echo_cuda_calls_destroy(EchoCudaStep *step, const EchoCuda *cuda)
{
  for (size_t i = 0; i < step->n_events; i++) {
    if (step->calls[i].began != NULL)
      cuda->driver.event_destroy(step->calls[i].began);
    if (step->calls[i].done != NULL)
      cuda->driver.event_destroy(step->calls[i].done);
    if (step->calls[i].reached != NULL)
      cuda->driver.event_destroy(step->calls[i].reached);
  }
  echo_free(step->calls);
  echo_vector_destroy(&step->under_way);
}
