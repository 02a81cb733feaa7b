/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --shard-state: what a step takes from the step before, and every process has the same of (moments
 * of an optimizer), is kept in parts: each process has its own and makes the next of it. What is
 * added up between processes for that alone goes to them in parts (all_reduce becomes
 * reduce_scatter), what all need whole is gathered when it is made (parameters).
 *
 *   find    along which digits processes have the same of which value (own_values.c)
 *   choose  state whose every reader can take it in parts; the rest is as it was (split_follow.c)
 *   write   main once more, as --partition does (split_write.c)
 *
 * A program as each process runs it comes in and goes out. No name, no order of ops and no
 * optimizer plays a part. Bits do not change: what is cut is computed element by element, a
 * reduce_scatter adds up as an all_reduce does, and sums over what is cut are made of the whole,
 * unless `sums=parts` allows for another order. */
#include <string.h>

#include "base/arena.h"
#include "dialects/echo/stages.h"
#include "dialects/func/build.h"
#include "dialects/stablehlo/build.h"
#include "ir/diagnostics.h"
#include "lowering/calls/collectives_t.h"
#include "lowering/calls/custom_calls_t.h"
#include "lowering/lowering.h"
#include "lowering/partition/shardings_t.h"

/* An argument and the result that takes its place in the next step. */
typedef struct Pair {
  uint32_t arg, result;
  const EchoSplit *split; /* NULL: stays as it is */
} Pair;

typedef struct State {
  EchoPassRun *pass;
  EchoOp *main;
  EchoBlock *body;
  EchoSplits splits;
  EchoOwnValues own;
  ECHO_VECTOR(Pair) pairs;
  uint64_t *same; /* per argument: digits along which it is the same */
} State;

/* ---- what belongs together ---- */

static void add_pair(State *state, uint64_t arg, uint64_t result)
{
  for (size_t i = 0; i < state->pairs.size; i++)
    if (state->pairs.data[i].arg == arg || state->pairs.data[i].result == result)
      return;
  echo_vector_push(&state->pairs, (Pair){(uint32_t)arg, (uint32_t)result, NULL});
}

static void add_aliases(State *state)
{
  for (uint32_t i = 0; i < state->body->n_args; i++) {
    const EchoAttr *alias = echo_func_arg_attr_or_null(state->main, i, "tf.aliasing_output");
    if (alias != NULL && alias->kind == ECHO_ATTR_INTEGER && alias->as.integer.value >= 0 &&
        alias->as.integer.value < state->body->last->n_operands)
      add_pair(state, i, (uint64_t)alias->as.integer.value);
  }
}

/* "res1:arg0,res2:arg3". */
static bool add_feeds(State *state)
{
  EchoStr text = echo_pass_option(state->pass, "feeds");
  while (text.size != 0) {
    const char *comma = memchr(text.data, ',', text.size);
    EchoStr one = {text.data, comma != NULL ? (size_t)(comma - text.data) : text.size};
    const char *colon = memchr(one.data, ':', one.size);
    const size_t at = colon != NULL ? (size_t)(colon - one.data) : 0;
    uint64_t result, arg;
    if (colon == NULL || !echo_str_starts_with(one, "res") ||
        !echo_str_to_u64((EchoStr){one.data + 3, at - 3}, &result) || one.size < at + 4 ||
        memcmp(colon, ":arg", 4) != 0 ||
        !echo_str_to_u64((EchoStr){colon + 4, one.size - at - 4}, &arg) ||
        arg >= state->body->n_args || result >= state->body->last->n_operands)
      return echo_op_error(state->main, "'%.*s' is no result and argument of it: resI:argJ",
                           ECHO_STR_ARG(one));
    add_pair(state, arg, result);
    text = comma != NULL ? (EchoStr){comma + 1, text.size - one.size - 1} : (EchoStr){0};
  }
  return true;
}

/* ---- what processes have in common ---- */

static const EchoAttr *result_attr_or_null(const State *state, uint32_t i, const char *name)
{
  const EchoAttr *all = echo_op_attr_or_null(state->main, "res_attrs");
  const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
  return attrs != NULL ? echo_dictionary_get_or_null(attrs, name) : NULL;
}

