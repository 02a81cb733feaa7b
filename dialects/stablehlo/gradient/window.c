/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of windows: sums by a window sum, plain maxima by select_and_scatter; what neither of
 * them can say (products, dilated maxima, the gradient of select_and_scatter itself) by laying the
 * windows side by side, which holds each element once for each window that it is in. */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"

/* ---- windows side by side ---- */

/* Windows over a padded and dilated operand: `places` holds, for each output and each tap of its
 * window, [outputs..., taps], the row-major position in the padded operand. */
typedef struct Patches {
  EchoBuilder *b;
  int64_t low[ECHO_MAX_RANK], high[ECHO_MAX_RANK], interior[ECHO_MAX_RANK];
  int64_t padded[ECHO_MAX_RANK]; /* sizes */
  uint32_t rank;
  int64_t n_outputs, n_taps, n_padded;
  EchoValue *places; /* tensor<n_outputs x n_taps x i64> */
} Patches;

/* iota * factor spread over n_outputs x n_taps: digit `size` of the row-major number with `below`
 * numbers below it, along dimension `along` (0 = outputs, 1 = taps). */
static EchoValue *digit(const Patches *p, int64_t along, int64_t size, int64_t below,
                        int64_t factor)
{
  EchoBuilder *b = p->b;
  const EchoType *i64 = echo_type_integer(b->ctx, 64, ECHO_SIGNLESS);
  const EchoType *line =
      echo_hlo_tensor(b->ctx, (int64_t[]){along == 0 ? p->n_outputs : p->n_taps}, 1, i64);
  const EchoType *whole = echo_hlo_tensor(b->ctx, (int64_t[]){p->n_outputs, p->n_taps}, 2, i64);
  EchoValue *number = echo_hlo_iota(b, line, 0);
  number = echo_hlo_divide(b, number, echo_hlo_constant_i64(b, line, below));
  number = echo_hlo_remainder(b, number, echo_hlo_constant_i64(b, line, size));
  number = echo_hlo_multiply(b, number, echo_hlo_constant_i64(b, line, factor));
  return echo_hlo_broadcast_in_dim(b, number, whole, &along, 1);
}

/* False after an error: there are more places than can be counted. */
static bool patches_of(EchoBuilder *b, const EchoOp *op, const EchoType *outputs,
                       const EchoWindowDim *windows, Patches *patches)
{
  const EchoType *operand = echo_op_operand_type(op, 0);
  Patches p = {.b = b, .rank = echo_type_rank(operand)};
  p.n_outputs = p.n_taps = p.n_padded = 1;
  bool fits = true;
  for (uint32_t d = 0; d < p.rank; d++) {
    int64_t size = echo_type_dim(operand, d);
    p.low[d] = windows[d].padding_low;
    p.high[d] = windows[d].padding_high;
    p.interior[d] = windows[d].base_dilation - 1;
    p.padded[d] =
        (size == 0 ? 0 : (size - 1) * windows[d].base_dilation + 1) + p.low[d] + p.high[d];
    fits = fits && echo_mul_i64(p.n_padded, p.padded[d], &p.n_padded) &&
           echo_mul_i64(p.n_outputs, echo_type_dim(outputs, d), &p.n_outputs) &&
           echo_mul_i64(p.n_taps, windows[d].size, &p.n_taps);
  }
  int64_t n_places, n_bytes;
  if (!fits || !echo_mul_i64(p.n_outputs, p.n_taps, &n_places) ||
      !echo_mul_i64(n_places, sizeof(int64_t), &n_bytes))
    return echo_op_error(op, "has no gradient: its windows side by side are too large");
  int64_t stride = 1, outputs_below = 1, taps_below = 1;
  for (uint32_t d = p.rank; d-- > 0;) {
    int64_t n = echo_type_dim(outputs, d);
    EchoValue *output = digit(&p, 0, n, outputs_below, windows[d].stride * stride);
    EchoValue *tap = digit(&p, 1, windows[d].size, taps_below, windows[d].window_dilation * stride);
    EchoValue *place = echo_hlo_add(b, output, tap);
    p.places = p.places == NULL ? place : echo_hlo_add(b, p.places, place);
    outputs_below *= n;
    taps_below *= windows[d].size;
    stride *= p.padded[d];
  }
  *patches = p;
  return true;
}

