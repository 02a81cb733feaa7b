/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What has no role is not in map_dims. The rest follows from where each dimension of an operand
 * comes out in the result (dim_map.c):
 *
 *   down   the image of an operand's rows are the result's rows, or they are all gone: a sum
 *   up     an operand is cut where its dimensions come out as the result's rows
 *
 * A reshape has no such map: rows are found by what stands before them. */
#include "lowering/step/row_roles_t.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/dim_map_t.h"

static bool is_plain_tensor(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type);
}

int64_t echo_dims_product(const EchoType *type, size_t first, size_t end)
{
  int64_t product = 1;
  for (size_t d = first; d < end; ++d)
    product *= echo_type_dim(type, d);
  return product;
}

EchoRowDims echo_row_dims(const EchoType *type, size_t first, size_t n)
{
  while (n != 0 && echo_type_dim(type, first + n - 1) == 1)
    --n;
  for (; n != 0 && echo_type_dim(type, first) == 1; --n)
    ++first;
  return (EchoRowDims){(uint8_t)first, (uint8_t)n, n != 0};
}

/* Where dimensions come out, of the ops that have a role. `to` has room for ECHO_MAX_RANK. */
static bool map_dims(const EchoOp *op, uint32_t i, int *to)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_DOT_GENERAL:
  case ECHO_HLO_BROADCAST_IN_DIM:
  case ECHO_HLO_IOTA:
  case ECHO_HLO_TRANSPOSE:
  case ECHO_HLO_REDUCE:
  case ECHO_HLO_SORT:
  case ECHO_HLO_CONCATENATE:
  case ECHO_HLO_SLICE:
  case ECHO_HLO_PAD:
  case ECHO_HLO_GATHER:
  case ECHO_HLO_BITCAST_CONVERT:
    return echo_dim_map(op, i, to);
  default:
    return echo_op_has_trait(op, ECHO_ELEMENTWISE) && echo_dim_map(op, i, to);
  }
}

/* ---- rows by what stands before them ---- */

/* The rows of `from`, of n_rows in all, in a reshape of it. */
static bool match_rows(const EchoType *from, EchoRowDims rows, const EchoType *to, int64_t n_rows,
                       EchoRowDims *found)
{
  size_t rank = echo_type_rank(to), first = 0, end;
  int64_t before = echo_dims_product(from, 0, rows.first), product = 1;
  while (first < rank && (product < before || echo_type_dim(to, first) == 1))
    product *= echo_type_dim(to, first++);
  if (product != before)
    return false;
  for (end = first, product = 1; end < rank && product < n_rows;)
    product *= echo_type_dim(to, end++);
  *found = echo_row_dims(to, first, end - first);
  return product == n_rows;
}

/* ---- down and up ---- */

/* Rows come out at places[0 .. n): whether that is all of some dimensions in the same order. */
static bool is_range(const int *places, size_t n, const EchoType *type, int64_t n_rows,
                     EchoRowDims *range)
{
  for (size_t k = 0; k < n; ++k)
    if (places[k] < 0 || (k != 0 && places[k] <= places[k - 1]))
      return false;
  size_t first = (size_t)places[0], end = (size_t)places[n - 1] + 1;
  *range = (EchoRowDims){(uint8_t)first, (uint8_t)(end - first), true};
  return echo_dims_product(type, first, end) == n_rows;
}

/* What of an operand comes out as the result's rows: all of it, something of size 1, or nothing;
 * false when it is a part. */
static bool find_preimage(const EchoType *type, const int *to, EchoRowDims result, int64_t n_rows,
                          EchoRowDims *rows)
{
  size_t rank = echo_type_rank(type);
  *rows = (EchoRowDims){0};
  for (size_t d = 0; d < rank; ++d) {
    if (to[d] < result.first || to[d] >= result.first + result.n)
      continue;
    if (rows->n != 0 && (d != (size_t)rows->first + rows->n || to[d] <= to[d - 1]))
      return false;
    if (rows->n++ == 0)
      rows->first = (uint8_t)d;
  }
  int64_t product = echo_dims_product(type, rows->first, (size_t)rows->first + rows->n);
  rows->is_cut = product == n_rows;
  return product == n_rows || product == 1;
}

static bool is_same(EchoRowDims a, EchoRowDims b)
{
  return a.first == b.first && a.n == b.n && a.is_cut == b.is_cut;
}

static bool fits(const EchoOp *op)
{
  if (op->n_operands > ECHO_MAX_ROW_OPERANDS || op->n_results == 0)
    return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!is_plain_tensor(echo_op_operand_type(op, i)))
      return false;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!is_plain_tensor(echo_op_result_type(op, i)))
      return false;
  return true;
}

