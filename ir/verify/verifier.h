/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks everything the IR promises: op rows (operands, results, attributes, regions, traits),
 * blocks and terminators, types, SSA dominance, symbol uses, and the rows' own verify hooks. Goes
 * on after an error and reports them all. */
#ifndef ECHO_IR_VERIFY_VERIFIER_H
#define ECHO_IR_VERIFY_VERIFIER_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True when `op` and all inside hold. O(ops + uses), amortised. */
bool echo_verify(EchoOp *op);

#ifdef __cplusplus
}
#endif

#endif
