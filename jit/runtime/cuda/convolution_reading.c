/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* y[n, k, o] = sum over c, t of x[n, c, o * stride + t * dilation - padding] * w[k, c, t] is the
 * library's; each of its operations makes one of the three out of the two others. Sizes and numbers
 * are those of y = w * x in all of them. */
#include "jit/runtime/cuda/convolution_t.h"

typedef struct Dim {
  int64_t x, w, y, stride, dilation, padding;
} Dim;

/* From what a tensor's stride of n or k, of g and of c or k is taken: numbers of the operand's. */
typedef struct Roles {
  const EchoConvolutionOperand *x, *w, *y;
  size_t x_n, x_c, w_k, w_c, y_n, y_k;
  int64_t n, k, c;
} Roles;

enum { GROUP = 0, FIRST = 1, SECOND = 2, PLACES = 3 };

static bool is_one_place(const EchoConvolution *c)
{
  bool is_one = true;
  for (size_t i = 0; i < c->n_spatial; i++)
    is_one &= c->dims[i].window == 1;
  return is_one;
}

/* ---- one dimension ---- */

static bool read_forward(const EchoConvolutionDim *d, Dim *dim)
{
  *dim = (Dim){d->input, d->window, d->result, d->stride, d->window_dilation, d->padding};
  return d->base_dilation == 1;
}

/* Place i of the result is made of place o of the input where i + t * dilation - padding here is
 * o * base dilation; with t counted from the window's end that is o * stride + t * dilation less
 * the library's padding. */
static bool read_gradient_of_input(const EchoConvolutionDim *d, Dim *dim)
{
  *dim = (Dim){d->result,          d->window,
               d->input,           d->base_dilation,
               d->window_dilation, d->window_dilation * (d->window - 1) - d->padding};
  return d->stride == 1;
}

static bool read_gradient_of_window(const EchoConvolutionDim *d, Dim *dim)
{
  *dim = (Dim){d->input, d->result, d->window, d->window_dilation, d->stride, d->padding};
  return d->base_dilation == 1;
}

/* Padding behind, such that the library counts y's places as they are; false where none does. */
static bool find_padding_after(const Dim *dim, int64_t *after)
{
  int64_t first_of_last = (dim->y - 1) * dim->stride, reach = dim->dilation * (dim->w - 1);
  int64_t last = first_of_last + reach - dim->padding;
  if (first_of_last > INT32_MAX || reach > INT32_MAX)
    return false;
  *after = last > dim->x - 1 ? last - (dim->x - 1) : 0;
  return dim->padding >= 0 && dim->x - 1 - last < dim->stride;
}

static bool read_dims(const EchoConvolution *c, EchoConvolutionReading reading, Dim *dims)
{
  static bool (*const READ[])(const EchoConvolutionDim *d, Dim *dim) = {
      read_forward, read_gradient_of_input, read_gradient_of_window};
  for (size_t i = 0; i < c->n_spatial; i++)
    if (!READ[reading](&c->dims[i], &dims[i]))
      return false;
  return true;
}

/* ---- tensors ---- */

static Roles roles_of(const EchoConvolution *c, EchoConvolutionReading reading)
{
  switch (reading) {
  case ECHO_READ_FORWARD:
    return (Roles){.x = &c->input,
                   .w = &c->window,
                   .y = &c->out,
                   .x_n = FIRST,
                   .x_c = SECOND,
                   .w_k = SECOND,
                   .w_c = FIRST,
                   .y_n = FIRST,
                   .y_k = SECOND,
                   .n = c->batch,
                   .k = c->features,
                   .c = c->input_features};
  case ECHO_READ_GRADIENT_OF_INPUT:
    return (Roles){.x = &c->out,
                   .w = &c->window,
                   .y = &c->input,
                   .x_n = FIRST,
                   .x_c = SECOND,
                   .w_k = FIRST,
                   .w_c = SECOND,
                   .y_n = FIRST,
                   .y_k = SECOND,
                   .n = c->batch,
                   .k = c->input_features,
                   .c = c->features};
  case ECHO_READ_GRADIENT_OF_WINDOW:
    return (Roles){.x = &c->input,
                   .w = &c->out,
                   .y = &c->window,
                   .x_n = SECOND,
                   .x_c = FIRST,
                   .w_k = SECOND,
                   .w_c = FIRST,
                   .y_n = FIRST,
                   .y_k = SECOND,
                   .n = c->input_features,
                   .k = c->features,
                   .c = c->batch};
  case ECHO_N_CONVOLUTION_READINGS:
    break;
  }
  ECHO_UNREACHABLE("a convolution read in way %d", (int)reading);
}

/* Whether groups of `size` channels lie side by side: then the library has one dimension of both.
 */
static bool joins(const EchoConvolutionOperand *operand, size_t channel, int64_t n_groups,
                  int64_t size)
{
  return n_groups == 1 || size == 1 || operand->strides[GROUP] == operand->strides[channel] * size;
}

typedef struct Writer {
  const EchoConvolution *c;
  const Dim *dims;
  size_t n_spatial;
  bool is_joined;
  EchoCudnnTensor *tensor;
  size_t rank;
} Writer;

static void add(Writer *w, int64_t dim, int64_t stride)
{
  w->tensor->dims[w->rank] = dim;
  w->tensor->strides[w->rank++] = stride;
}

