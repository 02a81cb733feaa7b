/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "echo_pass/stacks_t.h"

#include "base/map.h"
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/loop.h"
#include "dialects/stablehlo/opcode.h"
#include "ir/builder.h"

#define MAX_TRIPS 65536
#define MAX_DEPTH 64 /* of index arithmetic and of recomputed expressions */

typedef struct Stack {
  uint32_t carried;   /* of the first loop */
  EchoOp *update;     /* the dynamic_update_slice that writes it */
  EchoValue *value;   /* what is written, in the first loop's body */
  EchoValue *inside;  /* the stack as the second loop's body sees it */
  uint64_t trip_hash; /* which iteration of the first loop each iteration of the second reads */
  bool may_go;        /* nobody else reads it */
  bool is_dropped;
} Stack;

typedef struct Pair {
  EchoOp *writer, *reader; /* the loops */
  EchoBlock *from, *to;    /* their bodies */
  EchoCountedLoop written, read;
  ECHO_VECTOR(Stack) stacks;
  EchoMap stack_of; /* value of the first body -> index + 1 */
  EchoMap built;    /* value of the first body -> value in the second, for one order of slices */
  uint64_t built_hash;
  EchoOp *anchor; /* what is built stands before it */
  EchoArena *scratch;
} Pair;

/* ---- indices ---- */

static bool compare_holds(EchoCompareDirection direction, int64_t a, int64_t b)
{
  switch (direction) {
  case ECHO_COMPARE_EQ:
    return a == b;
  case ECHO_COMPARE_NE:
    return a != b;
  case ECHO_COMPARE_GE:
    return a >= b;
  case ECHO_COMPARE_GT:
    return a > b;
  case ECHO_COMPARE_LE:
    return a <= b;
  case ECHO_COMPARE_LT:
    return a < b;
  }
  return false;
}

/* An integer scalar of a loop's body when its counter is `count`. Recursion is bounded by
 * MAX_DEPTH. */
static bool index_at(const EchoValue *value, const EchoValue *counter, int64_t count, int depth,
                     int64_t *index)
{
  if (value == counter) {
    *index = count;
    return true;
  }
  const EchoOp *op = echo_value_def_or_null(value);
  if (op == NULL || depth == 0)
    return false;
  const EchoAttr *constant = echo_value_constant_or_null(value);
  if (constant != NULL) {
    *index = echo_elements_i64(constant, 0);
    return true;
  }
  int64_t in[3];
  if (op->n_operands == 0 || op->n_operands > 3 || op->n_regions != 0)
    return false;
  for (size_t i = 0; i < op->n_operands; ++i)
    if (!index_at(echo_op_operand(op, i), counter, count, depth - 1, &in[i]))
      return false;
  switch (echo_hlo_opcode(op)) {
  case ECHO_HLO_ADD:
    return !__builtin_add_overflow(in[0], in[1], index);
  case ECHO_HLO_SUBTRACT:
    return !__builtin_sub_overflow(in[0], in[1], index);
  case ECHO_HLO_SELECT:
    *index = in[0] != 0 ? in[1] : in[2];
    return true;
  case ECHO_HLO_COMPARE:
    *index = compare_holds(echo_stablehlo_compare_direction(op), in[0], in[1]);
    return true;
  case ECHO_HLO_CONVERT:
  case ECHO_HLO_RESHAPE:
    *index = in[0];
    return true;
  default:
    return false;
  }
}

static bool is_scalar_integer(const EchoValue *value)
{
  return echo_type_is_tensor(value->type) && echo_type_rank(value->type) == 0 &&
         value->type->as.shaped.element->kind == ECHO_TYPE_INTEGER;
}

/* The op reads or writes slice [i, i + 1) of the first dimension and all of the others; i is
 * operand `first`. */
static bool is_whole_slice(const EchoOp *op, size_t first, const EchoType *stack,
                           const EchoType *slice)
{
  if (echo_type_rank(stack) == 0 || echo_type_rank(slice) != echo_type_rank(stack) ||
      echo_type_dim(slice, 0) != 1)
    return false;
  for (size_t d = 1; d < echo_type_rank(stack); ++d) {
    int64_t start;
    if (echo_type_dim(slice, d) != echo_type_dim(stack, d) ||
        !index_at(echo_op_operand(op, first + d), NULL, 0, 1, &start) || start != 0)
      return false;
  }
  return true;
}

static const EchoValue *counter_of(const EchoBlock *body, const EchoCountedLoop *counted)
{
  return echo_block_arg(body, counted->counter);
}

/* trips[k] = the iteration of the first loop whose slice iteration k of the second reads. False
 * unless there is one for each. */
