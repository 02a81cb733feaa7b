/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dot_general: to a BLAS call where the operands' layouts are those of matrices, else to the
 * blocked product. */
#include "dialects/stablehlo/opcode.h"
#include "ir/attributes/tensor.h"
#include "lowering/kernels/contraction_t.h"

/* Some dimensions of a tensor as one: `size` elements `stride` apart, when that is what they are.
 */
typedef struct Group {
  int64_t dims[ECHO_MAX_RANK];
  size_t n;
  int64_t size, stride;
  bool is_regular; /* one stride reaches them all */
} Group;

typedef struct Dot {
  const EchoOp *op;
  const EchoDotDims *dims;
  Group lhs_batch, lhs_m, lhs_k, rhs_batch, rhs_n, rhs_k;
} Dot;

static void add_dim(Group *group, int64_t dim)
{
  group->dims[group->n++] = dim;
}

static void finish_group(Group *group, const EchoType *type)
{
  int64_t strides[ECHO_MAX_RANK];
  echo_shape_strides(type->as.shaped.dims, type->as.shaped.rank, strides);
  group->size = 1;
  group->stride = 1;
  group->is_regular = true;
  bool is_first = true;
  for (size_t i = group->n; i-- > 0;) {
    int64_t dim = group->dims[i], size = echo_type_dim(type, (size_t)dim);
    if (size == 1)
      continue;
    if (is_first)
      group->stride = strides[dim];
    else
      group->is_regular &= strides[dim] == group->stride * group->size;
    is_first = false;
    group->size *= size;
  }
}

static void add_free_dims(Group *group, const EchoType *type, EchoDimList batching,
                          EchoDimList contracting)
{
  for (uint32_t i = 0; i < type->as.shaped.rank; ++i)
    if (!echo_dim_list_has(batching, (int64_t)i) && !echo_dim_list_has(contracting, (int64_t)i))
      add_dim(group, (int64_t)i);
}

static void add_list(Group *group, EchoDimList list)
{
  for (size_t i = 0; i < list.size; ++i)
    add_dim(group, list.dims[i]);
}

/* Contracting pairs in the order of the lhs: any order is the same for both operands. */
static void add_contracting(Dot *dot)
{
  EchoDimList lhs = dot->dims->lhs_contracting, rhs = dot->dims->rhs_contracting;
  int64_t last = -1;
  for (size_t step = 0; step < lhs.size; ++step) {
    size_t best = lhs.size;
    for (size_t i = 0; i < lhs.size; ++i)
      if (lhs.dims[i] > last && (best == lhs.size || lhs.dims[i] < lhs.dims[best]))
        best = i;
    last = lhs.dims[best];
    add_dim(&dot->lhs_k, lhs.dims[best]);
    add_dim(&dot->rhs_k, rhs.dims[best]);
  }
}

static Dot describe(const EchoOp *op)
{
  Dot dot = {.op = op, .dims = echo_stablehlo_dot_dims(op)};
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  add_list(&dot.lhs_batch, dot.dims->lhs_batching);
  add_list(&dot.rhs_batch, dot.dims->rhs_batching);
  add_free_dims(&dot.lhs_m, lhs, dot.dims->lhs_batching, dot.dims->lhs_contracting);
  add_free_dims(&dot.rhs_n, rhs, dot.dims->rhs_batching, dot.dims->rhs_contracting);
  add_contracting(&dot);
  finish_group(&dot.lhs_batch, lhs);
  finish_group(&dot.lhs_m, lhs);
  finish_group(&dot.lhs_k, lhs);
  finish_group(&dot.rhs_batch, rhs);
  finish_group(&dot.rhs_n, rhs);
  finish_group(&dot.rhs_k, rhs);
  return dot;
}

static bool is_dot(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL || echo_hlo_opcode(op) == ECHO_HLO_DOT;
}

