/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions whose last dimensions are kept, so that the columns lie side by side in memory: a task
 * takes a block of columns and walks the rows in order, so that memory is read in order. Kept
 * dimensions in front of the reduced ones make separate matrices. Element i of a column still goes
 * to partial i mod L, and the partials meet in the same tree as everywhere. */
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_kernel_t.h"

enum {
  MAX_REDUCES = 16,
  MIN_RUN = 4,
  MIN_COLUMN_BLOCK = 64,
  COLUMN_BLOCK = 128,
  GPU_COLUMN_BLOCK = 32
};

typedef struct ColumnReduce {
  const EchoOp *op;
  EchoCombiner combiner;
  int64_t lanes;
  int64_t run;         /* columns side by side whose elements are neighbours; divides the block */
  EchoValue *partials; /* [lanes, block] */
} ColumnReduce;

typedef struct ColumnKernel {
  EchoKernelEmitter *emitter;
  ColumnReduce reduces[MAX_REDUCES];
  size_t n_reduces;
  int64_t n_rows, n_columns, n_matrices, block; /* columns of one matrix */
  EchoValue *matrix, *column0, *n_in_block;     /* of the task; column0 within the matrix */
  EchoValue *first; /* row-major position of column0 among all results */
} ColumnKernel;

static bool collect(ColumnKernel *kernel)
{
  for (const EchoOp *op = echo_op_body(kernel->emitter->kernel, 0)->first; op != NULL;
       op = op->next) {
    if (!echo_kernel_has_loops(kernel->emitter, op))
      continue;
    EchoReductionMatrix matrix;
    if (echo_hlo_opcode(op) != ECHO_HLO_REDUCE || kernel->n_reduces == MAX_REDUCES ||
        !echo_reduction_matrix(op, &matrix))
      return false;
    EchoCombiner combiner = echo_combiner_of(op);
    if (combiner.opcode == ECHO_N_HLO_OPCODES ||
        matrix.n_matrices * matrix.n_rows * matrix.n_columns == 0 ||
        !echo_needs_block(kernel->emitter, op))
      return false;
    if (kernel->n_reduces != 0 &&
        (matrix.n_matrices != kernel->n_matrices || matrix.n_rows != kernel->n_rows ||
         matrix.n_columns != kernel->n_columns))
      return false;
    kernel->n_matrices = matrix.n_matrices;
    kernel->n_rows = matrix.n_rows;
    kernel->n_columns = matrix.n_columns;
    EchoReductionOrder order = echo_reduction_order(op, combiner.kind, kernel->emitter->is_gpu);
    kernel->reduces[kernel->n_reduces++] =
        (ColumnReduce){.op = op, .combiner = combiner, .lanes = order.lanes};
  }
  /* every result is a column's: nothing is stored for each row */
  const EchoOp *end = echo_op_body(kernel->emitter->kernel, 0)->last;
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (echo_type_static_n_elements(echo_op_operand_type(end, i)) !=
        kernel->n_matrices * kernel->n_columns)
      return false;
  const EchoReductionMatrix matrix = {kernel->n_matrices, kernel->n_rows, kernel->n_columns};
  return kernel->n_reduces != 0 && echo_reduces_columns(&matrix);
}

/* Indices of a column's element in a result; `position` counts over all matrices. */
static void column_indices(ColumnKernel *kernel, const EchoType *type, EchoValue *position,
                           EchoValue **indices)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, position, type->as.shaped.dims, type->as.shaped.rank,
                         indices);
}

static EchoValue *begin_columns(ColumnKernel *kernel)
{
  EchoElementEmitter *base = &kernel->emitter->base;
  return echo_kernel_begin_for(kernel->emitter, echo_index_constant(base, 0), kernel->n_in_block, 1,
                               true);
}

static EchoValue *combine(EchoKernelEmitter *emitter, const EchoCombiner *combiner, EchoValue *a,
                          EchoValue *b)
{
  return echo_scalar_binary(echo_kernel_builder(emitter), combiner->opcode, combiner->kind, a, b);
}

