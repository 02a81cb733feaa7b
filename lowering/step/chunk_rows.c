/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --chunk-rows: a contraction whose result is large, and meets only ops that work row by row and
 * the contractions of its own gradient (the logits of a loss head), runs in chunks of rows, each
 * with its gradient at once, so that the large value is never whole. What it ends in is put
 * together again: rows by a concatenation, sums over rows by additions in order.
 *
 *   reach   everything that the rows flow into, and what else that depends on
 *   find    of that, in order: what works on rows, and whether anything else reads large ones
 *   pull    what makes large operands of those is repeated in each chunk, if it is cheap (masks,
 *           one-hots), or moves there, if nobody else reads it
 *   write   the chunks one after the other, where the contraction stood (write_chunks.c)
 *
 * Data flow alone decides: not the order of the ops, not what is forward and what backward, not
 * which results the step has. Nor does what Echo is asked for, so that bits do not depend on it.
 * With a gradient, all of the chunks is backward code: the loss is computed with it. */
#include <stdlib.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/step/row_head_t.h"

/* A chunk of less than that is not worth its launches and additions. */
#define MIN_CHUNK_BYTES (UINT64_C(1) << 20)
#define MIN_CHUNKS 4
#define MAX_CHUNKS 16
#define MIN_GROWTH 2  /* columns of the result for each column of what is contracted */
#define SMALL_PART 16 /* a value of less than this part of the whole may be whole */

typedef enum ValueClass {
  CLASS_NONE,   /* does not depend on the contraction */
  CLASS_ROWS,   /* has its rows */
  CLASS_PULLED, /* does not depend on it, but is made chunk by chunk too */
  CLASS_DONE    /* depends on it, and is whole */
} ValueClass;

/* A value's class and rows, as one number. */
static uint64_t pack(ValueClass value_class, EchoRowDims rows)
{
  return (uint64_t)value_class | (uint64_t)rows.first << 8 | (uint64_t)rows.n << 16;
}

static ValueClass class_of(const EchoRowHead *head, const EchoValue *value)
{
  return (ValueClass)(echo_map_get_or(&head->class_of, echo_key(value), CLASS_NONE) & 0xff);
}

/* None where its class is not CLASS_ROWS. */
static EchoRowDims rows_of(const EchoRowHead *head, const EchoValue *value)
{
  uint64_t packed = echo_map_get_or(&head->class_of, echo_key(value), CLASS_NONE);
  if ((packed & 0xff) != CLASS_ROWS)
    return (EchoRowDims){0};
  return (EchoRowDims){(uint8_t)(packed >> 8), (uint8_t)(packed >> 16), true};
}

static void set_class(EchoRowHead *head, const EchoOp *op, ValueClass value_class, EchoRowDims rows)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    echo_map_set(&head->class_of, echo_key(echo_op_result(op, i)), pack(value_class, rows));
}

static bool is_small(const EchoRowHead *head, const EchoType *type)
{
  uint64_t bytes;
  return echo_type_bytes(type, &bytes) && bytes <= head->bytes / SMALL_PART;
}

/* The rows that the operands are known to have. */
static EchoRowUse known_rows(const EchoRowHead *head, const EchoOp *op)
{
  EchoRowUse use = {0};
  for (uint32_t i = 0; i < op->n_operands && i < ECHO_MAX_ROW_OPERANDS; ++i)
    use.operands[i] = rows_of(head, echo_op_operand(op, i));
  return use;
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
    if (class_of(head, echo_op_operand(op, i)) != CLASS_ROWS &&
        origin_of(echo_op_operand(op, i)) == with)
      return true;
  return false;
}

/* The role that the op can play in the chunks. */
static EchoRowRole role_in_head(const EchoRowHead *head, const EchoOp *op, EchoRowUse *use)
{
  *use = known_rows(head, op);
  EchoRowRole role = echo_rows_down(op, head->n_rows, use);
  bool is_contraction = role != ECHO_ROWS_NONE && echo_op_has_trait(op, ECHO_HEAVY);
  return is_contraction && !is_own_gradient(head, op, role) ? ECHO_ROWS_NONE : role;
}

/* ---- reach ---- */

typedef ECHO_VECTOR(EchoOp *) OpList;