/* Digits along which nothing cuts; none where it is not said that processes share the value. */
static uint64_t uncut_digits(const EchoSplits *splits, const EchoAttr *parts, const EchoAttr *order,
                             const EchoType *type)
{
  uint64_t digits = 0;
  if (parts == NULL || order != NULL || !echo_parts_fit(parts, type, splits->n_processes))
    return 0;
  const EchoCut cut = echo_parts_cut(parts), sum = echo_parts_sum(parts);
  if (sum.n_parts != 1)
    return 0;
  for (size_t a = 0; a < splits->n_digits; a++) {
    bool is_cut = false;
    for (size_t i = 0; i < cut.n_axes; i++)
      is_cut |= splits->digits[a].stride >= cut.axes[i].stride &&
                splits->digits[a].stride < cut.axes[i].stride * cut.axes[i].size;
    digits |= is_cut ? 0 : UINT64_C(1) << a;
  }
  return digits;
}

/* Members that are as far apart as each other, as one axis. */
static const EchoAttr *axis_of_group(EchoContext *ctx, const int64_t *ranks, int64_t size)
{
  if (size < 2 || ranks[0] < 0)
    return NULL;
  const int64_t numbers[] = {1, ranks[1] - ranks[0], size};
  for (int64_t i = 1; i < size; i++)
    if (ranks[i] - ranks[i - 1] != numbers[1] || numbers[1] < 1)
      return NULL;
  return echo_attr_i64_array(ctx, numbers, 3);
}

/* Digits of all that cuts something, and of all groups. */
static bool create_splits(State *state, const EchoProcesses *processes)
{
  ECHO_VECTOR(const EchoAttr *) all = {0};
  const int64_t n_processes = processes->n_replicas * processes->n_partitions;
  bool ok = true;
  for (uint32_t i = 0; i < state->body->n_args; i++) {
    const EchoAttr *parts = echo_func_arg_attr_or_null(state->main, i, ECHO_PARTS);
    if (parts != NULL && echo_parts_fit(parts, echo_block_arg(state->body, i)->type, n_processes))
      echo_vector_push(&all, parts);
  }
  for (EchoOp *op = state->main; op != NULL && ok; op = echo_op_walk_next(state->main, op)) {
    const int64_t *ranks;
    size_t n = 0;
    int64_t size = 0;
    if (echo_hlo_opcode(op) != ECHO_HLO_ALL_REDUCE)
      continue;
    ok = echo_collective_groups(op, processes, state->pass->scratch, &ranks, &n, &size);
    if (ok && n != 0)
      echo_vector_push(&all, axis_of_group(state->pass->ctx, ranks, size));
  }
  echo_splits_create(&state->splits, state->pass->scratch, n_processes, all.data, all.size);
  echo_vector_destroy(&all);
  return ok;
}

/* What is the same in the first step, and made the same by each: an argument that is fed with what
 * differs differs. */
static bool find_same(State *state)
{
  state->same = ECHO_ARENA_ARRAY(state->pass->scratch, uint64_t, state->body->n_args + 1);
  for (uint32_t i = 0; i < state->body->n_args; i++)
    state->same[i] =
        uncut_digits(&state->splits, echo_func_arg_attr_or_null(state->main, i, ECHO_PARTS),
                     echo_func_arg_attr_or_null(state->main, i, ECHO_ORDER),
                     echo_block_arg(state->body, i)->type);
  for (bool again = true; again;) {
    again = false;
    if (!echo_own_values_find(&state->splits, &state->own, state->main, state->same))
      return false;
    for (size_t i = 0; i < state->pairs.size; i++) {
      const Pair *pair = &state->pairs.data[i];
      const uint64_t now =
          state->same[pair->arg] &
          echo_map_get_or(&state->own.same,
                          echo_key(echo_op_operand(state->body->last, pair->result)), 0);
      again |= now != state->same[pair->arg];
      state->same[pair->arg] = now;
    }
  }
  return true;
}

/* ---- what is cut, and where ---- */

