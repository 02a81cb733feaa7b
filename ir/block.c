/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks, their arguments and the regions that list them. */
#include "ir/op_t.h"

EchoBlock *echo_block_create(EchoContext *ctx)
{
  if (ctx == NULL)
    return NULL;
  EchoBlock *block = echo_ir_alloc(ctx, sizeof *block);
  *block = (EchoBlock){.order_valid = true, .id = ctx->next_block_id++};
  return block;
}

void echo_block_free(EchoContext *ctx, EchoBlock *block)
{
  for (uint32_t i = 0; i < block->n_args; ++i) {
    ECHO_CHECK(block->args[i]->value.first_use == NULL,
               "a block is erased while its argument %u is used", i);
    echo_ir_free(ctx, block->args[i], sizeof *block->args[i]);
  }
  echo_ir_free(ctx, block->args, block->arg_capacity * sizeof *block->args);
  echo_ir_free(ctx, block, sizeof *block);
}

/* Up from a use to the block that the value is in, which lies in the scope: as a rule that is near,
 * where the scope may be far. */
static bool is_used_inside_alone(const EchoValue *value, const EchoBlock *home,
                                 EchoIsScopeFn *is_scope, const void *scope)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    const EchoOp *at = use->owner;
    while (at != NULL && at->block != home && !is_scope(scope, at))
      at = echo_op_parent(at);
    if (at == NULL)
      return false;
  }
  return true;
}

static const EchoValue *arg_used_outside_or_null(const EchoBlock *block, EchoIsScopeFn *is_scope,
                                                 const void *scope)
{
  for (uint32_t i = 0; i < block->n_args; ++i)
    if (!is_used_inside_alone(&block->args[i]->value, block, is_scope, scope))
      return &block->args[i]->value;
  return NULL;
}

static const EchoValue *value_of_op_used_outside_or_null(const EchoOp *op, EchoIsScopeFn *is_scope,
                                                         const void *scope)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!is_used_inside_alone(&op->results[i], op->block, is_scope, scope))
      return &op->results[i];
  const EchoValue *arg = NULL;
  for (uint16_t i = 0; i < op->n_regions; ++i)
    for (EchoBlock *block = op->regions[i].first; block != NULL && arg == NULL; block = block->next)
      arg = arg_used_outside_or_null(block, is_scope, scope);
  return arg;
}

const EchoValue *echo_block_used_outside_or_null(const EchoBlock *block, EchoIsScopeFn *is_scope,
                                                 const void *scope)
{
  const EchoValue *value = arg_used_outside_or_null(block, is_scope, scope);
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    for (EchoOp *inner = op; inner != NULL && value == NULL; inner = echo_op_walk_next(op, inner))
      value = value_of_op_used_outside_or_null(inner, is_scope, scope);
  return value;
}

static bool is_in_block(const void *scope, const EchoOp *op)
{
  return op->block == scope;
}

/* Only terminators name blocks, and those of their own region. */
static bool is_successor(const EchoBlock *block)
{
  for (const EchoBlock *other = block->region->first; other != NULL; other = other->next)
    for (uint16_t i = 0; other->last != NULL && i < other->last->n_successors; ++i)
      if (other != block && echo_op_successors(other->last)[i] == block)
        return true;
  return false;
}

/* Passes know what they erase; in them a value that is used panics where it is freed. */
static bool may_be_erased(const EchoBlock *block)
{
  EchoContext *ctx = echo_ir_context(block);
  if (ctx->n_running_passes != 0)
    return true;
  const EchoValue *used = echo_block_used_outside_or_null(block, is_in_block, block);
  if (used != NULL)
    return echo_misuse(ctx, echo_value_loc(used),
                       "a block is erased: %s %u of 'block' is used outside of it",
                       used->is_block_arg ? "an argument" : "a result", (unsigned)used->index);
  return block->region == NULL || !is_successor(block) ||
         echo_misuse(ctx, echo_loc_unknown(), "a block is erased: 'block' is a successor");
}

bool echo_block_erase(EchoBlock *block)
{
  if (block == NULL || !may_be_erased(block))
    return false;
  if (block->region != NULL)
    echo_block_unlink(block);
  /* First all operands: ops of one block may use each other's results in a circle (graph regions).
   */
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      echo_op_drop_operands(inner);
  while (block->last != NULL)
    echo_op_erase(block->last);
  echo_block_free(echo_ir_context(block), block);
  return true;
}

/* ---- arguments ---- */

static void reserve_args(EchoContext *ctx, EchoBlock *block)
{
  if (block->n_args < block->arg_capacity)
    return;
  uint32_t capacity = block->arg_capacity == 0 ? 2 : block->arg_capacity * 2;
  EchoBlockArg **args = echo_ir_alloc(ctx, capacity * sizeof *args);
  if (block->n_args != 0)
    memcpy(args, block->args, block->n_args * sizeof *args);
  echo_ir_free(ctx, block->args, block->arg_capacity * sizeof *args);
  block->args = args;
  block->arg_capacity = capacity;
}

