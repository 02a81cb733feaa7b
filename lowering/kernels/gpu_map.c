/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Maps on a GPU: neighbours that a thread takes at once, rows whose loops are a thread's,
 * transposes through shared memory. */
#include "dialects/gpu/gpu.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/kernels/lower_map_t.h"

enum {
  MIN_THREAD_ROWS = 32,
  MAX_THREAD_ROWS = 128,
  ENOUGH_BLOCKS = 256,   /* two a multiprocessor */
  BLOCK_ELEMENTS = 1024, /* about, of a block whose threads have rows or four neighbours */
  MOST_TURNS = 4,
  MANY_BLOCKS = 1024,     /* as many as a chip holds at once, eight a multiprocessor */
  WIDEST_ACCESS = 16,     /* bytes */
  MAX_WIDE_OPERANDS = 32, /* elements of all operands that a thread holds */
  TILE = 32,              /* of a transpose: a line of memory of most types each way */
  TILE_ELEMENTS = 1024,   /* of it, so that one that is narrow one way is long the other way */
  TILE_THREADS = 256,
  MIN_TILED = 8, /* a sector of most types */
  MAX_STAGED = 2
};

/* ---- which way ---- */

bool echo_map_is_flat(const EchoMapPass *map)
{
  return map->emitter->is_gpu && echo_map_fewest_results(map->emitter, true) == INT64_MAX &&
         !map->has_thread_rows;
}

/* ---- rows whose loops are a thread's ---- */

static int64_t product(const int64_t *dims, size_t n)
{
  int64_t all = 1;
  for (size_t i = 0; i < n; ++i)
    all *= dims[i];
  return all;
}

/* Element `row` of a tensor with one for each row. */
static EchoValue *row_element(EchoMapPass *map, EchoValue *tensor, EchoValue *row,
                              EchoValue **indices)
{
  EchoElementEmitter *base = &map->emitter->base;
  base->builder = echo_kernel_builder(map->emitter);
  echo_index_delinearize(base, row, tensor->type->as.shaped.dims, tensor->type->as.shaped.rank,
                         indices);
  return echo_kernel_element(map->emitter, tensor, indices);
}

/* The tensor's elements of rows [low, low + n), a thread a row, in shared memory from here on. */
static void share_rows(EchoMapPass *map, EchoValue *tensor, EchoValue *low, EchoValue *n,
                       int64_t most)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  if (echo_map_has(&emitter->bindings, echo_key(tensor)))
    return;
  const EchoType *scalar = echo_scalar_type(emitter->ctx, echo_type_element_kind(tensor->type));
  EchoValue *memory = echo_kernel_alloca(emitter, scalar, &most, 1), *indices[ECHO_MAX_RANK];
  EchoValue *place = echo_kernel_begin_for(emitter, echo_index_constant(base, 0), n, 1, true);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *value = row_element(map, tensor, echo_index_add(base, low, place), indices);
  if (value != NULL)
    echo_memref_store(echo_kernel_builder(emitter), value, memory, &place, 1);
  echo_kernel_end_for(emitter);
  echo_kernel_bind(emitter, tensor, ECHO_BIND_LOCAL, memory, low);
}

static void share_all_rows(EchoMapPass *map, int64_t n_rows, EchoValue *low, EchoValue *n,
                           int64_t most)
{
  EchoKernelEmitter *emitter = map->emitter;
  for (const EchoOp *op = echo_op_body(emitter->kernel, 0)->first; op != NULL; op = op->next)
    if (echo_kernel_has_loops(emitter, op) && op->n_results == 1 &&
        echo_type_static_n_elements(echo_op_result_type(op, 0)) == n_rows)
      share_rows(map, echo_op_result(op, 0), low, n, most);
  for (size_t i = 0; i < map->n_roots; ++i)
    if (map->roots[i].pass == map->pass && map->roots[i].n_elements == n_rows &&
        !map->roots[i].tensor->is_block_arg)
      share_rows(map, map->roots[i].tensor, low, n, most);
}

