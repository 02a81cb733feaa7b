/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sorts on a GPU: runs of doubling length are merged by rank, in parallel over all elements. The
 * place of an element in its merged run is its place in its own run and how many of the other run
 * go before it, which a binary search says; of equal ones those of the left run go first, so that
 * the sort is stable and its result that of one merge after the other.
 *
 * Of a long row whose first places alone are read a block keeps those of what it has seen, and
 * sorts them with as much of the rest as its memory holds, until all is seen.
 *
 * A block merges what its shared memory holds twice, several short rows or a piece of a long one,
 * and each pass is a step of the block. Longer runs are merged between the results and the memory
 * that a widened sort has (widen_sorts.c), each pass a phase over all elements of all rows. */
#include "lowering/kernels/lower_sort_t.h"

enum {
  THREADS = 256,
  PIECE = 2048,       /* elements of a block at most: eight a thread */
  ENOUGH_BLOCKS = 512 /* about four for each multiprocessor of the largest GPUs */
};

/* Where the elements lie: in memory of the block, or in results from number `result` on. */
typedef struct Place {
  EchoValue **memory; /* by operand; NULL: results */
  size_t result;
} Place;

/* An element of a row, or of a piece of one. */
typedef struct Element {
  EchoValue *row[ECHO_MAX_RANK]; /* indices among the results; row[dim] is not read */
  EchoValue *offset;             /* of position 0 in the block's memory */
  EchoValue *begin;              /* the piece's first position in the row */
  EchoValue *position, *limit;   /* in the piece, which ends at `limit` */
} Element;

/* What a block sorts: `n_rows` whole rows, or, where `is_piece`, a piece of one. */
typedef struct Shape {
  int64_t n_blocks, n_rows, piece;
  bool is_piece;
} Shape;

static EchoElementEmitter *base_of(const EchoSortRows *rows)
{
  EchoElementEmitter *base = &rows->emitter->base;
  base->builder = echo_kernel_builder(rows->emitter);
  return base;
}

static EchoValue **new_values(const EchoSortRows *rows, size_t n)
{
  EchoValue **values = ECHO_ARENA_ARRAY(rows->emitter->arena, EchoValue *, n + 1);
  memset(values, 0, (n + 1) * sizeof *values);
  return values;
}

/* ---- elements ---- */

/* Its indices among the results, at `position` of the piece. */
static void result_indices(const EchoSortRows *rows, const Element *element, EchoValue *position,
                           EchoValue **indices)
{
  memcpy(indices, element->row, sizeof element->row);
  indices[rows->dim] = echo_index_add(base_of(rows), element->begin, position);
}

static EchoValue *read_at(const EchoSortRows *rows, const Element *element, const Place *place,
                          size_t operand, EchoValue *position)
{
  EchoKernelEmitter *emitter = rows->emitter;
  if (place->memory != NULL) {
    EchoValue *at = echo_index_add(base_of(rows), element->offset, position);
    return echo_memref_load(echo_kernel_builder(emitter), place->memory[operand], &at, 1);
  }
  EchoValue *indices[ECHO_MAX_RANK];
  result_indices(rows, element, position, indices);
  return echo_kernel_load(emitter, echo_kernel_output(emitter, place->result + operand), indices);
}

static void write_at(const EchoSortRows *rows, const Element *element, const Place *place,
                     EchoValue *position, EchoValue *const *values)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *indices[ECHO_MAX_RANK], *at = NULL;
  if (place->memory != NULL)
    at = echo_index_add(base_of(rows), element->offset, position);
  else
    result_indices(rows, element, position, indices);
  for (size_t i = 0; i < rows->n; ++i) {
    if (place->memory != NULL)
      echo_memref_store(echo_kernel_builder(emitter), values[i], place->memory[i], &at, 1);
    else
      echo_kernel_store(emitter, values[i], echo_kernel_output(emitter, place->result + i),
                        indices);
  }
}

/* ---- a merge ---- */

