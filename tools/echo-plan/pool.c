/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo-plan pool: offset assignment. */
#include <inttypes.h>
#include <stdio.h>

#include "base/map.h"
#include "tools/common/progress.h"
#include "tools/echo-plan/commands.h"
#include "tools/echo-plan/table.h"

enum { ID, LOWER, UPPER, SIZE, ALIGNMENT, HINT, GAPS, FIXED, GROUP, GROUP_OFFSET, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {"id",   "lower", "upper", "size",  "alignment",
                                               "hint", "gaps",  "fixed", "group", "group_offset"};

#define NO_FIT SIZE_MAX

typedef struct Pool {
  const char *path, *policy, *svg, *output;
  size_t fit; /* number of the order named; NO_FIT: the policy of `options` */
  double time_limit_s;
  int64_t period, max_nodes;
  Table table;
  EchoOffsetBlock *blocks; /* by row */
  EchoStr *ids;
  uint64_t *offsets;
  EchoOffsetOptions options;
  EchoOffsetResult result;
  EchoByteSize capacity;
  double deadline_ms, spent_ms;
} Pool;

static void read_block(Pool *pool, size_t row)
{
  Table *table = &pool->table;
  EchoOffsetBlock *block = &pool->blocks[row - 1];
  const EchoStr *fields = table->rows.data[row - 1].fields;
  *block = (EchoOffsetBlock){.fixed_offset = ECHO_OFFSET_FREE};
  block->lower = table_i64(table, row, LOWER, "lower");
  block->upper = table_i64(table, row, UPPER, "upper");
  block->size_bytes = table_size(table, row, SIZE, "size");
  if (fields[ALIGNMENT].size > 0)
    block->alignment = table_size(table, row, ALIGNMENT, "alignment");
  if (fields[GAPS].size > 0)
    table_complain(table, row, "gaps are not supported: give the parts as blocks of one group");
  if (fields[FIXED].size > 0)
    block->fixed_offset = table_size(table, row, FIXED, "fixed offset");
  if (fields[GROUP].size > 0) {
    uint64_t group = table_size(table, row, GROUP, "group");
    if (group > UINT32_MAX)
      table_complain(table, row, "group %" PRIu64 " is above %" PRIu32, group, UINT32_MAX);
    block->alias_group = (uint32_t)group;
  }
  if (fields[GROUP_OFFSET].size > 0)
    block->alias_offset_bytes = table_size(table, row, GROUP_OFFSET, "offset in the group");
}

static void check_block(Pool *pool, size_t row, uint64_t *total)
{
  Table *table = &pool->table;
  const EchoOffsetBlock *block = &pool->blocks[row - 1];
  if (pool->period == 0 && block->lower > block->upper)
    table_complain(table, row, "the lifetime [%" PRId64 ", %" PRId64 ") ends before it begins",
                   block->lower, block->upper);
  if (pool->period != 0 && (block->lower < 0 || block->upper < 0 || block->lower > pool->period ||
                            block->upper > pool->period))
    table_complain(table, row, "the lifetime [%" PRId64 ", %" PRId64 ") is not in [0, %" PRId64 "]",
                   block->lower, block->upper, pool->period);
  if ((block->alignment & (block->alignment - 1)) != 0)
    table_complain(table, row, "alignment %" PRIu64 " is not a power of two", block->alignment);
  uint64_t alignment = block->alignment == 0 ? 1 : block->alignment;
  bool was_below = *total < UINT64_C(1) << 62;
  *total += block->size_bytes + block->alias_offset_bytes + alignment;
  if (was_below && *total >= UINT64_C(1) << 62) {
    table_complain(table, row, "the sizes up to here sum to 2^62 bytes or more");
  }
  if (!was_below)
    *total = UINT64_C(1) << 62;
}

static bool read_blocks(Pool *pool)
{
  static const TableSchema schema = {columns, SIZE + 1, N_COLUMNS};
  Table *table = &pool->table;
  if (!table_read(table, pool->path, &schema))
    return false;
  size_t n = table->rows.size;
  pool->blocks = echo_alloc_array(n, sizeof *pool->blocks);
  pool->ids = echo_alloc_array(n, sizeof *pool->ids);
  pool->offsets = echo_alloc_zero(n, sizeof *pool->offsets);
  EchoStringMap seen = {0};
  uint64_t total = 0, other;
  for (size_t row = 1; row <= n; row++) {
    pool->ids[row - 1] = table->rows.data[row - 1].fields[ID];
    if (pool->ids[row - 1].size == 0)
      table_complain(table, row, "the id is empty");
    else if (echo_string_map_get(&seen, pool->ids[row - 1], &other))
      table_complain(table, row, "id '%.*s' was used in row %" PRIu64,
                     ECHO_STR_ARG(pool->ids[row - 1]), other);
    else
      echo_string_map_set(&seen, pool->ids[row - 1], row);
    read_block(pool, row);
    check_block(pool, row, &total);
  }
  echo_string_map_destroy(&seen);
  return table_is_fine(table);
}

static bool is_late(void *user)
{
  const Pool *pool = user;
  return plan_now_ms() > pool->deadline_ms;
}

static bool solve(Pool *pool)
{
  size_t n = pool->table.rows.size;
  EchoBuffer error = {0};
  double start_ms = plan_now_ms();
  if (pool->time_limit_s > 0) {
    pool->deadline_ms = start_ms + pool->time_limit_s * 1e3;
    pool->options.should_stop = is_late;
    pool->options.stop_user = pool;
  }
  echo_progress_show("placing %zu blocks", n);
  bool fine = pool->fit == NO_FIT ? echo_offsets_assign(pool->blocks, n, &pool->options,
                                                        pool->offsets, &pool->result, &error)
                                  : plan_fit(pool->fit, pool->blocks, n, pool->options.period,
                                             pool->offsets, &pool->result, &error);
  echo_progress_clear();
  pool->spent_ms = plan_now_ms() - start_ms;
  uint64_t height = 0;
  if (fine)
    fine =
        echo_offsets_verify(pool->blocks, n, pool->options.period, pool->offsets, &height, &error);
  if (fine && height != pool->result.height_bytes) {
    echo_buffer_append_c(&error, "the verifier finds another height");
    fine = false;
  }
  if (!fine)
    fprintf(stderr, "%s: error: %s\n", pool->path, echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  return fine;
}

/* The rows as they came, with one more field. */
static bool write_rows(const Pool *pool)
{
  EchoBuffer text = {0};
  bool is_first = true;
  for (size_t c = 0; c < N_COLUMNS; c++)
    if (pool->table.has_column[c]) {
      echo_buffer_printf(&text, is_first ? "%s" : ",%s", columns[c]);
      is_first = false;
    }
  echo_buffer_append_c(&text, ",offset\n");
  for (size_t r = 0; r < pool->table.rows.size; r++) {
    for (size_t c = 0; c < N_COLUMNS; c++)
      if (pool->table.has_column[c]) {
        echo_buffer_append_str(&text, pool->table.rows.data[r].fields[c]);
        echo_buffer_append_char(&text, ',');
      }
    echo_buffer_append_u64(&text, pool->offsets[r]);
    echo_buffer_append_char(&text, '\n');
  }
  bool fine = plan_write(pool->output, &text);
  echo_buffer_destroy(&text);
  return fine;
}

static bool write_svg(const Pool *pool)
{
  EchoBuffer svg = {0};
  plan_draw(pool->blocks, pool->ids, pool->table.rows.size, pool->offsets, &pool->result, &svg);
  bool fine = plan_write(pool->svg, &svg);
  echo_buffer_destroy(&svg);
  return fine;
}

static int report(const Pool *pool)
{
  const EchoOffsetResult *result = &pool->result;
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "policy=%s blocks=%zu bound=%" PRIu64 " nodes=%" PRIu64 "\n",
                     pool->policy, pool->table.rows.size, result->bound_bytes, result->n_nodes);
  if (result->was_stopped)
    echo_buffer_printf(&text, "stopped by the time limit of %g s\n", pool->time_limit_s);
  double ratio =
      result->load_bytes == 0 ? 1 : (double)result->height_bytes / (double)result->load_bytes;
  echo_buffer_printf(&text, "height=%" PRIu64 " load=%" PRIu64 " ratio=%.6f optimal=%s ms=%.3f\n",
                     result->height_bytes, result->load_bytes, ratio,
                     result->is_optimal ? "yes" : "no", pool->spent_ms);
  int status = plan_print(&text);
  echo_buffer_destroy(&text);
  return status;
}

/* Why there is no plan within the capacity. */
static void complain_of_capacity(const Pool *pool)
{
  const EchoOffsetResult *result = &pool->result;
  EchoBuffer text = {0};
  if (result->bound_bytes > pool->capacity.bytes)
    echo_buffer_printf(
        &text, "the capacity of %" PRIu64 " bytes cannot be met: no plan takes less than %" PRIu64,
        pool->capacity.bytes, result->bound_bytes);
  else if (pool->fit != NO_FIT || pool->options.policy == ECHO_OFFSETS_SKYLINE)
    echo_buffer_printf(&text,
                       "the capacity of %" PRIu64
                       " bytes is not met by the policy %s: its plan takes %" PRIu64,
                       pool->capacity.bytes, pool->policy, result->height_bytes);
  else
    echo_buffer_printf(
        &text,
        "undecided whether the capacity of %" PRIu64 " bytes can be met: after %" PRIu64
        " nodes the best plan takes %" PRIu64 ", no plan takes less than %" PRIu64,
        pool->capacity.bytes, result->n_nodes, result->height_bytes, result->bound_bytes);
  fprintf(stderr, "%s: error: %s\n", pool->path, echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

static int finish(Pool *pool)
{
  if (pool->capacity.is_given && pool->result.height_bytes > pool->capacity.bytes) {
    complain_of_capacity(pool);
    report(pool);
    return 1;
  }
  if (pool->output != NULL && !write_rows(pool))
    return 1;
  if (pool->svg != NULL && !write_svg(pool))
    return 1;
  return report(pool);
}

static bool find_policy(Pool *pool)
{
  const char *name = NULL;
  pool->fit = NO_FIT;
  if (echo_offset_policy_parse(echo_str(pool->policy), &pool->options.policy))
    return true;
  for (size_t f = 0; pool->fit == NO_FIT && (name = plan_fit_name_or_null(f)) != NULL; f++)
    if (echo_str_is(echo_str(pool->policy), name))
      pool->fit = f;
  return pool->fit != NO_FIT;
}

static bool check_options(Pool *pool)
{
  const char *mistake = NULL;
  if (!find_policy(pool))
    mistake = "no such policy (see --help)";
  else if (!(pool->time_limit_s >= 0 && pool->time_limit_s < 1e9))
    mistake = "--time-limit is not a number of seconds";
  if (mistake != NULL)
    fprintf(stderr, "echo-plan pool: error: %s\n", mistake);
  pool->options.period = pool->period;
  pool->options.capacity_bytes = pool->capacity.bytes;
  pool->options.max_nodes = (uint64_t)pool->max_nodes;
  if (pool->max_nodes == 0) /* about a million a second: the clock ends the search, not the count */
    pool->options.max_nodes =
        pool->time_limit_s > 0 ? (uint64_t)(2e6 * pool->time_limit_s) + 1000 : UINT64_C(6000000);
  return mistake == NULL;
}

static void append_more_help(void *user, EchoBuffer *help)
{
  (void)user;
  echo_buffer_append_c(
      help,
      "\nFILE has the header id,lower,upper,size: a block lives in [lower, upper). These may\n"
      "follow, in this order: alignment, hint (read over), gaps (must be empty), fixed (an\n"
      "offset), group (above 0: its blocks share storage), group_offset (where in it).\n"
      "\npolicies:");
  for (int p = 0; p < ECHO_OFFSETS_POLICIES; p++)
    echo_buffer_printf(help, " %s", echo_offset_policy_name((EchoOffsetPolicy)p));
  for (size_t f = 0; plan_fit_name_or_null(f) != NULL; f++)
    echo_buffer_printf(help, " %s", plan_fit_name_or_null(f));
  echo_buffer_append_char(help, '\n');
}

int plan_pool(int argc, char **argv)
{
  Pool pool = {.policy = "default"};
  const EchoOption options[] = {
      {"policy", ECHO_OPTION_STRING, &pool.policy, "NAME", "how to place (default: default)"},
      {"capacity", ECHO_OPTION_BYTES, &pool.capacity, "BYTES",
       "decide whether any plan takes no more; exit 1 if not"},
      {"time-limit", ECHO_OPTION_F64, &pool.time_limit_s, "S", "search until then, no longer"},
      {"max-nodes", ECHO_OPTION_RANGE, ECHO_RANGE(&pool.max_nodes, 0, INT64_MAX), "N",
       "of the exact search"},
      {"period", ECHO_OPTION_RANGE, ECHO_RANGE(&pool.period, 0, INT64_MAX), "T",
       "times are in [0, T]; a block with lower >= upper wraps around"},
      {"svg", ECHO_OPTION_STRING, &pool.svg, "FILE", "draw the plan"},
      {"o", ECHO_OPTION_STRING, &pool.output, "FILE", "write the rows with a column offset"},
      {0}};
  const EchoCommandLine line = {.tool = "echo-plan pool",
                                .synopsis = "[options] FILE.csv",
                                .summary = "places in one arena for blocks with known lifetimes",
                                .options = options,
                                .more_help = append_more_help};
  int status = plan_parse(&line, argc, argv, &pool.path);
  if (status >= 0)
    return status;
  status = 1;
  if (check_options(&pool) && read_blocks(&pool) && solve(&pool))
    status = finish(&pool);
  echo_free(pool.blocks);
  echo_free(pool.ids);
  echo_free(pool.offsets);
  table_destroy(&pool.table);
  return status;
}
