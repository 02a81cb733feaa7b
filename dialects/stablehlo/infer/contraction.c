/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shapes of dot, dot_general and convolution. The element type of the result may be wider than the
 * operands' (it is written on the op); inference answers lhs's, and the verifier compares shapes.
 */
#include "dialects/stablehlo/infer/infer_t.h"
#include "dialects/stablehlo/opcode.h"

static const char *text(const EchoOpState *state, const EchoType *type)
{
  return echo_type_text(state->ctx, type);
}

static bool check_precision_config(const EchoOpState *state)
{
  const EchoAttr *config = echo_hlo_state_attr_or_null(state, "precision_config");
  bool has_algorithm = echo_hlo_state_attr_or_null(state, "algorithm") != NULL;
  for (size_t i = 0; has_algorithm && config != NULL && i < config->as.array.size; ++i) {
    const EchoHloPayload *word =
        echo_hlo_payload_or_null(config->as.array.elements[i], ECHO_HLO_ATTR_PRECISION);
    if (word != NULL && word->as.word != ECHO_PRECISION_DEFAULT)
      return echo_hlo_error(state, "must have DEFAULT precision when an algorithm is set");
  }
  return config == NULL || config->kind != ECHO_ATTR_ARRAY || config->as.array.size <= 2 ||
         echo_hlo_error(state, "precision_config has %zu entries, expected 2 at most",
                        config->as.array.size);
}

bool echo_hlo_infer_dot(const EchoOpState *state, const EchoRegion *regions, const EchoType **types,
                        size_t *n_types)
{
  (void)regions;
  const EchoType *lhs, *rhs;
  if (!echo_hlo_state_tensor_pair(state, &lhs, &rhs) || !check_precision_config(state))
    return false;
  size_t left = echo_type_rank(lhs), right = echo_type_rank(rhs);
  if (left < 1 || left > 2 || right < 1 || right > 2)
    return echo_hlo_error(state, "expects vectors and matrices, but got '%s' and '%s'",
                          text(state, lhs), text(state, rhs));
  if (!echo_hlo_dims_agree(echo_type_dim(lhs, left - 1), echo_type_dim(rhs, 0)))
    return echo_hlo_error(state, "contracted dimensions have different sizes in '%s' and '%s'",
                          text(state, lhs), text(state, rhs));
  int64_t dims[2];
  size_t rank = 0;
  if (left == 2)
    dims[rank++] = echo_type_dim(lhs, 0);
  if (right == 2)
    dims[rank++] = echo_type_dim(rhs, 1);
  return echo_hlo_infer_shape(state, lhs, dims, rank, types, n_types);
}

/* Batching and contracting dimensions of one side: in range, none twice. */
static bool check_dot_side(const EchoOpState *state, EchoDimList batching, EchoDimList contracting,
                           int64_t rank, const char *side)
{
  EchoBuffer name = {0};
  echo_buffer_printf(&name, "list of batching dimensions of %s", side);
  bool ok = echo_hlo_check_dims(state, batching, rank, echo_buffer_c_str(&name));
  echo_buffer_clear(&name);
  echo_buffer_printf(&name, "list of contracting dimensions of %s", side);
  ok = ok && echo_hlo_check_dims(state, contracting, rank, echo_buffer_c_str(&name));
  echo_buffer_destroy(&name);
  for (size_t i = 0; ok && i < batching.size; ++i)
    if (echo_dim_list_has(contracting, batching.dims[i]))
      return echo_hlo_error(state, "dimension %lld of %s is both batching and contracting",
                            (long long)batching.dims[i], side);
  return ok;
}

