/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reductions, contractions and control flow. */
#include <math.h>

#include "ir/attributes/type.h"
#include "tests/fuzz/graph_fuzz/generate.h"

static bool can_reduce(const EchoValue *value)
{
  return echo_type_rank(value->type) != 0 && !is_predicate(value);
}

/* Over windows of two, each dimension, where that leaves anything. */
static EchoValue *pool(Generator *generator, EchoValue *x, bool is_max)
{
  EchoBuilder *b = &generator->builder;
  EchoWindowDim windows[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(x->type); d++) {
    bool slides = echo_type_dim(x->type, d) >= 2 && draw(&generator->bytes, 2) != 0;
    windows[d] = (EchoWindowDim){.size = slides ? 2 : 1,
                                 .stride = slides ? 1 + draw(&generator->bytes, 2) : 1,
                                 .base_dilation = 1,
                                 .window_dilation = 1};
  }
  EchoValue *init = echo_hlo_scalar_f64(b, element_of(x), is_max ? (double)-INFINITY : 0);
  return echo_hlo_reduce_window(b, x, init, windows,
                                is_max ? "stablehlo.maximum" : "stablehlo.add");
}

/* Over windows that are scans: of everything up to a place along one dimension, of everything from
 * it on, or of eight neighbours, with places beside the operand. */
