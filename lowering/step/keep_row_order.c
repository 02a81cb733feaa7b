/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --keep-row-order: what is made of a product's rows, on its way to other products, is made in the
 * order that the product has them in, and not in that of a transpose behind it. Scores of grouped
 * queries come as [batch, group, query, head, key] and are masked and reduced as [head, batch,
 * group, query, key]: a kernel that has rows of them whole reads no transposes.
 *
 * Ops are gone through in their order: each that reads a moved value is made again, of values in
 * the product's order, and its result is a moved value, too. Where others read that, it is
 * transposed then. A product that is moved in another order has the operand transposed whose
 * dimensions that are. */
#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "dialects/stablehlo/precision.h"
#include "lowering/kernels/lower_kernel_t.h"
#include "lowering/lowering.h"
#include "lowering/step/dim_order_t.h"
#include "lowering/step/split_reductions_t.h"

/* Dimension d of `value` is dimension order[d] of `made`. */
typedef struct Moved {
  EchoValue *value, *made;
  int64_t order[ECHO_MAX_RANK];
  uint32_t product; /* the first one's order is taken where two meet */
  bool is_new;      /* made by this pass */
} Moved;

typedef struct Keeper {
  ECHO_VECTOR(Moved) moved; /* in the order of their block */
  EchoMap numbers;          /* value -> number in `moved` */
  EchoMap leads;            /* value -> 1: a product multiplies what is mapped of it */
  EchoMap reduced;          /* value -> 1: its rows are reduced, or those of what is mapped of it */
  uint32_t n_products;
  uint64_t n_kept;
} Keeper;

static size_t rank_of(const EchoValue *value)
{
  return echo_type_rank(value->type);
}

static Moved *moved_or_null(Keeper *keeper, const EchoValue *value)
{
  uint64_t number;
  return echo_map_get(&keeper->numbers, echo_key(value), &number) ? &keeper->moved.data[number]
                                                                  : NULL;
}

static Moved *add_moved(Keeper *keeper, EchoValue *value, EchoValue *made, uint32_t product,
                        bool is_new)
{
  Moved moved = {.value = value, .made = made, .product = product, .is_new = is_new};
  for (size_t d = 0; d < rank_of(value); ++d)
    moved.order[d] = (int64_t)d;
  echo_map_set(&keeper->numbers, echo_key(value), keeper->moved.size);
  echo_vector_push(&keeper->moved, moved);
  return &keeper->moved.data[keeper->moved.size - 1];
}

static bool is_plain(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
         type->as.shaped.encoding == NULL;
}

static bool is_map(const EchoOp *op)
{
  return echo_op_has_trait(op, ECHO_ELEMENTWISE) && op->n_results == 1 && op->n_regions == 0 &&
         op->n_operands != 0 && is_plain(echo_op_result_type(op, 0));
}

static bool is_dot(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL;
}

/* ---- where it may pay ---- */

static bool has_mark(const EchoMap *marks, const EchoOp *op)
{
  return (is_map(op) || echo_hlo_opcode(op) == ECHO_HLO_TRANSPOSE) &&
         echo_map_has(marks, echo_key(echo_op_result(op, 0)));
}

static bool reduces_last(const EchoOp *op)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_REDUCE)
    return false;
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  return dims.size == 1 && dims.dims[0] == (int64_t)rank_of(echo_op_operand(op, 0)) - 1;
}

/* Backwards, through what maps and moves all of it. */
static void find_leads(Keeper *keeper, const EchoBlock *block)
{
  for (const EchoOp *op = block->last; op != NULL; op = op->prev) {
    bool leads = is_dot(op) || has_mark(&keeper->leads, op);
    bool is_reduced = reduces_last(op) || has_mark(&keeper->reduced, op);
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      if (leads)
        echo_map_set(&keeper->leads, echo_key(echo_op_operand(op, i)), 1);
      if (is_reduced)
        echo_map_set(&keeper->reduced, echo_key(echo_op_operand(op, i)), 1);
    }
  }
}

