/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All pairs of loops and of branches of a function by one price, and the prices at which that makes
 * a difference. */
#include "echo_pass/branch_pair_t.h"
#include "echo_pass/next_reader_t.h"

#include "dialects/stablehlo/opcode.h"
#include "ir/pass/simplify.h"
#include "planning/loops/change.h"
#include "planning/loops/inputs.h"
#include "planning/loops/slices.h"

#include <math.h>
#include <stdlib.h>

#define MAX_PASSES 8   /* a loop that runs again inside another may make a pair with one there */
#define MAX_HALVINGS 4 /* of what lies between two choices of one pair */

typedef EchoPrices Prices;

typedef struct Visit {
  const EchoDeviceModel *device;
  EchoArena *scratch;
  double price;
  Prices *turns; /* prices where a choice changes; NULL: choices are carried out */
  size_t n_changes;
  bool is_first; /* what was written has not been looked at */
} Visit;

/* ---- prices ---- */

/* What is decided at once: the stacks that two loops write and read in one order, or what one
 * branch hands to the other. */
typedef struct Subject {
  const EchoLoopPair *loops; /* or NULL: */
  const EchoBranchPair *branches;
  uint64_t trip_hash; /* of loops */
  size_t region;      /* of branches */
} Subject;

static void choose(const Visit *visit, const Subject *subject, double price,
                   EchoStackChoice *choice)
{
  if (subject->loops != NULL)
    echo_stack_choice_create(choice, subject->loops, subject->trip_hash, visit->device, price);
  else
    echo_branch_choice_create(choice, subject->branches, subject->region, visit->device, price);
}

/* Two choices cost the same where the time that one saves is worth the bytes of the other. */
static void collect_turns(Visit *visit, const Subject *subject, const EchoStackChoice *low,
                          const EchoStackChoice *high, int n_halvings)
{
  if (low->bytes <= high->bytes || low->ns >= high->ns)
    return;
  double price = (high->ns - low->ns) / (low->bytes - high->bytes);
  EchoArenaMark mark = echo_arena_mark(visit->scratch);
  EchoStackChoice between = {0};
  if (n_halvings > 0)
    choose(visit, subject, price, &between);
  if (between.bytes < low->bytes && between.bytes > high->bytes) {
    collect_turns(visit, subject, low, &between, n_halvings - 1);
    collect_turns(visit, subject, &between, high, n_halvings - 1);
  } else {
    echo_vector_push(visit->turns, price);
  }
  echo_stack_choice_destroy(&between);
  echo_arena_reset(visit->scratch, mark);
}

/* `body`: the writer's. */
static void collect_prices(Visit *visit, const Subject *subject, const EchoBlock *body)
{
  EchoArenaMark mark = echo_arena_mark(visit->scratch);
  EchoStackChoice low, high;
  double most = echo_body_ns(body, visit->device); /* a byte for all that it could save */
  choose(visit, subject, 0, &low);
  choose(visit, subject, most, &high);
  echo_vector_push(visit->turns, 0);
  collect_turns(visit, subject, &low, &high, MAX_HALVINGS);
  echo_stack_choice_destroy(&low);
  echo_stack_choice_destroy(&high);
  echo_arena_reset(visit->scratch, mark);
}

/* ---- pairs of loops ---- */

static bool is_loop(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_WHILE;
}

/* Of the block, a loop that reads what another hands on. */
static EchoOp *reader_or_null(const EchoOp *writer, const EchoUse *use)
{
  EchoOp *op = echo_op_ancestor_in_block(use->owner, writer->block);
  return op != NULL && is_loop(op) ? op : NULL;
}

static EchoOp *next_loop_or_null(const EchoOp *writer, const EchoOp *after)
{
  return is_loop(writer) ? echo_next_reader_or_null(writer, after, reader_or_null) : NULL;
}

/* Loops inside no longer stack what nobody reads. */
static bool simplify_inside(EchoOp *loop)
{
  bool has_control = false;
  for (EchoOp *op = echo_op_body(loop, 1)->first; op != NULL; op = op->next) {
    has_control |= echo_op_node_kind(op) == ECHO_NODE_CONTROL;
    if (!is_loop(op))
      continue;
    op = echo_loop_drop_unread(op);
    simplify_inside(op);
  }
  return has_control;
}

/* What runs again in the reader may be there already: slices of weights, masks. With loops inside,
 * equal ops are left: regions have their own copies of constants (--isolate-regions). */
static EchoOp *simplify(EchoOp *loop)
{
  const EchoStr ignored[] = {ECHO_STR("echo.phase"), ECHO_STR("echo.recompute")};
  loop = echo_loop_drop_unread(loop);
  bool has_control = simplify_inside(loop);
  echo_loop_redirect_own_slices(loop);
  echo_canonicalize(loop, 0);
  if (!has_control && echo_cse(loop, ignored, sizeof ignored / sizeof ignored[0]) != 0)
    echo_canonicalize(loop, 0);
  return loop;
}

