/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kernel.invoke or kernel.effect, alone in its kernel, to the kernel.library that launches name. */
#include "dialects/kernel/call_target.h"
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

/* A target that a GPU can call. */
static bool is_enqueued(const EchoOp *invoke, const EchoLibraryCall *call)
{
  const EchoCallTarget *target =
      echo_str_is(call->library, ECHO_LIBRARY_TARGET)
          ? echo_context_row_or_null(echo_op_context(invoke), ECHO_CALL_TARGET, call->symbol)
          : NULL;
  return target != NULL && target->enqueue != NULL;
}

EchoOp *echo_lower_gpu_invoke_or_null(const EchoOp *kernel)
{
  bool is_fine = true;
  for (const EchoOp *op = echo_op_body(kernel, 0)->first; op != NULL; op = op->next) {
    if (!echo_kernel_is_invoke(op))
      continue;
    EchoLibraryCall call;
    echo_kernel_library_call(op, &call);
    is_fine &=
        is_enqueued(op, &call) ||
        echo_op_error(op,
                      "calls '%.*s' of library '%.*s', which runs on the CPU: a GPU cannot call it",
                      ECHO_STR_ARG(call.symbol), ECHO_STR_ARG(call.library));
  }
  return is_fine ? echo_lower_invoke_or_null(kernel) : NULL;
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
  return echo_kernel_library_create(
      echo_op_context(kernel), invoke->loc, echo_op_attr_string(kernel, "sym_name"),
      echo_op_attr_or_null(kernel, "function_type")->as.type_value, &call);
}
