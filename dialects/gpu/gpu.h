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

#ifdef __cplusplus
}
#endif

#endif
