/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel as loops over the elements of its results. The loop nest is the coarsest that needs no
 * division: one trial emission over a single linear index shows at which strides the index is taken
 * apart, and the nest is cut there. Reductions land in the outermost loop that knows their indices.
 * The order is part of the contract with planning/schedule/in_place.c: a result with fewer elements
 * is computed before one with more is stored, in passes of their own and row by row within a pass,
 * so that it may be made of what the larger one overwrites. */
#include <stdlib.h>

#include "dialects/arith/arith.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_map_t.h"

enum {
  MAX_PIECE_ROW = 65536,
  TILE = 32,
  MIN_PIECE_ROWS = 8,
  MAX_PLACES = 7,
  MIN_PLACE_ROWS = 16,
  MAX_REST_ROW = 48,
  MIN_REST = 2,
  NARROW = 8, /* half a vector */
  NARROW_ROWS = 64
};

static const EchoOp *kernel_end(const EchoOp *kernel)
{
  return echo_op_body(kernel, 0)->last;
}

/* The kernel's only op to return is a slice put into an array, and in every launch the result is
 * that array's memory: all but the slice is there. What it is made of, and in which order that is
 * read and stored, is as if all of the array were gone through. */
static const EchoOp *update_in_place_or_null(const EchoKernelEmitter *emitter)
{
  const EchoOp *end = kernel_end(emitter->kernel);
  const EchoLaunchFacts *facts = emitter->facts_or_null;
  const EchoOp *op = end->n_operands == 1 ? echo_value_def_or_null(echo_op_operand(end, 0)) : NULL;
  if (facts == NULL || op == NULL || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_UPDATE_SLICE)
    return NULL;
  const EchoValue *array = echo_op_operand(op, 0);
  bool is_there = echo_value_def_or_null(array) == NULL && array->index < facts->n &&
                  facts->is_output[array->index];
  bool is_empty = echo_type_static_n_elements(echo_op_operand_type(op, 1)) == 0;
  return is_there && !is_empty ? op : NULL;
}

static EchoMapRoot *collect_roots(EchoKernelEmitter *emitter, size_t *n)
{
  const EchoOp *end = kernel_end(emitter->kernel);
  EchoMapRoot *roots = ECHO_ARENA_ARRAY(emitter->arena, EchoMapRoot, end->n_operands + 1);
  *n = end->n_operands;
  for (size_t i = 0; i < *n; ++i) {
    const EchoOp *update = update_in_place_or_null(emitter);
    EchoValue *tensor = update != NULL ? echo_op_operand(update, 1) : echo_op_operand(end, i);
    roots[i] =
        (EchoMapRoot){tensor, update, i, echo_type_static_n_elements(tensor->type), ECHO_NO_PASS};
  }
  return roots;
}

/* Fewest result elements of an op with loops of its own, that a block computes together or a thread
 * alone; INT64_MAX when there is none. */
int64_t echo_map_fewest_results(const EchoKernelEmitter *emitter, bool is_of_block)
{
  int64_t fewest = INT64_MAX;
  for (const EchoOp *op = echo_op_body(emitter->kernel, 0)->first; op != NULL; op = op->next) {
    if (!echo_kernel_has_loops(emitter, op) || echo_needs_block(emitter, op) != is_of_block)
      continue;
    int64_t n = echo_type_static_n_elements(echo_op_result_type(op, 0));
    fewest = n < fewest ? n : fewest;
  }
  return fewest;
}

/* … of a block: recomputing one for several tasks would be waste, so tasks are at most that many.
 */
static int64_t fewest_loop_results(const EchoKernelEmitter *emitter)
{
  return echo_map_fewest_results(emitter, true);
}

/* Loops that a GPU's threads have to themselves: few iterations, or a window's. Where there are
 * fewer such results than elements, threads first compute those of some rows; else every thread
 * computes what its element needs. */
