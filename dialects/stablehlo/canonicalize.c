/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stablehlo adds to canonicalize: rows of patterns, by the laws of ir/pass/rewrite.h. */
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/pass/rewrite.h"

/* ---- scatter of one element a row ---- */

/* A scatter whose operand is one number throughout, with one update for each row along `dim`: what
 * the gradient of picking an element of each row looks like. */
typedef struct OneHot {
  const EchoAttr *filling;
  size_t dim;
  int64_t rows[ECHO_MAX_RANK]; /* sizes of the indices' batching dimensions, in their order */
  int64_t to[ECHO_MAX_RANK];   /* the operand's dimension of each */
  size_t n_rows;
} OneHot;

/* One operand and one update of its element type, static shapes, no encodings. */
static bool has_plain_types(const EchoOp *op)
{
  if (op->n_operands != 3 || op->n_results != 1 ||
      echo_op_operand_type(op, 0) != echo_op_result_type(op, 0) ||
      echo_type_element(echo_op_operand_type(op, 2)) !=
          echo_type_element(echo_op_result_type(op, 0)))
    return false;
  for (size_t i = 0; i < 3; ++i)
    if (!echo_type_has_static_shape(echo_op_operand_type(op, i)) ||
        echo_op_operand_type(op, i)->as.shaped.encoding != NULL)
      return false;
  return true;
}

static bool is_filled(const EchoOp *op, OneHot *hot)
{
  hot->filling = echo_value_constant_or_null(echo_op_operand(op, 0));
  return hot->filling != NULL && hot->filling->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         hot->filling->as.elements.is_splat;
}

/* Every operand dimension but one is a batching dimension or of size 1, and so is every dimension
 * of the indices. */
static bool has_one_update_a_row(const EchoOp *op, OneHot *hot)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  const EchoType *operand = echo_op_operand_type(op, 0), *indices = echo_op_operand_type(op, 1);
  size_t n_batch = dims->input_batching_dims.size, n_window = dims->update_window_dims.size;
  if (dims->inserted_window_dims.size != 1 || dims->scatter_dims_to_operand_dims.size != 1 ||
      n_batch + n_window + 1 != echo_type_rank(operand) ||
      dims->scatter_dims_to_operand_dims.dims[0] != dims->inserted_window_dims.dims[0])
    return false;
  for (size_t d = 0; d < echo_type_rank(operand); ++d)
    if ((int64_t)d != dims->inserted_window_dims.dims[0] && echo_type_dim(operand, d) != 1 &&
        !echo_dim_list_has(dims->input_batching_dims, (int64_t)d))
      return false;
  for (size_t i = 0; i < n_window; ++i)
    if (echo_type_dim(echo_op_operand_type(op, 2), (size_t)dims->update_window_dims.dims[i]) != 1)
      return false;
  hot->dim = (size_t)dims->inserted_window_dims.dims[0];
  for (size_t d = 0; d < echo_type_rank(indices); ++d) {
    size_t k = 0;
    while (k < n_batch && dims->scatter_indices_batching_dims.dims[k] != (int64_t)d)
      ++k;
    if (k == n_batch && echo_type_dim(indices, d) != 1)
      return false;
    if (k == n_batch)
      continue;
    hot->to[hot->n_rows] = dims->input_batching_dims.dims[k];
    hot->rows[hot->n_rows++] = echo_type_dim(indices, d);
  }
  return true;
}

bool echo_hlo_counts_to(const EchoType *element, int64_t n)
{
  uint32_t bits = echo_type_bit_width(element);
  return bits >= 64 || n - 1 <= (INT64_C(1) << (bits - 1)) - 1;
}

/* The op that the update computation consists of; NULL when it hands its second argument on. False
 * when it is anything else. */
