/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/swap/record.h"

#include <stdlib.h>

#include "base/panic.h"

/* More candidates than this are not looked at. */
#define MAX_GAPS 256
/* Smaller blocks are not worth a copy. */
#define MIN_BYTES UINT64_C(4096)

void echo_swap_program_destroy(EchoSwapProgram *program)
{
  echo_vector_destroy(&program->start_ns);
  echo_vector_destroy(&program->sizes);
  echo_vector_destroy(&program->accesses);
  echo_vector_destroy(&program->inner_bytes);
}

/* ---- events ---- */

typedef struct Recorder {
  const EchoSwapProgram *program;
  EchoSwapRecording *recording;
  ECHO_VECTOR(EchoSwapEvent) events;
  uint32_t *first_step, *last_step; /* by block */
} Recorder;

static int by_step_and_block(const void *a, const void *b)
{
  const EchoSwapAccess *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

/* Sorted, each once. */
static void sort_accesses(EchoSwapProgram *program)
{
  EchoSwapAccess *accesses = program->accesses.data;
  size_t n = 0;
  qsort(accesses, program->accesses.size, sizeof *accesses, by_step_and_block);
  for (size_t i = 0; i < program->accesses.size; ++i)
    if (n == 0 || by_step_and_block(&accesses[n - 1], &accesses[i]) != 0)
      accesses[n++] = accesses[i];
  program->accesses.size = n;
}

static void record(Recorder *recorder, uint32_t step, int64_t time_ns, uint32_t block,
                   EchoSwapAction action)
{
  echo_vector_push(&recorder->events, (EchoSwapEvent){time_ns, block, action});
  echo_vector_push(&recorder->recording->steps, step);
}

/* Each block of a step is accessed at its start and at its end. */
static void record_step(Recorder *recorder, uint32_t step, const EchoSwapAccess *accesses, size_t n)
{
  int64_t start_ns = recorder->program->start_ns.data[step];
  int64_t end_ns = recorder->program->start_ns.data[step + 1];
  uint32_t inner = (uint32_t)recorder->program->sizes.size + step;
  bool has_inner = recorder->program->inner_bytes.data[step] > 0;
  for (size_t i = 0; i < n; ++i)
    if (recorder->first_step[accesses[i].block] == step)
      record(recorder, step, start_ns, accesses[i].block, ECHO_SWAP_ALLOC);
  if (has_inner)
    record(recorder, step, start_ns, inner, ECHO_SWAP_ALLOC);
  for (size_t i = 0; i < n; ++i)
    record(recorder, step, start_ns, accesses[i].block, ECHO_SWAP_WRITE);
  for (size_t i = 0; i < n; ++i)
    record(recorder, step, end_ns, accesses[i].block, ECHO_SWAP_READ);
  if (has_inner)
    record(recorder, step, end_ns, inner, ECHO_SWAP_FREE);
  for (size_t i = 0; i < n; ++i)
    if (recorder->last_step[accesses[i].block] == step)
      record(recorder, step, end_ns, accesses[i].block, ECHO_SWAP_FREE);
}

static void record_program(Recorder *recorder)
{
  const EchoSwapProgram *program = recorder->program;
  size_t n_accesses = program->accesses.size, n_blocks = program->sizes.size, next = 0;
  recorder->first_step = echo_alloc_array(n_blocks + 1, sizeof(uint32_t));
  recorder->last_step = echo_alloc_array(n_blocks + 1, sizeof(uint32_t));
  for (size_t i = n_accesses; i-- > 0;)
    recorder->first_step[program->accesses.data[i].block] = program->accesses.data[i].step;
  for (size_t i = 0; i < n_accesses; ++i)
    recorder->last_step[program->accesses.data[i].block] = program->accesses.data[i].step;
  for (uint32_t step = 0; step < program->inner_bytes.size; ++step) {
    size_t first = next;
    while (next < n_accesses && program->accesses.data[next].step == step)
      ++next;
    record_step(recorder, step, program->accesses.data + first, next - first);
  }
  echo_free(recorder->first_step);
  echo_free(recorder->last_step);
}

/* ---- gaps ---- */

static int by_area(const void *a, const void *b)
{
  const EchoSwapGap *x = a, *y = b;
  double area_x = (double)x->size_bytes * (double)(x->to_ns - x->from_ns);
  double area_y = (double)y->size_bytes * (double)(y->to_ns - y->from_ns);
  if (area_x != area_y)
    return area_x > area_y ? -1 : 1;
  return x->from_event < y->from_event ? -1 : x->from_event > y->from_event;
}

static int by_event(const void *a, const void *b)
{
  const EchoSwapGap *x = a, *y = b;
  return x->from_event < y->from_event ? -1 : x->from_event > y->from_event;
}

static void keep_gaps(EchoSwapRecording *recording)
{
  EchoSwapTrace *trace = &recording->trace;
  uint32_t n = 0;
  for (uint32_t g = 0; g < trace->n_gaps; ++g)
    if (recording->steps.data[trace->gaps[g].to_event] >
        recording->steps.data[trace->gaps[g].from_event] + 1)
      trace->gaps[n++] = trace->gaps[g];
  qsort(trace->gaps, n, sizeof(EchoSwapGap), by_area);
  trace->n_gaps = n < MAX_GAPS ? n : MAX_GAPS;
  qsort(trace->gaps, trace->n_gaps, sizeof(EchoSwapGap), by_event);
}

void echo_swap_recording_create(EchoSwapRecording *recording, EchoSwapProgram *program,
                                const EchoDeviceModel *device)
{
  Recorder recorder = {.program = program, .recording = recording};
  EchoBuffer error = {0};
  size_t bad_event, n_blocks = program->sizes.size, n_steps = program->inner_bytes.size;
  *recording = (EchoSwapRecording){
      .transfer = {1e9 / device->copy_out_bytes_per_s, device->copy_out_latency_ns,
                   1e9 / device->copy_in_bytes_per_s, device->copy_in_latency_ns}};
  sort_accesses(program);
  record_program(&recorder);
  uint64_t *sizes = echo_alloc_array(n_blocks + n_steps + 1, sizeof *sizes);
  for (size_t b = 0; b < n_blocks; ++b)
    sizes[b] = program->sizes.data[b];
  for (size_t s = 0; s < n_steps; ++s)
    sizes[n_blocks + s] =
        program->inner_bytes.data[s] > 0 ? (uint64_t)program->inner_bytes.data[s] : 0;
  bool is_fine = echo_swap_trace_create(&recording->trace, recorder.events.data,
                                        recorder.events.size, sizes, (uint32_t)(n_blocks + n_steps),
                                        1, MIN_BYTES, &recording->transfer, &bad_event, &error);
  ECHO_CHECK(is_fine, "a program's recording contradicts itself: %s", echo_buffer_c_str(&error));
  keep_gaps(recording);
  echo_vector_destroy(&recorder.events);
  echo_free(sizes);
}

void echo_swap_recording_destroy(EchoSwapRecording *recording)
{
  echo_swap_trace_destroy(&recording->trace);
  echo_vector_destroy(&recording->steps);
}
