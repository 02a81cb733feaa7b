/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A convolution reads its operands in any order of dimensions and takes what is around and between
 * their elements for zeros: a transpose or a pad of zeros in front of it, and a transpose behind
 * it, are other numbers of the convolution. Exporters that write a gradient as a convolution of
 * transposed and dilated arrays would else have these beside what they are made of. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

static bool is_plain(const EchoType *type)
{
  EchoTypeKind kind = echo_type_element(type)->kind;
  return echo_type_has_static_shape(type) && type->as.shaped.encoding == NULL &&
         (kind == ECHO_TYPE_FLOAT || kind == ECHO_TYPE_INTEGER || kind == ECHO_TYPE_COMPLEX);
}

/* Whether convolutions alone read it: else there would be two values to keep. */
static bool only_convolutions_read(const EchoValue *value)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (echo_hlo_opcode(use->owner) != ECHO_HLO_CONVOLUTION)
      return false;
  return value->first_use != NULL;
}

static const int64_t *permute(EchoDimList dims, EchoDimList permutation, int64_t *room)
{
  for (size_t i = 0; i < dims.size; i++)
    room[i] = permutation.dims[dims.dims[i]];
  return room;
}

/* What convolutions read now may be a pad or a transpose, which are looked at again. */
static void look_again(EchoRewriter *rewriter, EchoOp *op)
{
  EchoOp *def = echo_value_def_or_null(echo_op_operand(op, 0));
  if (def != NULL)
    echo_rewriter_changed(rewriter, def);
}

/* ---- operands ---- */

static void read_untransposed(EchoOp *convolution, size_t operand, const EchoOp *transpose)
{
  int64_t room[ECHO_MAX_RANK];
  EchoConvDims dims = *echo_stablehlo_conv_dims(convolution);
  EchoDimList permutation = echo_stablehlo_dims(transpose, "permutation");
  const int64_t *to = permutation.dims;
  if (operand == 0) {
    dims.input_batch = to[dims.input_batch];
    dims.input_feature = to[dims.input_feature];
    dims.input_spatial.dims = permute(dims.input_spatial, permutation, room);
  } else {
    dims.kernel_input_feature = to[dims.kernel_input_feature];
    dims.kernel_output_feature = to[dims.kernel_output_feature];
    dims.kernel_spatial.dims = permute(dims.kernel_spatial, permutation, room);
  }
  echo_op_set_attr(convolution, "dimension_numbers",
                   echo_stablehlo_conv_dims_attr(echo_op_context(convolution), &dims));
  echo_op_set_operand(convolution, operand, echo_op_operand(transpose, 0));
}

/* conv(transpose x, w) is conv(x, w) under other numbers, and likewise on the right. */
bool echo_hlo_convolve_untransposed(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *transposed = echo_op_result(op, 0);
  if (!is_plain(transposed->type) || !only_convolutions_read(transposed))
    return false;
  while (transposed->first_use != NULL) {
    EchoOp *convolution = transposed->first_use->owner;
    read_untransposed(convolution, echo_use_operand_index(transposed->first_use), op);
    echo_rewriter_changed(rewriter, convolution);
  }
  look_again(rewriter, op);
  return true;
}

/* ---- zeros around and between ---- */

typedef struct Zeros {
  EchoDimList low, high, interior;
} Zeros;

/* Whether the pad only puts zeros around and between the elements. */
static bool read_zeros(const EchoOp *pad, Zeros *zeros)
{
  const EchoAttr *value = echo_value_constant_or_null(echo_op_operand(pad, 1));
  const EchoType *type = echo_op_operand_type(pad, 0);
  *zeros = (Zeros){echo_stablehlo_dims(pad, "edge_padding_low"),
                   echo_stablehlo_dims(pad, "edge_padding_high"),
                   echo_stablehlo_dims(pad, "interior_padding")};
  if (value == NULL || value->kind != ECHO_ATTR_DENSE_ELEMENTS || !is_plain(type) ||
      !is_plain(echo_op_result_type(pad, 0)) || echo_type_static_n_elements(type) == 0)
    return false;
  for (size_t i = 0; i < value->as.elements.size_bytes; i++)
    if (((const char *)value->as.elements.data)[i] != 0)
      return false;
  for (size_t i = 0; i < zeros->low.size; i++)
    if (zeros->low.dims[i] < 0 || zeros->high.dims[i] < 0)
      return false;
  return true;
}

static bool pads_nothing(const Zeros *zeros, int64_t dim)
{
  return zeros->low.dims[dim] == 0 && zeros->high.dims[dim] == 0 && zeros->interior.dims[dim] == 0;
}