static void unbind_rows(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  for (const EchoOp *op = echo_op_body(emitter->kernel, 0)->first; op != NULL; op = op->next)
    for (uint32_t i = 0; i < op->n_results; ++i) {
      const EchoValue *tensor = echo_op_result(op, i);
      const EchoBinding *binding = echo_map_get_ptr(&emitter->bindings, tensor);
      if (binding != NULL && binding->kind == ECHO_BIND_LOCAL)
        echo_kernel_unbind(emitter, tensor);
    }
}

/* A block takes some rows: what a row has one of first, a thread a row; then the elements of those
 * rows, neighbours side by side; then results with one a row, which may stand in the place of what
 * the elements were made of. */
static void emit_thread_rows(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  size_t n_outer = map->n_task_dims, n = map->nest.n;
  int64_t n_rows = product(map->nest.dims, n_outer);
  int64_t n_inner = product(map->nest.dims + n_outer, n - n_outer);
  int64_t block = BLOCK_ELEMENTS / n_inner;
  block = block < MIN_THREAD_ROWS ? MIN_THREAD_ROWS : block;
  block = block > MAX_THREAD_ROWS ? MAX_THREAD_ROWS : block;
  if (n_rows < ENOUGH_BLOCKS * block) /* small: as many blocks as there can be */
    block = MIN_THREAD_ROWS;
  EchoValue *low = NULL, *high = NULL, *digits[2], *indices[ECHO_MAX_RANK];
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(n_rows, block), emitter->work_ns);
  echo_task_range(emitter, task, block, n_rows, &low, &high);
  EchoValue *n_in_block = echo_index_constant(base, block);
  if (n_rows % block != 0)
    n_in_block = echo_index_sub(base, high, low);
  share_all_rows(map, n_rows, low, n_in_block, block);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *n_places = echo_index_mul_constant(base, n_in_block, n_inner);
  EchoValue *place =
      echo_kernel_begin_for(emitter, echo_index_constant(base, 0), n_places, 1, true);
  int64_t dims[] = {block, n_inner};
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, place, dims, 2, digits);
  echo_index_delinearize(base, echo_index_add(base, low, digits[0]), map->nest.dims, n_outer,
                         map->indices);
  echo_index_delinearize(base, digits[1], map->nest.dims + n_outer, n - n_outer,
                         map->indices + n_outer);
  EchoRootElements elements = echo_map_compute_roots(map, n);
  echo_map_store_roots(map, &elements, 1);
  echo_kernel_end_for(emitter);
  for (size_t i = 0; i < map->n_roots && !emitter->failed; ++i) {
    const EchoMapRoot *root = &map->roots[i];
    if (root->pass != map->pass || root->n_elements != n_rows)
      continue;
    EchoValue *at =
        echo_kernel_begin_for(emitter, echo_index_constant(base, 0), n_in_block, 1, true);
    base->builder = echo_kernel_builder(emitter);
    EchoValue *value = row_element(map, root->tensor, echo_index_add(base, low, at), indices);
    if (value != NULL && root->update != NULL)
      echo_map_place_in_array(emitter, root->update, indices);
    if (value != NULL)
      echo_kernel_store(emitter, value, echo_kernel_output(emitter, root->result), indices);
    echo_kernel_end_for(emitter);
  }
  echo_kernel_end_tasks(emitter);
  unbind_rows(map);
}

/* ---- elements side by side ---- */

/* Bytes of an element of the widest type among the results, and among the arguments that have an
 * element for each of the nest. */