static bool has_thread_rows(const EchoKernelEmitter *emitter, int64_t n_elements)
{
  return emitter->is_gpu && echo_map_fewest_results(emitter, true) == INT64_MAX &&
         echo_map_fewest_results(emitter, false) < n_elements;
}

/* ---- trial ---- */

static int compare_i64(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Strides at which `linear` is still taken apart once dead code is gone. */
static size_t collect_boundaries(EchoKernelEmitter *trial, const EchoValue *linear,
                                 int64_t **boundaries)
{
  ECHO_VECTOR(int64_t) found = {0};
  for (EchoOp *op = trial->func; op != NULL; op = echo_op_walk_next(trial->func, op)) {
    if (!echo_op_is(op, "arith.divui") && !echo_op_is(op, "arith.remui"))
      continue;
    EchoIndexDigit digit = echo_index_digit(echo_op_result(op, 0));
    if (digit.source != linear)
      continue;
    int64_t above = 0;
    echo_vector_push(&found, digit.divisor);
    if (digit.modulus != 0 && echo_mul_i64(digit.divisor, digit.modulus, &above))
      echo_vector_push(&found, above);
  }
  size_t n = found.size;
  *boundaries = echo_arena_copy(trial->arena, found.data, n * sizeof(int64_t));
  echo_vector_destroy(&found);
  if (n > 1)
    qsort(*boundaries, n, sizeof(int64_t), compare_i64);
  return n;
}

/* The stride, in the linear index, of the dimension along which a load's neighbours lie, when the
 * load also follows the result's last dimension in another index; else 0. */
static int64_t crossing_stride(const EchoOp *load, const EchoValue *linear)
{
  bool follows_last = false;
  for (uint32_t i = 1; i + 1 < load->n_operands; ++i) {
    EchoIndexDigit digit = echo_index_digit(echo_op_operand(load, i));
    follows_last |= digit.source == linear && digit.divisor == 1;
  }
  EchoValue *along = echo_op_operand(load, load->n_operands - 1);
  const EchoOp *sum = echo_value_def_or_null(along);
  int64_t begin = 0; /* of a slice that is read */
  if (sum != NULL && echo_op_is(sum, "arith.addi") &&
      echo_arith_constant_i64(echo_op_operand(sum, 1), &begin))
    along = echo_op_operand(sum, 0);
  EchoIndexDigit digit = echo_index_digit(along);
  return follows_last && digit.source == linear ? digit.divisor : 0;
}

/* The dimension of the nest that some operand is contiguous in while the result is not. */
static size_t find_tile_dim(EchoKernelEmitter *trial, const EchoValue *linear, const EchoNest *nest)
{
  for (EchoOp *op = trial->func; op != NULL; op = echo_op_walk_next(trial->func, op)) {
    int64_t stride = echo_op_is(op, "memref.load") ? crossing_stride(op, linear) : 0, size = 1;
    for (size_t i = nest->n; i-- > 0; size *= nest->dims[i])
      if (stride > 1 && size == stride && i + 1 < nest->n)
        return i + 1;
  }
  return 0;
}

/* Cuts n_elements at the boundaries that divide each other. */
static void cut(EchoNest *nest, int64_t n_elements, const int64_t *boundaries, size_t n)
{
  int64_t strides[ECHO_MAX_RANK + 1], last = 1;
  size_t n_strides = 0;
  strides[n_strides++] = 1;
  for (size_t i = 0; i < n && n_strides < ECHO_MAX_RANK; ++i) {
    int64_t b = boundaries[i];
    if (b <= last || b >= n_elements || b % last != 0 || n_elements % b != 0)
      continue;
    strides[n_strides++] = b;
    last = b;
  }
  nest->n = 0;
  int64_t above = n_elements;
  for (size_t i = n_strides; i-- > 0; above = strides[i])
    if (above / strides[i] > 1)
      nest->dims[nest->n++] = above / strides[i];
}

void echo_map_take_cuts(EchoMapPass *map, int64_t *cuts, size_t n_all)
{
  size_t n = 0;
  if (n_all == 0) /* of which there is no array */
    return;
  qsort(cuts, n_all, sizeof *cuts, compare_i64);
  for (size_t i = 0; i < n_all && n <= ECHO_MAX_PIECES + 1; ++i)
    if (n == 0 || cuts[i] != cuts[n - 1])
      cuts[n++] = cuts[i];
  if (n < 2 || n > ECHO_MAX_PIECES + 1)
    return;
  map->n_pieces = n - 1;
  memcpy(map->cuts, cuts, n * sizeof *cuts);
}

/* Where the trial compares the nest's innermost index to tell a concatenation's operands apart. Of
 * a concatenation along another dimension it compares another index. */
static void find_cuts(EchoMapPass *map, EchoKernelEmitter *trial, const EchoValue *linear)
{
  ECHO_VECTOR(int64_t) cuts = {0};
  int64_t size = map->nest.n > 0 ? map->nest.dims[map->nest.n - 1] : 0, offset = 0;
  echo_vector_push(&cuts, 0);
  echo_vector_push(&cuts, size);
  for (EchoOp *op = trial->func; op != NULL; op = echo_op_walk_next(trial->func, op)) {
    if (!echo_op_is(op, "arith.cmpi") || echo_op_attr_i64(op, "predicate", -1) != ECHO_CMPI_SGE ||
        !echo_arith_constant_i64(echo_op_operand(op, 1), &offset))
      continue;
    EchoIndexDigit digit = echo_index_digit(echo_op_operand(op, 0));
    if (digit.source == linear && digit.divisor == 1 && offset > 0 && offset < size &&
        (digit.modulus == size || map->nest.n == 1))
      echo_vector_push(&cuts, offset);
  }
  map->n_pieces = 1;
  echo_map_take_cuts(map, cuts.data, size > 0 ? cuts.size : 0);
  echo_vector_destroy(&cuts);
}

static void find_nest(EchoMapPass *map, int64_t n_elements)
{
  EchoKernelEmitter *trial = ECHO_ARENA_NEW(map->emitter->arena, EchoKernelEmitter);
  echo_kernel_emitter_begin(trial, map->emitter->arena, map->emitter->kernel, ECHO_STR("trial"),
                            map->emitter->element_lowering_or_null);
  trial->device = map->emitter->device;
  echo_kernel_begin_tasks(trial, 1, 0);
  EchoValue *linear = echo_kernel_begin_range(trial, n_elements, false);
  for (size_t i = 0; i < map->n_roots && !trial->failed; ++i) {
    const EchoMapRoot *root = &map->roots[i];
    EchoValue *indices[ECHO_MAX_RANK];
    if (root->n_elements != n_elements)
      continue;
    const EchoType *type = root->tensor->type;
    echo_index_delinearize(&trial->base, linear, type->as.shaped.dims, type->as.shaped.rank,
                           indices);
    EchoValue *value = echo_kernel_element(trial, root->tensor, indices);
    if (value != NULL)
      echo_kernel_store(trial, value, echo_kernel_output(trial, root->result), indices);
  }
  echo_kernel_end_for(trial);
  echo_kernel_end_tasks(trial);
  map->emitter->failed |= trial->failed;
  int64_t *boundaries = NULL;
  size_t n_boundaries = 0;
  if (!trial->failed) {
    echo_erase_dead_ops(trial->func);
    n_boundaries = collect_boundaries(trial, linear, &boundaries);
  }
  map->has_thread_rows = has_thread_rows(map->emitter, n_elements);
  cut(&map->nest, n_elements, boundaries, n_boundaries);
  map->tile_dim = trial->failed ? 0 : find_tile_dim(trial, linear, &map->nest);
  find_cuts(map, trial, linear);
  echo_kernel_emitter_abandon(trial);
}

/* ---- the nest ---- */

static void choose_task_dims(EchoMapPass *map)
{
  int64_t fewest = echo_map_fewest_results(map->emitter, !map->has_thread_rows), product = 1;
  map->n_task_dims = 0;
  if (fewest == INT64_MAX) {
    map->n_task_dims = map->nest.n > 0 ? map->nest.n - 1 : 0;
    return;
  }
  for (size_t i = 0; i < map->nest.n; ++i) {
    product *= map->nest.dims[i];
    if (product > fewest)
      break;
    map->n_task_dims = i + 1;
  }
}

/* Cuts the innermost dimension where concatenations change operands: in a piece each reads one
 * operand, rather than choosing among all of them for every element. */
static void choose_pieces(EchoMapPass *map)
{
  int64_t outer = 1;
  for (size_t i = 0; i + 1 < map->nest.n; ++i)
    outer *= map->nest.dims[i];
  if (map->emitter->is_gpu || map->nest.n == 0 || map->n_task_dims == map->nest.n ||
      (map->nest.dims[map->nest.n - 1] > MAX_PIECE_ROW && outer < MIN_PIECE_ROWS))
    map->n_pieces = 1; /* a long row is worth more in parallel */
}

static bool is_worth_tiling(const EchoMapPass *map)
{
  return map->tile_dim != 0 && !map->emitter->is_gpu && map->n_pieces == 1 &&
         fewest_loop_results(map->emitter) == INT64_MAX &&
         map->nest.dims[map->tile_dim - 1] >= TILE && map->nest.dims[map->nest.n - 1] >= TILE;
}

/* Of a row of a few vectors and a rest, LLVM would compute the rest element by element, each of
 * which takes as long as a vector: it is a loop of its own, so that it is a vector, too. Of longer
 * rows LLVM sees to that itself. */
static void choose_rest(EchoMapPass *map)
{
  size_t n = map->nest.n;
  int64_t size = n > 0 ? map->nest.dims[n - 1] : 0, lanes = (int64_t)ECHO_VECTOR_LANES;
  if (map->emitter->is_gpu || map->n_pieces > 1 || map->n_places > 1 || map->n_task_dims == n ||
      is_worth_tiling(map) || size > MAX_REST_ROW)
    return;
  while (lanes > size)
    lanes /= 2;
  if (lanes == 0 || size % lanes < MIN_REST)
    return;
  map->n_pieces = 2;
  map->cuts[0] = 0;
  map->cuts[1] = size - size % lanes;
  map->cuts[2] = size;
}

/* Of rows of two to seven elements, a loop over rows takes all of a row at once: lanes are rows
 * then, whose places are found by counting, and which LLVM loads and stores as vectors side by
 * side. As a loop of its own a row would fill a part of a vector; one of eight fills it. */
static void choose_places(EchoMapPass *map)
{
  EchoNest *nest = &map->nest;
  size_t n = nest->n;
  int64_t n_places = 1;
  map->n_place_dims = 0;
  map->n_places = 1;
  if (map->emitter->is_gpu || fewest_loop_results(map->emitter) != INT64_MAX ||
      is_worth_tiling(map))
    return;
  while (n > 1 && n_places * nest->dims[n - 1] <= MAX_PLACES)
    n_places *= nest->dims[--n];
  if (n_places == 1 || nest->dims[n - 1] < MIN_PLACE_ROWS)
    return;
  map->n_place_dims = nest->n - n;
  map->n_places = n_places;
  map->n_pieces = 1; /* an operand of a concatenation is known for each place */
  map->tile_dim = 0;
  nest->n = n;
}

static int64_t level_elements(const EchoMapPass *map, size_t level)
{
  int64_t n_elements = 1;
  for (size_t i = 0; i < level; ++i)
    n_elements *= map->nest.dims[i];
  return n_elements;
}

void echo_map_place_in_array(EchoKernelEmitter *emitter, const EchoOp *update, EchoValue **indices)
{
  size_t rank = echo_type_rank(echo_op_result_type(update, 0));
  emitter->base.builder = echo_kernel_builder(emitter);
  for (size_t d = 0; d < rank && !emitter->failed; ++d) {
    EchoValue *start = echo_hlo_emit_update_start(&emitter->base, update, d);
    if (start != NULL)
      indices[d] = echo_index_add(&emitter->base, indices[d], start);
  }
}

/* All are computed before any is stored: results may stand in the buffers of inputs. */
EchoRootElements echo_map_compute_roots(EchoMapPass *map, size_t level)
{
  EchoKernelEmitter *emitter = map->emitter;
  int64_t n_elements = level_elements(map, level);
  EchoRootElements elements = {
      ECHO_ARENA_ARRAY(emitter->arena, EchoValue *, map->n_roots),
      echo_arena_alloc_array(emitter->arena, map->n_roots, sizeof *elements.indices)};
  for (size_t i = 0; i < map->n_roots && !emitter->failed; ++i) {
    const EchoMapRoot *root = &map->roots[i];
    elements.values[i] = NULL;
    if (root->pass != map->pass || root->n_elements != n_elements)
      continue;
    const EchoType *type = root->tensor->type;
    emitter->base.builder = echo_kernel_builder(emitter);
    echo_index_reshape(&emitter->base, map->nest.dims, level, map->indices, type->as.shaped.dims,
                       type->as.shaped.rank, elements.indices[i]);
    elements.values[i] = echo_kernel_element(emitter, root->tensor, elements.indices[i]);
    if (elements.values[i] != NULL && root->update != NULL)
      echo_map_place_in_array(emitter, root->update, elements.indices[i]);
  }
  return elements;
}

/* The same of several places, root by root: neighbours follow each other. */
void echo_map_store_roots(EchoMapPass *map, const EchoRootElements *elements, int64_t n)
{
  EchoKernelEmitter *emitter = map->emitter;
  for (size_t i = 0; i < map->n_roots; ++i)
    for (int64_t k = 0; k < n && !emitter->failed; ++k)
      if (elements[k].values[i] != NULL)
        echo_kernel_store(emitter, elements[k].values[i],
                          echo_kernel_output(emitter, map->roots[i].result),
                          elements[k].indices[i]);
}

static void store_roots(EchoMapPass *map, const EchoRootElements *elements)
{
  echo_map_store_roots(map, elements, 1);
}

/* A short row: of what there is one for each row, and of its places. */
static void emit_places(EchoMapPass *map)
{
  size_t n = map->nest.n;
  EchoRootElements row = echo_map_compute_roots(map, n), elements[MAX_PLACES];
  for (int64_t place = 0; place < map->n_places; ++place) {
    int64_t left = place;
    for (size_t i = n + map->n_place_dims; i-- > n; left /= map->nest.dims[i])
      map->indices[i] = echo_index_constant(&map->emitter->base, left % map->nest.dims[i]);
    elements[place] = echo_map_compute_roots(map, n + map->n_place_dims);
  }
  echo_map_store_roots(map, elements, map->n_places);
  store_roots(map, &row);
}

static void emit_roots(EchoMapPass *map, size_t level)
{
  if (map->n_places > 1) {
    emit_places(map);
    return;
  }
  EchoRootElements elements = echo_map_compute_roots(map, level);
  store_roots(map, &elements);
}

/* The innermost dimension in pieces: the same roots in each. */
static void emit_pieces(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  size_t n = map->nest.n;
  for (size_t piece = 0; piece < map->n_pieces; ++piece) {
    map->indices[n - 1] =
        echo_kernel_begin_piece(emitter, map->cuts[piece], map->cuts[piece + 1], true);
    emit_roots(map, n);
    echo_kernel_end_piece(emitter);
  }
}

/* The loops inside a task, from dimension n_task_dims on; the innermost is vectorisable. What a row
 * has one element of is computed before the row is gone through, and stored after it. */
static void emit_inner(EchoMapPass *map, EchoValue *low, EchoValue *high)
{
  EchoKernelEmitter *emitter = map->emitter;
  size_t first = map->n_task_dims, n = map->nest.n;
  bool has_pieces = map->n_pieces > 1;
  EchoRootElements outer[ECHO_MAX_RANK];
  for (size_t i = first; i < n; ++i) {
    bool is_last = i + 1 == n;
    outer[i] = echo_map_compute_roots(map, i);
    if (is_last && has_pieces)
      emit_pieces(map);
    else if (is_last && low != NULL)
      map->indices[i] = echo_kernel_begin_for(emitter, low, high, 1, true);
    else
      map->indices[i] = echo_kernel_begin_range(emitter, map->nest.dims[i], is_last);
  }
  if (!has_pieces)
    emit_roots(map, n);
  for (size_t i = n; i-- > first;) {
    if (i + 1 < n || !has_pieces)
      echo_kernel_end_for(emitter);
    store_roots(map, &outer[i]);
  }
}

/* Transposes: two dimensions go in square tiles, so that what is read across lines of memory is
 * used while it is at hand. Tasks take rows of tiles. */
static void emit_tiles(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  size_t tiled = map->tile_dim - 1, last = map->nest.n - 1;
  int64_t grid[ECHO_MAX_RANK], n_tasks = 1;
  for (size_t i = 0; i < last; ++i) {
    grid[i] = i == tiled ? (map->nest.dims[i] + TILE - 1) / TILE : map->nest.dims[i];
    n_tasks *= grid[i];
  }
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_tasks, emitter->work_ns);
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, task, grid, last, map->indices);
  EchoValue *low = echo_index_mul_constant(base, map->indices[tiled], TILE);
  EchoValue *high = echo_index_min(base, echo_index_add_constant(base, low, TILE),
                                   echo_index_constant(base, map->nest.dims[tiled]));
  EchoValue *end = echo_index_constant(base, map->nest.dims[last]);
  EchoValue *start = echo_kernel_begin_for(emitter, echo_index_constant(base, 0), end, TILE, false);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *stop = echo_index_min(base, echo_index_add_constant(base, start, TILE), end);
  map->indices[tiled] = echo_kernel_begin_for(emitter, low, high, 1, false);
  map->indices[last] = echo_kernel_begin_for(emitter, start, stop, 1, true);
  emit_roots(map, map->nest.n);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* Tasks of `rows` of the outer dimensions or somewhat fewer: part of one of them, all of those that
 * come after it, so that loops, and not divisions, find a row's place within a task. Of a
 * window, each of whose addresses is a sum of the row's places: LLVM looks for the best way to
 * count each of these sums on. Rows of plain maps have few addresses, and short loops around them
 * would be unrolled. */
