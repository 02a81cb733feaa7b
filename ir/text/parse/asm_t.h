/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops in pretty form. What their hooks call is ir/text/asm.h. */
#ifndef ECHO_IR_TEXT_PARSE_ASM_T_H
#define ECHO_IR_TEXT_PARSE_ASM_T_H

#include "ir/text/parse/parser_t.h"

/* An op in pretty form, at its name: runs its row's hook and finishes the op. */
bool echo_parser_custom_op(EchoAsmParser *p, size_t bindings);

#endif
