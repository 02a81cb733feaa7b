/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-plan swap: what to move to host memory, so that an iteration fits a limit. */
#include <inttypes.h>
#include <stdio.h>

#include "base/map.h"
#include "tools/common/progress.h"
#include "tools/echo-plan/commands.h"
#include "tools/echo-plan/table.h"

#define MIB UINT64_C(1048576)

enum { BLOCK, SIZE, TIME, EVENT, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {"block", "size", "time_ns", "event"};

/* The longest trace: times of planned iterations are sums of a few of it. */
#define MAX_SPAN_NS (INT64_MAX / 16)
#define MAX_LIVE_BYTES (UINT64_C(1) << 61)

/* An address of the trace, and the block that is there, or was there last. */
typedef struct Place {
  uint32_t block;
  bool is_live, was_before; /* was_before: live when the trace began */
  size_t row;               /* of its allocation, or first sight, or free */
} Place;

typedef struct Swapping {
  const char *path, *policy, *swaps;
  bool zero_overhead;
  int64_t iterations;
  EchoSwapTransfer transfer;
  EchoSwapPolicy policy_number;
  EchoByteSize limit, min_size;
  Table table;
  EchoStringMap addresses; /* number of the place */
  Place *places;
  EchoSwapEvent *events; /* times from the first row's */
  uint64_t *sizes;       /* by block */
  EchoStr *names;        /* by block: its address */
  uint32_t n_blocks;
  int64_t start_ns; /* of the first row */
  uint64_t
      live_bytes; /* at most, while the rows are read: what was live before counts to the end */
  EchoSwapTrace trace;
  bool has_trace;
} Swapping;

static const char *const actions[] = {"alloc", "free", "read", "write"};

static bool read_action(EchoStr name, EchoSwapAction *action)
{
  for (int a = 0; a < 4; a++)
    if (echo_str_is(name, actions[a])) {
      *action = (EchoSwapAction)a;
      return true;
    }
  return false;
}

static void read_time(Swapping *swapping, size_t row, int64_t *before_ns)
{
  Table *table = &swapping->table;
  EchoSwapEvent *events = swapping->events;
  size_t n_mistakes = table->n_mistakes;
  int64_t time_ns = table_i64(table, row, TIME, "time_ns");
  if (table->n_mistakes > n_mistakes)
    return;
  if (row == 1)
    swapping->start_ns = time_ns;
  else if (time_ns < *before_ns)
    table_complain(table, row, "time_ns %" PRId64 " is earlier than in the row before", time_ns);
  else if ((uint64_t)time_ns - (uint64_t)swapping->start_ns > MAX_SPAN_NS)
    table_complain(table, row, "time_ns %" PRId64 " is more than %" PRId64 " after the first row's",
                   time_ns, MAX_SPAN_NS);
  events[row - 1].time_ns = (int64_t)((uint64_t)time_ns - (uint64_t)swapping->start_ns);
  *before_ns = time_ns;
}

static void begin_block(Swapping *swapping, size_t row, Place *place, uint64_t size, bool is_alloc)
{
  *place = (Place){swapping->n_blocks++, true, !is_alloc, row};
  swapping->sizes[place->block] = size;
  swapping->names[place->block] = swapping->table.rows.data[row - 1].fields[BLOCK];
  if (swapping->live_bytes >= MAX_LIVE_BYTES)
    return;
  swapping->live_bytes += size;
  if (swapping->live_bytes >= MAX_LIVE_BYTES)
    table_complain(&swapping->table, row, "2^61 bytes or more are live here");
}

/* What the row does to the block at its address. */
static void follow_block(Swapping *swapping, size_t row, uint64_t size, EchoSwapAction action)
{
  Table *table = &swapping->table;
  EchoStr address = table->rows.data[row - 1].fields[BLOCK];
  uint64_t number = swapping->addresses.n_entries;
  bool is_known = echo_string_map_get(&swapping->addresses, address, &number);
  Place *place = &swapping->places[number];
  if (!is_known)
    echo_string_map_set(&swapping->addresses, address, number);
  if (is_known && action == ECHO_SWAP_ALLOC && place->is_live) {
    table_complain(table, row, "alloc of '%.*s', which is allocated since row %zu",
                   ECHO_STR_ARG(address), place->row);
  } else if (is_known && action != ECHO_SWAP_ALLOC && !place->is_live) {
    table_complain(table, row, "%s of '%.*s', which was freed in row %zu", actions[action],
                   ECHO_STR_ARG(address), place->row);
  } else {
    if (!is_known || action == ECHO_SWAP_ALLOC)
      begin_block(swapping, row, place, size, action == ECHO_SWAP_ALLOC);
    else if (swapping->sizes[place->block] != size)
      table_complain(table, row, "block '%.*s' had %" PRIu64 " bytes before, now %" PRIu64,
                     ECHO_STR_ARG(address), swapping->sizes[place->block], size);
    if (action == ECHO_SWAP_FREE) {
      swapping->live_bytes -= place->was_before ? 0 : size;
      place->is_live = false;
      place->row = row;
    }
  }
  swapping->events[row - 1].block = place->block;
}

static void read_event(Swapping *swapping, size_t row, int64_t *before_ns)
{
  Table *table = &swapping->table;
  const EchoStr *fields = table->rows.data[row - 1].fields;
  EchoSwapEvent *event = &swapping->events[row - 1];
  size_t n_mistakes = table->n_mistakes;
  uint64_t size = table_size(table, row, SIZE, "size");
  if (fields[BLOCK].size == 0)
    table_complain(table, row, "the block has no name");
  if (!read_action(fields[EVENT], &event->action))
    table_complain(table, row, "event '%.*s' is not alloc, free, read or write",
                   ECHO_STR_ARG(fields[EVENT]));
  if (table->n_mistakes == n_mistakes)
    follow_block(swapping, row, size, event->action);
  read_time(swapping, row, before_ns);
}

static bool read_trace(Swapping *swapping)
{
  static const TableSchema schema = {columns, N_COLUMNS, N_COLUMNS};
  Table *table = &swapping->table;
  if (!table_read(table, swapping->path, &schema))
    return false;
  size_t n = table->rows.size, bad_event = 0;
  swapping->events = echo_alloc_zero(n, sizeof *swapping->events);
  swapping->sizes = echo_alloc_array(n, sizeof *swapping->sizes);
  swapping->names = echo_alloc_array(n, sizeof *swapping->names);
  swapping->places = echo_alloc_zero(n, sizeof *swapping->places);
  int64_t before_ns = 0;
  for (size_t row = 1; row <= n; row++)
    read_event(swapping, row, &before_ns);
  if (table->n_mistakes == 0 && (uint64_t)swapping->iterations > n)
    table_complain(table, 0, "%zu rows cannot hold %" PRId64 " iterations", n,
                   swapping->iterations);
  if (!table_is_fine(table))
    return false;
  EchoBuffer error = {0};
  swapping->has_trace =
      echo_swap_trace_create(&swapping->trace, swapping->events, n, swapping->sizes,
                             swapping->n_blocks, (uint32_t)swapping->iterations,
                             swapping->min_size.bytes, &swapping->transfer, &bad_event, &error);
  if (!swapping->has_trace)
    table_complain(table, bad_event + 1, "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return swapping->has_trace;
}

static bool write_swaps(const Swapping *swapping, const EchoSwapPlan *plan)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "block,size,out_ns,in_ns\n");
  for (size_t k = 0; k < plan->swaps.size; k++) {
    const EchoSwap *swap = &plan->swaps.data[k];
    const EchoSwapGap *gap = &swapping->trace.gaps[swap->gap];
    echo_buffer_append_str(&text, swapping->names[gap->block]);
    echo_buffer_printf(&text, ",%" PRIu64 ",%" PRId64 ",%" PRId64 "\n", gap->size_bytes,
                       swap->out_start_ns, swap->in_start_ns);
  }
  bool fine = plan_write(swapping->swaps, &text);
  echo_buffer_destroy(&text);
  return fine;
}

