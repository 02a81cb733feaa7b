/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the tests of data files share: bytes by hand, temporary files, and checks of errors. */
#ifndef ECHO_TESTS_UNIT_JIT_TENSOR_FILES_H
#define ECHO_TESTS_UNIT_JIT_TENSOR_FILES_H

#include "jit/data/tensor_set.h"

/* A .npy of this version: magic, header padded as NumPy does, data. */
void npy_bytes(EchoBuffer *out, int version, const char *header, const void *data, size_t size);

/* A path in a fresh directory; the same for every call of one test process. */
const char *temporary_path(const char *name);
void write_bytes(const char *path, const EchoBuffer *bytes);
void read_bytes(const char *path, EchoBuffer *bytes);

/* tensor<…> of `text` filled with values that tell positions apart. */
EchoTensor *counted_tensor(EchoContext *ctx, const char *text);
/* Same type and bytes. */
bool same_tensor(const EchoTensor *a, const EchoTensor *b);

#endif
