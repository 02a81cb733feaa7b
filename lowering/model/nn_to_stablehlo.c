/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --nn-to-stablehlo: layers, losses and optimizers to tensor ops. nn.gradient and nn.stop_gradient
 * stay for --differentiate. */
#include "lowering/model/nn_to_stablehlo_t.h"

#include "base/vector.h"
#include "ir/pass/pass.h"
#include "lowering/lowering.h"

double echo_nn_attr(const EchoOp *op, const char *name, double otherwise)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, name);
  return attr != NULL ? attr->as.floating.value : otherwise;
}

static bool run(EchoPassRun *pass)
{
  ECHO_VECTOR(EchoPattern) patterns = {0};
  const struct {
    const EchoPattern *rows;
    size_t n;
  } tables[] = {{ECHO_NN_LAYER_PATTERNS, ECHO_N_NN_LAYER_PATTERNS},
                {ECHO_NN_SEQUENCE_PATTERNS, ECHO_N_NN_SEQUENCE_PATTERNS},
                {ECHO_NN_TRAINING_PATTERNS, ECHO_N_NN_TRAINING_PATTERNS}};
  for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
    for (size_t i = 0; i < tables[t].n; i++)
      echo_vector_push(&patterns, tables[t].rows[i]);
  const EchoRewriteOptions options = {.patterns = patterns.data, .n_patterns = patterns.size};
  uint64_t n_rewrites = 0;
  bool ok = echo_rewrite_greedily(pass->op, &options, &n_rewrites);
  echo_pass_count(pass, "lowered", n_rewrites);
  echo_vector_destroy(&patterns);
  return ok;
}

static const EchoPassStatistic statistics[] = {{"lowered", "nn ops lowered"}, {0}};

const EchoPass ECHO_PASS_NN_TO_STABLEHLO = {
    .name = "nn-to-stablehlo",
    .summary = "lower layers, losses and optimizers to stablehlo",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
