/* What stablehlo adds to canonicalize: rows of patterns, by the laws of ir/rewrite.h. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/rewrite.h"

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

/* Every operand dimension but one is a batching dimension, and every dimension of the indices that
 * is none has size 1. */
static bool has_one_update_a_row(const EchoOp *op, OneHot *hot)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(op);
  const EchoType *operand = echo_op_operand_type(op, 0), *indices = echo_op_operand_type(op, 1);
  size_t n_batch = dims->input_batching_dims.size;
  if (dims->update_window_dims.size != 0 || dims->inserted_window_dims.size != 1 ||
      dims->scatter_dims_to_operand_dims.size != 1 || n_batch + 1 != echo_type_rank(operand) ||
      dims->scatter_dims_to_operand_dims.dims[0] != dims->inserted_window_dims.dims[0])
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

/* Whether an iota of this element type counts to n - 1 without wrapping. */
static bool counts_to(const EchoType *element, int64_t n)
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
  if (!counts_to(echo_type_element(index_type), echo_type_dim(type, hot.dim)))
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

/* ---- the rows ---- */

static const EchoPattern PATTERNS[] = {
    {"stablehlo.scatter", 0, compare_one_hot,
     "a scatter of one element a row into one number is a comparison with iota"},
};

void echo_hlo_add_canonicalizations(EchoContext *ctx)
{
  echo_context_add_canonicalization(ctx, PATTERNS, sizeof PATTERNS / sizeof *PATTERNS);
}
