/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What adds up the results of copies.
 * From the last addition down: one operand is of a copy, the other is the sum so far, until what is
 * added to is the same for all copies, or both are of a copy and the first of them begins the sum.
 * A copy may add several values, always the same ones in the same order. */
#include "dialects/stablehlo/opcode.h"
#include "ir/attributes/float_format.h"
#include "planning/loops/copies_t.h"

typedef ECHO_VECTOR(EchoValue *) Values;

typedef struct Chain {
  Values terms; /* the last one first */
  EchoValue *init;
  int side; /* operand that is added; -1: not known yet */
} Chain;

static bool is_addition(const EchoCopies *copies, const EchoOp *op)
{
  return op != NULL && op->block == copies->block && echo_hlo_opcode(op) == ECHO_HLO_ADD &&
         echo_type_is_tensor(echo_op_result_type(op, 0));
}

/* Whether there is a number that changes nothing, to the bit, where it is added in front. */
static bool has_nothing(const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  if (element->kind == ECHO_TYPE_INTEGER)
    return true;
  if (element->kind != ECHO_TYPE_FLOAT)
    return false;
  EchoFloatSpecials specials = echo_float_format(element->as.float_kind)->specials;
  return specials != ECHO_FLOAT_NAN_ZERO && specials != ECHO_FLOAT_SCALE;
}

/* One addition further down; false at the end. A constant is always the second operand, which comes
 * to the same. */
static bool follow(const EchoCopies *copies, const EchoOp *op, Chain *chain)
{
  EchoCopiesPlace place;
  EchoValue *left = echo_op_operand(op, 0), *right = echo_op_operand(op, 1);
  bool has_left = echo_copies_place(copies, left, &place);
  bool has_right = echo_copies_place(copies, right, &place);
  int side = has_right && (!has_left || chain->side != 0) ? 1 : 0;
  EchoValue *term = side == 1 ? right : left, *rest = side == 1 ? left : right;
  bool is_turned = chain->side >= 0 && chain->side != side;
  chain->init = echo_op_result(op, 0);
  if ((!has_left && !has_right) || (is_turned && echo_value_constant_or_null(rest) == NULL))
    return false;
  if (!is_turned)
    chain->side = side;
  echo_vector_push(&chain->terms, term);
  chain->init = rest;
  if (!has_left || !has_right)
    return true;
  echo_vector_push(&chain->terms, rest);
  chain->init = NULL;
  return false;
}

static void find_chain(const EchoCopies *copies, EchoOp *last, EchoMap *inner, Chain *chain)
{
  for (EchoOp *op = last; follow(copies, op, chain);) {
    op = echo_value_def_or_null(chain->init);
    if (!is_addition(copies, op) || !echo_value_has_one_use(chain->init) ||
        echo_copies_is_outside(copies, chain->init))
      return;
    echo_map_set(inner, echo_key(op), 1);
  }
}

/* The same rows from each copy, one copy after the other. */
static bool is_regular(const EchoCopies *copies, const EchoCopiesSum *sum)
{
  uint32_t n = (uint32_t)copies->n_copies;
  for (uint32_t c = 0; c < n; ++c)
    for (uint32_t i = 0; i < sum->n_rows; ++i) {
      EchoCopiesPlace first, place;
      bool holds =
          echo_copies_place(copies, sum->terms[i], &first) &&
          echo_copies_place(copies, sum->terms[c * sum->n_rows + i], &place) &&
          first.row == place.row && place.copy == (sum->is_down ? n - 1 - c : c) &&
          echo_copies_index(sum->terms[i]) == echo_copies_index(sum->terms[c * sum->n_rows + i]);
      if (!holds)
        return false;
    }
  return true;
}

