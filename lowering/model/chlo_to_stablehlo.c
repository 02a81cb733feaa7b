/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --chlo-to-stablehlo: what JAX writes beside StableHLO, in terms of StableHLO. Where there is an
 * nn.gradient, ops that know their derivative stay until it is expanded, and the pass runs again.
 *
 * Accuracy, largest error measured against a wider format, in ULP of the result: inverse and
 * hyperbolic functions 4 (compiled for f32, the worst seen of some millions each: acosh 3.6, sinh
 * 3.5, cosh 2.9, asinh 1.9, atanh 1.8, acos and asin 1.5, atan and tan 0.5); the others say theirs
 * in their files (chlo_error.c, chlo_special.c). Source: Abramowitz and Stegun 4.6.
 */
#include <math.h>

#include "lowering/lowering.h"
#include "lowering/model/chlo_to_stablehlo_t.h"

typedef EchoBuilder B;
typedef EchoValue V;

V *echo_chlo_polynomial(B *b, V *x, const double *c, size_t n)
{
  V *sum = echo_chlo_number(b, x, c[0]);
  for (size_t i = 1; i < n; i++)
    sum = echo_chlo_shift(b, echo_hlo_multiply(b, sum, x), c[i]);
  return sum;
}

V *echo_chlo_zeros(B *b, const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  if (element->kind != ECHO_TYPE_COMPLEX)
    return echo_hlo_constant_i64(b, type, 0);
  V *part = echo_chlo_zeros(b, echo_type_with_element(b->ctx, type, element->as.shaped.element));
  return echo_hlo_complex(b, part, part);
}

