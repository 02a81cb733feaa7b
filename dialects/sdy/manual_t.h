/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text of the op whose region is what one device of many does. */
#ifndef ECHO_DIALECTS_SDY_MANUAL_T_H
#define ECHO_DIALECTS_SDY_MANUAL_T_H

#include "ir/text/asm.h"

bool echo_sdy_parse_manual(EchoAsmParser *parser);
void echo_sdy_print_manual(EchoAsmPrinter *printer, const EchoOp *op);
bool echo_sdy_verify_manual(const EchoOp *op);

#endif