/* The dot_general when it is all that the kernel does with its arguments and constants. */
static const EchoOp *only_dot_or_null(const EchoOp *kernel)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  const EchoOp *op = body->first;
  while (op != body->last && echo_op_has_trait(op, ECHO_CONSTANT))
    op = op->next;
  if (!is_dot(op) || op->next != body->last || body->last->n_operands != 1 ||
      echo_op_operand(body->last, 0) != echo_op_result(op, 0))
    return NULL;
  return op;
}

static bool is_argument(const EchoOp *op, size_t operand)
{
  return echo_op_operand(op, operand)->is_block_arg;
}

/* ---- BLAS ---- */

/* A matrix of rows x columns in memory: which of the two runs without gaps, and how far apart the
 * others are. */
typedef struct Matrix {
  bool is_transposed; /* rows run without gaps */
  int64_t leading;
} Matrix;

static bool matrix_of(const Group *rows, const Group *columns, Matrix *matrix)
{
  if (!rows->is_regular || !columns->is_regular)
    return false;
  bool columns_run = columns->stride == 1 || columns->size == 1;
  bool rows_run = rows->stride == 1 || rows->size == 1;
  if (columns_run && (rows->size == 1 || rows->stride >= columns->size)) {
    *matrix = (Matrix){false, rows->size == 1 ? columns->size : rows->stride};
    return true;
  }
  if (rows_run && (columns->size == 1 || columns->stride >= rows->size)) {
    *matrix = (Matrix){true, columns->size == 1 ? rows->size : columns->stride};
    return true;
  }
  return false;
}

static bool fits_blas(const Dot *dot, Matrix *a, Matrix *b)
{
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(dot->op, 0));
  double product = (double)dot->lhs_m.size * (double)dot->rhs_n.size * (double)dot->lhs_k.size;
  bool is_typed = (kind == ECHO_ELEMENT_F32 || kind == ECHO_ELEMENT_F64) &&
                  echo_type_element_kind(echo_op_operand_type(dot->op, 0)) == kind &&
                  echo_type_element_kind(echo_op_operand_type(dot->op, 1)) == kind;
  bool is_small =
      dot->lhs_m.size < INT32_MAX && dot->rhs_n.size < INT32_MAX && dot->lhs_k.size < INT32_MAX;
  return is_typed && is_small && product >= (double)ECHO_LIBRARY_PRODUCT &&
         dot->lhs_batch.n <= ECHO_LIBRARY_MAX_GRID - 2 && is_argument(dot->op, 0) &&
         is_argument(dot->op, 1) && matrix_of(&dot->lhs_m, &dot->lhs_k, a) &&
         matrix_of(&dot->rhs_k, &dot->rhs_n, b) && a->leading < INT32_MAX && b->leading < INT32_MAX;
}

/* One task is some million multiplications, of the larger dimension of the result. */
static void choose_grid(int64_t n_batch, int64_t m, int64_t n, int64_t k, int64_t *tile_m,
                        int64_t *tile_n)
{
  double work = (double)m * (double)n * (double)k;
  double pieces = (double)n_batch * work / 1e6;
  pieces = pieces > 64.0 ? 64.0 : pieces;
  int64_t splits = (int64_t)(pieces / (double)n_batch);
  *tile_m = m;
  *tile_n = n;
  int64_t *tile = m >= n ? tile_m : tile_n;
  if (splits <= 1)
    return;
  int64_t size = (*tile + splits - 1) / splits;
  size = (size + 31) / 32 * 32;
  size = size < 64 ? 64 : size;
  *tile = size < *tile ? size : *tile;
}

static EchoLibraryArg int_arg(int64_t value)
{
  return (EchoLibraryArg){
      .kind = ECHO_LIBRARY_CONSTANT, .type = ECHO_LIBRARY_I32, .integer = value};
}

static EchoLibraryArg tile_arg(int64_t tile, int64_t total, size_t axis)
{
  return (EchoLibraryArg){.kind = ECHO_LIBRARY_TILE,
                          .type = ECHO_LIBRARY_I32,
                          .integer = tile,
                          .total = total,
                          .axis = axis};
}

