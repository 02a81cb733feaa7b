/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --calibrate: a device model of this machine, or of a GPU in it. Small programs of known work are
 * compiled as any module is and timed kernel by kernel, the best of several runs each. A
 * measurement that the user asks for and names: nothing else reads the clock to decide. */
#ifndef ECHO_TOOLS_ECHO_RUN_CALIBRATE_H
#define ECHO_TOOLS_ECHO_RUN_CALIBRATE_H

#include "jit/runtime/device.h"
#include "planning/cost/device_model.h"

/* What runs at the rates that are measured. Some seconds. A GPU's: what its kernels take by its own
 * events; loops and latencies of copies are the shipped model's, and on an emulated one, which has
 * no cache and no copies worth timing, these too. False after diagnostics. */
bool calibrate(EchoDevice *device, EchoStr name, EchoDeviceModel *model);

/* With many processes, what the link between them takes: each sends all others few bytes and many,
 * and the shortest of many exchanges counts, as the process sees it for which it takes longest:
 * calls of MPI, or on GPUs of NCCL in a program of one all_gather, by the device's events. All call
 * it; with one process the model stays as it is. False with an error, or after diagnostics. */
bool calibrate_link(EchoDevice *device, EchoDeviceModel *model, EchoBuffer *error);

/* The name of the model that a file of this path holds: its own, without directories and ending. */
EchoStr calibrate_model_name(const char *path);

/* The shipped model of what the device is a target of. */
void calibrate_shipped(const EchoDevice *device, EchoDeviceModel *model);
/* Measured rates beside those of a shipped model. */
void calibrate_tell(const EchoDeviceModel *model, const EchoDeviceModel *of, EchoBuffer *out);

#endif
