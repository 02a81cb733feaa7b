/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For a person in a debugger: the one place in ir/ that writes to a stream or raises a signal. */
#include <signal.h>
#include <stdio.h>

#include "ir/op_t.h"
#include "ir/text/text.h"

void echo_op_dump(const EchoOp *op)
{
  EchoBuffer text = {0};
  echo_print_op(op, &(EchoPrintOptions){.generic = true, .local_scope = true}, &text);
  fprintf(stderr, "op %u: %s", op->id, echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

void echo_context_break_on_op(EchoContext *ctx, uint32_t id)
{
  if (ctx == NULL)
    return;
  ctx->break_on_op = id;
}

void echo_op_break(const EchoOp *op)
{
  fprintf(stderr, "op %u is created: '%s'\n", op->id, op->info->name);
  raise(SIGTRAP);
}
