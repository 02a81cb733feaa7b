/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types, values and dispatch. */
#include "codegen/emit_t.h"

#include <stdarg.h>

#include "codegen/instructions_t.h"

void echo_emit_table_create(EchoEmitTable *table, const EchoContext *ctx)
{
  static const EchoEmitRow *const TABLES[] = {ECHO_EMIT_ARITH,  ECHO_EMIT_MATH,   ECHO_EMIT_SCF,
                                              ECHO_EMIT_MEMREF, ECHO_EMIT_VECTOR, ECHO_EMIT_GPU,
                                              ECHO_EMIT_NVGPU};
  *table = (EchoEmitTable){0};
  for (size_t t = 0; t < sizeof TABLES / sizeof TABLES[0]; ++t)
    for (const EchoEmitRow *row = TABLES[t]; row->name != NULL; ++row) {
      const EchoOpInfo *info = echo_context_op_info_or_null(ctx, echo_str(row->name));
      if (info != NULL)
        echo_map_set(&table->functions, echo_key(info), (uint64_t)(uintptr_t)row);
    }
}

void echo_emit_table_destroy(EchoEmitTable *table)
{
  echo_map_destroy(&table->functions);
}

bool echo_emit_error(EchoEmitter *emitter, const EchoOp *op, const char *format, ...)
{
  if (emitter->error->message.size != 0)
    return false;
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&emitter->error->message, format, arguments);
  va_end(arguments);
  emitter->error->op = op;
  return false;
}

/* arith and math are defined on tensors too, which no register holds. */
static bool is_tensor(const EchoType *type)
{
  return type->kind == ECHO_TYPE_TENSOR || type->kind == ECHO_TYPE_UNRANKED_TENSOR;
}

bool echo_emit_op(EchoEmitter *emitter, const EchoOp *op)
{
  uint64_t row = echo_map_get_or(&emitter->table->functions, echo_key(op->info), 0);
  if (row == 0)
    return echo_emit_error(emitter, op, "has no translation to LLVM");
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (is_tensor(op->results[i].type))
      return echo_emit_error(emitter, op, "computes a tensor: kernels compute on memrefs");
  return ((const EchoEmitRow *)(uintptr_t)row)->emit(emitter, op);
}

bool echo_emit_block(EchoEmitter *emitter, const EchoBlock *block)
{
  for (const EchoOp *op = block->first; op != NULL && op != block->last; op = op->next)
    if (echo_emit_needs(emitter, op) && !echo_emit_op(emitter, op))
      return false;
  return true;
}

LLVMValueRef echo_emit_get(EchoEmitter *emitter, const EchoValue *value)
{
  LLVMValueRef llvm = echo_map_get_ptr(&emitter->values, value);
  ECHO_CHECK(llvm != NULL, "a value is used before it is translated");
  return llvm;
}

void echo_emit_set(EchoEmitter *emitter, const EchoValue *value, LLVMValueRef llvm)
{
  echo_map_set_ptr(&emitter->values, value, llvm);
}

static LLVMTypeRef float_type_or_null(const EchoEmitter *emitter, EchoFloatKind kind)
{
  switch (kind) {
  case ECHO_F16:
    return LLVMHalfTypeInContext(emitter->llvm);
  case ECHO_BF16: /* by its bits: not every target computes with it */
    return LLVMInt16TypeInContext(emitter->llvm);
  case ECHO_F32:
    return LLVMFloatTypeInContext(emitter->llvm);
  case ECHO_F64:
    return LLVMDoubleTypeInContext(emitter->llvm);
  default:
    return NULL;
  }
}

/* Of tensor cores: pairs of halves are a register, f32 one each, row by row: alone in it those that
 * are multiplied, by twos those that are summed. */
