/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reference evaluation of control flow, random bits and batch normalisation. */
#include <math.h>

#include "dialects/stablehlo/evaluate/evaluate_t.h"
#include "dialects/stablehlo/evaluate/random.h"
#include "ir/diagnostics.h"

/* ---- control flow ---- */

bool echo_hlo_evaluate_case(EchoEvaluator *evaluator, const EchoOp *op,
                            const EchoTensor *const *operands, EchoTensor **results)
{
  int64_t index = echo_tensor_get_i64(operands[0], 0);
  if (index < 0 || index >= op->n_regions)
    index = op->n_regions - 1;
  return evaluator->run_region(evaluator, &op->regions[index], NULL, 0, results, op->n_results);
}

bool echo_hlo_evaluate_if(EchoEvaluator *evaluator, const EchoOp *op,
                          const EchoTensor *const *operands, EchoTensor **results)
{
  size_t branch = echo_tensor_get_i64(operands[0], 0) != 0 ? 0 : 1;
  return evaluator->run_region(evaluator, &op->regions[branch], NULL, 0, results, op->n_results);
}

static void destroy_all(EchoTensor **tensors, size_t n)
{
  for (size_t i = 0; i < n; i++)
    echo_tensor_destroy(tensors[i]);
}

bool echo_hlo_evaluate_while(EchoEvaluator *evaluator, const EchoOp *op,
                             const EchoTensor *const *operands, EchoTensor **results)
{
  size_t n = op->n_results;
  EchoTensor **next = echo_alloc_array(n + 1, sizeof *next);
  for (size_t i = 0; i < n; i++)
    results[i] = echo_tensor_clone(operands[i]);
  bool ok = true;
  while (ok) {
    EchoTensor *goes_on = NULL;
    ok = evaluator->run_region(evaluator, &op->regions[0], (const EchoTensor *const *)results, n,
                               &goes_on, 1);
    bool is_done = !ok || echo_tensor_get_i64(goes_on, 0) == 0;
    echo_tensor_destroy(goes_on);
    if (is_done)
      break;
    ok = evaluator->run_region(evaluator, &op->regions[1], (const EchoTensor *const *)results, n,
                               next, n);
    if (!ok)
      break;
    destroy_all(results, n);
    memcpy(results, next, n * sizeof *results);
  }
  echo_free(next);
  return ok;
}

bool echo_hlo_evaluate_composite(EchoEvaluator *evaluator, const EchoOp *op,
                                 const EchoTensor *const *operands, EchoTensor **results)
{
  return evaluator->call(evaluator, op, echo_op_attr_or_null(op, "decomposition"), operands,
                         op->n_operands, results, op->n_results);
}

bool echo_stablehlo_is_annotation(const EchoOp *op)
{
  if (op == NULL)
    return false;
  static const char *const targets[] = {"Sharding",
                                        "SPMDFullToShardShape",
                                        "SPMDShardToFullShape",
                                        "annotate_device_placement",
                                        "MoveToHost", /* what XLA makes of the line before */
                                        "MoveToDevice",
                                        "xla.sdy.FuncResultSharding"};
  EchoStr target = echo_op_attr_string(op, "call_target_name");
  bool is_identity = op->n_operands == 1 && op->n_results == 1 &&
                     echo_op_operand_type(op, 0) == echo_op_result_type(op, 0);
  for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
    if (echo_str_is(target, targets[i]))
      return is_identity;
  return false;
}

bool echo_stablehlo_is_python_call(EchoStr target)
{
  static const char END[] = "_callback", PART[] = "python";
  const size_t n = sizeof END - 1;
  return target.size > n && memcmp(target.data + target.size - n, END, n) == 0 &&
         memmem(target.data, target.size, PART, sizeof PART - 1) != NULL;
}

EchoStr echo_stablehlo_unknown_call(const EchoOp *custom_call)
{
  if (custom_call == NULL)
    return ECHO_STR("");
  EchoStr target = echo_op_attr_string(custom_call, "call_target_name");
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "calls '%.*s', which is not known", ECHO_STR_ARG(target));
  if (echo_stablehlo_is_python_call(target))
    echo_buffer_append_c(&text, ": it is a function of the Python process that wrote the program, "
                                "which is reached by JAX's plug-in alone");
  EchoStr interned = echo_context_intern(echo_op_context(custom_call), echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return interned;
}

/* Custom calls that only annotate are the identity; nothing else is known here. */
bool echo_hlo_evaluate_custom_call(EchoEvaluator *evaluator, const EchoOp *op,
                                   const EchoTensor *const *operands, EchoTensor **results)
{
  if (echo_stablehlo_is_annotation(op))
    return echo_hlo_evaluate_optimization_barrier(evaluator, op, operands, results);
  return echo_op_error(op, "%.*s", ECHO_STR_ARG(echo_stablehlo_unknown_call(op)));
}

/* ---- random bits ---- */

