/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private to kernel_emitter.c and kernel_elements.c: what scopes remember, and where in them a
 * value is computed. Not for the lowerings of kernels, which open loops and ask for elements
 * (kernel_emitter_t.h). */
#ifndef ECHO_LOWERING_KERNELS_KERNEL_SCOPES_T_H
#define ECHO_LOWERING_KERNELS_KERNEL_SCOPES_T_H

#include "lowering/kernels/kernel_emitter_t.h"

/* ---- kernel_emitter.c ---- */

/* Of what is remembered by this head, these operands and this number. */
uint64_t echo_memo_hash(const void *head, EchoValue *const *operands, size_t n, int64_t extra);
/* What any scope that is open holds of it; NULL: nothing. */
EchoValue *echo_memo_look_up_or_null(const EchoKernelEmitter *emitter, uint64_t hash,
                                     const void *head, EchoValue *const *operands, size_t n,
                                     int64_t extra);
/* The scope at `depth` holds it from now on, and the value is defined there. */
void echo_memo_add(EchoKernelEmitter *emitter, size_t depth, uint64_t hash, const void *head,
                   EchoValue *const *operands, size_t n, int64_t extra, EchoValue *value);
/* The value is defined in the innermost scope. */
void echo_scope_define(EchoKernelEmitter *emitter, const EchoValue *value);
/* The outermost scope that may hold a value computed from `operands`: at least `least`, and inside
 * the innermost fence. */
size_t echo_scope_of_operands(const EchoKernelEmitter *emitter, EchoValue *const *operands,
                              size_t n, size_t least);

/* Runs with the builder of scope `depth`; scopes further in are out of sight meanwhile. */
typedef struct EchoExcursion {
  EchoScope **hidden;
  size_t n_hidden;
  EchoBuilder *builder;
} EchoExcursion;

EchoExcursion echo_scope_go_to(EchoKernelEmitter *emitter, size_t depth);
void echo_scope_come_back(EchoKernelEmitter *emitter, EchoExcursion excursion);

/* ---- kernel_elements.c ---- */

/* The hook of EchoElementEmitter. NULL after an error. */
EchoValue *echo_kernel_find_element(EchoElementEmitter *base, EchoValue *tensor,
                                    EchoValue *const *indices);

#endif
