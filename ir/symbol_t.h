/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbol tables of an IR that stands still (the verifier runs), so that each look-up of ir/symbol.h
 * costs O(1). For ir/ alone. */
#ifndef ECHO_IR_SYMBOL_T_H
#define ECHO_IR_SYMBOL_T_H

#include "ir/symbol.h"

typedef struct EchoSymbolTables EchoSymbolTables;

/* Until the matching end, echo_symbol_lookup_or_null goes through tables that are built on first
 * use. */
void echo_symbol_tables_begin(EchoContext *ctx);
void echo_symbol_tables_end(EchoContext *ctx);

#endif
