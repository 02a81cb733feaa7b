/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel convolves, where it is one convolution of its arguments, as numbers: for a library
 * that may make it in the kernel's place. */
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/kernels/contraction_t.h"

/* The convolution that the kernel is, of its arguments alone. */
static const EchoOp *only_convolution_or_null(const EchoOp *kernel)
{
  const EchoBlock *body = echo_op_body(kernel, 0);
  const EchoOp *op = body->first;
  while (op != body->last && echo_op_has_trait(op, ECHO_CONSTANT))
    op = op->next;
  if (echo_hlo_opcode(op) != ECHO_HLO_CONVOLUTION || op->next != body->last ||
      body->last->n_operands != 1 || echo_op_operand(body->last, 0) != echo_op_result(op, 0) ||
      !echo_op_operand(op, 0)->is_block_arg || !echo_op_operand(op, 1)->is_block_arg)
    return NULL;
  return op;
}

static int64_t stride_of(const EchoType *type, int64_t dim)
{
  int64_t stride = 1;
  for (size_t i = (size_t)dim + 1; i < echo_type_rank(type); ++i)
    stride *= echo_type_dim(type, i);
  return stride;
}

/* Without the stride of groups. */
static EchoConvolutionOperand operand_of(const EchoType *type, const EchoLaunchFacts *facts_or_null,
                                         size_t argument, int64_t first, int64_t second,
                                         const EchoDimList *spatial)
{
  EchoConvolutionOperand operand = {
      .argument = (uint32_t)argument,
      .alignment = facts_or_null != NULL ? facts_or_null->alignments[argument] : 1,
      .strides = {0, stride_of(type, first), stride_of(type, second)}};
  for (size_t i = 0; i < spatial->size; ++i)
    operand.strides[3 + i] = stride_of(type, spatial->dims[i]);
  return operand;
}

/* False where a library has no word for it: only some dimensions are reversed. */
static bool describe_dims(const EchoOp *op, const EchoWindowDim *windows, EchoConvolution *c)
{
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  bool is_forward = false;
  for (size_t i = 0; i < c->n_spatial; ++i) {
    c->dims[i] = (EchoConvolutionDim){
        .input = echo_type_dim(echo_op_operand_type(op, 0), (size_t)dims->input_spatial.dims[i]),
        .window = windows[i].size,
        .result = echo_type_dim(echo_op_result_type(op, 0), (size_t)dims->output_spatial.dims[i]),
        .stride = windows[i].stride,
        .base_dilation = windows[i].base_dilation,
        .window_dilation = windows[i].window_dilation,
        .padding = windows[i].padding_low};
    c->is_reversed |= windows[i].reversed && windows[i].size > 1;
    is_forward |= !windows[i].reversed && windows[i].size > 1;
  }
  return !(c->is_reversed && is_forward);
}

static bool has_library_types(const EchoOp *op)
{
  EchoElementKind factor = echo_type_element_kind(echo_op_operand_type(op, 0));
  EchoElementKind result = echo_type_element_kind(echo_op_result_type(op, 0));
  bool is_half = factor == ECHO_ELEMENT_F16 || factor == ECHO_ELEMENT_BF16;
  return (is_half || factor == ECHO_ELEMENT_F32 || factor == ECHO_ELEMENT_F64) &&
         echo_type_element_kind(echo_op_operand_type(op, 1)) == factor &&
         (result == factor || (is_half && result == ECHO_ELEMENT_F32));
}

static bool has_elements(const EchoOp *op)
{
  return echo_type_static_n_elements(echo_op_operand_type(op, 0)) > 0 &&
         echo_type_static_n_elements(echo_op_operand_type(op, 1)) > 0 &&
         echo_type_static_n_elements(echo_op_result_type(op, 0)) > 0;
}

/* A group's features lie behind those of the group before; so does its batch, where it has one. */
static void describe_operands(const EchoOp *kernel, const EchoOp *op,
                              const EchoLaunchFacts *facts_or_null, EchoConvolution *c)
{
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  bool has_batches = echo_stablehlo_batch_group_count(op) > 1;
  c->input = operand_of(echo_op_operand_type(op, 0), facts_or_null, echo_op_operand(op, 0)->index,
                        dims->input_batch, dims->input_feature, &dims->input_spatial);
  c->window =
      operand_of(echo_op_operand_type(op, 1), facts_or_null, echo_op_operand(op, 1)->index,
                 dims->kernel_input_feature, dims->kernel_output_feature, &dims->kernel_spatial);
  c->out = operand_of(echo_op_result_type(op, 0), facts_or_null, echo_op_body(kernel, 0)->n_args,
                      dims->output_batch, dims->output_feature, &dims->output_spatial);
  c->input.strides[0] =
      has_batches ? c->input.strides[1] * c->batch : c->input.strides[2] * c->input_features;
  c->window.strides[0] = c->window.strides[2] * c->features;
  c->out.strides[0] = c->out.strides[2] * c->features;
}

bool echo_describe_convolution(const EchoOp *kernel, const EchoLaunchFacts *facts_or_null,
                               EchoConvolution *convolution)
{
  const EchoOp *op = only_convolution_or_null(kernel);
  EchoWindowDim windows[ECHO_MAX_RANK];
  EchoConvolution c = {0};
  if (op == NULL || !has_library_types(op) || !has_elements(op))
    return false;
  const EchoConvDims *dims = echo_stablehlo_conv_dims(op);
  const EchoType *window = echo_op_operand_type(op, 1), *result = echo_op_result_type(op, 0);
  c.n_spatial = echo_stablehlo_windows(op, windows);
  if (c.n_spatial < 1 || c.n_spatial > ECHO_CONVOLUTION_SPATIAL || !describe_dims(op, windows, &c))
    return false;
  c.n_groups = echo_stablehlo_feature_group_count(op) * echo_stablehlo_batch_group_count(op);
  c.batch = echo_type_dim(result, (size_t)dims->output_batch);
  c.input_features = echo_type_dim(window, (size_t)dims->kernel_input_feature);
  c.features = echo_type_dim(result, (size_t)dims->output_feature) / c.n_groups;
  c.allows_tf32 = echo_stablehlo_allows_tf32(op);
  c.factor = echo_type_element(window);
  c.result = echo_type_element(result);
  describe_operands(kernel, op, facts_or_null, &c);
  *convolution = c;
  return true;
}
