/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lowering one element of an op, the op table's side. The kernel lowering walks a fused region
 * backwards from an element of a root: a hook (EchoEmitElementFn) is given the result's indices and
 * emits, through `builder`, the scalar ops (arith, math) that compute it, asking for operand
 * elements at indices it derives. Elements asked for twice at the same indices are emitted once.
 * Data movement (transpose, broadcast, slice, pad, …) is thus only index arithmetic.
 *
 * Index arithmetic goes through the functions below: equal index expressions are one value, so that
 * chains of movements stay linear in size, and what is simple is folded away. */
#ifndef ECHO_DIALECTS_INTERFACES_ELEMENT_H
#define ECHO_DIALECTS_INTERFACES_ELEMENT_H

#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct EchoElementEmitter {
  EchoBuilder *builder; /* where a hook emits; the driver moves it while operands are asked for */
  void *state;          /* private to the driver */
  EchoValue *(*element)(EchoElementEmitter *emitter, EchoValue *tensor, EchoValue *const *indices);
  /* A pure op on scalars, emitted once for equal operands; `predicate` is arith.cmpi's, else -1. */
  EchoValue *(*pure_op)(EchoElementEmitter *emitter, const char *name, int64_t predicate,
                        EchoValue *const *operands, size_t n, const EchoType *type);
  /* arith.constant of `value` (a typed integer or float attribute). */
  EchoValue *(*constant)(EchoElementEmitter *emitter, const EchoAttr *value);
};

/* The scalar `tensor[indices]`; indices are `rank` values of type index. i1 elements are i1
 * scalars; unsigned integers are signless scalars of the same width. NULL after an error. */
static inline EchoValue *echo_emit_element(EchoElementEmitter *emitter, EchoValue *tensor,
                                           EchoValue *const *indices)
{
  return emitter->element(emitter, tensor, indices);
}

/* ---- index arithmetic ---- */

EchoValue *echo_index_constant(EchoElementEmitter *emitter, int64_t value);
EchoValue *echo_index_add(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b);
EchoValue *echo_index_add_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b);
EchoValue *echo_index_sub(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b);
EchoValue *echo_index_mul_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b);
/* a * stride, neither of them negative, of which a position in an array is made: it does not
 * overflow, and the product says so, for who makes vectors of loads. */
EchoValue *echo_index_strided(EchoElementEmitter *emitter, EchoValue *a, int64_t stride);
/* a and b not negative, b > 0. */
EchoValue *echo_index_div_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b);
EchoValue *echo_index_rem_constant(EchoElementEmitter *emitter, EchoValue *a, int64_t b);
/* Signed minimum and maximum. */
EchoValue *echo_index_min(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b);
EchoValue *echo_index_max(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b);
/* predicate: an EchoCmpiPredicate of dialects/arith/arith.h. The result is an i1. */
EchoValue *echo_index_compare(EchoElementEmitter *emitter, int64_t predicate, EchoValue *a,
                              EchoValue *b);
EchoValue *echo_index_select(EchoElementEmitter *emitter, EchoValue *condition, EchoValue *a,
                             EchoValue *b);

/* Row-major position of `indices` in `dims`; 0 for rank 0. Neighbouring digits of one number are
 * put together again rather than multiplied. */
EchoValue *echo_index_linearize(EchoElementEmitter *emitter, const int64_t *dims, size_t rank,
                                EchoValue *const *indices);
/* The inverse: fills `indices`. `linear` is below the product of dims. */
void echo_index_delinearize(EchoElementEmitter *emitter, EchoValue *linear, const int64_t *dims,
                            size_t rank, EchoValue **indices);
/* Indices of the same row-major position in another shape with as many elements; dimensions that
 * both shapes share are passed through. */
void echo_index_reshape(EchoElementEmitter *emitter, const int64_t *from, size_t from_rank,
                        EchoValue *const *indices, const int64_t *to, size_t to_rank,
                        EchoValue **result);

/* `value` seen as (source / divisor) % modulus; modulus 0 = none. Every value is at least itself
 * / 1. */
typedef struct EchoIndexDigit {
  EchoValue *source;
  int64_t divisor, modulus;
} EchoIndexDigit;
EchoIndexDigit echo_index_digit(EchoValue *value);

#ifdef __cplusplus
}
#endif

#endif
