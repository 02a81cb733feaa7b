/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Windows that are scans (dialects/stablehlo/window_scan.h): linear in elements and results. What
 * is combined with what is a function of the form alone; how it is cut into phases and tasks
 * follows the device and changes no bit.
 *
 * A prefix (a suffix: the same from the other end) is made in blocks: local[j] = local[j - 1] op
 * x[j], which starts from the initial value in each block, and y[j] = carry op local[j], where the
 * carry goes from block to block as carry = carry op local[last]. With rows and columns enough for
 * all threads, a task goes through a whole row; else the blocks of a row are scanned, then their
 * ends, then added to, in three phases, with nothing but the results to hold what is between.
 *
 * A sliding window is the end of one block of the window's length and the start of the next (van
 * Herk; Gil and Werman): y[j] = ends[j] op starts[j + window - 1], both made from their neighbours,
 * the first backwards from the initial value. A task takes one block of results. */
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/window_scan.h"
#include "lowering/kernels/window_places_t.h"

enum {
  MAX_VALUES = 8,    /* combined at once */
  CHUNK = 256,       /* columns of a task: what lies after the scanned dimension */
  MIN_CHUNK = 16,    /* a line of memory, a vector */
  ENOUGH_TASKS = 32, /* of whole rows: no need for blocks */
  ENOUGH_GPU_TASKS = 1024
};

typedef struct Scan {
  EchoKernelEmitter *emitter;
  const EchoOp *op;
  EchoWindowScan form;
  size_t n; /* values combined at once */
  /* The operand is [rows, form.n_elements, columns], the results [rows, form.n_results, columns].
   */
  int64_t row_dims[ECHO_MAX_RANK], column_dims[ECHO_MAX_RANK];
  size_t n_row_dims, n_column_dims;
  int64_t n_rows, n_columns, chunk, n_chunks, n_blocks;
  /* Of a task. */
  EchoValue *row, *column0, *n_in_chunk;
  EchoValue *column, *lane; /* of the innermost loop: the column, and that less column0 */
  EchoValue *init[MAX_VALUES];
  EchoValue *local[MAX_VALUES], *carry[MAX_VALUES]; /* memref<chunk> */
} Scan;

/* ---- elements ---- */

static EchoElementEmitter *base_of(const Scan *s)
{
  EchoElementEmitter *base = &s->emitter->base;
  base->builder = echo_kernel_builder(s->emitter);
  return base;
}

static void indices_at(const Scan *s, EchoValue *along, EchoValue **indices)
{
  EchoElementEmitter *base = base_of(s);
  echo_index_delinearize(base, s->row, s->row_dims, s->n_row_dims, indices);
  indices[s->n_row_dims] = along;
  echo_index_delinearize(base, s->column, s->column_dims, s->n_column_dims,
                         indices + s->n_row_dims + 1);
}

/* Whether elements [low, high] + offset may lie beside the operand, where the initial value is. */
static bool may_leave(const Scan *s, int64_t low, int64_t high)
{
  return low + s->form.offset < 0 || high + s->form.offset >= s->form.n_elements;
}

/* The operands' elements at `along` + offset, of which is known that `along` is in [low, high]. */
static void read_operands(const Scan *s, EchoValue *along, int64_t low, int64_t high,
                          EchoValue **values)
{
  EchoElementEmitter *base = base_of(s);
  EchoValue *at = echo_index_add_constant(base, along, s->form.offset), *inside = NULL;
  EchoValue *indices[ECHO_MAX_RANK];
  if (may_leave(s, low, high)) {
    EchoValue *zero = echo_index_constant(base, 0);
    EchoValue *last = echo_index_constant(base, s->form.n_elements - 1);
    EchoValue *clamped = echo_index_min(base, echo_index_max(base, at, zero), last);
    inside = echo_index_compare(base, ECHO_CMPI_EQ, at, clamped);
    at = clamped;
  }
  indices_at(s, at, indices);
  for (size_t i = 0; i < s->n; ++i) {
    values[i] = echo_kernel_element(s->emitter, echo_op_operand(s->op, i), indices);
    if (values[i] != NULL && inside != NULL)
      values[i] = echo_arith_select(echo_kernel_builder(s->emitter), inside, values[i], s->init[i]);
  }
}

