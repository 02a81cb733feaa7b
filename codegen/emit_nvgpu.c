/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvgpu to LLVM's NVVM intrinsics. Fragments of halves are a register of two of them each; those of
 * f32 are floats, row by row: rounded to tf32 where they are multiplied. What reads or writes
 * shared memory is written as PTX: LLVM's intrinsics keep each address in registers of its own,
 * where the constant part of it can stand in the instruction. */
#include "codegen/emit_t.h"

#include <stdio.h>

static LLVMTypeRef i32_type(const EchoEmitter *emitter)
{
  return LLVMInt32TypeInContext(emitter->llvm);
}

static LLVMValueRef i32_constant(const EchoEmitter *emitter, uint64_t value)
{
  return LLVMConstInt(i32_type(emitter), value, false);
}

static bool is_f16(const EchoType *type)
{
  return echo_type_element(type)->as.float_kind == ECHO_F16;
}

static bool has_shape(const EchoType *type, int64_t rows, int64_t columns)
{
  return type->kind == ECHO_TYPE_VECTOR && type->as.shaped.rank == 2 &&
         type->as.shaped.dims[0] == rows && type->as.shaped.dims[1] == columns;
}

static bool is_half(const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  return element->kind == ECHO_TYPE_FLOAT &&
         (element->as.float_kind == ECHO_F16 || element->as.float_kind == ECHO_BF16);
}

static bool is_f32(const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  return element->kind == ECHO_TYPE_FLOAT && element->as.float_kind == ECHO_F32;
}

/* The members of a struct in a vector. */
static LLVMValueRef gather(EchoEmitter *emitter, LLVMValueRef parts, LLVMTypeRef type, unsigned n)
{
  LLVMValueRef vector = LLVMGetPoison(type);
  for (unsigned i = 0; i < n; ++i)
    vector = LLVMBuildInsertElement(emitter->builder, vector,
                                    LLVMBuildExtractValue(emitter->builder, parts, i, ""),
                                    i32_constant(emitter, i), "");
  return vector;
}

/* The address in two parts, the constant one as far as an instruction holds it. */
static LLVMValueRef split_address(EchoEmitter *emitter, const EchoOp *op, size_t memref,
                                  size_t first, int64_t *offset)
{
  LLVMValueRef pointer = echo_emit_split_address(emitter, op, memref, first, offset);
  if (pointer == NULL || (*offset <= INT32_MAX && *offset >= INT32_MIN))
    return pointer;
  LLVMValueRef bytes = echo_emit_i64_constant(emitter, *offset);
  *offset = 0;
  return LLVMBuildGEP2(emitter->builder, LLVMInt8TypeInContext(emitter->llvm), pointer, &bytes, 1,
                       "");
}

/* Where LLVM puts it, no lane leaves before it and nothing in memory passes it. */
static LLVMValueRef emit_ptx(EchoEmitter *emitter, const char *text, const char *constraints,
                             LLVMTypeRef result, LLVMValueRef *arguments, unsigned n)
{
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < n; ++i)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef signature = LLVMFunctionType(result, types, n, false);
  LLVMValueRef code = LLVMGetInlineAsm(signature, (char *)(uintptr_t)text, strlen(text),
                                       (char *)(uintptr_t)constraints, strlen(constraints), true,
                                       false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef call = LLVMBuildCall2(emitter->builder, signature, code, arguments, n, "");
  unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(emitter->llvm, convergent, 0));
  return call;
}

static bool emit_load_matrix(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  bool is_transposed = echo_op_attr_i64(op, "transpose", 0) != 0;
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  bool fits = is_f32(type) ? has_shape(type, 4, 1) && !is_transposed
                           : has_shape(type, 4, 2) && is_half(type);
  if (!fits || echo_type_element(type) != echo_type_element(echo_op_operand_type(op, 0)))
    return echo_emit_error(emitter, op, "is translated for four matrices of halves or f32 only");
  int64_t offset;
  LLVMValueRef pointer = split_address(emitter, op, 0, 1, &offset);
  if (pointer == NULL)
    return false;
  char text[128];
  snprintf(text, sizeof text,
           "ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {$0, $1, $2, $3}, [$4+%lld];",
           is_transposed ? ".trans" : "", (long long)offset);
  LLVMTypeRef word = is_f32(type) ? LLVMFloatTypeInContext(emitter->llvm) : i32_type(emitter);
  LLVMTypeRef registers[] = {word, word, word, word};
  LLVMTypeRef result = LLVMStructTypeInContext(emitter->llvm, registers, 4, false);
  LLVMValueRef parts =
      emit_ptx(emitter, text, is_f32(type) ? "=f,=f,=f,=f,l,~{memory}" : "=r,=r,=r,=r,l,~{memory}",
               result, &pointer, 1);
  return echo_emit_result(emitter, op, gather(emitter, parts, LLVMVectorType(word, 4), 4));
}

/* The lanes of `vector` as arguments, pairs of f16 as such. */
static unsigned spread(EchoEmitter *emitter, LLVMValueRef vector, bool as_f16,
                       LLVMValueRef *arguments)
{
  LLVMTypeRef pair = LLVMVectorType(LLVMHalfTypeInContext(emitter->llvm), 2);
  unsigned n = LLVMGetVectorSize(LLVMTypeOf(vector));
  for (unsigned i = 0; i < n; ++i) {
    arguments[i] = LLVMBuildExtractElement(emitter->builder, vector, i32_constant(emitter, i), "");
    if (as_f16)
      arguments[i] = LLVMBuildBitCast(emitter->builder, arguments[i], pair, "");
  }
  return n;
}

/* Each lane's word rounded to tf32, ties away from zero. What is rounded for several products LLVM
 * rounds once. */
