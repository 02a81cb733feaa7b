/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a dialect's type or attribute is written: "!d.name<body>", or "!d<text>" where the text is no
 * name with one body. For ir/ alone. */
#ifndef ECHO_IR_TEXT_DIALECT_SYMBOL_T_H
#define ECHO_IR_TEXT_DIALECT_SYMBOL_T_H

#include "ir/context.h"

char echo_closing_bracket(char open);
/* Whether "!d<text>" is written "!d.text": an identifier, then nothing or one balanced "<…>". As
 * AsmPrinter decides. */
bool echo_symbol_is_pretty(EchoStr text);

/* Whether MLIR 19 has the dialect: it prints aliases in the properties of those ops alone, and
 * resolves them in the text of their attributes and types. */
bool echo_mlir_has_dialect(const EchoContext *ctx, EchoStr name);

/* Whether what has no row or hook here (ops in generic form, attributes, types) is kept as it is
 * written: where the context allows what is unregistered, and of MLIR's dialects that have no table
 * here. */
bool echo_keeps_unknown(const EchoContext *ctx, EchoStr dialect);

#endif
