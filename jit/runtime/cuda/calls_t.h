/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of targets that a step makes on a GPU (EchoCallTarget.enqueue): on a stream of their own,
 * one behind the other, each behind what the compute stream was asked for before it began. While
 * some are under way the host does not wait for the device blindly: others may never join one.
 * Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_CUDA_CALLS_T_H
#define ECHO_JIT_RUNTIME_CUDA_CALLS_T_H

#include "jit/runtime/cuda/graph_t.h"

/* Asks for the call of a launch; nothing waits for it yet. False after diagnostics. */
bool echo_cuda_call_begin(const EchoCudaRun *run, EchoCudaStep *step,
                          const EchoInstruction *launch);
/* What the compute stream is asked for from now on comes behind the call `event`. */
bool echo_cuda_call_join(const EchoCudaRun *run, EchoCudaStep *step, uint32_t event);
/* Waits for the compute stream, whose state goes to *result, and, where `for_all`, for all calls.
 * False after diagnostics where a call fails, or is not done within the limit: those under way have
 * been ended then. `times` as in echo_cuda_program_run. */
bool echo_cuda_calls_wait(const EchoCudaRun *run, EchoCudaStep *step, EchoKernelTime *times,
                          bool for_all, CUresult *result);
/* Ends those that are under way: the run has failed, and waits for nobody. */
void echo_cuda_calls_end(EchoCudaStep *step);
void echo_cuda_calls_destroy(EchoCudaStep *step, const EchoCuda *cuda);

#endif
