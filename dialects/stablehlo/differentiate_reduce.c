/* Gradients of reductions, windows, sorting and batch normalisation. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks.h"

/* The opcode of a combiner that is one op on the two arguments of its block (in either order);
 * ECHO_N_HLO_OPCODES otherwise. */
static EchoHloOpcode combiner(const EchoRegion *region)
{
  const EchoBlock *block = region->first;
  const EchoOp *op = block->first;
  if (block->n_args != 2 || op == NULL || op->next != block->last || op->n_operands != 2)
    return ECHO_N_HLO_OPCODES;
  const EchoValue *a = echo_op_operand(op, 0), *b = echo_op_operand(op, 1);
  bool is_plain = (a == echo_block_arg(block, 0) && b == echo_block_arg(block, 1)) ||
                  (a == echo_block_arg(block, 1) && b == echo_block_arg(block, 0));
  return is_plain && echo_op_operand(block->last, 0) == echo_op_result(op, 0) ? echo_hlo_opcode(op)
                                                                              : ECHO_N_HLO_OPCODES;
}

static EchoValue *ones_like(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_constant_like(b, x, 1);
}

/* Every element equal to the extremum gets an equal share of gy. */
static EchoValue *extremum_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy, EchoDimList dims)
{
  EchoBuilder *b = g->builder;
  EchoValue *x = echo_op_operand(op, 0);
  EchoValue *y = echo_op_result(op, 0);
  EchoValue *spread = echo_hlo_broadcast_reduced(b, y, x->type, dims.dims, dims.size);
  EchoValue *mask = echo_hlo_convert(b, echo_hlo_compare(b, ECHO_COMPARE_EQ, x, spread),
                                     echo_type_element(x->type));
  EchoValue *count = echo_hlo_reduce_sum(b, mask, dims.dims, dims.size);
  /* Nobody equals the extremum where the initial value won: no share, and no division by zero. */
  EchoValue *share = echo_hlo_divide(b, gy, echo_hlo_maximum(b, count, ones_like(b, count)));
  return echo_hlo_multiply(b, mask,
                           echo_hlo_broadcast_reduced(b, share, x->type, dims.dims, dims.size));
}

/* Product of all other elements times gy. x = 0 must not be divided by: the product of the others
 * is taken from running products from both ends along the one flattened reduced dimension, as two
 * windows. */
static EchoValue *product_gradient(EchoGradient *g, EchoOp *op, EchoValue *gy, EchoDimList dims)
{
  EchoBuilder *b = g->builder;
  EchoValue *x = echo_op_operand(op, 0);
  uint32_t rank = echo_type_rank(x->type);
  int64_t permutation[ECHO_MAX_RANK], inverse[ECHO_MAX_RANK], flat[ECHO_MAX_RANK];
  size_t n_kept = 0;
  int64_t n_reduced = 1;
  for (uint32_t d = 0; d < rank; d++)
    if (!echo_dim_list_has(dims, d)) {
      flat[n_kept] = echo_type_dim(x->type, d);
      permutation[n_kept++] = d;
    }
  size_t at = n_kept;
  for (uint32_t d = 0; d < rank; d++)
    if (echo_dim_list_has(dims, d)) {
      n_reduced *= echo_type_dim(x->type, d);
      permutation[at++] = d;
    }
  flat[n_kept] = n_reduced;
  EchoValue *moved = echo_hlo_transpose(b, x, permutation);
  EchoValue *rows = echo_hlo_reshape(b, moved, flat, n_kept + 1);
  EchoWindowDim before[ECHO_MAX_RANK], after[ECHO_MAX_RANK];
  for (size_t i = 0; i <= n_kept; i++)
    before[i] = after[i] = (EchoWindowDim){1, 1, 1, 1, 0, 0, false};
  before[n_kept] = (EchoWindowDim){n_reduced, 1, 1, 1, n_reduced, -1, false};
  after[n_kept] = (EchoWindowDim){n_reduced, 1, 1, 1, -1, n_reduced, false};
  EchoValue *one = echo_hlo_scalar_f64(b, echo_type_element(x->type), 1);
  EchoValue *others =
      echo_hlo_multiply(b, echo_hlo_reduce_window(b, rows, one, before, "stablehlo.multiply"),
                        echo_hlo_reduce_window(b, rows, one, after, "stablehlo.multiply"));
  EchoValue *others_moved = echo_hlo_reshape(b, others, moved->type->as.shaped.dims, rank);
  for (uint32_t i = 0; i < rank; i++)
    inverse[permutation[i]] = i;
  EchoValue *slope = echo_hlo_transpose(b, others_moved, inverse);
  EchoValue *init = echo_op_operand(op, 1);
  EchoValue *scaled = echo_hlo_multiply(b, gy, echo_hlo_broadcast_scalar(b, init, gy->type));
  return echo_hlo_multiply(b, slope,
                           echo_hlo_broadcast_reduced(b, scaled, x->type, dims.dims, dims.size));
}

