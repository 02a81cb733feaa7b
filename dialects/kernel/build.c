/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of kernel ops. */
#include "dialects/kernel/kernel.h"

static const EchoType *const NO_TYPES[1] = {NULL};

EchoOp *echo_kernel_func_create(EchoContext *ctx, EchoLoc loc, EchoStr name, EchoKernelKind kind,
                                const EchoType *function_type)
{
  EchoBuilder builder = {.ctx = ctx, .loc = loc};
  if (!echo_builder_check_type(&builder, "kernel.func", "function_type", function_type))
    return NULL;
  if (!echo_builder_check(&builder, "kernel.func", "name", name.data))
    return NULL;
  if (function_type->kind != ECHO_TYPE_FUNCTION || (unsigned)kind >= ECHO_N_KERNEL_KINDS) {
    bool is_function = function_type->kind == ECHO_TYPE_FUNCTION;
    echo_misuse(ctx, loc, "'kernel.func' is built: '%s' is %s",
                is_function ? "kind" : "function_type",
                is_function ? "no kind" : echo_type_text(ctx, function_type));
    return NULL;
  }
  EchoAttrArg args[] = {
      {"sym_name", echo_attr_string(ctx, name)},
      {"function_type", echo_attr_type(ctx, function_type)},
      {"kind", echo_attr_string(ctx, echo_str(echo_kernel_kind_name(kind)))},
  };
  EchoOp *func =
      echo_build_op_with_regions(&builder, "kernel.func", NULL, 0, NO_TYPES, 0, args, 3, 1);
  if (func == NULL)
    return NULL;
  EchoBlock *entry = echo_block_create(ctx);
  echo_region_append(&func->regions[0], entry);
  for (uint32_t i = 0; i < function_type->as.function.n_inputs; ++i)
    echo_block_add_arg(ctx, entry, function_type->as.function.inputs[i], loc);
  return func;
}

EchoOp *echo_kernel_return(EchoBuilder *builder, EchoValue *const *values, size_t n)
{
  if (!echo_builder_check_values(builder, "kernel.return", "values", values, n))
    return NULL;
  return echo_build_op(builder, "kernel.return", values, n, NO_TYPES, 0, NULL, 0);
}

EchoOp *echo_kernel_call(EchoBuilder *builder, EchoStr callee, EchoValue *const *operands, size_t n,
                         const EchoType *const *result_types, size_t n_results)
{
  if (!echo_builder_check(builder, "kernel.call", "callee", callee.data) ||
      !echo_builder_check_values(builder, "kernel.call", "operands", operands, n))
    return NULL;
  EchoAttrArg args[] = {{"callee", echo_attr_symbol(builder->ctx, callee)}};
  return echo_build_op(builder, "kernel.call", operands, n, result_types, n_results, args, 1);
}

EchoOp *echo_kernel_launch(EchoBuilder *builder, EchoStr callee, EchoValue *const *inputs,
                           size_t n_inputs, EchoValue *const *outputs, size_t n_outputs)
{
  if (!echo_builder_check(builder, "kernel.launch", "callee", callee.data) ||
      !echo_builder_check_values(builder, "kernel.launch", "inputs", inputs, n_inputs) ||
      !echo_builder_check_values(builder, "kernel.launch", "outputs", outputs, n_outputs))
    return NULL;
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
