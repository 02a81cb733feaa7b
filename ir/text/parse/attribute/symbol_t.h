/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types and attributes of dialects as text. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_SYMBOL_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_SYMBOL_T_H

#include "ir/text/parse/parser_t.h"

/* The body of an opaque symbol from "<", the current token, to its matching ">": *text covers both.
 * Other brackets the same. */
bool echo_parser_balanced_body(EchoAsmParser *p, EchoStr *text);
/* "!d.t<…>" or "#d.a<…>" behind the prefix: dialect, text and form as mlir writes it. */
bool echo_parser_dialect_symbol(EchoAsmParser *p, EchoStr *dialect, EchoStr *text, bool *is_pretty);

#endif
