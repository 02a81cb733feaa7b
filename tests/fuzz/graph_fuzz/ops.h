/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each op of a step by itself: what the compiled step computed from its operands' bits against what
 * the interpreter computes from the same bits. Exact ops agree to the bit; sums and elementary
 * functions within bounds that follow from the operands. Errors do not add up along the graph, so
 * the bounds stay tight. */
#ifndef ECHO_TESTS_FUZZ_GRAPH_FUZZ_OPS_H
#define ECHO_TESTS_FUZZ_GRAPH_FUZZ_OPS_H

#include "tests/fuzz/graph_fuzz/run.h"

/* Makes main of a module at stage step return every value that it computes, behind its results. */
void return_everything(EchoContext *ctx, EchoOp *main);

/* `text` is what return_everything made, printed; `run` its run. False with the reason in *error.
 * *n_compared grows by the ops that had a bound. */
bool check_ops(EchoStr text, const Run *run, size_t *n_compared, EchoBuffer *error);

/* Two NaNs are the same: which one an operation gives is not promised. */
bool same_bits(const EchoTensor *a, const EchoTensor *b, int64_t *where);

#endif
