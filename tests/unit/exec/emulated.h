/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels as PTX on the emulated GPU (tests/gpu), through the runtime's own doors. */
#ifndef ECHO_TESTS_UNIT_EXEC_EMULATED_H
#define ECHO_TESTS_UNIT_EXEC_EMULATED_H

#include "ir/table/op_info.h"

/* Emits the gpu.module of `module` as PTX and launches its kernels, one after the other, on copies
 * of buffers[i], n_bytes[i] each, of which those from n_inputs on are not written before and are
 * read back. False after diagnostics. */
bool exec_emulate(EchoContext *ctx, EchoOp *module, void *const *buffers, const uint64_t *n_bytes,
                  size_t n_inputs, size_t n);

#endif
