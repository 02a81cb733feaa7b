/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of vector ops. */
#include "dialects/vector/vector.h"

EchoValue *echo_vector_load(EchoBuilder *builder, const EchoType *vector, EchoValue *memref,
                            EchoValue *const *indices, size_t n)
{
  EchoValue *operands[ECHO_MAX_RANK + 1] = {memref};
  for (size_t i = 0; i < n; ++i)
    operands[i + 1] = indices[i];
  return echo_op_result(echo_build_op(builder, "vector.load", operands, n + 1, &vector, 1, NULL, 0),
                        0);
}

void echo_vector_store(EchoBuilder *builder, EchoValue *vector, EchoValue *memref,
                       EchoValue *const *indices, size_t n)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  EchoValue *operands[ECHO_MAX_RANK + 2] = {vector, memref};
  for (size_t i = 0; i < n; ++i)
    operands[i + 2] = indices[i];
  echo_build_op(builder, "vector.store", operands, n + 2, NO_TYPES, 0, NULL, 0);
}

EchoValue *echo_vector_broadcast(EchoBuilder *builder, const EchoType *vector, EchoValue *scalar)
{
  return echo_op_result(echo_build_op(builder, "vector.broadcast", &scalar, 1, &vector, 1, NULL, 0),
                        0);
}
