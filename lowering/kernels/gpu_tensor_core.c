/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The product of halves, or of f32 rounded to tf32, on tensor cores. A block of 2 x 2 warps has a
 * tile of the result, each warp a quarter of it in registers for the whole of k. Blocks of both
 * operands along k lie in shared memory twice: while one is multiplied, the next one is copied
 * there, past the registers where its rows are aligned.
 *
 * Sums go in steps of 16 halves or 8 of f32 along k in ascending order, whatever the tile is and
 * however operands came: the tile may follow the shape. */
#include "dialects/stablehlo/precision.h"
#include "lowering/kernels/tensor_core_t.h"

typedef EchoTensorProduct Product;
typedef EchoTensorOperand Operand;

enum {
  WARP = ECHO_GPU_WARP,
  WARPS_SIDE = ECHO_TENSOR_SIDE,
  THREADS = WARPS_SIDE * WARPS_SIDE * WARP,
  N_BUFFERS = 2,
  LEAST_TILE = ECHO_TENSOR_LEAST_TILE,
  LARGEST_TILE = ECHO_TENSOR_LARGEST_TILE,
  LARGEST_LOADED_TILE = 64, /* where elements pass through registers */
  MAX_BLOCK_K = 4 * ECHO_COPY_BYTES / 2,
  MAX_LOADS = LARGEST_LOADED_TILE * MAX_BLOCK_K / THREADS,
  MULTIPROCESSORS = 128 /* about, of the GPUs that have models */
};

static EchoElementEmitter *base_of(const Product *p)
{
  return echo_tensor_base(p);
}

static EchoValue *constant(const Product *p, int64_t value)
{
  return echo_index_constant(&p->emitter->base, value);
}

static int64_t element_bytes(const EchoContraction *c)
{
  return c->factor_kind == ECHO_ELEMENT_F32 ? 4 : 2;
}

/* ---- which ---- */

bool echo_uses_tensor_cores(const EchoKernelEmitter *emitter, const EchoOp *op)
{
  EchoElementKind a = echo_type_element_kind(echo_op_operand_type(op, 0));
  EchoElementKind b = echo_type_element_kind(echo_op_operand_type(op, 1));
  EchoElementKind result = echo_type_element_kind(echo_op_result_type(op, 0));
  bool is_half = a == ECHO_ELEMENT_F16 || a == ECHO_ELEMENT_BF16;
  bool is_tf32 = a == ECHO_ELEMENT_F32 && echo_stablehlo_allows_tf32(op);
  return emitter->has_tensor_cores && (is_half || is_tf32) && a == b &&
         echo_sum_kind(result) == ECHO_ELEMENT_F32;
}

/* ---- tiles ---- */

static int64_t n_tiles(int64_t n, int64_t size)
{
  return (n + size - 1) / size;
}

/* Elements that lie side by side at an aligned address, wherever a row begins. Those that pass
 * through registers are made side by side: what they are made of is read so, and they are stored
 * so. */
static int64_t copy_unit(const Product *p, const Operand *o)
{
  const EchoWideOperand *memory = o->memory;
  int64_t bytes = element_bytes(p->c), unit = p->piece;
  if (memory == NULL) {
    while ((o->runs_along_k ? p->c->k : o->total) % unit != 0)
      unit /= 2;
    return unit;
  }
  if (memory->place != NULL) {
    while (unit > 1 && (memory->alignment % (bytes * unit) != 0 || memory->run % unit != 0))
      unit /= 2;
    return unit;
  }
  if ((o->runs_along_k ? memory->k_stride : memory->stride) != 1)
    return 1;
  int64_t across = o->runs_along_k ? memory->stride : memory->k_stride;
  int64_t extent = o->runs_along_k ? p->c->k : o->total;
  int64_t others = o->runs_along_k ? o->total : p->c->k;
  for (; unit >= 2; unit /= 2) {
    bool fits = memory->alignment % (bytes * unit) == 0 && extent % unit == 0 &&
                (others == 1 || across % unit == 0);
    for (size_t i = 0; i < memory->n_batch; ++i)
      fits &= memory->batch_sizes[i] == 1 || memory->batch_strides[i] % unit == 0;
    if (fits)
      break;
  }
  return unit;
}

/* The least copy is of four bytes. */
static bool is_copied(const Product *p, const Operand *o)
{
  return o->memory != NULL && o->unit * element_bytes(p->c) >= 4;
}

/* Cycles of a multiprocessor for one step along k, a warp on each of its four parts: a product
 * keeps a tensor core for eight cycles, a load of four matrices the shared memory for four, of four
 * warps; a copy of a unit is an instruction or two, and so is each rounding to tf32. `n` blocks
 * share the chip. */