bool echo_chlo_lower_in_f64(EchoRewriter *rewriter, EchoOp *op, const EchoChloInF64 *functions)
{
  const EchoType *type = echo_op_operand_type(op, 0), *element = echo_type_element(type);
  if (element->kind != ECHO_TYPE_FLOAT || !echo_type_has_static_shape(type))
    return false;
  const EchoChloInF64 *function = functions;
  while (!echo_op_is(op, function->op))
    ++function;
  B *b = &rewriter->builder;
  bool is_short = element->as.float_kind != ECHO_F64 && function->unary_f32 != NULL;
  const EchoType *computed = is_short ? echo_type_f32(b->ctx) : echo_type_f64(b->ctx);
  V *x = echo_hlo_convert(b, echo_op_operand(op, 0), computed), *y;
  if (function->binary != NULL)
    y = function->binary(b, x, echo_hlo_convert(b, echo_op_operand(op, 1), computed));
  else
    y = (is_short ? function->unary_f32 : function->unary)(b, x);
  y = echo_hlo_convert(b, y, element);
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

/* ---- inverse and hyperbolic functions ---- */

static V *acos_of(B *b, V *x)
{
  V *one = echo_chlo_number(b, x, 1);
  V *rise = echo_hlo_sqrt(
      b, echo_hlo_multiply(b, echo_hlo_subtract(b, one, x), echo_chlo_shift(b, x, 1)));
  V *angle = echo_chlo_scale(b, echo_hlo_atan2(b, rise, echo_chlo_shift(b, x, 1)), 2);
  V *is_lowest = echo_hlo_compare(b, ECHO_COMPARE_EQ, x, echo_chlo_number(b, x, -1));
  return echo_hlo_select(b, is_lowest, echo_chlo_number(b, x, 3.14159265358979323846), angle);
}

static V *asin_of(B *b, V *x)
{
  V *one = echo_chlo_number(b, x, 1);
  V *run = echo_hlo_sqrt(
      b, echo_hlo_multiply(b, echo_hlo_subtract(b, one, x), echo_chlo_shift(b, x, 1)));
  return echo_chlo_scale(b, echo_hlo_atan2(b, x, echo_chlo_shift(b, run, 1)), 2);
}

static V *atan_of(B *b, V *x)
{
  return echo_hlo_atan2(b, x, echo_chlo_number(b, x, 1));
}

static V *acosh_of(B *b, V *x)
{
  V *root = echo_hlo_multiply(b, echo_hlo_sqrt(b, echo_chlo_shift(b, x, -1)),
                              echo_hlo_sqrt(b, echo_chlo_shift(b, x, 1)));
  V *sum = echo_hlo_add(b, echo_chlo_shift(b, x, -1), root); /* about 2 x, which may overflow */
  V *far = echo_chlo_shift(b, echo_hlo_log(b, x), 0.69314718055994530942);
  V *is_large = echo_hlo_compare(b, ECHO_COMPARE_GE, sum, echo_chlo_number(b, x, INFINITY));
  return echo_hlo_select(b, is_large, far, echo_hlo_log_plus_one(b, sum));
}

static V *asinh_of(B *b, V *x)
{
  /* For large x the square would overflow: log(2 |x|). */
  V *a = echo_hlo_abs(b, x), *square = echo_hlo_multiply(b, a, a);
  V *root = echo_chlo_shift(b, echo_hlo_sqrt(b, echo_chlo_shift(b, square, 1)), 1);
  V *near = echo_hlo_log_plus_one(b, echo_hlo_add(b, a, echo_hlo_divide(b, square, root)));
  V *far = echo_chlo_shift(b, echo_hlo_log(b, a), 0.69314718055994530942);
  V *is_large = echo_hlo_compare(b, ECHO_COMPARE_GE, square, echo_chlo_number(b, x, INFINITY));
  return echo_hlo_multiply(b, echo_hlo_sign(b, x), echo_hlo_select(b, is_large, far, near));
}

static V *atanh_of(B *b, V *x)
{
  return echo_chlo_scale(b,
                         echo_hlo_subtract(b, echo_hlo_log_plus_one(b, x),
                                           echo_hlo_log_plus_one(b, echo_hlo_negate(b, x))),
                         0.5);
}

/* exp(x)/2 overflows later than exp(x): half of it is in the exponent. */
static V *half_exp(B *b, V *x)
{
  V *root = echo_hlo_exponential(b, echo_chlo_scale(b, x, 0.5));
  return echo_hlo_multiply(b, echo_chlo_scale(b, root, 0.5), root);
}

static V *cosh_of(B *b, V *x)
{
  return echo_hlo_add(b, half_exp(b, x), half_exp(b, echo_hlo_negate(b, x)));
}

static V *sinh_of(B *b, V *x)
{
  V *m = echo_hlo_exponential_minus_one(b, x);
  V *near =
      echo_chlo_scale(b, echo_hlo_add(b, m, echo_hlo_divide(b, m, echo_chlo_shift(b, m, 1))), 0.5);
  V *far = echo_hlo_subtract(b, half_exp(b, x), half_exp(b, echo_hlo_negate(b, x)));
  return echo_hlo_select(b, echo_chlo_less(b, echo_hlo_abs(b, x), 1), near, far);
}

static V *square_of(B *b, V *x)
{
  return echo_hlo_multiply(b, x, x);
}

static V *tan_of(B *b, V *x)
{
  return echo_hlo_tan(b, x);
}

static V *is_infinite(B *b, V *x, double sign)
{
  return echo_hlo_compare(b, ECHO_COMPARE_EQ, sign == 0 ? echo_hlo_abs(b, x) : x,
                          echo_chlo_number(b, x, sign == 0 ? INFINITY : sign * INFINITY));
}

static V *is_inf(B *b, V *x)
{
  return is_infinite(b, x, 0);
}

static V *is_pos_inf(B *b, V *x)
{
  return is_infinite(b, x, 1);
}

static V *is_neg_inf(B *b, V *x)
{
  return is_infinite(b, x, -1);
}

/* ---- rows ---- */

static const struct {
  const char *op;
  V *(*build)(B *, V *);
} unary_rows[] = {
    {"chlo.square", square_of},      {"chlo.acos", acos_of},
    {"chlo.asin", asin_of},          {"chlo.atan", atan_of},
    {"chlo.acosh", acosh_of},        {"chlo.asinh", asinh_of},
    {"chlo.atanh", atanh_of},        {"chlo.cosh", cosh_of},
    {"chlo.sinh", sinh_of},          {"chlo.tan", tan_of},
    {"chlo.is_inf", is_inf},         {"chlo.is_pos_inf", is_pos_inf},
    {"chlo.is_neg_inf", is_neg_inf},
};

enum { N_UNARY = sizeof unary_rows / sizeof unary_rows[0] };

static bool lower_unary(EchoRewriter *rewriter, EchoOp *op)
{
  V *x = echo_op_operand(op, 0), *y;
  const EchoType *element = echo_type_element(x->type);
  if (element->kind != ECHO_TYPE_FLOAT)
    return false;
  for (size_t i = 0; i < N_UNARY; i++) {
    if (!echo_op_is(op, unary_rows[i].op))
      continue;
    y = unary_rows[i].build(&rewriter->builder, x);
    echo_rewriter_replace(rewriter, op, &y);
    return true;
  }
  return false;
}

EchoOp *echo_chlo_sort_places(EchoBuilder *b, EchoValue *x, const EchoType *index,
                              EchoCompareDirection direction)
{
  const EchoType *element = echo_type_element(x->type);
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1;
  V *operands[] = {x, echo_hlo_iota(b, echo_type_with_element(b->ctx, x->type, index), last)};
  const EchoType *types[] = {operands[0]->type, operands[1]->type};
  const EchoAttrArg attrs[] = {{"dimension", echo_attr_i64(b->ctx, last)},
                               {"is_stable", echo_attr_bool(b->ctx, true)}};
  EchoOp *sort =
      echo_build_op_with_regions(b, "stablehlo.sort", operands, 2, types, 2, attrs, 2, 1);
  EchoBlock *body = echo_block_create(b->ctx);
  echo_region_append(&sort->regions[0], body);
  for (size_t i = 0; i < 4; i++)
    echo_block_add_arg(b->ctx, body, echo_hlo_scalar_type(b->ctx, i < 2 ? element : index), b->loc);
  B inside = echo_builder_at_end(b->ctx, body);
  bool is_float = element->kind == ECHO_TYPE_FLOAT;
  bool is_unsigned = echo_element_is_unsigned(echo_type_element_kind(x->type));
  V *before = echo_hlo_compare_as(&inside, direction,
                                  is_float      ? ECHO_COMPARE_TOTALORDER
                                  : is_unsigned ? ECHO_COMPARE_UNSIGNED
                                                : ECHO_COMPARE_SIGNED,
                                  echo_block_arg(body, 0), echo_block_arg(body, 1));
  echo_hlo_return(&inside, &before, 1);
  return sort;
}

/* The k largest of the last dimension and where they stood. */
static bool lower_top_k(EchoRewriter *rewriter, EchoOp *op)
{
  B *b = &rewriter->builder;
  V *x = echo_op_operand(op, 0);
  if (!echo_type_has_static_shape(x->type))
    return false;
  const int64_t last = (int64_t)echo_type_rank(x->type) - 1, k = echo_op_attr_i64(op, "k", 0);
  const EchoOp *sort =
      echo_chlo_sort_places(b, x, echo_type_element(echo_op_result_type(op, 1)), ECHO_COMPARE_GT);
  V *results[2];
  for (size_t i = 0; i < 2; i++)
    results[i] = echo_hlo_slice_dim(b, echo_op_result(sort, i), last, 0, k);
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* What this run rewrites with. */
typedef struct Rows {
  EchoContext *ctx;
  bool keeps_differentiable; /* an nn.gradient will ask these for their derivatives */
  EchoPattern *patterns;
  size_t n;
} Rows;

static void append(Rows *rows, const EchoPattern *more, size_t n_more)
{
  for (size_t i = 0; i < n_more; i++) {
    const EchoOpInfo *info =
        more[i].op != NULL ? echo_context_op_info_or_null(rows->ctx, echo_str(more[i].op)) : NULL;
    bool is_chlo = info != NULL && strncmp(info->name, "chlo.", 5) == 0;
    if (!rows->keeps_differentiable || !is_chlo || info->differentiate == NULL)
      rows->patterns[rows->n++] = more[i];
  }
}

static bool has_gradient(EchoOp *module)
{
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op))
    if (echo_op_is(op, "nn.gradient"))
      return true;
  return false;
}

