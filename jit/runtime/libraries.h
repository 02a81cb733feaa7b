/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls into libraries for the interpreter: kernel.invoke runs where this was called. */
#ifndef ECHO_JIT_RUNTIME_LIBRARIES_H
#define ECHO_JIT_RUNTIME_LIBRARIES_H

#include "ir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Once a context; a second call changes nothing. */
void echo_register_libraries(EchoContext *ctx);

#ifdef __cplusplus
}
#endif

#endif
