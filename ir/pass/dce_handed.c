/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops and branches without the values that nobody needs. */
#include "base/vector.h"
#include "ir/pass/dce_t.h"

static const EchoOp *terminator_or_null(const EchoOp *op, size_t region)
{
  const EchoBlock *block = op->regions[region].first;
  return block != NULL && block->next == NULL ? echo_block_terminator_or_null(block) : NULL;
}

EchoHanding echo_op_handing(const EchoOp *op)
{
  uint64_t traits = op->info->traits;
  bool is_loop = (traits & ECHO_LOOP) != 0;
  if ((traits & ECHO_RECURSIVE_EFFECTS) == 0 || op->n_results == 0 || op->n_regions == 0 ||
      (is_loop && (op->n_regions != 2 || op->n_operands != op->n_results)))
    return ECHO_HANDS_NOTHING;
  for (size_t i = 0; i < op->n_regions; ++i) {
    const EchoOp *end = terminator_or_null(op, i);
    uint32_t n_handed = is_loop && i == 0 ? 1 : op->n_results;
    if (end == NULL || end->n_operands != n_handed || end->n_successors != 0 ||
        op->regions[i].first->n_args != (is_loop ? op->n_operands : 0))
      return ECHO_HANDS_NOTHING;
  }
  return is_loop ? ECHO_HANDS_ROUND : ECHO_HANDS_OUT;
}

void echo_needed_create(EchoNeeded *needed, EchoOp *root)
{
  size_t n_bits = 0;
  *needed = (EchoNeeded){0};
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op))
    if (op->n_regions != 0 && op != root && echo_op_handing(op) != ECHO_HANDS_NOTHING) {
      echo_map_set(&needed->first, echo_key(op), n_bits + 1);
      n_bits += op->n_results;
    }
  echo_bitset_create(&needed->bits, n_bits + 1);
}

void echo_needed_destroy(EchoNeeded *needed)
{
  echo_map_destroy(&needed->first);
  echo_bitset_destroy(&needed->bits);
}

size_t echo_needed_bit(const EchoNeeded *needed, const EchoOp *op, size_t result)
{
  return echo_map_get_or(&needed->first, echo_key(op), 0) - 1 + result;
}

static bool is_needed(const EchoNeeded *needed, const EchoOp *op, size_t result)
{
  return echo_bitset_has(&needed->bits, echo_needed_bit(needed, op, result));
}

void echo_drop_handed(EchoOp *root, const EchoNeeded *needed)
{
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op)) {
    if (!echo_map_has(&needed->first, echo_key(op)))
      continue;
    bool is_loop = op->n_regions == 2 && op->regions[0].first->n_args != 0;
    for (size_t i = op->n_results; i-- > 0;) {
      if (is_needed(needed, op, i))
        continue;
      for (size_t r = is_loop ? 1 : 0; r < op->n_regions; ++r)
        echo_op_erase_operand(op->regions[r].first->last, i);
      if (is_loop)
        echo_op_erase_operand(op, i);
    }
  }
}

/* The op with the results that are needed, in place of `op`. */
static void make_anew(EchoOp *op, const EchoNeeded *needed, EchoArena *scratch)
{
  bool is_loop = op->regions[0].first->n_args != 0;
  const EchoType **types = ECHO_ARENA_ARRAY(scratch, const EchoType *, op->n_results + 1u);
  EchoValue **operands = ECHO_ARENA_ARRAY(scratch, EchoValue *, op->n_operands + 1u);
  uint32_t n = 0;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (is_needed(needed, op, i))
      types[n++] = echo_op_result_type(op, i);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    operands[i] = echo_op_operand(op, i);
  EchoOp *made = echo_op_create(&(EchoOpState){.ctx = echo_op_context(op),
                                               .info = op->info,
                                               .loc = op->loc,
                                               .operands = operands,
                                               .result_types = types,
                                               .properties = op->properties,
                                               .attrs = op->attrs,
                                               .n_operands = op->n_operands,
                                               .n_results = n,
                                               .n_regions = op->n_regions});
  echo_op_insert_before(made, op);
  for (size_t r = 0; r < op->n_regions; ++r) {
    for (size_t i = op->n_results; i-- > 0 && is_loop;)
      if (!is_needed(needed, op, i))
        echo_block_erase_arg(op->regions[r].first, i);
    echo_region_take_blocks(&made->regions[r], &op->regions[r]);
  }
  for (uint32_t i = 0, k = 0; i < op->n_results; ++i)
    if (is_needed(needed, op, i))
      echo_value_replace_all_uses(echo_op_result(op, i), echo_op_result(made, k++));
  echo_op_erase(op);
}

size_t echo_drop_results(EchoOp *root, const EchoNeeded *needed)
{
  ECHO_VECTOR(EchoOp *) ops = {0};
  EchoArena scratch = {0};
  size_t n_dropped = 0;
  for (EchoOp *op = root; op != NULL; op = echo_op_walk_next(root, op)) {
    size_t n_before = n_dropped;
    if (!echo_map_has(&needed->first, echo_key(op)))
      continue;
    for (size_t i = 0; i < op->n_results; ++i)
      n_dropped += !is_needed(needed, op, i);
    if (n_dropped != n_before)
      echo_vector_push(&ops, op);
  }
  for (size_t i = ops.size; i-- > 0;) /* inner ones first */
    make_anew(ops.data[i], needed, &scratch);
  echo_vector_destroy(&ops);
  echo_arena_destroy(&scratch);
  return n_dropped;
}
