/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which ops can run in chunks of a contraction's rows:
 *
 *   reach   everything that the rows flow into, and what else that depends on
 *   find    of that, in order: what works on rows, and whether anything else reads large ones
 *
 * A contraction takes rows in and gives rows or a sum over them back: what reads its result waits
 * for all chunks. Where that meets large rows again (in the gradient of attention, whose scores
 * meet the gradient of what was made of them), a second span of chunks begins. */
#include <stdlib.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/row_head_t.h"

#define SMALL_PART 16 /* a value of less than this part of the whole may be whole */

/* ---- states ---- */

static uint64_t pack(EchoRowState state)
{
  return (uint64_t)state.value_class | (uint64_t)state.rows.first << 8 |
         (uint64_t)state.rows.n << 16 | (uint64_t)state.span << 24;
}

EchoRowState echo_row_state(const EchoRowHead *head, const EchoValue *value)
{
  uint64_t packed = echo_map_get_or(&head->state_of, echo_key(value), 0);
  EchoRowState state = {.value_class = (EchoRowClass)(packed & 0xff),
                        .span = (uint8_t)(packed >> 24)};
  if (state.value_class == ECHO_CLASS_ROWS)
    state.rows = (EchoRowDims){(uint8_t)(packed >> 8), (uint8_t)(packed >> 16), true};
  return state;
}

void echo_set_row_state(EchoRowHead *head, const EchoOp *op, EchoRowState state)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_map_set(&head->state_of, echo_key(echo_op_result(op, i)), pack(state));
}

bool echo_is_small_row(const EchoRowHead *head, const EchoType *type)
{
  uint64_t bytes;
  return echo_type_bytes(type, &bytes) && bytes <= head->bytes / SMALL_PART;
}

/* The rows that the operands are known to have. */
static EchoRowUse known_rows(const EchoRowHead *head, const EchoOp *op)
{
  EchoRowUse use = {0};
  for (uint32_t i = 0; i < op->n_operands && i < ECHO_MAX_ROW_OPERANDS; ++i)
    use.operands[i] = echo_row_state(head, echo_op_operand(op, i)).rows;
  return use;
}

/* The role that the op can play in the chunks. */
static EchoRowRole role_in_head(const EchoRowHead *head, const EchoOp *op, EchoRowUse *use)
{
  *use = known_rows(head, op);
  return echo_rows_down(op, head->n_rows, use);
}

/* ---- the gradient of a contraction ---- */

/* What a value is but for its type and the order of its elements. */
static const EchoValue *origin_of(const EchoValue *value)
{
  for (EchoOp *def; (def = echo_value_def_or_null(value)) != NULL;
       value = echo_op_operand(def, 0)) {
    EchoHloOpcode opcode = echo_hlo_opcode(def);
    if (opcode != ECHO_HLO_TRANSPOSE && opcode != ECHO_HLO_CONVERT && opcode != ECHO_HLO_RESHAPE)
      break;
  }
  return value;
}

/* With respect to the rows of the root it contracts with what the root did, with respect to the
 * other side it sums over what had those rows. */
static bool is_own_gradient(const EchoRowHead *head, const EchoOp *op, EchoRowRole role)
{
  size_t row_side = head->root_use.operands[0].n != 0 ? 0 : 1;
  const EchoValue *with =
      origin_of(echo_op_operand(head->root, role == ECHO_ROWS_SUM ? row_side : 1 - row_side));
  for (size_t i = 0; i < 2; ++i)
    if (echo_row_state(head, echo_op_operand(op, i)).value_class != ECHO_CLASS_ROWS &&
        origin_of(echo_op_operand(op, i)) == with)
      return true;
  return false;
}

/* ---- reach ---- */

/* What an op reads of the head. */
typedef struct Reading {
  bool rows, large_rows, done, captures;
  uint8_t span;   /* in which all that it reads is there */
  uint8_t behind; /* behind which all that it reads is whole */
} Reading;

static Reading read_operands(const EchoRowHead *head, EchoOp *op)
{
  Reading reading = {0};
  for (EchoOp *inner = op; inner != NULL;
       inner = op->n_regions != 0 ? echo_op_walk_next(op, inner) : NULL)
    for (size_t i = 0; i < inner->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(inner, i);
      EchoRowState state = echo_row_state(head, value);
      bool is_rows = state.value_class == ECHO_CLASS_ROWS;
      bool is_done = state.value_class == ECHO_CLASS_DONE;
      uint8_t span = (uint8_t)(state.span + is_done);
      reading.captures |= inner != op && state.value_class != ECHO_CLASS_NONE;
      reading.done |= is_done;
      reading.rows |= is_rows;
      reading.large_rows |= is_rows && !echo_is_small_row(head, value->type);
      reading.span = span > reading.span ? span : reading.span;
      reading.behind = state.span > reading.behind ? state.span : reading.behind;
    }
  return reading;
}