/* Whether the value is a product of a batch, or mapped from one by what reads nothing as large. */
static bool is_of_product(const EchoValue *value)
{
  const EchoOp *def = echo_value_def_or_null(value);
  while (def != NULL && is_map(def)) {
    const EchoValue *from = NULL;
    for (uint32_t i = 0; i < def->n_operands; ++i) {
      const EchoValue *operand = echo_op_operand(def, i);
      const EchoOp *maker = echo_value_def_or_null(operand);
      if (maker != NULL && (echo_op_has_trait(maker, ECHO_CONSTANT) ||
                            echo_hlo_opcode(maker) == ECHO_HLO_BROADCAST_IN_DIM))
        continue;
      if (from != NULL)
        return false;
      from = operand;
    }
    def = from != NULL ? echo_value_def_or_null(from) : NULL;
  }
  return def != NULL && is_dot(def) && echo_stablehlo_dot_dims(def)->lhs_batching.size != 0;
}

/* ---- transposes ---- */

static bool is_ascending(EchoDimList dims)
{
  for (size_t i = 1; i < dims.size; ++i)
    if (dims.dims[i] < dims.dims[i - 1])
      return false;
  return true;
}

/* Whether the operands may change places: what is added up stays the same, in the same order. */
static bool may_swap(const EchoOp *dot)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  return echo_stablehlo_dot_algorithm_or_null(dot) == NULL &&
         echo_stablehlo_precision(dot, 0) == echo_stablehlo_precision(dot, 1) &&
         is_ascending(dims->lhs_contracting) && is_ascending(dims->rhs_contracting);
}

/* A product whose rows run along its left operand's last free dimension, the other way round, with
 * `order` from the one's dimensions to the other's; NULL where it has other readers, too. */
static EchoValue *swapped_or_null(EchoValue *value, int64_t row, int64_t *order)
{
  EchoOp *dot = echo_value_def_or_null(value);
  if (dot == NULL || !is_dot(dot) || !echo_value_has_one_use(value) || !may_swap(dot))
    return NULL;
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  size_t n_batch = dims->lhs_batching.size, rank = rank_of(value);
  size_t n_left = rank_of(echo_op_operand(dot, 0)) - n_batch - dims->lhs_contracting.size;
  if (n_left == 0 || row != (int64_t)(n_batch + n_left) - 1)
    return NULL;
  for (size_t d = 0; d < rank; ++d)
    order[d] = (int64_t)(d < n_batch            ? d
                         : d < n_batch + n_left ? d + rank - n_batch - n_left
                                                : d - n_left);
  EchoDotDims swapped = {dims->rhs_batching, dims->lhs_batching, dims->rhs_contracting,
                         dims->lhs_contracting};
  EchoBuilder b = echo_builder_before(dot);
  b.attrs = dot->attrs;
  EchoValue *result = echo_hlo_dot_general(&b, echo_op_operand(dot, 1), echo_op_operand(dot, 0),
                                           &swapped, echo_type_element(value->type));
  echo_stablehlo_copy_precision(dot, echo_value_def_or_null(result));
  return result;
}

/* Of a product whose rows are reduced and multiplied: notes it in the order of that product, or of
 * the same the other way round. */
static void note_product(Keeper *keeper, EchoValue *from, EchoValue *to, EchoDimList permutation)
{
  int64_t order[ECHO_MAX_RANK], last = (int64_t)permutation.size - 1;
  EchoValue *made = from;
  if (!is_of_product(from) || !echo_map_has(&keeper->leads, echo_key(to)) ||
      !echo_map_has(&keeper->reduced, echo_key(to)))
    return;
  for (int64_t d = 0; d <= last; ++d)
    order[d] = d;
  if (permutation.dims[last] != last)
    made = swapped_or_null(from, permutation.dims[last], order);
  if (made == NULL)
    return;
  Moved *moved = add_moved(keeper, to, made, keeper->n_products++, made != from);
  for (size_t d = 0; d < permutation.size; ++d)
    moved->order[d] = order[permutation.dims[d]];
}