static bool run(EchoPassRun *pass)
{
  Rows rows = {.ctx = pass->ctx, .keeps_differentiable = has_gradient(pass->op)};
  rows.patterns = ECHO_ARENA_ARRAY(
      pass->scratch, EchoPattern,
      N_UNARY + 1 + ECHO_N_CHLO_ERROR_PATTERNS + ECHO_N_CHLO_SPECIAL_PATTERNS +
          ECHO_N_CHLO_STRUCTURE_PATTERNS + ECHO_N_CHLO_SCAN_PATTERNS + ECHO_N_CHLO_RAGGED_PATTERNS +
          ECHO_N_SINGLE_PROCESS_PATTERNS + ECHO_N_STATIC_SHAPES_PATTERNS + ECHO_N_OLD_OPS_PATTERNS +
          ECHO_N_DEVICE_CALLS_PATTERNS + ECHO_N_OLD_CALLS_PATTERNS + ECHO_N_OPAQUE_CALLS_PATTERNS +
          ECHO_N_SHAPED_CALLS_PATTERNS + ECHO_N_SPARSE_CALLS_PATTERNS +
          ECHO_N_TRIDIAGONAL_CALLS_PATTERNS + ECHO_N_PROMOTED_OPERANDS_PATTERNS);
  for (size_t i = 0; i < N_UNARY; i++)
    append(&rows, &(EchoPattern){unary_rows[i].op, 0, lower_unary, "elementwise"}, 1);
  append(&rows, &(EchoPattern){"chlo.top_k", 0, lower_top_k, "a stable sort and slices"}, 1);
  append(&rows, ECHO_CHLO_ERROR_PATTERNS, ECHO_N_CHLO_ERROR_PATTERNS);
  append(&rows, ECHO_CHLO_SPECIAL_PATTERNS, ECHO_N_CHLO_SPECIAL_PATTERNS);
  append(&rows, ECHO_CHLO_STRUCTURE_PATTERNS, ECHO_N_CHLO_STRUCTURE_PATTERNS);
  append(&rows, ECHO_CHLO_SCAN_PATTERNS, ECHO_N_CHLO_SCAN_PATTERNS);
  append(&rows, ECHO_CHLO_RAGGED_PATTERNS, ECHO_N_CHLO_RAGGED_PATTERNS);
  append(&rows, ECHO_SINGLE_PROCESS_PATTERNS, ECHO_N_SINGLE_PROCESS_PATTERNS);
  append(&rows, ECHO_STATIC_SHAPES_PATTERNS, ECHO_N_STATIC_SHAPES_PATTERNS);
  append(&rows, ECHO_OLD_OPS_PATTERNS, ECHO_N_OLD_OPS_PATTERNS);
  append(&rows, ECHO_DEVICE_CALLS_PATTERNS, ECHO_N_DEVICE_CALLS_PATTERNS);
  append(&rows, ECHO_OLD_CALLS_PATTERNS, ECHO_N_OLD_CALLS_PATTERNS);
  append(&rows, ECHO_OPAQUE_CALLS_PATTERNS, ECHO_N_OPAQUE_CALLS_PATTERNS);
  append(&rows, ECHO_SHAPED_CALLS_PATTERNS, ECHO_N_SHAPED_CALLS_PATTERNS);
  append(&rows, ECHO_SPARSE_CALLS_PATTERNS, ECHO_N_SPARSE_CALLS_PATTERNS);
  append(&rows, ECHO_TRIDIAGONAL_CALLS_PATTERNS, ECHO_N_TRIDIAGONAL_CALLS_PATTERNS);
  append(&rows, ECHO_PROMOTED_OPERANDS_PATTERNS, ECHO_N_PROMOTED_OPERANDS_PATTERNS);
  const EchoRewriteOptions options = {.patterns = rows.patterns, .n_patterns = rows.n};
  uint64_t n_rewrites = 0;
  bool ok = echo_rewrite_greedily(pass->op, &options, &n_rewrites);
  echo_pass_count(pass, "lowered", n_rewrites);
  return ok;
}

static const EchoPassStatistic statistics[] = {{"lowered", "chlo ops lowered"}, {0}};

const EchoPass ECHO_PASS_CHLO_TO_STABLEHLO = {
    .name = "chlo-to-stablehlo",
    .summary = "lower chlo to stablehlo",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
