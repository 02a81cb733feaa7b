/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a recording to one iteration: live bytes, and the gaps between accesses. */
#include "planning/swap/swap.h"

#include "base/panic.h"

#include <math.h>

#define NONE UINT32_MAX

EchoSwapTransfer echo_swap_transfer_default(void)
{
  return (EchoSwapTransfer){0.0756, 47200, 0.0823, 9700};
}

static int64_t copy_ns(double ns_per_byte, double latency_ns, uint64_t size_bytes)
{
  double ns = ns_per_byte * (double)size_bytes;
  return (int64_t)floor(ns + latency_ns + 0.5);
}

int64_t echo_swap_out_ns(const EchoSwapTransfer *transfer, uint64_t n_bytes)
{
  return copy_ns(transfer->out_ns_per_byte, transfer->out_latency_ns, n_bytes);
}

int64_t echo_swap_in_ns(const EchoSwapTransfer *transfer, uint64_t n_bytes)
{
  return copy_ns(transfer->in_ns_per_byte, transfer->in_latency_ns, n_bytes);
}

/* What is known of a block while the recording is read. */
typedef struct BlockState {
  bool is_known, is_live;
} BlockState;

static bool check_events(const EchoSwapEvent *events, size_t n_events, BlockState *state,
                         bool *was_live, size_t *bad_event, EchoBuffer *error)
{
  for (size_t e = 0; e < n_events; e++) {
    BlockState *block = &state[events[e].block];
    const char *problem = NULL;
    if (e > 0 && events[e].time_ns < events[e - 1].time_ns)
      problem = "it is earlier than the row before";
    else if (events[e].action == ECHO_SWAP_ALLOC && block->is_live)
      problem = "the block is live already";
    else if (events[e].action != ECHO_SWAP_ALLOC && block->is_known && !block->is_live)
      problem = "the block was freed";
    if (problem != NULL) {
      *bad_event = e;
      echo_buffer_append_c(error, problem);
      return false;
    }
    if (!block->is_known)
      was_live[events[e].block] = events[e].action != ECHO_SWAP_ALLOC;
    block->is_known = true;
    block->is_live = events[e].action != ECHO_SWAP_FREE;
  }
  return true;
}

/* The rows of the middle iteration: equal shares when they divide, else equal times. */
static void find_middle(const EchoSwapEvent *events, size_t n_events, uint32_t iterations,
                        size_t *first, size_t *end, int64_t *start_ns, int64_t *end_ns)
{
  uint32_t middle = (iterations - 1) / 2;
  int64_t first_ns = events[0].time_ns, last_ns = events[n_events - 1].time_ns;
  if (n_events % iterations == 0) {
    *first = n_events / iterations * middle;
    *end = n_events / iterations * (middle + 1);
  } else {
    int64_t share = (last_ns - first_ns) / iterations;
    *first = *end = 0;
    while (*first < n_events && events[*first].time_ns < first_ns + share * middle)
      ++*first;
    for (*end = *first; *end < n_events && events[*end].time_ns < first_ns + share * (middle + 1);)
      ++*end;
    if (middle + 1 == iterations)
      *end = n_events;
  }
  *start_ns = events[*first].time_ns;
  *end_ns = *end < n_events ? events[*end].time_ns : last_ns;
}

static void measure_load(EchoSwapTrace *trace)
{
  int64_t load = (int64_t)trace->start_bytes;
  trace->peak_bytes = trace->start_bytes;
  for (uint32_t e = 0; e < trace->n_events; e++) {
    int64_t size = (int64_t)trace->sizes[trace->events[e].block];
    if (trace->events[e].action == ECHO_SWAP_ALLOC)
      load += size;
    else if (trace->events[e].action == ECHO_SWAP_FREE)
      load -= size;
    trace->load[e] = load;
    if ((uint64_t)load > trace->peak_bytes)
      trace->peak_bytes = (uint64_t)load;
  }
}

static void add_gap(EchoSwapTrace *trace, const EchoSwapTransfer *transfer, uint32_t block,
                    uint32_t from_event, int64_t from_ns, uint32_t to_event, int64_t to_ns)
{
  uint64_t size = trace->sizes[block];
  trace->gaps[trace->n_gaps++] = (EchoSwapGap){.block = block,
                                               .from_event = from_event,
                                               .to_event = to_event,
                                               .from_ns = from_ns,
                                               .to_ns = to_ns,
                                               .out_ns = echo_swap_out_ns(transfer, size),
                                               .in_ns = echo_swap_in_ns(transfer, size),
                                               .size_bytes = size};
}

/* Gaps inside the iteration, and from the last access in it to the first of the next. A gap needs
 * two events between its ends, else the block would be away for no time at all. */
