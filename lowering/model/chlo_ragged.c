/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* chlo.ragged_dot as a loop over the groups: each iteration contracts as if all of the ragged
 * dimension were its group's, and keeps the group's part. Nothing larger than operands and result
 * is there at once; the arithmetic is that of as many dense products as there are groups. What
 * belongs to no group is zero.
 *
 * By where the ragged dimension is (b batching, m and n free, k contracting, g groups):
 *   free         [b, m, k], [g, b, k, n] -> [b, m, n]      rows of the result are taken by group
 *   contracting  [b, m, k], [b, k, n] -> [g, b, m, n]      operands are zero outside of the group
 *   batching     [b, m, k], [b, k, n] -> [b, m, n]         an ordinary dot_general */
#include "lowering/model/chlo_to_stablehlo_t.h"

typedef struct Ragged {
  EchoOp *op;
  EchoValue *lhs, *rhs, *sizes;
  const EchoRaggedDotDims *dims;
  int64_t dim, n_groups;
  bool in_contraction;
  int64_t prefix[ECHO_MAX_RANK]; /* lhs's dimensions that have group sizes of their own */
  size_t n_prefix;
} Ragged;

static bool is_static(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!echo_type_has_static_shape(echo_op_operand_type(op, i)))
      return false;
  return echo_type_has_static_shape(echo_op_result_type(op, 0));
}

static bool describe(EchoOp *op, Ragged *r)
{
  if (!is_static(op))
    return false;
  *r = (Ragged){.op = op,
                .lhs = echo_op_operand(op, 0),
                .rhs = echo_op_operand(op, 1),
                .sizes = echo_op_operand(op, 2),
                .dims = echo_chlo_ragged_dot_dims(op)};
  r->dim = r->dims->lhs_ragged.dims[0];
  EchoDimList batching = r->dims->dot.lhs_batching, contracting = r->dims->dot.lhs_contracting;
  r->in_contraction = echo_dim_list_has(contracting, r->dim);
  uint32_t rank = echo_type_rank(r->sizes->type);
  r->n_groups = echo_type_dim(r->sizes->type, rank - 1);
  if (rank == 1)
    return true;
  for (size_t i = 0; i < batching.size; i++)
    r->prefix[r->n_prefix++] = batching.dims[i];
  for (size_t i = 0; r->in_contraction && contracting.dims[i] != r->dim; i++)
    r->prefix[r->n_prefix++] = contracting.dims[i];
  for (int64_t d = 0; !r->in_contraction && d < r->dim; d++)
    if (!echo_dim_list_has(batching, d) && !echo_dim_list_has(contracting, d))
      r->prefix[r->n_prefix++] = d;
  return true;
}

/* ---- where a dimension of lhs is elsewhere ---- */

typedef int64_t PlaceFn(const Ragged *r, int64_t dim);

static int64_t in_lhs(const Ragged *r, int64_t dim)
{
  (void)r;
  return dim;
}

static int64_t partner(EchoDimList left, EchoDimList right, int64_t dim)
{
  for (size_t i = 0; i < left.size; i++)
    if (left.dims[i] == dim)
      return right.dims[i];
  return -1;
}

static int64_t in_rhs(const Ragged *r, int64_t dim)
{
  const EchoDotDims *dot = &r->dims->dot;
  int64_t place = partner(dot->lhs_batching, dot->rhs_batching, dim);
  return place >= 0 ? place : partner(dot->lhs_contracting, dot->rhs_contracting, dim);
}

/* Batching dimensions first, then what is free; of contracting ones there are none. */
static int64_t in_result(const Ragged *r, int64_t dim)
{
  EchoDimList batching = r->dims->dot.lhs_batching;
  int64_t place = 0;
  for (size_t i = 0; i < batching.size; i++)
    if (batching.dims[i] == dim)
      return (int64_t)i;
  for (int64_t d = 0; d < dim; d++)
    place += !echo_dim_list_has(batching, d) && !echo_dim_list_has(r->dims->dot.lhs_contracting, d);
  return place + (int64_t)batching.size;
}

/* ---- one group ---- */

/* Which elements of a tensor of `type`'s shape are of the group: start <= i < limit. */
static EchoValue *mask(EchoBuilder *b, const Ragged *r, const EchoType *type, PlaceFn *place,
                       EchoValue *start, EchoValue *limit)
{
  const EchoType *index = echo_type_with_element(b->ctx, type, echo_type_element(start->type));
  int64_t at[ECHO_MAX_RANK];
  for (size_t i = 0; i < r->n_prefix; i++)
    at[i] = place(r, r->prefix[i]);
  EchoValue *i = echo_hlo_iota(b, index, place(r, r->dim));
  EchoValue *low = echo_hlo_broadcast_in_dim(b, start, index, at, r->n_prefix);
  EchoValue *high = echo_hlo_broadcast_in_dim(b, limit, index, at, r->n_prefix);
  return echo_hlo_and(b, echo_hlo_compare(b, ECHO_COMPARE_LE, low, i),
                      echo_hlo_compare(b, ECHO_COMPARE_LT, i, high));
}

static EchoValue *masked(EchoBuilder *b, const Ragged *r, EchoValue *x, PlaceFn *place,
                         EchoValue *start, EchoValue *limit)
{
  return echo_hlo_select(b, mask(b, r, x->type, place, start, limit), x,
                         echo_chlo_zeros(b, x->type));
}

