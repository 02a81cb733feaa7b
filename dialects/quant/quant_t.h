/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hooks for a type of this dialect as it is read: the check, and its canonical text. Private to
 * quant/. */
#ifndef ECHO_DIALECTS_QUANT_QUANT_T_H
#define ECHO_DIALECTS_QUANT_QUANT_T_H

#include "ir/context.h"

bool echo_quant_check_type(EchoContext *ctx, EchoLoc loc, EchoStr text);
bool echo_quant_canonical_type(EchoContext *ctx, EchoStr text, EchoBuffer *out);

#endif
