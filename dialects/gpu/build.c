/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of gpu ops. */
#include "dialects/gpu/gpu.h"

#include "base/memory.h"
#include "dialects/arith/arith.h"

static EchoValue *shuffle_down(EchoBuilder *builder, EchoValue *value, int64_t offset)
{
  EchoContext *ctx = builder->ctx;
  const EchoType *i32 = echo_type_integer(ctx, 32, ECHO_SIGNLESS);
  EchoValue *operands[] = {value, echo_arith_int(builder, i32, offset),
                           echo_arith_int(builder, i32, ECHO_GPU_WARP)};
  const EchoType *types[] = {value->type, echo_type_integer(ctx, 1, ECHO_SIGNLESS)};
  EchoAttrArg args[] = {
      {"mode", echo_attr_opaque(ctx, ECHO_STR("gpu"), ECHO_STR("shuffle_mode down"), false)}};
  return echo_op_result(echo_build_op(builder, "gpu.shuffle", operands, 3, types, 2, args, 1), 0);
}

EchoValue *echo_gpu_shuffle_down(EchoBuilder *builder, EchoValue *value, int64_t offset)
{
  if (!echo_builder_check_value(builder, "gpu.shuffle", "value", value))
    return NULL;
  const EchoType *type = value->type;
  uint32_t width = echo_type_bit_width(type);
  if (width >= 32)
    return shuffle_down(builder, value, offset);
  const EchoType *bits = echo_type_integer(builder->ctx, width, ECHO_SIGNLESS);
  const EchoType *i32 = echo_type_integer(builder->ctx, 32, ECHO_SIGNLESS);
  EchoValue *narrow =
      type == bits ? value : echo_arith_unary(builder, "arith.bitcast", value, bits);
  EchoValue *wide = echo_arith_unary(builder, "arith.extui", narrow, i32);
  EchoValue *other = shuffle_down(builder, wide, offset);
  narrow = echo_arith_unary(builder, "arith.trunci", other, bits);
  return type == bits ? narrow : echo_arith_unary(builder, "arith.bitcast", narrow, type);
}

uint64_t echo_gpu_shared_bytes(const EchoOp *func)
{
  if (func == NULL || !echo_op_is(func, "gpu.func") || func->regions[0].first == NULL)
    return 0;
  const EchoAttr *type = echo_op_attr_or_null(func, "function_type");
  const EchoBlock *entry = func->regions[0].first;
  uint64_t bytes = 0;
  for (uint32_t i = type->as.type_value->as.function.n_inputs; i < entry->n_args; ++i)
    bytes += echo_align_up(echo_type_static_bytes(echo_block_arg(entry, i)->type),
                           ECHO_GPU_SHARED_ALIGNMENT);
  return bytes;
}

uint64_t echo_gpu_dynamic_shared_bytes(const EchoOp *func)
{
  uint64_t bytes = echo_gpu_shared_bytes(func);
  return bytes > ECHO_GPU_STATIC_SHARED_BYTES ? bytes : 0;
}
