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

#endif
