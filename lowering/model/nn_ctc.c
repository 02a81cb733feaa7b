/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CTC as a recursion over time in log space. Source: Graves, Fernandez, Gomez, Schmidhuber,
 * "Connectionist Temporal Classification" (2006), section 4.1.
 *
 * Labels l_1 ... l_L become states s = 0 ... 2L: blank, l_1, blank, ..., l_L, blank. alpha_t(s) is
 * the logarithm of the probability that t frames have come to state s:
 *   alpha_t(s) = log p_t(state s) + log(e^alpha(s) + e^alpha(s-1) + [may skip] e^alpha(s-2))
 * with alpha = alpha_t-1; s-2 may be skipped to s where s is a label other than the one before. No
 * frame has come before the first: alpha_0 = (0, -inf, ...) is a blank that took none, from which
 * the formula gives Graves's first row. What cannot be is -inf exactly; selects keep it out of exp
 * and log, so that no gradient is NaN. Dimension letters: T time, B batch, V classes, S states. */
#include <math.h>

#include "lowering/model/nn_to_stablehlo_t.h"

typedef struct Ctc {
  EchoValue *log_probs;        /* [T, B, V] */
  EchoValue *states;           /* class of each state [B, S] */
  EchoValue *is_class, *skips; /* i1 [B, S]: has a probability; may come from two states before */
  EchoValue *frames;           /* i64 [B] */
  const EchoType *type;        /* alpha's, [B, S] */
} Ctc;

static const EchoType *with_element(const Ctc *ctc, EchoBuilder *b, const EchoType *element)
{
  return echo_type_with_element(b->ctx, ctc->type, element);
}

static EchoValue *nothing_like(EchoBuilder *b, EchoValue *x)
{
  return echo_hlo_constant_like(b, x, -INFINITY);
}

/* x(s - by), `filling` where there is none. */
static EchoValue *shifted(EchoBuilder *b, EchoValue *x, int64_t by, EchoValue *filling)
{
  const int64_t low[] = {0, by}, high[] = {0, -by};
  return echo_hlo_pad(b, x, filling, low, high, NULL);
}

/* A number of one row each, over its states. */
static EchoValue *spread_rows(const Ctc *ctc, EchoBuilder *b, EchoValue *rows)
{
  const int64_t batch = 0;
  const EchoType *type = with_element(ctc, b, echo_type_element(rows->type));
  return echo_hlo_broadcast_in_dim(b, rows, type, &batch, 1);
}

/* The logarithm of a sum of exponentials x is log(sum of e^(x - pivot)) + pivot with the largest x
 * as pivot, which takes no gradient; 0 where that is nothing. */
static EchoValue *log_sum_pivot(EchoBuilder *b, EchoValue *largest)
{
  largest = echo_build_unary(b, "nn.stop_gradient", largest, NULL);
  EchoValue *is_none = echo_hlo_compare(b, ECHO_COMPARE_EQ, largest, nothing_like(b, largest));
  return echo_hlo_select(b, is_none, echo_hlo_constant_like(b, largest, 0), largest);
}

static EchoValue *log_sum_term(EchoBuilder *b, EchoValue *pivot, EchoValue *x)
{
  return echo_hlo_exponential(b, echo_hlo_subtract(b, x, pivot));
}

/* The sum is 0 where all terms are nothing and else at least 1, that of the largest. */
static EchoValue *log_sum(EchoBuilder *b, EchoValue *pivot, EchoValue *sum, EchoValue **is_none)
{
  *is_none = echo_hlo_compare(b, ECHO_COMPARE_EQ, sum, echo_hlo_constant_like(b, sum, 0));
  EchoValue *one = echo_hlo_constant_like(b, sum, 1);
  return echo_hlo_add(b, echo_hlo_log(b, echo_hlo_select(b, *is_none, one, sum)), pivot);
}

/* log p(state) in one frame [B, V]: picked by comparing, whose gradient is a comparison too and not
 * a scatter. */