static int64_t cost_of_tiles(const Product *p, int64_t n, int64_t m_size, int64_t n_size)
{
  int64_t m_parts = m_size / LEAST_TILE, n_parts = n_size / LEAST_TILE;
  int64_t copies = (m_size / p->a.unit + n_size / p->b.unit) * p->step / THREADS;
  int64_t roundings = p->c->factor_kind == ECHO_ELEMENT_F32 ? 4 * (m_parts + n_parts) : 0;
  int64_t block =
      8 * 2 * m_parts * n_parts + 4 * 4 * (m_parts + n_parts) + 2 * copies + 2 * roundings;
  return n_tiles(n, MULTIPROCESSORS) * block;
}

/* The tile with the least cost, among equal ones the largest. Rows that are made whole are as few
 * as can be: what reduces them takes the longer the fewer blocks there are. */
static void choose_tiles(Product *p)
{
  const EchoContraction *c = p->c;
  int64_t least = INT64_MAX;
  bool is_loaded = !p->a.is_copied || !p->b.is_copied;
  int64_t largest = is_loaded ? LARGEST_LOADED_TILE : LARGEST_TILE;
  bool has_rows = p->of_rows_or_null != NULL;
  for (int64_t i = has_rows ? LEAST_TILE : largest; i >= LEAST_TILE; i /= 2)
    for (int64_t j = largest; j >= LEAST_TILE; j /= 2) {
      int64_t n_columns = n_tiles(c->n, j), n_rows = c->n_batch * n_tiles(c->m, i);
      int64_t cost = has_rows ? n_columns * cost_of_tiles(p, n_rows, i, j)
                              : cost_of_tiles(p, n_rows * n_columns, i, j);
      int64_t shared = N_BUFFERS * p->block_k * (i + j) * element_bytes(c);
      if (cost < least && (!has_rows || echo_rows_fit(p->emitter, p->of_rows_or_null, i, shared))) {
        least = cost;
        p->a.size = i;
        p->b.size = j;
      }
    }
}

static int64_t n_shared(const Product *p, const Operand *o)
{
  return N_BUFFERS * o->size * p->block_k;
}

/* What of an operand does not depend on the thread. Its blocks stand in `memory_or_null`, of one
 * dimension and n_elements, at least as many as it takes and a multiple of a block's; or have their
 * own. */
static void reserve(Product *p, Operand *o, EchoValue *memory_or_null, int64_t n_elements)
{
  o->rows = o->runs_along_k ? o->size : p->block_k;
  o->width = o->runs_along_k ? p->block_k : o->size;
  o->n_loads = o->rows * o->width / o->unit / THREADS;
  o->rows_a_load = THREADS / (o->width / o->unit);
  const int64_t dims[] = {n_elements / (o->rows * o->width), o->rows, o->width};
  o->shared = memory_or_null;
  if (memory_or_null != NULL) {
    EchoBuilder *builder = echo_kernel_builder(p->emitter);
    o->shared = echo_memref_expand(builder, memory_or_null, dims, 3);
    return;
  }
  const EchoType *element = echo_scalar_type(p->emitter->ctx, p->c->factor_kind);
  o->shared = echo_kernel_alloca(p->emitter, element, dims, 3);
}

static EchoValue *position_of_batch(const Product *p, const EchoWideOperand *memory)
{
  EchoValue *digits[ECHO_MAX_RANK], *at = constant(p, 0);
  echo_index_delinearize(base_of(p), p->batch, memory->batch_sizes, memory->n_batch, digits);
  for (size_t i = 0; i < memory->n_batch; ++i)
    at = echo_index_add(base_of(p), at,
                        echo_index_mul_constant(base_of(p), digits[i], memory->batch_strides[i]));
  return at;
}

static void place_operand(Product *p, Operand *o, EchoValue *tile, EchoValue *warp)
{
  const int64_t dims[] = {o->rows, o->width / o->unit};
  EchoValue *digits[2];
  echo_index_delinearize(base_of(p), p->thread, dims, 2, digits);
  o->row = digits[0];
  o->column = echo_index_mul_constant(base_of(p), digits[1], o->unit);
  o->start = echo_index_mul_constant(base_of(p), tile, o->size);
  o->warp_start = echo_index_mul_constant(base_of(p), warp, o->size / WARPS_SIDE);
  if (o->is_copied && o->memory->place == NULL)
    o->batch_start = position_of_batch(p, o->memory);
}

/* ---- bringing a block ---- */