static bool find_trips(const Pair *pair, const EchoValue *written, const EchoValue *read,
                       int64_t n_slices, uint64_t *hash)
{
  int64_t n = pair->written.n_trips;
  if (n_slices > MAX_TRIPS)
    return false;
  bool holds = true;
  EchoArenaMark mark = echo_arena_mark(pair->scratch);
  int64_t *trip_of = ECHO_ARENA_ARRAY(pair->scratch, int64_t, (size_t)n_slices);
  for (int64_t i = 0; i < n_slices; ++i)
    trip_of[i] = -1;
  for (int64_t t = 0; holds && t < n; ++t) {
    int64_t index;
    holds = index_at(written, counter_of(pair->from, &pair->written),
                     pair->written.start + t * pair->written.step, MAX_DEPTH, &index) &&
            index >= 0 && index < n_slices && trip_of[index] < 0;
    if (holds)
      trip_of[index] = t;
  }
  *hash = 0;
  for (int64_t t = 0; holds && t < pair->read.n_trips; ++t) {
    int64_t index;
    holds = index_at(read, counter_of(pair->to, &pair->read),
                     pair->read.start + t * pair->read.step, MAX_DEPTH, &index) &&
            index >= 0 && index < n_slices && trip_of[index] >= 0;
    if (holds)
      *hash = echo_hash_combine(*hash, (uint64_t)trip_of[index]);
  }
  echo_arena_reset(pair->scratch, mark);
  return holds;
}

/* ---- finding stacks ---- */

/* The value that is written, without the dimension of one that the slice adds. */
static EchoValue *written_value(const EchoOp *update)
{
  EchoValue *slice = echo_op_operand(update, 1);
  const EchoOp *op = echo_value_def_or_null(slice);
  if (op == NULL || op->block != update->block || op->n_operands != 1)
    return slice;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  bool adds_one = opcode == ECHO_HLO_RESHAPE || opcode == ECHO_HLO_BROADCAST_IN_DIM;
  return adds_one &&
                 echo_type_static_n_elements(echo_op_operand_type(op, 0)) ==
                     echo_type_static_n_elements(slice->type) &&
                 echo_type_rank(echo_op_operand_type(op, 0)) + 1 == echo_type_rank(slice->type)
             ? echo_op_operand(op, 0)
             : slice;
}

/* Every use of the stack in the second loop's body reads one slice, all in the same order. */
static bool reads_slices(const Pair *pair, Stack *stack, size_t invariant)
{
  const EchoValue *inside = stack->inside;
  const EchoType *type = inside->type;
  bool is_first = true;
  for (const EchoUse *use = inside->first_use; use != NULL; use = use->next) {
    const EchoOp *op = use->owner;
    uint64_t hash;
    if (op == pair->to->last && echo_use_operand_index(use) == invariant)
      continue;
    if (op->block != pair->to || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE ||
        echo_use_operand_index(use) != 0 ||
        !is_whole_slice(op, 1, type, echo_op_result_type(op, 0)) ||
        !find_trips(pair, echo_op_operand(stack->update, 2), echo_op_operand(op, 1),
                    echo_type_dim(type, 0), &hash) ||
        (!is_first && hash != stack->trip_hash))
      return false;
    stack->trip_hash = hash;
    is_first = false;
  }
  return !is_first;
}

/* Carried value `i` of the first loop as a stack that the second loop alone reads, handed on there
 * as it is. */
static bool find_stack(const Pair *pair, uint32_t i, Stack *stack)
{
  const EchoValue *argument = echo_block_arg(pair->from, i);
  const EchoValue *result = echo_op_result(pair->writer, i);
  EchoOp *update = echo_value_def_or_null(echo_op_operand(pair->from->last, i));
  *stack = (Stack){.carried = i, .update = update};
  if (update == NULL || update->block != pair->from ||
      echo_hlo_opcode(update) != ECHO_HLO_DYNAMIC_UPDATE_SLICE ||
      echo_op_operand(update, 0) != argument || !echo_value_has_one_use(argument) ||
      !echo_value_has_one_use(echo_op_result(update, 0)) ||
      !echo_value_is_unused(echo_block_arg(echo_op_body(pair->writer, 0), i)) ||
      !is_whole_slice(update, 2, argument->type, echo_op_operand_type(update, 1)))
    return false;
  const EchoUse *use = result->first_use;
  while (use != NULL && use->owner != pair->reader)
    use = use->next;
  if (use == NULL)
    return false;
  size_t k = echo_use_operand_index(use);
  stack->may_go = echo_value_has_one_use(result);
  stack->inside = echo_block_arg(pair->to, k);
  stack->value = written_value(update);
  return echo_loop_is_invariant(pair->reader, k) &&
         echo_value_is_unused(echo_op_result(pair->reader, k)) &&
         echo_value_is_unused(echo_block_arg(echo_op_body(pair->reader, 0), k)) &&
         reads_slices(pair, stack, k);
}