static bool find_combiner(const EchoOp *op, const EchoOp **combiner)
{
  const EchoBlock *body = echo_op_body(op, 0);
  EchoValue *old = echo_block_arg(body, 0), *update = echo_block_arg(body, 1);
  *combiner = NULL;
  if (body->first == body->last)
    return echo_op_operand(body->last, 0) == update;
  *combiner = body->first;
  return body->first->next == body->last && body->first->n_operands == 2 &&
         body->first->n_results == 1 && echo_op_has_trait(body->first, ECHO_ELEMENTWISE) &&
         (body->first->properties == NULL || body->first->properties->as.dictionary.size == 0) &&
         echo_op_operand(body->last, 0) == echo_op_result(body->first, 0) &&
         echo_op_operand(body->first, 0) == old && echo_op_operand(body->first, 1) == update;
}

/* The values that land, one a row: the filling combined with the updates. */
static EchoValue *build_landing(EchoBuilder *builder, const EchoOp *op, const EchoOp *combiner,
                                const OneHot *hot)
{
  EchoValue *updates = echo_hlo_reshape(builder, echo_op_operand(op, 2), hot->rows, hot->n_rows);
  if (combiner == NULL)
    return updates;
  const EchoAttr *filling =
      echo_attr_elements(echo_op_context(op), updates->type, hot->filling->as.elements.data,
                         hot->filling->as.elements.size_bytes, true);
  return echo_build_binary(builder, combiner->info->name, echo_hlo_constant(builder, filling),
                           updates, NULL);
}

/* scatter(filling, index, update) is select(iota == index, filling + update, filling): no value of
 * its own where a kernel reads it, and the same bits; an index out of range meets no iota. */
static bool compare_one_hot(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *builder = &rewriter->builder;
  const EchoOp *combiner;
  OneHot hot = {0};
  if (!has_plain_types(op) || !is_filled(op, &hot) || !has_one_update_a_row(op, &hot) ||
      !find_combiner(op, &combiner))
    return false;
  const EchoType *type = echo_op_result_type(op, 0);
  const EchoType *index_type = echo_op_operand_type(op, 1);
  if (!echo_hlo_counts_to(echo_type_element(index_type), echo_type_dim(type, hot.dim)))
    return false;
  const EchoType *place_type =
      echo_type_tensor(echo_op_context(op), type->as.shaped.dims, echo_type_rank(type),
                       echo_type_element(index_type), NULL);
  EchoValue *index = echo_hlo_reshape(builder, echo_op_operand(op, 1), hot.rows, hot.n_rows);
  EchoValue *landing = build_landing(builder, op, combiner, &hot);
  EchoValue *is_hit = echo_hlo_compare(
      builder, ECHO_COMPARE_EQ, echo_hlo_iota(builder, place_type, (int64_t)hot.dim),
      echo_hlo_broadcast_in_dim(builder, index, place_type, hot.to, hot.n_rows));
  EchoValue *result = echo_hlo_select(
      builder, is_hit, echo_hlo_broadcast_in_dim(builder, landing, type, hot.to, hot.n_rows),
      echo_hlo_constant(builder, hot.filling));
  echo_rewriter_replace(rewriter, op, &result);
  return true;
}

/* ---- scatter of one window ---- */

/* Where a scatter of one window at a constant place writes, and the window's size, by dimension of
 * the operand; false for any other, and where some of it lies outside. */
static bool is_one_window(const EchoOp *op, int64_t *starts, int64_t *sizes)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  const EchoType *operand = echo_op_operand_type(op, 0), *update = echo_op_operand_type(op, 2);
  const EchoAttr *indices = echo_value_constant_or_null(echo_op_operand(op, 1));
  if (indices == NULL || indices->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      dims->input_batching_dims.size != 0 || echo_type_static_n_elements(update) == 0 ||
      echo_type_static_n_elements(indices->type) !=
          (int64_t)dims->scatter_dims_to_operand_dims.size)
    return false;
  size_t next_window = 0;
  for (uint32_t d = 0; d < echo_type_rank(operand); ++d) {
    bool is_inserted = echo_dim_list_has(dims->inserted_window_dims, d);
    starts[d] = 0;
    sizes[d] = is_inserted
                   ? 1
                   : echo_type_dim(update, (size_t)dims->update_window_dims.dims[next_window++]);
  }
  for (size_t k = 0; k < dims->scatter_dims_to_operand_dims.size; ++k)
    starts[dims->scatter_dims_to_operand_dims.dims[k]] = echo_elements_i64(indices, k);
  for (uint32_t d = 0; d < echo_type_rank(operand); ++d)
    if (starts[d] < 0 || starts[d] > echo_type_dim(operand, d) - sizes[d])
      return false;
  return true;
}

