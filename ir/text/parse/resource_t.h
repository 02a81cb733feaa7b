/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The metadata at a file's end. */
#ifndef ECHO_IR_TEXT_PARSE_RESOURCE_T_H
#define ECHO_IR_TEXT_PARSE_RESOURCE_T_H

#include "ir/text/parse/parser_t.h"

bool echo_parser_metadata(EchoAsmParser *p); /* {-# … #-} */

#endif
