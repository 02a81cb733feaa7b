/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of linear algebra (Giles, "Collected matrix derivative results for forward and reverse
 * mode", 2008). Matrices are [..., rows, columns]; M' is the transpose. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"

/* a b over the last two dimensions, with a or b transposed. */
static EchoValue *product(EchoBuilder *b, EchoValue *lhs, bool lhs_transposed, EchoValue *rhs,
                          bool rhs_transposed)
{
  int64_t batch[ECHO_MAX_RANK], rank = echo_type_rank(lhs->type);
  for (int64_t i = 0; i + 2 < rank; i++)
    batch[i] = i;
  int64_t lhs_k = rank - (lhs_transposed ? 2 : 1), rhs_k = rank - (rhs_transposed ? 1 : 2);
  size_t n = (size_t)rank - 2;
  const EchoDotDims dims = {.lhs_batching = {batch, n},
                            .rhs_batching = {batch, n},
                            .lhs_contracting = {&lhs_k, 1},
                            .rhs_contracting = {&rhs_k, 1}};
  return echo_hlo_dot_general(b, lhs, rhs, &dims, NULL);
}

static EchoValue *transposed(EchoBuilder *b, EchoValue *x)
{
  int64_t permutation[ECHO_MAX_RANK], rank = echo_type_rank(x->type);
  for (int64_t i = 0; i < rank; i++)
    permutation[i] = i;
  permutation[rank - 1] = rank - 2;
  permutation[rank - 2] = rank - 1;
  return echo_hlo_transpose(b, x, permutation);
}

/* Whether row `direction` column, of x's shape. */
static EchoValue *where(EchoBuilder *b, const EchoValue *x, EchoCompareDirection direction)
{
  int64_t dims[ECHO_MAX_RANK], rank = echo_type_rank(x->type);
  for (int64_t i = 0; i < rank; i++)
    dims[i] = echo_type_dim(x->type, (size_t)i);
  const EchoType *index = echo_type_integer(b->ctx, 32, ECHO_SIGNLESS);
  const EchoType *type = echo_hlo_tensor(b->ctx, dims, (size_t)rank, index);
  return echo_hlo_compare(b, direction, echo_hlo_iota(b, type, rank - 2),
                          echo_hlo_iota(b, type, rank - 1));
}

static EchoValue *masked(EchoBuilder *b, EchoValue *x, EchoCompareDirection direction)
{
  return echo_hlo_select(b, where(b, x, direction), x, echo_hlo_constant_like(b, x, 0));
}

static EchoValue *halved_diagonal(EchoBuilder *b, EchoValue *x)
{
  EchoValue *half = echo_hlo_multiply(b, x, echo_hlo_constant_like(b, x, 0.5));
  return echo_hlo_select(b, where(b, x, ECHO_COMPARE_EQ), half, x);
}

static EchoValue *solve(EchoBuilder *b, EchoValue *a, EchoValue *x, bool is_left, bool is_lower,
                        bool is_unit, bool is_transposed)
{
  EchoValue *operands[] = {a, x};
  const EchoAttrArg attrs[] = {
      {"left_side", echo_attr_bool(b->ctx, is_left)},
      {"lower", echo_attr_bool(b->ctx, is_lower)},
      {"unit_diagonal", echo_attr_bool(b->ctx, is_unit)},
      {"transpose_a",
       echo_stablehlo_transpose_attr(b->ctx, is_transposed ? ECHO_TRANSPOSE : ECHO_NO_TRANSPOSE)}};
  return echo_built_result(
      echo_build_op(b, "stablehlo.triangular_solve", operands, 2, NULL, 0, attrs, 4));
}

/* L L' = A, of which the lower triangle is read: S = L'^-1 P(L' gL) L^-1, where P takes the lower
 * triangle with half its diagonal; an element of the triangle stands for itself and its mirror
 * image: gA = the lower triangle of S + S', its diagonal halved. */
bool echo_hlo_differentiate_cholesky(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  const EchoAttr *lower = echo_op_attr_or_null(op, "lower");
  bool is_lower = lower != NULL && lower->as.integer.value != 0;
  EchoValue *l = echo_op_result(op, 0);
  if (!is_lower) {
    l = transposed(b, l);
    gy = transposed(b, gy);
  }
  EchoValue *inner = product(b, l, true, masked(b, gy, ECHO_COMPARE_GE), false);
  inner = halved_diagonal(b, masked(b, inner, ECHO_COMPARE_GE));
  EchoValue *s = solve(b, l, inner, true, true, false, true);
  s = solve(b, l, s, false, true, false, false);
  EchoValue *sum = echo_hlo_add(b, s, transposed(b, s));
  EchoValue *ga = halved_diagonal(b, masked(b, sum, ECHO_COMPARE_GE));
  echo_gradient_add(g, echo_op_operand(op, 0), is_lower ? ga : transposed(b, ga));
  return true;
}

static bool flag(const EchoOp *op, const char *name)
{
  return echo_op_attr_or_null(op, name)->as.integer.value != 0;
}

/* op(A) X = B: gB = op(A)'^-1 gX, g op(A) = -gB X'; X op(A) = B: gB = gX op(A)'^-1, g op(A) =
 * -X' gB; of A's triangle. */
bool echo_hlo_differentiate_triangular_solve(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  EchoValue *a = echo_op_operand(op, 0), *x = echo_op_result(op, 0);
  bool is_left = flag(op, "left_side"), is_lower = flag(op, "lower");
  bool is_unit = flag(op, "unit_diagonal");
  bool is_transposed = echo_stablehlo_transpose_kind(op) != ECHO_NO_TRANSPOSE;
  EchoValue *gb = solve(b, a, gy, is_left, is_lower, is_unit, !is_transposed);
  echo_gradient_add(g, echo_op_operand(op, 1), gb);
  if (!echo_gradient_needs(g, a))
    return true;
  /* of A itself: (gB X')' = X gB' and (X' gB)' = gB' X */
  EchoValue *ga;
  if (is_left)
    ga = is_transposed ? product(b, x, false, gb, true) : product(b, gb, false, x, true);
  else
    ga = is_transposed ? product(b, gb, true, x, false) : product(b, x, true, gb, false);
  EchoCompareDirection direction = is_lower ? (is_unit ? ECHO_COMPARE_GT : ECHO_COMPARE_GE)
                                            : (is_unit ? ECHO_COMPARE_LT : ECHO_COMPARE_LE);
  echo_gradient_add(g, a, masked(b, echo_hlo_negate(b, ga), direction));
  return true;
}
