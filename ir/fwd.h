/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of the IR's objects, for headers that only point at them. */
#ifndef ECHO_IR_FWD_H
#define ECHO_IR_FWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoContext EchoContext;
typedef struct EchoDialect EchoDialect;
typedef struct EchoOpInfo EchoOpInfo;
typedef struct EchoType EchoType; /* uniqued, immutable: handled as const EchoType * */
typedef struct EchoAttr EchoAttr; /* uniqued, immutable: handled as const EchoAttr * */
typedef struct EchoOp EchoOp;
typedef struct EchoValue EchoValue;
typedef struct EchoUse EchoUse;
typedef struct EchoBlock EchoBlock;
typedef struct EchoRegion EchoRegion;
typedef struct EchoOpState EchoOpState;
typedef struct EchoBuilder EchoBuilder;
typedef struct EchoRewriter EchoRewriter;
typedef struct EchoAsmParser EchoAsmParser;
typedef struct EchoAsmPrinter EchoAsmPrinter;
typedef struct EchoTensor EchoTensor;

/* A source location: nothing, a location attribute, or a position in a source buffer of the
 * context. Compare with echo_loc_equal; never by bits across contexts. */
typedef struct EchoLoc {
  uint64_t bits; /* 0 = unknown; low bit 1 = buffer id << 48 | byte offset << 1 | 1; else an
                    EchoAttr * */
} EchoLoc;

#ifdef __cplusplus
}
#endif

#endif
