/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a processor may have beyond the first x86-64 and a compiler makes use of unasked: vectors,
 * arithmetic, moves. Instructions that nobody gets without asking for them (cryptography, random
 * numbers, tiles, …) are not here. */
#include "jit/runtime/bundle/format_t.h"

#if defined(__x86_64__)
#define SUPPORTS(name) (__builtin_cpu_supports(name) != 0)
#else
#define SUPPORTS(name) false
#endif

/* X(LLVM's name, which is that of GCC and Clang too; the level of x86-64 that brings it, 5 = none)
 */
#define FEATURES(X)                                                                                \
  X("sse3", 2)                                                                                     \
  X("ssse3", 2)                                                                                    \
  X("sse4.1", 2)                                                                                   \
  X("sse4.2", 2)                                                                                   \
  X("popcnt", 2)                                                                                   \
  X("avx", 3)                                                                                      \
  X("avx2", 3)                                                                                     \
  X("bmi", 3)                                                                                      \
  X("bmi2", 3)                                                                                     \
  X("f16c", 3)                                                                                     \
  X("fma", 3)                                                                                      \
  X("lzcnt", 3)                                                                                    \
  X("movbe", 3)                                                                                    \
  X("avx512f", 4)                                                                                  \
  X("avx512bw", 4)                                                                                 \
  X("avx512cd", 4)                                                                                 \
  X("avx512dq", 4)                                                                                 \
  X("avx512vl", 4)                                                                                 \
  X("avx512bf16", 5)                                                                               \
  X("avx512bitalg", 5)                                                                             \
  X("avx512fp16", 5)                                                                               \
  X("avx512ifma", 5)                                                                               \
  X("avx512vbmi", 5)                                                                               \
  X("avx512vbmi2", 5)                                                                              \
  X("avx512vnni", 5)                                                                               \
  X("avx512vpopcntdq", 5)                                                                          \
  X("avxvnni", 5)                                                                                  \
  X("adx", 5)                                                                                      \
  X("fma4", 5)                                                                                     \
  X("gfni", 5)                                                                                     \
  X("tbm", 5)                                                                                      \
  X("xop", 5)

#define FEATURE_ROW(name, level) {name, level},
static const struct {
  const char *name;
  int level;
} ROWS[] = {FEATURES(FEATURE_ROW)};

size_t echo_processor_n_features(void)
{
  return sizeof ROWS / sizeof ROWS[0];
}

const char *echo_processor_feature(size_t i)
{
  return ROWS[i].name;
}

int echo_processor_feature_level(size_t i)
{
  return ROWS[i].level;
}

bool echo_processor_has_feature(size_t i)
{
  size_t at = 0;
#define FEATURE_TEST(name, level)                                                                  \
  if (at++ == i)                                                                                   \
    return SUPPORTS(name);
  FEATURES(FEATURE_TEST)
  return false;
}
