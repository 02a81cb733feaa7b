/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An operation's tensors as one convolution, or what is wrong with them. */
#include <string.h>

#include "tests/gpu/cudnn/descriptor.h"

/* Names of an operation's attributes. */
typedef struct Names {
  cudnnBackendAttributeName_t alpha, beta, convolution, operands[3];
} Names;

static Names names_of(cudnnBackendDescriptorType_t operation)
{
  switch (operation) {
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
    return (Names){CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                   {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y}};
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    return (Names){CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                   {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY}};
  default:
    return (Names){CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                   {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY}};
  }
}

void operands_of(const Descriptor *operation, const Descriptor *operands[3])
{
  Names names = names_of(operation->type);
  for (size_t i = 0; i < 3; i++)
    operands[i] = get_descriptor(operation, names.operands[i]);
}

static int64_t dim_of(const Descriptor *tensor, size_t i)
{
  return get_int(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, i);
}

static int64_t stride_of(const Descriptor *tensor, size_t i)
{
  return get_int(tensor, CUDNN_ATTR_TENSOR_STRIDES, i);
}

/* [n, g c, …] or [n, g, c, …]; of w [g k, c, …] or [g, k, c, …]: the number of groups is that of
 * x's channels over w's. */
static bool read_channels(const Descriptor *const t[3], bool has_groups, Shape *s)
{
  s->n = dim_of(t[0], 0);
  s->c = dim_of(t[1], has_groups ? 2 : 1);
  if (has_groups) {
    s->g = dim_of(t[0], 1);
    s->k = dim_of(t[1], 1);
    return dim_of(t[0], 2) == s->c && dim_of(t[1], 0) == s->g && dim_of(t[2], 0) == s->n &&
           dim_of(t[2], 1) == s->g && dim_of(t[2], 2) == s->k;
  }
  s->g = dim_of(t[0], 1) / s->c;
  if (s->g < 1 || dim_of(t[1], 0) % s->g != 0)
    return false;
  s->k = dim_of(t[1], 0) / s->g;
  return dim_of(t[0], 1) == s->g * s->c && dim_of(t[2], 0) == s->n &&
         dim_of(t[2], 1) == s->g * s->k;
}

static void read_strides(const Descriptor *const t[3], bool has_groups, Shape *s)
{
  int64_t *of_x = s->x_strides, *of_w = s->w_strides, *of_y = s->y_strides;
  of_x[0] = stride_of(t[0], 0);
  of_y[0] = stride_of(t[2], 0);
  if (has_groups) {
    for (size_t i = 0; i < 3; i++) {
      of_x[i] = stride_of(t[0], i);
      of_w[i] = stride_of(t[1], i);
      of_y[i] = stride_of(t[2], i);
    }
    return;
  }
  of_x[2] = stride_of(t[0], 1);
  of_x[1] = of_x[2] * s->c;
  of_w[1] = stride_of(t[1], 0);
  of_w[0] = of_w[1] * s->k;
  of_w[2] = stride_of(t[1], 1);
  of_y[2] = stride_of(t[2], 1);
  of_y[1] = of_y[2] * s->k;
}

static bool read_places(const Descriptor *const t[3], const Descriptor *convolution, size_t first,
                        size_t n, Shape *s)
{
  for (size_t i = 0; i < PLACES; i++) {
    s->x[i] = s->w[i] = s->y[i] = s->stride[i] = s->dilation[i] = 1;
    s->padding[i] = s->x_strides[3 + i] = s->w_strides[3 + i] = s->y_strides[3 + i] = 0;
  }
  for (size_t k = 0; k < n; k++) {
    size_t i = PLACES - n + k;
    s->x[i] = dim_of(t[0], first + k);
    s->w[i] = dim_of(t[1], first + k);
    s->y[i] = dim_of(t[2], first + k);
    s->x_strides[3 + i] = stride_of(t[0], first + k);
    s->w_strides[3 + i] = stride_of(t[1], first + k);
    s->y_strides[3 + i] = stride_of(t[2], first + k);
    s->stride[i] = get_int(convolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, k);
    s->dilation[i] = get_int(convolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, k);
    s->padding[i] = get_int(convolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, k);
    int64_t room = s->x[i] + s->padding[i] +
                   get_int(convolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, k) -
                   s->dilation[i] * (s->w[i] - 1) - 1;
    if (room < 0 || s->y[i] != room / s->stride[i] + 1)
      return false;
  }
  return true;
}

/* alpha 1 and beta 0 are all that it does. */
static bool is_plain(const Descriptor *operation, const Names *names, bool is_wide)
{
  static const float FACTORS[] = {1, 0};
  static const double WIDE_FACTORS[] = {1, 0};
  const cudnnBackendAttributeName_t scales[] = {names->alpha, names->beta};
  for (size_t i = 0; i < 2; i++) {
    const Attribute *scale = find_or_null(operation, scales[i]);
    if (scale->type != (is_wide ? CUDNN_TYPE_DOUBLE : CUDNN_TYPE_FLOAT) ||
        memcmp(scale->bytes, is_wide ? (const void *)&WIDE_FACTORS[i] : &FACTORS[i],
               element_bytes(scale->type)) != 0)
      return false;
  }
  return true;
}

static bool has_types(const Descriptor *const t[3], int made, bool is_wide, Shape *s)
{
  s->factor_type = get_enum(t[made == 0 ? 1 : 0], CUDNN_ATTR_TENSOR_DATA_TYPE);
  s->result_type = get_enum(t[made], CUDNN_ATTR_TENSOR_DATA_TYPE);
  int other = get_enum(t[made == 2 ? 1 : 2], CUDNN_ATTR_TENSOR_DATA_TYPE);
  return other == s->factor_type && is_wide == (s->factor_type == CUDNN_DATA_DOUBLE) &&
         (s->result_type == s->factor_type || (!is_wide && s->result_type == CUDNN_DATA_FLOAT));
}

cudnnStatus_t read_shape(const Descriptor *operation, Shape *s)
{
  Names names = names_of(operation->type);
  const Descriptor *t[3], *convolution = get_descriptor(operation, names.convolution);
  operands_of(operation, t);
  size_t n = (size_t)get_int(convolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0);
  size_t rank = (size_t)find_or_null(t[0], CUDNN_ATTR_TENSOR_DIMENSIONS)->n;
  bool has_groups = rank == n + 3;
  bool is_wide = get_enum(convolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE) == CUDNN_DATA_DOUBLE;
  int made = operation->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR         ? 2
             : operation->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ? 0
                                                                                               : 1;
  *s = (Shape){.operation = operation->type,
               .is_turned =
                   get_enum(convolution, CUDNN_ATTR_CONVOLUTION_CONV_MODE) == CUDNN_CONVOLUTION};
  for (size_t i = 0; i < 3; i++)
    if ((size_t)find_or_null(t[i], CUDNN_ATTR_TENSOR_DIMENSIONS)->n != rank)
      return CUDNN_STATUS_BAD_PARAM;
  if ((!has_groups && rank != n + 2) || !read_channels(t, has_groups, s) ||
      !read_places(t, convolution, rank - n, n, s))
    return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  read_strides(t, has_groups, s);
  if (!has_types(t, made, is_wide, s))
    return CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE;
  return is_plain(operation, &names, is_wide) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}
