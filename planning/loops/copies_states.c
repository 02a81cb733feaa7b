/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies with state between them: each reads what the one before it made (parameters that are
 * updated several times, a running mean), the first one what stands outside.
 * One array's slices, or a chain of ops (copies_chains.c), say to which copy an op belongs at the
 * latest: that of the last of them which it is made of, its level. Ops of one level are paired with
 * ops of the next one that are made in the same way, down to slices, to what is the same for all
 * copies, and to what the first copy reads from outside where the second reads what the first made;
 * that has the same counterpart everywhere. Ops that have one in every copy are a row; which of
 * them are copies is found from all operands of all rows in the end (copies_operands.c), so that a
 * wrong pair costs a loop, never a bit. */
#include "planning/loops/copies_t.h"
#include "planning/loops/shift_t.h"

#include <stdlib.h>

/* Pairs of values that are looked at for each op of the block: each op is compared once where all
 * is well, and once more for each of those that it is mistaken for. */
#define MAX_PAIRS_AN_OP 16

/* An op that is made of slices. */
typedef struct Made {
  EchoOp *op;
  uint64_t hash; /* how it is made of what its level holds */
  uint32_t level, at;
} Made;

typedef struct Finder {
  EchoCopies *copies;
  const EchoCopiesSliceGroups *groups;
  const EchoCopiesSliceGroup *driver; /* that levels are counted by */
  int64_t begin;                      /* its place that the first copy begins at */
  EchoMap begins;                     /* slice or op of the driver -> its place */
  EchoMap places;                     /* slice -> its group and place */
  EchoMap levels;                     /* op -> its level + 1, or more than there are */
  EchoMap sliced;                     /* op that is made of slices, of whichever array -> 1 */
  EchoMap hashes;                     /* op that has a level */
  EchoMap states; /* value from outside -> what the next copy has in its place */
  ECHO_VECTOR(const EchoValue *) trail; /* keys of `states`, in the order they were found */
  ECHO_VECTOR(Made) made; /* by level, then by hash, then as they stand in the order */
  EchoMap first_of;       /* hash and level -> first of `made` + 1 */
  EchoShift shift;
} Finder;

/* ---- levels ---- */

static void note_places(Finder *finder)
{
  for (size_t g = 0; g < finder->groups->all.size; ++g) {
    const EchoCopiesSliceGroup *group = &finder->groups->all.data[g];
    uint64_t place = 0;
    bool is_driver = group == finder->driver;
    if (group->n_copies != finder->driver->n_copies)
      continue;
    for (size_t i = 0; i < group->slices.size; ++i) {
      place += i != 0 && !echo_copies_are_one_place(group, i - 1, i);
      uint64_t key = echo_key(group->slices.data[i]);
      if (is_driver || !echo_map_has(&finder->places, key))
        echo_map_set(&finder->places, key, (uint64_t)g << 32 | place);
      if (is_driver)
        echo_map_set(&finder->begins, key, place);
    }
  }
  for (size_t i = 0; i < finder->driver->slices.size && finder->driver->is_chain; ++i)
    echo_map_set(&finder->begins, echo_key(finder->driver->slices.data[i]), i);
}

static bool see_level(void *user, EchoValue *value)
{
  uint64_t *level = ((void **)user)[1];
  const Finder *finder = ((void **)user)[0];
  const EchoOp *op = echo_value_def_or_null(value);
  uint64_t of = op != NULL ? echo_map_get_or(&finder->levels, echo_key(op), 0) : 0;
  *level = *level > of ? *level : of;
  return true;
}

static bool see_unsliced(void *user, EchoValue *value)
{
  const Finder *finder = user;
  const EchoOp *op = echo_value_def_or_null(value);
  return op == NULL || !echo_map_has(&finder->sliced, echo_key(op));
}

/* + 1; 0: it is made of nothing that the driver's copies begin at. */
static uint64_t level_of_op(const Finder *finder, const EchoOp *op)
{
  return echo_map_get_or(&finder->levels, echo_key(op), 0);
}

static uint64_t level_of(const Finder *finder, const EchoValue *value)
{
  const EchoOp *op = echo_value_def_or_null(value);
  return op != NULL ? level_of_op(finder, op) : 0;
}