bool echo_hlo_differentiate_reduce(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0)), *x = echo_op_operand(op, 0);
  bool wants = gy != NULL && echo_gradient_needs(g, x);
  if (op->n_results != 1) {
    for (uint32_t i = 0; i < op->n_results; i++)
      if (echo_gradient_of_or_null(g, echo_op_result(op, i)) != NULL)
        return echo_op_error(op, "has no gradient: only reductions of one operand are "
                                 "differentiated");
    return true;
  }
  EchoHloOpcode opcode = combiner(&op->regions[0]);
  if (gy != NULL && echo_gradient_needs(g, echo_op_operand(op, 1)) && opcode != ECHO_HLO_ADD)
    return echo_op_error(op, "has no gradient by its initial value");
  if (gy != NULL && opcode == ECHO_HLO_ADD && echo_gradient_needs(g, echo_op_operand(op, 1))) {
    int64_t all[ECHO_MAX_RANK];
    uint32_t rank = echo_type_rank(gy->type);
    for (uint32_t i = 0; i < rank; i++)
      all[i] = i;
    echo_gradient_add(g, echo_op_operand(op, 1),
                      rank != 0 ? echo_hlo_reduce_sum(b, gy, all, rank) : gy);
  }
  if (!wants)
    return true;
  switch (opcode) {
  case ECHO_HLO_ADD:
    echo_gradient_add(g, x, echo_hlo_broadcast_reduced(b, gy, x->type, dims.dims, dims.size));
    return true;
  case ECHO_HLO_MAXIMUM:
  case ECHO_HLO_MINIMUM:
    echo_gradient_add(g, x, extremum_gradient(g, op, gy, dims));
    return true;
  case ECHO_HLO_MULTIPLY:
    echo_gradient_add(g, x, product_gradient(g, op, gy, dims));
    return true;
  default:
    return echo_op_error(op, "has no gradient: only sums, products, maxima and minima are "
                             "differentiated");
  }
}

/* Sum pooling: each input gets the sum of gy over the windows that cover it, which is a window sum
 * of gy spread by the strides. */
static EchoValue *window_sum_gradient(EchoGradient *g, EchoValue *x, EchoValue *gy,
                                      const EchoWindowDim *windows, size_t n)
{
  EchoBuilder *b = g->builder;
  EchoWindowDim back[ECHO_MAX_RANK];
  for (size_t i = 0; i < n; i++) {
    const EchoWindowDim *w = &windows[i];
    int64_t window = (w->size - 1) * w->window_dilation + 1;
    int64_t size = echo_type_dim(x->type, i), outputs = echo_type_dim(gy->type, i);
    int64_t input = size == 0 ? 0 : (size - 1) * w->base_dilation + 1;
    int64_t output = outputs == 0 ? 0 : (outputs - 1) * w->stride + 1;
    int64_t low = window - 1 - w->padding_low;
    back[i] = (EchoWindowDim){.size = w->size,
                              .stride = w->base_dilation,
                              .base_dilation = w->stride,
                              .window_dilation = w->window_dilation,
                              .padding_low = low,
                              .padding_high = input + window - 1 - output - low};
  }
  EchoValue *zero = echo_hlo_scalar_f64(b, echo_type_element(x->type), 0);
  return echo_hlo_reduce_window(b, gy, zero, back, "stablehlo.add");
}