static bool check_dot_pairs(const EchoOpState *state, const EchoType *lhs, EchoDimList left,
                            const EchoType *rhs, EchoDimList right, const char *what)
{
  if (left.size != right.size)
    return echo_hlo_error(state, "lhs has %zu %s dimensions, rhs has %zu", left.size, what,
                          right.size);
  for (size_t i = 0; i < left.size; ++i) {
    int64_t a = echo_type_dim(lhs, (size_t)left.dims[i]);
    int64_t b = echo_type_dim(rhs, (size_t)right.dims[i]);
    if (!echo_hlo_dims_agree(a, b))
      return echo_hlo_error(state, "%s dimension %zu has size %lld in lhs, %lld in rhs", what, i,
                            (long long)a, (long long)b);
  }
  return true;
}

static size_t append_free(const EchoType *type, EchoDimList batching, EchoDimList contracting,
                          int64_t *dims, size_t rank)
{
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (!echo_dim_list_has(batching, (int64_t)d) && !echo_dim_list_has(contracting, (int64_t)d))
      dims[rank++] = echo_type_dim(type, d);
  return rank;
}

bool echo_hlo_infer_dot_general(const EchoOpState *state, const EchoRegion *regions,
                                const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *lhs, *rhs;
  if (!echo_hlo_state_tensor_pair(state, &lhs, &rhs))
    return false;
  const EchoHloPayload *payload =
      echo_hlo_state_payload_or_null(state, "dot_dimension_numbers", ECHO_HLO_ATTR_DOT);
  if (payload == NULL || !check_precision_config(state))
    return false;
  const EchoDotDims *dims = &payload->as.dot;
  if (!check_dot_side(state, dims->lhs_batching, dims->lhs_contracting, echo_type_rank(lhs),
                      "lhs") ||
      !check_dot_side(state, dims->rhs_batching, dims->rhs_contracting, echo_type_rank(rhs),
                      "rhs") ||
      !check_dot_pairs(state, lhs, dims->lhs_batching, rhs, dims->rhs_batching, "batching") ||
      !check_dot_pairs(state, lhs, dims->lhs_contracting, rhs, dims->rhs_contracting,
                       "contracting"))
    return false;
  int64_t result[2 * ECHO_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0; i < dims->lhs_batching.size; ++i)
    result[rank++] = echo_hlo_merge_dim(echo_type_dim(lhs, (size_t)dims->lhs_batching.dims[i]),
                                        echo_type_dim(rhs, (size_t)dims->rhs_batching.dims[i]));
  rank = append_free(lhs, dims->lhs_batching, dims->lhs_contracting, result, rank);
  rank = append_free(rhs, dims->rhs_batching, dims->rhs_contracting, result, rank);
  if (rank > ECHO_MAX_RANK)
    return echo_hlo_error(state, "result has more than %d dimensions", ECHO_MAX_RANK);
  return echo_hlo_infer_shape(state, lhs, result, rank, types, n_types);
}

/* ---- convolution ---- */

/* Batch, feature and spatial dimensions of one side: each dimension exactly once. */
static bool check_conv_side(const EchoOpState *state, int64_t first, int64_t second,
                            EchoDimList spatial, int64_t rank, const char *side)
{
  int64_t all[ECHO_MAX_RANK];
  if ((size_t)rank != spatial.size + 2)
    return echo_hlo_error(state, "%s dimension numbers are of rank %zu, expected %lld", side,
                          spatial.size + 2, (long long)rank);
  all[0] = first;
  all[1] = second;
  for (size_t i = 0; i < spatial.size; ++i)
    all[i + 2] = spatial.dims[i];
  return echo_hlo_check_dims(state, (EchoDimList){all, (size_t)rank}, rank, side);
}

static bool check_conv_dims(const EchoOpState *state, const EchoConvDims *dims, const EchoType *lhs,
                            const EchoType *rhs)
{
  int64_t rank = echo_type_rank(lhs);
  if (rank < 2 || echo_type_rank(rhs) != rank)
    return echo_hlo_error(state,
                          "expects operands of the same rank of at least 2, but got '%s' and '%s'",
                          text(state, lhs), text(state, rhs));
  return check_conv_side(state, dims->input_batch, dims->input_feature, dims->input_spatial, rank,
                         "input") &&
         check_conv_side(state, dims->kernel_input_feature, dims->kernel_output_feature,
                         dims->kernel_spatial, rank, "kernel") &&
         check_conv_side(state, dims->output_batch, dims->output_feature, dims->output_spatial,
                         rank, "output");
}