/* Strides of the batch dimensions of operand `type`, in elements. */
static void batch_strides(const Group *batch, const EchoType *type, int64_t *strides)
{
  int64_t all[ECHO_MAX_RANK];
  echo_shape_strides(type->as.shaped.dims, type->as.shaped.rank, all);
  for (size_t i = 0; i < batch->n; ++i)
    strides[i] = all[batch->dims[i]];
}

static size_t argument_number(const EchoOp *op, size_t operand)
{
  return echo_op_operand(op, operand)->index;
}

static EchoLibraryCall gemm_call(const EchoOp *kernel, const Dot *dot, Matrix a, Matrix b)
{
  bool is_f64 = echo_type_element_kind(echo_op_result_type(dot->op, 0)) == ECHO_ELEMENT_F64;
  int64_t bytes = is_f64 ? 8 : 4, tile_m, tile_n;
  int64_t m = dot->lhs_m.size, n = dot->rhs_n.size, k = dot->lhs_k.size;
  choose_grid(dot->lhs_batch.size, m, n, k, &tile_m, &tile_n);
  EchoLibraryCall call = {.library = ECHO_STR("blas"),
                          .symbol = is_f64 ? ECHO_STR("cblas_dgemm") : ECHO_STR("cblas_sgemm"),
                          .result = ECHO_LIBRARY_VOID,
                          .n_args = 14};
  size_t n_batch = dot->lhs_batch.n, m_axis = n_batch, n_axis = n_batch + 1;
  for (size_t i = 0; i < n_batch; ++i)
    call.grid[i] = echo_type_dim(echo_op_operand_type(dot->op, 0), (size_t)dot->lhs_batch.dims[i]);
  call.grid[m_axis] = (m + tile_m - 1) / tile_m;
  call.grid[n_axis] = (n + tile_n - 1) / tile_n;
  call.n_grid = n_batch + 2;

  EchoLibraryType real = is_f64 ? ECHO_LIBRARY_F64 : ECHO_LIBRARY_F32;
  EchoLibraryArg lhs = {.kind = ECHO_LIBRARY_BUFFER, .type = ECHO_LIBRARY_PTR}, rhs = lhs,
                 out = lhs;
  lhs.buffer = argument_number(dot->op, 0);
  rhs.buffer = argument_number(dot->op, 1);
  out.buffer = echo_op_body(kernel, 0)->n_args;
  batch_strides(&dot->lhs_batch, echo_op_operand_type(dot->op, 0), lhs.strides);
  batch_strides(&dot->rhs_batch, echo_op_operand_type(dot->op, 1), rhs.strides);
  int64_t out_stride = m * n;
  for (size_t i = n_batch; i-- > 0; out_stride *= call.grid[i])
    out.strides[i] = out_stride;
  lhs.strides[m_axis] = tile_m * (a.is_transposed ? 1 : a.leading);
  rhs.strides[n_axis] = tile_n * (b.is_transposed ? b.leading : 1);
  out.strides[m_axis] = tile_m * n;
  out.strides[n_axis] = tile_n;
  for (size_t i = 0; i < call.n_grid; ++i) {
    lhs.strides[i] *= bytes;
    rhs.strides[i] *= bytes;
    out.strides[i] *= bytes;
  }
  const EchoLibraryArg args[] = {int_arg(101), /* CblasRowMajor */
                                 int_arg(a.is_transposed ? 112 : 111),
                                 int_arg(b.is_transposed ? 112 : 111),
                                 tile_arg(tile_m, m, m_axis),
                                 tile_arg(tile_n, n, n_axis),
                                 int_arg(k),
                                 {.kind = ECHO_LIBRARY_CONSTANT, .type = real, .floating = 1.0},
                                 lhs,
                                 int_arg(a.leading),
                                 rhs,
                                 int_arg(b.leading),
                                 {.kind = ECHO_LIBRARY_CONSTANT, .type = real, .floating = 0.0},
                                 out,
                                 int_arg(n)};
  memcpy(call.args, args, sizeof args);
  return call;
}

