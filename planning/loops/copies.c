/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which ops are copies of each other.
 * Copies begin at slices of one array that lie as far from each other, of which the one that lies
 * first is the first copy's, or at arguments of the block (copies_arguments.c). What a copy alone
 * reads may be anything (copies_own.c). An op of which all operands are of one copy, or the same
 * for all, belongs to that copy, in one row with the ops of the others that do the same to what
 * stands in the same rows. A row that lacks a copy is none, and what reads several copies belongs
 * to none. */
#include "planning/loops/copies.h"

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/copies_t.h"
#include "planning/loops/shift_t.h"
#include "planning/schedule/graph.h"

#include <stdlib.h>

/* Rows that stand in all copies have as many places as ops; where there are so many times more
 * places than ops, hardly any row does, and memory stays linear. */
#define MAX_PLACES_AN_OP 16

bool echo_copies_place(const EchoCopies *copies, const EchoValue *value, EchoCopiesPlace *place)
{
  uint64_t found;
  if (!echo_map_get(&copies->places, echo_key(value), &found) || found == ECHO_COPIES_SEVERAL)
    return false;
  *place = (EchoCopiesPlace){(uint32_t)(found >> 32), (uint32_t)found};
  return copies->rows.data[place->row].is_whole;
}

bool echo_copies_is_outside(const EchoCopies *copies, const EchoValue *value)
{
  return !echo_map_has(&copies->places, echo_key(value));
}

uint32_t echo_copies_joined(EchoCopies *copies, uint32_t row)
{
  while (copies->rows.data[row].joined != row)
    row = copies->rows.data[row].joined = copies->rows.data[copies->rows.data[row].joined].joined;
  return row;
}

/* ---- rows ---- */

typedef struct Finder {
  EchoCopies *copies;
  const EchoCopiesSliceGroups *groups;
  EchoMap group_of;           /* slice -> group with as many copies */
  EchoMap by_hash;            /* -> last row + 1 */
  ECHO_VECTOR(uint32_t) next; /* row with the same hash */
  EchoShift shift;
  const EchoOp *from, *to;
  bool is_exact; /* what copies read of their own counts */
  uint64_t hash; /* of the op that is looked at */
  int64_t copy;  /* that it reads; -1: none */
  bool is_several;
} Finder;

static bool see_operand(void *user, EchoValue *value)
{
  Finder *finder = user;
  uint64_t place;
  if (!echo_map_get(&finder->copies->places, echo_key(value), &place)) {
    const EchoAttr *constant = echo_value_constant_or_null(value);
    uint64_t key = echo_copies_is_own(finder->copies, value) ? echo_key(value->type)
                   : constant != NULL                        ? echo_key(constant)
                                                             : echo_key(value);
    finder->hash = echo_hash_combine(finder->hash, key);
    return true;
  }
  finder->hash =
      echo_hash_combine(finder->hash, (place >> 32) ^ (uint64_t)echo_copies_index(value) << 32);
  finder->is_several |= place == ECHO_COPIES_SEVERAL ||
                        (finder->copy >= 0 && finder->copy != (int64_t)(uint32_t)place);
  finder->copy = (int64_t)(uint32_t)place;
  return !finder->is_several;
}

/* From one op of a row to another one. */
static EchoShiftLeaf leaf(void *user, EchoValue *from, EchoValue *to)
{
  const Finder *finder = user;
  uint64_t a, b;
  if (echo_value_def_or_null(from) == finder->from ||
      echo_op_is_ancestor(finder->from, echo_block_parent(echo_value_block(from))))
    return ECHO_SHIFT_LOOK_INSIDE;
  bool in_a = echo_map_get(&finder->copies->places, echo_key(from), &a);
  bool in_b = echo_map_get(&finder->copies->places, echo_key(to), &b);
  if (in_a || in_b)
    return in_a && in_b && a >> 32 == b >> 32 && echo_copies_index(from) == echo_copies_index(to)
               ? ECHO_SHIFT_HOLDS
               : ECHO_SHIFT_FAILS;
  const EchoAttr *constant = echo_value_constant_or_null(from);
  bool is_own = !finder->is_exact && echo_copies_is_own(finder->copies, from) &&
                echo_copies_is_own(finder->copies, to) &&
                echo_copies_are_operands(finder->from, finder->to, from, to);
  bool is_same =
      is_own || from == to || (constant != NULL && constant == echo_value_constant_or_null(to));
  return is_same ? ECHO_SHIFT_HOLDS : ECHO_SHIFT_FAILS;
}