/* Indices of the reduced operand: row and column are positions within the matrix. */
static void operand_indices(ColumnKernel *kernel, const EchoOp *reduce, EchoValue *row,
                            EchoValue *column, EchoValue **indices)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  const EchoType *type = echo_op_operand_type(reduce, 0);
  EchoDimList dims = echo_stablehlo_dims(reduce, "dimensions");
  int64_t sizes[3][ECHO_MAX_RANK];
  size_t at[3][ECHO_MAX_RANK], n[3] = {0, 0, 0}, group = 0;
  EchoValue *positions[] = {kernel->matrix, row, column}, *digits[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i) {
    bool is_reduced = echo_dim_list_has(dims, (int64_t)i);
    bool is_one = echo_type_dim(type, i) == 1;
    while (!is_one && is_reduced != (group == 1))
      ++group;
    sizes[group][n[group]] = echo_type_dim(type, i);
    at[group][n[group]++] = i;
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  for (size_t g = 0; g < 3; ++g) {
    echo_index_delinearize(&emitter->base, positions[g], sizes[g], n[g], digits);
    for (size_t i = 0; i < n[g]; ++i)
      indices[at[g][i]] = digits[i];
  }
}

/* The last dimensions that are gone through as one, where a block is a number of them; else the
 * block, whose columns' places are each taken apart. */
static int64_t run_of(const ColumnKernel *kernel, const EchoOp *reduce)
{
  const EchoValue *operand = echo_op_operand(reduce, 0);
  uint32_t last = operand->type->as.shaped.rank - 1;
  int64_t run = echo_type_dim(operand->type, last);
  while (run < kernel->n_columns && last > 0 &&
         echo_are_neighbours(kernel->emitter, operand, last - 1, last))
    run *= echo_type_dim(operand->type, --last);
  return run >= MIN_RUN && kernel->block % run == 0 ? run : kernel->block;
}

/* partials[lane][column] op= element of row `row`, for each column of the block. */
static void add_row(ColumnKernel *kernel, ColumnReduce *reduce, EchoValue *row, EchoValue *lane)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *indices[ECHO_MAX_RANK], *first = echo_index_constant(base, 0), *place;
  bool has_runs = reduce->run < kernel->block;
  if (has_runs) {
    first = echo_kernel_begin_for(emitter, first, kernel->n_in_block, reduce->run, false);
    place = echo_kernel_begin_range(emitter, reduce->run, true);
  } else {
    place = begin_columns(kernel);
  }
  base->builder = echo_kernel_builder(emitter);
  EchoValue *local = echo_index_add(base, first, place);
  EchoValue *column = echo_index_add(base, echo_index_add(base, kernel->column0, first), place);
  operand_indices(kernel, reduce->op, row, column, indices);
  EchoValue *element = echo_kernel_element(emitter, echo_op_operand(reduce->op, 0), indices);
  if (element != NULL) {
    EchoValue *position[] = {lane, local};
    EchoValue *partial =
        echo_memref_load(echo_kernel_builder(emitter), reduce->partials, position, 2);
    EchoValue *sum = combine(emitter, &reduce->combiner, partial, element);
    echo_memref_store(echo_kernel_builder(emitter), sum, reduce->partials, position, 2);
  }
  echo_kernel_end_for(emitter);
  if (has_runs)
    echo_kernel_end_for(emitter);
}

static EchoValue *neutral_of(ColumnKernel *kernel, const ColumnReduce *reduce)
{
  EchoElementEmitter *base = &kernel->emitter->base;
  return base->constant(base, reduce->combiner.neutral);
}

static void reserve_partials(ColumnKernel *kernel, ColumnReduce *reduce)
{
  int64_t dims[] = {reduce->lanes, kernel->block};
  reduce->partials = echo_kernel_alloca(kernel->emitter, neutral_of(kernel, reduce)->type, dims, 2);
}