static void note_transpose(Keeper *keeper, EchoOp *op)
{
  EchoValue *from = echo_op_operand(op, 0), *to = echo_op_result(op, 0);
  EchoDimList permutation = echo_stablehlo_dims(op, "permutation");
  if (permutation.size == 0 || !is_plain(to->type))
    return;
  const Moved *source = moved_or_null(keeper, from);
  if (source == NULL) {
    note_product(keeper, from, to, permutation);
    return;
  }
  Moved known = *source;
  Moved *moved = add_moved(keeper, to, known.made, known.product, known.is_new);
  for (size_t d = 0; d < permutation.size; ++d)
    moved->order[d] = known.order[permutation.dims[d]];
}

/* ---- products in another order ---- */

/* The free dimensions of an operand, ascending. */
static size_t free_dims(const EchoType *type, EchoDimList batching, EchoDimList contracting,
                        int64_t *dims)
{
  size_t n = 0;
  for (int64_t d = 0; d < (int64_t)echo_type_rank(type); ++d)
    if (!echo_dim_list_has(batching, d) && !echo_dim_list_has(contracting, d))
      dims[n++] = d;
  return n;
}

/* The product whose result's dimension d is dimension order[d] of this one's, where that only
 * changes the order of the lhs's free dimensions; else NULL. */
static EchoValue *reordered_or_null(EchoOp *dot, const int64_t *order)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(dot);
  const EchoType *lhs = echo_op_operand_type(dot, 0);
  int64_t free[ECHO_MAX_RANK], places[ECHO_MAX_RANK];
  size_t n_batch = dims->lhs_batching.size;
  size_t n = free_dims(lhs, dims->lhs_batching, dims->lhs_contracting, free);
  for (size_t d = 0; d < echo_type_rank(echo_op_result_type(dot, 0)); ++d) {
    bool is_of_lhs = d >= n_batch && d < n_batch + n;
    if (is_of_lhs ? order[d] < (int64_t)n_batch || order[d] >= (int64_t)(n_batch + n)
                  : order[d] != (int64_t)d)
      return NULL;
  }
  for (size_t d = 0; d < echo_type_rank(lhs); ++d)
    places[d] = (int64_t)d;
  for (size_t i = 0; i < n; ++i)
    places[free[i]] = free[order[n_batch + i] - (int64_t)n_batch];
  EchoBuilder b = echo_builder_before(dot);
  b.attrs = dot->attrs;
  EchoValue *operand = echo_hlo_transpose(&b, echo_op_operand(dot, 0), places);
  EchoValue *result = echo_hlo_dot_general(&b, operand, echo_op_operand(dot, 1), dims,
                                           echo_type_element(echo_op_result_type(dot, 0)));
  echo_stablehlo_copy_precision(dot, echo_value_def_or_null(result));
  return result;
}

/* The map made again, of `from`, which has other dimensions. */
static EchoValue *mapped_again(EchoOp *map, EchoValue *from)
{
  EchoMap values = {0};
  echo_map_set_ptr(&values, echo_op_operand(map, 0), from);
  EchoOp *clone = echo_op_clone(map, &values);
  echo_map_destroy(&values);
  EchoValue *made = echo_op_result(clone, 0);
  const EchoType *element = echo_type_element(made->type);
  echo_value_set_type(made, echo_type_tensor(echo_op_context(map), from->type->as.shaped.dims,
                                             rank_of(from), element, NULL));
  echo_op_insert_before(clone, map);
  return made;
}