static void find_stacks(Pair *pair)
{
  for (uint32_t i = 0; i < pair->writer->n_operands; ++i) {
    Stack stack;
    if (!find_stack(pair, i, &stack))
      continue;
    echo_vector_push(&pair->stacks, stack);
    echo_map_insert(&pair->stack_of, echo_key(stack.value), pair->stacks.size);
  }
}

/* ---- what can be computed again ---- */

static const Stack *kept_stack_or_null(const Pair *pair, const EchoValue *value, uint64_t trip_hash)
{
  uint64_t number = echo_map_get_or(&pair->stack_of, echo_key(value), 0);
  if (number == 0)
    return NULL;
  const Stack *stack = &pair->stacks.data[number - 1];
  return !stack->is_dropped && stack->trip_hash == trip_hash ? stack : NULL;
}

/* What the first loop's body sees and the second's sees too; NULL for what changes from iteration
 * to iteration. */
static EchoValue *outer_value_or_null(const Pair *pair, EchoValue *value)
{
  if (!value->is_block_arg || echo_value_block(value) != pair->from)
    return echo_value_block(value) == pair->from ? NULL : value;
  return echo_loop_is_invariant(pair->writer, value->index)
             ? echo_op_operand(pair->writer, value->index)
             : NULL;
}

static bool is_derivable(const Pair *pair, EchoValue *value, uint64_t trip_hash, int depth,
                         EchoMap *known)
{
  if (kept_stack_or_null(pair, value, trip_hash) != NULL ||
      outer_value_or_null(pair, value) != NULL)
    return true;
  EchoOp *op = echo_value_def_or_null(value);
  uint64_t answer;
  if (op == NULL || depth == 0)
    return false;
  if (echo_map_get(known, echo_key(value), &answer))
    return answer != 0;
  EchoNodeKind kind = echo_op_node_kind(op);
  bool holds = kind == ECHO_NODE_CONSTANT ||
               ((kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE || kind == ECHO_NODE_REDUCE) &&
                echo_op_is_pure(op) && !echo_op_has_trait(op, ECHO_HEAVY));
  for (size_t i = 0; holds && i < op->n_operands; ++i)
    holds = is_derivable(pair, echo_op_operand(op, i), trip_hash, depth - 1, known);
  echo_map_set(known, echo_key(value), holds);
  return holds;
}

/* In order: a stack that the others left make superfluous goes. What was dropped before stays
 * derivable: its expression can be followed through this one's. */
static size_t choose_dropped(Pair *pair)
{
  size_t n_dropped = 0;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    Stack *stack = &pair->stacks.data[i];
    EchoMap known = {0};
    stack->is_dropped = true;
    bool goes = stack->may_go &&
                echo_map_get_or(&pair->stack_of, echo_key(stack->value), 0) == i + 1 &&
                !stack->value->is_block_arg &&
                is_derivable(pair, stack->value, stack->trip_hash, MAX_DEPTH, &known);
    stack->is_dropped = goes;
    n_dropped += goes;
    echo_map_destroy(&known);
  }
  return n_dropped;
}

/* ---- rewriting ---- */

static void mark_clone(EchoOp *op)
{
  EchoContext *ctx = echo_op_context(op);
  echo_op_set_attr(op, "echo.recompute", echo_attr_unit(ctx));
  echo_op_set_attr(op, "echo.phase", echo_attr_string(ctx, ECHO_STR("backward")));
}

static EchoValue *reshape_to(const Pair *pair, EchoValue *value, const EchoType *type)
{
  if (value->type == type)
    return value;
  EchoBuilder builder = echo_builder_before(pair->anchor);
  EchoOp *op = echo_build_op(&builder, "stablehlo.reshape", &value, 1, &type, 1, NULL, 0);
  mark_clone(op);
  return echo_op_result(op, 0);
}

