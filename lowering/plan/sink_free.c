/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/sink_free_t.h"

#include "base/map.h"
#include "base/vector.h"
#include "planning/loops/change.h"
#include "planning/schedule/graph.h"

typedef struct Sinker {
  EchoBlock *block;
  EchoOp *first;  /* of the block's own ops: copies stand in front of it, operands before users */
  EchoMap copies; /* op from outside -> its copy in the block */
  ECHO_VECTOR(EchoOp *) originals; /* NULL: erased */
  EchoMap is_original;
  size_t n_copies;
  bool has_handed_on; /* a loop handed on what was copied */
} Sinker;

/* Constants have a pass of their own, and a view is no larger than what it is of. */
static bool is_wide(const EchoOp *op)
{
  uint64_t read = 0, made;
  return echo_op_node_kind(op) == ECHO_NODE_MAP && echo_op_is_free_to_remake(op) &&
         (op->n_operands == 0 || echo_type_bytes(echo_op_operand_type(op, 0), &read)) &&
         echo_type_bytes(echo_op_result_type(op, 0), &made) && read < made;
}

/* What loops hand on to the value as it was before them. */
static EchoValue *source_of(EchoValue *value)
{
  while (value->is_block_arg) {
    const EchoOp *loop = echo_block_parent(echo_value_block(value));
    if (loop == NULL || !echo_op_has_trait(loop, ECHO_LOOP) ||
        !echo_loop_is_invariant(loop, value->index))
      break;
    value = echo_op_operand(loop, value->index);
  }
  return value;
}

/* Each is at least twice as large as what it is made of, so that they are no more than 64 deep. */
static void sink_operands(Sinker *sinker, EchoOp *op)
{
  for (size_t i = 0; i < op->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(op, i), *source = source_of(operand);
    EchoOp *def = echo_value_def_or_null(source);
    if (def == NULL || def->block == sinker->block || !is_wide(def))
      continue;
    EchoOp *copy = echo_map_get_ptr(&sinker->copies, def);
    if (copy == NULL) {
      copy = echo_op_clone(def, NULL);
      echo_map_set_ptr(&sinker->copies, def, copy);
      if (echo_map_insert(&sinker->is_original, echo_key(def), 1))
        echo_vector_push(&sinker->originals, def);
      ++sinker->n_copies;
      sink_operands(sinker, copy);
      echo_op_insert_before(copy, sinker->first);
    }
    echo_op_set_operand(op, i, echo_op_result(copy, 0));
    sinker->has_handed_on |= source != operand;
  }
}

static void sink_into(Sinker *sinker, EchoBlock *block)
{
  sinker->block = block;
  sinker->first = block->first;
  echo_map_clear(&sinker->copies);
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    if (echo_op_node_kind(op) == ECHO_NODE_MAP)
      sink_operands(sinker, op);
}

/* What nobody reads any more, and then what that was made of. */
static void erase_unread(Sinker *sinker)
{
  bool has_erased = true;
  while (has_erased) {
    has_erased = false;
    for (size_t i = 0; i < sinker->originals.size; ++i) {
      EchoOp **original = &sinker->originals.data[i];
      if (*original == NULL || !echo_value_is_unused(echo_op_result(*original, 0)))
        continue;
      echo_op_erase(*original);
      *original = NULL;
      has_erased = true;
    }
  }
}

static EchoOp *drop_unread(EchoOp *loop, size_t *n)
{
  (void)n;
  return echo_loop_drop_unread(loop);
}

size_t echo_sink_free(EchoOp *function)
{
  Sinker sinker = {0};
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      if (op->regions[r].first != NULL)
        sink_into(&sinker, op->regions[r].first);
  if (sinker.has_handed_on)
    echo_loop_change_all(function, drop_unread);
  erase_unread(&sinker);
  echo_map_destroy(&sinker.copies);
  echo_map_destroy(&sinker.is_original);
  echo_vector_destroy(&sinker.originals);
  return sinker.n_copies;
}
