/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* @tridiagonal_solve_perturbed_ffi, which JAX calls on a CPU where it iterates towards eigenvectors
 * (eigh_tridiagonal): T x = r for matrices T that may be singular. Elimination with exchanges of
 * neighbouring rows, then substitution, in which a pivot so small that its quotient would overflow
 * is moved off zero: LAPACK's gttrf, and of its lagts the rule for pivots. Numbers below the least
 * normal one are zeros here. */
#include <float.h>

#include "lowering/calls/custom_calls_t.h"
#include "lowering/model/chlo_to_stablehlo_t.h"
#include "lowering/model/lapack_calls_t.h"

/* B matrices of N rows, K right sides. A step's row of a diagonal is [B], of the right sides [B,
 * K].
 */
typedef struct System {
  int64_t n_matrices, n_rows, n_sides;
  const EchoType *scalars, *reals; /* [B] of elements and of their absolute values */
  double epsilon, least, greatest; /* spacing at 1, least normal number, its inverse */
} System;

/* ---- rows ---- */

static EchoValue *row_of(EchoBuilder *b, EchoValue *x, EchoValue *i)
{
  const EchoType *type = x->type;
  const size_t rank = echo_type_rank(type);
  EchoValue *zero = echo_hlo_constant_like(b, i, 0), *starts[] = {zero, i, zero};
  const int64_t n = echo_type_dim(type, 0), sides = rank == 3 ? echo_type_dim(type, 2) : 1;
  const int64_t sizes[] = {n, 1, sides}, dims[] = {n, sides};
  return echo_hlo_reshape(b, echo_hlo_dynamic_slice(b, x, starts, sizes), dims, rank - 1);
}

static EchoValue *with_row(EchoBuilder *b, EchoValue *x, EchoValue *i, EchoValue *row)
{
  const size_t rank = echo_type_rank(x->type);
  EchoValue *zero = echo_hlo_constant_like(b, i, 0), *starts[] = {zero, i, zero};
  const int64_t dims[] = {echo_type_dim(x->type, 0), 1, rank == 3 ? echo_type_dim(x->type, 2) : 1};
  return echo_hlo_dynamic_update_slice(b, x, echo_hlo_reshape(b, row, dims, rank), starts);
}

/* A number of each matrix, for each of its right sides. */
static EchoValue *for_sides(EchoBuilder *b, const System *s, EchoValue *x)
{
  static const int64_t FIRST = 0;
  const int64_t dims[] = {s->n_matrices, s->n_sides};
  return echo_hlo_broadcast_in_dim(
      b, x, echo_hlo_tensor(b->ctx, dims, 2, echo_type_element(x->type)), &FIRST, 1);
}

/* a - c x, of diagonals or right sides */
static EchoValue *less(EchoBuilder *b, EchoValue *a, EchoValue *c, EchoValue *x)
{
  return echo_hlo_subtract(b, a, echo_hlo_multiply(b, c, x));
}

/* ---- elimination ---- */

/* What the loop carries: the three diagonals of U, right sides, and beside them the lower diagonal.
 */
enum { STEP, PIVOTS, UPPER, SECOND, SIDES, N_CARRIED };

/* Row i + 1 is freed of its first element by row i, the one of the two exchanged for the other
 * where that has the greater one. */