/* The first dimension that all of them divide, so that parts lie together where that can be. */
static const EchoSplit *cut_or_null(State *state, const EchoType *type, uint64_t digits)
{
  EchoSplits *splits = &state->splits;
  EchoSplit split = echo_split_none();
  int64_t n = 1;
  for (size_t a = 0; a < splits->n_digits; a++)
    n *= (digits >> a & 1) != 0 ? splits->digits[a].size : 1;
  for (size_t d = 0; n != 1 && d < echo_type_rank(type); d++) {
    int64_t span = echo_type_dim(type, d);
    if (span == 0 || span % n != 0)
      continue;
    for (size_t a = 0; a < splits->n_digits; a++)
      if ((digits >> a & 1) != 0) {
        span /= splits->digits[a].size;
        split.at[a] = (EchoPlace){.dim = (uint8_t)d, .span = span};
      }
    return echo_split_keep(splits, &split);
  }
  return NULL;
}

/* What may be cut; bytes of what is the same but of no such shape are counted. */
static uint64_t choose_all(State *state)
{
  uint64_t whole_bytes = 0;
  for (size_t i = 0; i < state->pairs.size; i++) {
    Pair *pair = &state->pairs.data[i];
    const EchoType *type = echo_block_arg(state->body, pair->arg)->type;
    if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type) ||
        type != echo_op_operand_type(state->body->last, pair->result) ||
        echo_func_arg_attr_or_null(state->main, pair->arg, ECHO_PARTS) !=
            result_attr_or_null(state, pair->result, ECHO_PARTS) ||
        state->same[pair->arg] == 0)
      continue;
    pair->split = cut_or_null(state, type, state->same[pair->arg]);
    whole_bytes += pair->split == NULL ? echo_type_static_bytes(type) : 0;
  }
  return whole_bytes;
}

/* How each value is had when the state is cut as chosen: as values come, then as they are taken. */
static bool follow(State *state, const EchoSplit **results)
{
  EchoSplits *splits = &state->splits;
  const uint32_t n_results = state->body->last->n_operands;
  echo_splits_forget(splits);
  for (uint32_t i = 0; i < n_results; i++)
    results[i] = NULL;
  for (size_t i = 0; i < state->pairs.size; i++) {
    const Pair *pair = &state->pairs.data[i];
    echo_split_set(splits, echo_block_arg(state->body, pair->arg), pair->split);
    results[pair->result] = pair->split;
  }
  if (!echo_splits_follow(splits, state->main))
    return false;
  echo_splits_demand(splits, state->main, results);
  return echo_splits_follow(splits, state->main);
}

/* Whether `op`, which gives each process something of its own, wants more of the value than it is
 * cut to. What gives all of them the same may have it gathered: what it makes of it need not be. */
static bool is_needed_whole(const State *state, const EchoOp *op, uint32_t i)
{
  const EchoSplits *splits = &state->splits;
  const EchoSplit *has = echo_split_of(splits, echo_op_operand(op, i));
  const EchoSplit *const *wants = echo_wants_or_null(splits, op);
  const uint64_t same = echo_same_results(splits, op);
  for (size_t a = 0; has != NULL && a < splits->n_digits; a++)
    if (echo_place_cuts(has->at[a]) && (same >> a & 1) == 0 &&
        (wants == NULL || wants[i] == NULL || !echo_place_equal(wants[i]->at[a], has->at[a])))
      return true;
  return false;
}

typedef ECHO_VECTOR(const EchoValue *) Values;

/* What it was made of, as far as that is cut, too. */
static void add_sources(const State *state, const EchoValue *value, Values *open)
{
  const EchoOp *op = echo_value_def_or_null(value);
  const EchoOp *outer = op == NULL ? echo_block_parent(echo_value_block(value)) : NULL;
  for (uint32_t i = 0; op != NULL && i < op->n_operands; i++)
    if (echo_split_of(&state->splits, echo_op_operand(op, i)) != NULL)
      echo_vector_push(open, echo_op_operand(op, i));
  for (uint16_t r = 0; op != NULL && r < op->n_regions; r++)
    for (const EchoBlock *block = op->regions[r].first; block != NULL; block = block->next)
      for (uint32_t i = 0; block->last != NULL && i < block->last->n_operands; i++)
        if (echo_split_of(&state->splits, echo_op_operand(block->last, i)) != NULL)
          echo_vector_push(open, echo_op_operand(block->last, i));
  if (outer != NULL && outer != state->main)
    for (uint32_t i = 0; i < outer->n_operands; i++)
      if (echo_split_of(&state->splits, echo_op_operand(outer, i)) != NULL)
        echo_vector_push(open, echo_op_operand(outer, i));
}

