/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the files that implement ir/op.h share: use-list links, order labels and the stepping that
 * walks are made of. For ir/ alone. */
#ifndef ECHO_IR_OP_T_H
#define ECHO_IR_OP_T_H

#include "ir/context_t.h"
#include "ir/table/op_info.h"

/* Adds `use`, which is in no list, to the uses of `value`. */
static inline void echo_use_link(EchoUse *use, EchoValue *value)
{
  use->value = value;
  use->next = value->first_use;
  use->prev_link = &value->first_use;
  if (use->next != NULL)
    use->next->prev_link = &use->next;
  value->first_use = use;
}
static inline void echo_use_unlink(EchoUse *use)
{
  *use->prev_link = use->next;
  if (use->next != NULL)
    use->next->prev_link = use->prev_link;
  use->value = NULL;
}

/* Makes a use read another value. */
static inline void echo_use_relink(EchoUse *use, EchoValue *value)
{
  if (use->value == value)
    return;
  echo_use_unlink(use);
  echo_use_link(use, value);
}

/* Gives `op`, just linked between its neighbours, its order label, or gives the block's order up.
 */
void echo_order_label(EchoOp *op);
/* The same for an op that will stand last, whatever op->next says yet. */
void echo_order_label_appended(EchoOp *op);

/* The first op inside `op`, in region, block and op order; NULL when there is none. */
EchoOp *echo_op_first_inside_or_null(const EchoOp *op);
/* The next op after `op` among what lies inside the same parent op; NULL at its end. */
EchoOp *echo_op_next_inside_parent_or_null(const EchoOp *op);

/* Stops in a debugger that is attached. */
void echo_op_break(const EchoOp *op);
/* The context of a result or a block argument. O(1). */
EchoContext *echo_value_context(const EchoValue *value);
/* Whether every list of `state` that has a count is there, and it holds neither NULL nor what
 * belongs to another context, its row apart; a misuse that names the argument otherwise.
 * O(operands + results). */
bool echo_op_state_check(const EchoOpState *state);
/* The same of the result types alone. */
bool echo_op_result_types_check(const EchoOpState *state);
/* echo_op_create without that check: for the parser, whose operands may stand for values that are
 * still to come, and for copies of what was checked. */
EchoOp *echo_op_create_unchecked(const EchoOpState *state);
/* Appends an op that was just made for this block: nothing is checked, as looking whether it lies
 * around the block costs its depth. */
void echo_block_append_made(EchoBlock *block, EchoOp *op);
/* Unlinks every operand of `op` from its value. */
void echo_op_drop_operands(EchoOp *op);
/* The place in the row of operand `i` of n_operands. With `segments`, they say how many operands
 * each place takes. Without (NULL), one place at most may take another number than one: what stands
 * behind it is counted from the end. NULL when it cannot be told. O(places). */
const EchoValueSpec *echo_op_spec_operand_or_null(const EchoOpSpec *spec, size_t n_operands,
                                                  const int32_t *segments, size_t i);
/* Whether `op`, alone among those around a use, says that the use lies in `scope`. */
typedef bool EchoIsScopeFn(const void *scope, const EchoOp *op);
/* What the block, or an op inside of it, defines and somebody outside of `scope` uses; NULL when
 * there is no such value. O(what is inside, and for each use how deep it lies below its value). */
const EchoValue *echo_block_used_outside_or_null(const EchoBlock *block, EchoIsScopeFn *is_scope,
                                                 const void *scope);
/* Frees a detached block and its arguments; it holds no ops. */
void echo_block_free(EchoContext *ctx, EchoBlock *block);

#endif
