/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One element of ops that only move or create elements: index arithmetic. */
#include "dialects/arith/arith.h"
#include "dialects/stablehlo/emit/scalar.h"
#include "dialects/stablehlo/hooks_t.h"

static uint32_t rank_of(const EchoType *type)
{
  return type->as.shaped.rank;
}

EchoValue *echo_hlo_emit_broadcast_in_dim(EchoElementEmitter *emitter, const EchoOp *op,
                                          size_t result, EchoValue *const *indices)
{
  (void)result;
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  const EchoType *from = echo_op_operand_type(op, 0);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < rank_of(from); ++i)
    operand_indices[i] =
        echo_type_dim(from, i) == 1 ? echo_index_constant(emitter, 0) : indices[dims.dims[i]];
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}

/* New dimensions stand in front. */
EchoValue *echo_hlo_emit_broadcast(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                   EchoValue *const *indices)
{
  (void)result;
  uint32_t n_new = rank_of(echo_op_result_type(op, 0)) - rank_of(echo_op_operand_type(op, 0));
  return echo_emit_element(emitter, echo_op_operand(op, 0), indices + n_new);
}

EchoValue *echo_hlo_emit_reshape(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices)
{
  (void)result;
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  echo_index_reshape(emitter, to->as.shaped.dims, rank_of(to), indices, from->as.shaped.dims,
                     rank_of(from), operand_indices);
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}

EchoValue *echo_hlo_emit_transpose(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                   EchoValue *const *indices)
{
  (void)result;
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  EchoValue *operand_indices[ECHO_MAX_RANK];
  for (size_t i = 0; i < permutation.size; ++i)
    operand_indices[permutation.dims[i]] = indices[i];
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}

EchoValue *echo_hlo_emit_reverse(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                 EchoValue *const *indices)
{
  (void)result;
  EchoDimList reversed = echo_stablehlo_dims(op, "dimensions");
  const EchoType *type = echo_op_result_type(op, 0);
  EchoValue *operand_indices[ECHO_MAX_RANK];
  for (uint32_t i = 0; i < rank_of(type); ++i) {
    operand_indices[i] = indices[i];
    if (echo_dim_list_has(reversed, (int64_t)i))
      operand_indices[i] = echo_index_sub(
          emitter, echo_index_constant(emitter, echo_type_dim(type, i) - 1), indices[i]);
  }
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}

EchoValue *echo_hlo_emit_slice(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                               EchoValue *const *indices)
{
  (void)result;
  EchoDimList starts = echo_stablehlo_dims(op, "start_indices");
  EchoDimList strides = echo_stablehlo_dims(op, "strides");
  EchoValue *operand_indices[ECHO_MAX_RANK];
  for (size_t i = 0; i < starts.size; ++i) {
    int64_t stride = strides.size != 0 ? strides.dims[i] : 1;
    EchoValue *scaled = echo_index_strided(emitter, indices[i], stride);
    operand_indices[i] = echo_index_add_constant(emitter, scaled, starts.dims[i]);
  }
  return echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
}

/* condition and more; either may be NULL = true. */
static EchoValue *both(EchoElementEmitter *emitter, EchoValue *a, EchoValue *b)
{
  EchoValue *operands[] = {a, b};
  if (a == NULL || b == NULL)
    return a != NULL ? a : b;
  return emitter->pure_op(emitter, "arith.andi", -1, operands, 2, a->type);
}

/* Where result index `index` falls in one dimension of the padded operand: *inside = NULL when it
 * always does; the returned index is a valid one either way. */
static EchoValue *padded_index(EchoElementEmitter *emitter, EchoValue *index, int64_t low,
                               int64_t interior, int64_t operand_dim, int64_t result_dim,
                               EchoValue **inside)
{
  EchoValue *zero = echo_index_constant(emitter, 0);
  EchoValue *position = echo_index_add_constant(emitter, index, -low);
  int64_t last = (operand_dim - 1) * (interior + 1);
  if (low > 0)
    *inside = both(emitter, *inside, echo_index_compare(emitter, ECHO_CMPI_SGE, position, zero));
  if (result_dim - 1 - low > last)
    *inside = both(
        emitter, *inside,
        echo_index_compare(emitter, ECHO_CMPI_SLE, position, echo_index_constant(emitter, last)));
  if (low > 0 || result_dim - 1 - low > last) {
    position = echo_index_max(emitter, position, zero);
    position = echo_index_min(emitter, position, echo_index_constant(emitter, last));
  }
  if (interior == 0)
    return position;
  EchoValue *rest = echo_index_rem_constant(emitter, position, interior + 1);
  *inside = both(emitter, *inside, echo_index_compare(emitter, ECHO_CMPI_EQ, rest, zero));
  return echo_index_div_constant(emitter, position, interior + 1);
}

EchoValue *echo_hlo_emit_pad(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                             EchoValue *const *indices)
{
  (void)result;
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList interior = echo_stablehlo_dims(op, "interior_padding");
  const EchoType *from = echo_op_operand_type(op, 0), *to = echo_op_result_type(op, 0);
  EchoValue *operand_indices[ECHO_MAX_RANK], *inside = NULL;
  EchoValue *padding = echo_emit_element(emitter, echo_op_operand(op, 1), NULL);
  if (echo_type_static_n_elements(from) == 0)
    return padding;
  for (size_t i = 0; i < low.size; ++i)
    operand_indices[i] = padded_index(emitter, indices[i], low.dims[i], interior.dims[i],
                                      echo_type_dim(from, i), echo_type_dim(to, i), &inside);
  EchoValue *element = echo_emit_element(emitter, echo_op_operand(op, 0), operand_indices);
  if (element == NULL || padding == NULL || inside == NULL)
    return element;
  return echo_arith_select(emitter->builder, inside, element, padding);
}