/* One window that overwrites what stands at a constant place is an update slice. */
static bool update_slice(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoOp *combiner;
  int64_t starts[ECHO_MAX_RANK], sizes[ECHO_MAX_RANK];
  EchoValue *start_values[ECHO_MAX_RANK];
  if (!has_plain_types(op) || !find_combiner(op, &combiner) || combiner != NULL ||
      !is_one_window(op, starts, sizes))
    return false;
  EchoBuilder *b = &rewriter->builder;
  uint32_t rank = echo_type_rank(echo_op_operand_type(op, 0));
  for (uint32_t d = 0; d < rank; ++d)
    start_values[d] = echo_hlo_scalar_i64(b, echo_type_i64(b->ctx), starts[d]);
  EchoValue *update = echo_hlo_reshape(b, echo_op_operand(op, 2), sizes, rank);
  EchoValue *result =
      echo_hlo_dynamic_update_slice(b, echo_op_operand(op, 0), update, start_values);
  echo_rewriter_replace(rewriter, op, &result);
  return true;
}

/* ---- concatenations of concatenations ---- */

/* The concatenation along the same dimension that alone reads the value; NULL where there is none.
 */
static EchoOp *outer_or_null(const EchoOp *op)
{
  EchoValue *result = echo_op_result(op, 0);
  EchoOp *reader = echo_value_has_one_use(result) ? result->first_use->owner : NULL;
  return reader != NULL && reader->info == op->info && reader->block == op->block &&
                 echo_op_attr_i64(reader, "dimension", 0) == echo_op_attr_i64(op, "dimension", 0)
             ? reader
             : NULL;
}

/* The operands of a tree of concatenations, in order, from its root, so that a long chain is gone
 * through once. */
static bool concatenate_once(EchoRewriter *rewriter, EchoOp *op)
{
  ECHO_VECTOR(EchoValue *) leaves = {0};
  ECHO_VECTOR(EchoValue *) pending = {0};
  if (outer_or_null(op) != NULL)
    return false;
  for (uint32_t i = op->n_operands; i-- > 0;)
    echo_vector_push(&pending, echo_op_operand(op, i));
  while (pending.size != 0) {
    EchoValue *value = echo_vector_pop(&pending);
    const EchoOp *inner = echo_value_def_or_null(value);
    if (inner == NULL || inner->info != op->info || outer_or_null(inner) == NULL) {
      echo_vector_push(&leaves, value);
      continue;
    }
    for (uint32_t i = inner->n_operands; i-- > 0;)
      echo_vector_push(&pending, echo_op_operand(inner, i));
  }
  bool changed = leaves.size != op->n_operands;
  if (changed) {
    EchoValue *result = echo_hlo_concatenate(&rewriter->builder, leaves.data, leaves.size,
                                             echo_op_attr_i64(op, "dimension", 0));
    echo_rewriter_replace(rewriter, op, &result);
  }
  echo_vector_destroy(&leaves);
  echo_vector_destroy(&pending);
  return changed;
}

/* ---- sums of nothing ---- */

static bool has_no_elements(const EchoType *type)
{
  return echo_type_has_static_shape(type) && echo_type_static_n_elements(type) == 0;
}

