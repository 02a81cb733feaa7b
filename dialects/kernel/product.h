/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel of a GPU multiplies where that is all it does: result[b, i, j] = sum over l of
 * a[b, i, l] * b[b, l, j], as matrices that lie in its arguments. It stands on the kernel's
 * gpu.func, as `kernel.product`, so that a library may make the product in its place; verified
 * there: each of the three is all of its argument. */
#ifndef ECHO_DIALECTS_KERNEL_PRODUCT_H
#define ECHO_DIALECTS_KERNEL_PRODUCT_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_KERNEL_PRODUCT "kernel.product"

/* A matrix in an argument. Strides are in elements. */
typedef struct EchoProductOperand {
  uint32_t argument;  /* of the kernel */
  bool is_transposed; /* a column lies side by side, else a row */
  int64_t leading;    /* from one row to the next, or from one column */
  int64_t batch_stride;
  int64_t alignment; /* of the argument's address, in bytes, in every launch */
} EchoProductOperand;

typedef struct EchoProduct {
  int64_t n_batch, m, n, k; /* at least 1, below 2^31 */
  const EchoType *factor, *result;
  EchoProductOperand a, b, out; /* out: row by row, without gaps */
} EchoProduct;

const EchoAttr *echo_kernel_product_attr(EchoContext *ctx, const EchoProduct *product);
/* Reads one; false where the attribute (NULL allowed) is not of this form. */
bool echo_kernel_product_read(const EchoAttr *attr, EchoProduct *product);
/* Reads that of a verified gpu.func; false where it has none. */
bool echo_kernel_product(const EchoOp *func, EchoProduct *product);
/* Whether the attribute of `func`, if it has one, is such a product on its arguments; an error says
 * what is wrong. */
bool echo_kernel_product_verify(const EchoOp *func);

#ifdef __cplusplus
}
#endif

#endif
