/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a thread's arithmetic treats denormals (floats too small to be normal): kept, as IEEE 754 has
 * it and threads begin, or flushed: an operand that is one counts as a zero of its sign, and a
 * result that is one becomes it. It is the processor's own mode (FTZ and DAZ of MXCSR on x86), so
 * that it holds for libraries too that a thread calls. What only moves bits (copies, negation,
 * absolute values, conversions between f32 and bf16) is not arithmetic, nor is f16, whose values
 * are normal in f32. On a processor without such a mode denormals are kept. */
#ifndef ECHO_BASE_FLOAT_MODE_H
#define ECHO_BASE_FLOAT_MODE_H

#include <stdbool.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A thread's mode with all else that stands in the same register. */
typedef struct EchoFloatMode {
  unsigned control;
} EchoFloatMode;

enum { ECHO_FLOAT_FLUSHES = 0x8040 }; /* FTZ, DAZ */

static inline EchoFloatMode echo_float_mode(void)
{
#if defined(__SSE2__)
  EchoFloatMode mode = {_mm_getcsr()};
#else
  EchoFloatMode mode = {0};
#endif
  return mode;
}

/* Costs some tens of cycles where the mode changes, a few where it does not. */
static inline void echo_float_mode_restore(EchoFloatMode mode)
{
#if defined(__SSE2__)
  if (_mm_getcsr() != mode.control)
    _mm_setcsr(mode.control);
#else
  (void)mode;
#endif
}

/* Whether the calling thread flushes. */
static inline bool echo_float_mode_flushes(void)
{
  return (echo_float_mode().control & ECHO_FLOAT_FLUSHES) != 0;
}

/* The calling thread flushes from now on, or keeps; the mode that was, to be restored. */
static inline EchoFloatMode echo_float_mode_set(bool flushes)
{
  EchoFloatMode before = echo_float_mode(), after = before;
  after.control &= ~(unsigned)ECHO_FLOAT_FLUSHES;
  if (flushes)
    after.control |= ECHO_FLOAT_FLUSHES;
  echo_float_mode_restore(after);
  return before;
}

#ifdef __cplusplus
}
#endif

#endif
