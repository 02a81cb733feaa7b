/* --chlo-to-stablehlo: what JAX writes beside StableHLO, in terms of StableHLO.
 *
 * Accuracy, largest error measured against a wider format, in ULP of the result:
 *   f64   erf 3, erfc 10 (below 1 it is 1 - erf), erf_inv 4
 *   f32, f16, bf16   erf, erfc and erf_inv are computed in f64 and rounded once: 1
 *   inverse and hyperbolic functions: 4, with log, log1p, atan2 and exp within 1
 * Sources: erf and erfc, Cephes (Moshier), ndtr.c; erf_inv, Giles, "Approximating the erfinv
 * function" (GPU Computing Gems, 2011), then Halley's steps; the others, Abramowitz and Stegun 4.6.
 */
#include <math.h>

#include "lowering/chlo_to_stablehlo.h"
#include "lowering/lowering.h"

typedef EchoBuilder B;
typedef EchoValue V;

V *echo_chlo_polynomial(B *b, V *x, const double *c, size_t n)
{
  V *sum = echo_chlo_number(b, x, c[0]);
  for (size_t i = 1; i < n; i++)
    sum = echo_chlo_shift(b, echo_hlo_multiply(b, sum, x), c[i]);
  return sum;
}

/* ---- error functions, in f64 ---- */

/* |x| < 1 */
static V *erf_near(B *b, V *x)
{
  static const double t[] = {9.60497373987051638749E0, 9.00260197203842689217E1,
                             2.23200534594684319226E3, 7.00332514112805075473E3,
                             5.55923013010394962768E4};
  static const double u[] = {1,
                             3.35617141647503099647E1,
                             5.21357949780152679795E2,
                             4.59432382970980127987E3,
                             2.26290000613890934246E4,
                             4.92673942608635921086E4};
  V *square = echo_hlo_multiply(b, x, x);
  return echo_hlo_divide(b, echo_hlo_multiply(b, x, ECHO_CHLO_POLYNOMIAL(b, square, t)),
                         ECHO_CHLO_POLYNOMIAL(b, square, u));
}

/* exp(-x^2) for x in f64. The square is rounded, by hundreds of ULP of the result where x is large,
 * so x is split: the square of its first 24 bits is exact. */
static V *gaussian(B *b, V *x)
{
  const EchoType *f64 = echo_type_element(x->type);
  V *high = echo_hlo_convert(b, echo_hlo_convert(b, x, echo_type_f32(b->ctx)), f64);
  V *rest = echo_hlo_multiply(b, echo_hlo_subtract(b, high, x), echo_hlo_add(b, high, x));
  V *square = echo_hlo_negate(b, echo_hlo_multiply(b, high, high));
  return echo_hlo_multiply(b, echo_hlo_exponential(b, square), echo_hlo_exponential(b, rest));
}

/* erfc(a) for a >= 1 */
static V *erfc_far(B *b, V *a)
{
  static const double p[] = {
      2.46196981473530512524E-10, 5.64189564831068821977E-1, 7.46321056442269912687E0,
      4.86371970985681366614E1,   1.96520832956077098242E2,  5.26445194995477358631E2,
      9.34528527171957607540E2,   1.02755188689515710272E3,  5.57535335369399327526E2};
  static const double q[] = {1,
                             1.32281951154744992508E1,
                             8.67072140885989742329E1,
                             3.54937778887819891062E2,
                             9.75708501743205489753E2,
                             1.82390916687909736289E3,
                             2.24633760818710981792E3,
                             1.65666309194161350182E3,
                             5.57535340817727675546E2};
  static const double r[] = {5.64189583547755073984E-1, 1.27536670759978104416E0,
                             5.01905042251180477414E0,  6.16021097993053585195E0,
                             7.40974269950448939160E0,  2.97886665372100240670E0};
  static const double s[] = {1,
                             2.26052863220117276590E0,
                             9.39603524938001434673E0,
                             1.20489539808096656605E1,
                             1.70814450747565897222E1,
                             9.60896809063285878198E0,
                             3.36907645100081516050E0};
  /* Beyond 28 erfc underflows; the bound keeps the polynomials finite. */
  V *x = echo_hlo_minimum(b, a, echo_chlo_number(b, a, 28));
  V *decay = gaussian(b, x);
  V *near = echo_hlo_divide(b, ECHO_CHLO_POLYNOMIAL(b, x, p), ECHO_CHLO_POLYNOMIAL(b, x, q));
  V *far = echo_hlo_divide(b, ECHO_CHLO_POLYNOMIAL(b, x, r), ECHO_CHLO_POLYNOMIAL(b, x, s));
  V *value = echo_hlo_multiply(b, decay, echo_hlo_select(b, echo_chlo_less(b, x, 8), near, far));
  /* minimum passes NaN on, but the polynomials' quotient may not. */
  return echo_hlo_select(b, echo_hlo_compare(b, ECHO_COMPARE_EQ, a, a), value, a);
}