/* [n_outputs, n_taps] elements of `x`, of the operand's shape; `padding` (a scalar) where a tap
 * lies beside it. */
static EchoValue *lay_out(const Patches *p, EchoValue *x, EchoValue *padding)
{
  static const int64_t zero = 0, one = 1;
  const EchoGatherDims dims = {
      .collapsed_slice_dims = {&zero, 1}, .start_index_map = {&zero, 1}, .index_vector_dim = 2};
  EchoValue *padded = echo_hlo_pad(p->b, x, padding, p->low, p->high, p->interior);
  EchoValue *line = echo_hlo_reshape(p->b, padded, &p->n_padded, 1);
  return echo_hlo_gather(p->b, line, p->places, &dims, &one, false);
}

/* The transpose of lay_out: the sum of what lies at each element's places. */
static EchoValue *add_up(const Patches *p, EchoValue *patches)
{
  static const int64_t zero = 0;
  EchoBuilder *b = p->b;
  const EchoScatterDims dims = {.inserted_window_dims = {&zero, 1},
                                .scatter_dims_to_operand_dims = {&zero, 1},
                                .index_vector_dim = 2};
  const EchoType *element = echo_type_element(patches->type);
  EchoValue *line = echo_hlo_constant_f64(b, echo_hlo_tensor(b->ctx, &p->n_padded, 1, element), 0);
  line = echo_hlo_scatter(b, line, p->places, patches, &dims, "stablehlo.add", false, false);
  EchoValue *padded = echo_hlo_reshape(b, line, p->padded, p->rank);
  /* Padding by the negative amounts, and a stride for what lay between elements. */
  int64_t start[ECHO_MAX_RANK], limit[ECHO_MAX_RANK], strides[ECHO_MAX_RANK];
  int64_t low[ECHO_MAX_RANK], high[ECHO_MAX_RANK];
  for (uint32_t d = 0; d < p->rank; d++) {
    low[d] = -p->low[d];
    high[d] = -p->high[d];
    start[d] = 0;
    limit[d] = p->padded[d] - p->low[d] - p->high[d];
    strides[d] = p->interior[d] + 1;
  }
  EchoValue *none = echo_hlo_scalar_f64(b, element, 0);
  return echo_hlo_slice(b, echo_hlo_pad(b, padded, none, low, high, NULL), start, limit, strides);
}

/* A tensor of the outputs' shape beside every tap. */
static EchoValue *beside_taps(const Patches *p, EchoValue *outputs)
{
  static const int64_t along = 0;
  const EchoType *type = echo_hlo_tensor(p->b->ctx, (int64_t[]){p->n_outputs, p->n_taps}, 2,
                                         echo_type_element(outputs->type));
  EchoValue *line = echo_hlo_reshape(p->b, outputs, &p->n_outputs, 1);
  return echo_hlo_broadcast_in_dim(p->b, line, type, &along, 1);
}

/* Whether a tap is the first of its window with the window's extreme value. */
static EchoValue *first_extreme(const Patches *p, EchoValue *patches, bool is_maximum)
{
  EchoBuilder *b = p->b;
  const int64_t taps = 1;
  EchoValue *extreme;
  if (is_maximum)
    extreme = echo_hlo_reduce_max(b, patches, &taps, 1);
  else
    extreme = echo_hlo_negate(b, echo_hlo_reduce_max(b, echo_hlo_negate(b, patches), &taps, 1));
  EchoValue *equal = echo_hlo_compare(b, ECHO_COMPARE_EQ, patches, beside_taps(p, extreme));
  /* the largest number from the end is the first tap */
  const EchoType *numbers = p->places->type;
  EchoValue *from_end = echo_hlo_subtract(b, echo_hlo_constant_i64(b, numbers, p->n_taps),
                                          echo_hlo_iota(b, numbers, 1));
  EchoValue *marked = echo_hlo_select(b, equal, from_end, echo_hlo_constant_i64(b, numbers, 0));
  EchoValue *first = beside_taps(p, echo_hlo_reduce_max(b, marked, &taps, 1));
  return echo_hlo_and(b, equal, echo_hlo_compare(b, ECHO_COMPARE_EQ, marked, first));
}

