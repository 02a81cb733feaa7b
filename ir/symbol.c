/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbol tables: a map from sym_name to the op, kept by its user; and single look-ups without one.
 */
#include "ir/symbol.h"

#include "ir/context_t.h"
#include "ir/symbol_t.h"

EchoStr echo_symbol_name(const EchoOp *symbol)
{
  return echo_op_attr_string(symbol, "sym_name");
}

/* Whether sym_name, if there, names it: a module may have a name without being bound to. */
static bool is_symbol(const EchoOp *op)
{
  return (op->info->traits & (ECHO_SYMBOL | ECHO_SYMBOL_TABLE | ECHO_UNREGISTERED)) != 0;
}

void echo_symbol_table_create(EchoSymbolTable *table, EchoOp *op)
{
  if (table == NULL)
    return;
  *table = (EchoSymbolTable){.op = op};
  for (uint16_t i = 0; op != NULL && i < op->n_regions; ++i)
    for (EchoBlock *block = op->regions[i].first; block != NULL; block = block->next)
      for (EchoOp *symbol = block->first; symbol != NULL; symbol = symbol->next) {
        EchoStr name = is_symbol(symbol) ? echo_symbol_name(symbol) : (EchoStr){0};
        if (name.size != 0 && echo_symbol_table_get_or_null(table, name) == NULL)
          echo_string_map_set(&table->names, name, echo_key(symbol));
      }
}

void echo_symbol_table_destroy(EchoSymbolTable *table)
{
  if (table == NULL)
    return;
  echo_string_map_destroy(&table->names);
}

EchoOp *echo_symbol_table_get_or_null(const EchoSymbolTable *table, EchoStr name)
{
  if (table == NULL || name.data == NULL)
    return NULL;
  return (EchoOp *)(uintptr_t)echo_string_map_get_or(&table->names, name, 0);
}

/* "name", or else the first free of "name_0", "name_1", … Names once found taken are not tried
 * again: the next number to try is doubled up to a free one, then the smallest free is found by
 * halving. Numbers are dense when all came from here. */
static EchoStr free_name(EchoSymbolTable *table, EchoStr name)
{
  EchoContext *ctx = echo_op_context(table->op);
  EchoBuffer text = {0};
  uint64_t taken_below = 0, step = 1;
  for (uint64_t number = 0;; number = taken_below + step - 1) {
    echo_buffer_clear(&text);
    echo_buffer_printf(&text, "%.*s_%llu", ECHO_STR_ARG(name), (unsigned long long)number);
    bool taken = echo_symbol_table_get_or_null(table, echo_buffer_str(&text)) != NULL;
    if (taken) {
      taken_below = number + 1;
      step *= 2;
    } else if (step > 1) {
      step = 1;
    } else {
      break;
    }
  }
  EchoStr unique = echo_context_intern(ctx, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return unique;
}

void echo_symbol_table_insert(EchoSymbolTable *table, EchoOp *symbol)
{
  ECHO_CHECK(table != NULL && table->op != NULL && symbol != NULL,
             "a symbol is put into a symbol table: '%s' is NULL",
             symbol == NULL ? "symbol" : "table");
  EchoOp *op = table->op;
  ECHO_CHECK_OP(op->n_regions == 1, op, "a symbol table of %u regions", (unsigned)op->n_regions);
  EchoStr name = echo_symbol_name(symbol);
  ECHO_CHECK_OP(name.size != 0, symbol, "a symbol without a name is put into a symbol table");
  if (echo_symbol_table_get_or_null(table, name) != NULL) {
    name = free_name(table, name);
    echo_op_set_attr(symbol, "sym_name", echo_attr_string(echo_op_context(op), name));
  }
  echo_string_map_set(&table->names, name, echo_key(symbol));
  EchoBlock *body = op->regions[0].first;
  if (body == NULL) {
    body = echo_block_create(echo_op_context(op));
    echo_region_append(&op->regions[0], body);
  }
  EchoOp *terminator = echo_block_terminator_or_null(body);
  if (terminator != NULL && (terminator->info->traits & ECHO_TERMINATOR) != 0)
    echo_op_insert_before(symbol, terminator);
  else
    echo_block_append(body, symbol);
}

/* ---- single look-ups ---- */

static EchoOp *find_inside_or_null(const EchoOp *table, EchoStr name)
{
  for (uint16_t i = 0; i < table->n_regions; ++i)
    for (EchoBlock *block = table->regions[i].first; block != NULL; block = block->next)
      for (EchoOp *op = block->first; op != NULL; op = op->next)
        if (is_symbol(op) && echo_str_equal(echo_symbol_name(op), name))
          return op;
  return NULL;
}

static EchoOp *nearest_table_or_null(const EchoOp *from)
{
  const EchoOp *op = from;
  while (op != NULL && (op->info->traits & ECHO_SYMBOL_TABLE) == 0)
    op = echo_op_parent(op);
  return (EchoOp *)(uintptr_t)op;
}

struct EchoSymbolTables {
  EchoMap tables; /* EchoOp * -> EchoSymbolTable * */
  uint32_t depth; /* begins without an end yet */
};

void echo_symbol_tables_begin(EchoContext *ctx)
{
  if (ctx->symbol_tables == NULL)
    ctx->symbol_tables = echo_alloc_zero(1, sizeof *ctx->symbol_tables);
  ctx->symbol_tables->depth++;
}

void echo_symbol_tables_end(EchoContext *ctx)
{
  EchoSymbolTables *tables = ctx->symbol_tables;
  if (--tables->depth != 0)
    return;
  EchoMapEntry entry;
  for (size_t i = 0; echo_map_next(&tables->tables, &i, &entry);) {
    EchoSymbolTable *table = (EchoSymbolTable *)(uintptr_t)entry.value;
    echo_symbol_table_destroy(table);
    echo_free(table);
  }
  echo_map_destroy(&tables->tables);
  echo_free(tables);
  ctx->symbol_tables = NULL;
}

static EchoOp *find_cached_or_null(EchoSymbolTables *tables, EchoOp *op, EchoStr name)
{
  EchoSymbolTable *table = echo_map_get_ptr(&tables->tables, op);
  if (table == NULL) {
    table = echo_alloc(sizeof *table);
    echo_symbol_table_create(table, op);
    echo_map_set_ptr(&tables->tables, op, table);
  }
  return echo_symbol_table_get_or_null(table, name);
}

static EchoOp *find_or_null(EchoSymbolTables *tables, EchoOp *op, EchoStr name)
{
  return tables != NULL ? find_cached_or_null(tables, op, name) : find_inside_or_null(op, name);
}

EchoOp *echo_symbol_lookup_or_null(const EchoOp *from, const EchoAttr *symbol_ref)
{
  if (from == NULL || symbol_ref == NULL)
    return NULL;
  ECHO_CHECK_OP(symbol_ref->kind == ECHO_ATTR_SYMBOL_REF, from,
                "a symbol is looked up by another attribute");
  EchoSymbolTables *tables = echo_op_context(from)->symbol_tables;
  EchoOp *table = nearest_table_or_null(from);
  EchoOp *found = table != NULL ? find_or_null(tables, table, symbol_ref->as.symbol.root) : NULL;
  for (size_t i = 0; found != NULL && i < symbol_ref->as.symbol.n_nested; ++i)
    found = find_or_null(tables, found, symbol_ref->as.symbol.nested[i]);
  return found;
}
