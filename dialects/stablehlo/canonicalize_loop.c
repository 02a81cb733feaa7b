/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a loop carries round unchanged. Text that cannot name a value from outside in a loop hands
 * it constants, as large as a mask: whoever reads them reads the constant. */
#include "dialects/stablehlo/canonicalize_t.h"
#include "dialects/stablehlo/opcode.h"

/* All uses but `kept` (may be NULL) read `by`. */
static bool replace_uses(EchoRewriter *rewriter, EchoValue *value, const EchoUse *kept,
                         EchoValue *by)
{
  bool any = false;
  for (EchoUse *use = value->first_use, *next; use != NULL; use = next) {
    next = use->next;
    if (use == kept)
      continue;
    EchoOp *reader = use->owner;
    echo_op_set_operand(reader, echo_use_operand_index(use), by);
    echo_rewriter_changed(rewriter, reader);
    any = true;
  }
  return any;
}

/* The use by which the body hands the value on as it is; NULL where it changes. */
static const EchoUse *handed_on_or_null(const EchoOp *loop, uint32_t i)
{
  const EchoBlock *body = echo_op_body(loop, 1);
  for (const EchoUse *use = echo_block_arg(body, i)->first_use; use != NULL; use = use->next)
    if (use->owner == body->last && echo_use_operand_index(use) == i)
      return use;
  return NULL;
}

bool echo_hlo_read_carried_constants(EchoRewriter *rewriter, EchoOp *op)
{
  bool any = false;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    EchoValue *constant = echo_op_operand(op, i);
    const EchoUse *handed_on =
        echo_value_constant_or_null(constant) != NULL ? handed_on_or_null(op, i) : NULL;
    if (handed_on == NULL || echo_block_arg(echo_op_body(op, 1), i)->type != constant->type)
      continue;
    any |= replace_uses(rewriter, echo_block_arg(echo_op_body(op, 0), i), NULL, constant);
    any |= replace_uses(rewriter, echo_block_arg(echo_op_body(op, 1), i), handed_on, constant);
    any |= replace_uses(rewriter, echo_op_result(op, i), NULL, constant);
  }
  return any;
}
