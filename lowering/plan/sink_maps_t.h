/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that a branch can make for itself, made in it. */
#ifndef ECHO_LOWERING_PLAN_SINK_MAPS_T_H
#define ECHO_LOWERING_PLAN_SINK_MAPS_T_H

#include "ir/op.h"

/* What the regions of `branch` (a case, an if) read from outside, computes element by element from
 * what they read as well, and nobody reads later, they compute themselves: otherwise it would be
 * kept for them, beside what it is made of. Originals that nobody reads any more are erased.
 * Returns the number of copies. O(captured values * (operands + uses)). */
uint64_t echo_sink_maps(EchoOp *branch);

#endif
