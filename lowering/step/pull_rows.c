/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What makes large operands of the members of a head is repeated in each chunk, if it is cheap
 * (masks, one-hots), or moves there, if nobody else reads it. What else they need moves before
 * their chunks. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/row_head_t.h"

static bool is_pulled(const EchoRowHead *head, const EchoOp *op)
{
  return op->n_results != 0 &&
         echo_row_state(head, echo_op_result(op, 0)).value_class == ECHO_CLASS_PULLED;
}

/* All that reads it is made chunk by chunk, and not whole, too. */
static bool is_read_by_chunks_only(const EchoRowHead *head, const EchoOp *op, const EchoMap *stays)
{
  for (uint32_t i = 0; i < op->n_results; ++i)
    for (const EchoUse *use = echo_op_result(op, i)->first_use; use != NULL; use = use->next)
      if (!echo_map_has(&head->is_member, echo_key(use->owner)) &&
          (!is_pulled(head, use->owner) || echo_map_has(stays, echo_key(use->owner))))
        return false;
  return true;
}

/* What is repeated in the chunks, but read elsewhere, too, or by what is. */
static void mark_staying(const EchoRowHead *head, EchoMap *stays)
{
  echo_map_clear(stays);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t m = head->members.size; m-- > 0;) {
      const EchoRowMember *member = &head->members.data[m];
      if (member->is_pulled && !is_read_by_chunks_only(head, member->op, stays))
        is_changed |= echo_map_insert(stays, echo_key(member->op), 1);
    }
  }
}

/* What is as wide as the logits, or a number a row, and read by the chunks alone may move into
 * them: the logits of a teacher and what is computed from them. */
static bool may_move(const EchoRowHead *head, const EchoOp *op, const EchoMap *stays)
{
  const EchoType *type = echo_op_result_type(op, 0);
  int64_t n_elements;
  return (echo_is_wide_row(head, type) ||
          (echo_type_n_elements(type, &n_elements) && n_elements == head->n_rows)) &&
         is_read_by_chunks_only(head, op, stays);
}

/* As many elements as half of the root's result, of whatever type. */
static bool has_many_elements(const EchoRowHead *head, const EchoType *type)
{
  int64_t n_elements, n_root;
  return echo_type_n_elements(type, &n_elements) &&
         echo_type_n_elements(echo_op_result_type(head->root, 0), &n_root) &&
         n_elements > n_root / 2;
}

/* Made of nothing, or cheap and wide: better made again, a chunk at a time, than cut. What is not
 * as wide is cut: repeated, it would take what it is made of along, such as the sum of all layers
 * so far. */
static bool is_worth_repeating(const EchoRowHead *head, const EchoOp *op)
{
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_HLO_IOTA || opcode == ECHO_HLO_BROADCAST_IN_DIM)
    return true;
  return (opcode == ECHO_HLO_RESHAPE || opcode == ECHO_HLO_BITCAST_CONVERT ||
          echo_op_has_trait(op, ECHO_ELEMENTWISE)) &&
         has_many_elements(head, echo_op_result_type(op, 0));
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

/* An iota that counts rows becomes one of the rows alone, which is small and can be cut, and a
 * broadcast of that, which is returned. */
static EchoOp *count_by_rows(EchoOp *op, EchoRowDims rows)
{
  const EchoType *type = echo_op_result_type(op, 0);
  int64_t dims[ECHO_MAX_RANK], to_result[ECHO_MAX_RANK];
  for (size_t k = 0; k < rows.n; ++k) {
    to_result[k] = (int64_t)(rows.first + k);
    dims[k] = echo_type_dim(type, rows.first + k);
  }
  EchoBuilder builder = echo_builder_before(op);
  builder.attrs = op->attrs;
  const EchoType *counted =
      echo_type_tensor(builder.ctx, dims, rows.n, echo_type_element(type), NULL);
  int64_t dim = echo_op_attr_i64(op, "iota_dimension", 0) - rows.first;
  EchoValue *all = echo_hlo_broadcast_in_dim(&builder, echo_hlo_iota(&builder, counted, dim), type,
                                             to_result, rows.n);
  echo_value_replace_all_uses(echo_op_result(op, 0), all);
  echo_op_erase(op);
  return echo_value_def_or_null(all);
}

static bool may_be_pulled(const EchoRowHead *head, const EchoValue *value, uint8_t span)
{
  const EchoOp *def = echo_value_def_or_null(value);
  return def != NULL && def->block == head->root->block && echo_op_is_pure(def) &&
         !echo_map_has(&head->is_member, echo_key(def)) && !echo_is_splat(value) &&
         echo_row_is_outer(head, value, span);
}

/* The op that makes operand i of a member is made chunk by chunk too, if that is better; also what
 * need not stay whole, but for what `stays_or_null` reads. */
