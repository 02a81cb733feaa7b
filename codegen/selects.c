/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Selections, kept what they are, once all passes have run.
 *
 * Of x < y ? x : y LLVM makes the processor's minimum and maximum, which count as arithmetic where
 * denormals are flushed, while a selection moves bits: the same op would leave a denormal where its
 * comparison stands in another kernel. Such a selection is made one of integers, which nothing
 * takes for a minimum.
 *
 * Of c ? (x & m | y & ~m) : x LLVM makes one masked instruction of AVX-512, a truth table of three
 * operands (vpternlogd). Where m is a constant that is read from memory and x stands second, LLVM
 * 19 writes the table for another order of the operands, and the result is another. So the other
 * choice passes a fence, which costs nothing and makes it another value than the operand. */
#include <llvm-c/Core.h>
#include <string.h>

#include "codegen/instructions_t.h"
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

/* Whether `value` is computed bit by bit, so that it may become a truth table. */
static bool is_of_bits(LLVMValueRef value)
{
  while (LLVMIsABitCastInst(value) != NULL)
    value = LLVMGetOperand(value, 0);
  if (LLVMIsACallInst(value) != NULL) {
    size_t n_chars = 0;
    LLVMValueRef callee = LLVMGetCalledValue(value);
    const char *name = callee == NULL ? "" : LLVMGetValueName2(callee, &n_chars);
    return strncmp(name, "llvm.copysign.", strlen("llvm.copysign.")) == 0;
  }
  if (LLVMIsABinaryOperator(value) == NULL)
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
}

/* The vector of floats of as many bits; NULL where truth tables are not masked by element. */
static LLVMTypeRef floats_like_or_null(LLVMTypeRef type)
{
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return NULL;
  LLVMContextRef llvm = LLVMGetTypeContext(type);
  LLVMTypeRef element = LLVMGetElementType(type);
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  unsigned n_bits = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(element)
                    : kind == LLVMFloatTypeKind  ? 32
                    : kind == LLVMDoubleTypeKind ? 64
                                                 : 0;
  if (n_bits != 32 && n_bits != 64)
    return NULL;
  LLVMTypeRef number = n_bits == 32 ? LLVMFloatTypeInContext(llvm) : LLVMDoubleTypeInContext(llvm);
  return LLVMVectorType(number, LLVMGetVectorSize(type));
}

/* Which choice of `select` may be an operand of the other one's table: 1, 2, or 0 for none. */
static unsigned choice_to_fence(LLVMValueRef select)
{
  unsigned other = is_of_bits(LLVMGetOperand(select, 1))   ? 2
                   : is_of_bits(LLVMGetOperand(select, 2)) ? 1
                                                           : 0;
  return other != 0 && !LLVMIsNull(LLVMGetOperand(select, other)) ? other : 0;
}

static void fence(LLVMBuilderRef builder, LLVMValueRef select, unsigned choice)
{
  LLVMTypeRef type = LLVMTypeOf(select), floats = floats_like_or_null(type);
  LLVMPositionBuilderBefore(builder, select);
  LLVMValueRef value = LLVMBuildBitCast(builder, LLVMGetOperand(select, choice), floats, "");
  value = echo_instructions_call(builder, "llvm.arithmetic.fence", floats, &value, 1);
  LLVMSetOperand(select, choice, LLVMBuildBitCast(builder, value, type, ""));
}

static void keep(LLVMBuilderRef builder, LLVMValueRef op, const void *options)
{
  const bool *flushes_denormals = options;
  if (LLVMIsASelectInst(op) == NULL)
    return;
  if (floats_like_or_null(LLVMTypeOf(op)) != NULL && choice_to_fence(op) != 0)
    fence(builder, op, choice_to_fence(op));
  if (*flushes_denormals && is_extremum(op))
    select_bits(builder, op);
}

void echo_target_keep_selections(LLVMModuleRef module, bool flushes_denormals)
{
  echo_instructions_visit(module, keep, &flushes_denormals);
}
