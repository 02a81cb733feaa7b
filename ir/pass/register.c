/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Enters the passes of ir/ in a registry. */
#include "ir/pass/passes.h"

void echo_register_ir_passes(EchoPassRegistry *registry)
{
  static const EchoPass *const PASSES[] = {
      &ECHO_PASS_CANONICALIZE,   &ECHO_PASS_CSE,        &ECHO_PASS_DCE,
      &ECHO_PASS_INLINE,         &ECHO_PASS_SYMBOL_DCE, &ECHO_PASS_STRIP_DEBUG_INFO,
      &ECHO_PASS_PRINT_OP_STATS,
  };
  for (size_t i = 0; i < sizeof PASSES / sizeof PASSES[0]; ++i)
    echo_pass_registry_add(registry, PASSES[i]);
}
