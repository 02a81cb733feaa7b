/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Creating, erasing and placing ops. An op is one piece of memory:
 *
 *   EchoOp | results | operands | successors | regions
 *
 * so that its size, and how many operands fit, can be read off its pointers. Operands that outgrow
 * the piece move to one of their own (see ir/use.c). */
#include "ir/op.h"

#include "ir/op_t.h"

_Static_assert(offsetof(EchoOp, results) == sizeof(EchoOp), "results stand right behind the op");

static size_t op_bytes(size_t n_results, size_t n_operands, size_t n_successors, size_t n_regions)
{
  return sizeof(EchoOp) + n_results * sizeof(EchoValue) + n_operands * sizeof(EchoUse) +
         n_successors * sizeof(EchoBlock *) + n_regions * sizeof(EchoRegion);
}

static EchoUse *inline_operands(const EchoOp *op)
{
  return (EchoUse *)(uintptr_t)&op->results[op->n_results];
}

static void free_op(EchoContext *ctx, EchoOp *op)
{
  if (op->operands != inline_operands(op))
    echo_ir_free(ctx, op->operands, op->operand_capacity * sizeof *op->operands);
  size_t size_bytes = (size_t)((char *)(op->regions + op->n_regions) - (char *)op);
  echo_ir_free(ctx, op, size_bytes);
}

static void init_results(EchoContext *ctx, EchoOp *op, const EchoType *const *types)
{
  for (uint32_t i = 0; i < op->n_results; ++i) {
    EchoValue *result = &op->results[i];
    result->type = types[i];
    result->first_use = NULL;
    result->index = i & INT32_MAX;
    result->is_block_arg = 0;
    result->id = ctx->next_value_id++;
  }
}

/* ---- what is asked for ---- */

static bool check_list(const EchoOpState *state, const char *name, const void *list,
                       const char *count, size_t n)
{
  return list != NULL || n == 0 ||
         echo_misuse(state->ctx, state->loc, "'%s' is created: '%s' is NULL, '%s' is %zu",
                     state->info->name, name, count, n);
}

/* Entry `i` of the list `name`, which is NULL, or else of another context. */
static bool refuse_entry(const EchoOpState *state, const char *name, uint32_t i, const void *entry)
{
  return echo_misuse(state->ctx, state->loc, "'%s' is created: '%s[%u]' is %s", state->info->name,
                     name, i, entry == NULL ? "NULL" : "of another context");
}

/* The same of operand `i`, by the name of its place in the row where that can be told. */
static bool refuse_operand(const EchoOpState *state, uint32_t i)
{
  const EchoOpSpec *spec = echo_context_op_spec_or_null(state->ctx, state->info);
  const EchoValueSpec *place =
      spec != NULL ? echo_op_spec_operand_or_null(spec, state->n_operands, NULL, i) : NULL;
  if (place == NULL)
    return refuse_entry(state, "operands", i, state->operands[i]);
  return echo_misuse(state->ctx, state->loc, "'%s' is created: 'operands[%u]', its '%.*s', is %s",
                     state->info->name, i, ECHO_STR_ARG(place->name),
                     state->operands[i] == NULL ? "NULL" : "of another context");
}

/* A row of this context: what another made for an op that it does not know ends with that one. */
static bool check_row(const EchoOpState *state)
{
  if (ECHO_UNLIKELY(state->info == NULL))
    return echo_misuse(state->ctx, state->loc, "an op is created: 'info' is NULL");
  const EchoOpInfo *known = echo_context_op_info_any(state->ctx, echo_str(state->info->name));
  return ECHO_LIKELY(known == state->info) ||
         echo_misuse(state->ctx, state->loc, "'%s' is created: 'info' is not its context's row",
                     state->info->name);
}

