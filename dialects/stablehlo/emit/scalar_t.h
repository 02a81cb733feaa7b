/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared by the files of scalar lowering: constants of a scalar or vector type. */
#ifndef ECHO_DIALECTS_STABLEHLO_EMIT_SCALAR_T_H
#define ECHO_DIALECTS_STABLEHLO_EMIT_SCALAR_T_H

#include "dialects/arith/arith.h"
#include "dialects/stablehlo/emit/scalar.h"

/* An integer constant of `like`'s type. */
static inline EchoValue *echo_scalar_int_like(EchoBuilder *builder, const EchoValue *like,
                                              int64_t value)
{
  return echo_arith_int(builder, like->type, value);
}
static inline EchoValue *echo_scalar_float_like(EchoBuilder *builder, const EchoValue *like,
                                                double value)
{
  return echo_arith_float(builder, like->type, value);
}
static inline bool echo_kind_is_half(EchoElementKind kind)
{
  return kind == ECHO_ELEMENT_F16 || kind == ECHO_ELEMENT_BF16;
}
/* Bits of a register that holds one. */
static inline uint32_t echo_kind_width(EchoElementKind kind)
{
  static const uint32_t WIDTHS[ECHO_N_ELEMENT_KINDS] = {
      [ECHO_ELEMENT_I1] = 1,    [ECHO_ELEMENT_I8] = 8,    [ECHO_ELEMENT_I16] = 16,
      [ECHO_ELEMENT_I32] = 32,  [ECHO_ELEMENT_I64] = 64,  [ECHO_ELEMENT_UI8] = 8,
      [ECHO_ELEMENT_UI16] = 16, [ECHO_ELEMENT_UI32] = 32, [ECHO_ELEMENT_UI64] = 64,
      [ECHO_ELEMENT_F16] = 16,  [ECHO_ELEMENT_BF16] = 16, [ECHO_ELEMENT_F32] = 32,
      [ECHO_ELEMENT_F64] = 64};
  return WIDTHS[kind];
}

#endif