/* Blocks of narrow elements: the shape with one dimension halved. */
static int64_t threefry_blocks(const EchoType *type)
{
  size_t rank = echo_type_rank(type);
  int64_t n = echo_type_static_n_elements(type);
  if (rank == 0 || n == 0)
    return n;
  int64_t size = echo_type_dim(type, echo_threefry_dimension(type->as.shaped.dims, rank));
  return n / size * ((size + 1) / 2);
}

/* The word of element i, and its block. */
static size_t threefry_word(const EchoType *type, int64_t i, int64_t *block)
{
  size_t rank = echo_type_rank(type);
  const int64_t *dims = type->as.shaped.dims;
  int64_t inner = 1;
  *block = i;
  if (rank == 0)
    return 0;
  size_t dim = echo_threefry_dimension(dims, rank);
  for (size_t d = dim + 1; d < rank; d++)
    inner *= dims[d];
  int64_t outer = i / inner / dims[dim], at = i / inner % dims[dim];
  *block = (outer * ((dims[dim] + 1) / 2) + at / 2) * inner + i % inner;
  return (size_t)(at % 2);
}

static uint64_t threefry_bits(uint64_t key, uint64_t counter, int64_t i, const EchoType *type,
                              bool is_wide)
{
  int64_t block = i;
  size_t word = is_wide ? 0 : threefry_word(type, i, &block);
  uint64_t at = counter + (uint64_t)block;
  const uint32_t keys[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  uint32_t words[2] = {(uint32_t)at, (uint32_t)(at >> 32)};
  echo_threefry_2x32(keys, words, words);
  return is_wide ? words[0] | (uint64_t)words[1] << 32 : words[word];
}

static uint64_t philox_bits(uint64_t key, uint64_t low, uint64_t high, int64_t i, bool is_wide)
{
  uint64_t block = (uint64_t)i / (is_wide ? 2 : 4), at = low + block;
  uint64_t carry = high + (at < low);
  const uint32_t keys[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  const uint32_t counter[4] = {(uint32_t)at, (uint32_t)(at >> 32), (uint32_t)carry,
                               (uint32_t)(carry >> 32)};
  uint32_t words[4];
  echo_philox_4x32(keys, counter, words);
  if (!is_wide)
    return words[i % 4];
  size_t first = (size_t)(i % 2) * 2;
  return words[first] | (uint64_t)words[first + 1] << 32;
}

bool echo_hlo_evaluate_rng_bit_generator(EchoEvaluator *evaluator, const EchoOp *op,
                                         const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *state = operands[0];
  bool is_threefry = echo_stablehlo_rng_algorithm(op) == ECHO_RNG_THREE_FRY;
  if (state->kind != ECHO_ELEMENT_UI64 || state->n_elements < 2 || state->n_elements > 3)
    return echo_op_error(op, "expects a state of two or three ui64");
  if (echo_element_is_float(echo_type_element_kind(echo_op_result_type(op, 1))))
    return echo_op_error(op, "cannot be interpreted: gives integers only");
  uint64_t key = (uint64_t)echo_tensor_get_i64(state, 0);
  uint64_t low = (uint64_t)echo_tensor_get_i64(state, 1);
  uint64_t high = state->n_elements == 3 ? (uint64_t)echo_tensor_get_i64(state, 2) : key;
  EchoTensor *bits = echo_hlo_new_result(op, 1);
  int64_t n = bits->n_elements;
  bool is_wide = echo_type_element_bytes(bits->type) == 8;
  for (int64_t i = 0; i < n; i++)
    echo_tensor_set_i64(bits, i,
                        (int64_t)(is_threefry ? threefry_bits(key, low, i, bits->type, is_wide)
                                              : philox_bits(key, low, high, i, is_wide)));
  int64_t per_block = is_wide ? 2 : 4;
  int64_t n_blocks = !is_threefry ? (n + per_block - 1) / per_block
                     : is_wide    ? n
                                  : threefry_blocks(bits->type);
  uint64_t next = low + (uint64_t)n_blocks;
  results[0] = echo_tensor_clone(state);
  results[1] = bits;
  echo_tensor_set_i64(results[0], 1, (int64_t)next);
  if (state->n_elements == 3)
    echo_tensor_set_i64(results[0], 2, (int64_t)(high + (next < low)));
  return true;
}

/* ---- batch normalisation, in double ---- */

typedef struct BatchNorm {
  int64_t feature, n_features, n_each; /* elements per feature */
  int64_t inner;                       /* stride of the feature dimension */
  double epsilon;
} BatchNorm;

static BatchNorm batch_norm(const EchoOp *op, const EchoType *x)
{
  int64_t strides[ECHO_MAX_RANK];
  echo_shape_strides(x->as.shaped.dims, echo_type_rank(x), strides);
  BatchNorm norm = {.feature = echo_op_attr_i64(op, "feature_index", 0),
                    .epsilon = echo_op_attr_or_null(op, "epsilon")->as.floating.value};
  norm.n_features = echo_type_dim(x, (size_t)norm.feature);
  norm.inner = strides[norm.feature];
  norm.n_each = norm.n_features == 0 ? 0 : echo_type_static_n_elements(x) / norm.n_features;
  return norm;
}

static int64_t feature_of(const BatchNorm *norm, int64_t i)
{
  return i / norm->inner % norm->n_features;
}

static void mean_and_variance(const BatchNorm *norm, const EchoTensor *x, double *mean,
                              double *variance)
{
  for (int64_t f = 0; f < norm->n_features; f++)
    mean[f] = variance[f] = 0;
  for (int64_t i = 0; i < x->n_elements; i++)
    mean[feature_of(norm, i)] += echo_hlo_get_number(x, i) / (double)norm->n_each;
  for (int64_t i = 0; i < x->n_elements; i++) {
    double rest = echo_hlo_get_number(x, i) - mean[feature_of(norm, i)];
    variance[feature_of(norm, i)] += rest * rest / (double)norm->n_each;
  }
}

bool echo_hlo_evaluate_batch_norm_inference(EchoEvaluator *evaluator, const EchoOp *op,
                                            const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  BatchNorm norm = batch_norm(op, x->type);
  results[0] = echo_hlo_new_result(op, 0);
  for (int64_t i = 0; i < x->n_elements; i++) {
    int64_t f = feature_of(&norm, i);
    double deviation = sqrt(echo_hlo_get_number(operands[4], f) + norm.epsilon);
    double centered = echo_hlo_get_number(x, i) - echo_hlo_get_number(operands[3], f);
    echo_hlo_set_number(results[0], i,
                        centered / deviation * echo_hlo_get_number(operands[1], f) +
                            echo_hlo_get_number(operands[2], f));
  }
  return true;
}

bool echo_hlo_evaluate_batch_norm_training(EchoEvaluator *evaluator, const EchoOp *op,
                                           const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0];
  BatchNorm norm = batch_norm(op, x->type);
  double *mean = echo_alloc_array((size_t)norm.n_features + 1, sizeof *mean);
  double *variance = echo_alloc_array((size_t)norm.n_features + 1, sizeof *variance);
  mean_and_variance(&norm, x, mean, variance);
  for (size_t k = 0; k < 3; k++)
    results[k] = echo_hlo_new_result(op, k);
  for (int64_t i = 0; i < x->n_elements; i++) {
    int64_t f = feature_of(&norm, i);
    double centered = echo_hlo_get_number(x, i) - mean[f];
    echo_hlo_set_number(results[0], i,
                        centered / sqrt(variance[f] + norm.epsilon) *
                                echo_hlo_get_number(operands[1], f) +
                            echo_hlo_get_number(operands[2], f));
  }
  for (int64_t f = 0; f < norm.n_features; f++) {
    echo_hlo_set_number(results[1], f, mean[f]);
    echo_hlo_set_number(results[2], f, variance[f]);
  }
  echo_free(mean);
  echo_free(variance);
  return true;
}

/* d loss / d x = scale / (n s) (n gy - sum gy - (x - mean) / s^2 sum(gy (x - mean))), s^2 =
 * variance + epsilon */
bool echo_hlo_evaluate_batch_norm_grad(EchoEvaluator *evaluator, const EchoOp *op,
                                       const EchoTensor *const *operands, EchoTensor **results)
{
  (void)evaluator;
  const EchoTensor *x = operands[0], *gy = operands[4];
  BatchNorm norm = batch_norm(op, x->type);
  double *sum = echo_alloc_zero((size_t)norm.n_features + 1, sizeof *sum);
  double *product = echo_alloc_zero((size_t)norm.n_features + 1, sizeof *product);
  for (size_t k = 0; k < 3; k++)
    results[k] = echo_hlo_new_result(op, k);
  for (int64_t i = 0; i < x->n_elements; i++) {
    int64_t f = feature_of(&norm, i);
    double g = echo_hlo_get_number(gy, i);
    sum[f] += g;
    product[f] += g * (echo_hlo_get_number(x, i) - echo_hlo_get_number(operands[2], f));
  }
  for (int64_t i = 0; i < x->n_elements; i++) {
    int64_t f = feature_of(&norm, i);
    double square = echo_hlo_get_number(operands[3], f) + norm.epsilon, n = (double)norm.n_each;
    double centered = echo_hlo_get_number(x, i) - echo_hlo_get_number(operands[2], f);
    double inside = n * echo_hlo_get_number(gy, i) - sum[f] - centered / square * product[f];
    echo_hlo_set_number(results[0], i,
                        echo_hlo_get_number(operands[1], f) / (n * sqrt(square)) * inside);
  }
  for (int64_t f = 0; f < norm.n_features; f++) {
    double square = echo_hlo_get_number(operands[3], f) + norm.epsilon;
    echo_hlo_set_number(results[1], f, product[f] / sqrt(square));
    echo_hlo_set_number(results[2], f, sum[f]);
  }
  echo_free(sum);
  echo_free(product);
  return true;
}