static bool check_arg(EchoContext *ctx, const EchoBlock *block, const EchoType *type, EchoLoc loc)
{
  if (ctx == NULL)
    return false;
  if (block == NULL || type == NULL)
    return echo_misuse(ctx, loc, "a block argument is added: '%s' is NULL",
                       block == NULL ? "block" : "type");
  if (!echo_type_check_owner(ctx, "a block argument is added", "type", type))
    return false;
  if (echo_ir_context(block) != ctx)
    return echo_misuse(ctx, loc, "a block argument is added: 'block' is of another context");
  return echo_loc_fits(ctx, loc) ||
         echo_misuse(ctx, loc, "a block argument is added: 'loc' is of another context");
}

EchoValue *echo_block_add_arg(EchoContext *ctx, EchoBlock *block, const EchoType *type, EchoLoc loc)
{
  if (ECHO_UNLIKELY(!check_arg(ctx, block, type, loc)))
    return NULL;
  reserve_args(ctx, block);
  EchoBlockArg *arg = echo_ir_alloc(ctx, sizeof *arg);
  *arg = (EchoBlockArg){
      .value = {.type = type,
                .index = block->n_args & INT32_MAX,
                .is_block_arg = 1,
                .id = ctx->next_value_id++},
      .block = block,
      .loc = loc,
  };
  block->args[block->n_args++] = arg;
  return &arg->value;
}

bool echo_block_erase_arg(EchoBlock *block, size_t index)
{
  if (ECHO_UNLIKELY(block == NULL))
    return false;
  if (ECHO_UNLIKELY(index >= block->n_args))
    return echo_misuse(echo_ir_context(block), echo_loc_unknown(),
                       "a block argument is erased: 'index' is %zu of %u", index, block->n_args);
  EchoBlockArg *arg = block->args[index];
  if (ECHO_UNLIKELY(arg->value.first_use != NULL))
    return echo_misuse(echo_ir_context(block), arg->loc,
                       "a block argument is erased: 'index' is %zu, which is used", index);
  block->n_args--;
  for (size_t i = index; i < block->n_args; ++i) {
    block->args[i] = block->args[i + 1];
    block->args[i]->value.index = (uint32_t)i & INT32_MAX;
  }
  echo_ir_free(echo_ir_context(block), arg, sizeof *arg);
  return true;
}

/* ---- ops ---- */

EchoOp *echo_block_parent(const EchoBlock *block)
{
  if (block == NULL)
    return NULL;
  return block->region != NULL ? block->region->parent : NULL;
}

EchoOp *echo_block_terminator_or_null(const EchoBlock *block)
{
  if (block == NULL)
    return NULL;
  const uint64_t may_end = ECHO_TERMINATOR | ECHO_UNREGISTERED;
  return block->last != NULL && (block->last->info->traits & may_end) != 0 ? block->last : NULL;
}

/* `block` lies inside one of the ops from `first` on. Passes have verified IR: see ir/op.c. */
static bool is_inside_ops(const EchoBlock *block, EchoOp *first)
{
  if (echo_ir_context(block)->n_running_passes != 0)
    return false;
  EchoOp *around = echo_op_ancestor_in_block(echo_block_parent(block), first->block);
  return around != NULL && !echo_op_is_before(around, first);
}

static bool check_splice(const EchoBlock *block, EchoOp *first)
{
  if (block == NULL && first == NULL)
    return false; /* nobody to tell */
  EchoContext *ctx = first != NULL ? echo_op_context(first) : echo_ir_context(block);
  EchoLoc loc = first != NULL ? first->loc : echo_loc_unknown();
  if (block == NULL || first == NULL)
    return echo_misuse(ctx, loc, "ops are spliced: '%s' is NULL",
                       block == NULL ? "block" : "first");
  if (echo_ir_context(block) != ctx)
    return echo_misuse(ctx, loc, "ops are spliced: 'block' is of another context");
  if (first->block == NULL || first->block == block)
    return echo_misuse(ctx, loc, "ops are spliced: 'first' is in %s",
                       first->block == NULL ? "no block" : "'block' already");
  return !is_inside_ops(block, first) ||
         echo_misuse(ctx, loc, "ops are spliced: 'block' lies inside of them");
}

bool echo_block_splice(EchoBlock *block, EchoOp *first)
{
  if (ECHO_UNLIKELY(!check_splice(block, first)))
    return false;
  EchoBlock *from = first->block;
  EchoOp *last = from->last;
  from->last = first->prev;
  *(first->prev != NULL ? &first->prev->next : &from->first) = NULL;
  first->prev = block->last;
  *(block->last != NULL ? &block->last->next : &block->first) = first;
  block->last = last;
  for (EchoOp *op = first; op != NULL; op = op->next) {
    op->block = block;
    echo_order_label_appended(op);
  }
  return true;
}

