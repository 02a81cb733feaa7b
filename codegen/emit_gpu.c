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
                          LLVMBuildZExt(emitter->builder, value, echo_emit_i64(emitter), ""));
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

const EchoEmitRow ECHO_EMIT_GPU[] = {
    {"gpu.thread_id", emit_thread_id}, {"gpu.block_id", emit_block_id},
    {"gpu.block_dim", emit_block_dim}, {"gpu.grid_dim", emit_grid_dim},
    {"gpu.barrier", emit_barrier},     {NULL, NULL}};