/* ---- generated ---- */

typedef struct DotContraction {
  EchoContraction base; /* first */
  const Dot *dot;
  bool is_turned; /* rows are the rhs's, columns the lhs's: the same products and sums */
} DotContraction;

static const DotContraction *of(const EchoContraction *c)
{
  return (const DotContraction *)c;
}

/* Puts the digits of `linear` at the group's dimensions. */
static void scatter_digits(EchoKernelEmitter *emitter, const Group *group, const EchoType *type,
                           EchoValue *linear, EchoValue **indices)
{
  int64_t sizes[ECHO_MAX_RANK];
  EchoValue *digits[ECHO_MAX_RANK];
  for (size_t i = 0; i < group->n; ++i)
    sizes[i] = echo_type_dim(type, (size_t)group->dims[i]);
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_delinearize(&emitter->base, linear, sizes, group->n, digits);
  for (size_t i = 0; i < group->n; ++i)
    indices[group->dims[i]] = digits[i];
}

static EchoValue *read_operand(EchoKernelEmitter *emitter, const EchoContraction *c, size_t operand,
                               const Group *const *groups, EchoValue *const *positions)
{
  EchoValue *tensor = echo_op_operand(c->op, operand), *indices[ECHO_MAX_RANK];
  for (size_t i = 0; i < 3; ++i)
    scatter_digits(emitter, groups[i], tensor->type, positions[i], indices);
  EchoValue *value = echo_kernel_element(emitter, tensor, indices);
  if (value == NULL)
    return NULL;
  return echo_scalar_convert(echo_kernel_builder(emitter), echo_type_element_kind(tensor->type),
                             c->factor_kind, value);
}

/* `positions`: along the batch, the operand's own dimensions, and k. */
static EchoValue *read_side(EchoKernelEmitter *emitter, const EchoContraction *c, bool is_rhs,
                            EchoValue *const *positions)
{
  const Dot *dot = of(c)->dot;
  const Group *lhs[] = {&dot->lhs_batch, &dot->lhs_m, &dot->lhs_k};
  const Group *rhs[] = {&dot->rhs_batch, &dot->rhs_n, &dot->rhs_k};
  return read_operand(emitter, c, is_rhs ? 1 : 0, is_rhs ? rhs : lhs, positions);
}

static EchoValue *read_a(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                         EchoValue *m, EchoValue *k)
{
  EchoValue *positions[] = {batch, m, k};
  return read_side(emitter, c, of(c)->is_turned, positions);
}

static EchoValue *read_b(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                         EchoValue *k, EchoValue *n)
{
  EchoValue *positions[] = {batch, n, k};
  return read_side(emitter, c, !of(c)->is_turned, positions);
}

static void place_result(EchoKernelEmitter *emitter, const EchoContraction *c, EchoValue *batch,
                         EchoValue *m, EchoValue *n, EchoValue **indices)
{
  const EchoType *type = echo_op_result_type(c->op, 0);
  bool is_turned = of(c)->is_turned;
  int64_t dims[] = {c->n_batch, is_turned ? c->n : c->m, is_turned ? c->m : c->n};
  EchoValue *position[] = {batch, is_turned ? n : m, is_turned ? m : n};
  emitter->base.builder = echo_kernel_builder(emitter);
  echo_index_reshape(&emitter->base, dims, 3, position, type->as.shaped.dims, type->as.shaped.rank,
                     indices);
}

/* Whether neighbours in memory differ in the operand's own dimensions, rather than in k. */
static bool runs_across(const Group *own, const Group *k)
{
  return own->is_regular && own->stride == 1 && own->size > 1 && k->stride != 1;
}