/* Recursion is bounded: only what is_derivable followed is built. */
static EchoValue *build(Pair *pair, EchoValue *value, uint64_t trip_hash)
{
  EchoValue *known = echo_map_get_ptr(&pair->built, value);
  if (known != NULL)
    return known;
  const Stack *stack = kept_stack_or_null(pair, value, trip_hash);
  EchoValue *made = stack == NULL ? outer_value_or_null(pair, value) : NULL;
  if (stack != NULL) {
    const EchoUse *use = stack->inside->first_use;
    while (use->owner == pair->to->last)
      use = use->next;
    made = reshape_to(pair, echo_op_result(use->owner, 0), value->type);
  } else if (made == NULL) {
    EchoOp *op = echo_value_def_or_null(value);
    EchoOp *clone = echo_op_clone(op, NULL);
    for (size_t i = 0; i < op->n_operands; ++i)
      echo_op_set_operand(clone, i, build(pair, echo_op_operand(op, i), trip_hash));
    echo_op_insert_before(clone, pair->anchor);
    mark_clone(clone);
    made = echo_op_result(clone, 0);
  }
  echo_map_set_ptr(&pair->built, value, made);
  return made;
}

static bool reads_stack(const Pair *pair, const EchoOp *op)
{
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_SLICE &&
        echo_op_operand(op, 0) == pair->stacks.data[i].inside)
      return true;
  return false;
}

/* Slices of stacks and the arithmetic of their indices go to the front of the body, so that what is
 * built can read them. */
static void hoist_slices(Pair *pair)
{
  pair->anchor = NULL;
  for (EchoOp *op = pair->to->first, *next; op != NULL; op = next) {
    next = op->next;
    bool is_index =
        op->n_results == 1 && op->n_regions == 0 && is_scalar_integer(echo_op_result(op, 0));
    bool is_flag = op->n_results == 1 && echo_hlo_opcode(op) == ECHO_HLO_COMPARE &&
                   echo_type_rank(echo_op_result_type(op, 0)) == 0;
    int64_t index;
    bool is_early = reads_stack(pair, op);
    if (is_index || is_flag)
      is_early = index_at(echo_op_result(op, 0), counter_of(pair->to, &pair->read),
                          pair->read.start, MAX_DEPTH, &index);
    if (!is_early && pair->anchor == NULL)
      pair->anchor = op;
    else if (is_early && pair->anchor != NULL)
      echo_op_move_before(op, pair->anchor);
  }
}

static void replace_slices(Pair *pair, Stack *stack)
{
  if (pair->built_hash != stack->trip_hash)
    echo_map_clear(&pair->built);
  pair->built_hash = stack->trip_hash;
  EchoValue *value = build(pair, stack->value, stack->trip_hash);
  ECHO_VECTOR(EchoOp *) slices = {0};
  for (EchoUse *use = stack->inside->first_use; use != NULL; use = use->next)
    if (use->owner != pair->to->last)
      echo_vector_push(&slices, use->owner);
  for (size_t i = 0; i < slices.size; ++i) {
    EchoOp *slice = slices.data[i];
    echo_value_replace_all_uses(echo_op_result(slice, 0),
                                reshape_to(pair, value, echo_op_result_type(slice, 0)));
    echo_op_erase(slice);
  }
  echo_vector_destroy(&slices);
}

/* The loop without the carried values that `is_gone` names, which nobody reads any more. */
static EchoOp *rebuild_loop(EchoOp *loop, const bool *is_gone, EchoArena *scratch)
{
  EchoArenaMark mark = echo_arena_mark(scratch);
  uint32_t n = loop->n_operands, kept = 0;
  EchoValue **operands = ECHO_ARENA_ARRAY(scratch, EchoValue *, n);
  const EchoType **types = ECHO_ARENA_ARRAY(scratch, const EchoType *, n);
  EchoOp *end = echo_op_body(loop, 1)->last;
  for (uint32_t i = 0; i < n; ++i)
    if (!is_gone[i])
      operands[kept++] = echo_op_operand(end, i);
  echo_op_set_operands(end, operands, kept);
  kept = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (!is_gone[i]) {
      operands[kept] = echo_op_operand(loop, i);
      types[kept++] = echo_op_result_type(loop, i);
    }
  EchoOpState state = {.ctx = echo_op_context(loop),
                       .info = loop->info,
                       .loc = loop->loc,
                       .operands = operands,
                       .result_types = types,
                       .properties = loop->properties,
                       .attrs = loop->attrs,
                       .n_operands = kept,
                       .n_results = kept,
                       .n_regions = 2};
  EchoOp *made = echo_op_create(&state);
  echo_op_insert_before(made, loop);
  kept = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (!is_gone[i])
      echo_value_replace_all_uses(echo_op_result(loop, i), echo_op_result(made, kept++));
  for (size_t r = 0; r < 2; ++r) {
    EchoBlock *block = echo_op_body(loop, r);
    for (uint32_t i = n; i-- > 0;)
      if (is_gone[i])
        echo_block_erase_arg(block, i);
    echo_region_take_blocks(&made->regions[r], &loop->regions[r]);
  }
  echo_op_erase(loop);
  echo_arena_reset(scratch, mark);
  return made;
}