/* The thread's unit number `load` of block `block` along k: along k, and along the other dimension.
 * What lies beyond the edges is taken from within. *inside: whether it is to count, NULL = yes;
 * rows and columns beyond the result go nowhere and may count. */
static void place_in_product(const Product *p, const Operand *o, EchoValue *block, int64_t load,
                             EchoValue **k, EchoValue **other, EchoValue **inside)
{
  EchoElementEmitter *base = base_of(p);
  int64_t k_total = p->c->k;
  EchoValue *row = echo_index_add_constant(base, o->row, load * o->rows_a_load);
  int64_t k_unit = o->runs_along_k ? o->unit : 1, unit = o->runs_along_k ? 1 : o->unit;
  *k = echo_index_add(base, echo_index_mul_constant(base, block, p->block_k),
                      o->runs_along_k ? o->column : row);
  *other = echo_index_add(base, o->start, o->runs_along_k ? row : o->column);
  *inside = NULL;
  if (o->total % o->size != 0)
    *other = echo_index_min(base, *other, constant(p, o->total - unit));
  if (k_total % p->block_k == 0)
    return;
  *inside = echo_index_compare(base, ECHO_CMPI_SLT, *k, constant(p, k_total));
  *k = echo_index_min(base, *k, constant(p, k_total - k_unit));
}

static EchoValue *both(const Product *p, EchoValue *a, EchoValue *b)
{
  EchoValue *operands[] = {a, b};
  return base_of(p)->pure_op(&p->emitter->base, "arith.andi", -1, operands, 2, a->type);
}

/* Position in memory of the thread's unit: of the first one and a constant, where no edge is near,
 * so that addresses differ in what stands in the instruction. */
static EchoValue *position(const Product *p, const Operand *o, EchoValue *block, int64_t load,
                           EchoValue **inside)
{
  EchoElementEmitter *base = base_of(p);
  bool near_edge = p->c->k % p->block_k != 0 || o->total % o->size != 0 || o->memory->place != NULL;
  EchoValue *k, *other;
  place_in_product(p, o, block, near_edge ? load : 0, &k, &other, inside);
  if (o->memory->place != NULL) {
    EchoValue *counts = NULL;
    EchoValue *at = o->memory->place(p->emitter, p->c, p->batch, other, k, &counts);
    *inside = *inside != NULL && counts != NULL ? both(p, *inside, counts)
              : counts != NULL                  ? counts
                                                : *inside;
    return at;
  }
  EchoValue *at =
      echo_index_add(base, o->batch_start, echo_index_mul_constant(base, other, o->memory->stride));
  at = echo_index_add(base, at, echo_index_mul_constant(base, k, o->memory->k_stride));
  int64_t stride = o->runs_along_k ? o->memory->stride : o->memory->k_stride;
  return near_edge ? at : echo_index_add_constant(base, at, load * o->rows_a_load * stride);
}

static void copy_block(Product *p, const Operand *o, EchoValue *block, int64_t buffer)
{
  for (int64_t i = 0; i < o->n_loads; ++i) {
    EchoValue *inside, *to[3], *n_meant = NULL;
    EchoValue *from = position(p, o, block, i, &inside);
    if (inside != NULL)
      n_meant = echo_index_select(base_of(p), inside, constant(p, o->unit), constant(p, 0));
    echo_tensor_place(p, o, buffer, o->row, i * o->rows_a_load, o->column, to);
    echo_warp_copy(p->emitter, o->shared, to, o->memory->memory, from, o->unit, n_meant);
  }
}

static EchoValue *load_element(Product *p, const Operand *o, EchoValue *k, EchoValue *other,
                               EchoValue *inside)
{
  const EchoContraction *c = p->c;
  EchoValue *value =
      o->is_a ? c->a(p->emitter, c, p->batch, other, k) : c->b(p->emitter, c, p->batch, k, other);
  if (value == NULL || inside == NULL)
    return value;
  const EchoAttr *zero = echo_attr_float(p->emitter->ctx, value->type, 0.0);
  return echo_arith_select(echo_kernel_builder(p->emitter), inside, value,
                           base_of(p)->constant(&p->emitter->base, zero));
}

static void load_block(Product *p, const Operand *o, EchoValue *block, EchoValue **values)
{
  for (int64_t i = 0; i < o->n_loads; ++i) {
    EchoValue *k, *other, *inside;
    place_in_product(p, o, block, i, &k, &other, &inside);
    for (int64_t j = 0; j < o->unit && !p->emitter->failed; ++j) {
      int64_t k_step = o->runs_along_k ? j : 0;
      EchoElementEmitter *base = base_of(p);
      EchoValue *k_at = echo_index_add_constant(base, k, k_step);
      EchoValue *other_at = echo_index_add_constant(base, other, j - k_step);
      values[i * o->unit + j] = load_element(p, o, k_at, other_at, inside);
    }
  }
}