static int64_t widest_element(const EchoMapPass *map)
{
  const EchoBlock *body = echo_op_body(map->emitter->kernel, 0);
  int64_t n_elements = product(map->nest.dims, map->nest.n), widest = 1;
  for (uint32_t i = 0; i < body->n_args + body->last->n_operands; ++i) {
    bool is_argument = i < body->n_args;
    const EchoType *type = is_argument ? echo_block_arg(body, i)->type
                                       : echo_op_operand_type(body->last, i - body->n_args);
    if (is_argument &&
        (!echo_type_is_shaped(type) || (int64_t)echo_type_static_n_elements(type) != n_elements))
      continue;
    int64_t bytes = (int64_t)echo_type_element_bytes(echo_type_element(type));
    widest = bytes > widest ? bytes : widest;
  }
  return widest;
}

/* How many neighbours a thread of a GPU takes at once, so that memory is accessed 16 bytes at a
 * time, and no lane more: lanes that read 32 of a wider type skip a half of each sector. As many as
 * there are in every row of the nest, and as registers hold of all operands. */
static int64_t choose_width(const EchoMapPass *map)
{
  int64_t row = map->nest.n > 0 ? map->nest.dims[map->nest.n - 1] : 1;
  int64_t widest = widest_element(map);
  const EchoOp *kernel = map->emitter->kernel, *end = echo_op_body(kernel, 0)->last;
  size_t n_operands = echo_op_body(kernel, 0)->n_args + end->n_operands;
  if (echo_map_fewest_results(map->emitter, false) != INT64_MAX)
    return 1; /* neighbours' windows overlap: threads side by side read side by side */
  int64_t width = WIDEST_ACCESS / widest;
  while (width > 1 && (row % width != 0 || (size_t)width * n_operands > MAX_WIDE_OPERANDS))
    width /= 2;
  return width;
}

/* ---- concatenations ---- */

/* Whether the concatenation is cut along dimension d of the nest, and its elements are asked for
 * where the results' are. */
static bool follows_nest(const EchoMapPass *map, const EchoOp *op, size_t d)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_CONCATENATE)
    return false;
  EchoValue *result = echo_op_result(op, 0);
  const EchoType *type = result->type;
  size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0), rank = echo_type_rank(type);
  return echo_type_dim(type, dim) == map->nest.dims[d] &&
         product(type->as.shaped.dims + dim + 1, rank - dim - 1) ==
             product(map->nest.dims + d + 1, map->nest.n - d - 1) &&
         echo_type_static_n_elements(type) == product(map->nest.dims, map->nest.n) &&
         echo_kernel_is_used_in_place(map->emitter->kernel, result);
}

/* Parts of at least a warp's neighbours each: else most warps would go through several of them. */
static bool has_warps(const EchoMapPass *map, int64_t width)
{
  int64_t inner = product(map->nest.dims + map->piece_dim + 1, map->nest.n - map->piece_dim - 1);
  for (size_t i = 0; i < map->n_pieces; ++i) {
    int64_t n = (map->cuts[i + 1] - map->cuts[i]) * inner;
    if (n < ECHO_GPU_WARP || n % width != 0)
      return false;
  }
  return true;
}

/* Cuts the last dimension of the nest along which there are concatenations: a thread, and mostly a
 * warp, reads one operand, and computes what that is made of alone. */
static void find_pieces(EchoMapPass *map, int64_t width)
{
  map->n_pieces = 1;
  for (size_t d = map->nest.n; d-- > 0 && map->n_pieces == 1;) {
    ECHO_VECTOR(int64_t) cuts = {0};
    for (const EchoOp *op = echo_op_body(map->emitter->kernel, 0)->first; op != NULL;
         op = op->next) {
      if (!follows_nest(map, op, d))
        continue;
      size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0);
      int64_t offset = 0;
      echo_vector_push(&cuts, offset);
      for (uint32_t i = 0; i < op->n_operands; ++i) {
        offset += echo_type_dim(echo_op_operand_type(op, i), dim);
        echo_vector_push(&cuts, offset);
      }
    }
    map->piece_dim = d;
    echo_map_take_cuts(map, cuts.data, cuts.size);
    echo_vector_destroy(&cuts);
    if (map->n_pieces > 1 && !has_warps(map, width))
      map->n_pieces = 1;
  }
}