/* State that leads to what is needed whole. */
static void find_needed(const State *state, EchoMap *needed)
{
  Values open = {0};
  for (EchoOp *op = state->main; op != NULL; op = echo_op_walk_next(state->main, op))
    for (uint32_t i = 0; i < op->n_operands && !echo_op_has_trait(op, ECHO_RETURN_LIKE); i++)
      if (is_needed_whole(state, op, i))
        echo_vector_push(&open, echo_op_operand(op, i));
  while (open.size != 0) {
    const EchoValue *value = open.data[--open.size];
    if (echo_map_insert(needed, echo_key(value), 1))
      add_sources(state, value, &open);
  }
  echo_vector_destroy(&open);
}

/* State that what each process does needs whole stays so, until there is none: parameters. */
static bool choose(State *state, const EchoSplit **results)
{
  for (bool again = true; again;) {
    EchoMap needed = {0};
    again = false;
    if (!follow(state, results))
      return false;
    find_needed(state, &needed);
    for (size_t i = 0; i < state->pairs.size; i++) {
      Pair *pair = &state->pairs.data[i];
      if (pair->split == NULL ||
          !echo_map_has(&needed, echo_key(echo_block_arg(state->body, pair->arg))))
        continue;
      pair->split = NULL;
      again = true;
    }
    echo_map_destroy(&needed);
  }
  return true;
}

/* ---- the signature ---- */

/* `parts`, and what `split` cuts of a part: below, in each dimension. */
static const EchoAttr *joined_parts(State *state, const EchoAttr *parts, const EchoSplit *split,
                                    const EchoType *type)
{
  EchoContext *ctx = state->pass->ctx;
  const EchoAttr *more = echo_split_parts(&state->splits, ctx, split, type);
  ECHO_VECTOR(int64_t) numbers = {0};
  const size_t outer_size = echo_attr_ints_size(parts), inner_size = echo_attr_ints_size(more);
  size_t outer = 0, inner = 0;
  while (outer < outer_size || inner < inner_size) {
    EchoCut cuts[2] = {{.n_parts = 1}, {.n_parts = 1}};
    if (outer < outer_size)
      cuts[0] = echo_parts_next_cut(parts, &outer);
    if (inner < inner_size)
      cuts[1] = echo_parts_next_cut(more, &inner);
    echo_vector_push(&numbers, (int64_t)(cuts[0].n_axes + cuts[1].n_axes));
    for (size_t k = 0; k < 2; k++)
      for (size_t i = 0; i < cuts[k].n_axes; i++) {
        echo_vector_push(&numbers, cuts[k].axes[i].stride);
        echo_vector_push(&numbers, cuts[k].axes[i].size);
      }
  }
  const EchoAttr *all = echo_attr_i64_array(ctx, numbers.data, numbers.size);
  echo_vector_destroy(&numbers);
  return all;
}

static void mark_results(State *state, const EchoAttr *const *parts)
{
  EchoContext *ctx = state->pass->ctx;
  const EchoAttr *all = echo_op_attr_or_null(state->main, "res_attrs");
  ECHO_VECTOR(const EchoAttr *) own = {0};
  for (uint32_t i = 0; i < state->body->last->n_operands; i++) {
    const EchoAttr *attrs = all != NULL ? all->as.array.elements[i] : NULL;
    if (parts[i] != NULL)
      attrs = echo_dictionary_with(ctx, attrs, ECHO_STR(ECHO_PARTS), parts[i]);
    else if (attrs == NULL)
      attrs = echo_dictionary_with(ctx, NULL, ECHO_STR(ECHO_PARTS), NULL);
    echo_vector_push(&own, attrs);
  }
  echo_op_set_attr(state->main, "res_attrs", echo_attr_array(ctx, own.data, own.size));
  echo_vector_destroy(&own);
}

/* Before main is written: shapes are those of what a process has now. */
static const EchoAttr **mark_arguments(State *state)
{
  const uint32_t n_results = state->body->last->n_operands;
  const EchoAttr **parts = ECHO_ARENA_ARRAY(state->pass->scratch, const EchoAttr *, n_results + 1);
  for (uint32_t i = 0; i < n_results; i++)
    parts[i] = NULL;
  for (size_t i = 0; i < state->pairs.size; i++) {
    const Pair *pair = &state->pairs.data[i];
    if (pair->split == NULL)
      continue;
    const EchoAttr *had = echo_func_arg_attr_or_null(state->main, pair->arg, ECHO_PARTS);
    const EchoAttr *has =
        joined_parts(state, had, pair->split, echo_block_arg(state->body, pair->arg)->type);
    echo_func_set_arg_attr(state->main, pair->arg, ECHO_PARTS, has);
    parts[pair->result] = has;
  }
  return parts;
}

