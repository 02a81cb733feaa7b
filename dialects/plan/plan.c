/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dialects/plan/plan.h"

/* ---- the walk ---- */

static EchoOp *skip_to_or_null(EchoOp *root, EchoOp *op, uint64_t traits)
{
  while (op != NULL && (op->info->traits & traits) == 0)
    op = echo_op_walk_next(root, op);
  return op;
}

EchoOp *echo_plan_first_or_null(EchoOp *root, uint64_t traits)
{
  return skip_to_or_null(root, root, traits);
}

EchoOp *echo_plan_next_or_null(EchoOp *root, EchoOp *op, uint64_t traits)
{
  return skip_to_or_null(root, echo_op_walk_next(root, op), traits);
}

/* ---- bytes ---- */

EchoPlanAccess echo_plan_access(const EchoOp *op, uint32_t operand)
{
  if (op == NULL)
    return ECHO_PLAN_NO_ACCESS;
  switch (echo_plan_opcode(op)) {
  case ECHO_PLAN_LAUNCH:
    return operand < echo_op_attr_i64(op, "n_inputs", 0) ? ECHO_PLAN_READ : ECHO_PLAN_WRITE;
  case ECHO_PLAN_COPY:
    return operand == 0 ? ECHO_PLAN_READ : ECHO_PLAN_WRITE;
  case ECHO_PLAN_SWAP_IN:
    return operand == 0 ? ECHO_PLAN_WRITE : ECHO_PLAN_READ;
  case ECHO_PLAN_SWAP_OUT:
    return operand == 0 ? ECHO_PLAN_READ : ECHO_PLAN_WRITE;
  case ECHO_PLAN_CONDITION:
  case ECHO_PLAN_WHILE:
  case ECHO_PLAN_CASE:
    return ECHO_PLAN_READ;
  case ECHO_PLAN_ARENA:
  case ECHO_PLAN_BUFFER:
  case ECHO_PLAN_VIEW:
  case ECHO_PLAN_CONSTANT:
  case ECHO_PLAN_YIELD:
  case ECHO_PLAN_WAIT:
  case ECHO_PLAN_NO_OP:
    return ECHO_PLAN_NO_ACCESS;
  }
  ECHO_UNREACHABLE("an op without a row");
}

bool echo_plan_is_event(const EchoType *type)
{
  return type != NULL && type->kind == ECHO_TYPE_OPAQUE &&
         echo_str_is(type->as.opaque.dialect, "plan") && echo_str_is(type->as.opaque.text, "event");
}

bool echo_plan_only_begins(const EchoOp *op)
{
  return op != NULL && op->n_results != 0 && echo_plan_opcode(op) == ECHO_PLAN_LAUNCH;
}

bool echo_plan_is_token(const EchoOp *launch, uint32_t operand)
{
  return echo_plan_only_begins(launch) &&
         (operand == 0 || operand == echo_op_attr_i64(launch, "n_inputs", 0));
}

static bool is_made_by(const EchoValue *value, EchoPlanOpcode opcode)
{
  const EchoOp *def = echo_value_def_or_null(value);
  return def != NULL && echo_plan_opcode(def) == opcode;
}

const EchoValue *echo_plan_root(const EchoValue *memref)
{
  while (is_made_by(memref, ECHO_PLAN_VIEW))
    memref = echo_op_operand(echo_value_def_or_null(memref), 0);
  return memref;
}

const EchoValue *echo_plan_lender_or_null(const EchoValue *root)
{
  if (!is_made_by(root, ECHO_PLAN_BUFFER))
    return NULL;
  const EchoValue *place = echo_op_operand(echo_value_def_or_null(root), 0);
  return echo_value_def_or_null(place) == NULL ? place : NULL;
}

const EchoValue *echo_plan_place(const EchoValue *root, uint64_t *begin, uint64_t *end)
{
  if (root == NULL || begin == NULL || end == NULL)
    return NULL;
  const EchoOp *def = echo_value_def_or_null(root);
  bool is_part = is_made_by(root, ECHO_PLAN_BUFFER);
  uint64_t bytes = 0;
  if (echo_type_is_shaped(root->type))
    echo_type_bytes(root->type, &bytes);
  *begin = is_part ? (uint64_t)echo_op_attr_i64(def, "offset", 0) : 0;
  *end = *begin + bytes;
  return is_part ? echo_op_operand(def, 0) : root;
}

bool echo_plan_arena_range(const EchoValue *root, uint64_t *begin, uint64_t *end)
{
  if (!is_made_by(root, ECHO_PLAN_BUFFER) || echo_plan_lender_or_null(root) != NULL)
    return false;
  *begin = (uint64_t)echo_op_attr_i64(echo_value_def_or_null(root), "offset", 0);
  *end = *begin + echo_type_static_bytes(root->type);
  return true;
}