/* Opens what the threads do that have places of the piece. */
static void begin_piece(EchoMapPass *map, size_t piece)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *at = map->indices[map->piece_dim], *inside = NULL;
  emitter->piece_low = map->cuts[piece];
  emitter->piece_high = map->cuts[piece + 1];
  base->builder = echo_kernel_builder(emitter);
  if (piece + 1 < map->n_pieces)
    inside =
        echo_index_compare(base, ECHO_CMPI_SLT, at, echo_index_constant(base, emitter->piece_high));
  if (piece > 0) {
    EchoValue *above =
        echo_index_compare(base, ECHO_CMPI_SGE, at, echo_index_constant(base, emitter->piece_low));
    EchoValue *both[] = {above, inside};
    inside = inside == NULL ? above : base->pure_op(base, "arith.andi", -1, both, 2, above->type);
  }
  echo_kernel_begin_if(emitter, inside);
}

/* All of a block's neighbours are computed before any is stored, as one element's are. */
static void emit_neighbours(EchoMapPass *map, int64_t width)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  size_t n = map->nest.n;
  EchoRootElements *elements =
      echo_arena_alloc_array(emitter->arena, (size_t)width, sizeof *elements);
  EchoValue *last = n > 0 ? map->indices[n - 1] : NULL;
  for (int64_t i = 0; i < width; ++i) {
    base->builder = echo_kernel_builder(emitter);
    if (n > 0)
      map->indices[n - 1] = echo_index_add_constant(base, last, i);
    emitter->piece_index = map->n_pieces > 1 ? map->indices[map->piece_dim] : NULL;
    elements[i] = echo_map_compute_roots(map, n);
  }
  emitter->piece_index = NULL;
  if (n > 0)
    map->indices[n - 1] = last;
  echo_map_store_roots(map, elements, width);
}

static void emit_pieces(EchoMapPass *map, EchoValue *first, int64_t width)
{
  map->emitter->base.builder = echo_kernel_builder(map->emitter);
  echo_index_delinearize(&map->emitter->base, first, map->nest.dims, map->nest.n, map->indices);
  if (map->n_pieces == 1) {
    emit_neighbours(map, width);
    return;
  }
  for (size_t piece = 0; piece < map->n_pieces && !map->emitter->failed; ++piece) {
    begin_piece(map, piece);
    emit_neighbours(map, width);
    echo_kernel_end_if(map->emitter);
  }
}

/* Whether results beside each other read elements of an argument that others read, too: vectors of
 * channels, of rows. */
static bool shares_arguments(const EchoMapPass *map, int64_t n)
{
  const EchoBlock *body = echo_op_body(map->emitter->kernel, 0);
  for (uint32_t i = 0; i < body->n_args; ++i) {
    const EchoType *type = echo_block_arg(body, i)->type;
    int64_t n_elements = echo_type_is_shaped(type) ? (int64_t)echo_type_static_n_elements(type) : 1;
    if (n_elements > 1 && n_elements < n)
      return true;
  }
  return false;
}

/* Elements of a block. What is shared each block reads again: where blocks are many, a thread makes
 * up to MOST_TURNS times its neighbours. */
static int64_t choose_block(const EchoMapPass *map, int64_t n)
{
  int64_t block = echo_pieces_per_task(map->emitter, n, map->emitter->work_ns);
  if (block < BLOCK_ELEMENTS || !shares_arguments(map, n))
    return block;
  while (block < MOST_TURNS * BLOCK_ELEMENTS && n >= 2 * block * MANY_BLOCKS)
    block *= 2;
  return block;
}

