/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A row of the table of LAPACK's routines. Private to lapack*.c. */
#ifndef ECHO_LOWERING_MODEL_LAPACK_T_H
#define ECHO_LOWERING_MODEL_LAPACK_T_H

#include "lowering/calls/custom_calls_t.h"

/* What working space follows from: rows and columns of the first matrix, the most of either in any
 * operand, and whether vectors are asked for. */
typedef struct EchoLapackSizes {
  int64_t m, n, most;
  bool has_vectors;
} EchoLapackSizes;

/* Whether types and attributes are those of the routine, each of the shape that the others imply:
 * what LAPACK writes follows from its numbers alone. false after a diagnostic at call->op. Types
 * are as in EchoLapackCall. */
bool echo_lapack_check(const EchoLapackRoutine *routine, char letter, const EchoLapackCall *call);
/* The attribute of an argument word; NULL after a diagnostic. */
const EchoAttr *echo_lapack_attribute_or_null(const EchoLapackCall *call, const char *word);

typedef int64_t EchoLapackSpaceFn(const EchoLapackSizes *sizes);

struct EchoLapackRoutine {
  const char *name;
  const char *letters; /* the types that it has this form for, of "sdcz" */
  /* Element types, a character each: T the letter's, R the real and C the complex one of its
   * precision, I integers of 32 bits. */
  const char *operands, *results;
  /* Their shapes behind the batch, a word each, "-" for none, rows before columns:
   *   m n   those of the matrices      k   the smaller of both     h   n - 1      r   any number
   *   s     m, or n where 'side' or 'left' says so                 t   reflectors: at most n, or s
   *   u v   columns of U, rows of V: m and n in mode A, k in mode S, either in mode N */
  const char *shapes;
  /* Of operand 0, without its batch. */
  size_t rank;
  /* The arguments in the routine's order:
   *   ?name=UL   the character of this attribute, one of these     #name   its number, 1 to n,
   *              not below the one before
   *   ?name:NT   the one or the other character, where it is false or true
   *   m0 n0 k0   rows, columns, last dimension of operand 0 (1, 2 …)
   *   a0 r0      operand, result      r0=a0   result, which starts as a copy of the operand
   *   r0=a0+     the same, but the routine is handed its second element
   *   c0         a copy of the operand that nobody reads
   *   p0         result of eigenvectors, real: a conjugate pair's are the real and the imaginary
   *              parts of its first, in two columns; result 1 has the imaginary parts of values
   *   la0 lr0    leading dimension: rows of the matrix    one     1 as a number of the type
   *   w lw       working space of numbers, and its size   i li    of integers
   *   f lf       of real numbers                          x       an integer that nobody reads */
  const char *arguments;
  EchoLapackSpaceFn *space, *reals, *integers;
  double flops; /* times m n min(m, n) of operand 0, of real numbers */
};

#endif
