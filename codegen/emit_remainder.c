/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The remainder of floats, exact as C's fmod.
 *
 * Of f32 on the host, where a call an element takes as long as forty products, in f64 and without a
 * branch, so that loops are vectors. From the largest multiple of y down, y * 2^(26 j), what is
 * left loses the whole multiples of it, counted with 1 / y: q (1 + d), |d| <= 2^-52, of a quotient
 * q of no more than 2^26. A q that is no integer is 2^-24 or more away from the next, since both
 * numbers have 24 bits, and its count is right; an integer may be counted one less. So what is left
 * is between nothing and one whole multiple, has 24 bits again, and products and differences of
 * these are exact in f64; in the end a whole y may be left.
 *
 * On a GPU LLVM makes x - trunc(x / y) * y of frem there, which is off by
 * the rounding of the quotient; the remainder itself is exact: a division by hand, of which each
 * step subtracts y times a power of two that is more than half of what is left, so that nothing is
 * rounded. As many steps as the exponents differ. */
#include <math.h>

#include "codegen/emit_t.h"

typedef struct Division {
  EchoEmitter *emitter;
  LLVMBuilderRef builder;
  LLVMTypeRef type;
} Division;

static LLVMBasicBlockRef append(const Division *division, const char *name)
{
  return LLVMAppendBasicBlockInContext(division->emitter->llvm, division->emitter->function, name);
}

static LLVMValueRef magnitude(const Division *division, LLVMValueRef value)
{
  return echo_emit_intrinsic(division->emitter, "llvm.fabs", division->type, &value, 1);
}

/* The largest divisor * 2^k that is no more than `rest`, or divisor. */
static LLVMValueRef scale_up(const Division *division, LLVMValueRef rest, LLVMValueRef divisor)
{
  LLVMBuilderRef builder = division->builder;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  LLVMBasicBlockRef loop = append(division, "scale"), after = append(division, "scaled");
  LLVMBuildBr(builder, loop);
  LLVMPositionBuilderAtEnd(builder, loop);
  LLVMValueRef scaled = LLVMBuildPhi(builder, division->type, "");
  LLVMValueRef twice = LLVMBuildFAdd(builder, scaled, scaled, "");
  LLVMAddIncoming(scaled, &divisor, &before, 1);
  LLVMAddIncoming(scaled, &twice, &loop, 1);
  LLVMBuildCondBr(builder, LLVMBuildFCmp(builder, LLVMRealOLE, twice, rest, ""), loop, after);
  LLVMPositionBuilderAtEnd(builder, after);
  return scaled;
}

/* What is left of `rest` when it has been divided by scaled, scaled / 2, …, divisor. */
static LLVMValueRef divide(const Division *division, LLVMValueRef rest, LLVMValueRef scaled,
                           LLVMValueRef divisor)
{
  LLVMBuilderRef builder = division->builder;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  LLVMBasicBlockRef loop = append(division, "divide"), after = append(division, "divided");
  LLVMBuildBr(builder, loop);
  LLVMPositionBuilderAtEnd(builder, loop);
  LLVMValueRef left = LLVMBuildPhi(builder, division->type, "");
  LLVMValueRef part = LLVMBuildPhi(builder, division->type, "");
  LLVMValueRef fits = LLVMBuildFCmp(builder, LLVMRealOGE, left, part, "");
  LLVMValueRef less = LLVMBuildFSub(builder, left, part, "");
  LLVMValueRef next = LLVMBuildSelect(builder, fits, less, left, "");
  LLVMValueRef half = LLVMBuildFMul(builder, part, LLVMConstReal(division->type, 0.5), "");
  LLVMAddIncoming(left, &rest, &before, 1);
  LLVMAddIncoming(left, &next, &loop, 1);
  LLVMAddIncoming(part, &scaled, &before, 1);
  LLVMAddIncoming(part, &half, &loop, 1);
  LLVMBuildCondBr(builder, LLVMBuildFCmp(builder, LLVMRealOGT, part, divisor, ""), loop, after);
  LLVMPositionBuilderAtEnd(builder, after);
  return next;
}