static void erase_dead_ops(EchoBlock *block)
{
  for (EchoOp *op = block->last, *previous; op != NULL; op = previous) {
    previous = op->prev;
    bool is_unused = echo_op_is_dead_if_unused(op);
    for (size_t i = 0; i < op->n_results; ++i)
      is_unused &= echo_value_is_unused(echo_op_result(op, i));
    if (is_unused)
      echo_op_erase(op);
  }
}

/* Ends the updates of dropped stacks, and their way through both loops. */
static void remove_stacks(Pair *pair)
{
  EchoArenaMark mark = echo_arena_mark(pair->scratch);
  bool *from_reader = ECHO_ARENA_ARRAY(pair->scratch, bool, pair->reader->n_operands);
  bool *from_writer = ECHO_ARENA_ARRAY(pair->scratch, bool, pair->writer->n_operands);
  memset(from_reader, 0, pair->reader->n_operands);
  memset(from_writer, 0, pair->writer->n_operands);
  for (size_t i = 0; i < pair->stacks.size; ++i)
    if (pair->stacks.data[i].is_dropped) {
      from_reader[pair->stacks.data[i].inside->index] = true;
      from_writer[pair->stacks.data[i].carried] = true;
    }
  pair->reader = rebuild_loop(pair->reader, from_reader, pair->scratch);
  /* The update reads the argument that goes; without a reader of its own it goes first. */
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const Stack *stack = &pair->stacks.data[i];
    if (!stack->is_dropped)
      continue;
    echo_op_set_operand(pair->from->last, stack->carried, echo_op_operand(stack->update, 0));
    echo_op_erase(stack->update);
  }
  pair->writer = rebuild_loop(pair->writer, from_writer, pair->scratch);
  erase_dead_ops(pair->from);
  erase_dead_ops(pair->to);
  echo_arena_reset(pair->scratch, mark);
}

static size_t drop_between(EchoOp **writer, EchoOp **reader, EchoArena *scratch)
{
  Pair pair = {.writer = *writer, .reader = *reader, .scratch = scratch};
  size_t n_dropped = 0;
  pair.from = echo_op_body(pair.writer, 1);
  pair.to = echo_op_body(pair.reader, 1);
  bool is_counted = echo_hlo_counted_loop(pair.writer, &pair.written) &&
                    echo_hlo_counted_loop(pair.reader, &pair.read);
  if (is_counted && pair.written.n_trips <= MAX_TRIPS && pair.read.n_trips <= MAX_TRIPS) {
    find_stacks(&pair);
    n_dropped = choose_dropped(&pair);
  }
  if (n_dropped != 0) {
    hoist_slices(&pair);
    for (size_t i = 0; i < pair.stacks.size; ++i)
      if (pair.stacks.data[i].is_dropped)
        replace_slices(&pair, &pair.stacks.data[i]);
    remove_stacks(&pair);
    *writer = pair.writer;
    *reader = pair.reader;
  }
  echo_vector_destroy(&pair.stacks);
  echo_map_destroy(&pair.stack_of);
  echo_map_destroy(&pair.built);
  return n_dropped;
}

static bool is_loop(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_WHILE;
}

static size_t drop_in_block(EchoBlock *block, EchoArena *scratch)
{
  size_t n_dropped = 0;
  for (EchoOp *writer = block->first; writer != NULL; writer = writer->next)
    for (EchoOp *reader = is_loop(writer) ? writer->next : NULL; reader != NULL;
         reader = reader->next)
      if (is_loop(reader))
        n_dropped += drop_between(&writer, &reader, scratch);
  return n_dropped;
}

/* From the inside out: a block outlives the op that it is of, unless it is dead, and then it has
 * been looked at. */
size_t echo_drop_stacks(EchoOp *function, EchoArena *scratch)
{
  ECHO_VECTOR(EchoBlock *) blocks = {0};
  for (EchoOp *op = echo_op_post_order_first(function); op != function;
       op = echo_op_post_order_next(op))
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      echo_vector_push(&blocks, echo_op_body(op, r));
  echo_vector_push(&blocks, echo_op_body(function, 0));
  size_t n_dropped = 0;
  for (size_t i = 0; i < blocks.size; ++i)
    n_dropped += drop_in_block(blocks.data[i], scratch);
  echo_vector_destroy(&blocks);
  return n_dropped;
}
