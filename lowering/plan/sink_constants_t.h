/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constants that kernels hold themselves, brought into the regions that use them, so that no buffer
 * carries them there. */
#ifndef ECHO_LOWERING_PLAN_SINK_CONSTANTS_T_H
#define ECHO_LOWERING_PLAN_SINK_CONSTANTS_T_H

#include "ir/table/op_info.h"

/* Ops in the regions of control flow get copies of the small constants that they read from outside;
 * loops, ends of blocks and updates get those that they read to themselves, right before them.
 * Idempotent; originals that nobody reads any more are erased. Returns the number of changes. O(ops
 * + operands). */
size_t echo_sink_constants(EchoOp *function);

#endif