/* Plain operands have one element type; beside a quantized one, the other may be anything. */
static bool check_conv_elements(const EchoOpState *state, const EchoType *lhs, const EchoType *rhs)
{
  return echo_hlo_elements_agree(lhs, rhs) ||
         echo_hlo_error(state,
                        "requires the same element type for both operands, but got '%s' and '%s'",
                        text(state, lhs), text(state, rhs));
}

static bool divides(int64_t size, int64_t count)
{
  return size == ECHO_DYNAMIC || size % count == 0;
}

static bool check_conv_groups(const EchoOpState *state, const EchoConvDims *dims,
                              const EchoType *lhs, const EchoType *rhs, int64_t feature_groups,
                              int64_t batch_groups)
{
  int64_t batch = echo_type_dim(lhs, (size_t)dims->input_batch);
  int64_t features = echo_type_dim(lhs, (size_t)dims->input_feature);
  int64_t kernel_in = echo_type_dim(rhs, (size_t)dims->kernel_input_feature);
  int64_t kernel_out = echo_type_dim(rhs, (size_t)dims->kernel_output_feature);
  if (feature_groups <= 0 || batch_groups <= 0 || (feature_groups > 1 && batch_groups > 1))
    return echo_hlo_error(state, "group counts %lld and %lld must be positive and one of them 1",
                          (long long)feature_groups, (long long)batch_groups);
  if (!divides(batch, batch_groups) || !divides(features, feature_groups) ||
      !divides(kernel_out, batch_groups) || !divides(kernel_out, feature_groups))
    return echo_hlo_error(
        state,
        "batch %lld, input features %lld and output features %lld are not multiples of "
        "the group counts %lld and %lld",
        (long long)batch, (long long)features, (long long)kernel_out, (long long)batch_groups,
        (long long)feature_groups);
  if (features != ECHO_DYNAMIC && !echo_hlo_dims_agree(kernel_in, features / feature_groups))
    return echo_hlo_error(state, "kernel has %lld input features, expected %lld / %lld",
                          (long long)kernel_in, (long long)features, (long long)feature_groups);
  return true;
}

static bool conv_windows(const EchoOpState *state, const EchoConvDims *dims, const EchoType *rhs,
                         EchoWindowDim *windows)
{
  static const EchoHloWindowNames names = {"window_strides", "lhs_dilation", "rhs_dilation",
                                           "window_reversal"};
  int64_t sizes[ECHO_MAX_RANK];
  size_t n = dims->kernel_spatial.size;
  for (size_t i = 0; i < n; ++i)
    sizes[i] = echo_type_dim(rhs, (size_t)dims->kernel_spatial.dims[i]);
  return echo_hlo_state_windows(state, (EchoDimList){sizes, n}, &names, windows);
}