/* The product of a dot whose element type is known. */
static DotContraction contraction_of(const Dot *dot, bool is_turned)
{
  EchoElementKind kind = echo_type_element_kind(echo_op_result_type(dot->op, 0));
  const Group *m = is_turned ? &dot->rhs_n : &dot->lhs_m;
  const Group *n = is_turned ? &dot->lhs_m : &dot->rhs_n;
  const Group *k_of_m = is_turned ? &dot->rhs_k : &dot->lhs_k;
  const Group *k_of_n = is_turned ? &dot->lhs_k : &dot->rhs_k;
  return (DotContraction){.base = {.n_batch = dot->lhs_batch.size,
                                   .m = m->size,
                                   .n = n->size,
                                   .k = dot->lhs_k.size,
                                   .sum_kind = echo_sum_kind(kind),
                                   .factor_kind = echo_sum_kind(kind),
                                   .a_runs_along_m = runs_across(m, k_of_m),
                                   .b_runs_along_k = runs_across(k_of_n, n),
                                   .is_row_major = !is_turned,
                                   .op = dot->op,
                                   .a_tensor = echo_op_operand(dot->op, is_turned ? 1 : 0),
                                   .a = read_a,
                                   .b = read_b,
                                   .place = place_result},
                          .dot = dot,
                          .is_turned = is_turned};
}

/* An operand as it lies; false where one stride does not reach all rows, or all of k. */
static bool operand_memory(const Dot *dot, bool is_b, EchoWideOperand *wide)
{
  const Group *free = is_b ? &dot->rhs_n : &dot->lhs_m, *k = is_b ? &dot->rhs_k : &dot->lhs_k;
  const Group *batch = is_b ? &dot->rhs_batch : &dot->lhs_batch;
  const EchoType *type = echo_op_operand_type(dot->op, is_b ? 1 : 0);
  if (echo_operand_argument_or_null(dot->op, is_b ? 1 : 0) == NULL || !free->is_regular ||
      !k->is_regular)
    return false;
  *wide = (EchoWideOperand){
      .is_b = is_b, .stride = free->stride, .k_stride = k->stride, .n_batch = batch->n};
  batch_strides(batch, type, wide->batch_strides);
  for (size_t i = 0; i < batch->n; ++i)
    wide->batch_sizes[i] = echo_type_dim(type, (size_t)batch->dims[i]);
  return true;
}

/* The larger operand of a product that has few rows or columns beside it; false where it has not.
 */
static bool wide_operand(const Dot *dot, EchoWideOperand *wide)
{
  DotContraction c = contraction_of(dot, false);
  bool is_b = dot->rhs_n.size >= dot->lhs_m.size;
  const EchoType *type = echo_op_operand_type(dot->op, is_b ? 1 : 0);
  return is_argument(dot->op, is_b ? 0 : 1) && operand_memory(dot, is_b, wide) &&
         echo_type_element_kind(type) == c.base.sum_kind && dot->lhs_k.size != 0 &&
         echo_fits_few_rows(&c.base, wide);
}

/* Where operands lie that may be copied past the registers: those of halves for tensor cores, and
 * floats that are multiplied as they are. */
static void find_memory(EchoKernelEmitter *emitter, DotContraction *dot, EchoWideOperand memory[2])
{
  EchoContraction *c = &dot->base;
  c->uses_tensor_cores = echo_uses_tensor_cores(emitter, c->op);
  if (c->uses_tensor_cores)
    c->factor_kind = echo_type_element_kind(echo_op_operand_type(c->op, 0));
  else if (c->sum_kind != ECHO_ELEMENT_F32 && c->sum_kind != ECHO_ELEMENT_F64)
    return;
  for (size_t i = 0; i < 2; ++i) {
    if (echo_type_element_kind(echo_op_operand_type(c->op, i)) != c->factor_kind ||
        !operand_memory(dot->dot, i == 1, &memory[i]))
      continue;
    echo_find_operand(emitter, c->op, i, &memory[i]);
    *((i == 1) == dot->is_turned ? &c->a_memory : &c->b_memory) = &memory[i];
  }
}

