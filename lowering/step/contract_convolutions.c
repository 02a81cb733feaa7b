/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --contract-convolutions: a convolution in which each dimension of its window has one place, or of
 * its result has one, is a product of matrices: of 1 x 1 windows the forward pass and both
 * gradients, and of a window as large as its image. Strides and padding that is negative are a
 * slice of the input, zeros around and between what a gradient is made of are a pad of the product,
 * a quarter of which would else be multiplied for a stride of two. Products of these kinds read
 * their operands as they lie and write results in their order: where it would take a transpose the
 * convolution stays. Idempotent. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/precision.h"
#include "ir/builder.h"
#include "lowering/lowering.h"

/* A convolution read as pad(dot(slice(input), window)). Of the input's dimensions `is_summed` says
 * which are contracted; `start`, `limit`, `stride` cut it; `low`, `high`, `interior` are of the
 * result's dimensions. */
typedef struct Product {
  const EchoConvDims *dims;
  int64_t start[ECHO_MAX_RANK], limit[ECHO_MAX_RANK], stride[ECHO_MAX_RANK];
  int64_t low[ECHO_MAX_RANK], high[ECHO_MAX_RANK], interior[ECHO_MAX_RANK];
  bool is_summed[ECHO_MAX_RANK], is_cut, is_padded, swaps;
} Product;

static bool is_plain(const EchoOp *op)
{
  if (!echo_op_is(op, "stablehlo.convolution") || echo_stablehlo_feature_group_count(op) != 1 ||
      echo_stablehlo_batch_group_count(op) != 1)
    return false;
  const EchoType *types[] = {echo_op_operand_type(op, 0), echo_op_operand_type(op, 1),
                             echo_op_result_type(op, 0)};
  for (size_t i = 0; i < 3; ++i)
    if (!echo_type_has_static_shape(types[i]) || types[i]->as.shaped.encoding != NULL ||
        echo_type_element(types[i])->kind != ECHO_TYPE_FLOAT ||
        echo_type_static_n_elements(types[i]) == 0)
      return false;
  return true;
}

/* Takes `count` elements of dimension `dim` of the input, from `start` on; false: there are not
 * that many. */
static bool cut(Product *product, const EchoType *input, size_t dim, int64_t start, int64_t stride,
                int64_t count)
{
  int64_t size = echo_type_dim(input, dim), limit = start + (count - 1) * stride + 1;
  if (start < 0 || limit > size)
    return false;
  product->start[dim] = start;
  product->limit[dim] = limit;
  product->stride[dim] = count == 1 ? 1 : stride;
  product->is_cut |= start != 0 || limit != size || (stride != 1 && count != 1);
  return true;
}

/* One place of the window: each place of the result is one of the input, or zeros. */
static bool read_free(Product *product, const EchoType *input, size_t in, size_t out,
                      const EchoWindowDim *window, int64_t n_out)
{
  if (window->base_dilation == 1 &&
      cut(product, input, in, -window->padding_low, window->stride, n_out))
    return true;
  if (window->stride != 1)
    return false;
  cut(product, input, in, 0, 1, echo_type_dim(input, in));
  product->low[out] = window->padding_low;
  product->high[out] = window->padding_high;
  product->interior[out] = window->base_dilation - 1;
  product->is_padded = true;
  return true;
}

static bool read_spatial(Product *product, const EchoOp *op, size_t i, const EchoWindowDim *window)
{
  const EchoType *input = echo_op_operand_type(op, 0);
  size_t in = (size_t)product->dims->input_spatial.dims[i];
  size_t out = (size_t)product->dims->output_spatial.dims[i];
  int64_t n_out = echo_type_dim(echo_op_result_type(op, 0), out);
  if (window->size == 1)
    return read_free(product, input, in, out, window, n_out);
  product->is_summed[in] = true;
  return n_out == 1 && window->base_dilation == 1 && !window->reversed &&
         cut(product, input, in, -window->padding_low, window->window_dilation, window->size);
}

