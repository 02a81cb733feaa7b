/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host side of a program for a GPU as JSON: kernels with their launch shapes, and in order what
 * is launched, copied and waited for, with arguments as places in memory. With the PTX of the same
 * module it is all that somebody's own program needs to run the step (docs/reading_the_ptx.md). */
#ifndef ECHO_JIT_REPORT_LAUNCH_LIST_H
#define ECHO_JIT_REPORT_LAUNCH_LIST_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a module at stage 'loops' whose kernels are mapped to a GPU. False after an error. O(ops). */
bool echo_launch_list_print(EchoOp *module, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