/* Whether `a` compares before `b`; NULL after an error. */
static EchoValue *compare(const EchoSortRows *rows, EchoValue *const *a, EchoValue *const *b)
{
  size_t n_arguments = 2 * (size_t)rows->op->n_operands;
  EchoValue **arguments = new_values(rows, n_arguments), *is_before = NULL;
  for (size_t i = 0; i < rows->n; ++i) {
    arguments[2 * i] = a[i];
    arguments[2 * i + 1] = b[i];
  }
  /* a widened sort's comparator reads only the first arguments */
  for (size_t i = 2 * rows->n; i < n_arguments; ++i)
    arguments[i] = arguments[i - 2 * rows->n];
  base_of(rows);
  bool fine = echo_kernel_inline_region(rows->emitter, &rows->op->regions[0], arguments,
                                        n_arguments, &is_before, 1);
  rows->emitter->failed |= !fine;
  return fine ? is_before : NULL;
}

/* An element between its own run and the other one of its pair. */
typedef struct Search {
  EchoValue *is_left;    /* whether its own run is the left one */
  EchoValue *low, *high; /* the other run */
  EchoValue **own;       /* its values */
} Search;

/* One step: half of [bounds[0], bounds[1]) is left. */
static void halve(const EchoSortRows *rows, const Element *element, const Place *from,
                  const Search *search, EchoValue *const *bounds, EchoValue **next)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoElementEmitter *base = base_of(rows);
  EchoValue *middle = echo_index_div_constant(base, echo_index_add(base, bounds[0], bounds[1]), 2);
  EchoValue *last = echo_index_add_constant(base, element->limit, -1);
  EchoValue *at = echo_index_min(base, middle, last);
  EchoValue **left = new_values(rows, rows->n), **right = new_values(rows, rows->n);
  for (size_t i = 0; i < rows->n; ++i) {
    EchoValue *other = read_at(rows, element, from, i, at);
    EchoBuilder *builder = echo_kernel_builder(emitter);
    left[i] = echo_arith_select(builder, search->is_left, search->own[i], other);
    right[i] = echo_arith_select(builder, search->is_left, other, search->own[i]);
  }
  EchoValue *right_first = compare(rows, right, left);
  next[0] = bounds[0];
  next[1] = bounds[1];
  if (right_first == NULL)
    return;
  /* the other one goes before this one: it is right and compares before it, or left and the right
   * one does not */
  EchoBuilder *builder = echo_kernel_builder(emitter);
  EchoValue *goes_before = echo_arith_cmpi(builder, ECHO_CMPI_EQ, right_first, search->is_left);
  base = base_of(rows);
  EchoValue *is_open = echo_index_compare(base, ECHO_CMPI_SLT, bounds[0], bounds[1]);
  EchoValue *up = echo_arith_binary(builder, "arith.andi", is_open, goes_before);
  next[0] = echo_arith_select(builder, up, echo_index_add_constant(base, middle, 1), bounds[0]);
  next[1] = echo_arith_select(builder, up, bounds[1],
                              echo_arith_select(builder, is_open, middle, bounds[1]));
}

/* Its place among both runs, where those before it are as many as the search has found. */
static EchoValue *merged_position(const EchoSortRows *rows, const Element *element,
                                  const Place *from, Search *search, int64_t width)
{
  EchoElementEmitter *base = base_of(rows);
  EchoValue *within = echo_index_rem_constant(base, element->position, 2 * width);
  EchoValue *start = echo_index_sub(base, element->position, within);
  EchoValue *middle =
      echo_index_min(base, echo_index_add_constant(base, start, width), element->limit);
  EchoValue *end =
      echo_index_min(base, echo_index_add_constant(base, start, 2 * width), element->limit);
  search->is_left = echo_index_compare(base, ECHO_CMPI_SLT, element->position, middle);
  search->low = echo_index_select(base, search->is_left, middle, start);
  search->high = echo_index_select(base, search->is_left, end, middle);
  int64_t n_steps = 1;
  for (int64_t left = width; left > 1; left /= 2)
    ++n_steps;
  EchoValue *inits[] = {search->low, search->high}, *bounds[2], *next[2], *found[2];
  echo_kernel_begin_carried(rows->emitter, n_steps, inits, 2, bounds);
  halve(rows, element, from, search, bounds, next);
  echo_kernel_end_carried(rows->emitter, next, 2, found);
  base = base_of(rows);
  EchoValue *rank = echo_index_sub(base, found[0], search->low);
  EchoValue *own = echo_index_select(base, search->is_left, element->position,
                                     echo_index_add_constant(base, element->position, -width));
  return echo_index_add(base, own, rank);
}

