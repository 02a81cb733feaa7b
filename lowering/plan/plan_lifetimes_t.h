/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When each buffer of a bufferized function is live. Positions are ops in the order of the text (an
 * op with regions stands before those inside and spans them). The invariant: a buffer is live from
 * its first use to its last, views looked through, copies until they are waited for; one that is
 * used both inside and outside of a loop is live in all of the loop. Not the arena: offsets come
 * later. */
#ifndef ECHO_LOWERING_PLAN_PLAN_LIFETIMES_T_H
#define ECHO_LOWERING_PLAN_PLAN_LIFETIMES_T_H

#include "base/map.h"
#include "base/vector.h"
#include "ir/op.h"

typedef struct EchoPlanSpan {
  uint32_t begin, end; /* positions, both included */
} EchoPlanSpan;

typedef struct EchoPlanBuffer {
  EchoOp *op;          /* plan.buffer of the arena */
  uint64_t size_bytes; /* rounded up to the arena's alignment */
  bool is_used;
  EchoPlanSpan live; /* where it is used */
} EchoPlanBuffer;

typedef struct EchoPlanLifetimes {
  EchoMap position_of_op;
  ECHO_VECTOR(EchoPlanSpan) spans; /* by position: of that op and what is inside */
  ECHO_VECTOR(EchoPlanBuffer) buffers;
} EchoPlanLifetimes;

/* Destroy with echo_plan_lifetimes_destroy. O(ops * depth + uses). */
void echo_plan_lifetimes_create(EchoPlanLifetimes *lifetimes, EchoOp *function,
                                const EchoOp *arena);
void echo_plan_lifetimes_destroy(EchoPlanLifetimes *lifetimes);
EchoPlanSpan echo_plan_span(const EchoPlanLifetimes *lifetimes, const EchoOp *op);

#endif
