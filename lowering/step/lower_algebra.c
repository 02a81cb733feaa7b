/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --lower-algebra: cholesky and triangular_solve become calls of LAPACK. It runs behind
 * --differentiate, whose rules need the whole ops. What lies by rows is, by columns, its transpose;
 * so nothing is moved: the triangle and the side are the other ones. */
#include <math.h>

#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"

static EchoNamedAttr character(EchoContext *ctx, const char *name, char c)
{
  return (EchoNamedAttr){echo_str(name), echo_attr_i32(ctx, c)};
}

static bool flag(const EchoOp *op, const char *name)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, name);
  return attr != NULL && attr->as.integer.value != 0;
}

/* What LAPACK computes in: halves go through f32 and are rounded once. */
static const EchoType *work_type(EchoContext *ctx, const EchoType *type)
{
  const EchoType *element = type->as.shaped.element;
  if (element->kind == ECHO_TYPE_FLOAT && echo_type_element_kind(type) != ECHO_ELEMENT_F64)
    element = echo_type_f32(ctx);
  return echo_hlo_tensor(ctx, type->as.shaped.dims, echo_type_rank(type), element);
}

/* The letter of LAPACK's name for it; 0: none. */
static char letter_of(const EchoType *type)
{
  const EchoType *element = type->as.shaped.element;
  bool is_complex = element->kind == ECHO_TYPE_COMPLEX;
  const EchoType *part = is_complex ? element->as.shaped.element : element;
  if (part->kind != ECHO_TYPE_FLOAT || echo_type_bit_width(part) < (is_complex ? 32 : 16))
    return 0;
  if (echo_type_bit_width(part) == 64)
    return is_complex ? 'z' : 'd';
  return is_complex ? 'c' : 's';
}

/* The call of this routine on the op's operands. */
static bool call(EchoBuilder *b, const EchoOp *op, const char *name, const EchoAttr *dictionary,
                 const EchoType *const *types, size_t n_types, EchoValue **results)
{
  const EchoType *type = echo_op_result_type(op, 0);
  char letter = letter_of(type);
  if (letter == 0)
    return echo_op_error(op, "is not computed for '%s'", echo_type_text(b->ctx, type));
  EchoBuffer target = {0};
  echo_buffer_printf(&target, "lapack_%c%s_ffi", letter, name);
  const EchoLapackRoutine *routine = echo_lapack_routine_or_null(echo_buffer_str(&target), &letter);
  echo_buffer_destroy(&target);
  EchoValue *operands[2] = {NULL};
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = echo_hlo_convert(b, echo_op_operand(op, i), types[0]->as.shaped.element);
  const EchoLapackCall made = {op, dictionary, operands, types, op->n_operands, n_types};
  return echo_lapack_build(b, routine, letter, &made, results);
}

static EchoValue *filled_like(EchoBuilder *b, EchoValue *like, double value)
{
  const EchoType *element = like->type->as.shaped.element;
  if (element->kind != ECHO_TYPE_COMPLEX)
    return echo_hlo_constant_like(b, like, value);
  const EchoType *part = echo_hlo_tensor(b->ctx, like->type->as.shaped.dims,
                                         echo_type_rank(like->type), element->as.shaped.element);
  EchoValue *both = echo_hlo_constant_f64(b, part, value);
  return echo_hlo_complex(b, both, both);
}

