/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads StableHLO's attributes off verified ops, with defaults filled in. */
#include "dialects/stablehlo/attributes/attributes_t.h"

#include "base/vector.h"

const EchoHloPayload *echo_hlo_payload_or_null(const EchoAttr *attr, EchoHloAttrKind kind)
{
  if (attr == NULL || attr->kind != ECHO_ATTR_OPAQUE || attr->as.opaque.payload == NULL ||
      !(echo_str_is(attr->as.opaque.dialect, "stablehlo") ||
        echo_str_is(attr->as.opaque.dialect, "chlo")))
    return NULL;
  const EchoHloPayload *payload = attr->as.opaque.payload;
  return payload->kind == kind ? payload : NULL;
}

static const EchoHloPayload *payload_of(const EchoOp *op, const char *name, EchoHloAttrKind kind)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(echo_op_attr_or_null(op, name), kind);
  ECHO_CHECK_OP(payload != NULL, op, "attribute '%s' is missing or malformed", name);
  return payload;
}

const EchoDotDims *echo_stablehlo_dot_dims(const EchoOp *op)
{
  if (!echo_op_is(op, "stablehlo.dot"))
    return &payload_of(op, "dot_dimension_numbers", ECHO_HLO_ATTR_DOT)->as.dot;
  static const int64_t zero = 0, one = 1;
  static const EchoDotDims of_vector = {.lhs_contracting = {&zero, 1},
                                        .rhs_contracting = {&zero, 1}};
  static const EchoDotDims of_matrix = {.lhs_contracting = {&one, 1},
                                        .rhs_contracting = {&zero, 1}};
  return echo_type_rank(echo_op_operand_type(op, 0)) == 1 ? &of_vector : &of_matrix;
}

/* Whether `dim` stands behind all dimensions before it. */
static bool follows(const EchoType *type, int64_t dim, int64_t *last)
{
  if (echo_type_dim(type, (size_t)dim) == 1)
    return true;
  bool is_behind = dim > *last;
  *last = dim;
  return is_behind;
}

/* The dimensions that are neither are in order behind `last`. */
static bool free_follow(const EchoType *type, EchoDimList batching, EchoDimList contracting,
                        int64_t *last)
{
  bool is_in_order = true;
  for (int64_t dim = 0; dim < (int64_t)echo_type_rank(type); ++dim)
    if (!echo_dim_list_has(batching, dim) && !echo_dim_list_has(contracting, dim))
      is_in_order &= follows(type, dim, last);
  return is_in_order;
}

/* Pairs that are added up, in the order of the lhs. */
static bool contracting_follow(const EchoOp *dot, uint32_t operand, int64_t *last)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  const EchoType *type = echo_op_operand_type(dot, operand);
  EchoDimList lhs = dims->lhs_contracting, own = operand == 0 ? lhs : dims->rhs_contracting;
  bool is_in_order = true;
  for (int64_t dim = 0; dim < (int64_t)echo_type_rank(echo_op_operand_type(dot, 0)); ++dim)
    for (size_t i = 0; i < own.size; ++i)
      if (lhs.dims[i] == dim)
        is_in_order &= follows(type, own.dims[i], last);
  return is_in_order;
}

static bool is_in_order(const EchoOp *dot, uint32_t operand, bool has_columns)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  const EchoType *type = echo_op_operand_type(dot, operand);
  EchoDimList batching = operand == 0 ? dims->lhs_batching : dims->rhs_batching;
  EchoDimList contracting = operand == 0 ? dims->lhs_contracting : dims->rhs_contracting;
  int64_t last = -1;
  bool fine = true;
  for (size_t i = 0; i < batching.size; ++i)
    fine &= follows(type, batching.dims[i], &last);
  if (has_columns)
    fine &= contracting_follow(dot, operand, &last);
  fine &= free_follow(type, batching, contracting, &last);
  return fine && (has_columns || contracting_follow(dot, operand, &last));
}

bool echo_stablehlo_dot_has_rows(const EchoOp *dot, uint32_t operand)
{
  return is_in_order(dot, operand, false);
}

bool echo_stablehlo_dot_has_columns(const EchoOp *dot, uint32_t operand)
{
  return is_in_order(dot, operand, true);
}

const EchoRaggedDotDims *echo_chlo_ragged_dot_dims(const EchoOp *op)
{
  return &payload_of(op, "ragged_dot_dimension_numbers", ECHO_HLO_ATTR_RAGGED_DOT)->as.ragged_dot;
}

const EchoConvDims *echo_stablehlo_conv_dims(const EchoOp *op)
{
  return &payload_of(op, "dimension_numbers", ECHO_HLO_ATTR_CONV)->as.conv;
}

int64_t echo_stablehlo_feature_group_count(const EchoOp *convolution)
{
  return echo_op_attr_i64(convolution, "feature_group_count", 1);
}

