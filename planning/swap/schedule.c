/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When to copy, and what it costs.
 *
 * In intervals between events: a chosen block is away from the interval after the one that begins
 * with its last access (there the copy out runs; the computation can wait for it at the next event)
 * until the one before the next access (there the copy in runs at the latest). So a choice fits a
 * limit exactly when the load less what is away does. Copies in begin as late as both stream and
 * deadline allow, backwards in time, but never so early that the load would pass the limit. Since
 * all copies are triggered by the computation's own progress, delays stretch the plan and never
 * break it. */
#include "base/panic.h"
#include "planning/swap/profile_t.h"
#include "planning/swap/swap.h"

#include <stdlib.h>

/* A chosen gap in the unrolled iterations: instance -1 was begun before the first. */
typedef struct Copy {
  uint32_t gap;
  uint32_t from_event, to_event; /* of the unrolled events; from_event is NONE when out already */
  int64_t in_trigger_ns;         /* nominal */
  int64_t in_after_event;        /* and not before this event is over */
  int64_t in_end_ns;             /* real; -1 until it is known */
  bool is_out, is_in_started;
} Copy;

#define NONE UINT32_MAX
#define ITERATIONS 2

typedef struct Schedule {
  const EchoSwapTrace *trace;
  EchoArena arena;
  EchoSwap *swaps;    /* the chosen gaps, the last deadline first once copies in are planned */
  uint32_t *in_after; /* by swap: the event after which the copy in may begin */
  uint32_t n_swaps;
  EchoProfile load; /* of one iteration, what is away left out */
} Schedule;

/* Adds to the intervals [first, end), which may run on into the next iteration. */
static void add_around(EchoProfile *load, uint32_t first, uint32_t end, int64_t bytes)
{
  uint32_t n = (uint32_t)load->n_positions;
  ECHO_CHECK(first <= n && end <= first + n, "an absence of more than one iteration");
  if (end <= n) {
    echo_profile_add(load, first, first < end ? end : first, bytes);
  } else {
    echo_profile_add(load, first, n, bytes);
    echo_profile_add(load, 0, end - n, bytes);
  }
}

static int64_t max_around(const EchoProfile *load, uint32_t first, uint32_t end)
{
  uint32_t n = (uint32_t)load->n_positions;
  int64_t most = INT64_MIN;
  if (first >= n) {
    first -= n;
    end -= n;
  }
  if (first < end && first < n)
    most = echo_profile_max_in(load, first, end < n ? end : n);
  if (end > n) {
    int64_t wrapped = echo_profile_max_in(load, 0, end - n);
    most = wrapped > most ? wrapped : most;
  }
  return most;
}

/* Intervals without the block: after the next event, until one event before the access. */
static uint32_t away_begin(const EchoSwapGap *gap)
{
  return gap->from_event + 1;
}

static uint32_t away_end(const EchoSwapGap *gap)
{
  uint32_t end = gap->to_event - 1;
  return end > away_begin(gap) ? end : away_begin(gap);
}

static int compare_deadlines(const void *a, const void *b, const EchoSwapTrace *trace)
{
  const EchoSwapGap *x = &trace->gaps[((const EchoSwap *)a)->gap];
  const EchoSwapGap *y = &trace->gaps[((const EchoSwap *)b)->gap];
  if (x->to_ns != y->to_ns)
    return x->to_ns > y->to_ns ? -1 : 1;
  return (x->to_event < y->to_event) - (x->to_event > y->to_event);
}

/* Insertion: there are at most a few hundred. */
static void sort_by_deadline(const EchoSwapTrace *trace, EchoSwap *swaps, uint32_t n)
{
  for (uint32_t i = 1; i < n; i++) {
    EchoSwap moved = swaps[i];
    uint32_t k = i;
    for (; k > 0 && compare_deadlines(&moved, &swaps[k - 1], trace) < 0; k--)
      swaps[k] = swaps[k - 1];
    swaps[k] = moved;
  }
}

