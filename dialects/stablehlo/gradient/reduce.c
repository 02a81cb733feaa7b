/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of reductions and batch normalisation. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"

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
  EchoHloOpcode opcode = echo_hlo_combiner(&op->regions[0]);
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

/* The op is, with c = x - mean, s^2 = variance + epsilon, a = scale / s and S = the sum over a
 * feature's n elements:
 *
 *   gx         a (g - S(g) / n - c S(g c) / (n s^2))
 *   g_scale    S(g c) / s
 *   g_offset   S(g)
 *
 * With G, u, w = the gradients of these three, and K = S(G g) - S(G) S(g) / n
 * - S(G c) S(g c) / (n s^2), of which a is the factor in the loss:
 *
 *   by g          a (G - S(G) / n - c S(G c) / (n s^2)) + u c / s + w
 *   by x          -a (g S(G c) + G S(g c)) / (n s^2) + u g / s
 *   by mean       the negative sum of that
 *   by scale      K / s
 *   by variance   -a K / (2 s^2) + a S(G c) S(g c) / (n s^4) - u S(g c) / (2 s^3) */
typedef struct BatchNormGrad {
  EchoBuilder *b;
  int64_t feature;
  EchoValue *x;                        /* for its shape */
  EchoValue *c, *g, *big_g;            /* of x's shape; big_g = G */
  EchoValue *scale, *inverse, *square; /* a feature each: 1 / s, 1 / (n s^2) */
  EchoValue *sum_g, *sum_gc, *sum_G, *sum_Gc, *u, *w;
  double n;
} BatchNormGrad;

static EchoValue *zero_or(EchoBuilder *b, EchoValue *value_or_null, EchoValue *like)
{
  return value_or_null != NULL ? value_or_null : echo_hlo_constant_like(b, like, 0);
}

static BatchNormGrad batch_norm_grad(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  BatchNormGrad p = {.b = b,
                     .feature = echo_op_attr_i64(op, "feature_index", 0),
                     .x = echo_op_operand(op, 0),
                     .scale = echo_op_operand(op, 1),
                     .g = echo_op_operand(op, 4)};
  EchoValue *mean = echo_op_operand(op, 2), *variance = echo_op_operand(op, 3);
  int64_t n_features = echo_type_dim(p.x->type, (size_t)p.feature);
  p.n = (double)echo_type_static_n_elements(p.x->type) / (double)(n_features != 0 ? n_features : 1);
  p.big_g = zero_or(b, echo_gradient_of_or_null(g, echo_op_result(op, 0)), p.x);
  p.u = zero_or(b, echo_gradient_of_or_null(g, echo_op_result(op, 1)), p.scale);
  p.w = zero_or(b, echo_gradient_of_or_null(g, echo_op_result(op, 2)), p.scale);
  p.c = echo_hlo_subtract(b, p.x, spread_feature(b, mean, p.x, p.feature));
  p.inverse = echo_hlo_rsqrt(
      b, echo_hlo_add(b, variance, echo_hlo_constant_like(b, variance, attr_epsilon(op))));
  p.square = echo_hlo_divide(b, echo_hlo_multiply(b, p.inverse, p.inverse),
                             echo_hlo_constant_like(b, p.inverse, p.n));
  p.sum_g = sum_but_feature(b, p.g, p.feature);
  p.sum_gc = sum_but_feature(b, echo_hlo_multiply(b, p.g, p.c), p.feature);
  p.sum_G = sum_but_feature(b, p.big_g, p.feature);
  p.sum_Gc = sum_but_feature(b, echo_hlo_multiply(b, p.big_g, p.c), p.feature);
  return p;
}

/* vector spread, times x-shaped */
static EchoValue *times(const BatchNormGrad *p, EchoValue *vector, EchoValue *tensor)
{
  return echo_hlo_multiply(p->b, spread_feature(p->b, vector, p->x, p->feature), tensor);
}

static EchoValue *by_g(const BatchNormGrad *p, EchoValue *a)
{
  EchoBuilder *b = p->b;
  EchoValue *n = echo_hlo_constant_like(b, p->sum_G, p->n);
  EchoValue *mean = spread_feature(b, echo_hlo_divide(b, p->sum_G, n), p->x, p->feature);
  EchoValue *pull = times(p, echo_hlo_multiply(b, p->sum_Gc, p->square), p->c);
  EchoValue *inside = echo_hlo_subtract(b, echo_hlo_subtract(b, p->big_g, mean), pull);
  EchoValue *rest = echo_hlo_add(b, times(p, echo_hlo_multiply(b, p->u, p->inverse), p->c),
                                 spread_feature(b, p->w, p->x, p->feature));
  return echo_hlo_add(b, times(p, a, inside), rest);
}

static EchoValue *by_x(const BatchNormGrad *p, EchoValue *a)
{
  EchoBuilder *b = p->b;
  EchoValue *sum = echo_hlo_add(b, times(p, p->sum_Gc, p->g), times(p, p->sum_gc, p->big_g));
  EchoValue *pull = times(p, echo_hlo_multiply(b, a, p->square), sum);
  return echo_hlo_subtract(b, times(p, echo_hlo_multiply(b, p->u, p->inverse), p->g), pull);
}

bool echo_hlo_differentiate_batch_norm_grad(EchoGradient *gradient, EchoOp *op)
{
  EchoBuilder *b = gradient->builder;
  BatchNormGrad p = batch_norm_grad(gradient, op);
  EchoValue *a = echo_hlo_multiply(b, p.scale, p.inverse);
  EchoValue *sums = echo_hlo_multiply(b, p.sum_G, p.sum_g);
  EchoValue *cross = echo_hlo_multiply(b, p.sum_Gc, p.sum_gc);
  EchoValue *cross_square = echo_hlo_multiply(b, cross, p.square); /* S(G c) S(g c) / (n s^2) */
  EchoValue *k = sum_but_feature(b, echo_hlo_multiply(b, p.big_g, p.g), p.feature);
  k = echo_hlo_subtract(b, k, echo_hlo_divide(b, sums, echo_hlo_constant_like(b, sums, p.n)));
  k = echo_hlo_subtract(b, k, cross_square);
  EchoValue *gx = by_x(&p, a);
  if (echo_gradient_needs(gradient, p.x))
    echo_gradient_add(gradient, p.x, gx);
  if (echo_gradient_needs(gradient, p.scale))
    echo_gradient_add(gradient, p.scale, echo_hlo_multiply(b, k, p.inverse));
  if (echo_gradient_needs(gradient, echo_op_operand(op, 2)))
    echo_gradient_add(gradient, echo_op_operand(op, 2),
                      echo_hlo_negate(b, sum_but_feature(b, gx, p.feature)));
  if (echo_gradient_needs(gradient, echo_op_operand(op, 3))) {
    EchoValue *half = echo_hlo_constant_like(b, k, 0.5);
    EchoValue *first = echo_hlo_subtract(b, cross_square, echo_hlo_multiply(b, half, k));
    EchoValue *second =
        echo_hlo_multiply(b, half, echo_hlo_multiply(b, p.u, p.sum_gc)); /* over s^3 */
    EchoValue *inside = echo_hlo_subtract(b, echo_hlo_multiply(b, a, first),
                                          echo_hlo_multiply(b, second, p.inverse));
    EchoValue *inverse_square = echo_hlo_multiply(b, p.inverse, p.inverse);
    echo_gradient_add(gradient, echo_op_operand(op, 3),
                      echo_hlo_multiply(b, inside, inverse_square));
  }
  if (echo_gradient_needs(gradient, p.g))
    echo_gradient_add(gradient, p.g, by_g(&p, a));
  return true;
}
