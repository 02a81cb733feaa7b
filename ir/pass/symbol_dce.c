/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private symbols that nothing live refers to. In each symbol table, live are the symbols that are
 * not private and the ops that are no symbols, and all that live ones name in any attribute,
 * however deep in it. */
#include "ir/op_t.h"
#include "ir/pass/passes.h"
#include "ir/pass/symbol_uses_t.h"

typedef struct Liveness {
  EchoSymbolTable table;
  EchoMap live; /* EchoOp * directly in the table -> 1 */
  ECHO_VECTOR(EchoOp *) worklist;
  EchoSymbolUses uses;
} Liveness;

static void mark(Liveness *liveness, EchoOp *op)
{
  if (echo_map_insert(&liveness->live, echo_key(op), 1))
    echo_vector_push(&liveness->worklist, op);
}

static void mark_name(void *user, EchoStr name)
{
  Liveness *liveness = user;
  EchoOp *symbol = echo_symbol_table_get_or_null(&liveness->table, name);
  if (symbol != NULL)
    mark(liveness, symbol);
}

static void mark_named_by(Liveness *liveness, EchoOp *root)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    echo_symbol_uses_of(&liveness->uses, op);
}

static void mark_all(Liveness *liveness, EchoOp *table)
{
  echo_symbol_uses_in(&liveness->uses, table->attrs);
  for (uint16_t i = 0; i < table->n_regions; ++i)
    for (EchoBlock *block = table->regions[i].first; block != NULL; block = block->next)
      for (EchoOp *op = block->first; op != NULL; op = op->next)
        if (!echo_symbol_is_private(op))
          mark(liveness, op);
  while (liveness->worklist.size != 0)
    mark_named_by(liveness, echo_vector_pop(&liveness->worklist));
}

static size_t sweep(const Liveness *liveness, EchoOp *table)
{
  size_t n_erased = 0;
  for (uint16_t i = 0; i < table->n_regions; ++i)
    for (EchoBlock *block = table->regions[i].first; block != NULL; block = block->next)
      for (EchoOp *op = block->first, *next; op != NULL; op = next) {
        next = op->next;
        if (echo_map_has(&liveness->live, echo_key(op)))
          continue;
        echo_op_erase(op);
        n_erased++;
      }
  return n_erased;
}

static size_t clean_table(EchoOp *table)
{
  Liveness liveness = {0};
  echo_symbol_table_create(&liveness.table, table);
  echo_symbol_uses_create(&liveness.uses, mark_name, &liveness);
  mark_all(&liveness, table);
  size_t n_erased = sweep(&liveness, table);
  echo_symbol_table_destroy(&liveness.table);
  echo_map_destroy(&liveness.live);
  echo_vector_destroy(&liveness.worklist);
  echo_symbol_uses_destroy(&liveness.uses);
  return n_erased;
}

static EchoWalkResult clean_if_table(void *user, EchoOp *op)
{
  uint64_t *n_erased = user;
  if ((op->info->traits & ECHO_SYMBOL_TABLE) != 0)
    *n_erased += clean_table(op);
  return ECHO_WALK_CONTINUE;
}

static bool run_symbol_dce(EchoPassRun *run)
{
  uint64_t n_erased = 0;
  echo_op_walk_pre(run->op, clean_if_table,
                   &n_erased); /* outer first: what goes is not looked into */
  echo_pass_count(run, "num-erased", n_erased);
  run->keeps_all = n_erased == 0;
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"num-erased", "Symbols erased"}, {NULL, NULL}};

const EchoPass ECHO_PASS_SYMBOL_DCE = {.name = "symbol-dce",
                                       .title = "SymbolDCE",
                                       .summary = "erase private symbols that nothing refers to",
                                       .statistics = STATISTICS,
                                       .run = run_symbol_dce};
