/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/stablehlo/evaluate/random.h"

static uint32_t rotate_left(uint32_t x, uint32_t n)
{
  return x << n | x >> (32 - n);
}

size_t echo_threefry_dimension(const int64_t *dims, size_t rank)
{
  size_t largest = 0;
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] % 2 == 0)
      return i;
    if (dims[i] > dims[largest])
      largest = i;
  }
  return largest;
}

void echo_threefry_2x32(const uint32_t key[2], const uint32_t counter[2], uint32_t words[2])
{
  static const uint32_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDAu};
  uint32_t x0 = counter[0] + keys[0], x1 = counter[1] + keys[1];
  for (uint32_t group = 0; group < 5; group++) {
    for (uint32_t round = 0; round < 4; round++) {
      x0 += x1;
      x1 = rotate_left(x1, rotations[group % 2][round]) ^ x0;
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + group + 1;
  }
  words[0] = x0;
  words[1] = x1;
}

void echo_philox_4x32(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4])
{
  uint32_t k0 = key[0], k1 = key[1];
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = UINT64_C(0xD2511F53) * c0, p1 = UINT64_C(0xCD9E8D57) * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)p1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}
