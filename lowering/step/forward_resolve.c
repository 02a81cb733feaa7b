/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the elements of movement ops come from: each one's view is followed up through slices,
 * transposes, broadcasts, concatenations, pads and updates as long as all of it has one source, and
 * the cheapest place on the way is what it could read. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/forward_movement_t.h"

enum { MAX_STEPS = 64 }; /* up from one op; what was found for an op is one step for its readers */

uint32_t echo_movement_value(const EchoMovement *movement, const EchoValue *value)
{
  return (uint32_t)echo_map_get_or(&movement->value_numbers, echo_key(value), ECHO_NOWHERE);
}

uint32_t echo_movement_group(EchoMovement *movement, uint32_t value)
{
  EchoMovedValue *values = movement->values.data;
  while (values[value].group != value)
    value = values[value].group = values[values[value].group].group;
  return value;
}

void echo_movement_join(EchoMovement *movement, uint32_t a, uint32_t b)
{
  a = echo_movement_group(movement, a);
  b = echo_movement_group(movement, b);
  movement->values.data[a > b ? a : b].group = a > b ? b : a;
}

/* ---- the block ---- */

static uint32_t add_value(EchoMovement *movement, const EchoValue *value, uint32_t op, bool is_free)
{
  uint32_t number = (uint32_t)movement->values.size;
  EchoMovedValue entry = {value, op, number, 0, number, is_free};
  echo_vector_push(&movement->values, entry);
  echo_map_set(&movement->value_numbers, echo_key(value), number);
  return number;
}

EchoMovedOp *echo_movement_def_or_null(const EchoMovement *movement, const EchoValue *value)
{
  uint32_t number = echo_movement_value(movement, value);
  if (number == ECHO_NOWHERE || movement->values.data[number].op == ECHO_NOWHERE)
    return NULL;
  return &movement->ops.data[movement->values.data[number].op];
}

static bool is_reshape(const EchoOp *op)
{
  return echo_hlo_opcode(op) == ECHO_HLO_RESHAPE;
}

static const int64_t *concatenate_parts(EchoArena *arena, const EchoOp *op)
{
  size_t dim = (size_t)echo_op_attr_i64(op, "dimension", 0);
  int64_t *starts = ECHO_ARENA_ARRAY(arena, int64_t, op->n_operands + 1), at = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    starts[i] = at;
    at += echo_type_dim(echo_op_operand_type(op, i), dim);
  }
  starts[op->n_operands] = at;
  return starts;
}

static uint32_t add_part(EchoMovement *movement, EchoValue *value, const int64_t *offset)
{
  EchoStackPart part = {value, offset, ECHO_NOWHERE, false};
  echo_vector_push(&movement->parts, part);
  return (uint32_t)movement->parts.size - 1;
}

/* The state of an update slice at a constant place: that of what it updates, painted over. */
static uint32_t stack_of(EchoMovement *movement, const EchoOp *op)
{
  const EchoType *whole = echo_op_result_type(op, 0), *part = echo_op_operand_type(op, 1);
  uint32_t rank = echo_type_rank(whole);
  int64_t *starts = ECHO_ARENA_ARRAY(movement->arena, int64_t, rank + 1);
  if (!echo_type_has_static_shape(whole) || !echo_type_has_static_shape(part) ||
      echo_type_static_n_elements(part) == 0 ||
      !echo_view_constant_starts(op, 2, whole, part, starts))
    return ECHO_NOWHERE;
  EchoBox box;
  for (uint32_t d = 0; d < rank; ++d) {
    box.low[d] = starts[d];
    box.high[d] = starts[d] + echo_type_dim(part, d);
  }
  const EchoMovedOp *base = echo_movement_def_or_null(movement, echo_op_operand(op, 0));
  uint32_t state = base != NULL ? base->stack : ECHO_NOWHERE;
  if (state == ECHO_NOWHERE) {
    int64_t *zeros = ECHO_ARENA_ARRAY(movement->arena, int64_t, rank + 1);
    memset(zeros, 0, (rank + 1) * sizeof *zeros);
    state = echo_boxes_fill(&movement->boxes, add_part(movement, echo_op_operand(op, 0), zeros));
  }
  return echo_boxes_paint(&movement->boxes, state, whole->as.shaped.dims, rank, &box,
                          add_part(movement, echo_op_operand(op, 1), starts));
}

