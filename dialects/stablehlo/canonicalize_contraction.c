/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A contraction reads its operands in any order of dimensions: a transpose in front of it, or
 * behind it, is other numbers of it. So is what exporters write whose products have one batching,
 * one free and one contracted dimension each: operands that are transposed and then reshaped. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

/* ---- transposes ---- */

/* The same contraction of other operands, or under other numbers. */
static EchoValue *rebuild_dot(EchoBuilder *builder, const EchoOp *op, EchoValue *lhs,
                              EchoValue *rhs, const EchoDotDims *dims, const EchoType *type)
{
  EchoAttrArg attrs[8];
  size_t n = op->properties->as.dictionary.size;
  ECHO_CHECK_OP(n <= 8, op, "a contraction with %zu attributes", n);
  for (size_t i = 0; i < n; ++i) {
    const EchoNamedAttr *entry = &op->properties->as.dictionary.entries[i];
    bool is_dims = echo_str_is(entry->name, "dot_dimension_numbers");
    attrs[i] = (EchoAttrArg){entry->name.data,
                             is_dims ? echo_stablehlo_dot_dims_attr(echo_op_context(op), dims)
                                     : entry->value};
  }
  return echo_op_result(echo_build_op(builder, "stablehlo.dot_general", (EchoValue *[]){lhs, rhs},
                                      2, &type, 1, attrs, n),
                        0);
}

/* Which dimensions of an operand take part how; free ones are the others. */
typedef struct DotSide {
  int64_t batching[ECHO_MAX_RANK], contracting[ECHO_MAX_RANK];
  size_t n_batching, n_contracting;
} DotSide;

static DotSide permuted_side(EchoDimList batching, EchoDimList contracting, EchoDimList permutation)
{
  DotSide side = {.n_batching = batching.size, .n_contracting = contracting.size};
  for (size_t i = 0; i < batching.size; ++i)
    side.batching[i] = permutation.dims[batching.dims[i]];
  for (size_t i = 0; i < contracting.size; ++i)
    side.contracting[i] = permutation.dims[contracting.dims[i]];
  return side;
}

static bool has_dim(const int64_t *dims, size_t n, int64_t dim)
{
  for (size_t i = 0; i < n; ++i)
    if (dims[i] == dim)
      return true;
  return false;
}

/* Both kinds of dimensions, free and contracted, lie together in memory, and one of them runs
 * without gaps: what a matrix product reads well. */
static bool is_matrix(const EchoType *type, const DotSide *side)
{
  int previous = -1; /* of the dimensions with more than one element: 0 batching, 1 free, 2
                        contracted */
  bool was_seen[3] = {false, false, false};
  for (int64_t d = 0; d < (int64_t)echo_type_rank(type); ++d) {
    if (echo_type_dim(type, (size_t)d) == 1)
      continue;
    int kind = has_dim(side->batching, side->n_batching, d)         ? 0
               : has_dim(side->contracting, side->n_contracting, d) ? 2
                                                                    : 1;
    if (kind != previous && kind != 0 && was_seen[kind])
      return false;
    was_seen[kind] = true;
    previous = kind;
  }
  return previous != 0;
}

/* The order of the dimensions that a permutation leaves in `kept` stays: of the free ones because
 * the result has them in it, of the contracted ones because products are added up in it. */
static bool keeps_order(EchoDimList permutation, EchoDimList batching, EchoDimList contracting,
                        bool of_contracted)
{
  int64_t last = -1;
  for (size_t d = 0; d < permutation.size; ++d) {
    bool is_contracted = echo_dim_list_has(contracting, (int64_t)d);
    if (is_contracted != of_contracted || echo_dim_list_has(batching, (int64_t)d))
      continue;
    if (permutation.dims[d] < last)
      return false;
    last = permutation.dims[d];
  }
  return true;
}

/* The numbers of the contraction when its operand `i`, a transpose, is replaced by what was
 * transposed; false when that would be another sum, or no matrix product. */