static void eliminate(EchoBuilder *b, const System *s, EchoValue *lower, EchoBlock *block,
                      EchoValue **next)
{
  EchoValue *row[N_CARRIED], *below[N_CARRIED], *i = echo_block_arg(block, STEP);
  EchoValue *j = echo_hlo_add(b, i, echo_hlo_constant_like(b, i, 1));
  for (uint32_t k = PIVOTS; k < N_CARRIED; k++) {
    row[k] = row_of(b, echo_block_arg(block, k), i);
    below[k] = row_of(b, echo_block_arg(block, k), j);
  }
  EchoValue *first = row_of(b, lower, j), *zero = echo_chlo_zeros(b, s->scalars);
  EchoValue *one =
      echo_hlo_convert(b, echo_hlo_constant_f64(b, s->reals, 1), echo_type_element(s->scalars));
  EchoValue *is_exchanged =
      echo_hlo_compare(b, ECHO_COMPARE_GT, echo_hlo_abs(b, first), echo_hlo_abs(b, row[PIVOTS]));
  EchoValue *pivot = echo_hlo_select(b, is_exchanged, first, row[PIVOTS]);
  EchoValue *other = echo_hlo_select(b, is_exchanged, row[PIVOTS], first);
  EchoValue *is_zero = echo_hlo_compare(b, ECHO_COMPARE_EQ, pivot, zero); /* then both are */
  EchoValue *factor = echo_hlo_divide(b, other, echo_hlo_select(b, is_zero, one, pivot));
  EchoValue *upper = echo_hlo_select(b, is_exchanged, below[PIVOTS], row[UPPER]);
  EchoValue *left = echo_hlo_select(b, is_exchanged, row[UPPER], below[PIVOTS]);
  EchoValue *second = echo_hlo_select(b, is_exchanged, below[UPPER], zero);
  EchoValue *rest = echo_hlo_select(b, is_exchanged, zero, below[UPPER]);
  EchoValue *for_all = for_sides(b, s, is_exchanged);
  EchoValue *side = echo_hlo_select(b, for_all, below[SIDES], row[SIDES]);
  EchoValue *side_left = echo_hlo_select(b, for_all, row[SIDES], below[SIDES]);
  EchoValue *made[] = {NULL, pivot, upper, second, side};
  EchoValue *made_below[] = {NULL, less(b, left, factor, upper), less(b, rest, factor, second),
                             zero, less(b, side_left, for_sides(b, s, factor), side)};
  next[STEP] = j;
  for (uint32_t k = PIVOTS; k < N_CARRIED; k++)
    next[k] = with_row(b, with_row(b, echo_block_arg(block, k), i, made[k]), j, made_below[k]);
}

/* ---- substitution ---- */

static EchoValue *greatest_of(EchoBuilder *b, EchoValue *x)
{
  static const int64_t SECOND_DIM = 1;
  return echo_hlo_reduce_max(b, echo_hlo_abs(b, x), &SECOND_DIM, 1);
}

/* Where |pivot| < 1 is zero, or |side| / |pivot| overflows. */
static EchoValue *is_small(EchoBuilder *b, const System *s, EchoValue *pivot, EchoValue *side)
{
  EchoValue *size = echo_hlo_abs(b, pivot);
  EchoValue *bound = echo_hlo_multiply(b, size, echo_hlo_constant_like(b, size, s->greatest));
  return echo_hlo_and(
      b, echo_hlo_compare(b, ECHO_COMPARE_LT, size, echo_hlo_constant_like(b, size, 1)),
      echo_hlo_or(
          b, echo_hlo_compare(b, ECHO_COMPARE_LT, size, echo_hlo_constant_like(b, size, s->least)),
          echo_hlo_compare(b, ECHO_COMPARE_GT, side, bound)));
}

/* Pivots away from zero, by `by` and by twice as much as long as they are small; `side` is the
 * greatest of the right sides. */
static EchoValue *moved(EchoBuilder *b, const System *s, EchoValue *pivot, EchoValue *side,
                        EchoValue *by)
{
  static const int64_t FIRST = 0;
  EchoValue *real = echo_hlo_real(b, pivot);
  EchoValue *is_less =
      echo_hlo_compare(b, ECHO_COMPARE_LT, real, echo_hlo_constant_like(b, real, 0));
  EchoValue *inits[] = {pivot, echo_hlo_select(b, is_less, echo_hlo_negate(b, by), by)};
  EchoBuilder cond, body;
  EchoOp *loop = echo_hlo_while(b, inits, 2, &cond, &body);
  EchoValue *small = is_small(&cond, s, echo_block_arg(cond.block, 0), side);
  EchoValue *none = echo_hlo_constant_bool(
      &cond, echo_hlo_scalar_type(b->ctx, echo_type_element(small->type)), false);
  EchoValue *any = echo_hlo_reduce(&cond, small, none, &FIRST, 1, "stablehlo.or");
  echo_hlo_return(&cond, &any, 1);
  EchoValue *now = echo_block_arg(body.block, 0), *step = echo_block_arg(body.block, 1);
  EchoValue *further =
      echo_hlo_add(&body, now, echo_hlo_convert(&body, step, echo_type_element(now->type)));
  EchoValue *next[] = {echo_hlo_select(&body, is_small(&body, s, now, side), further, now),
                       echo_hlo_add(&body, step, step)};
  echo_hlo_return(&body, next, 2);
  return echo_op_result(loop, 0);
}