static void emit_row_tasks(EchoMapPass *map, int64_t rows)
{
  EchoKernelEmitter *emitter = map->emitter;
  const int64_t *dims = map->nest.dims;
  size_t whole = map->n_task_dims, n_open = 0; /* the first dimension that no task divides */
  int64_t grid[ECHO_MAX_RANK], n_tasks = 1, n_whole = 1, part = 1;
  while (whole > 0 && n_whole <= rows / dims[whole - 1])
    n_whole *= dims[--whole];
  for (size_t i = 0; i < whole; ++i) {
    if (i + 1 == whole)
      part = echo_task_part(emitter, dims[i], rows / n_whole, 1);
    grid[i] = echo_n_tasks(dims[i], part);
    n_tasks *= grid[i];
  }
  EchoValue *task = echo_kernel_begin_tasks(emitter, n_tasks, emitter->work_ns);
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, task, grid, whole, map->indices);
  if (part > 1) {
    EchoValue **at = &map->indices[whole - 1], *low = NULL, *high = NULL;
    echo_task_range(emitter, *at, part, dims[whole - 1], &low, &high);
    *at = echo_kernel_begin_for(emitter, low, high, 1, false);
    ++n_open;
  }
  for (size_t i = whole; i < map->n_task_dims; ++i, ++n_open)
    map->indices[i] = echo_kernel_begin_range(emitter, dims[i], false);
  emit_inner(map, NULL, NULL);
  while (n_open-- > 0)
    echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* Whether elementary functions are about as many as elements. */
