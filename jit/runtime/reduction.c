/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/reduction_t.h"

EchoReduction echo_reduction_of(const EchoAttr *config)
{
  static const char *const NAMES[] = {"sum", "product", "min", "max", "and", "or", "xor"};
  const EchoAttr *name = echo_dictionary_get_or_null(config, "reduction");
  for (size_t i = 0; name != NULL && i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (echo_str_is(name->as.string, NAMES[i]))
      return (EchoReduction)i;
  return ECHO_REDUCTION_SUM;
}

/* to[i] = to[i] by from[i]. Sums of signed integers wrap as those of unsigned ones do. */
#define EACH(expression)                                                                           \
  for (size_t i = 0; i < n; i++)                                                                   \
    to[i] = (expression);                                                                          \
  break
#define REDUCE_FLOATS(T)                                                                           \
  static void reduce_##T(EchoReduction by, T *to, const T *from, size_t n)                         \
  {                                                                                                \
    switch (by) {                                                                                  \
    case ECHO_REDUCTION_PRODUCT:                                                                   \
      EACH(to[i] * from[i]);                                                                       \
    default:                                                                                       \
      EACH(to[i] + from[i]);                                                                       \
    }                                                                                              \
  }
#define REDUCE_INTEGERS(T, Signed)                                                                 \
  static void reduce_##T(EchoReduction by, bool is_signed, T *to, const T *from, size_t n)         \
  {                                                                                                \
    switch (by) {                                                                                  \
    case ECHO_REDUCTION_SUM:                                                                       \
      EACH((T)(to[i] + from[i]));                                                                  \
    case ECHO_REDUCTION_PRODUCT:                                                                   \
      EACH((T)((uint64_t)to[i] * from[i]));                                                        \
    case ECHO_REDUCTION_MIN:                                                                       \
      EACH((is_signed ? (Signed)from[i] < (Signed)to[i] : from[i] < to[i]) ? from[i] : to[i]);     \
    case ECHO_REDUCTION_MAX:                                                                       \
      EACH((is_signed ? (Signed)from[i] > (Signed)to[i] : from[i] > to[i]) ? from[i] : to[i]);     \
    case ECHO_REDUCTION_AND:                                                                       \
      EACH((T)(to[i] & from[i]));                                                                  \
    case ECHO_REDUCTION_OR:                                                                        \
      EACH((T)(to[i] | from[i]));                                                                  \
    case ECHO_REDUCTION_XOR:                                                                       \
      EACH((T)(to[i] ^ from[i]));                                                                  \
    }                                                                                              \
  }
REDUCE_FLOATS(float)
REDUCE_FLOATS(double)
REDUCE_INTEGERS(uint8_t, int8_t)
REDUCE_INTEGERS(uint16_t, int16_t)
REDUCE_INTEGERS(uint32_t, int32_t)
REDUCE_INTEGERS(uint64_t, int64_t)

void echo_reduce(EchoReduction by, EchoElementKind kind, void *to, const void *from, size_t n)
{
  switch (kind) {
  case ECHO_ELEMENT_F32:
    reduce_float(by, to, from, n);
    break;
  case ECHO_ELEMENT_F64:
    reduce_double(by, to, from, n);
    break;
  case ECHO_ELEMENT_I1:
  case ECHO_ELEMENT_UI8:
  case ECHO_ELEMENT_I8:
    reduce_uint8_t(by, kind == ECHO_ELEMENT_I8, to, from, n);
    break;
  case ECHO_ELEMENT_UI16:
  case ECHO_ELEMENT_I16:
    reduce_uint16_t(by, kind == ECHO_ELEMENT_I16, to, from, n);
    break;
  case ECHO_ELEMENT_UI32:
  case ECHO_ELEMENT_I32:
    reduce_uint32_t(by, kind == ECHO_ELEMENT_I32, to, from, n);
    break;
  case ECHO_ELEMENT_UI64:
  case ECHO_ELEMENT_I64:
    reduce_uint64_t(by, kind == ECHO_ELEMENT_I64, to, from, n);
    break;
  default: /* --lower-collectives leaves no others: it gathers them */
    ECHO_CHECK(false, "a reduction of an element type that is not carried");
  }
}