static bool check_dictionary(const EchoOpState *state, const char *name, const EchoAttr *attr)
{
  if (attr == NULL ||
      ECHO_LIKELY(attr->owner == state->ctx->tag && attr->kind == ECHO_ATTR_DICTIONARY))
    return true;
  return echo_misuse(state->ctx, state->loc, "'%s' is created: '%s' is %s", state->info->name, name,
                     attr->owner == state->ctx->tag ? "no dictionary" : "of another context");
}

bool echo_op_result_types_check(const EchoOpState *state)
{
  if (!check_list(state, "result_types", state->result_types, "n_results", state->n_results))
    return false;
  for (uint32_t i = 0; i < state->n_results; ++i)
    if (ECHO_UNLIKELY(state->result_types[i] == NULL ||
                      state->result_types[i]->owner != state->ctx->tag))
      return refuse_entry(state, "result_types", i, state->result_types[i]);
  return true;
}

bool echo_op_state_check(const EchoOpState *state)
{
  if (!check_list(state, "operands", state->operands, "n_operands", state->n_operands) ||
      !echo_op_result_types_check(state) ||
      !check_list(state, "successors", state->successors, "n_successors", state->n_successors) ||
      !check_dictionary(state, "properties", state->properties) ||
      !check_dictionary(state, "attrs", state->attrs))
    return false;
  for (uint32_t i = 0; i < state->n_operands; ++i)
    if (ECHO_UNLIKELY(state->operands[i] == NULL ||
                      echo_value_context(state->operands[i]) != state->ctx))
      return refuse_operand(state, i);
  for (uint16_t i = 0; i < state->n_successors; ++i)
    if (ECHO_UNLIKELY(state->successors[i] == NULL ||
                      echo_ir_context(state->successors[i]) != state->ctx))
      return refuse_entry(state, "successors", i, state->successors[i]);
  return ECHO_LIKELY(echo_loc_fits(state->ctx, state->loc)) ||
         echo_misuse(state->ctx, state->loc, "'%s' is created: 'loc' is of another context",
                     state->info->name);
}

EchoOp *echo_op_create(const EchoOpState *state)
{
  if (state == NULL || state->ctx == NULL || !check_row(state) || !echo_op_state_check(state))
    return NULL;
  return echo_op_create_unchecked(state);
}

EchoOp *echo_op_create_unchecked(const EchoOpState *state)
{
  EchoContext *ctx = state->ctx;
  EchoOp *op = echo_ir_alloc(
      ctx, op_bytes(state->n_results, state->n_operands, state->n_successors, state->n_regions));
  op->prev = op->next = NULL;
  op->block = NULL;
  op->info = state->info;
  op->loc = state->loc;
  op->properties = state->properties;
  op->attrs = state->attrs;
  op->n_operands = op->operand_capacity = state->n_operands;
  op->n_results = state->n_results;
  op->n_regions = state->n_regions;
  op->n_successors = state->n_successors;
  op->order = 0;
  op->id = ctx->next_op_id++;
  op->operands = inline_operands(op);
  EchoBlock **successors = (EchoBlock **)(void *)(op->operands + op->n_operands);
  op->regions = (EchoRegion *)(void *)(successors + op->n_successors);
  init_results(ctx, op, state->result_types);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    op->operands[i].owner = op;
    echo_use_link(&op->operands[i], state->operands[i]);
  }
  for (uint16_t i = 0; i < op->n_successors; ++i)
    successors[i] = state->successors[i];
  for (uint16_t i = 0; i < op->n_regions; ++i)
    op->regions[i] = (EchoRegion){.parent = op};
  if (ECHO_UNLIKELY(op->id == ctx->break_on_op))
    echo_op_break(op);
  return op;
}

static void check_results_unused(const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    ECHO_CHECK_OP(op->results[i].first_use == NULL, op,
                  "an op is erased while its result %u is used", i);
}

/* Frees what lies in `region`, all of whose ops have dropped their operands and whose ops' regions
 * are empty. */
