/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine maps, integer sets and the strided layout. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_AFFINE_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_AFFINE_T_H

#include "ir/text/parse/parser_t.h"

const EchoAttr *echo_parser_affine_map(EchoAsmParser *p); /* behind "affine_map<" and before ">" */
const EchoAttr *echo_parser_integer_set(EchoAsmParser *p);
const EchoAttr *echo_parser_strided(EchoAsmParser *p); /* behind "strided" */

#endif
