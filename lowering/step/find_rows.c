/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which ops can run in chunks of a contraction's rows:
 *
 *   reach   everything that the rows flow into
 *   find    of all up to the last of that, in order: what works on rows, and whether anything else
 *           reads large ones
 *
 * A contraction takes rows in and gives rows or a sum over them back: what reads its result waits
 * for all chunks. Where that meets large rows again (in the gradient of attention, whose scores
 * meet the gradient of what was made of them), a second span of chunks begins. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/row_head_t.h"
#include "planning/loops/parts.h"

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

bool echo_is_wide_row(const EchoRowHead *head, const EchoType *type)
{
  uint64_t bytes;
  return echo_type_bytes(type, &bytes) && bytes > head->bytes / 2;
}

bool echo_row_is_outer(const EchoRowHead *head, const EchoValue *value, uint8_t span)
{
  EchoRowState state = echo_row_state(head, value);
  return state.value_class == ECHO_CLASS_NONE ||
         (state.value_class == ECHO_CLASS_DONE && state.span < span);
}

static bool is_given(const EchoRowHead *head, const EchoValue *value)
{
  return value->is_block_arg || echo_value_block(value) != head->root->block;
}

bool echo_row_cuts_wide(const EchoRowHead *head, const EchoRowMember *member)
{
  for (uint32_t i = 0; i < member->op->n_operands; ++i) {
    const EchoValue *value = echo_op_operand(member->op, i);
    if (member->use.operands[i].is_cut && echo_row_is_outer(head, value, member->span) &&
        echo_is_wide_row(head, value->type) && !echo_is_splat(value) && !is_given(head, value))
      return true;
  }
  return false;
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

/* The rows are stacked by the loop around the head for a loop behind it, which has its chunks of
 * them already. */
static bool is_stacked(EchoRowHead *head, const EchoOp *op)
{
  if (!head->writes_stacks || echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_UPDATE_SLICE)
    return false;
  const EchoType *type = echo_op_operand_type(op, 1);
  EchoRowDims rows = echo_row_state(head, echo_op_operand(op, 1)).rows;
  EchoStackParts parts;
  if (rows.n == 0 || !echo_loop_is_read_in_parts(op, &parts) ||
      parts.before != echo_dims_product(type, 0, rows.first) || parts.n_rows != head->n_rows ||
      (head->stack_rows != 0 && head->stack_rows != parts.rows_a_part))
    return false;
  head->stack_rows = parts.rows_a_part;
  return true;
}

typedef struct Reach {
  EchoOpList ops; /* in any order */
  EchoMap is_reached;
} Reach;

/* False where one reads large rows otherwise than row by row, or what comes out of one is too much.
 */
static bool reach_readers_of(EchoRowHead *head, const EchoValue *value, Reach *reach)
{
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    EchoOp *reader = echo_op_ancestor_in_block(use->owner, head->root->block);
    if (reader == NULL)
      return false;
    if (!echo_map_insert(&reach->is_reached, echo_key(reader), 1))
      continue;
    Reading reading = read_operands(head, reader);
    EchoRowUse rows;
    EchoRowRole role = reading.captures ? ECHO_ROWS_NONE : role_in_head(head, reader, &rows);
    if (reading.captures ||
        (role == ECHO_ROWS_NONE && reading.large_rows && !is_stacked(head, reader)))
      return false;
    if (echo_op_has_trait(reader, ECHO_TERMINATOR))
      continue;
    if (reading.large_rows && end_bytes(head, reader, role) > head->bytes)
      return false; /* in whichever span (ends_small) */
    if (role == ECHO_ROWS_EACH)
      echo_set_row_state(head, reader, (EchoRowState){ECHO_CLASS_ROWS, rows.result, 0});
    echo_vector_push(&reach->ops, reader);
  }
  return true;
}

/* Follows rows to their readers. False as soon as they cannot be cut: before anything else is
 * looked at, for that is a look at all that follows. */
static bool reach_readers(EchoRowHead *head, Reach *reach)
{
  echo_vector_push(&reach->ops, head->root);
  for (size_t v = 0; v < head->views.size; ++v)
    if (!reach_readers_of(head, head->views.data[v].value, reach))
      return false;
  for (size_t n = 0; n < reach->ops.size; ++n) {
    EchoOp *op = reach->ops.data[n];
    if (echo_row_state(head, echo_op_result(op, 0)).rows.n == 0)
      continue;
    for (uint32_t i = 0; i < op->n_results; ++i)
      if (!reach_readers_of(head, echo_op_result(op, i), reach))
        return false;
  }
  return true;
}

