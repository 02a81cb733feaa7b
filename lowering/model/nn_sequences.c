/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recurrent layers, unrolled step by step so that each step's feature maps are values of their own
 * (a GRU also as a loop), and attention. */
#include <math.h>

#include "base/vector.h"
#include "lowering/model/nn_to_stablehlo_t.h"

/* Step t of a sequence [T, B, I] as [B, I]. */
static EchoValue *step_of(EchoBuilder *b, EchoValue *sequence, int64_t t)
{
  EchoValue *slice = echo_hlo_slice_dim(b, sequence, 0, t, t + 1);
  return echo_hlo_reshape(b, slice, sequence->type->as.shaped.dims + 1, 2);
}

/* [B, H] values as one sequence [T, B, H]. */
static EchoValue *stack_steps(EchoBuilder *b, EchoValue *const *steps, size_t n)
{
  EchoValue **rows = echo_alloc_array(n + 1, sizeof *rows);
  const int64_t dims[] = {1, echo_type_dim(steps[0]->type, 0), echo_type_dim(steps[0]->type, 1)};
  for (size_t t = 0; t < n; t++)
    rows[t] = echo_hlo_reshape(b, steps[t], dims, 3);
  EchoValue *sequence = n == 1 ? rows[0] : echo_hlo_concatenate(b, rows, n, 0);
  echo_free(rows);
  return sequence;
}

/* Part k of gates [B, n H]. */
static EchoValue *gate(EchoBuilder *b, EchoValue *gates, int64_t k, int64_t hidden)
{
  return echo_hlo_slice_dim(b, gates, 1, k * hidden, (k + 1) * hidden);
}

/* One LSTM step: gates i, f, g, o; c' = f c + i g; h' = o tanh c'. Source: Hochreiter and
 * Schmidhuber (1997), with the forget gate of Gers et al. (2000). */
static void lstm_step(EchoBuilder *b, EchoValue *const *weights, EchoValue *x, EchoValue **h,
                      EchoValue **c)
{
  int64_t hidden = echo_type_dim((*h)->type, 1);
  EchoValue *gates = echo_hlo_add(b, echo_nn_build_linear(b, x, weights[0], NULL),
                                  echo_nn_build_linear(b, *h, weights[1], NULL));
  gates = echo_hlo_add(b, gates, echo_nn_spread_last(b, weights[2], gates->type));
  EchoValue *in = echo_hlo_logistic(b, gate(b, gates, 0, hidden));
  EchoValue *forget = echo_hlo_logistic(b, gate(b, gates, 1, hidden));
  EchoValue *candidate = echo_hlo_tanh(b, gate(b, gates, 2, hidden));
  EchoValue *out = echo_hlo_logistic(b, gate(b, gates, 3, hidden));
  *c = echo_hlo_add(b, echo_hlo_multiply(b, forget, *c), echo_hlo_multiply(b, in, candidate));
  *h = echo_hlo_multiply(b, out, echo_hlo_tanh(b, *c));
}

