/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a dialect's type or attribute is written: "!d.name<body>", or "!d<text>" where the text is no
 * name with one body. For ir/ alone. */
#ifndef ECHO_IR_TEXT_DIALECT_SYMBOL_T_H
#define ECHO_IR_TEXT_DIALECT_SYMBOL_T_H

#include "base/string.h"

char echo_closing_bracket(char open);
/* Whether "!d<text>" is written "!d.text": an identifier, then nothing or one balanced "<…>". As
 * AsmPrinter decides. */
bool echo_symbol_is_pretty(EchoStr text);

#endif