/* From runs of `width` to ones of twice as many; only the first `kept` places are written. */
static void merge_element(const EchoSortRows *rows, const Element *element, const Place *from,
                          const Place *to, int64_t width, int64_t kept)
{
  EchoKernelEmitter *emitter = rows->emitter;
  Search search = {.own = new_values(rows, rows->n)};
  for (size_t i = 0; i < rows->n; ++i)
    search.own[i] = read_at(rows, element, from, i, element->position);
  EchoValue *position = merged_position(rows, element, from, &search, width);
  if (kept == rows->length) {
    write_at(rows, element, to, position, search.own);
    return;
  }
  EchoElementEmitter *base = base_of(rows);
  echo_kernel_begin_if(
      emitter, echo_index_compare(base, ECHO_CMPI_SLT, position, echo_index_constant(base, kept)));
  write_at(rows, element, to, position, search.own);
  echo_kernel_end_if(emitter);
}

/* ---- in a block ---- */

/* Of rows that are short, as many as have an element for each thread, or more where there are
 * blocks enough. */
static Shape shape_of(const EchoSortRows *rows, int64_t piece)
{
  Shape shape = {.is_piece = rows->length > piece, .n_rows = 1, .piece = piece};
  if (shape.is_piece) {
    shape.n_blocks = rows->n_rows * ((rows->length + piece - 1) / piece);
    return shape;
  }
  shape.piece = rows->length;
  int64_t least = (THREADS + rows->length - 1) / rows->length, most = piece / rows->length;
  int64_t wanted = rows->n_rows / ENOUGH_BLOCKS;
  wanted = wanted > least ? wanted : least;
  shape.n_rows = wanted < most ? wanted : most;
  shape.n_rows = shape.n_rows < rows->n_rows ? shape.n_rows : rows->n_rows;
  shape.n_blocks = (rows->n_rows + shape.n_rows - 1) / shape.n_rows;
  return shape;
}

/* How many elements block `task` has. */
static EchoValue *count_of(const EchoSortRows *rows, const Shape *shape, EchoValue *task)
{
  EchoElementEmitter *base = base_of(rows);
  int64_t n_units = shape->is_piece ? rows->length : rows->n_rows;
  int64_t unit = shape->is_piece ? shape->piece : shape->n_rows;
  int64_t n_in_row = shape->is_piece ? (rows->length + unit - 1) / unit : shape->n_blocks;
  if (n_units % unit == 0)
    return echo_index_constant(base, shape->n_rows * shape->piece);
  EchoValue *number = shape->is_piece ? echo_index_rem_constant(base, task, n_in_row) : task;
  EchoValue *left = echo_index_sub(base, echo_index_constant(base, n_units),
                                   echo_index_mul_constant(base, number, unit));
  EchoValue *n = echo_index_min(base, left, echo_index_constant(base, unit));
  return shape->is_piece ? n : echo_index_mul_constant(base, n, rows->length);
}

/* Element `number` of block `task`. */
static Element locate(const EchoSortRows *rows, const Shape *shape, EchoValue *task,
                      EchoValue *count, EchoValue *number)
{
  EchoElementEmitter *base = base_of(rows);
  Element element = {.begin = echo_index_constant(base, 0), .offset = echo_index_constant(base, 0)};
  EchoValue *row;
  if (shape->is_piece) {
    int64_t n_in_row = (rows->length + shape->piece - 1) / shape->piece;
    row = echo_index_div_constant(base, task, n_in_row);
    element.begin =
        echo_index_mul_constant(base, echo_index_rem_constant(base, task, n_in_row), shape->piece);
    element.position = number;
    element.limit = count;
  } else {
    row = echo_index_add(base, echo_index_mul_constant(base, task, shape->n_rows),
                         echo_index_div_constant(base, number, rows->length));
    element.position = echo_index_rem_constant(base, number, rows->length);
    element.offset = echo_index_sub(base, number, element.position);
    element.limit = echo_index_constant(base, rows->length);
  }
  const EchoType *type = echo_op_operand_type(rows->op, 0);
  echo_index_delinearize(base, row, rows->row_dims, type->as.shaped.rank, element.row);
  return element;
}

/* The operands' elements to the block's memory. */
static void copy_in(const EchoSortRows *rows, const Element *element, const Place *to)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *indices[ECHO_MAX_RANK], **values = new_values(rows, rows->n);
  result_indices(rows, element, element->position, indices);
  for (size_t i = 0; i < rows->n && !emitter->failed; ++i)
    values[i] = echo_kernel_element(emitter, echo_op_operand(rows->op, i), indices);
  if (!emitter->failed)
    write_at(rows, element, to, element->position, values);
}

