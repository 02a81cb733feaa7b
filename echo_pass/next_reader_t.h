/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What of a block reads an op's results, one after the other, whatever is rewritten meanwhile.
 * Private to echo_pass. */
#ifndef ECHO_ECHO_PASS_NEXT_READER_T_H
#define ECHO_ECHO_PASS_NEXT_READER_T_H

#include "ir/op.h"

/* Who of the writer's block reads by the use, itself or inside; NULL where that does not count. */
typedef EchoOp *(*EchoReaderOf)(const EchoOp *writer, const EchoUse *use);

/* The first reader behind `after` in the writer's block; NULL when there is none. O(uses of the
 * writer's results). */
EchoOp *echo_next_reader_or_null(const EchoOp *writer, const EchoOp *after, EchoReaderOf reader_of);

#endif
