/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The formats of floating-point types by bits, beyond what ir/attributes/type.h offers: their
 * fields, and those wider than 64 bits. */
#ifndef ECHO_IR_ATTRIBUTES_FLOAT_FORMAT_H
#define ECHO_IR_ATTRIBUTES_FLOAT_FORMAT_H

#include "ir/attributes/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the largest exponent means. */
typedef enum EchoFloatSpecials {
  ECHO_FLOAT_IEEE,     /* infinities and NaNs */
  ECHO_FLOAT_NAN_ONLY, /* FN: all ones is NaN, no infinity */
  ECHO_FLOAT_NAN_ZERO, /* FNUZ: the pattern of -0 is NaN, no infinity and no -0 */
  ECHO_FLOAT_FINITE,   /* neither: too large becomes the largest, NaN becomes -0 */
  ECHO_FLOAT_SCALE     /* f8E8M0FNU: powers of two without sign or zero, all ones is NaN */
} EchoFloatSpecials;

typedef struct EchoFloatFormat {
  const char *name;
  uint32_t width, exponent_bits,
      mantissa_bits; /* mantissa without the implicit bit; f80 stores it */
  int32_t bias;
  EchoFloatSpecials specials;
} EchoFloatFormat;

const EchoFloatFormat *echo_float_format(EchoFloatKind kind);

/* Any format, little end first; words has two entries, the second is zero up to 64 bits. From f64
 * is exact for f80 and f128; to f64 rounds to nearest even. */
void echo_float_words_from_f64(EchoFloatKind kind, double value, uint64_t words[2]);
double echo_float_words_to_f64(EchoFloatKind kind, const uint64_t words[2]);

#ifdef __cplusplus
}
#endif

#endif
