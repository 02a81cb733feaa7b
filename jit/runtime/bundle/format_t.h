/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stands where in a bundle; docs/bundles.md says the same to readers. Numbers are
 * little-endian. Private to jit/. */
#ifndef ECHO_JIT_RUNTIME_BUNDLE_FORMAT_T_H
#define ECHO_JIT_RUNTIME_BUNDLE_FORMAT_T_H

#include "base/string.h"

#define ECHO_BUNDLE_MAGIC "EchoBndl"
enum { ECHO_BUNDLE_FORMAT = 1, ECHO_BUNDLE_CODE_ALIGNMENT = 64 };

typedef struct EchoBundleHeader {
  char magic[8];
  uint32_t format;
  uint32_t version; /* ECHO_VERSION of who made it */
  uint64_t file_bytes;
  uint64_t checksum[2];
  uint64_t plan_at, plan_bytes; /* MLIR text, and a NUL behind it */
  uint64_t code_at, code_bytes; /* PTX text, or machine code */
} EchoBundleHeader;

/* Of all of the file but themselves: the header's first part seeds the hash of what follows. */
void echo_bundle_checksum(const char *bytes, size_t size, uint64_t checksum[2]);

/* ---- attributes of the plan's module ---- */

#define ECHO_BUNDLE_TARGET "bundle.target"       /* "cpu", "sm_80" */
#define ECHO_BUNDLE_COMPILER "bundle.compiler"   /* echo_codegen_version */
#define ECHO_BUNDLE_PROCESSOR "bundle.processor" /* ["avx2", …]: what the code needs */
/* [{name = "map_0", phases = array<i64: …>}, …]: on the CPU three numbers a phase (where its
 * function begins, tasks, grain), on a GPU two (grid, block) beside `entries`, names in the PTX. */
#define ECHO_BUNDLE_KERNELS "bundle.kernels"
#define ECHO_BUNDLE_CELLS "bundle.cells" /* of the CPU: EchoCodeCell, three numbers each */

/* ---- processors ---- */

/* What processors may have and LLVM makes use of unasked, by its names. */
size_t echo_processor_n_features(void);
const char *echo_processor_feature(size_t i);
/* The level of x86-64 (1 to 4) that brings it, or 5. */
int echo_processor_feature_level(size_t i);
/* Whether this processor, under this system, has it. */
bool echo_processor_has_feature(size_t i);

#endif