static void find_levels(Finder *finder)
{
  const EchoDataflowOrder *order = &finder->copies->order;
  for (size_t i = 0; i < order->size; ++i) {
    uint64_t level = 0, place;
    echo_dataflow_for_operands(order->data[i], see_level, (void *[]){finder, &level});
    bool begins = echo_map_get(&finder->begins, echo_key(order->data[i]), &place);
    if (begins && (int64_t)place >= finder->begin && (finder->driver->is_chain || level == 0))
      level = place - (uint64_t)finder->begin + 1;
    if (level != 0 && !echo_op_is_pure(order->data[i]))
      level = (uint64_t)finder->copies->n_copies + 1;
    if (level != 0)
      echo_map_set(&finder->levels, echo_key(order->data[i]), level);
    if (begins || echo_map_has(&finder->places, echo_key(order->data[i])) ||
        !echo_dataflow_for_operands(order->data[i], see_unsliced, finder))
      echo_map_set(&finder->sliced, echo_key(order->data[i]), 1);
  }
}

/* ---- how ops are made ---- */

typedef struct Hashing {
  const Finder *finder;
  uint64_t level, hash;
} Hashing;

/* What is not of the op's level may be a state, or the copy's own, and counts by its type. */
static bool see_hash(void *user, EchoValue *value)
{
  Hashing *now = user;
  const EchoOp *op = echo_value_def_or_null(value);
  uint64_t key = echo_key(value->type);
  if (op != NULL && level_of_op(now->finder, op) == now->level)
    key = echo_hash_combine(echo_map_get_or(&now->finder->hashes, echo_key(op), 0), value->index);
  now->hash = echo_hash_combine(now->hash, key);
  return true;
}

static uint64_t hash_of(Finder *finder, EchoOp *op, uint64_t level)
{
  uint64_t inside = 0;
  if (!finder->driver->is_chain && echo_map_has(&finder->begins, echo_key(op)))
    return echo_hash_combine(0, echo_key(echo_op_result_type(op, 0)));
  for (EchoOp *other = echo_op_walk_next(op, op); other != NULL;
       other = echo_op_walk_next(op, other))
    inside = echo_hash_combine(inside,
                               echo_equivalence_hash_inside(&finder->shift.equivalence, other, 0));
  Hashing now = {finder, level,
                 echo_equivalence_hash_inside(&finder->shift.equivalence, op, inside)};
  echo_dataflow_for_operands(op, see_hash, &now);
  return now.hash;
}

