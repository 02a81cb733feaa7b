/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two floats that become halves side by side: one instruction where a GPU has it, for which LLVM
 * emits two and a third that puts them together. The rounding is the same. */
#include <llvm-c/Core.h>

#include <string.h>

#include "codegen/instructions_t.h"
#include "codegen/target_t.h"

enum { MAX_LANES = 16 };

static bool is_kind(LLVMValueRef value, LLVMTypeKind kind)
{
  return LLVMGetTypeKind(LLVMTypeOf(value)) == kind;
}

/* What `lane`, a half or a bfloat, is the rounding of. */
static LLVMValueRef rounded_or_null(LLVMValueRef lane)
{
  size_t size = 0;
  if (LLVMIsAFPTruncInst(lane) == NULL && LLVMIsACallInst(lane) == NULL)
    return NULL;
  LLVMValueRef from = LLVMGetOperand(lane, 0);
  if (LLVMIsACallInst(lane) != NULL) {
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(lane), &size);
    if (!echo_str_is((EchoStr){name, size}, "llvm.nvvm.f2bf16.rn"))
      return NULL;
  }
  return is_kind(from, LLVMFloatTypeKind) ? from : NULL;
}

/* The lanes of a vector that inserts make of nothing, each lane once; their number, else 0. */
static unsigned lanes_of(LLVMValueRef vector, LLVMValueRef lanes[MAX_LANES])
{
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(vector)), n_found = 0;
  if (n > MAX_LANES)
    return 0;
  memset(lanes, 0, n * sizeof *lanes);
  for (; LLVMIsAInsertElementInst(vector) != NULL; vector = LLVMGetOperand(vector, 0)) {
    LLVMValueRef at = LLVMGetOperand(vector, 2);
    uint64_t lane = LLVMIsAConstantInt(at) != NULL ? LLVMConstIntGetZExtValue(at) : n;
    if (lane >= n || lanes[lane] != NULL)
      return 0;
    lanes[lane] = LLVMGetOperand(vector, 1);
    n_found++;
  }
  return n_found == n && LLVMIsUndef(vector) ? n : 0;
}

/* As 32-bit integers, two halves each, or NULL where that is not what the lanes are. */
static LLVMValueRef pairs_or_null(LLVMBuilderRef builder, LLVMValueRef *lanes, unsigned n)
{
  LLVMValueRef floats[MAX_LANES];
  if (n == 0 || n % 2 != 0)
    return NULL;
  for (unsigned i = 0; i < n; ++i) {
    floats[i] = rounded_or_null(lanes[i]);
    if (floats[i] == NULL)
      return NULL;
  }
  const char *name =
      is_kind(lanes[0], LLVMBFloatTypeKind) ? "llvm.nvvm.ff2bf16x2.rn" : "llvm.nvvm.ff2f16x2.rn";
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(lanes[0])));
  LLVMValueRef all = LLVMGetPoison(LLVMVectorType(i32, n / 2));
  for (unsigned i = 0; i < n; i += 2) {
    LLVMValueRef above_below[] = {floats[i + 1], floats[i]};
    LLVMValueRef pair = echo_instructions_call(builder, name, NULL, above_below, 2);
    all = LLVMBuildInsertElement(builder, all, LLVMBuildBitCast(builder, pair, i32, ""),
                                 LLVMConstInt(i32, i / 2, false), "");
  }
  return all;
}

static void pair(LLVMBuilderRef builder, LLVMValueRef op, const void *options)
{
  (void)options;
  LLVMValueRef lanes[MAX_LANES];
  if (LLVMIsAInsertElementInst(op) == NULL)
    return;
  LLVMPositionBuilderBefore(builder, op);
  LLVMValueRef pairs = pairs_or_null(builder, lanes, lanes_of(op, lanes));
  if (pairs != NULL)
    LLVMReplaceAllUsesWith(op, LLVMBuildBitCast(builder, pairs, LLVMTypeOf(op), ""));
}

void echo_pair_halves(LLVMModuleRef module)
{
  echo_instructions_visit(module, pair, NULL);
}