/* One of the products of a kernel of rows. */
typedef struct RowDot {
  Dot dot;
  DotContraction c;
  EchoWideOperand memory[2];
  EchoRowTile rows;
} RowDot;

static void begin_row_dot(EchoKernelEmitter *emitter, RowDot *row_dot, const EchoOp *op,
                          bool is_turned)
{
  row_dot->dot = describe(op);
  row_dot->c = contraction_of(&row_dot->dot, is_turned);
  if (emitter->has_tensor_cores) /* then copies are asynchronous, too */
    find_memory(emitter, &row_dot->c, row_dot->memory);
}

/* Rows are made: of elements that are known, of something that is added up. */
static bool has_rows(const EchoContraction *c)
{
  const EchoType *type = echo_op_result_type(c->op, 0);
  return echo_type_element_kind(type) != ECHO_ELEMENT_NONE && c->k != 0 &&
         echo_type_static_n_elements(type) != 0;
}

/* The product whose rows a block has whole, another one of such rows, and what multiplies them. */
static bool lower_rows(EchoKernelEmitter *emitter)
{
  EchoRowProduct found;
  if (!emitter->is_gpu || !echo_find_row_product(emitter->kernel, is_dot, emitter->arena, &found))
    return false;
  RowDot first, beside, second;
  EchoContraction *a = &first.c.base, *b = &second.c.base, *other = &beside.c.base;
  begin_row_dot(emitter, &first, found.product, found.has_columns);
  a->rows_or_null = &first.rows;
  a->has_columns = found.has_columns;
  if (found.second_or_null != NULL) {
    begin_row_dot(emitter, &second, found.second_or_null, found.operand == 1);
    a->row_results_or_null = b->row_results_or_null = found.row_results_or_null;
    b->a_runs_along_m = false; /* rows lie so in their memory, whatever runs in the tensor */
    a->next_or_null = b;
  }
  if (found.beside_or_null != NULL) {
    begin_row_dot(emitter, &beside, found.beside_or_null, found.has_columns);
    other->rows_or_null = &beside.rows;
    other->has_columns = found.has_columns;
    other->next_or_null = b;
    a->beside_or_null = other;
  }
  if (!has_rows(a) ||
      (a->next_or_null != NULL && (b->n_batch != a->n_batch || b->m != a->m || b->k != a->n ||
                                   b->n == 0 || b->uses_tensor_cores != a->uses_tensor_cores)) ||
      (a->beside_or_null != NULL &&
       (!has_rows(other) || other->n_batch != a->n_batch || other->m != a->m || other->n != a->n ||
        other->uses_tensor_cores != a->uses_tensor_cores)))
    return false;
  echo_emit_contraction(emitter, a);
  return true;
}

bool echo_lower_dot(EchoKernelEmitter *emitter)
{
  const EchoOp *op = echo_product_or_null(emitter->kernel, is_dot);
  if (op == NULL)
    return lower_rows(emitter);
  Dot dot = describe(op);
  if (echo_type_element_kind(echo_op_result_type(op, 0)) == ECHO_ELEMENT_NONE)
    return false;
  DotContraction c = contraction_of(&dot, false);
  if (c.base.k == 0 || echo_type_static_n_elements(echo_op_result_type(op, 0)) == 0)
    return false;
  EchoWideOperand wide;
  if (!emitter->is_gpu && wide_operand(&dot, &wide)) {
    echo_find_operand(emitter, op, wide.is_b ? 1 : 0, &wide);
    echo_emit_few_rows(emitter, &c.base, &wide);
    return true;
  }
  EchoWideOperand memory[2];
  if (emitter->is_gpu && emitter->has_tensor_cores) /* then copies are asynchronous, too */
    find_memory(emitter, &c, memory);
  echo_emit_contraction(emitter, &c.base);
  return true;
}

/* ---- a GPU's library ---- */

