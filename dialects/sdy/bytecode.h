/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How Shardy's attributes stand in bytecode. */
#ifndef ECHO_DIALECTS_SDY_BYTECODE_H
#define ECHO_DIALECTS_SDY_BYTECODE_H

#include "ir/bytecode/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const EchoBytecodeDialect ECHO_SDY_BYTECODE;

#ifdef __cplusplus
}
#endif

#endif