static int compare_made(const void *a, const void *b)
{
  const Made *x = a, *y = b;
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static uint64_t key_of(uint64_t hash, uint64_t level)
{
  return echo_hash_combine(hash, level);
}

static void find_made(Finder *finder)
{
  const EchoDataflowOrder *order = &finder->copies->order;
  for (size_t i = 0; i < order->size; ++i) {
    uint64_t level = level_of_op(finder, order->data[i]);
    if (level == 0 || level > (uint64_t)finder->copies->n_copies || order->data[i]->n_results == 0)
      continue;
    uint64_t hash = hash_of(finder, order->data[i], level);
    echo_map_set(&finder->hashes, echo_key(order->data[i]), hash);
    echo_vector_push(&finder->made, ((Made){order->data[i], hash, (uint32_t)level, (uint32_t)i}));
  }
  if (finder->made.size != 0)
    qsort(finder->made.data, finder->made.size, sizeof *finder->made.data, compare_made);
  for (size_t i = 0; i < finder->made.size; ++i) {
    const Made *made = &finder->made.data[i];
    if (i == 0 || compare_made(&(Made){NULL, made[-1].hash, made[-1].level, 0},
                               &(Made){NULL, made->hash, made->level, 0}) != 0)
      echo_map_set(&finder->first_of, key_of(made->hash, made->level), i + 1);
  }
}

/* ---- pairs ---- */

static EchoShiftLeaf holds_here_if(bool holds)
{
  return holds ? ECHO_SHIFT_HOLDS_HERE : ECHO_SHIFT_FAILS;
}

static EchoShiftLeaf note_state(Finder *finder, const EchoValue *from, const EchoValue *to)
{
  uint64_t known;
  if (echo_value_constant_or_null(from) != NULL)
    return ECHO_SHIFT_HOLDS_HERE; /* zeros that several states begin with */
  if (echo_map_get(&finder->states, echo_key(from), &known))
    return holds_here_if(known == echo_key(to));
  echo_map_set(&finder->states, echo_key(from), echo_key(to));
  echo_vector_push(&finder->trail, from);
  return ECHO_SHIFT_HOLDS_HERE;
}

static bool are_slices_of_neighbours(const Finder *finder, const EchoValue *from,
                                     const EchoValue *to)
{
  const EchoOp *a = echo_value_def_or_null(from), *b = echo_value_def_or_null(to);
  uint64_t x, y;
  return a != NULL && b != NULL && echo_map_get(&finder->places, echo_key(a), &x) &&
         echo_map_get(&finder->places, echo_key(b), &y) && x + 1 == y &&
         (int64_t)(uint32_t)x >= finder->begin;
}

static bool are_made_alike(Finder *finder, const EchoValue *from, const EchoValue *to)
{
  const EchoOp *a = echo_value_def_or_null(from), *b = echo_value_def_or_null(to);
  return a != NULL && b != NULL && a->block == finder->copies->block && b->block == a->block &&
         from->index == to->index && echo_op_rows_are_equal(&finder->shift.equivalence, a, b) &&
         echo_op_is_pure(a);
}

/* In the region of an op of the block. */
static bool is_inside(const Finder *finder, const EchoValue *value)
{
  const EchoBlock *block = echo_value_block(value);
  return block != finder->copies->block &&
         !echo_op_is_ancestor(echo_block_parent(block), echo_block_parent(finder->copies->block));
}

/* `from` of one copy, or from outside where it is the first one; `to` of the next copy, or of the
 * first one where `from` stands for a state. */
static EchoShiftLeaf leaf(void *user, EchoValue *from, EchoValue *to)
{
  Finder *finder = user;
  if (is_inside(finder, from) || is_inside(finder, to))
    return is_inside(finder, from) && is_inside(finder, to) ? ECHO_SHIFT_LOOK_INSIDE
                                                            : ECHO_SHIFT_FAILS;
  uint64_t level = level_of(finder, from), next = level_of(finder, to);
  const EchoAttr *constant = echo_value_constant_or_null(from);
  if (from == to)
    return holds_here_if(level == 0);
  if (constant != NULL && echo_value_constant_or_null(to) != NULL)
    return ECHO_SHIFT_HOLDS_HERE;
  if (are_slices_of_neighbours(finder, from, to))
    return ECHO_SHIFT_HOLDS;
  if ((next != level + 1 && (level != 0 || next != 0)) || next > (uint64_t)finder->copies->n_copies)
    return ECHO_SHIFT_FAILS;
  if (level != 0 || are_made_alike(finder, from, to))
    return ECHO_SHIFT_LOOK_INSIDE;
  return note_state(finder, from, to);
}

static bool pair(Finder *finder, const Made *from, const Made *to)
{
  size_t n_states = finder->trail.size;
  EchoValue *a = echo_op_result(from->op, 0), *b = echo_op_result(to->op, 0);
  if (echo_shift_prior_or_null(&finder->shift, b) != NULL)
    return false;
  if (echo_shift_match(&finder->shift, a, b))
    return true;
  while (finder->trail.size > n_states)
    echo_map_erase(&finder->states, echo_key(echo_vector_pop(&finder->trail)));
  return false;
}

/* With the one of the next level that stands where it does among its like, or another of those. */
static void pair_op(Finder *finder, size_t i)
{
  const Made *from = &finder->made.data[i];
  size_t own = (size_t)echo_map_get_or(&finder->first_of, key_of(from->hash, from->level), 0) - 1;
  size_t first = (size_t)echo_map_get_or(&finder->first_of, key_of(from->hash, from->level + 1), 0);
  if (first == 0 || echo_shift_next_or_null(&finder->shift, echo_op_result(from->op, 0)) != NULL)
    return;
  --first;
  size_t end = first, same = first + (i - own);
  while (end < finder->made.size && finder->made.data[end].level == from->level + 1 &&
         finder->made.data[end].hash == from->hash)
    ++end;
  if (same < end && pair(finder, from, &finder->made.data[same]))
    return;
  for (size_t k = first; k < end && finder->shift.n_left != 0; ++k)
    if (k != same && pair(finder, from, &finder->made.data[k]))
      return;
}

static int compare_place(const void *a, const void *b)
{
  const Made *const *x = a, *const *y = b;
  if ((*x)->level != (*y)->level)
    return (*x)->level < (*y)->level ? -1 : 1;
  return (*x)->at > (*y)->at ? -1 : (*x)->at < (*y)->at;
}

/* From the first copy on, what is made last first: it is made of most. */
static void pair_all(Finder *finder)
{
  const Made **made = echo_alloc_array(finder->made.size + 1, sizeof *made);
  for (size_t i = 0; i < finder->made.size; ++i)
    made[i] = &finder->made.data[i];
  if (finder->made.size != 0)
    qsort(made, finder->made.size, sizeof *made, compare_place);
  for (size_t i = 0; i < finder->made.size; ++i)
    pair_op(finder, (size_t)(made[i] - finder->made.data));
  echo_free(made);
}

/* ---- rows ---- */

/* The copies' ops from `op` on, and the one behind them; false where there are not as many. */
static bool follow(const Finder *finder, EchoOp *op, EchoCopiesRow *row)
{
  EchoValue *value = echo_op_result(op, 0);
  for (int64_t c = 0; c < finder->copies->n_copies; ++c) {
    row->ops[c] = value != NULL ? echo_value_def_or_null(value) : NULL;
    if (row->ops[c] == NULL || echo_map_has(&finder->copies->places, echo_key(value)))
      return false;
    value = echo_shift_next_or_null(&finder->shift, value);
  }
  row->behind = value != NULL ? echo_value_def_or_null(value) : NULL;
  return true;
}

static void add_row(const Finder *finder, EchoOp *op)
{
  EchoCopies *copies = finder->copies;
  uint32_t row = (uint32_t)copies->rows.size;
  EchoCopiesSlice slice;
  EchoCopiesRow made = {.ops = echo_alloc_zero((size_t)copies->n_copies, sizeof(EchoOp *)),
                        .any = op,
                        .joined = row,
                        .is_whole = true};
  if (!follow(finder, op, &made)) {
    echo_free(made.ops);
    return;
  }
  made.has_level = level_of_op(finder, made.ops[1]) != 0; /* the first may be made outside */
  made.is_slice = echo_map_has(&finder->places, echo_key(op)) &&
                  echo_copies_slice(made.ops, (size_t)copies->n_copies, &slice);
  if (!echo_map_has(&finder->sliced, echo_key(made.ops[1]))) {
    /* Keys, counts: each copy takes its own (copies_own.c). */
    echo_free(made.ops);
    return;
  }
  for (uint32_t c = 0; c < copies->n_copies; ++c)
    if (level_of_op(finder, made.ops[c]) == 0)
      echo_map_set(&copies->made_outside, echo_key(made.ops[c]), 1);
  for (uint32_t c = 0; c < copies->n_copies; ++c)
    for (uint32_t i = 0; i < op->n_results; ++i)
      echo_map_set(&copies->places, echo_key(echo_op_result(made.ops[c], i)),
                   (uint64_t)row << 32 | c);
  echo_vector_push(&copies->rows, made);
}

/* The first copy's of those that `value`, which is no other one's counterpart, begins: of several
 * that are made outside, before what copies make themselves, the last. */
static EchoOp *first_of_row(const Finder *finder, EchoValue *value)
{
  EchoValue *first = value, *next = value;
  while (next != NULL && level_of(finder, next) == 0) {
    first = next;
    next = echo_shift_next_or_null(&finder->shift, next);
    /* Two may have one counterpart, behind which they go round for ever, and so may a row whose
     * last has the first one. */
    if (next == value || (next != NULL && echo_shift_prior_or_null(&finder->shift, next) != first))
      next = NULL;
  }
  /* All of them: slices of other arrays, and what is made of those alone. */
  return echo_value_def_or_null(next == NULL ? value : first);
}

static void find_rows(const Finder *finder)
{
  EchoCopies *copies = finder->copies;
  for (size_t i = 0; i < copies->order.size; ++i) {
    const EchoOp *op = copies->order.data[i];
    EchoValue *result = op->n_results != 0 ? echo_op_result(op, 0) : NULL;
    if (result != NULL && echo_shift_next_or_null(&finder->shift, result) != NULL &&
        echo_shift_prior_or_null(&finder->shift, result) == NULL)
      add_row(finder, first_of_row(finder, result));
  }
  for (size_t i = 0; i < copies->order.size; ++i) {
    const EchoOp *op = copies->order.data[i];
    for (uint32_t r = 0; r < op->n_results && level_of_op(finder, op) != 0; ++r)
      echo_map_insert(&copies->places, echo_key(echo_op_result(op, r)), ECHO_COPIES_SEVERAL);
  }
}

/* A slice of the driver is where a copy begins: one that stands in no row is outside. */
bool echo_copies_find_states(EchoCopies *copies, const EchoCopiesSliceGroups *groups,
                             const EchoCopiesSliceGroup *driver, int64_t begin)
{
  Finder finder = {.copies = copies, .groups = groups, .driver = driver, .begin = begin};
  echo_shift_create(&finder.shift, MAX_PAIRS_AN_OP * copies->order.size, leaf, &finder);
  note_places(&finder);
  find_levels(&finder);
  find_made(&finder);
  pair_all(&finder);
  find_rows(&finder);
  echo_map_destroy(&finder.begins);
  echo_map_destroy(&finder.places);
  echo_map_destroy(&finder.levels);
  echo_map_destroy(&finder.sliced);
  echo_map_destroy(&finder.hashes);
  echo_map_destroy(&finder.states);
  echo_map_destroy(&finder.first_of);
  echo_vector_destroy(&finder.trail);
  echo_vector_destroy(&finder.made);
  echo_shift_destroy(&finder.shift);
  return echo_copies_check_states(copies);
}
