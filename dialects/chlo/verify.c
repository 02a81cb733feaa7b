/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The checks of chlo.scan and chlo.ragged_dot. */
#include "dialects/chlo/chlo_t.h"
#include "dialects/stablehlo/infer/shape_t.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

/* ---- scan ---- */

/* The type of an element of `stack` along `dimension`. */
static const EchoType *element_along(EchoContext *ctx, const EchoType *stack, int64_t dimension)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = 0;
  for (size_t d = 0; d < echo_type_rank(stack); ++d)
    if ((int64_t)d != dimension)
      dims[rank++] = echo_type_dim(stack, d);
  return echo_type_tensor(ctx, dims, rank, stack->as.shaped.element, NULL);
}

static bool check_scanned(const EchoOp *op, size_t n_inputs, int64_t dimension)
{
  int64_t size = echo_op_attr_i64(op, "scan_dim_size", ECHO_DYNAMIC);
  for (size_t i = 0; i < n_inputs; ++i) {
    const EchoType *type = echo_op_operand_type(op, i);
    if (!echo_type_is_tensor(type) || dimension >= (int64_t)echo_type_rank(type))
      return echo_op_error(op, "scan dimension of operand %zu is out of bounds", i);
    int64_t own = echo_type_dim(type, (size_t)dimension);
    if (!echo_hlo_dims_agree(size, own))
      return echo_op_error(op, "invalid scan dimension size of operand %zu", i);
    size = echo_hlo_merge_dim(size, own);
  }
  return true;
}

/* The body takes an element of each input and the carries, and returns an element of each output
 * and the carries. */
bool echo_chlo_verify_scan(const EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  size_t n_inputs, n_carries;
  int64_t dimension = echo_op_attr_i64(op, "dimension", 0);
  echo_op_operand_group(op, 1, &n_inputs, &n_carries);
  if (!check_scanned(op, n_inputs, dimension))
    return false;
  const EchoBlock *body = op->regions[0].first;
  const EchoOp *end = echo_hlo_terminator_or_null(&op->regions[0]);
  if (body == NULL || body->n_args != op->n_operands)
    return echo_op_error(op, "expects %u arguments in the body, but got %u", op->n_operands,
                         body != NULL ? body->n_args : 0);
  if (end == NULL || end->n_operands != op->n_results || op->n_results < n_carries)
    return echo_op_error(op, "expects the body to return %u values", op->n_results);
  for (size_t i = 0; i < op->n_operands; ++i) {
    const EchoType *type = echo_op_operand_type(op, i);
    if (i < n_inputs)
      type = element_along(ctx, type, dimension);
    if (!echo_hlo_types_agree(type, echo_block_arg(body, i)->type))
      return echo_op_error(op, "operand and body argument %zu are incompatible", i);
  }
  for (size_t i = 0; i < op->n_results; ++i) {
    const EchoType *type = echo_op_result_type(op, i);
    bool is_stack = i < op->n_results - n_carries;
    if (is_stack && (!echo_type_is_tensor(type) || dimension >= (int64_t)echo_type_rank(type)))
      return echo_op_error(op, "scan dimension of result %zu is out of bounds", i);
    if (is_stack)
      type = element_along(ctx, type, dimension);
    if (!echo_hlo_types_agree(type, echo_op_operand_type(end, i)))
      return echo_op_error(op, "result and value %zu that the body returns are incompatible", i);
  }
  return true;
}

/* ---- ragged_dot ---- */

typedef struct Ragged {
  const EchoType *lhs, *rhs, *sizes;
  const EchoRaggedDotDims *dims;
  int64_t ragged;
  bool in_batch, in_contraction; /* where the ragged dimension is; neither: free in lhs */
} Ragged;