/* `n_groups` of `size` channels; strides are positive, also where there is one of a kind. */
static void add_groups(Writer *w, const EchoConvolutionOperand *operand, size_t channel,
                       int64_t size)
{
  int64_t n_groups = w->c->n_groups;
  int64_t of_group = operand->strides[GROUP], of_channel = operand->strides[channel];
  if (w->is_joined) {
    add(w, n_groups * size, size == 1 && n_groups > 1 ? of_group : of_channel);
    return;
  }
  add(w, n_groups, of_group);
  add(w, size, of_channel);
}

/* One spatial dimension is the second of two. */
static void add_places(Writer *w, const EchoConvolutionOperand *operand, const int64_t *sizes)
{
  if (w->n_spatial > w->c->n_spatial)
    add(w, 1, sizes[0] * operand->strides[PLACES]);
  for (size_t i = 0; i < w->c->n_spatial; i++)
    add(w, sizes[i], operand->strides[PLACES + i]);
}

static int data_type(const EchoType *type)
{
  switch (echo_type_element_kind(type)) {
  case ECHO_ELEMENT_F64:
    return CUDNN_DATA_DOUBLE;
  case ECHO_ELEMENT_F16:
    return CUDNN_DATA_HALF;
  case ECHO_ELEMENT_BF16:
    return CUDNN_DATA_BFLOAT16;
  default:
    return CUDNN_DATA_FLOAT;
  }
}

static void start(Writer *w, const EchoConvolutionOperand *operand, EchoCudnnTensor *tensor)
{
  const EchoConvolution *c = w->c;
  w->tensor = tensor;
  w->rank = 0;
  tensor->id = operand == &c->input ? 1 : operand == &c->window ? 2 : 3;
  tensor->data_type = data_type(operand == &c->out ? c->result : c->factor);
}

static void write_tensors(Writer *w, const Roles *roles, EchoCudnnConvolution *read)
{
  int64_t x[ECHO_CONVOLUTION_SPATIAL], filter[ECHO_CONVOLUTION_SPATIAL];
  int64_t y[ECHO_CONVOLUTION_SPATIAL];
  for (size_t i = 0; i < w->c->n_spatial; i++) {
    x[i] = w->dims[i].x;
    filter[i] = w->dims[i].w;
    y[i] = w->dims[i].y;
  }
  start(w, roles->x, &read->x);
  add(w, roles->n, roles->x->strides[roles->x_n]);
  add_groups(w, roles->x, roles->x_c, roles->c);
  add_places(w, roles->x, x);
  start(w, roles->w, &read->w);
  add_groups(w, roles->w, roles->w_k, roles->k);
  add(w, roles->c, roles->w->strides[roles->w_c]);
  add_places(w, roles->w, filter);
  start(w, roles->y, &read->y);
  add(w, roles->n, roles->y->strides[roles->y_n]);
  add_groups(w, roles->y, roles->y_k, roles->k);
  add_places(w, roles->y, y);
  read->rank = w->rank;
}

/* ---- all ---- */

static bool write_dims(const EchoConvolution *c, const Dim *dims, EchoCudnnConvolution *read)
{
  size_t skipped = read->n_spatial - c->n_spatial;
  for (size_t i = 0; i < read->n_spatial; i++) {
    read->strides[i] = read->dilations[i] = 1;
    read->padding_before[i] = read->padding_after[i] = 0;
  }
  for (size_t i = 0; i < c->n_spatial; i++) {
    read->strides[skipped + i] = dims[i].stride;
    read->dilations[skipped + i] = dims[i].dilation;
    read->padding_before[skipped + i] = dims[i].padding;
    if (!find_padding_after(&dims[i], &read->padding_after[skipped + i]))
      return false;
  }
  return true;
}

bool echo_convolution_read(const EchoConvolution *c, EchoConvolutionReading reading,
                           EchoCudnnConvolution *read)
{
  static const cudnnBackendDescriptorType_t OPERATIONS[] = {
      CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
      CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
      CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR};
  Dim dims[ECHO_CONVOLUTION_SPATIAL];
  if (!read_dims(c, reading, dims) || (reading == ECHO_READ_GRADIENT_OF_WINDOW && c->is_reversed))
    return false;
  bool is_turned = reading == ECHO_READ_GRADIENT_OF_INPUT ? !c->is_reversed : c->is_reversed;
  bool is_wide = echo_type_element_kind(c->factor) == ECHO_ELEMENT_F64;
  *read = (EchoCudnnConvolution){.operation = OPERATIONS[reading],
                                 .compute_type = is_wide ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT,
                                 .is_convolution = is_turned && !is_one_place(c),
                                 .n_spatial = c->n_spatial < 2 ? 2 : c->n_spatial};
  Roles roles = roles_of(c, reading);
  Writer writer = {.c = c,
                   .dims = dims,
                   .n_spatial = read->n_spatial,
                   .is_joined = joins(roles.x, roles.x_c, c->n_groups, roles.c) &&
                                joins(roles.w, roles.w_k, c->n_groups, roles.k) &&
                                joins(roles.y, roles.y_k, c->n_groups, roles.k)};
  write_tensors(&writer, &roles, read);
  return write_dims(c, dims, read);
}