/* Zeros outside of the triangle; NaN throughout a matrix that is not positive definite. */
static EchoValue *clean(EchoBuilder *b, EchoValue *factor, EchoValue *info, bool is_lower)
{
  int64_t dims[ECHO_MAX_RANK], batch[ECHO_MAX_RANK], rank = echo_type_rank(factor->type);
  for (int64_t i = 0; i < rank; i++) {
    dims[i] = echo_type_dim(factor->type, (size_t)i);
    batch[i] = i;
  }
  const EchoType *index =
      echo_hlo_tensor(b->ctx, dims, (size_t)rank, echo_type_integer(b->ctx, 32, ECHO_SIGNLESS));
  EchoValue *inside =
      echo_hlo_compare(b, is_lower ? ECHO_COMPARE_GE : ECHO_COMPARE_LE,
                       echo_hlo_iota(b, index, rank - 2), echo_hlo_iota(b, index, rank - 1));
  factor = echo_hlo_select(b, inside, factor, filled_like(b, factor, 0));
  EchoValue *spread = echo_hlo_broadcast_in_dim(b, info, index, batch, (size_t)rank - 2);
  EchoValue *fine =
      echo_hlo_compare(b, ECHO_COMPARE_EQ, spread, echo_hlo_constant_like(b, spread, 0));
  return echo_hlo_select(b, fine, factor, filled_like(b, factor, (double)NAN));
}

static bool lower_cholesky(EchoOp *op)
{
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  const EchoType *type = work_type(b.ctx, echo_op_result_type(op, 0));
  bool is_lower = flag(op, "lower");
  EchoNamedAttr entry = character(b.ctx, "uplo", is_lower ? 'U' : 'L');
  const EchoType *types[] = {type,
                             echo_hlo_tensor(b.ctx, type->as.shaped.dims, echo_type_rank(type) - 2,
                                             echo_type_integer(b.ctx, 32, ECHO_SIGNLESS))};
  EchoValue *results[2];
  if (!call(&b, op, "potrf", echo_attr_dictionary(b.ctx, &entry, 1), types, 2, results))
    return false;
  echo_value_replace_all_uses(echo_op_result(op, 0),
                              echo_hlo_convert(&b, clean(&b, results[0], results[1], is_lower),
                                               echo_type_element(echo_op_result_type(op, 0))));
  return true;
}

static bool lower_triangular_solve(EchoOp *op)
{
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  EchoTransposeKind kind = echo_stablehlo_transpose_kind(op);
  EchoNamedAttr entries[] = {
      character(b.ctx, "side", flag(op, "left_side") ? 'R' : 'L'),
      character(b.ctx, "uplo", flag(op, "lower") ? 'U' : 'L'),
      character(b.ctx, "trans_x",
                kind == ECHO_NO_TRANSPOSE ? 'N'
                : kind == ECHO_ADJOINT    ? 'C'
                                          : 'T'),
      character(b.ctx, "diag", flag(op, "unit_diagonal") ? 'U' : 'N'),
  };
  const EchoType *type = work_type(b.ctx, echo_op_result_type(op, 0));
  EchoValue *result;
  if (!call(&b, op, "trsm", echo_attr_dictionary(b.ctx, entries, 4), &type, 1, &result))
    return false;
  echo_value_replace_all_uses(
      echo_op_result(op, 0),
      echo_hlo_convert(&b, result, echo_type_element(echo_op_result_type(op, 0))));
  return true;
}

bool echo_lapack_lower_algebra(EchoOp *op)
{
  return echo_op_is(op, "stablehlo.cholesky") ? lower_cholesky(op) : lower_triangular_solve(op);
}

static bool run(EchoPassRun *pass)
{
  uint64_t n = 0;
  bool ok = true;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    if (!echo_op_is(op, "stablehlo.cholesky") && !echo_op_is(op, "stablehlo.triangular_solve"))
      continue;
    n++;
    bool lowered = echo_lapack_lower_algebra(op);
    if (lowered)
      echo_op_erase(op);
    ok &= lowered;
  }
  echo_pass_count(pass, "lowered", n);
  pass->keeps_all = n == 0;
  return ok;
}

static const EchoPassStatistic STATISTICS[] = {{"lowered", "ops that are calls now"}, {NULL, NULL}};

const EchoPass ECHO_PASS_LOWER_ALGEBRA = {
    .name = "lower-algebra",
    .summary = "cholesky and triangular_solve become calls of LAPACK",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