static void find_gaps(EchoSwapTrace *trace, const EchoSwapTransfer *transfer, uint64_t min_bytes,
                      const EchoSwapEvent *next, size_t n_next, const bool *was_live,
                      uint32_t n_blocks)
{
  uint32_t *last = ECHO_ARENA_ARRAY(&trace->arena, uint32_t, n_blocks);
  uint32_t *first = ECHO_ARENA_ARRAY(&trace->arena, uint32_t, n_blocks);
  for (uint32_t b = 0; b < n_blocks; b++)
    last[b] = first[b] = NONE;
  trace->gaps = ECHO_ARENA_ARRAY(&trace->arena, EchoSwapGap, 2 * (size_t)trace->n_events + 1);
  for (uint32_t e = 0; e < trace->n_events; e++) {
    const EchoSwapEvent *event = &trace->events[e];
    if (first[event->block] == NONE)
      first[event->block] = e;
    if (event->action == ECHO_SWAP_FREE) {
      last[event->block] = NONE;
      continue;
    }
    uint32_t before = last[event->block];
    if (event->action != ECHO_SWAP_ALLOC && before != NONE && before + 2 < e &&
        trace->sizes[event->block] >= min_bytes)
      add_gap(trace, transfer, event->block, before, trace->events[before].time_ns, e,
              event->time_ns);
    last[event->block] = e;
  }
  for (size_t k = 0; k < n_next; k++) { /* relative to this iteration's start */
    uint32_t b = next[k].block;
    if (last[b] == NONE || trace->sizes[b] < min_bytes)
      continue;
    bool is_access = next[k].action == ECHO_SWAP_READ || next[k].action == ECHO_SWAP_WRITE;
    uint32_t to = trace->n_events + (uint32_t)k;
    if (is_access && to > last[b] + 2) /* at the time of the like event of this iteration */
      add_gap(trace, transfer, b, last[b], trace->events[last[b]].time_ns, to,
              trace->duration_ns + trace->events[k].time_ns);
    last[b] = NONE;
  }
  for (uint32_t b = 0; n_next == 0 && b < n_blocks; b++) /* one iteration: it repeats itself */
    if (last[b] != NONE && was_live[b] && trace->sizes[b] >= min_bytes &&
        trace->events[first[b]].action != ECHO_SWAP_FREE &&
        trace->n_events + first[b] > last[b] + 2)
      add_gap(trace, transfer, b, last[b], trace->events[last[b]].time_ns,
              trace->n_events + first[b], trace->duration_ns + trace->events[first[b]].time_ns);
}

bool echo_swap_trace_create(EchoSwapTrace *trace, const EchoSwapEvent *events, size_t n_events,
                            const uint64_t *sizes, uint32_t n_blocks, uint32_t iterations,
                            uint64_t min_bytes, const EchoSwapTransfer *transfer, size_t *bad_event,
                            EchoBuffer *error)
{
  ECHO_CHECK(n_events >= 1 && n_events < UINT32_MAX / 4 && iterations >= 1,
             "%zu events of %u iterations", n_events, iterations);
  *trace = (EchoSwapTrace){0};
  BlockState *state = ECHO_ARENA_ARRAY(&trace->arena, BlockState, n_blocks);
  bool *was_live = ECHO_ARENA_ARRAY(&trace->arena, bool, n_blocks);
  for (uint32_t b = 0; b < n_blocks; b++) {
    state[b] = (BlockState){false, false};
    was_live[b] = false;
  }
  if (!check_events(events, n_events, state, was_live, bad_event, error)) {
    echo_swap_trace_destroy(trace);
    return false;
  }
  size_t first, end;
  int64_t start_ns, end_ns;
  find_middle(events, n_events, iterations, &first, &end, &start_ns, &end_ns);
  trace->n_events = (uint32_t)(end - first);
  trace->duration_ns = end_ns > start_ns ? end_ns - start_ns : 1;
  trace->sizes = echo_arena_copy(&trace->arena, sizes, n_blocks * sizeof *sizes);
  for (uint32_t b = 0; b < n_blocks; b++)
    state[b].is_live = was_live[b];
  for (size_t e = 0; e < first; e++)
    state[events[e].block].is_live = events[e].action != ECHO_SWAP_FREE;
  for (uint32_t b = 0; b < n_blocks; b++)
    trace->start_bytes += state[b].is_live ? sizes[b] : 0;
  size_t n_copied = n_events - first;
  EchoSwapEvent *copied = ECHO_ARENA_ARRAY(&trace->arena, EchoSwapEvent, n_copied);
  for (size_t k = 0; k < n_copied; k++) {
    copied[k] = events[first + k];
    copied[k].time_ns -= start_ns;
  }
  trace->events = copied;
  trace->load = ECHO_ARENA_ARRAY(&trace->arena, int64_t, (size_t)trace->n_events + 1);
  measure_load(trace);
  size_t n_next = n_copied - trace->n_events;
  n_next = n_next < trace->n_events ? n_next : trace->n_events; /* one iteration ahead is enough */
  find_gaps(trace, transfer, min_bytes, copied + trace->n_events, n_next, was_live, n_blocks);
  return true;
}

void echo_swap_trace_destroy(EchoSwapTrace *trace)
{
  echo_arena_destroy(&trace->arena);
  *trace = (EchoSwapTrace){0};
}
