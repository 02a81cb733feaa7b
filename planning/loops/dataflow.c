/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "planning/loops/dataflow.h"

#include "base/map.h"
#include "ir/table/op_info.h"

bool echo_dataflow_for_operands(EchoOp *op, EchoDataflowSee *see, void *user)
{
  for (EchoOp *inside = op; inside != NULL; inside = echo_op_walk_next(op, inside))
    for (size_t i = 0; i < inside->n_operands; ++i) {
      EchoValue *value = echo_op_operand(inside, i);
      bool is_its_own =
          inside != op && echo_op_is_ancestor(op, echo_block_parent(echo_value_block(value)));
      if (!is_its_own && !see(user, value))
        return false;
    }
  return true;
}

/* ---- moving ---- */

EchoOp *echo_dataflow_maker_behind_or_null(const EchoOp *place, const EchoValue *value)
{
  EchoOp *op = echo_value_def_or_null(value);
  return op != NULL && op->block == place->block && !echo_op_is_before(op, place) ? op : NULL;
}

typedef struct Asked {
  const EchoOp *place;
  EchoOp *maker; /* behind it: the first that was met */
} Asked;

static bool is_there(void *user, EchoValue *value)
{
  Asked *asked = user;
  asked->maker = echo_dataflow_maker_behind_or_null(asked->place, value);
  return asked->maker == NULL;
}

/* Each op moves once. */
void echo_dataflow_hoist(EchoOp *place, EchoValue *value)
{
  EchoDataflowOrder waiting = {0};
  Asked asked = {place, NULL};
  if (!is_there(&asked, value))
    echo_vector_push(&waiting, asked.maker);
  while (waiting.size != 0) {
    EchoOp *op = echo_vector_last(&waiting);
    if (!echo_dataflow_for_operands(op, is_there, &asked)) {
      echo_vector_push(&waiting, asked.maker);
      continue;
    }
    echo_op_move_before(op, place);
    (void)echo_vector_pop(&waiting);
  }
  echo_vector_destroy(&waiting);
}

/* ---- the order ---- */

typedef struct Walk {
  const EchoBlock *block;
  EchoMap seen;
  ECHO_VECTOR(EchoValue *) left; /* NULL: what stands below it is done when it comes up again */
  EchoDataflowOrder open;
} Walk;

static bool push_operand(void *user, EchoValue *value)
{
  Walk *walk = user;
  echo_vector_push(&walk->left, value);
  return true;
}

/* Operands in their order, the last one pushed first. */
static void open_op(Walk *walk, EchoOp *op)
{
  echo_vector_push(&walk->open, op);
  echo_vector_push(&walk->left, (EchoValue *)NULL);
  size_t first = walk->left.size;
  echo_dataflow_for_operands(op, push_operand, walk);
  for (size_t i = first, k = walk->left.size; i + 1 < k; ++i) {
    EchoValue *other = walk->left.data[--k];
    walk->left.data[k] = walk->left.data[i];
    walk->left.data[i] = other;
  }
}

static void walk_from(Walk *walk, EchoOp *root, EchoDataflowOrder *order)
{
  open_op(walk, root);
  while (walk->left.size != 0) {
    const EchoValue *value = echo_vector_pop(&walk->left);
    if (value == NULL) {
      echo_vector_push(order, echo_vector_pop(&walk->open));
      continue;
    }
    EchoOp *op = echo_value_def_or_null(value);
    if (op != NULL && op->block == walk->block && echo_map_insert(&walk->seen, echo_key(op), 1))
      open_op(walk, op);
  }
}

void echo_dataflow_order(const EchoBlock *block, EchoDataflowOrder *order)
{
  Walk walk = {.block = block};
  walk_from(&walk, block->last, order);
  for (EchoOp *op = block->first; op != block->last; op = op->next)
    if (!echo_op_is_pure(op) && echo_map_insert(&walk.seen, echo_key(op), 1))
      walk_from(&walk, op, order);
  echo_map_destroy(&walk.seen);
  echo_vector_destroy(&walk.left);
  echo_vector_destroy(&walk.open);
}
