/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/kernels/lower_kernel_t.h"

static bool is_dead(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!echo_value_is_unused(echo_op_result(op, i)))
      return false;
  bool is_pure = (op->info->traits & (ECHO_PURE | ECHO_READS_MEMORY | ECHO_ALLOCATES)) != 0;
  return is_pure && (op->info->traits & ECHO_TERMINATOR) == 0 && op->n_regions == 0;
}

void echo_erase_dead_ops(EchoOp *root)
{
  /* last first, inside before outside: what an erased op used comes later in this order */
  for (uint16_t r = 0; r < root->n_regions; ++r)
    for (EchoBlock *block = root->regions[r].last; block != NULL; block = block->prev)
      for (EchoOp *op = block->last, *prev; op != NULL; op = prev) {
        prev = op->prev;
        if (op->n_regions != 0)
          echo_erase_dead_ops(op); /* loops nest a few deep: emission bounds them */
        else if (is_dead(op))
          echo_op_erase(op);
      }
}
