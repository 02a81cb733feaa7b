/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/driver/register.h"

#include "dialects/dialects.h"
#include "echo_pass/echo_pass.h"
#include "lowering/lowering.h"

void echo_register_all(EchoContext *ctx, EchoPassRegistry *passes)
{
  if (ctx != NULL)
    echo_register_dialects(ctx);
  if (passes == NULL)
    return;
  echo_register_ir_passes(passes);
  echo_register_lowering_passes(passes);
  echo_register_echo_passes(passes);
}
