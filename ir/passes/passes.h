/* The passes of ir/, one file each, entered in one list by echo_register_ir_passes. */
#ifndef ECHO_IR_PASSES_PASSES_H
#define ECHO_IR_PASSES_PASSES_H

#include "ir/pass.h"

extern const EchoPass ECHO_PASS_CANONICALIZE;
extern const EchoPass ECHO_PASS_CSE;
extern const EchoPass ECHO_PASS_DCE;
extern const EchoPass ECHO_PASS_SYMBOL_DCE;
extern const EchoPass ECHO_PASS_INLINE;
extern const EchoPass ECHO_PASS_STRIP_DEBUG_INFO;
extern const EchoPass ECHO_PASS_PRINT_OP_STATS;

#endif
