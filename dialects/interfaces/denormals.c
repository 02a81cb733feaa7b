/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/interfaces/denormals.h"

static const char ATTRIBUTE[] = "echo.denormals";

bool echo_op_flushes_denormals(const EchoOp *op)
{
  for (const EchoOp *parent; (parent = echo_op_parent(op)) != NULL;)
    op = parent;
  return !echo_str_is(echo_op_attr_string(op, ATTRIBUTE), "keep");
}

void echo_module_keep_denormals(EchoOp *module, bool keeps)
{
  EchoContext *ctx = echo_op_context(module);
  echo_op_set_attr(module, ATTRIBUTE, keeps ? echo_attr_string(ctx, ECHO_STR("keep")) : NULL);
}

static uint64_t magnitude_bits(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & (UINT64_MAX >> 1);
}

double echo_denormal_flushed(EchoFloatKind kind, double value)
{
  /* By bits: a comparison would itself flush. What rounds up to f32's least normal number, 2^-126,
   * is not below it; halfway to the number before it, 2^-126 - 2^-151, goes to the even one. */
  static const double LEAST_F32 = 0x1p-126 - 0x1p-151, LEAST_F64 = 0x1p-1022;
  double least = kind == ECHO_F64                        ? LEAST_F64
                 : kind == ECHO_F32 || kind == ECHO_BF16 ? LEAST_F32
                                                         : 0;
  if (magnitude_bits(value) >= magnitude_bits(least) || !echo_float_mode_flushes())
    return value;
  return __builtin_copysign(0.0, value);
}