static int64_t event_time(const EchoSwapTrace *trace, uint32_t event)
{
  uint32_t n = trace->n_events;
  return trace->events[event % n].time_ns + (int64_t)(event / n) * trace->duration_ns;
}

/* The first event after which the block can be back without passing the limit, at or after
 * `wanted`. */
static uint32_t first_with_room(Schedule *schedule, const EchoSwapGap *gap, uint32_t wanted,
                                int64_t limit)
{
  uint32_t low = wanted, high = away_end(gap);
  while (low < high) { /* room for [e, end) implies room for shorter ranges */
    uint32_t middle = low + (high - low) / 2;
    if (max_around(&schedule->load, middle, away_end(gap)) + (int64_t)gap->size_bytes <= limit)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static uint32_t event_at_or_before(const EchoSwapTrace *trace, const EchoSwapGap *gap, int64_t time)
{
  uint32_t low = away_begin(gap), high = away_end(gap);
  while (low < high) {
    uint32_t middle = low + (high - low + 1) / 2;
    if (event_time(trace, middle) <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Copies in, the last deadline first; each ends when it is needed or when the next begins. */
static void plan_ins(Schedule *schedule, int64_t limit)
{
  const EchoSwapTrace *trace = schedule->trace;
  int64_t next_start = INT64_MAX;
  sort_by_deadline(trace, schedule->swaps, schedule->n_swaps);
  for (uint32_t k = 0; k < schedule->n_swaps; k++) {
    const EchoSwapGap *gap = &trace->gaps[schedule->swaps[k].gap];
    int64_t end = gap->to_ns < next_start ? gap->to_ns : next_start;
    int64_t start = end - gap->in_ns, earliest = gap->from_ns + gap->out_ns;
    if (start < earliest)
      start = earliest < gap->to_ns ? earliest : gap->to_ns;
    uint32_t wanted = event_at_or_before(trace, gap, start);
    uint32_t event = first_with_room(schedule, gap, wanted, limit);
    if (event > wanted && start < event_time(trace, event))
      start = event_time(trace, event);
    add_around(&schedule->load, event % trace->n_events,
               event % trace->n_events + (away_end(gap) - event), (int64_t)gap->size_bytes);
    schedule->swaps[k].in_start_ns = start;
    schedule->in_after[k] = event;
    next_start = start;
  }
}

/* Real time against the nominal time of the computation. */
typedef struct Simulation {
  const EchoSwapTrace *trace;
  Copy *copies;
  uint32_t *in_order; /* copies by trigger */
  uint32_t n_copies, n_ins_done;
  uint32_t *outs; /* queue of copies to go out */
  uint32_t n_outs, n_outs_done;
  int64_t out_end_ns, in_end_ns; /* real, of the copies that run; INT64_MAX when idle */
  int64_t out_free_ns, in_free_ns;
  int64_t now_ns, nominal_ns;
  int64_t n_events_done;
  uint64_t resident, peak, limit;
} Simulation;

static void hold(Simulation *sim, uint64_t bytes)
{
  sim->resident += bytes;
  sim->peak = sim->resident > sim->peak ? sim->resident : sim->peak;
}

static const EchoSwapGap *gap_of(const Simulation *sim, uint32_t copy)
{
  return &sim->trace->gaps[sim->copies[copy].gap];
}

/* Real time at which the next copy in may begin; INT64_MAX when it must wait for something else
 * first. */
static int64_t next_in_start(const Simulation *sim)
{
  if (sim->n_ins_done == sim->n_copies || sim->in_end_ns != INT64_MAX)
    return INT64_MAX;
  const Copy *copy = &sim->copies[sim->in_order[sim->n_ins_done]];
  uint64_t size = gap_of(sim, sim->in_order[sim->n_ins_done])->size_bytes;
  if (!copy->is_out || copy->in_after_event >= sim->n_events_done ||
      sim->resident + size > sim->limit)
    return INT64_MAX;
  int64_t trigger = sim->now_ns;
  if (copy->in_trigger_ns > sim->nominal_ns)
    trigger += copy->in_trigger_ns - sim->nominal_ns;
  return trigger > sim->in_free_ns ? trigger : sim->in_free_ns;
}

static void start_out(Simulation *sim, int64_t time)
{
  if (sim->out_end_ns != INT64_MAX || sim->n_outs_done == sim->n_outs)
    return;
  int64_t start = time > sim->out_free_ns ? time : sim->out_free_ns;
  sim->out_end_ns = start + gap_of(sim, sim->outs[sim->n_outs_done])->out_ns;
}

/* The copies' next step at or before `until`; false when there is none. */
static bool step_copies(Simulation *sim, int64_t until)
{
  int64_t in_start = next_in_start(sim);
  if (sim->out_end_ns <= until && sim->out_end_ns <= sim->in_end_ns &&
      sim->out_end_ns <= in_start) {
    uint32_t copy = sim->outs[sim->n_outs_done++];
    sim->resident -= gap_of(sim, copy)->size_bytes;
    sim->copies[copy].is_out = true;
    sim->out_free_ns = sim->out_end_ns;
    sim->in_free_ns = sim->in_free_ns > sim->out_end_ns || sim->in_end_ns != INT64_MAX
                          ? sim->in_free_ns
                          : sim->out_end_ns; /* nothing began before room was made */
    sim->out_end_ns = INT64_MAX;
    start_out(sim, sim->out_free_ns);
    return true;
  }
  if (sim->in_end_ns <= until && sim->in_end_ns <= in_start) {
    sim->in_free_ns = sim->in_end_ns;
    sim->in_end_ns = INT64_MAX;
    sim->n_ins_done++;
    return true;
  }
  if (in_start <= until) {
    uint32_t copy = sim->in_order[sim->n_ins_done];
    hold(sim, gap_of(sim, copy)->size_bytes);
    sim->copies[copy].is_in_started = true;
    sim->in_end_ns = in_start + gap_of(sim, copy)->in_ns;
    sim->copies[copy].in_end_ns = sim->in_end_ns;
    return true;
  }
  return false;
}

static void advance(Simulation *sim, int64_t until)
{
  while (step_copies(sim, until))
    ;
}

/* The computation waits for one step of the copies. */
static void wait_step(Simulation *sim)
{
  int64_t next = sim->out_end_ns < sim->in_end_ns ? sim->out_end_ns : sim->in_end_ns;
  int64_t in_start = next_in_start(sim);
  next = in_start < next ? in_start : next;
  ECHO_CHECK(next != INT64_MAX, "the swap plan waits for nothing");
  if (next > sim->now_ns)
    sim->now_ns = next;
  advance(sim, sim->now_ns);
}

static void wait_for_in(Simulation *sim, const Copy *copy)
{
  while (!copy->is_in_started || copy->in_end_ns > sim->now_ns)
    wait_step(sim);
}

static void run_event(Simulation *sim, const EchoSwapEvent *event)
{
  uint64_t size = sim->trace->sizes[event->block];
  if (event->action == ECHO_SWAP_ALLOC) {
    while (sim->resident + size > sim->limit)
      wait_step(sim);
    hold(sim, size);
  } else if (event->action == ECHO_SWAP_FREE) {
    sim->resident -= size;
  }
}

typedef struct Order {
  int64_t key;
  uint32_t copy;
} Order;

static int compare_orders(const void *a, const void *b)
{
  const Order *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->copy > y->copy) - (x->copy < y->copy);
}

/* One copy for each swap and iteration; of those that cross the border also the one begun before
 * the first. */
static void list_copies(Simulation *sim, const Schedule *schedule, EchoArena *arena)
{
  const EchoSwapTrace *trace = sim->trace;
  uint32_t n = trace->n_events;
  sim->copies = ECHO_ARENA_ARRAY(arena, Copy, (size_t)schedule->n_swaps * (ITERATIONS + 1) + 1);
  for (uint32_t k = 0; k < schedule->n_swaps; k++) {
    const EchoSwap *swap = &schedule->swaps[k];
    const EchoSwapGap *gap = &trace->gaps[swap->gap];
    for (uint32_t i = gap->to_event >= n ? 0 : 1; i <= ITERATIONS; i++) {
      int64_t shift = ((int64_t)i - 1) * trace->duration_ns;
      bool is_before = i == 0;
      sim->copies[sim->n_copies++] =
          (Copy){.gap = swap->gap,
                 .from_event = is_before ? NONE : gap->from_event + (i - 1) * n,
                 .to_event = is_before ? gap->to_event - n : gap->to_event + (i - 1) * n,
                 .in_trigger_ns = swap->in_start_ns + shift,
                 .in_after_event = (int64_t)schedule->in_after[k] + ((int64_t)i - 1) * n,
                 .in_end_ns = -1,
                 .is_out = is_before};
    }
  }
  Order *orders = ECHO_ARENA_ARRAY(arena, Order, (size_t)sim->n_copies + 1);
  sim->in_order = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)sim->n_copies + 1);
  sim->outs = ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)sim->n_copies + 1);
  for (uint32_t c = 0; c < sim->n_copies;
       c++) /* in order of need: no two can wait for each other */
    orders[c] = (Order){sim->copies[c].to_event, c};
  qsort(orders, sim->n_copies, sizeof *orders, compare_orders);
  for (uint32_t c = 0; c < sim->n_copies; c++)
    sim->in_order[c] = orders[c].copy;
}

