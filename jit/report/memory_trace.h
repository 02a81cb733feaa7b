/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A planned step as tables for echo-plan: the lifetimes of its buffers and the trace of its memory,
 * with the times that a device model predicts. The invariant: the load of the lifetimes is the
 * module's plan.bound_bytes, and the largest load of the trace what stands beside them and that.
 * Not a measurement. */
#ifndef ECHO_JIT_REPORT_MEMORY_TRACE_H
#define ECHO_JIT_REPORT_MEMORY_TRACE_H

#include "ir/op.h"
#include "planning/cost/device_model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "id,lower,upper,size,alignment", a row for each buffer of the arena: it lives in steps [lower,
 * upper), sizes are rounded up to the arena's alignment. False after an error. O(ops + buffers). */
bool echo_memory_lifetimes_print(EchoOp *module, EchoBuffer *out);

/* "block,size,time_ns,event" in order of time. A kernel reads from its beginning to its end, writes
 * until its end, and its buffers are there from its beginning. Arguments, results and constants are
 * there before the step and after it; those that nothing touches have no row. A branch or a loop is
 * one step, that takes what its regions take once. False after an error. O(ops + operands). */
bool echo_memory_trace_print(EchoOp *module, const EchoDeviceModel *device, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
