/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the copies of an op read in one place: the same, each what it made itself, each what the one
 * before it made, or each something of its own from outside. */
#include "dialects/stablehlo/opcode.h"
#include "planning/loops/copies_t.h"

bool echo_copies_for_row(const EchoCopies *copies, const EchoCopiesRow *row,
                         EchoCopiesSeeOperand *see, void *user)
{
  size_t n = (size_t)copies->n_copies;
  EchoOp **ops = echo_alloc_array(n, sizeof *ops);
  EchoValue **values = echo_alloc_array(n, sizeof *values);
  bool holds = true;
  for (size_t c = 0; c < n; ++c)
    ops[c] = row->ops[c];
  while (ops[0] != NULL && holds) {
    for (size_t k = 0; k < ops[0]->n_operands && holds; ++k) {
      const EchoValue *first = echo_op_operand(ops[0], k);
      bool is_its_own =
          ops[0] != row->ops[0] &&
          echo_op_is_ancestor(row->ops[0], echo_block_parent(echo_value_block(first)));
      for (size_t c = 0; c < n; ++c)
        values[c] = echo_op_operand(ops[c], k);
      holds = is_its_own || see(user, ops[0], k, values);
    }
    for (size_t c = 0; c < n; ++c)
      ops[c] = echo_op_walk_next(row->ops[c], ops[c]);
  }
  echo_free(ops);
  echo_free(values);
  return holds;
}

static bool are_same(const EchoValue *a, const EchoValue *b)
{
  const EchoAttr *constant = echo_value_constant_or_null(a);
  return a == b || (constant != NULL && constant == echo_value_constant_or_null(b));
}

/* Whether copies from `first` on have the values of one row that lie `lag` copies back. */
static bool are_of_row(const EchoCopies *copies, EchoValue *const *values, int64_t first,
                       int64_t lag, EchoCopiesPlace *place)
{
  bool holds = echo_copies_place(copies, values[first], place);
  for (int64_t c = first; c < copies->n_copies && holds; ++c) {
    EchoCopiesPlace other;
    holds = echo_copies_place(copies, values[c], &other) && other.row == place->row &&
            other.copy == c - lag &&
            echo_copies_index(values[c]) == echo_copies_index(values[first]);
  }
  return holds;
}

EchoCopiesOperand echo_copies_operand(const EchoCopies *copies, EchoValue *const *values,
                                      uint32_t *row)
{
  EchoCopiesPlace place = {0};
  bool are_outside = true, are_all_same = true;
  for (int64_t c = 0; c < copies->n_copies; ++c) {
    are_outside &= echo_copies_is_outside(copies, values[c]);
    are_all_same &= are_same(values[0], values[c]);
  }
  *row = 0;
  EchoCopiesOperand operand = ECHO_COPIES_MIXED;
  if (are_outside && (are_all_same || echo_copies_may_pick(values[0]->type)))
    return are_all_same ? ECHO_COPIES_SAME : ECHO_COPIES_PICK;
  if (are_of_row(copies, values, 0, 0, &place))
    operand = ECHO_COPIES_ROW;
  else if (echo_copies_is_outside(copies, values[0]) && are_of_row(copies, values, 1, 1, &place))
    operand = ECHO_COPIES_STATE;
  *row = place.row;
  return operand;
}

/* ---- which rows are copies ---- */

typedef struct Check {
  EchoCopies *copies;
  uint32_t row;
  bool *has_state; /* by joined row: a state that is no sum */
} Check;

static bool see_whole(void *user, EchoOp *at, size_t k, EchoValue *const *values)
{
  const Check *check = user;
  uint32_t row;
  (void)at, (void)k;
  EchoCopiesOperand operand = echo_copies_operand(check->copies, values, &row);
  return operand != ECHO_COPIES_MIXED;
}

/* Rows that are none make none of those that read them, so it is looked until nothing changes; what
 * takes more than a few rounds is given up. */