/* What an op reads of the head. */
typedef struct Reading {
  bool rows, large_rows, done, captures;
} Reading;

static Reading read_operands(const EchoRowHead *head, EchoOp *op)
{
  Reading reading = {0};
  for (EchoOp *inner = op; inner != NULL;
       inner = op->n_regions != 0 ? echo_op_walk_next(op, inner) : NULL)
    for (size_t i = 0; i < inner->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(inner, i);
      ValueClass value_class = class_of(head, value);
      reading.captures |= inner != op && value_class != CLASS_NONE;
      reading.done |= value_class == CLASS_DONE;
      reading.rows |= value_class == CLASS_ROWS;
      reading.large_rows |= value_class == CLASS_ROWS && !is_small(head, value->type);
    }
  return reading;
}

/* Follows rows to their readers, in any order. False as soon as a large one is read otherwise than
 * row by row. */
static bool reach_readers(EchoRowHead *head, OpList *ops, EchoMap *is_reached)
{
  echo_vector_push(ops, head->root);
  for (size_t n = 0; n < ops->size; ++n) {
    EchoOp *op = ops->data[n];
    if (rows_of(head, echo_op_result(op, 0)).n == 0)
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
        if (role == ECHO_ROWS_EACH)
          set_class(head, reader, CLASS_ROWS, rows.result);
        echo_vector_push(ops, reader);
      }
  }
  return true;
}

/* Behind the root, everything that `ops` depend on joins them. */
static void reach_operands(const EchoRowHead *head, OpList *ops, EchoMap *is_reached)
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

static void add_member(EchoRowHead *head, EchoOp *op, EchoRowRole role, const EchoRowUse *use)
{
  echo_vector_push(&head->members, ((EchoRowMember){op, role, *use, false}));
  echo_map_set(&head->is_member, echo_key(op), 1);
  bool has_rows = role == ECHO_ROWS_EACH || op == head->root;
  set_class(head, op, has_rows ? CLASS_ROWS : CLASS_DONE, use->result);
  const EchoType *type = echo_op_result_type(op, 0);
  uint64_t bytes = 0;
  if (!echo_type_bytes(role == ECHO_ROWS_SUM ? echo_row_sum_type(head->ctx, type) : type, &bytes))
    return;
  head->has_gradient |= op != head->root && echo_op_has_trait(op, ECHO_HEAVY);
  if (has_rows)
    head->largest_bytes = bytes > head->largest_bytes ? bytes : head->largest_bytes;
  else
    *(role == ECHO_ROWS_SUM ? &head->sum_bytes : &head->row_bytes) += bytes;
}

/* One sum and what is added to it stand together, and whatever others read stands whole: that must
 * not take what the chunks save. */
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
      if (use != NULL && class_of(head, result) == CLASS_ROWS)
        bytes += echo_type_static_bytes(result->type);
    }
  }
  return bytes <= head->bytes / 2;
}

/* False when somebody needs a large value whole. `ops` are in the order of the block. */
static bool find_members(EchoRowHead *head, const OpList *ops)
{
  for (size_t n = 0; n < ops->size; ++n) {
    EchoOp *op = ops->data[n];
    EchoRowUse use = head->root_use;
    if (op == head->root) {
      add_member(head, op, ECHO_ROWS_PRODUCT, &use);
      continue;
    }
    Reading reading = read_operands(head, op);
    if (!reading.rows && !reading.done)
      continue;
    EchoRowRole role =
        reading.done || reading.captures ? ECHO_ROWS_NONE : role_in_head(head, op, &use);
    if (role == ECHO_ROWS_SUM && !reading.large_rows)
      role = ECHO_ROWS_NONE; /* of what is small the whole is there */
    if (role == ECHO_ROWS_NONE && (reading.large_rows || (reading.captures && reading.rows)))
      return false;
    if (role == ECHO_ROWS_NONE)
      set_class(head, op, CLASS_DONE, (EchoRowDims){0});
    else
      add_member(head, op, role, &use);
  }
  return ends_small(head);
}