static EchoValue *emissions(const Ctc *ctc, EchoBuilder *b, EchoValue *frame)
{
  static const int64_t of_states[] = {0, 1}, of_classes[] = {0, 2}, classes = 2;
  const int64_t dims[] = {echo_type_dim(ctc->type, 0), echo_type_dim(ctc->type, 1),
                          echo_type_dim(frame->type, 1)};
  const EchoType *type = echo_hlo_tensor(b->ctx, dims, 3, echo_type_element(frame->type));
  const EchoType *index = echo_hlo_tensor(b->ctx, dims, 3, echo_type_element(ctc->states->type));
  EchoValue *wanted = echo_hlo_broadcast_in_dim(b, ctc->states, index, of_states, 2);
  EchoValue *is_wanted =
      echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_hlo_iota(b, index, classes), wanted);
  EchoValue *spread = echo_hlo_broadcast_in_dim(b, frame, type, of_classes, 2);
  EchoValue *zero = echo_hlo_constant_like(b, spread, 0);
  EchoValue *picked =
      echo_hlo_reduce_sum(b, echo_hlo_select(b, is_wanted, spread, zero), &classes, 1);
  return echo_hlo_select(b, ctc->is_class, picked, nothing_like(b, picked));
}

/* alpha after frame t; a row whose frames are over stays. */
static EchoValue *ctc_step(const Ctc *ctc, EchoBuilder *b, EchoValue *frame, EchoValue *t,
                           EchoValue *alpha)
{
  EchoValue *nothing = nothing_like(b, alpha);
  EchoValue *filling = echo_hlo_scalar_f64(b, echo_type_element(ctc->type), -INFINITY);
  EchoValue *one_back = shifted(b, alpha, 1, filling);
  EchoValue *two_back = echo_hlo_select(b, ctc->skips, shifted(b, alpha, 2, filling), nothing);
  EchoValue *pivot =
      log_sum_pivot(b, echo_hlo_maximum(b, echo_hlo_maximum(b, alpha, one_back), two_back));
  EchoValue *sum = echo_hlo_add(b, log_sum_term(b, pivot, alpha), log_sum_term(b, pivot, one_back));
  sum = echo_hlo_add(b, sum, log_sum_term(b, pivot, two_back));
  EchoValue *is_none, *came = log_sum(b, pivot, sum, &is_none);
  EchoValue *next =
      echo_hlo_select(b, is_none, nothing, echo_hlo_add(b, came, emissions(ctc, b, frame)));
  EchoValue *time = echo_hlo_broadcast_scalar(b, t, ctc->frames->type);
  EchoValue *is_heard = echo_hlo_compare(b, ECHO_COMPARE_LT, time, ctc->frames);
  return echo_hlo_select(b, spread_rows(ctc, b, is_heard), next, alpha);
}

/* -log(e^alpha(2L) + e^alpha(2L - 1)), L as each row counts its labels. */
static EchoValue *ctc_end(const Ctc *ctc, EchoBuilder *b, EchoValue *alpha, EchoValue *counts,
                          double otherwise)
{
  const int64_t states = 1;
  EchoValue *twice = echo_hlo_add(b, counts, counts);
  EchoValue *before = echo_hlo_subtract(b, twice, echo_hlo_constant_like(b, counts, 1));
  EchoValue *index = echo_hlo_iota(b, with_element(ctc, b, echo_type_element(counts->type)), 1);
  EchoValue *is_last =
      echo_hlo_or(b, echo_hlo_compare(b, ECHO_COMPARE_EQ, index, spread_rows(ctc, b, twice)),
                  echo_hlo_compare(b, ECHO_COMPARE_EQ, index, spread_rows(ctc, b, before)));
  EchoValue *ends = echo_hlo_select(b, is_last, alpha, nothing_like(b, alpha));
  EchoValue *pivot = log_sum_pivot(b, echo_hlo_reduce_max(b, ends, &states, 1));
  EchoValue *terms = log_sum_term(b, spread_rows(ctc, b, pivot), ends);
  EchoValue *is_none;
  EchoValue *log = log_sum(b, pivot, echo_hlo_reduce_sum(b, terms, &states, 1), &is_none);
  return echo_hlo_select(b, is_none, echo_hlo_constant_like(b, log, otherwise),
                         echo_hlo_negate(b, log));
}

/* Integers of 64 bits. */
static EchoValue *wide(EchoBuilder *b, EchoValue *integers)
{
  return echo_hlo_convert(b, integers, echo_type_i64(b->ctx));
}

/* A blank around every label. */
static EchoValue *states_of(EchoBuilder *b, EchoValue *labels, EchoValue *blank)
{
  const int64_t low[] = {0, 1}, high[] = {0, 1}, interior[] = {0, 1};
  const int64_t only[] = {echo_type_dim(labels->type, 0), 1};
  if (echo_type_dim(labels->type, 1) == 0)
    return echo_hlo_broadcast_scalar(
        b, blank, echo_hlo_tensor(b->ctx, only, 2, echo_type_element(labels->type)));
  return echo_hlo_pad(b, labels, blank, low, high, interior);
}