/* Sets rows of operand i, which must be those that are known already, if any. */
static bool settle(EchoRowUse *use, uint32_t i, EchoRowDims rows)
{
  bool is_settled = use->operands[i].n == 0 || is_same(use->operands[i], rows);
  use->operands[i] = rows;
  return is_settled;
}

EchoRowRole echo_rows_up(const EchoOp *op, int64_t n_rows, EchoRowUse *use)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (!fits(op))
    return ECHO_ROWS_NONE;
  int64_t counted = echo_op_attr_i64(op, "iota_dimension", -1);
  bool is_from_rows = opcode == ECHO_HLO_BROADCAST_IN_DIM ||
                      (opcode == ECHO_HLO_IOTA && (counted < use->result.first ||
                                                   counted >= use->result.first + use->result.n));
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    const EchoType *type = echo_op_operand_type(op, i);
    int to[ECHO_MAX_RANK];
    EchoRowDims rows;
    bool is_found =
        opcode == ECHO_HLO_RESHAPE
            ? match_rows(echo_op_result_type(op, 0), use->result, type, n_rows, &rows)
            : map_dims(op, i, to) && find_preimage(type, to, use->result, n_rows, &rows);
    if (!is_found || !settle(use, i, rows))
      return ECHO_ROWS_NONE;
    is_from_rows |= rows.is_cut;
  }
  return !is_from_rows                    ? ECHO_ROWS_NONE
         : opcode == ECHO_HLO_DOT_GENERAL ? ECHO_ROWS_PRODUCT
                                          : ECHO_ROWS_EACH;
}

static bool is_zero(const EchoAttr *constant)
{
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      echo_type_element_kind(constant->type) == ECHO_ELEMENT_NONE)
    return false;
  return echo_element_is_float(echo_type_element_kind(constant->type))
             ? echo_elements_f64(constant, 0) == 0
             : echo_elements_i64(constant, 0) == 0;
}

/* The other operand's rows are what is contracted with those of operand i. */
static bool settle_other(const EchoOp *op, uint32_t i, int64_t n_rows, EchoRowUse *use)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  EchoDimList own = i == 0 ? dims->lhs_contracting : dims->rhs_contracting;
  EchoDimList other = i == 0 ? dims->rhs_contracting : dims->lhs_contracting;
  const EchoType *type = echo_op_operand_type(op, 1 - i);
  int places[ECHO_MAX_RANK];
  EchoRowDims rows = use->operands[i], found;
  for (size_t k = 0; k < own.size; ++k)
    if (own.dims[k] >= rows.first && own.dims[k] < rows.first + rows.n)
      places[own.dims[k] - rows.first] = (int)other.dims[k];
  return is_range(places, rows.n, type, n_rows, &found) && found.n == rows.n &&
         settle(use, 1 - i, found);
}

/* All rows of operand i are gone: added up? */
static EchoRowRole sum_role(const EchoOp *op, uint32_t i, int64_t n_rows, EchoRowUse *use)
{
  bool is_sum = false;
  if (echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL)
    is_sum = settle_other(op, i, n_rows, use);
  else if (echo_hlo_opcode(op) == ECHO_HLO_REDUCE)
    is_sum = op->n_results == 1 && echo_hlo_combiner(&op->regions[0]) == ECHO_HLO_ADD &&
             is_zero(echo_value_constant_or_null(echo_op_operand(op, 1)));
  return is_sum ? ECHO_ROWS_SUM : ECHO_ROWS_NONE;
}

EchoRowRole echo_rows_down(const EchoOp *op, int64_t n_rows, EchoRowUse *use)
{
  uint32_t i = 0;
  int to[ECHO_MAX_RANK];
  if (!fits(op))
    return ECHO_ROWS_NONE;
  while (use->operands[i].n == 0)
    ++i;
  EchoRowDims rows = use->operands[i];
  const EchoType *result = echo_op_result_type(op, 0);
  if (echo_hlo_opcode(op) == ECHO_HLO_RESHAPE) {
    if (!match_rows(echo_op_operand_type(op, 0), rows, result, n_rows, &use->result))
      return ECHO_ROWS_NONE;
  } else {
    if (!map_dims(op, i, to))
      return ECHO_ROWS_NONE;
    size_t n_gone = 0;
    for (size_t k = 0; k < rows.n; ++k)
      n_gone += to[rows.first + k] <= ECHO_DIM_GONE;
    if (n_gone == rows.n)
      return sum_role(op, i, n_rows, use);
    if (!is_range(to + rows.first, rows.n, result, n_rows, &use->result))
      return ECHO_ROWS_NONE;
  }
  return echo_rows_up(op, n_rows, use);
}
