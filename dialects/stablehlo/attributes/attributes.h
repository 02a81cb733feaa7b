/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What StableHLO's attributes mean: structs parsed once from their text, accessors that read them
 * off an op with defaults filled in, and constructors that build them with StableHLO's canonical
 * text. Accessors expect a verified op (they panic on a missing or malformed attribute) and return
 * pointers that live as long as the context, or as long as the op where the text says so. Nothing
 * here checks shapes: that is the verifier's. */
#ifndef ECHO_DIALECTS_STABLEHLO_ATTRIBUTES_ATTRIBUTES_H
#define ECHO_DIALECTS_STABLEHLO_ATTRIBUTES_ATTRIBUTES_H

#include "ir/table/op_info.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of dimension numbers, in the order written. */
typedef struct EchoDimList {
  const int64_t *dims;
  size_t size;
} EchoDimList;

static inline bool echo_dim_list_has(EchoDimList list, int64_t dim)
{
  for (size_t i = 0; i < list.size; ++i)
    if (list.dims[i] == dim)
      return true;
  return false;
}

/* #stablehlo.dot<…>. Result dimensions: batching, then free dimensions of lhs, then of rhs, each
 * ascending. */
typedef struct EchoDotDims {
  EchoDimList lhs_batching, rhs_batching;       /* pairwise */
  EchoDimList lhs_contracting, rhs_contracting; /* pairwise */
} EchoDotDims;

/* #chlo.ragged_dot<…>: of the numbers of a dot, and which dimension of lhs comes in groups of
 * different sizes (one; in a batching, a contracting or a free dimension) and which of rhs is of
 * the groups (one, where the ragged one is free). */
typedef struct EchoRaggedDotDims {
  EchoDotDims dot;
  EchoDimList lhs_ragged, rhs_group;
} EchoRaggedDotDims;

/* #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>: where each role stands in lhs, rhs and
 * result. */
typedef struct EchoConvDims {
  int64_t input_batch, input_feature;
  EchoDimList input_spatial;
  int64_t kernel_input_feature, kernel_output_feature;
  EchoDimList kernel_spatial;
  int64_t output_batch, output_feature;
  EchoDimList output_spatial;
} EchoConvDims;

/* #stablehlo.gather<…> */
typedef struct EchoGatherDims {
  EchoDimList offset_dims, collapsed_slice_dims;
  EchoDimList operand_batching_dims, start_indices_batching_dims;
  EchoDimList start_index_map;
  int64_t index_vector_dim;
} EchoGatherDims;

/* #stablehlo.scatter<…> */
typedef struct EchoScatterDims {
  EchoDimList update_window_dims, inserted_window_dims;
  EchoDimList input_batching_dims, scatter_indices_batching_dims;
  EchoDimList scatter_dims_to_operand_dims;
  int64_t index_vector_dim;
} EchoScatterDims;

/* #stablehlo.dot_algorithm<…> */
typedef struct EchoDotAlgorithm {
  const EchoType *lhs_precision, *rhs_precision, *accumulation;
  int64_t lhs_components, rhs_components, primitive_operations;
  bool allow_imprecise_accumulation;
} EchoDotAlgorithm;

/* #stablehlo.output_operand_alias<…> */
typedef struct EchoOutputOperandAlias {
  EchoDimList output_tuple_indices, operand_tuple_indices;
  int64_t operand_index;
} EchoOutputOperandAlias;

/* #stablehlo.channel_handle<…> */
typedef struct EchoChannelHandle {
  int64_t handle, type;
} EchoChannelHandle;

typedef enum EchoCompareDirection {
  ECHO_COMPARE_EQ,
  ECHO_COMPARE_NE,
  ECHO_COMPARE_GE,
  ECHO_COMPARE_GT,
  ECHO_COMPARE_LE,
  ECHO_COMPARE_LT
} EchoCompareDirection;

typedef enum EchoCompareType {
  ECHO_COMPARE_NOTYPE, /* none written: decided by the operands' element type */
  ECHO_COMPARE_FLOAT,
  ECHO_COMPARE_TOTALORDER,
  ECHO_COMPARE_SIGNED,
  ECHO_COMPARE_UNSIGNED
} EchoCompareType;

typedef enum EchoPrecision {
  ECHO_PRECISION_DEFAULT,
  ECHO_PRECISION_HIGH,
  ECHO_PRECISION_HIGHEST
} EchoPrecision;

typedef enum EchoRngAlgorithm {
  ECHO_RNG_DEFAULT,
  ECHO_RNG_THREE_FRY,
  ECHO_RNG_PHILOX
} EchoRngAlgorithm;

typedef enum EchoRngDistribution { ECHO_RNG_UNIFORM = 1, ECHO_RNG_NORMAL = 2 } EchoRngDistribution;

