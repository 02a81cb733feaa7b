/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Builds stablehlo ops; see build.h. */
#include "dialects/stablehlo/build.h"

#include "dialects/stablehlo/infer/infer_t.h"

static EchoValue *build_one(EchoBuilder *builder, const char *name, EchoValue *const *operands,
                            size_t n_operands, const EchoType *type, const EchoAttrArg *attrs,
                            size_t n_attrs)
{
  EchoOp *op = echo_build_op(builder, name, operands, n_operands, type != NULL ? &type : NULL,
                             type != NULL ? 1 : 0, attrs, n_attrs);
  return op != NULL ? echo_op_result(op, 0) : NULL;
}

/* What is needed before the row can be asked. `name` is that of the op. */
static bool has(EchoBuilder *builder, const char *name, const char *argument, const void *pointer)
{
  return echo_builder_check(builder, name, argument, pointer);
}

static bool has_tensor_type(EchoBuilder *builder, const char *name, const char *argument,
                            const EchoType *type)
{
  return echo_builder_check_type(builder, name, argument, type) &&
         (echo_type_is_tensor(type) ||
          echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s' is %s, not a ranked tensor",
                      name, argument, echo_type_text(builder->ctx, type)));
}

static bool has_tensor(EchoBuilder *builder, const char *name, const char *argument,
                       const EchoValue *value)
{
  return echo_builder_check_value(builder, name, argument, value) &&
         has_tensor_type(builder, name, argument, value->type);
}

/* A list of n. */
static bool has_list(EchoBuilder *builder, const char *name, const char *argument, const void *list,
                     size_t n)
{
  return echo_builder_check(builder, name, argument, n != 0 ? list : "");
}

/* One of a tensor's dimensions. */
static bool has_dim(EchoBuilder *builder, const char *name, const char *argument, int64_t dim,
                    const EchoType *tensor)
{
  uint32_t rank = echo_type_rank(tensor);
  return (dim >= 0 && dim < (int64_t)rank) ||
         echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s' is %lld of %u", name,
                     argument, (long long)dim, rank);
}

/* An op that a region of `name` combines two elements with. */
static bool has_combiner(EchoBuilder *builder, const char *name, const char *argument,
                         const char *combine)
{
  return has(builder, name, argument, combine) &&
         (echo_context_op_info_or_null(builder->ctx, echo_str(combine)) != NULL ||
          echo_misuse(builder->ctx, builder->loc, "'%s' is built: '%s' is '%s', which has no row",
                      name, argument, combine));
}

/* A list that has an entry for each dimension of a tensor. */
static bool has_dims(EchoBuilder *builder, const char *name, const char *argument, const void *list,
                     const EchoValue *tensor)
{
  return echo_type_rank(tensor->type) == 0 || has(builder, name, argument, list);
}

static const EchoType *element_of(const EchoValue *value)
{
  return value->type->as.shaped.element;
}

/* ---- elementwise ---- */

EchoValue *echo_hlo_compare_as(EchoBuilder *builder, EchoCompareDirection direction,
                               EchoCompareType type, EchoValue *lhs, EchoValue *rhs)
{
  if (!echo_builder_check_value(builder, "stablehlo.compare", "lhs", lhs) ||
      !echo_builder_check_value(builder, "stablehlo.compare", "rhs", rhs))
    return NULL;
  size_t n = type != ECHO_COMPARE_NOTYPE ? 2 : 1;
  EchoAttrArg attrs[] = {
      {"comparison_direction", echo_stablehlo_compare_direction_attr(builder->ctx, direction)},
      {"compare_type", n == 2 ? echo_stablehlo_compare_type_attr(builder->ctx, type) : NULL}};
  if (attrs[0].value == NULL || (n == 2 && attrs[1].value == NULL))
    return NULL;
  return build_one(builder, "stablehlo.compare", (EchoValue *[]){lhs, rhs}, 2, NULL, attrs, n);
}

EchoValue *echo_hlo_compare(EchoBuilder *builder, EchoCompareDirection direction, EchoValue *lhs,
                            EchoValue *rhs)
{
  return echo_hlo_compare_as(builder, direction, ECHO_COMPARE_NOTYPE, lhs, rhs);
}

EchoValue *echo_hlo_select(EchoBuilder *builder, EchoValue *pred, EchoValue *on_true,
                           EchoValue *on_false)
{
  return build_one(builder, "stablehlo.select", (EchoValue *[]){pred, on_true, on_false}, 3, NULL,
                   NULL, 0);
}

EchoValue *echo_hlo_clamp(EchoBuilder *builder, EchoValue *min, EchoValue *operand, EchoValue *max)
{
  return build_one(builder, "stablehlo.clamp", (EchoValue *[]){min, operand, max}, 3, NULL, NULL,
                   0);
}

EchoValue *echo_hlo_complex(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs)
{
  return echo_build_binary(builder, "stablehlo.complex", lhs, rhs, NULL);
}