static void clear_partials(ColumnKernel *kernel, ColumnReduce *reduce)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoValue *neutral = neutral_of(kernel, reduce);
  EchoValue *lane = echo_kernel_begin_range(emitter, reduce->lanes, false);
  EchoValue *local = begin_columns(kernel);
  EchoValue *position[] = {lane, local};
  echo_memref_store(echo_kernel_builder(emitter), neutral, reduce->partials, position, 2);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
}

/* init op tree of the partials of column `local`; NULL after an error */
static EchoValue *sum_or_null(ColumnKernel *kernel, const ColumnReduce *reduce, EchoValue *local)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoValue *init = echo_kernel_element(emitter, echo_op_operand(reduce->op, 1), NULL), *values[16];
  if (init == NULL)
    return NULL;
  for (int64_t i = 0; i < reduce->lanes; ++i) {
    EchoValue *position[] = {echo_index_constant(&emitter->base, i), local};
    values[i] = echo_memref_load(echo_kernel_builder(emitter), reduce->partials, position, 2);
  }
  echo_emit_tree(emitter, &reduce->combiner, values, reduce->lanes);
  return combine(emitter, &reduce->combiner, init, values[0]);
}

/* The sums of all columns of the block in memory, for a later pass. */
static void finish(ColumnKernel *kernel, const ColumnReduce *reduce)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoValue *result =
      echo_kernel_alloca(emitter, neutral_of(kernel, reduce)->type, &kernel->block, 1);
  EchoValue *local = begin_columns(kernel), *sum = sum_or_null(kernel, reduce, local);
  if (sum != NULL)
    echo_memref_store(echo_kernel_builder(emitter), sum, result, &local, 1);
  echo_kernel_end_for(emitter);
  echo_kernel_bind(emitter, echo_op_result(reduce->op, 0), ECHO_BIND_LOCAL, result, kernel->first);
}

/* Whether an element of what `reduce` reduces is computed from the result of `target`. */
static bool is_needed_by(const EchoOp *target, const EchoOp *reduce)
{
  /* operands are asked for by element: walk back from the reduction's operand */
  ECHO_VECTOR(const EchoOp *) stack = {0};
  EchoMap seen = {0};
  bool found = false;
  const EchoOp *def = echo_value_def_or_null(echo_op_operand(reduce, 0));
  if (def != NULL)
    echo_vector_push(&stack, def);
  while (stack.size != 0 && !found) {
    const EchoOp *op = echo_vector_pop(&stack);
    found = op == target;
    if (!echo_map_insert(&seen, echo_key(op), 1))
      continue;
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      def = echo_value_def_or_null(echo_op_operand(op, i));
      if (def != NULL)
        echo_vector_push(&stack, def);
    }
  }
  echo_vector_destroy(&stack);
  echo_map_destroy(&seen);
  return found;
}

/* Reductions [first, end) do not depend on each other: one walk over the rows serves them. */
static size_t end_of_pass(const ColumnKernel *kernel, size_t first)
{
  size_t end = first + 1;
  while (end < kernel->n_reduces && kernel->reduces[end].lanes == kernel->reduces[first].lanes) {
    for (size_t i = first; i < end; ++i)
      if (is_needed_by(kernel->reduces[i].op, kernel->reduces[end].op))
        return end;
    ++end;
  }
  return end;
}

/* ---- what rows have in common: parts of an element that depend on the column alone ---- */

/* Beside what is read where it lies. */
static bool is_computed(const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  while (op != NULL && echo_hlo_opcode(op) == ECHO_HLO_RESHAPE)
    op = echo_value_def_or_null(echo_op_operand(op, 0));
  return op != NULL && !echo_op_has_trait(op, ECHO_CONSTANT) &&
         echo_type_element_kind(value->type) != ECHO_ELEMENT_I1;
}

/* Of a broadcast to what `reduce` reduces, whose operand has an element for each column (of each
 * matrix): its row-major position for column0. NULL for any other. */
