/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* VHLO, the versioned dialect of StableHLO's portable artifacts: how its types and attributes are
 * encoded, and how its ops become StableHLO's and back. It has no text here: what is read is
 * StableHLO. */
#ifndef ECHO_DIALECTS_STABLEHLO_VHLO_VHLO_H
#define ECHO_DIALECTS_STABLEHLO_VHLO_VHLO_H

#include "ir/bytecode/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version whose serialization ours is, byte for byte. */
#define ECHO_STABLEHLO_VERSION_MAJOR 1
#define ECHO_STABLEHLO_VERSION_MINOR 17
#define ECHO_STABLEHLO_VERSION_PATCH 0

/* The newest version that is read, as a plug-in announces, and that one can be written for. */
#define ECHO_VHLO_NEWEST_MAJOR 1
#define ECHO_VHLO_NEWEST_MINOR 20

typedef struct EchoVhloVersion {
  unsigned major, minor, patch;
} EchoVhloVersion;

/* "1.9.0"; false when it is none, or older than 0.9.0 or newer than the newest. */
bool echo_vhlo_parse_version(const char *text, EchoVhloVersion *version);

/* Appends `module`, of func and stablehlo, as a portable artifact that StableHLO of that version
 * and every later one reads: byte for byte as StableHLO's own serialization writes it. False after
 * errors, at each op that the version lacks in its form, and at what VHLO does not have at all.
 * O(module). */
bool echo_write_portable_artifact(EchoOp *module, EchoVhloVersion version, EchoBuffer *out);

extern const EchoBytecodeDialect ECHO_VHLO_BYTECODE;
/* StableHLO's own encodings, as MLIR's writer emits them for a module that is StableHLO. */
extern const EchoBytecodeDialect ECHO_STABLEHLO_BYTECODE;

#ifdef __cplusplus
}
#endif

#endif
