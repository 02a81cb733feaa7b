/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hooks for a type of this dialect as it is read: the check, and its canonical text; and the
 * parts of a text. Private to quant/. */
#ifndef ECHO_DIALECTS_QUANT_QUANT_T_H
#define ECHO_DIALECTS_QUANT_QUANT_T_H

#include "dialects/quant/quant.h"
#include "ir/context.h"

bool echo_quant_check_type(EchoContext *ctx, EchoLoc loc, EchoStr text);
bool echo_quant_canonical_type(EchoContext *ctx, EchoStr text, EchoBuffer *out);
/* "i8<-8:7>", the range where it is not all that the bits hold. */
void echo_quant_print_storage(const EchoQuantized *quantized, EchoBuffer *out);
/* With as many digits as tell it from its neighbours. */
void echo_quant_print_number(EchoContext *ctx, double value, EchoBuffer *out);

#endif