EchoValue *echo_hlo_convert(EchoBuilder *builder, EchoValue *operand, const EchoType *element)
{
  if (!has_tensor(builder, "stablehlo.convert", "operand", operand) ||
      !echo_builder_check_type(builder, "stablehlo.convert", "element", element))
    return NULL;
  if (element_of(operand) == element)
    return operand;
  return build_one(builder, "stablehlo.convert", &operand, 1,
                   echo_type_with_element(builder->ctx, operand->type, element), NULL, 0);
}

EchoValue *echo_hlo_bitcast_convert(EchoBuilder *builder, EchoValue *operand, const EchoType *type)
{
  if (!has_tensor_type(builder, "stablehlo.bitcast_convert", "type", type))
    return NULL;
  return build_one(builder, "stablehlo.bitcast_convert", &operand, 1, type, NULL, 0);
}

EchoValue *echo_hlo_reduce_precision(EchoBuilder *builder, EchoValue *operand,
                                     int32_t exponent_bits, int32_t mantissa_bits)
{
  if (!has_tensor(builder, "stablehlo.reduce_precision", "operand", operand))
    return NULL;
  EchoAttrArg attrs[] = {{"exponent_bits", echo_attr_i32(builder->ctx, exponent_bits)},
                         {"mantissa_bits", echo_attr_i32(builder->ctx, mantissa_bits)}};
  return build_one(builder, "stablehlo.reduce_precision", &operand, 1, NULL, attrs, 2);
}

/* ---- creation ---- */

EchoValue *echo_hlo_constant(EchoBuilder *builder, const EchoAttr *elements)
{
  if (!echo_builder_check_attr(builder, "stablehlo.constant", "elements", elements))
    return NULL;
  return build_one(builder, "stablehlo.constant", NULL, 0, elements->type,
                   &(EchoAttrArg){"value", elements}, 1);
}

EchoValue *echo_hlo_constant_f64(EchoBuilder *builder, const EchoType *type, double value)
{
  if (!has_tensor_type(builder, "stablehlo.constant", "type", type))
    return NULL;
  const EchoType *element = type->as.shaped.element;
  if (element->kind == ECHO_TYPE_FLOAT)
    return echo_hlo_constant(builder, echo_attr_splat_f64(builder->ctx, type, value));
  return echo_hlo_constant_i64(builder, type, (int64_t)value);
}

EchoValue *echo_hlo_constant_i64(EchoBuilder *builder, const EchoType *type, int64_t value)
{
  if (!has_tensor_type(builder, "stablehlo.constant", "type", type))
    return NULL;
  if (type->as.shaped.element->kind == ECHO_TYPE_FLOAT)
    return echo_hlo_constant_f64(builder, type, (double)value);
  return echo_hlo_constant(builder, echo_attr_splat_i64(builder->ctx, type, value));
}

EchoValue *echo_hlo_constant_bool(EchoBuilder *builder, const EchoType *type, bool value)
{
  return echo_hlo_constant_i64(builder, type, value);
}

EchoValue *echo_hlo_constant_like(EchoBuilder *builder, EchoValue *like, double value)
{
  if (!echo_builder_check_value(builder, "stablehlo.constant", "like", like))
    return NULL;
  return echo_hlo_constant_f64(builder, like->type, value);
}

EchoValue *echo_hlo_scalar_f64(EchoBuilder *builder, const EchoType *element, double value)
{
  if (!echo_builder_check_type(builder, "stablehlo.constant", "element", element))
    return NULL;
  return echo_hlo_constant_f64(builder, echo_hlo_scalar_type(builder->ctx, element), value);
}

EchoValue *echo_hlo_scalar_i64(EchoBuilder *builder, const EchoType *element, int64_t value)
{
  if (!echo_builder_check_type(builder, "stablehlo.constant", "element", element))
    return NULL;
  return echo_hlo_constant_i64(builder, echo_hlo_scalar_type(builder->ctx, element), value);
}

EchoValue *echo_hlo_iota(EchoBuilder *builder, const EchoType *type, int64_t dimension)
{
  if (!has_tensor_type(builder, "stablehlo.iota", "type", type) ||
      !has_dim(builder, "stablehlo.iota", "dimension", dimension, type))
    return NULL;
  return build_one(builder, "stablehlo.iota", NULL, 0, type,
                   &(EchoAttrArg){"iota_dimension", echo_attr_i64(builder->ctx, dimension)}, 1);
}

/* ---- movement ---- */

EchoValue *echo_hlo_broadcast_in_dim(EchoBuilder *builder, EchoValue *operand, const EchoType *type,
                                     const int64_t *dims, size_t n_dims)
{
  if (!has_tensor_type(builder, "stablehlo.broadcast_in_dim", "type", type) ||
      !has_list(builder, "stablehlo.broadcast_in_dim", "dims", dims, n_dims))
    return NULL;
  EchoAttrArg map = {"broadcast_dimensions", echo_attr_i64_array(builder->ctx, dims, n_dims)};
  return build_one(builder, "stablehlo.broadcast_in_dim", &operand, 1, type, &map, 1);
}