/* What comes out of the chunks by an op that ends their rows, as it is added up. */
static uint64_t end_bytes(const EchoRowHead *head, const EchoOp *op, EchoRowRole role)
{
  const EchoType *type = echo_op_result_type(op, 0);
  uint64_t bytes = 0;
  if (role == ECHO_ROWS_PRODUCT || role == ECHO_ROWS_SUM)
    (void)echo_type_bytes(role == ECHO_ROWS_SUM ? echo_row_sum_type(head->ctx, type) : type,
                          &bytes);
  return bytes;
}

/* That must not take what the chunks save. */
static bool is_small_end(const EchoRowHead *head, uint64_t bytes)
{
  return bytes <= head->bytes / 2;
}

/* Follows rows to their readers, in any order. False as soon as a large one is read otherwise than
 * row by row, or too much comes out of them: before anything else is looked at, for that is a
 * look at all that follows. */
static bool reach_readers(EchoRowHead *head, EchoOpList *ops, EchoMap *is_reached)
{
  uint64_t ends = 0;
  echo_vector_push(ops, head->root);
  for (size_t n = 0; n < ops->size; ++n) {
    EchoOp *op = ops->data[n];
    if (echo_row_state(head, echo_op_result(op, 0)).rows.n == 0)
      continue;
    for (uint32_t i = 0; i < op->n_results; ++i)
      for (const EchoUse *use = echo_op_result(op, i)->first_use; use != NULL; use = use->next) {
        EchoOp *reader = echo_op_ancestor_in_block(use->owner, head->root->block);
        if (reader == NULL)
          return false;
        if (!echo_map_insert(is_reached, echo_key(reader), 1))
          continue;
        Reading reading = read_operands(head, reader);
        EchoRowUse rows;
        EchoRowRole role = reading.captures ? ECHO_ROWS_NONE : role_in_head(head, reader, &rows);
        if (role == ECHO_ROWS_NONE && (reading.large_rows || reading.captures))
          return false;
        if (echo_op_has_trait(reader, ECHO_TERMINATOR))
          continue;
        ends += reading.large_rows ? end_bytes(head, reader, role) : 0;
        if (!is_small_end(head, ends))
          return false;
        if (role == ECHO_ROWS_EACH)
          echo_set_row_state(head, reader, (EchoRowState){ECHO_CLASS_ROWS, rows.result, 0});
        echo_vector_push(ops, reader);
      }
  }
  return true;
}

/* Behind the root, everything that `ops` depend on joins them. */
static void reach_operands(const EchoRowHead *head, EchoOpList *ops, EchoMap *is_reached)
{
  for (size_t n = 0; n < ops->size; ++n) {
    EchoOp *op = ops->data[n];
    for (EchoOp *inner = op; inner != NULL; inner = echo_op_walk_next(op, inner))
      for (size_t i = 0; i < inner->n_operands; ++i) {
        EchoOp *def = echo_value_def_or_null(echo_op_operand(inner, i));
        if (def != NULL && def->block == head->root->block && echo_op_is_before(head->root, def) &&
            echo_map_insert(is_reached, echo_key(def), 1))
          echo_vector_push(ops, def);
      }
  }
}

static int compare_ops(const void *a, const void *b)
{
  const EchoOp *x = *(EchoOp *const *)a, *y = *(EchoOp *const *)b;
  return x == y ? 0 : echo_op_is_before(x, y) ? -1 : 1;
}

/* ---- find ---- */

static void add_member(EchoRowHead *head, EchoOp *op, EchoRowRole role, const EchoRowUse *use,
                       uint8_t span)
{
  echo_vector_push(&head->members, ((EchoRowMember){op, role, *use, false, span}));
  echo_map_set(&head->is_member, echo_key(op), 1);
  bool has_rows = role == ECHO_ROWS_EACH || op == head->root;
  if (!has_rows && echo_op_has_trait(op, ECHO_HEAVY)) {
    bool is_own = is_own_gradient(head, op, role);
    head->has_gradient |= is_own;
    head->is_own_gradient &= is_own;
  }
  echo_set_row_state(
      head, op, (EchoRowState){has_rows ? ECHO_CLASS_ROWS : ECHO_CLASS_DONE, use->result, span});
  if (span >= head->n_spans) {
    head->n_spans = (uint8_t)(span + 1);
    head->is_own_gradient = false;
    head->places[span] = op;
  }
  uint64_t bytes;
  if (!has_rows)
    *(role == ECHO_ROWS_SUM ? &head->sum_bytes : &head->row_bytes) += end_bytes(head, op, role);
  else if (echo_type_bytes(echo_op_result_type(op, 0), &bytes) && bytes > head->largest_bytes)
    head->largest_bytes = bytes;
}

