/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --roll-loops: beside each function with counted loops whose bodies hold several copies of one
 * computation, or behind which more iterations stand written out (planning/loops/roll.h), or with
 * copies that are added up outside of loops (planning/loops/copies.h), the same with loops of one
 * copy, for --echo to take the one or the other: what is handed on between two copies is a carried
 * value then, what is handed on to another loop a stack of rows, and Echo decides on those. */
#include "dialects/echo/stages.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/plan/offer_t.h"
#include "planning/loops/copies.h"
#include "planning/loops/roll.h"

static bool may_roll(EchoOp *function, uint64_t max_ops)
{
  (void)max_ops;
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_WHILE)
      return true;
  return echo_loop_has_copies(function);
}

static size_t roll(EchoOp *copy, uint64_t max_ops)
{
  (void)max_ops;
  return echo_loop_roll(copy) + echo_loop_roll_copies(copy);
}

static size_t roll_tails(EchoOp *copy, uint64_t max_ops)
{
  (void)max_ops;
  return echo_loop_roll_tails(copy);
}

static bool run(EchoPassRun *pass)
{
  return echo_offer_functions(pass, &(EchoOfferKind){.attr = ECHO_ROLLED_ATTR}, may_roll, roll,
                              roll_tails);
}

static const EchoPassStatistic STATISTICS[] = {{"offered", "functions with loops rolled up"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_ROLL_LOOPS = {
    .name = "roll-loops",
    .summary = "offer --echo each function with loops over one copy where it holds several",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
