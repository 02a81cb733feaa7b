/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of batch normalization, linear algebra, FFT and random numbers. */
#include "dialects/stablehlo/infer/infer_t.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

/* ---- batch normalization ---- */

/* Operands 1 … n_vectors are vectors as long as the feature dimension; all have the operand's
 * element type. */
static const EchoType *check_batch_norm_or_null(const EchoOpState *state, size_t n_vectors,
                                                int64_t *n_features)
{
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  int64_t feature = echo_hlo_state_i64(state, "feature_index", 0);
  if (operand == NULL)
    return NULL;
  if (feature < 0 || feature >= (int64_t)echo_type_rank(operand)) {
    echo_hlo_error(state, "feature_index %lld is out of range [0, %u)", (long long)feature,
                   echo_type_rank(operand));
    return NULL;
  }
  *n_features = echo_type_dim(operand, (size_t)feature);
  for (size_t i = 1; i <= n_vectors; ++i) {
    const EchoType *vector = echo_hlo_state_tensor_or_null(state, i);
    if (vector == NULL)
      return NULL;
    if (!echo_hlo_elements_agree(operand, vector) || echo_type_rank(vector) != 1 ||
        !echo_hlo_dims_agree(echo_type_dim(vector, 0), *n_features)) {
      echo_hlo_error(state,
                     "operand #%zu must be a vector of the %lld features of '%s', but got '%s'", i,
                     (long long)*n_features, text(state, operand), text(state, vector));
      return NULL;
    }
    *n_features = echo_hlo_merge_dim(*n_features, echo_type_dim(vector, 0));
  }
  return operand;
}

static bool infer_with_two_vectors(const EchoOpState *state, const EchoType *operand,
                                   int64_t n_features, const EchoType **types, size_t *n_types)
{
  types[0] = operand;
  types[1] = types[2] = echo_hlo_make_tensor(state, &n_features, 1, operand->as.shaped.element);
  *n_types = 3;
  return true;
}

bool echo_hlo_infer_batch_norm_training(const EchoOpState *state, const EchoRegion *regions,
                                        const EchoType **types, size_t *n_types)
{
  (void)regions;
  int64_t n_features;
  const EchoType *operand = check_batch_norm_or_null(state, 2, &n_features);
  return operand != NULL && infer_with_two_vectors(state, operand, n_features, types, n_types);
}

bool echo_hlo_infer_batch_norm_inference(const EchoOpState *state, const EchoRegion *regions,
                                         const EchoType **types, size_t *n_types)
{
  (void)regions;
  int64_t n_features;
  const EchoType *operand = check_batch_norm_or_null(state, 4, &n_features);
  return operand != NULL && echo_hlo_infer_one(types, n_types, operand);
}

bool echo_hlo_infer_batch_norm_grad(const EchoOpState *state, const EchoRegion *regions,
                                    const EchoType **types, size_t *n_types)
{
  (void)regions;
  int64_t n_features;
  const EchoType *operand = check_batch_norm_or_null(state, 3, &n_features);
  if (operand == NULL)
    return false;
  const EchoType *gradient = echo_hlo_state_tensor_or_null(state, 4);
  if (gradient == NULL || !echo_hlo_types_agree(operand, gradient))
    return gradient != NULL &&
           echo_hlo_error(state, "operand and grad_output have different types: '%s', '%s'",
                          text(state, operand), text(state, gradient));
  return infer_with_two_vectors(state, operand, n_features, types, n_types);
}

/* ---- linear algebra ---- */

static bool is_square(const EchoType *type)
{
  size_t rank = echo_type_rank(type);
  return rank >= 2 &&
         echo_hlo_dims_agree(echo_type_dim(type, rank - 1), echo_type_dim(type, rank - 2));
}

bool echo_hlo_infer_cholesky(const EchoOpState *state, const EchoRegion *regions,
                             const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *a = echo_hlo_state_tensor_or_null(state, 0);
  if (a != NULL && !is_square(a))
    return echo_hlo_error(state, "expects square matrices, but got '%s'", text(state, a));
  return a != NULL && echo_hlo_infer_one(types, n_types, a);
}

bool echo_hlo_infer_triangular_solve(const EchoOpState *state, const EchoRegion *regions,
                                     const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *a, *b;
  if (!echo_hlo_state_tensor_pair(state, &a, &b))
    return false;
  size_t rank = echo_type_rank(a);
  if (!is_square(a) || echo_type_rank(b) != rank || !echo_hlo_elements_agree(a, b))
    return echo_hlo_error(state,
                          "expects square matrices and right sides of the same rank and element "
                          "type, but got '%s' and '%s'",
                          text(state, a), text(state, b));
  const EchoAttr *left = echo_hlo_state_attr_or_null(state, "left_side");
  size_t shared = left != NULL && left->as.integer.value == 0 ? rank - 1 : rank - 2;
  for (size_t d = 0; d < rank; ++d)
    if ((d + 2 < rank || d == shared) &&
        !echo_hlo_dims_agree(echo_type_dim(a, d), echo_type_dim(b, d)))
      return echo_hlo_error(state, "a and b differ in dimension %zu: '%s', '%s'", d, text(state, a),
                            text(state, b));
  const EchoHloPayload *kind =
      echo_hlo_state_payload_or_null(state, "transpose_a", ECHO_HLO_ATTR_TRANSPOSE);
  if (kind == NULL)
    return false;
  if (kind->as.word == ECHO_TRANSPOSE_INVALID)
    return echo_hlo_error(state, "transpose_a must not be TRANSPOSE_INVALID");
  return echo_hlo_infer_one(types, n_types, b);
}

