/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Slices, paddings and concatenations along what is cut: where the digit's blocks are whole ones in
 * the operands and in the result, each process does the same with its own, and nothing travels. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "lowering/partition/write_t.h"

/* Whether dimension `d` of the op's operands is moved along. */
static bool is_along(const EchoOp *op, size_t d)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_SLICE:
  case ECHO_HLO_PAD:
    return true;
  case ECHO_HLO_CONCATENATE:
    return (int64_t)d == echo_op_attr_i64(op, "dimension", -1);
  default:
    return false;
  }
}

/* Elements of the operand that one of the result is apart (slice), or the other way (pad). */
static int64_t step_of(const EchoOp *op, size_t d)
{
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_SLICE:
    return echo_stablehlo_dims(op, "strides").dims[d];
  case ECHO_HLO_PAD:
    return 1 + echo_stablehlo_dims(op, "interior_padding").dims[d];
  default:
    return 1;
  }
}

/* Whether places `from` of operands and `to` of the result are of the same blocks; `size` is the
 * digit's. */
static bool is_aligned(const EchoOp *op, size_t d, int64_t size, int64_t from, int64_t to)
{
  const int64_t step = step_of(op, d);
  const int64_t n = echo_type_dim(echo_op_result_type(op, 0), d);
  if (from == 0 || to == 0 || n == 0 || n % (to * size) != 0)
    return false;
  for (uint32_t i = 0; i < (echo_hlo_opcode(op) == ECHO_HLO_CONCATENATE ? op->n_operands : 1); i++)
    if (echo_type_dim(echo_op_operand_type(op, i), d) % (from * size) != 0)
      return false;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_SLICE: /* it begins with the first of a block, or before the second it takes */
    return echo_stablehlo_dims(op, "start_indices").dims[d] % (from * size) < step;
  case ECHO_HLO_PAD:
    return echo_stablehlo_dims(op, "edge_padding_low").dims[d] % (to * size) == 0;
  default:
    return true;
  }
}

bool echo_aligned_out(const EchoOp *op, int64_t size, EchoPlace place, EchoPlace *out)
{
  if (!is_along(op, place.dim))
    return false;
  const int64_t step = step_of(op, place.dim);
  const bool is_slice = echo_hlo_opcode(op) == ECHO_HLO_SLICE;
  *out = place;
  out->span = is_slice ? place.span / step : place.span * step;
  return (!is_slice || place.span % step == 0) &&
         is_aligned(op, place.dim, size, place.span, out->span);
}

bool echo_aligned_before(const EchoOp *op, int64_t size, EchoPlace place, EchoPlace *before)
{
  if (!is_along(op, place.dim))
    return false;
  const int64_t step = step_of(op, place.dim);
  const bool is_slice = echo_hlo_opcode(op) == ECHO_HLO_SLICE;
  *before = place;
  before->span = is_slice ? place.span * step : place.span / step;
  return (is_slice || place.span % step == 0) &&
         is_aligned(op, place.dim, size, before->span, place.span);
}

/* ---- writing ---- */

static void set_dims(EchoOp *op, const char *name, const int64_t *dims, size_t n)
{
  echo_op_set_attr(op, name, echo_attr_i64_array(echo_op_context(op), dims, n));
}

static void write_slice(EchoOp *op, const int64_t *n_parts)
{
  const size_t rank = echo_type_rank(echo_op_operand_type(op, 0));
  EchoDimList start = echo_stablehlo_dims(op, "start_indices");
  EchoDimList limit = echo_stablehlo_dims(op, "limit_indices");
  int64_t starts[ECHO_MAX_RANK], limits[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; d++) {
    const int64_t step = step_of(op, d), first = start.dims[d] % step;
    const int64_t n = echo_type_dim(echo_op_result_type(op, 0), d) / n_parts[d];
    starts[d] = start.dims[d];
    limits[d] = limit.dims[d];
    if (n_parts[d] == 1)
      continue;
    starts[d] = (start.dims[d] - first) / n_parts[d] + first;
    limits[d] = starts[d] + (n - 1) * step + 1;
  }
  set_dims(op, "start_indices", starts, rank);
  set_dims(op, "limit_indices", limits, rank);
}

static void write_pad(EchoOp *op, const int64_t *n_parts)
{
  const EchoType *part = echo_op_operand_type(op, 0);
  const size_t rank = echo_type_rank(part);
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList high = echo_stablehlo_dims(op, "edge_padding_high");
  int64_t lows[ECHO_MAX_RANK], highs[ECHO_MAX_RANK];
  for (size_t d = 0; d < rank; d++) {
    const int64_t n = echo_type_dim(echo_op_result_type(op, 0), d) / n_parts[d];
    lows[d] = low.dims[d] / n_parts[d];
    highs[d] = n_parts[d] == 1 ? high.dims[d]
                               : n - lows[d] - ((echo_type_dim(part, d) - 1) * step_of(op, d) + 1);
  }
  set_dims(op, "edge_padding_low", lows, rank);
  set_dims(op, "edge_padding_high", highs, rank);
}

void echo_write_aligned(const EchoSplits *splits, EchoOp *op, const EchoSplit *split)
{
  int64_t n_parts[ECHO_MAX_RANK];
  for (size_t d = 0; d < ECHO_MAX_RANK; d++)
    n_parts[d] = 1;
  for (size_t a = 0; a < splits->n_digits; a++)
    if (echo_place_cuts(split->at[a]))
      n_parts[split->at[a].dim] *= splits->digits[a].size;
  if (echo_hlo_opcode(op) == ECHO_HLO_SLICE)
    write_slice(op, n_parts);
  else if (echo_hlo_opcode(op) == ECHO_HLO_PAD)
    write_pad(op, n_parts);
}
