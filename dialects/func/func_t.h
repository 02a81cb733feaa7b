/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inside of the func dialect, shared by its two files. */
#ifndef ECHO_DIALECTS_FUNC_FUNC_T_H
#define ECHO_DIALECTS_FUNC_FUNC_T_H

#include "ir/text/asm.h"

/* The function type of a func.func; panics when the attribute is missing (the verifier and the
 * parser see to it). */
const EchoType *echo_func_type(const EchoOp *func);

EchoParseFn echo_func_parse_function;
EchoPrintFn echo_func_print_function;

#endif
