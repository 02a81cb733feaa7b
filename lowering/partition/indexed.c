/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dimensions of which indices pick single elements, and which are cut: rows of a table (gather,
 * dynamic_slice), and what is written into one (scatter, dynamic_update_slice). Each process looks
 * in its part alone. What it reads elsewhere is the neutral element of the sum that its result then
 * is, a part of; what it would write elsewhere is dropped. No part is ever gathered. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "lowering/partition/write_t.h"
#include "lowering/step/dim_map_t.h"

/* ---- which dimensions ---- */

/* Where `dim` stands among the list; its size where it does not. */
static size_t place_in(EchoDimList list, int64_t dim)
{
  size_t k = 0;
  while (k < list.size && list.dims[k] != dim)
    k++;
  return k;
}

/* Indices are looked at as i64. */
static bool has_index_type(const EchoOp *op, uint32_t i)
{
  return echo_type_bit_width(echo_type_element(echo_op_operand_type(op, i))) < 64 ||
         echo_type_element(echo_op_operand_type(op, i))->as.integer.signedness != ECHO_UNSIGNED;
}

/* Whether indices pick single elements of dimension `d` of operand 0. */
static bool is_indexed(const EchoOp *op, size_t d)
{
  EchoDimList list;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_GATHER:
    list = echo_stablehlo_gather_dims(op)->start_index_map;
    return place_in(list, (int64_t)d) != list.size &&
           echo_stablehlo_dims(op, "slice_sizes").dims[d] == 1 && has_index_type(op, 1);
  case ECHO_HLO_SCATTER:
    list = echo_stablehlo_scatter_dims(op)->scatter_dims_to_operand_dims;
    return place_in(list, (int64_t)d) != list.size &&
           echo_dim_list_has(echo_stablehlo_scatter_dims(op)->inserted_window_dims, (int64_t)d) &&
           has_index_type(op, op->n_results);
  case ECHO_HLO_DYNAMIC_SLICE:
    return echo_stablehlo_dims(op, "slice_sizes").dims[d] == 1 &&
           has_index_type(op, 1 + (uint32_t)d);
  case ECHO_HLO_DYNAMIC_UPDATE_SLICE:
    return echo_type_dim(echo_op_operand_type(op, 1), d) == 1 &&
           has_index_type(op, 2 + (uint32_t)d);
  default:
    return false;
  }
}

static bool is_read(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_GATHER || echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE;
}

/* Operands that are had as the table is. */
static uint32_t n_tables(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_SCATTER ? op->n_results : 1;
}

bool echo_split_dim_map(const EchoOp *op, uint32_t i, int *to)
{
  if (!echo_dim_map(op, i, to))
    return false;
  const EchoType *type = echo_op_operand_type(op, i);
  for (size_t d = 0; i < n_tables(op) && d < echo_type_rank(type); d++)
    if (to[d] == ECHO_DIM_MIXED && echo_type_dim(type, d) != 1 && is_indexed(op, d))
      to[d] = is_read(op) ? ECHO_DIM_GONE - (int)d : (int)d;
  return true;
}

bool echo_split_reads_indexed(const EchoOp *op)
{
  for (size_t d = 0; is_read(op) && d < echo_type_rank(echo_op_operand_type(op, 0)); d++)
    if (is_indexed(op, d))
      return true;
  return false;
}

/* ---- where an element is ---- */

typedef struct Indexed {
  EchoSplitWriter *w;
  EchoBuilder b;
  EchoOp *op;
  const EchoSplit *table;
  bool is_cut[ECHO_MAX_RANK];
} Indexed;

static EchoValue *both(EchoBuilder *b, EchoValue *one_or_null, EchoValue *other)
{
  return one_or_null != NULL ? echo_hlo_and(b, one_or_null, other) : other;
}

/* All elements of the dimension. */
static int64_t whole_dim(const Indexed *x, size_t d)
{
  int64_t size = echo_type_dim(echo_op_operand_type(x->op, 0), d);
  for (size_t a = 0; a < x->w->splits->n_digits; a++)
    size *= x->table->at[a].dim == d ? x->w->splits->digits[a].size : 1;
  return size;
}

/* Elements `index` (i64, of any shape) of the whole dimension as this process numbers them; *mine:
 * whether it has them. Of those that it has not some other is named. */