static void free_region_blocks(EchoContext *ctx, EchoRegion *region)
{
  EchoBlock *block = region->first;
  while (block != NULL) {
    EchoBlock *next_block = block->next;
    for (EchoOp *op = block->first; op != NULL;) {
      EchoOp *next = op->next;
      check_results_unused(op);
      free_op(ctx, op);
      op = next;
    }
    echo_block_free(ctx, block);
    block = next_block;
  }
  region->first = region->last = NULL;
}

/* Innermost first: when the walk reaches an op, what its regions hold is ready to go. */
static void free_inside(EchoContext *ctx, EchoOp *root)
{
  for (EchoOp *op = echo_op_first_inside_or_null(root); op != NULL;
       op = echo_op_walk_next(root, op))
    echo_op_drop_operands(op);
  for (EchoOp *op = echo_op_post_order_first(root);;) {
    EchoOp *next = op != root ? echo_op_post_order_next(op) : NULL;
    for (uint16_t i = 0; i < op->n_regions; ++i)
      free_region_blocks(ctx, &op->regions[i]);
    if (op == root)
      return;
    op = next;
  }
}

/* Outside `op` itself, and outside of what goes with it. */
static bool is_used_outside(const EchoOp *op, uint32_t result)
{
  for (const EchoUse *use = op->results[result].first_use; use != NULL; use = use->next)
    if (!echo_op_is_ancestor(op, use->owner))
      return true;
  return false;
}

static bool is_op(const void *scope, const EchoOp *op)
{
  return op == scope;
}

/* What is inside is used there alone in any IR that verifies, which passes have. */
static bool check_inside(EchoContext *ctx, const EchoOp *op)
{
  if (ctx->n_running_passes != 0)
    return true;
  for (uint16_t i = 0; i < op->n_regions; ++i)
    for (EchoBlock *block = op->regions[i].first; block != NULL; block = block->next)
      if (echo_block_used_outside_or_null(block, is_op, op) != NULL)
        return echo_misuse(ctx, op->loc, "'%s' is erased: a value inside of it is used outside",
                           op->info->name);
  return true;
}

bool echo_op_erase(EchoOp *op)
{
  if (op == NULL)
    return false;
  EchoContext *ctx = echo_op_context(op);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ECHO_UNLIKELY(op->results[i].first_use != NULL) && is_used_outside(op, i))
      return echo_misuse(ctx, op->loc, "'%s' is erased: its result %u is used", op->info->name, i);
  if (op->n_regions != 0 && !check_inside(ctx, op))
    return false;
  if (op->block != NULL)
    echo_op_unlink(op);
  echo_op_drop_operands(op);
  if (op->n_regions != 0)
    free_inside(ctx, op);
  check_results_unused(op);
  free_op(ctx, op);
  return true;
}

EchoContext *echo_op_context(const EchoOp *op)
{
  if (op == NULL)
    return NULL;
  return echo_ir_context(op);
}

/* ---- position ---- */

/* `place` is what `op` is put beside or into, the argument `name`. */
static bool refuse_place(const EchoOp *op, const void *place, const char *name)
{
  if (op == NULL && place == NULL)
    return false; /* nobody to tell */
  if (op == NULL)
    return echo_misuse(echo_ir_context(place), echo_loc_unknown(), "an op is placed: 'op' is NULL");
  return echo_misuse(echo_op_context(op), op->loc, "'%s' is placed: '%s' is %s", op->info->name,
                     name, place == NULL ? "NULL" : "in no block");
}

/* `block` lies inside `op`. */
static bool encloses(const EchoOp *op, const EchoBlock *block)
{
  bool is_empty = true;
  for (uint16_t i = 0; i < op->n_regions; ++i)
    is_empty = is_empty && op->regions[i].first == NULL;
  return !is_empty && echo_op_is_ancestor(op, echo_block_parent(block));
}