/* A contraction or a convolution of operands without elements adds up no products: zeros. */
static bool sum_nothing(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  EchoTypeKind kind = echo_type_element(type)->kind;
  if (!has_no_elements(echo_op_operand_type(op, 0)) &&
      !has_no_elements(echo_op_operand_type(op, 1)))
    return false;
  if (!echo_type_has_static_shape(type) || type->as.shaped.encoding != NULL ||
      (kind != ECHO_TYPE_FLOAT && kind != ECHO_TYPE_INTEGER))
    return false;
  EchoValue *zeros = echo_hlo_constant_f64(&rewriter->builder, type, 0);
  echo_rewriter_replace(rewriter, op, &zeros);
  return true;
}

/* ---- sums of one product ---- */

/* Where the product goes: its type, and where each dimension of the contraction's result is in it.
 */
typedef struct Product {
  const EchoType *type;
  int64_t place[ECHO_MAX_RANK];
} Product;

/* A side of a contraction, as it stands in the product: without those that are contracted, which
 * are of size 1. */
static EchoValue *spread_side(EchoBuilder *b, EchoValue *side, EchoDimList batching,
                              EchoDimList contracting, int64_t first_free, const Product *product)
{
  int64_t sizes[ECHO_MAX_RANK], to[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(side->type); ++d) {
    if (echo_dim_list_has(contracting, (int64_t)d))
      continue;
    int64_t result = first_free;
    for (size_t k = 0; k < batching.size; ++k)
      if (batching.dims[k] == (int64_t)d)
        result = (int64_t)k;
    first_free += result == first_free;
    sizes[n] = echo_type_dim(side->type, d);
    to[n++] = product->place[result];
  }
  EchoValue *kept = echo_hlo_reshape(b, side, sizes, n);
  return echo_hlo_broadcast_in_dim(b, echo_hlo_convert(b, kept, echo_type_element(product->type)),
                                   product->type, to, n);
}

static bool is_plain_shape(const EchoType *type)
{
  return echo_type_has_static_shape(type) && type->as.shaped.encoding == NULL;
}

/* The transpose that alone reads the contraction, whose place the product takes; else the
 * contraction. */
static EchoOp *find_place(EchoOp *op, Product *product)
{
  EchoValue *result = echo_op_result(op, 0);
  EchoOp *reader = echo_value_has_one_use(result) ? result->first_use->owner : NULL;
  bool is_turned = reader != NULL && echo_hlo_opcode(reader) == ECHO_HLO_TRANSPOSE &&
                   is_plain_shape(echo_op_result_type(reader, 0));
  product->type = is_turned ? echo_op_result_type(reader, 0) : result->type;
  for (size_t d = 0; d < echo_type_rank(result->type); ++d) {
    size_t from = is_turned ? (size_t)echo_stablehlo_dims(reader, "permutation").dims[d] : d;
    product->place[from] = (int64_t)d;
  }
  return is_turned ? reader : op;
}

/* Floats, the result's no narrower, so that the product of what is widened first is rounded once;
 * no algorithm of the contraction's own. */
static bool is_plain_product(const EchoOp *op)
{
  const EchoType *types[] = {echo_op_operand_type(op, 0), echo_op_operand_type(op, 1),
                             echo_op_result_type(op, 0)};
  for (size_t i = 0; i < 3; ++i)
    if (!is_plain_shape(types[i]) || echo_type_element(types[i])->kind != ECHO_TYPE_FLOAT ||
        echo_type_bit_width(echo_type_element(types[i])) >
            echo_type_bit_width(echo_type_element(types[2])))
      return false;
  return echo_stablehlo_dot_algorithm_or_null(op) == NULL;
}

#define MAX_READERS_DEPTH 4 /* looked at, one behind the other */

/* A number of any type that is 0 in all its bits. */
static bool is_positive_zero(const EchoValue *value)
{
  const EchoAttr *number = echo_value_constant_or_null(value);
  if (number == NULL || number->kind != ECHO_ATTR_DENSE_ELEMENTS || !number->as.elements.is_splat)
    return false;
  const uint8_t *bytes = number->as.elements.data;
  for (size_t i = 0; i < number->as.elements.size_bytes; ++i)
    if (bytes[i] != 0)
      return false;
  return true;
}

