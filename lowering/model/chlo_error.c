/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* chlo's error functions. Largest error in ULP of the result, measured by
 * tests/unit/exec/math_ulp_test.c against a wider format: f64 erf 3, erfc 12 (below 1 it is 1 -
 * erf), erf_inv 7, of random numbers; f32, of every 61st, erf 1.5, erfc 5, erf_inv 4, by shorter
 * formulas in f32, which f16 and bf16 are rounded from. Sources: erf and erfc of f64, Cephes
 * (Moshier), ndtr.c; erf_inv, Giles, "Approximating the erfinv function" (GPU Computing Gems,
 * 2011), then Halley's steps; those of f32 are minimax fits. */
#include <math.h>

#include "lowering/model/chlo_to_stablehlo_t.h"

typedef EchoBuilder B;
typedef EchoValue V;

/* ---- for f64 ---- */

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

/* ---- for f32, which is rounded to narrower types ---- */

/* a^2 as its rounding and what that lost: the square of a number's first 12 bits is exact, and so
 * are the products with the rest (Dekker, "A floating-point technique", 1971). */
static V *rounded_square(B *b, V *a, V **lost)
{
  V *scaled = echo_chlo_scale(b, a, 4097);
  V *high = echo_hlo_subtract(b, scaled, echo_hlo_subtract(b, scaled, a));
  V *low = echo_hlo_subtract(b, a, high), *square = echo_hlo_multiply(b, a, a);
  V *twice = echo_hlo_multiply(b, echo_hlo_add(b, high, high), low);
  V *rest = echo_hlo_subtract(b, echo_hlo_multiply(b, high, high), square);
  *lost = echo_hlo_add(b, echo_hlo_add(b, rest, twice), echo_hlo_multiply(b, low, low));
  return square;
}

/* erfc(a) for a >= 3/4: e^(-a^2) times a polynomial, within 6e-9, in (a - 3) / (a + 3) up to 10.1,
 * where erfc is 0. */
static V *short_tail(B *b, V *a)
{
  static const double c[] = {-0.00054232241197853707, 0.00073440760037415909, 0.0042511487680281414,
                             -0.024397974814654895,   0.071668370434900254,   -0.15011554367683527,
                             0.24560367374582293,     -0.32623356639446409,   0.17900115221084625};
  V *bounded = echo_hlo_minimum(b, a, echo_chlo_number(b, a, 10.1)), *lost;
  V *t = echo_hlo_divide(b, echo_chlo_shift(b, bounded, -3), echo_chlo_shift(b, bounded, 3));
  V *scaled = ECHO_CHLO_POLYNOMIAL(b, t, c);
  V *square = rounded_square(b, bounded, &lost);
  V *factor = echo_hlo_subtract(b, scaled, echo_hlo_multiply(b, scaled, lost));
  return echo_hlo_multiply(b, echo_hlo_exponential(b, echo_hlo_negate(b, square)), factor);
}

/* erf(x) for |x| <= 1: x + x P(x^2), within 1.3e-9. The square is bounded, so that what is not
 * taken stays finite, and its derivative too. */
static V *short_near(B *b, V *x)
{
  static const double c[] = {7.853883567560842e-05, -0.00080102009108841589, 0.0051883286064724478,
                             -0.026853812495211255, 0.11283585165222906,     -0.37612625826355029,
                             0.128379165727491};
  V *square = echo_hlo_minimum(b, echo_hlo_multiply(b, x, x), echo_chlo_number(b, x, 1));
  return echo_hlo_add(b, x, echo_hlo_multiply(b, x, ECHO_CHLO_POLYNOMIAL(b, square, c)));
}

static V *short_erfc(B *b, V *x)
{
  V *a = echo_hlo_abs(b, x), *tail = short_tail(b, a);
  V *left = echo_hlo_subtract(b, echo_chlo_number(b, x, 2), tail);
  V *far = echo_hlo_select(b, echo_chlo_less(b, x, 0), left, tail);
  V *near = echo_hlo_subtract(b, echo_chlo_number(b, x, 1), short_near(b, x));
  return echo_hlo_select(b, echo_chlo_less(b, a, 0.75), near, far);
}

