/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What repeats or renames something smaller, brought into the regions that compute with it: within
 * a block every kernel makes it anew for nothing, between blocks a buffer would carry it. */
#ifndef ECHO_LOWERING_PLAN_SINK_FREE_T_H
#define ECHO_LOWERING_PLAN_SINK_FREE_T_H

#include "ir/table/op_info.h"

/* Maps in the regions of control flow get copies of what they read from outside that is free to
 * remake and holds more than it is made of (a bias that all rows share), whether they read it as it
 * stands there or loops hand it on; originals that nobody reads any more are erased, and loops hand
 * on no more than is read. What reads a buffer, a matrix product or the loop itself, goes on
 * reading the original. Idempotent. Returns the number of copies. O(ops + operands). */
size_t echo_sink_free(EchoOp *function);

#endif