EchoValue *echo_hlo_broadcast_scalar(EchoBuilder *builder, EchoValue *scalar, const EchoType *type)
{
  if (!echo_builder_check_value(builder, "stablehlo.broadcast_in_dim", "scalar", scalar))
    return NULL;
  if (scalar->type == type)
    return scalar;
  return echo_hlo_broadcast_in_dim(builder, scalar, type, NULL, 0);
}

EchoValue *echo_hlo_broadcast_reduced(EchoBuilder *builder, EchoValue *operand,
                                      const EchoType *type, const int64_t *reduced,
                                      size_t n_reduced)
{
  if (!has_tensor_type(builder, "stablehlo.broadcast_in_dim", "type", type) ||
      !has_list(builder, "stablehlo.broadcast_in_dim", "reduced", reduced, n_reduced))
    return NULL;
  int64_t kept[ECHO_MAX_RANK];
  size_t n = 0;
  EchoDimList gone = {reduced, n_reduced};
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    if (!echo_dim_list_has(gone, (int64_t)d))
      kept[n++] = (int64_t)d;
  return echo_hlo_broadcast_in_dim(builder, operand, type, kept, n);
}

EchoValue *echo_hlo_transpose(EchoBuilder *builder, EchoValue *operand, const int64_t *permutation)
{
  if (!has_tensor(builder, "stablehlo.transpose", "operand", operand) ||
      !has_dims(builder, "stablehlo.transpose", "permutation", permutation, operand))
    return NULL;
  size_t rank = echo_type_rank(operand->type);
  bool identity = true;
  for (size_t d = 0; d < rank; ++d)
    identity = identity && permutation[d] == (int64_t)d;
  if (identity)
    return operand;
  EchoAttrArg attr = {"permutation", echo_attr_i64_array(builder->ctx, permutation, rank)};
  return build_one(builder, "stablehlo.transpose", &operand, 1, NULL, &attr, 1);
}

EchoValue *echo_hlo_reshape(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                            size_t rank)
{
  if (!has_tensor(builder, "stablehlo.reshape", "operand", operand) ||
      !has_list(builder, "stablehlo.reshape", "dims", dims, rank))
    return NULL;
  const EchoType *type = echo_hlo_tensor(builder->ctx, dims, rank, element_of(operand));
  if (type == operand->type)
    return operand;
  return build_one(builder, "stablehlo.reshape", &operand, 1, type, NULL, 0);
}

EchoValue *echo_hlo_reverse(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                            size_t n_dims)
{
  if (!has_list(builder, "stablehlo.reverse", "dims", dims, n_dims))
    return NULL;
  EchoAttrArg attr = {"dimensions", echo_attr_i64_array(builder->ctx, dims, n_dims)};
  return build_one(builder, "stablehlo.reverse", &operand, 1, NULL, &attr, 1);
}

EchoValue *echo_hlo_slice(EchoBuilder *builder, EchoValue *operand, const int64_t *start,
                          const int64_t *limit, const int64_t *strides)
{
  if (!has_tensor(builder, "stablehlo.slice", "operand", operand) ||
      !has_dims(builder, "stablehlo.slice", "start", start, operand) ||
      !has_dims(builder, "stablehlo.slice", "limit", limit, operand))
    return NULL;
  size_t rank = echo_type_rank(operand->type);
  int64_t ones[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d)
    ones[d] = 1;
  EchoAttrArg attrs[] = {
      {"start_indices", echo_attr_i64_array(builder->ctx, start, rank)},
      {"limit_indices", echo_attr_i64_array(builder->ctx, limit, rank)},
      {"strides", echo_attr_i64_array(builder->ctx, strides != NULL ? strides : ones, rank)}};
  return build_one(builder, "stablehlo.slice", &operand, 1, NULL, attrs, 3);
}

EchoValue *echo_hlo_slice_dim(EchoBuilder *builder, EchoValue *operand, int64_t dim, int64_t start,
                              int64_t limit)
{
  if (!has_tensor(builder, "stablehlo.slice", "operand", operand) ||
      !has_dim(builder, "stablehlo.slice", "dim", dim, operand->type))
    return NULL;
  int64_t starts[ECHO_MAX_RANK], limits[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(operand->type); ++d) {
    starts[d] = (int64_t)d == dim ? start : 0;
    limits[d] = (int64_t)d == dim ? limit : echo_type_dim(operand->type, d);
  }
  return echo_hlo_slice(builder, operand, starts, limits, NULL);
}

