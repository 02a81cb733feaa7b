/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/kernel/call_target.h"

bool echo_context_register_call_target(EchoContext *ctx, const EchoCallTarget *target,
                                       EchoBuffer *error)
{
  if (target == NULL)
    echo_buffer_append_c(error, "a call target is registered: 'target' is NULL");
  else if (target->name == NULL || target->name[0] == '\0')
    echo_buffer_append_c(error, "a call target has no name");
  else if (target->run == NULL)
    echo_buffer_printf(error, "call target '%s' has no function", target->name);
  else if (echo_context_row_or_null(ctx, ECHO_CALL_TARGET, echo_str(target->name)) != NULL)
    echo_buffer_printf(error, "call target '%s' is registered twice", target->name);
  else
    return echo_context_register_row(ctx, ECHO_CALL_TARGET, target->name, target);
  return false;
}
