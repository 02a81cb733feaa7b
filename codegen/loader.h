/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads host objects into this process (ORC LLJIT) and finds their symbols. Code stays loaded until
 * the loader is destroyed. */
#ifndef ECHO_CODEGEN_LOADER_H
#define ECHO_CODEGEN_LOADER_H

#include "ir/diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoLoader EchoLoader;

/* NULL after a diagnostic. */
EchoLoader *echo_loader_create_or_null(EchoContext *ctx);
void echo_loader_destroy(EchoLoader *loader);
/* Adds a relocatable object; its bytes are copied. */
bool echo_loader_add_object(EchoLoader *loader, EchoContext *ctx, EchoStr object);
/* The address of a symbol of an added object. False after a diagnostic when it is not there, or
 * refers to one that is not. */
bool echo_loader_lookup(EchoLoader *loader, EchoContext *ctx, EchoStr symbol, void **address);

#ifdef __cplusplus
}
#endif

#endif