EchoValue *echo_hlo_pad(EchoBuilder *builder, EchoValue *operand, EchoValue *padding_value,
                        const int64_t *low, const int64_t *high, const int64_t *interior)
{
  if (!has_tensor(builder, "stablehlo.pad", "operand", operand) ||
      !has_dims(builder, "stablehlo.pad", "low", low, operand) ||
      !has_dims(builder, "stablehlo.pad", "high", high, operand))
    return NULL;
  size_t rank = echo_type_rank(operand->type);
  int64_t zeros[ECHO_MAX_RANK] = {0};
  EchoAttrArg attrs[] = {
      {"edge_padding_low", echo_attr_i64_array(builder->ctx, low, rank)},
      {"edge_padding_high", echo_attr_i64_array(builder->ctx, high, rank)},
      {"interior_padding",
       echo_attr_i64_array(builder->ctx, interior != NULL ? interior : zeros, rank)}};
  return build_one(builder, "stablehlo.pad", (EchoValue *[]){operand, padding_value}, 2, NULL,
                   attrs, 3);
}

EchoValue *echo_hlo_concatenate(EchoBuilder *builder, EchoValue *const *operands, size_t n,
                                int64_t dimension)
{
  if (!echo_builder_check_values(builder, "stablehlo.concatenate", "operands", operands, n))
    return NULL;
  EchoAttrArg attr = {"dimension", echo_attr_i64(builder->ctx, dimension)};
  return build_one(builder, "stablehlo.concatenate", operands, n, NULL, &attr, 1);
}

EchoValue *echo_hlo_dynamic_slice(EchoBuilder *builder, EchoValue *operand,
                                  EchoValue *const *starts, const int64_t *sizes)
{
  if (!has_tensor(builder, "stablehlo.dynamic_slice", "operand", operand) ||
      !echo_builder_check_values(builder, "stablehlo.dynamic_slice", "starts", starts,
                                 echo_type_rank(operand->type)) ||
      !has_dims(builder, "stablehlo.dynamic_slice", "sizes", sizes, operand))
    return NULL;
  EchoValue *operands[ECHO_MAX_RANK + 1] = {operand};
  size_t rank = echo_type_rank(operand->type);
  for (size_t d = 0; d < rank; ++d)
    operands[1 + d] = starts[d];
  EchoAttrArg attr = {"slice_sizes", echo_attr_i64_array(builder->ctx, sizes, rank)};
  return build_one(builder, "stablehlo.dynamic_slice", operands, rank + 1, NULL, &attr, 1);
}

EchoValue *echo_hlo_dynamic_update_slice(EchoBuilder *builder, EchoValue *operand,
                                         EchoValue *update, EchoValue *const *starts)
{
  if (!has_tensor(builder, "stablehlo.dynamic_update_slice", "operand", operand) ||
      !echo_builder_check_values(builder, "stablehlo.dynamic_update_slice", "starts", starts,
                                 echo_type_rank(operand->type)))
    return NULL;
  EchoValue *operands[ECHO_MAX_RANK + 2] = {operand, update};
  size_t rank = echo_type_rank(operand->type);
  for (size_t d = 0; d < rank; ++d)
    operands[2 + d] = starts[d];
  return build_one(builder, "stablehlo.dynamic_update_slice", operands, rank + 2, NULL, NULL, 0);
}

EchoValue *echo_hlo_gather(EchoBuilder *builder, EchoValue *operand, EchoValue *start_indices,
                           const EchoGatherDims *dims, const int64_t *slice_sizes,
                           bool indices_are_sorted)
{
  if (!has_tensor(builder, "stablehlo.gather", "operand", operand) ||
      !has(builder, "stablehlo.gather", "dims", dims) ||
      !has_dims(builder, "stablehlo.gather", "slice_sizes", slice_sizes, operand))
    return NULL;
  const EchoAttr *numbers = echo_stablehlo_gather_dims_attr(builder->ctx, dims);
  if (numbers == NULL)
    return NULL;
  EchoAttrArg attrs[] = {{"dimension_numbers", numbers},
                         {"slice_sizes", echo_attr_i64_array(builder->ctx, slice_sizes,
                                                             echo_type_rank(operand->type))},
                         {"indices_are_sorted", echo_attr_bool(builder->ctx, indices_are_sorted)}};
  return build_one(builder, "stablehlo.gather", (EchoValue *[]){operand, start_indices}, 2, NULL,
                   attrs, 3);
}

/* ---- regions ---- */

/* An empty block in a region of `op`, with these arguments; the builder is set to its end. */
static EchoBuilder fill_region(EchoBuilder *outer, EchoOp *op, size_t region,
                               const EchoType *const *arg_types, size_t n_args)
{
  if (op == NULL) { /* it has been refused: what is built inside stays detached */
    EchoBuilder nowhere = {0};
    if (outer != NULL)
      nowhere = *outer;
    nowhere.block = NULL;
    nowhere.before = NULL;
    return nowhere;
  }
  EchoBlock *block = echo_block_create(outer->ctx);
  echo_region_append(&op->regions[region], block);
  for (size_t i = 0; i < n_args; ++i)
    echo_block_add_arg(outer->ctx, block, arg_types[i], outer->loc);
  EchoBuilder inner = *outer;
  inner.block = block;
  inner.before = NULL;
  return inner;
}

/* (a, b) -> a combined with b; NULL = b. False when `combine` does not fit the elements: `op` is
 * erased then. */
