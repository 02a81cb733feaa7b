/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --whole-windows: a scatter leaves out every window that does not lie inside its operand as a
 * whole. By StableHLO each element of a window counts for itself; XLA leaves the window out, and
 * JAX's gradient of a gather that gives another number for such windows ("fill") relies on it. So
 * this is no part of the stages: whoever takes XLA's place asks for it.
 *
 * An index of a window larger than one is put behind the operand's end where the window sticks out,
 * so that no element of it is inside. Indices that are seen to keep it inside stay as they are: JAX
 * clamps those of its mode "clip". */
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"

/* A part of a tensor: what has coordinate `at` along dimension `dim`; all of it where dim is -1. */
typedef struct Part {
  const EchoValue *value;
  int64_t dim, at;
} Part;

typedef struct Range {
  int64_t low, high; /* both inside */
} Range;

/* Of the operands. */
static bool is_static(const EchoOp *op)
{
  bool ok = true;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    ok = ok && echo_type_is_tensor(echo_op_operand_type(op, i)) &&
         echo_type_has_static_shape(echo_op_operand_type(op, i));
  return ok;
}

/* ---- what indices are known to be ---- */

static bool is_constant_within(const EchoAttr *constant, Part part, Range range)
{
  if (constant->kind != ECHO_ATTR_DENSE_ELEMENTS)
    return false;
  const EchoType *type = part.value->type;
  int64_t n = constant->as.elements.is_splat ? 1 : echo_type_static_n_elements(type), inner = 1;
  for (size_t d = part.dim < 0 ? 0 : (size_t)part.dim + 1; d < echo_type_rank(type); ++d)
    inner *= echo_type_dim(type, d);
  bool ok = true;
  for (int64_t i = 0; i < n && ok; ++i) {
    bool is_other = part.dim >= 0 && !constant->as.elements.is_splat &&
                    i / inner % echo_type_dim(type, (size_t)part.dim) != part.at;
    int64_t number = echo_elements_i64(constant, (size_t)i);
    ok = is_other || (number >= range.low && number <= range.high);
  }
  return ok;
}

/* The same part of what a broadcast spreads. */
static Part unspread(const EchoOp *broadcast, Part part)
{
  const EchoValue *operand = echo_op_operand(broadcast, 0);
  EchoDimList dims = echo_stablehlo_dims(broadcast, "broadcast_dimensions");
  for (size_t d = 0; d < dims.size; ++d)
    if (dims.dims[d] == part.dim && echo_type_dim(operand->type, d) != 1)
      return (Part){operand, (int64_t)d, part.at};
  return (Part){operand, -1, 0};
}

/* The one of a concatenation's operands that the part is of. */
static Part unjoin(const EchoOp *concatenate, Part part)
{
  uint32_t i = 0;
  int64_t size;
  while (part.at >=
         (size = echo_type_dim(echo_op_operand_type(concatenate, i), (size_t)part.dim))) {
    part.at -= size;
    i++;
  }
  return (Part){echo_op_operand(concatenate, i), part.dim, part.at};
}

static Part of_operand(const EchoOp *op, uint32_t i, Part part)
{
  const EchoValue *operand = echo_op_operand(op, i);
  return echo_type_rank(operand->type) == 0 ? (Part){operand, -1, 0}
                                            : (Part){operand, part.dim, part.at};
}

/* Whether all of the part is known to be in the range. Looks through `depth` ops. */
static bool is_within(Part part, Range range, int depth)
{
  const EchoAttr *constant = echo_value_constant_or_null(part.value);
  const EchoOp *def = echo_value_def_or_null(part.value);
  if (constant != NULL)
    return is_constant_within(constant, part, range);
  if (def == NULL || depth == 0)
    return false;
  switch (echo_hlo_opcode(def)) {
  case ECHO_HLO_BROADCAST_IN_DIM:
    return is_within(unspread(def, part), range, depth - 1);
  case ECHO_HLO_CONCATENATE:
    return echo_op_attr_i64(def, "dimension", -1) == part.dim && is_static(def) &&
           is_within(unjoin(def, part), range, depth - 1);
  case ECHO_HLO_CLAMP: /* between the two, or the upper one */
    return is_within(of_operand(def, 0, part), range, depth - 1) &&
           is_within(of_operand(def, 2, part), range, depth - 1);
  case ECHO_HLO_MINIMUM:
    for (uint32_t i = 0; i < 2; ++i)
      if (is_within(of_operand(def, i, part), range, depth - 1) &&
          is_within(of_operand(def, 1 - i, part), (Range){range.low, INT64_MAX}, depth - 1))
        return true;
    return false;
  default:
    return false;
  }
}

/* ---- a scatter ---- */