/* ---- regions ---- */

/* `place` is what `block` is put into or beside, the argument `name`. */
static bool refuse_place(const EchoBlock *block, const void *place, const char *name)
{
  return block != NULL &&
         echo_misuse(echo_ir_context(block), echo_loc_unknown(), "a block is placed: '%s' is %s",
                     name, place == NULL ? "NULL" : "not in 'region'");
}

static bool link_between(EchoRegion *region, EchoBlock *prev, EchoBlock *block, EchoBlock *next)
{
  EchoContext *ctx = echo_ir_context(block);
  if (ECHO_UNLIKELY(block->region != NULL ||
                    (region->parent != NULL && echo_op_context(region->parent) != ctx)))
    return echo_misuse(ctx, echo_loc_unknown(), "a block is placed: 'block' is %s",
                       block->region != NULL ? "in a region already" : "of another context");
  block->prev = prev;
  block->next = next;
  block->region = region;
  *(prev != NULL ? &prev->next : &region->first) = block;
  *(next != NULL ? &next->prev : &region->last) = block;
  return true;
}

bool echo_region_append(EchoRegion *region, EchoBlock *block)
{
  if (ECHO_UNLIKELY(region == NULL || block == NULL))
    return refuse_place(block, region, "region");
  return link_between(region, region->last, block, NULL);
}

bool echo_region_insert_before(EchoRegion *region, EchoBlock *block, EchoBlock *before)
{
  if (ECHO_UNLIKELY(block == NULL && before != NULL))
    return echo_misuse(echo_ir_context(before), echo_loc_unknown(),
                       "a block is placed: 'block' is NULL");
  if (ECHO_UNLIKELY(region == NULL || block == NULL))
    return refuse_place(block, region, "region");
  if (ECHO_UNLIKELY(before == NULL || before->region != region))
    return refuse_place(block, before, "before");
  return link_between(region, before->prev, block, before);
}

bool echo_block_unlink(EchoBlock *block)
{
  if (ECHO_UNLIKELY(block == NULL))
    return false;
  EchoRegion *region = block->region;
  if (ECHO_UNLIKELY(region == NULL))
    return echo_misuse(echo_ir_context(block), echo_loc_unknown(),
                       "a block is unlinked: 'block' is in no region");
  *(block->prev != NULL ? &block->prev->next : &region->first) = block->next;
  *(block->next != NULL ? &block->next->prev : &region->last) = block->prev;
  block->prev = block->next = NULL;
  block->region = NULL;
  return true;
}

/* Whether `op` lies in one of the region's blocks. */
static bool is_in_region(const EchoOp *op, const EchoRegion *region)
{
  while (op != NULL && (op->block == NULL || op->block->region != region))
    op = echo_op_parent(op);
  return op != NULL;
}

static bool check_take(const EchoRegion *to, const EchoRegion *from)
{
  const EchoRegion *known = from != NULL && from->first != NULL ? from : to;
  EchoContext *ctx = known == NULL           ? NULL
                     : known->first != NULL  ? echo_ir_context(known->first)
                     : known->parent != NULL ? echo_op_context(known->parent)
                                             : NULL; /* nobody to tell */
  if (to == NULL || from == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), "blocks are taken: '%s' is NULL",
                       to == NULL ? "to" : "from");
  if (from->first == NULL)
    return true;
  if (to->parent != NULL && echo_op_context(to->parent) != ctx)
    return echo_misuse(ctx, echo_loc_unknown(), "blocks are taken: 'to' is of another context");
  return ctx->n_running_passes != 0 || !is_in_region(to->parent, from) ||
         echo_misuse(ctx, echo_loc_unknown(), "blocks are taken: 'to' lies inside of them");
}

bool echo_region_take_blocks(EchoRegion *to, EchoRegion *from)
{
  if (ECHO_UNLIKELY(!check_take(to, from)))
    return false;
  if (from->first == NULL || from == to)
    return true;
  for (EchoBlock *block = from->first; block != NULL; block = block->next)
    block->region = to;
  from->first->prev = to->last;
  *(to->last != NULL ? &to->last->next : &to->first) = from->first;
  to->last = from->last;
  from->first = from->last = NULL;
  return true;
}

EchoBlock *echo_op_body(const EchoOp *op, size_t index)
{
  unsigned n_regions = op != NULL ? op->n_regions : 0;
  ECHO_CHECK_OP(index < n_regions, op, "region %zu of %u", index, n_regions);
  const EchoRegion *region = &op->regions[index];
  ECHO_CHECK_OP(region->first != NULL && region->first == region->last, op,
                "region %zu does not have exactly one block", index);
  return region->first;
}
