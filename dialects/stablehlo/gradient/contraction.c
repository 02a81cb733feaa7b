/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gradients of contractions: each operand's gradient is a contraction of gy with the other operand.
 */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/hooks_t.h"
#include "dialects/stablehlo/precision.h"

/* Dimensions of `type` in neither list, ascending; returns how many. */
static size_t free_dims(const EchoType *type, EchoDimList a, EchoDimList b, int64_t *dims)
{
  size_t n = 0;
  for (uint32_t d = 0; d < echo_type_rank(type); d++)
    if (!echo_dim_list_has(a, d) && !echo_dim_list_has(b, d))
      dims[n++] = d;
  return n;
}

/* Dimension numbers of one contraction seen from the operand that is differentiated ("mine") and
 * the other. */
typedef struct Side {
  const EchoOp *op;
  EchoValue *mine, *other;
  EchoDimList my_batching, other_batching, my_contracting, other_contracting;
  bool is_lhs;
} Side;

/* Appends mine's contracted dimensions in the order in which other has them. */
static size_t push_contracted(const Side *side, int64_t *place, size_t n)
{
  for (uint32_t d = 0; d < echo_type_rank(side->other->type); d++)
    for (size_t i = 0; i < side->other_contracting.size; i++)
      if (side->other_contracting.dims[i] == d)
        place[n++] = side->my_contracting.dims[i];
  return n;
}

/* d loss / d mine: contract gy with `other` over other's free dimensions, gy on mine's side. For
 * the left operand the product's dimensions are batching, my free ones, my contracted ones; for the
 * right one the contracted come before the free: for y[m,n] = x[m,k] w[k,n], dw = x^T gy is (k, n)
 * without a transpose. A transpose puts them where mine has them. A product of narrow floats into a
 * wider type is differentiated in the wider one. */
static EchoValue *operand_gradient(EchoGradient *g, const Side *side, EchoValue *gy)
{
  EchoBuilder *b = g->builder;
  int64_t my_free[ECHO_MAX_RANK], other_free[ECHO_MAX_RANK];
  size_t n_batch = side->my_batching.size;
  size_t n_my_free = free_dims(side->mine->type, side->my_batching, side->my_contracting, my_free);
  size_t n_other_free =
      free_dims(side->other->type, side->other_batching, side->other_contracting, other_free);
  int64_t batch[ECHO_MAX_RANK], gy_contracting[ECHO_MAX_RANK];
  for (size_t i = 0; i < n_batch; i++)
    batch[i] = (int64_t)i;
  for (size_t i = 0; i < n_other_free; i++)
    gy_contracting[i] = (int64_t)(n_batch + (side->is_lhs ? n_my_free : 0) + i);
  const EchoDimList of_gy[] = {{batch, n_batch}, {gy_contracting, n_other_free}};
  const EchoDimList of_other[] = {side->other_batching, {other_free, n_other_free}};
  const EchoDimList *left = side->is_lhs ? of_gy : of_other;
  const EchoDimList *right = side->is_lhs ? of_other : of_gy;
  const EchoDotDims dims = {.lhs_batching = left[0],
                            .lhs_contracting = left[1],
                            .rhs_batching = right[0],
                            .rhs_contracting = right[1]};
  EchoValue *other = echo_hlo_convert(b, side->other, echo_type_element(gy->type));
  EchoValue *product =
      echo_hlo_dot_general(b, side->is_lhs ? gy : other, side->is_lhs ? other : gy, &dims, NULL);
  echo_stablehlo_copy_precision(side->op, echo_value_def_or_null(product));
  /* product's dimension k is mine's dimension place[k] */
  int64_t place[ECHO_MAX_RANK], permutation[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t i = 0; i < n_batch; i++)
    place[n++] = side->my_batching.dims[i];
  if (!side->is_lhs)
    n = push_contracted(side, place, n);
  for (size_t i = 0; i < n_my_free; i++)
    place[n++] = my_free[i];
  if (side->is_lhs)
    n = push_contracted(side, place, n);
  for (size_t i = 0; i < n; i++)
    permutation[place[i]] = (int64_t)i;
  EchoValue *gradient = echo_hlo_transpose(b, product, permutation);
  return echo_hlo_convert(b, gradient, echo_type_element(side->mine->type));
}