/* Row i of the solution, from the last one up; arguments are i, the solution and its two rows
 * below. */
static void substitute(EchoBuilder *b, const System *s, EchoValue *const *factors, EchoValue *by,
                       EchoBlock *block, EchoValue **next)
{
  EchoValue *i = echo_block_arg(block, 0), *x = echo_block_arg(block, 1);
  EchoValue *side = row_of(b, x, i);
  for (uint32_t k = UPPER; k <= SECOND; k++)
    side = less(b, side, for_sides(b, s, row_of(b, factors[k], i)), echo_block_arg(block, k));
  EchoValue *pivot = moved(b, s, row_of(b, factors[PIVOTS], i), greatest_of(b, side), by);
  EchoValue *row = echo_hlo_divide(b, side, for_sides(b, s, pivot));
  next[0] = echo_hlo_subtract(b, i, echo_hlo_constant_like(b, i, 1));
  next[1] = with_row(b, x, i, row);
  next[2] = row;
  next[3] = echo_block_arg(block, 2);
}

/* ---- the call ---- */

static EchoValue *goes_on(EchoBuilder *cond, EchoCompareDirection direction, int64_t end)
{
  EchoValue *i = echo_block_arg(cond->block, 0);
  return echo_hlo_compare(cond, direction, i, echo_hlo_constant_i64(cond, i->type, end));
}

/* values = lower diagonal, then PIVOTS, UPPER, SECOND, SIDES; returns the solution [B, N, K]. */
static EchoValue *solve(EchoBuilder *b, const System *s, EchoValue **values)
{
  static const int64_t SECOND_DIM = 1;
  EchoBuilder cond, body;
  EchoValue *lower = values[0], *next[N_CARRIED], *test;
  values[STEP] = echo_hlo_scalar_i64(b, echo_type_integer(b->ctx, 32, ECHO_SIGNLESS), 0);
  EchoOp *loop = echo_hlo_while(b, values, N_CARRIED, &cond, &body);
  test = goes_on(&cond, ECHO_COMPARE_LT, s->n_rows - 1);
  echo_hlo_return(&cond, &test, 1);
  eliminate(&body, s, lower, body.block, next);
  echo_hlo_return(&body, next, N_CARRIED);
  EchoValue *greatest = echo_hlo_constant_f64(b, s->reals, 0);
  for (uint32_t k = PIVOTS; k <= SECOND; k++) {
    values[k] = echo_op_result(loop, k);
    EchoValue *size = echo_hlo_reduce_max(b, echo_hlo_abs(b, values[k]), &SECOND_DIM, 1);
    greatest = echo_hlo_maximum(b, greatest, size);
  }
  EchoValue *by = echo_hlo_maximum(b, echo_chlo_scale(b, greatest, s->epsilon),
                                   echo_hlo_constant_f64(b, s->reals, s->least));
  EchoValue *none = echo_chlo_zeros(b, for_sides(b, s, row_of(b, lower, values[STEP]))->type);
  EchoValue *inits[] = {echo_hlo_constant_i64(b, values[STEP]->type, s->n_rows - 1),
                        echo_op_result(loop, SIDES), none, none};
  loop = echo_hlo_while(b, inits, 4, &cond, &body);
  test = goes_on(&cond, ECHO_COMPARE_GE, 0);
  echo_hlo_return(&cond, &test, 1);
  substitute(&body, s, values, by, body.block, next);
  echo_hlo_return(&body, next, 4);
  return echo_op_result(loop, 1);
}

/* Right sides lie one after the other, as the call reads and writes them. */
static bool lies_by_columns(const EchoOp *op, const char *layouts, size_t i, size_t rank)
{
  int64_t order[ECHO_MAX_RANK];
  return echo_layout_order(op, layouts, i, rank, order) && order[rank - 2] == (int64_t)rank - 1;
}