LLVMValueRef echo_emit_host_remainder(EchoEmitter *emitter, LLVMValueRef x, LLVMValueRef y)
{
  enum { BITS = 26, STEPS = 11, NORMAL_STEPS = 10 }; /* quotients below 2^277; of normals, 2^254 */
  LLVMBuilderRef builder = emitter->builder;
  LLVMTypeRef type = LLVMTypeOf(x), wide = LLVMDoubleTypeInContext(emitter->llvm);
  if (LLVMGetTypeKind(type) != LLVMFloatTypeKind)
    return LLVMBuildFRem(builder, x, y, "");
  Division division = {emitter, builder, wide};
  LLVMValueRef all = magnitude(&division, LLVMBuildFPExt(builder, x, wide, "")), rest = all;
  LLVMValueRef divisor = magnitude(&division, LLVMBuildFPExt(builder, y, wide, ""));
  LLVMValueRef inverse = LLVMBuildFDiv(builder, LLVMConstReal(wide, 1), divisor, "");
  for (int step = emitter->flushes_denormals ? NORMAL_STEPS : STEPS; step-- > 0;) {
    LLVMValueRef power = LLVMConstReal(wide, ldexp(1, BITS * step));
    LLVMValueRef part = LLVMBuildFMul(builder, divisor, power, "");
    power = LLVMConstReal(wide, ldexp(1, -BITS * step));
    LLVMValueRef count = LLVMBuildFMul(builder, inverse, power, "");
    count = LLVMBuildFMul(builder, rest, count, "");
    count = echo_emit_intrinsic(emitter, "llvm.trunc", wide, &count, 1);
    rest = LLVMBuildFSub(builder, rest, LLVMBuildFMul(builder, count, part, ""), "");
  }
  LLVMValueRef is_whole = LLVMBuildFCmp(builder, LLVMRealOGE, rest, divisor, "");
  rest = LLVMBuildSelect(builder, is_whole, LLVMConstReal(wide, 0), rest, "");
  /* finite by infinite: all is left */
  LLVMValueRef infinity = LLVMConstReal(wide, __builtin_inf());
  LLVMValueRef is_all =
      LLVMBuildAnd(builder, LLVMBuildFCmp(builder, LLVMRealOEQ, divisor, infinity, ""),
                   LLVMBuildFCmp(builder, LLVMRealOLT, all, infinity, ""), "");
  rest = LLVMBuildSelect(builder, is_all, all, rest, "");
  LLVMValueRef arguments[] = {LLVMBuildFPTrunc(builder, rest, type, ""), x};
  return echo_emit_intrinsic(emitter, "llvm.copysign", type, arguments, 2);
}

bool echo_emit_device_remainder(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMValueRef x = echo_emit_flushed(emitter, echo_emit_operand(emitter, op, 0));
  LLVMValueRef y = echo_emit_flushed(emitter, echo_emit_operand(emitter, op, 1));
  Division division = {emitter, emitter->builder, LLVMTypeOf(x)};
  LLVMBuilderRef builder = emitter->builder;
  LLVMValueRef zero = LLVMConstReal(division.type, 0.0), one = LLVMConstReal(division.type, 1.0);
  LLVMValueRef infinity = LLVMConstReal(division.type, __builtin_inf());
  LLVMValueRef rest = magnitude(&division, x), divisor = magnitude(&division, y);
  /* x infinite, y zero, either not a number: there is no remainder */
  LLVMValueRef is_there =
      LLVMBuildAnd(builder, LLVMBuildFCmp(builder, LLVMRealOLT, rest, infinity, ""),
                   LLVMBuildFCmp(builder, LLVMRealOGT, divisor, zero, ""), "");
  rest = LLVMBuildSelect(builder, is_there, rest, zero, "");
  divisor = LLVMBuildSelect(builder, is_there, divisor, one, "");
  LLVMValueRef scaled = scale_up(&division, rest, divisor);
  LLVMValueRef left = divide(&division, rest, scaled, divisor);
  LLVMValueRef arguments[] = {left, x};
  LLVMValueRef result = echo_emit_intrinsic(emitter, "llvm.copysign", division.type, arguments, 2);
  LLVMValueRef nan = LLVMConstReal(division.type, __builtin_nan(""));
  return echo_emit_result(emitter, op, LLVMBuildSelect(builder, is_there, result, nan, ""));
}