static bool untranspose(const EchoOp *dot, size_t i, EchoOp *transpose, DotSide *side,
                        EchoDotDims *changed)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  EchoDimList batching = i == 0 ? dims->lhs_batching : dims->rhs_batching;
  EchoDimList contracting = i == 0 ? dims->lhs_contracting : dims->rhs_contracting;
  EchoDimList permutation = echo_stablehlo_dims(transpose, "permutation");
  const EchoType *source = echo_op_operand_type(transpose, 0);
  *side = permuted_side(batching, contracting, permutation);
  *changed = *dims;
  *(i == 0 ? &changed->lhs_batching : &changed->rhs_batching) =
      (EchoDimList){side->batching, side->n_batching};
  *(i == 0 ? &changed->lhs_contracting : &changed->rhs_contracting) =
      (EchoDimList){side->contracting, side->n_contracting};
  return echo_type_has_static_shape(source) && source->as.shaped.encoding == NULL &&
         keeps_order(permutation, batching, contracting, false) &&
         keeps_order(permutation, batching, contracting, true) && is_matrix(source, side);
}

/* dot(transpose x, y) is dot(x, y) under other numbers, and likewise on the right: where every
 * reader of the transpose can do without it, for else there would be two values to keep. */
bool echo_hlo_contract_untransposed(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *transposed = echo_op_result(op, 0);
  DotSide side;
  EchoDotDims dims;
  for (const EchoUse *use = transposed->first_use; use != NULL; use = use->next)
    if (echo_hlo_opcode(use->owner) != ECHO_HLO_DOT_GENERAL ||
        !untranspose(use->owner, echo_use_operand_index(use), op, &side, &dims))
      return false;
  bool is_read = transposed->first_use != NULL;
  while (transposed->first_use != NULL) {
    EchoOp *dot = transposed->first_use->owner;
    size_t i = echo_use_operand_index(transposed->first_use);
    untranspose(dot, i, op, &side, &dims);
    EchoBuilder builder = rewriter->builder;
    builder.block = dot->block;
    builder.before = dot;
    builder.loc = dot->loc;
    builder.attrs = dot->attrs;
    EchoValue *operands[] = {echo_op_operand(dot, 0), echo_op_operand(dot, 1)};
    operands[i] = echo_op_operand(op, 0);
    EchoValue *result =
        rebuild_dot(&builder, dot, operands[0], operands[1], &dims, echo_op_result_type(dot, 0));
    echo_rewriter_replace(rewriter, dot, &result);
  }
  return is_read;
}

/* The permutation puts the right operand's free dimensions before the left one's. */
static bool swaps_sides(EchoDimList permutation, size_t n_batch, size_t n_left)
{
  size_t n = permutation.size, n_right = n - n_batch - n_left;
  for (size_t i = 0; i < n; ++i) {
    size_t from = i < n_batch ? i : i < n_batch + n_right ? i + n_left : i - n_right;
    if (permutation.dims[i] != (int64_t)from)
      return false;
  }
  return true;
}

static bool is_ascending(EchoDimList dims)
{
  for (size_t i = 1; i < dims.size; ++i)
    if (dims.dims[i] < dims.dims[i - 1])
      return false;
  return true;
}

/* transpose(dot(x, y)) is dot(y, x) where it is that: the same products, added up in the same
 * order. */