bool echo_hlo_differentiate_reduce_window(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0)), *x = echo_op_operand(op, 0);
  if (gy == NULL || !echo_gradient_needs(g, x))
    return true;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(op, windows);
  EchoHloOpcode opcode = op->n_results == 1 ? combiner(&op->regions[0]) : ECHO_N_HLO_OPCODES;
  if (opcode == ECHO_HLO_ADD) {
    echo_gradient_add(g, x, window_sum_gradient(g, x, gy, windows, n));
    return true;
  }
  bool is_plain = true; /* select_and_scatter knows neither dilation */
  for (size_t i = 0; i < n; i++)
    is_plain &= windows[i].base_dilation == 1 && windows[i].window_dilation == 1;
  if ((opcode != ECHO_HLO_MAXIMUM && opcode != ECHO_HLO_MINIMUM) || !is_plain)
    return echo_op_error(op, "has no gradient: only window sums, and undilated maxima and minima, "
                             "are differentiated");
  EchoValue *zero = echo_hlo_scalar_f64(b, echo_type_element(x->type), 0);
  echo_gradient_add(
      g, x,
      echo_hlo_select_and_scatter(b, x, gy, zero, windows,
                                  opcode == ECHO_HLO_MAXIMUM ? ECHO_COMPARE_GE : ECHO_COMPARE_LE,
                                  "stablehlo.add"));
  return true;
}

/* The flat position each output of a select_and_scatter that adds reads its source from would be
 * its own select; the gradient by the source gathers gy at the selected places: a reduce_window
 * that carries (value, gy) pairs. */
bool echo_hlo_differentiate_select_and_scatter(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  EchoValue *source = echo_op_operand(op, 1);
  if (gy == NULL || !echo_gradient_needs(g, source))
    return true;
  return echo_op_error(op, "has no gradient: second derivatives of windowed maxima are not "
                           "supported");
}

/* ---- batch normalisation ---- */

/* A per-feature vector spread over x's shape. */
static EchoValue *spread_feature(EchoBuilder *b, EchoValue *vector, EchoValue *x, int64_t feature)
{
  return echo_hlo_broadcast_in_dim(b, vector, x->type, &feature, 1);
}

static EchoValue *sum_but_feature(EchoBuilder *b, EchoValue *x, int64_t feature)
{
  int64_t dims[ECHO_MAX_RANK];
  size_t n = 0;
  for (uint32_t d = 0; d < echo_type_rank(x->type); d++)
    if (d != feature)
      dims[n++] = d;
  return echo_hlo_reduce_sum(b, x, dims, n);
}

static double attr_epsilon(const EchoOp *op)
{
  return echo_op_attr_or_null(op, "epsilon")->as.floating.value;
}

