/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a copy ends. A row that reads nothing but what the copy before it made is as well made at
 * the end of that copy: what it reads is not carried then, what it makes is. A running mean is one
 * array between copies, though the first copy's is made of two, which stand in front of the loop.
 * Rows are moved one copy later while less is carried. */
#include "planning/loops/copies_t.h"

/* Row `to` reads value `index` of row `from`: the same copy's, or the one's before it. */
typedef struct Edge {
  uint32_t from, index, to;
  bool is_late;
} Edge;

typedef struct Mover {
  EchoCopies *copies;
  uint32_t row;             /* that edges are found of */
  ECHO_VECTOR(Edge) edges;  /* by `to` */
  uint32_t *begins;         /* by row: the first of its edges; one more than there are rows */
  ECHO_VECTOR(uint32_t) by; /* edges, by `from` */
  uint32_t *reads;          /* by row: the first in `by`; one more than there are rows */
  EchoMap n_late;           /* row and index -> late edges from there */
} Mover;

static uint64_t key_of(const Edge *edge)
{
  return (uint64_t)edge->from << 32 | edge->index;
}

static void count_late(Mover *mover, const Edge *edge, int64_t by)
{
  uint64_t n = echo_map_get_or(&mover->n_late, key_of(edge), 0);
  echo_map_set(&mover->n_late, key_of(edge), n + (uint64_t)by);
}

static bool see_edge(void *user, EchoOp *at, size_t k, EchoValue *const *values)
{
  Mover *mover = user;
  uint32_t row;
  (void)at, (void)k;
  EchoCopiesOperand operand = echo_copies_operand(mover->copies, values, &row);
  if (operand == ECHO_COPIES_ROW || operand == ECHO_COPIES_STATE) {
    Edge edge = {row, echo_copies_index(values[1]), mover->row, operand == ECHO_COPIES_STATE};
    echo_vector_push(&mover->edges, edge);
    count_late(mover, &edge, edge.is_late);
  }
  return true;
}

static void find_edges(Mover *mover)
{
  const EchoCopies *copies = mover->copies;
  size_t n = copies->rows.size;
  mover->begins = echo_alloc_zero(n + 1, sizeof *mover->begins);
  mover->reads = echo_alloc_zero(n + 2, sizeof *mover->reads);
  for (mover->row = 0; mover->row < n; ++mover->row) {
    const EchoCopiesRow *row = &copies->rows.data[mover->row];
    mover->begins[mover->row] = (uint32_t)mover->edges.size;
    if (row->is_whole && !row->is_slice)
      echo_copies_for_row(copies, row, see_edge, mover);
  }
  mover->begins[n] = (uint32_t)mover->edges.size;
  for (size_t i = 0; i < mover->edges.size; ++i)
    ++mover->reads[mover->edges.data[i].from + 2];
  for (size_t i = 0; i < n; ++i)
    mover->reads[i + 2] += mover->reads[i + 1];
  for (size_t i = 0; i < mover->edges.size; ++i)
    echo_vector_push(&mover->by, 0u);
  for (uint32_t i = 0; i < mover->edges.size; ++i)
    mover->by.data[mover->reads[mover->edges.data[i].from + 1]++] = i;
}

static bool see_moved(void *user, EchoOp *at, size_t k, EchoValue *const *values)
{
  uint32_t row;
  (void)at, (void)k;
  EchoCopiesOperand operand = echo_copies_operand(user, values, &row);
  return operand != ECHO_COPIES_MIXED && operand != ECHO_COPIES_STATE;
}

static void shift(const EchoCopies *copies, EchoCopiesRow *row)
{
  for (int64_t c = 0; c + 1 < copies->n_copies; ++c)
    row->ops[c] = row->ops[c + 1];
  row->ops[copies->n_copies - 1] = row->behind;
}

/* Whether each of the row's ops reads, one copy later, what copies have by then. */
static bool reads_its_own(EchoCopies *copies, const EchoCopiesRow *row)
{
  size_t n = (size_t)copies->n_copies;
  EchoCopiesRow moved = *row;
  moved.ops = echo_alloc_array(n, sizeof *moved.ops);
  for (size_t c = 0; c < n; ++c)
    moved.ops[c] = row->ops[c];
  shift(copies, &moved);
  bool holds = echo_copies_for_row(copies, &moved, see_moved, copies);
  echo_free(moved.ops);
  return holds;
}

/* Whether the row reads nothing but what the copy before it made, and is read by the same copy, or
 * by itself. */
