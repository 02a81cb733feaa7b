/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From kernel functions of the loops stage to machine code of the host, in parallel, through LLVM's
 * C API, with a cache of objects on disk. Every object is a pure function of what LLVM is given for
 * the kernel, the target and the compiler's version: neither the kernel's name nor thread count or
 * order shows in it, and kernels for which LLVM is given the same are compiled once. Not a linker
 * or loader: jit/ does that. */
#ifndef ECHO_CODEGEN_CODEGEN_H
#define ECHO_CODEGEN_CODEGEN_H

#include "base/arena.h"
#include "base/thread_pool.h"
#include "codegen/kernel_fn.h"
#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One top-level scf.parallel of a kernel function: no phase of training, which echo.phase marks. A
 * kernel's phases run one after the other; the tasks of a phase are independent of each other. */
typedef struct EchoKernelPhase {
  EchoStr symbol;  /* defined in the object, told by its content: no other object has it */
  int64_t n_tasks; /* >= 0 */
  int64_t grain;   /* tasks that a thread takes at a time: kernel.grain, >= 1 */
} EchoKernelPhase;

typedef struct EchoCompiledKernel {
  const EchoOp *func; /* the func.func, in the order of the module */
  EchoStr name;
  const EchoKernelPhase *phases;
  size_t n_phases;
  EchoStr object; /* relocatable ELF; refers to no symbols outside itself but those of
                     ECHO_KERNEL_IMPORTS */
  size_t first;   /* of the kernels with this object: it is to be loaded for that one alone */
  bool from_cache;
} EchoCompiledKernel;

typedef struct EchoCompiledModule {
  EchoCompiledKernel *kernels;
  size_t n_kernels;
  size_t n_cache_hits;
  EchoArena *arena; /* private: owns everything above */
} EchoCompiledModule;

typedef struct EchoCodegenOptions {
  const char *cpu;       /* LLVM's name of the processor; NULL = the host's */
  const char *features;  /* LLVM's feature string; NULL = the host's (with cpu NULL) or none */
  const char *cache_dir; /* NULL = no cache; created when missing */
  EchoThreadPool *pool;  /* NULL = the calling thread alone */
} EchoCodegenOptions;

/* Here and below, options NULL = defaults. */

/* The processor that objects are made for with these options: appends LLVM's name of it, and its
 * list of features, "+avx2,-amx-tile,…". */
void echo_codegen_processor(const EchoCodegenOptions *options, EchoBuffer *cpu,
                            EchoBuffer *features);

/* Compiles every func.func of `module` that has the attribute kernel.kind. kernel.library ops are
 * left to the caller. False after diagnostics (in the module's order, whatever the threads did);
 * *compiled is then empty. Cost: about 1 to 20 ms a kernel and thread, 0.4 ms when cached or one
 * that was there before. */
bool echo_codegen_compile(EchoContext *ctx, EchoOp *module, const EchoCodegenOptions *options,
                          EchoCompiledModule *compiled);
void echo_compiled_module_destroy(EchoCompiledModule *compiled);

typedef enum EchoCodegenOutput {
  ECHO_CODEGEN_LLVM, /* LLVM IR text, after optimisation */
  ECHO_CODEGEN_LLVM_UNOPTIMIZED,
  ECHO_CODEGEN_ASSEMBLY,
  ECHO_CODEGEN_OBJECT
} EchoCodegenOutput;

/* All kernels of `module` as one text (or object) for the host, appended to `out`. */
bool echo_codegen_translate(EchoContext *ctx, EchoOp *module, const EchoCodegenOptions *options,
                            EchoCodegenOutput output, EchoBuffer *out);

/* The GPU kernels (gpu.func) of `module` as PTX, appended to `out`; each is preceded by comments
 * with its source ops, their locations and its launch shape. `target`: a GPU of
 * planning/cost/target.h, "sm_80". Never emits what LLVM cannot lower: that is a diagnostic. */
bool echo_codegen_ptx(EchoContext *ctx, EchoOp *module, const char *target, EchoBuffer *out);

typedef enum EchoGpuText {
  ECHO_GPU_PTX,
  ECHO_GPU_LLVM, /* LLVM IR text, after optimisation: what LLVM makes the PTX of */
  ECHO_GPU_LLVM_UNOPTIMIZED
} EchoGpuText;

/* The same, or its LLVM IR, with the same comments. */
bool echo_codegen_gpu(EchoContext *ctx, EchoOp *module, const char *target, EchoGpuText kind,
                      EchoBuffer *out);

/* "echo 1 (hash of the sources of codegen/), LLVM 19.1.7": all that objects depend on besides text
 * and target. */
const char *echo_codegen_version(void);

#ifdef __cplusplus
}
#endif

#endif