static EchoValue *lowest_or_highest(EchoBuilder *b, const EchoType *type, bool is_maximum)
{
  return echo_hlo_scalar_f64(b, echo_type_element(type),
                             is_maximum ? -__builtin_inf() : __builtin_inf());
}

/* ---- reduce_window ---- */

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

/* The product of all other taps and the initial value, by running products from both ends: no
 * division, so that zeros are right. */
static EchoValue *window_product_gradient_or_null(EchoBuilder *b, EchoOp *op, EchoValue *gy,
                                                  const EchoWindowDim *windows)
{
  EchoValue *x = echo_op_operand(op, 0), *init = echo_op_operand(op, 1);
  Patches p;
  if (!patches_of(b, op, gy->type, windows, &p))
    return NULL;
  EchoValue *patches = lay_out(&p, x, init);
  EchoWindowDim before[2] = {{1, 1, 1, 1, 0, 0, false}, {p.n_taps, 1, 1, 1, p.n_taps, -1, false}};
  EchoWindowDim after[2] = {{1, 1, 1, 1, 0, 0, false}, {p.n_taps, 1, 1, 1, -1, p.n_taps, false}};
  EchoValue *one = echo_hlo_scalar_f64(b, echo_type_element(x->type), 1);
  EchoValue *others =
      echo_hlo_multiply(b, echo_hlo_reduce_window(b, patches, one, before, "stablehlo.multiply"),
                        echo_hlo_reduce_window(b, patches, one, after, "stablehlo.multiply"));
  EchoValue *scaled = echo_hlo_multiply(b, gy, echo_hlo_broadcast_scalar(b, init, gy->type));
  return add_up(&p, echo_hlo_multiply(b, others, beside_taps(&p, scaled)));
}

/* The first of equal elements gets all of it, as in select_and_scatter. */
static EchoValue *dilated_extremum_gradient_or_null(EchoBuilder *b, EchoOp *op, EchoValue *gy,
                                                    const EchoWindowDim *windows, bool is_maximum)
{
  EchoValue *x = echo_op_operand(op, 0);
  Patches p;
  if (!patches_of(b, op, gy->type, windows, &p))
    return NULL;
  EchoValue *patches = lay_out(&p, x, lowest_or_highest(b, x->type, is_maximum));
  EchoValue *share = beside_taps(&p, gy);
  return add_up(&p, echo_hlo_select(b, first_extreme(&p, patches, is_maximum), share,
                                    echo_hlo_constant_like(b, share, 0)));
}

static bool is_undilated(const EchoWindowDim *windows, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (windows[i].base_dilation != 1 || windows[i].window_dilation != 1)
      return false;
  return true;
}

