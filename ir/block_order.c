/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Order labels: op->order ascends along a block, so that "is a before b" is one comparison. A label
 * between two others is taken from the middle of the gap; where the gap is used up, the smallest
 * surrounding range of labels that is sparse enough is spread evenly (Bender, Cole, Demaine,
 * Farach-Colton, Zito, "Two Simplified Algorithms for Maintaining Order in a List"). O(1) when
 * appending, O(log n) amortised in the middle. */
#include "ir/op_t.h"

enum { STRIDE = 64 };

/* Labels of the whole block anew, as far apart as they can be but for room at the end. */
static void label_block(EchoBlock *block)
{
  uint64_t n_ops = 0;
  for (const EchoOp *op = block->first; op != NULL; op = op->next)
    n_ops++;
  ECHO_CHECK(n_ops < UINT32_MAX, "a block of more than 2^32 ops");
  uint64_t stride = UINT32_MAX / 2 / (n_ops + 1);
  stride = stride == 0 ? 1 : stride > STRIDE ? STRIDE : stride;
  uint64_t label = UINT32_MAX / 4;
  if (label + stride * n_ops > UINT32_MAX)
    label = 0;
  for (EchoOp *op = block->first; op != NULL; op = op->next, label += stride)
    op->order = (uint32_t)label;
  block->order_valid = true;
}

/* Widens the aligned range of labels around `op` until it is sparse enough, then spreads its ops
 * over it. The allowed density falls from 1 by a constant factor a doubling, which makes the cost
 * O(log n) amortised. False when no range will do. */
static bool spread_around(EchoOp *op)
{
  EchoOp *first = op, *last = op;
  uint64_t n_ops = 1;
  uint32_t base = op->prev != NULL ? op->prev->order : op->next->order;
  double allowed = 1.0;
  for (unsigned bits = 1; bits < 32; ++bits) {
    uint64_t low = base & ~((UINT64_C(1) << bits) - 1), high = low + (UINT64_C(1) << bits) - 1;
    while (first->prev != NULL && first->prev->order >= low)
      first = first->prev, n_ops++;
    while (last->next != NULL && last->next->order <= high)
      last = last->next, n_ops++;
    allowed *= 0.75;
    uint64_t size = UINT64_C(1) << bits;
    if (size < 2 * n_ops || (double)n_ops > allowed * (double)size * 2)
      continue;
    uint64_t stride = size / n_ops, label = low + stride / 2;
    for (EchoOp *at = first;; at = at->next, label += stride) {
      at->order = (uint32_t)label;
      if (at == last)
        return true;
    }
  }
  return false;
}

void echo_order_label_appended(EchoOp *op)
{
  EchoBlock *block = op->block;
  if (op->prev == NULL)
    op->order = UINT32_MAX / 4;
  else if (op->prev->order < UINT32_MAX - STRIDE)
    op->order = op->prev->order + STRIDE;
  else
    block->order_valid = false;
}

void echo_order_label(EchoOp *op)
{
  EchoBlock *block = op->block;
  if (op->prev == NULL && op->next == NULL)
    block->order_valid = true;
  if (!block->order_valid)
    return;
  if (op->next == NULL && (op->prev == NULL || op->prev->order < UINT32_MAX - STRIDE)) {
    echo_order_label_appended(op);
    return;
  }
  if (op->prev == NULL && op->next->order > STRIDE) {
    op->order = op->next->order - STRIDE;
    return;
  }
  uint64_t low = op->prev != NULL ? op->prev->order + UINT64_C(1) : 0;
  uint64_t high = op->next != NULL ? op->next->order : UINT64_C(1) << 32;
  if (low < high)
    op->order = (uint32_t)(low + (high - low) / 2);
  else
    block->order_valid = spread_around(op);
}

bool echo_op_is_before(const EchoOp *a, const EchoOp *b)
{
  if (a == NULL || b == NULL)
    return false;
  ECHO_CHECK_OP(a->block != NULL && a->block == b->block, a,
                "order is asked of ops in different blocks");
  if (!a->block->order_valid)
    label_block(a->block);
  return a->order < b->order;
}
