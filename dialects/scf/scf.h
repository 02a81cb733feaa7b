/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building scf ops, MLIR's structured control flow. Each builder returns the op; bodies start empty
 * but for their block and arguments, and the caller ends them with echo_scf_yield. A NULL, or what
 * does not fit, is a misuse as for echo_build_op: the answer is NULL, and bodies are left as they
 * were. */
#ifndef ECHO_DIALECTS_SCF_SCF_H
#define ECHO_DIALECTS_SCF_SCF_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* scf.for over [low, high) with loop-carried `inits`; *body is set to build in its block, whose
 * arguments are the index and the carried values. */
EchoOp *echo_scf_for(EchoBuilder *builder, EchoValue *low, EchoValue *high, EchoValue *step,
                     EchoValue *const *inits, size_t n_inits, EchoBuilder *body);
/* Marks the iterations as independent (discardable unit attribute kernel.parallel). */
void echo_scf_mark_parallel(EchoOp *loop);
/* scf.if without results when n_results is 0; otherwise both branches must yield. else_body NULL =
 * no else region's block. */
EchoOp *echo_scf_if(EchoBuilder *builder, EchoValue *condition, const EchoType *const *result_types,
                    size_t n_results, EchoBuilder *then_body, EchoBuilder *else_body);
/* One-dimensional scf.parallel; its block already ends in scf.reduce, *body builds before it. */
EchoOp *echo_scf_parallel(EchoBuilder *builder, EchoValue *low, EchoValue *high, EchoValue *step,
                          EchoBuilder *body);
EchoOp *echo_scf_while(EchoBuilder *builder, EchoValue *const *inits, size_t n, EchoBuilder *before,
                       EchoBuilder *after);
void echo_scf_condition(EchoBuilder *builder, EchoValue *condition, EchoValue *const *values,
                        size_t n);
void echo_scf_yield(EchoBuilder *builder, EchoValue *const *values, size_t n);

/* The index variable of an scf.for or scf.parallel; NULL for NULL. */
EchoValue *echo_scf_induction(const EchoOp *loop);

#ifdef __cplusplus
}
#endif

#endif
