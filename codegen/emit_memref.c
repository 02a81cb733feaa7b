/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memref to LLVM: a memref is the address of its first element; shapes are static and row-major. */
#include "codegen/emit_t.h"
#include "dialects/arith/arith.h"

static LLVMValueRef index_constant(const EchoEmitter *emitter, int64_t value)
{
  return LLVMConstInt(echo_emit_index(emitter), (unsigned long long)value, true);
}

/* A position as a variable part and a constant one, which neighbours differ in. */
typedef struct Position {
  LLVMValueRef sum;    /* NULL: 0 */
  LLVMValueRef stride; /* on the CPU an innermost index that goes in steps, to be added; or NULL */
  int64_t constant;
} Position;

/* `value` + *constant, where it is written so. */
static const EchoValue *without_constant(const EchoValue *value, int64_t *constant)
{
  const EchoOp *def = echo_value_def_or_null(value);
  *constant = 0;
  if (def == NULL || !echo_op_is(def, "arith.addi") ||
      !echo_arith_constant_i64(echo_op_operand(def, 1), constant))
    return value;
  return echo_op_operand(def, 0);
}

/* Whether `value` is a multiple that does not overflow, and what may be added to it, a place in a
 * row of `dim` elements: *start. */
static bool goes_in_steps(const EchoValue *value, int64_t dim, int64_t *start)
{
  const EchoOp *def = echo_value_def_or_null(without_constant(value, start));
  return def != NULL && echo_op_is(def, "arith.muli") && echo_emit_is_without_overflow(def) &&
         *start >= 0 && *start < dim;
}

/* Row-major position of the indices that start at operand `first`. An innermost index that goes in
 * steps stays apart: of a sum with anything else the vectoriser does not see that it does not wrap,
 * and gathers elements where it could load vectors and shuffle. */
static Position position(EchoEmitter *emitter, const EchoOp *op, const EchoType *memref,
                         size_t first)
{
  LLVMBuilderRef builder = emitter->builder;
  Position at = {0};
  int64_t stride = 1;
  for (uint32_t i = memref->as.shaped.rank; i-- > 0; stride *= echo_type_dim(memref, i)) {
    const EchoValue *value = echo_op_operand(op, first + i);
    int64_t constant = 0, dim = echo_type_dim(memref, i);
    if (dim == 1)
      continue;
    bool is_stride = !emitter->is_device && stride == 1 && goes_in_steps(value, dim, &constant);
    constant = 0;
    if (emitter->is_device || is_stride)
      value = without_constant(value, &constant);
    LLVMValueRef index = echo_emit_get(emitter, value);
    at.constant += constant * stride;
    if (is_stride) {
      at.stride = index;
      continue;
    }
    LLVMValueRef term =
        stride == 1 ? index : LLVMBuildMul(builder, index, index_constant(emitter, stride), "");
    at.sum = at.sum == NULL ? term : LLVMBuildAdd(builder, term, at.sum, "");
  }
  return at;
}

/* What the memref is made of; NULL after an error. */
static LLVMTypeRef element_or_null(EchoEmitter *emitter, const EchoOp *op, const EchoType *type)
{
  LLVMTypeRef element = echo_emit_memory_type_or_null(emitter, type->as.shaped.element);
  if (element != NULL && echo_type_has_static_shape(type) && type->as.shaped.encoding == NULL)
    return element;
  echo_emit_error(emitter, op, "has a memref that LLVM code is not generated for");
  return NULL;
}

/* Each sum of parts is a place in the array. */
static LLVMValueRef strided_address(EchoEmitter *emitter, LLVMTypeRef element, LLVMValueRef pointer,
                                    Position at)
{
  LLVMValueRef constant = index_constant(emitter, at.constant);
  LLVMValueRef parts[] = {at.sum, at.constant != 0 ? constant : NULL, at.stride};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
    if (parts[i] != NULL)
      pointer = LLVMBuildInBoundsGEP2(emitter->builder, element, pointer, &parts[i], 1, "");
  return pointer;
}

LLVMValueRef echo_emit_address(EchoEmitter *emitter, const EchoOp *op, size_t memref, size_t first)
{
  const EchoType *type = echo_op_operand_type(op, memref);
  LLVMTypeRef element = element_or_null(emitter, op, type);
  if (element == NULL)
    return NULL;
  LLVMBuilderRef builder = emitter->builder;
  Position at = position(emitter, op, type, first);
  LLVMValueRef pointer = echo_emit_operand(emitter, op, memref);
  if (at.stride != NULL)
    return strided_address(emitter, element, pointer, at);
  if (at.constant == 0) {
    LLVMValueRef index = at.sum != NULL ? at.sum : index_constant(emitter, 0);
    return LLVMBuildInBoundsGEP2(builder, element, pointer, &index, 1, "");
  }
  /* the variable part alone may lie outside */
  LLVMValueRef constant = echo_emit_i64_constant(emitter, at.constant);
  if (at.sum != NULL)
    pointer = LLVMBuildGEP2(builder, element, pointer, &at.sum, 1, "");
  return LLVMBuildGEP2(builder, element, pointer, &constant, 1, "");
}

