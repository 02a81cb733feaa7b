/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of --differentiate share. */
#ifndef ECHO_LOWERING_STEP_DIFFERENTIATE_T_H
#define ECHO_LOWERING_STEP_DIFFERENTIATE_T_H

#include "ir/op.h"

/* Gives each op of a step that came with its gradients in it a phase: forward is what the loss is
 * computed from, the rest is backward. `loss` is the number of the result that is the loss; -1: it
 * is found among the scalar float results, of which several may be losses. A step without any is
 * all forward. Phases are a hint for reports. Error: a number that is none. O(results * ops) at
 * most. */
bool echo_classify_step(EchoOp *function, int64_t loss);

#endif
