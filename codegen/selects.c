/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* x < y ? x : y, kept what it is. LLVM makes the processor's minimum and maximum of it, which count
 * as arithmetic where denormals are flushed, while a selection moves bits: the same op would leave
 * a denormal where its comparison stands in another kernel. Once all passes have run, such a
 * selection is made one of integers, which nothing takes for a minimum. */
#include <llvm-c/Core.h>

#include "codegen/target_t.h"

/* Whether code for `type` has a minimum that flushes. */
static bool is_flushed(LLVMTypeRef type)
{
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind)
    kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* The integer, or the vector of them, of as many bits. */
static LLVMTypeRef integer_like(LLVMTypeRef type)
{
  LLVMContextRef llvm = LLVMGetTypeContext(type);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
  LLVMTypeRef integer = LLVMGetTypeKind(element) == LLVMDoubleTypeKind
                            ? LLVMInt64TypeInContext(llvm)
                            : LLVMInt32TypeInContext(llvm);
  return is_vector ? LLVMVectorType(integer, LLVMGetVectorSize(type)) : integer;
}

static bool is_extremum(LLVMValueRef select)
{
  LLVMValueRef condition = LLVMGetOperand(select, 0);
  if (!is_flushed(LLVMTypeOf(select)) || LLVMIsAFCmpInst(condition) == NULL)
    return false;
  LLVMValueRef x = LLVMGetOperand(condition, 0), y = LLVMGetOperand(condition, 1);
  LLVMValueRef a = LLVMGetOperand(select, 1), b = LLVMGetOperand(select, 2);
  return (a == x && b == y) || (a == y && b == x);
}

static void select_bits(LLVMBuilderRef builder, LLVMValueRef select)
{
  LLVMTypeRef type = LLVMTypeOf(select), bits = integer_like(type);
  LLVMPositionBuilderBefore(builder, select);
  LLVMValueRef a = LLVMBuildBitCast(builder, LLVMGetOperand(select, 1), bits, "");
  LLVMValueRef b = LLVMBuildBitCast(builder, LLVMGetOperand(select, 2), bits, "");
  LLVMValueRef chosen = LLVMBuildSelect(builder, LLVMGetOperand(select, 0), a, b, "");
  LLVMReplaceAllUsesWith(select, LLVMBuildBitCast(builder, chosen, type, ""));
  LLVMInstructionEraseFromParent(select);
}

void echo_target_keep_selections(LLVMModuleRef module)
{
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op != NULL; op = next) {
        next = LLVMGetNextInstruction(op);
        if (LLVMIsASelectInst(op) != NULL && is_extremum(op))
          select_bits(builder, op);
      }
  LLVMDisposeBuilder(builder);
}