static uint32_t add_row(EchoCopies *copies)
{
  uint32_t row = (uint32_t)copies->rows.size;
  EchoCopiesRow made = {.ops = echo_alloc_zero((size_t)copies->n_copies, sizeof(EchoOp *)),
                        .joined = row};
  echo_vector_push(&copies->rows, made);
  return row;
}

static void put(EchoCopies *copies, EchoOp *op, uint32_t row, uint32_t copy)
{
  EchoCopiesRow *to = &copies->rows.data[row];
  if (to->any == NULL)
    to->any = op;
  if (to->ops[copy] == NULL)
    to->ops[copy] = op;
  else
    echo_vector_push(&to->others, op);
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_map_set(&copies->places, echo_key(echo_op_result(op, i)), (uint64_t)row << 32 | copy);
}

static uint32_t find_row(Finder *finder, EchoOp *op)
{
  EchoCopies *copies = finder->copies;
  uint32_t first = (uint32_t)echo_map_get_or(&finder->by_hash, finder->hash, 0), i = first;
  for (; i != 0; i = finder->next.data[i - 1]) {
    const EchoCopiesRow *row = &copies->rows.data[i - 1];
    const EchoOp *same = row->ops[finder->copy], *other = same != NULL ? same : row->any;
    finder->is_exact = same != NULL;
    finder->from = other;
    finder->to = op;
    bool holds = other->n_results == op->n_results &&
                 echo_shift_match(&finder->shift, echo_op_result(other, 0), echo_op_result(op, 0));
    echo_shift_undo(&finder->shift, 0);
    if (holds)
      return i - 1;
  }
  uint32_t row = add_row(copies);
  echo_vector_push(&finder->next, first);
  echo_map_set(&finder->by_hash, finder->hash, row + 1);
  return row;
}

static void mark_several(EchoCopies *copies, EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_map_set(&copies->places, echo_key(echo_op_result(op, i)), ECHO_COPIES_SEVERAL);
}

/* All slices of the group that go along its dimension, a row of their own. */
static void place_slices(Finder *finder, uint64_t at)
{
  const EchoCopiesSliceGroup *group = &finder->groups->all.data[at];
  uint32_t copy = 0, row = add_row(finder->copies);
  echo_vector_push(&finder->next, 0u);
  finder->copies->rows.data[row].is_slice = true;
  for (size_t i = 0; i < group->slices.size; ++i) {
    copy += i != 0 && !echo_copies_are_one_place(group, i - 1, i);
    if (echo_map_get_or(&finder->group_of, echo_key(group->slices.data[i]), 0) == at)
      put(finder->copies, group->slices.data[i], row, copy);
  }
}

static bool find_group(const Finder *finder, const EchoOp *op, uint64_t *at)
{
  return echo_map_get(&finder->group_of, echo_key(op), at) &&
         echo_copies_is_outside(finder->copies, echo_op_operand(op, 0));
}

/* Of those that go along several dimensions, the one along the first of them. */
static void find_groups_of(Finder *finder)
{
  const EchoCopiesSliceGroups *groups = finder->groups;
  for (size_t i = 0; i < groups->all.size; ++i) {
    const EchoCopiesSliceGroup *group = &groups->all.data[i];
    for (size_t k = 0; k < group->slices.size && group->n_copies == finder->copies->n_copies; ++k) {
      uint64_t other, op = echo_key(group->slices.data[k]);
      if (!echo_map_get(&finder->group_of, op, &other) || groups->all.data[other].dim > group->dim)
        echo_map_set(&finder->group_of, op, i);
    }
  }
}

