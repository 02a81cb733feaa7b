/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes made of many numbers, at their keyword. */
#ifndef ECHO_IR_TEXT_PARSE_ATTRIBUTE_ELEMENTS_T_H
#define ECHO_IR_TEXT_PARSE_ATTRIBUTE_ELEMENTS_T_H

#include "ir/text/parse/parser_t.h"

const EchoAttr *echo_parser_dense(EchoAsmParser *p, const EchoType *type_or_null);
const EchoAttr *echo_parser_dense_array(EchoAsmParser *p); /* behind it */
const EchoAttr *echo_parser_dense_resource(EchoAsmParser *p, const EchoType *type_or_null);
const EchoAttr *echo_parser_sparse(EchoAsmParser *p, const EchoType *type_or_null);

#endif