/* The same of a product that is mapped, by ops of one operand: they are made again. */
static EchoValue *reordered_map_or_null(EchoValue *value, const int64_t *order)
{
  ECHO_VECTOR(EchoOp *) maps = {0};
  EchoOp *def = echo_value_def_or_null(value);
  for (; def != NULL && is_map(def) && def->n_operands == 1;
       def = echo_value_def_or_null(echo_op_operand(def, 0)))
    echo_vector_push(&maps, def);
  EchoValue *made = def != NULL && is_dot(def) ? reordered_or_null(def, order) : NULL;
  for (size_t i = maps.size; made != NULL && i-- > 0;)
    made = mapped_again(maps.data[i], made);
  echo_vector_destroy(&maps);
  return made;
}

/* The order, with dimensions of size 1, which may stand anywhere, where what is moved has them. */
static void order_like(const Moved *moved, const int64_t *order, int64_t *wanted)
{
  const EchoType *type = moved->value->type;
  size_t rank = rank_of(moved->value), place = 0;
  bool is_taken[ECHO_MAX_RANK] = {false};
  int64_t dim_at[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d) {
    dim_at[order[d]] = (int64_t)d;
    if (echo_type_dim(type, d) == 1) {
      wanted[d] = moved->order[d];
      is_taken[wanted[d]] = true;
    }
  }
  for (size_t i = 0; i < rank; ++i) {
    if (echo_type_dim(type, (size_t)dim_at[i]) == 1)
      continue;
    while (is_taken[place])
      ++place;
    wanted[dim_at[i]] = (int64_t)place++;
  }
}

/* Has the value, which is moved from a product's result, moved from what has this order; false
 * where that is more than another order of an operand. */
static bool reorder(Moved *moved, const int64_t *order)
{
  int64_t wanted[ECHO_MAX_RANK] = {0}, places[ECHO_MAX_RANK];
  order_like(moved, order, wanted);
  for (size_t d = 0; d < rank_of(moved->value); ++d)
    places[wanted[d]] = moved->order[d];
  EchoValue *made = reordered_map_or_null(moved->made, places);
  if (made == NULL)
    return false;
  moved->made = made;
  moved->is_new = true;
  memcpy(moved->order, wanted, sizeof moved->order);
  return true;
}

/* ---- maps ---- */

/* Dimensions of size 1 may stand anywhere. */
static bool has_order(const Moved *moved, const int64_t *order)
{
  const EchoType *type = moved->value->type;
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    for (size_t k = 0; k < d; ++k)
      if (echo_type_dim(type, d) != 1 && echo_type_dim(type, k) != 1 &&
          (moved->order[k] < moved->order[d]) != (order[k] < order[d]))
        return false;
  return true;
}

/* The value in the order of what is moved to it. */
static EchoValue *in_order(Keeper *keeper, EchoBuilder *b, EchoValue *value, const int64_t *order)
{
  const Moved *moved = moved_or_null(keeper, value);
  if (rank_of(value) == 0)
    return value;
  if (moved == NULL)
    return echo_build_in_order(b, value, order);
  const EchoType *type = echo_order_type(b->ctx, value->type, order);
  return echo_hlo_reshape(b, moved->made, type->as.shaped.dims, rank_of(value));
}

/* Beside a moved operand, one that is a product in the order in which it is read counts as moved.
 */
static void note_products_beside(Keeper *keeper, const EchoOp *op)
{
  bool any = false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    any |= moved_or_null(keeper, echo_op_operand(op, i)) != NULL;
  for (uint32_t i = 0; i < op->n_operands && any; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    if (moved_or_null(keeper, operand) == NULL && is_of_product(operand))
      add_moved(keeper, operand, operand, keeper->n_products++, false);
  }
}

/* The operand whose order is taken; NULL: none is moved, or some cannot have that order. */
static const Moved *find_order(Keeper *keeper, EchoOp *op)
{
  Moved *first = NULL;
  note_products_beside(keeper, op);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    Moved *moved = moved_or_null(keeper, echo_op_operand(op, i));
    if (moved != NULL && (first == NULL || moved->product < first->product))
      first = moved;
  }
  for (uint32_t i = 0; i < op->n_operands && first != NULL; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    Moved *moved = moved_or_null(keeper, operand);
    bool fits = moved != NULL ? has_order(moved, first->order) || reorder(moved, first->order)
                              : echo_has_any_order(operand);
    if (!fits)
      return NULL;
  }
  return first;
}

