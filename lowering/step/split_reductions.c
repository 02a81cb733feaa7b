/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --split-reductions: a reduction whose results are too few to fill a chip becomes two, of parts
 * and of their results; a product likewise (split_products.c, split_convolutions.c). Where it is
 * cut is a function of the op and the target, and stands in the IR from here on: recomputed, fused
 * or chunked, it gives the same bits. Partial results are planned as every value is. Idempotent: a
 * part is not cut again. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "ir/builder.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "lowering/lowering.h"
#include "lowering/step/kept_products_t.h"
#include "lowering/step/split_reductions_t.h"

/* A chip of some 130 multiprocessors holds eight blocks of 256 threads each; with half of them it
 * draws all of its bandwidth. A block is a row, or 32 columns (lowering/kernels/reduction_order.c);
 * a part that gives each of its threads less than eight elements is not worth a second reduction.
 */
enum {
  ENOUGH_BLOCKS = 512,
  COLUMNS_OF_BLOCK = 32,
  MIN_ROW_PART = 2048,  /* 256 threads */
  MIN_COLUMN_PART = 64, /* 8 threads a column */
};

/* The reduced dimension that is cut, and in how many parts; parts < 2: none. */
typedef struct Split {
  size_t dim;
  int64_t parts;
} Split;

int64_t echo_divisor_near(int64_t n, int64_t wanted)
{
  for (int64_t d = wanted; d <= 2 * wanted && d <= n; ++d)
    if (n % d == 0)
      return d;
  for (int64_t d = wanted < n ? wanted : n; d > 1; --d)
    if (n % d == 0)
      return d;
  return 1;
}

static int64_t wanted_parts(const EchoOp *op)
{
  EchoReductionMatrix matrix;
  int64_t n = 1, n_blocks = echo_type_static_n_elements(echo_op_result_type(op, 0));
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  for (size_t i = 0; i < dims.size; ++i)
    n *= echo_type_dim(echo_op_operand_type(op, 0), (size_t)dims.dims[i]);
  bool is_column = echo_reduction_matrix(op, &matrix) && echo_reduces_columns(&matrix);
  if (is_column)
    n_blocks = matrix.n_matrices * ((matrix.n_columns + COLUMNS_OF_BLOCK - 1) / COLUMNS_OF_BLOCK);
  if (n_blocks == 0 || n_blocks >= ENOUGH_BLOCKS)
    return 1;
  int64_t most = n / (is_column ? MIN_COLUMN_PART : MIN_ROW_PART);
  int64_t wanted = ENOUGH_BLOCKS / n_blocks;
  return wanted < most ? wanted : most;
}

static Split find_split(const EchoOp *op)
{
  Split split = {0, 1};
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  const EchoType *type = echo_op_operand_type(op, 0);
  int64_t wanted = wanted_parts(op);
  for (size_t i = 0; i < dims.size && wanted > 1; ++i) {
    int64_t parts = echo_divisor_near(echo_type_dim(type, (size_t)dims.dims[i]), wanted);
    bool is_outer = (size_t)dims.dims[i] < split.dim;
    if (parts > split.parts || (parts == split.parts && is_outer))
      split = (Split){(size_t)dims.dims[i], parts};
  }
  return split;
}

static bool may_split(const EchoOp *op)
{
  return echo_op_is(op, "stablehlo.reduce") && op->n_operands == 2 &&
         echo_type_has_static_shape(echo_op_operand_type(op, 0)) &&
         echo_type_rank(echo_op_operand_type(op, 0)) < ECHO_MAX_RANK &&
         echo_combiner_of(op).opcode != ECHO_N_HLO_OPCODES;
}

EchoValue *echo_reduce_like(EchoBuilder *builder, const EchoOp *op, EchoValue *operand,
                            EchoValue *init, const int64_t *dims, size_t n)
{
  const EchoType *from = operand->type;
  int64_t kept[ECHO_MAX_RANK];
  size_t n_kept = 0;
  EchoDimList reduced = {dims, n};
  for (size_t d = 0; d < echo_type_rank(from); ++d)
    if (!echo_dim_list_has(reduced, (int64_t)d))
      kept[n_kept++] = echo_type_dim(from, d);
  const EchoType *type =
      echo_type_tensor(builder->ctx, kept, n_kept, echo_type_element(from), NULL);
  EchoValue *operands[] = {operand, init};
  const EchoAttrArg args[] = {{"dimensions", echo_attr_i64_array(builder->ctx, dims, n)}};
  EchoOp *result =
      echo_build_op_with_regions(builder, "stablehlo.reduce", operands, 2, &type, 1, args, 1, 1);
  const EchoBlock *old = op->regions[0].first;
  EchoBlock *body = echo_block_create(builder->ctx);
  EchoMap values = {0};
  echo_region_append(&result->regions[0], body);
  for (uint32_t i = 0; i < old->n_args; ++i)
    echo_map_set_ptr(&values, echo_block_arg(old, i),
                     echo_block_add_arg(builder->ctx, body, echo_block_arg(old, i)->type, op->loc));
  for (const EchoOp *inner = old->first; inner != NULL; inner = inner->next)
    echo_block_append(body, echo_op_clone(inner, &values));
  echo_map_destroy(&values);
  return echo_op_result(result, 0);
}

/* Whether the reduced dimensions stand side by side, and a later one than the first of them is cut:
 * parts would then stand between places that are summed over. */
