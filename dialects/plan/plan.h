/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading a bufferized function: who uses the bytes of a buffer, and what stands beside the arena.
 * The invariant: views are looked through, and a copy to or from the host uses its buffer until it
 * has been waited for. Nothing here changes the IR. */
#ifndef ECHO_DIALECTS_PLAN_PLAN_H
#define ECHO_DIALECTS_PLAN_PLAN_H

#include "base/vector.h"
#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One operand that is a buffer, a view of it, or the event of a copy of it. */
typedef struct EchoPlanUse {
  EchoOp *op;
  uint32_t operand;
} EchoPlanUse;

typedef ECHO_VECTOR(EchoPlanUse) EchoPlanUses;

/* Appends everybody who uses the bytes of `buffer`, views apart, in no particular order.
 * O(uses). */
void echo_plan_collect_uses(EchoValue *buffer, EchoPlanUses *uses);

/* The function's plan.arena. */
EchoOp *echo_plan_arena_or_null(const EchoOp *function);
/* Arguments, results and constants: what stands beside the arena. */
uint64_t echo_plan_outside_bytes(EchoOp *function);

#ifdef __cplusplus
}
#endif

#endif
