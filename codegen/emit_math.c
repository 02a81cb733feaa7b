/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* math to LLVM: what is one instruction or a correctly rounded intrinsic. The transcendental
 * functions are expanded into arith before (--expand-math); LLVM's own would call libm, or abort on
 * a GPU. */
#include "codegen/emit_t.h"

static bool check_float(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  const EchoType *scalar = type->kind == ECHO_TYPE_VECTOR ? type->as.shaped.element : type;
  if (scalar->as.float_kind == ECHO_BF16)
    return echo_emit_error(emitter, op, "does not compute in bf16: extend to f32 first");
  return true;
}

static bool emit_float(EchoEmitter *emitter, const EchoOp *op, const char *intrinsic)
{
  LLVMValueRef arguments[3];
  for (uint32_t i = 0; i < op->n_operands; ++i)
    arguments[i] = echo_emit_operand(emitter, op, i);
  return check_float(emitter, op) &&
         echo_emit_result(emitter, op,
                          echo_emit_intrinsic(emitter, intrinsic, LLVMTypeOf(arguments[0]),
                                              arguments, op->n_operands));
}

#define FLOAT(name, intrinsic)                                                                     \
  static bool emit_##name(EchoEmitter *emitter, const EchoOp *op)                                  \
  {                                                                                                \
    return emit_float(emitter, op, intrinsic);                                                     \
  }
FLOAT(absf, "llvm.fabs")
FLOAT(ceil, "llvm.ceil")
FLOAT(floor, "llvm.floor")
FLOAT(trunc, "llvm.trunc")
FLOAT(roundeven, "llvm.roundeven")
FLOAT(sqrt, "llvm.sqrt")
FLOAT(copysign, "llvm.copysign")
FLOAT(fma, "llvm.fma")
#undef FLOAT

/* Integer intrinsics whose second argument says that an edge case is poison: it never is. */
static bool emit_int(EchoEmitter *emitter, const EchoOp *op, const char *intrinsic, unsigned n)
{
  LLVMTypeRef i1 = LLVMInt1TypeInContext(emitter->llvm);
  LLVMValueRef arguments[] = {echo_emit_operand(emitter, op, 0), LLVMConstInt(i1, 0, false)};
  return echo_emit_result(
      emitter, op, echo_emit_intrinsic(emitter, intrinsic, LLVMTypeOf(arguments[0]), arguments, n));
}

static bool emit_absi(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_int(emitter, op, "llvm.abs", 2);
}

static bool emit_ctlz(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_int(emitter, op, "llvm.ctlz", 2);
}

static bool emit_cttz(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_int(emitter, op, "llvm.cttz", 2);
}

static bool emit_ctpop(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_int(emitter, op, "llvm.ctpop", 1);
}

const EchoEmitRow ECHO_EMIT_MATH[] = {{"math.absf", emit_absf},
                                      {"math.ceil", emit_ceil},
                                      {"math.floor", emit_floor},
                                      {"math.trunc", emit_trunc},
                                      {"math.roundeven", emit_roundeven},
                                      {"math.sqrt", emit_sqrt},
                                      {"math.copysign", emit_copysign},
                                      {"math.fma", emit_fma},
                                      {"math.absi", emit_absi},
                                      {"math.ctlz", emit_ctlz},
                                      {"math.cttz", emit_cttz},
                                      {"math.ctpop", emit_ctpop},
                                      {NULL, NULL}};