/* Whether all that reads the value, through at most `depth` ops, squares it or adds it up from 0:
 * then -0 is as good as 0. */
static bool has_no_sign_at_zero(const EchoValue *value, unsigned depth)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    const EchoOp *op = use->owner;
    switch (echo_hlo_opcode(op)) {
    case ECHO_HLO_MULTIPLY:
      if (echo_op_operand(op, 0) == echo_op_operand(op, 1))
        continue;
      break;
    case ECHO_HLO_REDUCE:
      if (op->n_operands == 2 && echo_hlo_combiner(&op->regions[0]) == ECHO_HLO_ADD &&
          is_positive_zero(echo_op_operand(op, 1)))
        continue;
      return false;
    case ECHO_HLO_RESHAPE:
    case ECHO_HLO_TRANSPOSE:
    case ECHO_HLO_BROADCAST_IN_DIM:
      break;
    default:
      return false;
    }
    if (depth == 0 || !has_no_sign_at_zero(echo_op_result(op, 0), depth - 1))
      return false;
  }
  return true;
}

/* A contraction that adds up one product for each element, as a gradient of weights from a batch of
 * one is, multiplies: that is fused with what reads it, and cheap to compute again. It adds to
 * zero, which makes -0 of a product 0. */
static bool multiply_once(EchoRewriter *rewriter, EchoOp *op)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  const EchoType *lhs = echo_op_operand_type(op, 0);
  Product product;
  if (!is_plain_product(op))
    return false;
  for (size_t k = 0; k < dims->lhs_contracting.size; ++k)
    if (echo_type_dim(lhs, (size_t)dims->lhs_contracting.dims[k]) != 1)
      return false;
  int64_t n_batch = (int64_t)dims->lhs_batching.size;
  int64_t n_lhs = (int64_t)(echo_type_rank(lhs) - dims->lhs_contracting.size);
  EchoOp *place = find_place(op, &product);
  EchoBuilder *b = &rewriter->builder; /* in front of the contraction */
  EchoValue *left = spread_side(b, echo_op_operand(op, 0), dims->lhs_batching,
                                dims->lhs_contracting, n_batch, &product);
  EchoValue *right = spread_side(b, echo_op_operand(op, 1), dims->rhs_batching,
                                 dims->rhs_contracting, n_lhs, &product);
  EchoValue *value = echo_hlo_multiply(b, left, right);
  if (!has_no_sign_at_zero(echo_op_result(place, 0), MAX_READERS_DEPTH))
    value = echo_hlo_add(b, value, echo_hlo_constant_f64(b, product.type, 0));
  echo_rewriter_replace(rewriter, place, &value);
  if (place != op)
    echo_rewriter_erase(rewriter, op);
  return true;
}

/* ---- reductions of one element ---- */

/* A reduction that combines one element with what it starts from is that combination: a loop for
 * each result keeps its kernel, an optimizer's update perhaps, from going in vectors. */
static bool combine_once(EchoRewriter *rewriter, EchoOp *op)
{
  EchoHloOpcode combiner = echo_hlo_combiner(&op->regions[0]);
  if (op->n_operands != 2 || combiner == ECHO_N_HLO_OPCODES)
    return false;
  const EchoType *type = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  EchoDimList reduced = echo_stablehlo_dims(op, "dimensions");
  if (!echo_type_has_static_shape(type) || !echo_type_has_static_shape(result) ||
      type->as.shaped.encoding != NULL || type->as.shaped.element != result->as.shaped.element ||
      echo_op_operand_type(op, 1)->as.shaped.element != result->as.shaped.element)
    return false;
  for (size_t i = 0; i < reduced.size; ++i)
    if (echo_type_dim(type, (size_t)reduced.dims[i]) != 1)
      return false;
  EchoBuilder *b = &rewriter->builder;
  EchoValue *operands[] = {
      echo_hlo_broadcast_in_dim(b, echo_op_operand(op, 1), result, NULL, 0),
      echo_hlo_reshape(b, echo_op_operand(op, 0), result->as.shaped.dims, echo_type_rank(result))};
  EchoOp *combined =
      echo_build_op(b, ECHO_STABLEHLO_OPS[combiner].name, operands, 2, &result, 1, NULL, 0);
  EchoValue *value = echo_op_result(combined, 0);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}