/* The last of them in the block. */
static EchoOp *last_of(const EchoOpList *ops)
{
  EchoOp *last = ops->data[0];
  for (size_t i = 1; i < ops->size; ++i)
    if (echo_op_is_before(last, ops->data[i]))
      last = ops->data[i];
  return last;
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

/* By another op than a member, and whole: not chunk by chunk, from stacks. */
static bool is_read_whole(const EchoRowHead *head, const EchoValue *value)
{
  bool may_be_stacked = head->stack_rows != 0 && !echo_is_small_row(head, value->type);
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next)
    if (!echo_map_has(&head->is_member, echo_key(use->owner)) &&
        !(may_be_stacked && echo_hlo_opcode(use->owner) == ECHO_HLO_DYNAMIC_UPDATE_SLICE))
      return true;
  return false;
}

/* What comes out of an op of the chunks by its end, or because others read it whole. */
static uint64_t bytes_out(const EchoRowHead *head, const EchoRowMember *member)
{
  const EchoOp *op = member->op;
  uint64_t bytes = op != head->root ? end_bytes(head, op, member->role) : 0;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    const EchoValue *result = echo_op_result(op, i);
    if (echo_row_state(head, result).value_class == ECHO_CLASS_ROWS && is_read_whole(head, result))
      bytes += echo_type_static_bytes(result->type);
  }
  return bytes;
}

/* What comes out of a span (one sum and what is added to it, and what others read) stands beside
 * its chunks, and may take half of what would be there at once if they were one: as much as the
 * root's result, and twice as much where that meets its gradient: in the second span, or in the
 * first where the root itself is computed again right before its gradient, as a checkpoint has it.
 * What comes out of the first is read before the second begins. */
static bool ends_small(EchoRowHead *head)
{
  uint64_t bytes[ECHO_MAX_ROW_SPANS] = {0}, all = 0;
  bool meets_gradient[ECHO_MAX_ROW_SPANS] = {false, true}, is_small = true;
  for (size_t m = 0; m < head->members.size; ++m) {
    const EchoRowMember *member = &head->members.data[m];
    bytes[member->span] += bytes_out(head, member);
    meets_gradient[member->span] |=
        member->role == ECHO_ROWS_EACH && echo_row_cuts_wide(head, member);
  }
  for (size_t span = 0; span < head->n_spans; ++span) {
    is_small &= bytes[span] <= (meets_gradient[span] ? head->bytes : head->bytes / 2);
    all += bytes[span];
  }
  head->saves_little = all > head->bytes / 2;
  return is_small;
}

/* Of all from the root to `last`, for what else depends on the rows by then may meet them again.
 * False when somebody needs a large value whole. */
static bool find_members(EchoRowHead *head, const EchoOp *last, uint8_t n_spans)
{
  for (EchoOp *op = head->root; op != last->next; op = op->next) {
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
    if (role == ECHO_ROWS_NONE && (reading.large_rows || (reading.captures && reading.rows)) &&
        (reading.captures || !is_stacked(head, op)))
      return false;
    if (role != ECHO_ROWS_NONE)
      add_member(head, op, role, &use, reading.span);
    else
      echo_set_row_state(head, op, (EchoRowState){ECHO_CLASS_DONE, {0}, reading.behind});
  }
  sink_members(head);
  return ends_small(head);
}

/* What has rows and is there when the chunks begin. */
static void set_roots(EchoRowHead *head)
{
  echo_set_row_state(head, head->root, (EchoRowState){ECHO_CLASS_ROWS, head->root_use.result, 0});
  for (size_t v = 0; v < head->views.size; ++v)
    echo_map_set(&head->state_of, echo_key(head->views.data[v].value),
                 pack((EchoRowState){ECHO_CLASS_ROWS, head->views.data[v].rows, 0}));
}

/* Members of the head with the views that it has. */
static bool find_with_views(EchoRowHead *head, uint8_t n_spans)
{
  Reach reach = {0};
  head->places[0] = head->root;
  head->n_spans = 1;
  head->is_own_gradient = true;
  set_roots(head);
  bool is_found = reach_readers(head, &reach);
  if (is_found) {
    echo_map_clear(&head->state_of);
    set_roots(head);
    is_found = find_members(head, last_of(&reach.ops), n_spans);
  }
  echo_map_destroy(&reach.is_reached);
  echo_vector_destroy(&reach.ops);
  return is_found;
}

/* ---- views ---- */

static bool is_view(const EchoRowHead *head, const EchoValue *value)
{
  for (size_t v = 0; v < head->views.size; ++v)
    if (head->views.data[v].value == value)
      return true;
  return false;
}

/* The slice of a stack that the value is another shape of: of one that the loop around the head was
 * handed. NULL where it is none, or a small one. */
static EchoOp *slice_of_stack_or_null(const EchoRowHead *head, const EchoValue *value)
{
  EchoOp *def = echo_value_def_or_null(value);
  while (def != NULL && echo_hlo_opcode(def) == ECHO_HLO_RESHAPE)
    def = echo_value_def_or_null(echo_op_operand(def, 0));
  if (def == NULL || def->block != head->root->block ||
      echo_hlo_opcode(def) != ECHO_HLO_DYNAMIC_SLICE ||
      echo_hlo_opcode(echo_op_parent(def)) != ECHO_HLO_WHILE ||
      echo_is_small_row(head, value->type))
    return NULL;
  const EchoValue *stack = echo_op_operand(def, 0);
  return stack->is_block_arg || echo_value_block(stack) != def->block ? def : NULL;
}

