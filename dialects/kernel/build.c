/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of kernel ops, and the names of the kinds. */
#include "dialects/kernel/kernel.h"

static const char *const KIND_NAMES[] = {
    [ECHO_KERNEL_MAP] = "map",
    [ECHO_KERNEL_ROW_REDUCE] = "row_reduce",
    [ECHO_KERNEL_COLUMN_REDUCE] = "column_reduce",
    [ECHO_KERNEL_REDUCE] = "reduce",
    [ECHO_KERNEL_TRANSPOSE] = "transpose",
    [ECHO_KERNEL_CONTRACTION] = "contraction",
    [ECHO_KERNEL_CONVOLUTION] = "convolution",
    [ECHO_KERNEL_SCATTER] = "scatter",
    [ECHO_KERNEL_SORT] = "sort",
    [ECHO_KERNEL_WINDOW] = "window",
    [ECHO_KERNEL_RNG] = "rng",
    [ECHO_KERNEL_OTHER] = "other",
};
_Static_assert(sizeof KIND_NAMES / sizeof KIND_NAMES[0] == ECHO_N_KERNEL_KINDS, "one name a kind");

static const EchoType *const NO_TYPES[1] = {NULL};

const char *echo_kernel_kind_name(EchoKernelKind kind)
{
  return KIND_NAMES[kind];
}

bool echo_kernel_kind_parse(EchoStr name, EchoKernelKind *kind)
{
  for (int i = 0; i < ECHO_N_KERNEL_KINDS; ++i) {
    if (!echo_str_is(name, KIND_NAMES[i]))
      continue;
    *kind = (EchoKernelKind)i;
    return true;
  }
  return false;
}

EchoKernelKind echo_kernel_kind(const EchoOp *func)
{
  EchoKernelKind kind = ECHO_KERNEL_OTHER;
  ECHO_CHECK_OP(echo_kernel_kind_parse(echo_op_attr_string(func, "kind"), &kind), func,
                "kernel without a kind");
  return kind;
}

EchoOp *echo_kernel_func_create(EchoContext *ctx, EchoLoc loc, EchoStr name, EchoKernelKind kind,
                                const EchoType *function_type)
{
  EchoBuilder builder = {.ctx = ctx, .loc = loc};
  EchoAttrArg args[] = {
      {"sym_name", echo_attr_string(ctx, name)},
      {"function_type", echo_attr_type(ctx, function_type)},
      {"kind", echo_attr_string(ctx, echo_str(echo_kernel_kind_name(kind)))},
  };
  EchoOp *func =
      echo_build_op_with_regions(&builder, "kernel.func", NULL, 0, NO_TYPES, 0, args, 3, 1);
  EchoBlock *entry = echo_block_create(ctx);
  echo_region_append(&func->regions[0], entry);
  for (uint32_t i = 0; i < function_type->as.function.n_inputs; ++i)
    echo_block_add_arg(ctx, entry, function_type->as.function.inputs[i], loc);
  return func;
}

EchoOp *echo_kernel_return(EchoBuilder *builder, EchoValue *const *values, size_t n)
{
  return echo_build_op(builder, "kernel.return", values, n, NO_TYPES, 0, NULL, 0);
}

EchoOp *echo_kernel_call(EchoBuilder *builder, EchoStr callee, EchoValue *const *operands, size_t n,
                         const EchoType *const *result_types, size_t n_results)
{
  EchoAttrArg args[] = {{"callee", echo_attr_symbol(builder->ctx, callee)}};
  return echo_build_op(builder, "kernel.call", operands, n, result_types, n_results, args, 1);
}

EchoOp *echo_kernel_launch(EchoBuilder *builder, EchoStr callee, EchoValue *const *inputs,
                           size_t n_inputs, EchoValue *const *outputs, size_t n_outputs)
{
  EchoArena *arena = echo_context_arena(builder->ctx);
  EchoValue **operands = ECHO_ARENA_ARRAY(arena, EchoValue *, n_inputs + n_outputs + 1);
  for (size_t i = 0; i < n_inputs; ++i)
    operands[i] = inputs[i];
  for (size_t i = 0; i < n_outputs; ++i)
    operands[n_inputs + i] = outputs[i];
  EchoAttrArg args[] = {{"callee", echo_attr_symbol(builder->ctx, callee)},
                        {"n_inputs", echo_attr_i64(builder->ctx, (int64_t)n_inputs)}};
  return echo_build_op(builder, "kernel.launch", operands, n_inputs + n_outputs, NO_TYPES, 0, args,
                       2);
}