/* Element `group` of dimension `dim`, which goes away. */
static EchoValue *element_of(EchoBuilder *b, EchoValue *x, int64_t dim, EchoValue *group)
{
  EchoValue *starts[ECHO_MAX_RANK], *zero = echo_hlo_constant_like(b, group, 0);
  int64_t sizes[ECHO_MAX_RANK], dims[ECHO_MAX_RANK];
  size_t rank = 0;
  for (uint32_t d = 0; d < echo_type_rank(x->type); d++) {
    bool is_it = (int64_t)d == dim;
    starts[d] = is_it ? group : zero;
    sizes[d] = is_it ? 1 : echo_type_dim(x->type, d);
    if (!is_it)
      dims[rank++] = sizes[d];
  }
  return echo_hlo_reshape(b, echo_hlo_dynamic_slice(b, x, starts, sizes), dims, rank);
}

static EchoDimList without(EchoDimList list, int64_t gone, int64_t *dims)
{
  for (size_t i = 0; i < list.size; i++)
    dims[i] = list.dims[i] - (list.dims[i] > gone);
  return (EchoDimList){dims, list.size};
}

static EchoValue *dot(EchoBuilder *b, const Ragged *r, EchoValue *lhs, EchoValue *rhs,
                      const EchoDotDims *dims)
{
  const EchoType *element = echo_type_element(echo_op_result_type(r->op, 0));
  EchoValue *y = echo_hlo_dot_general(b, lhs, rhs, dims, element);
  if (echo_op_has_attr(r->op, "precision_config")) {
    const EchoAttr *precision[2];
    for (size_t i = 0; i < 2; i++)
      precision[i] = echo_stablehlo_precision_attr(b->ctx, echo_stablehlo_precision(r->op, i));
    echo_op_set_attr(echo_value_def_or_null(y), "precision_config",
                     echo_attr_array(b->ctx, precision, 2));
  }
  return y;
}

static EchoValue *add_rows(EchoBuilder *b, const Ragged *r, EchoValue *group, EchoValue *start,
                           EchoValue *limit, EchoValue *sum)
{
  int64_t gone = r->dims->rhs_group.dims[0], batching[ECHO_MAX_RANK], contracting[ECHO_MAX_RANK];
  EchoDotDims dims = r->dims->dot;
  dims.rhs_batching = without(dims.rhs_batching, gone, batching);
  dims.rhs_contracting = without(dims.rhs_contracting, gone, contracting);
  EchoValue *y = dot(b, r, r->lhs, element_of(b, r->rhs, gone, group), &dims);
  return echo_hlo_select(b, mask(b, r, y->type, in_result, start, limit), y, sum);
}

static EchoValue *add_group(EchoBuilder *b, const Ragged *r, EchoValue *group, EchoValue *start,
                            EchoValue *limit, EchoValue *stack)
{
  EchoValue *y = dot(b, r, masked(b, r, r->lhs, in_lhs, start, limit),
                     masked(b, r, r->rhs, in_rhs, start, limit), &r->dims->dot);
  EchoValue *starts[ECHO_MAX_RANK], *zero = echo_hlo_constant_like(b, group, 0);
  int64_t dims[ECHO_MAX_RANK] = {1};
  uint32_t rank = echo_type_rank(stack->type);
  for (uint32_t d = 0; d < rank; d++) {
    starts[d] = d == 0 ? group : zero;
    dims[d] = d == 0 ? 1 : echo_type_dim(stack->type, d);
  }
  return echo_hlo_dynamic_update_slice(b, stack, echo_hlo_reshape(b, y, dims, rank), starts);
}

/* ---- the loop ---- */

static EchoValue *over_groups(EchoBuilder *b, const Ragged *r)
{
  uint32_t rank = echo_type_rank(r->sizes->type);
  const EchoType *bound = echo_hlo_tensor(b->ctx, r->sizes->type->as.shaped.dims, rank - 1,
                                          echo_type_element(r->sizes->type));
  EchoValue *values[] = {echo_hlo_scalar_i64(b, echo_type_i64(b->ctx), 0),
                         echo_chlo_zeros(b, bound),
                         echo_chlo_zeros(b, echo_op_result_type(r->op, 0))};
  if (r->n_groups == 0)
    return values[2];
  EchoBuilder cond, body;
  EchoOp *loop = echo_hlo_while(b, values, 3, &cond, &body);
  EchoValue *group = echo_block_arg(cond.block, 0);
  EchoValue *goes_on = echo_hlo_compare(&cond, ECHO_COMPARE_LT, group,
                                        echo_hlo_constant_i64(&cond, group->type, r->n_groups));
  echo_hlo_return(&cond, &goes_on, 1);
  group = echo_block_arg(body.block, 0);
  EchoValue *start = echo_block_arg(body.block, 1), *sum = echo_block_arg(body.block, 2);
  EchoValue *limit = echo_hlo_add(&body, start, element_of(&body, r->sizes, rank - 1, group));
  values[0] = echo_hlo_add(&body, group, echo_hlo_constant_i64(&body, group->type, 1));
  values[1] = limit;
  values[2] = (r->in_contraction ? add_group : add_rows)(&body, r, group, start, limit, sum);
  echo_hlo_return(&body, values, 3);
  return echo_op_result(loop, 2);
}

static bool lower_ragged_dot(EchoRewriter *rewriter, EchoOp *op)
{
  Ragged r;
  if (!describe(op, &r))
    return false;
  EchoBuilder *b = &rewriter->builder;
  EchoValue *y = echo_dim_list_has(r.dims->dot.lhs_batching, r.dim)
                     ? dot(b, &r, r.lhs, r.rhs, &r.dims->dot)
                     : over_groups(b, &r);
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

const EchoPattern ECHO_CHLO_RAGGED_PATTERNS[] = {
    {"chlo.ragged_dot", 0, lower_ragged_dot, "a loop over the groups"},
};
const size_t ECHO_N_CHLO_RAGGED_PATTERNS =
    sizeof ECHO_CHLO_RAGGED_PATTERNS / sizeof ECHO_CHLO_RAGGED_PATTERNS[0];
