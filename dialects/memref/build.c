/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builders of memref ops. */
#include "dialects/memref/memref.h"

static EchoValue **prefixed(EchoBuilder *builder, EchoValue *const *prefix, size_t n_prefix,
                            EchoValue *const *indices, size_t n)
{
  EchoValue **operands =
      ECHO_ARENA_ARRAY(echo_context_arena(builder->ctx), EchoValue *, n + n_prefix);
  for (size_t i = 0; i < n_prefix; ++i)
    operands[i] = prefix[i];
  for (size_t i = 0; i < n; ++i)
    operands[n_prefix + i] = indices[i];
  return operands;
}

EchoValue *echo_memref_load(EchoBuilder *builder, EchoValue *memref, EchoValue *const *indices,
                            size_t n)
{
  const EchoType *type = memref->type->as.shaped.element;
  EchoValue **operands = prefixed(builder, &memref, 1, indices, n);
  return echo_op_result(echo_build_op(builder, "memref.load", operands, n + 1, &type, 1, NULL, 0),
                        0);
}

void echo_memref_store(EchoBuilder *builder, EchoValue *value, EchoValue *memref,
                       EchoValue *const *indices, size_t n)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  EchoValue *prefix[] = {value, memref};
  EchoValue **operands = prefixed(builder, prefix, 2, indices, n);
  echo_build_op(builder, "memref.store", operands, n + 2, NO_TYPES, 0, NULL, 0);
}

EchoValue *echo_memref_alloca(EchoBuilder *builder, const EchoType *type)
{
  static const int32_t SEGMENTS[] = {0, 0};
  EchoAttrArg args[] = {{"alignment", echo_attr_i64(builder->ctx, 64)},
                        {"operandSegmentSizes", echo_attr_i32_array(builder->ctx, SEGMENTS, 2)}};
  return echo_op_result(echo_build_op(builder, "memref.alloca", NULL, 0, &type, 1, args, 2), 0);
}

EchoValue *echo_memref_collapse(EchoBuilder *builder, EchoValue *memref, const size_t *group_sizes,
                                size_t n_groups)
{
  EchoContext *ctx = builder->ctx;
  const EchoAttr *groups[ECHO_MAX_RANK];
  int64_t dims[ECHO_MAX_RANK];
  size_t dim = 0;
  for (size_t g = 0; g < n_groups; ++g) {
    const EchoAttr *members[ECHO_MAX_RANK];
    dims[g] = 1;
    for (size_t i = 0; i < group_sizes[g]; ++i, ++dim) {
      members[i] = echo_attr_i64(ctx, (int64_t)dim);
      dims[g] *= memref->type->as.shaped.dims[dim];
    }
    groups[g] = echo_attr_array(ctx, members, group_sizes[g]);
  }
  const EchoType *type = echo_type_memref(ctx, dims, n_groups, memref->type->as.shaped.element,
                                          NULL, memref->type->as.shaped.memory_space);
  EchoAttrArg args[] = {{"reassociation", echo_attr_array(ctx, groups, n_groups)}};
  return echo_op_result(
      echo_build_op(builder, "memref.collapse_shape", &memref, 1, &type, 1, args, 1), 0);
}

EchoValue *echo_memref_address(EchoBuilder *builder, EchoValue *memref)
{
  const EchoType *type = echo_type_index(builder->ctx);
  return echo_op_result(echo_build_op(builder, "memref.extract_aligned_pointer_as_index", &memref,
                                      1, &type, 1, NULL, 0),
                        0);
}