static unsigned spread_tf32(EchoEmitter *emitter, LLVMValueRef vector, LLVMValueRef *arguments)
{
  unsigned n = spread(emitter, vector, false, arguments);
  for (unsigned i = 0; i < n; ++i)
    arguments[i] = echo_emit_intrinsic(emitter, "llvm.nvvm.f2tf32.rna", NULL, &arguments[i], 1);
  return n;
}

static const char *product_or_null(const EchoOp *op)
{
  const EchoType *a = echo_op_operand_type(op, 0), *b = echo_op_operand_type(op, 1);
  const EchoType *sums = echo_op_operand_type(op, 2);
  if (echo_type_element(a) != echo_type_element(b) || !has_shape(sums, 2, 2) || !is_f32(sums))
    return NULL;
  if (is_f32(a))
    return has_shape(a, 4, 1) && has_shape(b, 2, 1) && echo_op_has_attr(op, "tf32Enabled")
               ? "llvm.nvvm.mma.m16n8k8.row.col.tf32"
               : NULL;
  if (!has_shape(a, 4, 2) || !has_shape(b, 2, 2) || !is_half(a))
    return NULL;
  return is_f16(a) ? "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
                   : "llvm.nvvm.mma.m16n8k16.row.col.bf16";
}

static bool emit_mma(EchoEmitter *emitter, const EchoOp *op)
{
  const char *product = product_or_null(op);
  const EchoType *a = echo_op_operand_type(op, 0);
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  if (product == NULL)
    return echo_emit_error(
        emitter, op, "is translated for 16 x 8 x 16 halves and 16 x 8 x 8 tf32 into f32 only");
  LLVMValueRef arguments[10];
  unsigned n = 0;
  for (size_t i = 0; i < 2; ++i) {
    LLVMValueRef fragment = echo_emit_operand(emitter, op, i);
    n += is_f32(a) ? spread_tf32(emitter, fragment, arguments + n)
                   : spread(emitter, fragment, is_f16(a), arguments + n);
  }
  n += spread(emitter, echo_emit_operand(emitter, op, 2), false, arguments + n);
  LLVMValueRef parts = echo_emit_intrinsic(emitter, product, NULL, arguments, n);
  LLVMTypeRef type = LLVMVectorType(LLVMFloatTypeInContext(emitter->llvm), 4);
  return echo_emit_result(emitter, op, gather(emitter, parts, type, 4));
}

/* cp.async to shared memory; 16 bytes past L1, which would hold them for nobody. */
static bool emit_copy(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoAttr *segments = echo_op_attr_or_null(op, "operandSegmentSizes");
  const EchoType *element = echo_type_element(echo_op_operand_type(op, 0));
  int64_t n = echo_op_attr_or_null(op, "dstElements")->as.integer.value;
  int64_t bytes = n * (int64_t)echo_type_element_bytes(element);
  size_t from = 1 + (size_t)echo_attr_ints_get(segments, 1);
  size_t last = from + 1 + (size_t)echo_attr_ints_get(segments, 3);
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return echo_emit_error(emitter, op, "is translated for 4, 8 and 16 bytes only");
  int64_t to_offset, from_offset;
  LLVMValueRef to = split_address(emitter, op, 0, 1, &to_offset);
  LLVMValueRef source = split_address(emitter, op, from, from + 1, &from_offset);
  if (to == NULL || source == NULL)
    return false;
  LLVMTypeRef global = LLVMPointerTypeInContext(emitter->llvm, 1);
  source = LLVMBuildAddrSpaceCast(emitter->builder, source, global, "");
  bool is_partial = last < op->n_operands;
  char text[128];
  snprintf(text, sizeof text, "cp.async.%s.shared.global [$0+%lld], [$1+%lld], %lld%s;",
           echo_op_has_attr(op, "bypassL1") ? "cg" : "ca", (long long)to_offset,
           (long long)from_offset, (long long)bytes, is_partial ? ", $2" : "");
  LLVMValueRef arguments[3] = {to, source, NULL};
  if (is_partial) {
    LLVMValueRef meant = echo_emit_operand(emitter, op, last);
    meant = LLVMBuildIntCast2(emitter->builder, meant, i32_type(emitter), true, "");
    arguments[2] =
        LLVMBuildMul(emitter->builder, meant,
                     i32_constant(emitter, (uint64_t)echo_type_element_bytes(element)), "");
  }
  emit_ptx(emitter, text, is_partial ? "l,l,r,~{memory}" : "l,l,~{memory}",
           LLVMVoidTypeInContext(emitter->llvm), arguments, is_partial ? 3 : 2);
  echo_emit_set(emitter, echo_op_result(op, 0), i32_constant(emitter, 0));
  return true;
}

static bool emit_group(EchoEmitter *emitter, const EchoOp *op)
{
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  echo_emit_intrinsic(emitter, "llvm.nvvm.cp.async.commit.group", NULL, NULL, 0);
  echo_emit_set(emitter, echo_op_result(op, 0), i32_constant(emitter, 0));
  return true;
}

static bool emit_wait(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMValueRef n = i32_constant(emitter, (uint64_t)echo_op_attr_i64(op, "numGroups", 0));
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  echo_emit_intrinsic(emitter, "llvm.nvvm.cp.async.wait.group", NULL, &n, 1);
  return true;
}

const EchoEmitRow ECHO_EMIT_NVGPU[] = {
    {"nvgpu.ldmatrix", emit_load_matrix},   {"nvgpu.mma.sync", emit_mma},
    {"nvgpu.device_async_copy", emit_copy}, {"nvgpu.device_async_create_group", emit_group},
    {"nvgpu.device_async_wait", emit_wait}, {NULL, NULL}};
