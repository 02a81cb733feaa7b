/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which values are stacks, found by following the indices of both loops through all iterations. */
#include "echo_pass/loop_pair_t.h"

#include "dialects/stablehlo/opcode.h"
#include "planning/loops/change.h"
#include "planning/loops/slices.h"

static const EchoValue *counter_of(const EchoBlock *body, const EchoCountedLoop *counted)
{
  return echo_block_arg(body, counted->counter);
}

const EchoValue *echo_loop_pair_read_counter(const EchoLoopPair *pair)
{
  return counter_of(pair->to, &pair->read);
}

EchoValue *echo_loop_pair_outer_or_null(const EchoLoopPair *pair, EchoValue *value)
{
  if (echo_value_block(value) != pair->from)
    return value;
  return value->is_block_arg && echo_loop_is_invariant(pair->writer, value->index)
             ? echo_op_operand(pair->writer, value->index)
             : NULL;
}

/* Which iteration of the writer wrote the slice that each iteration of the reader reads, as
 * stack->trip_hash, and stack->counts. False unless there is one for each. */
static bool find_trips(const EchoLoopPair *pair, EchoStack *stack, const EchoValue *read)
{
  const EchoValue *written = echo_op_operand(stack->update, 2);
  const EchoValue *counter = counter_of(pair->from, &pair->written);
  int64_t n = pair->written.n_trips, n_slices = echo_type_dim(stack->inside->type, 0);
  if (n_slices > ECHO_LOOP_MAX_TRIPS)
    return false;
  bool holds = true;
  stack->counts = written->type == counter->type && written->type == read->type;
  EchoArenaMark mark = echo_arena_mark(pair->scratch);
  int64_t *trip_of = ECHO_ARENA_ARRAY(pair->scratch, int64_t, (size_t)n_slices);
  for (int64_t i = 0; i < n_slices; ++i)
    trip_of[i] = -1;
  for (int64_t t = 0; holds && t < n; ++t) {
    int64_t index, count = pair->written.start + t * pair->written.step;
    holds = echo_loop_index_at(written, counter, count, &index) && index >= 0 && index < n_slices &&
            trip_of[index] < 0;
    if (holds)
      trip_of[index] = t;
    stack->counts &= holds && index == count;
  }
  stack->trip_hash = 0;
  for (int64_t t = 0; holds && t < pair->read.n_trips; ++t) {
    int64_t index;
    holds = echo_loop_index_at(read, counter_of(pair->to, &pair->read),
                               pair->read.start + t * pair->read.step, &index) &&
            index >= 0 && index < n_slices && trip_of[index] >= 0;
    if (holds)
      stack->trip_hash = echo_hash_combine(stack->trip_hash, (uint64_t)trip_of[index]);
  }
  echo_arena_reset(pair->scratch, mark);
  return holds;
}

/* ---- finding stacks ---- */

/* Every use of the stack in the reader's body reads one slice, all in the same order. */
static bool reads_slices(const EchoLoopPair *pair, EchoStack *stack, size_t invariant)
{
  const EchoValue *inside = stack->inside;
  EchoStack first = {0};
  for (const EchoUse *use = inside->first_use; use != NULL; use = use->next) {
    EchoOp *op = use->owner;
    if (op == pair->to->last && echo_use_operand_index(use) == invariant)
      continue;
    if (op->block != pair->to || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE ||
        echo_use_operand_index(use) != 0 ||
        !echo_loop_is_whole_slice(op, 1, inside->type, echo_op_result_type(op, 0)) ||
        !find_trips(pair, stack, echo_op_operand(op, 1)) ||
        (first.slice != NULL && first.trip_hash != stack->trip_hash))
      return false;
    stack->slice = op;
    first = *stack;
  }
  return first.slice != NULL;
}

/* Carried value `i` of the writer as a stack that the reader reads, handed on there as it is; who
 * else reads it is not asked. */
static bool find_read_stack(const EchoLoopPair *pair, uint32_t i, EchoStack *stack)
{
  const EchoValue *result = echo_op_result(pair->writer, i);
  EchoOp *update = echo_loop_stacking_or_null(pair->writer, i);
  *stack = (EchoStack){.carried = i, .update = update};
  const EchoUse *use = result->first_use;
  while (use != NULL && use->owner != pair->reader)
    use = use->next;
  if (update == NULL || use == NULL)
    return false;
  size_t k = echo_use_operand_index(use);
  stack->inside = echo_block_arg(pair->to, k);
  stack->value = echo_loop_stacked_value(update);
  return echo_loop_is_invariant(pair->reader, k) &&
         echo_value_is_unused(echo_op_result(pair->reader, k)) &&
         echo_value_is_unused(echo_block_arg(echo_op_body(pair->reader, 0), k)) &&
         reads_slices(pair, stack, k);
}

static bool is_behind(const EchoLoopPair *pair, const EchoOp *op)
{
  return op->block == pair->reader->block && echo_hlo_opcode(op) == ECHO_HLO_WHILE &&
         echo_op_is_before(pair->reader, op);
}