static void read_results(const Scan *s, EchoValue *along, EchoValue **values)
{
  EchoValue *indices[ECHO_MAX_RANK];
  indices_at(s, along, indices);
  for (size_t i = 0; i < s->n; ++i)
    values[i] = echo_kernel_load(s->emitter, echo_kernel_output(s->emitter, i), indices);
}

static void write_results(const Scan *s, EchoValue *along, EchoValue *const *values)
{
  EchoValue *indices[ECHO_MAX_RANK];
  indices_at(s, along, indices);
  for (size_t i = 0; i < s->n; ++i)
    echo_kernel_store(s->emitter, values[i], echo_kernel_output(s->emitter, i), indices);
}

static void read_memory(const Scan *s, EchoValue *const *memory, EchoValue **values)
{
  for (size_t i = 0; i < s->n; ++i)
    values[i] = echo_memref_load(echo_kernel_builder(s->emitter), memory[i], &s->lane, 1);
}

static void write_memory(const Scan *s, EchoValue *const *memory, EchoValue *const *values)
{
  for (size_t i = 0; i < s->n; ++i)
    echo_memref_store(echo_kernel_builder(s->emitter), values[i], memory[i], &s->lane, 1);
}

/* result = before op after, in the operand's order. */
static void combine(const Scan *s, EchoValue *const *before, EchoValue *const *after,
                    EchoValue **result)
{
  EchoValue *arguments[2 * MAX_VALUES];
  bool fine = !s->emitter->failed;
  for (size_t i = 0; i < s->n; ++i) {
    arguments[i] = before[i];
    arguments[s->n + i] = after[i];
    fine = fine && before[i] != NULL && after[i] != NULL;
  }
  (void)base_of(s);
  if (!fine ||
      !echo_kernel_inline_region(s->emitter, &s->op->regions[0], arguments, 2 * s->n, result, s->n))
    memcpy(result, s->init, s->n * sizeof *result);
}

/* sum = sum op x; of a suffix, which goes through its elements backwards, x op sum. */
static void append(const Scan *s, EchoValue *const *sum, EchoValue *const *x, EchoValue **result)
{
  bool is_suffix = s->form.form == ECHO_WINDOW_SUFFIX;
  combine(s, is_suffix ? x : sum, is_suffix ? sum : x, result);
}

/* ---- loops ---- */

static EchoValue *begin_range(const Scan *s, EchoValue *low, EchoValue *high)
{
  return echo_kernel_begin_for(s->emitter, low, high, 1, false);
}

/* The columns of the task's chunk; without a loop where there is but one. */
static void begin_columns(Scan *s)
{
  EchoElementEmitter *base = base_of(s);
  EchoValue *zero = echo_index_constant(base, 0);
  if (s->chunk == 1) {
    s->lane = zero;
    s->column = s->column0;
    return;
  }
  s->lane = echo_kernel_begin_for(s->emitter, zero, s->n_in_chunk, 1, true);
  s->column = echo_index_add(base_of(s), s->column0, s->lane);
}

static void end_columns(Scan *s)
{
  if (s->chunk != 1)
    echo_kernel_end_for(s->emitter);
}

static void fill(Scan *s, EchoValue *const *memory)
{
  begin_columns(s);
  write_memory(s, memory, s->init);
  end_columns(s);
}

static void reserve(Scan *s, EchoValue **memory)
{
  for (size_t i = 0; i < s->n; ++i)
    memory[i] = echo_kernel_alloca(
        s->emitter, echo_kernel_output(s->emitter, i)->type->as.shaped.element, &s->chunk, 1);
}