/* Events with what copies they begin and wait for. */
typedef struct Triggers {
  uint32_t *first_from, *from; /* copies by from_event */
  uint32_t *first_to, *to;     /* copies by to_event */
} Triggers;

static void list_triggers(const Simulation *sim, uint32_t n_events, bool by_from, uint32_t *first,
                          uint32_t *copies)
{
  for (uint32_t e = 0; e <= n_events + 1; e++)
    first[e] = 0;
  for (int round = 0; round < 2; round++) {
    for (uint32_t c = 0; c < sim->n_copies; c++) {
      uint32_t event = by_from ? sim->copies[c].from_event : sim->copies[c].to_event;
      if (event >= n_events)
        continue;
      if (round == 0)
        first[event + 2]++;
      else
        copies[first[event + 1]++] = c;
    }
    for (uint32_t e = 1; round == 0 && e <= n_events + 1; e++)
      first[e] += first[e - 1];
  }
}

static void simulate(Simulation *sim, const Schedule *schedule, EchoArena *arena,
                     EchoSwapPlan *plan)
{
  const EchoSwapTrace *trace = sim->trace;
  uint32_t n = trace->n_events, n_all = ITERATIONS * n;
  list_copies(sim, schedule, arena);
  Triggers triggers = {ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n_all + 2),
                       ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)sim->n_copies + 1),
                       ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)n_all + 2),
                       ECHO_ARENA_ARRAY(arena, uint32_t, (size_t)sim->n_copies + 1)};
  list_triggers(sim, n_all, true, triggers.first_from, triggers.from);
  list_triggers(sim, n_all, false, triggers.first_to, triggers.to);
  sim->out_end_ns = sim->in_end_ns = INT64_MAX;
  sim->resident = trace->start_bytes;
  for (uint32_t c = 0; c < sim->n_copies; c++)
    if (sim->copies[c].from_event == NONE)
      sim->resident -= gap_of(sim, c)->size_bytes;
  sim->peak = sim->resident;
  int64_t iteration_start = 0;
  for (uint32_t e = 0; e < n_all; e++) {
    int64_t nominal = event_time(trace, e), ready = sim->now_ns + (nominal - sim->nominal_ns);
    if (e == n)
      iteration_start = ready;
    advance(sim, ready);
    sim->now_ns = ready;
    sim->nominal_ns = nominal;
    for (uint32_t k = triggers.first_to[e]; k < triggers.first_to[e + 1]; k++)
      wait_for_in(sim, &sim->copies[triggers.to[k]]);
    run_event(sim, &trace->events[e % n]);
    sim->n_events_done++;
    for (uint32_t k = triggers.first_from[e]; k < triggers.first_from[e + 1]; k++) {
      sim->outs[sim->n_outs++] = triggers.from[k];
      start_out(sim, sim->now_ns);
    }
  }
  int64_t end = sim->now_ns + ((int64_t)ITERATIONS * trace->duration_ns - sim->nominal_ns);
  plan->overhead_ns = end - iteration_start - trace->duration_ns;
  plan->planned_peak_bytes = sim->peak;
}

