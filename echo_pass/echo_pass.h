/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The Echo pass: which feature maps a training step keeps for its gradients and which it computes
 * again (docs/stages.md). The invariant: results stay bit for bit what they were, and the planned
 * peak is never above that without the pass. */
#ifndef ECHO_ECHO_PASS_ECHO_PASS_H
#define ECHO_ECHO_PASS_ECHO_PASS_H

#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const EchoPass ECHO_PASS_ECHO;

void echo_register_echo_passes(EchoPassRegistry *registry);

/* What the option `overhead` says, "3%", as a fraction; the default where it says nothing. False
 * where it is no percentage. */
bool echo_parse_overhead(EchoStr text, double *fraction);

#ifdef __cplusplus
}
#endif

#endif