bool echo_hlo_swap_operands(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *product = echo_op_operand(op, 0);
  const EchoOp *dot = echo_value_def_or_null(product);
  if (dot == NULL || echo_hlo_opcode(dot) != ECHO_HLO_DOT_GENERAL ||
      !echo_value_has_one_use(product) || echo_stablehlo_dot_algorithm_or_null(dot) != NULL ||
      echo_stablehlo_precision(dot, 0) != echo_stablehlo_precision(dot, 1))
    return false;
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  size_t n_left = echo_type_rank(echo_op_operand_type(dot, 0)) - dims->lhs_batching.size -
                  dims->lhs_contracting.size;
  if (!is_ascending(dims->lhs_contracting) || !is_ascending(dims->rhs_contracting) ||
      !swaps_sides(echo_stablehlo_dims(op, "permutation"), dims->lhs_batching.size, n_left))
    return false;
  EchoDotDims swapped = {.lhs_batching = dims->rhs_batching,
                         .rhs_batching = dims->lhs_batching,
                         .lhs_contracting = dims->rhs_contracting,
                         .rhs_contracting = dims->lhs_contracting};
  EchoBuilder builder = rewriter->builder; /* the contraction stays where it is */
  builder.block = dot->block;
  builder.before = (EchoOp *)dot;
  builder.loc = dot->loc;
  builder.attrs = dot->attrs;
  EchoValue *result = rebuild_dot(&builder, dot, echo_op_operand(dot, 1), echo_op_operand(dot, 0),
                                  &swapped, echo_op_result_type(op, 0));
  echo_rewriter_replace(rewriter, op, &result);
  return true;
}

/* ---- reshapes of transposes ---- */

/* Dimensions of a transpose's operand that are one of a reshape's result. */
typedef struct Group {
  int64_t size, first; /* elements, and the first of them with several; else of all */
} Group;

/* The next dimensions of the transpose, from *at on, that have `size` elements together; false
 * where there are none, or they do not follow each other in its operand. */
static bool take_group(const EchoType *source, EchoDimList permutation, int64_t size, size_t *at,
                       Group *group)
{
  int64_t last = -1;
  *group = (Group){1, -1};
  while (*at < permutation.size) {
    int64_t dim = permutation.dims[*at], n = echo_type_dim(source, (size_t)dim);
    if (n != 1 && group->size == size)
      break;
    ++*at;
    if (group->first < 0 || (group->size == 1 && n != 1))
      group->first = dim;
    if (n == 1)
      continue;
    for (int64_t between = last + 1; last >= 0 && between < dim; ++between)
      if (echo_type_dim(source, (size_t)between) != 1)
        return false;
    if (dim < last)
      return false;
    last = dim;
    group->size *= n;
    if (group->size > size)
      return false;
  }
  return group->first >= 0 && group->size == size;
}

/* The transpose's operand as `sizes`, of which `permutation` makes the reshape's result. */
static bool find_groups(const EchoOp *transpose, const EchoType *result, int64_t *sizes,
                        int64_t *permutation)
{
  EchoDimList moved = echo_stablehlo_dims(transpose, "permutation");
  Group groups[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(result), at = 0;
  for (size_t i = 0; i < rank; ++i)
    if (!take_group(echo_op_operand_type(transpose, 0), moved, echo_type_dim(result, i), &at,
                    &groups[i]))
      return false;
  for (size_t i = 0; i < rank; ++i) {
    size_t before = 0;
    for (size_t k = 0; k < rank; ++k)
      before += groups[k].first < groups[i].first;
    sizes[before] = groups[i].size;
    permutation[i] = (int64_t)before;
  }
  return at == moved.size;
}

static bool is_for_products(const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (echo_hlo_opcode(use->owner) != ECHO_HLO_DOT_GENERAL)
      return false;
  return value->first_use != NULL;
}

bool echo_hlo_transpose_reshaped(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *operand = echo_op_operand(op, 0);
  const EchoOp *transpose = echo_value_def_or_null(operand);
  const EchoType *result = echo_op_result_type(op, 0);
  int64_t sizes[ECHO_MAX_RANK], permutation[ECHO_MAX_RANK];
  if (transpose == NULL || echo_hlo_opcode(transpose) != ECHO_HLO_TRANSPOSE ||
      !echo_value_has_one_use(operand) || !is_for_products(echo_op_result(op, 0)) ||
      !echo_type_has_static_shape(result) || !echo_type_has_static_shape(operand->type) ||
      result->as.shaped.encoding != NULL || operand->type->as.shaped.encoding != NULL ||
      echo_type_static_n_elements(result) == 0 ||
      !find_groups(transpose, result, sizes, permutation))
    return false;
  EchoBuilder *b = &rewriter->builder;
  EchoValue *whole =
      echo_hlo_reshape(b, echo_op_operand(transpose, 0), sizes, echo_type_rank(result));
  EchoValue *value = echo_hlo_transpose(b, whole, permutation);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}

/* ---- batches of batches ---- */

/* The reshape that makes leading dimensions of operand `i`, *n of them, its only batching dimension
 * and leaves the others; NULL where there is none. */
static const EchoOp *merged_or_null(const EchoOp *dot, size_t i, size_t *n)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  EchoDimList batching = i == 0 ? dims->lhs_batching : dims->rhs_batching;
  const EchoOp *reshape = echo_value_def_or_null(echo_op_operand(dot, i));
  if (batching.size != 1 || batching.dims[0] != 0 || reshape == NULL ||
      echo_hlo_opcode(reshape) != ECHO_HLO_RESHAPE)
    return NULL;
  const EchoType *from = echo_op_operand_type(reshape, 0), *to = echo_op_result_type(reshape, 0);
  if (!echo_type_has_static_shape(from) || !echo_type_has_static_shape(to) ||
      echo_type_static_n_elements(to) == 0 || echo_type_rank(from) <= echo_type_rank(to))
    return NULL;
  *n = echo_type_rank(from) - echo_type_rank(to) + 1;
  for (size_t d = 1; d < echo_type_rank(to); ++d)
    if (echo_type_dim(to, d) != echo_type_dim(from, d + *n - 1))
      return NULL;
  return reshape; /* as many elements, so the leading ones are the batch */
}

