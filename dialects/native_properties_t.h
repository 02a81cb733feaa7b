/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How properties of MLIR's ops without a row here stand in its bytecode. Private to dialects/. */
#ifndef ECHO_DIALECTS_NATIVE_PROPERTIES_T_H
#define ECHO_DIALECTS_NATIVE_PROPERTIES_T_H

#include "ir/bytecode/dialect.h"

void echo_register_native_properties(EchoContext *ctx);

#endif