static bool find_head(EchoRowHead *head)
{
  OpList ops = {0};
  EchoMap is_reached = {0};
  set_class(head, head->root, CLASS_ROWS, head->root_use.result);
  bool is_found = reach_readers(head, &ops, &is_reached);
  if (is_found) {
    echo_map_clear(&head->class_of);
    reach_operands(head, &ops, &is_reached);
    qsort((void *)ops.data, ops.size, sizeof *ops.data, compare_ops);
    is_found = find_members(head, &ops);
  }
  echo_map_destroy(&is_reached);
  echo_vector_destroy(&ops);
  return is_found;
}

/* Whether the contraction has a wide result in rows of dimensions [first, first + n) of its operand
 * `side`. */
static bool begins_head(EchoOp *op, size_t side, size_t first, size_t n, EchoRowHead *head)
{
  const EchoType *read = echo_op_operand_type(op, side), *result = echo_op_result_type(op, 0);
  uint64_t read_bytes;
  *head = (EchoRowHead){.ctx = echo_op_context(op), .root = op, .n_rows = 1};
  if (!echo_type_bytes(result, &head->bytes) || !echo_type_bytes(read, &read_bytes) ||
      head->bytes < MIN_CHUNK_BYTES * MIN_CHUNKS || head->bytes < read_bytes * MIN_GROWTH)
    return false;
  for (size_t d = first; d < first + n; ++d)
    head->n_rows *= echo_type_dim(read, d);
  head->root_use.operands[side] = echo_row_dims(read, first, n);
  return head->n_rows >= MIN_CHUNKS &&
         echo_rows_down(op, head->n_rows, &head->root_use) == ECHO_ROWS_PRODUCT;
}

static void head_destroy(EchoRowHead *head)
{
  echo_map_destroy(&head->class_of);
  echo_map_destroy(&head->is_member);
  echo_vector_destroy(&head->members);
}

/* Beside a chunk stand the sums so far and what is added to them, and what the contractions have
 * given back. A chunk that is smaller than those hardly lowers the peak, and every chunk reads and
 * writes the sums once more: so it is as large as they are. */
static void choose_chunks(EchoRowHead *head)
{
  uint64_t beside = head->sum_bytes + head->row_bytes;
  uint64_t chunk_bytes = beside > MIN_CHUNK_BYTES ? beside : MIN_CHUNK_BYTES;
  uint64_t n = (head->largest_bytes + chunk_bytes - 1) / chunk_bytes;
  n = n < MIN_CHUNKS ? MIN_CHUNKS : n > MAX_CHUNKS ? MAX_CHUNKS : n;
  head->rows_a_chunk = (head->n_rows + (int64_t)n - 1) / (int64_t)n;
}

/* ---- pull ---- */

static bool is_wide(const EchoRowHead *head, const EchoType *type)
{
  uint64_t bytes;
  return echo_type_bytes(type, &bytes) && bytes > head->bytes / 2;
}

/* All that reads it is made chunk by chunk. */
static bool is_read_by_chunks_only(const EchoRowHead *head, const EchoOp *op)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    for (const EchoUse *use = echo_op_result(op, i)->first_use; use != NULL; use = use->next)
      if (!echo_map_has(&head->is_member, echo_key(use->owner)) &&
          (use->owner->n_results == 0 ||
           class_of(head, echo_op_result(use->owner, 0)) != CLASS_PULLED))
        return false;
  return true;
}

/* What is as wide as the logits, or a number a row, and read by the chunks alone may move into
 * them: the logits of a teacher and what is computed from them. */
static bool may_move(const EchoRowHead *head, const EchoOp *op)
{
  const EchoType *type = echo_op_result_type(op, 0);
  int64_t n_elements;
  return (is_wide(head, type) ||
          (echo_type_n_elements(type, &n_elements) && n_elements == head->n_rows)) &&
         is_read_by_chunks_only(head, op);
}

/* Cheap and large, or made of nothing: better made again, a chunk at a time, than cut. */
static bool is_worth_repeating(const EchoRowHead *head, const EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_HLO_IOTA || opcode == ECHO_HLO_BROADCAST_IN_DIM)
    return true;
  return echo_op_has_trait(op, ECHO_ELEMENTWISE) && !is_small(head, echo_op_result_type(op, 0));
}

