/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes and types inside the text of dialects' own. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_PARTS_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_PARTS_T_H

#include "ir/text/parse/parser_t.h"

typedef ECHO_VECTOR(EchoTextPart) EchoTextParts;
/* The attributes and types that stand in a dialect's text, which lies in the source, in order.
 * False after an error. O(bytes), times how deep they nest. */
bool echo_parser_text_parts(EchoAsmParser *p, EchoStr dialect, EchoStr text, EchoTextParts *parts);

#endif