static EchoDimList moved_by(EchoDimList dims, size_t n, int64_t *room)
{
  for (size_t i = 0; i < dims.size; ++i)
    room[i] = dims.dims[i] + (int64_t)n;
  return (EchoDimList){room, dims.size};
}

/* Heads of attention that were made one with the batch, on both sides, stay apart: what was
 * transposed to stand them there is then a transpose in front of the product. */
bool echo_hlo_split_batch(EchoRewriter *rewriter, EchoOp *op)
{
  size_t n, n_right;
  const EchoOp *left = merged_or_null(op, 0, &n), *right = merged_or_null(op, 1, &n_right);
  const EchoType *result = echo_op_result_type(op, 0);
  if (left == NULL || right == NULL || n != n_right || !echo_type_has_static_shape(result) ||
      result->as.shaped.encoding != NULL || echo_type_rank(result) + n - 1 > ECHO_MAX_RANK)
    return false;
  EchoValue *operands[] = {echo_op_operand(left, 0), echo_op_operand(right, 0)};
  int64_t sizes[ECHO_MAX_RANK], batch[ECHO_MAX_RANK], room[2][ECHO_MAX_RANK];
  for (size_t d = 0; d < n; ++d) {
    batch[d] = (int64_t)d;
    sizes[d] = echo_type_dim(operands[0]->type, d);
    if (sizes[d] != echo_type_dim(operands[1]->type, d))
      return false;
  }
  const size_t rank = echo_type_rank(result);
  for (size_t d = 1; d < rank; ++d)
    sizes[d + n - 1] = echo_type_dim(result, d);
  EchoDotDims dims = *echo_stablehlo_dot_dims(op);
  dims.lhs_batching = dims.rhs_batching = (EchoDimList){batch, n};
  dims.lhs_contracting = moved_by(dims.lhs_contracting, n - 1, room[0]);
  dims.rhs_contracting = moved_by(dims.rhs_contracting, n - 1, room[1]);
  EchoBuilder *b = &rewriter->builder;
  const EchoType *type =
      echo_type_tensor(b->ctx, sizes, rank + n - 1, echo_type_element(result), NULL);
  EchoValue *product = rebuild_dot(b, op, operands[0], operands[1], &dims, type);
  EchoValue *value = echo_hlo_reshape(b, product, result->as.shaped.dims, rank);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}
