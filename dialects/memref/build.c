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

/* A memref, of one index a dimension. */
static bool check_access(const EchoBuilder *builder, const char *name, const EchoValue *memref,
                         EchoValue *const *indices, size_t n)
{
  if (!echo_builder_check_value(builder, name, "memref", memref) ||
      !echo_builder_check_values(builder, name, "indices", indices, n))
    return false;
  if (memref->type->kind != ECHO_TYPE_MEMREF)
    return echo_misuse(builder->ctx, builder->loc, "'%s' is built: 'memref' is %s, no memref", name,
                       echo_type_text(builder->ctx, memref->type));
  return n == memref->type->as.shaped.rank ||
         echo_misuse(builder->ctx, builder->loc,
                     "'%s' is built: 'n' is %zu, 'memref' has %u dimensions", name, n,
                     memref->type->as.shaped.rank);
}

EchoValue *echo_memref_load(EchoBuilder *builder, EchoValue *memref, EchoValue *const *indices,
                            size_t n)
{
  if (!check_access(builder, "memref.load", memref, indices, n))
    return NULL;
  const EchoType *type = memref->type->as.shaped.element;
  EchoValue **operands = prefixed(builder, &memref, 1, indices, n);
  return echo_built_result(
      echo_build_op(builder, "memref.load", operands, n + 1, &type, 1, NULL, 0));
}

void echo_memref_store(EchoBuilder *builder, EchoValue *value, EchoValue *memref,
                       EchoValue *const *indices, size_t n)
{
  static const EchoType *const NO_TYPES[1] = {NULL};
  if (!echo_builder_check_value(builder, "memref.store", "value", value) ||
      !check_access(builder, "memref.store", memref, indices, n))
    return;
  EchoValue *prefix[] = {value, memref};
  EchoValue **operands = prefixed(builder, prefix, 2, indices, n);
  echo_build_op(builder, "memref.store", operands, n + 2, NO_TYPES, 0, NULL, 0);
}

EchoValue *echo_memref_alloca(EchoBuilder *builder, const EchoType *type)
{
  static const int32_t SEGMENTS[] = {0, 0};
  if (!echo_builder_check_type(builder, "memref.alloca", "type", type))
    return NULL;
  EchoAttrArg args[] = {{"alignment", echo_attr_i64(builder->ctx, 64)},
                        {"operandSegmentSizes", echo_attr_i32_array(builder->ctx, SEGMENTS, 2)}};
  return echo_built_result(echo_build_op(builder, "memref.alloca", NULL, 0, &type, 1, args, 2));
}

/* The groups cover a memref's dimensions, and the products of their sizes are sizes. */
static bool check_groups(const EchoBuilder *builder, const EchoValue *memref,
                         const size_t *group_sizes, size_t n_groups)
{
  const char *name = "memref.collapse_shape";
  if (!echo_builder_check_value(builder, name, "memref", memref) ||
      (n_groups != 0 && !echo_builder_check(builder, name, "group_sizes", group_sizes)))
    return false;
  const EchoType *type = memref->type;
  if (type->kind != ECHO_TYPE_MEMREF)
    return echo_misuse(builder->ctx, builder->loc, "'%s' is built: 'memref' is %s, no memref", name,
                       echo_type_text(builder->ctx, type));
  size_t rank = type->as.shaped.rank, dim = 0;
  for (size_t g = 0; g < n_groups; ++g) {
    if (group_sizes[g] == 0 || group_sizes[g] > rank - dim)
      return echo_misuse(builder->ctx, builder->loc,
                         "'%s' is built: 'group_sizes[%zu]' is %zu, %zu dimensions are left", name,
                         g, group_sizes[g], rank - dim);
    int64_t joined = 1;
    for (size_t end = dim + group_sizes[g]; dim < end; ++dim)
      if (type->as.shaped.dims[dim] < 0 ||
          !echo_mul_i64(joined, type->as.shaped.dims[dim], &joined))
        return echo_misuse(builder->ctx, builder->loc,
                           "'%s' is built: 'memref' is %s, whose group %zu has no size", name,
                           echo_type_text(builder->ctx, type), g);
  }
  return dim == rank ||
         echo_misuse(builder->ctx, builder->loc,
                     "'%s' is built: 'group_sizes' cover %zu dimensions of %zu", name, dim, rank);
}

EchoValue *echo_memref_collapse(EchoBuilder *builder, EchoValue *memref, const size_t *group_sizes,
                                size_t n_groups)
{
  if (!check_groups(builder, memref, group_sizes, n_groups))
    return NULL;
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
  return echo_built_result(
      echo_build_op(builder, "memref.collapse_shape", &memref, 1, &type, 1, args, 1));
}

/* As many elements as the memref of one dimension has. */
static bool check_dims(const EchoBuilder *builder, const EchoValue *memref, const int64_t *dims,
                       size_t rank)
{
  const char *name = "memref.expand_shape";
  if (!echo_builder_check_value(builder, name, "memref", memref) ||
      !echo_builder_check(builder, name, "dims", dims))
    return false;
  const EchoType *type = memref->type;
  int64_t n = 1;
  bool fits = type->kind == ECHO_TYPE_MEMREF && type->as.shaped.rank == 1 && rank != 0 &&
              rank <= ECHO_MAX_RANK;
  for (size_t i = 0; i < rank && fits; ++i)
    fits = dims[i] >= 0 && echo_mul_i64(n, dims[i], &n);
  return (fits && n == type->as.shaped.dims[0]) ||
         echo_misuse(builder->ctx, builder->loc,
                     "'%s' is built: 'memref' is %s, which has not the elements of 'dims'", name,
                     echo_type_text(builder->ctx, type));
}

EchoValue *echo_memref_expand(EchoBuilder *builder, EchoValue *memref, const int64_t *dims,
                              size_t rank)
{
  if (!check_dims(builder, memref, dims, rank))
    return NULL;
  EchoContext *ctx = builder->ctx;
  const EchoAttr *members[ECHO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i)
    members[i] = echo_attr_i64(ctx, (int64_t)i);
  const EchoAttr *group = echo_attr_array(ctx, members, rank);
  const EchoType *type = echo_type_memref(ctx, dims, rank, memref->type->as.shaped.element, NULL,
                                          memref->type->as.shaped.memory_space);
  EchoAttrArg args[] = {{"reassociation", echo_attr_array(ctx, &group, 1)},
                        {"static_output_shape", echo_attr_i64_array(ctx, dims, rank)}};
  return echo_built_result(
      echo_build_op(builder, "memref.expand_shape", &memref, 1, &type, 1, args, 2));
}

EchoValue *echo_memref_address(EchoBuilder *builder, EchoValue *memref)
{
  static const char NAME[] = "memref.extract_aligned_pointer_as_index";
  if (!echo_builder_check_value(builder, NAME, "memref", memref))
    return NULL;
  const EchoType *type = echo_type_index(builder->ctx);
  return echo_built_result(echo_build_op(builder, NAME, &memref, 1, &type, 1, NULL, 0));
}