static bool fill_combiner(EchoBuilder *builder, EchoOp *op, size_t region, const EchoType *element,
                          const char *combine)
{
  const EchoType *scalar = echo_hlo_scalar_type(builder->ctx, element);
  EchoBuilder body = fill_region(builder, op, region, (const EchoType *[]){scalar, scalar}, 2);
  EchoValue *lhs = echo_block_arg(body.block, 0), *rhs = echo_block_arg(body.block, 1);
  EchoValue *combined = combine != NULL ? echo_build_binary(&body, combine, lhs, rhs, scalar) : rhs;
  if (combined != NULL && echo_hlo_return(&body, &combined, 1) != NULL)
    return true;
  echo_op_erase(op);
  return false;
}

EchoValue *echo_hlo_scatter(EchoBuilder *builder, EchoValue *operand, EchoValue *indices,
                            EchoValue *updates, const EchoScatterDims *dims, const char *combine,
                            bool indices_are_sorted, bool unique_indices)
{
  if (!has_tensor(builder, "stablehlo.scatter", "operand", operand) ||
      !has_tensor(builder, "stablehlo.scatter", "indices", indices) ||
      !has_tensor(builder, "stablehlo.scatter", "updates", updates) ||
      !has(builder, "stablehlo.scatter", "dims", dims) ||
      (combine != NULL && !has_combiner(builder, "stablehlo.scatter", "combine", combine)))
    return NULL;
  const EchoAttr *numbers = echo_stablehlo_scatter_dims_attr(builder->ctx, dims);
  if (numbers == NULL)
    return NULL;
  EchoAttrArg attrs[] = {{"scatter_dimension_numbers", numbers},
                         {"indices_are_sorted", echo_attr_bool(builder->ctx, indices_are_sorted)},
                         {"unique_indices", echo_attr_bool(builder->ctx, unique_indices)}};
  EchoOp *op = echo_build_op_with_regions(builder, "stablehlo.scatter",
                                          (EchoValue *[]){operand, indices, updates}, 3,
                                          &operand->type, 1, attrs, 3, 1);
  if (op == NULL || !fill_combiner(builder, op, 0, element_of(operand), combine))
    return NULL;
  return echo_op_result(op, 0);
}

/* ---- contractions, reductions ---- */

/* Asks an infer hook that no row names for the result's shape. */
static const EchoType *inferred(EchoBuilder *builder, EchoInferFn *infer, const char *name,
                                EchoValue *lhs, EchoValue *rhs, const EchoAttrArg *attrs,
                                size_t n_attrs, const EchoType *element)
{
  EchoNamedAttr entries[8];
  size_t n = 0, n_types = 1;
  for (size_t i = 0; i < n_attrs; ++i)
    if (attrs[i].value != NULL)
      entries[n++] = (EchoNamedAttr){echo_str(attrs[i].name), attrs[i].value};
  EchoValue *operands[] = {lhs, rhs};
  EchoOpState state = {.ctx = builder->ctx,
                       .info = echo_context_op_info(builder->ctx, name),
                       .loc = builder->loc,
                       .operands = operands,
                       .n_operands = 2,
                       .properties = echo_attr_dictionary(builder->ctx, entries, n)};
  const EchoType *type = NULL;
  if (!infer(&state, NULL, &type, &n_types)) {
    echo_misuse(builder->ctx, builder->loc, "'%s' is built: its operands do not fit: %s, %s", name,
                echo_type_text(builder->ctx, lhs->type), echo_type_text(builder->ctx, rhs->type));
    return NULL;
  }
  return echo_type_with_element(builder->ctx, type, element != NULL ? element : element_of(lhs));
}

EchoValue *echo_hlo_dot_general(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs,
                                const EchoDotDims *dims, const EchoType *element)
{
  if (!has_tensor(builder, "stablehlo.dot_general", "lhs", lhs) ||
      !has_tensor(builder, "stablehlo.dot_general", "rhs", rhs) ||
      !has(builder, "stablehlo.dot_general", "dims", dims) ||
      (element != NULL &&
       !echo_builder_check_type(builder, "stablehlo.dot_general", "element", element)))
    return NULL;
  EchoAttrArg attr = {"dot_dimension_numbers", echo_stablehlo_dot_dims_attr(builder->ctx, dims)};
  if (attr.value == NULL)
    return NULL;
  const EchoType *type = inferred(builder, echo_hlo_infer_dot_general, "stablehlo.dot_general", lhs,
                                  rhs, &attr, 1, element);
  if (type == NULL)
    return NULL;
  return build_one(builder, "stablehlo.dot_general", (EchoValue *[]){lhs, rhs}, 2, type, &attr, 1);
}

EchoValue *echo_hlo_matmul(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs)
{
  if (!has_tensor(builder, "stablehlo.dot_general", "lhs", lhs))
    return NULL;
  int64_t last = (int64_t)echo_type_rank(lhs->type) - 1, first = 0;
  EchoDotDims dims = {.lhs_contracting = {&last, 1}, .rhs_contracting = {&first, 1}};
  return echo_hlo_dot_general(builder, lhs, rhs, &dims, NULL);
}

