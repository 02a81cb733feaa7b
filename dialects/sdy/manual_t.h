/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text of the op whose region is what one device of many does. */
#ifndef ECHO_DIALECTS_SDY_MANUAL_T_H
#define ECHO_DIALECTS_SDY_MANUAL_T_H

#include "ir/text/asm.h"

/* What such ops have in common: "(%a, %b)", of which `behind` is the place behind it; "name=[…]",
 * or nothing; "(%c: type) {…} {…} : (type) -> type". */
bool echo_sdy_parse_operands(EchoAsmParser *parser, EchoAsmOperand **operands, size_t *n,
                             EchoLoc *behind);
bool echo_sdy_try_shardings(EchoAsmParser *parser, const char *name);
bool echo_sdy_parse_body(EchoAsmParser *parser, const EchoAsmOperand *operands, size_t n,
                         EchoLoc loc);
void echo_sdy_print_shardings(EchoAsmPrinter *printer, const EchoOp *op, const char *name);
void echo_sdy_print_body(EchoAsmPrinter *printer, const EchoOp *op, const char *const *elided);

bool echo_sdy_parse_manual(EchoAsmParser *parser);
void echo_sdy_print_manual(EchoAsmPrinter *printer, const EchoOp *op);
bool echo_sdy_verify_manual(const EchoOp *op);

#endif
