/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* arith and math on one thread's values, for the simulator. Floats are computed in C's own types,
 * f16 and bf16 only converted, as the kernels do. */
#include <math.h>

#include "dialects/arith/arith.h"
#include "lowering/simulate/simulate_t.h"

typedef enum Code {
  ADDI,
  SUBI,
  MULI,
  SHLI,
  SHRUI,
  SHRSI,
  ANDI,
  ORI,
  XORI,
  DIVSI,
  DIVUI,
  REMSI,
  REMUI,
  MAXSI,
  MAXUI,
  MINSI,
  MINUI,
  ADDF,
  SUBF,
  MULF,
  DIVF,
  REMF,
  MAXIMUMF,
  MINIMUMF,
  MAXNUMF,
  MINNUMF,
  NEGF,
  CMPI,
  CMPF,
  SELECT,
  EXTSI,
  EXTUI,
  TRUNCI,
  INDEX_CAST,
  INDEX_CASTUI,
  BITCAST,
  SITOFP,
  UITOFP,
  FPTOSI,
  FPTOUI,
  EXTF,
  TRUNCF,
  MULUI_EXTENDED,
  ABSF,
  CEIL,
  FLOOR,
  TRUNC,
  ROUNDEVEN,
  SQRT,
  COPYSIGN,
  FMA,
  ABSI,
  CTLZ,
  CTTZ,
  CTPOP,
  N_CODES
} Code;

static const char *const NAMES[N_CODES] = {"arith.addi",
                                           "arith.subi",
                                           "arith.muli",
                                           "arith.shli",
                                           "arith.shrui",
                                           "arith.shrsi",
                                           "arith.andi",
                                           "arith.ori",
                                           "arith.xori",
                                           "arith.divsi",
                                           "arith.divui",
                                           "arith.remsi",
                                           "arith.remui",
                                           "arith.maxsi",
                                           "arith.maxui",
                                           "arith.minsi",
                                           "arith.minui",
                                           "arith.addf",
                                           "arith.subf",
                                           "arith.mulf",
                                           "arith.divf",
                                           "arith.remf",
                                           "arith.maximumf",
                                           "arith.minimumf",
                                           "arith.maxnumf",
                                           "arith.minnumf",
                                           "arith.negf",
                                           "arith.cmpi",
                                           "arith.cmpf",
                                           "arith.select",
                                           "arith.extsi",
                                           "arith.extui",
                                           "arith.trunci",
                                           "arith.index_cast",
                                           "arith.index_castui",
                                           "arith.bitcast",
                                           "arith.sitofp",
                                           "arith.uitofp",
                                           "arith.fptosi",
                                           "arith.fptoui",
                                           "arith.extf",
                                           "arith.truncf",
                                           "arith.mului_extended",
                                           "math.absf",
                                           "math.ceil",
                                           "math.floor",
                                           "math.trunc",
                                           "math.roundeven",
                                           "math.sqrt",
                                           "math.copysign",
                                           "math.fma",
                                           "math.absi",
                                           "math.ctlz",
                                           "math.cttz",
                                           "math.ctpop"};

/* ---- values ---- */

static uint32_t width_of(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(type);
}

