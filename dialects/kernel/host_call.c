/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/kernel/host_call.h"

#include "dialects/kernel/call_target.h"
#include "ir/symbol.h"

static bool can_enqueue(const EchoOp *call, const EchoLibraryCall *read)
{
  if (!echo_str_is(read->library, ECHO_LIBRARY_TARGET))
    return false;
  const EchoCallTarget *target =
      echo_context_row_or_null(echo_op_context(call), ECHO_CALL_TARGET, read->symbol);
  return target != NULL && target->enqueue != NULL;
}

bool echo_kernel_is_host_call(const EchoOp *call)
{
  if (!echo_op_is(call, "kernel.library") && !echo_kernel_is_invoke(call))
    return false;
  EchoLibraryCall read;
  echo_kernel_library_call(call, &read);
  return !echo_str_is(read.library, ECHO_LIBRARY_TRAP) && !can_enqueue(call, &read);
}

static bool is_space(const EchoLibraryCall *read, size_t buffer)
{
  for (size_t i = 0; i < read->n_args; ++i)
    if (read->args[i].kind == ECHO_LIBRARY_SPACE && read->args[i].buffer == buffer)
      return true;
  return false;
}

EchoCallBuffer echo_kernel_call_buffer(const EchoOp *call, const EchoLibraryCall *read, size_t i)
{
  const EchoType *type = echo_kernel_buffer_type_or_null(call, i);
  if (type == NULL || read == NULL)
    return (EchoCallBuffer){0};
  size_t n_inputs = echo_kernel_n_inputs(call);
  bool is_token = read->has_token && (i == 0 || i == n_inputs);
  return (EchoCallBuffer){.n_bytes = echo_type_static_bytes(type),
                          .is_read = i < n_inputs && !is_token,
                          .is_written = i >= n_inputs && !is_token && !is_space(read, i)};
}

/* The call of a kernel; NULL: it makes none. */
static const EchoOp *call_of_or_null(const EchoOp *kernel)
{
  if (kernel == NULL || echo_op_is(kernel, "kernel.library"))
    return kernel;
  const EchoOp *op = echo_op_is(kernel, "kernel.func") ? echo_op_body(kernel, 0)->first : NULL;
  while (op != NULL && !echo_kernel_is_invoke(op))
    op = op->next;
  return op;
}

uint64_t echo_kernel_staged_bytes(EchoOp *module)
{
  uint64_t most = 0;
  EchoSymbolTable symbols;
  echo_symbol_table_create(&symbols, module);
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    if (!echo_op_is(op, "kernel.launch"))
      continue;
    EchoStr callee = echo_op_attr_or_null(op, "callee")->as.symbol.root;
    const EchoOp *call = call_of_or_null(echo_symbol_table_get_or_null(&symbols, callee));
    if (call == NULL || !echo_kernel_is_host_call(call))
      continue;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < op->n_operands; ++i)
      bytes += echo_align_up(echo_type_static_bytes(echo_op_operand_type(op, i)),
                             ECHO_HOST_CALL_ALIGNMENT);
    most = bytes > most ? bytes : most;
  }
  echo_symbol_table_destroy(&symbols);
  return most;
}

uint64_t echo_kernel_host_bytes(uint64_t swapped, uint64_t staged)
{
  return staged == 0 ? swapped : echo_align_up(swapped, ECHO_HOST_CALL_ALIGNMENT) + staged;
}