static bool pads_only_space(const Zeros *zeros, const EchoConvDims *dims, size_t operand)
{
  return operand == 0
             ? pads_nothing(zeros, dims->input_batch) && pads_nothing(zeros, dims->input_feature)
             : pads_nothing(zeros, dims->kernel_input_feature) &&
                   pads_nothing(zeros, dims->kernel_output_feature);
}

/* What is around a dilated operand is as far away as its elements are from each other. A kernel
 * without the zeros at its ends starts and stops as many places later. */
static void read_unpadded(EchoOp *convolution, size_t operand, const EchoOp *pad,
                          const Zeros *zeros)
{
  EchoContext *ctx = echo_op_context(convolution);
  const EchoConvDims *dims = echo_stablehlo_conv_dims(convolution);
  EchoWindowDim windows[ECHO_MAX_RANK];
  size_t n = echo_stablehlo_windows(convolution, windows);
  int64_t padding[ECHO_MAX_RANK][2], dilation[ECHO_MAX_RANK];
  for (size_t i = 0; i < n; i++) {
    int64_t dim = operand == 0 ? dims->input_spatial.dims[i] : dims->kernel_spatial.dims[i];
    int64_t step = operand == 0 ? windows[i].base_dilation : windows[i].window_dilation;
    int64_t low = zeros->low.dims[dim] * step, high = zeros->high.dims[dim] * step;
    dilation[i] = step * (zeros->interior.dims[dim] + 1);
    bool is_turned = operand == 1 && windows[i].reversed;
    padding[i][0] = windows[i].padding_low + (operand == 0 ? low : is_turned ? -high : -low);
    padding[i][1] = windows[i].padding_high + (operand == 0 ? high : is_turned ? -low : -high);
  }
  echo_op_set_attr(convolution, "padding",
                   echo_stablehlo_padding_attr(ctx, (const int64_t(*)[2])padding, n));
  echo_op_set_attr(convolution, operand == 0 ? "lhs_dilation" : "rhs_dilation",
                   echo_attr_i64_array(ctx, dilation, n));
  echo_op_set_operand(convolution, operand, echo_op_operand(pad, 0));
}

/* conv(pad x, w) is conv(x, w) with more padding or dilation, and likewise on the right. */
bool echo_hlo_convolve_unpadded(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *padded = echo_op_result(op, 0);
  Zeros zeros;
  if (!only_convolutions_read(padded) || !read_zeros(op, &zeros))
    return false;
  for (const EchoUse *use = padded->first_use; use != NULL; use = use->next)
    if (!pads_only_space(&zeros, echo_stablehlo_conv_dims(use->owner), echo_use_operand_index(use)))
      return false;
  while (padded->first_use != NULL) {
    EchoOp *convolution = padded->first_use->owner;
    read_unpadded(convolution, echo_use_operand_index(padded->first_use), op, &zeros);
    echo_rewriter_changed(rewriter, convolution);
  }
  look_again(rewriter, op);
  return true;
}

/* ---- the result ---- */

/* transpose(conv(x, w)) is the convolution whose result has that order. */
bool echo_hlo_convolve_transposed(EchoRewriter *rewriter, EchoOp *op)
{
  EchoValue *result = echo_op_operand(op, 0);
  EchoOp *convolution = echo_value_def_or_null(result);
  if (convolution == NULL || echo_hlo_opcode(convolution) != ECHO_HLO_CONVOLUTION ||
      !echo_value_has_one_use(result) || !is_plain(result->type))
    return false;
  int64_t place[ECHO_MAX_RANK], room[ECHO_MAX_RANK];
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  for (size_t i = 0; i < permutation.size; i++)
    place[permutation.dims[i]] = (int64_t)i;
  EchoConvDims dims = *echo_stablehlo_conv_dims(convolution);
  dims.output_batch = place[dims.output_batch];
  dims.output_feature = place[dims.output_feature];
  dims.output_spatial.dims =
      permute(dims.output_spatial, (EchoDimList){place, permutation.size}, room);
  EchoBuilder builder = rewriter->builder; /* the convolution stays where it is */
  builder.block = convolution->block;
  builder.before = convolution;
  EchoOp *turned = echo_op_clone(convolution, NULL);
  echo_op_set_attr(turned, "dimension_numbers",
                   echo_stablehlo_conv_dims_attr(echo_op_context(op), &dims));
  EchoValue *value = echo_op_result(turned, 0);
  echo_value_set_type(value, echo_op_result_type(op, 0));
  echo_builder_insert(&builder, turned);
  echo_rewriter_replace(rewriter, op, &value);
  return true;
}