bool echo_hlo_differentiate_dot_general(EchoGradient *g, EchoOp *op)
{
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  EchoValue *lhs = echo_op_operand(op, 0), *rhs = echo_op_operand(op, 1);
  const Side left = {.op = op,
                     .mine = lhs,
                     .other = rhs,
                     .my_batching = dims->lhs_batching,
                     .other_batching = dims->rhs_batching,
                     .my_contracting = dims->lhs_contracting,
                     .other_contracting = dims->rhs_contracting,
                     .is_lhs = true};
  const Side right = {.op = op,
                      .mine = rhs,
                      .other = lhs,
                      .my_batching = dims->rhs_batching,
                      .other_batching = dims->lhs_batching,
                      .my_contracting = dims->rhs_contracting,
                      .other_contracting = dims->lhs_contracting};
  if (echo_gradient_needs(g, lhs))
    echo_gradient_add(g, lhs, operand_gradient(g, &left, gy));
  if (echo_gradient_needs(g, rhs))
    echo_gradient_add(g, rhs, operand_gradient(g, &right, gy));
  return true;
}

/* Its dimension numbers are implied and answered by the same accessor. */
bool echo_hlo_differentiate_dot(EchoGradient *g, EchoOp *op)
{
  return echo_hlo_differentiate_dot_general(g, op);
}

/* ---- convolution ---- */

static int64_t dilated(int64_t size, int64_t dilation)
{
  return size == 0 ? 0 : (size - 1) * dilation + 1;
}

/* Splits dimension `from` into (groups, rest), puts the groups before dimension `to` and merges
 * them with it: [.., groups * a, .., b, ..] -> [.., a, .., groups * b, ..]. */
static EchoValue *move_groups(EchoBuilder *b, EchoValue *x, size_t from, size_t to, int64_t groups)
{
  if (groups == 1)
    return x;
  uint32_t rank = echo_type_rank(x->type);
  int64_t split[ECHO_MAX_RANK + 1] = {0}, permutation[ECHO_MAX_RANK + 1], merged[ECHO_MAX_RANK];
  size_t k = 0, n = 0;
  for (uint32_t d = 0; d < rank; d++) {
    merged[d] = echo_type_dim(x->type, d);
    if (d == from)
      split[k++] = groups;
    split[k++] = d == from ? merged[d] / groups : merged[d];
  }
  EchoValue *apart = echo_hlo_reshape(b, x, split, rank + 1);
  for (uint32_t d = 0; d < rank; d++) {
    if (d == to)
      permutation[n++] = (int64_t)from;
    permutation[n++] = (int64_t)(d + (d >= from)); /* of d in `apart`, past the groups */
  }
  merged[to] *= groups;
  merged[from] /= groups;
  return echo_hlo_reshape(b, echo_hlo_transpose(b, apart, permutation), merged, rank);
}

/* A convolution as the rules see it: batch groups have become feature groups ([G n, C] -> [n, G C],
 * which is the same sum), and the kernel lies as it is applied, its reversed windows reversed. */
typedef struct Convolution {
  EchoBuilder *b;
  const EchoConvDims *dims;
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n_spatial;
  EchoValue *x, *kernel, *gy;
  int64_t groups;
} Convolution;

/* The kernel with the dimensions turned whose windows are reversed. */
static EchoValue *turn(const Convolution *c, EchoValue *kernel)
{
  int64_t reversed[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t i = 0; i < c->n_spatial; i++)
    if (c->windows[i].reversed)
      reversed[n++] = c->dims->kernel_spatial.dims[i];
  return n != 0 ? echo_hlo_reverse(c->b, kernel, reversed, n) : kernel;
}

/* The kernel's gradient-side form: spatial dimensions reversed, and for a grouped convolution the
 * groups of the output features O of [.., I/G, .., O, ..] moved to the input side, so that the
 * kernel has I as its output features. */
static EchoValue *transposed_kernel(const Convolution *c)
{
  EchoValue *kernel = c->kernel;
  if (c->dims->kernel_spatial.size != 0)
    kernel =
        echo_hlo_reverse(c->b, kernel, c->dims->kernel_spatial.dims, c->dims->kernel_spatial.size);
  return move_groups(c->b, kernel, (size_t)c->dims->kernel_output_feature,
                     (size_t)c->dims->kernel_input_feature, c->groups);
}

/* gy convolved with the transposed kernel. Padding by the usual rule: low' = dilated kernel - 1 -
 * low, and high' so that the input's size comes out. Source: Dumoulin and Visin, "A guide to
 * convolution arithmetic", relationship 14. */
