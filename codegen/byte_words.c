/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes side by side, as masks are, read and written as words of 32 bits, of which a GPU takes four
 * at once: LLVM 19 makes an access of each word of a vector of bytes, and lanes that lie 16 bytes
 * apart then move each sector of memory four times. The words are put together from bytes, and
 * taken apart: a bit cast LLVM takes back. */
#include <llvm-c/Core.h>

#include "codegen/instructions_t.h"
#include "codegen/target_t.h"

enum { WORD_BYTES = 4, BYTE_BITS = 8 };

static bool is_vector_of_bytes(LLVMTypeRef type)
{
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  return LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(element) == BYTE_BITS;
}

static LLVMValueRef word(LLVMBuilderRef builder, LLVMValueRef bytes, unsigned first)
{
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(bytes)));
  LLVMValueRef all = NULL;
  for (unsigned i = 0; i < WORD_BYTES; ++i) {
    LLVMValueRef at = LLVMConstInt(i32, first + i, false);
    LLVMValueRef byte =
        LLVMBuildZExt(builder, LLVMBuildExtractElement(builder, bytes, at, ""), i32, "");
    if (i != 0)
      byte = LLVMBuildShl(builder, byte, LLVMConstInt(i32, i * BYTE_BITS, false), "");
    all = all == NULL ? byte : LLVMBuildOr(builder, all, byte, "");
  }
  return all;
}

static LLVMTypeRef words_of(LLVMTypeRef bytes)
{
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(bytes));
  return LLVMVectorType(i32, LLVMGetVectorSize(bytes) / WORD_BYTES);
}

static void widen_store(LLVMBuilderRef builder, LLVMValueRef op)
{
  LLVMValueRef bytes = LLVMGetOperand(op, 0);
  LLVMTypeRef type = words_of(LLVMTypeOf(bytes)), i32 = LLVMGetElementType(type);
  LLVMValueRef words = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i)
    words = LLVMBuildInsertElement(builder, words, word(builder, bytes, i * WORD_BYTES),
                                   LLVMConstInt(i32, i, false), "");
  LLVMSetAlignment(LLVMBuildStore(builder, words, LLVMGetOperand(op, 1)), LLVMGetAlignment(op));
}

static void widen_load(LLVMBuilderRef builder, LLVMValueRef op)
{
  LLVMTypeRef type = LLVMTypeOf(op), i32 = LLVMGetElementType(words_of(type));
  LLVMValueRef words = LLVMBuildLoad2(builder, words_of(type), LLVMGetOperand(op, 0), "");
  LLVMValueRef bytes = LLVMGetPoison(type), of_byte = NULL;
  LLVMSetAlignment(words, LLVMGetAlignment(op));
  for (unsigned i = 0; i < LLVMGetVectorSize(type); ++i) {
    if (i % WORD_BYTES == 0)
      of_byte =
          LLVMBuildExtractElement(builder, words, LLVMConstInt(i32, i / WORD_BYTES, false), "");
    LLVMValueRef shift = LLVMConstInt(i32, i % WORD_BYTES * BYTE_BITS, false);
    LLVMValueRef byte = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, of_byte, shift, ""),
                                       LLVMGetElementType(type), "");
    bytes = LLVMBuildInsertElement(builder, bytes, byte, LLVMConstInt(i32, i, false), "");
  }
  LLVMReplaceAllUsesWith(op, bytes);
}

static void widen(LLVMBuilderRef builder, LLVMValueRef op, const void *options)
{
  (void)options;
  bool is_store = LLVMIsAStoreInst(op) != NULL;
  if (!is_store && LLVMIsALoadInst(op) == NULL)
    return;
  LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(op, 0) : op);
  unsigned n = is_vector_of_bytes(type) ? LLVMGetVectorSize(type) : 0;
  if ((n != 2 * WORD_BYTES && n != 4 * WORD_BYTES) || LLVMGetAlignment(op) < n)
    return;
  LLVMPositionBuilderBefore(builder, op);
  if (is_store)
    widen_store(builder, op);
  else
    widen_load(builder, op);
  LLVMInstructionEraseFromParent(op);
}

void echo_bytes_as_words(LLVMModuleRef module)
{
  echo_instructions_visit(module, widen, NULL);
}