int64_t echo_stablehlo_batch_group_count(const EchoOp *convolution)
{
  return echo_op_attr_i64(convolution, "batch_group_count", 1);
}

const EchoGatherDims *echo_stablehlo_gather_dims(const EchoOp *gather)
{
  return &payload_of(gather, "dimension_numbers", ECHO_HLO_ATTR_GATHER)->as.gather;
}

const EchoScatterDims *echo_stablehlo_scatter_dims(const EchoOp *scatter)
{
  return &payload_of(scatter, "scatter_dimension_numbers", ECHO_HLO_ATTR_SCATTER)->as.scatter;
}

EchoCompareDirection echo_stablehlo_compare_direction(const EchoOp *compare)
{
  return (EchoCompareDirection)payload_of(compare, "comparison_direction",
                                          ECHO_HLO_ATTR_COMPARISON_DIRECTION)
      ->as.word;
}

EchoCompareType echo_stablehlo_compare_type(const EchoOp *compare)
{
  ECHO_CHECK(compare != NULL, "the type of no comparison is asked for");
  const EchoHloPayload *payload = echo_hlo_payload_or_null(
      echo_op_attr_or_null(compare, "compare_type"), ECHO_HLO_ATTR_COMPARISON_TYPE);
  if (payload != NULL && payload->as.word != ECHO_COMPARE_NOTYPE)
    return (EchoCompareType)payload->as.word;
  const EchoType *element = echo_op_operand_type(compare, 0)->as.shaped.element;
  if (element->kind != ECHO_TYPE_INTEGER)
    return ECHO_COMPARE_FLOAT;
  return element->as.integer.signedness == ECHO_UNSIGNED || element->as.integer.width == 1
             ? ECHO_COMPARE_UNSIGNED
             : ECHO_COMPARE_SIGNED;
}

EchoRngAlgorithm echo_stablehlo_rng_algorithm(const EchoOp *rng_bit_generator)
{
  return (EchoRngAlgorithm)payload_of(rng_bit_generator, "rng_algorithm",
                                      ECHO_HLO_ATTR_RNG_ALGORITHM)
      ->as.word;
}

EchoRngDistribution echo_stablehlo_rng_distribution(const EchoOp *rng)
{
  return (EchoRngDistribution)payload_of(rng, "rng_distribution", ECHO_HLO_ATTR_RNG_DISTRIBUTION)
      ->as.word;
}

EchoFftType echo_stablehlo_fft_type(const EchoOp *fft)
{
  return (EchoFftType)payload_of(fft, "fft_type", ECHO_HLO_ATTR_FFT_TYPE)->as.word;
}

EchoTransposeKind echo_stablehlo_transpose_kind(const EchoOp *triangular_solve)
{
  return (EchoTransposeKind)payload_of(triangular_solve, "transpose_a", ECHO_HLO_ATTR_TRANSPOSE)
      ->as.word;
}

EchoPrecision echo_stablehlo_precision(const EchoOp *op, size_t operand)
{
  const EchoAttr *config = echo_op_attr_or_null(op, "precision_config");
  if (config == NULL || config->kind != ECHO_ATTR_ARRAY || operand >= config->as.array.size)
    return ECHO_PRECISION_DEFAULT;
  const EchoHloPayload *payload =
      echo_hlo_payload_or_null(config->as.array.elements[operand], ECHO_HLO_ATTR_PRECISION);
  return payload != NULL ? (EchoPrecision)payload->as.word : ECHO_PRECISION_DEFAULT;
}

const EchoDotAlgorithm *echo_stablehlo_dot_algorithm_or_null(const EchoOp *dot_general)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(
      echo_op_attr_or_null(dot_general, "algorithm"), ECHO_HLO_ATTR_DOT_ALGORITHM);
  return payload != NULL ? &payload->as.dot_algorithm : NULL;
}

const EchoChannelHandle *echo_stablehlo_channel_or_null(const EchoOp *op)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(
      echo_op_attr_or_null(op, "channel_handle"), ECHO_HLO_ATTR_CHANNEL_HANDLE);
  return payload != NULL ? &payload->as.channel : NULL;
}

EchoResultAccuracy echo_stablehlo_result_accuracy(const EchoOp *op)
{
  const EchoHloPayload *payload = echo_hlo_payload_or_null(
      echo_op_attr_or_null(op, "result_accuracy"), ECHO_HLO_ATTR_RESULT_ACCURACY);
  return payload != NULL ? payload->as.accuracy : (EchoResultAccuracy){0};
}

/* ---- lists of integers ---- */