bool echo_hlo_infer_convolution(const EchoOpState *state, const EchoRegion *regions,
                                const EchoType **types, size_t *n_types)
{
  (void)regions;
  const EchoType *lhs, *rhs;
  if (!echo_hlo_state_tensor_pair(state, &lhs, &rhs))
    return false;
  const EchoHloPayload *payload =
      echo_hlo_state_payload_or_null(state, "dimension_numbers", ECHO_HLO_ATTR_CONV);
  int64_t feature_groups = echo_hlo_state_i64(state, "feature_group_count", 1);
  int64_t batch_groups = echo_hlo_state_i64(state, "batch_group_count", 1);
  EchoWindowDim windows[ECHO_MAX_RANK];
  if (payload == NULL || !check_precision_config(state))
    return false;
  const EchoConvDims *dims = &payload->as.conv;
  if (!check_conv_elements(state, lhs, rhs) || !check_conv_dims(state, dims, lhs, rhs) ||
      !check_conv_groups(state, dims, lhs, rhs, feature_groups, batch_groups) ||
      !conv_windows(state, dims, rhs, windows))
    return false;
  int64_t result[ECHO_MAX_RANK], batch = echo_type_dim(lhs, (size_t)dims->input_batch);
  result[dims->output_batch] = batch == ECHO_DYNAMIC ? batch : batch / batch_groups;
  result[dims->output_feature] = echo_type_dim(rhs, (size_t)dims->kernel_output_feature);
  for (size_t i = 0; i < dims->output_spatial.size; ++i)
    if (!echo_hlo_window_dim(state, &windows[i],
                             echo_type_dim(lhs, (size_t)dims->input_spatial.dims[i]),
                             &result[dims->output_spatial.dims[i]]))
      return false;
  return echo_hlo_infer_shape(state, lhs, result, echo_type_rank(lhs), types, n_types);
}

static EchoInferFn *infer_of(const EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_DOT:
    return echo_hlo_infer_dot;
  case ECHO_HLO_DOT_GENERAL:
    return echo_hlo_infer_dot_general;
  default:
    return echo_hlo_infer_convolution;
  }
}

static bool check_quantized(const EchoOp *op)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_DOT:
    return true; /* an op of old programs, of which nothing more is asked */
  case ECHO_HLO_DOT_GENERAL:
    return echo_hlo_check_quantized_contraction(op, NULL,
                                                echo_stablehlo_dot_dims(op)->rhs_contracting);
  default:
    return echo_hlo_check_quantized_contraction(op, echo_stablehlo_conv_dims(op),
                                                (EchoDimList){NULL, 0});
  }
}

bool echo_hlo_verify_contraction(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  const EchoType *type = NULL;
  size_t n_types = 1;
  bool ok = infer_of(op)(&state, op->regions, &type, &n_types);
  if (ok && !echo_hlo_shapes_agree(type, echo_op_result_type(op, 0)))
    ok = echo_op_error(op, "result has type '%s', inferred shape of '%s'",
                       echo_type_text(state.ctx, echo_op_result_type(op, 0)),
                       echo_type_text(state.ctx, type));
  echo_free(operands);
  return ok && check_quantized(op);
}

bool echo_hlo_verify_dynamic_conv(const EchoOp *op)
{
  EchoValue **operands;
  EchoOpState state = echo_hlo_state_of(op, &operands);
  const EchoType *lhs = echo_op_operand_type(op, 0), *rhs = echo_op_operand_type(op, 1);
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  EchoWindowDim windows[ECHO_MAX_RANK];
  const EchoType *padding = echo_op_operand_type(op, 2);
  bool ok = check_precision_config(&state) && check_conv_elements(&state, lhs, rhs) &&
            check_conv_dims(&state, dims, lhs, rhs) &&
            check_conv_groups(&state, dims, lhs, rhs, echo_stablehlo_feature_group_count(op),
                              echo_stablehlo_batch_group_count(op)) &&
            conv_windows(&state, dims, rhs, windows) &&
            (echo_type_rank(echo_op_result_type(op, 0)) == echo_type_rank(lhs) ||
             echo_op_error(op, "result must have the operands' rank %u", echo_type_rank(lhs)));
  if (ok && (echo_type_rank(padding) != 2 ||
             !echo_hlo_dims_agree(echo_type_dim(padding, 0), (int64_t)echo_type_rank(lhs) - 2) ||
             !echo_hlo_dims_agree(echo_type_dim(padding, 1), 2)))
    ok = echo_op_error(op, "expects padding of shape %ux2, but got '%s'", echo_type_rank(lhs) - 2,
                       echo_type_text(state.ctx, padding));
  echo_free(operands);
  return ok && check_quantized(op);
}
