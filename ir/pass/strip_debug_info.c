/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Forgets all locations. */
#include "ir/op.h"
#include "ir/pass/passes.h"

static void strip_args(EchoOp *op)
{
  for (uint16_t i = 0; i < op->n_regions; ++i)
    for (EchoBlock *block = op->regions[i].first; block != NULL; block = block->next)
      for (uint32_t a = 0; a < block->n_args; ++a)
        block->args[a]->loc = echo_loc_unknown();
}

static bool run_strip(EchoPassRun *run)
{
  for (EchoOp *op = run->op; op != NULL; op = echo_op_walk_next(run->op, op)) {
    op->loc = echo_loc_unknown();
    strip_args(op);
  }
  return true;
}

const EchoPass ECHO_PASS_STRIP_DEBUG_INFO = {.name = "strip-debuginfo",
                                             .title = "StripDebugInfo",
                                             .summary = "make every location unknown",
                                             .run = run_strip};
