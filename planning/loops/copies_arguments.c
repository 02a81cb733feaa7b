/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments of the block that copies read instead of slices of one array. What is added up one
 * after the other is compared, each with the next, down to arguments; those that stand in each
 * other's places are one for each copy. */
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/copies_t.h"
#include "planning/loops/shift_t.h"

typedef ECHO_VECTOR(EchoValue *) Values;

typedef struct Finder {
  const EchoBlock *block;
  uint64_t n_left;  /* pairs of values that may still be looked at */
  EchoMap inner;    /* additions below others */
  EchoMap is_known; /* arguments of groups */
} Finder;

static bool is_argument(const Finder *finder, const EchoValue *value)
{
  return value->is_block_arg && echo_value_block(value) == finder->block;
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

/* What is added, the last one first: operand `side` of each addition, and at the end the other one,
 * too, but for a constant. */
static void find_terms(Finder *finder, const EchoOp *last, size_t side, Values *terms)
{
  for (const EchoOp *op = last; op != NULL;) {
    EchoValue *term = echo_op_operand(op, side), *rest = echo_op_operand(op, 1 - side);
    if (echo_value_constant_or_null(term) == NULL)
      echo_vector_push(terms, term);
    op = echo_value_has_one_use(rest) ? addition_or_null(finder, rest) : NULL;
    if (op != NULL)
      echo_map_set(&finder->inner, echo_key(op), 1);
    else if (echo_value_constant_or_null(rest) == NULL)
      echo_vector_push(terms, rest);
  }
}

/* How many of the terms, from the last one down, are copies of each other; which argument stands
 * for which is in `shift` then. */
static size_t match_terms(EchoShift *shift, const Values *terms)
{
  size_t n = 1;
  while (n < terms->size && echo_shift_match(shift, terms->data[n], terms->data[n - 1]))
    ++n;
  return n;
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

static void add_groups(Finder *finder, const EchoShift *shift, size_t n, EchoCopiesGroups *groups)
{
  for (uint32_t i = 0; i < finder->block->n_args; ++i) {
    EchoValue *value = echo_block_arg(finder->block, i);
    EchoValue *next = echo_shift_next_or_null(shift, value);
    if (next == NULL || next == value || echo_shift_prior_or_null(shift, value) != NULL)
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

static void try_sum(Finder *finder, const EchoOp *last, size_t side, EchoCopiesGroups *groups)
{
  Values terms = {0};
  EchoShift shift;
  find_terms(finder, last, side, &terms);
  echo_shift_create(&shift, finder->n_left, leaf, finder);
  size_t n = terms.size != 0 ? match_terms(&shift, &terms) : 0;
  if (n > 1)
    add_groups(finder, &shift, n, groups);
  finder->n_left = shift.n_left;
  echo_shift_destroy(&shift);
  echo_vector_destroy(&terms);
}

void echo_copies_find_arguments(const EchoBlock *block, const EchoCopiesOps *order,
                                EchoCopiesGroups *groups)
{
  Finder finder = {.block = block, .n_left = 2 * order->size};
  for (size_t i = order->size; i-- > 0;) {
    const EchoOp *op = order->data[i];
    if (op->n_results != 1 || addition_or_null(&finder, echo_op_result(op, 0)) == NULL ||
        echo_map_has(&finder.inner, echo_key(op)))
      continue;
    for (size_t side = 2; side-- > 0;)
      try_sum(&finder, op, side, groups);
  }
  echo_map_destroy(&finder.inner);
  echo_map_destroy(&finder.is_known);
}
