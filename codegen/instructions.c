/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What whoever writes code and whoever rewrites it share: calls of LLVM's intrinsics, and a walk.
 */
#include "codegen/instructions_t.h"

#include <llvm-c/Core.h>
#include <string.h>

#include "base/panic.h"

void echo_instructions_visit(LLVMModuleRef module, EchoInstructionVisitor *visit,
                             const void *options)
{
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op != NULL; op = next) {
        next = LLVMGetNextInstruction(op);
        visit(builder, op, options);
      }
  LLVMDisposeBuilder(builder);
}

LLVMValueRef echo_instructions_call(LLVMBuilderRef builder, const char *name,
                                    LLVMTypeRef type_or_null, LLVMValueRef *operands, unsigned n)
{
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
  LLVMContextRef llvm = LLVMGetModuleContext(module);
  size_t n_types = type_or_null != NULL;
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  ECHO_CHECK(id != 0, "LLVM has no intrinsic '%s'", name);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type_or_null, n_types);
  LLVMTypeRef signature = LLVMIntrinsicGetType(llvm, id, &type_or_null, n_types);
  return LLVMBuildCall2(builder, signature, function, operands, n, "");
}