static bool computes_much(const EchoMapPass *map)
{
  double n_functions = 0;
  for (const EchoOp *op = echo_op_body(map->emitter->kernel, 0)->first; op != NULL; op = op->next) {
    EchoCost cost;
    echo_op_cost(op, &cost);
    n_functions += cost.transcendentals;
  }
  return n_functions >= (double)level_elements(map, map->nest.n) / 2;
}

/* Pieces of a few columns, as sines and cosines of three coordinates side by side are: a loop over
 * them would fill a part of a vector with each function. */
static bool has_narrow_pieces(const EchoMapPass *map)
{
  bool is_narrow = false;
  for (size_t i = 0; i < map->n_pieces; ++i)
    is_narrow |= map->cuts[i + 1] - map->cuts[i] < NARROW;
  return map->n_pieces > 1 && is_narrow && map->n_roots == 1 && !map->emitter->is_gpu &&
         map->n_task_dims > 0 && map->n_task_dims + 1 == map->nest.n &&
         level_elements(map, map->n_task_dims) >= MIN_PLACE_ROWS &&
         fewest_loop_results(map->emitter) == INT64_MAX && computes_much(map);
}

static void find_row(EchoMapPass *map, EchoValue *row)
{
  map->emitter->base.builder = echo_kernel_builder(map->emitter);
  echo_index_delinearize(&map->emitter->base, row, map->nest.dims, map->n_task_dims, map->indices);
}