/* The states of one stack live and die together. */
static void join_stack(EchoMovement *movement, const EchoOp *op)
{
  const EchoMovedOp *base = echo_movement_def_or_null(movement, echo_op_operand(op, 0));
  if (base != NULL && base->stack != ECHO_NOWHERE)
    echo_movement_join(movement, echo_movement_value(movement, echo_op_operand(op, 0)),
                       echo_movement_value(movement, echo_op_result(op, 0)));
}

static void add_op(EchoMovement *movement, EchoOp *op)
{
  EchoMovedOp entry = {.op = op, .stack = ECHO_NOWHERE, .sum = ECHO_NOWHERE};
  entry.is_view = op->n_results == 1 && echo_view_of_op(movement->arena, op, &entry.view);
  if (echo_hlo_opcode(op) == ECHO_HLO_CONCATENATE &&
      echo_type_has_static_shape(echo_op_result_type(op, 0)))
    entry.parts = concatenate_parts(movement->arena, op);
  else if (echo_hlo_opcode(op) == ECHO_HLO_DYNAMIC_UPDATE_SLICE)
    entry.stack = stack_of(movement, op);
  else if (echo_hlo_opcode(op) == ECHO_HLO_ADD)
    echo_movement_find_sum(movement, op, &entry);
  uint32_t position = (uint32_t)movement->ops.size;
  echo_vector_push(&movement->ops, entry);
  for (uint32_t i = 0; i < op->n_results; ++i)
    add_value(movement, echo_op_result(op, i), position, echo_op_has_trait(op, ECHO_CONSTANT));
  if (entry.stack != ECHO_NOWHERE)
    join_stack(movement, op);
  for (uint32_t i = 0; entry.sum != ECHO_NOWHERE && i < 2; ++i)
    echo_movement_join(movement, echo_movement_value(movement, echo_op_operand(op, i)),
                       echo_movement_value(movement, echo_op_result(op, 0)));
  if (!is_reshape(op))
    return;
  uint32_t source = echo_movement_value(movement, echo_op_operand(op, 0));
  if (source != ECHO_NOWHERE)
    echo_vector_last(&movement->values).root = movement->values.data[source].root;
}

/* Movement that may be told to read elsewhere, or that may die of it. */
static bool is_firm(const EchoMovedOp *op)
{
  return !op->is_view && op->parts == NULL && op->stack == ECHO_NOWHERE &&
         op->sum == ECHO_NOWHERE && !is_reshape(op->op) && echo_hlo_opcode(op->op) != ECHO_HLO_PAD;
}

/* What `op` and all inside it read. */
static void note_reads(EchoMovement *movement, uint32_t position)
{
  EchoOp *top = movement->ops.data[position].op;
  bool firm = is_firm(&movement->ops.data[position]);
  for (EchoOp *op = top; op != NULL; op = echo_op_walk_next(top, op))
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      uint32_t number = echo_movement_value(movement, echo_op_operand(op, i));
      if (number != ECHO_NOWHERE && firm)
        movement->values.data[movement->values.data[number].root].last_firm_read = position;
    }
}

/* ---- the way up ---- */

typedef struct Cursor {
  EchoValue *value;
  EchoView view;  /* of value */
  bool adds_zero; /* to what is viewed */
} Cursor;

static bool into_concatenation(EchoMovement *movement, const EchoMovedOp *def, Cursor *cursor)
{
  uint32_t dim = (uint32_t)echo_op_attr_i64(def->op, "dimension", 0);
  int64_t first, last, offset[ECHO_MAX_RANK] = {0};
  echo_view_range(&cursor->view, dim, &first, &last);
  uint32_t low = 0, high = def->op->n_operands; /* the last part that begins at or before `first` */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    *(def->parts[middle] <= first ? &low : &high) = middle;
  }
  if (last >= def->parts[low + 1])
    return false;
  offset[dim] = def->parts[low];
  cursor->value = echo_op_operand(def->op, low);
  cursor->view = echo_view_moved(movement->arena, &cursor->view, offset);
  return true;
}