static bool may_move(const Mover *mover, uint32_t at)
{
  const EchoCopiesRow *row = &mover->copies->rows.data[at];
  bool is_late = false;
  EchoCopiesPlace place;
  if (!row->is_whole || row->behind == NULL ||
      !echo_map_has(&mover->copies->made_outside, echo_key(row->ops[0])) ||
      echo_copies_place(mover->copies, echo_op_result(row->behind, 0), &place))
    return false;
  for (uint32_t i = mover->begins[at]; i < mover->begins[at + 1]; ++i) {
    const Edge *edge = &mover->edges.data[i];
    if (!edge->is_late)
      return false;
    is_late |= edge->from != at;
  }
  for (uint32_t i = mover->reads[at]; i < mover->reads[at + 1]; ++i) {
    const Edge *edge = &mover->edges.data[mover->by.data[i]];
    if (edge->is_late && edge->to != at)
      return false;
  }
  return is_late && reads_its_own(mover->copies, row);
}

static uint64_t bytes_of(const EchoCopies *copies, uint32_t row, uint32_t index)
{
  return echo_type_static_bytes(echo_op_result_type(copies->rows.data[row].ops[0], index));
}

/* What no other row reads late. */
static uint64_t bytes_not_carried(const Mover *mover, uint32_t at)
{
  uint64_t bytes = 0;
  for (uint32_t i = mover->begins[at]; i < mover->begins[at + 1]; ++i) {
    const Edge *edge = &mover->edges.data[i];
    uint64_t n_own = 0, n_before = 0;
    for (uint32_t k = mover->begins[at]; k < mover->begins[at + 1]; ++k)
      if (key_of(&mover->edges.data[k]) == key_of(edge)) {
        ++n_own;
        n_before += k < i;
      }
    if (edge->from != at && n_before == 0 &&
        echo_map_get_or(&mover->n_late, key_of(edge), 0) == n_own)
      bytes += bytes_of(mover->copies, edge->from, edge->index);
  }
  return bytes;
}

static uint64_t bytes_carried(const Mover *mover, uint32_t at)
{
  uint64_t bytes = 0;
  for (uint32_t r = 0; r < mover->copies->rows.data[at].ops[0]->n_results; ++r) {
    bool is_read = false, is_late = false;
    for (uint32_t i = mover->reads[at]; i < mover->reads[at + 1]; ++i) {
      const Edge *edge = &mover->edges.data[mover->by.data[i]];
      is_read |= edge->index == r;
      is_late |= edge->index == r && edge->is_late;
    }
    bytes += is_read && !is_late ? bytes_of(mover->copies, at, r) : 0;
  }
  return bytes;
}

static void set_places(EchoCopies *copies, uint32_t at)
{
  const EchoCopiesRow *row = &copies->rows.data[at];
  for (uint32_t c = 0; c < copies->n_copies; ++c)
    for (uint32_t r = 0; r < row->ops[c]->n_results; ++r)
      echo_map_set(&copies->places, echo_key(echo_op_result(row->ops[c], r)),
                   (uint64_t)at << 32 | c);
}

/* The first copy's is outside then. */
static void move(Mover *mover, uint32_t at)
{
  EchoCopies *copies = mover->copies;
  EchoCopiesRow *row = &copies->rows.data[at];
  EchoOp *first = row->ops[0];
  shift(copies, row);
  row->behind = NULL;
  for (uint32_t r = 0; r < first->n_results; ++r)
    echo_map_erase(&copies->places, echo_key(echo_op_result(first, r)));
  echo_map_erase(&copies->made_outside, echo_key(first));
  set_places(copies, at);
  for (uint32_t i = mover->begins[at]; i < mover->begins[at + 1]; ++i) {
    Edge *edge = &mover->edges.data[i];
    if (edge->from == at)
      continue;
    edge->is_late = false;
    count_late(mover, edge, -1);
  }
  for (uint32_t i = mover->reads[at]; i < mover->reads[at + 1]; ++i) {
    Edge *edge = &mover->edges.data[mover->by.data[i]];
    if (edge->is_late)
      continue;
    edge->is_late = true;
    count_late(mover, edge, 1);
  }
}

void echo_copies_move_late(EchoCopies *copies)
{
  Mover mover = {.copies = copies};
  ECHO_VECTOR(uint32_t) left = {0};
  find_edges(&mover);
  for (uint32_t i = (uint32_t)copies->rows.size; i-- > 0;)
    echo_vector_push(&left, i);
  while (left.size != 0) {
    uint32_t at = echo_vector_pop(&left);
    if (!may_move(&mover, at) || bytes_not_carried(&mover, at) <= bytes_carried(&mover, at))
      continue;
    move(&mover, at);
    for (uint32_t i = mover.reads[at]; i < mover.reads[at + 1]; ++i)
      echo_vector_push(&left, mover.edges.data[mover.by.data[i]].to);
  }
  echo_vector_destroy(&left);
  echo_vector_destroy(&mover.edges);
  echo_vector_destroy(&mover.by);
  echo_map_destroy(&mover.n_late);
  echo_free(mover.begins);
  echo_free(mover.reads);
}
