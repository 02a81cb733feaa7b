/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Executes a GPU kernel of the loops stage on the CPU, exactly as it is mapped: every block, every
 * thread, shared memory and barriers. Finds accesses out of bounds, barriers that not all threads
 * reach, and races: an element that two threads of a block touch between two barriers, one of them
 * writing, or that two blocks touch. A tool for tests: slow. */
#ifndef ECHO_LOWERING_SIMULATE_SIMULATE_GPU_H
#define ECHO_LOWERING_SIMULATE_SIMULATE_GPU_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `func`, a gpu.func with known_block_size and known_grid_size. buffers[i] is the memory of
 * its i-th argument. False after an error at the op that went wrong. O(blocks * threads * ops
 * executed). */
bool echo_simulate_gpu(EchoContext *ctx, const EchoOp *func, void *const *buffers);

#ifdef __cplusplus
}
#endif

#endif
