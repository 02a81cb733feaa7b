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

/* A vector of one dimension with at least lanes [first, first + n). */
static bool check_lanes(const EchoBuilder *builder, const char *name, const EchoValue *vector,
                        int64_t first, int64_t n)
{
  if (!echo_builder_check_value(builder, name, "vector", vector))
    return false;
  const EchoType *type = vector->type;
  bool is_flat = type->kind == ECHO_TYPE_VECTOR && type->as.shaped.rank == 1;
  return (is_flat && first >= 0 && n > 0 && n <= type->as.shaped.dims[0] &&
          first <= type->as.shaped.dims[0] - n) ||
         echo_misuse(builder->ctx, builder->loc, "'%s' is built: 'vector' has no such lanes", name);
}

EchoValue *echo_vector_slice(EchoBuilder *builder, EchoValue *vector, int64_t first, int64_t n)
{
  static const char NAME[] = "vector.extract_strided_slice";
  if (!check_lanes(builder, NAME, vector, first, n))
    return NULL;
  EchoContext *ctx = builder->ctx;
  const EchoType *shaped = vector->type;
  const EchoType *type = echo_type_vector(ctx, &n, 1, shaped->as.shaped.element, 0);
  const EchoAttr *offset = echo_attr_i64(ctx, first);
  const EchoAttr *size = echo_attr_i64(ctx, n), *one = echo_attr_i64(ctx, 1);
  EchoAttrArg attrs[] = {{"offsets", echo_attr_array(ctx, &offset, 1)},
                         {"sizes", echo_attr_array(ctx, &size, 1)},
                         {"strides", echo_attr_array(ctx, &one, 1)}};
  return echo_built_result(echo_build_op(builder, NAME, &vector, 1, &type, 1, attrs, 3));
}

EchoValue *echo_vector_extract(EchoBuilder *builder, EchoValue *vector, int64_t lane)
{
  static const char NAME[] = "vector.extract";
  if (!check_lanes(builder, NAME, vector, lane, 1))
    return NULL;
  const EchoType *type = vector->type->as.shaped.element;
  EchoAttrArg position = {"static_position", echo_attr_i64_array(builder->ctx, &lane, 1)};
  return echo_built_result(echo_build_op(builder, NAME, &vector, 1, &type, 1, &position, 1));
}