/* Whether the use is of a loop behind the reader that reads carried value `i` as a stack as well:
 * it is asked in its turn whether it can do without. */
static bool may_do_without(const EchoLoopPair *pair, uint32_t i, const EchoUse *use)
{
  EchoLoopPair other = *pair;
  EchoStack stack;
  other.reader = use->owner;
  if (!is_behind(pair, use->owner) || !echo_hlo_counted_loop(other.reader, &other.read) ||
      other.read.n_trips > ECHO_LOOP_MAX_TRIPS)
    return false;
  other.to = echo_op_body(other.reader, 1);
  return find_read_stack(&other, i, &stack);
}

static bool find_stack(const EchoLoopPair *pair, uint32_t i, EchoStack *stack)
{
  const EchoValue *result = echo_op_result(pair->writer, i);
  size_t n_own = 0;
  if (!find_read_stack(pair, i, stack))
    return false;
  stack->may_go = true;
  for (const EchoUse *use = result->first_use; use != NULL && stack->may_go; use = use->next) {
    n_own += use->owner == pair->reader;
    stack->is_shared |= use->owner != pair->reader;
    stack->may_go = use->owner == pair->reader ? n_own == 1 : may_do_without(pair, i, use);
  }
  return true;
}

const EchoStack *echo_loop_pair_like(const EchoLoopPair *pair, uint64_t trip_hash)
{
  const EchoStack *like = NULL;
  for (size_t i = 0; i < pair->stacks.size; ++i) {
    const EchoStack *stack = &pair->stacks.data[i];
    if (stack->trip_hash == trip_hash && (like == NULL || stack->counts))
      like = stack;
  }
  return like;
}

EchoValue *echo_loop_pair_stacked_or_null(const EchoLoopPair *pair, const EchoStack *like,
                                          uint32_t i, bool *stays)
{
  const EchoOp *update = echo_loop_stacking_or_null(pair->writer, i);
  if (update == NULL || echo_op_operand(update, 2) != echo_op_operand(like->update, 2) ||
      echo_type_dim(echo_op_result_type(pair->writer, i), 0) !=
          echo_type_dim(like->inside->type, 0))
    return NULL;
  *stays = false;
  for (const EchoUse *use = echo_op_result(pair->writer, i)->first_use; use != NULL;
       use = use->next)
    *stays |= use->owner != pair->reader && echo_hlo_opcode(use->owner) == ECHO_HLO_WHILE &&
              !is_behind(pair, use->owner);
  return echo_loop_stacked_value(update);
}

static bool slices_in(const EchoUse *use, const EchoBlock *body)
{
  return use->owner->block == body && echo_hlo_opcode(use->owner) == ECHO_HLO_DYNAMIC_SLICE &&
         echo_use_operand_index(use) == 0;
}

/* Uses of `value` in the reader's body are of a carried value now, which is handed on as it is. */
static EchoOp *carry(EchoOp *reader, EchoValue *value)
{
  const EchoBlock *body = echo_op_body(reader, 1);
  EchoValue *inside = echo_loop_add_carried(reader, value->type);
  for (EchoUse *use = value->first_use, *next; use != NULL; use = next) {
    next = use->next;
    if (slices_in(use, body))
      echo_use_set(use, inside);
  }
  echo_loop_yield(reader, inside);
  bool *is_gone = echo_alloc_zero(reader->n_operands + 1u, sizeof *is_gone);
  reader = echo_loop_rebuild(reader, is_gone, &value, 1);
  echo_free(is_gone);
  return reader;
}

EchoOp *echo_loop_carry_stacks(EchoOp *writer, EchoOp *reader)
{
  for (uint32_t i = 0; i < writer->n_results; ++i) {
    const EchoUse *use = echo_op_result(writer, i)->first_use;
    while (use != NULL && !slices_in(use, echo_op_body(reader, 1)))
      use = use->next;
    if (use != NULL)
      reader = carry(reader, echo_op_result(writer, i));
  }
  return reader;
}

void echo_loop_pair_create(EchoLoopPair *pair, EchoOp *writer, EchoOp *reader, EchoArena *scratch)
{
  *pair = (EchoLoopPair){.writer = writer, .reader = reader, .scratch = scratch};
  if (!echo_hlo_counted_loop(writer, &pair->written) ||
      !echo_hlo_counted_loop(reader, &pair->read) || pair->written.n_trips > ECHO_LOOP_MAX_TRIPS ||
      pair->read.n_trips > ECHO_LOOP_MAX_TRIPS)
    return;
  pair->from = echo_op_body(writer, 1);
  pair->to = echo_op_body(reader, 1);
  for (uint32_t i = 0; i < writer->n_operands; ++i) {
    EchoStack stack;
    if (find_stack(pair, i, &stack))
      echo_vector_push(&pair->stacks, stack);
  }
}

void echo_loop_pair_destroy(EchoLoopPair *pair)
{
  echo_vector_destroy(&pair->stacks);
}