/* ---- the rows ---- */

static const EchoPattern PATTERNS[] = {
    {"stablehlo.gather", 0, echo_hlo_batch_counted_indices,
     "a column of indices that counts is a batching dimension"},
    {"stablehlo.scatter", 0, echo_hlo_batch_counted_indices,
     "a column of indices that counts is a batching dimension"},
    {"stablehlo.dot_general", 0, sum_nothing, "a contraction of nothing is zero"},
    {"stablehlo.dot_general", 0, multiply_once, "a contraction of one product each multiplies"},
    {"stablehlo.dot_general", 0, echo_hlo_split_batch,
     "batching dimensions that were made one stay several"},
    {"stablehlo.reduce", 0, combine_once, "a reduction of one element each is an operation"},
    {"stablehlo.reduce", 0, echo_hlo_reduce_unreshaped,
     "a reduction of what was reshaped reduces what it was before"},
    {"stablehlo.convolution", 0, sum_nothing, "a convolution of nothing is zero"},
    {"stablehlo.concatenate", 0, concatenate_once, "a concatenation of concatenations is one"},
    {"stablehlo.scatter", 0, compare_one_hot,
     "a scatter of one element a row into one number is a comparison with iota"},
    {"stablehlo.scatter", 0, update_slice,
     "a scatter of one window over a constant place is an update slice"},
    {"stablehlo.dynamic_slice", 0, echo_hlo_slice_constant_place,
     "a dynamic slice that starts at a constant place is a slice"},
    {"stablehlo.gather", 0, echo_hlo_gather_constant_place,
     "a gather of one window at a constant place is a slice"},
    {"stablehlo.gather", 0, echo_hlo_gather_repeated_rows,
     "a gather of known rows, evenly apart, is a slice that is broadcast"},
    {"stablehlo.scatter", 0, echo_hlo_scatter_repeated_rows,
     "a scatter that adds two known rows to each of zeros is a reduction"},
    {"stablehlo.while", 0, echo_hlo_read_carried_constants,
     "a constant that a loop hands on as it is is read where it is"},
    {"stablehlo.shift_right_logical", 0, echo_hlo_shift_out_count,
     "upper bits that a number of an element does not have are zero"},
    {"stablehlo.convert", 0, echo_hlo_count_in_narrow_type,
     "lower bits of a sum, a product or a count are computed in the narrower type"},
    {"stablehlo.reshape", 0, echo_hlo_transpose_reshaped,
     "a reshape of a transpose for a product is a transpose of a reshape"},
    {NULL, ECHO_ELEMENTWISE, echo_hlo_sink_reshape,
     "an elementwise op of reshapes is a reshape of an elementwise op"},
    {"stablehlo.transpose", 0, echo_hlo_contract_untransposed,
     "a contraction of a transpose is one of what was transposed"},
    {"stablehlo.transpose", 0, echo_hlo_swap_operands,
     "a transposed contraction is one of its operands the other way round"},
    {"stablehlo.transpose", 0, echo_hlo_convolve_untransposed,
     "a convolution of a transpose is one of what was transposed"},
    {"stablehlo.transpose", 0, echo_hlo_convolve_transposed,
     "a transposed convolution is one whose result has that order"},
    {"stablehlo.pad", 0, echo_hlo_convolve_unpadded,
     "a convolution of what zeros are put around is one with padding and dilation"},
};

void echo_hlo_add_canonicalizations(EchoContext *ctx)
{
  echo_context_add_canonicalization(ctx, PATTERNS, sizeof PATTERNS / sizeof *PATTERNS);
}