/* False for shapes and types that the call does not have. */
static bool read_system(EchoContext *ctx, const EchoOp *op, System *s)
{
  if (op->n_operands != 4 || op->n_results != 1)
    return false;
  const EchoType *diagonal = echo_op_operand_type(op, 0), *sides = echo_op_operand_type(op, 3);
  const EchoType *element = echo_type_element(sides), *real = element;
  const size_t rank = echo_type_rank(sides);
  if (element->kind == ECHO_TYPE_COMPLEX)
    real = element->as.shaped.element;
  const bool is_f64 = real == echo_type_f64(ctx);
  bool fits = (is_f64 || real == echo_type_f32(ctx)) && rank >= 2 && op->results[0].type == sides &&
              echo_op_operand_type(op, 1) == diagonal && echo_op_operand_type(op, 2) == diagonal &&
              echo_type_rank(diagonal) == rank - 1 && echo_type_element(diagonal) == element;
  *s = (System){.n_matrices = 1,
                .epsilon = is_f64 ? DBL_EPSILON : (double)FLT_EPSILON,
                .least = is_f64 ? DBL_MIN : (double)FLT_MIN,
                .greatest = 1 / (is_f64 ? DBL_MIN : (double)FLT_MIN)};
  for (size_t d = 0; fits && d + 1 < rank; d++) {
    fits = echo_type_dim(diagonal, d) == echo_type_dim(sides, d);
    s->n_matrices *= d + 2 < rank ? echo_type_dim(sides, d) : 1;
  }
  if (!fits)
    return false;
  s->n_rows = echo_type_dim(sides, rank - 2);
  s->n_sides = echo_type_dim(sides, rank - 1);
  s->scalars = echo_hlo_tensor(ctx, &s->n_matrices, 1, element);
  s->reals = echo_hlo_tensor(ctx, &s->n_matrices, 1, real);
  return true;
}

static bool lower_call(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  System s;
  if (!echo_str_is(echo_op_attr_string(op, "call_target_name"),
                   "tridiagonal_solve_perturbed_ffi") ||
      !read_system(b->ctx, op, &s))
    return false;
  const size_t rank = echo_type_rank(op->results[0].type);
  if (s.n_sides > 1 && !(lies_by_columns(op, "operand_layouts", 3, rank) &&
                         lies_by_columns(op, "result_layouts", 0, rank)))
    return false;
  results[0] = echo_op_operand(op, 3);
  const EchoType *type = results[0]->type;
  if (s.n_matrices == 0 || s.n_rows == 0 || s.n_sides == 0)
    return true;
  const int64_t dims[] = {s.n_matrices, s.n_rows, s.n_sides};
  EchoValue *values[N_CARRIED];
  for (uint32_t i = 0; i < 3; i++)
    values[i] = echo_hlo_reshape(b, echo_op_operand(op, i), dims, 2);
  /* The last row has nothing above the diagonal, whatever stands there. */
  const EchoType *whole = values[UPPER]->type;
  EchoValue *place = echo_hlo_iota(
      b, echo_hlo_tensor(b->ctx, dims, 2, echo_type_integer(b->ctx, 32, ECHO_SIGNLESS)), 1);
  EchoValue *is_last = echo_hlo_compare(b, ECHO_COMPARE_EQ, place,
                                        echo_hlo_constant_i64(b, place->type, s.n_rows - 1));
  values[SECOND] = echo_chlo_zeros(b, whole);
  values[UPPER] = echo_hlo_select(b, is_last, values[SECOND], values[UPPER]);
  values[SIDES] = echo_hlo_reshape(b, results[0], dims, 3);
  results[0] =
      echo_hlo_reshape(b, solve(b, &s, values), type->as.shaped.dims, echo_type_rank(type));
  return true;
}

static bool lower_tridiagonal_call(EchoRewriter *rewriter, EchoOp *op)
{
  return echo_replace_call(rewriter, op, lower_call);
}

const EchoPattern ECHO_TRIDIAGONAL_CALLS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_tridiagonal_call, "two loops"},
};
const size_t ECHO_N_TRIDIAGONAL_CALLS_PATTERNS =
    sizeof ECHO_TRIDIAGONAL_CALLS_PATTERNS / sizeof ECHO_TRIDIAGONAL_CALLS_PATTERNS[0];
