/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ldmatrix and mma.sync, with the fragments of the PTX ISA: g = lane / 4 is a row of A and of the
 * result, and a column of B; t = lane % 4 counts along the other dimension. */
#include "tests/gpu/access.h"
#include "tests/gpu/half.h"
#include "tests/gpu/lanes.h"

static bool is_whole_warp(Warp *warp, const Insn *insn, uint32_t mask)
{
  if (mask == UINT32_MAX)
    return true;
  machine_stop(warp, insn, FAULT_BARRIER, (unsigned)__builtin_ctz(mask),
               "needs all lanes of the warp, and 0x%x are here", mask);
  return false;
}

/* Matrix i of 8x8 halves: row r at the address of lane 8 i + r; lane l takes halves 2 t and 2 t + 1
 * of row g, or of column g. */
void exec_load_matrix(Warp *warp, const Insn *insn, uint32_t mask)
{
  uint64_t addresses[LANES];
  uint16_t matrix[8][8];
  if (!is_whole_warp(warp, insn, mask))
    return;
  access_addresses(warp, insn->address, insn->is_wide_address, insn->offset, addresses);
  for (unsigned i = 0; i < insn->n; i++) {
    access_count(warp, SPACE_SHARED, addresses, 0xffu << 8 * i, 16, false);
    for (unsigned r = 0; r < 8; r++) {
      unsigned lane = 8 * i + r;
      const uint8_t *row =
          access_lane_or_null(warp, insn, SPACE_SHARED, addresses[lane], 16, lane, ACCESS_READ);
      if (row == NULL)
        return;
      memcpy(matrix[r], row, 16);
    }
    uint32_t *d = LANES_OF(warp, insn->r[i], uint32_t);
    for (unsigned l = 0; l < LANES; l++) {
      unsigned g = l / 4, t = l % 4;
      uint16_t low = insn->mode != 0 ? matrix[2 * t][g] : matrix[g][2 * t];
      uint16_t high = insn->mode != 0 ? matrix[2 * t + 1][g] : matrix[g][2 * t + 1];
      d[l] = (uint32_t)high << 16 | low;
    }
  }
}

/* ---- mma ---- */

static double source_value(Type type, uint32_t bits, unsigned half)
{
  uint32_t kept = bits & 0xffffe000; /* tf32 ignores the low bits */
  float single;
  memcpy(&single, &kept, sizeof single);
  uint16_t small = (uint16_t)(bits >> 16 * half);
  return type == T_F16    ? half_to_double(small)
         : type == T_BF16 ? bfloat_to_double(small)
                          : (double)single;
}

/* Row and column of element `half` of register `i` of A in lane l: 16 rows. */
static void read_a(const Warp *warp, const Insn *insn, const uint32_t *r, double a[16][16])
{
  Type type = (Type)insn->type2;
  unsigned per = type_bytes(type) == 2 ? 2 : 1, n = insn->width * 16u / LANES / per;
  for (unsigned i = 0; i < n; i++)
    for (unsigned l = 0; l < LANES; l++)
      for (unsigned half = 0; half < per; half++) {
        unsigned row = l / 4 + (i % 2) * 8, column = (l % 4) * per + half + (i / 2) * 4 * per;
        a[row][column] = source_value(type, LANES_OF(warp, r[i], uint32_t)[l], half);
      }
}

static void read_b(const Warp *warp, const Insn *insn, const uint32_t *r, double b[16][8])
{
  Type type = (Type)insn->type2;
  unsigned per = type_bytes(type) == 2 ? 2 : 1, n = insn->width * 8u / LANES / per;
  for (unsigned i = 0; i < n; i++)
    for (unsigned l = 0; l < LANES; l++)
      for (unsigned half = 0; half < per; half++) {
        unsigned row = (l % 4) * per + half + i * 4 * per;
        b[row][l / 4] = source_value(type, LANES_OF(warp, r[i], uint32_t)[l], half);
      }
}

static void add_product(Warp *warp, const Insn *insn, const uint32_t *d, const uint32_t *c,
                        double product[16][8])
{
  for (unsigned l = 0; l < LANES; l++) {
    for (unsigned i = 0; i < 4; i++) {
      unsigned row = l / 4 + (i / 2) * 8, column = (l % 4) * 2 + i % 2;
      if (insn->type == T_F32) {
        float sum = LANES_OF(warp, c[i], float)[l];
        LANES_OF(warp, d[i], float)[l] = (float)((double)sum + product[row][column]);
        continue;
      }
      uint16_t half;
      memcpy(&half, (uint8_t *)(LANES_OF(warp, c[i / 2], uint32_t) + l) + i % 2 * 2, 2);
      half = half_from_double(half_to_double(half) + product[row][column]);
      memcpy((uint8_t *)(LANES_OF(warp, d[i / 2], uint32_t) + l) + i % 2 * 2, &half, 2);
    }
  }
}

/* Products are exact, their sum is rounded once to the result's type: the hardware keeps fewer
 * digits between, and says nothing about which. */
void exec_mma(Warp *warp, const Insn *insn, uint32_t mask)
{
  double a[16][16], b[16][8], product[16][8];
  unsigned k_size = insn->width, n_results = insn->type == T_F16 ? 2 : 4;
  unsigned n_a = type_bytes((Type)insn->type2) == 4 ? k_size / 2 : k_size / 4;
  const uint32_t *r_a = insn->r + n_results, *r_b = r_a + n_a, *r_c = r_b + n_a / 2;
  if (!is_whole_warp(warp, insn, mask))
    return;
  read_a(warp, insn, r_a, a);
  read_b(warp, insn, r_b, b);
  for (unsigned m = 0; m < 16; m++)
    for (unsigned n = 0; n < 8; n++) {
      product[m][n] = 0;
      for (unsigned k = 0; k < k_size; k++)
        product[m][n] += a[m][k] * b[k][n];
    }
  add_product(warp, insn, insn->r, r_c, product);
  warp->block->launch->counters->tensor_flops += 2 * 16 * 8 * (uint64_t)k_size;
}