/* Tasks of n_parts parts of each row, a chunk of columns each. Returns the part. */
static EchoValue *begin_tasks(Scan *s, int64_t n_parts, double total_ns)
{
  EchoKernelEmitter *emitter = s->emitter;
  int64_t grid[] = {s->n_rows, n_parts, s->n_chunks};
  EchoValue *coordinates[3];
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1] * grid[2], total_ns);
  EchoElementEmitter *base = base_of(s);
  echo_index_delinearize(base, task, grid, 3, coordinates);
  s->row = coordinates[0];
  s->column0 = echo_index_mul_constant(base, coordinates[2], s->chunk);
  s->n_in_chunk = echo_index_constant(base, s->chunk);
  if (s->n_columns % s->chunk != 0)
    s->n_in_chunk =
        echo_index_min(base, s->n_in_chunk,
                       echo_index_sub(base, echo_index_constant(base, s->n_columns), s->column0));
  for (size_t i = 0; i < s->n; ++i)
    s->init[i] = echo_kernel_element(emitter, echo_op_operand(s->op, s->n + i), NULL);
  return coordinates[1];
}

static EchoValue *end_of_block(const Scan *s, EchoValue *first)
{
  EchoElementEmitter *base = base_of(s);
  EchoValue *end = echo_index_add_constant(base, first, s->form.block);
  return s->form.n_results % s->form.block == 0
             ? end
             : echo_index_min(base, end, echo_index_constant(base, s->form.n_results));
}

/* ---- prefixes and suffixes ---- */

/* The result of step `step` of a scan. */
static EchoValue *result_of_step(const Scan *s, EchoValue *step)
{
  EchoElementEmitter *base = base_of(s);
  if (s->form.form == ECHO_WINDOW_PREFIX)
    return step;
  return echo_index_sub(base, echo_index_constant(base, s->form.n_results - 1), step);
}

/* Steps [first, end): local = local op x; y = carry op local, or local alone. */
static void scan_block(Scan *s, EchoValue *first, EchoValue *end, bool has_carry)
{
  EchoValue *x[MAX_VALUES], *sum[MAX_VALUES], *carry[MAX_VALUES];
  fill(s, s->local);
  EchoValue *result = result_of_step(s, begin_range(s, first, end));
  begin_columns(s);
  read_operands(s, result, 0, s->form.n_results - 1, x);
  read_memory(s, s->local, sum);
  append(s, sum, x, sum);
  write_memory(s, s->local, sum);
  if (has_carry) {
    read_memory(s, s->carry, carry);
    append(s, carry, sum, sum);
  }
  write_results(s, result, sum);
  end_columns(s);
  echo_kernel_end_for(s->emitter);
}

static void scan_rows(Scan *s)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *carry[MAX_VALUES], *local[MAX_VALUES];
  begin_tasks(s, 1, emitter->work_ns);
  reserve(s, s->local);
  reserve(s, s->carry);
  fill(s, s->carry);
  EchoElementEmitter *base = base_of(s);
  EchoValue *first =
      echo_kernel_begin_for(emitter, echo_index_constant(base, 0),
                            echo_index_constant(base, s->form.n_results), s->form.block, false);
  scan_block(s, first, end_of_block(s, first), true);
  begin_columns(s);
  read_memory(s, s->carry, carry);
  read_memory(s, s->local, local);
  append(s, carry, local, carry);
  write_memory(s, s->carry, carry);
  end_columns(s);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

static void scan_blocks(Scan *s)
{
  EchoValue *block = begin_tasks(s, s->n_blocks, s->emitter->work_ns / 2);
  reserve(s, s->local);
  EchoValue *first = echo_index_mul_constant(base_of(s), block, s->form.block);
  scan_block(s, first, end_of_block(s, first), false);
  echo_kernel_end_tasks(s->emitter);
}

/* The last result of each block becomes the carry into the next one. */
static void scan_ends(Scan *s)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *carry[MAX_VALUES], *local[MAX_VALUES];
  begin_tasks(s, 1, emitter->work_ns / (double)s->form.block);
  reserve(s, s->carry);
  fill(s, s->carry);
  EchoValue *block = echo_kernel_begin_range(emitter, s->n_blocks, false);
  EchoValue *end = end_of_block(s, echo_index_mul_constant(base_of(s), block, s->form.block));
  EchoValue *last = result_of_step(s, echo_index_add_constant(base_of(s), end, -1));
  begin_columns(s);
  read_memory(s, s->carry, carry);
  read_results(s, last, local);
  append(s, carry, local, carry);
  write_memory(s, s->carry, carry);
  write_results(s, last, carry);
  end_columns(s);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* The carry into the block that starts at step `first`. */
