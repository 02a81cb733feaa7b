/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inverse trigonometric and hyperbolic functions of a + bi, in real arithmetic.
 *
 * acos, acosh, asin and asinh share two real functions of x = |Re z| and y = |Im z|, made of the
 * distances r = |z + 1| and s = |z - 1| and their mean a, so that no difference of near numbers is
 * taken. Source: Hull, Fairgrieve, Tang, "Implementing the complex arcsine and arccosine functions
 * using exception handling", ACM TOMS 23 (1997); the factor y stands outside of the root, so that
 * its square may underflow. atanh: Kahan, "Branch cuts for complex elementary functions" (1987).
 * Signed zeros tell on which side of a cut z is.
 *
 * Accuracy: within 3 ULP of each part in f64, at the ends of the range and beside 1 too; f32 is
 * computed in f64 and rounded once.
 */
#include <float.h>
#include <math.h>

#include "lowering/model/complex_terms_t.h"

static const double LOG_2 = 0.69314718055994530942;
static const double HALF_PI = 1.57079632679489661923;

static EchoValue *shift(EchoBuilder *b, EchoValue *x, double by)
{
  return add(b, x, number(b, x, by));
}

/* |z|'s first octant, and what is too large to be squared. */
typedef struct Octant {
  EchoValue *most, *least, *ratio; /* max and min of |Re z| and |Im z|, least / most */
  EchoValue *is_large;             /* most >= sqrt(largest) / 8: 1 beside it is nothing */
} Octant;

static Octant octant_of(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  Octant o = {.most = echo_hlo_maximum(b, x, y), .least = echo_hlo_minimum(b, x, y)};
  /* of two infinities 1 */
  EchoValue *same = echo_hlo_compare(b, ECHO_COMPARE_EQ, x, y);
  o.ratio = echo_hlo_select(b, same, number(b, x, 1), quotient(b, o.least, o.most));
  o.is_large = is(b, ECHO_COMPARE_GE, o.most, sqrt(DBL_MAX) / 8);
  return o;
}

/* log |z| where it is large */
static EchoValue *log_of_large(EchoBuilder *b, Octant o)
{
  EchoValue *square = mul(b, o.ratio, o.ratio);
  return add(b, echo_hlo_log(b, o.most), scaled(b, echo_hlo_log_plus_one(b, square), 0.5));
}

/* ---- arcs: acos, acosh, asin, asinh ---- */

/* Of x, y >= 0. */
typedef struct Arc {
  EchoValue *run;  /* asin of x + iy has the real part atan2(x, run) */
  EchoValue *rise; /* and this imaginary part: acosh a */
} Arc;

static Arc arc_of(EchoBuilder *b, EchoValue *x, EchoValue *y)
{
  EchoValue *left = shift(b, x, 1), *right = shift(b, x, -1);
  EchoValue *r = echo_complex_length(b, (EchoComplex){left, y});
  EchoValue *s = echo_complex_length(b, (EchoComplex){right, y});
  EchoValue *a = scaled(b, add(b, r, s), 0.5);
  EchoValue *half_a_x = scaled(b, add(b, a, x), 0.5), *a_1 = shift(b, a, 1);
  EchoValue *r_left = add(b, r, left);   /* r + (x + 1) */
  EchoValue *s_right = add(b, s, right); /* s + (x - 1), where x > 1 */
  EchoValue *s_inner = sub(b, s, right); /* s + (1 - x), where x <= 1 */
  EchoValue *is_inside = is(b, ECHO_COMPARE_LT, x, 1), *is_outside = is(b, ECHO_COMPARE_GT, x, 1);
  EchoValue *by_left = quotient(b, y, r_left), *one = number(b, x, 1);

  /* a^2 - x^2 = (a + x) (a - x), a - x = ((r - (x + 1)) + (s - (x - 1))) / 2 */
  EchoValue *near = echo_hlo_sqrt(b, mul(b, half_a_x, add(b, mul(b, y, by_left), s_inner)));
  EchoValue *far = add(b, quotient(b, half_a_x, r_left), quotient(b, half_a_x, s_right));
  EchoValue *run = echo_hlo_select(b, is_outside, mul(b, y, echo_hlo_sqrt(b, far)), near);

  /* log1p((a - 1) + sqrt((a - 1) (a + 1))) with a - 1 of the same two differences */
  EchoValue *slopes = add(b, quotient(b, one, r_left), quotient(b, one, s_inner));
  EchoValue *inner = mul(b, y, scaled(b, mul(b, y, slopes), 0.5));
  EchoValue *inner_root = mul(b, y, echo_hlo_sqrt(b, scaled(b, mul(b, slopes, a_1), 0.5)));
  EchoValue *outer = scaled(b, add(b, mul(b, y, by_left), s_right), 0.5);
  EchoValue *outer_root = echo_hlo_sqrt(b, mul(b, outer, a_1));
  EchoValue *rise = echo_hlo_log_plus_one(
      b, echo_hlo_select(b, is_inside, add(b, inner, inner_root), add(b, outer, outer_root)));

  Octant o = octant_of(b, x, y);
  return (Arc){.run = echo_hlo_select(b, o.is_large, y, run),
               .rise = echo_hlo_select(b, o.is_large, shift(b, log_of_large(b, o), LOG_2), rise)};
}

