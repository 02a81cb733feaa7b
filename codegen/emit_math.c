/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* math to LLVM: what is one instruction or a correctly rounded intrinsic. The transcendental
 * functions are expanded into arith before (--expand-math); LLVM's own would call libm, or abort on
 * a GPU. */
#include "codegen/emit_t.h"
#include "dialects/interfaces/scalar.h"

static bool check_float(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  if (echo_type_element(type)->as.float_kind == ECHO_BF16)
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
#undef FLOAT

static void add_attribute(EchoEmitter *emitter, LLVMValueRef call, const char *name)
{
  LLVMAddCallSiteAttribute(
      call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(emitter->llvm, LLVMGetEnumAttributeKindForName(name, strlen(name)),
                              0));
}

/* A GPU has it as an instruction; of the intrinsic LLVM makes seven there. */
static bool emit_copysign(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  if (!emitter->is_device || type->kind != ECHO_TYPE_FLOAT || type->as.float_kind != ECHO_F32)
    return emit_float(emitter, op, "llvm.copysign");
  static const char TEXT[] = "copysign.f32 $0, $2, $1;", CONSTRAINTS[] = "=f,f,f";
  LLVMValueRef arguments[] = {echo_emit_operand(emitter, op, 0), echo_emit_operand(emitter, op, 1)};
  LLVMTypeRef f32 = LLVMTypeOf(arguments[0]), types[] = {f32, f32};
  LLVMTypeRef signature = LLVMFunctionType(f32, types, 2, false);
  LLVMValueRef code = LLVMGetInlineAsm(signature, (char *)(uintptr_t)TEXT, sizeof TEXT - 1,
                                       (char *)(uintptr_t)CONSTRAINTS, sizeof CONSTRAINTS - 1,
                                       false, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef call = LLVMBuildCall2(emitter->builder, signature, code, arguments, 2, "");
  add_attribute(emitter, call, "memory"); /* none: loads may pass it, and meet in wide ones */
  add_attribute(emitter, call, "nounwind");
  add_attribute(emitter, call, "willreturn");
  return echo_emit_result(emitter, op, call);
}

/* A host computes f16 in f32, and an fma would be rounded twice. */
static bool emit_fma(EchoEmitter *emitter, const EchoOp *op)
{
  bool is_f16 = echo_type_element(echo_op_result_type(op, 0))->as.float_kind == ECHO_F16;
  if (is_f16 && !emitter->is_device)
    return echo_emit_error(emitter, op, "does not round f16 once: go through f32");
  return emit_float(emitter, op, "llvm.fma");
}

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

/* Elementary functions stay without a row here: they have been expanded. A row of another form
 * without its function does not compile. */
#define ROW_SIGN1(name) {"math." #name, emit_##name},
#define ROW_SIGN2 ROW_SIGN1
#define ROW_FLOAT1 ROW_SIGN1
#define ROW_FMA ROW_SIGN1
#define ROW_INT1 ROW_SIGN1
#define ROW_ELEMENTARY1(name)
#define ROW_ELEMENTARY2(name)
#define ROW_POWER(name)
#define ROW(form, opcode, name, ...) ROW_##form(name)
const EchoEmitRow ECHO_EMIT_MATH[] = {ECHO_MATH_ROWS(ROW){NULL, NULL}};
