/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel of a GPU convolves where that is all it does, as tensors that lie in its arguments:
 *   result[g, b, f, o] = sum over i, t of input[g, b, i, o * stride + t * window dilation
 *                                                         - padding] * window[g, i, f, t]
 * with b in the batch, i and f features of group g, o and t places; input at a place that its
 * dilation does not divide, or that is not there, is zero. It stands on the kernel's gpu.func, as
 * `kernel.convolution`, so that a library may make the convolution in its place; verified there:
 * each of the three is all of its argument. Gradients are convolutions too; which of a library's
 * operations one is is not said here. */
#ifndef ECHO_DIALECTS_KERNEL_CONVOLUTION_H
#define ECHO_DIALECTS_KERNEL_CONVOLUTION_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_KERNEL_CONVOLUTION_ATTR "kernel.convolution"

enum {
  ECHO_CONVOLUTION_SPATIAL = 3, /* dimensions of places, at most */
  ECHO_CONVOLUTION_RANK = 3 + ECHO_CONVOLUTION_SPATIAL
};

/* Of one spatial dimension. Sizes and what multiplies are at least 1. */
typedef struct EchoConvolutionDim {
  int64_t input, window, result;
  int64_t stride, base_dilation, window_dilation;
  int64_t padding; /* before the first place; may be negative */
} EchoConvolutionDim;

/* A tensor in an argument. Strides are in elements: of group, of the batch (of the window: input
 * features), of features (of the window: the result's), of each spatial dimension. */
typedef struct EchoConvolutionOperand {
  uint32_t argument; /* of the kernel */
  int64_t alignment; /* of the argument's address, in bytes, in every launch */
  int64_t strides[ECHO_CONVOLUTION_RANK];
} EchoConvolutionOperand;

typedef struct EchoConvolution {
  int64_t n_groups, batch, input_features, features; /* of a group; at least 1, below 2^31 */
  size_t n_spatial;
  EchoConvolutionDim dims[ECHO_CONVOLUTION_SPATIAL];
  bool is_reversed; /* place t of the window is its last but t, in all dimensions */
  bool allows_tf32; /* f32 may be multiplied in tf32 */
  const EchoType *factor, *result;
  EchoConvolutionOperand input, window, out;
} EchoConvolution;

const EchoAttr *echo_kernel_convolution_attr(EchoContext *ctx, const EchoConvolution *convolution);
/* Reads that of a verified gpu.func; false where it has none. */
bool echo_kernel_convolution(const EchoOp *func, EchoConvolution *convolution);
/* Whether the attribute of `func`, if it has one, is such a convolution on its arguments; an error
 * says what is wrong. */
bool echo_kernel_convolution_verify(const EchoOp *func);

/* Sizes in the order of an operand's strides: 3 + n_spatial of them. */
void echo_kernel_convolution_input_sizes(const EchoConvolution *convolution, int64_t *sizes);
void echo_kernel_convolution_window_sizes(const EchoConvolution *convolution, int64_t *sizes);
void echo_kernel_convolution_result_sizes(const EchoConvolution *convolution, int64_t *sizes);

#ifdef __cplusplus
}
#endif

#endif