static void keep_map(Keeper *keeper, EchoOp *op)
{
  const Moved *first = find_order(keeper, op);
  if (first == NULL)
    return;
  Moved known = *first;
  EchoBuilder b = echo_builder_before(op);
  EchoMap values = {0};
  b.attrs = op->attrs;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i);
    echo_map_set_ptr(&values, operand, in_order(keeper, &b, operand, known.order));
  }
  EchoValue *made =
      echo_clone_map(op, &values, echo_order_type(b.ctx, echo_op_result_type(op, 0), known.order));
  echo_map_destroy(&values);
  Moved *moved = add_moved(keeper, echo_op_result(op, 0), made, known.product, true);
  memcpy(moved->order, known.order, sizeof known.order);
}

/* ---- rows ---- */

/* Of a reduction over the last dimension. */
static void keep_reduce(Keeper *keeper, EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  const Moved *source = op->n_operands == 2 ? moved_or_null(keeper, echo_op_operand(op, 0)) : NULL;
  int64_t last = source != NULL ? (int64_t)rank_of(source->value) - 1 : 0;
  if (source == NULL || dims.size != 1 || dims.dims[0] != last || source->order[last] != last ||
      echo_combiner_of(op).opcode == ECHO_N_HLO_OPCODES)
    return;
  Moved known = *source;
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  EchoValue *made = echo_reduce_like(&b, op, known.made, echo_op_operand(op, 1), &last, 1);
  Moved *moved = add_moved(keeper, echo_op_result(op, 0), made, known.product, true);
  memcpy(moved->order, known.order, sizeof known.order);
}

/* Of dimensions with these keys: as many of the others have a lesser one. */
static void order_by(const int64_t *keys, size_t n, int64_t *order)
{
  for (size_t d = 0; d < n; ++d) {
    order[d] = 0;
    for (size_t k = 0; k < n; ++k)
      order[d] += keys[k] < keys[d];
  }
}

/* Dimensions of size 1 come or go. */
static void keep_reshape(Keeper *keeper, EchoOp *op)
{
  EchoValue *from = echo_op_operand(op, 0), *to = echo_op_result(op, 0);
  const Moved *source = moved_or_null(keeper, from);
  int64_t keys[ECHO_MAX_RANK], order[ECHO_MAX_RANK];
  size_t f = 0;
  if (source == NULL)
    return;
  for (size_t d = 0; d < rank_of(to); ++d) {
    keys[d] = ECHO_MAX_RANK + (int64_t)d; /* those of size 1 behind all others */
    if (echo_type_dim(to->type, d) == 1)
      continue;
    while (f < rank_of(from) && echo_type_dim(from->type, f) == 1)
      ++f;
    if (f == rank_of(from) || echo_type_dim(from->type, f) != echo_type_dim(to->type, d))
      return;
    keys[d] = source->order[f++];
  }
  order_by(keys, rank_of(to), order);
  Moved known = *source;
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  const EchoType *type = echo_order_type(b.ctx, to->type, order);
  EchoValue *made = echo_hlo_reshape(&b, known.made, type->as.shaped.dims, rank_of(to));
  Moved *moved = add_moved(keeper, to, made, known.product, true);
  memcpy(moved->order, order, sizeof order);
}

