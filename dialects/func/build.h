/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modules and functions under construction. What is wrong with the arguments is an error of the
 * context, and the answer NULL or false. */
#ifndef ECHO_DIALECTS_FUNC_BUILD_H
#define ECHO_DIALECTS_FUNC_BUILD_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An empty module. */
EchoOp *echo_func_build_module(EchoContext *ctx);

/* A function at the end of `module`, with one block whose arguments have the types `inputs`;
 * *body builds at the end of that block. It is complete once echo_func_build_return has been
 * called. A compile takes the one named "main". */
EchoOp *echo_func_build(EchoOp *module, const char *name, const EchoType *const *inputs,
                        size_t n_inputs, EchoBuilder *body);

/* Ends the function around the builder's block: it returns these values, whose types become the
 * function's result types. */
bool echo_func_build_return(EchoBuilder *body, EchoValue *const *values, size_t n);

/* Gives an argument an attribute: {"tf.aliasing_output", i32} names the result that takes its
 * storage. */
bool echo_func_set_arg_attr(EchoOp *func, size_t arg, const char *name, const EchoAttr *value);
/* An argument's attribute; NULL where it has none. */
const EchoAttr *echo_func_arg_attr_or_null(const EchoOp *func, size_t arg, const char *name);

#ifdef __cplusplus
}
#endif

#endif