/* A GPU's map: a thread has some neighbours, a block those of its threads. */
static void emit_flat(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  int64_t n = product(map->nest.dims, map->nest.n), width = choose_width(map);
  int64_t block = choose_block(map, n);
  block = (block + width - 1) / width * width;
  find_pieces(map, width);
  EchoValue *task = echo_kernel_begin_tasks(emitter, echo_n_tasks(n, block), emitter->work_ns);
  EchoValue *place = echo_kernel_begin_range(emitter, block / width, true);
  base->builder = echo_kernel_builder(emitter);
  EchoValue *first = echo_index_add(base, echo_index_mul_constant(base, task, block),
                                    echo_index_mul_constant(base, place, width));
  bool has_edge = n % block != 0;
  if (has_edge)
    echo_kernel_begin_if(
        emitter, echo_index_compare(base, ECHO_CMPI_SLT, first, echo_index_constant(base, n)));
  emit_pieces(map, first, width);
  if (has_edge)
    echo_kernel_end_if(emitter);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
}

/* ---- transposes ---- */

/* The transposes whose results stand at the results' places; more than MAX_STAGED, or others that
 * do not: none. */
static size_t find_staged(const EchoMapPass *map, EchoValue **staged)
{
  int64_t n_elements = 1;
  size_t n = 0;
  for (size_t i = 0; i < map->nest.n; ++i)
    n_elements *= map->nest.dims[i];
  for (const EchoOp *op = echo_op_body(map->emitter->kernel, 0)->first; op != NULL; op = op->next) {
    if (echo_hlo_opcode(op) != ECHO_HLO_TRANSPOSE)
      continue;
    EchoValue *result = echo_op_result(op, 0);
    if (n == MAX_STAGED || echo_type_static_n_elements(result->type) != n_elements ||
        echo_type_element_kind(result->type) == ECHO_ELEMENT_NONE ||
        !echo_kernel_is_used_in_place(map->emitter->kernel, result))
      return 0;
    staged[n++] = result;
  }
  return n;
}

/* A tile of the dimension that operands run along, `a`, and the last one, `b`: powers of two. */
typedef struct Tile {
  size_t a_dim, b_dim;
  int64_t a_size, b_size;
  EchoValue *a0, *b0;
  EchoValue *row, *column; /* of the thread: the column runs along a when the tile is filled, along
                              b when it is emptied */
} Tile;

/* The sides: TILE each, or all of a dimension that is shorter and as much more of the other. False
 * for what is too small for any. */
static bool choose_sides(const EchoMapPass *map, Tile *tile)
{
  const int64_t a = map->nest.dims[tile->a_dim], b = map->nest.dims[tile->b_dim];
  if (a < MIN_TILED || b < MIN_TILED)
    return false;
  tile->a_size = tile->b_size = MIN_TILED;
  while (tile->a_size < a && tile->a_size < TILE)
    tile->a_size *= 2;
  while (tile->b_size < b && tile->b_size < TILE)
    tile->b_size *= 2;
  while (tile->a_size >= TILE && tile->a_size < a && tile->a_size * tile->b_size < TILE_ELEMENTS)
    tile->a_size *= 2;
  while (tile->b_size >= TILE && tile->b_size < b && tile->a_size * tile->b_size < TILE_ELEMENTS)
    tile->b_size *= 2;
  return tile->a_size * tile->b_size >= TILE_THREADS;
}

/* Opens what threads outside of the tensor do not do; returns whether it has to. */
static bool begin_inside(EchoMapPass *map, const Tile *tile, EchoValue *a, EchoValue *b)
{
  EchoElementEmitter *base = &map->emitter->base;
  EchoValue *inside = NULL;
  int64_t a_size = map->nest.dims[tile->a_dim], b_size = map->nest.dims[tile->b_dim];
  base->builder = echo_kernel_builder(map->emitter);
  if (a_size % tile->a_size != 0)
    inside = echo_index_compare(base, ECHO_CMPI_SLT, a, echo_index_constant(base, a_size));
  if (b_size % tile->b_size != 0) {
    EchoValue *in_b = echo_index_compare(base, ECHO_CMPI_SLT, b, echo_index_constant(base, b_size));
    EchoValue *both[] = {inside, in_b};
    inside = inside == NULL ? in_b : base->pure_op(base, "arith.andi", -1, both, 2, in_b->type);
  }
  if (inside == NULL)
    return false;
  echo_kernel_begin_if(map->emitter, inside);
  return true;
}