/* A member reads op, in a span before `span`, or somebody else does. */
static bool is_read_before(const EchoRowHead *head, const EchoOp *op, const EchoMap *span_of,
                           uint8_t span)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    for (const EchoUse *use = echo_op_result(op, i)->first_use; use != NULL; use = use->next)
      if (!echo_map_has(&head->is_member, echo_key(use->owner)) ||
          echo_map_get_or(span_of, echo_key(use->owner), 0) < span)
        return true;
  return false;
}

/* What is wide, made of what is small, and read in the second span alone is made there. */
static void sink_members(EchoRowHead *head)
{
  EchoMap span_of = {0};
  for (size_t m = head->members.size; m-- > 0 && head->n_spans > 1;) {
    EchoRowMember *member = &head->members.data[m];
    uint8_t last = (uint8_t)(head->n_spans - 1);
    if (member->role == ECHO_ROWS_EACH && member->span < last &&
        !read_operands(head, member->op).large_rows &&
        !is_read_before(head, member->op, &span_of, last))
      member->span = last;
    echo_map_set(&span_of, echo_key(member->op), member->span);
  }
  echo_map_destroy(&span_of);
}

/* One sum and what is added to it stand together, and whatever others read stands whole. */
static bool ends_small(const EchoRowHead *head)
{
  uint64_t bytes = head->sum_bytes + head->row_bytes;
  for (size_t m = 0; m < head->members.size; ++m) {
    const EchoOp *op = head->members.data[m].op;
    for (uint32_t i = 0; i < op->n_results; ++i) {
      const EchoValue *result = echo_op_result(op, i);
      const EchoUse *use = result->first_use;
      while (use != NULL && echo_map_has(&head->is_member, echo_key(use->owner)))
        use = use->next;
      if (use != NULL && echo_row_state(head, result).value_class == ECHO_CLASS_ROWS)
        bytes += echo_type_static_bytes(result->type);
    }
  }
  return is_small_end(head, bytes);
}

/* False when somebody needs a large value whole. `ops` are in the order of the block. */
static bool find_members(EchoRowHead *head, const EchoOpList *ops, uint8_t n_spans)
{
  for (size_t n = 0; n < ops->size; ++n) {
    EchoOp *op = ops->data[n];
    EchoRowUse use = head->root_use;
    if (op == head->root) {
      add_member(head, op, ECHO_ROWS_PRODUCT, &use, 0);
      continue;
    }
    Reading reading = read_operands(head, op);
    if (!reading.rows && !reading.done)
      continue;
    bool may_be_member = reading.rows && !reading.captures && reading.span < n_spans;
    EchoRowRole role = may_be_member ? role_in_head(head, op, &use) : ECHO_ROWS_NONE;
    if (role == ECHO_ROWS_SUM && !reading.large_rows)
      role = ECHO_ROWS_NONE; /* of what is small the whole is there */
    if (role == ECHO_ROWS_NONE && (reading.large_rows || (reading.captures && reading.rows)))
      return false;
    if (role != ECHO_ROWS_NONE)
      add_member(head, op, role, &use, reading.span);
    else
      echo_set_row_state(head, op, (EchoRowState){ECHO_CLASS_DONE, {0}, reading.behind});
  }
  sink_members(head);
  return ends_small(head);
}

bool echo_find_rows(EchoRowHead *head, uint8_t n_spans)
{
  EchoOpList ops = {0};
  EchoMap is_reached = {0};
  head->places[0] = head->root;
  head->n_spans = 1;
  head->is_own_gradient = true;
  echo_set_row_state(head, head->root, (EchoRowState){ECHO_CLASS_ROWS, head->root_use.result, 0});
  bool is_found = reach_readers(head, &ops, &is_reached);
  if (is_found) {
    echo_map_clear(&head->state_of);
    reach_operands(head, &ops, &is_reached);
    qsort((void *)ops.data, ops.size, sizeof *ops.data, compare_ops);
    is_found = find_members(head, &ops, n_spans);
  }
  echo_map_destroy(&is_reached);
  echo_vector_destroy(&ops);
  return is_found;
}