/* Rows [low, high) of a piece: lanes are rows where it is narrow. */
static void emit_rows_of_piece(EchoMapPass *map, size_t piece, EchoValue *low, EchoValue *high)
{
  EchoKernelEmitter *emitter = map->emitter;
  size_t n = map->nest.n;
  int64_t begin = map->cuts[piece], end = map->cuts[piece + 1];
  bool is_narrow = end - begin < NARROW;
  if (is_narrow)
    map->indices[n - 1] = echo_kernel_begin_piece(emitter, begin, end, false);
  find_row(map, echo_kernel_begin_for(emitter, low, high, 1, is_narrow));
  if (!is_narrow)
    map->indices[n - 1] = echo_kernel_begin_piece(emitter, begin, end, true);
  emit_roots(map, n);
  if (!is_narrow)
    echo_kernel_end_piece(emitter);
  echo_kernel_end_for(emitter);
  if (is_narrow)
    echo_kernel_end_piece(emitter);
}

/* Some rows at a time, so that what one piece stores beside another is at hand. */
static void emit_narrow_pieces(EchoMapPass *map, int64_t n_rows, int64_t rows)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *first = NULL, *end = NULL;
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(n_rows, rows), emitter->work_ns);
  echo_task_range(emitter, task, rows, n_rows, &first, &end);
  EchoValue *low = echo_kernel_begin_for(emitter, first, end, NARROW_ROWS, false);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *high = echo_index_min(base, echo_index_add_constant(base, low, NARROW_ROWS), end);
  for (size_t piece = 0; piece < map->n_pieces; ++piece)
    emit_rows_of_piece(map, piece, low, high);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