static V *erf_of(B *b, V *x)
{
  V *a = echo_hlo_abs(b, x);
  V *far = echo_hlo_multiply(b, echo_hlo_sign(b, x),
                             echo_hlo_subtract(b, echo_chlo_number(b, x, 1), erfc_far(b, a)));
  return echo_hlo_select(b, echo_chlo_less(b, a, 1), erf_near(b, x), far);
}

static V *erfc_of(B *b, V *x)
{
  V *a = echo_hlo_abs(b, x), *tail = erfc_far(b, a);
  V *far = echo_hlo_select(b, echo_chlo_less(b, x, 0),
                           echo_hlo_subtract(b, echo_chlo_number(b, x, 2), tail), tail);
  V *near = echo_hlo_subtract(b, echo_chlo_number(b, x, 1), erf_near(b, x));
  return echo_hlo_select(b, echo_chlo_less(b, a, 1), near, far);
}

/* erf_inv(x) to two digits or more, w = -log(1 - x^2). Beyond w = 16 (|x| > 1 - 6e-8), where the
 * polynomials end, from erfc(y) ~ exp(-y^2) / (y sqrt pi): y^2 = v - log y, v = w + log 2 - log
 * sqrt pi. */
static V *erf_inv_start(B *b, V *x)
{
  static const double near[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                -0.00417768164,  0.246640727,    1.50140941};
  static const double far[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                               -0.00367342844,  0.00573950773,  -0.0076224613,
                               0.00943887047,   1.00167406,     2.83297682};
  V *square = echo_hlo_multiply(b, x, x);
  V *w = echo_hlo_negate(b, echo_hlo_log_plus_one(b, echo_hlo_negate(b, square)));
  /* Bounded away from 0, where the slope of the root that is not taken would be infinite. */
  V *wide =
      echo_chlo_shift(b, echo_hlo_sqrt(b, echo_hlo_maximum(b, w, echo_chlo_number(b, w, 5))), -3);
  V *factor = echo_hlo_select(b, echo_chlo_less(b, w, 5),
                              ECHO_CHLO_POLYNOMIAL(b, echo_chlo_shift(b, w, -2.5), near),
                              ECHO_CHLO_POLYNOMIAL(b, wide, far));
  V *v = echo_chlo_shift(b, echo_hlo_maximum(b, w, echo_chlo_number(b, w, 5)), 0.12078223763524522);
  V *tail = echo_hlo_sqrt(b, echo_hlo_subtract(b, v, echo_chlo_scale(b, echo_hlo_log(b, v), 0.5)));
  return echo_hlo_select(b, echo_chlo_less(b, w, 16), echo_hlo_multiply(b, factor, x),
                         echo_hlo_multiply(b, echo_hlo_sign(b, x), tail));
}

/* Two of Halley's steps on erf(y) - x, whose derivative is 2 / sqrt(pi) exp(-y^2), and the second
 * one -2 y times that: y - d / (1 + y d), d = (erf(y) - x) / derivative. */
