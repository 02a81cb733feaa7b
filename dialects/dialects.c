/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Registers every dialect; see dialects.h. */
#include "dialects/dialects.h"

#include "dialects/native_properties_t.h"
#include "dialects/quant/bytecode_t.h"
#include "dialects/sdy/bytecode.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/vhlo/vhlo.h"

static const EchoDialect *const DIALECTS[] = {
    &ECHO_BUILTIN_DIALECT, &ECHO_FUNC_DIALECT,   &ECHO_ECHO_DIALECT,   &ECHO_STABLEHLO_DIALECT,
    &ECHO_CHLO_DIALECT,    &ECHO_SDY_DIALECT,    &ECHO_QUANT_DIALECT,  &ECHO_TENSOR_DIALECT,
    &ECHO_NN_DIALECT,      &ECHO_KERNEL_DIALECT, &ECHO_PLAN_DIALECT,   &ECHO_ARITH_DIALECT,
    &ECHO_MATH_DIALECT,    &ECHO_SCF_DIALECT,    &ECHO_MEMREF_DIALECT, &ECHO_VECTOR_DIALECT,
    &ECHO_GPU_DIALECT,     &ECHO_NVGPU_DIALECT,  &ECHO_CHECK_DIALECT,
};

void echo_register_dialects(EchoContext *ctx)
{
  if (ctx == NULL)
    return;
  for (size_t i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; ++i)
    echo_context_register_dialect(ctx, DIALECTS[i]);
  echo_hlo_add_canonicalizations(ctx);
  echo_register_native_properties(ctx);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "quant", &ECHO_QUANT_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "sdy", &ECHO_SDY_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "stablehlo", &ECHO_STABLEHLO_BYTECODE);
  echo_context_register_row(ctx, ECHO_BYTECODE_ROW, "vhlo", &ECHO_VHLO_BYTECODE);
}
