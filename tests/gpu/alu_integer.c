/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integers, bits, predicates, and moves, whose type says a width alone. */
#include "tests/gpu/lanes.h"

typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

/* Of arithmetic that wraps; W is wide enough that promotion to int does not overflow. */
#define WRAPPING(T, W)                                                                             \
  BINARY(add_##T, T, T, T, (W)a[l] + (W)b[l])                                                      \
  BINARY(sub_##T, T, T, T, (W)a[l] - (W)b[l])                                                      \
  BINARY(mul_##T, T, T, T, (W)a[l] * (W)b[l])                                                      \
  TERNARY(mad_##T, T, T, T, T, (W)a[l] * (W)b[l] + (W)c[l])                                        \
  UNARY(neg_##T, T, T, (W)0 - (W)a[l])                                                             \
  UNARY(not_##T, T, T, ~a[l])                                                                      \
  UNARY(cnot_##T, T, T, a[l] == 0)                                                                 \
  BINARY(and_##T, T, T, T, a[l] & b[l])                                                            \
  BINARY(or_##T, T, T, T, a[l] | b[l])                                                             \
  BINARY(xor_##T, T, T, T, a[l] ^ b[l])                                                            \
  BINARY(shl_##T, T, T, u32, b[l] < sizeof(T) * 8 ? (W)a[l] << b[l] : 0)                           \
  UNARY(mov_##T, T, T, a[l])
WRAPPING(u16, u32)
WRAPPING(u32, u32)
WRAPPING(u64, u64)

/* Where signed and unsigned differ. Division by zero gives all ones, as the hardware does. */
#define SIGNED(T, U)                                                                               \
  BINARY(min_##T, T, T, T, a[l] < b[l] ? a[l] : b[l])                                              \
  BINARY(max_##T, T, T, T, a[l] > b[l] ? a[l] : b[l])                                              \
  UNARY(abs_##T, T, T, a[l] < 0 ? (U)0 - (U)a[l] : (U)a[l])                                        \
  BINARY(shr_##T, T, T, u32, a[l] >> (b[l] < sizeof(T) * 8 ? b[l] : sizeof(T) * 8 - 1))            \
  BINARY(div_##T, T, T, T,                                                                         \
         b[l] == 0    ? (T)-1                                                                      \
         : b[l] == -1 ? (T)((U)0 - (U)a[l])                                                        \
                      : (T)(a[l] / b[l]))                                                          \
  BINARY(rem_##T, T, T, T, b[l] == 0 ? a[l] : b[l] == -1 ? (T)0 : (T)(a[l] % b[l]))
SIGNED(s16, u16)
SIGNED(s32, u32)
SIGNED(s64, u64)

#define UNSIGNED(T)                                                                                \
  BINARY(min_##T, T, T, T, a[l] < b[l] ? a[l] : b[l])                                              \
  BINARY(max_##T, T, T, T, a[l] > b[l] ? a[l] : b[l])                                              \
  BINARY(shr_##T, T, T, u32, b[l] < sizeof(T) * 8 ? a[l] >> b[l] : 0)                              \
  BINARY(div_##T, T, T, T, b[l] == 0 ? (T)-1 : (T)(a[l] / b[l]))                                   \
  BINARY(rem_##T, T, T, T, b[l] == 0 ? a[l] : (T)(a[l] % b[l]))
UNSIGNED(u16)
UNSIGNED(u32)
UNSIGNED(u64)

/* W holds the whole product; WU is the same without a sign, in which sums wrap. */
#define PRODUCTS(T, W, WU)                                                                         \
  BINARY(mulhi_##T, T, T, T, ((W)a[l] * (W)b[l]) >> sizeof(T) * 8)                                 \
  TERNARY(madhi_##T, T, T, T, T, (WU)(((W)a[l] * (W)b[l]) >> sizeof(T) * 8) + (WU)c[l])
PRODUCTS(u16, u32, u32)
PRODUCTS(s16, s32, u32)
PRODUCTS(u32, u64, u64)
PRODUCTS(s32, s64, u64)
PRODUCTS(u64, u128, u128)
PRODUCTS(s64, s128, u128)

#define WIDE(T, W, WU)                                                                             \
  BINARY(mulwide_##T, W, T, T, (W)a[l] * (W)b[l])                                                  \
  TERNARY(madwide_##T, W, T, T, W, (WU)((W)a[l] * (W)b[l]) + (WU)c[l])
WIDE(u16, u32, u32)
WIDE(s16, s32, u32)
WIDE(u32, u64, u64)
WIDE(s32, s64, u64)

/* ---- carries: bit l of warp->carry ---- */

#define CARRIES(T, W)                                                                              \
  static void carry_add_##T(Warp *warp, const Insn *insn, uint32_t mask, bool takes, bool gives)   \
  {                                                                                                \
    T *d = LANES_OF(warp, insn->r[0], T);                                                          \
    const T *a = LANES_OF(warp, insn->r[1], T), *b = LANES_OF(warp, insn->r[2], T);                \
    uint32_t carry = warp->carry;                                                                  \
    EACH_LANE(W sum = (W)a[l] + (W)b[l] + (takes ? carry >> l & 1 : 0); d[l] = (T)sum;             \
              if (gives) warp->carry =                                                             \
                  (warp->carry & ~(1u << l)) | (uint32_t)(sum >> sizeof(T) * 8 & 1) << l);         \
  }                                                                                                \
  static void carry_sub_##T(Warp *warp, const Insn *insn, uint32_t mask, bool takes, bool gives)   \
  {                                                                                                \
    T *d = LANES_OF(warp, insn->r[0], T);                                                          \
    const T *a = LANES_OF(warp, insn->r[1], T), *b = LANES_OF(warp, insn->r[2], T);                \
    uint32_t carry = warp->carry;                                                                  \
    EACH_LANE(W sum = (W)a[l] - (W)b[l] - (takes ? carry >> l & 1 : 0); d[l] = (T)sum;             \
              if (gives) warp->carry =                                                             \
                  (warp->carry & ~(1u << l)) | (uint32_t)(sum >> sizeof(T) * 8 & 1) << l);         \
  }                                                                                                \
  static void addcc_##T(Warp *w, const Insn *i, uint32_t m)                                        \
  {                                                                                                \
    carry_add_##T(w, i, m, false, true);                                                           \
  }                                                                                                \
  static void addc_##T(Warp *w, const Insn *i, uint32_t m)                                         \
  {                                                                                                \
    carry_add_##T(w, i, m, true, false);                                                           \
  }                                                                                                \
  static void addccc_##T(Warp *w, const Insn *i, uint32_t m)                                       \
  {                                                                                                \
    carry_add_##T(w, i, m, true, true);                                                            \
  }                                                                                                \
  static void subcc_##T(Warp *w, const Insn *i, uint32_t m)                                        \
  {                                                                                                \
    carry_sub_##T(w, i, m, false, true);                                                           \
  }                                                                                                \
  static void subc_##T(Warp *w, const Insn *i, uint32_t m)                                         \
  {                                                                                                \
    carry_sub_##T(w, i, m, true, false);                                                           \
  }                                                                                                \
  static void subccc_##T(Warp *w, const Insn *i, uint32_t m)                                       \
  {                                                                                                \
    carry_sub_##T(w, i, m, true, true);                                                            \
  }
CARRIES(u32, u64)
CARRIES(u64, u128)

/* ---- bits ---- */

static u64 field(u64 value, u32 position, u32 length, unsigned bits, bool is_signed)
{
  position &= 0xff;
  length &= 0xff;
  u64 top = position + length <= bits && length != 0 ? position + length - 1 : bits - 1;
  bool sign = is_signed && length != 0 && (value >> top & 1) != 0;
  u64 low = position < bits ? value >> position : 0;
  u64 kept = length >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << length) - 1;
  u64 there = position < bits && bits - position < 64 ? (UINT64_C(1) << (bits - position)) - 1
                                                      : ~UINT64_C(0);
  if (position >= bits)
    there = 0;
  return (low & kept & there) | (sign ? ~(kept & there) : 0);
}

static u64 insert(u64 a, u64 b, u32 position, u32 length, unsigned bits)
{
  position &= 0xff;
  length &= 0xff;
  if (position >= bits || length == 0)
    return b;
  u64 kept = (length >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << length) - 1) << position;
  return (b & ~kept) | (a << position & kept);
}

TERNARY(bfe_u32, u32, u32, u32, u32, field(a[l], b[l], c[l], 32, false))
TERNARY(bfe_s32, u32, u32, u32, u32, field(a[l], b[l], c[l], 32, true))
TERNARY(bfe_u64, u64, u64, u32, u32, field(a[l], b[l], c[l], 64, false))
TERNARY(bfe_s64, u64, u64, u32, u32, field(a[l], b[l], c[l], 64, true))

#define INSERT(T, BITS)                                                                            \
  static void bfi_##T(Warp *warp, const Insn *insn, uint32_t mask)                                 \
  {                                                                                                \
    T *d = LANES_OF(warp, insn->r[0], T);                                                          \
    const T *a = LANES_OF(warp, insn->r[1], T), *b = LANES_OF(warp, insn->r[2], T);                \
    const u32 *c = LANES_OF(warp, insn->r[3], u32), *n = LANES_OF(warp, insn->r[4], u32);          \
    EACH_LANE(d[l] = (T)insert(a[l], b[l], c[l], n[l], BITS));                                     \
  }
INSERT(u32, 32)
INSERT(u64, 64)

static u64 reverse(u64 value, unsigned bits)
{
  u64 reversed = 0;
  for (unsigned i = 0; i < bits; i++)
    reversed |= (value >> i & 1) << (bits - 1 - i);
  return reversed;
}

UNARY(brev_u32, u32, u32, reverse(a[l], 32))
UNARY(brev_u64, u64, u64, reverse(a[l], 64))
UNARY(popc_u32, u32, u32, __builtin_popcount(a[l]))
UNARY(popc_u64, u32, u64, __builtin_popcountll(a[l]))
UNARY(clz_u32, u32, u32, a[l] == 0 ? 32 : __builtin_clz(a[l]))
UNARY(clz_u64, u32, u64, a[l] == 0 ? 64 : __builtin_clzll(a[l]))
UNARY(bfind_u32, u32, u32, a[l] == 0 ? -1 : 31 - __builtin_clz(a[l]))
UNARY(bfind_u64, u32, u64, a[l] == 0 ? -1 : 63 - __builtin_clzll(a[l]))

static u32 permute(u32 a, u32 b, u32 selector)
{
  u64 both = (u64)b << 32 | a;
  u32 result = 0;
  for (unsigned i = 0; i < 4; i++) {
    u32 which = selector >> i * 4 & 0xf;
    u32 byte = (u32)(both >> (which & 7) * 8) & 0xff;
    if ((which & 8) != 0)
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << i * 8;
  }
  return result;
}

TERNARY(prmt_u32, u32, u32, u32, u32, permute(a[l], b[l], c[l]))
TERNARY(shf_lw, u32, u32, u32, u32, ((u64)b[l] << 32 | a[l]) << (c[l] & 31) >> 32)
TERNARY(shf_rw, u32, u32, u32, u32, ((u64)b[l] << 32 | a[l]) >> (c[l] & 31))
TERNARY(shf_lc, u32, u32, u32, u32, c[l] >= 32 ? (u64)a[l] : ((u64)b[l] << 32 | a[l]) << c[l] >> 32)
TERNARY(shf_rc, u32, u32, u32, u32, c[l] >= 32 ? (u64)b[l] : ((u64)b[l] << 32 | a[l]) >> c[l])
TERNARY(sad_u32, u32, u32, u32, u32, c[l] + (a[l] < b[l] ? b[l] - a[l] : a[l] - b[l]))
TERNARY(sad_s32, u32, s32, s32, u32,
        c[l] + (a[l] < b[l] ? (u32)b[l] - (u32)a[l] : (u32)a[l] - (u32)b[l]))

void exec_logic3(Warp *warp, const Insn *insn, uint32_t mask)
{
  u32 *d = LANES_OF(warp, insn->r[0], u32);
  const u32 *a = LANES_OF(warp, insn->r[1], u32), *b = LANES_OF(warp, insn->r[2], u32);
  const u32 *c = LANES_OF(warp, insn->r[3], u32);
  EACH_LANE(u32 result = 0;
            for (unsigned i = 0; i < 8; i++) if ((insn->mode >> i & 1) != 0) result |=
            ((i & 4) != 0 ? a[l] : ~a[l]) & ((i & 2) != 0 ? b[l] : ~b[l]) &
            ((i & 1) != 0 ? c[l] : ~c[l]);
            d[l] = result);
}

/* ---- predicates: 32 lanes are one word ---- */

#define PREDICATE(NAME, EXPRESSION)                                                                \
  static void NAME(Warp *warp, const Insn *insn, uint32_t mask)                                    \
  {                                                                                                \
    u32 *d = LANES_OF(warp, insn->r[0], u32);                                                      \
    u32 a = *LANES_OF(warp, insn->r[1], u32), b = *LANES_OF(warp, insn->r[2], u32);                \
    (void)b;                                                                                       \
    *d = (*d & ~mask) | ((EXPRESSION)&mask);                                                       \
  }
PREDICATE(and_pred, a &b)
PREDICATE(or_pred, a | b)
PREDICATE(xor_pred, a ^ b)
PREDICATE(not_pred, ~a)
PREDICATE(mov_pred, a)

#define SELECT(T)                                                                                  \
  FAST static void selp_##T(Warp *warp, const Insn *insn, uint32_t mask)                           \
  {                                                                                                \
    T *d = LANES_OF(warp, insn->r[0], T);                                                          \
    const T *a = LANES_OF(warp, insn->r[1], T), *b = LANES_OF(warp, insn->r[2], T);                \
    u32 p = *LANES_OF(warp, insn->r[3], u32);                                                      \
    EACH_LANE(d[l] = (p >> l & 1) != 0 ? a[l] : b[l]);                                             \
  }
SELECT(u16)
SELECT(u32)
SELECT(u64)

#define ROW3(NAME, B, F)                                                                           \
  {NAME, T_B##B, F##_u##B}, {NAME, T_U##B, F##_u##B},                                              \
  {                                                                                                \
    NAME, T_S##B, F##_u##B                                                                         \
  }
#define ROWS3(NAME, F) ROW3(NAME, 16, F), ROW3(NAME, 32, F), ROW3(NAME, 64, F)
#define ROWS_SIGN(NAME, F)                                                                         \
  {NAME, T_U16, F##_u16}, {NAME, T_S16, F##_s16}, {NAME, T_U32, F##_u32}, {NAME, T_S32, F##_s32},  \
      {NAME, T_U64, F##_u64},                                                                      \
  {                                                                                                \
    NAME, T_S64, F##_s64                                                                           \
  }
#define ROWS_WIDE(NAME, F)                                                                         \
  {NAME, T_U16, F##_u16}, {NAME, T_S16, F##_s16}, {NAME, T_U32, F##_u32},                          \
  {                                                                                                \
    NAME, T_S32, F##_s32                                                                           \
  }
#define ROWS_CARRY(NAME, F) ROW3(NAME, 32, F), ROW3(NAME, 64, F)
#define ROWS_BITS(NAME, F)                                                                         \
  {NAME, T_B32, F##_u32},                                                                          \
  {                                                                                                \
    NAME, T_B64, F##_u64                                                                           \
  }

const ExecRow INTEGER_ROWS[] = {
    ROWS3("add", add),
    ROWS3("sub", sub),
    ROWS3("mul.lo", mul),
    ROWS3("mad.lo", mad),
    ROWS3("neg", neg),
    ROWS3("not", not ),
    ROWS3("cnot", cnot),
    ROWS3("and", and),
    ROWS3("or", or),
    ROWS3("xor", xor),
    ROWS3("shl", shl),
    ROWS3("mov", mov),
    ROWS3("selp", selp),
    ROWS_SIGN("min", min),
    ROWS_SIGN("max", max),
    ROWS_SIGN("shr", shr),
    {"shr", T_B16, shr_u16},
    {"shr", T_B32, shr_u32},
    {"shr", T_B64, shr_u64},
    ROWS_SIGN("div", div),
    ROWS_SIGN("rem", rem),
    ROWS_SIGN("mul.hi", mulhi),
    ROWS_SIGN("mad.hi", madhi),
    ROWS_WIDE("mul.wide", mulwide),
    ROWS_WIDE("mad.wide", madwide),
    {"abs", T_S16, abs_s16},
    {"abs", T_S32, abs_s32},
    {"abs", T_S64, abs_s64},
    ROWS_CARRY("add.cc", addcc),
    ROWS_CARRY("addc", addc),
    ROWS_CARRY("addc.cc", addccc),
    ROWS_CARRY("sub.cc", subcc),
    ROWS_CARRY("subc", subc),
    ROWS_CARRY("subc.cc", subccc),
    {"bfe", T_U32, bfe_u32},
    {"bfe", T_S32, bfe_s32},
    {"bfe", T_U64, bfe_u64},
    {"bfe", T_S64, bfe_s64},
    ROWS_BITS("bfi", bfi),
    ROWS_BITS("brev", brev),
    ROWS_BITS("popc", popc),
    ROWS_BITS("clz", clz),
    {"bfind", T_U32, bfind_u32},
    {"bfind", T_U64, bfind_u64},
    {"prmt", T_B32, prmt_u32},
    {"shf.l.wrap", T_B32, shf_lw},
    {"shf.r.wrap", T_B32, shf_rw},
    {"shf.l.clamp", T_B32, shf_lc},
    {"shf.r.clamp", T_B32, shf_rc},
    {"sad", T_U32, sad_u32},
    {"sad", T_S32, sad_s32},
    {"and", T_PRED, and_pred},
    {"or", T_PRED, or_pred},
    {"xor", T_PRED, xor_pred},
    {"not", T_PRED, not_pred},
    {"mov", T_PRED, mov_pred},
    {"mov", T_F16, mov_u16},
    {"mov", T_BF16, mov_u16},
    {"mov", T_F32, mov_u32},
    {"mov", T_F64, mov_u64},
    {"selp", T_F16, selp_u16},
    {"selp", T_BF16, selp_u16},
    {"selp", T_F32, selp_u32},
    {"selp", T_F64, selp_u64},
    {NULL, T_NONE, NULL},
};
