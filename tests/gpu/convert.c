/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cvt, moves that pack and unpack, and addresses of one space as those of another. */
#include <math.h>

#include "tests/gpu/half.h"
#include "tests/gpu/lanes.h"

/* ---- one value at a time, through the widest type of its kind ---- */

static int64_t integer_of(const uint8_t *lanes, unsigned register_bytes, Type type, unsigned l)
{
  uint64_t value = 0;
  memcpy(&value, lanes + (size_t)l * register_bytes, register_bytes);
  unsigned bits = type_bytes(type) * 8;
  if (bits < 64) {
    value &= (UINT64_C(1) << bits) - 1;
    if (type_is_signed(type) && (value >> (bits - 1) & 1) != 0)
      value |= ~UINT64_C(0) << bits;
  }
  return (int64_t)value;
}

static double float_of(const uint8_t *lanes, unsigned register_bytes, Type type, unsigned l)
{
  const uint8_t *at = lanes + (size_t)l * register_bytes;
  uint16_t small;
  float single;
  double value;
  switch (type) {
  case T_F16:
    memcpy(&small, at, 2);
    return half_to_double(small);
  case T_BF16:
    memcpy(&small, at, 2);
    return bfloat_to_double(small);
  case T_F64:
    memcpy(&value, at, 8);
    return value;
  default:
    memcpy(&single, at, 4);
    return single;
  }
}

static double to_integer(double value, Rounding rounding)
{
  switch (rounding) {
  case ROUND_DOWN:
    return floor(value);
  case ROUND_UP:
    return ceil(value);
  case ROUND_ZERO:
    return trunc(value);
  case ROUND_NONE:
  case ROUND_EVEN:
    break;
  }
  return nearbyint(value);
}

/* The neighbour where rounding to nearest went the wrong way. */
static float round_single(double value, Rounding rounding)
{
  float nearest = (float)value;
  if (rounding == ROUND_EVEN || rounding == ROUND_NONE || (double)nearest == value ||
      value != value)
    return nearest;
  bool is_up = rounding == ROUND_UP || (rounding == ROUND_ZERO && value < 0);
  if (is_up && (double)nearest < value)
    return nextafterf(nearest, INFINITY);
  if (!is_up && (double)nearest > value)
    return nextafterf(nearest, -INFINITY);
  return nearest;
}

static float round_tf32(double value)
{
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  if (single == single && !isinf(single))
    bits += 0x1000; /* away from zero at ties: rna */
  bits &= 0xffffe000;
  memcpy(&single, &bits, sizeof single);
  return single;
}

static void store_float(uint8_t *lanes, unsigned register_bytes, Type type, unsigned l,
                        double value, Rounding rounding)
{
  static const uint32_t SINGLE_NAN = 0x7fffffff;
  static const uint64_t DOUBLE_NAN = UINT64_C(0x7ff8000000000000);
  uint8_t *at = lanes + (size_t)l * register_bytes;
  uint16_t small = type == T_F16 ? half_from_double(value) : bfloat_from_double(value);
  float single = type == T_TF32 ? round_tf32(value) : round_single(value, rounding);
  if (type == T_F16 || type == T_BF16)
    memcpy(at, &small, 2);
  else if (type == T_F64)
    memcpy(at, value != value ? (const void *)&DOUBLE_NAN : (const void *)&value, 8);
  else
    memcpy(at, value != value ? (const void *)&SINGLE_NAN : (const void *)&single, 4);
}

/* What a float is as an integer: out of range gives the nearest end, not a number gives 0. */
static uint64_t clamp_to_integer(double value, Type type)
{
  unsigned bits = type_bytes(type) * 8;
  if (value != value)
    return bits == 64 ? UINT64_C(0x8000000000000000) : 0;
  if (type_is_signed(type)) {
    double end = ldexp(1.0, (int)bits - 1);
    if (value >= end)
      return (UINT64_C(1) << (bits - 1)) - 1;
    return value < -end ? ~UINT64_C(0) << (bits - 1) : (uint64_t)(int64_t)value;
  }
  if (value <= 0)
    return 0;
  if (value >= ldexp(1.0, (int)bits))
    return bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
  return (uint64_t)value;
}

static uint64_t saturate(int64_t value, Type from, Type to)
{
  unsigned bits = type_bytes(to) * 8;
  bool is_negative = type_is_signed(from) && value < 0;
  if (!type_is_signed(to)) {
    uint64_t most = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    return is_negative ? 0 : (uint64_t)value > most ? most : (uint64_t)value;
  }
  int64_t most = (int64_t)((UINT64_C(1) << (bits - 1)) - 1), least = -most - 1;
  if (!is_negative)
    return (uint64_t)value > (uint64_t)most ? (uint64_t)most : (uint64_t)value;
  return value < least ? (uint64_t)least : (uint64_t)value;
}

/* A register that is wider than its type takes the value with its sign. */
static void store_integer(uint8_t *lanes, unsigned register_bytes, Type type, unsigned l,
                          uint64_t value)
{
  unsigned bits = type_bytes(type) * 8;
  if (bits < 64) {
    bool is_negative = type_is_signed(type) && (value >> (bits - 1) & 1) != 0;
    value &= (UINT64_C(1) << bits) - 1;
    value |= is_negative ? ~UINT64_C(0) << bits : 0;
  }
  memcpy(lanes + (size_t)l * register_bytes, &value, register_bytes);
}