EchoValue *echo_hlo_convolution(EchoBuilder *builder, EchoValue *lhs, EchoValue *rhs,
                                const EchoConvDims *dims, const EchoWindowDim *windows,
                                int64_t feature_group_count, int64_t batch_group_count,
                                const EchoType *element)
{
  if (!has_tensor(builder, "stablehlo.convolution", "lhs", lhs) ||
      !has_tensor(builder, "stablehlo.convolution", "rhs", rhs) ||
      !has(builder, "stablehlo.convolution", "dims", dims) ||
      !has(builder, "stablehlo.convolution", "windows", windows) ||
      (element != NULL &&
       !echo_builder_check_type(builder, "stablehlo.convolution", "element", element)))
    return NULL;
  const EchoAttr *numbers = echo_stablehlo_conv_dims_attr(builder->ctx, dims);
  if (numbers == NULL)
    return NULL;
  if (dims->kernel_spatial.size + 2 != echo_type_rank(rhs->type)) {
    echo_misuse(builder->ctx, builder->loc,
                "'stablehlo.convolution' is built: 'dims' names %zu dimensions of 'rhs', not %u",
                dims->kernel_spatial.size + 2, echo_type_rank(rhs->type));
    return NULL;
  }
  int64_t strides[ECHO_MAX_RANK] = {0}, base[ECHO_MAX_RANK], window[ECHO_MAX_RANK];
  int64_t padding[ECHO_MAX_RANK][2];
  bool reversal[ECHO_MAX_RANK], any_reversed = false;
  size_t n = dims->kernel_spatial.size;
  for (size_t i = 0; i < n; ++i) {
    strides[i] = windows[i].stride;
    base[i] = windows[i].base_dilation;
    window[i] = windows[i].window_dilation;
    padding[i][0] = windows[i].padding_low;
    padding[i][1] = windows[i].padding_high;
    reversal[i] = windows[i].reversed;
    any_reversed = any_reversed || reversal[i];
  }
  EchoContext *ctx = builder->ctx;
  EchoAttrArg attrs[] = {
      {"window_strides", echo_attr_i64_array(ctx, strides, n)},
      {"padding", echo_stablehlo_padding_attr(ctx, (const int64_t(*)[2])padding, n)},
      {"lhs_dilation", echo_attr_i64_array(ctx, base, n)},
      {"rhs_dilation", echo_attr_i64_array(ctx, window, n)},
      {"window_reversal", any_reversed ? echo_attr_bool_array(ctx, reversal, n) : NULL},
      {"dimension_numbers", numbers},
      {"feature_group_count", echo_attr_i64(ctx, feature_group_count)},
      {"batch_group_count", echo_attr_i64(ctx, batch_group_count)}};
  const EchoType *type = inferred(builder, echo_hlo_infer_convolution, "stablehlo.convolution", lhs,
                                  rhs, attrs, 8, element);
  if (type == NULL)
    return NULL;
  return build_one(builder, "stablehlo.convolution", (EchoValue *[]){lhs, rhs}, 2, type, attrs, 8);
}

EchoValue *echo_hlo_reduce(EchoBuilder *builder, EchoValue *operand, EchoValue *init,
                           const int64_t *dims, size_t n_dims, const char *combine)
{
  if (!has_tensor(builder, "stablehlo.reduce", "operand", operand) ||
      !has_tensor(builder, "stablehlo.reduce", "init", init) ||
      !has_list(builder, "stablehlo.reduce", "dims", dims, n_dims) ||
      !has_combiner(builder, "stablehlo.reduce", "combine", combine))
    return NULL;
  EchoAttrArg attr = {"dimensions", echo_attr_i64_array(builder->ctx, dims, n_dims)};
  EchoOp *op = echo_build_op_with_regions(builder, "stablehlo.reduce",
                                          (EchoValue *[]){operand, init}, 2, NULL, 0, &attr, 1, 1);
  if (op == NULL || !fill_combiner(builder, op, 0, element_of(init), combine))
    return NULL;
  return echo_op_result(op, 0);
}

/* From an initial value that was made for it, and goes where it is refused. */
static EchoValue *reduce_from(EchoBuilder *builder, EchoValue *operand, EchoValue *init,
                              const int64_t *dims, size_t n_dims, const char *combine)
{
  if (init == NULL)
    return NULL;
  EchoValue *result = echo_hlo_reduce(builder, operand, init, dims, n_dims, combine);
  if (result == NULL)
    echo_op_erase(echo_value_def_or_null(init));
  return result;
}

EchoValue *echo_hlo_reduce_sum(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                               size_t n_dims)
{
  if (!has_tensor(builder, "stablehlo.reduce", "operand", operand) ||
      !has_list(builder, "stablehlo.reduce", "dims", dims, n_dims))
    return NULL;
  EchoValue *zero = echo_hlo_scalar_f64(builder, element_of(operand), 0.0);
  return reduce_from(builder, operand, zero, dims, n_dims, "stablehlo.add");
}