static EchoValue *local_index(Indexed *x, size_t d, EchoValue *index, EchoValue **mine)
{
  EchoBuilder *b = &x->b;
  EchoSplit chosen = echo_split_none();
  const EchoSplit none = echo_split_none();
  EchoRun run;
  for (size_t a = 0; a < x->w->splits->n_digits; a++)
    if (x->table->at[a].dim == d)
      chosen.at[a] = x->table->at[a];
  while (echo_next_run(x->w->splits, &chosen, &none, &run)) {
    EchoValue *below = echo_hlo_constant_i64(b, index->type, run.below);
    EchoValue *n_parts = echo_hlo_constant_i64(b, index->type, run.n_parts);
    EchoValue *part = echo_hlo_broadcast_scalar(b, echo_run_part(x->w, b, &run), index->type);
    EchoValue *number = echo_hlo_divide(b, index, below);
    EchoValue *low = echo_hlo_remainder(b, index, below), *high = NULL;
    if (run.below * run.n_parts !=
        whole_dim(x, d)) { /* not the outermost: blocks again and again */
      high = echo_hlo_divide(b, number, n_parts);
      number = echo_hlo_remainder(b, number, n_parts);
    }
    *mine = both(b, *mine, echo_hlo_compare(b, ECHO_COMPARE_EQ, number, part));
    index = high != NULL ? echo_hlo_add(b, echo_hlo_multiply(b, high, below), low) : low;
  }
  return index;
}

/* Reads and dynamic updates take the nearest element for one that is not there; a scatter drops
 * it. */
static EchoValue *look_up(Indexed *x, size_t d, EchoValue *index, EchoValue **mine)
{
  EchoBuilder *b = &x->b;
  EchoValue *zero = echo_hlo_constant_i64(b, index->type, 0), *own = NULL;
  EchoValue *last = echo_hlo_constant_i64(b, index->type, whole_dim(x, d) - 1);
  EchoValue *near = echo_hlo_clamp(b, zero, index, last);
  EchoValue *local = local_index(x, d, near, &own);
  if (echo_hlo_opcode(x->op) == ECHO_HLO_SCATTER) {
    own = both(b, own, echo_hlo_compare(b, ECHO_COMPARE_EQ, near, index));
    local = echo_hlo_select(b, own, local, echo_hlo_constant_i64(b, index->type, -1));
  }
  *mine = both(b, *mine, own);
  return local;
}

/* ---- index vectors ---- */

/* Operand `i`, whose component k is an index of dimension map[k]; its numbers by this process's
 * part, and in *mine, of the shape without the vectors, whose they are. */
static void look_up_vectors(Indexed *x, uint32_t i, EchoDimList map, int64_t vector_dim,
                            EchoValue **mine)
{
  EchoBuilder *b = &x->b;
  EchoValue *all = echo_hlo_convert(b, echo_op_operand(x->op, i), echo_type_i64(b->ctx));
  const size_t rank = echo_type_rank(all->type);
  EchoValue *components[ECHO_MAX_RANK];
  echo_op_set_attr(x->op, "indices_are_sorted", echo_attr_bool(b->ctx, false));
  if ((size_t)vector_dim == rank) {
    echo_op_set_operand(x->op, i, look_up(x, (size_t)map.dims[0], all, mine));
    return;
  }
  for (size_t k = 0; k < map.size; k++) {
    components[k] = echo_hlo_slice_dim(b, all, vector_dim, (int64_t)k, (int64_t)k + 1);
    if (x->is_cut[map.dims[k]])
      components[k] = look_up(x, (size_t)map.dims[k], components[k], mine);
  }
  echo_op_set_operand(x->op, i, echo_hlo_concatenate(b, components, map.size, vector_dim));
  int64_t dims[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < rank; d++)
    if ((int64_t)d != vector_dim)
      dims[n++] = echo_type_dim(all->type, d);
  *mine = echo_hlo_reshape(b, *mine, dims, n);
}

/* Scalars, one a dimension, from operand `first` on. */
static void look_up_scalars(Indexed *x, uint32_t first, EchoValue **mine)
{
  const EchoType *i64 = echo_type_i64(x->b.ctx);
  for (size_t d = 0; d < echo_type_rank(echo_op_operand_type(x->op, 0)); d++) {
    EchoValue *index = echo_hlo_convert(&x->b, echo_op_operand(x->op, first + (uint32_t)d), i64);
    echo_op_set_operand(x->op, first + (uint32_t)d,
                        x->is_cut[d] ? look_up(x, d, index, mine) : index);
  }
}

/* ---- the ops ---- */

/* `mine`, of the shape of a gather's indices, in that of what it reads. */
static EchoValue *mine_as(EchoBuilder *b, const EchoOp *op, EchoValue *mine, const EchoType *type)
{
  const EchoType *as = echo_type_with_element(b->ctx, type, echo_type_element(mine->type));
  int64_t dims[ECHO_MAX_RANK];
  size_t n = 0;
  if (echo_hlo_opcode(op) != ECHO_HLO_GATHER)
    return echo_hlo_broadcast_scalar(b, mine, as);
  for (size_t d = 0; d < echo_type_rank(type); d++)
    if (!echo_dim_list_has(echo_stablehlo_gather_dims(op)->offset_dims, (int64_t)d))
      dims[n++] = (int64_t)d;
  return echo_hlo_broadcast_in_dim(b, mine, as, dims, n);
}