static bool check_pairs(const EchoOpState *state, const Ragged *r, EchoDimList left,
                        EchoDimList right, const char *what)
{
  if (left.size != right.size)
    return echo_hlo_error(state, "lhs has %zu %s dimensions, rhs has %zu", left.size, what,
                          right.size);
  for (size_t i = 0; i < left.size; ++i)
    if (!echo_hlo_dims_agree(echo_type_dim(r->lhs, (size_t)left.dims[i]),
                             echo_type_dim(r->rhs, (size_t)right.dims[i])))
      return echo_hlo_error(state, "%s dimension %zu has different sizes in '%s' and '%s'", what, i,
                            text(state, r->lhs), text(state, r->rhs));
  return true;
}

/* No dimension of `rank` stands twice in the three lists. */
static bool check_distinct(const EchoOpState *state, EchoDimList a, EchoDimList b, EchoDimList c,
                           int64_t rank, const char *side)
{
  EchoDimList lists[] = {a, b, c};
  uint64_t seen = 0;
  for (size_t k = 0; k < 3; ++k)
    for (size_t i = 0; i < lists[k].size; ++i) {
      int64_t dim = lists[k].dims[i];
      if (dim < 0 || dim >= rank)
        return echo_hlo_error(state, "%s has dimension %lld, out of range [0, %lld)", side,
                              (long long)dim, (long long)rank);
      if ((seen >> dim & 1) != 0)
        return echo_hlo_error(state, "%s has dimension %lld in two places", side, (long long)dim);
      seen |= UINT64_C(1) << dim;
    }
  return true;
}

/* group_sizes is a vector of the groups, or one such vector for each element of the dimensions
 * before the ragged one. */
static bool check_group_sizes(const EchoOpState *state, const Ragged *r)
{
  int64_t before[ECHO_MAX_RANK];
  size_t n = 0;
  EchoDimList batching = r->dims->dot.lhs_batching, contracting = r->dims->dot.lhs_contracting;
  for (size_t i = 0; i < batching.size; ++i)
    if (!r->in_batch || batching.dims[i] < r->ragged)
      before[n++] = echo_type_dim(r->lhs, (size_t)batching.dims[i]);
  if (r->in_contraction)
    for (size_t i = 0; i < contracting.size && contracting.dims[i] != r->ragged; ++i)
      before[n++] = echo_type_dim(r->lhs, (size_t)contracting.dims[i]);
  for (int64_t d = 0; !r->in_batch && !r->in_contraction && d < r->ragged; ++d)
    if (!echo_dim_list_has(batching, d) && !echo_dim_list_has(contracting, d))
      before[n++] = echo_type_dim(r->lhs, (size_t)d);
  size_t rank = echo_type_rank(r->sizes);
  bool fits = rank == 1 || rank == n + 1;
  for (size_t i = 0; fits && rank != 1 && i < n; ++i)
    fits = echo_hlo_dims_agree(before[i], echo_type_dim(r->sizes, i));
  return fits ||
         echo_hlo_error(state,
                        "group_sizes of type '%s' fits neither one vector nor one for each of "
                        "%zu dimensions before the ragged one",
                        text(state, r->sizes), n);
}

static bool check_ragged(const EchoOpState *state, const Ragged *r)
{
  const EchoRaggedDotDims *dims = r->dims;
  size_t n_groups = dims->rhs_group.size;
  if (r->in_batch || r->in_contraction ? n_groups != 0 : n_groups != 1)
    return echo_hlo_error(state, "there must be %s group dimension in rhs, but got %zu",
                          r->in_batch || r->in_contraction ? "no" : "one", n_groups);
  EchoDimList none = {NULL, 0};
  if (!check_distinct(state, dims->lhs_ragged, none, none, echo_type_rank(r->lhs), "lhs") ||
      !check_distinct(state, dims->dot.lhs_batching, dims->dot.lhs_contracting, none,
                      echo_type_rank(r->lhs), "lhs") ||
      !check_distinct(state, dims->dot.rhs_batching, dims->dot.rhs_contracting, dims->rhs_group,
                      echo_type_rank(r->rhs), "rhs") ||
      !check_pairs(state, r, dims->dot.lhs_batching, dims->dot.rhs_batching, "batching") ||
      !check_pairs(state, r, dims->dot.lhs_contracting, dims->dot.rhs_contracting, "contracting") ||
      !check_group_sizes(state, r))
    return false;
  int64_t groups = echo_type_dim(r->sizes, echo_type_rank(r->sizes) - 1);
  if (n_groups == 1 &&
      !echo_hlo_dims_agree(echo_type_dim(r->rhs, (size_t)dims->rhs_group.dims[0]), groups))
    return echo_hlo_error(state, "the group dimension of '%s' must have size %lld",
                          text(state, r->rhs), (long long)groups);
  return true;
}