static bool into_stack(EchoMovement *movement, uint32_t state, Cursor *cursor)
{
  const EchoType *type = cursor->value->type;
  EchoBox box;
  for (uint32_t d = 0; d < cursor->view.n_axes; ++d) {
    echo_view_range(&cursor->view, d, &box.low[d], &box.high[d]);
    ++box.high[d];
  }
  uint32_t part =
      echo_boxes_source(&movement->boxes, state, type->as.shaped.dims, echo_type_rank(type), &box);
  if (part == ECHO_BOXES_MIXED)
    return false;
  const EchoStackPart *found = &movement->parts.data[part];
  cursor->value = found->value;
  cursor->view = found->offset != NULL
                     ? echo_view_moved(movement->arena, &cursor->view, found->offset)
                     : (EchoView){cursor->view.type, cursor->view.axes, 0}; /* a scalar */
  cursor->adds_zero |= found->adds_zero;
  return true;
}

/* Along one dimension, what is read of a pad lies in its operand (*axis is then of that), or beside
 * it, or in both (neither is set). */
static void place_in_pad(const EchoView *view, uint32_t d, int64_t low, int64_t interior,
                         int64_t size, EchoViewAxis *axis, bool *is_inside, bool *is_beside)
{
  int64_t first, last, pitch = interior + 1;
  EchoViewAxis at = view->axes[d];
  echo_view_range(view, d, &first, &last);
  int64_t end = low + (size - 1) * pitch; /* of the operand's last element */
  bool is_on_pitch = (at.start - low) % pitch == 0;
  *is_beside = size == 0 || last < low || first > end || (at.step % pitch == 0 && !is_on_pitch);
  *is_inside = !*is_beside && first >= low && last <= end && is_on_pitch && at.step % pitch == 0;
  *axis = (EchoViewAxis){(at.start - low) / pitch, at.step / pitch, at.dim};
}

static bool into_pad(EchoMovement *movement, const EchoMovedOp *def, Cursor *cursor)
{
  EchoDimList low = echo_stablehlo_dims(def->op, "edge_padding_low");
  EchoDimList interior = echo_stablehlo_dims(def->op, "interior_padding");
  const EchoType *source = echo_op_operand_type(def->op, 0);
  uint32_t rank = cursor->view.n_axes, n_inside = 0;
  EchoViewAxis *axes = ECHO_ARENA_ARRAY(movement->arena, EchoViewAxis, rank + 1);
  bool any_beside = false;
  for (uint32_t d = 0; d < rank; ++d) {
    bool is_inside, is_beside;
    place_in_pad(&cursor->view, d, low.dims[d], interior.dims[d], echo_type_dim(source, d),
                 &axes[d], &is_inside, &is_beside);
    n_inside += is_inside;
    any_beside |= is_beside;
  }
  if (any_beside || n_inside == rank) {
    cursor->value = echo_op_operand(def->op, any_beside);
    cursor->view = (EchoView){cursor->view.type, axes, any_beside ? 0 : rank};
  }
  return any_beside || n_inside == rank;
}

/* From the result of `def` to what it was moved from. */
static bool step_up(EchoMovement *movement, const EchoMovedOp *def, Cursor *cursor)
{
  if (def->is_view) {
    const EchoView *inner = def->is_forwarded ? &def->through : &def->view;
    EchoValue *source = def->is_forwarded ? def->source : echo_op_operand(def->op, 0);
    cursor->value = source;
    cursor->view = echo_view_compose(movement->arena, &cursor->view, inner);
    cursor->adds_zero |= def->is_forwarded && def->adds_zero;
    return true;
  }
  if (def->parts != NULL)
    return into_concatenation(movement, def, cursor);
  if (def->stack != ECHO_NOWHERE)
    return into_stack(movement, def->stack, cursor);
  if (def->sum != ECHO_NOWHERE)
    return into_stack(movement, movement->sums.data[def->sum].state, cursor);
  if (echo_hlo_opcode(def->op) == ECHO_HLO_PAD &&
      echo_type_has_static_shape(echo_op_operand_type(def->op, 0)))
    return into_pad(movement, def, cursor);
  const EchoType *source = is_reshape(def->op) ? echo_op_operand_type(def->op, 0) : NULL;
  if (source == NULL ||
      !echo_view_through_reshape(movement->arena, &cursor->view, echo_op_result_type(def->op, 0),
                                 source, &cursor->view))
    return false;
  cursor->value = echo_op_operand(def->op, 0);
  return true;
}