/* Of rows x columns; `batch` tells them apart. */
static bool product_operand(const EchoOp *op, size_t operand, const Group *batch, const Matrix *at,
                            const EchoLaunchFacts *facts_or_null, EchoProductOperand *out)
{
  uint32_t argument = (uint32_t)argument_number(op, operand);
  *out = (EchoProductOperand){.argument = argument,
                              .is_transposed = at->is_transposed,
                              .leading = at->leading,
                              .batch_stride = batch->size == 1 ? 0 : batch->stride,
                              .alignment =
                                  facts_or_null != NULL ? facts_or_null->alignments[argument] : 1};
  return batch->is_regular && at->leading < INT32_MAX;
}

/* Floats of one type, and sums of halves as they are added up. */
static bool has_library_types(const EchoOp *op)
{
  EchoElementKind factor = echo_type_element_kind(echo_op_operand_type(op, 0));
  EchoElementKind result = echo_type_element_kind(echo_op_result_type(op, 0));
  bool is_half = factor == ECHO_ELEMENT_F16 || factor == ECHO_ELEMENT_BF16;
  bool is_float = is_half || factor == ECHO_ELEMENT_F32 || factor == ECHO_ELEMENT_F64;
  return is_float && echo_type_element_kind(echo_op_operand_type(op, 1)) == factor &&
         (result == factor || (is_half && result == ECHO_ELEMENT_F32));
}

bool echo_lower_dot_to_product(const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                               EchoProduct *product)
{
  const EchoOp *op = only_dot_or_null(kernel);
  Matrix a, b;
  if (op == NULL || !has_library_types(op) || !is_argument(op, 0) || !is_argument(op, 1) ||
      echo_type_static_n_elements(echo_op_result_type(op, 0)) == 0)
    return false;
  Dot dot = describe(op);
  const int64_t sizes[] = {dot.lhs_batch.size, dot.lhs_m.size, dot.rhs_n.size, dot.lhs_k.size};
  for (size_t i = 0; i < 4; ++i)
    if (sizes[i] < 1 || sizes[i] > INT32_MAX)
      return false;
  uint32_t out = echo_op_body(kernel, 0)->n_args;
  *product = (EchoProduct){
      .n_batch = sizes[0],
      .m = sizes[1],
      .n = sizes[2],
      .k = sizes[3],
      .factor = echo_type_element(echo_op_operand_type(op, 0)),
      .result = echo_type_element(echo_op_result_type(op, 0)),
      .out = {.argument = out,
              .leading = sizes[2],
              .batch_stride = sizes[1] * sizes[2],
              .alignment = facts_or_null != NULL ? facts_or_null->alignments[out] : 1}};
  return matrix_of(&dot.lhs_m, &dot.lhs_k, &a) && matrix_of(&dot.rhs_k, &dot.rhs_n, &b) &&
         product_operand(op, 0, &dot.lhs_batch, &a, facts_or_null, &product->a) &&
         product_operand(op, 1, &dot.rhs_batch, &b, facts_or_null, &product->b);
}

/* ---- which ---- */

EchoOp *echo_lower_dot_to_blas_or_null(const EchoOp *kernel)
{
  const EchoOp *op = only_dot_or_null(kernel);
  Matrix a, b;
  EchoWideOperand wide;
  if (op == NULL)
    return NULL;
  Dot dot = describe(op);
  if (echo_type_static_n_elements(echo_op_result_type(op, 0)) == 0 || !fits_blas(&dot, &a, &b) ||
      wide_operand(&dot, &wide))
    return NULL;
  DotContraction c = contraction_of(&dot, false);
  if (echo_is_quicker_in_loops(&c.base))
    return NULL;
  EchoLibraryCall call = gemm_call(kernel, &dot, a, b);
  return echo_kernel_library_create(
      echo_op_context(kernel), op->loc, echo_op_attr_string(kernel, "sym_name"),
      echo_op_attr_or_null(kernel, "function_type")->as.type_value, &call);
}