static EchoValue *lowest(EchoBuilder *builder, const EchoType *element)
{
  if (element->kind == ECHO_TYPE_FLOAT)
    return echo_hlo_scalar_f64(builder, element, -__builtin_inf());
  if (element->kind != ECHO_TYPE_INTEGER || element->as.integer.width == 0 ||
      element->as.integer.width > 64) {
    echo_misuse(builder->ctx, builder->loc,
                "'stablehlo.reduce' is built: 'operand' has elements of %s, which have no lowest",
                echo_type_text(builder->ctx, element));
    return NULL;
  }
  if (element->as.integer.signedness == ECHO_UNSIGNED || element->as.integer.width == 1)
    return echo_hlo_scalar_i64(builder, element, 0);
  return echo_hlo_scalar_i64(builder, element, INT64_MIN >> (64 - element->as.integer.width));
}

EchoValue *echo_hlo_reduce_max(EchoBuilder *builder, EchoValue *operand, const int64_t *dims,
                               size_t n_dims)
{
  if (!has_tensor(builder, "stablehlo.reduce", "operand", operand) ||
      !has_list(builder, "stablehlo.reduce", "dims", dims, n_dims))
    return NULL;
  EchoValue *init = lowest(builder, element_of(operand));
  return reduce_from(builder, operand, init, dims, n_dims, "stablehlo.maximum");
}

void echo_hlo_window_attrs(EchoContext *ctx, const EchoWindowDim *windows, size_t n,
                           EchoAttrArg attrs[5])
{
  int64_t lists[4][ECHO_MAX_RANK], padding[ECHO_MAX_RANK][2];
  static const char *const names[] = {"window_dimensions", "window_strides", "base_dilations",
                                      "window_dilations"};
  for (size_t i = 0; i < n; ++i) {
    lists[0][i] = windows[i].size;
    lists[1][i] = windows[i].stride;
    lists[2][i] = windows[i].base_dilation;
    lists[3][i] = windows[i].window_dilation;
    padding[i][0] = windows[i].padding_low;
    padding[i][1] = windows[i].padding_high;
  }
  for (size_t k = 0; k < 4; ++k)
    attrs[k] = (EchoAttrArg){names[k], echo_attr_i64_array(ctx, lists[k], n)};
  attrs[4] =
      (EchoAttrArg){"padding", echo_stablehlo_padding_attr(ctx, (const int64_t(*)[2])padding, n)};
}

EchoValue *echo_hlo_reduce_window(EchoBuilder *builder, EchoValue *operand, EchoValue *init,
                                  const EchoWindowDim *windows, const char *combine)
{
  if (!has_tensor(builder, "stablehlo.reduce_window", "operand", operand) ||
      !has_tensor(builder, "stablehlo.reduce_window", "init", init) ||
      !has_dims(builder, "stablehlo.reduce_window", "windows", windows, operand) ||
      !has_combiner(builder, "stablehlo.reduce_window", "combine", combine))
    return NULL;
  EchoAttrArg attrs[5];
  echo_hlo_window_attrs(builder->ctx, windows, echo_type_rank(operand->type), attrs);
  EchoOp *op = echo_build_op_with_regions(builder, "stablehlo.reduce_window",
                                          (EchoValue *[]){operand, init}, 2, NULL, 0, attrs, 5, 1);
  if (op == NULL || !fill_combiner(builder, op, 0, element_of(init), combine))
    return NULL;
  return echo_op_result(op, 0);
}

EchoValue *echo_hlo_select_and_scatter(EchoBuilder *builder, EchoValue *operand, EchoValue *source,
                                       EchoValue *init, const EchoWindowDim *windows,
                                       EchoCompareDirection select, const char *scatter)
{
  if (!has_tensor(builder, "stablehlo.select_and_scatter", "operand", operand) ||
      !has_tensor(builder, "stablehlo.select_and_scatter", "init", init) ||
      !has_dims(builder, "stablehlo.select_and_scatter", "windows", windows, operand) ||
      !has_combiner(builder, "stablehlo.select_and_scatter", "scatter", scatter))
    return NULL;
  EchoAttrArg all[5];
  echo_hlo_window_attrs(builder->ctx, windows, echo_type_rank(operand->type), all);
  EchoAttrArg attrs[] = {all[0], all[1], all[4]};
  EchoOp *op =
      echo_build_op_with_regions(builder, "stablehlo.select_and_scatter",
                                 (EchoValue *[]){operand, source, init}, 3, NULL, 0, attrs, 3, 2);
  if (op == NULL)
    return NULL;
  const EchoType *scalar = echo_hlo_scalar_type(builder->ctx, element_of(operand));
  EchoBuilder body = fill_region(builder, op, 0, (const EchoType *[]){scalar, scalar}, 2);
  EchoValue *chosen =
      echo_hlo_compare(&body, select, echo_block_arg(body.block, 0), echo_block_arg(body.block, 1));
  if (chosen == NULL || echo_hlo_return(&body, &chosen, 1) == NULL) {
    echo_op_erase(op);
    return NULL;
  }
  return fill_combiner(builder, op, 1, element_of(init), scatter) ? echo_op_result(op, 0) : NULL;
}

