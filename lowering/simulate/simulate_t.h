/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arithmetic of the simulator: one thread's scalar values as bits. Private to
 * lowering/simulate_*.c. */
#ifndef ECHO_LOWERING_SIMULATE_SIMULATE_T_H
#define ECHO_LOWERING_SIMULATE_SIMULATE_T_H

#include "ir/table/op_info.h"

/* A pure op of arith or math on one thread's operands: bits in, bits out (integers zero-extended,
 * floats in their own format). */
typedef bool EchoScalarFn(const EchoOp *op, const uint64_t *in, uint64_t *out);
/* NULL when the simulator does not know the op. */
EchoScalarFn *echo_simulate_scalar_or_null(const EchoOp *op);

#endif
