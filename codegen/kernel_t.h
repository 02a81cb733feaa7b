/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One kernel function as an LLVM module. Private to codegen/. */
#ifndef ECHO_CODEGEN_KERNEL_T_H
#define ECHO_CODEGEN_KERNEL_T_H

#include "codegen/codegen.h"
#include "codegen/emit_t.h"

/* The phases of a loops-stage function, in `arena`; false after an error in *error. */
bool echo_kernel_phases(EchoArena *arena, const EchoOp *func, const EchoKernelPhase **phases,
                        size_t *n_phases, EchoEmitError *error);
/* What code is generated for, beside LLVM's names of it. */
typedef struct EchoKernelTarget {
  bool flushes_denormals;
  int64_t n_vector_registers, vector_register_bytes;
} EchoKernelTarget;

/* Appends the kernel's functions, one a phase, to `module`. False after an error in *error. */
bool echo_kernel_translate(const EchoEmitTable *table, LLVMModuleRef module, const EchoOp *func,
                           const EchoKernelPhase *phases, size_t n_phases,
                           const EchoKernelTarget *target, EchoEmitError *error);
/* A module with the distinct metadata nodes that its parallel loops need (the C API makes none). */
LLVMModuleRef echo_kernel_module(LLVMContextRef llvm, const EchoOp *const *funcs, size_t n_funcs,
                                 EchoBuffer *error);

/* What echo_codegen_version answers: cmake/HashSources.cmake makes it. */
extern const char ECHO_CODEGEN_SOURCES[];

#endif