static void put_down(Product *p, const Operand *o, int64_t buffer, EchoValue *const *values)
{
  for (int64_t i = 0; i < o->n_loads && !p->emitter->failed; ++i) {
    EchoValue *at[3];
    echo_tensor_place(p, o, buffer, o->row, i * o->rows_a_load, o->column, at);
    EchoValue *first = at[2];
    for (int64_t j = 0; j < o->unit; ++j) {
      at[2] = echo_index_add_constant(base_of(p), first, j);
      echo_memref_store(echo_kernel_builder(p->emitter), values[i * o->unit + j], o->shared, at, 3);
    }
  }
}

/* What a thread holds of a block between the two halves of bringing it. */
typedef struct Brought {
  EchoValue *a[MAX_LOADS], *b[MAX_LOADS];
} Brought;

static void begin_bringing(Product *p, EchoValue *block, int64_t buffer, Brought *brought)
{
  if (p->a.is_copied)
    copy_block(p, &p->a, block, buffer);
  else
    load_block(p, &p->a, block, brought->a);
  if (p->b.is_copied)
    copy_block(p, &p->b, block, buffer);
  else
    load_block(p, &p->b, block, brought->b);
}

static void end_bringing(Product *p, int64_t buffer, const Brought *brought)
{
  if (!p->a.is_copied)
    put_down(p, &p->a, buffer, brought->a);
  if (!p->b.is_copied)
    put_down(p, &p->b, buffer, brought->b);
}

static void barrier(Product *p)
{
  if (p->a.is_copied || p->b.is_copied)
    echo_warp_wait(p->emitter);
  echo_warp_barrier(p->emitter);
}

/* ---- along k ---- */

/* Multiplies what is in `buffer` while block `next` comes into the other one. */
static void advance(Product *p, EchoValue *next, int64_t buffer, EchoValue **sums)
{
  Brought brought;
  barrier(p);
  begin_bringing(p, next, 1 - buffer, &brought);
  echo_tensor_multiply(p, buffer, p->block_k / p->step, sums);
  end_bringing(p, 1 - buffer, &brought);
}

/* Two blocks a round, so that it is known which buffer each is in. The first block stands before
 * the rounds: its products begin with zeros that need no registers. */
static void go_along_k(Product *p, EchoValue **sums)
{
  EchoKernelEmitter *emitter = p->emitter;
  size_t n = (size_t)(echo_tensor_parts(&p->a) * echo_tensor_parts(&p->b) * 2);
  int64_t last = p->n_blocks - 1, n_rounds = last < 1 ? 0 : (last - 1) / 2;
  Brought first;
  begin_bringing(p, constant(p, 0), 0, &first);
  if (emitter->failed)
    return;
  end_bringing(p, 0, &first);
  if (last > 0)
    advance(p, constant(p, 1), 0, sums);
  if (n_rounds != 0) {
    EchoValue *carried[ECHO_TENSOR_MAX_SUMS];
    EchoValue *round = echo_kernel_begin_carried(emitter, n_rounds, sums, n, carried);
    EchoValue *block = echo_index_mul_constant(base_of(p), round, 2);
    for (int64_t i = 0; i < 2; ++i)
      advance(p, echo_index_add_constant(base_of(p), block, i + 2), 1 - i, carried);
    echo_kernel_end_carried(emitter, carried, n, sums);
  }
  if (last > 0 && last % 2 == 0)
    advance(p, constant(p, last), 1, sums);
  barrier(p);
  echo_tensor_multiply(p, last % 2, n_tiles(p->c->k - last * p->block_k, p->step), sums);
}

/* The tile of the thread's block, from zeros on. */
static void make_tile(Product *p)
{
  EchoValue *sums[ECHO_TENSOR_MAX_SUMS];
  for (int64_t i = 0; i < echo_tensor_parts(&p->a) * echo_tensor_parts(&p->b) * 2; ++i)
    sums[i] = echo_warp_zero(p->emitter);
  go_along_k(p, sums);
  if (!p->emitter->failed)
    echo_tensor_store(p, sums);
}

/* The tiles of the block's rows, one after the other. */
static void make_tiles(Product *p, EchoValue *warp)
{
  int64_t n_columns = n_tiles(p->c->n, p->b.size);
  EchoValue *tile = echo_kernel_begin_range(p->emitter, n_columns, false);
  if (n_columns > 1) /* the last block of the tile before is being multiplied */
    echo_warp_barrier(p->emitter);
  place_operand(p, &p->b, tile, warp);
  make_tile(p);
  echo_kernel_end_for(p->emitter);
}

