/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MLIR bytecode: reading a module of versions 0 to 6, writing one. Whatever the bytes are, the
 * answer is a module or an error: every count is held against the bytes that are left, and what
 * refers to itself is found. */
#ifndef ECHO_IR_BYTECODE_BYTECODE_H
#define ECHO_IR_BYTECODE_BYTECODE_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the bytes begin as bytecode does: "ML\xefR". */
bool echo_is_bytecode(EchoStr bytes);

/* Reads `bytes` into one builtin.module, as echo_parse_module_or_null does with text (which calls
 * this where the buffer holds bytecode). NULL after errors, at "file_name:1:offset + 1". Nothing
 * points into `bytes` afterwards. O(bytes). Use-list orders are checked for their form and left
 * out: nothing here depends on the order of uses. */
EchoOp *echo_read_bytecode_or_null(EchoContext *ctx, EchoStr file_name, EchoStr bytes);

/* Appends a module as bytecode of version 6, that of MLIR 17 to 22; what is read back prints as the
 * module does, locations included. False after an error. O(module). */
bool echo_write_bytecode(EchoOp *module, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
