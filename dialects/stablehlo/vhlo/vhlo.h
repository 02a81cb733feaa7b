/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* VHLO, the versioned dialect of StableHLO's portable artifacts: how its types and attributes are
 * encoded, and how its ops become StableHLO's. It has no text here: what is read is StableHLO. */
#ifndef ECHO_DIALECTS_STABLEHLO_VHLO_VHLO_H
#define ECHO_DIALECTS_STABLEHLO_VHLO_VHLO_H

#include "ir/bytecode/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The newest version of the artifact that is known: what a plug-in announces. */
#define ECHO_STABLEHLO_VERSION_MAJOR 1
#define ECHO_STABLEHLO_VERSION_MINOR 17
#define ECHO_STABLEHLO_VERSION_PATCH 0

extern const EchoBytecodeDialect ECHO_VHLO_BYTECODE;
/* StableHLO's own encodings, as MLIR's writer emits them for a module that is StableHLO. */
extern const EchoBytecodeDialect ECHO_STABLEHLO_BYTECODE;

#ifdef __cplusplus
}
#endif

#endif
