/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Walking nested ops by stepping from one to the next, so that depth costs no stack. */
#include "ir/op_t.h"

static EchoOp *first_from_block_or_null(const EchoBlock *block)
{
  for (; block != NULL; block = block->next)
    if (block->first != NULL)
      return block->first;
  return NULL;
}

static EchoOp *first_from_region_or_null(const EchoOp *op, size_t region)
{
  for (; region < op->n_regions; ++region) {
    EchoOp *first = first_from_block_or_null(op->regions[region].first);
    if (first != NULL)
      return first;
  }
  return NULL;
}

EchoOp *echo_op_first_inside_or_null(const EchoOp *op)
{
  return first_from_region_or_null(op, 0);
}

EchoOp *echo_op_next_inside_parent_or_null(const EchoOp *op)
{
  if (op->next != NULL)
    return op->next;
  const EchoBlock *block = op->block;
  EchoOp *next = first_from_block_or_null(block->next);
  if (next != NULL)
    return next;
  const EchoOp *parent = block->region->parent;
  return first_from_region_or_null(parent, (size_t)(block->region - parent->regions) + 1);
}

/* The op after `op` and all inside it, in pre-order. */
static EchoOp *next_outside_or_null(const EchoOp *root, const EchoOp *op)
{
  while (op != root) {
    EchoOp *next = echo_op_next_inside_parent_or_null(op);
    if (next != NULL)
      return next;
    op = op->block->region->parent;
  }
  return NULL;
}

EchoOp *echo_op_walk_next(const EchoOp *root, EchoOp *op)
{
  if (op == NULL)
    return NULL;
  EchoOp *inside = op->n_regions != 0 ? echo_op_first_inside_or_null(op) : NULL;
  return inside != NULL ? inside : next_outside_or_null(root, op);
}

bool echo_op_walk_pre(EchoOp *root, EchoWalkFn *fn, void *user)
{
  if (fn == NULL)
    return false;
  for (EchoOp *op = root; op != NULL;) {
    EchoWalkResult result = fn(user, op);
    if (result == ECHO_WALK_STOP)
      return false;
    op = result == ECHO_WALK_SKIP ? next_outside_or_null(root, op) : echo_op_walk_next(root, op);
  }
  return true;
}

EchoOp *echo_op_post_order_first(EchoOp *op)
{
  if (op == NULL)
    return NULL;
  for (EchoOp *inside; (inside = echo_op_first_inside_or_null(op)) != NULL;)
    op = inside;
  return op;
}

EchoOp *echo_op_post_order_next(const EchoOp *op)
{
  if (op == NULL)
    return NULL;
  EchoOp *next = echo_op_next_inside_parent_or_null(op);
  return next != NULL ? echo_op_post_order_first(next) : op->block->region->parent;
}

bool echo_op_walk_post(EchoOp *root, EchoWalkFn *fn, void *user)
{
  if (root == NULL || fn == NULL)
    return root == NULL;
  for (EchoOp *op = echo_op_post_order_first(root); op != NULL;) {
    EchoOp *next = op != root ? echo_op_post_order_next(op) : NULL;
    if (fn(user, op) == ECHO_WALK_STOP)
      return false;
    op = next;
  }
  return true;
}
