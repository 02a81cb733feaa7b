/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* echo_hash_bytes: eight bytes at a time through a folded 64 x 64 -> 128 bit multiplication, four
 * independent lanes for long inputs so that the multiplier's latency is hidden. The construction is
 * that of the wyhash family; constants are odd with 32 bits set. Not for use against an adversary.
 */
#include "base/map.h"

__extension__ typedef unsigned __int128 u128;

static const uint64_t SALT[5] = {0x9e6c63d0876a9a63u, 0xa5b85c5e198ed84du, 0xc6bc279692b5cc83u,
                                 0x8d58ac26afe12e47u, 0xd3a2646cab3487e3u};

static uint64_t fold(uint64_t a, uint64_t b)
{
  u128 product = (u128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Little-endian on every machine, so that hashes agree everywhere. */
static uint64_t load64(const unsigned char *bytes)
{
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

static uint64_t load32(const unsigned char *bytes)
{
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  return word;
}

static uint64_t finish(uint64_t a, uint64_t b, uint64_t state, size_t size)
{
  uint64_t mixed = fold(a ^ SALT[0], b ^ state);
  return fold(mixed ^ SALT[1], state ^ (uint64_t)size ^ SALT[2]);
}

static uint64_t hash_at_most_16(const unsigned char *bytes, size_t size, uint64_t state)
{
  if (size >= 8)
    return finish(load64(bytes), load64(bytes + size - 8), state, size);
  if (size >= 4)
    return finish(load32(bytes), load32(bytes + size - 4), state, size);
  if (size == 0)
    return finish(0, 0, state, 0);
  /* first, middle and last cover one to three bytes */
  uint64_t a = ((uint64_t)bytes[0] << 16) | ((uint64_t)bytes[size >> 1] << 8) | bytes[size - 1];
  return finish(a, 0, state, size);
}

uint64_t echo_hash_bytes(const void *data, size_t size, uint64_t seed)
{
  const unsigned char *bytes = data;
  uint64_t state = fold(seed ^ SALT[3], SALT[4]);
  if (size <= 16)
    return hash_at_most_16(bytes, size, state);

  size_t left = size;
  if (left > 64) {
    uint64_t lanes[4] = {state, state ^ SALT[0], state ^ SALT[1], state ^ SALT[2]};
    for (; left > 64; left -= 64, bytes += 64)
      for (size_t lane = 0; lane < 4; ++lane)
        lanes[lane] = fold(load64(bytes + 16 * lane) ^ SALT[lane],
                           load64(bytes + 16 * lane + 8) ^ lanes[lane]);
    state = lanes[0] ^ (lanes[1] + SALT[3]) ^ (lanes[2] * 3) ^ (lanes[3] * 5);
  }
  for (; left > 16; left -= 16, bytes += 16)
    state = fold(load64(bytes) ^ SALT[1], load64(bytes + 8) ^ state);
  /* the last 16 bytes, overlapping what was read where the size is no multiple */
  return finish(load64(bytes + left - 16), load64(bytes + left - 8), state, size);
}
