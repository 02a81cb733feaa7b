/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of vector ops. */
#include "dialects/vector/vector.h"

/* Indices of a memref: no more than a type has dimensions. */
static bool check_access(const EchoBuilder *builder, const char *name, const EchoValue *memref,
                         EchoValue *const *indices, size_t n)
{
  return echo_builder_check_value(builder, name, "memref", memref) &&
         echo_builder_check_values(builder, name, "indices", indices, n) &&
         (n <= ECHO_MAX_RANK ||
          echo_misuse(builder->ctx, builder->loc, "'%s' is built: 'n' is %zu, above %d", name, n,
                      ECHO_MAX_RANK));
}

EchoValue *echo_vector_load(EchoBuilder *builder, const EchoType *vector, EchoValue *memref,
                            EchoValue *const *indices, size_t n)
{
  if (!echo_builder_check_type(builder, "vector.load", "vector", vector) ||
      !check_access(builder, "vector.load", memref, indices, n))
    return NULL;
  EchoValue *operands[ECHO_MAX_RANK + 1] = {memref};
  for (size_t i = 0; i < n; ++i)
    operands[i + 1] = indices[i];
  return echo_built_result(
      echo_build_op(builder, "vector.load", operands, n + 1, &vector, 1, NULL, 0));
}

void echo_vector_store(EchoBuilder *builder, EchoValue *vector, EchoValue *memref,
                       EchoValue *const *indices, size_t n)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  if (!echo_builder_check_value(builder, "vector.store", "vector", vector) ||
      !check_access(builder, "vector.store", memref, indices, n))
    return;
  EchoValue *operands[ECHO_MAX_RANK + 2] = {vector, memref};
  for (size_t i = 0; i < n; ++i)
    operands[i + 2] = indices[i];
  echo_build_op(builder, "vector.store", operands, n + 2, NO_TYPES, 0, NULL, 0);
}

EchoValue *echo_vector_broadcast(EchoBuilder *builder, const EchoType *vector, EchoValue *scalar)
{
  if (!echo_builder_check_type(builder, "vector.broadcast", "vector", vector) ||
      !echo_builder_check_value(builder, "vector.broadcast", "scalar", scalar))
    return NULL;
  return echo_built_result(
      echo_build_op(builder, "vector.broadcast", &scalar, 1, &vector, 1, NULL, 0));
}
