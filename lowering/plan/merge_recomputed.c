/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --merge-recomputed: beside each function that computes something again behind barriers, as
 * jax.checkpoint outside of loops has it, the same where what was computed before is read instead,
 * for --echo to take the one or the other: what the user has run again is a proposal, and what is
 * kept, or run again elsewhere, is decided like everything else. Between loops a reader's body is
 * looked at for that (echo_pass/stacks_t.h); where loops are written out, their code is. */
#include "dialects/echo/stages.h"
#include "ir/pass/simplify.h"
#include "lowering/lowering.h"
#include "lowering/plan/offer_t.h"

static bool is_barrier(const EchoOp *op)
{
  return (op->info->traits & ECHO_BARRIER) != 0;
}

static bool has_barrier(EchoOp *function, uint64_t max_ops)
{
  (void)max_ops;
  for (const EchoOp *op = function->regions[0].first->first; op != NULL; op = op->next)
    if (is_barrier(op))
      return true;
  return false;
}

/* Who reads what stands behind a barrier of the function's own block reads what stands before it,
 * and what is computed twice by then is computed once. Returns how many ops that leaves out. */
static size_t merge(EchoOp *copy, uint64_t max_ops)
{
  (void)max_ops;
  for (EchoOp *op = copy->regions[0].first->first, *next; op != NULL; op = next) {
    next = op->next;
    if (!is_barrier(op))
      continue;
    for (size_t i = 0; i < op->n_results; ++i)
      echo_value_replace_all_uses(echo_op_result(op, i), echo_op_operand(op, i));
    echo_op_erase(op);
  }
  const EchoStr phase = ECHO_STR("echo.phase");
  return (size_t)echo_cse(copy, &phase, 1);
}

static bool run(EchoPassRun *pass)
{
  return echo_offer_functions(
      pass, &(EchoOfferKind){.attr = ECHO_MERGED_ATTR, .from = ECHO_UNROLLED_ATTR}, has_barrier,
      merge, NULL);
}

static const EchoPassStatistic STATISTICS[] = {
    {"offered", "functions with what was to be computed again read instead"}, {NULL, NULL}};

const EchoPass ECHO_PASS_MERGE_RECOMPUTED = {
    .name = "merge-recomputed",
    .summary =
        "offer --echo each function with what it computes again behind barriers read instead",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
