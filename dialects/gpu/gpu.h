/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building gpu ops. A NULL, or what does not fit, is a misuse as for echo_build_op, and the answer
 * NULL. */
#ifndef ECHO_DIALECTS_GPU_GPU_H
#define ECHO_DIALECTS_GPU_GPU_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ECHO_GPU_WARP = 32 };

/* gpu.shuffle down: `value`, a scalar of at most 64 bits, of the lane `offset` further on; of the
 * last `offset` lanes, their own. All lanes of the warp must come here. Narrow values travel as
 * i32, as MLIR's op takes no others. */
EchoValue *echo_gpu_shuffle_down(EchoBuilder *builder, EchoValue *value, int64_t offset);

/* ---- shared memory of a gpu.func ---- */

enum {
  ECHO_GPU_SHARED_ALIGNMENT = 16,         /* of each of its memrefs */
  ECHO_GPU_STATIC_SHARED_BYTES = 48 << 10 /* that a block may have without asking */
};
/* Bytes that a block of it takes, each memref aligned; 0 of any other op, or NULL. O(arguments). */
uint64_t echo_gpu_shared_bytes(const EchoOp *func);
/* The same where a launch has to ask for them, and hands them over: its memrefs lie one behind the
 * other in memory that the PTX leaves open. 0: they stand in the PTX. */
uint64_t echo_gpu_dynamic_shared_bytes(const EchoOp *func);

#ifdef __cplusplus
}
#endif

#endif
