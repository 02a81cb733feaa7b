/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the chlo_*.c files share: each lowers a family of chlo ops, as table rows of
 * --chlo-to-stablehlo, and the arithmetic that their formulas are written in. Private to lowering/.
 */
#ifndef ECHO_LOWERING_MODEL_CHLO_TO_STABLEHLO_T_H
#define ECHO_LOWERING_MODEL_CHLO_TO_STABLEHLO_T_H

#include "dialects/stablehlo/build.h"
#include "ir/pass/rewrite.h"

extern const EchoPattern ECHO_CHLO_ERROR_PATTERNS[]; /* erf, erfc, erf_inv */
extern const size_t ECHO_N_CHLO_ERROR_PATTERNS;
extern const EchoPattern ECHO_CHLO_SPECIAL_PATTERNS[]; /* gamma, zeta, Bessel, neighbours */
extern const size_t ECHO_N_CHLO_SPECIAL_PATTERNS;
extern const EchoPattern ECHO_CHLO_STRUCTURE_PATTERNS[]; /* broadcasts, composites, annotations */
extern const size_t ECHO_N_CHLO_STRUCTURE_PATTERNS;
extern const EchoPattern ECHO_CHLO_SCAN_PATTERNS[]; /* scan */
extern const size_t ECHO_N_CHLO_SCAN_PATTERNS;
extern const EchoPattern ECHO_CHLO_RAGGED_PATTERNS[]; /* ragged_dot */
extern const size_t ECHO_N_CHLO_RAGGED_PATTERNS;
extern const EchoPattern ECHO_SINGLE_PROCESS_PATTERNS[]; /* collectives of one process */
extern const size_t ECHO_N_SINGLE_PROCESS_PATTERNS;
extern const EchoPattern ECHO_STATIC_SHAPES_PATTERNS[]; /* dynamic ops of constant shapes */
extern const size_t ECHO_N_STATIC_SHAPES_PATTERNS;
extern const EchoPattern ECHO_OLD_OPS_PATTERNS[]; /* dot, broadcast, einsum and their like */
extern const size_t ECHO_N_OLD_OPS_PATTERNS;
extern const EchoPattern ECHO_DEVICE_CALLS_PATTERNS[]; /* of GPUs and TPUs */
extern const size_t ECHO_N_DEVICE_CALLS_PATTERNS;
extern const EchoPattern ECHO_OLD_CALLS_PATTERNS[]; /* LAPACK, Fourier transforms */
extern const size_t ECHO_N_OLD_CALLS_PATTERNS;
extern const EchoPattern ECHO_OPAQUE_CALLS_PATTERNS[]; /* of GPUs, with C structs */
extern const size_t ECHO_N_OPAQUE_CALLS_PATTERNS;
extern const EchoPattern ECHO_SHAPED_CALLS_PATTERNS[]; /* calls that say their results' shapes */
extern const size_t ECHO_N_SHAPED_CALLS_PATTERNS;
extern const EchoPattern ECHO_SPARSE_CALLS_PATTERNS[]; /* of compressed rows */
extern const size_t ECHO_N_SPARSE_CALLS_PATTERNS;
extern const EchoPattern ECHO_TRIDIAGONAL_CALLS_PATTERNS[]; /* of singular systems */
extern const size_t ECHO_N_TRIDIAGONAL_CALLS_PATTERNS;
extern const EchoPattern ECHO_PROMOTED_OPERANDS_PATTERNS[]; /* reductions of narrower operands */
extern const size_t ECHO_N_PROMOTED_OPERANDS_PATTERNS;

/* A number of `like`'s type. */
static inline EchoValue *echo_chlo_number(EchoBuilder *b, EchoValue *like, double value)
{
  return echo_hlo_constant_like(b, like, value);
}
/* x * c, x + c */
static inline EchoValue *echo_chlo_scale(EchoBuilder *b, EchoValue *x, double c)
{
  return echo_hlo_multiply(b, x, echo_chlo_number(b, x, c));
}
static inline EchoValue *echo_chlo_shift(EchoBuilder *b, EchoValue *x, double c)
{
  return echo_hlo_add(b, x, echo_chlo_number(b, x, c));
}
/* x < limit */
static inline EchoValue *echo_chlo_less(EchoBuilder *b, EchoValue *x, double limit)
{
  return echo_hlo_compare(b, ECHO_COMPARE_LT, x, echo_chlo_number(b, x, limit));
}
/* Replaces `op` by copies of the ops of `body`, which has an argument for each of its operands and
 * ends with a value for each of its results. */
void echo_chlo_replace_by_body(EchoRewriter *rewriter, EchoOp *op, const EchoBlock *body);
/* A stable sort of the last dimension of `x` (real, of rank 1 and more) by its total order, the
 * first the greatest (GT) or the least (LT), and of the places 0, 1, … of element type `index` with
 * it. */
EchoOp *echo_chlo_sort_places(EchoBuilder *b, EchoValue *x, const EchoType *index,
                              EchoCompareDirection direction);
/* `type` filled with zeros, complex ones as well. */
EchoValue *echo_chlo_zeros(EchoBuilder *b, const EchoType *type);
/* c[0] x^(n-1) + … + c[n-1], by Horner's rule */
EchoValue *echo_chlo_polynomial(EchoBuilder *b, EchoValue *x, const double *c, size_t n);

/* A function whose formula is computed in f64, whatever the operands' type; one of f32 and narrower
 * operands may have a formula of its own, in f32. */
typedef struct EchoChloInF64 {
  const char *op;
  EchoValue *(*unary)(EchoBuilder *b, EchoValue *x);
  EchoValue *(*unary_f32)(EchoBuilder *b, EchoValue *x);            /* NULL = `unary` */
  EchoValue *(*binary)(EchoBuilder *b, EchoValue *x, EchoValue *y); /* NULL = `unary` */
} EchoChloInF64;

/* Replaces `op` by its function among `functions` (it is one of them): operands to f64, result
 * back. False for operands that are not floats of static shape. */
bool echo_chlo_lower_in_f64(EchoRewriter *rewriter, EchoOp *op, const EchoChloInF64 *functions);

#define ECHO_CHLO_POLYNOMIAL(b, x, table)                                                          \
  echo_chlo_polynomial((b), (x), (table), sizeof(table) / sizeof(table)[0])

#endif
