/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --unroll-loops: beside each function with short counted loops, the same with those written out
 * (planning/loops/unroll.h), and what they stacked read where it comes from, for --echo to take the
 * one or the other: a loop is small, and one decision holds for all iterations; what is written out
 * needs no stacks, starts fewer kernels, and each iteration is decided by itself. */
#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/symbol.h"
#include "lowering/lowering.h"
#include "planning/loops/unroll.h"

/* The function, which has short loops, with those written out. */
static bool offer(EchoPassRun *pass, EchoSymbolTable *symbols, EchoOp *function, uint64_t max_ops)
{
  EchoOp *module = echo_func_build_module(pass->ctx); /* where it stands by itself */
  EchoOp *copy = echo_op_clone(function, NULL);
  echo_block_append(echo_op_body(module, 0), copy);
  echo_loop_unroll_short(copy, max_ops);
  bool is_fine = echo_pass_run_pipeline(pass, ECHO_STRAIGHTEN_PASSES ",isolate-regions", module);
  echo_op_unlink(copy);
  EchoStr name = echo_symbol_name(function);
  echo_op_set_attr(copy, ECHO_UNROLLED_ATTR, echo_attr_symbol(pass->ctx, name));
  echo_symbol_table_insert(symbols, copy);
  echo_pass_count(pass, "offered", 1);
  echo_op_erase(module);
  return is_fine;
}

/* Whether that was done already. */
static bool has_offers(const EchoOp *module)
{
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_has_attr(op, ECHO_UNROLLED_ATTR))
      return true;
  return false;
}

static bool run(EchoPassRun *pass)
{
  int64_t max_ops;
  if (!echo_pass_option_i64(pass, "max-ops", &max_ops))
    return false;
  if (max_ops < 0)
    return echo_op_error(pass->op, "max-ops is a number of ops, not %lld", (long long)max_ops);
  bool is_fine = true, is_done = has_offers(pass->op);
  EchoSymbolTable symbols;
  ECHO_VECTOR(EchoOp *) functions = {0};
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && op->regions[0].first != NULL && !is_done &&
        echo_loop_has_short(op, (uint64_t)max_ops))
      echo_vector_push(&functions, op);
  echo_symbol_table_create(&symbols, pass->op);
  for (size_t i = 0; i < functions.size && is_fine; ++i)
    is_fine = offer(pass, &symbols, functions.data[i], (uint64_t)max_ops);
  echo_symbol_table_destroy(&symbols);
  echo_vector_destroy(&functions);
  return is_fine;
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