static bool is_cut_inside(const EchoOp *op, Split split)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  int64_t first = dims.dims[0], last = dims.dims[0];
  for (size_t i = 1; i < dims.size; ++i) {
    first = dims.dims[i] < first ? dims.dims[i] : first;
    last = dims.dims[i] > last ? dims.dims[i] : last;
  }
  return (int64_t)split.dim != first && last - first + 1 == (int64_t)dims.size;
}

/* The same reduction over one dimension, of all that `op` reduces: its elements are in that order.
 */
static EchoOp *with_one_dimension(EchoOp *op)
{
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  EchoValue *operand = echo_op_operand(op, 0);
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  int64_t sizes[ECHO_MAX_RANK], reduced = 0;
  size_t rank = 0;
  bool is_open = false;
  for (size_t d = 0; d < echo_type_rank(operand->type); ++d) {
    bool is_reduced = echo_dim_list_has(dims, (int64_t)d);
    if (is_reduced && is_open) {
      sizes[rank - 1] *= echo_type_dim(operand->type, d);
      continue;
    }
    reduced = is_reduced ? (int64_t)rank : reduced;
    is_open |= is_reduced;
    sizes[rank++] = echo_type_dim(operand->type, d);
  }
  EchoValue *whole =
      echo_reduce_like(&builder, op, echo_hlo_reshape(&builder, operand, sizes, rank),
                       echo_op_operand(op, 1), &reduced, 1);
  echo_value_replace_all_uses(echo_op_result(op, 0), whole);
  echo_op_erase(op);
  return echo_value_def_or_null(whole);
}

static EchoValue *neutral_scalar(EchoBuilder *builder, const EchoOp *op)
{
  const EchoType *scalar = echo_op_operand_type(op, 1);
  EchoCombiner combiner = echo_combiner_of(op);
  const EchoAttr *neutral = combiner.neutral;
  size_t n_bytes = echo_type_element_bytes(echo_type_element(scalar));
  uint64_t bits = neutral->kind == ECHO_ATTR_FLOAT ? neutral->as.floating.bits
                                                   : (uint64_t)neutral->as.integer.value;
  const EchoAttrArg args[] = {
      {"value", echo_attr_elements(builder->ctx, scalar, &bits, n_bytes, true)}};
  return echo_op_result(echo_build_op(builder, "stablehlo.constant", NULL, 0, &scalar, 1, args, 1),
                        0);
}

/* [.., d, ..] as [.., parts, d / parts, ..]: first over the second of the two and what else is
 * reduced, then over the first, which stands among the kept ones. */
static void split_in_two(EchoOp *op, Split split)
{
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  EchoValue *operand = echo_op_operand(op, 0);
  const EchoType *type = operand->type;
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  int64_t sizes[ECHO_MAX_RANK + 1], first[ECHO_MAX_RANK + 1], second = 0;
  size_t rank = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d) {
    int64_t size = echo_type_dim(type, d);
    if (d == split.dim)
      sizes[rank++] = split.parts;
    sizes[rank++] = d == split.dim ? size / split.parts : size;
    second += d < split.dim && !echo_dim_list_has(dims, (int64_t)d);
  }
  for (size_t i = 0; i < dims.size; ++i)
    first[i] = dims.dims[i] + ((size_t)dims.dims[i] >= split.dim);
  const EchoType *parts = echo_type_tensor(builder.ctx, sizes, rank, echo_type_element(type), NULL);
  EchoValue *cut = echo_op_result(
      echo_build_op(&builder, "stablehlo.reshape", &operand, 1, &parts, 1, NULL, 0), 0);
  EchoValue *partial =
      echo_reduce_like(&builder, op, cut, neutral_scalar(&builder, op), first, dims.size);
  EchoValue *whole = echo_reduce_like(&builder, op, partial, echo_op_operand(op, 1), &second, 1);
  echo_value_replace_all_uses(echo_op_result(op, 0), whole);
  echo_op_erase(op);
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_split = 0;
  bool uses_library;
  EchoDeviceModel device;
  EchoFusionOptions fusion;
  if (!echo_pass_option_bool(pass, "cudnn", &uses_library) ||
      !echo_fusion_options_load(pass, &device, &fusion))
    return false;
  EchoMap facts = {0};
  if (fusion.fuses_contractions)
    echo_find_kept_products(pass->op, &fusion, &facts);
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    if (echo_product_reads_kept(&facts, op))
      continue;
    if (echo_split_product(op) || (!uses_library && echo_split_convolution(op))) {
      ++n_split;
      continue;
    }
    if (!may_split(op))
      continue;
    while (next != NULL && echo_op_is_ancestor(op, next)) /* its body goes with it */
      next = echo_op_walk_next(pass->op, next);
    Split split = find_split(op);
    if (split.parts < 2)
      continue;
    if (is_cut_inside(op, split)) {
      op = with_one_dimension(op);
      split = find_split(op);
    }
    split_in_two(op, split);
    ++n_split;
  }
  echo_map_destroy(&facts);
  echo_pass_count(pass, "split", n_split);
  pass->keeps_all = n_split == 0;
  return true;
}

static const EchoPassOption options[] = {
    {"device", "model that fusion pays on: a name or a file", ""},
    ECHO_FUSION_PASS_OPTIONS,
    {NULL, NULL, NULL}};

static const EchoPassStatistic statistics[] = {{"split", "reductions made in two levels"}, {0}};

const EchoPass ECHO_PASS_SPLIT_REDUCTIONS = {
    .name = "split-reductions",
    .summary = "reduce in two levels where one would leave most of a GPU idle",
    .anchor = "builtin.module",
    .options = options,
    .statistics = statistics,
    .run = run,
};
