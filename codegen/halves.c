/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arithmetic of halves, made in f32 again once all passes have run, as the kernel has it. LLVM's
 * passes leave out the conversions on both sides, which round to the same; but where a processor
 * has no arithmetic of halves LLVM 19 then takes vectors apart element by element, and takes NaN
 * for equal to zero: maximum(NaN, 0) is 0. */
#include <llvm-c/Core.h>
#include <string.h>

#include "codegen/instructions_t.h"
#include "codegen/target_t.h"

static bool is_of_halves(LLVMTypeRef type)
{
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return LLVMGetTypeKind(is_vector ? LLVMGetElementType(type) : type) == LLVMHalfTypeKind;
}

static LLVMTypeRef floats_like(LLVMTypeRef type)
{
  LLVMTypeRef element = LLVMFloatTypeInContext(LLVMGetTypeContext(type));
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return is_vector ? LLVMVectorType(element, LLVMGetVectorSize(type)) : element;
}

/* A maximum's or a minimum's intrinsic without its type; NULL of all else. */
static const char *extremum_or_null(LLVMValueRef op)
{
  static const char *const NAMES[] = {"llvm.maximum", "llvm.minimum"};
  if (LLVMIsACallInst(op) == NULL || LLVMGetCalledValue(op) == NULL)
    return NULL;
  size_t n_chars = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(op), &n_chars);
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; ++i)
    if (strncmp(name, NAMES[i], strlen(NAMES[i])) == 0)
      return NAMES[i];
  return NULL;
}

static bool is_widened(LLVMValueRef op)
{
  if (LLVMGetNumOperands(op) < 2 || !is_of_halves(LLVMTypeOf(LLVMGetOperand(op, 0))))
    return false;
  return LLVMIsABinaryOperator(op) != NULL || LLVMIsAFCmpInst(op) != NULL ||
         extremum_or_null(op) != NULL;
}

static void widen(LLVMBuilderRef builder, LLVMValueRef op, const void *options)
{
  (void)options;
  if (!is_widened(op))
    return;
  LLVMTypeRef halves = LLVMTypeOf(LLVMGetOperand(op, 0)), type = floats_like(halves);
  LLVMValueRef operands[2], found;
  LLVMPositionBuilderBefore(builder, op);
  for (unsigned i = 0; i < 2; ++i)
    operands[i] = LLVMBuildFPExt(builder, LLVMGetOperand(op, i), type, "");
  if (LLVMIsAFCmpInst(op) != NULL)
    found = LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(op), operands[0], operands[1], "");
  else if (LLVMIsABinaryOperator(op) != NULL)
    found = LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(op), operands[0], operands[1], "");
  else
    found = echo_instructions_call(builder, extremum_or_null(op), type, operands, 2);
  if (LLVMIsAFCmpInst(op) == NULL)
    found = LLVMBuildFPTrunc(builder, found, halves, "");
  LLVMReplaceAllUsesWith(op, found);
  LLVMInstructionEraseFromParent(op);
}

void echo_target_widen_halves(LLVMModuleRef module)
{
  echo_instructions_visit(module, widen, NULL);
}