static void find_owners(Finder *finder)
{
  const EchoCopiesSliceGroups *groups = finder->groups;
  EchoMap begins = {0};
  for (size_t i = 0; i < groups->all.size; ++i) {
    const EchoCopiesSliceGroup *group = &groups->all.data[i];
    uint64_t copy = 1;
    for (size_t k = 0; k < group->slices.size && group->n_copies == finder->copies->n_copies; ++k) {
      copy += k != 0 && !echo_copies_are_one_place(group, k - 1, k);
      if (echo_map_get_or(&finder->group_of, echo_key(group->slices.data[k]), 0) == i)
        echo_map_set(&begins, echo_key(group->slices.data[k]), copy);
    }
  }
  echo_copies_find_owners(finder->copies, &begins);
  echo_map_destroy(&begins);
}

static void place_op(Finder *finder, EchoOp *op)
{
  EchoCopies *copies = finder->copies;
  if (op->n_results == 0 || echo_map_has(&copies->places, echo_key(echo_op_result(op, 0))))
    return;
  uint64_t group, inside = 0;
  if (find_group(finder, op, &group)) {
    place_slices(finder, group);
    return;
  }
  for (EchoOp *other = echo_op_walk_next(op, op); other != NULL;
       other = echo_op_walk_next(op, other))
    inside = echo_hash_combine(inside,
                               echo_equivalence_hash_inside(&finder->shift.equivalence, other, 0));
  finder->hash = echo_equivalence_hash_inside(&finder->shift.equivalence, op, inside);
  finder->copy = -1;
  finder->is_several = false;
  bool is_one = echo_dataflow_for_operands(op, see_operand, finder);
  bool is_room =
      copies->rows.size * (size_t)copies->n_copies <= MAX_PLACES_AN_OP * copies->order.size;
  if (!is_one || !is_room || !echo_op_is_pure(op))
    mark_several(copies, op);
  else if (finder->copy >= 0) {
    finder->shift.n_left = UINT64_MAX;
    put(copies, op, find_row(finder, op), (uint32_t)finder->copy);
  }
}

typedef struct Wholeness {
  EchoCopies *copies;
  uint32_t row;
} Wholeness;

static bool see_row(void *user, EchoValue *value)
{
  const Wholeness *now = user;
  uint64_t place;
  if (!echo_map_get(&now->copies->places, echo_key(value), &place))
    return true;
  uint32_t other = (uint32_t)(place >> 32);
  if (!now->copies->rows.data[other].is_whole)
    return false;
  now->copies->rows.data[echo_copies_joined(now->copies, other)].joined =
      echo_copies_joined(now->copies, now->row);
  return true;
}

/* Operands stand in rows before theirs. */
static void find_whole_rows(EchoCopies *copies)
{
  for (uint32_t i = 0; i < copies->rows.size; ++i) {
    EchoCopiesRow *row = &copies->rows.data[i];
    Wholeness now = {copies, i};
    bool is_whole = row->arguments != NULL, begins = is_whole || row->is_slice;
    for (int64_t c = 0; c < copies->n_copies && row->arguments == NULL; ++c)
      is_whole = row->ops[c] != NULL && (is_whole || c == 0);
    row->is_whole = is_whole && (begins || echo_dataflow_for_operands(row->ops[0], see_row, &now));
  }
}

/* ---- one block ---- */

/* Where copies may begin. */
typedef struct Beginnings {
  EchoDataflowOrder order;
  EchoCopiesSliceGroups slices;
  EchoCopiesGroups arguments;
} Beginnings;

static void place_arguments(Finder *finder, const EchoCopiesArguments *group)
{
  uint32_t row = add_row(finder->copies);
  echo_vector_push(&finder->next, 0u);
  finder->copies->rows.data[row].arguments = group->arguments;
  for (int64_t c = 0; c < group->n_copies; ++c)
    echo_map_set(&finder->copies->places, echo_key(group->arguments[c]),
                 (uint64_t)row << 32 | (uint64_t)c);
}

/* The kernel that takes what is an iteration's own reads one element of each copy's: as often as
 * there are copies, and no more than the places of rows. */
static bool may_have_of_its_own(int64_t n_copies, size_t n_ops)
{
  int64_t square;
  return echo_mul_i64(n_copies, n_copies, &square) && (uint64_t)square <= MAX_PLACES_AN_OP * n_ops;
}

