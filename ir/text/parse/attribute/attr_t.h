/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes by their first token, dictionaries and symbols. The attribute itself, which others
 * hold, is declared in ir/text/parse/recursion_t.h. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_ATTR_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_ATTR_T_H

#include "ir/text/parse/recursion_t.h"

const EchoAttr *echo_parser_attr_dict(EchoAsmParser *p); /* "{…}" */
/* Pushes the entries of "{…}" onto p->named; errors on names that are there twice (from `mark` on).
 */
bool echo_parser_attr_entries(EchoAsmParser *p, size_t mark);
/* A symbol reference's name token, unquoted. */
bool echo_parser_symbol_name(EchoAsmParser *p, EchoStr *name);

#endif
