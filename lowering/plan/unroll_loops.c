/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --unroll-loops: beside each function with short counted loops, the same with those written out
 * (planning/loops/unroll.h), and what they stacked read where it comes from, for --echo to take the
 * one or the other: a loop is small, and one decision holds for all iterations; what is written out
 * needs no stacks, starts fewer kernels, and each iteration is decided by itself. */
#include "dialects/echo/stages.h"
#include "lowering/lowering.h"
#include "lowering/plan/offer_t.h"
#include "planning/loops/unroll.h"

static bool run(EchoPassRun *pass)
{
  int64_t max_ops;
  if (!echo_pass_option_i64(pass, "max-ops", &max_ops))
    return false;
  if (max_ops < 0)
    return echo_op_error(pass->op, "max-ops is a number of ops, not %lld", (long long)max_ops);
  EchoOfferKind kind = {.attr = ECHO_UNROLLED_ATTR, .max_ops = (uint64_t)max_ops};
  return echo_offer_functions(pass, &kind, echo_loop_has_short, echo_loop_unroll_short, NULL);
}

static const EchoPassOption OPTIONS[] = {
    {"max-ops", "ops that a function with its loops written out may have", "2048"},
    {NULL, NULL, NULL}};

static const EchoPassStatistic STATISTICS[] = {{"offered", "functions with loops written out"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_UNROLL_LOOPS = {
    .name = "unroll-loops",
    .summary = "offer --echo each function with its short counted loops written out",
    .anchor = "builtin.module",
    .options = OPTIONS,
    .statistics = STATISTICS,
    .run = run,
};
