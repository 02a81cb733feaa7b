/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* {dims = array<i64: input, window, result, stride, base dilation, window dilation, padding, …>,
 *  factor = f32, input = array<i64: argument, alignment, strides…>, out = …, result = f32,
 *  sizes = array<i64: groups, batch, input features, features, is reversed, allows tf32>,
 *  window = …} */
#include "dialects/kernel/convolution.h"

#include "base/memory.h"
#include "ir/diagnostics.h"

enum { N_DIM = 7, N_SIZES = 6, N_FIRST = 2 };

static const EchoAttr *operand_attr(EchoContext *ctx, const EchoConvolutionOperand *operand,
                                    size_t rank)
{
  int64_t values[N_FIRST + ECHO_CONVOLUTION_RANK] = {operand->argument, operand->alignment};
  for (size_t i = 0; i < rank; ++i)
    values[N_FIRST + i] = operand->strides[i];
  return echo_attr_i64_array(ctx, values, N_FIRST + rank);
}

static const EchoAttr *dims_attr(EchoContext *ctx, const EchoConvolution *c)
{
  int64_t values[ECHO_CONVOLUTION_SPATIAL * N_DIM];
  size_t n = 0;
  for (size_t i = 0; i < c->n_spatial; ++i) {
    const EchoConvolutionDim *dim = &c->dims[i];
    values[n++] = dim->input;
    values[n++] = dim->window;
    values[n++] = dim->result;
    values[n++] = dim->stride;
    values[n++] = dim->base_dilation;
    values[n++] = dim->window_dilation;
    values[n++] = dim->padding;
  }
  return echo_attr_i64_array(ctx, values, n);
}

const EchoAttr *echo_kernel_convolution_attr(EchoContext *ctx, const EchoConvolution *c)
{
  const int64_t sizes[N_SIZES] = {c->n_groups, c->batch,       c->input_features,
                                  c->features, c->is_reversed, c->allows_tf32};
  size_t rank = 3 + c->n_spatial;
  const EchoNamedAttr entries[] = {{ECHO_STR("dims"), dims_attr(ctx, c)},
                                   {ECHO_STR("factor"), echo_attr_type(ctx, c->factor)},
                                   {ECHO_STR("input"), operand_attr(ctx, &c->input, rank)},
                                   {ECHO_STR("out"), operand_attr(ctx, &c->out, rank)},
                                   {ECHO_STR("result"), echo_attr_type(ctx, c->result)},
                                   {ECHO_STR("sizes"), echo_attr_i64_array(ctx, sizes, N_SIZES)},
                                   {ECHO_STR("window"), operand_attr(ctx, &c->window, rank)}};
  return echo_attr_dictionary(ctx, entries, sizeof entries / sizeof entries[0]);
}

/* ---- reading ---- */

/* NULL where there is none, or not of n numbers. */
static const EchoAttr *ints_or_null(const EchoAttr *dictionary, const char *name, size_t n)
{
  const EchoAttr *attr = echo_dictionary_get_or_null(dictionary, name);
  return echo_attr_is_i64_array(attr) && echo_attr_ints_size(attr) == n ? attr : NULL;
}