static EchoValue *part_offset_or_null(const ColumnKernel *kernel, const EchoOp *broadcast,
                                      const EchoOp *reduce)
{
  const EchoType *part = echo_op_operand_type(broadcast, 0);
  EchoDimList dims = echo_stablehlo_dims(broadcast, "broadcast_dimensions");
  EchoDimList reduced = echo_stablehlo_dims(reduce, "dimensions");
  int64_t n = echo_type_static_n_elements(part), last = -1;
  bool is_behind = true;
  if (!echo_type_same_dims(echo_op_result_type(broadcast, 0), echo_op_operand_type(reduce, 0)))
    return NULL;
  for (uint32_t i = 0; i < part->as.shaped.rank; ++i) {
    if (echo_type_dim(part, i) == 1)
      continue;
    if (dims.dims[i] <= last || echo_dim_list_has(reduced, dims.dims[i]))
      return NULL;
    last = dims.dims[i];
    for (size_t r = 0; r < reduced.size; ++r)
      is_behind = is_behind && last > reduced.dims[r];
  }
  if (is_behind && n == kernel->n_columns)
    return kernel->column0;
  return n == kernel->n_matrices * kernel->n_columns ? kernel->first : NULL;
}

/* The part's elements of the block in memory, for all rows. */
static void make_part(ColumnKernel *kernel, EchoValue *part, EchoValue *offset)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoValue *indices[ECHO_MAX_RANK];
  const EchoType *scalar = echo_scalar_type(emitter->ctx, echo_type_element_kind(part->type));
  EchoValue *memory = echo_kernel_alloca(emitter, scalar, &kernel->block, 1);
  EchoValue *local = begin_columns(kernel);
  emitter->base.builder = echo_kernel_builder(emitter);
  column_indices(kernel, part->type, echo_index_add(&emitter->base, offset, local), indices);
  EchoValue *element = echo_kernel_element(emitter, part, indices);
  if (element != NULL)
    echo_memref_store(echo_kernel_builder(emitter), element, memory, &local, 1);
  echo_kernel_end_for(emitter);
  echo_kernel_bind(emitter, part, ECHO_BIND_LOCAL, memory, offset);
}

/* A row's loop runs over columns: what each row would compute anew, LLVM does not take out of it.
 */
static void make_parts(ColumnKernel *kernel, const EchoOp *reduce)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  for (const EchoOp *op = echo_op_body(emitter->kernel, 0)->first; op != NULL && !emitter->failed;
       op = op->next) {
    if (echo_hlo_opcode(op) != ECHO_HLO_BROADCAST_IN_DIM)
      continue;
    EchoValue *part = echo_op_operand(op, 0);
    if (!is_computed(part) || echo_map_has(&emitter->bindings, echo_key(part)))
      continue;
    EchoValue *offset = part_offset_or_null(kernel, op, reduce);
    if (offset != NULL && is_needed_by(op, reduce))
      make_part(kernel, part, offset);
  }
}

static void add_rows(ColumnKernel *kernel, size_t first, size_t end)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoElementEmitter *base = &emitter->base;
  int64_t lanes = kernel->reduces[first].lanes, n_whole = kernel->n_rows / lanes * lanes;
  for (size_t i = first; i < end; ++i)
    clear_partials(kernel, &kernel->reduces[i]);
  if (n_whole != 0) {
    EchoValue *chunk = echo_kernel_begin_for(emitter, echo_index_constant(base, 0),
                                             echo_index_constant(base, n_whole), lanes, false);
    EchoValue *lane = echo_kernel_begin_range(emitter, lanes, false);
    base->builder = echo_kernel_builder(emitter);
    EchoValue *row = echo_index_add(base, chunk, lane);
    for (size_t i = first; i < end; ++i)
      add_row(kernel, &kernel->reduces[i], row, lane);
    echo_kernel_end_for(emitter);
    echo_kernel_end_for(emitter);
  }
  if (n_whole != kernel->n_rows) {
    EchoValue *lane = echo_kernel_begin_range(emitter, kernel->n_rows - n_whole, false);
    base->builder = echo_kernel_builder(emitter);
    EchoValue *row = echo_index_add_constant(base, lane, n_whole);
    for (size_t i = first; i < end; ++i)
      add_row(kernel, &kernel->reduces[i], row, lane);
    echo_kernel_end_for(emitter);
  }
}

