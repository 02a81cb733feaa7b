/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a compile hands to the runtime: the planned program as IR, and code for its kernels. Made in
 * memory (jit/compile.h) or read from a file (jit/runtime/bundle/bundle.h); whoever runs it does
 * not see which, and needs no compiler. */
#ifndef ECHO_JIT_RUNTIME_IMAGE_H
#define ECHO_JIT_RUNTIME_IMAGE_H

#include "base/vector.h"
#include "codegen/kernel_fn.h"
#include "dialects/kernel/convolution.h"
#include "dialects/kernel/product.h"
#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One part of a kernel: phases run one after the other. */
typedef struct EchoImagePhase {
  EchoKernelFn *fn;       /* on the CPU: runs tasks [0, n_tasks), */
  int64_t n_tasks, grain; /* of which a thread takes `grain` at a time */
  EchoStr entry;          /* on a GPU: its name in the PTX, "map_0__0" */
  unsigned grid, block;   /* grid 0: nothing to launch */
  unsigned shared_bytes;  /* that a launch asks for, beside those of the PTX */
} EchoImagePhase;

typedef struct EchoImageKernel {
  EchoStr name; /* that launches call: "map_0" */
  const EchoImagePhase *phases;
  size_t n_phases;
  const EchoProduct *product;         /* that a library may make in its place; NULL: none */
  const EchoConvolution *convolution; /* the same */
} EchoImageKernel;

typedef struct EchoImage {
  EchoOp *module; /* borrowed; main at stage loops, and the kernel.library ops that it launches */
  EchoArena memory;
  ECHO_VECTOR(EchoImageKernel) kernels;
  EchoBuffer ptx; /* of a GPU; empty where nothing is launched */
  void *code;     /* of the CPU: what `fn` lies in, and who frees it */
  void (*release)(void *code);
  size_t n_cache_hits;
  const char *cache_dir; /* where it is kept what is left to a library; borrowed until it
                            is loaded; NULL: nowhere */
} EchoImage;

void echo_image_destroy(EchoImage *image); /* NULL allowed */

#ifdef __cplusplus
}
#endif

#endif