static void emit_tasks(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoValue *low = NULL, *high = NULL;
  int64_t outer = 1;
  for (size_t i = 0; i < map->n_task_dims; ++i)
    outer *= map->nest.dims[i];
  bool has_loops = fewest_loop_results(emitter) != INT64_MAX;
  size_t n = map->nest.n;
  int64_t inner = !has_loops && n > 0 && map->n_pieces == 1 ? map->nest.dims[n - 1] : 1;
  int64_t elements = echo_pieces_per_task(emitter, outer * inner, emitter->work_ns);
  if (emitter->is_gpu && has_loops)
    elements = 1; /* a block a row */
  if (inner > 1 && elements < inner)
    elements = echo_task_part(emitter, inner, elements, ECHO_LINES);
  if (inner > elements) { /* a piece of one row */
    int64_t n_inner = echo_n_tasks(inner, elements);
    EchoValue *task = echo_kernel_begin_tasks(emitter, outer * n_inner, emitter->work_ns);
    emitter->base.builder = echo_kernel_builder(emitter);
    EchoValue *row = echo_index_div_constant(&emitter->base, task, n_inner);
    EchoValue *piece = outer == 1 ? task : echo_index_rem_constant(&emitter->base, task, n_inner);
    echo_task_range(emitter, piece, elements, inner, &low, &high);
    echo_index_delinearize(&emitter->base, row, map->nest.dims, map->n_task_dims, map->indices);
    emit_inner(map, low, high);
    echo_kernel_end_tasks(emitter);
    return;
  }
  int64_t rows = elements / inner;
  if (has_narrow_pieces(map)) {
    emit_narrow_pieces(map, outer, rows < MIN_PLACE_ROWS ? MIN_PLACE_ROWS : rows);
    return;
  }
  if (rows > 1 && echo_kernel_kind(emitter->kernel) == ECHO_KERNEL_WINDOW) {
    emit_row_tasks(map, rows);
    return;
  }
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(outer, rows), emitter->work_ns);
  EchoValue *row = task;
  if (rows > 1) {
    echo_task_range(emitter, task, rows, outer, &low, &high);
    row = echo_kernel_begin_for(emitter, low, high, 1, false);
  }
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, row, map->nest.dims, map->n_task_dims, map->indices);
  emit_inner(map, NULL, NULL);
  if (rows > 1)
    echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

