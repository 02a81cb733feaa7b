/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --reuse-arrays: planning/loops/reuse.h in all functions. It comes behind --echo, which has done
 * the same to what it decided on, for steps without it: what one loop stacks and another reads is
 * no stack any more for it once the other writes over it. */
#include "lowering/lowering.h"
#include "planning/loops/reuse.h"

static bool run(EchoPassRun *pass)
{
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func"))
      echo_pass_count(pass, "stacks", echo_loop_reuse_arrays(op));
  return true;
}

static const EchoPassStatistic STATISTICS[] = {
    {"stacks", "stacks written over arrays that die in their loop"}, {NULL, NULL}};

const EchoPass ECHO_PASS_REUSE_ARRAYS = {
    .name = "reuse-arrays",
    .summary = "write what loops stack over arrays that die in them",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
