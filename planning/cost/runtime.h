/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long a block takes by a device model: for each kernel the longer of its arithmetic and its
 * traffic, and what starts it. The invariant: equal graphs and models give equal times, to the
 * nanosecond. Not a measurement. */
#ifndef ECHO_PLANNING_COST_RUNTIME_H
#define ECHO_PLANNING_COST_RUNTIME_H

#include "ir/diagnostics.h"
#include "planning/schedule/fusion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The work of one node as such a device does it; bytes and launches are left out: a clone that
 * joins another kernel adds neither. */
EchoWork echo_node_work(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device);
/* Nanoseconds of that work. */
double echo_node_ns(const EchoGraph *graph, uint32_t node, const EchoDeviceModel *device);
/* Finds that once for all nodes, and for what is copied from them: the graph is of one device from
 * then on. */
void echo_graph_note_ns(EchoGraph *graph, const EchoDeviceModel *device);
uint64_t echo_group_ns(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                       const EchoDeviceModel *device);
/* The whole block. Control flow takes its inner_ns. Calls that run beside it (EchoCost.is_beside)
 * take what the block waits for them, where memory lets it wait late: what is computed meanwhile
 * costs only what exceeds that. O(members + inputs). */
uint64_t echo_fusion_ns(const EchoGraph *graph, const EchoFusion *fusion,
                        const EchoDeviceModel *device);

/* What a control op takes when one run of each of its regions takes these times: all trips of a
 * counted loop together (one trip where they are not known), of alternatives the longest. */
uint64_t echo_control_ns(const EchoOp *op, const uint64_t *region_ns);

/* A kernel.func of the kernels or planned stage, run once: what it updates is written over. O(ops
 * of its body). */
uint64_t echo_kernel_ns(const EchoOp *kernel, const EchoDeviceModel *device);
/* … by a launch of the planned stage, which may have it copied. */
uint64_t echo_launch_ns(const EchoOp *kernel, const EchoOp *launch, const EchoDeviceModel *device);
/* Whether that makes a difference. */
bool echo_kernel_updates(const EchoOp *kernel);

/* … of all of the device's cores, without what starts it. O(ops of its body). */
double echo_kernel_busy_ns(const EchoOp *kernel, const EchoDeviceModel *device);

/* What it reads and writes, each array once, and what it computes: an operation an element, an
 * elementary function as one, a multiply-add of a product or a convolution as two. O(ops). */
void echo_kernel_amounts(const EchoOp *kernel, double *bytes, double *flops);

/* How many of `n` equal pieces of work, `total_ns` by the device model all together, one thread
 * takes at a time. Only speed depends on it. */
int64_t echo_grain(const EchoDeviceModel *device, int64_t n, double total_ns);

/* Makes a model known in a context by its name, for as long as that lives. False with the reason
 * appended to *error: a number out of range, no name, or one that is taken. */
bool echo_context_register_device_model(EchoContext *ctx, const EchoDeviceModel *model,
                                        EchoBuffer *error);
const EchoDeviceModel *echo_context_device_model_or_null(const EchoContext *ctx, EchoStr name);
/* The model that a pass option names: empty = the default, a compiled-in or registered name, or a
 * file. False after an error at `loc`. */
bool echo_device_model_load(EchoContext *ctx, EchoLoc loc, EchoStr name, EchoDeviceModel *model);

#ifdef __cplusplus
}
#endif

#endif