static uint64_t mask(uint64_t value, uint32_t width)
{
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static int64_t as_signed(uint64_t value, uint32_t width)
{
  if (width >= 64)
    return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((mask(value, width) ^ sign) - sign);
}

static double to_double(const EchoType *type, uint64_t bits)
{
  return echo_float_to_f64(type->as.float_kind, bits);
}

static uint64_t from_double(const EchoType *type, double value)
{
  return echo_float_from_f64(type->as.float_kind, value);
}

/* ---- floats: f32 in float, so that each op rounds once ---- */

static double minimum(double a, double b)
{
  if (isnan(a) || isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return signbit(a) ? a : b;
  return a < b ? a : b;
}

static double maximum(double a, double b)
{
  return -minimum(-a, -b);
}

static double f64_binary(Code code, double a, double b)
{
  switch (code) {
  case ADDF:
    return a + b;
  case SUBF:
    return a - b;
  case MULF:
    return a * b;
  case DIVF:
    return a / b;
  case REMF:
    return fmod(a, b);
  case MAXIMUMF:
    return maximum(a, b);
  case MINIMUMF:
    return minimum(a, b);
  case MAXNUMF:
    return fmax(a, b);
  case MINNUMF:
    return fmin(a, b);
  default:
    return copysign(a, b);
  }
}

static double f64_unary(Code code, double a)
{
  switch (code) {
  case NEGF:
    return -a;
  case ABSF:
    return fabs(a);
  case CEIL:
    return ceil(a);
  case FLOOR:
    return floor(a);
  case TRUNC:
    return trunc(a);
  case ROUNDEVEN:
    return nearbyint(a);
  default:
    return sqrt(a);
  }
}

/* Every f32 op here is the f64 op rounded: for + - * / and sqrt double rounding is harmless, as f64
 * has more than twice f32's digits. */
static uint64_t float_result(const EchoType *type, double value)
{
  return from_double(type, value);
}

static bool compare_floats(int64_t predicate, double a, double b)
{
  bool unordered = isnan(a) || isnan(b);
  switch ((EchoCmpfPredicate)predicate) {
  case ECHO_CMPF_FALSE:
    return false;
  case ECHO_CMPF_OEQ:
    return a == b;
  case ECHO_CMPF_OGT:
    return a > b;
  case ECHO_CMPF_OGE:
    return a >= b;
  case ECHO_CMPF_OLT:
    return a < b;
  case ECHO_CMPF_OLE:
    return a <= b;
  case ECHO_CMPF_ONE:
    return !unordered && a != b;
  case ECHO_CMPF_ORD:
    return !unordered;
  case ECHO_CMPF_UEQ:
    return unordered || a == b;
  case ECHO_CMPF_UGT:
    return unordered || a > b;
  case ECHO_CMPF_UGE:
    return unordered || a >= b;
  case ECHO_CMPF_ULT:
    return unordered || a < b;
  case ECHO_CMPF_ULE:
    return unordered || a <= b;
  case ECHO_CMPF_UNE:
    return unordered || a != b;
  case ECHO_CMPF_UNO:
    return unordered;
  case ECHO_CMPF_TRUE:
    return true;
  }
  return false;
}

static bool compare_ints(int64_t predicate, uint64_t a, uint64_t b, uint32_t width)
{
  int64_t x = as_signed(a, width), y = as_signed(b, width);
  switch ((EchoCmpiPredicate)predicate) {
  case ECHO_CMPI_EQ:
    return a == b;
  case ECHO_CMPI_NE:
    return a != b;
  case ECHO_CMPI_SLT:
    return x < y;
  case ECHO_CMPI_SLE:
    return x <= y;
  case ECHO_CMPI_SGT:
    return x > y;
  case ECHO_CMPI_SGE:
    return x >= y;
  case ECHO_CMPI_ULT:
    return a < b;
  case ECHO_CMPI_ULE:
    return a <= b;
  case ECHO_CMPI_UGT:
    return a > b;
  case ECHO_CMPI_UGE:
    return a >= b;
  }
  return false;
}

/* ---- integers ---- */

static bool divide(Code code, const uint64_t *in, uint32_t width, uint64_t *out)
{
  int64_t x = as_signed(in[0], width), y = as_signed(in[1], width);
  if (in[1] == 0 || (y == -1 && x == as_signed(UINT64_C(1) << (width - 1), width) &&
                     (code == DIVSI || code == REMSI)))
    return false; /* traps */
  switch (code) {
  case DIVSI:
    *out = (uint64_t)(x / y);
    break;
  case REMSI:
    *out = (uint64_t)(x % y);
    break;
  case DIVUI:
    *out = in[0] / in[1];
    break;
  default:
    *out = in[0] % in[1];
    break;
  }
  return true;
}

static bool int_binary(Code code, const uint64_t *in, uint32_t width, uint64_t *out)
{
  int64_t x = as_signed(in[0], width), y = as_signed(in[1], width);
  switch (code) {
  case ADDI:
    *out = in[0] + in[1];
    return true;
  case SUBI:
    *out = in[0] - in[1];
    return true;
  case MULI:
    *out = in[0] * in[1];
    return true;
  case ANDI:
    *out = in[0] & in[1];
    return true;
  case ORI:
    *out = in[0] | in[1];
    return true;
  case XORI:
    *out = in[0] ^ in[1];
    return true;
  case SHLI:
    *out = in[1] < width ? in[0] << in[1] : 0;
    return in[1] < width; /* else poison */
  case SHRUI:
    *out = in[1] < width ? in[0] >> in[1] : 0;
    return in[1] < width;
  case SHRSI:
    *out = in[1] < width ? (uint64_t)(x >> in[1]) : 0;
    return in[1] < width;
  case MAXSI:
    *out = x > y ? in[0] : in[1];
    return true;
  case MINSI:
    *out = x < y ? in[0] : in[1];
    return true;
  case MAXUI:
    *out = in[0] > in[1] ? in[0] : in[1];
    return true;
  case MINUI:
    *out = in[0] < in[1] ? in[0] : in[1];
    return true;
  default:
    return divide(code, in, width, out);
  }
}

static uint64_t count(Code code, uint64_t value, uint32_t width)
{
  if (code == CTPOP)
    return (uint64_t)__builtin_popcountll(value);
  if (value == 0)
    return width;
  if (code == CTLZ)
    return (uint64_t)__builtin_clzll(value) - (64 - width);
  return (uint64_t)__builtin_ctzll(value);
}

/* ---- conversions ---- */

static bool float_to_int(Code code, double value, uint32_t width, uint64_t *out)
{
  double whole = trunc(value), limit = ldexp(1.0, (int)width - (code == FPTOSI));
  bool in_range = code == FPTOSI ? whole >= -limit && whole < limit : whole >= 0 && whole < limit;
  if (!in_range)
    return false; /* poison */
  *out = code == FPTOSI ? (uint64_t)(int64_t)whole : (uint64_t)whole;
  return true;
}

static uint64_t int_to_float(Code code, uint64_t value, uint32_t width, const EchoType *to)
{
  if (to->as.float_kind == ECHO_F32) { /* one rounding, not two */
    float f = code == SITOFP ? (float)as_signed(value, width) : (float)value;
    return from_double(to, (double)f);
  }
  return from_double(to, code == SITOFP ? (double)as_signed(value, width) : (double)value);
}

/* ---- dispatch: one function a code, so that the simulator looks the op up once ---- */

static bool evaluate(Code code, const EchoOp *op, const uint64_t *in, uint64_t *out)
{
  const EchoType *from = echo_op_operand_type(op, op->n_operands - 1);
  const EchoType *to = echo_op_result_type(op, 0);
  uint32_t width = width_of(to), from_width = width_of(from);
  bool fine = true;
  switch (code) {
  case ADDF:
  case SUBF:
  case MULF:
  case DIVF:
  case REMF:
  case MAXIMUMF:
  case MINIMUMF:
  case MAXNUMF:
  case MINNUMF:
  case COPYSIGN:
    out[0] = float_result(to, f64_binary(code, to_double(to, in[0]), to_double(to, in[1])));
    return true;
  case NEGF:
  case ABSF:
  case CEIL:
  case FLOOR:
  case TRUNC:
  case ROUNDEVEN:
  case SQRT:
    out[0] = float_result(to, f64_unary(code, to_double(to, in[0])));
    return true;
  case FMA: {
    double a = to_double(to, in[0]), b = to_double(to, in[1]), c = to_double(to, in[2]);
    bool is_f32 = to->as.float_kind == ECHO_F32;
    out[0] = from_double(to, is_f32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c));
    return true;
  }
  case CMPF:
    out[0] = compare_floats(echo_op_attr_i64(op, "predicate", 0), to_double(from, in[0]),
                            to_double(from, in[1]));
    return true;
  case CMPI:
    out[0] = compare_ints(echo_op_attr_i64(op, "predicate", 0), in[0], in[1], from_width);
    return true;
  case SELECT:
    out[0] = in[0] != 0 ? in[1] : in[2];
    return true;
  case EXTSI:
  case INDEX_CAST:
    out[0] = mask((uint64_t)as_signed(in[0], from_width), width);
    return true;
  case EXTUI:
  case TRUNCI:
  case INDEX_CASTUI:
  case BITCAST:
    out[0] = mask(in[0], width);
    return true;
  case SITOFP:
  case UITOFP:
    out[0] = int_to_float(code, in[0], from_width, to);
    return true;
  case FPTOSI:
  case FPTOUI:
    fine = float_to_int(code, to_double(from, in[0]), width, out);
    break;
  case EXTF:
  case TRUNCF:
    out[0] = from_double(to, to_double(from, in[0]));
    return true;
  case ABSI:
    out[0] = as_signed(in[0], width) < 0 ? 0 - in[0] : in[0];
    break;
  case CTLZ:
  case CTTZ:
  case CTPOP:
    out[0] = count(code, in[0], width);
    break;
  default:
    fine = int_binary(code, in, width, out);
    break;
  }
  out[0] = mask(out[0], width);
  return fine;
}

__extension__ typedef unsigned __int128 u128;

static bool mului_extended(const EchoOp *op, const uint64_t *in, uint64_t *out)
{
  uint32_t width = width_of(echo_op_result_type(op, 0));
  u128 product = (u128)in[0] * in[1];
  out[0] = mask((uint64_t)product, width);
  out[1] = mask((uint64_t)(product >> width), width);
  return true;
}

#define SCALAR(code)                                                                               \
  static bool run_##code(const EchoOp *op, const uint64_t *in, uint64_t *out)                      \
  {                                                                                                \
    return evaluate(code, op, in, out);                                                            \
  }
#define ALL_CODES(X)                                                                               \
  X(ADDI)                                                                                          \
  X(SUBI)                                                                                          \
  X(MULI)                                                                                          \
  X(SHLI)                                                                                          \
  X(SHRUI)                                                                                         \
  X(SHRSI)                                                                                         \
  X(ANDI)                                                                                          \
  X(ORI)                                                                                           \
  X(XORI)                                                                                          \
  X(DIVSI)                                                                                         \
  X(DIVUI)                                                                                         \
  X(REMSI)                                                                                         \
  X(REMUI)                                                                                         \
  X(MAXSI)                                                                                         \
  X(MAXUI)                                                                                         \
  X(MINSI)                                                                                         \
  X(MINUI)                                                                                         \
  X(ADDF)                                                                                          \
  X(SUBF)                                                                                          \
  X(MULF)                                                                                          \
  X(DIVF)                                                                                          \
  X(REMF)                                                                                          \
  X(MAXIMUMF)                                                                                      \
  X(MINIMUMF)                                                                                      \
  X(MAXNUMF)                                                                                       \
  X(MINNUMF)                                                                                       \
  X(NEGF)                                                                                          \
  X(CMPI)                                                                                          \
  X(CMPF)                                                                                          \
  X(SELECT)                                                                                        \
  X(EXTSI)                                                                                         \
  X(EXTUI)                                                                                         \
  X(TRUNCI)                                                                                        \
  X(INDEX_CAST)                                                                                    \
  X(INDEX_CASTUI)                                                                                  \
  X(BITCAST)                                                                                       \
  X(SITOFP)                                                                                        \
  X(UITOFP)                                                                                        \
  X(FPTOSI)                                                                                        \
  X(FPTOUI)                                                                                        \
  X(EXTF)                                                                                          \
  X(TRUNCF)                                                                                        \
  X(ABSF)                                                                                          \
  X(CEIL) X(FLOOR) X(TRUNC) X(ROUNDEVEN) X(SQRT) X(COPYSIGN) X(FMA) X(ABSI) X(CTLZ) X(CTTZ) X(CTPOP)
ALL_CODES(SCALAR)

EchoScalarFn *echo_simulate_scalar_or_null(const EchoOp *op)
{
#define ENTRY(code) [code] = run_##code,
  static EchoScalarFn *const FUNCTIONS[N_CODES] = {ALL_CODES(ENTRY)[MULUI_EXTENDED] =
                                                       mului_extended};
  for (int code = 0; code < N_CODES; ++code)
    if (echo_op_is(op, NAMES[code]))
      return FUNCTIONS[code];
  return NULL;
}
