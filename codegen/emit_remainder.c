/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The remainder of floats on a GPU. LLVM makes x - trunc(x / y) * y of frem there, which is off by
 * the rounding of the quotient; the remainder itself is exact: a division by hand, of which each
 * step subtracts y times a power of two that is more than half of what is left, so that nothing is
 * rounded. As many steps as the exponents differ. */
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
