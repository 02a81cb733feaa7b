/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How quantized types stand in bytecode, in MLIR's own dialect and in VHLO. */
#ifndef ECHO_DIALECTS_QUANT_BYTECODE_H
#define ECHO_DIALECTS_QUANT_BYTECODE_H

#include "ir/bytecode/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const EchoBytecodeDialect ECHO_QUANT_BYTECODE;

/* A uniform type, behind its code: both dialects have it alike. False after an error. */
bool echo_quant_read_uniform(EchoBytecodeReader *reader, bool per_axis, const EchoType **type);

#ifdef __cplusplus
}
#endif

#endif
