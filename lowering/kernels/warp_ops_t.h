/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What all lanes of a warp do together, as nvgpu ops: asynchronous copies to shared memory,
 * fragments out of it, products of fragments. Lane l of a 16 x 8 result has rows l / 4 and
 * l / 4 + 8, of each columns 2 (l % 4) and the next. Private to lowering/. */
#ifndef ECHO_LOWERING_KERNELS_WARP_OPS_T_H
#define ECHO_LOWERING_KERNELS_WARP_OPS_T_H

#include "lowering/kernels/kernel_emitter_t.h"

enum { ECHO_COPY_BYTES = 16 }; /* the most that one copy brings; less are 8 or 4 */

/* `n` neighbours from from[from_at] on to to[to_at[0], to_at[1], to_at[2]], all of them, or where
 * n_meant is not NULL the first n_meant and zeros. */
void echo_warp_copy(EchoKernelEmitter *emitter, EchoValue *to, EchoValue *const to_at[3],
                    EchoValue *from, EchoValue *from_at, int64_t n, EchoValue *n_meant_or_null);
/* Waits for all that this thread copies. */
void echo_warp_wait(EchoKernelEmitter *emitter);
/* All threads of the block meet. */
void echo_warp_barrier(EchoKernelEmitter *emitter);
/* vector<4x2xhalf>: four matrices of 8 x 8; lane l gives the place of row l % 8 of matrix l / 8. Of
 * f32 vector<4x1xf32>: of 8 x 4, not transposed. */
EchoValue *echo_warp_load(EchoKernelEmitter *emitter, EchoValue *from, EchoValue *const at[3],
                          bool is_transposed);
/* vector<4x1xf32> of what the lane loaded by itself. */
EchoValue *echo_warp_fragment(EchoKernelEmitter *emitter, EchoValue *const words[4]);
/* sum + a * b: vector<4x2xhalf>, half `half` of vector<4x2xhalf>, vector<2x2xf32>; or f32, rounded
 * to tf32, in vector<4x1xf32>. */
EchoValue *echo_warp_multiply_add(EchoKernelEmitter *emitter, EchoValue *a, EchoValue *b,
                                  int64_t half, EchoValue *sum);
/* Zeros to begin with. */
EchoValue *echo_warp_zero(EchoKernelEmitter *emitter);
/* The lane's sum in row l / 4 + 8 row, column 2 (l % 4) + column. */
EchoValue *echo_warp_sum(EchoKernelEmitter *emitter, EchoValue *sums, int64_t row, int64_t column);

#endif
