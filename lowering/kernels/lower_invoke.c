/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.invoke or kernel.effect, alone in its kernel, to the kernel.library that launches name. */
#include "ir/context.h"
#include "lowering/kernels/lower_kernel_t.h"

/* Where a value of the kernel stands among the operands of its launch; false when it is no argument
 * and no result, but made inside. */
static bool launch_operand(const EchoOp *invoke, const EchoBlock *body, size_t buffer,
                           size_t *operand)
{
  if (buffer < invoke->n_operands) {
    const EchoValue *value = echo_op_operand(invoke, buffer);
    *operand = value->index;
    return value->is_block_arg;
  }
  const EchoValue *result = echo_op_result(invoke, buffer - invoke->n_operands);
  for (uint32_t i = 0; i < body->last->n_operands; ++i)
    if (echo_op_operand(body->last, i) == result) {
      *operand = body->n_args + i;
      return true;
    }
  return false;
}

/* The buffers of a target's call as the launch has them, where it is one; false as above. */
static bool launch_buffers(const EchoOp *invoke, const EchoBlock *body, const EchoAttr **buffers)
{
  if (*buffers == NULL)
    return true;
  size_t n = echo_attr_ints_size(*buffers);
  int64_t *moved = echo_alloc_array(n, sizeof *moved);
  bool fine = true;
  for (size_t i = 0; fine && i < n; ++i) {
    size_t at = 0;
    fine = launch_operand(invoke, body, (size_t)echo_attr_ints_get(*buffers, i), &at);
    moved[i] = (int64_t)at;
  }
  *buffers = echo_attr_i64_array(echo_op_context(invoke), moved, n);
  echo_free(moved);
  return fine;
}

EchoOp *echo_lower_invoke_or_null(const EchoOp *kernel)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  const EchoOp *invoke = body->first;
  while (invoke != body->last && echo_op_has_trait(invoke, ECHO_CONSTANT))
    invoke = invoke->next; /* scalars that only a trap may have */
  if (!echo_kernel_is_invoke(invoke) || invoke->next != body->last)
    return NULL;
  EchoLibraryCall call;
  echo_kernel_library_call(invoke, &call);
  for (size_t i = 0; i < call.n_args; ++i) {
    EchoLibraryArg *arg = &call.args[i];
    bool has_buffer = arg->kind == ECHO_LIBRARY_BUFFER || arg->kind == ECHO_LIBRARY_SPACE;
    if (has_buffer && !launch_operand(invoke, body, arg->buffer, &arg->buffer))
      return NULL;
    if (arg->is_copied && !launch_operand(invoke, body, arg->from, &arg->from))
      return NULL;
  }
  if (!launch_buffers(invoke, body, &call.buffers))
    return NULL;
  return echo_kernel_library_create(
      echo_op_context(kernel), invoke->loc, echo_op_attr_string(kernel, "sym_name"),
      echo_op_attr_or_null(kernel, "function_type")->as.type_value, &call);
}
