/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a library call may touch. Private to kernel/. */
#ifndef ECHO_DIALECTS_KERNEL_VERIFY_T_H
#define ECHO_DIALECTS_KERNEL_VERIFY_T_H

#include "ir/op.h"

/* Of a call whose form is right: each argument is of its type in the signature, each item's part of
 * a buffer starts, and where its extent is known ends, inside of it, and the routines of library
 * "echo" and targets are called with what they take. How far a function of another library reads
 * and writes is known to whoever wrote the call. */
bool echo_kernel_verify_call(const EchoOp *op);

#endif
