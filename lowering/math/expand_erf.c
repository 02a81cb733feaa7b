/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* erf: a polynomial up to 1 and the scaled complement beyond, in f64; for f32 too, rounded once. */
#include "lowering/math/expand_math_t.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* erf(x) / x in x^2 on [0, 1]. */
static const double ERF_SMALL[] = {
    1.1283791670955125665,     -0.37612638903183540438,     0.11283791670945006266,
    -0.02686617064323777036,   0.0052239776071164227321,    -0.00085483259753896920806,
    0.00012055294904839707917, -0.000014924736907419660338, 1.644742470331736241e-6,
    -1.6208483801871705902e-7, 1.3720064546777685604e-8,    -7.7958988270021422416e-10};
/* erfc(x) e^(x^2) in t = (x - 2) / (x + 2) for x in [1, 6], within 3e-21. */
static const double ERFC_SCALED[] = {
    0.25539567631050574387,      -0.42718584741395839364,    0.24165819424246635596,
    -0.078978581015733120125,    0.00373289240434501641,     0.0069974617392940577287,
    -0.00084714325201339312184,  -0.00098197703026027219475, 0.000043555637774879728271,
    0.00017436123530124898046,   0.000027524819609205996368, -0.000027580465027982318302,
    -0.000013960863250756435037, 1.3934396679937149641e-6,   3.7443735332653079832e-6,
    1.1995052231035316032e-6,    -3.9035732044924441581e-7,  -5.4941441041245586764e-7,
    -1.6320658346679419048e-7,   1.8927635062490270497e-7};

static EchoValue *erf_f64(const EchoMath *m, EchoValue *x)
{
  EchoValue *one = echo_math_constant(m, 1.0), *two = echo_math_constant(m, 2.0);
  EchoValue *magnitude = echo_math_abs(m, x);
  EchoValue *small = echo_arith_binary(m->builder, "arith.minnumf", magnitude, one);
  EchoValue *inner = echo_math_mul(
      m, small,
      echo_math_polynomial(m, echo_math_mul(m, small, small), ERF_SMALL, N_OF(ERF_SMALL)));
  EchoValue *large = echo_arith_binary(
      m->builder, "arith.minnumf", echo_arith_binary(m->builder, "arith.maxnumf", magnitude, one),
      echo_math_constant(m, 6.0));
  EchoValue *t = echo_math_div(m, echo_math_sub(m, large, two), echo_math_add(m, large, two));
  EchoValue *decay = echo_expand_exp(m, echo_math_neg(m, echo_math_mul(m, large, large)));
  EchoValue *outer = echo_math_sub(
      m, one, echo_math_mul(m, decay, echo_math_polynomial(m, t, ERFC_SCALED, N_OF(ERFC_SCALED))));
  EchoValue *result = echo_math_if(m, ECHO_CMPF_OLT, magnitude, one, inner, outer);
  return echo_math_if(m, ECHO_CMPF_UNO, x, x, x, echo_math_copysign(m, result, x));
}

EchoValue *echo_expand_erf(const EchoMath *m, EchoValue *x)
{
  if (m->is_f64)
    return erf_f64(m, x);
  EchoMath wide = echo_math_of(m->builder, echo_type_f64(m->builder->ctx));
  return echo_math_narrow(m, erf_f64(&wide, echo_math_widen(m, x)));
}
