/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The passes of ir/, one file each, entered in one list by echo_register_ir_passes. */
#ifndef ECHO_IR_PASS_PASSES_H
#define ECHO_IR_PASS_PASSES_H

#include "ir/pass/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const EchoPass ECHO_PASS_CANONICALIZE;
extern const EchoPass ECHO_PASS_CSE;
extern const EchoPass ECHO_PASS_DCE;
extern const EchoPass ECHO_PASS_SYMBOL_DCE;
extern const EchoPass ECHO_PASS_INLINE;
extern const EchoPass ECHO_PASS_STRIP_DEBUG_INFO;
extern const EchoPass ECHO_PASS_PRINT_OP_STATS;

#ifdef __cplusplus
}
#endif

#endif
