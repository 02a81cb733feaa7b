/* Constants that kernels hold themselves, brought into the regions that use them, so that no buffer
 * carries them there. */
#ifndef ECHO_LOWERING_SINK_CONSTANTS_H
#define ECHO_LOWERING_SINK_CONSTANTS_H

#include "ir/op_info.h"

/* Ops in the regions of control flow get copies of the small constants that they read from outside.
 * Idempotent; originals that nobody reads any more are erased. Returns the number of copies. O(ops
 * + operands). */
size_t echo_sink_constants(EchoOp *function);

#endif
