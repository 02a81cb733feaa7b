/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How quantized types stand in bytecode, in MLIR's own dialect and in VHLO. Private to dialects/.
 */
#ifndef ECHO_DIALECTS_QUANT_BYTECODE_T_H
#define ECHO_DIALECTS_QUANT_BYTECODE_T_H

#include "ir/bytecode/dialect.h"

extern const EchoBytecodeDialect ECHO_QUANT_BYTECODE;

/* A uniform type, behind its code: both dialects have it alike. False after an error. */
bool echo_quant_read_uniform(EchoBytecodeReader *reader, bool per_axis, const EchoType **type);

#endif