/* ---- a GPU's block: a thread is one lane of one column, and keeps its partials in registers ----
 */

/* Lane `lane` of column `local`, of all reductions of the pass. */
static void add_lane(ColumnKernel *kernel, size_t first, size_t end, EchoValue *lane,
                     EchoValue *local)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoElementEmitter *base = &emitter->base;
  int64_t lanes = kernel->reduces[first].lanes, n_rounds = kernel->n_rows / lanes;
  EchoValue *partials[MAX_REDUCES], *carried[MAX_REDUCES], *next[MAX_REDUCES];
  EchoValue *rounds = echo_index_constant(base, n_rounds), *indices[ECHO_MAX_RANK];
  if (n_rounds * lanes != kernel->n_rows) {
    EchoValue *rest = echo_index_constant(base, kernel->n_rows - n_rounds * lanes);
    EchoValue *more = echo_index_compare(base, ECHO_CMPI_SLT, lane, rest);
    rounds = echo_index_select(base, more, echo_index_constant(base, n_rounds + 1), rounds);
  }
  EchoValue *column = echo_index_add(base, kernel->column0, local);
  for (size_t i = first; i < end; ++i)
    partials[i - first] = neutral_of(kernel, &kernel->reduces[i]);
  EchoValue *round = echo_kernel_begin_carried_to(emitter, rounds, partials, end - first, carried);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *row = echo_index_add(base, echo_index_mul_constant(base, round, lanes), lane);
  for (size_t i = first; i < end; ++i) {
    const ColumnReduce *reduce = &kernel->reduces[i];
    operand_indices(kernel, reduce->op, row, column, indices);
    EchoValue *element = echo_kernel_element(emitter, echo_op_operand(reduce->op, 0), indices);
    next[i - first] = element != NULL
                          ? combine(emitter, &reduce->combiner, carried[i - first], element)
                          : carried[i - first];
  }
  echo_kernel_end_carried(emitter, next, end - first, partials);
  EchoValue *position[] = {lane, local};
  for (size_t i = first; i < end; ++i)
    echo_memref_store(echo_kernel_builder(emitter), partials[i - first],
                      kernel->reduces[i].partials, position, 2);
}

static void add_rows_by_block(ColumnKernel *kernel, size_t first, size_t end)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  EchoElementEmitter *base = &emitter->base;
  int64_t lanes = kernel->reduces[first].lanes, dims[] = {lanes, kernel->block};
  EchoValue *place = echo_kernel_begin_range(emitter, lanes * kernel->block, true), *digits[2];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, place, dims, 2, digits);
  bool has_edge = kernel->n_columns % kernel->block != 0;
  if (has_edge) {
    echo_kernel_begin_if(emitter,
                         echo_index_compare(base, ECHO_CMPI_SLT, digits[1], kernel->n_in_block));
    base->builder = echo_kernel_builder(emitter);
  }
  add_lane(kernel, first, end, digits[0], digits[1]);
  if (has_edge)
    echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
}

static void emit_pass(ColumnKernel *kernel, size_t first, size_t end)
{
  for (size_t i = first; i < end; ++i)
    reserve_partials(kernel, &kernel->reduces[i]);
  if (kernel->emitter->is_gpu) {
    add_rows_by_block(kernel, first, end);
    return;
  }
  for (size_t i = first; i < end; ++i)
    make_parts(kernel, kernel->reduces[i].op);
  for (size_t i = first; i < end; ++i)
    kernel->reduces[i].run = run_of(kernel, kernel->reduces[i].op);
  add_rows(kernel, first, end);
}