static V *erf_inv_of(B *b, V *x)
{
  V *one = echo_chlo_number(b, x, 1), *y = erf_inv_start(b, x);
  for (int step = 0; step < 2; step++) {
    V *error = echo_hlo_select(
        b, echo_chlo_less(b, echo_hlo_abs(b, x), 0.5), echo_hlo_subtract(b, erf_of(b, y), x),
        /* Near 1 the difference is taken of the complements, which are small and exact. */
        echo_hlo_multiply(b, echo_hlo_sign(b, x),
                          echo_hlo_subtract(b, echo_hlo_subtract(b, one, echo_hlo_abs(b, x)),
                                            erfc_of(b, echo_hlo_abs(b, y)))));
    V *slope = echo_hlo_exponential(b, echo_hlo_multiply(b, y, y));
    V *newton = echo_chlo_scale(b, echo_hlo_multiply(b, error, slope), 0.5 * 1.7724538509055160273);
    V *bend = echo_chlo_shift(b, echo_hlo_multiply(b, y, newton), 1);
    y = echo_hlo_subtract(b, y, echo_hlo_divide(b, newton, bend));
  }
  V *infinity = echo_hlo_select(b, echo_chlo_less(b, x, 0), echo_chlo_number(b, x, -INFINITY),
                                echo_chlo_number(b, x, INFINITY));
  V *is_edge = echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_hlo_abs(b, x), echo_chlo_number(b, x, 1));
  return echo_hlo_select(b, is_edge, infinity, y);
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
  bool in_f64; /* computed in f64 and rounded once */
} unary_rows[] = {
    {"chlo.erf", erf_of, true},
    {"chlo.erfc", erfc_of, true},
    {"chlo.erf_inv", erf_inv_of, true},
    {"chlo.square", square_of, false},
    {"chlo.acos", acos_of, false},
    {"chlo.asin", asin_of, false},
    {"chlo.atan", atan_of, false},
    {"chlo.acosh", acosh_of, false},
    {"chlo.asinh", asinh_of, false},
    {"chlo.atanh", atanh_of, false},
    {"chlo.cosh", cosh_of, false},
    {"chlo.sinh", sinh_of, false},
    {"chlo.tan", tan_of, false},
    {"chlo.is_inf", is_inf, false},
    {"chlo.is_pos_inf", is_pos_inf, false},
    {"chlo.is_neg_inf", is_neg_inf, false},
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
    B *b = &rewriter->builder;
    if (unary_rows[i].in_f64)
      y = echo_hlo_convert(b, unary_rows[i].build(b, echo_hlo_convert(b, x, echo_type_f64(b->ctx))),
                           element);
    else
      y = unary_rows[i].build(b, x);
    echo_rewriter_replace(rewriter, op, &y);
    return true;
  }
  return false;
}

/* The k largest of the last dimension and where they stood: a stable sort by descending total
 * order. */
static bool lower_top_k(EchoRewriter *rewriter, EchoOp *op)
{
  B *b = &rewriter->builder;
  V *x = echo_op_operand(op, 0);
  uint32_t rank = echo_type_rank(x->type);
  const int64_t last = (int64_t)rank - 1, k = echo_op_attr_i64(op, "k", 0);
  const EchoType *element = echo_type_element(x->type);
  const EchoType *index = echo_type_element(echo_op_result_type(op, 1));
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
  V *before = echo_hlo_compare_as(&inside, ECHO_COMPARE_GT,
                                  is_float      ? ECHO_COMPARE_TOTALORDER
                                  : is_unsigned ? ECHO_COMPARE_UNSIGNED
                                                : ECHO_COMPARE_SIGNED,
                                  echo_block_arg(body, 0), echo_block_arg(body, 1));
  echo_hlo_return(&inside, &before, 1);
  V *results[2];
  for (size_t i = 0; i < 2; i++)
    results[i] = echo_hlo_slice_dim(b, echo_op_result(sort, i), last, 0, k);
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

static void append(EchoPattern *patterns, size_t *n, const EchoPattern *more, size_t n_more)
{
  for (size_t i = 0; i < n_more; i++)
    patterns[(*n)++] = more[i];
}

static bool run(EchoPassRun *pass)
{
  EchoPattern *patterns =
      ECHO_ARENA_ARRAY(pass->scratch, EchoPattern,
                       N_UNARY + 1 + ECHO_N_CHLO_SPECIAL_PATTERNS + ECHO_N_CHLO_STRUCTURE_PATTERNS);
  size_t n = 0;
  for (size_t i = 0; i < N_UNARY; i++)
    patterns[n++] = (EchoPattern){unary_rows[i].op, 0, lower_unary, "elementwise"};
  patterns[n++] = (EchoPattern){"chlo.top_k", 0, lower_top_k, "a stable sort and slices"};
  append(patterns, &n, ECHO_CHLO_SPECIAL_PATTERNS, ECHO_N_CHLO_SPECIAL_PATTERNS);
  append(patterns, &n, ECHO_CHLO_STRUCTURE_PATTERNS, ECHO_N_CHLO_STRUCTURE_PATTERNS);
  const EchoRewriteOptions options = {.patterns = patterns, .n_patterns = n};
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
