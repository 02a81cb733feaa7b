/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shorthands that build stablehlo ops: what lowerings, gradient rules and models are written with.
 * Every function inserts at the builder, infers its result types from operands and attributes, and
 * returns the first result unless it says otherwise. What does not fit is a misuse, as for
 * echo_build_op: NULL after an error, which NULL operands that come of it pass on; a panic in a
 * pass. Nothing is folded, except where a shorthand says that it may return its operand.
 * Element types may be any; shapes are those that StableHLO asks for. */
#ifndef ECHO_DIALECTS_STABLEHLO_BUILD_H
#define ECHO_DIALECTS_STABLEHLO_BUILD_H

#include "dialects/stablehlo/attributes/attributes.h"
#include "ir/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- elementwise ---- */

/* One builder for each row of one or two operands: echo_hlo_abs(builder, operand) …
 * echo_hlo_xor(builder, lhs, rhs). */
#define HLO_OP(...)
#define HLO_ANY_UNARY(OPCODE, op, ...)                                                             \
  static inline EchoValue *echo_hlo_##op(EchoBuilder *builder, EchoValue *operand)                 \
  {                                                                                                \
    return echo_build_unary(builder, "stablehlo." #op, operand, NULL);                             \
  }
#define HLO_ANY_BINARY(OPCODE, op, ...)                                                            \
  static inline EchoValue *echo_hlo_##op(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs)     \
  {                                                                                                \
    return echo_build_binary(builder, "stablehlo." #op, lhs, rhs, NULL);                           \
  }
#include "dialects/stablehlo/rows/ops.def"

/* Type of the comparison left to the operands' element type. */
EchoValue *echo_hlo_compare(EchoBuilder *builder, EchoCompareDirection direction, EchoValue *lhs,
                            EchoValue *rhs);
EchoValue *echo_hlo_compare_as(EchoBuilder *builder, EchoCompareDirection direction,
                               EchoCompareType type, EchoValue *lhs, EchoValue *rhs);
/* pred: scalar or of the values' shape. */
EchoValue *echo_hlo_select(EchoBuilder *builder, EchoValue *pred, EchoValue *on_true,
                           EchoValue *on_false);
/* min and max: scalar or of the operand's shape. */
EchoValue *echo_hlo_clamp(EchoBuilder *builder, EchoValue *min, EchoValue *operand, EchoValue *max);
EchoValue *echo_hlo_complex(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs);
/* To another element type; the operand itself when it has it already. */
EchoValue *echo_hlo_convert(EchoBuilder *builder, EchoValue *operand, const EchoType *element);
EchoValue *echo_hlo_bitcast_convert(EchoBuilder *builder, EchoValue *operand, const EchoType *type);
EchoValue *echo_hlo_reduce_precision(EchoBuilder *builder, EchoValue *operand,
                                     int32_t exponent_bits, int32_t mantissa_bits);

/* ---- creation ---- */

EchoValue *echo_hlo_constant(EchoBuilder *builder, const EchoAttr *elements);
/* `type` filled with one number, rounded or truncated to its element type (any numeric one). */
EchoValue *echo_hlo_constant_f64(EchoBuilder *builder, const EchoType *type, double value);
EchoValue *echo_hlo_constant_i64(EchoBuilder *builder, const EchoType *type, int64_t value);
EchoValue *echo_hlo_constant_bool(EchoBuilder *builder, const EchoType *type, bool value);
/* The same as a constant of `like`'s type. */
EchoValue *echo_hlo_constant_like(EchoBuilder *builder, EchoValue *like, double value);
/* A scalar tensor<element>. */
EchoValue *echo_hlo_scalar_f64(EchoBuilder *builder, const EchoType *element, double value);
EchoValue *echo_hlo_scalar_i64(EchoBuilder *builder, const EchoType *element, int64_t value);
EchoValue *echo_hlo_iota(EchoBuilder *builder, const EchoType *type, int64_t dimension);

/* ---- movement ---- */

EchoValue *echo_hlo_broadcast_in_dim(EchoBuilder *builder, EchoValue *operand, const EchoType *type,
                                     const int64_t *dims, size_t n_dims);
/* tensor<element> to `type`'s shape; the operand itself when it has it already. */
EchoValue *echo_hlo_broadcast_scalar(EchoBuilder *builder, EchoValue *scalar, const EchoType *type);
/* Puts back the dimensions that a reduction over `reduced` (ascending) took away: operand's
 * dimensions are those of `type` without them. */
EchoValue *echo_hlo_broadcast_reduced(EchoBuilder *builder, EchoValue *operand,
                                      const EchoType *type, const int64_t *reduced,
                                      size_t n_reduced);
/* The operand itself when the permutation is the identity. */
EchoValue *echo_hlo_transpose(EchoBuilder *builder, EchoValue *operand, const int64_t *permutation);
/* To these dimensions (same number of elements); the operand itself when they are its own. */
EchoValue *echo_hlo_reshape(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                            size_t rank);
EchoValue *echo_hlo_reverse(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                            size_t n_dims);
/* strides NULL = all 1. */
EchoValue *echo_hlo_slice(EchoBuilder *builder, EchoValue *operand, const int64_t *start,
                          const int64_t *limit, const int64_t *strides);
/* [start, limit) of one dimension, whole others. */
EchoValue *echo_hlo_slice_dim(EchoBuilder *builder, EchoValue *operand, int64_t dim, int64_t start,
                              int64_t limit);
/* low, high may be negative; interior NULL = all 0. */
EchoValue *echo_hlo_pad(EchoBuilder *builder, EchoValue *operand, EchoValue *padding_value,
                        const int64_t *low, const int64_t *high, const int64_t *interior);
EchoValue *echo_hlo_concatenate(EchoBuilder *builder, EchoValue *const *operands, size_t n,
                                int64_t dimension);
/* starts: one integer scalar a dimension of the operand. */
EchoValue *echo_hlo_dynamic_slice(EchoBuilder *builder, EchoValue *operand,
                                  EchoValue *const *starts, const int64_t *sizes);
EchoValue *echo_hlo_dynamic_update_slice(EchoBuilder *builder, EchoValue *operand,
                                         EchoValue *update, EchoValue *const *starts);
EchoValue *echo_hlo_gather(EchoBuilder *builder, EchoValue *operand, EchoValue *start_indices,
                           const EchoGatherDims *dims, const int64_t *slice_sizes,
                           bool indices_are_sorted);
/* One operand, one update; `combine` is the op of the update computation ("stablehlo.add"), or NULL
 * to overwrite. */
EchoValue *echo_hlo_scatter(EchoBuilder *builder, EchoValue *operand, EchoValue *indices,
                            EchoValue *updates, const EchoScatterDims *dims, const char *combine,
                            bool indices_are_sorted, bool unique_indices);

/* ---- contractions, reductions ---- */

/* element NULL = lhs's element type. */
EchoValue *echo_hlo_dot_general(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs,
                                const EchoDotDims *dims, const EchoType *element);
/* lhs [… x K] by rhs [K x …]: contracts lhs's last with rhs's first dimension, no batching. */
EchoValue *echo_hlo_matmul(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs);
/* windows: one a spatial dimension, in the order of `dims`; element NULL = lhs's element type. */
EchoValue *echo_hlo_convolution(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs,
                                const EchoConvDims *dims, const EchoWindowDim *windows,
                                int64_t feature_group_count, int64_t batch_group_count,
                                const EchoType *element);
/* One operand reduced over `dims` by a binary op, "stablehlo.add". init: scalar of the element
 * type. */
EchoValue *echo_hlo_reduce(EchoBuilder *builder, EchoValue *operand, EchoValue *init,
                           const int64_t *dims, size_t n_dims, const char *combine);
/* Sum from 0, maximum from the lowest value of the element type (-inf for floats). */
EchoValue *echo_hlo_reduce_sum(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                               size_t n_dims);
EchoValue *echo_hlo_reduce_max(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                               size_t n_dims);
/* The attributes of windows over `n` dimensions: sizes, strides, dilations, padding. */
void echo_hlo_window_attrs(EchoContext *ctx, const EchoWindowDim *windows, size_t n,
                           EchoAttrArg attrs[5]);
/* windows: one a dimension of the operand. */
EchoValue *echo_hlo_reduce_window(EchoBuilder *builder, EchoValue *operand, EchoValue *init,
                                  const EchoWindowDim *windows, const char *combine);
/* select: direction of the comparison that picks (GE for max pooling); scatter: combining op. */
EchoValue *echo_hlo_select_and_scatter(EchoBuilder *builder, EchoValue *operand, EchoValue *source,
                                       EchoValue *init, const EchoWindowDim *windows,
                                       EchoCompareDirection select, const char *scatter);

/* ---- random numbers ---- */

/* results[0] = the new state, results[1] = bits of `type`. */
void echo_hlo_rng_bit_generator(EchoBuilder *builder, EchoRngAlgorithm algorithm, EchoValue *state,
                                const EchoType *type, EchoValue *results[2]);

/* ---- control flow, calls ---- */

/* A while over `inits` with two blocks whose arguments have the inits' types; *cond and *body are
 * set to build at their ends. The caller ends each block with echo_hlo_return. Returns the op. */
EchoOp *echo_hlo_while(EchoBuilder *builder, EchoValue *const *inits, size_t n, EchoBuilder *cond,
                       EchoBuilder *body);
/* A case with n_branches empty blocks; branches[i] is set to build at the end of the i-th. */
EchoOp *echo_hlo_case(EchoBuilder *builder, EchoValue *index, const EchoType *const *result_types,
                      size_t n_results, EchoBuilder *branches, size_t n_branches);
EchoOp *echo_hlo_if(EchoBuilder *builder, EchoValue *pred, const EchoType *const *result_types,
                    size_t n_results, EchoBuilder branches[2]);
EchoOp *echo_hlo_return(EchoBuilder *builder, EchoValue *const *values, size_t n);
/* Result i is operand i behind a barrier; returns the op. */
EchoOp *echo_hlo_optimization_barrier(EchoBuilder *builder, EchoValue *const *values, size_t n);
EchoOp *echo_hlo_custom_call(EchoBuilder *builder, const char *target, EchoValue *const *operands,
                             size_t n_operands, const EchoType *const *result_types,
                             size_t n_results);

/* ---- types ---- */

/* tensor<dims x element> */
static inline const EchoType *echo_hlo_tensor(EchoContext *ctx, const int64_t *dims, size_t rank,
                                              const EchoType *element)
{
  return echo_type_tensor(ctx, dims, rank, element, NULL);
}
static inline const EchoType *echo_hlo_scalar_type(EchoContext *ctx, const EchoType *element)
{
  return echo_type_tensor(ctx, NULL, 0, element, NULL);
}

#ifdef __cplusplus
}
#endif

#endif