static int64_t n_steps(const Tile *tile)
{
  return tile->a_size * tile->b_size / TILE_THREADS;
}

/* One of the steps: the place of the thread in rows along a, or along b, and in the tile's memory,
 * whose rows are the longer side. */
static void place_in_tile(EchoMapPass *map, const Tile *tile, int64_t step, bool along_a,
                          EchoValue *local[2])
{
  EchoElementEmitter *base = &map->emitter->base;
  base->builder = echo_kernel_builder(map->emitter);
  int64_t rows = TILE_THREADS / (along_a ? tile->a_size : tile->b_size);
  EchoValue *slow = echo_index_add_constant(base, tile->row, step * rows);
  EchoValue *a = along_a ? tile->column : slow, *b = along_a ? slow : tile->column;
  map->indices[tile->a_dim] = echo_index_add(base, tile->a0, a);
  map->indices[tile->b_dim] = echo_index_add(base, tile->b0, b);
  local[0] = tile->a_size > tile->b_size ? b : a;
  local[1] = tile->a_size > tile->b_size ? a : b;
}

/* The staged tensors' elements, read along a. */
static void fill_tile(EchoMapPass *map, const Tile *tile, EchoValue *const *staged, size_t n,
                      EchoValue *const *memory)
{
  EchoKernelEmitter *emitter = map->emitter;
  for (int64_t step = 0; step < n_steps(tile); ++step) {
    EchoValue *local[2], *indices[ECHO_MAX_RANK];
    place_in_tile(map, tile, step, true, local);
    bool has_edge = begin_inside(map, tile, map->indices[tile->a_dim], map->indices[tile->b_dim]);
    for (size_t i = 0; i < n; ++i) {
      const EchoType *type = staged[i]->type;
      emitter->base.builder = echo_kernel_builder(emitter);
      echo_index_reshape(&emitter->base, map->nest.dims, map->nest.n, map->indices,
                         type->as.shaped.dims, type->as.shaped.rank, indices);
      EchoValue *value = echo_kernel_element(emitter, staged[i], indices);
      if (value != NULL)
        echo_memref_store(echo_kernel_builder(emitter), value, memory[i], local, 2);
    }
    if (has_edge)
      echo_kernel_end_if(emitter);
  }
}

/* The results' elements, made and stored along b. */
static void empty_tile(EchoMapPass *map, const Tile *tile, EchoValue *const *staged, size_t n,
                       EchoValue *const *memory)
{
  EchoKernelEmitter *emitter = map->emitter;
  for (int64_t step = 0; step < n_steps(tile); ++step) {
    EchoValue *local[2];
    place_in_tile(map, tile, step, false, local);
    bool has_edge = begin_inside(map, tile, map->indices[tile->a_dim], map->indices[tile->b_dim]);
    echo_kernel_begin_fence(emitter);
    for (size_t i = 0; i < n; ++i)
      echo_kernel_bind(emitter, staged[i], ECHO_BIND_SCALAR,
                       echo_memref_load(echo_kernel_builder(emitter), memory[i], local, 2), NULL);
    EchoRootElements elements = echo_map_compute_roots(map, map->nest.n);
    echo_map_store_roots(map, &elements, 1);
    for (size_t i = 0; i < n; ++i)
      echo_kernel_unbind(emitter, staged[i]);
    echo_kernel_end_fence(emitter);
    if (has_edge)
      echo_kernel_end_if(emitter);
  }
}