static void read_carry(Scan *s, EchoValue *first, EchoValue **carry)
{
  EchoElementEmitter *base = base_of(s);
  EchoValue *zero = echo_index_constant(base, 0);
  EchoValue *has_one = echo_index_compare(base, ECHO_CMPI_SGT, first, zero);
  EchoValue *before = echo_index_max(base, echo_index_add_constant(base, first, -1), zero);
  read_results(s, result_of_step(s, before), carry);
  for (size_t i = 0; i < s->n; ++i)
    carry[i] = echo_arith_select(echo_kernel_builder(s->emitter), has_one, carry[i], s->init[i]);
}

/* The results of a block but its last, which has its carry already. */
static void add_carries(Scan *s)
{
  EchoKernelEmitter *emitter = s->emitter;
  EchoValue *carry[MAX_VALUES], *local[MAX_VALUES];
  EchoValue *block = begin_tasks(s, s->n_blocks, emitter->work_ns / 2);
  bool is_row = s->chunk == 1; /* then the steps are the loop that may be vectorised */
  EchoValue *first = echo_index_mul_constant(base_of(s), block, s->form.block);
  EchoValue *last = echo_index_add_constant(base_of(s), end_of_block(s, first), -1);
  if (is_row) {
    begin_columns(s);
    read_carry(s, first, carry);
  }
  EchoValue *result = result_of_step(s, echo_kernel_begin_for(emitter, first, last, 1, is_row));
  if (!is_row) {
    begin_columns(s);
    read_carry(s, first, carry);
  }
  read_results(s, result, local);
  append(s, carry, local, local);
  write_results(s, result, local);
  if (!is_row)
    end_columns(s);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* ---- sliding windows ---- */

/* ends[j] for the block of results [first, first + n), backwards from the last element of the block
 * of elements that starts at `first`, into the results. */
static void emit_ends(Scan *s, EchoValue *first, EchoValue *n)
{
  EchoKernelEmitter *emitter = s->emitter;
  int64_t window = s->form.window, high = (s->n_blocks * window) - 1;
  EchoValue *x[MAX_VALUES], *sum[MAX_VALUES];
  fill(s, s->local);
  for (int is_stored = 0; is_stored < 2; ++is_stored) {
    EchoElementEmitter *base = base_of(s);
    EchoValue *zero = echo_index_constant(base, 0), *whole = echo_index_constant(base, window);
    EchoValue *step = begin_range(s, zero, is_stored != 0 ? n : echo_index_sub(base, whole, n));
    base = base_of(s);
    EchoValue *length = is_stored != 0 ? n : whole;
    EchoValue *from_first = echo_index_sub(base, echo_index_add_constant(base, length, -1), step);
    EchoValue *at = echo_index_add(base, first, from_first);
    begin_columns(s);
    read_operands(s, at, 0, high, x);
    read_memory(s, s->local, sum);
    combine(s, x, sum, sum);
    write_memory(s, s->local, sum);
    if (is_stored != 0)
      write_results(s, at, sum);
    end_columns(s);
    echo_kernel_end_for(emitter);
  }
}

/* y[j] = ends[j] op starts, which has the elements from the next block's first on. */
static void emit_starts(Scan *s, EchoValue *first, EchoValue *n)
{
  int64_t window = s->form.window, high = s->form.n_results - 1 + window;
  EchoValue *x[MAX_VALUES], *sum[MAX_VALUES], *ends[MAX_VALUES];
  begin_columns(s);
  read_operands(s, echo_index_add_constant(base_of(s), first, window), window,
                (s->n_blocks * window), x);
  write_memory(s, s->local, x);
  end_columns(s);
  EchoElementEmitter *base = base_of(s);
  EchoValue *at =
      begin_range(s, echo_index_add_constant(base, first, 1), echo_index_add(base, first, n));
  begin_columns(s);
  read_memory(s, s->local, sum);
  read_results(s, at, ends);
  combine(s, ends, sum, ends);
  write_results(s, at, ends);
  read_operands(s, echo_index_add_constant(base_of(s), at, window), window, high, x);
  combine(s, sum, x, sum);
  write_memory(s, s->local, sum);
  end_columns(s);
  echo_kernel_end_for(s->emitter);
}

static void emit_sliding(Scan *s)
{
  EchoValue *block = begin_tasks(s, s->n_blocks, s->emitter->work_ns);
  reserve(s, s->local);
  EchoElementEmitter *base = base_of(s);
  EchoValue *first = echo_index_mul_constant(base, block, s->form.block);
  EchoValue *n = echo_index_sub(base, end_of_block(s, first), first);
  emit_ends(s, first, n);
  emit_starts(s, first, n);
  echo_kernel_end_tasks(s->emitter);
}

/* ---- the kernel ---- */

static void find_shape(Scan *s)
{
  const EchoType *type = echo_op_operand_type(s->op, 0);
  s->n_rows = s->n_columns = 1;
  for (size_t i = 0; i < type->as.shaped.rank; ++i) {
    int64_t size = echo_type_dim(type, i);
    if (i < s->form.dim) {
      s->row_dims[s->n_row_dims++] = size;
      s->n_rows *= size;
    } else if (i > s->form.dim) {
      s->column_dims[s->n_column_dims++] = size;
      s->n_columns *= size;
    }
  }
  s->n_blocks = (s->form.n_results + s->form.block - 1) / s->form.block;
}

/* As few columns a task as are worth one, in whole vectors. */
static void choose_chunk(Scan *s)
{
  EchoKernelEmitter *emitter = s->emitter;
  int64_t chunk = echo_pieces_per_task(emitter, s->n_columns, emitter->work_ns / (double)s->n_rows);
  chunk = (chunk + MIN_CHUNK - 1) / MIN_CHUNK * MIN_CHUNK;
  chunk = chunk < CHUNK ? chunk : CHUNK;
  s->chunk = chunk < s->n_columns ? chunk : s->n_columns;
  s->n_chunks = (s->n_columns + s->chunk - 1) / s->chunk;
}

static bool has_enough_rows(const Scan *s)
{
  const EchoKernelEmitter *emitter = s->emitter;
  int64_t n_tasks = s->n_rows * s->n_chunks;
  bool is_enough = n_tasks >= (emitter->is_gpu ? ENOUGH_GPU_TASKS : ENOUGH_TASKS);
  return s->n_blocks == 1 || is_enough ||
         (!emitter->is_gpu &&
          echo_pieces_per_task(emitter, s->n_blocks, emitter->work_ns) == s->n_blocks);
}

bool echo_lower_window(EchoKernelEmitter *emitter)
{
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  const EchoOp *op = end->n_operands != 0 ? echo_value_def_or_null(echo_op_operand(end, 0)) : NULL;
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_REDUCE_WINDOW ||
      op->n_results != end->n_operands || op->n_results > MAX_VALUES)
    return false;
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (echo_op_operand(end, i) != echo_op_result(op, i))
      return false;
  Scan s = {.emitter = emitter, .op = op, .form = echo_hlo_window_scan(op), .n = op->n_results};
  if (s.form.form == ECHO_WINDOW_DIRECT)
    return !emitter->is_gpu && !echo_hlo_is_short_window(op) &&
           echo_lower_direct_window(emitter, op);
  find_shape(&s);
  choose_chunk(&s);
  if (s.form.form == ECHO_WINDOW_SLIDING) {
    emit_sliding(&s);
  } else if (has_enough_rows(&s)) {
    scan_rows(&s);
  } else {
    scan_blocks(&s);
    scan_ends(&s);
    add_carries(&s);
  }
  return true;
}
