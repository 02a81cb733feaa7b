/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NumPy's .npy format, versions 1.0 to 3.0: one array in memory, in and out. Element types are
 * those of EchoElementKind: bool is i1, signed integers are signless, bfloat16 is what ml_dtypes
 * writes ("V2"), complex numbers are read as pairs, a dimension of 2 more. Big-endian and
 * Fortran-ordered arrays are read and become row-major; we write neither. source
 * numpy/lib/format.py's description of the format */
#ifndef ECHO_JIT_DATA_NPY_H
#define ECHO_JIT_DATA_NPY_H

#include "ir/attributes/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_NPY_MAGIC "\x93NUMPY"

/* NULL with the reason appended to *error. The bytes must end where the array does. */
EchoTensor *echo_npy_parse_or_null(EchoContext *ctx, EchoStr bytes, EchoBuffer *error);

/* The header that stands before the tensor's own bytes; its length is a multiple of 64. The element
 * kind is one of EchoElementKind (checked). */
void echo_npy_append_header(const EchoTensor *tensor, EchoBuffer *out);
/* Header and data. */
void echo_npy_append(const EchoTensor *tensor, EchoBuffer *out);

/* The tensor's data in bytes. */
uint64_t echo_tensor_bytes(const EchoTensor *tensor);

#ifdef __cplusplus
}
#endif

#endif