EchoComplex echo_complex_asin(EchoBuilder *b, EchoComplex z)
{
  Arc arc = arc_of(b, echo_hlo_abs(b, z.re), echo_hlo_abs(b, z.im));
  return (EchoComplex){echo_hlo_atan2(b, z.re, arc.run), echo_complex_with_sign(b, arc.rise, z.im)};
}

/* asin(iz) / i */
EchoComplex echo_complex_asinh(EchoBuilder *b, EchoComplex z)
{
  Arc arc = arc_of(b, echo_hlo_abs(b, z.im), echo_hlo_abs(b, z.re));
  return (EchoComplex){echo_complex_with_sign(b, arc.rise, z.re), echo_hlo_atan2(b, z.im, arc.run)};
}

EchoComplex echo_complex_acos(EchoBuilder *b, EchoComplex z)
{
  Arc arc = arc_of(b, echo_hlo_abs(b, z.re), echo_hlo_abs(b, z.im));
  EchoValue *against = echo_hlo_negate(b, z.im);
  return (EchoComplex){echo_hlo_atan2(b, arc.run, z.re),
                       echo_complex_with_sign(b, arc.rise, against)};
}

/* i acos z or -i acos z, whose real part is not negative */
EchoComplex echo_complex_acosh(EchoBuilder *b, EchoComplex z)
{
  Arc arc = arc_of(b, echo_hlo_abs(b, z.re), echo_hlo_abs(b, z.im));
  return (EchoComplex){arc.rise, echo_complex_with_sign(b, echo_hlo_atan2(b, arc.run, z.re), z.im)};
}

/* ---- atanh, atan ---- */

/* log1p(4x / ((1 - x)^2 + y^2)) / 4 + i atan2(2y, (1 - x) (1 + x) - y^2) / 2, x = |Re z| */
EchoComplex echo_complex_atanh(EchoBuilder *b, EchoComplex z)
{
  EchoValue *x = echo_hlo_abs(b, z.re), *y = echo_hlo_abs(b, z.im), *square = mul(b, y, y);
  EchoValue *left = shift(b, x, 1), *right = sub(b, number(b, x, 1), x);
  EchoValue *below = add(b, mul(b, right, right), square);
  EchoValue *re = scaled(b, echo_hlo_log_plus_one(b, quotient(b, scaled(b, x, 4), below)), 0.25);
  EchoValue *im =
      scaled(b, echo_hlo_atan2(b, scaled(b, y, 2), sub(b, mul(b, right, left), square)), 0.5);

  /* beside 1 y^2 may be nothing: log(2 / y) / 2, which is right to y^2 / 8 */
  EchoValue *is_pole =
      echo_hlo_and(b, is(b, ECHO_COMPARE_EQ, x, 1), is(b, ECHO_COMPARE_LT, y, DBL_EPSILON / 2));
  EchoValue *pole = scaled(b, sub(b, number(b, y, LOG_2), echo_hlo_log(b, y)), 0.5);
  re = echo_hlo_select(b, is_pole, pole, re);

  /* far from it 1 / z: x / |z|^2 */
  Octant o = octant_of(b, x, y);
  EchoValue *circle = shift(b, mul(b, o.ratio, o.ratio), 1);
  EchoValue *part =
      echo_hlo_select(b, echo_hlo_compare(b, ECHO_COMPARE_GE, x, y), number(b, x, 1), o.ratio);
  EchoValue *far = quotient(b, quotient(b, part, circle), o.most);
  re = echo_hlo_select(b, o.is_large, far, re);
  im = echo_hlo_select(b, o.is_large, number(b, y, HALF_PI), im);
  return (EchoComplex){echo_complex_with_sign(b, re, z.re), echo_complex_with_sign(b, im, z.im)};
}

/* atanh(iz) / i */
EchoComplex echo_complex_atan(EchoBuilder *b, EchoComplex z)
{
  EchoComplex y = echo_complex_atanh(b, (EchoComplex){echo_hlo_negate(b, z.im), z.re});
  return (EchoComplex){y.im, echo_hlo_negate(b, y.re)};
}