static EchoValue *scan(Generator *generator, EchoValue *x, bool is_max)
{
  enum { BESIDE = 8 };
  EchoBuilder *b = &generator->builder;
  EchoWindowDim windows[ECHO_MAX_RANK];
  uint32_t dim = draw(&generator->bytes, echo_type_rank(x->type));
  uint32_t form = draw(&generator->bytes, 3);
  for (size_t d = 0; d < echo_type_rank(x->type); d++)
    windows[d] = (EchoWindowDim){.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
  EchoWindowDim *w = &windows[dim];
  w->size = form == 2 ? BESIDE : echo_type_dim(x->type, dim) + BESIDE;
  int64_t padding = w->size - 1 + (form == 2 ? 0 : BESIDE);
  w->padding_low = form != 1 ? padding : 0;
  w->padding_high = form != 0 ? padding : 0;
  EchoValue *init = echo_hlo_scalar_f64(b, element_of(x), is_max ? (double)-INFINITY : 0);
  return echo_hlo_reduce_window(b, x, init, windows,
                                is_max ? "stablehlo.maximum" : "stablehlo.add");
}

void add_reduction(Generator *generator)
{
  EchoBuilder *b = &generator->builder;
  EchoValue *x = pick_or_null(generator, can_reduce), *y;
  int64_t dims[ECHO_MAX_RANK];
  size_t n = 0;
  if (x == NULL)
    return;
  uint32_t choice = draw(&generator->bytes, 16), which = draw(&generator->bytes, 16);
  for (size_t d = 0; d < echo_type_rank(x->type); d++)
    if ((which >> d & 1) != 0)
      dims[n++] = (int64_t)d;
  if (n == 0)
    dims[n++] = (int64_t)echo_type_rank(x->type) - 1;
  if (choice < 4 && is_float(x)) {
    add_value(generator,
              choice < 2 ? pool(generator, x, choice == 0) : scan(generator, x, choice == 2));
    return;
  }
  if (choice < 6)
    y = echo_hlo_reduce_max(b, x, dims, n);
  else if (choice == 6)
    y = echo_hlo_reduce(b, x, echo_hlo_scalar_i64(b, element_of(x), 1), dims, n,
                        "stablehlo.multiply");
  else
    y = echo_hlo_reduce_sum(b, x, dims, n);
  add_value(generator, y);
  if (draw(&generator->bytes, 2) != 0) /* as softmax and normalisation go on */
    add_value(generator, echo_hlo_broadcast_reduced(b, y, x->type, dims, n));
}

/* ---- contractions ---- */

static bool is_matrix(const EchoValue *value)
{
  return is_float(value) && echo_type_rank(value->type) >= 2 && echo_type_rank(value->type) <= 3;
}

/* One dimension contracted with one of another value of the same element type and size, and where
 * both have as many, the first dimensions as a batch. */
void add_contraction(Generator *generator)
{
  EchoContext *ctx = generator->ctx;
  EchoValue *x = pick_or_null(generator, is_matrix);
  if (x == NULL)
    return;
  size_t rank = echo_type_rank(x->type);
  bool has_batch = rank == 3 && draw(&generator->bytes, 2) != 0;
  int64_t lhs = has_batch ? draw_between(&generator->bytes, 1, 2)
                          : (int64_t)draw(&generator->bytes, (uint32_t)rank);
  int64_t k = echo_type_dim(x->type, (size_t)lhs), rhs = draw(&generator->bytes, 2);
  int64_t width = draw_between(&generator->bytes, 1, generator->scale->max_width), dims[3],
          zero = 0;
  for (size_t i = 0; i < generator->n_values && !has_batch; i++) { /* one that is there */
    EchoValue *y = generator->values[i];
    if (element_of(y) == element_of(x) && echo_type_rank(y->type) == 2 &&
        echo_type_dim(y->type, (size_t)rhs) == k && draw(&generator->bytes, 3) != 0)
      width = echo_type_dim(y->type, (size_t)(1 - rhs));
  }
  size_t n = 0;
  if (has_batch)
    dims[n++] = echo_type_dim(x->type, 0);
  dims[n++] = rhs == 0 ? k : width;
  dims[n++] = rhs == 0 ? width : k;
  rhs += has_batch;
  EchoValue *y = pick_of_type(generator, echo_type_tensor(ctx, dims, n, element_of(x), NULL));
  EchoDotDims numbers = {.lhs_contracting = {&lhs, 1}, .rhs_contracting = {&rhs, 1}};
  if (has_batch)
    numbers.lhs_batching = numbers.rhs_batching = (EchoDimList){&zero, 1};
  if (n_elements(x) / k * width <= generator->scale->max_elements)
    add_value(generator, echo_hlo_dot_general(&generator->builder, x, y, &numbers, element_of(x)));
}

/* ---- control flow ---- */

/* One step of a state, from the state, a value from outside and a counter. */
static EchoValue *step(Generator *generator, EchoBuilder *b, EchoValue *state, EchoValue *outside)
{
  switch (draw(&generator->bytes, 5)) {
  case 0:
    return echo_hlo_add(b, state, outside);
  case 1:
    return echo_hlo_multiply(b, state, outside);
  case 2:
    return echo_hlo_maximum(b, echo_hlo_negate(b, state), outside);
  case 3:
    return echo_hlo_tanh(b, echo_hlo_add(b, state, outside));
  default:
    return echo_hlo_subtract(b, echo_hlo_multiply(b, state, echo_hlo_constant_like(b, state, 0.5)),
                             outside);
  }
}

/* for (i = 0; i < n; i++) state = step(state, outside) */
void add_loop(Generator *generator)
{
  EchoBuilder *b = &generator->builder, cond, body;
  EchoContext *ctx = generator->ctx;
  EchoValue *state = pick_or_null(generator, is_float);
  EchoValue *outside = pick_of_type(generator, state->type);
  const EchoType *i32 = echo_type_i32(ctx);
  int64_t n = draw_between(&generator->bytes, 0, 4);
  EchoValue *inits[] = {echo_hlo_scalar_i64(b, i32, 0), state, outside};
  bool carries = draw(&generator->bytes, 2) != 0; /* else the body reads it from outside */
  EchoOp *loop = echo_hlo_while(b, inits, carries ? 3 : 2, &cond, &body);
  EchoValue *i = echo_block_arg(cond.block, 0);
  EchoValue *more = echo_hlo_compare(&cond, ECHO_COMPARE_LT, i, echo_hlo_scalar_i64(&cond, i32, n));
  echo_hlo_return(&cond, &more, 1);
  i = echo_block_arg(body.block, 0);
  EchoValue *other = carries ? echo_block_arg(body.block, 2) : outside;
  EchoValue *next[] = {echo_hlo_add(&body, i, echo_hlo_scalar_i64(&body, i32, 1)),
                       step(generator, &body, echo_block_arg(body.block, 1), other), other};
  if (draw(&generator->bytes, 2) != 0)
    next[1] = step(generator, &body, next[1], other);
  echo_hlo_return(&body, next, carries ? 3 : 2);
  add_value(generator, echo_op_result(loop, 1));
}

/* case or if over two or three ways to go on from a value. */
void add_branches(Generator *generator)
{
  EchoBuilder *b = &generator->builder, branches[3];
  EchoValue *x = pick_or_null(generator, is_float), *y = pick_of_type(generator, x->type);
  size_t n = 2 + draw(&generator->bytes, 2);
  EchoOp *op;
  if (n == 2) {
    const EchoType *flag = echo_hlo_scalar_type(generator->ctx, echo_type_i1(generator->ctx));
    op = echo_hlo_if(b, pick_of_type(generator, flag), &x->type, 1, branches);
  } else {
    op = echo_hlo_case(b, index_scalar(generator), &x->type, 1, branches, n);
  }
  for (size_t i = 0; i < n; i++) {
    EchoValue *result = i == 0 ? x : step(generator, &branches[i], x, y);
    echo_hlo_return(&branches[i], &result, 1);
  }
  add_value(generator, echo_op_result(op, 0));
}
