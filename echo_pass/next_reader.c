/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "echo_pass/next_reader_t.h"

EchoOp *echo_next_reader_or_null(const EchoOp *writer, const EchoOp *after, EchoReaderOf reader_of)
{
  EchoOp *next = NULL;
  for (size_t k = 0; k < writer->n_results; ++k)
    for (const EchoUse *use = echo_op_result(writer, k)->first_use; use != NULL; use = use->next) {
      EchoOp *op = reader_of(writer, use);
      if (op != NULL && op != after && op != next && echo_op_is_before(after, op) &&
          (next == NULL || echo_op_is_before(op, next)))
        next = op;
    }
  return next;
}
