/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Forward from backward in a training step that was imported with its gradients in it: the seed of
 * the gradients is a constant, so they do not descend from the loss, and what the loss is computed
 * from is the forward part. A hint for reports: no plan depends on it. */
#include "base/map.h"
#include "base/vector.h"
#include "ir/diagnostics.h"
#include "ir/table/op_info.h"
#include "lowering/step/differentiate_t.h"

static bool is_scalar_float(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_rank(type) == 0 &&
         echo_element_is_float(echo_type_element_kind(type));
}

/* The op of `block` that `value` comes from, or NULL. */
static EchoOp *top_level_def(const EchoValue *value, const EchoBlock *block)
{
  EchoOp *def = echo_value_def_or_null(value);
  return def != NULL ? echo_op_ancestor_in_block(def, block) : NULL;
}

/* ---- the ops that a value is computed from ---- */

/* The top-level ops of a block that some of its values are computed from. */
typedef struct Ancestors {
  EchoBlock *block;
  EchoMap seen; /* by op */
  ECHO_VECTOR(EchoOp *) pending;
  size_t n_heavy; /* contractions, convolutions and control flow among them */
} Ancestors;

static void add_ancestor(Ancestors *ancestors, const EchoValue *value)
{
  EchoOp *op = top_level_def(value, ancestors->block);
  if (op != NULL && echo_map_insert(&ancestors->seen, echo_key(op), 1))
    echo_vector_push(&ancestors->pending, op);
}

static void add_ancestors(Ancestors *ancestors, const EchoValue *value)
{
  add_ancestor(ancestors, value);
  while (ancestors->pending.size != 0) {
    EchoOp *op = echo_vector_pop(&ancestors->pending);
    ancestors->n_heavy += echo_op_has_trait(op, ECHO_HEAVY) || op->n_regions != 0;
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      for (uint32_t i = 0; i < inner->n_operands; i++)
        add_ancestor(ancestors, echo_op_operand(inner, i));
  }
}

static void ancestors_destroy(Ancestors *ancestors)
{
  echo_map_destroy(&ancestors->seen);
  echo_vector_destroy(&ancestors->pending);
}

static size_t count_heavy(EchoBlock *block, const EchoValue *value)
{
  Ancestors ancestors = {.block = block};
  add_ancestors(&ancestors, value);
  ancestors_destroy(&ancestors);
  return ancestors.n_heavy;
}

/* ---- losses ---- */

/* The results that may be losses, all together: the one that was named; else, of the scalar floats,
 * those with few heavy ops before them. What descends from gradients (a norm of them, a scalar
 * parameter, a metric of the new parameters) has at least twice as many as the loss has, for each
 * has a product of its own for each of its operands. False after an error. */
static bool add_losses(EchoOp *terminator, int64_t number, Ancestors *forward)
{
  EchoBlock *block = forward->block;
  if (number >= 0) {
    if (number >= terminator->n_operands ||
        !is_scalar_float(echo_op_operand_type(terminator, (size_t)number)))
      return echo_op_error(terminator, "result %lld is no scalar float and cannot be the loss",
                           (long long)number);
    add_ancestors(forward, echo_op_operand(terminator, (size_t)number));
    return true;
  }
  ECHO_VECTOR(size_t) n_heavy = {0};
  size_t fewest = SIZE_MAX;
  for (uint32_t i = 0; i < terminator->n_operands; i++) {
    bool is_loss = is_scalar_float(echo_op_operand_type(terminator, i));
    size_t n = is_loss ? count_heavy(block, echo_op_operand(terminator, i)) : SIZE_MAX;
    echo_vector_push(&n_heavy, n);
    if (n != 0 && n < fewest)
      fewest = n;
  }
  for (uint32_t i = 0; i < terminator->n_operands; i++)
    if (n_heavy.data[i] != SIZE_MAX && (fewest == SIZE_MAX || n_heavy.data[i] < 2 * fewest))
      add_ancestors(forward, echo_op_operand(terminator, i));
  echo_vector_destroy(&n_heavy);
  return true;
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
  Ancestors forward = {.block = body};
  bool ok = terminator == NULL || add_losses(terminator, number, &forward);
  const EchoAttr *is_forward = echo_attr_string(ctx, ECHO_STR("forward"));
  const EchoAttr *is_backward = echo_attr_string(ctx, ECHO_STR("backward"));
  bool has_loss = forward.seen.n_live != 0;
  for (EchoOp *op = body->first; op != NULL && ok && terminator != NULL; op = op->next)
    mark(op, !has_loss || echo_map_has(&forward.seen, echo_key(op)) ? is_forward : is_backward);
  ancestors_destroy(&forward);
  return ok;
}
