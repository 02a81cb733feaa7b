/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --reuse-arrays: planning/loops/whole.h, share.h and reuse.h in all functions. It comes behind
 * --echo, which has done the same to what it decided on, for steps without it: what one loop stacks
 * and another reads is no stack any more for it once the other writes over it. */
#include "lowering/lowering.h"
#include "planning/loops/reuse.h"
#include "planning/loops/share.h"
#include "planning/loops/whole.h"

static bool run(EchoPassRun *pass)
{
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func")) {
      echo_pass_count(pass, "merged", echo_loop_merge_carried(op));
      echo_pass_count(pass, "shared", echo_loop_share_stacks(op));
      echo_pass_count(pass, "stacks", echo_loop_reuse_arrays(op));
    }
  return true;
}

static const EchoPassStatistic STATISTICS[] = {
    {"merged", "carried values that equal others"},
    {"shared", "stacks that are read in the place of others"},
    {"stacks", "stacks written over arrays that die in their loop"},
    {NULL, NULL}};

const EchoPass ECHO_PASS_REUSE_ARRAYS = {
    .name = "reuse-arrays",
    .summary = "one stack for two with the same rows; stacks over arrays that die in their loop",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