/* How large a window is along a dimension of the operand. */
static int64_t window_size(const EchoOp *scatter, const EchoScatterDims *dims, int64_t dim)
{
  const EchoType *updates = echo_op_operand_type(scatter, scatter->n_results + 1u);
  size_t at = 0;
  if (echo_dim_list_has(dims->inserted_window_dims, dim) ||
      echo_dim_list_has(dims->input_batching_dims, dim))
    return 1;
  for (int64_t d = 0; d < dim; ++d)
    at += !echo_dim_list_has(dims->inserted_window_dims, d) &&
          !echo_dim_list_has(dims->input_batching_dims, d);
  return echo_type_dim(updates, (size_t)dims->update_window_dims.dims[at]);
}

/* Where a window may begin along the dimension that column k of the indices is for; false where
 * that needs no look: a window of one element is in or out as a whole. */
static bool may_stick_out(const EchoOp *scatter, size_t k, Range *range)
{
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(scatter);
  int64_t dim = dims->scatter_dims_to_operand_dims.dims[k];
  int64_t size = window_size(scatter, dims, dim);
  *range = (Range){0, echo_type_dim(echo_op_operand_type(scatter, 0), (size_t)dim) - size};
  const EchoValue *indices = echo_op_operand(scatter, scatter->n_results);
  bool is_column = dims->index_vector_dim < (int64_t)echo_type_rank(indices->type);
  return size > 1 &&
         !is_within((Part){indices, is_column ? dims->index_vector_dim : -1, (int64_t)k}, *range,
                    8);
}

/* The column where it is in the range, else a number that no index of the operand reaches. */
static EchoValue *build_guard(EchoBuilder *b, EchoValue *column, Range range, int64_t outside)
{
  EchoValue *is_low = echo_hlo_compare(b, ECHO_COMPARE_GE, column,
                                       echo_hlo_constant_i64(b, column->type, range.low));
  EchoValue *is_high = echo_hlo_compare(b, ECHO_COMPARE_LE, column,
                                        echo_hlo_constant_i64(b, column->type, range.high));
  EchoValue *is_inside = echo_hlo_and(b, is_low, is_high);
  return echo_hlo_select(b, is_inside, column, echo_hlo_constant_i64(b, column->type, outside));
}

static bool guard(EchoOp *scatter)
{
  enum { MAX_COLUMNS = ECHO_MAX_RANK };
  const EchoScatterDims *dims = echo_stablehlo_scatter_dims(scatter);
  size_t n = dims->scatter_dims_to_operand_dims.size, n_open = 0;
  Range ranges[MAX_COLUMNS];
  bool is_open[MAX_COLUMNS];
  for (size_t k = 0; k < n; ++k)
    n_open += is_open[k] = may_stick_out(scatter, k, &ranges[k]);
  if (n_open == 0)
    return false;
  EchoBuilder builder = echo_builder_before(scatter);
  builder.attrs = scatter->attrs;
  const EchoType *i64 = echo_type_integer(builder.ctx, 64, ECHO_SIGNLESS);
  EchoValue *indices = echo_op_operand(scatter, scatter->n_results), *columns[MAX_COLUMNS];
  if (echo_type_bit_width(indices->type->as.shaped.element) < 32)
    indices = echo_hlo_convert(&builder, indices, i64); /* that holds the operand's size */
  int64_t along = dims->index_vector_dim;
  for (size_t k = 0; k < n; ++k) {
    int64_t dim = dims->scatter_dims_to_operand_dims.dims[k];
    columns[k] =
        n == 1 ? indices : echo_hlo_slice_dim(&builder, indices, along, (int64_t)k, (int64_t)k + 1);
    if (is_open[k])
      columns[k] = build_guard(&builder, columns[k], ranges[k],
                               echo_type_dim(echo_op_operand_type(scatter, 0), (size_t)dim));
  }
  echo_op_set_operand(scatter, scatter->n_results,
                      n == 1 ? columns[0] : echo_hlo_concatenate(&builder, columns, n, along));
  return true;
}

/* ---- the pass ---- */

static bool run(EchoPassRun *pass)
{
  uint64_t n = 0;
  for (EchoOp *op = pass->op; op != NULL; op = echo_op_walk_next(pass->op, op))
    n += echo_hlo_opcode(op) == ECHO_HLO_SCATTER && is_static(op) && guard(op);
  pass->keeps_all = n == 0;
  echo_pass_count(pass, "scatters", n);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {
    {"scatters", "scatters that leave out windows that stick out"}, {NULL, NULL}};

const EchoPass ECHO_PASS_WHOLE_WINDOWS = {
    .name = "whole-windows",
    .summary = "leave out windows of a scatter that stick out, as XLA does",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
