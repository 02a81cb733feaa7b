/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_TYPE_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_TYPE_T_H

#include "ir/text/parse/parser_t.h"

const EchoType *echo_parser_type(EchoAsmParser *p);
/* Whether the token can start a type. */
bool echo_parser_at_type(EchoAsmParser *p);
/* Any but a function type. */
const EchoType *echo_parser_non_function_type(EchoAsmParser *p);
/* Pushes onto p->types: one type, or a parenthesised list. */
bool echo_parser_type_list_parens(EchoAsmParser *p);
bool echo_parser_result_types(EchoAsmParser *p); /* "(a, b)" or "a" */

#endif