static bool lower_lstm(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *input = echo_op_operand(op, 0), *h = echo_op_operand(op, 1),
            *c = echo_op_operand(op, 2);
  EchoValue *weights[] = {echo_op_operand(op, 3), echo_op_operand(op, 4), echo_op_operand(op, 5)};
  int64_t n_steps = echo_type_dim(input->type, 0);
  ECHO_VECTOR(EchoValue *) outputs = {0};
  for (int64_t t = 0; t < n_steps; t++) {
    lstm_step(b, weights, step_of(b, input, t), &h, &c);
    echo_vector_push(&outputs, h);
  }
  EchoValue *results[] = {stack_steps(b, outputs.data, outputs.size), h, c};
  echo_vector_destroy(&outputs);
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* One GRU step: gates r, z; n = tanh(x_n + r h_n); h' = (1 - z) n + z h. Source: Cho et al. (2014),
 * with the reset gate after the product, as cuDNN has it. */
static EchoValue *gru_step(EchoBuilder *b, EchoValue *const *weights, EchoValue *x, EchoValue *h)
{
  int64_t hidden = echo_type_dim(h->type, 1);
  EchoValue *from_x = echo_nn_build_linear(b, x, weights[0], weights[2]);
  EchoValue *from_h = echo_nn_build_linear(b, h, weights[1], weights[3]);
  EchoValue *sums[2];
  for (int64_t k = 0; k < 2; k++)
    sums[k] = echo_hlo_logistic(
        b, echo_hlo_add(b, gate(b, from_x, k, hidden), gate(b, from_h, k, hidden)));
  EchoValue *gated = echo_hlo_multiply(b, sums[0], gate(b, from_h, 2, hidden));
  EchoValue *candidate = echo_hlo_tanh(b, echo_hlo_add(b, gate(b, from_x, 2, hidden), gated));
  EchoValue *one = echo_hlo_constant_like(b, h, 1);
  EchoValue *fresh = echo_hlo_multiply(b, echo_hlo_subtract(b, one, sums[1]), candidate);
  return echo_hlo_add(b, fresh, echo_hlo_multiply(b, sums[1], h));
}

/* The step that is taken as the t-th. */
static EchoValue *turn(EchoBuilder *b, EchoValue *t, int64_t n_steps)
{
  return echo_hlo_subtract(b, echo_hlo_constant_i64(b, t->type, n_steps - 1), t);
}

/* The same steps in a loop that carries h and the outputs so far. */
static void loop_gru(EchoRewriter *rewriter, EchoOp *op, EchoValue *const *weights, bool is_reverse)
{
  EchoValue *input = echo_op_operand(op, 0);
  EchoBuilder *outer = &rewriter->builder;
  int64_t n_steps = echo_type_dim(input->type, 0);
  EchoValue *carried[] = {echo_op_operand(op, 1),
                          echo_hlo_constant_f64(outer, echo_op_result_type(op, 0), 0)};
  EchoNnLoop loop = echo_nn_loop_begin(outer, carried, 2, n_steps);
  EchoBuilder *b = &loop.body;
  EchoValue *t = is_reverse ? turn(b, loop.index, n_steps) : loop.index;
  EchoValue *h = gru_step(b, weights, echo_nn_step_at(b, input, t), echo_nn_loop_carried(&loop, 0));
  EchoValue *next[] = {h, echo_nn_with_step(b, echo_nn_loop_carried(&loop, 1), h, t)};
  echo_nn_loop_end(&loop, next, 2);
  EchoValue *results[] = {echo_op_result(loop.op, 2), echo_op_result(loop.op, 1)};
  echo_rewriter_replace(rewriter, op, results);
}

static bool lower_gru(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *input = echo_op_operand(op, 0), *h = echo_op_operand(op, 1);
  EchoValue *weights[] = {echo_op_operand(op, 2), echo_op_operand(op, 3), echo_op_operand(op, 4),
                          echo_op_operand(op, 5)};
  bool is_reverse = echo_nn_flag(op, "is_reverse", false);
  if (echo_nn_flag(op, "is_loop", false)) {
    loop_gru(rewriter, op, weights, is_reverse);
    return true;
  }
  int64_t n_steps = echo_type_dim(input->type, 0);
  EchoValue **outputs = echo_alloc_array((size_t)n_steps + 1, sizeof *outputs);
  for (int64_t i = 0; i < n_steps; i++) {
    int64_t t = is_reverse ? n_steps - 1 - i : i;
    outputs[t] = h = gru_step(b, weights, step_of(b, input, t), h);
  }
  EchoValue *results[] = {stack_steps(b, outputs, (size_t)n_steps), h};
  echo_free(outputs);
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* Where the mask is false the score becomes a number so low that its weight is exactly 0, yet
 * finite: a row that is masked as a whole gives equal weights and no NaN. */
static EchoValue *apply_mask(EchoBuilder *b, EchoValue *scores, EchoValue *mask)
{
  EchoElementKind kind = echo_type_element_kind(scores->type);
  return echo_hlo_select(
      b, mask, scores, echo_hlo_constant_like(b, scores, kind == ECHO_ELEMENT_F16 ? -3e4 : -1e30));
}

/* The score is a product and a sum rather than a contraction: both fuse with the tanh, so that [B,
 * T, H] need never be in memory. Source: Bahdanau, Cho, Bengio, "Neural Machine Translation by
 * Jointly Learning to Align and Translate" (2015). */
static bool lower_attention_mlp(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *query = echo_op_operand(op, 0), *keys = echo_op_operand(op, 1);
  EchoValue *memory = echo_op_operand(op, 2), *score = echo_op_operand(op, 3);
  const int64_t query_dims[] = {0, 2}, hidden = 2, batch = 0, time = 1;
  EchoValue *spread = echo_hlo_broadcast_in_dim(b, query, keys->type, query_dims, 2);
  EchoValue *activation = echo_hlo_tanh(b, echo_hlo_add(b, spread, keys));
  EchoValue *product = echo_hlo_multiply(b, activation, echo_nn_spread_last(b, score, keys->type));
  EchoValue *scores = echo_hlo_reduce_sum(b, product, &hidden, 1);
  if (op->n_operands == 5)
    scores = apply_mask(b, scores, echo_op_operand(op, 4));
  EchoValue *weights = echo_nn_build_softmax(b, scores);
  const EchoDotDims dims = {.lhs_batching = {&batch, 1},
                            .rhs_batching = {&batch, 1},
                            .lhs_contracting = {&time, 1},
                            .rhs_contracting = {&time, 1}};
  EchoValue *results[] = {echo_hlo_dot_general(b, weights, memory, &dims, NULL), weights};
  echo_rewriter_replace(rewriter, op, results);
  return true;
}

/* Source: Vaswani et al., "Attention Is All You Need" (2017). */
static bool lower_attention_dot(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  EchoValue *query = echo_op_operand(op, 0);
  double scale = echo_nn_attr(op, "scale", 1 / sqrt((double)echo_type_dim(query->type, 3)));
  const int64_t batch[] = {0, 1}, last = 3, keys = 2;
  const EchoDotDims by_key = {.lhs_batching = {batch, 2},
                              .rhs_batching = {batch, 2},
                              .lhs_contracting = {&last, 1},
                              .rhs_contracting = {&last, 1}};
  EchoValue *scores = echo_nn_scale(
      b, echo_hlo_dot_general(b, query, echo_op_operand(op, 1), &by_key, NULL), scale);
  if (op->n_operands == 4) {
    EchoValue *mask = echo_op_operand(op, 3);
    const int64_t all[] = {0, 1, 2, 3};
    const EchoType *wide =
        echo_type_with_element(b->ctx, scores->type, echo_type_element(mask->type));
    if (mask->type != wide)
      mask = echo_hlo_broadcast_in_dim(b, mask, wide, all, 4);
    scores = apply_mask(b, scores, mask);
  }
  EchoValue *weights = echo_nn_build_softmax(b, scores);
  const EchoDotDims by_value = {.lhs_batching = {batch, 2},
                                .rhs_batching = {batch, 2},
                                .lhs_contracting = {&last, 1},
                                .rhs_contracting = {&keys, 1}};
  echo_nn_replace(rewriter, op,
                  echo_hlo_dot_general(b, weights, echo_op_operand(op, 2), &by_value, NULL));
  return true;
}

const EchoPattern ECHO_NN_SEQUENCE_PATTERNS[] = {
    {"nn.lstm", 0, lower_lstm, "one cell a step"},
    {"nn.gru", 0, lower_gru, "one cell a step"},
    {"nn.attention_mlp", 0, lower_attention_mlp, "additive scores, softmax, weighted sum"},
    {"nn.attention_dot", 0, lower_attention_dot, "two contractions around a softmax"},
};
const size_t ECHO_N_NN_SEQUENCE_PATTERNS =
    sizeof ECHO_NN_SEQUENCE_PATTERNS / sizeof ECHO_NN_SEQUENCE_PATTERNS[0];
