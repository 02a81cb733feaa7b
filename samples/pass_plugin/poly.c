/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plugin in one file: the dialect "poly", whose op poly.horner evaluates a polynomial
 * elementwise, and the pass poly-to-stablehlo that lowers it.
 *
 *   %y = "poly.horner"(%x) <{coefficients = array<f64: 3.0, 2.0, 1.0>}>
 *            : (tensor<4xf32>) -> tensor<4xf32>
 *
 * is 3 x^2 + 2 x + 1. */
#include <echo/dialects/stablehlo/build.h>
#include <echo/ir/pass/rewrite.h>
#include <echo/ir/table/dialect.h>
#include <echo/jit/driver/plugin.h>

/* ---- the dialect: one op, one row ---- */

static bool is_f64_array(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_DENSE_ARRAY &&
         echo_type_element_kind(attr->as.dense_array.element) == ECHO_ELEMENT_F64 &&
         attr->as.dense_array.size != 0;
}

static const EchoAttrConstraint constraints[] = {{"non-empty array<f64>", is_f64_array}, {0}};

static const EchoOpInfo ops[] = {
    {.name = "poly.horner",
     .operands = "x: tensor<float>",
     .results = "y: tensor<float>",
     .attrs = "coefficients: non-empty array<f64>",
     .traits = ECHO_PURE | ECHO_ELEMENTWISE | ECHO_SAME_TYPE,
     .summary = "a polynomial of x; the highest coefficient first"},
};

static const EchoDialect dialect = {
    .name = "poly",
    .summary = "polynomials",
    .stages = "model",
    .ops = ops,
    .n_ops = sizeof ops / sizeof ops[0],
    .attr_constraints = constraints,
};

/* ---- the pass: one pattern ---- */

static bool lower_horner(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *x = echo_op_operand(op, 0);
  const EchoAttr *coefficients = echo_op_attr_or_null(op, "coefficients");
  const double *c = coefficients->as.dense_array.data;
  EchoValue *y = echo_hlo_constant_like(b, x, c[0]);
  for (size_t i = 1; i < coefficients->as.dense_array.size; i++)
    y = echo_hlo_add(b, echo_hlo_multiply(b, y, x), echo_hlo_constant_like(b, x, c[i]));
  echo_rewriter_replace(rewriter, op, &y);
  return true;
}

static bool run(EchoPassRun *pass)
{
  static const EchoPattern patterns[] = {{"poly.horner", 0, lower_horner, "Horner's rule"}};
  const EchoRewriteOptions options = {.patterns = patterns, .n_patterns = 1};
  uint64_t n_rewrites;
  bool ok = echo_rewrite_greedily(pass->op, &options, &n_rewrites);
  echo_pass_count(pass, "lowered", n_rewrites);
  return ok;
}

static const EchoPassStatistic statistics[] = {{"lowered", "polynomials lowered"}, {0}};

static const EchoPass poly_to_stablehlo = {
    .name = "poly-to-stablehlo",
    .summary = "lower poly to stablehlo",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};

/* On the way to "tensor" every tool runs it by itself. */
static const EchoStageLowering lowering = {"poly", "tensor", "poly-to-stablehlo"};

/* ---- what the tool looks for ---- */

const EchoPluginInfo *echo_plugin_info(void);
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoPass *const passes[] = {&poly_to_stablehlo, NULL};
  static const EchoDialect *const dialects[] = {&dialect, NULL};
  static const EchoStageLowering *const lowerings[] = {&lowering, NULL};
  static const EchoPluginInfo info = {
      .api_version = ECHO_PLUGIN_API_VERSION,
      .name = "poly",
      .version = "1.0",
      .passes = passes,
      .dialects = dialects,
      .lowerings = lowerings,
  };
  return &info;
}
