/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Forward from backward in a training step that was imported with its gradients in it: the seed of
 * the gradients is a constant, so they do not descend from the loss, and what the loss is computed
 * from is the forward part. */
#include "base/vector.h"
#include "ir/diagnostics.h"
#include "ir/table/op_info.h"
#include "lowering/step/differentiate_t.h"

static bool is_scalar_float(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_rank(type) == 0 &&
         echo_element_is_float(echo_type_element_kind(type));
}

/* The loss among the operands of the function's return; NULL = there is none. False after an error.
 */
static bool find_loss(EchoOp *terminator, int64_t number, EchoValue **loss)
{
  *loss = NULL;
  if (number >= 0) {
    if (number >= terminator->n_operands ||
        !is_scalar_float(echo_op_operand_type(terminator, (size_t)number)))
      return echo_op_error(terminator, "result %lld is no scalar float and cannot be the loss",
                           (long long)number);
    *loss = echo_op_operand(terminator, (size_t)number);
    return true;
  }
  size_t n_scalars = 0;
  for (uint32_t i = 0; i < terminator->n_operands; i++)
    if (is_scalar_float(echo_op_operand_type(terminator, i))) {
      *loss = echo_op_operand(terminator, i);
      n_scalars++;
    }
  if (n_scalars <= 1)
    return true;
  *loss = NULL;
  if (number == ECHO_LOSS_OR_NONE)
    return true;
  echo_op_error(terminator, "has %zu scalar float results: say with loss=N which one is the loss",
                n_scalars);
  for (uint32_t i = 0; i < terminator->n_operands; i++)
    if (is_scalar_float(echo_op_operand_type(terminator, i)))
      echo_note(echo_op_context(terminator), echo_value_loc(echo_op_operand(terminator, i)),
                "result %u is computed here", i);
  return false;
}

/* The op of `block` that `value` comes from, or NULL. */
static EchoOp *top_level_def(const EchoValue *value, const EchoBlock *block)
{
  EchoOp *def = echo_value_def_or_null(value);
  return def != NULL ? echo_op_ancestor_in_block(def, block) : NULL;
}

static void mark(EchoOp *op, const EchoAttr *phase)
{
  for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
    echo_op_set_attr(inner, "echo.phase", phase);
}

bool echo_classify_step(EchoOp *function, int64_t number)
{
  EchoContext *ctx = echo_op_context(function);
  EchoBlock *body = echo_op_body(function, 0);
  EchoOp *terminator = echo_block_terminator_or_null(body);
  EchoValue *loss;
  if (terminator == NULL || !find_loss(terminator, number, &loss))
    return terminator == NULL;
  const EchoAttr *forward = echo_attr_string(ctx, ECHO_STR("forward"));
  const EchoAttr *backward = echo_attr_string(ctx, ECHO_STR("backward"));
  for (EchoOp *op = body->first; op != NULL; op = op->next)
    mark(op, loss == NULL ? forward : backward);
  ECHO_VECTOR(EchoOp *) pending = {0};
  EchoOp *start = loss != NULL ? top_level_def(loss, body) : NULL;
  if (start != NULL)
    echo_vector_push(&pending, start);
  while (pending.size != 0) {
    EchoOp *op = echo_vector_pop(&pending);
    if (echo_op_attr_or_null(op, "echo.phase") == forward)
      continue;
    mark(op, forward);
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      for (uint32_t i = 0; i < inner->n_operands; i++) {
        EchoOp *def = top_level_def(echo_op_operand(inner, i), body);
        if (def != NULL)
          echo_vector_push(&pending, def);
      }
  }
  echo_vector_destroy(&pending);
  return true;
}
