/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpu to LLVM's NVVM intrinsics. */
#include "codegen/emit_t.h"

/* "x", "y" or "z" of #gpu<dim x>; 'x' when it says nothing else. */
static char dimension(const EchoOp *op)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, "dimension");
  if (attr == NULL || attr->kind != ECHO_ATTR_OPAQUE || attr->as.opaque.text.size == 0)
    return 'x';
  EchoStr text = attr->as.opaque.text;
  for (size_t i = text.size; i-- > 0;)
    if (text.data[i] >= 'x' && text.data[i] <= 'z')
      return text.data[i];
  return 'x';
}

/* A special register, as an index. */
static bool emit_register(EchoEmitter *emitter, const EchoOp *op, const char *name)
{
  char intrinsic[64] = "llvm.nvvm.read.ptx.sreg.";
  size_t size = strlen(intrinsic), n = strlen(name);
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  memcpy(intrinsic + size, name, n);
  intrinsic[size + n] = '.';
  intrinsic[size + n + 1] = dimension(op);
  LLVMValueRef value = echo_emit_intrinsic(emitter, intrinsic, NULL, NULL, 0);
  return echo_emit_result(emitter, op,
                          LLVMBuildZExt(emitter->builder, value, echo_emit_index(emitter), ""));
}

static bool emit_thread_id(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_register(emitter, op, "tid");
}

static bool emit_block_id(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_register(emitter, op, "ctaid");
}

static bool emit_block_dim(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_register(emitter, op, "ntid");
}

static bool emit_grid_dim(EchoEmitter *emitter, const EchoOp *op)
{
  return emit_register(emitter, op, "nctaid");
}

static bool emit_barrier(EchoEmitter *emitter, const EchoOp *op)
{
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  echo_emit_intrinsic(emitter, "llvm.nvvm.barrier0", NULL, NULL, 0);
  return true;
}

/* A register's worth of `value`, an i32, from the lane `offset` further on. */
static LLVMValueRef shuffle_down(EchoEmitter *emitter, LLVMValueRef value, LLVMValueRef offset)
{
  LLVMTypeRef i32 = LLVMInt32TypeInContext(emitter->llvm);
  LLVMValueRef arguments[] = {LLVMConstInt(i32, UINT32_MAX, false), value, offset,
                              LLVMConstInt(i32, 31, false)};
  return echo_emit_intrinsic(emitter, "llvm.nvvm.shfl.sync.down.i32", NULL, arguments, 4);
}

static bool is_down(const EchoOp *op)
{
  const EchoAttr *mode = echo_op_attr_or_null(op, "mode");
  EchoStr down = ECHO_STR("down");
  if (mode == NULL || mode->kind != ECHO_ATTR_OPAQUE || mode->as.opaque.text.size < down.size)
    return false;
  EchoStr text = mode->as.opaque.text;
  return memcmp(text.data + text.size - down.size, down.data, down.size) == 0;
}

/* Down, over the whole warp: what kernels are written with. */
static bool emit_shuffle(EchoEmitter *emitter, const EchoOp *op)
{
  LLVMBuilderRef builder = emitter->builder;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(emitter->llvm), i64 = echo_emit_i64(emitter);
  LLVMValueRef value = echo_emit_operand(emitter, op, 0),
               offset = echo_emit_operand(emitter, op, 1);
  LLVMTypeRef type = LLVMTypeOf(value);
  uint32_t width = echo_type_bit_width(echo_op_operand_type(op, 0));
  if (!emitter->is_device)
    return echo_emit_error(emitter, op, "belongs into a GPU's function");
  if (!is_down(op) || (width != 32 && width != 64) || !echo_value_is_unused(echo_op_result(op, 1)))
    return echo_emit_error(emitter, op, "is not a shuffle that PTX is generated for");
  if (width == 32) {
    LLVMValueRef moved = shuffle_down(emitter, LLVMBuildBitCast(builder, value, i32, ""), offset);
    return echo_emit_result(emitter, op, LLVMBuildBitCast(builder, moved, type, ""));
  }
  LLVMValueRef bits = LLVMBuildBitCast(builder, value, i64, "");
  LLVMValueRef half = echo_emit_i64_constant(emitter, 32);
  LLVMValueRef low = shuffle_down(emitter, LLVMBuildTrunc(builder, bits, i32, ""), offset);
  LLVMValueRef high = LLVMBuildTrunc(builder, LLVMBuildLShr(builder, bits, half, ""), i32, "");
  high = LLVMBuildZExt(builder, shuffle_down(emitter, high, offset), i64, "");
  bits = LLVMBuildOr(builder, LLVMBuildShl(builder, high, half, ""),
                     LLVMBuildZExt(builder, low, i64, ""), "");
  return echo_emit_result(emitter, op, LLVMBuildBitCast(builder, bits, type, ""));
}

const EchoEmitRow ECHO_EMIT_GPU[] = {{"gpu.thread_id", emit_thread_id},
                                     {"gpu.block_id", emit_block_id},
                                     {"gpu.block_dim", emit_block_dim},
                                     {"gpu.grid_dim", emit_grid_dim},
                                     {"gpu.barrier", emit_barrier},
                                     {"gpu.shuffle", emit_shuffle},
                                     {NULL, NULL}};