/* What adds nothing: of floats -0, which leaves the sign of a zero, too. */
static EchoValue *neutral(EchoBuilder *b, const EchoType *type)
{
  if (echo_type_bit_width(echo_type_element(type)) == 1)
    return echo_hlo_constant_bool(b, type, false);
  return echo_type_element(type)->kind == ECHO_TYPE_INTEGER ? echo_hlo_constant_i64(b, type, 0)
                                                            : echo_hlo_constant_f64(b, type, -0.0);
}

/* As an op makes its result, before that is cut again. */
static const EchoSplit *made_as(const EchoSplits *splits, const EchoValue *result)
{
  uint64_t made;
  return echo_map_get(&splits->computed, echo_key(result), &made)
             ? (const EchoSplit *)(uintptr_t)made
             : echo_split_of(splits, result);
}

/* The op again, of what it reads that which this process has. */
static EchoValue *read_part(Indexed *x, EchoValue *mine)
{
  EchoOp *part = echo_builder_insert(&x->b, echo_op_clone(x->op, NULL));
  EchoValue *result = echo_op_result(x->op, 0), *read = echo_op_result(part, 0);
  const EchoSplit *as = made_as(x->w->splits, result);
  echo_value_set_type(read, echo_split_type(x->w->splits, x->w->ctx, result->type, as));
  return echo_hlo_select(&x->b, mine_as(&x->b, part, mine, read->type), read,
                         neutral(&x->b, read->type));
}

/* `value` takes the place of the op's result; its type is the whole's until it is written. */
static EchoOp *replaced_by(Indexed *x, EchoValue *value)
{
  EchoSplits *splits = x->w->splits;
  EchoValue *result = echo_op_result(x->op, 0);
  uint64_t made;
  echo_split_set(splits, value, echo_split_of(splits, result));
  if (echo_map_get(&splits->computed, echo_key(result), &made))
    echo_map_set(&splits->computed, echo_key(value), made);
  echo_value_set_type(value, result->type);
  echo_value_replace_all_uses(result, value);
  echo_op_erase(x->op);
  return echo_value_def_or_null(value);
}

/* Elsewhere what is there already is written again. */
static void update_part(Indexed *x, EchoValue *mine)
{
  EchoBuilder *b = &x->b;
  EchoValue *table = echo_op_operand(x->op, 0), *update = echo_op_operand(x->op, 1);
  EchoValue *starts[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(table->type); d++)
    starts[d] = echo_op_operand(x->op, 2 + (uint32_t)d);
  EchoValue *old = echo_hlo_dynamic_slice(b, table, starts, update->type->as.shaped.dims);
  echo_op_set_operand(x->op, 1, echo_hlo_select(b, mine, update, old));
}

/* Whether the digit, which cuts a dimension of the table, cuts what indices pick. Types and sizes
 * tell no more: they are those of parts. */
static bool is_picked(const EchoSplits *splits, const EchoOp *op, const EchoSplit *const *wants,
                      size_t digit)
{
  const EchoSplit *made = made_as(splits, echo_op_result(op, 0));
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_GATHER:
  case ECHO_HLO_DYNAMIC_SLICE:
    return made != NULL && made->at[digit].dim == ECHO_AT_SUM;
  case ECHO_HLO_SCATTER:
    return is_indexed(op, wants[0]->at[digit].dim);
  case ECHO_HLO_DYNAMIC_UPDATE_SLICE:
    return wants[1] == NULL || !echo_place_cuts(wants[1]->at[digit]);
  default:
    return false;
  }
}

EchoOp *echo_write_indexed(EchoSplitWriter *w, EchoOp *op, const EchoSplit *const *wants)
{
  const EchoSplit *table = wants[0];
  Indexed x = {.w = w, .b = echo_builder_before(op), .op = op, .table = table};
  EchoValue *mine = NULL;
  bool any = false;
  for (size_t a = 0; table != NULL && a < w->splits->n_digits; a++)
    if (echo_place_cuts(table->at[a]) && is_picked(w->splits, op, wants, a))
      any = x.is_cut[table->at[a].dim] = true;
  if (!any)
    return op;
  const EchoAttr *phase = echo_op_attr_or_null(op, "echo.phase");
  if (phase != NULL)
    x.b.attrs = echo_dictionary_with(w->ctx, NULL, ECHO_STR("echo.phase"), phase);
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_GATHER:
    look_up_vectors(&x, 1, echo_stablehlo_gather_dims(op)->start_index_map,
                    echo_stablehlo_gather_dims(op)->index_vector_dim, &mine);
    return replaced_by(&x, read_part(&x, mine));
  case ECHO_HLO_DYNAMIC_SLICE:
    look_up_scalars(&x, 1, &mine);
    return replaced_by(&x, read_part(&x, mine));
  case ECHO_HLO_SCATTER:
    look_up_vectors(&x, op->n_results,
                    echo_stablehlo_scatter_dims(op)->scatter_dims_to_operand_dims,
                    echo_stablehlo_scatter_dims(op)->index_vector_dim, &mine);
    return op;
  default:
    look_up_scalars(&x, 2, &mine);
    update_part(&x, mine);
    return op;
  }
}