/* A block's threads as rows of a tile, so many elements long. */
static void begin_tile_threads(EchoMapPass *map, Tile *tile, int64_t length)
{
  EchoElementEmitter *base = &map->emitter->base;
  int64_t dims[] = {TILE_THREADS / length, length};
  EchoValue *place = echo_kernel_begin_range(map->emitter, TILE_THREADS, true), *digits[2];
  base->builder = echo_kernel_builder(map->emitter);
  echo_index_delinearize(base, place, dims, 2, digits);
  tile->row = digits[0];
  tile->column = digits[1];
}

/* Rows of the longer side, as far apart as it takes for those lanes of a warp that memory serves at
 * once (of 8 bytes half of it) to meet all banks when they go across rows. */
static EchoValue *allocate_tile(EchoKernelEmitter *emitter, const Tile *tile, EchoElementKind kind)
{
  const EchoType *type = echo_scalar_type(emitter->ctx, kind);
  int64_t bytes = (int64_t)echo_type_element_bytes(type), lanes = ECHO_GPU_WARP;
  if (bytes > 4)
    lanes = 4 * lanes / bytes;
  int64_t dims[] = {tile->a_size, tile->b_size};
  if (dims[0] > dims[1]) {
    dims[0] = tile->b_size;
    dims[1] = tile->a_size;
  }
  dims[1] += dims[0] < lanes ? lanes / dims[0] : 1;
  return echo_kernel_alloca(emitter, type, dims, 2);
}

/* A block has one tile: read along the dimension that transposed operands run along, and written
 * along the one that results do, with shared memory between. */
static bool emit_staged_tiles(EchoMapPass *map)
{
  EchoKernelEmitter *emitter = map->emitter;
  EchoElementEmitter *base = &emitter->base;
  EchoValue *staged[MAX_STAGED], *memory[MAX_STAGED], *coordinates[ECHO_MAX_RANK];
  size_t n = map->tile_dim != 0 ? find_staged(map, staged) : 0;
  Tile tile = {.a_dim = map->tile_dim - 1, .b_dim = map->nest.n - 1};
  if (n == 0 || !choose_sides(map, &tile))
    return false;
  int64_t grid[ECHO_MAX_RANK];
  memcpy(grid, map->nest.dims, map->nest.n * sizeof *grid);
  grid[tile.a_dim] = echo_n_tasks(grid[tile.a_dim], tile.a_size);
  grid[tile.b_dim] = echo_n_tasks(grid[tile.b_dim], tile.b_size);
  EchoValue *task = echo_kernel_begin_tasks(emitter, product(grid, map->nest.n), emitter->work_ns);
  base->builder = echo_kernel_builder(emitter);
  echo_index_delinearize(base, task, grid, map->nest.n, coordinates);
  memcpy(map->indices, coordinates, map->nest.n * sizeof *coordinates);
  tile.a0 = echo_index_mul_constant(base, coordinates[tile.a_dim], tile.a_size);
  tile.b0 = echo_index_mul_constant(base, coordinates[tile.b_dim], tile.b_size);
  for (size_t i = 0; i < n; ++i) {
    memory[i] = allocate_tile(emitter, &tile, echo_type_element_kind(staged[i]->type));
  }
  begin_tile_threads(map, &tile, tile.a_size);
  fill_tile(map, &tile, staged, n, memory);
  echo_kernel_end_for(emitter);
  begin_tile_threads(map, &tile, tile.b_size);
  empty_tile(map, &tile, staged, n, memory);
  echo_kernel_end_for(emitter);
  echo_kernel_end_tasks(emitter);
  return true;
}

bool echo_emit_gpu_map(EchoMapPass *map)
{
  if (map->has_thread_rows)
    emit_thread_rows(map);
  else if (!echo_map_is_flat(map))
    return false;
  else if (!emit_staged_tiles(map))
    emit_flat(map);
  return true;
}