static int report(const Swapping *swapping, const EchoSwapPlan *plan)
{
  const EchoSwapTrace *trace = &swapping->trace;
  uint64_t moved = 0;
  for (size_t k = 0; k < plan->swaps.size; k++)
    moved += trace->gaps[plan->swaps.data[k].gap].size_bytes;
  EchoBuffer text = {0};
  echo_buffer_printf(&text,
                     "policy=%s events=%" PRIu32 " iteration_ns=%" PRId64 " candidates=%" PRIu32
                     " swaps=%zu swapped_bytes=%" PRIu64 "\n",
                     echo_swap_policy_name(swapping->policy_number), trace->n_events,
                     trace->duration_ns, trace->n_gaps, plan->swaps.size, moved);
  echo_buffer_printf(&text,
                     "peak_bytes=%" PRIu64 " limit_bytes=%" PRIu64 " planned_peak_bytes=%" PRIu64
                     " overhead_pct=%.4f",
                     trace->peak_bytes, swapping->limit.bytes, plan->planned_peak_bytes,
                     100.0 * (double)plan->overhead_ns / (double)trace->duration_ns);
  if (swapping->zero_overhead) {
    echo_progress_show("looking for the smallest limit that costs no time");
    echo_buffer_printf(&text, " zero_overhead_limit_bytes=%" PRIu64,
                       plan_free_limit(trace, swapping->policy_number, MIB));
    echo_progress_clear();
  }
  echo_buffer_append_char(&text, '\n');
  int status = plan_print(&text);
  echo_buffer_destroy(&text);
  return status;
}