bool echo_hlo_differentiate_batch_norm_inference(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  int64_t feature = echo_op_attr_i64(op, "feature_index", 0);
  EchoValue *values[5];
  for (uint32_t i = 0; i < 5; i++)
    values[i] = echo_op_operand(op, i);
  EchoValue *x = values[0], *scale = values[1], *mean = values[3], *variance = values[4];
  EchoValue *inverse = echo_hlo_rsqrt(
      b, echo_hlo_add(b, variance, echo_hlo_constant_like(b, variance, attr_epsilon(op))));
  EchoValue *slope = echo_hlo_multiply(b, scale, inverse);
  EchoValue *gx = echo_hlo_multiply(b, gy, spread_feature(b, slope, x, feature));
  if (echo_gradient_needs(g, echo_op_operand(op, 0)))
    echo_gradient_add(g, echo_op_operand(op, 0), gx);
  EchoValue *centered = echo_hlo_subtract(b, x, spread_feature(b, mean, x, feature));
  EchoValue *product = sum_but_feature(b, echo_hlo_multiply(b, gy, centered), feature);
  if (echo_gradient_needs(g, echo_op_operand(op, 1)))
    echo_gradient_add(g, echo_op_operand(op, 1), echo_hlo_multiply(b, product, inverse));
  if (echo_gradient_needs(g, echo_op_operand(op, 2)))
    echo_gradient_add(g, echo_op_operand(op, 2), sum_but_feature(b, gy, feature));
  if (echo_gradient_needs(g, echo_op_operand(op, 3)))
    echo_gradient_add(g, echo_op_operand(op, 3),
                      echo_hlo_negate(b, sum_but_feature(b, gx, feature)));
  if (echo_gradient_needs(g, echo_op_operand(op, 4))) { /* -1/2 scale inverse^3 sum(gy centered) */
    EchoValue *cube = echo_hlo_multiply(b, inverse, echo_hlo_multiply(b, inverse, inverse));
    EchoValue *half = echo_hlo_multiply(b, cube, echo_hlo_constant_like(b, cube, -0.5));
    echo_gradient_add(g, echo_op_operand(op, 4),
                      echo_hlo_multiply(b, echo_hlo_multiply(b, half, scale), product));
  }
  return true;
}

/* output by batch_norm_grad; the batch mean and variance (results 1 and 2) by their definitions. */
bool echo_hlo_differentiate_batch_norm_training(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  int64_t feature = echo_op_attr_i64(op, "feature_index", 0);
  EchoValue *x = echo_op_operand(op, 0);
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  EchoValue *g_mean = echo_gradient_of_or_null(g, echo_op_result(op, 1));
  EchoValue *g_variance = echo_gradient_of_or_null(g, echo_op_result(op, 2));
  EchoValue *mean = echo_op_result(op, 1);
  if (gy != NULL) {
    EchoValue *operands[] = {x, echo_op_operand(op, 1), mean, echo_op_result(op, 2), gy};
    const EchoAttrArg attrs[] = {{"epsilon", echo_op_attr_or_null(op, "epsilon")},
                                 {"feature_index", echo_op_attr_or_null(op, "feature_index")}};
    EchoOp *backward =
        echo_build_op(b, "stablehlo.batch_norm_grad", operands, 5, NULL, 0, attrs, 2);
    for (uint32_t i = 0; i < 3; i++)
      if (echo_gradient_needs(g, echo_op_operand(op, i)))
        echo_gradient_add(g, echo_op_operand(op, i), echo_op_result(backward, i));
  }
  if (!echo_gradient_needs(g, echo_op_operand(op, 0)))
    return true;
  double n = (double)echo_type_static_n_elements(x->type) /
             (double)echo_type_dim(x->type, (size_t)feature);
  if (g_mean != NULL) {
    EchoValue *share = echo_hlo_multiply(b, g_mean, echo_hlo_constant_like(b, g_mean, 1 / n));
    echo_gradient_add(g, echo_op_operand(op, 0), spread_feature(b, share, x, feature));
  }
  if (g_variance != NULL) {
    EchoValue *share =
        echo_hlo_multiply(b, g_variance, echo_hlo_constant_like(b, g_variance, 2 / n));
    EchoValue *centered = echo_hlo_subtract(b, x, spread_feature(b, mean, x, feature));
    echo_gradient_add(g, echo_op_operand(op, 0),
                      echo_hlo_multiply(b, centered, spread_feature(b, share, x, feature)));
  }
  return true;
}

bool echo_hlo_differentiate_batch_norm_grad(EchoGradient *g, EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_gradient_of_or_null(g, echo_op_result(op, i)) != NULL)
      return echo_op_error(op, "has no gradient: second derivatives of batch normalisation are not "
                               "supported");
  return true;
}