EchoDimList echo_hlo_dim_list(EchoContext *ctx, const EchoAttr *attr)
{
  if (attr == NULL)
    return (EchoDimList){NULL, 0};
  size_t size = echo_attr_ints_size(attr);
  if (attr->kind == ECHO_ATTR_DENSE_ARRAY)
    return (EchoDimList){attr->as.dense_array.data, size};
  if (!attr->as.elements.is_splat || size <= 1) /* threads that plan ask: nothing is made there */
    return (EchoDimList){attr->as.elements.data, size};
  int64_t *dims = ECHO_ARENA_ARRAY(echo_context_arena(ctx), int64_t, size);
  for (size_t i = 0; i < size; ++i)
    dims[i] = echo_attr_ints_get(attr, i);
  return (EchoDimList){dims, size};
}

EchoDimList echo_stablehlo_dims(const EchoOp *op, const char *name)
{
  return echo_hlo_dim_list(echo_op_context(op), echo_op_attr_or_null(op, name));
}

/* ---- windows ---- */

/* Entry i of an optional list. */
static int64_t entry_or(EchoDimList list, size_t i, int64_t otherwise)
{
  return i < list.size ? list.dims[i] : otherwise;
}

static void set_padding(const EchoAttr *padding, EchoWindowDim *windows, size_t n)
{
  if (padding == NULL)
    return;
  for (size_t i = 0; i < n; ++i) {
    windows[i].padding_low = echo_elements_i64(padding, 2 * i);
    windows[i].padding_high = echo_elements_i64(padding, 2 * i + 1);
  }
}

static size_t convolution_windows(const EchoOp *op, EchoWindowDim *windows)
{
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  const EchoType *kernel = echo_op_operand_type(op, 1);
  size_t n = dims->kernel_spatial.size;
  EchoDimList strides = echo_stablehlo_dims(op, "window_strides");
  EchoDimList base = echo_stablehlo_dims(op, "lhs_dilation");
  EchoDimList window = echo_stablehlo_dims(op, "rhs_dilation");
  const EchoAttr *reversal = echo_op_attr_or_null(op, "window_reversal");
  for (size_t i = 0; i < n; ++i)
    windows[i] = (EchoWindowDim){
        .size = echo_type_dim(kernel, (size_t)dims->kernel_spatial.dims[i]),
        .stride = entry_or(strides, i, 1),
        .base_dilation = entry_or(base, i, 1),
        .window_dilation = entry_or(window, i, 1),
        .reversed = reversal != NULL && echo_attr_ints_get(reversal, i) != 0,
    };
  set_padding(echo_op_attr_or_null(op, "padding"), windows, n);
  return n;
}

size_t echo_stablehlo_windows(const EchoOp *op, EchoWindowDim *windows)
{
  ECHO_CHECK_OP(op != NULL && windows != NULL, op, "windows are read: '%s' is NULL",
                op == NULL ? "op" : "windows");
  if (echo_op_has_attr(op, "dimension_numbers"))
    return convolution_windows(op, windows);
  EchoDimList sizes = echo_stablehlo_dims(op, "window_dimensions");
  size_t n = echo_type_rank(echo_op_operand_type(op, 0));
  EchoDimList strides = echo_stablehlo_dims(op, "window_strides");
  EchoDimList base = echo_stablehlo_dims(op, "base_dilations");
  EchoDimList window = echo_stablehlo_dims(op, "window_dilations");
  for (size_t i = 0; i < n; ++i)
    windows[i] = (EchoWindowDim){.size = entry_or(sizes, i, 1),
                                 .stride = entry_or(strides, i, 1),
                                 .base_dilation = entry_or(base, i, 1),
                                 .window_dilation = entry_or(window, i, 1)};
  set_padding(echo_op_attr_or_null(op, "padding"), windows, n);
  return n;
}

/* n == 0 ? 0 : (n - 1) * dilation + 1; false when it overflows. */
static bool dilate(int64_t n, int64_t dilation, int64_t *result)
{
  *result = 0;
  return n == 0 ||
         (echo_mul_i64(n - 1, dilation, result) && !__builtin_add_overflow(*result, 1, result));
}

int64_t echo_stablehlo_window_output(const EchoWindowDim *window, int64_t base)
{
  int64_t padded, size;
  if (window == NULL || window->stride <= 0)
    return -1;
  if (!dilate(base, window->base_dilation, &padded) ||
      !dilate(window->size, window->window_dilation, &size) ||
      __builtin_add_overflow(padded, window->padding_low, &padded) ||
      __builtin_add_overflow(padded, window->padding_high, &padded))
    return -1;
  return padded <= 0 || size > padded ? 0 : (padded - size) / window->stride + 1;
}

bool echo_stablehlo_residues_meet(const EchoWindowDim *window, int64_t n_out)
{
  if (window == NULL || window->base_dilation < 2 || window->stride != 1 ||
      window->window_dilation != 1)
    return false;
  int64_t dilation = window->base_dilation;
  return n_out >= dilation && n_out % dilation == 0 && window->size % dilation == 0 &&
         (window->padding_low % dilation + 1) % dilation == 0;
}
