/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Quantized element types, read off their text: "uniform<i8<-127:127>:f32:1, {0.1:-30, 0.5}>". The
 * stored integer q stands for scale * (q - zero point). See docs/stages.md. */
#ifndef ECHO_DIALECTS_QUANT_QUANT_H
#define ECHO_DIALECTS_QUANT_QUANT_H

#include "ir/attributes/type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoQuantized {
  uint32_t storage_bits;
  bool is_unsigned;
  int64_t min, max; /* of stored integers */
  EchoFloatKind expressed;
  int64_t axis;    /* dimension that scales differ along; -1: one for the whole tensor */
  size_t n_scales; /* 1 for the whole tensor */
  double *scales;
  int64_t *zero_points;
} EchoQuantized;

/* Whether the type is of dialect quant, whatever its text says. */
bool echo_is_quantized(const EchoType *element);
/* Reads a uniform type; false when it is another one or its text is wrong. The caller destroys
 * `quantized` when it was read. O(text). */
bool echo_quantized_read(const EchoType *element, EchoQuantized *quantized);
void echo_quantized_destroy(EchoQuantized *quantized);
/* Appends the text as MLIR prints it, "uniform<i8<-127:127>:f32:1,
 * {1.000000e-01:-30,5.000000e-01}>", scales with as many digits as tell them apart. Nothing of a
 * type that stores no bits. */
void echo_quantized_print(EchoContext *ctx, const EchoQuantized *quantized, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