/* Memory for the blocks of an operand of all products; NULL where there is one product. */
static EchoValue *shared_by_all(const Product *const products[3], bool is_a, int64_t *n)
{
  const Product *p = products[0];
  *n = 0;
  for (size_t i = 0; i < 3; ++i) {
    int64_t own = products[i]->c != NULL
                      ? n_shared(products[i], is_a ? &products[i]->a : &products[i]->b)
                      : 0;
    *n = own > *n ? own : *n; /* powers of two */
  }
  if (products[2]->c == NULL)
    return NULL;
  const EchoType *element = echo_scalar_type(p->emitter->ctx, p->c->factor_kind);
  return echo_kernel_alloca(p->emitter, element, n, 1);
}

static void begin_product(Product *p)
{
  const EchoContraction *c = p->c;
  p->piece = ECHO_COPY_BYTES / element_bytes(c);
  p->step = 2 * p->piece;
  p->block_k = 2 * p->step;
  p->n_blocks = n_tiles(c->k, p->block_k);
  p->a = (Operand){
      .is_a = true, .runs_along_k = !c->a_runs_along_m, .memory = c->a_memory, .total = c->m};
  p->b = (Operand){.runs_along_k = c->b_runs_along_k, .memory = c->b_memory, .total = c->n};
  p->a.unit = copy_unit(p, &p->a);
  p->b.unit = copy_unit(p, &p->b);
  p->a.is_copied = is_copied(p, &p->a);
  p->b.is_copied = is_copied(p, &p->b);
  choose_tiles(p);
}

/* The block's part of the product: its tile, or all tiles of its rows. Blocks of its operands stand
 * in `memory`, where there is some, of so many elements. */
static void make_part(Product *p, EchoValue *const memory[2], const int64_t n[2],
                      EchoValue *const coordinates[3])
{
  const int64_t warps[] = {WARPS_SIDE, WARPS_SIDE, WARP};
  EchoValue *places[3];
  reserve(p, &p->a, memory[0], n[0]);
  reserve(p, &p->b, memory[1], n[1]);
  p->batch = coordinates[0];
  p->thread = echo_kernel_begin_range(p->emitter, THREADS, true);
  echo_index_delinearize(base_of(p), p->thread, warps, 3, places);
  p->lane = places[2];
  place_operand(p, &p->a, coordinates[1], places[0]);
  if (p->of_rows_or_null != NULL) {
    make_tiles(p, places[1]);
  } else {
    place_operand(p, &p->b, coordinates[2], places[1]);
    make_tile(p);
  }
  echo_kernel_end_for(p->emitter);
}

void echo_emit_tensor_core_contraction(EchoKernelEmitter *emitter, const EchoContraction *c)
{
  bool has_rows = c->rows_or_null != NULL;
  Product p = {.emitter = emitter, .c = c, .of_rows_or_null = has_rows ? c : NULL};
  Product beside = {.emitter = emitter, .c = c->beside_or_null, .of_rows_or_null = c};
  Product next = {.emitter = emitter, .c = c->next_or_null, .of_rows_or_null = c};
  begin_product(&p);
  if (beside.c != NULL)
    begin_product(&beside);
  if (next.c != NULL)
    begin_product(&next);
  int64_t grid[] = {c->n_batch, n_tiles(c->m, p.a.size), has_rows ? 1 : n_tiles(c->n, p.b.size)};
  EchoValue *coordinates[3];
  EchoValue *task = echo_kernel_begin_tasks(emitter, grid[0] * grid[1] * grid[2], emitter->work_ns);
  echo_index_delinearize(base_of(&p), task, grid, 3, coordinates);
  const Product *const products[] = {&p, &beside, &next};
  int64_t n[2];
  EchoValue *memory[2];
  memory[0] = shared_by_all(products, true, &n[0]);
  memory[1] = shared_by_all(products, false, &n[1]);
  for (const EchoContraction *made = c; made != NULL && has_rows; made = made->beside_or_null)
    echo_reserve_rows(emitter, made, p.a.size, coordinates[0], coordinates[1]);
  make_part(&p, memory, n, coordinates);
  if (beside.c != NULL && !emitter->failed)
    make_part(&beside, memory, n, coordinates);
  if (has_rows && !emitter->failed)
    echo_emit_rows(emitter, c, THREADS, next.c != NULL && next.b.size < next.c->n);
  if (next.c != NULL && !emitter->failed)
    make_part(&next, memory, n, coordinates);
  echo_kernel_end_tasks(emitter);
}
