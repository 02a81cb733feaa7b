/* What the files of --differentiate share. */
#ifndef ECHO_LOWERING_DIFFERENTIATE_H
#define ECHO_LOWERING_DIFFERENTIATE_H

#include "ir/op.h"

/* Gives each op of a step that came with its gradients in it a phase. `loss` is the number of the
 * result that is the loss, or -1 for the only scalar float result. Forward = what the loss is
 * computed from; the rest is backward. A step without any scalar float result is all forward.
 * Errors: several scalar float results and loss = -1 (they are listed), or a number that is none.
 */
bool echo_classify_step(EchoOp *function, int64_t loss);

#endif