static bool fits(const EchoOp *op, const EchoBlock *block)
{
  EchoContext *ctx = echo_op_context(op);
  if (ECHO_UNLIKELY(echo_ir_context(block) != ctx))
    return echo_misuse(ctx, op->loc, "'%s' is placed: 'op' and its place are of two contexts",
                       op->info->name);
  if (op->n_regions != 0 && ctx->n_running_passes == 0 && encloses(op, block))
    return echo_misuse(ctx, op->loc, "'%s' is placed: its place lies inside 'op'", op->info->name);
  return true;
}

static void link_unchecked(EchoBlock *block, EchoOp *prev, EchoOp *op, EchoOp *next)
{
  op->prev = prev;
  op->next = next;
  op->block = block;
  *(prev != NULL ? &prev->next : &block->first) = op;
  *(next != NULL ? &next->prev : &block->last) = op;
  echo_order_label(op);
}

static bool link_between(EchoBlock *block, EchoOp *prev, EchoOp *op, EchoOp *next)
{
  if (ECHO_UNLIKELY(op->block != NULL))
    return echo_misuse(echo_op_context(op), op->loc, "'%s' is placed: 'op' is in a block already",
                       op->info->name);
  if (ECHO_UNLIKELY(!fits(op, block)))
    return false;
  link_unchecked(block, prev, op, next);
  return true;
}

bool echo_op_insert_before(EchoOp *op, EchoOp *before)
{
  if (ECHO_UNLIKELY(op == NULL || before == NULL || before->block == NULL))
    return refuse_place(op, before, "before");
  return link_between(before->block, before->prev, op, before);
}

bool echo_op_insert_after(EchoOp *op, EchoOp *after)
{
  if (ECHO_UNLIKELY(op == NULL || after == NULL || after->block == NULL))
    return refuse_place(op, after, "after");
  return link_between(after->block, after, op, after->next);
}

bool echo_block_append(EchoBlock *block, EchoOp *op)
{
  if (ECHO_UNLIKELY(op == NULL || block == NULL))
    return refuse_place(op, block, "block");
  return link_between(block, block->last, op, NULL);
}

void echo_block_append_made(EchoBlock *block, EchoOp *op)
{
  link_unchecked(block, block->last, op, NULL);
}

bool echo_block_prepend(EchoBlock *block, EchoOp *op)
{
  if (ECHO_UNLIKELY(op == NULL || block == NULL))
    return refuse_place(op, block, "block");
  return link_between(block, NULL, op, block->first);
}

bool echo_op_unlink(EchoOp *op)
{
  if (ECHO_UNLIKELY(op == NULL))
    return false;
  EchoBlock *block = op->block;
  if (ECHO_UNLIKELY(block == NULL))
    return echo_misuse(echo_op_context(op), op->loc, "'%s' is unlinked: 'op' is in no block",
                       op->info->name);
  *(op->prev != NULL ? &op->prev->next : &block->first) = op->next;
  *(op->next != NULL ? &op->next->prev : &block->last) = op->prev;
  op->prev = op->next = NULL;
  op->block = NULL;
  return true;
}

bool echo_op_move_before(EchoOp *op, EchoOp *before)
{
  if (ECHO_UNLIKELY(op == NULL || before == NULL || before->block == NULL))
    return refuse_place(op, before, "before");
  if (op == before)
    return true;
  return fits(op, before->block) && echo_op_unlink(op) && echo_op_insert_before(op, before);
}

EchoOp *echo_op_parent(const EchoOp *op)
{
  if (op == NULL)
    return NULL;
  return op->block != NULL ? echo_block_parent(op->block) : NULL;
}

EchoOp *echo_op_ancestor_in_block(EchoOp *op, const EchoBlock *block)
{
  while (op != NULL && op->block != block)
    op = echo_op_parent(op);
  return op;
}

bool echo_op_is_ancestor(const EchoOp *ancestor, const EchoOp *op)
{
  while (op != NULL && op != ancestor)
    op = echo_op_parent(op);
  return op != NULL;
}
