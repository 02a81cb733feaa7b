/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Definitions before uses, and regions that see nothing from above. An operand defined earlier in
 * the same block, which is nearly every operand, costs one comparison. */
#include "ir/op_t.h"
#include "ir/verify/dominance_t.h"
#include "ir/verify/verifier_t.h"

/* One level of nesting around the op that is looked at. */
typedef struct Level {
  const EchoRegion *region;
  EchoOp *op;       /* the op, or what it is inside of, that lies in `region` */
  size_t last_wall; /* the innermost level up to here whose region sees nothing from above */
} Level;

enum { N_SEARCHED_LEVELS = 16 };

typedef struct Walk {
  EchoVerifier *verifier;
  EchoDominance *dominance;
  ECHO_VECTOR(Level) levels; /* outermost first */
  EchoMap deep_levels;       /* const EchoRegion * -> its level, where that is not searched */
} Walk;

static void pop_level(Walk *walk)
{
  Level level = echo_vector_pop(&walk->levels);
  if (walk->levels.size >= N_SEARCHED_LEVELS)
    echo_map_erase(&walk->deep_levels, echo_key(level.region));
}

/* Makes the levels those of `op`, the next in a pre-order walk. */
static void enter(Walk *walk, EchoOp *op)
{
  const EchoRegion *region = op->block->region;
  while (walk->levels.size != 0 && echo_vector_last(&walk->levels).region != region &&
         echo_vector_last(&walk->levels).op != region->parent)
    pop_level(walk);
  size_t n = walk->levels.size;
  if (n == 0 || echo_vector_last(&walk->levels).region != region) {
    bool is_wall = (region->parent->info->traits & ECHO_ISOLATED) != 0;
    size_t last_wall = is_wall || n == 0 ? n : echo_vector_last(&walk->levels).last_wall;
    echo_vector_push(&walk->levels, (Level){.region = region, .last_wall = last_wall});
    if (n >= N_SEARCHED_LEVELS)
      echo_map_set(&walk->deep_levels, echo_key(region), n);
  }
  echo_vector_last(&walk->levels).op = op;
}

/* The levels around the root: what is inside it may read values from there, unless it is isolated.
 */
static void enter_around(Walk *walk, EchoOp *root)
{
  ECHO_VECTOR(EchoOp *) around = {0};
  for (EchoOp *op = root; op != NULL && op->block != NULL && op->block->region != NULL;
       op = echo_op_parent(op))
    echo_vector_push(&around, op);
  while (around.size != 0)
    enter(walk, echo_vector_pop(&around));
  echo_vector_destroy(&around);
}

/* The level of a region, or SIZE_MAX when it is not around the op. */
static size_t find_level(const Walk *walk, const EchoRegion *region)
{
  size_t n = walk->levels.size;
  for (size_t i = n < N_SEARCHED_LEVELS ? n : N_SEARCHED_LEVELS; i-- > 0;)
    if (walk->levels.data[i].region == region)
      return i;
  uint64_t found;
  return echo_map_get(&walk->deep_levels, echo_key(region), &found) ? (size_t)found : SIZE_MAX;
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

static bool check_operand_slowly(Walk *walk, EchoOp *op, uint32_t index)
{
  EchoContext *ctx = walk->verifier->ctx;
  const EchoValue *value = echo_op_operand(op, index);
  const EchoBlock *block = echo_value_block(value);
  size_t level = block != NULL ? find_level(walk, block->region) : SIZE_MAX;
  if (level != SIZE_MAX) {
    size_t last_wall = echo_vector_last(&walk->levels).last_wall;
    if (last_wall > level) {
      echo_op_error(op, "using value defined outside the region");
      return echo_note(ctx, walk->levels.data[last_wall].region->parent->loc,
                       "required by region isolation constraints");
    }
    EchoOp *at = walk->levels.data[level].op;
    if (echo_dominance_value_at(walk->dominance, value, at))
      return true;
  }
  echo_op_error_unnamed(op, "operand #%u does not dominate this use", index);
  note_definition(walk->verifier, value, op);
  return false;
}

static bool check_op(Walk *walk, EchoOp *op)
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
    ok = check_operand_slowly(walk, op, i) && ok;
  }
  return ok;
}

bool echo_verify_dominance(EchoVerifier *verifier)
{
  EchoOp *root = verifier->root;
  Walk walk = {.verifier = verifier, .dominance = echo_dominance_create(root)};
  bool ok = true;
  const EchoBlock *reachable = NULL; /* the last block that was found to be */
  enter_around(&walk, root);
  for (EchoOp *op = echo_op_walk_next(root, root); op != NULL; op = echo_op_walk_next(root, op)) {
    if (op->n_operands == 0 && op->n_regions == 0)
      continue;
    enter(&walk, op);
    if (op->block != reachable) {
      if (!echo_dominance_is_reachable(walk.dominance, op->block))
        continue;
      reachable = op->block;
    }
    ok = check_op(&walk, op) && ok;
  }
  echo_vector_destroy(&walk.levels);
  echo_map_destroy(&walk.deep_levels);
  echo_dominance_destroy(walk.dominance);
  return ok;
}