/* What it takes to read the value at `position`: nothing where it is there anyway. */
static uint64_t price(const EchoMovement *movement, const EchoValue *value, uint32_t position)
{
  uint32_t number = echo_movement_value(movement, value);
  const EchoMovedValue *root =
      number != ECHO_NOWHERE ? &movement->values.data[movement->values.data[number].root] : NULL;
  if (root == NULL || root->is_free || root->last_firm_read >= position)
    return 0;
  return echo_type_static_bytes(root->value->type);
}

/* What is decided for the reader is decided for what it would read and for what stands on its way.
 */
static void join_reader(EchoMovement *movement, const EchoMovedOp *op, const EchoValue *value)
{
  uint32_t number = echo_movement_value(movement, value);
  if (number != ECHO_NOWHERE && !movement->values.data[number].is_free)
    echo_movement_join(movement, echo_movement_value(movement, echo_op_result(op->op, 0)), number);
}

/* From the cheapest place on the way up, and of equal ones from the last. */
static void resolve(EchoMovement *movement, uint32_t position)
{
  EchoMovedOp *op = &movement->ops.data[position];
  EchoValue *operand = echo_op_operand(op->op, 0);
  uint64_t least = echo_type_static_bytes(operand->type);
  Cursor cursor = {operand, op->view, false};
  if (!is_reshape(op->op) && echo_view_n_ops(&op->view, operand->type) == 0) {
    join_reader(movement, op, operand);
    op->is_forwarded = true; /* a reshape, or nothing */
    op->source = operand;
    op->through = op->view;
  }
  EchoMovedOp *def = echo_movement_def_or_null(movement, operand);
  for (int step = 0; step < MAX_STEPS && def != NULL && step_up(movement, def, &cursor); ++step) {
    uint64_t bytes = price(movement, cursor.value, position);
    join_reader(movement, op, echo_op_result(def->op, 0));
    join_reader(movement, op, cursor.value);
    def = echo_movement_def_or_null(movement, cursor.value);
    if (bytes > least)
      continue;
    least = bytes;
    op->is_forwarded = true;
    op->source = cursor.value;
    op->through = cursor.view;
    op->adds_zero = cursor.adds_zero;
  }
}

void echo_movement_create(EchoMovement *movement, EchoArena *arena, EchoBlock *block,
                          const bool *is_kept, const bool *is_placed)
{
  *movement = (EchoMovement){.arena = arena, .block = block};
  for (uint32_t i = 0; i < block->n_args; ++i)
    add_value(movement, echo_block_arg(block, i), ECHO_NOWHERE, is_kept[i]);
  for (EchoOp *op = block->first; op != NULL; op = op->next)
    add_op(movement, op);
  for (uint32_t i = 0; block->last != NULL && i < block->last->n_operands; ++i) {
    uint32_t number = echo_movement_value(movement, echo_op_operand(block->last, i));
    if (number != ECHO_NOWHERE && is_placed[i])
      movement->values.data[movement->values.data[number].root].is_free = true;
  }
  for (uint32_t i = 0; i < movement->ops.size; ++i)
    note_reads(movement, i);
  for (uint32_t i = 0; i < movement->ops.size; ++i)
    if (movement->ops.data[i].is_view)
      resolve(movement, i);
  echo_movement_lay_sums(movement);
}

void echo_movement_destroy(EchoMovement *movement)
{
  echo_vector_destroy(&movement->ops);
  echo_vector_destroy(&movement->values);
  echo_map_destroy(&movement->value_numbers);
  echo_vector_destroy(&movement->boxes.nodes);
  echo_vector_destroy(&movement->parts);
  echo_vector_destroy(&movement->sums);
}