/* Whether what is summed over lies together in an operand, as what is not does: a matrix. */
static bool is_matrix(const EchoType *type, const bool *is_summed)
{
  int n_changes = 0, last = -1;
  for (size_t d = 0; d < echo_type_rank(type); ++d) {
    if (echo_type_dim(type, d) == 1)
      continue;
    n_changes += last >= 0 && last != is_summed[d];
    last = is_summed[d];
  }
  return n_changes < 2;
}

/* The input's dimension that dimension `out` of the result is a place of; -1: the features. */
static int64_t input_dim(const EchoConvDims *dims, int64_t out)
{
  if (out == dims->output_batch)
    return dims->input_batch;
  for (size_t i = 0; i < dims->output_spatial.size; ++i)
    if (dims->output_spatial.dims[i] == out)
      return dims->input_spatial.dims[i];
  return -1;
}

/* Whether a product has the result's order: the input's places in theirs, and features before or
 * behind all of them. Dimensions of one element stand anywhere. */
static bool has_order(Product *product, const EchoType *result)
{
  int64_t last = -1;
  bool is_first = false, is_last = false; /* features, among all */
  for (int64_t d = 0; d < (int64_t)echo_type_rank(result); ++d) {
    int64_t in = input_dim(product->dims, d);
    if (echo_type_dim(result, (size_t)d) == 1)
      continue;
    if (in < 0) {
      is_first = last < 0;
      is_last = true;
      continue;
    }
    if (in < last || (is_last && !is_first))
      return false;
    last = in;
    is_last = false;
  }
  product->swaps = is_first && last >= 0;
  return true;
}

static bool read_product(const EchoOp *op, Product *product)
{
  const EchoType *input = echo_op_operand_type(op, 0), *kernel = echo_op_operand_type(op, 1);
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(op, windows);
  *product = (Product){.dims = dims};
  cut(product, input, (size_t)dims->input_batch, 0, 1,
      echo_type_dim(input, (size_t)dims->input_batch));
  cut(product, input, (size_t)dims->input_feature, 0, 1,
      echo_type_dim(input, (size_t)dims->input_feature));
  product->is_summed[dims->input_feature] = true;
  bool is_summed[ECHO_MAX_RANK] = {false};
  is_summed[dims->kernel_input_feature] = true;
  for (size_t i = 0; i < n; ++i) {
    if (!read_spatial(product, op, i, &windows[i]))
      return false;
    is_summed[dims->kernel_spatial.dims[i]] = true;
  }
  return is_matrix(input, product->is_summed) && is_matrix(kernel, is_summed) &&
         has_order(product, echo_op_result_type(op, 0));
}

/* ---- building ---- */

static EchoValue *sliced_input(EchoBuilder *builder, const EchoOp *op, const Product *product)
{
  EchoValue *input = echo_op_operand(op, 0);
  return product->is_cut
             ? echo_hlo_slice(builder, input, product->start, product->limit, product->stride)
             : input;
}

/* The window without its dimensions of one place, and which of its dimensions each became; -1:
 * none.
 */
static EchoValue *flat_window(EchoBuilder *builder, const EchoOp *op, const Product *product,
                              int64_t *becomes)
{
  const EchoConvDims *dims = product->dims;
  EchoValue *window = echo_op_operand(op, 1);
  int64_t sizes[ECHO_MAX_RANK];
  size_t rank = 0;
  for (int64_t d = 0; d < (int64_t)echo_type_rank(window->type); ++d) {
    bool is_kept = d == dims->kernel_input_feature || d == dims->kernel_output_feature;
    for (size_t i = 0; i < dims->kernel_spatial.size; ++i)
      is_kept |=
          dims->kernel_spatial.dims[i] == d && product->is_summed[dims->input_spatial.dims[i]];
    becomes[d] = is_kept ? (int64_t)rank : -1;
    if (is_kept)
      sizes[rank++] = echo_type_dim(window->type, (size_t)d);
  }
  return rank == echo_type_rank(window->type) ? window
                                              : echo_hlo_reshape(builder, window, sizes, rank);
}

