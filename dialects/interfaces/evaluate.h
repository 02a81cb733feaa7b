/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interpreter's side of the op table: what an op's evaluate hook may ask for. The interpreter
 * is the reference that every target is tested against: simple, slow, obviously right. */
#ifndef ECHO_DIALECTS_INTERFACES_EVALUATE_H
#define ECHO_DIALECTS_INTERFACES_EVALUATE_H

#include "ir/attributes/tensor.h"
#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The interpreter fills this in; hooks call through it. */
struct EchoEvaluator {
  EchoContext *ctx;
  /* Evaluates a region's only block with these arguments; fills `results` (operands of its
   * terminator; caller destroys). Values from enclosing regions are visible. */
  bool (*run_region)(EchoEvaluator *evaluator, const EchoRegion *region,
                     const EchoTensor *const *arguments, size_t n_arguments, EchoTensor **results,
                     size_t n_results);
  /* Calls a function by symbol. */
  bool (*call)(EchoEvaluator *evaluator, const EchoOp *caller, const EchoAttr *callee,
               const EchoTensor *const *arguments, size_t n_arguments, EchoTensor **results,
               size_t n_results);
};

/* Runs `function` (func.func, or any ECHO_FUNCTION op with a body) of `module` on these arguments;
 * results are created and owned by the caller. False after a diagnostic. Frees each intermediate
 * after its last use. */
bool echo_interpret(EchoContext *ctx, const EchoOp *module, const EchoOp *function,
                    const EchoTensor *const *arguments, size_t n_arguments, EchoTensor **results,
                    size_t n_results);

#ifdef __cplusplus
}
#endif

#endif
