/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hook that checks a type of this dialect as it is read. Private to quant/. */
#ifndef ECHO_DIALECTS_QUANT_QUANT_T_H
#define ECHO_DIALECTS_QUANT_QUANT_T_H

#include "ir/context.h"

bool echo_quant_check_type(EchoContext *ctx, EchoLoc loc, EchoStr text);

#endif
