/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Regions that combine two elements by one op. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"

EchoHloOpcode echo_hlo_combiner(const EchoRegion *region)
{
  if (region == NULL)
    return ECHO_N_HLO_OPCODES;
  const EchoBlock *block = region->first;
  if (block == NULL || block->n_args != 2 || block->first == NULL ||
      block->first->next != block->last)
    return ECHO_N_HLO_OPCODES;
  const EchoOp *op = block->first, *end = block->last;
  if (op->n_operands != 2 || op->n_results != 1 || end->n_operands != 1 ||
      echo_op_operand(end, 0) != echo_op_result(op, 0))
    return ECHO_N_HLO_OPCODES;
  const EchoValue *a = echo_op_operand(op, 0), *b = echo_op_operand(op, 1);
  const EchoValue *first = echo_block_arg(block, 0), *second = echo_block_arg(block, 1);
  bool is_plain = (a == first && b == second) || (a == second && b == first);
  return is_plain ? echo_hlo_opcode(op) : ECHO_N_HLO_OPCODES;
}

bool echo_hlo_is_short_reduce(const EchoOp *op)
{
  if (op == NULL || echo_hlo_opcode(op) != ECHO_HLO_REDUCE || op->n_results != 1 ||
      echo_hlo_combiner(&op->regions[0]) == ECHO_N_HLO_OPCODES)
    return false;
  EchoDimList dims = echo_stablehlo_dims(op, "dimensions");
  int64_t n = 1;
  for (size_t i = 0; i < dims.size && n <= ECHO_HLO_SHORT_REDUCE; ++i) {
    int64_t dim = echo_type_dim(echo_op_operand_type(op, 0), (size_t)dims.dims[i]);
    n = dim <= ECHO_HLO_SHORT_REDUCE ? n * dim : ECHO_HLO_SHORT_REDUCE + 1;
  }
  return n >= 1 && n <= ECHO_HLO_SHORT_REDUCE;
}
