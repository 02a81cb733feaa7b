/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Floats. A result that is not a number is the canonical one, as the hardware gives it. */
#include <math.h>

#include "base/float_mode.h"
#include "tests/gpu/half.h"
#include "tests/gpu/lanes.h"

typedef float f32;
typedef double f64;

static inline float float_of(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float canonical_f32(float value)
{
  return value != value ? float_of(0x7fffffff) : value;
}

static inline double canonical_f64(double value)
{
  static const uint64_t BITS = UINT64_C(0x7ff8000000000000);
  double nan;
  memcpy(&nan, &BITS, sizeof nan);
  return value != value ? nan : value;
}

/* -0 is less than +0; the number wins over what is none. */
#define EXTREMA(T)                                                                                 \
  static inline T least_##T(T a, T b)                                                              \
  {                                                                                                \
    return a != a   ? canonical_##T(b)                                                             \
           : b != b ? a                                                                            \
           : a == b ? (signbit(a) ? a : b)                                                         \
                    : (a < b ? a : b);                                                             \
  }                                                                                                \
  static inline T most_##T(T a, T b)                                                               \
  {                                                                                                \
    return a != a   ? canonical_##T(b)                                                             \
           : b != b ? a                                                                            \
           : a == b ? (signbit(a) ? b : a)                                                         \
                    : (a > b ? a : b);                                                             \
  }
EXTREMA(f32)
EXTREMA(f64)

#define FLOATS(T, FMA, SQRT, FABS, COPYSIGN)                                                       \
  BINARY(add_##T, T, T, T, canonical_##T(a[l] + b[l]))                                             \
  BINARY(sub_##T, T, T, T, canonical_##T(a[l] - b[l]))                                             \
  BINARY(mul_##T, T, T, T, canonical_##T(a[l] * b[l]))                                             \
  BINARY(div_##T, T, T, T, canonical_##T(a[l] / b[l]))                                             \
  TERNARY(fma_##T, T, T, T, T, canonical_##T(FMA(a[l], b[l], c[l])))                               \
  UNARY(rcp_##T, T, T, canonical_##T((T)1 / a[l]))                                                 \
  UNARY(sqrt_##T, T, T, canonical_##T(SQRT(a[l])))                                                 \
  UNARY(neg_##T, T, T, -a[l])                                                                      \
  UNARY(abs_##T, T, T, FABS(a[l]))                                                                 \
  BINARY(copysign_##T, T, T, T, COPYSIGN(b[l], a[l]))                                              \
  BINARY(min_##T, T, T, T, least_##T(a[l], b[l]))                                                  \
  BINARY(max_##T, T, T, T, most_##T(a[l], b[l]))                                                   \
  BINARY(minnan_##T, T, T, T,                                                                      \
         a[l] != a[l] || b[l] != b[l] ? canonical_##T((T)NAN) : least_##T(a[l], b[l]))             \
  BINARY(maxnan_##T, T, T, T,                                                                      \
         a[l] != a[l] || b[l] != b[l] ? canonical_##T((T)NAN) : most_##T(a[l], b[l]))
FLOATS(f32, fmaf, sqrtf, fabsf, copysignf)
FLOATS(f64, fma, sqrt, fabs, copysign)

/* Approximations: nothing that we emit depends on their last bits, so the best is as good as any.
 */
UNARY(rsqrt_f32, f32, f32, canonical_f32((float)(1.0 / sqrt((double)a[l]))))
UNARY(rsqrt_f64, f64, f64, canonical_f64(1.0 / sqrt(a[l])))
UNARY(ex2_f32, f32, f32, canonical_f32((float)exp2((double)a[l])))
UNARY(lg2_f32, f32, f32, canonical_f32((float)log2((double)a[l])))
UNARY(sin_f32, f32, f32, canonical_f32((float)sin((double)a[l])))
UNARY(cos_f32, f32, f32, canonical_f32((float)cos((double)a[l])))
UNARY(tanh_f32, f32, f32, canonical_f32((float)tanh((double)a[l])))

#define SMALL(N, TO, FROM)                                                                         \
  BINARY(add_##N, uint16_t, uint16_t, uint16_t, FROM(TO(a[l]) + TO(b[l])))                         \
  BINARY(sub_##N, uint16_t, uint16_t, uint16_t, FROM(TO(a[l]) - TO(b[l])))                         \
  BINARY(mul_##N, uint16_t, uint16_t, uint16_t, FROM(TO(a[l]) * TO(b[l])))                         \
  TERNARY(fma_##N, uint16_t, uint16_t, uint16_t, uint16_t,                                         \
          FROM(fma_to_odd(TO(a[l]), TO(b[l]), TO(c[l]))))                                          \
  UNARY(neg_##N, uint16_t, uint16_t, a[l] ^ 0x8000)                                                \
  UNARY(abs_##N, uint16_t, uint16_t, a[l] & 0x7fff)                                                \
  BINARY(min_##N, uint16_t, uint16_t, uint16_t, FROM(least_f64(TO(a[l]), TO(b[l]))))               \
  BINARY(max_##N, uint16_t, uint16_t, uint16_t, FROM(most_f64(TO(a[l]), TO(b[l]))))                \
  BINARY(minnan_##N, uint16_t, uint16_t, uint16_t,                                                 \
         isnan(TO(a[l])) || isnan(TO(b[l])) ? 0x7fff : FROM(least_f64(TO(a[l]), TO(b[l]))))        \
  BINARY(maxnan_##N, uint16_t, uint16_t, uint16_t,                                                 \
         isnan(TO(a[l])) || isnan(TO(b[l])) ? 0x7fff : FROM(most_f64(TO(a[l]), TO(b[l]))))
SMALL(f16, half_to_double, half_from_double)
SMALL(bf16, bfloat_to_double, bfloat_from_double)

/* Two halves in a register: each as above. */
#define PAIR_OF(low, high) ((uint32_t)(low) | (uint32_t)(high) << 16)
#define PAIRS(N, TO, FROM)                                                                         \
  BINARY(add2_##N, uint32_t, uint32_t, uint32_t,                                                   \
         PAIR_OF(FROM(TO((uint16_t)a[l]) + TO((uint16_t)b[l])),                                    \
                 FROM(TO((uint16_t)(a[l] >> 16)) + TO((uint16_t)(b[l] >> 16)))))                   \
  BINARY(sub2_##N, uint32_t, uint32_t, uint32_t,                                                   \
         PAIR_OF(FROM(TO((uint16_t)a[l]) - TO((uint16_t)b[l])),                                    \
                 FROM(TO((uint16_t)(a[l] >> 16)) - TO((uint16_t)(b[l] >> 16)))))                   \
  BINARY(mul2_##N, uint32_t, uint32_t, uint32_t,                                                   \
         PAIR_OF(FROM(TO((uint16_t)a[l]) * TO((uint16_t)b[l])),                                    \
                 FROM(TO((uint16_t)(a[l] >> 16)) * TO((uint16_t)(b[l] >> 16)))))                   \
  TERNARY(fma2_##N, uint32_t, uint32_t, uint32_t, uint32_t,                                        \
          PAIR_OF(FROM(fma_to_odd(TO((uint16_t)a[l]), TO((uint16_t)b[l]), TO((uint16_t)c[l]))),    \
                  FROM(fma_to_odd(TO((uint16_t)(a[l] >> 16)), TO((uint16_t)(b[l] >> 16)),          \
                                  TO((uint16_t)(c[l] >> 16))))))
PAIRS(f16, half_to_double, half_from_double)
PAIRS(bf16, bfloat_to_double, bfloat_from_double)

/* ---- .ftz ---- */

/* The host's own mode does it to operands and to sums, products, … of floats; what picks one of its
 * operands or moves bits is flushed at the end. */
void exec_flushed(Warp *warp, const Insn *insn, uint32_t mask)
{
  EchoFloatMode before = echo_float_mode_set(true);
  insn->inner(warp, insn, mask);
  echo_float_mode_restore(before);
  uint32_t *results = LANES_OF(warp, insn->r[0], uint32_t);
  for (unsigned l = 0; l < 32 && insn->gives_f32; l++)
    if ((mask >> l & 1) != 0 && (results[l] & 0x7f800000u) == 0)
      results[l] &= 0x80000000u;
}

/* ---- questions ---- */

#define TESTS(NAME, T, EXPRESSION)                                                                 \
  static void NAME(Warp *warp, const Insn *insn, uint32_t mask)                                    \
  {                                                                                                \
    uint32_t *d = LANES_OF(warp, insn->r[0], uint32_t), bits = 0;                                  \
    const T *a = LANES_OF(warp, insn->r[1], T);                                                    \
    EACH_LANE(bits |= (uint32_t)(EXPRESSION) << l);                                                \
    *d = (*d & ~mask) | bits;                                                                      \
  }
TESTS(infinite_f32, f32, isinf(a[l]) != 0)
TESTS(infinite_f64, f64, isinf(a[l]) != 0)
TESTS(finite_f32, f32, isfinite(a[l]) != 0)
TESTS(finite_f64, f64, isfinite(a[l]) != 0)
TESTS(nan_f32, f32, a[l] != a[l])
TESTS(nan_f64, f64, a[l] != a[l])
TESTS(number_f32, f32, a[l] == a[l])
TESTS(number_f64, f64, a[l] == a[l])

/* eq, lt and gt of a and b as bits, for each way to compare. */
static uint32_t decide(Comparison comparison, uint32_t eq, uint32_t lt, uint32_t gt)
{
  uint32_t nan = ~(eq | lt | gt);
  switch (comparison) {
  case CMP_EQ:
    return eq;
  case CMP_NE:
    return lt | gt;
  case CMP_LT:
    return lt;
  case CMP_LE:
    return lt | eq;
  case CMP_GT:
    return gt;
  case CMP_GE:
    return gt | eq;
  case CMP_EQU:
    return eq | nan;
  case CMP_NEU:
    return ~eq;
  case CMP_LTU:
    return lt | nan;
  case CMP_LEU:
    return ~gt;
  case CMP_GTU:
    return gt | nan;
  case CMP_GEU:
    return ~lt;
  case CMP_NUM:
    return ~nan;
  case CMP_NAN:
    return nan;
  }
  return 0;
}

#define COMPARE(T, TO)                                                                             \
  {                                                                                                \
    const T *a = LANES_OF(warp, insn->r[2], T), *b = LANES_OF(warp, insn->r[3], T);                \
    for (unsigned l = 0; l < LANES; l++) {                                                         \
      eq |= (uint32_t)(TO(a[l]) == TO(b[l])) << l;                                                 \
      lt |= (uint32_t)(TO(a[l]) < TO(b[l])) << l;                                                  \
      gt |= (uint32_t)(TO(a[l]) > TO(b[l])) << l;                                                  \
    }                                                                                              \
  }                                                                                                \
  break

FAST void exec_set_predicate(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint32_t eq = 0, lt = 0, gt = 0;
  switch ((Type)insn->type) {
  case T_B16:
  case T_U16:
    COMPARE(uint16_t, );
  case T_S16:
    COMPARE(int16_t, );
  case T_B32:
  case T_U32:
    COMPARE(uint32_t, );
  case T_S32:
    COMPARE(int32_t, );
  case T_B64:
  case T_U64:
    COMPARE(uint64_t, );
  case T_S64:
    COMPARE(int64_t, );
  case T_F32:
    COMPARE(float, );
  case T_F64:
    COMPARE(double, );
  case T_F16:
    COMPARE(uint16_t, half_to_double);
  case T_BF16:
    COMPARE(uint16_t, bfloat_to_double);
  default:
    machine_stop(warp, insn, FAULT_BOUNDS, 0, "compares values of a type that has no order");
    return;
  }
  uint32_t result = decide((Comparison)(insn->mode & 15), eq, lt, gt), other = ~result;
  if ((insn->mode >> 4) != JOINT_NONE) {
    uint32_t c = *LANES_OF(warp, insn->r[4], uint32_t);
    c = insn->has_mask ? ~c : c;
    Joint joint = (Joint)(insn->mode >> 4);
    result = joint == JOINT_AND ? result & c : joint == JOINT_OR ? result | c : result ^ c;
    other = joint == JOINT_AND ? other & c : joint == JOINT_OR ? other | c : other ^ c;
  }
  uint32_t *p = LANES_OF(warp, insn->r[0], uint32_t), *q = LANES_OF(warp, insn->r[1], uint32_t);
  if (insn->r[0] != 0)
    *p = (*p & ~mask) | (result & mask);
  if (insn->r[1] != 0)
    *q = (*q & ~mask) | (other & mask);
}

#define ROWS_FLOAT(NAME, F)                                                                        \
  {NAME, T_F32, F##_f32},                                                                          \
  {                                                                                                \
    NAME, T_F64, F##_f64                                                                           \
  }
#define ROWS_SMALL(NAME, F)                                                                        \
  {NAME, T_F16, F##_f16},                                                                          \
  {                                                                                                \
    NAME, T_BF16, F##_bf16                                                                         \
  }
#define ROWS_PAIR(NAME, F)                                                                         \
  {NAME, T_F16X2, F##2_f16},                                                                       \
  {                                                                                                \
    NAME, T_BF16X2, F##2_bf16                                                                      \
  }
#define ROWS_ALL(NAME, F) ROWS_FLOAT(NAME, F), ROWS_SMALL(NAME, F)

const ExecRow FLOAT_ROWS[] = {
    ROWS_ALL("add", add),
    ROWS_ALL("sub", sub),
    ROWS_ALL("mul", mul),
    ROWS_ALL("fma", fma),
    ROWS_FLOAT("mad", fma),
    ROWS_PAIR("add", add),
    ROWS_PAIR("sub", sub),
    ROWS_PAIR("mul", mul),
    ROWS_PAIR("fma", fma),
    ROWS_FLOAT("div", div),
    {"div.approx", T_F32, div_f32},
    ROWS_FLOAT("rcp", rcp),
    ROWS_FLOAT("rcp.approx", rcp),
    ROWS_FLOAT("sqrt", sqrt),
    {"sqrt.approx", T_F32, sqrt_f32},
    ROWS_FLOAT("rsqrt.approx", rsqrt),
    {"ex2.approx", T_F32, ex2_f32},
    {"lg2.approx", T_F32, lg2_f32},
    {"sin.approx", T_F32, sin_f32},
    {"cos.approx", T_F32, cos_f32},
    {"tanh.approx", T_F32, tanh_f32},
    ROWS_ALL("neg", neg),
    ROWS_ALL("abs", abs),
    ROWS_FLOAT("copysign", copysign),
    ROWS_ALL("min", min),
    ROWS_ALL("max", max),
    ROWS_ALL("min.NaN", minnan),
    ROWS_ALL("max.NaN", maxnan),
    ROWS_FLOAT("testp.infinite", infinite),
    ROWS_FLOAT("testp.finite", finite),
    ROWS_FLOAT("testp.notanumber", nan),
    ROWS_FLOAT("testp.number", number),
    {NULL, T_NONE, NULL},
};