/* What is summed over, in the input's order. */
static size_t list_summed(const Product *product, size_t rank, const int64_t *becomes,
                          int64_t *of_input, int64_t *of_window)
{
  const EchoConvDims *dims = product->dims;
  size_t n = 0;
  for (int64_t d = 0; d < (int64_t)rank; ++d) {
    if (!product->is_summed[d])
      continue;
    int64_t partner = dims->kernel_input_feature;
    for (size_t i = 0; i < dims->input_spatial.size; ++i)
      partner = dims->input_spatial.dims[i] == d ? dims->kernel_spatial.dims[i] : partner;
    of_input[n] = d;
    of_window[n++] = becomes[partner];
  }
  return n;
}

static EchoValue *multiply(EchoBuilder *builder, const EchoOp *op, const Product *product)
{
  int64_t becomes[ECHO_MAX_RANK], of_input[ECHO_MAX_RANK], of_window[ECHO_MAX_RANK];
  EchoValue *input = sliced_input(builder, op, product);
  EchoValue *window = flat_window(builder, op, product, becomes);
  size_t n = list_summed(product, echo_type_rank(input->type), becomes, of_input, of_window);
  EchoDimList left = {of_input, n}, right = {of_window, n};
  EchoDotDims dims = {.lhs_contracting = product->swaps ? right : left,
                      .rhs_contracting = product->swaps ? left : right};
  EchoValue *value = echo_hlo_dot_general(builder, product->swaps ? window : input,
                                          product->swaps ? input : window, &dims,
                                          echo_type_element(echo_op_result_type(op, 0)));
  echo_stablehlo_copy_precision(op, echo_value_def_or_null(value));
  return value;
}

/* The product as the convolution's result, without what is around and between its elements. */
static EchoValue *with_dims_of_result(EchoBuilder *builder, const EchoOp *op,
                                      const Product *product, EchoValue *value)
{
  const EchoType *result = echo_op_result_type(op, 0);
  int64_t sizes[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(result); ++d) {
    int64_t in = input_dim(product->dims, (int64_t)d);
    bool is_place = in >= 0 && !product->is_summed[in];
    sizes[d] = !is_place ? echo_type_dim(result, d)
                         : (product->limit[in] - product->start[in] - 1) / product->stride[in] + 1;
  }
  return echo_hlo_reshape(builder, value, sizes, echo_type_rank(result));
}

static void contract(EchoOp *op, const Product *product)
{
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  EchoValue *value = multiply(&builder, op, product);
  value = with_dims_of_result(&builder, op, product, value);
  if (product->is_padded) {
    const EchoType *element = echo_type_element(value->type);
    value = echo_hlo_pad(&builder, value, echo_hlo_scalar_f64(&builder, element, 0), product->low,
                         product->high, product->interior);
  }
  echo_value_replace_all_uses(echo_op_result(op, 0), value);
  echo_op_erase(op);
}

static bool run(EchoPassRun *pass)
{
  uint64_t n_contracted = 0;
  Product product;
  for (EchoOp *op = pass->op, *next; op != NULL; op = next) {
    next = echo_op_walk_next(pass->op, op);
    if (!is_plain(op) || !read_product(op, &product))
      continue;
    contract(op, &product);
    ++n_contracted;
  }
  echo_pass_count(pass, "contracted", n_contracted);
  pass->keeps_all = n_contracted == 0;
  return true;
}

static const EchoPassStatistic statistics[] = {{"contracted", "convolutions made products"}, {0}};

const EchoPass ECHO_PASS_CONTRACT_CONVOLUTIONS = {
    .name = "contract-convolutions",
    .summary = "convolutions that are products of matrices as such",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