/* A broadcast of what has a part of the rows' dimensions (a weight a sequence) becomes one to all
 * of them, which is small and can be cut, and one of that. */
static void broadcast_by_rows(EchoOp *op, EchoRowDims rows)
{
  const EchoType *type = echo_op_result_type(op, 0);
  EchoDimList list = echo_stablehlo_dims(op, "broadcast_dimensions");
  int64_t dims[ECHO_MAX_RANK], to_middle[ECHO_MAX_RANK], to_result[ECHO_MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < echo_type_rank(type); ++d) {
    size_t i = 0;
    while (i < list.size && list.dims[i] != (int64_t)d)
      ++i;
    bool is_row = d >= rows.first && d < (size_t)rows.first + rows.n;
    if (i == list.size && !is_row)
      continue;
    dims[n] = echo_type_dim(is_row ? type : echo_op_operand_type(op, 0), is_row ? d : i);
    if (i < list.size)
      to_middle[i] = (int64_t)n;
    to_result[n++] = (int64_t)d;
  }
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  const EchoType *middle = echo_type_tensor(builder.ctx, dims, n, echo_type_element(type), NULL);
  echo_op_set_operand(
      op, 0,
      echo_hlo_broadcast_in_dim(&builder, echo_op_operand(op, 0), middle, to_middle, list.size));
  echo_op_set_attr(op, "broadcast_dimensions", echo_attr_i64_array(builder.ctx, to_result, n));
}

/* The op that makes operand i of a member is made chunk by chunk too, if that is better; with
 * `moves`, also what need not stay whole. */
static bool pull(EchoRowHead *head, const EchoRowMember *member, uint32_t i, bool moves)
{
  EchoValue *value = echo_op_operand(member->op, i);
  EchoOp *def = echo_value_def_or_null(value);
  EchoRowUse use = {.result = member->use.operands[i]};
  if (!use.result.is_cut || def == NULL || class_of(head, value) != CLASS_NONE ||
      echo_is_splat(value) || def->block != head->root->block || !echo_op_is_pure(def) ||
      !(is_worth_repeating(head, def) || (moves && may_move(head, def))))
    return false;
  EchoRowRole role = echo_rows_up(def, head->n_rows, &use);
  if (role == ECHO_ROWS_NONE && echo_hlo_opcode(def) == ECHO_HLO_BROADCAST_IN_DIM &&
      is_wide(head, value->type)) {
    use = (EchoRowUse){.result = member->use.operands[i]};
    broadcast_by_rows(def, use.result);
    role = echo_rows_up(def, head->n_rows, &use);
  }
  if (role == ECHO_ROWS_NONE)
    return false;
  echo_vector_push(&head->members, ((EchoRowMember){def, role, use, true}));
  set_class(head, def, CLASS_PULLED, use.result);
  return true;
}

/* Each op once, until there is no more. */
static void pull_all(EchoRowHead *head, bool moves)
{
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t m = 0; m < head->members.size; ++m) {
      EchoRowMember member = head->members.data[m];
      for (uint32_t i = 0; i < member.op->n_operands; ++i)
        is_changed |= pull(head, &member, i, moves);
    }
  }
}

/* Whether the chunks cut something as wide as the logits. */
static bool cuts_wide_value(const EchoRowHead *head)
{
  for (size_t m = 0; m < head->members.size; ++m) {
    const EchoRowMember *member = &head->members.data[m];
    for (uint32_t i = 0; i < member->op->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(member->op, i);
      if (member->use.operands[i].is_cut && class_of(head, value) == CLASS_NONE &&
          is_wide(head, value->type) && !echo_is_splat(value))
        return true;
    }
  }
  return false;
}

static void pull_operands(EchoRowHead *head)
{
  pull_all(head, false);
  if (cuts_wide_value(head))
    pull_all(head, true);
}

static int compare_members(const void *a, const void *b)
{
  const EchoRowMember *x = a, *y = b;
  return x->op == y->op ? 0 : echo_op_is_before(x->op, y->op) ? -1 : 1;
}

/* Ops behind the root that the members need and that do not depend on it move before it. False when
 * one of them may not move. */