/* Every operand is read at a valid index; the one that holds the position is taken. */
EchoValue *echo_hlo_emit_concatenate(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                     EchoValue *const *indices)
{
  (void)result;
  size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0);
  uint32_t rank = rank_of(echo_op_result_type(op, 0));
  EchoValue *operand_indices[ECHO_MAX_RANK], *value = NULL;
  for (uint32_t i = 0; i < rank; ++i)
    operand_indices[i] = indices[i];
  int64_t offset = 0;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    int64_t size = echo_type_dim(echo_op_operand_type(op, k), dim);
    if (size == 0)
      continue;
    EchoValue *position = echo_index_add_constant(emitter, indices[dim], -offset);
    if (offset > 0)
      position = echo_index_max(emitter, position, echo_index_constant(emitter, 0));
    if (offset + size < echo_type_dim(echo_op_result_type(op, 0), dim))
      position = echo_index_min(emitter, position, echo_index_constant(emitter, size - 1));
    operand_indices[dim] = position;
    EchoValue *element = echo_emit_element(emitter, echo_op_operand(op, k), operand_indices);
    if (element == NULL)
      return NULL;
    if (value == NULL) {
      value = element;
    } else {
      EchoValue *reached = echo_index_compare(emitter, ECHO_CMPI_SGE, indices[dim],
                                              echo_index_constant(emitter, offset));
      value = echo_arith_select(emitter->builder, reached, element, value);
    }
    offset += size;
  }
  return value;
}

EchoValue *echo_hlo_emit_iota(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                              EchoValue *const *indices)
{
  (void)result;
  EchoBuilder *builder = emitter->builder;
  const EchoType *type = echo_op_result_type(op, 0);
  size_t dim = (size_t)echo_op_attr_i64(op, "iota_dimension", 0);
  EchoElementKind kind = echo_type_element_kind(type);
  /* 32 bits vectorise better on the way to a float */
  bool is_short = echo_type_dim(type, dim) <= INT32_MAX;
  EchoElementKind position_kind = is_short ? ECHO_ELEMENT_I32 : ECHO_ELEMENT_I64;
  EchoValue *operands[] = {indices[dim]};
  EchoValue *position = emitter->pure_op(emitter, "arith.index_castui", -1, operands, 1,
                                         echo_scalar_type(builder->ctx, position_kind));
  if (kind == ECHO_ELEMENT_NONE) {
    echo_op_error(op, "has no lowering to scalars for this element type");
    return NULL;
  }
  return echo_scalar_convert(builder, position_kind, kind, position);
}

/* ---- constants ---- */

/* A register's attribute for element i of dense data. */
static const EchoAttr *element_attr(EchoContext *ctx, const EchoAttr *elements, size_t index)
{
  EchoElementKind kind = echo_type_element_kind(elements->type);
  const EchoType *scalar = echo_scalar_type(ctx, kind);
  if (!echo_element_is_float(kind))
    return echo_attr_integer(ctx, scalar, echo_elements_i64(elements, index));
  size_t bytes = echo_type_element_bytes(scalar);
  uint64_t bits = 0;
  const char *data = elements->as.elements.data;
  memcpy(&bits, data + (elements->as.elements.is_splat ? 0 : index * bytes), bytes);
  return echo_attr_float_bits(ctx, scalar, bits);
}

enum { MAX_CONSTANT_ELEMENTS = 1024 };

/* A splat is one scalar; a few elements are a chain of selects on the row-major position. */
EchoValue *echo_hlo_emit_constant(EchoElementEmitter *emitter, const EchoOp *op, size_t result,
                                  EchoValue *const *indices)
{
  (void)result;
  EchoContext *ctx = emitter->builder->ctx;
  const EchoAttr *value = echo_op_attr_or_null(op, "value");
  const EchoType *type = echo_op_result_type(op, 0);
  if (value->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_element_kind(type) == ECHO_ELEMENT_NONE) {
    echo_op_error(op, "has no lowering to scalars for this kind of constant");
    return NULL;
  }
  int64_t n = echo_type_static_n_elements(type);
  if (n <= 1 || value->as.elements.is_splat)
    return emitter->constant(emitter, element_attr(ctx, value, 0));
  if (n > MAX_CONSTANT_ELEMENTS) {
    echo_op_error(op, "is too large to stand inside a kernel: %lld elements", (long long)n);
    return NULL;
  }
  EchoValue *position = echo_index_linearize(emitter, type->as.shaped.dims, rank_of(type), indices);
  EchoValue *element = emitter->constant(emitter, element_attr(ctx, value, 0));
  for (int64_t i = 1; i < n; ++i) {
    EchoValue *next = emitter->constant(emitter, element_attr(ctx, value, (size_t)i));
    if (next == element)
      continue;
    EchoValue *reached =
        echo_index_compare(emitter, ECHO_CMPI_UGE, position, echo_index_constant(emitter, i));
    element = echo_arith_select(emitter->builder, reached, next, element);
  }
  return element;
}

EchoValue *echo_hlo_emit_get_dimension_size(EchoElementEmitter *emitter, const EchoOp *op,
                                            size_t result, EchoValue *const *indices)
{
  (void)result;
  (void)indices;
  int64_t size =
      echo_type_dim(echo_op_operand_type(op, 0), (size_t)echo_op_attr_i64(op, "dimension", 0));
  EchoContext *ctx = emitter->builder->ctx;
  return emitter->constant(emitter, echo_attr_integer(ctx, echo_type_i32(ctx), size));
}