static void convert_lane(const Insn *insn, uint8_t *to, const uint8_t *from, unsigned l)
{
  Type to_type = (Type)insn->type, from_type = (Type)insn->type2;
  unsigned to_bytes = insn->r[2], from_bytes = insn->r[3];
  Rounding rounding = (Rounding)insn->rounding;
  if (type_is_float(from_type)) {
    double value = float_of(from, from_bytes, from_type, l);
    if (!type_is_float(to_type)) {
      store_integer(to, to_bytes, to_type, l,
                    clamp_to_integer(to_integer(value, rounding), to_type));
      return;
    }
    if (insn->mode != 0)
      value = to_integer(value, rounding);
    if (insn->is_saturated)
      value = value != value || value < 0 ? 0 : value > 1 ? 1 : value;
    store_float(to, to_bytes, to_type, l, value, insn->mode != 0 ? ROUND_EVEN : rounding);
    return;
  }
  int64_t value = integer_of(from, from_bytes, from_type, l);
  if (!type_is_float(to_type)) {
    store_integer(to, to_bytes, to_type, l,
                  insn->is_saturated ? saturate(value, from_type, to_type) : (uint64_t)value);
    return;
  }
  bool is_signed = type_is_signed(from_type);
  if (to_type == T_F32 && rounding == ROUND_EVEN) { /* once: 64 bits do not fit a double */
    float single = is_signed ? (float)value : (float)(uint64_t)value;
    memcpy(to + (size_t)l * to_bytes, &single, 4);
    return;
  }
  store_float(to, to_bytes, to_type, l, is_signed ? (double)value : (double)(uint64_t)value,
              rounding);
}

/* ---- the common ones, without questions in the loop ---- */

#define DIRECT(TO_TYPE, FROM_TYPE, T, F)                                                           \
  if (insn->type == TO_TYPE && insn->type2 == FROM_TYPE && insn->r[2] == sizeof(T) &&              \
      insn->r[3] == sizeof(F)) {                                                                   \
    T *d = LANES_OF(warp, insn->r[0], T);                                                          \
    const F *a = LANES_OF(warp, insn->r[1], F);                                                    \
    EACH_LANE(d[l] = (T)a[l]);                                                                     \
    return true;                                                                                   \
  }

FAST static bool convert_direct(Warp *warp, const Insn *insn, uint32_t mask)
{
  if (insn->is_saturated)
    return false;
  DIRECT(T_U64, T_U32, uint64_t, uint32_t)
  DIRECT(T_U32, T_U64, uint32_t, uint64_t)
  DIRECT(T_S64, T_S32, int64_t, int32_t)
  DIRECT(T_U16, T_U32, uint16_t, uint32_t)
  DIRECT(T_U32, T_U16, uint32_t, uint16_t)
  if (insn->rounding == ROUND_EVEN && insn->mode == 0) {
    DIRECT(T_F32, T_S32, float, int32_t)
    DIRECT(T_F32, T_U32, float, uint32_t)
    DIRECT(T_F64, T_S32, double, int32_t)
  }
  return false;
}

/* cvt.rn.bf16x2.f32 d, a, b: a above b. */
static void convert_pair(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint32_t *d = LANES_OF(warp, insn->r[0], uint32_t);
  const float *a = LANES_OF(warp, insn->r[1], float), *b = LANES_OF(warp, insn->r[4], float);
  bool is_half = insn->type == T_F16X2;
  EACH_LANE(uint16_t high = is_half ? half_from_double(a[l]) : bfloat_from_double(a[l]);
            uint16_t low = is_half ? half_from_double(b[l]) : bfloat_from_double(b[l]);
            d[l] = (uint32_t)high << 16 | low);
}

void exec_convert(Warp *warp, const Insn *insn, uint32_t mask)
{
  if (insn->type == T_F16X2 || insn->type == T_BF16X2) {
    convert_pair(warp, insn, mask);
    return;
  }
  if (convert_direct(warp, insn, mask))
    return;
  uint8_t *to = LANES_OF(warp, insn->r[0], uint8_t);
  const uint8_t *from = LANES_OF(warp, insn->r[1], uint8_t);
  EACH_LANE(convert_lane(insn, to, from, l));
}

/* ---- packing ---- */

void exec_pack(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint8_t *whole = LANES_OF(warp, insn->r[0], uint8_t);
  unsigned part = insn->width, bytes = part * insn->n;
  EACH_LANE(uint8_t value[16]; for (unsigned i = 0; i < insn->n; i++)
                memcpy(value + i * part, LANES_OF(warp, insn->r[1 + i], uint8_t) + l * part, part);
            memcpy(whole + l * bytes, value, bytes));
}

void exec_unpack(Warp *warp, const Insn *insn, uint32_t mask)
{
  const uint8_t *whole = LANES_OF(warp, insn->r[0], uint8_t);
  unsigned part = insn->width, bytes = part * insn->n;
  EACH_LANE(uint8_t value[16]; memcpy(value, whole + l * bytes, bytes);
            for (unsigned i = 0; i < insn->n; i++) if (insn->r[1 + i] != 0)
                memcpy(LANES_OF(warp, insn->r[1 + i], uint8_t) + l * part, value + i * part, part));
}

/* ---- cvta ---- */

void exec_shift_generic(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint64_t *d = LANES_OF(warp, insn->r[0], uint64_t);
  const uint64_t *a = LANES_OF(warp, insn->r[1], uint64_t);
  uint64_t window = insn->space == SPACE_SHARED  ? SHARED_WINDOW
                    : insn->space == SPACE_LOCAL ? LOCAL_WINDOW
                                                 : 0;
  uint64_t shift = insn->mode != 0 ? 0 - window : window;
  EACH_LANE(d[l] = a[l] + shift);
}