static Ctc ctc_begin(EchoBuilder *b, const EchoOp *op)
{
  Ctc ctc = {.log_probs = echo_op_operand(op, 0), .frames = wide(b, echo_op_operand(op, 2))};
  EchoValue *labels = echo_op_operand(op, 1);
  if (echo_type_element_bytes(ctc.log_probs->type) < 4)
    ctc.log_probs = echo_hlo_convert(b, ctc.log_probs, echo_type_f32(b->ctx));
  /* Labels narrower than 32 bits may not count to the last class. */
  if (echo_type_element_bytes(labels->type) < 4)
    labels = echo_hlo_convert(b, labels, echo_type_integer(b->ctx, 32, ECHO_SIGNLESS));
  EchoValue *blank =
      echo_hlo_scalar_i64(b, echo_type_element(labels->type), echo_op_attr_i64(op, "blank", 0));
  ctc.states = states_of(b, labels, blank);
  ctc.type =
      echo_type_with_element(b->ctx, ctc.states->type, echo_type_element(ctc.log_probs->type));
  EchoValue *zero = echo_hlo_constant_like(b, ctc.states, 0);
  EchoValue *end =
      echo_hlo_constant_i64(b, ctc.states->type, echo_type_dim(ctc.log_probs->type, 2));
  ctc.is_class = echo_hlo_and(b, echo_hlo_compare(b, ECHO_COMPARE_GE, ctc.states, zero),
                              echo_hlo_compare(b, ECHO_COMPARE_LT, ctc.states, end));
  ctc.skips = echo_hlo_compare(b, ECHO_COMPARE_NE, ctc.states, shifted(b, ctc.states, 2, blank));
  return ctc;
}

/* (0, -inf, ...) in every row. */
static EchoValue *first_alpha(const Ctc *ctc, EchoBuilder *b)
{
  const EchoType *index = with_element(ctc, b, echo_type_i64(b->ctx));
  EchoValue *is_first = echo_hlo_compare(b, ECHO_COMPARE_EQ, echo_hlo_iota(b, index, 1),
                                         echo_hlo_constant_i64(b, index, 0));
  return echo_hlo_select(b, is_first, echo_hlo_constant_f64(b, ctc->type, 0),
                         echo_hlo_constant_f64(b, ctc->type, -INFINITY));
}

static bool lower_ctc_loss(EchoRewriter *rewriter, EchoOp *op)
{
  EchoBuilder *b = &rewriter->builder;
  Ctc ctc = ctc_begin(b, op);
  EchoValue *alpha = first_alpha(&ctc, b);
  int64_t n_steps = echo_type_dim(ctc.log_probs->type, 0);
  if (echo_nn_flag(op, "is_loop", true)) {
    EchoNnLoop loop = echo_nn_loop_begin(b, &alpha, 1, n_steps);
    EchoValue *frame = echo_nn_step_at(&loop.body, ctc.log_probs, loop.index);
    EchoValue *next = ctc_step(&ctc, &loop.body, frame, loop.index, echo_nn_loop_carried(&loop, 0));
    echo_nn_loop_end(&loop, &next, 1);
    alpha = echo_op_result(loop.op, 1);
  } else {
    for (int64_t t = 0; t < n_steps; t++) {
      EchoValue *frame = echo_hlo_reshape(b, echo_hlo_slice_dim(b, ctc.log_probs, 0, t, t + 1),
                                          ctc.log_probs->type->as.shaped.dims + 1, 2);
      alpha = ctc_step(&ctc, b, frame, echo_hlo_scalar_i64(b, echo_type_i64(b->ctx), t), alpha);
    }
  }
  double otherwise = echo_nn_flag(op, "zero_infinity", false) ? 0 : INFINITY;
  EchoValue *losses = ctc_end(&ctc, b, alpha, wide(b, echo_op_operand(op, 3)), otherwise);
  echo_nn_replace(rewriter, op,
                  echo_hlo_convert(b, losses, echo_type_element(echo_op_result_type(op, 0))));
  return true;
}

const EchoPattern ECHO_NN_CTC_PATTERNS[] = {
    {"nn.ctc_loss", 0, lower_ctc_loss, "sums over alignments, frame by frame"},
};
const size_t ECHO_N_NN_CTC_PATTERNS = sizeof ECHO_NN_CTC_PATTERNS / sizeof ECHO_NN_CTC_PATTERNS[0];
