/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Everything that Echo brings, registered in one call. Plugins add theirs to the same context and
 * registry. */
#ifndef ECHO_JIT_DRIVER_REGISTER_H
#define ECHO_JIT_DRIVER_REGISTER_H

#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All dialects into `ctx` and all passes into `passes`; either may be NULL. */
void echo_register_all(EchoContext *ctx, EchoPassRegistry *passes);

#ifdef __cplusplus
}
#endif

#endif