static void emit_pass(EchoMapPass *map)
{
  if (map->emitter->is_gpu && echo_emit_gpu_map(map))
    return;
  if (is_worth_tiling(map))
    emit_tiles(map);
  else
    emit_tasks(map);
}

/* Whether the nest goes through the elements of the root, one level of it or another. */
static bool makes_root(const EchoMapPass *map, const EchoMapRoot *root)
{
  bool is_whole = is_worth_tiling(map) || echo_map_is_flat(map);
  size_t first = is_whole ? map->nest.n : map->n_task_dims;
  for (size_t level = first; level <= map->nest.n; ++level)
    if ((!map->has_thread_rows || level == first || level == map->nest.n) &&
        level_elements(map, level) == root->n_elements)
      return true;
  return level_elements(map, map->nest.n + map->n_place_dims) == root->n_elements;
}

/* The pass that makes the largest roots without one, and what else its nest goes through; false
 * when there are none, or after an error. */
static bool plan_pass(EchoMapPass *map)
{
  int64_t most = 0;
  for (size_t i = 0; i < map->n_roots; ++i)
    if (map->roots[i].pass == ECHO_NO_PASS && map->roots[i].n_elements > most)
      most = map->roots[i].n_elements;
  if (most == 0 || map->emitter->failed)
    return false;
  find_nest(map, most);
  if (map->emitter->failed)
    return false;
  choose_places(map);
  choose_task_dims(map);
  choose_pieces(map);
  choose_rest(map);
  for (size_t i = 0; i < map->n_roots; ++i)
    if (map->roots[i].pass == ECHO_NO_PASS && makes_root(map, &map->roots[i]))
      map->roots[i].pass = map->pass;
  return true;
}

void echo_lower_map(EchoKernelEmitter *emitter)
{
  EchoMapPass map = {.emitter = emitter};
  map.roots = collect_roots(emitter, &map.n_roots);
  EchoMapPass *passes = ECHO_ARENA_ARRAY(emitter->arena, EchoMapPass, map.n_roots + 1);
  size_t n_passes = 0;
  for (; plan_pass(&map); map.pass = ++n_passes)
    passes[n_passes] = map;
  while (n_passes-- > 0 && !emitter->failed)
    emit_pass(&passes[n_passes]);
}