static bool pull(EchoRowHead *head, const EchoRowMember *member, uint32_t i, EchoMap *stays_or_null)
{
  EchoValue *value = echo_op_operand(member->op, i);
  EchoOp *def = echo_value_def_or_null(value);
  EchoRowUse use = {.result = member->use.operands[i]};
  if (!use.result.is_cut || !may_be_pulled(head, value, member->span) ||
      !(is_worth_repeating(head, def) ||
        (stays_or_null != NULL && may_move(head, def, stays_or_null))))
    return false;
  EchoRowRole role = echo_rows_up(def, head->n_rows, &use);
  EchoHloOpcode opcode = echo_hlo_opcode(def);
  if (role == ECHO_ROWS_NONE && echo_is_wide_row(head, value->type) &&
      (opcode == ECHO_HLO_BROADCAST_IN_DIM || opcode == ECHO_HLO_IOTA)) {
    use = (EchoRowUse){.result = member->use.operands[i]};
    if (opcode == ECHO_HLO_IOTA)
      def = count_by_rows(def, use.result);
    else
      broadcast_by_rows(def, use.result);
    role = echo_rows_up(def, head->n_rows, &use);
  }
  if (role == ECHO_ROWS_NONE)
    return false;
  echo_vector_push(&head->members, ((EchoRowMember){def, role, use, true, member->span}));
  echo_set_row_state(head, def, (EchoRowState){ECHO_CLASS_PULLED, {0}, member->span});
  if (stays_or_null != NULL && !is_read_by_chunks_only(head, def, stays_or_null))
    echo_map_insert(stays_or_null, echo_key(def), 1);
  return true;
}

/* Each op once, until there is no more. With `moves`, also what need not stay whole. */
static void pull_all(EchoRowHead *head, bool moves)
{
  EchoMap stays = {0};
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    if (moves)
      mark_staying(head, &stays);
    for (size_t m = 0, n = head->members.size; m < n; ++m) {
      EchoRowMember member = head->members.data[m];
      for (uint32_t i = 0; i < member.op->n_operands; ++i)
        is_changed |= pull(head, &member, i, moves ? &stays : NULL);
    }
  }
  echo_map_destroy(&stays);
}

/* Whether the chunks cut something as wide as the logits that the block makes. */
static bool cuts_wide_value(const EchoRowHead *head)
{
  for (size_t m = 0; m < head->members.size; ++m)
    if (echo_row_cuts_wide(head, &head->members.data[m]))
      return true;
  return false;
}

/* What members of several spans read is made in the first of those. */
static void settle_spans(EchoRowHead *head)
{
  EchoMap number_of = {0};
  for (size_t m = 0; m < head->members.size; ++m)
    if (head->members.data[m].is_pulled)
      echo_map_set(&number_of, echo_key(head->members.data[m].op), m + 1);
  for (bool is_changed = head->n_spans > 1; is_changed;) {
    is_changed = false;
    for (size_t m = 0; m < head->members.size; ++m) {
      const EchoRowMember *reader = &head->members.data[m];
      for (uint32_t i = 0; i < reader->op->n_operands; ++i) {
        const EchoOp *def = echo_value_def_or_null(echo_op_operand(reader->op, i));
        uint64_t number = def != NULL ? echo_map_get_or(&number_of, echo_key(def), 0) : 0;
        EchoRowMember *read = number != 0 ? &head->members.data[number - 1] : NULL;
        if (read != NULL && read->span > reader->span) {
          read->span = reader->span;
          is_changed = true;
        }
      }
    }
  }
  echo_map_destroy(&number_of);
}

/* Ops behind the place of a span that its members need move before it. False when one of them may
 * not move. */
static bool hoist_operands(EchoRowHead *head, uint8_t span)
{
  EchoOp *place = head->places[span];
  EchoOpList needed = {0};
  EchoMap is_needed = {0};
  bool can_move = true;
  for (size_t m = 0; m < head->members.size; ++m)
    if (head->members.data[m].span == span)
      echo_vector_push(&needed, head->members.data[m].op);
  size_t n_members = needed.size;
  for (size_t n = 0; n < needed.size; ++n)
    for (EchoOp *inner = needed.data[n]; inner != NULL;
         inner = echo_op_walk_next(needed.data[n], inner))
      for (size_t i = 0; i < inner->n_operands; ++i) {
        EchoOp *def = echo_value_def_or_null(echo_op_operand(inner, i));
        if (def == NULL || def->block != head->root->block || echo_op_is_before(def, place) ||
            def == place || echo_map_has(&head->is_member, echo_key(def)) ||
            !echo_map_insert(&is_needed, echo_key(def), 1))
          continue;
        can_move &= echo_op_is_pure(def);
        echo_vector_push(&needed, def);
      }
  size_t n_left = needed.size - n_members;
  for (EchoOp *op = place->next, *next; n_left != 0 && can_move; op = next) {
    next = op->next;
    if (!echo_map_has(&is_needed, echo_key(op)))
      continue;
    echo_op_move_before(op, place);
    --n_left;
  }
  echo_map_destroy(&is_needed);
  echo_vector_destroy(&needed);
  return can_move;
}

bool echo_pull_rows(EchoRowHead *head)
{
  pull_all(head, false);
  if (cuts_wide_value(head))
    pull_all(head, true);
  settle_spans(head);
  bool can_move = head->is_own_gradient || !cuts_wide_value(head);
  for (uint8_t span = 0; span < head->n_spans && can_move; ++span)
    can_move = hoist_operands(head, span);
  return can_move;
}