static bool hoist_operands(EchoRowHead *head)
{
  OpList needed = {0};
  EchoMap is_needed = {0};
  bool can_move = true;
  for (size_t m = 0; m < head->members.size; ++m)
    echo_vector_push(&needed, head->members.data[m].op);
  for (size_t n = 0; n < needed.size; ++n)
    for (EchoOp *inner = needed.data[n]; inner != NULL;
         inner = echo_op_walk_next(needed.data[n], inner))
      for (size_t i = 0; i < inner->n_operands; ++i) {
        EchoOp *def = echo_value_def_or_null(echo_op_operand(inner, i));
        if (def == NULL || def->block != head->root->block || echo_op_is_before(def, head->root) ||
            def == head->root || echo_map_has(&head->is_member, echo_key(def)) ||
            !echo_map_insert(&is_needed, echo_key(def), 1))
          continue;
        can_move &= echo_op_is_pure(def);
        echo_vector_push(&needed, def);
      }
  for (EchoOp *op = head->root->next, *next; op != NULL && can_move; op = next) {
    next = op->next;
    if (echo_map_has(&is_needed, echo_key(op)))
      echo_op_move_before(op, head->root);
  }
  echo_map_destroy(&is_needed);
  echo_vector_destroy(&needed);
  return can_move;
}

/* ---- the pass ---- */

/* `gone`: contractions that the chunks replace. */
static bool chunk(EchoOp *op, size_t side, size_t first, size_t n, EchoMap *gone)
{
  EchoRowHead head;
  bool is_chunked = begins_head(op, side, first, n, &head) && find_head(&head);
  if (is_chunked) {
    pull_operands(&head);
    is_chunked = hoist_operands(&head);
  }
  if (is_chunked) {
    for (size_t m = 0; m < head.members.size; ++m)
      echo_map_set(gone, echo_key(head.members.data[m].op), 1);
    choose_chunks(&head);
    qsort(head.members.data, head.members.size, sizeof(EchoRowMember), compare_members);
    echo_write_chunks(&head);
  }
  head_destroy(&head);
  return is_chunked;
}

/* Rows are as many leading dimensions of an operand as all that follows shares. */
static bool chunk_contraction(EchoOp *op, EchoMap *gone)
{
  const EchoDotDims *dims = echo_stablehlo_dot_dims(op);
  for (size_t side = 0; side < 2; ++side) {
    const EchoType *type = echo_op_operand_type(op, side);
    EchoDimList contracting = side == 0 ? dims->lhs_contracting : dims->rhs_contracting;
    if (!echo_type_is_tensor(type) || !echo_type_has_static_shape(type))
      return false;
    size_t rank = echo_type_rank(type), first = 0, end;
    while (first < rank && echo_dim_list_has(contracting, (int64_t)first))
      ++first;
    for (end = first; end < rank && !echo_dim_list_has(contracting, (int64_t)end);)
      ++end;
    for (; end > first; --end)
      if (echo_type_dim(type, end - 1) != 1 && chunk(op, side, first, end - first, gone))
        return true;
  }
  return false;
}

static void chunk_function(EchoPassRun *pass, EchoOp *function)
{
  OpList contractions = {0};
  EchoMap gone = {0};
  for (EchoOp *op = function; op != NULL; op = echo_op_walk_next(function, op))
    if (echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL)
      echo_vector_push(&contractions, op);
  for (size_t i = 0; i < contractions.size; ++i)
    if (!echo_map_has(&gone, echo_key(contractions.data[i])) &&
        chunk_contraction(contractions.data[i], &gone))
      echo_pass_count(pass, "heads", 1);
  echo_map_destroy(&gone);
  echo_vector_destroy(&contractions);
}

static bool run(EchoPassRun *pass)
{
  for (EchoOp *op = echo_op_body(pass->op, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "func.func") && op->regions[0].first != NULL)
      chunk_function(pass, op);
  return true;
}

static const EchoPassStatistic STATISTICS[] = {{"heads", "contractions that run in chunks of rows"},
                                               {NULL, NULL}};

const EchoPass ECHO_PASS_CHUNK_ROWS = {
    .name = "chunk-rows",
    .summary = "run a loss head in chunks of rows, each with its gradient at once",
    .anchor = "builtin.module",
    .statistics = STATISTICS,
    .run = run,
};
