/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/offer_t.h"

#include "base/vector.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "ir/symbol.h"
#include "lowering/lowering.h"

/* Without what nobody reads any more; each function stands by itself. */
static bool simplify(EchoPassRun *pass, EchoOp *module)
{
  return echo_pass_run_pipeline(pass, ECHO_STRAIGHTEN_PASSES ",isolate-regions", module);
}

/* Of `source`, for the function of that name. */
static bool offer(EchoPassRun *pass, EchoSymbolTable *symbols, EchoStr name, EchoOp *source,
                  const EchoOfferKind *kind, EchoOfferWrite *const writes[2])
{
  EchoOp *module = echo_func_build_module(pass->ctx); /* where it stands by itself */
  EchoOp *copy = echo_op_clone(source, NULL);
  bool is_fine = true, is_other = false;
  echo_block_append(echo_op_body(module, 0), copy);
  for (size_t i = 0; i < 2 && is_fine; ++i)
    if (writes[i] != NULL && writes[i](copy, kind->max_ops) != 0) {
      is_other = true;
      is_fine = simplify(pass, module);
    }
  if (is_other) {
    echo_op_unlink(copy);
    if (kind->from != NULL)
      echo_op_set_attr(copy, kind->from, NULL);
    echo_op_set_attr(copy, kind->attr, echo_attr_symbol(pass->ctx, name));
    echo_symbol_table_insert(symbols, copy);
    echo_pass_count(pass, "offered", 1);
  }
  echo_op_erase(module);
  return is_fine;
}

static bool is_offer(const EchoOp *function)
{
  return echo_op_has_attr(function, ECHO_UNROLLED_ATTR) ||
         echo_op_has_attr(function, ECHO_ROLLED_ATTR) ||
         echo_op_has_attr(function, ECHO_MERGED_ATTR);
}

/* A copy that stands by itself has nobody to call. */
static bool calls_others(EchoOp *function)
{
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_op_is(op, "func.call"))
      return true;
  return false;
}

/* What is copied for the function: what is offered for it under `from`, or itself. */
static EchoOp *find_source(const EchoOp *module, EchoOp *function, const char *from)
{
  EchoStr name = echo_symbol_name(function);
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL && from != NULL; op = op->next) {
    const EchoAttr *of = echo_op_attr_or_null(op, from);
    if (of != NULL && of->kind == ECHO_ATTR_SYMBOL_REF && echo_str_equal(of->as.symbol.root, name))
      return op;
  }
  return function;
}

bool echo_offer_functions(EchoPassRun *pass, const EchoOfferKind *kind,
                          bool (*may_be)(EchoOp *function, uint64_t max_ops), EchoOfferWrite *write,
                          EchoOfferWrite *then)
{
  EchoOfferWrite *const writes[2] = {write, then};
  bool is_fine = true, is_done = false;
  EchoSymbolTable symbols;
  ECHO_VECTOR(EchoOp *) functions = {0};
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    is_done |= echo_op_has_attr(op, kind->attr);
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && op->regions[0].first != NULL && !is_done && !is_offer(op))
      echo_vector_push(&functions, op);
  echo_symbol_table_create(&symbols, pass->op);
  for (size_t i = 0; i < functions.size && is_fine; ++i) {
    EchoOp *source = find_source(pass->op, functions.data[i], kind->from);
    if (may_be(source, kind->max_ops) && !calls_others(source))
      is_fine = offer(pass, &symbols, echo_symbol_name(functions.data[i]), source, kind, writes);
  }
  echo_symbol_table_destroy(&symbols);
  echo_vector_destroy(&functions);
  return is_fine;
}
