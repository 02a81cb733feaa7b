/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private symbols that nothing live refers to. In each symbol table, live are the symbols that are
 * not private and the ops that are no symbols, and all that live ones name in any attribute,
 * however deep in it. */
#include "ir/op_t.h"
#include "ir/pass/passes.h"
#include "ir/symbol.h"

typedef struct Liveness {
  EchoSymbolTable table;
  EchoMap live; /* EchoOp * directly in the table -> 1 */
  EchoMap seen; /* attributes and types that were searched -> 1 */
  ECHO_VECTOR(EchoOp *) worklist;
  ECHO_VECTOR(const EchoAttr *) attrs; /* to be searched */
} Liveness;

static void mark(Liveness *liveness, EchoOp *op)
{
  if (echo_map_insert(&liveness->live, echo_key(op), 1))
    echo_vector_push(&liveness->worklist, op);
}

static void mark_name(Liveness *liveness, EchoStr name)
{
  EchoOp *symbol = echo_symbol_table_get_or_null(&liveness->table, name);
  if (symbol != NULL)
    mark(liveness, symbol);
}

static void search_later(Liveness *liveness, const EchoAttr *attr)
{
  if (attr != NULL && echo_map_insert(&liveness->seen, echo_key(attr), 1))
    echo_vector_push(&liveness->attrs, attr);
}

/* Every part of a reference counts, so that one that is seen from another table than meant keeps
 * too much, not too little. */
static void search(Liveness *liveness, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_SYMBOL_REF:
    mark_name(liveness, attr->as.symbol.root);
    for (size_t i = 0; i < attr->as.symbol.n_nested; ++i)
      mark_name(liveness, attr->as.symbol.nested[i]);
    break;
  case ECHO_ATTR_ARRAY:
    for (size_t i = 0; i < attr->as.array.size; ++i)
      search_later(liveness, attr->as.array.elements[i]);
    break;
  case ECHO_ATTR_DICTIONARY:
    for (size_t i = 0; i < attr->as.dictionary.size; ++i)
      search_later(liveness, attr->as.dictionary.entries[i].value);
    break;
  case ECHO_ATTR_DISTINCT:
    search_later(liveness, attr->as.distinct.value);
    break;
  default:
    break;
  }
}

/* Symbols in text that was kept as it is: "@name" may stand anywhere in it. */
static void search_text(Liveness *liveness, const EchoAttr *attr)
{
  EchoStr text = attr->as.opaque.text;
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] != '@')
      continue;
    size_t begin = i + 1, end = begin;
    bool quoted = begin < text.size && text.data[begin] == '"';
    if (quoted)
      end = ++begin;
    while (end < text.size &&
           (quoted ? text.data[end] != '"' : strchr(" ,:>})]", text.data[end]) == NULL))
      end++;
    mark_name(liveness, (EchoStr){text.data + begin, end - begin});
  }
}

static void mark_named_by(Liveness *liveness, EchoOp *root)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op)) {
    search_later(liveness, op->properties);
    search_later(liveness, op->attrs);
  }
  while (liveness->attrs.size != 0) {
    const EchoAttr *attr = echo_vector_pop(&liveness->attrs);
    if (attr->kind == ECHO_ATTR_OPAQUE)
      search_text(liveness, attr);
    else
      search(liveness, attr);
  }
}

static bool is_private_symbol(const EchoOp *op)
{
  return (op->info->traits & ECHO_SYMBOL) != 0 && echo_symbol_name(op).size != 0 &&
         echo_str_is(echo_op_attr_string(op, "sym_visibility"), "private");
}

static void mark_all(Liveness *liveness, EchoOp *table)
{
  search_later(liveness, table->attrs);
  for (uint16_t i = 0; i < table->n_regions; ++i)
    for (EchoBlock *block = table->regions[i].first; block != NULL; block = block->next)
      for (EchoOp *op = block->first; op != NULL; op = op->next)
        if (!is_private_symbol(op))
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
  mark_all(&liveness, table);
  size_t n_erased = sweep(&liveness, table);
  echo_symbol_table_destroy(&liveness.table);
  echo_map_destroy(&liveness.live);
  echo_map_destroy(&liveness.seen);
  echo_vector_destroy(&liveness.worklist);
  echo_vector_destroy(&liveness.attrs);
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
