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

bool echo_nn_flag(const EchoOp *op, const char *name, bool otherwise)
{
  const EchoAttr *attr = echo_op_attr_or_null(op, name);
  return attr != NULL ? attr->as.integer.value != 0 : otherwise;
}

/* ---- loops over the steps of a sequence, in the shape that gradients and plans know ---- */

EchoNnLoop echo_nn_loop_begin(EchoBuilder *b, EchoValue *const *carried, size_t n, int64_t n_trips)
{
  EchoNnLoop loop;
  EchoBuilder cond;
  const EchoType *counter = echo_hlo_scalar_type(b->ctx, echo_type_i64(b->ctx));
  EchoValue **inits = echo_alloc_array(n + 1, sizeof(EchoValue *));
  inits[0] = echo_hlo_constant_i64(b, counter, 0);
  for (size_t i = 0; i < n; i++)
    inits[1 + i] = carried[i];
  loop.op = echo_hlo_while(b, inits, n + 1, &cond, &loop.body);
  echo_free(inits);
  cond.loc = loop.body.loc = b->loc;
  cond.attrs = loop.body.attrs = b->attrs;
  EchoValue *limit = echo_hlo_constant_i64(&cond, counter, n_trips);
  EchoValue *goes_on =
      echo_hlo_compare(&cond, ECHO_COMPARE_LT, echo_block_arg(cond.block, 0), limit);
  echo_hlo_return(&cond, &goes_on, 1);
  loop.index = echo_block_arg(loop.body.block, 0);
  return loop;
}

void echo_nn_loop_end(EchoNnLoop *loop, EchoValue *const *next, size_t n)
{
  EchoBuilder *b = &loop->body;
  EchoValue **values = echo_alloc_array(n + 1, sizeof(EchoValue *));
  values[0] = echo_hlo_add(b, loop->index, echo_hlo_constant_i64(b, loop->index->type, 1));
  for (size_t i = 0; i < n; i++)
    values[1 + i] = next[i];
  echo_hlo_return(b, values, n + 1);
  echo_free(values);
}

/* [index, 0, 0, ...] */
static void step_starts(EchoBuilder *b, EchoValue *index, uint32_t rank, EchoValue **starts)
{
  EchoValue *zero = echo_hlo_constant_i64(b, index->type, 0);
  for (uint32_t d = 0; d < rank; d++)
    starts[d] = d == 0 ? index : zero;
}

/* The sequence's dimensions with one step. */
static void step_dims(const EchoType *sequence, int64_t *dims)
{
  for (uint32_t d = 0; d < echo_type_rank(sequence); d++)
    dims[d] = d == 0 ? 1 : echo_type_dim(sequence, d);
}

EchoValue *echo_nn_step_at(EchoBuilder *b, EchoValue *sequence, EchoValue *index)
{
  EchoValue *starts[ECHO_MAX_RANK];
  int64_t dims[ECHO_MAX_RANK];
  uint32_t rank = echo_type_rank(sequence->type);
  step_starts(b, index, rank, starts);
  step_dims(sequence->type, dims);
  return echo_hlo_reshape(b, echo_hlo_dynamic_slice(b, sequence, starts, dims), dims + 1, rank - 1);
}

EchoValue *echo_nn_with_step(EchoBuilder *b, EchoValue *sequence, EchoValue *step, EchoValue *index)
{
  EchoValue *starts[ECHO_MAX_RANK];
  int64_t dims[ECHO_MAX_RANK];
  uint32_t rank = echo_type_rank(sequence->type);
  step_starts(b, index, rank, starts);
  step_dims(sequence->type, dims);
  return echo_hlo_dynamic_update_slice(b, sequence, echo_hlo_reshape(b, step, dims, rank), starts);
}

static bool run(EchoPassRun *pass)
{
  ECHO_VECTOR(EchoPattern) patterns = {0};
  const struct {
    const EchoPattern *rows;
    size_t n;
  } tables[] = {{ECHO_NN_LAYER_PATTERNS, ECHO_N_NN_LAYER_PATTERNS},
                {ECHO_NN_SEQUENCE_PATTERNS, ECHO_N_NN_SEQUENCE_PATTERNS},
                {ECHO_NN_CTC_PATTERNS, ECHO_N_NN_CTC_PATTERNS},
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
