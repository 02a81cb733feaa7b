/* Definitions before uses, and regions that see nothing from above. An operand defined earlier in
 * the same block, which is nearly every operand, costs one comparison. */
#include "ir/op_t.h"
#include "ir/verifier_t.h"

/* The op between `user` and the region of `value` that does not let it in; NULL when all do, or
 * when the value's region is not around the user at all. */
static const EchoOp *wall_or_null(const EchoValue *value, const EchoOp *user)
{
  const EchoBlock *block = echo_value_block(value);
  const EchoOp *wall = NULL;
  for (const EchoOp *at = user; at->block != NULL; at = echo_op_parent(at)) {
    if (block != NULL && at->block->region == block->region)
      return wall;
    const EchoOp *parent = echo_op_parent(at);
    if (parent == NULL)
      return NULL;
    if (wall == NULL && (parent->info->traits & ECHO_ISOLATED) != 0)
      wall = parent;
  }
  return NULL;
}

static bool is_proper_ancestor(const EchoRegion *outer, const EchoRegion *inner)
{
  if (outer == inner || outer == NULL)
    return false;
  for (const EchoRegion *at = inner; at != NULL;) {
    const EchoBlock *block = at->parent->block;
    at = block != NULL ? block->region : NULL;
    if (at == outer)
      return true;
  }
  return false;
}

static const char *region_relation(const EchoRegion *use, const EchoRegion *def)
{
  if (use == def)
    return "in the same region)";
  if (is_proper_ancestor(def, use))
    return "in a parent region)";
  if (is_proper_ancestor(use, def))
    return "in a child region)";
  return "neither in a parent nor in a child region)";
}

static size_t block_number(const EchoBlock *block)
{
  size_t number = 0;
  while ((block = block->prev) != NULL)
    number++;
  return number;
}

static void note_definition(EchoVerifier *verifier, const EchoValue *value, const EchoOp *user)
{
  const EchoOp *def = echo_value_def_or_null(value);
  const EchoBlock *block = echo_value_block(value);
  const EchoRegion *region = block != NULL ? block->region : NULL;
  if (def != NULL && block == user->block) {
    echo_note(verifier->ctx, def->loc, "operand defined here (op in the same block)");
    return;
  }
  const char *relation = region_relation(user->block->region, region);
  if (def != NULL) {
    echo_note(verifier->ctx, def->loc, "operand defined here (op %s%s",
              relation[0] == 'n' ? "is " : "", relation);
    return;
  }
  EchoLoc loc = region != NULL ? region->parent->loc : echo_loc_unknown();
  if (region == NULL)
    echo_note(verifier->ctx, loc, "operand is an argument of a block without parent");
  else
    echo_note(verifier->ctx, loc, "operand defined as a block argument (block #%zu %s",
              block_number(block), relation);
}

static bool check_operand_slowly(EchoVerifier *verifier, EchoDominance *dominance, EchoOp *op,
                                 uint32_t index)
{
  const EchoValue *value = echo_op_operand(op, index);
  const EchoOp *wall = wall_or_null(value, op);
  if (wall != NULL) {
    echo_op_error(op, "using value defined outside the region");
    return echo_note(verifier->ctx, wall->loc, "required by region isolation constraints");
  }
  if (echo_dominance_value(dominance, value, op))
    return true;
  echo_error(verifier->ctx, op->loc, "operand #%u does not dominate this use", index);
  note_definition(verifier, value, op);
  return false;
}

static bool check_op(EchoVerifier *verifier, EchoDominance *dominance, EchoOp *op)
{
  bool ok = true;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    const EchoValue *value = echo_op_operand(op, i);
    if (ECHO_LIKELY(!value->is_block_arg)) {
      const EchoOp *def = echo_value_def_or_null(value);
      if (ECHO_LIKELY(def->block == op->block && def->order < op->order && op->block->order_valid))
        continue;
    } else if (echo_value_block_arg(value)->block == op->block) {
      continue;
    }
    ok = check_operand_slowly(verifier, dominance, op, i) && ok;
  }
  return ok;
}

bool echo_verify_dominance(EchoVerifier *verifier)
{
  EchoDominance *dominance = echo_dominance_create(verifier->root);
  bool ok = true;
  const EchoBlock *reachable = NULL; /* the last block that was found to be */
  /* The root's own operands lie outside of what is verified. */
  EchoOp *op = echo_op_walk_next(verifier->root, verifier->root);
  for (; op != NULL; op = echo_op_walk_next(verifier->root, op)) {
    if (op->n_operands == 0)
      continue;
    if (op->block != reachable) {
      if (!echo_dominance_is_reachable(dominance, op->block))
        continue;
      reachable = op->block;
    }
    ok = check_op(verifier, dominance, op) && ok;
  }
  echo_dominance_destroy(dominance);
  return ok;
}
