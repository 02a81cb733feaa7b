/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls that are known by name, as calls into a library. Private to lowering/. */
#ifndef ECHO_LOWERING_MODEL_CUSTOM_CALLS_T_H
#define ECHO_LOWERING_MODEL_CUSTOM_CALLS_T_H

#include "dialects/kernel/kernel.h"

/* main takes and gives what its block does. */
void echo_set_type_of_body(EchoOp *main);

/* Whether it is a custom_call of a target that the context knows, which is then nobody else's. */
bool echo_is_call_target(const EchoOp *op);

/* The typed dictionary of XLA's foreign function interface, the op's own or, as JAX still hands it
 * over, beside it; NULL: it has none. */
const EchoAttr *echo_call_dictionary_or_null(const EchoOp *call);

/* ---- layouts ---- */

/* The dimensions of operand or result i in the order of memory, that of the greatest stride first,
 * by attribute `layouts` of the call ("operand_layouts", "result_layouts"); false when what stands
 * there is no permutation of `rank` dimensions. */
bool echo_layout_order(const EchoOp *call, const char *layouts, size_t i, size_t rank,
                       int64_t *order);
/* The tensor as it lies in memory, dense and row-major. */
const EchoType *echo_layout_type(EchoContext *ctx, const EchoType *type, const int64_t *order);
/* The value of that type with its dimensions as the call has them. */
EchoValue *echo_layout_undo(EchoBuilder *builder, EchoValue *value, const int64_t *order);

/* ---- LAPACK ---- */

/* A routine of LAPACK or BLAS on matrices, batched over leading dimensions. Matrices are in memory
 * as LAPACK has them: their last dimension is that of the rows (which are then neighbours). */
typedef struct EchoLapackRoutine EchoLapackRoutine;

/* The routine that jaxlib registers as `target` ("lapack_spotrf_ffi"); NULL: none. *letter is that
 * of the element type. */
const EchoLapackRoutine *echo_lapack_routine_or_null(EchoStr target, char *letter);

/* What a call is made of: types are physical, rows of matrices last. */
typedef struct EchoLapackCall {
  const EchoOp *op;           /* for its location */
  const EchoAttr *dictionary; /* "uplo" and the like, ui8 characters and i32 numbers */
  EchoValue *const *operands;
  const EchoType *const *result_types;
  size_t n_operands, n_results;
} EchoLapackCall;

/* Builds a kernel.invoke, and what makes the call's n_results results of its own. false after a
 * diagnostic at call->op when types or attributes are not those of the routine. */
bool echo_lapack_build(EchoBuilder *builder, const EchoLapackRoutine *routine, char letter,
                       const EchoLapackCall *call, EchoValue **results);

/* Whether the dimensions of a value of this routine are those of a matrix, so that it must lie in
 * memory by columns: its rank is that of operand 0 (or one more where that is a vector). */
size_t echo_lapack_n_batch_dims(const EchoLapackRoutine *routine, const EchoOp *call);

/* Replaces this custom_call of a routine by calls of the library; the op stays, unused. false after
 * a diagnostic. */
bool echo_lapack_lower_call(EchoOp *call, const EchoLapackRoutine *routine, char letter);

/* The same of a stablehlo.cholesky or triangular_solve of any floating or complex type. */
bool echo_lapack_lower_algebra(EchoOp *op);

#endif