typedef enum EchoTransposeKind {
  ECHO_TRANSPOSE_INVALID,
  ECHO_NO_TRANSPOSE,
  ECHO_TRANSPOSE,
  ECHO_ADJOINT
} EchoTransposeKind;

typedef enum EchoFftType { ECHO_FFT, ECHO_IFFT, ECHO_RFFT, ECHO_IRFFT } EchoFftType;

typedef enum EchoAccuracyMode {
  ECHO_ACCURACY_DEFAULT,
  ECHO_ACCURACY_HIGHEST,
  ECHO_ACCURACY_TOLERANCE
} EchoAccuracyMode;

/* #stablehlo.result_accuracy<…> */
typedef struct EchoResultAccuracy {
  double atol, rtol;
  int64_t ulps;
  EchoAccuracyMode mode;
} EchoResultAccuracy;

/* One windowed dimension, as in the specification. Output size = floor((padded - dilated window) /
 * stride) + 1, where padded = low + dilated base + high; a dilated size is n == 0 ? 0 : (n - 1) *
 * dilation + 1. */
typedef struct EchoWindowDim {
  int64_t size, stride;
  int64_t base_dilation, window_dilation;
  int64_t padding_low, padding_high; /* may be negative */
  bool reversed;                     /* convolution's window_reversal */
} EchoWindowDim;

/* ---- reading an op ---- */

/* dot_general and dot (whose numbers are implied: the last dimension of lhs with the first of rhs).
 */
const EchoDotDims *echo_stablehlo_dot_dims(const EchoOp *op);
/* Whether operand `operand` of a dot is, row-major, its batching, its free and its contracting
 * dimensions, each in the order that the dot counts them in. Those of size 1 may stand anywhere. */
bool echo_stablehlo_dot_has_rows(const EchoOp *dot, uint32_t operand);
/* The same of its batching, its contracting and its free dimensions. */
bool echo_stablehlo_dot_has_columns(const EchoOp *dot, uint32_t operand);
/* Of f32 and f64 on a processor, for kernels and costs alike: so few rows or columns are multiplied
 * with the other operand where that lies; of others, a call of a library is worth m n k. */
enum { ECHO_FEW_ROWS = 32, ECHO_LIBRARY_PRODUCT = 32 * 32 * 32 };
/* A library sets the result to zero and adds to it: of few terms and many results in f32 that takes
 * longer than the sums, which loops add up in registers. */
enum { ECHO_LEAST_TERMS = 8, ECHO_FEW_TERMS = 64, ECHO_MANY_RESULTS = 1 << 16 };
const EchoRaggedDotDims *echo_chlo_ragged_dot_dims(const EchoOp *op);
/* convolution and dynamic_conv. */
const EchoConvDims *echo_stablehlo_conv_dims(const EchoOp *op);
int64_t echo_stablehlo_feature_group_count(const EchoOp *convolution);
int64_t echo_stablehlo_batch_group_count(const EchoOp *convolution);
const EchoGatherDims *echo_stablehlo_gather_dims(const EchoOp *gather);
const EchoScatterDims *echo_stablehlo_scatter_dims(const EchoOp *scatter);
EchoCompareDirection echo_stablehlo_compare_direction(const EchoOp *compare);
/* With NOTYPE resolved: FLOAT, SIGNED or UNSIGNED (i1 and ui*) by the element type. */
EchoCompareType echo_stablehlo_compare_type(const EchoOp *compare);
EchoRngAlgorithm echo_stablehlo_rng_algorithm(const EchoOp *rng_bit_generator);
/* Whether a custom_call only tells compilers for several devices or memory spaces something: its
 * result is its operand. */
bool echo_stablehlo_is_annotation(const EchoOp *custom_call);
/* "calls 'who', which is not known", and why, where that is seen by the name: what is said of a
 * custom_call that nothing here makes. In the context. */
EchoStr echo_stablehlo_unknown_call(const EchoOp *custom_call);
/* Whether a custom_call of this target is a function of Python's, which JAX writes as a number of
 * the process that it stands in: xla_ffi_python_cpu_callback, xla_python_gpu_callback and their
 * like. */
bool echo_stablehlo_is_python_call(EchoStr target);
EchoRngDistribution echo_stablehlo_rng_distribution(const EchoOp *rng);
EchoTransposeKind echo_stablehlo_transpose_kind(const EchoOp *triangular_solve);
EchoFftType echo_stablehlo_fft_type(const EchoOp *fft);
/* Of operand 0 or 1 of dot_general or convolution; DEFAULT when not written. */
EchoPrecision echo_stablehlo_precision(const EchoOp *op, size_t operand);
/* NULL when not written. */
const EchoDotAlgorithm *echo_stablehlo_dot_algorithm_or_null(const EchoOp *dot_general);
const EchoChannelHandle *echo_stablehlo_channel_or_null(const EchoOp *op);
/* Default mode when not written. */
EchoResultAccuracy echo_stablehlo_result_accuracy(const EchoOp *op);