/* ---- random numbers ---- */

void echo_hlo_rng_bit_generator(EchoBuilder *builder, EchoRngAlgorithm algorithm, EchoValue *state,
                                const EchoType *type, EchoValue *results[2])
{
  if (!has(builder, "stablehlo.rng_bit_generator", "results", results))
    return;
  results[0] = results[1] = NULL;
  if (!echo_builder_check_value(builder, "stablehlo.rng_bit_generator", "state", state) ||
      !has_tensor_type(builder, "stablehlo.rng_bit_generator", "type", type))
    return;
  EchoAttrArg attr = {"rng_algorithm", echo_stablehlo_rng_algorithm_attr(builder->ctx, algorithm)};
  if (attr.value == NULL)
    return;
  EchoOp *op = echo_build_op(builder, "stablehlo.rng_bit_generator", &state, 1,
                             (const EchoType *[]){state->type, type}, 2, &attr, 1);
  if (op == NULL)
    return;
  results[0] = echo_op_result(op, 0);
  results[1] = echo_op_result(op, 1);
}

/* ---- control flow, calls ---- */

EchoOp *echo_hlo_while(EchoBuilder *builder, EchoValue *const *inits, size_t n, EchoBuilder *cond,
                       EchoBuilder *body)
{
  if (!has(builder, "stablehlo.while", "cond", cond) ||
      !has(builder, "stablehlo.while", "body", body))
    return NULL;
  const EchoType **types = NULL;
  EchoOp *op = NULL;
  if (echo_builder_check_values(builder, "stablehlo.while", "inits", inits, n)) {
    types = echo_alloc_array(n + 1, sizeof *types);
    for (size_t i = 0; i < n; ++i)
      types[i] = inits[i]->type;
    op = echo_build_op_with_regions(builder, "stablehlo.while", inits, n, types, n, NULL, 0, 2);
  }
  *cond = fill_region(builder, op, 0, types, n);
  *body = fill_region(builder, op, 1, types, n);
  echo_free(types);
  return op;
}

EchoOp *echo_hlo_case(EchoBuilder *builder, EchoValue *index, const EchoType *const *result_types,
                      size_t n_results, EchoBuilder *branches, size_t n_branches)
{
  if (!has_list(builder, "stablehlo.case", "branches", branches, n_branches))
    return NULL;
  static const EchoType *const none[1] = {NULL};
  EchoOp *op = echo_build_op_with_regions(builder, "stablehlo.case", &index, 1,
                                          n_results != 0 ? result_types : none, n_results, NULL, 0,
                                          n_branches);
  for (size_t i = 0; i < n_branches; ++i)
    branches[i] = fill_region(builder, op, i, NULL, 0);
  return op;
}

EchoOp *echo_hlo_if(EchoBuilder *builder, EchoValue *pred, const EchoType *const *result_types,
                    size_t n_results, EchoBuilder branches[2])
{
  if (!has(builder, "stablehlo.if", "branches", branches))
    return NULL;
  static const EchoType *const none[1] = {NULL};
  EchoOp *op =
      echo_build_op_with_regions(builder, "stablehlo.if", &pred, 1,
                                 n_results != 0 ? result_types : none, n_results, NULL, 0, 2);
  for (size_t i = 0; i < 2; ++i)
    branches[i] = fill_region(builder, op, i, NULL, 0);
  return op;
}

EchoOp *echo_hlo_return(EchoBuilder *builder, EchoValue *const *values, size_t n)
{
  if (!echo_builder_check_values(builder, "stablehlo.return", "values", values, n))
    return NULL;
  return echo_build_op(builder, "stablehlo.return", values, n, NULL, 0, NULL, 0);
}

EchoOp *echo_hlo_optimization_barrier(EchoBuilder *builder, EchoValue *const *values, size_t n)
{
  if (!echo_builder_check_values(builder, "stablehlo.optimization_barrier", "values", values, n))
    return NULL;
  return echo_build_op(builder, "stablehlo.optimization_barrier", values, n, NULL, 0, NULL, 0);
}

EchoOp *echo_hlo_custom_call(EchoBuilder *builder, const char *target, EchoValue *const *operands,
                             size_t n_operands, const EchoType *const *result_types,
                             size_t n_results)
{
  if (!has(builder, "stablehlo.custom_call", "target", target))
    return NULL;
  EchoAttrArg attr = {"call_target_name", echo_attr_string(builder->ctx, echo_str(target))};
  return echo_build_op(builder, "stablehlo.custom_call", operands, n_operands, result_types,
                       n_results, &attr, 1);
}