/* One step of a block: each of its elements from `from` to `to`; width 0: the operands'. */
static void step(const EchoSortRows *rows, const Shape *shape, EchoValue *task, EchoValue *count,
                 int64_t width, const Place *from, const Place *to)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *zero = echo_index_constant(base_of(rows), 0);
  EchoValue *number = echo_kernel_begin_for(emitter, zero, count, 1, true);
  Element element = locate(rows, shape, task, count, number);
  bool is_whole = to->memory == NULL && !shape->is_piece;
  int64_t kept = is_whole ? rows->first : rows->length;
  if (width == 0)
    copy_in(rows, &element, to);
  else
    merge_element(rows, &element, from, to, width, kept);
  echo_kernel_end_for(emitter);
}

/* Memory of a block for so many elements, twice. */
static void reserve(const EchoSortRows *rows, int64_t n_elements, Place *places)
{
  EchoKernelEmitter *emitter = rows->emitter;
  for (size_t k = 0; k < 2; ++k) {
    places[k] = (Place){.memory = new_values(rows, rows->n)};
    for (size_t i = 0; i < rows->n; ++i)
      places[k].memory[i] = echo_kernel_alloca(
          emitter, echo_kernel_output(emitter, i)->type->as.shaped.element, &n_elements, 1);
  }
}

/* Each block sorts what it has, and writes it to `result`. */
static void sort_blocks(const EchoSortRows *rows, const Shape *shape, const Place *result,
                        double work_ns)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *task = echo_kernel_begin_tasks(emitter, shape->n_blocks, work_ns);
  EchoValue *count = count_of(rows, shape, task);
  Place places[2];
  reserve(rows, shape->n_rows * shape->piece, places);
  step(rows, shape, task, count, 0, NULL, &places[0]);
  size_t at = 0;
  for (int64_t width = 1; width < shape->piece && !emitter->failed; width *= 2, at = 1 - at)
    step(rows, shape, task, count, width, &places[at],
         2 * width < shape->piece ? &places[1 - at] : result);
  echo_kernel_end_tasks(emitter);
}

/* ---- the first places of a long row ---- */

/* Begins a step over [0, count) of the block's row; `element` is then that one. */
static void begin_step(const EchoSortRows *rows, EchoValue *count, Element *element)
{
  EchoValue *zero = echo_index_constant(base_of(rows), 0);
  element->position = echo_kernel_begin_for(rows->emitter, zero, count, 1, true);
}

static void copy_element(const EchoSortRows *rows, const Element *element, const Place *from,
                         const Place *to)
{
  EchoValue **values = new_values(rows, rows->n);
  for (size_t i = 0; i < rows->n; ++i)
    values[i] = read_at(rows, element, from, i, element->position);
  write_at(rows, element, to, element->position, values);
}

/* The first places of the part `round` of the row and of what places[0] keeps of those before it,
 * to the beginning of places[0]. */
static void select_round(const EchoSortRows *rows, const Element *of_row, int64_t piece,
                         EchoValue *round, const Place *places)
{
  EchoElementEmitter *base = base_of(rows);
  EchoKernelEmitter *emitter = rows->emitter;
  int64_t part = piece - rows->first;
  size_t at = 0;
  for (int64_t width = 1; width < piece; width *= 2)
    at = 1 - at; /* so that the last pass ends in places[0] */
  Element element = *of_row;
  EchoValue *zero = element.begin;
  EchoValue *is_later = echo_index_compare(base, ECHO_CMPI_SGT, round, zero);
  EchoValue *held = echo_index_select(base, is_later, echo_index_constant(base, rows->first), zero);
  EchoValue *begin = echo_index_mul_constant(base, round, part);
  EchoValue *left = echo_index_sub(base, echo_index_constant(base, rows->length), begin);
  EchoValue *n = echo_index_min(base, left, echo_index_constant(base, part));
  element.limit = echo_index_add(base, held, n);
  if (at != 0) {
    begin_step(rows, held, &element);
    copy_element(rows, &element, &places[0], &places[1]);
    echo_kernel_end_for(emitter);
  }
  Element fresh = element;
  fresh.begin = begin;
  fresh.offset = held;
  begin_step(rows, n, &fresh);
  copy_in(rows, &fresh, &places[at]);
  echo_kernel_end_for(emitter);
  for (int64_t width = 1; width < piece && !emitter->failed; width *= 2, at = 1 - at) {
    begin_step(rows, element.limit, &element);
    merge_element(rows, &element, &places[at], &places[1 - at], width, rows->length);
    echo_kernel_end_for(emitter);
  }
}