/* The windows of reduce_window and select_and_scatter, one a dimension of the operand; of
 * convolution, one a spatial dimension in the order of the dimension numbers, with `size` from the
 * kernel's shape. Defaults filled in. `windows` has room for ECHO_MAX_RANK; returns how many. */
size_t echo_stablehlo_windows(const EchoOp *op, EchoWindowDim *windows);
/* Output size of one window over a dimension of `base` elements; -1 when it overflows, or there is
 * none: a stride of zero. */
int64_t echo_stablehlo_window_output(const EchoWindowDim *window, int64_t base);
/* Whether the `n_out` places of a convolution's result fall, by what the input's dilation leaves of
 * them, into as many residues, each of which reads the same places of the input with as many taps
 * of its own: the gradient of patches. Residue r begins at tap (padding - r) mod dilation. On a
 * processor they are columns of one product then, up to ECHO_CONVOLUTION_COLUMNS, for kernels and
 * costs alike. */
bool echo_stablehlo_residues_meet(const EchoWindowDim *window, int64_t n_out);
enum { ECHO_CONVOLUTION_COLUMNS = 64 };

/* On a sort of which no more than this many places of a row are read, from the first on; what the
 * others hold is then nobody's business. Set by --widen-sorts. */
#define ECHO_SORT_FIRST_ATTR "kernel.first"

/* An integer-list attribute of the op (array<i64: …>, or old-style dense<…> : tensor<nxi64>), by
 * name: "dimensions", "broadcast_dimensions", "permutation", "start_indices", "limit_indices",
 * "strides", "edge_padding_low", "slice_sizes", … An absent one has size 0. The list lives as long
 * as the attribute. */
EchoDimList echo_stablehlo_dims(const EchoOp *op, const char *name);

/* ---- making attributes ---- */

const EchoAttr *echo_stablehlo_dot_dims_attr(EchoContext *ctx, const EchoDotDims *dims);
const EchoAttr *echo_stablehlo_conv_dims_attr(EchoContext *ctx, const EchoConvDims *dims);
const EchoAttr *echo_stablehlo_gather_dims_attr(EchoContext *ctx, const EchoGatherDims *dims);
const EchoAttr *echo_stablehlo_scatter_dims_attr(EchoContext *ctx, const EchoScatterDims *dims);
const EchoAttr *echo_stablehlo_dot_algorithm_attr(EchoContext *ctx,
                                                  const EchoDotAlgorithm *algorithm);
const EchoAttr *echo_stablehlo_channel_handle_attr(EchoContext *ctx, EchoChannelHandle channel);
const EchoAttr *echo_stablehlo_output_operand_alias_attr(EchoContext *ctx,
                                                         const EchoOutputOperandAlias *alias);
const EchoAttr *echo_stablehlo_compare_direction_attr(EchoContext *ctx,
                                                      EchoCompareDirection direction);
const EchoAttr *echo_stablehlo_compare_type_attr(EchoContext *ctx, EchoCompareType type);
const EchoAttr *echo_stablehlo_precision_attr(EchoContext *ctx, EchoPrecision precision);
const EchoAttr *echo_stablehlo_rng_algorithm_attr(EchoContext *ctx, EchoRngAlgorithm algorithm);
const EchoAttr *echo_stablehlo_rng_distribution_attr(EchoContext *ctx,
                                                     EchoRngDistribution distribution);
const EchoAttr *echo_stablehlo_fft_type_attr(EchoContext *ctx, EchoFftType type);
const EchoAttr *echo_stablehlo_transpose_attr(EchoContext *ctx, EchoTransposeKind kind);
const EchoAttr *echo_stablehlo_result_accuracy_attr(EchoContext *ctx,
                                                    const EchoResultAccuracy *accuracy);
/* dense<[[low, high], …]> : tensor<nx2xi64> */
const EchoAttr *echo_stablehlo_padding_attr(EchoContext *ctx, const int64_t (*padding)[2],
                                            size_t n);

/* The words of the enumerations, in order of their values: "EQ", "FLOAT", "HIGHEST", "THREE_FRY" …
 */
const char *echo_stablehlo_compare_direction_word(EchoCompareDirection direction);
const char *echo_stablehlo_compare_type_word(EchoCompareType type);
const char *echo_stablehlo_precision_word(EchoPrecision precision);

#ifdef __cplusplus
}
#endif

#endif