void echo_plan_host_range(const EchoOp *swap, uint64_t *begin, uint64_t *end)
{
  if (begin == NULL || end == NULL)
    return;
  *begin = *end = 0;
  if (swap == NULL || swap->n_operands != 1)
    return;
  *begin = (uint64_t)echo_op_attr_i64(swap, "host_offset", 0);
  *end = *begin + echo_type_static_bytes(echo_op_operand_type(swap, 0));
}

EchoValue *echo_plan_host_argument_or_null(const EchoOp *swap)
{
  bool has_argument =
      swap != NULL && echo_op_has_trait(swap, ECHO_PLAN_SWAP) && swap->n_operands == 2;
  return has_argument ? echo_op_operand(swap, 1) : NULL;
}

static bool argument_has(const EchoOp *function, size_t argument, const char *name)
{
  const EchoAttr *all = echo_op_attr_or_null(function, "arg_attrs");
  return all != NULL && all->kind == ECHO_ATTR_ARRAY && argument < all->as.array.size &&
         echo_dictionary_get_or_null(all->as.array.elements[argument], name) != NULL;
}

bool echo_plan_is_result(const EchoOp *function, size_t argument)
{
  return argument_has(function, argument, "plan.result");
}

bool echo_plan_is_in_host(const EchoOp *function, size_t argument)
{
  return argument_has(function, argument, ECHO_PLAN_IN_HOST);
}

static bool passes_bytes_on(const EchoOp *op)
{
  return echo_plan_opcode(op) == ECHO_PLAN_VIEW || echo_op_has_trait(op, ECHO_PLAN_SWAP) ||
         echo_plan_only_begins(op);
}

void echo_plan_collect_uses(EchoValue *buffer, EchoPlanUses *uses)
{
  if (buffer == NULL || uses == NULL)
    return;
  ECHO_VECTOR(EchoValue *) values = {0};
  echo_vector_push(&values, buffer);
  while (values.size != 0) {
    EchoValue *value = echo_vector_pop(&values);
    for (EchoUse *use = value->first_use; use != NULL; use = use->next) {
      if (echo_plan_opcode(use->owner) != ECHO_PLAN_VIEW)
        echo_vector_push(uses, (EchoPlanUse){use->owner, (uint32_t)(use - use->owner->operands)});
      if (passes_bytes_on(use->owner))
        echo_vector_push(&values, echo_op_result(use->owner, 0));
    }
  }
  echo_vector_destroy(&values);
}

EchoBlock *echo_plan_common_block(const EchoPlanUses *uses)
{
  if (uses == NULL || uses->size == 0)
    return NULL;
  EchoBlock *block = uses->data[0].op->block;
  for (size_t i = 1; i < uses->size; ++i)
    while (echo_op_ancestor_in_block(uses->data[i].op, block) == NULL)
      block = echo_block_parent(block)->block;
  return block;
}

EchoOp *echo_plan_arena_or_null(const EchoOp *function)
{
  if (function == NULL || function->n_regions == 0)
    return NULL;
  const EchoBlock *entry = function->regions[0].first;
  for (EchoOp *op = entry != NULL ? entry->first : NULL; op != NULL; op = op->next)
    if (echo_plan_opcode(op) == ECHO_PLAN_ARENA)
      return op;
  return NULL;
}

uint64_t echo_plan_outside_bytes(EchoOp *function)
{
  uint64_t bytes = 0;
  const EchoBlock *entry =
      function != NULL && function->n_regions != 0 ? function->regions[0].first : NULL;
  for (size_t i = 0; entry != NULL && i < entry->n_args; ++i)
    if (!echo_plan_is_in_host(function, i))
      bytes += echo_type_static_bytes(echo_block_arg(entry, i)->type);
  for (EchoOp *op = echo_plan_first_or_null(function, ECHO_PLAN_PLACE); op != NULL;
       op = echo_plan_next_or_null(function, op, ECHO_PLAN_PLACE))
    if (echo_plan_opcode(op) == ECHO_PLAN_CONSTANT)
      bytes +=
          echo_align_up(echo_type_static_bytes(echo_op_result_type(op, 0)), ECHO_PLAN_ALIGNMENT);
  return bytes;
}

uint64_t echo_plan_host_bytes(EchoOp *function)
{
  uint64_t bytes = 0, begin, end, own = 0;
  const EchoBlock *entry =
      function != NULL && function->n_regions != 0 ? function->regions[0].first : NULL;
  for (size_t i = 0; entry != NULL && i < entry->n_args; ++i)
    if (echo_plan_is_in_host(function, i))
      bytes += echo_type_static_bytes(echo_block_arg(entry, i)->type);
  for (EchoOp *op = entry != NULL ? echo_plan_first_or_null(function, ECHO_PLAN_SWAP) : NULL;
       op != NULL; op = echo_plan_next_or_null(function, op, ECHO_PLAN_SWAP)) {
    echo_plan_host_range(op, &begin, &end);
    own = end > own ? end : own;
  }
  return bytes + own;
}