static bool read_dims(const EchoAttr *dictionary, EchoConvolution *c)
{
  const EchoAttr *attr = echo_dictionary_get_or_null(dictionary, "dims");
  size_t n = echo_attr_is_i64_array(attr) ? echo_attr_ints_size(attr) : 0;
  c->n_spatial = n / N_DIM;
  if (n % N_DIM != 0 || c->n_spatial < 1 || c->n_spatial > ECHO_CONVOLUTION_SPATIAL)
    return false;
  for (size_t i = 0; i < c->n_spatial; ++i) {
    int64_t v[N_DIM];
    for (size_t k = 0; k < N_DIM; ++k)
      v[k] = echo_attr_ints_get(attr, i * N_DIM + k);
    c->dims[i] = (EchoConvolutionDim){v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
  }
  return true;
}

static bool read_sizes(const EchoAttr *dictionary, EchoConvolution *c)
{
  const EchoAttr *attr = ints_or_null(dictionary, "sizes", N_SIZES);
  if (attr == NULL)
    return false;
  c->n_groups = echo_attr_ints_get(attr, 0);
  c->batch = echo_attr_ints_get(attr, 1);
  c->input_features = echo_attr_ints_get(attr, 2);
  c->features = echo_attr_ints_get(attr, 3);
  c->is_reversed = echo_attr_ints_get(attr, 4) != 0;
  c->allows_tf32 = echo_attr_ints_get(attr, 5) != 0;
  return true;
}

static bool read_operand(const EchoAttr *dictionary, const char *name, size_t rank,
                         EchoConvolutionOperand *operand)
{
  const EchoAttr *attr = ints_or_null(dictionary, name, N_FIRST + rank);
  int64_t argument = attr != NULL ? echo_attr_ints_get(attr, 0) : -1;
  if (argument < 0 || argument > UINT32_MAX)
    return false;
  *operand = (EchoConvolutionOperand){.argument = (uint32_t)argument,
                                      .alignment = echo_attr_ints_get(attr, 1)};
  for (size_t i = 0; i < rank; ++i)
    operand->strides[i] = echo_attr_ints_get(attr, N_FIRST + i);
  return true;
}

static bool read_type(const EchoAttr *dictionary, const char *name, const EchoType **type)
{
  const EchoAttr *attr = echo_dictionary_get_or_null(dictionary, name);
  *type = attr != NULL && attr->kind == ECHO_ATTR_TYPE ? attr->as.type_value : NULL;
  return *type != NULL;
}

/* False where the attribute is not of this form. */
static bool read_convolution(const EchoAttr *attr, EchoConvolution *c)
{
  *c = (EchoConvolution){0};
  if (attr->kind != ECHO_ATTR_DICTIONARY || !read_dims(attr, c) || !read_sizes(attr, c))
    return false;
  size_t rank = 3 + c->n_spatial;
  return read_type(attr, "factor", &c->factor) && read_type(attr, "result", &c->result) &&
         read_operand(attr, "input", rank, &c->input) &&
         read_operand(attr, "window", rank, &c->window) && read_operand(attr, "out", rank, &c->out);
}

bool echo_kernel_convolution(const EchoOp *func, EchoConvolution *convolution)
{
  const EchoAttr *attr = echo_op_attr_or_null(func, ECHO_KERNEL_CONVOLUTION_ATTR);
  return attr != NULL && read_convolution(attr, convolution);
}

void echo_kernel_convolution_input_sizes(const EchoConvolution *c, int64_t *sizes)
{
  sizes[0] = c->n_groups;
  sizes[1] = c->batch;
  sizes[2] = c->input_features;
  for (size_t i = 0; i < c->n_spatial; ++i)
    sizes[3 + i] = c->dims[i].input;
}

void echo_kernel_convolution_window_sizes(const EchoConvolution *c, int64_t *sizes)
{
  sizes[0] = c->n_groups;
  sizes[1] = c->input_features;
  sizes[2] = c->features;
  for (size_t i = 0; i < c->n_spatial; ++i)
    sizes[3 + i] = c->dims[i].window;
}

void echo_kernel_convolution_result_sizes(const EchoConvolution *c, int64_t *sizes)
{
  sizes[0] = c->n_groups;
  sizes[1] = c->batch;
  sizes[2] = c->features;
  for (size_t i = 0; i < c->n_spatial; ++i)
    sizes[3 + i] = c->dims[i].result;
}

/* ---- verification ---- */

/* A number of places, of features, or what one is multiplied by. */
static bool is_size(int64_t size)
{
  return size >= 1 && size <= INT32_MAX;
}

static bool verify_sizes(const EchoOp *func, const EchoConvolution *c)
{
  int64_t sizes[4 + ECHO_CONVOLUTION_SPATIAL * N_DIM] = {c->n_groups, c->batch, c->input_features,
                                                         c->features};
  size_t n = 4;
  for (size_t i = 0; i < c->n_spatial; ++i) {
    const EchoConvolutionDim *dim = &c->dims[i];
    const int64_t of_dim[] = {dim->input,  dim->window,        dim->result,
                              dim->stride, dim->base_dilation, dim->window_dilation};
    for (size_t k = 0; k < N_DIM - 1; ++k)
      sizes[n++] = of_dim[k];
    if (dim->padding < -INT32_MAX || dim->padding > INT32_MAX)
      return echo_op_error(func, "a convolution has no padding of %lld", (long long)dim->padding);
  }
  for (size_t i = 0; i < n; ++i)
    if (!is_size(sizes[i]))
      return echo_op_error(func, "a convolution has no size of %lld", (long long)sizes[i]);
  return true;
}

/* Whether element 0 to n_elements - 1 are there, each once: sorted by stride each dimension goes on
 * where those inside it end. */
static bool is_all(const int64_t *sizes, const int64_t *strides, size_t rank, int64_t n_elements)
{
  int64_t expected = 1;
  for (size_t n = 0; n < rank; ++n) {
    size_t i = 0;
    while (i < rank && (sizes[i] == 1 || strides[i] != expected))
      ++i;
    if (i == rank)
      break;
    if (expected > n_elements / sizes[i])
      return false;
    expected *= sizes[i];
  }
  int64_t all = 1;
  for (size_t i = 0; i < rank; ++i) {
    if (strides[i] < 0 || all > n_elements / sizes[i])
      return false;
    all *= sizes[i];
  }
  return expected == n_elements && all == n_elements;
}

static bool verify_operand(const EchoOp *func, const EchoConvolutionOperand *operand,
                           const int64_t *sizes, size_t rank, const EchoType *element)
{
  const EchoType *type = echo_op_attr_or_null(func, "function_type")->as.type_value;
  int64_t n_elements = 0;
  if (operand->argument >= type->as.function.n_inputs)
    return echo_op_error(func, "there is no argument #%u to convolve", operand->argument);
  const EchoType *argument = type->as.function.inputs[operand->argument];
  if (!echo_type_is_shaped(argument) || echo_type_element(argument) != element ||
      !echo_type_n_elements(argument, &n_elements))
    return echo_op_error(func, "argument #%u has not the elements of the convolution",
                         operand->argument);
  return (operand->alignment >= 1 && is_all(sizes, operand->strides, rank, n_elements)) ||
         echo_op_error(func, "the convolution is not one of all of argument #%u",
                       operand->argument);
}

/* Whoever launches it knows of no others. */
static bool verify_arguments(const EchoOp *func, const EchoConvolution *c)
{
  const EchoType *type = echo_op_attr_or_null(func, "function_type")->as.type_value;
  for (uint32_t i = 0; i < type->as.function.n_inputs; ++i)
    if (i != c->input.argument && i != c->window.argument && i != c->out.argument)
      return echo_op_error(func, "argument #%u has no part in the convolution", i);
  return (c->out.argument != c->input.argument && c->out.argument != c->window.argument) ||
         echo_op_error(func, "a convolution reads argument #%u, which it writes", c->out.argument);
}

bool echo_kernel_convolution_verify(const EchoOp *func)
{
  const EchoAttr *attr = echo_op_attr_or_null(func, ECHO_KERNEL_CONVOLUTION_ATTR);
  EchoConvolution c;
  int64_t input[ECHO_CONVOLUTION_RANK], window[ECHO_CONVOLUTION_RANK];
  int64_t result[ECHO_CONVOLUTION_RANK];
  if (attr == NULL)
    return true;
  if (!read_convolution(attr, &c))
    return echo_op_error(func, "attribute 'kernel.convolution' is no convolution");
  if (!verify_sizes(func, &c))
    return false;
  size_t rank = 3 + c.n_spatial;
  echo_kernel_convolution_input_sizes(&c, input);
  echo_kernel_convolution_window_sizes(&c, window);
  echo_kernel_convolution_result_sizes(&c, result);
  return verify_operand(func, &c.input, input, rank, c.factor) &&
         verify_operand(func, &c.window, window, rank, c.factor) &&
         verify_operand(func, &c.out, result, rank, c.result) && verify_arguments(func, &c);
}