/* The initial value takes no part: it is the neutral element wherever a gradient is asked for. */
bool echo_hlo_differentiate_reduce_window(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  size_t n_inputs = op->n_operands / 2;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0)), *x = echo_op_operand(op, 0);
  for (uint32_t i = 0; i < op->n_results; i++)
    if (echo_gradient_of_or_null(g, echo_op_result(op, i)) != NULL &&
        echo_gradient_needs(g, echo_op_operand(op, n_inputs + i)))
      return echo_op_error(op, "has no gradient by its initial value");
  if (gy == NULL || !echo_gradient_needs(g, x))
    return true;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(op, windows);
  EchoHloOpcode opcode =
      op->n_results == 1 ? echo_hlo_combiner(&op->regions[0]) : ECHO_N_HLO_OPCODES;
  bool is_maximum = opcode == ECHO_HLO_MAXIMUM;
  EchoValue *gx;
  switch (opcode) {
  case ECHO_HLO_ADD:
    gx = window_sum_gradient(g, x, gy, windows, n);
    break;
  case ECHO_HLO_MULTIPLY:
    gx = window_product_gradient_or_null(b, op, gy, windows);
    break;
  case ECHO_HLO_MAXIMUM:
  case ECHO_HLO_MINIMUM: /* select_and_scatter knows neither dilation */
    if (is_undilated(windows, n))
      gx = echo_hlo_select_and_scatter(
          b, x, gy, echo_hlo_scalar_f64(b, echo_type_element(x->type), 0), windows,
          is_maximum ? ECHO_COMPARE_GE : ECHO_COMPARE_LE, "stablehlo.add");
    else
      gx = dilated_extremum_gradient_or_null(b, op, gy, windows, is_maximum);
    break;
  default:
    return echo_op_error(op,
                         "has no gradient: only window sums, products, maxima and minima of one "
                         "operand are differentiated");
  }
  if (gx != NULL)
    echo_gradient_add(g, x, gx);
  return gx != NULL;
}

/* ---- select_and_scatter ---- */

/* Whether the region keeps its first argument where it is at least (at most: *is_maximum = false)
 * the second. */
static bool selects_extreme(const EchoRegion *select, bool *is_maximum)
{
  const EchoBlock *block = select->first;
  const EchoOp *op = block->first;
  if (op == NULL || op->next != block->last || echo_hlo_opcode(op) != ECHO_HLO_COMPARE ||
      echo_op_operand(op, 0) != echo_block_arg(block, 0) ||
      echo_op_operand(op, 1) != echo_block_arg(block, 1) ||
      echo_op_operand(block->last, 0) != echo_op_result(op, 0))
    return false;
  EchoCompareDirection direction = echo_stablehlo_compare_direction(op);
  *is_maximum = direction == ECHO_COMPARE_GE;
  return *is_maximum || direction == ECHO_COMPARE_LE;
}

/* The source of each window gets gy where the window's element was selected; the selected places
 * are constant almost everywhere, so the operand gets nothing. */
bool echo_hlo_differentiate_select_and_scatter(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  EchoValue *x = echo_op_operand(op, 0), *source = echo_op_operand(op, 1);
  EchoValue *init = echo_op_operand(op, 2);
  if (gy == NULL || (!echo_gradient_needs(g, source) && !echo_gradient_needs(g, init)))
    return true;
  bool is_maximum = false;
  if (echo_gradient_needs(g, init) || !selects_extreme(&op->regions[0], &is_maximum) ||
      echo_hlo_combiner(&op->regions[1]) != ECHO_HLO_ADD)
    return echo_op_error(op, "has no gradient: only those that select by GE or LE, scatter by add "
                             "and start from a constant are differentiated");
  EchoWindowDim windows[ECHO_MAX_RANK];
  echo_stablehlo_windows(op, windows);
  Patches p;
  if (!patches_of(b, op, source->type, windows, &p))
    return false;
  EchoValue *patches = lay_out(&p, x, lowest_or_highest(b, x->type, is_maximum));
  EchoValue *from = lay_out(&p, gy, echo_hlo_scalar_f64(b, echo_type_element(gy->type), 0));
  EchoValue *picked = echo_hlo_select(b, first_extreme(&p, patches, is_maximum), from,
                                      echo_hlo_constant_like(b, from, 0));
  const int64_t taps = 1;
  EchoValue *sum = echo_hlo_reduce_sum(b, picked, &taps, 1);
  echo_gradient_add(
      g, source,
      echo_hlo_reshape(b, sum, source->type->as.shaped.dims, echo_type_rank(source->type)));
  return true;
}
