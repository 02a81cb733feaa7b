/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the steps of a planned program take by a device model. The invariant: each kernel is judged
 * once, and what runs inside of control flow counts once: how often it runs is not known here. Not
 * the time of a block before it is planned: that is runtime.h. */
#ifndef ECHO_PLANNING_COST_STEP_CLOCK_H
#define ECHO_PLANNING_COST_STEP_CLOCK_H

#include "ir/symbol.h"
#include "planning/cost/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoStepClock {
  const EchoDeviceModel *device;
  EchoSymbolTable symbols;
  EchoMap ns_of_kernel;
  uint64_t now_ns, link_free_ns; /* when what was asked for is over, and when the last call is */
  EchoMap end_of_event;          /* event of a call that runs beside the steps -> when it is over */
} EchoStepClock;

/* `module` holds the kernels. Destroy with echo_step_clock_destroy. */
void echo_step_clock_create(EchoStepClock *clock, EchoOp *module, const EchoDeviceModel *device);
void echo_step_clock_destroy(EchoStepClock *clock);
/* Nanoseconds of `op` and all that is inside it; 0 for what only names a place. A call that gives
 * an event takes a launch, and what waits for it the rest: steps are asked for in their order. */
uint64_t echo_step_clock_ns(EchoStepClock *clock, EchoOp *op);

#ifdef __cplusplus
}
#endif

#endif
