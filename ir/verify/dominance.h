/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dominance between blocks of a region (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance
 * Algorithm") and between values and their uses. Computed region by region on demand; invalid once
 * blocks change. */
#ifndef ECHO_IR_VERIFY_DOMINANCE_H
#define ECHO_IR_VERIFY_DOMINANCE_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoDominance EchoDominance;

EchoDominance *echo_dominance_create(EchoOp *root); /* lazy: costs nothing until asked */
void echo_dominance_destroy(EchoDominance *dominance);
/* a properly or equally dominates b; in one region. Unreachable blocks are dominated by all. */
bool echo_dominance_block(EchoDominance *dominance, EchoBlock *a, EchoBlock *b);
bool echo_dominance_is_reachable(EchoDominance *dominance, EchoBlock *block);
/* The value is visible at `user`: defined before it on every path, through enclosing regions, or
 * anywhere in the block of a graph region around it. */
bool echo_dominance_value(EchoDominance *dominance, const EchoValue *value, EchoOp *user);

#ifdef __cplusplus
}
#endif

#endif
