/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A dense host tensor: a ranked static shape with a numeric element type and its row-major bytes
 * (i1 as one byte, 0 or 1). The interpreter's values, and what constants unpack to. Not for views
 * or strides. */
#ifndef ECHO_IR_ATTRIBUTES_TENSOR_H
#define ECHO_IR_ATTRIBUTES_TENSOR_H

#include "ir/attributes/attribute.h"

#ifdef __cplusplus
extern "C" {
#endif

struct EchoTensor {
  const EchoType *type; /* ranked tensor, static */
  EchoElementKind kind;
  int64_t n_elements;
  void *data; /* owned; 64-byte aligned; NULL when not allocated yet */
};

/* Uninitialised data; zeroed when `zero`. */
EchoTensor *echo_tensor_create(const EchoType *type, bool zero);
EchoTensor *echo_tensor_from_elements(const EchoAttr *elements); /* dense<…>, splat expanded */
const EchoAttr *echo_tensor_to_elements(EchoContext *ctx, const EchoTensor *tensor);
EchoTensor *echo_tensor_clone(const EchoTensor *tensor);
void echo_tensor_destroy(EchoTensor *tensor); /* NULL allowed */

/* Element access by row-major index. Floats convert exactly to double and back by round to nearest
 * even; i64 getters sign- or zero-extend; setters truncate. */
double echo_tensor_get_f64(const EchoTensor *tensor, int64_t index);
void echo_tensor_set_f64(EchoTensor *tensor, int64_t index, double value);
int64_t echo_tensor_get_i64(const EchoTensor *tensor, int64_t index);
void echo_tensor_set_i64(EchoTensor *tensor, int64_t index, int64_t value);

/* Row-major strides in elements; strides has rank entries. */
void echo_shape_strides(const int64_t *dims, size_t rank, int64_t *strides);

#ifdef __cplusplus
}
#endif

#endif