static EchoValue *input_gradient(const Convolution *c)
{
  const EchoConvDims *dims = c->dims;
  EchoWindowDim back[ECHO_MAX_RANK];
  EchoValue *x = c->x, *gy = c->gy;
  for (size_t i = 0; i < c->n_spatial; i++) {
    const EchoWindowDim *w = &c->windows[i];
    int64_t window = dilated(w->size, w->window_dilation);
    int64_t input =
        dilated(echo_type_dim(x->type, (size_t)dims->input_spatial.dims[i]), w->base_dilation);
    int64_t output =
        dilated(echo_type_dim(gy->type, (size_t)dims->output_spatial.dims[i]), w->stride);
    int64_t low = window - 1 - w->padding_low;
    back[i] = (EchoWindowDim){.size = w->size,
                              .stride = w->base_dilation,
                              .base_dilation = w->stride,
                              .window_dilation = w->window_dilation,
                              .padding_low = low,
                              .padding_high = input + window - 1 - output - low};
  }
  EchoConvDims swapped = *dims;
  swapped.input_batch = dims->output_batch;
  swapped.input_feature = dims->output_feature;
  swapped.input_spatial = dims->output_spatial;
  swapped.output_batch = dims->input_batch;
  swapped.output_feature = dims->input_feature;
  swapped.output_spatial = dims->input_spatial;
  swapped.kernel_input_feature = dims->kernel_output_feature;
  swapped.kernel_output_feature = dims->kernel_input_feature;
  return echo_hlo_convolution(c->b, gy, transposed_kernel(c), &swapped, back, c->groups, 1,
                              echo_type_element(x->type));
}

/* x convolved with gy as the kernel; batch is what is summed over. With groups, the features become
 * batch groups. */
static EchoValue *kernel_gradient(const Convolution *c)
{
  const EchoConvDims *dims = c->dims;
  EchoWindowDim back[ECHO_MAX_RANK];
  EchoValue *x = c->x, *gy = c->gy;
  for (size_t i = 0; i < c->n_spatial; i++) {
    const EchoWindowDim *w = &c->windows[i];
    int64_t input =
        dilated(echo_type_dim(x->type, (size_t)dims->input_spatial.dims[i]), w->base_dilation);
    int64_t output =
        dilated(echo_type_dim(gy->type, (size_t)dims->output_spatial.dims[i]), w->stride);
    int64_t window = dilated(w->size, w->window_dilation);
    back[i] = (EchoWindowDim){.size = echo_type_dim(gy->type, (size_t)dims->output_spatial.dims[i]),
                              .stride = w->window_dilation,
                              .base_dilation = w->base_dilation,
                              .window_dilation = w->stride,
                              .padding_low = w->padding_low,
                              .padding_high = output + window - 1 - input - w->padding_low};
  }
  const EchoConvDims swapped = {.input_batch = dims->input_feature,
                                .input_feature = dims->input_batch,
                                .input_spatial = dims->input_spatial,
                                .kernel_input_feature = dims->output_batch,
                                .kernel_output_feature = dims->output_feature,
                                .kernel_spatial = dims->output_spatial,
                                .output_batch = dims->kernel_input_feature,
                                .output_feature = dims->kernel_output_feature,
                                .output_spatial = dims->kernel_spatial};
  return echo_hlo_convolution(c->b, x, gy, &swapped, back, 1, c->groups,
                              echo_type_element(c->kernel->type));
}

static EchoValue *as_precise(const EchoOp *op, EchoValue *convolution)
{
  echo_stablehlo_copy_precision(op, echo_value_def_or_null(convolution));
  return convolution;
}

bool echo_hlo_differentiate_convolution(EchoGradient *g, EchoOp *op)
{
  EchoBuilder *b = g->builder;
  EchoValue *gy = echo_gradient_of_or_null(g, echo_op_result(op, 0));
  if (gy == NULL)
    return true;
  Convolution c = {.b = b, .dims = echo_stablehlo_conv_dims(op), .gy = gy};
  c.n_spatial = echo_stablehlo_windows(op, c.windows);
  int64_t batch_groups = echo_stablehlo_batch_group_count(op);
  size_t batch = (size_t)c.dims->input_batch, feature = (size_t)c.dims->input_feature;
  c.x = move_groups(b, echo_op_operand(op, 0), batch, feature, batch_groups);
  c.kernel = turn(&c, echo_op_operand(op, 1));
  c.groups = batch_groups * echo_stablehlo_feature_group_count(op); /* one of them is 1 */
  if (echo_gradient_needs(g, echo_op_operand(op, 0))) {
    EchoValue *gradient = as_precise(op, input_gradient(&c));
    echo_gradient_add(g, echo_op_operand(op, 0),
                      move_groups(b, gradient, feature, batch, batch_groups));
  }
  if (echo_gradient_needs(g, echo_op_operand(op, 1)))
    echo_gradient_add(g, echo_op_operand(op, 1), turn(&c, as_precise(op, kernel_gradient(&c))));
  return true;
}
