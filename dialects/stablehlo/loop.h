/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counted loops: a stablehlo.while whose number of iterations is known before it runs. */
#ifndef ECHO_DIALECTS_STABLEHLO_LOOP_H
#define ECHO_DIALECTS_STABLEHLO_LOOP_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoCountedLoop {
  uint32_t counter; /* which carried value counts */
  int64_t start, step, n_trips;
} EchoCountedLoop;

/* True for the shape that importers write: the condition compares a carried integer scalar with a
 * constant, or a constant with it, the body adds a constant to it, and its initial value is a
 * constant (constants inside or outside of the loop). False where it would wrap around. O(1). */
bool echo_hlo_counted_loop(const EchoOp *loop, EchoCountedLoop *counted);
/* Whether an integer type, or one of such elements, holds the number; of i1: 0 and 1. */
bool echo_hlo_number_fits(const EchoType *type, int64_t number);

#ifdef __cplusplus
}
#endif

#endif
