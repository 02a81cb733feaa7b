/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments of the block that copies read instead of slices of one array. What is added up one
 * after the other is compared, each with the next, down to arguments; those that stand in each
 * other's places are one for each copy. */
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/copies_t.h"
#include "planning/loops/shift_t.h"

/* A pair of copies takes as many as a copy has ops, and what it reads; sums that are none as many
 * once more. */
#define MAX_PAIRS_AN_OP 4

typedef ECHO_VECTOR(EchoValue *) Values;

typedef struct Finder {
  const EchoBlock *block;
  EchoShift shift;  /* of all that is added: what one sum shows, the next need not ask again */
  EchoMap inner;    /* additions below others */
  EchoMap is_known; /* arguments of groups */
} Finder;

static bool is_argument(const Finder *finder, const EchoValue *value)
{
  return value->is_block_arg && echo_value_block(value) == finder->block &&
         echo_copies_may_pick(value->type);
}

static EchoShiftLeaf leaf(void *user, EchoValue *from, EchoValue *to)
{
  const Finder *finder = user;
  const EchoAttr *constant = echo_value_constant_or_null(from);
  if (from == to || (constant != NULL && constant == echo_value_constant_or_null(to)))
    return ECHO_SHIFT_HOLDS;
  if (is_argument(finder, from) || is_argument(finder, to))
    return is_argument(finder, from) && is_argument(finder, to) ? ECHO_SHIFT_HOLDS
                                                                : ECHO_SHIFT_FAILS;
  return ECHO_SHIFT_LOOK_INSIDE;
}

static EchoOp *addition_or_null(const Finder *finder, const EchoValue *value)
{
  EchoOp *op = echo_value_def_or_null(value);
  return op != NULL && op->block == finder->block && echo_hlo_opcode(op) == ECHO_HLO_ADD ? op
                                                                                         : NULL;
}

/* What is added, the last one first, and what stands below each: operand `side` of each addition
 * and the other one, down to what is none. A constant is none of the terms. */
static void find_terms(Finder *finder, const EchoOp *last, size_t side, Values *terms,
                       Values *rests)
{
  for (const EchoOp *op = last; op != NULL;) {
    EchoValue *term = echo_op_operand(op, side), *rest = echo_op_operand(op, 1 - side);
    if (echo_value_constant_or_null(term) == NULL) {
      echo_vector_push(terms, term);
      echo_vector_push(rests, rest);
    }
    op = echo_value_has_one_use(rest) ? addition_or_null(finder, rest) : NULL;
    if (op != NULL)
      echo_map_set(&finder->inner, echo_key(op), 1);
  }
}

/* What is added to a constant, else the value itself. */
static EchoValue *without_constant(const Finder *finder, EchoValue *value)
{
  const EchoOp *op = addition_or_null(finder, value);
  for (size_t side = 2; op != NULL && side-- > 0;)
    if (echo_value_constant_or_null(echo_op_operand(op, side)) != NULL)
      return echo_op_operand(op, 1 - side);
  return value;
}

/* How many of the terms, from the last one down, are copies of each other. The first copy may be
 * all that stands below the second, though it is an addition, too, or what that adds to a constant.
 * Which argument stands for which is in `finder` then. */
static size_t match_terms(Finder *finder, const Values *terms, const Values *rests)
{
  size_t n = 1;
  while (n < terms->size && echo_shift_match(&finder->shift, terms->data[n], terms->data[n - 1]))
    ++n;
  EchoValue *rest = rests->data[n - 1], *first = without_constant(finder, rest);
  bool is_more = echo_shift_match(&finder->shift, rest, terms->data[n - 1]) ||
                 (first != rest && echo_shift_match(&finder->shift, first, terms->data[n - 1]));
  return n + is_more;
}

/* `first` and the arguments that stand in its place in the copies after it; false where they are
 * not as many as there are copies. */
static bool follow(const Finder *finder, const EchoShift *shift, EchoValue *first, size_t n,
                   EchoValue **arguments)
{
  EchoValue *value = first;
  for (size_t i = 0; i < n; ++i, value = echo_shift_next_or_null(shift, value)) {
    if (value == NULL || (i != 0 && value == first) ||
        echo_map_has(&finder->is_known, echo_key(value)))
      return false;
    arguments[i] = value;
  }
  return value == NULL;
}

/* Of the arguments found behind the first `size` of the trail. */
static void add_groups(Finder *finder, size_t size, size_t n, EchoCopiesGroups *groups)
{
  const EchoShift *shift = &finder->shift;
  for (size_t i = size; i < shift->trail.size; ++i) {
    EchoValue *value = shift->trail.data[i], *next = echo_shift_next_or_null(shift, value);
    if (!is_argument(finder, value) || next == value ||
        echo_shift_prior_or_null(shift, value) != NULL)
      continue;
    EchoValue **arguments = echo_alloc_array(n, sizeof(EchoValue *));
    if (!follow(finder, shift, value, n, arguments)) {
      echo_free(arguments);
      continue;
    }
    for (size_t k = 0; k < n; ++k)
      echo_map_set(&finder->is_known, echo_key(arguments[k]), 1);
    echo_vector_push(groups, ((EchoCopiesArguments){arguments, (int64_t)n}));
  }
}

/* Where no more may be looked at, nobody knows whether there are more copies. */
static void try_sum(Finder *finder, const EchoOp *last, size_t side, EchoCopiesGroups *groups)
{
  Values terms = {0}, rests = {0};
  size_t size = finder->shift.trail.size;
  find_terms(finder, last, side, &terms, &rests);
  size_t n = terms.size != 0 ? match_terms(finder, &terms, &rests) : 0;
  if (n > 1 && finder->shift.n_left != 0)
    add_groups(finder, size, n, groups);
  echo_vector_destroy(&terms);
  echo_vector_destroy(&rests);
}

void echo_copies_find_arguments(const EchoBlock *block, const EchoDataflowOrder *order,
                                EchoCopiesGroups *groups)
{
  Finder finder = {.block = block};
  echo_shift_create(&finder.shift, MAX_PAIRS_AN_OP * order->size, leaf, &finder);
  for (size_t i = order->size; i-- > 0;) {
    const EchoOp *op = order->data[i];
    if (op->n_results != 1 || addition_or_null(&finder, echo_op_result(op, 0)) == NULL ||
        echo_map_has(&finder.inner, echo_key(op)))
      continue;
    for (size_t side = 2; side-- > 0;)
      try_sum(&finder, op, side, groups);
  }
  echo_shift_destroy(&finder.shift);
  echo_map_destroy(&finder.inner);
  echo_map_destroy(&finder.is_known);
}