/* Copies out, first come first served, at nominal times. */
static int compare_from(const void *a, const void *b)
{
  const EchoSwap *x = a, *y = b;
  if (x->out_start_ns != y->out_start_ns)
    return x->out_start_ns < y->out_start_ns ? -1 : 1;
  return (x->gap > y->gap) - (x->gap < y->gap);
}

static void plan_outs(Schedule *schedule, EchoSwapPlan *plan)
{
  echo_vector_clear(&plan->swaps);
  for (uint32_t k = 0; k < schedule->n_swaps; k++) {
    EchoSwap swap = schedule->swaps[k];
    swap.out_start_ns = schedule->trace->gaps[swap.gap].from_ns;
    echo_vector_push(&plan->swaps, swap);
  }
  if (plan->swaps.size > 0)
    qsort(plan->swaps.data, plan->swaps.size, sizeof *plan->swaps.data, compare_from);
  int64_t free_ns = INT64_MIN;
  for (size_t k = 0; k < plan->swaps.size; k++) {
    EchoSwap *swap = &plan->swaps.data[k];
    if (swap->out_start_ns < free_ns)
      swap->out_start_ns = free_ns;
    free_ns = swap->out_start_ns + schedule->trace->gaps[swap->gap].out_ns;
  }
}

bool echo_swap_schedule(const EchoSwapTrace *trace, const bool *is_chosen, uint64_t limit_bytes,
                        EchoSwapPlan *plan)
{
  Schedule schedule = {.trace = trace};
  schedule.swaps = ECHO_ARENA_ARRAY(&schedule.arena, EchoSwap, (size_t)trace->n_gaps + 1);
  schedule.in_after = ECHO_ARENA_ARRAY(&schedule.arena, uint32_t, (size_t)trace->n_gaps + 1);
  echo_profile_create_from(&schedule.load, trace->load, trace->n_events);
  for (uint32_t g = 0; g < trace->n_gaps; g++)
    if (is_chosen[g]) {
      const EchoSwapGap *gap = &trace->gaps[g];
      schedule.swaps[schedule.n_swaps++] = (EchoSwap){.gap = g};
      add_around(&schedule.load, away_begin(gap) % trace->n_events,
                 away_begin(gap) % trace->n_events + (away_end(gap) - away_begin(gap)),
                 -(int64_t)gap->size_bytes);
    }
  bool fits = echo_profile_max(&schedule.load) <= (int64_t)limit_bytes;
  if (fits) {
    plan->limit_bytes = limit_bytes;
    plan_ins(&schedule, (int64_t)limit_bytes);
    plan_outs(&schedule, plan);
    Simulation sim = {.trace = trace, .limit = limit_bytes};
    simulate(&sim, &schedule, &schedule.arena, plan);
  }
  echo_profile_destroy(&schedule.load);
  echo_arena_destroy(&schedule.arena);
  return fits;
}