static bool drop_rows(EchoCopies *copies)
{
  enum { MAX_ROUNDS = 8 };
  bool changes = true;
  for (int round = 0; round < MAX_ROUNDS && changes; ++round) {
    changes = false;
    for (uint32_t i = 0; i < copies->rows.size; ++i) {
      Check check = {.copies = copies, .row = i};
      EchoCopiesRow *row = &copies->rows.data[i];
      if (!row->is_whole || row->is_slice || echo_copies_for_row(copies, row, see_whole, &check))
        continue;
      row->is_whole = false;
      changes = true;
    }
  }
  return !changes;
}

static bool see_join(void *user, EchoOp *at, size_t k, EchoValue *const *values)
{
  const Check *check = user;
  uint32_t row;
  (void)at, (void)k;
  EchoCopiesOperand operand = echo_copies_operand(check->copies, values, &row);
  if (operand == ECHO_COPIES_ROW || operand == ECHO_COPIES_STATE)
    check->copies->rows.data[echo_copies_joined(check->copies, row)].joined =
        echo_copies_joined(check->copies, check->row);
  return true;
}

static bool is_state(const EchoCopies *copies, const EchoCopiesRow *row, size_t k)
{
  EchoValue **values = echo_alloc_array((size_t)copies->n_copies, sizeof *values);
  uint32_t of;
  for (int64_t c = 0; c < copies->n_copies; ++c)
    values[c] = echo_op_operand(row->ops[c], k);
  bool holds = echo_copies_operand(copies, values, &of) == ECHO_COPIES_STATE;
  echo_free(values);
  return holds;
}

/* Whether operand `k` of the row, a state that row `of` makes, is part of a sum: the row adds to
 * it, and nothing else reads it; or it is added to such a state one copy late. Copies whose results
 * are added up have no state between them. */
static bool is_sum(const Check *check, const EchoOp *at, size_t k, const EchoValue *state,
                   uint32_t of)
{
  const EchoCopiesRow *row = &check->copies->rows.data[check->row];
  if (at != row->ops[0] || echo_hlo_opcode(at) != ECHO_HLO_ADD)
    return false;
  for (const EchoUse *use = state->first_use; use != NULL; use = use->next)
    if (use->owner != row->ops[1])
      return false;
  return of == check->row || is_state(check->copies, row, 1 - k);
}

static bool see_state(void *user, EchoOp *at, size_t k, EchoValue *const *values)
{
  const Check *check = user;
  uint32_t row;
  if (echo_copies_operand(check->copies, values, &row) == ECHO_COPIES_STATE &&
      !is_sum(check, at, k, values[1], row))
    check->has_state[echo_copies_joined(check->copies, row)] |=
        check->copies->rows.data[row].has_level;
  return true;
}

bool echo_copies_check_states(EchoCopies *copies)
{
  Check check = {.copies = copies};
  copies->joined = ECHO_COPIES_NO_ROW;
  if (!drop_rows(copies))
    return false;
  echo_copies_move_late(copies);
  for (check.row = 0; check.row < copies->rows.size; ++check.row)
    if (copies->rows.data[check.row].is_whole && !copies->rows.data[check.row].is_slice)
      echo_copies_for_row(copies, &copies->rows.data[check.row], see_join, &check);
  check.has_state = echo_alloc_zero(copies->rows.size + 1, sizeof *check.has_state);
  for (check.row = 0; check.row < copies->rows.size; ++check.row)
    if (copies->rows.data[check.row].is_whole && !copies->rows.data[check.row].is_slice)
      echo_copies_for_row(copies, &copies->rows.data[check.row], see_state, &check);
  bool *is_heavy = echo_copies_find_heavy(copies);
  for (uint32_t i = 0; i < copies->rows.size && copies->joined == ECHO_COPIES_NO_ROW; ++i) {
    uint32_t joined = echo_copies_joined(copies, i);
    if (copies->rows.data[i].is_whole && is_heavy[joined] && check.has_state[joined])
      copies->joined = joined;
  }
  echo_free(is_heavy);
  echo_free(check.has_state);
  return copies->joined != ECHO_COPIES_NO_ROW;
}