/* Groups first where they come apart in the contraction, then batch, then what is free. */
static const EchoType *ragged_result(const EchoOpState *state, const Ragged *r)
{
  int64_t dims[2 * ECHO_MAX_RANK];
  size_t n = 0;
  if (r->in_contraction)
    dims[n++] = echo_type_dim(r->sizes, echo_type_rank(r->sizes) - 1);
  for (size_t i = 0; i < r->dims->dot.lhs_batching.size; ++i)
    dims[n++] = echo_type_dim(r->lhs, (size_t)r->dims->dot.lhs_batching.dims[i]);
  for (size_t d = 0; d < echo_type_rank(r->lhs); ++d)
    if (!echo_dim_list_has(r->dims->dot.lhs_batching, (int64_t)d) &&
        !echo_dim_list_has(r->dims->dot.lhs_contracting, (int64_t)d))
      dims[n++] = echo_type_dim(r->lhs, d);
  for (size_t d = 0; d < echo_type_rank(r->rhs); ++d)
    if (!echo_dim_list_has(r->dims->dot.rhs_batching, (int64_t)d) &&
        !echo_dim_list_has(r->dims->dot.rhs_contracting, (int64_t)d) &&
        !echo_dim_list_has(r->dims->rhs_group, (int64_t)d))
      dims[n++] = echo_type_dim(r->rhs, d);
  if (n <= ECHO_MAX_RANK)
    return echo_hlo_make_tensor(state, dims, n, r->lhs->as.shaped.element);
  echo_hlo_error(state, "result has more than %d dimensions", ECHO_MAX_RANK);
  return NULL;
}

bool echo_chlo_verify_ragged_dot(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  const EchoHloPayload *payload = echo_hlo_state_payload_or_null(
      &state, "ragged_dot_dimension_numbers", ECHO_HLO_ATTR_RAGGED_DOT);
  Ragged r = {.lhs = echo_op_operand_type(op, 0),
              .rhs = echo_op_operand_type(op, 1),
              .sizes = echo_op_operand_type(op, 2),
              .dims = &payload->as.ragged_dot};
  const EchoType *result = echo_op_result_type(op, 0), *wanted = NULL;
  bool ok = r.dims->lhs_ragged.size == 1 ||
            echo_op_error(op, "there must be exactly one ragged dimension in lhs");
  if (ok &&
      (!echo_type_is_tensor(r.lhs) || !echo_type_is_tensor(r.rhs) || echo_type_rank(r.sizes) == 0))
    ok = echo_op_error(op, "expects ranked operands and at least a vector of group sizes");
  if (ok) {
    r.ragged = r.dims->lhs_ragged.dims[0];
    r.in_batch = echo_dim_list_has(r.dims->dot.lhs_batching, r.ragged);
    r.in_contraction = echo_dim_list_has(r.dims->dot.lhs_contracting, r.ragged);
    ok = check_ragged(&state, &r) && (wanted = ragged_result(&state, &r)) != NULL;
  }
  if (ok && !echo_hlo_shapes_agree(wanted, result))
    ok = echo_op_error(op, "result has type '%s', inferred shape of '%s'", text(&state, result),
                       text(&state, wanted));
  echo_free(operands);
  return ok;
}