static bool has_view_of(const EchoRowHead *head, const EchoOp *slice)
{
  for (size_t v = 0; v < head->views.size; ++v)
    if (slice_of_stack_or_null(head, head->views.data[v].value) == slice)
      return true;
  return false;
}

/* What the members cut. */
static void add_cut_views(EchoRowHead *head)
{
  for (size_t m = 0; m < head->members.size; ++m) {
    const EchoRowMember *member = &head->members.data[m];
    for (uint32_t i = 0; i < member->op->n_operands && i < ECHO_MAX_ROW_OPERANDS; ++i) {
      EchoValue *value = echo_op_operand(member->op, i);
      EchoRowDims rows = member->use.operands[i];
      if (rows.is_cut && echo_row_state(head, value).value_class == ECHO_CLASS_NONE &&
          slice_of_stack_or_null(head, value) != NULL && !is_view(head, value))
        echo_vector_push(&head->views, ((EchoRowView){value, rows}));
    }
  }
}

/* The other slices that have as many rows at the same place: their readers run in the same chunks
 * (with the probabilities of attention, what becomes of their exponentials). */
static void add_views_beside(EchoRowHead *head)
{
  const EchoRowView *like = &head->views.data[0];
  int64_t before = echo_dims_product(like->value->type, 0, like->rows.first);
  for (EchoOp *op = head->root->block->first; op != NULL; op = op->next) {
    if (echo_hlo_opcode(op) != ECHO_HLO_DYNAMIC_SLICE)
      continue;
    EchoValue *value = echo_op_result(op, 0);
    size_t rank = echo_type_rank(value->type), first = 0;
    if (slice_of_stack_or_null(head, value) != op || has_view_of(head, op))
      continue;
    while (first < rank && (echo_dims_product(value->type, 0, first) != before ||
                            echo_type_dim(value->type, first) == 1))
      ++first;
    for (size_t end = first + 1; end <= rank; ++end)
      if (echo_dims_product(value->type, first, end) == head->n_rows) {
        EchoRowDims rows = echo_row_dims(value->type, first, end - first);
        echo_vector_push(&head->views, ((EchoRowView){value, rows}));
        break;
      }
  }
}

/* Returns how many there are more than before. */
static size_t add_views(EchoRowHead *head)
{
  size_t n_before = head->views.size;
  add_cut_views(head);
  if (n_before == 0 && head->views.size != 0)
    add_views_beside(head);
  return head->views.size - n_before;
}

/* What depends on views moves behind the root, whose chunks it may be part of. False when the root
 * does, too. */
static bool sink_behind_root(const EchoRowHead *head)
{
  EchoMap depends = {0};
  bool can_move = true;
  for (EchoOp *op = head->root->block->first; op != head->root->next && can_move; op = op->next) {
    bool reads = false;
    for (EchoOp *inner = op; inner != NULL && !reads; inner = echo_op_walk_next(op, inner))
      for (size_t i = 0; i < inner->n_operands && !reads; ++i) {
        const EchoValue *value = echo_op_operand(inner, i);
        const EchoOp *def = echo_value_def_or_null(value);
        reads = is_view(head, value) || (def != NULL && echo_map_has(&depends, echo_key(def)));
      }
    if (reads)
      echo_map_set(&depends, echo_key(op), 1);
    can_move = !reads || (op != head->root && echo_op_is_pure(op));
  }
  EchoOp *last = head->root;
  for (EchoOp *op = head->root->block->first, *next; op != head->root && can_move; op = next) {
    next = op->next;
    if (!echo_map_has(&depends, echo_key(op)))
      continue;
    echo_op_unlink(op);
    echo_op_insert_after(op, last);
    last = op;
  }
  echo_map_destroy(&depends);
  return can_move;
}

static void forget_members(EchoRowHead *head)
{
  echo_map_clear(&head->state_of);
  echo_map_clear(&head->is_member);
  head->members.size = 0;
  head->largest_bytes = head->sum_bytes = head->row_bytes = 0;
  head->stack_rows = 0;
  head->has_gradient = false;
}

void echo_row_head_destroy(EchoRowHead *head)
{
  echo_map_destroy(&head->state_of);
  echo_map_destroy(&head->is_member);
  echo_vector_destroy(&head->members);
  echo_vector_destroy(&head->views);
}

bool echo_find_rows(EchoRowHead *head, uint8_t n_spans)
{
  bool is_found = find_with_views(head, n_spans);
  while (is_found && add_views(head) != 0) {
    bool can_move = sink_behind_root(head);
    forget_members(head);
    if (can_move && find_with_views(head, n_spans))
      continue;
    forget_members(head); /* somebody needs one of them whole */
    head->views.size = 0;
    return find_with_views(head, n_spans);
  }
  return is_found;
}
