/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All dialects of the compiler, one table each. */
#ifndef ECHO_DIALECTS_DIALECTS_H
#define ECHO_DIALECTS_DIALECTS_H

#include "ir/table/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const EchoDialect
    ECHO_BUILTIN_DIALECT;                   /* builtin.module, builtin.unrealized_conversion_cast */
extern const EchoDialect ECHO_FUNC_DIALECT; /* func.func, func.return, func.call */
extern const EchoDialect ECHO_ECHO_DIALECT; /* no ops: the attributes echo.stage, echo.phase, … */
extern const EchoDialect ECHO_STABLEHLO_DIALECT; /* tensors */
extern const EchoDialect ECHO_CHLO_DIALECT;      /* what JAX writes beside StableHLO */
extern const EchoDialect ECHO_CHECK_DIALECT;     /* what self-checking modules expect */
extern const EchoDialect ECHO_SDY_DIALECT;       /* what JAX says about devices; kept as it is */
extern const EchoDialect ECHO_QUANT_DIALECT; /* no ops: quantized element types; kept as they are */
extern const EchoDialect ECHO_TENSOR_DIALECT; /* tensor.cast */
extern const EchoDialect ECHO_NN_DIALECT;     /* layers, losses, optimizers, nn.gradient */
extern const EchoDialect ECHO_KERNEL_DIALECT; /* kernel.func, kernel.call, kernel.launch, … */
extern const EchoDialect ECHO_PLAN_DIALECT;   /* buffers in one arena, copies, swaps, events */
extern const EchoDialect ECHO_ARITH_DIALECT;
extern const EchoDialect ECHO_MATH_DIALECT;
extern const EchoDialect ECHO_SCF_DIALECT;
extern const EchoDialect ECHO_MEMREF_DIALECT;
extern const EchoDialect ECHO_VECTOR_DIALECT;
extern const EchoDialect ECHO_GPU_DIALECT;
extern const EchoDialect ECHO_NVGPU_DIALECT;

/* Registers all of them, in the order above, and their canonicalization patterns. */
void echo_register_dialects(EchoContext *ctx);

#ifdef __cplusplus
}
#endif

#endif