/* Over the last dimension, and others of size 1. */
static void keep_broadcast(Keeper *keeper, EchoOp *op)
{
  EchoValue *from = echo_op_operand(op, 0), *to = echo_op_result(op, 0);
  const Moved *source = moved_or_null(keeper, from);
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  int64_t keys[ECHO_MAX_RANK], order[ECHO_MAX_RANK], places[ECHO_MAX_RANK];
  size_t rank = rank_of(to);
  if (source == NULL || rank == 0)
    return;
  for (size_t d = 0; d < rank; ++d)
    keys[d] = ECHO_MAX_RANK + (int64_t)d;
  for (size_t i = 0; i < dims.size; ++i)
    if (dims.dims[i] != (int64_t)rank - 1)
      keys[dims.dims[i]] = source->order[i];
  for (size_t d = 0; d + 1 < rank; ++d)
    if (keys[d] >= ECHO_MAX_RANK && echo_type_dim(to->type, d) != 1)
      return;
  order_by(keys, rank, order);
  for (size_t i = 0; i < dims.size; ++i)
    places[source->order[i]] = order[dims.dims[i]];
  for (size_t i = 1; i < dims.size; ++i)
    if (places[i] < places[i - 1])
      return;
  Moved known = *source;
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  EchoValue *made = echo_hlo_broadcast_in_dim(
      &b, known.made, echo_order_type(b.ctx, to->type, order), places, dims.size);
  Moved *moved = add_moved(keeper, to, made, known.product, true);
  memcpy(moved->order, order, sizeof order);
}

/* ---- products ---- */

static EchoDimList map_dims(EchoDimList list, const int64_t *order, int64_t *dims)
{
  for (size_t i = 0; i < list.size; ++i)
    dims[i] = order[list.dims[i]];
  return (EchoDimList){dims, list.size};
}

/* Transposes the other operand so that what is contracted ascends in both. */
static EchoValue *ascend(EchoBuilder *b, EchoValue *other, EchoDimList contracting,
                         const int64_t *contracted, int64_t *places)
{
  int64_t order[ECHO_MAX_RANK], sorted[ECHO_MAX_RANK];
  size_t n = contracting.size;
  for (size_t d = 0; d < rank_of(other); ++d)
    order[d] = (int64_t)d;
  for (size_t i = 0; i < n; ++i) {
    size_t at = 0;
    for (size_t k = 0; k < n; ++k)
      at += contracting.dims[k] < contracting.dims[i];
    sorted[at] = contracting.dims[i];
  }
  for (size_t i = 0; i < n; ++i) {
    size_t at = 0;
    for (size_t k = 0; k < n; ++k)
      at += contracted[k] < contracted[i];
    order[sorted[at]] = contracting.dims[i];
    places[i] = sorted[at];
  }
  return echo_hlo_transpose(b, other, order);
}

static void keep_dot(Keeper *keeper, EchoOp *op, uint32_t side)
{
  const Moved *source = moved_or_null(keeper, echo_op_operand(op, side));
  if (source == NULL || moved_or_null(keeper, echo_op_operand(op, 1 - side)) != NULL)
    return;
  const EchoDotDims *old = echo_stablehlo_dot_dims(op);
  EchoDimList batching = side == 0 ? old->lhs_batching : old->rhs_batching;
  EchoDimList contracting = side == 0 ? old->lhs_contracting : old->rhs_contracting;
  EchoDimList other_contracting = side == 0 ? old->rhs_contracting : old->lhs_contracting;
  EchoDimList other_batching = side == 0 ? old->rhs_batching : old->lhs_batching;
  int64_t own[2][ECHO_MAX_RANK], places[ECHO_MAX_RANK], free[ECHO_MAX_RANK], order[ECHO_MAX_RANK];
  EchoBuilder b = echo_builder_before(op);
  b.attrs = op->attrs;
  EchoDimList new_batching = map_dims(batching, source->order, own[0]);
  EchoDimList new_contracting = map_dims(contracting, source->order, own[1]);
  EchoValue *other = ascend(&b, echo_op_operand(op, 1 - side), other_contracting, own[1], places);
  EchoDimList new_other = {places, other_contracting.size};
  EchoDotDims dims = {.lhs_batching = side == 0 ? new_batching : other_batching,
                      .rhs_batching = side == 0 ? other_batching : new_batching,
                      .lhs_contracting = side == 0 ? new_contracting : new_other,
                      .rhs_contracting = side == 0 ? new_other : new_contracting};
  EchoValue *result =
      echo_hlo_dot_general(&b, side == 0 ? source->made : other, side == 0 ? other : source->made,
                           &dims, echo_type_element(echo_op_result_type(op, 0)));
  echo_stablehlo_copy_precision(op, echo_value_def_or_null(result));
  /* free dimensions of the moved operand may stand in another order in the result */
  size_t rank = rank_of(result), n = free_dims(source->value->type, batching, contracting, free);
  size_t first = side == 0 ? batching.size : rank - n;
  for (size_t d = 0; d < rank; ++d)
    order[d] = (int64_t)d;
  for (size_t i = 0; i < n; ++i) {
    size_t at = 0;
    for (size_t k = 0; k < n; ++k)
      at += source->order[free[k]] < source->order[free[i]];
    order[first + i] = (int64_t)(first + at);
  }
  echo_value_replace_all_uses(echo_op_result(op, 0), echo_hlo_transpose(&b, result, order));
  ++keeper->n_kept;
}

