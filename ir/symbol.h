/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbols: names of ops in the region of a symbol table (functions in a module). */
#ifndef ECHO_IR_SYMBOL_H
#define ECHO_IR_SYMBOL_H

#include "base/map.h"
#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A symbol table's names, built in O(ops directly inside) and kept by its user while it adds and
 * erases symbols. */
typedef struct EchoSymbolTable {
  EchoOp *op; /* the op with the region */
  EchoStringMap names;
} EchoSymbolTable;

void echo_symbol_table_create(EchoSymbolTable *table, EchoOp *op);
void echo_symbol_table_destroy(EchoSymbolTable *table);
EchoOp *echo_symbol_table_get_or_null(const EchoSymbolTable *table, EchoStr name);
/* Appends `symbol` (detached) to the table's block, renaming it "name_0", "name_1" … when its name
 * is taken. */
void echo_symbol_table_insert(EchoSymbolTable *table, EchoOp *symbol);

EchoStr echo_symbol_name(const EchoOp *symbol); /* sym_name, or empty */
/* One look-up from `from` outward to the nearest symbol table, O(symbols). For many, use a table.
 */
EchoOp *echo_symbol_lookup_or_null(const EchoOp *from, const EchoAttr *symbol_ref);

#ifdef __cplusplus
}
#endif

#endif
