/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host as an LLVM target: one machine a thread. Private to codegen/. */
#ifndef ECHO_CODEGEN_TARGET_T_H
#define ECHO_CODEGEN_TARGET_T_H

#include <llvm-c/TargetMachine.h>

#include "base/string.h"
#include "codegen/codegen.h"

/* A loop of more passes is not unrolled, one of fewer where that makes it smaller or it is small.
 */
#define ECHO_MOST_PASSES_UNROLLED 16

/* What a compile is for, as text; strings are owned. */
typedef struct EchoTarget {
  char *triple, *cpu, *features;
  int64_t n_vector_registers, vector_register_bytes;
} EchoTarget;

void echo_target_create_host(EchoTarget *target, const EchoCodegenOptions *options);
void echo_target_destroy(EchoTarget *target);
/* NULL after appending the reason to `error`. Dispose with LLVMDisposeTargetMachine. */
LLVMTargetMachineRef echo_target_machine_or_null(const EchoTarget *target, EchoBuffer *error);
/* Runs the passes that kernels need; false after appending to `error`. */
bool echo_target_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, EchoBuffer *error);
/* After the passes, for the host: no selection becomes a masked truth table, which LLVM 19 gets
 * wrong, nor, where code flushes denormals, a minimum or a maximum. */
void echo_target_keep_selections(LLVMModuleRef module, bool flushes_denormals);
/* After the passes, for the host: halves are computed with in f32, which LLVM 19 does an element at
 * a time where it does it by itself, and loses NaNs. */
void echo_target_widen_halves(LLVMModuleRef module);
/* After all passes, before code is made: no loop's index is one to strength reduction. */
void echo_target_hide_indices(LLVMModuleRef module);
/* After the passes, for GPUs with tensor cores: floats rounded to halves side by side go in pairs.
 */
void echo_pair_halves(LLVMModuleRef module);
/* After the passes, for GPUs: vectors of bytes are read and written as words. */
void echo_bytes_as_words(LLVMModuleRef module);
/* Names the passes: part of the cache's key. */
const char *echo_target_pipeline(void);

#endif
