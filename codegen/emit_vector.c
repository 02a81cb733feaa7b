/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vector to LLVM: one-dimensional vectors. */
#include "codegen/emit_t.h"

static LLVMValueRef i32(const EchoEmitter *emitter, uint64_t value)
{
  return LLVMConstInt(LLVMInt32TypeInContext(emitter->llvm), value, false);
}

static LLVMValueRef shuffle(EchoEmitter *emitter, LLVMValueRef a, LLVMValueRef b,
                            const unsigned *lanes, unsigned n)
{
  LLVMValueRef mask[256];
  for (unsigned i = 0; i < n; ++i)
    mask[i] = i32(emitter, lanes[i]);
  return LLVMBuildShuffleVector(emitter->builder, a, b, LLVMConstVector(mask, n), "");
}

static bool check_flat(EchoEmitter *emitter, const EchoOp *op, const EchoType *type)
{
  if (type->kind == ECHO_TYPE_VECTOR && type->as.shaped.rank == 1 && type->as.shaped.dims[0] <= 256)
    return true;
  return echo_emit_error(emitter, op, "is translated for one-dimensional vectors only");
}

static bool emit_broadcast(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  if (!check_flat(emitter, op, type))
    return false;
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  if (echo_op_operand_type(op, 0)->kind == ECHO_TYPE_VECTOR)
    return echo_emit_error(emitter, op, "is translated for a scalar source only");
  static const unsigned ZEROS[256] = {0};
  LLVMValueRef undefined = LLVMGetPoison(echo_emit_type_or_null(emitter, type));
  LLVMValueRef first =
      LLVMBuildInsertElement(emitter->builder, undefined, value, i32(emitter, 0), "");
  return echo_emit_result(
      emitter, op, shuffle(emitter, first, undefined, ZEROS, (unsigned)type->as.shaped.dims[0]));
}

/* The one static position; -1 when the op has another form. */
static int64_t static_lane(const EchoOp *op, size_t n_fixed_operands)
{
  const EchoAttr *position = echo_op_attr_or_null(op, "static_position");
  if (op->n_operands != n_fixed_operands || position == NULL || echo_attr_ints_size(position) != 1)
    return -1;
  return echo_attr_ints_get(position, 0);
}

/* Sums of a tensor core: the f32 at a row and a column of a vector of rows. */
static bool emit_extract_sum(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  const EchoAttr *position = echo_op_attr_or_null(op, "static_position");
  if (op->n_operands != 1 || echo_attr_ints_size(position) != 2 ||
      type->as.shaped.element->as.float_kind != ECHO_F32)
    return echo_emit_error(emitter, op, "is translated for two static positions of f32 only");
  int64_t row = echo_attr_ints_get(position, 0), column = echo_attr_ints_get(position, 1);
  uint64_t lane = (uint64_t)(row * type->as.shaped.dims[1] + column);
  LLVMValueRef sums = echo_emit_operand(emitter, op, 0);
  return echo_emit_result(emitter, op,
                          LLVMBuildExtractElement(emitter->builder, sums, i32(emitter, lane), ""));
}

static bool emit_extract(EchoEmitter *emitter, const EchoOp *op)
{
  if (echo_op_operand_type(op, 0)->as.shaped.rank == 2)
    return emit_extract_sum(emitter, op);
  int64_t lane = static_lane(op, 1);
  if (lane < 0 || !check_flat(emitter, op, echo_op_operand_type(op, 0)))
    return echo_emit_error(emitter, op, "is translated for one static position only");
  return echo_emit_result(emitter, op,
                          LLVMBuildExtractElement(emitter->builder,
                                                  echo_emit_operand(emitter, op, 0),
                                                  i32(emitter, (uint64_t)lane), ""));
}

/* The row of a fragment that is one word. */
static int64_t fragment_lane(const EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 1);
  const EchoAttr *position = echo_op_attr_or_null(op, "static_position");
  bool is_one = type->as.shaped.rank == 2 && type->as.shaped.dims[1] == 1 &&
                type->as.shaped.element->as.float_kind == ECHO_F32 && op->n_operands == 2 &&
                position != NULL && echo_attr_ints_size(position) == 2;
  return is_one ? echo_attr_ints_get(position, 0) : -1;
}

static bool emit_insert(EchoEmitter *emitter, const EchoOp *op)
{
  bool is_fragment = echo_op_operand_type(op, 1)->as.shaped.rank == 2;
  int64_t lane = is_fragment ? fragment_lane(op) : static_lane(op, 2);
  if (lane < 0 || (!is_fragment && !check_flat(emitter, op, echo_op_operand_type(op, 1))))
    return echo_emit_error(emitter, op, "is translated for one static position only");
  return echo_emit_result(
      emitter, op,
      LLVMBuildInsertElement(emitter->builder, echo_emit_operand(emitter, op, 1),
                             echo_emit_operand(emitter, op, 0), i32(emitter, (uint64_t)lane), ""));
}

/* Lanes of a flat vector; rows of fragments, each of which is a register. */
static bool emit_slice(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  bool is_fragment = type->as.shaped.rank == 2 &&
                     echo_op_attr_or_null(op, "offsets")->as.array.size == 1 &&
                     echo_type_bit_width(type->as.shaped.element) * type->as.shaped.dims[1] == 32;
  if (!is_fragment && !check_flat(emitter, op, type))
    return false;
  const EchoAttr *offsets = echo_op_attr_or_null(op, "offsets");
  uint64_t offset = (uint64_t)offsets->as.array.elements[0]->as.integer.value;
  unsigned n = (unsigned)echo_op_result_type(op, 0)->as.shaped.dims[0], lanes[256];
  for (unsigned i = 0; i < n; ++i)
    lanes[i] = (unsigned)offset + i;
  LLVMValueRef value = echo_emit_operand(emitter, op, 0);
  return echo_emit_result(emitter, op, shuffle(emitter, value, value, lanes, n));
}

static bool emit_shuffle(EchoEmitter *emitter, const EchoOp *op)
{
  const EchoAttr *mask = echo_op_attr_or_null(op, "mask");
  unsigned n = (unsigned)mask->as.array.size, lanes[256];
  if (!check_flat(emitter, op, echo_op_result_type(op, 0)) ||
      echo_op_operand_type(op, 0) != echo_op_operand_type(op, 1))
    return echo_emit_error(emitter, op, "is translated for operands of one type only");
  for (unsigned i = 0; i < n; ++i)
    lanes[i] = (unsigned)mask->as.array.elements[i]->as.integer.value;
  return echo_emit_result(emitter, op,
                          shuffle(emitter, echo_emit_operand(emitter, op, 0),
                                  echo_emit_operand(emitter, op, 1), lanes, n));
}

static bool emit_fma(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMValueRef arguments[3];
  for (size_t i = 0; i < 3; ++i)
    arguments[i] = echo_emit_operand(emitter, op, i);
  return echo_emit_result(
      emitter, op,
      echo_emit_intrinsic(emitter, "llvm.fma", LLVMTypeOf(arguments[0]), arguments, 3));
}

const EchoEmitRow ECHO_EMIT_VECTOR[] = {{"vector.broadcast", emit_broadcast},
                                        {"vector.extract", emit_extract},
                                        {"vector.insert", emit_insert},
                                        {"vector.extract_strided_slice", emit_slice},
                                        {"vector.shuffle", emit_shuffle},
                                        {"vector.fma", emit_fma},
                                        {NULL, NULL}};