/* All results of a column, computed before any is stored, out of the partials of the last pass,
 * which begins at `first`. */
static void emit_roots(ColumnKernel *kernel, size_t first)
{
  EchoKernelEmitter *emitter = kernel->emitter;
  const EchoOp *end = echo_op_body(emitter->kernel, 0)->last;
  EchoValue *local = begin_columns(kernel);
  for (size_t i = first; i < kernel->n_reduces; ++i) {
    const ColumnReduce *reduce = &kernel->reduces[i];
    EchoValue *sum = sum_or_null(kernel, reduce, local);
    if (sum != NULL)
      echo_kernel_bind(emitter, echo_op_result(reduce->op, 0), ECHO_BIND_SCALAR, sum, NULL);
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  EchoValue *column = echo_index_add(&emitter->base, kernel->first, local);
  EchoValue **values = ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, end->n_operands);
  EchoValue *indices[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < end->n_operands; ++i) {
    column_indices(kernel, echo_op_operand_type(end, i), column, indices);
    values[i] = echo_kernel_element(emitter, echo_op_operand(end, i), indices);
  }
  for (uint32_t i = 0; i < end->n_operands && !emitter->failed; ++i) {
    column_indices(kernel, echo_op_operand_type(end, i), column, indices);
    echo_kernel_store(emitter, values[i], echo_kernel_output(emitter, i), indices);
  }
  echo_kernel_end_for(emitter);
}

/* Each pass but the last leaves its sums to those behind it. */
static void emit_passes(ColumnKernel *kernel)
{
  size_t first = 0, end = end_of_pass(kernel, 0);
  emit_pass(kernel, first, end);
  while (end < kernel->n_reduces && !kernel->emitter->failed) {
    for (size_t i = first; i < end; ++i)
      finish(kernel, &kernel->reduces[i]);
    first = end;
    end = end_of_pass(kernel, first);
    emit_pass(kernel, first, end);
  }
  if (!kernel->emitter->failed)
    emit_roots(kernel, first);
}

/* Columns of a task. */
static int64_t choose_block(const ColumnKernel *kernel)
{
  const EchoKernelEmitter *emitter = kernel->emitter;
  int64_t block = GPU_COLUMN_BLOCK; /* a warp reads lines of memory */
  if (!emitter->is_gpu) {
    block = echo_pieces_per_task(emitter, kernel->n_columns,
                                 emitter->work_ns / (double)kernel->n_matrices);
    block = (block + 15) / 16 * 16;
    block = block > MIN_COLUMN_BLOCK ? block : MIN_COLUMN_BLOCK;
    block = block < COLUMN_BLOCK ? block : COLUMN_BLOCK; /* partial sums stay in the cache */
  }
  return block < kernel->n_columns ? block : kernel->n_columns;
}

bool echo_lower_column_reduce(EchoKernelEmitter *emitter)
{
  ColumnKernel kernel = {.emitter = emitter};
  if (!collect(&kernel))
    return false;
  EchoElementEmitter *base = &emitter->base;
  kernel.block = choose_block(&kernel);
  int64_t grid[] = {kernel.n_matrices, (kernel.n_columns + kernel.block - 1) / kernel.block};
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1], emitter->work_ns),
            *coordinates[2];
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, task, grid, 2, coordinates);
  kernel.matrix = coordinates[0];
  kernel.column0 = echo_index_mul_constant(base, coordinates[1], kernel.block);
  kernel.first = echo_index_add(
      base, echo_index_mul_constant(base, kernel.matrix, kernel.n_columns), kernel.column0);
  kernel.n_in_block = echo_index_constant(base, kernel.block);
  if (kernel.n_columns % kernel.block != 0)
    kernel.n_in_block = echo_index_min(
        base, kernel.n_in_block,
        echo_index_sub(base, echo_index_constant(base, kernel.n_columns), kernel.column0));
  emit_passes(&kernel);
  echo_kernel_end_tasks(emitter);
  return true;
}
