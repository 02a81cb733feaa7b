/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops whose results are what their regions hand on, one by one: what of it is needed is asked for
 * result by result. Private to ir/pass/dce*.c. */
#ifndef ECHO_IR_PASS_DCE_T_H
#define ECHO_IR_PASS_DCE_T_H

#include "base/bitset.h"
#include "base/map.h"
#include "ir/op_t.h"

typedef enum EchoHanding {
  ECHO_HANDS_NOTHING, /* operands and results as a whole */
  ECHO_HANDS_OUT,     /* a branch: result i is operand i of each region's terminator */
  ECHO_HANDS_ROUND    /* a loop: value i is operand i, argument i of each region, operand i of the
                         last one's terminator and result i; the first region's is the condition */
} EchoHanding;

/* O(regions). */
EchoHanding echo_op_handing(const EchoOp *op);

/* Which results are needed. */
typedef struct EchoNeeded {
  EchoMap first;   /* by op: the bit of its first result, plus one */
  EchoBitset bits; /* by result of all such ops */
} EchoNeeded;

/* Of everything inside `root`; destroy. O(ops). */
void echo_needed_create(EchoNeeded *needed, EchoOp *root);
void echo_needed_destroy(EchoNeeded *needed);
/* The bit of a result of an op that hands something on. */
size_t echo_needed_bit(const EchoNeeded *needed, const EchoOp *op, size_t result);

/* Drops what regions hand on to results that are not needed, which stand there yet. O(ops +
 * operands). */
void echo_drop_handed(EchoOp *root, const EchoNeeded *needed);
/* Makes those ops anew without these results, once what is dead is gone. Returns how many results
 * went. O(ops + results). */
size_t echo_drop_results(EchoOp *root, const EchoNeeded *needed);

#endif
