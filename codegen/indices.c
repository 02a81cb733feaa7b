/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops' indices, kept from LLVM's strength reduction: of making code it took a third of the time,
 * and loops ran no faster for it (bench/results/small_steps.md). An address here is an array's and
 * an index, which is what an instruction takes; what a nest adds to it is moved out of the loop by
 * then. To that pass an index is what grows by the same in each pass of a loop; one that is frozen
 * on its way into the next pass is none. There is nothing to freeze in a number that is no poison,
 * and no instruction comes of it. */
#include <llvm-c/Core.h>

#include "codegen/instructions_t.h"
#include "codegen/target_t.h"

/* Whether `value` is `phi` and something. */
static bool grows(LLVMValueRef value, LLVMValueRef phi)
{
  return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
         (LLVMGetOperand(value, 0) == phi || LLVMGetOperand(value, 1) == phi);
}

static void hide(LLVMBuilderRef builder, LLVMValueRef op, const void *options)
{
  (void)options;
  if (LLVMIsAPHINode(op) == NULL || LLVMGetTypeKind(LLVMTypeOf(op)) != LLVMIntegerTypeKind)
    return;
  for (unsigned i = 0; i < LLVMCountIncoming(op); ++i) {
    LLVMValueRef next = LLVMGetIncomingValue(op, i);
    if (!grows(next, op))
      continue;
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(op, i)));
    LLVMSetOperand(op, i, LLVMBuildFreeze(builder, next, ""));
  }
}

void echo_target_hide_indices(LLVMModuleRef module)
{
  echo_instructions_visit(module, hide, NULL);
}
