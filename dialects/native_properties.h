/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How properties of MLIR's ops without a row here stand in its bytecode. */
#ifndef ECHO_DIALECTS_NATIVE_PROPERTIES_H
#define ECHO_DIALECTS_NATIVE_PROPERTIES_H

#include "ir/bytecode/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

void echo_register_native_properties(EchoContext *ctx);

#ifdef __cplusplus
}
#endif

#endif
