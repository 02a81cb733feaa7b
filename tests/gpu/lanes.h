/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What each file of operations is written with: 32 lanes at once, so that a compiler makes vectors
 * of them where all are active. */
#ifndef ECHO_TESTS_GPU_LANES_H
#define ECHO_TESTS_GPU_LANES_H

#include <string.h>

#include "tests/gpu/machine.h"
#include "tests/gpu/parse.h"

/* The same code for processors with wider vectors and a fused multiply-add, chosen when it is
 * loaded. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&              \
    !defined(__SANITIZE_THREAD__)
#define FAST __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FAST
#endif

#define EACH_LANE(...)                                                                             \
  do {                                                                                             \
    if (mask == UINT32_MAX) {                                                                      \
      for (unsigned l = 0; l < LANES; l++) {                                                       \
        __VA_ARGS__;                                                                               \
      }                                                                                            \
    } else {                                                                                       \
      for (unsigned l = 0; l < LANES; l++)                                                         \
        if ((mask >> l & 1) != 0) {                                                                \
          __VA_ARGS__;                                                                             \
        }                                                                                          \
    }                                                                                              \
  } while (0)

/* NAME(warp, insn, mask): d[l] of type D from a[l], b[l], c[l] of the types given. */
#define UNARY(NAME, D, A, ...)                                                                     \
  FAST static void NAME(Warp *warp, const Insn *insn, uint32_t mask)                               \
  {                                                                                                \
    D *d = LANES_OF(warp, insn->r[0], D);                                                          \
    const A *a = LANES_OF(warp, insn->r[1], A);                                                    \
    EACH_LANE(d[l] = (D)(__VA_ARGS__));                                                            \
  }
#define BINARY(NAME, D, A, B, ...)                                                                 \
  FAST static void NAME(Warp *warp, const Insn *insn, uint32_t mask)                               \
  {                                                                                                \
    D *d = LANES_OF(warp, insn->r[0], D);                                                          \
    const A *a = LANES_OF(warp, insn->r[1], A);                                                    \
    const B *b = LANES_OF(warp, insn->r[2], B);                                                    \
    EACH_LANE(d[l] = (D)(__VA_ARGS__));                                                            \
  }
#define TERNARY(NAME, D, A, B, C, ...)                                                             \
  FAST static void NAME(Warp *warp, const Insn *insn, uint32_t mask)                               \
  {                                                                                                \
    D *d = LANES_OF(warp, insn->r[0], D);                                                          \
    const A *a = LANES_OF(warp, insn->r[1], A);                                                    \
    const B *b = LANES_OF(warp, insn->r[2], B);                                                    \
    const C *c = LANES_OF(warp, insn->r[3], C);                                                    \
    EACH_LANE(d[l] = (D)(__VA_ARGS__));                                                            \
  }

static inline bool predicate_of(const Warp *warp, uint32_t place, unsigned lane)
{
  return (*LANES_OF(warp, place, const uint32_t) >> lane & 1) != 0;
}

#endif