static int solve(Swapping *swapping)
{
  EchoSwapPlan plan;
  if (!swapping->limit.is_given)
    swapping->limit.bytes = swapping->trace.peak_bytes;
  echo_progress_show("choosing among %" PRIu32 " blocks", swapping->n_blocks);
  bool fits =
      echo_swap_plan(&swapping->trace, swapping->limit.bytes, swapping->policy_number, &plan);
  echo_progress_clear();
  if (!fits) {
    fprintf(stderr,
            "%s: error: the limit of %" PRIu64 " bytes cannot be met: with all candidates swapped "
            "it takes %" PRIu64 "\n",
            swapping->path, swapping->limit.bytes, echo_swap_least_limit(&swapping->trace));
    return 1;
  }
  int status = 1;
  if (swapping->swaps == NULL || write_swaps(swapping, &plan))
    status = report(swapping, &plan);
  echo_vector_destroy(&plan.swaps);
  return status;
}

static bool check_options(Swapping *swapping)
{
  const EchoSwapTransfer *transfer = &swapping->transfer;
  const char *mistake = NULL;
  if (swapping->policy != NULL &&
      !echo_swap_policy_parse(echo_str(swapping->policy), &swapping->policy_number))
    mistake = "no such policy (see --help)";
  else if (!swapping->limit.is_given && !swapping->zero_overhead)
    mistake = "--limit or --zero-overhead is needed";
  else if (!(transfer->out_ns_per_byte >= 0 && transfer->out_ns_per_byte < 1e6 &&
             transfer->in_ns_per_byte >= 0 && transfer->in_ns_per_byte < 1e6 &&
             transfer->out_latency_ns >= 0 && transfer->out_latency_ns < 1e15 &&
             transfer->in_latency_ns >= 0 && transfer->in_latency_ns < 1e15))
    mistake = "the transfer model is out of range";
  if (mistake != NULL)
    fprintf(stderr, "echo-plan swap: error: %s\n", mistake);
  return mistake == NULL;
}

static void append_more_help(void *user, EchoBuffer *help)
{
  (void)user;
  echo_buffer_append_c(
      help,
      "\nFILE has the header block,size,time_ns,event (alloc, free, read, write), rows in time\n"
      "order, at nanoseconds since any epoch. An address allocated again after a free is a new\n"
      "block. A block whose first row is no alloc was live before, one without a free lives on.\n"
      "Times in the list of swaps are those of the iteration; beyond its end: in the next one.\n"
      "\npolicies:");
  for (int p = 0; p < ECHO_SWAP_POLICIES; p++)
    echo_buffer_printf(help, " %s", echo_swap_policy_name((EchoSwapPolicy)p));
  echo_buffer_append_char(help, '\n');
}

int plan_swap(int argc, char **argv)
{
  Swapping swapping = {
      .iterations = 1, .min_size = {MIB, false}, .transfer = echo_swap_transfer_default()};
  const EchoOption options[] = {
      {"limit", ECHO_OPTION_BYTES, &swapping.limit, "BYTES", "what the iteration may take"},
      {"policy", ECHO_OPTION_STRING, &swapping.policy, "NAME", "what to swap (default: best)"},
      {"iterations", ECHO_OPTION_RANGE, ECHO_RANGE(&swapping.iterations, 1, 1000000), "K",
       "the file holds K like iterations; the middle one is planned"},
      {"zero-overhead", ECHO_OPTION_FLAG, &swapping.zero_overhead, NULL,
       "also find the smallest limit that costs no time, to 1 MiB"},
      {"swaps", ECHO_OPTION_STRING, &swapping.swaps, "FILE", "list block, when out, when in"},
      {"min-size", ECHO_OPTION_BYTES, &swapping.min_size, "BYTES",
       "smallest block to swap (default: 1MiB)"},
      {"out-ns-per-byte", ECHO_OPTION_F64, &swapping.transfer.out_ns_per_byte, "X",
       "default: 0.0756"},
      {"out-latency-ns", ECHO_OPTION_F64, &swapping.transfer.out_latency_ns, "X", "default: 47200"},
      {"in-ns-per-byte", ECHO_OPTION_F64, &swapping.transfer.in_ns_per_byte, "X",
       "default: 0.0823"},
      {"in-latency-ns", ECHO_OPTION_F64, &swapping.transfer.in_latency_ns, "X", "default: 9700"},
      {0}};
  const EchoCommandLine line = {.tool = "echo-plan swap",
                                .synopsis = "--limit=BYTES [options] TRACE.csv",
                                .summary = "what to move to host memory and back, and when",
                                .options = options,
                                .more_help = append_more_help};
  int status = plan_parse(&line, argc, argv, &swapping.path);
  if (status >= 0)
    return status;
  status = 1;
  if (check_options(&swapping) && read_trace(&swapping))
    status = solve(&swapping);
  if (swapping.has_trace)
    echo_swap_trace_destroy(&swapping.trace);
  echo_string_map_destroy(&swapping.addresses);
  echo_free(swapping.names);
  echo_free(swapping.places);
  echo_free(swapping.events);
  echo_free(swapping.sizes);
  table_destroy(&swapping.table);
  return status;
}
