/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lowering/plan/sink_constants_t.h"

#include "base/map.h"
#include "planning/schedule/graph.h"

static size_t sink_into(EchoBlock *block, EchoMap *copies, EchoMap *originals)
{
  size_t n_copies = 0;
  echo_map_clear(copies);
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    for (size_t i = 0; i < op->n_operands; ++i) {
      EchoOp *def = echo_value_def_or_null(echo_op_operand(op, i));
      if (def == NULL || def->block == block || echo_op_node_kind(def) != ECHO_NODE_CONSTANT)
        continue;
      EchoOp *copy = echo_map_get_ptr(copies, def);
      if (copy == NULL) {
        copy = echo_op_clone(def, NULL);
        ++n_copies;
        echo_block_prepend(block, copy);
        echo_map_set_ptr(copies, def, copy);
        echo_map_set_ptr(originals, def, def);
      }
      echo_op_set_operand(op, i, echo_op_result(copy, 0));
    }
  return n_copies;
}

static bool runs_on_the_host(const EchoBlock *block)
{
  const EchoOp *parent = echo_block_parent(block);
  return parent != NULL &&
         (echo_op_has_trait(parent, ECHO_SYMBOL) || echo_op_node_kind(parent) == ECHO_NODE_CONTROL);
}

/* Whether only constants stand between the two. */
static bool stands_before(const EchoOp *constant, const EchoOp *op)
{
  while (constant != NULL && constant != op && echo_op_has_trait(constant, ECHO_CONSTANT))
    constant = constant->next;
  return constant == op;
}

/* How many operands a constant fills a buffer for: all that a block hands out, or hands to a loop,
 * and what is updated, which may be done in the buffer's place. */
static size_t n_filled(const EchoOp *op)
{
  if (echo_op_has_trait(op, ECHO_TERMINATOR) || echo_op_has_trait(op, ECHO_LOOP))
    return op->n_operands;
  return echo_op_has_trait(op, ECHO_UPDATES) ? op->n_results : 0;
}

/* One of its own for each such reader, as late as can be: a buffer for several would be there until
 * the last of them, and each but that one would copy it. Returns the number of changes. */
static size_t give_own_constants(EchoOp *op, EchoMap *originals)
{
  size_t n_changes = 0;
  for (size_t i = 0; i < n_filled(op); ++i) {
    EchoOp *def = echo_value_def_or_null(echo_op_operand(op, i));
    if (def == NULL || echo_op_node_kind(def) != ECHO_NODE_CONSTANT)
      continue;
    bool is_own = def->block == op->block && echo_value_has_one_use(echo_op_result(def, 0));
    if (is_own && stands_before(def, op))
      continue;
    ++n_changes;
    if (is_own) {
      echo_op_move_before(def, op);
      continue;
    }
    EchoOp *copy = echo_op_clone(def, NULL);
    echo_op_insert_before(copy, op);
    echo_op_set_operand(op, i, echo_op_result(copy, 0));
    echo_map_set_ptr(originals, def, def);
  }
  return n_changes;
}

size_t echo_sink_constants(EchoOp *function)
{
  EchoMap copies = {0}, originals = {0};
  size_t n_changes = 0;
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    for (size_t r = 0; r < op->n_regions; ++r) /* a sort's comparison too */
      for (EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
        n_changes += sink_into(block, &copies, &originals);
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (op != function && runs_on_the_host(op->block))
      n_changes += give_own_constants(op, &originals);
  EchoMapEntry entry;
  for (size_t cursor = 0; echo_map_next(&originals, &cursor, &entry);) {
    EchoOp *original = (EchoOp *)(uintptr_t)entry.key;
    if (echo_value_is_unused(echo_op_result(original, 0)))
      echo_op_erase(original);
  }
  echo_map_destroy(&copies);
  echo_map_destroy(&originals);
  return n_changes;
}