/* ---- FFT ---- */

enum { FFT, IFFT, RFFT, IRFFT };

static bool check_fft_lengths(const EchoOpState *state, const EchoType *operand,
                              EchoDimList lengths, int kind)
{
  size_t rank = echo_type_rank(operand);
  if (lengths.size < 1 || lengths.size > 3 || lengths.size > rank)
    return echo_hlo_error(state,
                          "fft_length has %zu entries, expected 1 to 3 and at most the rank %zu",
                          lengths.size, rank);
  for (size_t i = 0; i < lengths.size; ++i) {
    int64_t size = echo_type_dim(operand, rank - lengths.size + i);
    bool halved = kind == IRFFT && i + 1 == lengths.size;
    int64_t wanted =
        halved ? (lengths.dims[i] == 0 ? 0 : lengths.dims[i] / 2 + 1) : lengths.dims[i];
    if ((kind == RFFT || kind == IRFFT) && !echo_hlo_dims_agree(size, wanted))
      return echo_hlo_error(state, "fft_length asks for size %lld in dimension %zu of '%s'",
                            (long long)wanted, rank - lengths.size + i, text(state, operand));
  }
  return true;
}

bool echo_hlo_infer_fft(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                        size_t *n_types)
{
  (void)regions;
  const EchoType *operand = echo_hlo_state_tensor_or_null(state, 0);
  const EchoHloPayload *payload =
      echo_hlo_state_payload_or_null(state, "fft_type", ECHO_HLO_ATTR_FFT_TYPE);
  EchoDimList lengths = echo_hlo_state_dims(state, "fft_length");
  if (operand == NULL || payload == NULL ||
      !check_fft_lengths(state, operand, lengths, payload->as.word))
    return false;
  const EchoType *element = operand->as.shaped.element;
  if ((element->kind == ECHO_TYPE_COMPLEX) == (payload->as.word == RFFT))
    return echo_hlo_error(state, "%s does not take '%s'",
                          echo_hlo_enum(ECHO_HLO_ATTR_FFT_TYPE)->words[payload->as.word],
                          text(state, operand));
  if (payload->as.word == RFFT)
    element = echo_type_complex(state->ctx, element);
  if (payload->as.word == IRFFT)
    element = element->as.shaped.element;
  int64_t dims[ECHO_MAX_RANK];
  size_t rank = echo_type_rank(operand);
  for (size_t d = 0; d < rank; ++d)
    dims[d] = echo_type_dim(operand, d);
  int64_t *last = &dims[rank - 1];
  if (payload->as.word == RFFT && *last != ECHO_DYNAMIC)
    *last = *last == 0 ? 0 : *last / 2 + 1;
  if (payload->as.word == IRFFT)
    *last = lengths.dims[lengths.size - 1];
  return echo_hlo_infer_one(types, n_types, echo_hlo_make_tensor(state, dims, rank, element));
}

/* ---- random numbers ---- */

bool echo_hlo_verify_rng(const EchoOp *op)
{
  const EchoType *a = echo_op_operand_type(op, 0), *b = echo_op_operand_type(op, 1);
  const EchoType *shape = echo_op_operand_type(op, 2), *result = echo_op_result_type(op, 0);
  if (echo_type_rank(a) != 0 || echo_type_rank(b) != 0 || !echo_hlo_elements_agree(a, b) ||
      !echo_hlo_elements_agree(a, result))
    return echo_op_error(op, "a, b and the result must have one element type, a and b be scalars");
  if (!echo_hlo_dims_agree(echo_type_dim(shape, 0), echo_type_rank(result)))
    return echo_op_error(op, "shape has %lld entries for a result of rank %u",
                         (long long)echo_type_dim(shape, 0), echo_type_rank(result));
  if (!echo_hlo_check_said_shape(op, 2))
    return false;
  if (echo_stablehlo_rng_distribution(op) == ECHO_RNG_NORMAL &&
      a->as.shaped.element->kind != ECHO_TYPE_FLOAT)
    return echo_op_error(op, "a normal distribution needs floats, but got '%s'",
                         echo_type_text(echo_op_context(op), a));
  return true;
}

bool echo_hlo_verify_rng_bit_generator(const EchoOp *op)
{
  const EchoType *state = echo_op_operand_type(op, 0), *next = echo_op_result_type(op, 0);
  if (!echo_hlo_types_agree(state, next))
    return echo_op_error(op, "output_state has type '%s', initial_state '%s'",
                         echo_type_text(echo_op_context(op), next),
                         echo_type_text(echo_op_context(op), state));
  int64_t n;
  EchoRngAlgorithm algorithm = echo_stablehlo_rng_algorithm(op);
  uint32_t bits = echo_type_bit_width(state->as.shaped.element);
  if (algorithm == ECHO_RNG_DEFAULT || !echo_type_n_elements(state, &n) || bits != 64)
    return true; /* the size of other states is up to the implementation */
  if (n == 2 || (n == 3 && algorithm == ECHO_RNG_PHILOX))
    return true;
  return echo_op_error(op, "a state of %lld 64-bit words does not fit the algorithm", (long long)n);
}