static void create(EchoCopies *copies, EchoBlock *block, int64_t n_copies,
                   const Beginnings *beginnings)
{
  *copies = (EchoCopies){.block = block,
                         .n_copies = n_copies,
                         .order = beginnings->order,
                         .joined = ECHO_COPIES_NO_ROW};
  Finder finder = {.copies = copies, .groups = &beginnings->slices};
  echo_shift_create(&finder.shift, UINT64_MAX, leaf, &finder);
  find_groups_of(&finder);
  bool may_pick = may_have_of_its_own(n_copies, copies->order.size);
  for (size_t i = 0; i < beginnings->arguments.size && may_pick; ++i)
    if (beginnings->arguments.data[i].n_copies == n_copies)
      place_arguments(&finder, &beginnings->arguments.data[i]);
  if (may_pick)
    find_owners(&finder);
  for (size_t i = 0; i < copies->order.size; ++i)
    place_op(&finder, copies->order.data[i]);
  find_whole_rows(copies);
  echo_shift_destroy(&finder.shift);
  echo_map_destroy(&finder.group_of);
  echo_map_destroy(&finder.by_hash);
  echo_vector_destroy(&finder.next);
  echo_copies_find_sums(copies);
}

static void destroy(EchoCopies *copies)
{
  for (size_t i = 0; i < copies->rows.size; ++i) {
    echo_free(copies->rows.data[i].ops);
    echo_vector_destroy(&copies->rows.data[i].others);
  }
  for (size_t i = 0; i < copies->sums.size; ++i)
    echo_free(copies->sums.data[i].terms);
  echo_vector_destroy(&copies->rows);
  echo_vector_destroy(&copies->sums);
  for (size_t i = 0; i < copies->picks.size; ++i)
    echo_free(copies->picks.data[i].values);
  echo_vector_destroy(&copies->picks);
  echo_vector_destroy(&copies->states);
  echo_map_destroy(&copies->state_of);
  echo_map_destroy(&copies->made_outside);
  echo_map_destroy(&copies->owners);
  echo_map_destroy(&copies->places);
}

/* The most copies of which there may be fewer than `below`, with state between them or not; 0:
 * none. */
static int64_t next_number(const Beginnings *beginnings, bool has_states, int64_t below)
{
  int64_t most = 0;
  for (size_t i = 0; i < beginnings->slices.all.size; ++i) {
    int64_t n = beginnings->slices.all.data[i].n_copies;
    most = n < below && n > most ? n : most;
  }
  for (size_t i = 0; i < beginnings->arguments.size; ++i) {
    int64_t n = beginnings->arguments.data[i].n_copies;
    most = n < below && n > most ? n : most;
  }
  for (size_t i = 0; i < beginnings->slices.chains.size && has_states; ++i) {
    int64_t n = beginnings->slices.chains.data[i].n_copies;
    most = n < below && n > most ? n : most;
  }
  return most;
}

/* Ops that are made of no copy and are read by one alone; which copy's are known. */
static void find_owners_of_rows(EchoCopies *copies)
{
  EchoMap begins = {0};
  for (size_t i = 0; i < copies->rows.size; ++i)
    for (int64_t c = 0; c < copies->n_copies; ++c)
      echo_map_set(&begins, echo_key(copies->rows.data[i].ops[c]), (uint64_t)c + 1);
  echo_copies_find_owners(copies, &begins);
  echo_map_destroy(&begins);
}

/* Copies with state between them that begin at the slices of a group, or the ops of a chain, from
 * place `begin` on. */
static bool create_with_states(EchoCopies *copies, EchoBlock *block,
                               const EchoCopiesSliceGroup *driver, int64_t begin,
                               const Beginnings *beginnings)
{
  *copies = (EchoCopies){.block = block,
                         .n_copies = driver->n_copies - begin,
                         .order = beginnings->order,
                         .joined = ECHO_COPIES_NO_ROW};
  if (copies->n_copies < 2 || !may_have_of_its_own(copies->n_copies, copies->order.size) ||
      !echo_copies_find_states(copies, &beginnings->slices, driver, begin))
    return false;
  find_owners_of_rows(copies);
  echo_copies_find_sums(copies);
  return true;
}

