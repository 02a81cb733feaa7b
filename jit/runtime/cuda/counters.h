/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a device that counts says of a kernel. A GPU does not; the one that tests emulate does, and
 * offers `echoCudaCounters` beside the driver's calls. Sums over all launches since the module was
 * loaded. */
#ifndef ECHO_JIT_RUNTIME_CUDA_COUNTERS_H
#define ECHO_JIT_RUNTIME_CUDA_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoCudaCounters {
  uint64_t n_launches; /* of the kernel: its phases are launched one after the other */
  uint64_t n_blocks, n_warps, n_threads;
  uint64_t warp_instructions, thread_instructions; /* issued, and lanes active in them */
  uint64_t requests, sectors; /* of warps to global memory, and 32-byte sectors that they touch */
  uint64_t used_bytes;        /* of those sectors, what lanes asked for, each byte once a request */
  uint64_t moved_bytes;       /* sectors that the block's 128 KiB of L1 had not, and stored ones */
  uint64_t floor_bytes;       /* each byte read once a launch, each written once */
  uint64_t shared_requests, bank_conflicts; /* cycles of shared memory beyond the first */
  uint64_t tensor_flops;                    /* of mma */
  uint32_t registers;                       /* a thread's; 0 where no assembler has said */
  uint32_t spill_bytes;                     /* the same, of a thread */
  uint32_t shared_bytes, local_bytes;       /* of a block, of a thread */
  double roofline_ns; /* the larger of time to move and time to issue, and the launch */
} EchoCudaCounters;

#ifdef __cplusplus
}
#endif

#endif