static void select_first(const EchoSortRows *rows, int64_t piece, const Place *result)
{
  EchoKernelEmitter *emitter = rows->emitter;
  EchoValue *task = echo_kernel_begin_tasks(emitter, rows->n_rows, emitter->work_ns);
  EchoElementEmitter *base = base_of(rows);
  EchoValue *zero = echo_index_constant(base, 0);
  Element element = {.begin = zero, .offset = zero};
  echo_index_delinearize(base, task, rows->row_dims,
                         echo_op_operand_type(rows->op, 0)->as.shaped.rank, element.row);
  Place places[2];
  reserve(rows, piece, places);
  int64_t part = piece - rows->first;
  EchoValue *round = echo_kernel_begin_range(emitter, (rows->length + part - 1) / part, false);
  select_round(rows, &element, piece, round, places);
  echo_kernel_end_for(emitter);
  begin_step(rows, echo_index_constant(base_of(rows), rows->first), &element);
  copy_element(rows, &element, &places[0], result);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* ---- of the whole chip ---- */

/* A phase over all elements of all rows: merges runs of `width`, or, where that is 0, copies. */
static void merge_phase(const EchoSortRows *rows, int64_t width, const Place *from, const Place *to,
                        double work_ns)
{
  EchoKernelEmitter *emitter = rows->emitter;
  int64_t n = rows->n_rows * rows->length;
  EchoValue *task = echo_kernel_begin_tasks(emitter, (n + THREADS - 1) / THREADS, work_ns);
  EchoValue *thread = echo_kernel_begin_range(emitter, THREADS, true);
  EchoElementEmitter *base = base_of(rows);
  EchoValue *linear = echo_index_add(base, echo_index_mul_constant(base, task, THREADS), thread);
  echo_kernel_begin_if(
      emitter, echo_index_compare(base, ECHO_CMPI_SLT, linear, echo_index_constant(base, n)));
  base = base_of(rows);
  Element element = {.begin = echo_index_constant(base, 0),
                     .position = echo_index_rem_constant(base, linear, rows->length),
                     .limit = echo_index_constant(base, rows->length)};
  echo_index_delinearize(base, echo_index_div_constant(base, linear, rows->length), rows->row_dims,
                         echo_op_operand_type(rows->op, 0)->as.shaped.rank, element.row);
  if (width != 0)
    merge_element(rows, &element, from, to, width, rows->length);
  else
    copy_element(rows, &element, from, to);
  echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* ---- the whole ---- */

int64_t echo_gpu_sort_piece(const EchoOp *sort, size_t n)
{
  int64_t bytes = 0, piece = PIECE;
  for (size_t i = 0; i < n; ++i)
    bytes += (int64_t)echo_type_element_bytes(echo_op_operand_type(sort, i));
  while (piece > 1 && piece * bytes > ECHO_SORT_SHARED_BYTES)
    piece /= 2;
  return piece;
}

bool echo_emit_gpu_sort(const EchoSortRows *rows)
{
  int64_t piece = echo_gpu_sort_piece(rows->op, rows->n);
  const Place results[] = {{NULL, 0}, {NULL, rows->n}}; /* and the memory beside them */
  bool is_long = rows->length > piece;
  if (rows->length < 2)
    return false;
  if (is_long && 2 * rows->first <= piece) {
    select_first(rows, piece, &results[0]);
    return true;
  }
  if (is_long && !rows->is_widened)
    return false;
  Shape shape = shape_of(rows, piece);
  size_t n_phases = 0;
  for (int64_t width = shape.piece; width < rows->length; width *= 2)
    ++n_phases;
  size_t at = n_phases % 2; /* the last one ends in the results */
  double work_ns = rows->emitter->work_ns / (double)(n_phases + 1);
  sort_blocks(rows, &shape, &results[at], work_ns);
  for (int64_t width = shape.piece; width < rows->length; width *= 2, at = 1 - at)
    merge_phase(rows, width, &results[at], &results[1 - at], work_ns);
  if (rows->is_widened) /* the second results are the first ones once all is merged */
    merge_phase(rows, 0, &results[0], &results[1], work_ns);
  return true;
}
