/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One element of host data, of any numeric type: integers up to 64 bits (wider ones show their low
 * 64), index, and floats of every format. Bits above a type's width are zero in memory. Not for
 * complex types, whose parts are elements themselves. */
#ifndef ECHO_IR_ATTRIBUTES_ELEMENT_H
#define ECHO_IR_ATTRIBUTES_ELEMENT_H

#include "ir/attributes/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sign-extended; unsigned types and i1 zero-extended. */
int64_t echo_element_load_i64(const EchoType *element, const void *data);
/* Truncates; types wider than 64 bits are sign-extended (unsigned: zero-extended). */
void echo_element_store_i64(const EchoType *element, void *data, int64_t value);
/* Floats: exact, but for f80 and f128, which round. Integers convert. */
double echo_element_load_f64(const EchoType *element, const void *data);
/* An f32. Exact, whatever the thread's arithmetic makes of denormals. */
static inline double echo_element_f32(const void *data)
{
  float value;
  uint32_t bits;
  memcpy(&value, data, sizeof value);
  memcpy(&bits, data, sizeof bits);
  return (bits & 0x7f800000u) != 0 ? (double)value : echo_float_to_f64(ECHO_F32, bits);
}

/* Floats: rounded to nearest even. Integers: towards zero, saturating; NaN gives 0. */
void echo_element_store_f64(const EchoType *element, void *data, double value);

#ifdef __cplusplus
}
#endif

#endif
