/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* chlo's special functions and those on bit patterns. The special functions are computed in f64 and
 * rounded once, so f32, f16 and bf16 are within 1 ULP but beside a zero, where the error is
 * absolute. In f64, largest error measured against 40 digits: lgamma 32 and digamma 8 ULP of the
 * larger of the result and 1; of the result bessel_i1e 9 ULP, zeta 32 and polygamma 64 ULP for x up
 * to 10 (orders up to 9; 1e-12 at 30). zeta and polygamma of arguments below -16 are NaN. Sources:
 * Abramowitz and Stegun 6.1.41 (Stirling's series), 6.1.17 and 6.3.7 (reflection), 6.3.18
 * (digamma), 23.2 (zeta, by Euler and Maclaurin), 9.6 (Bessel functions, as Chebyshev series). */
#include <math.h>

#include "lowering/model/chlo_to_stablehlo_t.h"

typedef EchoBuilder B;
typedef EchoValue V;

#define PI 3.14159265358979323846
#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static V *equals(B *b, V *x, V *y)
{
  return echo_hlo_compare(b, ECHO_COMPARE_EQ, x, y);
}

/* ---- the gamma function ---- */

enum { N_STEPS = 10 }; /* arguments are raised to N_STEPS and above by the recurrence */

/* tan or log of |sin| of pi x for x < 1/2, from the distance r to the nearest integer, |r| <= 1/2:
 * exact, and signed as sin(pi x) cos(pi x) is. */
static V *to_nearest(B *b, V *x)
{
  return echo_hlo_subtract(b, x, echo_hlo_round_nearest_even(b, x));
}

/* log |gamma(z)| for z >= 1/2: Stirling's series at z + n, less the logarithm of z (z + 1) … (z + n
 * - 1). */
static V *lgamma_right(B *b, V *z)
{
  /* B(2k) / (2k (2k - 1)), from k = 9 down */
  static const double series[] = {43867.0 / 244188, -3617.0 / 122400, 1.0 / 156,
                                  -691.0 / 360360,  1.0 / 1188,       -1.0 / 1680,
                                  1.0 / 1260,       -1.0 / 360,       1.0 / 12};
  V *product = echo_chlo_number(b, z, 1), *at = z;
  for (int i = 0; i < N_STEPS; i++) {
    V *is_low = echo_chlo_less(b, at, N_STEPS);
    product = echo_hlo_select(b, is_low, echo_hlo_multiply(b, product, at), product);
    at = echo_hlo_select(b, is_low, echo_chlo_shift(b, at, 1), at);
  }
  V *inverse = echo_hlo_divide(b, echo_chlo_number(b, at, 1), at);
  V *tail = echo_hlo_multiply(
      b, inverse, ECHO_CHLO_POLYNOMIAL(b, echo_hlo_multiply(b, inverse, inverse), series));
  /* (at - 1/2) (log(at) - 1) - 1/2 + log(2 pi) / 2 does not overflow before the result does */
  V *body = echo_hlo_multiply(b, echo_chlo_shift(b, at, -0.5),
                              echo_chlo_shift(b, echo_hlo_log(b, at), -1));
  V *sum = echo_chlo_shift(b, echo_hlo_add(b, body, tail), 0.41893853320467274178);
  return echo_hlo_subtract(b, sum, echo_hlo_log(b, product));
}

/* x where it is on the left; elsewhere a number at which reflections are finite, and so are their
 * derivatives, which a branch not taken multiplies by 0. */
static V *left_or_plain(B *b, V *is_left, V *x)
{
  return echo_hlo_select(b, is_left, x, echo_chlo_number(b, x, 0.25));
}

/* log |gamma(x)| = log(pi / |sin(pi x)|) - log gamma(1 - x) */
static V *lgamma_of(B *b, V *x)
{
  V *is_left = echo_chlo_less(b, x, 0.5), *one = echo_chlo_number(b, x, 1);
  V *right = lgamma_right(b, echo_hlo_select(b, is_left, echo_hlo_subtract(b, one, x), x));
  V *on_left = left_or_plain(b, is_left, x);
  V *sine = echo_hlo_abs(b, echo_hlo_sine(b, echo_chlo_scale(b, to_nearest(b, on_left), PI)));
  V *left = echo_hlo_subtract(
      b, echo_hlo_subtract(b, echo_chlo_number(b, x, 1.1447298858494001741), echo_hlo_log(b, sine)),
      right);
  /* beside 0 it is -log |x|; pi x would lose the digits of a subnormal x */
  V *size = echo_hlo_abs(b, on_left);
  left = echo_hlo_select(b, echo_chlo_less(b, size, 0x1p-60),
                         echo_hlo_negate(b, echo_hlo_log(b, size)), left);
  V *result = echo_hlo_select(b, is_left, left, right);
  V *infinity = echo_chlo_number(b, x, INFINITY);
  V *is_pole = equals(b, sine, echo_chlo_number(b, x, 0)); /* and where all numbers are whole */
  result = echo_hlo_select(b, echo_hlo_and(b, is_left, is_pole), infinity, result);
  return echo_hlo_select(b, equals(b, echo_hlo_abs(b, x), infinity), infinity, result);
}

/* The derivative of log gamma for z >= 1/2. */
static V *digamma_right(B *b, V *z)
{
  /* B(2k) / (2k), from k = 9 down */
  static const double series[] = {43867.0 / 14364, -3617.0 / 8160, 1.0 / 12,
                                  -691.0 / 32760,  1.0 / 132,      -1.0 / 240,
                                  1.0 / 252,       -1.0 / 120,     1.0 / 12};
  V *sum = echo_chlo_number(b, z, 0), *at = z, *one = echo_chlo_number(b, z, 1);
  for (int i = 0; i < N_STEPS; i++) {
    V *is_low = echo_chlo_less(b, at, N_STEPS);
    sum = echo_hlo_select(b, is_low, echo_hlo_add(b, sum, echo_hlo_divide(b, one, at)), sum);
    at = echo_hlo_select(b, is_low, echo_chlo_shift(b, at, 1), at);
  }
  V *inverse = echo_hlo_divide(b, one, at), *square = echo_hlo_multiply(b, inverse, inverse);
  V *tail = echo_hlo_add(b, echo_chlo_scale(b, inverse, 0.5),
                         echo_hlo_multiply(b, square, ECHO_CHLO_POLYNOMIAL(b, square, series)));
  return echo_hlo_subtract(b, echo_hlo_subtract(b, echo_hlo_log(b, at), tail), sum);
}

/* digamma(x) = digamma(1 - x) - pi / tan(pi x); NaN at 0 and below where x is an integer */
static V *digamma_of(B *b, V *x)
{
  V *is_left = echo_chlo_less(b, x, 0.5), *one = echo_chlo_number(b, x, 1);
  V *right = digamma_right(b, echo_hlo_select(b, is_left, echo_hlo_subtract(b, one, x), x));
  V *on_left = left_or_plain(b, is_left, x);
  V *rest = to_nearest(b, on_left), *zero = echo_chlo_number(b, x, 0);
  V *slope =
      echo_hlo_divide(b, echo_chlo_number(b, x, PI), echo_hlo_tan(b, echo_chlo_scale(b, rest, PI)));
  V *left = echo_hlo_subtract(b, right, slope);
  V *is_tiny = echo_chlo_less(b, echo_hlo_abs(b, on_left), 0x1p-60); /* beside 0 it is -1 / x */
  left = echo_hlo_select(b, is_tiny, echo_hlo_divide(b, echo_chlo_number(b, x, -1), on_left), left);
  left = echo_hlo_select(b, equals(b, rest, zero), echo_chlo_number(b, x, NAN), left);
  return echo_hlo_select(b, is_left, left, right);
}

/* ---- zeta ---- */

/* The sum of (q + k)^-x over k >= 0, x > 1: terms one by one up to q = 24, the rest by Euler and
 * Maclaurin. */
static V *zeta_of(B *b, V *x, V *q)
{
  enum { N_TERMS = 40, END = 24 };
  /* B(2k) / (2k)! as factors between terms: the k-th is B(2k) / (2k)! */
  static const double bernoulli[] = {1.0 / 12,
                                     -1.0 / 720,
                                     1.0 / 30240,
                                     -1.0 / 1209600,
                                     1.0 / 47900160,
                                     -691.0 / 1307674368000.0,
                                     1.0 / 74724249600.0,
                                     -3617.0 / 10670622842880000.0,
                                     43867.0 / 5109094217170944000.0};
  V *zero = echo_chlo_number(b, x, 0), *nan = echo_chlo_number(b, x, NAN);
  V *infinity = echo_chlo_number(b, x, INFINITY), *minus_x = echo_hlo_negate(b, x);
  V *at = q, *sum = zero;
  for (int i = 0; i < N_TERMS; i++) {
    V *is_low = echo_chlo_less(b, at, END);
    sum = echo_hlo_select(b, is_low, echo_hlo_add(b, sum, echo_hlo_power(b, at, minus_x)), sum);
    at = echo_hlo_select(b, is_low, echo_chlo_shift(b, at, 1), at);
  }
  V *power = echo_hlo_power(b, at, minus_x); /* at^-x */
  V *rest = echo_hlo_divide(b, echo_hlo_multiply(b, power, at), echo_chlo_shift(b, x, -1));
  rest = echo_hlo_add(b, rest, echo_chlo_scale(b, power, 0.5));
  /* x (x + 1) … (x + 2k) at^(-x - 2k - 1) */
  V *factor = echo_hlo_divide(b, echo_hlo_multiply(b, x, power), at);
  V *square = echo_hlo_multiply(b, at, at);
  for (size_t k = 0; k < N_OF(bernoulli); k++) {
    rest = echo_hlo_add(b, rest, echo_chlo_scale(b, factor, bernoulli[k]));
    V *rise = echo_hlo_multiply(b, echo_chlo_shift(b, x, 2.0 * (double)k + 1),
                                echo_chlo_shift(b, x, 2.0 * (double)k + 2));
    factor = echo_hlo_divide(b, echo_hlo_multiply(b, factor, rise), square);
  }
  V *result = echo_hlo_add(b, sum, rest);
  /* q at 0 or below: a pole at integers, defined elsewhere for integers x */
  V *q_is_whole = equals(b, q, echo_hlo_floor(b, q));
  V *x_is_whole = equals(b, x, echo_hlo_floor(b, x));
  V *is_left = echo_hlo_compare(b, ECHO_COMPARE_LE, q, zero);
  V *left = echo_hlo_select(b, x_is_whole, result, nan);
  left = echo_hlo_select(b, echo_chlo_less(b, q, END - N_TERMS), nan, left);
  left = echo_hlo_select(b, q_is_whole, infinity, left);
  result = echo_hlo_select(b, is_left, left, result);
  /* powers of an infinite q are 0 */
  result = echo_hlo_select(b, equals(b, q, infinity), zero, result);
  V *one = echo_chlo_number(b, x, 1);
  result = echo_hlo_select(b, echo_hlo_compare(b, ECHO_COMPARE_GT, x, one), result, nan);
  result = echo_hlo_select(b, equals(b, q, q), result, nan);
  return echo_hlo_select(b, equals(b, x, one), infinity, result);
}

/* (-1)^(n + 1) n! zeta(n + 1, x) */
static V *polygamma_of(B *b, V *n, V *x)
{
  V *zero = echo_chlo_number(b, n, 0), *nan = echo_chlo_number(b, n, NAN);
  V *is_first = equals(b, n, zero); /* digamma: zeta has its pole there */
  V *next = echo_hlo_select(b, is_first, echo_chlo_number(b, n, 2), echo_chlo_shift(b, n, 1));
  V *size = echo_hlo_multiply(b, echo_hlo_exponential(b, lgamma_of(b, next)), zeta_of(b, next, x));
  V *half = echo_chlo_scale(b, n, 0.5);
  V *is_even = equals(b, half, echo_hlo_floor(b, half));
  V *result = echo_hlo_select(b, is_even, echo_hlo_negate(b, size), size);
  result = echo_hlo_select(b, is_first, digamma_of(b, x), result);
  V *is_whole = equals(b, n, echo_hlo_floor(b, n));
  V *is_order = echo_hlo_and(b, is_whole, echo_hlo_compare(b, ECHO_COMPARE_GE, n, zero));
  return echo_hlo_select(b, is_order, result, nan);
}

/* ---- Bessel ---- */

/* e^-x I1(x) / x in T(x / 4 - 1) on [0, 8] */
static const double I1_NEAR[] = {
    2.5258718644363365482e-1,   -1.7641651835783405515e-1,  1.0264365868984709538e-1,
    -5.2945981208094991427e-2,  2.4726449030626516828e-2,   -1.0564084894626198156e-2,
    4.1564229443128881567e-3,   -1.513572450631253149e-3,   5.122859561685757729e-4,
    -1.6176081582589674559e-4,  4.7815651075500542264e-5,   -1.3273163656039435828e-5,
    3.4702513081376784767e-6,   -8.5687202646954547407e-7,  2.0032947535521352623e-7,
    -4.4450591287963280807e-8,  9.3815373864957717839e-9,   -1.8872497517228292879e-9,
    3.625590281552117037e-10,   -6.6634897235020277422e-11, 1.1736186298890901631e-11,
    -1.9839743977649437152e-12, 3.2237933659455747098e-13,  -5.0421855047279116871e-14,
    7.6006842947354069341e-15,  -1.105596947735386308e-15,  1.5536319577362004689e-16,
    -2.1114212143581660782e-17, 2.7779141127610463705e-18};
/* e^-x I1(x) sqrt(x) in T(16 / x - 1) beyond 8 */
static const double I1_FAR[] = {
    7.7857623501828012047e-1,   -9.7610974913614684078e-3,  -1.1058893876262371629e-4,
    -3.8825648088776903935e-6,  -2.5122362378702089253e-7,  -2.6314688468895195068e-8,
    -3.835380385964237022e-9,   -5.5897434621965838069e-10, -1.8974958123505412345e-11,
    3.2526035830154882386e-11,  1.4125807436613781332e-11,  2.0356285441470895072e-12,
    -7.1985517762459085121e-13, -4.0835511110921973182e-13, -2.1015418427726643131e-14,
    4.2724400167119513544e-14,  1.0420276984128802764e-14,  -3.8144030724370078086e-15,
    -1.8803547755107824426e-15, 3.3082023109209283037e-16,  2.9626289976459498959e-16,
    -3.2095259219934202765e-17, -4.6503053684893564915e-17, 4.414348323071546047e-18,
    7.5172963108423279732e-18};

/* c[0] / 2 + c[1] T1(t) + …, by Clenshaw's recurrence */
static V *chebyshev(B *b, V *t, const double *c, size_t n)
{
  V *twice = echo_chlo_scale(b, t, 2), *last = echo_chlo_number(b, t, 0), *before = last;
  for (size_t i = n - 1; i > 0; i--) {
    V *next =
        echo_chlo_shift(b, echo_hlo_subtract(b, echo_hlo_multiply(b, twice, last), before), c[i]);
    before = last;
    last = next;
  }
  return echo_chlo_shift(b, echo_hlo_subtract(b, echo_hlo_multiply(b, t, last), before), c[0] / 2);
}

static V *bessel_i1e_of(B *b, V *x)
{
  V *a = echo_hlo_abs(b, x), *eight = echo_chlo_number(b, x, 8);
  V *low = echo_hlo_minimum(b, a, eight), *high = echo_hlo_maximum(b, a, eight);
  V *near = echo_hlo_multiply(
      b, x,
      chebyshev(b, echo_chlo_shift(b, echo_chlo_scale(b, low, 0.25), -1), I1_NEAR, N_OF(I1_NEAR)));
  V *t = echo_chlo_shift(b, echo_hlo_divide(b, echo_chlo_number(b, x, 16), high), -1);
  V *far = echo_hlo_divide(b, chebyshev(b, t, I1_FAR, N_OF(I1_FAR)), echo_hlo_sqrt(b, high));
  far = echo_hlo_multiply(b, far, echo_hlo_sign(b, x));
  return echo_hlo_select(b, echo_hlo_compare(b, ECHO_COMPARE_GT, a, eight), far, near);
}

/* ---- rows of functions computed in f64 ---- */

static bool lower_in_f64(EchoRewriter *rewriter, EchoOp *op)
{
  static const EchoChloInF64 FUNCTIONS[] = {{.op = "chlo.lgamma", .unary = lgamma_of},
                                            {.op = "chlo.digamma", .unary = digamma_of},
                                            {.op = "chlo.bessel_i1e", .unary = bessel_i1e_of},
                                            {.op = "chlo.zeta", .binary = zeta_of},
                                            {.op = "chlo.polygamma", .binary = polygamma_of}};
  return echo_chlo_lower_in_f64(rewriter, op, FUNCTIONS);
}

/* ---- bit patterns ---- */

/* A float's place among all floats as an integer: what its pattern says of the magnitude, with its
 * sign. Both zeros are 0, and denormals what they are, which a comparison of floats may flush. */
static V *place_of(B *b, V *bits, V *sign)
{
  V *zero = echo_hlo_constant_i64(b, bits->type, 0);
  V *magnitude = echo_hlo_and(b, bits, echo_hlo_not(b, sign));
  return echo_hlo_select(b, echo_hlo_compare(b, ECHO_COMPARE_LT, bits, zero),
                         echo_hlo_negate(b, magnitude), magnitude);
}

/* The pattern of |x| one up or down: magnitudes are ordered as their patterns are. */
static bool lower_next_after(EchoRewriter *rewriter, EchoOp *op)
{
  B *b = &rewriter->builder;
  V *x = echo_op_operand(op, 0), *y = echo_op_operand(op, 1);
  const EchoType *element = echo_type_element(x->type);
  if (element->kind != ECHO_TYPE_FLOAT || !echo_type_has_static_shape(x->type))
    return false;
  uint32_t width = echo_type_bit_width(element);
  const EchoType *bits_type =
      echo_type_with_element(b->ctx, x->type, echo_type_integer(b->ctx, width, ECHO_SIGNLESS));
  V *bits = echo_hlo_bitcast_convert(b, x, bits_type);
  V *zero = echo_hlo_constant_i64(b, bits_type, 0), *one = echo_hlo_constant_i64(b, bits_type, 1);
  V *sign = echo_hlo_constant_i64(b, bits_type, (int64_t)(UINT64_C(1) << (width - 1)));
  V *from = place_of(b, bits, sign);
  V *to = place_of(b, echo_hlo_bitcast_convert(b, y, bits_type), sign);
  V *grows = equals(b, echo_hlo_compare(b, ECHO_COMPARE_LT, from, to),
                    echo_hlo_compare(b, ECHO_COMPARE_GT, from, zero));
  V *moved = echo_hlo_select(b, grows, echo_hlo_add(b, bits, one), echo_hlo_subtract(b, bits, one));
  /* from 0 to the least subnormal of y's sign */
  V *is_down = echo_hlo_compare(b, ECHO_COMPARE_LT, to, zero);
  V *least = echo_hlo_or(b, one, echo_hlo_select(b, is_down, sign, zero));
  moved = echo_hlo_select(b, equals(b, from, zero), least, moved);
  V *result = echo_hlo_bitcast_convert(b, moved, x->type);
  result = echo_hlo_select(b, equals(b, from, to), y, result);
  V *both = echo_hlo_and(b, equals(b, x, x), equals(b, y, y));
  result = echo_hlo_select(b, both, result, echo_chlo_number(b, x, NAN));
  echo_rewriter_replace(rewriter, op, &result);
  return true;
}

/* The upper half of the product of two numbers of `width` bits, by halves: a = a1 2^h + a0. The
 * upper half keeps the sign, the lower one is positive. */
static V *high_by_halves(B *b, V *x, V *y, uint32_t width, bool is_unsigned)
{
  V *h = echo_hlo_constant_i64(b, x->type, width / 2);
  V *mask = echo_hlo_constant_i64(b, x->type, (INT64_C(1) << width / 2) - 1);
  V *x0 = echo_hlo_and(b, x, mask), *y0 = echo_hlo_and(b, y, mask);
#define UPPER(v)                                                                                   \
  (is_unsigned ? echo_hlo_shift_right_logical(b, (v), h)                                           \
               : echo_hlo_shift_right_arithmetic(b, (v), h))
  V *x1 = UPPER(x), *y1 = UPPER(y);
  /* x0 y0 as a pattern without sign; what is carried out of it is below 2^h */
  V *carry = echo_hlo_shift_right_logical(b, echo_hlo_multiply(b, x0, y0), h);
  V *middle = echo_hlo_add(b, echo_hlo_multiply(b, x1, y0), carry);
  V *other = echo_hlo_add(b, echo_hlo_multiply(b, x0, y1), echo_hlo_and(b, middle, mask));
  V *result = echo_hlo_add(b, echo_hlo_multiply(b, x1, y1), UPPER(middle));
  return echo_hlo_add(b, result, UPPER(other));
#undef UPPER
}

static bool lower_mulhi(EchoRewriter *rewriter, EchoOp *op)
{
  V *x = echo_op_operand(op, 0), *y = echo_op_operand(op, 1);
  const EchoType *element = echo_type_element(x->type);
  if (element->kind != ECHO_TYPE_INTEGER || element->as.integer.width < 8 ||
      !echo_type_has_static_shape(x->type))
    return false;
  V *result = high_by_halves(&rewriter->builder, x, y, element->as.integer.width,
                             element->as.integer.signedness == ECHO_UNSIGNED);
  echo_rewriter_replace(rewriter, op, &result);
  return true;
}

/* Of a real number it is the number. */
static bool lower_conj(EchoRewriter *rewriter, EchoOp *op)
{
  V *x = echo_op_operand(op, 0);
  if (echo_type_element(x->type)->kind != ECHO_TYPE_FLOAT)
    return false;
  echo_rewriter_replace(rewriter, op, &x);
  return true;
}

const EchoPattern ECHO_CHLO_SPECIAL_PATTERNS[] = {
    {"chlo.lgamma", 0, lower_in_f64, "Stirling's series and reflection"},
    {"chlo.digamma", 0, lower_in_f64, "its series and reflection"},
    {"chlo.bessel_i1e", 0, lower_in_f64, "Chebyshev series"},
    {"chlo.zeta", 0, lower_in_f64, "Euler and Maclaurin"},
    {"chlo.polygamma", 0, lower_in_f64, "zeta"},
    {"chlo.next_after", 0, lower_next_after, "one pattern up or down"},
    {"chlo.mulhi", 0, lower_mulhi, "products of halves"},
    {"chlo.conj", 0, lower_conj, "its operand"},
};
const size_t ECHO_N_CHLO_SPECIAL_PATTERNS = N_OF(ECHO_CHLO_SPECIAL_PATTERNS);
