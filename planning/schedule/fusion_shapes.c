/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the elements of an op's result follow from those of its operand, as fusion asks. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/schedule/fusion_t.h"

/* Trailing dimensions, leading dimensions, or neither. Dimensions of size 1 count for either. */
EchoKernelKind echo_reduce_kernel_kind(const EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  const EchoType *operand = echo_op_operand_type(op, 0);
  bool is_trailing = true, is_leading = true, seen_kept = false, seen_reduced = false;
  for (size_t i = 0; i < echo_type_rank(operand); ++i) {
    bool is_reduced = echo_dim_list_has(dims, (int64_t)i);
    if (echo_type_dim(operand, i) == 1)
      continue;
    if (is_reduced && seen_kept)
      is_leading = false;
    if (!is_reduced && seen_reduced)
      is_trailing = false;
    seen_reduced |= is_reduced;
    seen_kept |= !is_reduced;
  }
  return is_trailing  ? ECHO_KERNEL_ROW_REDUCE
         : is_leading ? ECHO_KERNEL_COLUMN_REDUCE
                      : ECHO_KERNEL_REDUCE;
}

bool echo_reduces_rows(const EchoOp *op)
{
  return echo_reduce_kernel_kind(op) == ECHO_KERNEL_ROW_REDUCE;
}

bool echo_reduces_in_any_order(const EchoOp *op)
{
  return op->n_results == 1 && echo_hlo_combiner(&op->regions[0]) != ECHO_N_HLO_OPCODES;
}

bool echo_broadcasts_rows(const EchoOp *op)
{
  EchoDimList dims = echo_stablehlo_dims(op, "broadcast_dimensions");
  const EchoType *operand = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  size_t next = 0; /* result dimensions below are matched */
  for (size_t i = 0; i < dims.size; ++i) {
    int64_t size = echo_type_dim(operand, i);
    if (size == 1)
      continue;
    size_t target = (size_t)dims.dims[i];
    if (target < next || echo_type_dim(result, target) != size)
      return false;
    for (; next < target; ++next)
      if (echo_type_dim(result, next) != 1)
        return false;
    next = target + 1;
  }
  return true;
}
