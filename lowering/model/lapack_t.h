/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A row of the table of LAPACK's routines. Private to lapack.c and lapack_routines.c. */
#ifndef ECHO_LOWERING_MODEL_LAPACK_T_H
#define ECHO_LOWERING_MODEL_LAPACK_T_H

#include "lowering/model/custom_calls_t.h"

/* What working space follows from: rows and columns of the first matrix, the most of either in any
 * operand, and whether vectors are asked for. */
typedef struct EchoLapackSizes {
  int64_t m, n, most;
  bool has_vectors;
} EchoLapackSizes;

typedef int64_t EchoLapackSpaceFn(const EchoLapackSizes *sizes);

struct EchoLapackRoutine {
  const char *name;
  const char *letters; /* the types that it has this form for, of "sdcz" */
  /* Element types, a character each: T the letter's, R the real and C the complex one of its
   * precision, I integers of 32 bits. */
  const char *operands, *results;
  /* Of operand 0, without its batch. */
  size_t rank;
  /* The arguments in the routine's order:
   *   ?name      the character of this attribute          #name   the number of this attribute
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
