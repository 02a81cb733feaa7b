/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Machine code that can lie anywhere (codegen/link.h), put where the processor may run it. Private
 * to jit/. */
#ifndef ECHO_JIT_RUNTIME_BUNDLE_NATIVE_T_H
#define ECHO_JIT_RUNTIME_BUNDLE_NATIVE_T_H

#include "codegen/kernel_fn.h"
#include "ir/attributes/attribute.h"
#include "ir/diagnostics.h"

typedef struct EchoNative EchoNative;

/* Copies the code to pages of its own, fills in the cells (three numbers each; NULL = none), and
 * makes it code. NULL after an error: cells that cannot be, or a system that gives no such pages.
 */
EchoNative *echo_native_create_or_null(EchoContext *ctx, EchoStr code, const EchoAttr *cells);
void echo_native_destroy(void *native); /* NULL allowed */
/* The function that begins there; NULL where the code has ended. */
EchoKernelFn *echo_native_function_or_null(const EchoNative *native, int64_t where);

#endif
