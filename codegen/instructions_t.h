/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rewrites of code once LLVM's passes have run. Private to codegen/. */
#ifndef ECHO_CODEGEN_INSTRUCTIONS_T_H
#define ECHO_CODEGEN_INSTRUCTIONS_T_H

#include <llvm-c/Types.h>

/* May replace and erase `op`; `builder` stands anywhere. */
typedef void EchoInstructionVisitor(LLVMBuilderRef builder, LLVMValueRef op, const void *options);

/* Every instruction of the module once; those that the visitor adds are not visited. O(module). */
void echo_instructions_visit(LLVMModuleRef module, EchoInstructionVisitor *visit,
                             const void *options);
/* Where `builder` stands: a call of the intrinsic `name`, of one `type` or, where it has none, of
 * NULL, on n operands. */
LLVMValueRef echo_instructions_call(LLVMBuilderRef builder, const char *name,
                                    LLVMTypeRef type_or_null, LLVMValueRef *operands, unsigned n);

#endif