static LLVMTypeRef fragments_type_or_null(const EchoEmitter *emitter, const EchoType *type)
{
  const EchoType *element = type->as.shaped.element;
  unsigned rows = (unsigned)type->as.shaped.dims[0], columns = (unsigned)type->as.shaped.dims[1];
  if (!emitter->is_device || element->kind != ECHO_TYPE_FLOAT || columns > 2 || rows > 4)
    return NULL;
  if (element->as.float_kind == ECHO_F32)
    return LLVMVectorType(LLVMFloatTypeInContext(emitter->llvm), rows * columns);
  return element->as.float_kind == ECHO_F64 || columns != 2
             ? NULL
             : LLVMVectorType(LLVMInt32TypeInContext(emitter->llvm), rows);
}

LLVMTypeRef echo_emit_type_or_null(const EchoEmitter *emitter, const EchoType *type)
{
  switch (type->kind) {
  case ECHO_TYPE_INDEX:
    return echo_emit_index(emitter);
  case ECHO_TYPE_INTEGER:
    return LLVMIntTypeInContext(emitter->llvm, type->as.integer.width);
  case ECHO_TYPE_FLOAT:
    return float_type_or_null(emitter, type->as.float_kind);
  case ECHO_TYPE_VECTOR: {
    LLVMTypeRef element = echo_emit_type_or_null(emitter, type->as.shaped.element);
    if (type->as.shaped.rank == 2)
      return fragments_type_or_null(emitter, type);
    bool is_flat = type->as.shaped.rank == 1 && type->as.shaped.scalable == 0;
    return element != NULL && is_flat ? LLVMVectorType(element, (unsigned)type->as.shaped.dims[0])
                                      : NULL;
  }
  case ECHO_TYPE_MEMREF:
    return LLVMPointerTypeInContext(emitter->llvm, 0);
  default:
    return NULL;
  }
}

LLVMTypeRef echo_emit_memory_type_or_null(const EchoEmitter *emitter, const EchoType *type)
{
  if (type->kind == ECHO_TYPE_INTEGER && type->as.integer.width < 8)
    return LLVMInt8TypeInContext(emitter->llvm);
  return echo_emit_type_or_null(emitter, type);
}

LLVMTypeRef echo_emit_i64(const EchoEmitter *emitter)
{
  return LLVMInt64TypeInContext(emitter->llvm);
}

LLVMTypeRef echo_emit_index(const EchoEmitter *emitter)
{
  return emitter->has_narrow_index ? LLVMInt32TypeInContext(emitter->llvm)
                                   : LLVMInt64TypeInContext(emitter->llvm);
}

LLVMValueRef echo_emit_i64_constant(const EchoEmitter *emitter, int64_t value)
{
  return LLVMConstInt(echo_emit_i64(emitter), (unsigned long long)value, true);
}

void echo_emit_denormals(const EchoEmitter *emitter, const char *name)
{
  static const char BOTH[] = "preserve-sign,preserve-sign"; /* results, operands */
  if (!emitter->flushes_denormals)
    return;
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(
      emitter->llvm, name, (unsigned)strlen(name), BOTH, (unsigned)(sizeof BOTH - 1));
  LLVMAddAttributeAtIndex(emitter->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          attribute);
}

LLVMValueRef echo_emit_intrinsic(EchoEmitter *emitter, const char *name, LLVMTypeRef type,
                                 LLVMValueRef *arguments, unsigned n)
{
  return echo_instructions_call(emitter->builder, name, type, arguments, n);
}

LLVMValueRef echo_emit_alloca(EchoEmitter *emitter, LLVMTypeRef element, uint64_t n,
                              unsigned alignment)
{
  LLVMBasicBlockRef here = LLVMGetInsertBlock(emitter->builder);
  LLVMValueRef first = LLVMGetFirstInstruction(emitter->entry);
  if (first != NULL)
    LLVMPositionBuilderBefore(emitter->builder, first);
  else
    LLVMPositionBuilderAtEnd(emitter->builder, emitter->entry);
  LLVMValueRef memory = LLVMBuildAlloca(emitter->builder, LLVMArrayType2(element, n), "");
  LLVMSetAlignment(memory, alignment);
  LLVMPositionBuilderAtEnd(emitter->builder, here);
  return memory;
}