static void decide(Visit *visit, EchoLoopPair *pair, uint64_t trip_hash)
{
  EchoArenaMark mark = echo_arena_mark(visit->scratch);
  EchoStackChoice choice;
  echo_stack_choice_create(&choice, pair, trip_hash, visit->device, visit->price);
  size_t n_changes = echo_stack_choice_apply(pair, &choice);
  visit->n_changes += n_changes;
  if (n_changes != 0) {
    pair->reader = simplify(pair->reader);
    pair->writer = simplify(pair->writer);
  }
  echo_stack_choice_destroy(&choice);
  echo_arena_reset(visit->scratch, mark);
}

static void stack_proposals(Visit *visit, EchoOp **writer, EchoOp **reader)
{
  EchoLoopPair pair;
  echo_loop_pair_create(&pair, *writer, *reader, visit->scratch);
  size_t n = echo_loop_pair_stack_proposals(&pair);
  visit->n_changes += n;
  *reader = n != 0 ? simplify(pair.reader) : pair.reader;
  *writer = n != 0 ? simplify(pair.writer) : pair.writer;
  echo_loop_pair_destroy(&pair);
}

/* Stacks in the order in which they are read, one order after the other: a change moves them. */
static void visit_pair(Visit *visit, EchoOp **writer, EchoOp **reader)
{
  ECHO_VECTOR(uint64_t) seen = {0};
  *reader = echo_loop_carry_stacks(*writer, *reader);
  if (visit->is_first)
    stack_proposals(visit, writer, reader);
  for (bool is_done = false; !is_done;) {
    EchoLoopPair pair;
    echo_loop_pair_create(&pair, *writer, *reader, visit->scratch);
    is_done = true;
    for (size_t i = 0; i < pair.stacks.size && is_done; ++i) {
      uint64_t trip_hash = pair.stacks.data[i].trip_hash;
      for (size_t k = 0; k < seen.size && is_done; ++k)
        is_done = seen.data[k] != trip_hash;
      bool is_new = is_done && pair.stacks.data[i].may_go;
      is_done = !is_new;
      if (!is_new)
        continue;
      echo_vector_push(&seen, trip_hash);
      if (visit->turns != NULL)
        collect_prices(visit, &(Subject){.loops = &pair, .trip_hash = trip_hash}, pair.from);
      else
        decide(visit, &pair, trip_hash);
    }
    *writer = pair.writer;
    *reader = pair.reader;
    echo_loop_pair_destroy(&pair);
  }
  echo_vector_destroy(&seen);
}

/* ---- pairs of branches ---- */

/* Returns the op that took the writer's place, or the same. */
static EchoOp *visit_branches(Visit *visit, EchoOp *writer, EchoOp *reader)
{
  EchoArenaMark mark = echo_arena_mark(visit->scratch);
  EchoBranchPair pair;
  if (!echo_branch_pair_create(&pair, writer, reader, visit->scratch))
    return writer;
  for (size_t r = 0; r < writer->n_regions && visit->turns != NULL; ++r)
    collect_prices(visit, &(Subject){.branches = &pair, .region = r}, echo_op_body(writer, r));
  if (visit->turns == NULL)
    visit->n_changes += echo_branch_pair_decide(&pair, visit->device, visit->price);
  echo_arena_reset(visit->scratch, mark);
  return pair.writer;
}

/* Each with those behind it that read what it hands on, one after the other; or as a part of the
 * first of them, which is NULL's. */
static EchoOp *visit_writer_or_null(Visit *visit, EchoOp *writer)
{
  EchoOp *reader = echo_branch_next_reader_or_null(writer, writer);
  if (reader != NULL && echo_branch_may_sink(writer, reader)) {
    if (visit->turns != NULL)
      echo_vector_push(visit->turns, 0); /* at every price */
    ++visit->n_changes;
    echo_branch_sink(writer, reader);
    echo_branch_simplify(reader);
    return NULL;
  }
  for (; reader != NULL; reader = echo_branch_next_reader_or_null(writer, reader))
    writer = visit_branches(visit, writer, reader);
  return writer;
}

static void visit_block(Visit *visit, EchoBlock *block)
{
  for (EchoOp *op = block->first, *next; op != NULL; op = next) {
    next = op->next;
    if (echo_op_is_branch(op)) {
      op = visit_writer_or_null(visit, op);
      if (op == NULL)
        continue;
      next = op->next;
    }
    if (op->n_results == 0 && echo_op_is_dead_if_unused(op)) /* it hands nothing on any more */
      echo_op_erase(op);
  }
  for (EchoOp *writer = block->first; writer != NULL; writer = writer->next) {
    for (EchoOp *reader = next_loop_or_null(writer, writer); reader != NULL;
         reader = next_loop_or_null(writer, reader)) /* so that it is known who shares a stack */
      reader = echo_loop_carry_stacks(writer, reader);
    for (EchoOp *reader = next_loop_or_null(writer, writer); reader != NULL;
         reader = next_loop_or_null(writer, reader))
      visit_pair(visit, &writer, &reader);
  }
}

