/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files of --differentiate share. */
#ifndef ECHO_LOWERING_STEP_DIFFERENTIATE_T_H
#define ECHO_LOWERING_STEP_DIFFERENTIATE_T_H

#include "ir/op.h"

/* As the number of the loss: the only scalar float result, or none where there are several. */
#define ECHO_LOSS_OR_NONE (-2)

/* Gives each op of a step that came with its gradients in it a phase. `loss` is the number of the
 * result that is the loss, -1 for the only scalar float result, or ECHO_LOSS_OR_NONE. Forward =
 * what the loss is computed from; the rest is backward. A step without any scalar float result is
 * all forward. Errors: several scalar float results and loss = -1 (they are listed), or a number
 * that is none.
 */
bool echo_classify_step(EchoOp *function, int64_t loss);

#endif
