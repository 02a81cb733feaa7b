/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an op reads, its regions included, moving it to where all of that stands, and an order of a
 * block that this alone decides: texts that differ in the order of their ops get the same. */
#ifndef ECHO_PLANNING_LOOPS_DATAFLOW_H
#define ECHO_PLANNING_LOOPS_DATAFLOW_H

#include "base/vector.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ECHO_VECTOR(EchoOp *) EchoDataflowOrder;

/* What is done with a value that an op reads; false: the rest is not looked at. */
typedef bool EchoDataflowSee(void *user, EchoValue *value);
/* Calls `see` with all that an op and its regions read from outside of it; false where `see` is. */
bool echo_dataflow_for_operands(EchoOp *op, EchoDataflowSee *see, void *user);

/* The op of the block that `place` stands in, not before it, that makes `value`; NULL: none. */
EchoOp *echo_dataflow_maker_behind_or_null(const EchoOp *place, const EchoValue *value);
/* Moves what makes `value` from behind `place` in front of it, with all that it reads, which must
 * not be made of `place`. O(ops moved + their operands). */
void echo_dataflow_hoist(EchoOp *place, EchoValue *value);

/* Fills `order`, which is empty, with the block's ops, each behind what it reads: from what the
 * block hands on, operand by operand, then from what has effects. Pure ops that nobody reads are
 * left out. The caller destroys it. O(ops + operands). */
void echo_dataflow_order(const EchoBlock *block, EchoDataflowOrder *order);

#ifdef __cplusplus
}
#endif

#endif
