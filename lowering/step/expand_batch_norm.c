/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --expand-batch-norm: batch_norm_training, _inference and _grad in elementary stablehlo. It runs
 * behind --differentiate, whose rules keep less for the backward part when they see the whole op.
 * f16 and bf16 are computed in f32 and rounded once. Letters: x [..., C, ...], all else [C]; N =
 * elements a feature. */
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "lowering/lowering.h"

typedef struct Norm {
  EchoBuilder *b;
  EchoOp *op;
  const EchoType *element; /* at work */
  int64_t feature;
  int64_t others[ECHO_MAX_RANK]; /* dimensions but the feature's */
  size_t n_others;
  double n_each, epsilon;
} Norm;

static Norm norm_of(EchoBuilder *b, EchoOp *op)
{
  const EchoType *type = echo_op_operand_type(op, 0);
  const EchoType *element = echo_type_element(type);
  Norm norm = {.b = b,
               .op = op,
               .element = echo_type_element_bytes(type) < 4 ? echo_type_f32(b->ctx) : element,
               .feature = echo_op_attr_i64(op, "feature_index", 0),
               .epsilon = echo_op_attr_or_null(op, "epsilon")->as.floating.value};
  for (uint32_t d = 0; d < echo_type_rank(type); d++)
    if (d != norm.feature)
      norm.others[norm.n_others++] = d;
  int64_t n_features = echo_type_dim(type, (size_t)norm.feature);
  norm.n_each = n_features != 0 ? (double)(echo_type_static_n_elements(type) / n_features) : 0.0;
  return norm;
}

static EchoValue *operand(const Norm *norm, size_t i)
{
  return echo_hlo_convert(norm->b, echo_op_operand(norm->op, i), norm->element);
}

static EchoValue *spread(const Norm *norm, EchoValue *vector, const EchoValue *like)
{
  return echo_hlo_broadcast_in_dim(norm->b, vector, like->type, &norm->feature, 1);
}

static EchoValue *sum(const Norm *norm, EchoValue *x)
{
  return echo_hlo_reduce_sum(norm->b, x, norm->others, norm->n_others);
}

/* x / N. Division and not a product, so that the mean of equal numbers is that number. */
static EchoValue *mean(const Norm *norm, EchoValue *x)
{
  EchoValue *total = sum(norm, x);
  return echo_hlo_divide(norm->b, total, echo_hlo_constant_like(norm->b, total, norm->n_each));
}

static EchoValue *centered(const Norm *norm, EchoValue *x, EchoValue *by)
{
  return echo_hlo_subtract(norm->b, x, spread(norm, by, x));
}

/* 1 / sqrt(variance + epsilon) */
static EchoValue *inverse_deviation(const Norm *norm, EchoValue *variance)
{
  EchoValue *epsilon = echo_hlo_constant_like(norm->b, variance, norm->epsilon);
  return echo_hlo_rsqrt(norm->b, echo_hlo_add(norm->b, variance, epsilon));
}

/* c / deviation * scale + offset */
static EchoValue *scaled(const Norm *norm, EchoValue *c, EchoValue *variance)
{
  EchoBuilder *b = norm->b;
  EchoValue *slope = echo_hlo_multiply(b, inverse_deviation(norm, variance), operand(norm, 1));
  return echo_hlo_add(b, echo_hlo_multiply(b, c, spread(norm, slope, c)),
                      spread(norm, operand(norm, 2), c));
}

static size_t expand_training(const Norm *norm, EchoValue **results)
{
  EchoValue *x = operand(norm, 0);
  results[1] = mean(norm, x);
  EchoValue *c = centered(norm, x, results[1]);
  results[2] = mean(norm, echo_hlo_multiply(norm->b, c, c));
  results[0] = scaled(norm, c, results[2]);
  return 3;
}

static size_t expand_inference(const Norm *norm, EchoValue **results)
{
  EchoValue *c = centered(norm, operand(norm, 0), operand(norm, 3));
  results[0] = scaled(norm, c, operand(norm, 4));
  return 1;
}

/* scale / s (g - mean g - c / s^2 mean(g c)), s^2 = variance + epsilon, c = x - mean */
static size_t expand_grad(const Norm *norm, EchoValue **results)
{
  EchoBuilder *b = norm->b;
  EchoValue *g = operand(norm, 4), *c = centered(norm, operand(norm, 0), operand(norm, 2));
  EchoValue *inverse = inverse_deviation(norm, operand(norm, 3));
  EchoValue *total = sum(norm, g), *product = sum(norm, echo_hlo_multiply(b, g, c));
  EchoValue *n = echo_hlo_constant_like(b, total, norm->n_each);
  EchoValue *pull =
      echo_hlo_multiply(b, echo_hlo_divide(b, product, n), echo_hlo_multiply(b, inverse, inverse));
  EchoValue *inside = echo_hlo_subtract(b, g, spread(norm, echo_hlo_divide(b, total, n), g));
  inside = echo_hlo_subtract(b, inside, echo_hlo_multiply(b, c, spread(norm, pull, c)));
  EchoValue *slope = echo_hlo_multiply(b, operand(norm, 1), inverse);
  results[0] = echo_hlo_multiply(b, inside, spread(norm, slope, inside));
  results[1] = echo_hlo_multiply(b, product, inverse);
  results[2] = total;
  return 3;
}

static const struct {
  const char *op;
  size_t (*expand)(const Norm *norm, EchoValue **results);
} ROWS[] = {{"stablehlo.batch_norm_training", expand_training},
            {"stablehlo.batch_norm_inference", expand_inference},
            {"stablehlo.batch_norm_grad", expand_grad}};

static bool expand(EchoOp *op)
{
  size_t row = 0;
  while (row < sizeof ROWS / sizeof ROWS[0] && !echo_op_is(op, ROWS[row].op))
    row++;
  if (row == sizeof ROWS / sizeof ROWS[0])
    return false;
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs; /* the phase */
  Norm norm = norm_of(&b, op);
  EchoValue *results[3];
  size_t n = ROWS[row].expand(&norm, results);
  for (size_t i = 0; i < n; i++)
    echo_value_replace_all_uses(
        echo_op_result(op, i),
        echo_hlo_convert(&b, results[i], echo_type_element(echo_op_result_type(op, i))));
  echo_op_erase(op);
  return true;
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_expanded = 0;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    n_expanded += expand(op);
  }
  echo_pass_count(pass, "expanded", n_expanded);
  pass->keeps_all = n_expanded == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {{"expanded", "ops written out"}, {0}};

const EchoPass ECHO_PASS_EXPAND_BATCH_NORM = {
    .name = "expand-batch-norm",
    .summary = "write batch normalisation and its gradient out in elementary ops",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