/* ---- the pass ---- */

static bool shard(State *state)
{
  EchoPassRun *pass = state->pass;
  const uint64_t whole_bytes = choose_all(state);
  const EchoSplit **results =
      ECHO_ARENA_ARRAY(pass->scratch, const EchoSplit *, state->body->last->n_operands + 1);
  if (!choose(state, results))
    return false;
  uint64_t n = 0, bytes = 0;
  for (size_t i = 0; i < state->pairs.size; i++) {
    const Pair *pair = &state->pairs.data[i];
    const EchoType *type = echo_block_arg(state->body, pair->arg)->type;
    if (pair->split == NULL)
      continue;
    n++;
    bytes += echo_type_static_bytes(type) -
             echo_type_static_bytes(echo_split_type(&state->splits, pass->ctx, type, pair->split));
  }
  echo_pass_count(pass, "sharded", n);
  echo_pass_count(pass, "bytes", bytes);
  echo_pass_count(pass, "undivided-bytes", whole_bytes);
  pass->keeps_all = n == 0;
  if (n == 0)
    return true;
  const EchoAttr **parts = mark_arguments(state);
  const EchoSplitFacts facts = echo_splits_write(&state->splits, state->main, results);
  echo_pass_count(pass, "scattered-bytes", facts.reduced_bytes);
  echo_pass_count(pass, "gathered-bytes", facts.gathered_bytes);
  mark_results(state, parts);
  echo_op_set_attr(pass->op, ECHO_STATE_ELSEWHERE, echo_attr_i64(pass->ctx, (int64_t)bytes));
  echo_op_set_attr(pass->op, ECHO_STATE_UNDIVIDED, echo_attr_i64(pass->ctx, (int64_t)whole_bytes));
  echo_set_type_of_body(state->main);
  return true;
}

static bool run(EchoPassRun *pass)
{
  EchoOp *module = pass->op, *main = echo_module_main_or_null(module);
  const EchoProcesses processes = echo_processes_of(module);
  EchoStr sums = echo_pass_option(pass, "sums");
  pass->keeps_all = true;
  if (!echo_str_is(sums, "whole") && !echo_str_is(sums, "parts"))
    return echo_op_error(module, "sums are made of the whole or of parts, not '%.*s'",
                         ECHO_STR_ARG(sums));
  if (main == NULL || processes.n_replicas < 1 || processes.n_partitions < 1 ||
      processes.n_replicas > INT32_MAX / processes.n_partitions ||
      processes.n_replicas * processes.n_partitions == 1)
    return true;
  State state = {.pass = pass, .main = main, .body = echo_op_body(main, 0)};
  state.own.keeps_order = echo_str_is(sums, "whole");
  bool ok = create_splits(&state, &processes);
  state.splits.own = &state.own;
  add_aliases(&state);
  ok = ok && add_feeds(&state) && find_same(&state) && shard(&state);
  echo_own_values_destroy(&state.own);
  echo_splits_destroy(&state.splits);
  echo_vector_destroy(&state.pairs);
  return ok;
}

static const EchoPassOption options[] = {
    {"feeds",
     "results and the arguments that they are in the next step, \"res1:arg0,res2:arg1\", "
     "beside those with tf.aliasing_output",
     ""},
    {"sums", "of what is cut: whole, with the bits of before; parts, added up between processes",
     "whole"},
    {0}};

static const EchoPassStatistic statistics[] = {
    {"sharded", "arguments that a process has its part of"},
    {"bytes", "that a process no longer has"},
    {"undivided-bytes", "the same everywhere, but of no dimension that the processes divide"},
    {"scattered-bytes", "that are added up to parts"},
    {"gathered-bytes", "that come of gathers"},
    {0}};

const EchoPass ECHO_PASS_SHARD_STATE = {
    .name = "shard-state",
    .summary = "each process keeps its part of what all have the same of between steps",
    .anchor = "builtin.module",
    .options = options,
    .statistics = statistics,
    .run = run,
};