static void add_sum(EchoCopies *copies, EchoOp *last, const Chain *chain)
{
  size_t n = (size_t)copies->n_copies;
  EchoCopiesPlace first;
  bool may_begin = chain->init != NULL ? echo_copies_is_outside(copies, chain->init)
                                       : has_nothing(echo_op_result_type(last, 0));
  if (!may_begin || chain->terms.size == 0 || chain->terms.size % n != 0)
    return;
  EchoCopiesSum sum = {.last = last,
                       .init = chain->init,
                       .adds_right = chain->side == 1,
                       .n_rows = (uint32_t)(chain->terms.size / n),
                       .terms = echo_alloc_array(chain->terms.size, sizeof(EchoValue *))};
  for (size_t i = 0; i < chain->terms.size; ++i)
    sum.terms[i] = chain->terms.data[chain->terms.size - 1 - i];
  sum.is_down = echo_copies_place(copies, sum.terms[0], &first) && first.copy != 0;
  if (is_regular(copies, &sum))
    echo_vector_push(&copies->sums, sum);
  else
    echo_free(sum.terms);
}

static void find_all(EchoCopies *copies)
{
  EchoMap inner = {0};
  for (size_t i = copies->order.size; i-- > 0;) {
    EchoOp *op = copies->order.data[i];
    EchoCopiesPlace place;
    if (!is_addition(copies, op) || echo_map_has(&inner, echo_key(op)) ||
        echo_copies_is_outside(copies, echo_op_result(op, 0)) ||
        echo_copies_place(copies, echo_op_result(op, 0), &place))
      continue;
    Chain chain = {.side = -1};
    find_chain(copies, op, &inner, &chain);
    add_sum(copies, op, &chain);
    echo_vector_destroy(&chain.terms);
  }
  echo_map_destroy(&inner);
}

/* ---- those of one loop ---- */

static uint32_t row_of(EchoCopies *copies, const EchoCopiesSum *sum)
{
  EchoCopiesPlace place = {0};
  echo_copies_place(copies, sum->terms[0], &place);
  return echo_copies_joined(copies, place.row);
}

bool *echo_copies_find_heavy(EchoCopies *copies)
{
  bool *is_heavy = echo_alloc_zero(copies->rows.size + 1, sizeof *is_heavy);
  for (uint32_t i = 0; i < copies->rows.size; ++i) {
    const EchoCopiesRow *row = &copies->rows.data[i];
    for (EchoOp *op = row->is_whole ? row->ops[0] : NULL; op != NULL;
         op = echo_op_walk_next(row->ops[0], op))
      is_heavy[echo_copies_joined(copies, i)] |= echo_op_has_trait(op, ECHO_HEAVY);
  }
  return is_heavy;
}

/* Those that go the same way as most bytes do, or as states do; the others' values are handed out
 * of the loop. */
static void keep_one_way(EchoCopies *copies, uint32_t joined, bool has_states)
{
  uint64_t bytes[2] = {0, 0};
  size_t n = 0;
  for (size_t i = 0; i < copies->sums.size; ++i)
    if (row_of(copies, &copies->sums.data[i]) == joined)
      bytes[copies->sums.data[i].is_down] +=
          echo_type_static_bytes(echo_op_result_type(copies->sums.data[i].last, 0));
  bool is_down = !has_states && bytes[1] > bytes[0];
  for (size_t i = 0; i < copies->sums.size; ++i) {
    EchoCopiesSum sum = copies->sums.data[i];
    if (row_of(copies, &sum) == joined && sum.is_down == is_down)
      copies->sums.data[n++] = sum;
    else
      echo_free(sum.terms);
  }
  copies->sums.size = n;
}

void echo_copies_find_sums(EchoCopies *copies)
{
  find_all(copies);
  bool *is_heavy = echo_copies_find_heavy(copies),
       has_states = copies->joined != ECHO_COPIES_NO_ROW;
  for (size_t i = 0; i < copies->sums.size && copies->joined == ECHO_COPIES_NO_ROW; ++i)
    if (is_heavy[row_of(copies, &copies->sums.data[i])])
      copies->joined = row_of(copies, &copies->sums.data[i]);
  keep_one_way(copies, copies->joined, has_states);
  echo_free(is_heavy);
}