LLVMValueRef echo_emit_split_address(EchoEmitter *emitter, const EchoOp *op, size_t memref,
                                     size_t first, int64_t *offset_bytes)
{
  const EchoType *type = echo_op_operand_type(op, memref);
  LLVMTypeRef element = element_or_null(emitter, op, type);
  if (element == NULL)
    return NULL;
  int64_t element_bytes = (int64_t)echo_type_element_bytes(type->as.shaped.element), stride = 1;
  LLVMValueRef pointer = echo_emit_operand(emitter, op, memref), sum = NULL;
  *offset_bytes = 0;
  for (uint32_t i = type->as.shaped.rank; i-- > 0; stride *= echo_type_dim(type, i)) {
    int64_t constant = 0;
    const EchoValue *value = echo_op_operand(op, first + i);
    if (echo_type_dim(type, i) == 1)
      continue;
    bool is_constant = echo_arith_constant_i64(value, &constant);
    if (!is_constant)
      value = without_constant(value, &constant);
    *offset_bytes += constant * stride * element_bytes;
    if (is_constant)
      continue;
    LLVMValueRef term = LLVMBuildMul(emitter->builder, echo_emit_get(emitter, value),
                                     index_constant(emitter, stride), "");
    sum = sum == NULL ? term : LLVMBuildAdd(emitter->builder, term, sum, "");
  }
  /* the variable part alone may lie outside */
  return sum != NULL ? LLVMBuildGEP2(emitter->builder, element, pointer, &sum, 1, "") : pointer;
}

static void mark_access(EchoEmitter *emitter, LLVMValueRef instruction, unsigned alignment)
{
  LLVMSetAlignment(instruction, alignment);
  if (emitter->access_group == NULL)
    return;
  unsigned kind = LLVMGetMDKindIDInContext(emitter->llvm, "llvm.access.group", 17);
  LLVMSetMetadata(instruction, kind, emitter->access_group);
}

static unsigned alignment_of(const EchoEmitter *emitter, const EchoOp *op, size_t memref)
{
  if (emitter->is_device)
    return echo_emit_alignment(op, memref, memref + 1);
  return (unsigned)echo_type_element_bytes(echo_op_operand_type(op, memref)->as.shaped.element);
}

/* An integer that memory holds in a byte of its own. */
static bool is_below_byte(const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  return element->kind == ECHO_TYPE_INTEGER && element->as.integer.width < 8;
}

static bool emit_load_as(EchoEmitter *emitter, const EchoOp *op, LLVMTypeRef memory)
{
  const EchoType *type = echo_op_result_type(op, 0);
  LLVMValueRef pointer = echo_emit_address(emitter, op, 0, 1);
  if (pointer == NULL || memory == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  LLVMValueRef value = LLVMBuildLoad2(emitter->builder, memory, pointer, "");
  mark_access(emitter, value, alignment_of(emitter, op, 0));
  if (is_below_byte(type))
    value = LLVMBuildTrunc(emitter->builder, value, echo_emit_type_or_null(emitter, type), "");
  return echo_emit_result(emitter, op, value);
}

static bool emit_store_as(EchoEmitter *emitter, const EchoOp *op, LLVMTypeRef memory)
{
  LLVMValueRef pointer = echo_emit_address(emitter, op, 1, 2);
  if (pointer == NULL || memory == NULL)
    return echo_emit_error(emitter, op, "has a type that LLVM code is not generated for");
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  if (is_below_byte(echo_op_operand_type(op, 0)))
    value = LLVMBuildZExt(emitter->builder, value, memory, "");
  LLVMValueRef store = LLVMBuildStore(emitter->builder, value, pointer);
  mark_access(emitter, store, alignment_of(emitter, op, 1));
  return true;
}

static LLVMTypeRef memory_vector(EchoEmitter *emitter, const EchoType *type)
{
  LLVMTypeRef element = echo_emit_memory_type_or_null(emitter, type->as.shaped.element);
  return element != NULL && type->as.shaped.rank == 1
             ? LLVMVectorType(element, (unsigned)type->as.shaped.dims[0])
             : NULL;
}

static bool emit_load(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_load_as(emitter, op,
                      echo_emit_memory_type_or_null(emitter, echo_op_result_type(op, 0)));
}

static bool emit_store(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_store_as(emitter, op,
                       echo_emit_memory_type_or_null(emitter, echo_op_operand_type(op, 0)));
}

static bool emit_vector_load(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_load_as(emitter, op, memory_vector(emitter, echo_op_result_type(op, 0)));
}

static bool emit_vector_store(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_store_as(emitter, op, memory_vector(emitter, echo_op_operand_type(op, 0)));
}

static bool emit_memref_alloca(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  LLVMTypeRef element = echo_emit_memory_type_or_null(emitter, type->as.shaped.element);
  int64_t n = 0;
  if (element == NULL || op->n_operands != 0 || !echo_type_n_elements(type, &n))
    return echo_emit_error(emitter, op, "needs a static shape");
  int64_t alignment = echo_op_attr_i64(op, "alignment", 16);
  return echo_emit_result(emitter, op,
                          echo_emit_alloca(emitter, element, (uint64_t)n, (unsigned)alignment));
}

/* A view of the same elements: the same address. */
static bool emit_view(EchoEmitter *emitter, const EchoOp *op)
{
  return echo_emit_result(emitter, op, echo_emit_operand(emitter, op, 0));
}

static bool emit_address(EchoEmitter *emitter, const EchoOp *op)
{
  return echo_emit_result(emitter, op,
                          LLVMBuildPtrToInt(emitter->builder, echo_emit_operand(emitter, op, 0),
                                            echo_emit_i64(emitter), ""));
}

const EchoEmitRow ECHO_EMIT_MEMREF[] = {{"memref.load", emit_load},
                                        {"memref.store", emit_store},
                                        {"vector.load", emit_vector_load},
                                        {"vector.store", emit_vector_store},
                                        {"memref.alloca", emit_memref_alloca},
                                        {"memref.collapse_shape", emit_view},
                                        {"memref.expand_shape", emit_view},
                                        {"memref.extract_aligned_pointer_as_index", emit_address},
                                        {NULL, NULL}};
