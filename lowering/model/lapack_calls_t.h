/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of factorizations under other names, or in other forms, as the calls of LAPACK that JAX
 * makes on a CPU today (lowering/calls/lapack_t.h has their signatures). Private to lowering/. */
#ifndef ECHO_LOWERING_MODEL_LAPACK_CALLS_T_H
#define ECHO_LOWERING_MODEL_LAPACK_CALLS_T_H

#include "dialects/stablehlo/build.h"
#include "ir/pass/rewrite.h"

typedef struct EchoLapackForm {
  const char *routine; /* without the letter of its type */
  /* The results of today's call, a character each: '0' to '9' is that result of the call replaced,
   * 'A' to 'J' the adjoint of that one, 'a' to 'd' a value of the type of operand 0 to 3, 'i' what
   * LAPACK says of each matrix, 'u' and 'v' singular vectors of operand 0 that the call has not. */
  const char *results;
  /* The attributes of today's call, a word each. "low=1" is the number that `1` stands for,
   * "uplo=0:UL" the character that it counts to, "mode=0+1:NNSA" the one that `0` and twice `1`
   * count to, "mode=:V" always the same. What a key stands for, `read` knows. */
  const char *attributes;
  bool is_transposed; /* the matrices of the call replaced lie by rows */
} EchoLapackForm;

/* The number that a key of an attribute stands for, and its type; false where there is none. */
typedef bool EchoLapackReadFn(const EchoOp *call, EchoStr key, int64_t *number,
                              const EchoType **type);

enum { ECHO_LAPACK_MAX_RESULTS = 10 };

/* 's', 'd', 'c' or 'z' by the type's elements; 0 for any other. */
char echo_lapack_letter(const EchoType *type);

/* Builds today's call on operands that are matrices and vectors behind a batch; the first has
 * `rank` dimensions of its own. results[i] = its result i, as many as form->results has. False,
 * and nothing is built, where an attribute cannot be read, or `call` says of itself that its values
 * lie otherwise than by columns, or than by rows where the form is transposed. */
bool echo_lapack_call(EchoBuilder *builder, const EchoOp *call, const EchoLapackForm *form,
                      EchoValue *const *operands, size_t n_operands, size_t rank,
                      EchoLapackReadFn *read, EchoValue **results);

/* The call's results: those of today's call where the form has them, else zeros (working space, and
 * that nothing is wrong). */
void echo_lapack_results(EchoBuilder *builder, const EchoOp *call, const EchoLapackForm *form,
                         EchoValue *const *made, EchoValue **results);

/* Builds what gives the results of a call, none of whose values is anything but a tensor of static
 * shape; false where it knows of none. */
typedef bool EchoCallLowerFn(EchoBuilder *builder, const EchoOp *call, EchoValue **results);

/* Replaces a call by what `lower` builds, unless somebody has registered its target. */
bool echo_replace_call(EchoRewriter *rewriter, EchoOp *call, EchoCallLowerFn *lower);

#endif