/* Beyond 1, 1 less e^P(|x|), P = log erfc within 1.1e-9 of erf; from 4 on that is 1. */
static V *short_erf(B *b, V *x)
{
  static const double c[] = {0.00018637919350378371, -0.0029476583214484879, 0.021838064081510594,
                             -0.10310675470382558,   -0.63814483269786677,   -1.1270891901765034,
                             -0.00034152302942391801};
  V *a = echo_hlo_abs(b, x), *one = echo_chlo_number(b, x, 1);
  V *bounded = echo_hlo_minimum(b, a, echo_chlo_number(b, x, 4));
  V *right =
      echo_hlo_subtract(b, one, echo_hlo_exponential(b, ECHO_CHLO_POLYNOMIAL(b, bounded, c)));
  V *far = echo_hlo_select(b, echo_chlo_less(b, x, 0), echo_hlo_negate(b, right), right);
  return echo_hlo_select(b, echo_chlo_less(b, a, 1), short_near(b, x), far);
}

/* erf_inv(x) / x in w = -log(1 - x^2) up to 5, within 6e-9, and in sqrt(w) up to 16.7, which no f32
 * below 1 passes, within 1e-8. 1 - |x| is exact where it is small. */
static V *short_erf_inv(B *b, V *x)
{
  static const double near[] = {-8.7910141600354141e-09, 2.3232621290711265e-08,
                                4.6617008134062752e-07,  -3.4627044782071295e-06,
                                -4.963345197457536e-06,  0.00021834443836792246,
                                -0.0012527418828925075,  -0.004177386779823951,
                                0.24664028615543046,     1.501409359282262};
  static const double far[] = {0.00011570369001532636,  -0.00030957221787486977,
                               -5.6776685533334303e-05, 0.0014850915454214139,
                               -0.0035974051211723948,  0.0056869738012829588,
                               -0.0076372890500205435,  0.0094452864461857891,
                               1.0016749670267975,      2.8329768012434156};
  V *one = echo_chlo_number(b, x, 1);
  V *below = echo_hlo_multiply(b, echo_hlo_subtract(b, one, x), echo_hlo_add(b, one, x));
  V *w = echo_hlo_negate(b, echo_hlo_log(b, below));
  /* bounded away from 0, where the slope of the root that is not taken would be infinite */
  V *root = echo_hlo_sqrt(b, echo_hlo_maximum(b, w, echo_chlo_number(b, w, 5)));
  V *factor = echo_hlo_select(b, echo_chlo_less(b, w, 5),
                              ECHO_CHLO_POLYNOMIAL(b, echo_chlo_shift(b, w, -2.5), near),
                              ECHO_CHLO_POLYNOMIAL(b, echo_chlo_shift(b, root, -3), far));
  V *edge = echo_hlo_multiply(b, x, echo_chlo_number(b, x, INFINITY));
  V *is_edge = echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_hlo_abs(b, x), one);
  return echo_hlo_select(b, is_edge, edge, echo_hlo_multiply(b, factor, x));
}

/* ---- rows ---- */

static bool lower(EchoRewriter *rewriter, EchoOp *op)
{
  static const EchoChloInF64 FUNCTIONS[] = {
      {.op = "chlo.erf", .unary = erf_of, .unary_f32 = short_erf},
      {.op = "chlo.erfc", .unary = erfc_of, .unary_f32 = short_erfc},
      {.op = "chlo.erf_inv", .unary = erf_inv_of, .unary_f32 = short_erf_inv}};
  return echo_chlo_lower_in_f64(rewriter, op, FUNCTIONS);
}

const EchoPattern ECHO_CHLO_ERROR_PATTERNS[] = {
    {"chlo.erf", 0, lower, "a polynomial, and the tail of erfc"},
    {"chlo.erfc", 0, lower, "a scaled polynomial"},
    {"chlo.erf_inv", 0, lower, "polynomials of a logarithm"}};
const size_t ECHO_N_CHLO_ERROR_PATTERNS =
    sizeof ECHO_CHLO_ERROR_PATTERNS / sizeof ECHO_CHLO_ERROR_PATTERNS[0];