/* ---- a block ---- */

static void go_through(Keeper *keeper, EchoOp *op)
{
  if (is_map(op)) {
    keep_map(keeper, op);
    return;
  }
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_TRANSPOSE:
    note_transpose(keeper, op);
    break;
  case ECHO_HLO_REDUCE:
    keep_reduce(keeper, op);
    break;
  case ECHO_HLO_RESHAPE:
    keep_reshape(keeper, op);
    break;
  case ECHO_HLO_BROADCAST_IN_DIM:
    keep_broadcast(keeper, op);
    break;
  case ECHO_HLO_DOT_GENERAL:
    keep_dot(keeper, op, 0);
    if (echo_op_result(op, 0)->first_use != NULL)
      keep_dot(keeper, op, 1);
    break;
  default:
    break;
  }
}

/* Who reads a value in its old order yet reads a transpose of what is made now. */
static void move_back(Moved *moved)
{
  EchoOp *def = echo_value_def_or_null(moved->value);
  if (!moved->is_new || moved->value->first_use == NULL)
    return;
  EchoBuilder b = echo_builder_before(def);
  b.attrs = def->attrs;
  echo_value_replace_all_uses(moved->value, echo_hlo_transpose(&b, moved->made, moved->order));
}

static void run_block(Keeper *keeper, EchoBlock *block)
{
  echo_vector_clear(&keeper->moved);
  echo_map_clear(&keeper->numbers);
  echo_map_clear(&keeper->leads);
  echo_map_clear(&keeper->reduced);
  keeper->n_products = 0;
  find_leads(keeper, block);
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    go_through(keeper, op);
  for (size_t i = 0; i < keeper->moved.size; ++i)
    move_back(&keeper->moved.data[i]);
}

static bool run(EchoPassRun *pass)
{
  Keeper keeper = {0};
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    for (size_t r = 0; r < op->n_regions; ++r)
      if (op->regions[r].first != NULL && op->regions[r].first->next == NULL)
        run_block(&keeper, op->regions[r].first);
  echo_vector_destroy(&keeper.moved);
  echo_map_destroy(&keeper.numbers);
  echo_map_destroy(&keeper.leads);
  echo_map_destroy(&keeper.reduced);
  echo_pass_count(pass, "kept", keeper.n_kept);
  return true;
}

static const EchoPassStatistic statistics[] = {
    {"kept", "products of what stays in another's order"}, {0}};

const EchoPass ECHO_PASS_KEEP_ROW_ORDER = {
    .name = "keep-row-order",
    .summary = "make what products multiply in the order of the product that it is made of",
    .anchor = "builtin.module",
    .statistics = statistics,
    .run = run,
};