typedef ECHO_VECTOR(EchoBlock *) Blocks;

/* From the inside out: a block outlives the op that it is of, unless it is dead, and then it has
 * been looked at. */
static void collect_blocks(EchoOp *function, Blocks *blocks)
{
  for (EchoOp *op = echo_op_post_order_first(function); op != function;
       op = echo_op_post_order_next(op))
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      echo_vector_push(blocks, echo_op_body(op, r));
  echo_vector_push(blocks, echo_op_body(function, 0));
}

static void visit_function(Visit *visit, EchoOp *function)
{
  Blocks blocks = {0};
  collect_blocks(function, &blocks);
  for (size_t i = 0; i < blocks.size; ++i) {
    visit->n_changes +=
        echo_loop_make_inputs(blocks.data[i], visit->device, visit->price, visit->turns);
    visit_block(visit, blocks.data[i]);
  }
  echo_vector_destroy(&blocks);
}

/* ---- the function ---- */

static int compare_prices(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

size_t echo_stack_prices(EchoOp *function, const EchoDeviceModel *device, EchoArena *scratch,
                         double *prices, size_t max)
{
  Prices turns = {0};
  Visit visit = {.device = device, .scratch = scratch, .turns = &turns, .is_first = true};
  visit_function(&visit, function);
  if (turns.size == 0)
    return 0;
  qsort(turns.data, turns.size, sizeof *turns.data, compare_prices);
  size_t n = 0;
  for (size_t i = 0; i < turns.size; ++i)
    if (n == 0 || turns.data[i] > turns.data[n - 1])
      turns.data[n++] = turns.data[i];
  /* One in each stretch between two turns; of many as far apart as they can be. */
  size_t n_prices = n < max ? n : max;
  for (size_t i = 0; i < n_prices; ++i) {
    size_t at = n_prices > 1 ? i * (n - 1) / (n_prices - 1) : 0;
    double from = turns.data[at], to = at + 1 < n ? turns.data[at + 1] : 4 * from;
    prices[i] = from > 0 ? sqrt(from * to) : 0;
  }
  echo_vector_destroy(&turns);
  return n_prices;
}

size_t echo_decide_stacks(EchoOp *function, const EchoDeviceModel *device, double price,
                          EchoArena *scratch)
{
  Visit visit = {.device = device, .scratch = scratch, .price = price, .is_first = true};
  size_t n_before = 0;
  for (int pass = 0; pass < MAX_PASSES && (pass == 0 || visit.n_changes != n_before); ++pass) {
    n_before = visit.n_changes;
    visit_function(&visit, function);
    visit.is_first = false;
    if (visit.n_changes != n_before) /* what branches made for stacks that are gone */
      echo_erase_dead(function);
  }
  return visit.n_changes;
}

/* The states of segments are a stack between two loops, too: of `n_levels`, the next is theirs.
 * Returns how many levels there are; *writer is then the last loop in place of what it was. */
static size_t segment_pair(EchoOp **writer, EchoOp **reader, size_t n_levels, EchoArena *scratch)
{
  EchoOp *outer = *writer, *tail = NULL;
  size_t n = 0;
  for (bool goes_on = true; goes_on && n < n_levels;) {
    EchoLoopPair pair;
    *reader = echo_loop_carry_stacks(outer, *reader);
    echo_loop_pair_create(&pair, outer, *reader, scratch);
    goes_on = echo_segment_pair(&pair, n_levels - n);
    if (goes_on) {
      ++n;
      *reader = simplify(pair.reader);
      outer = simplify(pair.writer);
      EchoOp *rest = pair.tail != NULL ? simplify(pair.tail) : NULL;
      tail = tail != NULL ? tail : rest;
    }
    echo_loop_pair_destroy(&pair);
  }
  *writer = tail != NULL ? tail : outer;
  return n;
}

static size_t segment_block(EchoBlock *block, size_t n_levels, EchoArena *scratch)
{
  size_t n = 0;
  for (EchoOp *writer = block->first; writer != NULL; writer = writer->next)
    for (EchoOp *reader = next_loop_or_null(writer, writer); reader != NULL;
         reader = next_loop_or_null(writer, reader))
      n += segment_pair(&writer, &reader, n_levels, scratch);
  return n;
}

size_t echo_segment_loops(EchoOp *function, size_t n_levels, EchoArena *scratch)
{
  Blocks blocks = {0};
  size_t n = 0;
  collect_blocks(function, &blocks);
  for (size_t i = 0; i < blocks.size; ++i)
    n += segment_block(blocks.data[i], n_levels, scratch);
  echo_vector_destroy(&blocks);
  if (n != 0)
    echo_erase_dead(function);
  return n;
}
