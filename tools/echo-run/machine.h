/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What runs a step: the interpreter on host tensors, or an executable on a device. Arguments stay
 * in the machine between steps; results of the last step are readable until the next. */
#ifndef ECHO_TOOLS_ECHO_RUN_MACHINE_H
#define ECHO_TOOLS_ECHO_RUN_MACHINE_H

#include "jit/runtime/executable.h"
#include "tools/echo-run/inputs.h"

typedef struct Machine Machine;

/* The module is at a stage that the interpreter can run; both outlive the machine. */
Machine *machine_create_interpreter(EchoContext *ctx, EchoOp *module, const Signature *signature);
/* The executable is that of the signature's module; both outlive the machine. NULL after
 * diagnostics: the device has not enough memory for the arguments. */
Machine *machine_create_device_or_null(EchoContext *ctx, EchoDevice *device,
                                       EchoExecutable *executable, const Signature *signature);
void machine_destroy(Machine *machine); /* NULL allowed */

/* Copies host bytes of the argument's type in. False after diagnostics: the device fails. */
bool machine_write_arg(Machine *machine, size_t arg, const void *data);
/* What the first step draws (echo_executable_seed); those after it go on from there. */
void machine_seed(Machine *machine, uint64_t seed);
/* Runs once. False after diagnostics. */
bool machine_step(Machine *machine);
/* A copy of a result of the last step; NULL after diagnostics. */
EchoTensor *machine_read_result_or_null(const Machine *machine, size_t result);
/* Copies a result of the last step into an argument. False after diagnostics. */
bool machine_feed(Machine *machine, size_t result, size_t arg);
/* Before the next step: results with tf.aliasing_output become their arguments, others go. */
void machine_advance(Machine *machine);

#endif
