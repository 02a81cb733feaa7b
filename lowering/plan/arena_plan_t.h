/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What --plan-memory would make of a function's arena, for who chooses between functions. */
#ifndef ECHO_LOWERING_PLAN_ARENA_PLAN_T_H
#define ECHO_LOWERING_PLAN_ARENA_PLAN_T_H

#include "ir/op.h"

/* Bytes of the arena of a bufferized function that has one, by the default policy; nothing is
 * written. */
uint64_t echo_arena_plan_bytes(EchoOp *function);

#endif