/* What the first copy lacks (a mean that begins with it) the others may have. */
static bool roll_driver(EchoBlock *block, const EchoCopiesSliceGroup *driver,
                        const Beginnings *beginnings, bool writes)
{
  bool found = false;
  for (int64_t begin = 0; begin < 2 && !found; ++begin) {
    EchoCopies copies;
    found = create_with_states(&copies, block, driver, begin, beginnings);
    if (found && writes)
      echo_copies_write(&copies);
    destroy(&copies);
  }
  return found;
}

/* Of groups of `n_copies` slices, the first ones: arrays that are cut alike are cut for the same
 * copies. Then of chains. */
static bool roll_with_states(EchoBlock *block, int64_t n_copies, const Beginnings *beginnings,
                             bool writes)
{
  enum { MAX_DRIVERS = 4 };
  const EchoCopiesSliceGroups *groups = &beginnings->slices;
  int n_drivers = 0;
  bool found = false;
  for (size_t g = 0;
       g < groups->all.size + groups->chains.size && n_drivers < MAX_DRIVERS && !found; ++g) {
    const EchoCopiesSliceGroup *driver =
        g < groups->all.size ? &groups->all.data[g] : &groups->chains.data[g - groups->all.size];
    if (driver->n_copies != n_copies)
      continue;
    ++n_drivers;
    found = roll_driver(block, driver, beginnings, writes);
  }
  return found;
}

static bool roll_without(EchoBlock *block, int64_t n_copies, const Beginnings *beginnings,
                         bool writes)
{
  EchoCopies copies;
  create(&copies, block, n_copies, beginnings);
  bool found = copies.sums.size != 0;
  if (found && writes)
    echo_copies_write(&copies);
  destroy(&copies);
  return found;
}

/* Whether there were copies; with `writes` they are a loop then. */
static bool roll_one(EchoBlock *block, bool writes)
{
  Beginnings beginnings = {0};
  bool found = false;
  echo_dataflow_order(block, &beginnings.order);
  echo_copies_find_slices(block, &beginnings.slices);
  echo_copies_find_arguments(block, &beginnings.order, &beginnings.arguments);
  for (int64_t n = next_number(&beginnings, false, INT64_MAX); n > 1 && !found;
       n = next_number(&beginnings, false, n))
    found = roll_without(block, n, &beginnings, writes);
  /* Second, for state that no sum depends on (batch norm's statistics) is better made behind the
   * loop of the sums: keys stay outside of that (bench/results/loops.md). */
  if (!found)
    echo_copies_find_chains(&beginnings.order, &beginnings.slices);
  for (int64_t n = next_number(&beginnings, true, INT64_MAX); n > 1 && !found;
       n = next_number(&beginnings, true, n))
    found = roll_with_states(block, n, &beginnings, writes);
  for (size_t i = 0; i < beginnings.arguments.size; ++i)
    echo_free(beginnings.arguments.data[i].arguments);
  echo_vector_destroy(&beginnings.arguments);
  echo_vector_destroy(&beginnings.order);
  echo_copies_destroy_slices(&beginnings.slices);
  return found;
}

/* Inner blocks first. Recursion is bounded by the nesting that the parser accepts. */
static size_t roll_block(EchoBlock *block, bool writes)
{
  size_t n = 0;
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    for (size_t r = 0; r < op->n_regions && echo_op_node_kind(op) == ECHO_NODE_CONTROL; ++r)
      n += roll_block(echo_op_body(op, r), writes);
  while (roll_one(block, writes)) {
    ++n;
    if (!writes)
      break;
  }
  return n;
}

bool echo_loop_has_copies(EchoOp *function)
{
  return function->regions[0].first != NULL && roll_block(echo_op_body(function, 0), false) != 0;
}

size_t echo_loop_roll_copies(EchoOp *function)
{
  return function->regions[0].first != NULL ? roll_block(echo_op_body(function, 0), true) : 0;
}
