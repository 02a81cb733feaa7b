/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ld, st, atom, red. */
#include "tests/gpu/access.h"
#include "tests/gpu/half.h"
#include "tests/gpu/lanes.h"

/* Values of memory in registers that may be wider: with their sign, or zeros. */
static void put(const Insn *insn, uint8_t *lanes, uint32_t mask, uint8_t *const from[LANES],
                size_t offset)
{
  unsigned bytes = type_bytes((Type)insn->type), own = type_bytes((Type)insn->type2);
  if (bytes == 4 && own == 4) {
    uint32_t *d = (uint32_t *)(void *)lanes;
    EACH_LANE(memcpy(&d[l], from[l] + offset, 4));
    return;
  }
  bool is_signed = type_is_signed((Type)insn->type);
  EACH_LANE({
    uint64_t value = 0;
    memcpy(&value, from[l] + offset, bytes);
    if (is_signed && bytes < 8 && (value >> (bytes * 8 - 1) & 1) != 0)
      value |= ~UINT64_C(0) << bytes * 8;
    memcpy(lanes + l * own, &value, own);
  });
}

/* All lanes of a generic access are taken to be in the space of the first; another is one that
 * reads elsewhere, which the bounds show. */
static Space prepare(Warp *warp, const Insn *insn, uint32_t mask, uint64_t addresses[LANES])
{
  access_addresses(warp, insn->address, insn->is_wide_address, insn->offset, addresses);
  Space space = (Space)insn->space;
  if (space == SPACE_GENERIC)
    EACH_LANE(space = access_space(SPACE_GENERIC, &addresses[l]));
  return space == SPACE_CONST ? SPACE_GLOBAL : space;
}

void exec_load(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint64_t addresses[LANES];
  uint8_t *from[LANES];
  unsigned bytes = type_bytes((Type)insn->type);
  Space space = prepare(warp, insn, mask, addresses);
  access_count(warp, space, addresses, mask, insn->width, false);
  if (!access_lanes(warp, insn, space, addresses, mask, insn->width, ACCESS_READ, from))
    return;
  for (unsigned i = 0; i < insn->n; i++)
    if (insn->r[i] != 0)
      put(insn, LANES_OF(warp, insn->r[i], uint8_t), mask, from, (size_t)i * bytes);
}

void exec_load_param(Warp *warp, const Insn *insn, uint32_t mask)
{
  const Launch *launch = warp->block->launch;
  unsigned bytes = type_bytes((Type)insn->type);
  uint8_t *from[LANES];
  if (insn->address != 0 || insn->offset < 0 ||
      (uint64_t)insn->offset + insn->width > launch->kernel->param_bytes) {
    machine_stop(warp, insn, FAULT_BOUNDS, 0, "reads parameters out of bounds");
    return;
  }
  for (unsigned l = 0; l < LANES; l++)
    from[l] = launch->params + insn->offset;
  for (unsigned i = 0; i < insn->n; i++)
    if (insn->r[i] != 0)
      put(insn, LANES_OF(warp, insn->r[i], uint8_t), mask, from, (size_t)i * bytes);
}

void exec_store(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint64_t addresses[LANES];
  uint8_t *to[LANES];
  unsigned bytes = type_bytes((Type)insn->type), own = type_bytes((Type)insn->type2);
  Space space = prepare(warp, insn, mask, addresses);
  access_count(warp, space, addresses, mask, insn->width, true);
  if (!access_lanes(warp, insn, space, addresses, mask, insn->width, ACCESS_WRITE, to))
    return;
  for (unsigned i = 0; i < insn->n; i++) {
    const uint8_t *lanes = LANES_OF(warp, insn->r[i], uint8_t);
    if (bytes == 4 && own == 4)
      EACH_LANE(memcpy(to[l] + (size_t)i * 4, lanes + l * 4, 4));
    else
      EACH_LANE(memcpy(to[l] + (size_t)i * bytes, lanes + (size_t)l * own, bytes));
  }
}

/* ---- atomic operations, lane by lane ---- */

static double float_bits(uint64_t bits, Type type)
{
  float single;
  double value;
  uint32_t low = (uint32_t)bits;
  if (type == T_F16)
    return half_to_double((uint16_t)bits);
  if (type == T_BF16)
    return bfloat_to_double((uint16_t)bits);
  memcpy(&single, &low, 4);
  memcpy(&value, &bits, 8);
  return type == T_F32 ? (double)single : value;
}

static uint64_t bits_of_sum(uint64_t a, uint64_t b, Type type)
{
  if (!type_is_float(type))
    return a + b;
  double sum = float_bits(a, type) + float_bits(b, type);
  float single = (float)float_bits(a, type) + (float)float_bits(b, type);
  uint32_t low;
  uint64_t bits;
  if (type == T_F16)
    return half_from_double(sum);
  if (type == T_BF16)
    return bfloat_from_double(sum);
  memcpy(&low, &single, 4);
  memcpy(&bits, &sum, 8);
  return type == T_F32 ? low : bits;
}

static int64_t with_sign(uint64_t bits, Type type)
{
  return type_bytes(type) == 4 ? (int32_t)bits : (int64_t)bits;
}

static uint64_t combine(const Insn *insn, uint64_t old, uint64_t b, uint64_t c)
{
  Type type = (Type)insn->type;
  bool is_signed = type_is_signed(type);
  bool is_less = is_signed ? with_sign(b, type) < with_sign(old, type) : b < old;
  switch ((AtomicOperation)insn->mode) {
  case ATOMIC_ADD:
    return bits_of_sum(old, b, type);
  case ATOMIC_MIN:
    return is_less ? b : old;
  case ATOMIC_MAX:
    return is_less ? old : b;
  case ATOMIC_AND:
    return old & b;
  case ATOMIC_OR:
    return old | b;
  case ATOMIC_XOR:
    return old ^ b;
  case ATOMIC_EXCH:
    return b;
  case ATOMIC_CAS:
    return old == b ? c : old;
  case ATOMIC_INC:
    return old >= b ? 0 : old + 1;
  case ATOMIC_DEC:
    return old == 0 || old > b ? b : old - 1;
  }
  return old;
}

void exec_atomic(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint64_t addresses[LANES];
  uint8_t *places[LANES];
  unsigned bytes = insn->width;
  Space space = prepare(warp, insn, mask, addresses);
  access_count(warp, space, addresses, mask, bytes, true);
  if (!access_lanes(warp, insn, space, addresses, mask, bytes, ACCESS_ATOMIC, places))
    return;
  for (unsigned l = 0; l < LANES; l++) {
    if ((mask >> l & 1) == 0)
      continue;
    uint8_t *at = places[l];
    uint64_t old = 0, b = 0, c = 0;
    memcpy(&old, at, bytes);
    memcpy(&b, LANES_OF(warp, insn->r[1], uint8_t) + (size_t)l * bytes, bytes);
    if (insn->r[2] != 0)
      memcpy(&c, LANES_OF(warp, insn->r[2], uint8_t) + (size_t)l * bytes, bytes);
    uint64_t result = combine(insn, old, b, c);
    memcpy(at, &result, bytes);
    if (insn->r[0] != 0)
      memcpy(LANES_OF(warp, insn->r[0], uint8_t) + (size_t)l * bytes, &old, bytes);
  }
}
