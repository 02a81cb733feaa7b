/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of pads: what gradients of slices add up to. Where the pads are with 0 and their operands do
 * not overlap, every element of the sum is one element + 0 + 0 + …, which is that element + 0 for
 * integers and floats alike; + 0.0 only turns -0.0 into 0.0, and once is as often as one likes. */
#include <stdlib.h>

#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/step/forward_movement_t.h"

/* A zero of an integer, or 0.0 and not -0.0. */
static bool is_zero(const EchoAttr *constant)
{
  if (constant == NULL || constant->kind != ECHO_ATTR_DENSE_ELEMENTS ||
      !(constant->as.elements.is_splat || echo_type_static_n_elements(constant->type) == 1))
    return false;
  if (!echo_element_is_float(echo_type_element_kind(constant->type)))
    return echo_elements_i64(constant, 0) == 0;
  double value = echo_elements_f64(constant, 0), zero = 0;
  return memcmp(&value, &zero, sizeof value) == 0;
}

static bool has_numbers(const EchoType *type)
{
  return echo_type_is_tensor(type) && echo_type_has_static_shape(type) &&
         type->as.shaped.encoding == NULL && echo_type_static_n_elements(type) != 0 &&
         echo_type_element_kind(type) != ECHO_ELEMENT_NONE &&
         echo_type_element(type)->kind != ECHO_TYPE_COMPLEX;
}

/* Where the operand of a pad with zeros lies in its result; false for other ops. */
static bool find_place(EchoArena *arena, const EchoOp *op, const int64_t **place)
{
  if (echo_hlo_opcode(op) != ECHO_HLO_PAD || !has_numbers(echo_op_operand_type(op, 0)) ||
      !has_numbers(echo_op_result_type(op, 0)) ||
      !is_zero(echo_value_constant_or_null(echo_op_operand(op, 1))))
    return false;
  EchoDimList low = echo_stablehlo_dims(op, "edge_padding_low");
  EchoDimList high = echo_stablehlo_dims(op, "edge_padding_high");
  EchoDimList interior = echo_stablehlo_dims(op, "interior_padding");
  for (size_t d = 0; d < low.size; ++d)
    if (low.dims[d] < 0 || high.dims[d] < 0 || interior.dims[d] != 0)
      return false;
  int64_t *starts = ECHO_ARENA_ARRAY(arena, int64_t, low.size + 1);
  memcpy(starts, low.dims, low.size * sizeof *starts);
  *place = starts;
  return true;
}

static EchoBox box_of(const EchoStackPart *part)
{
  EchoBox box;
  for (uint32_t d = 0; d < echo_type_rank(part->value->type); ++d) {
    box.low[d] = part->offset[d];
    box.high[d] = part->offset[d] + echo_type_dim(part->value->type, d);
  }
  return box;
}

static void paint(EchoMovement *movement, EchoPadSum *sum, const EchoType *whole,
                  EchoStackPart part)
{
  EchoBox box = box_of(&part);
  uint32_t number = (uint32_t)movement->parts.size;
  part.previous = sum->last;
  echo_vector_push(&movement->parts, part);
  sum->state = echo_boxes_paint(&movement->boxes, sum->state, whole->as.shaped.dims,
                                echo_type_rank(whole), &box, number);
  sum->last = number;
  ++sum->n;
}

/* The value as a sum: one that is known, or a pad. */
static bool as_sum(EchoMovement *movement, const EchoValue *value, EchoPadSum *sum)
{
  const EchoMovedOp *def = echo_movement_def_or_null(movement, value);
  const int64_t *place;
  if (def != NULL && def->sum != ECHO_NOWHERE) {
    *sum = movement->sums.data[def->sum];
    return true;
  }
  if (def == NULL || !find_place(movement->arena, def->op, &place))
    return false;
  EchoStackPart zero = {echo_op_operand(def->op, 1), NULL, ECHO_NOWHERE, false};
  *sum = (EchoPadSum){.zero = (uint32_t)movement->parts.size, .last = ECHO_NOWHERE};
  echo_vector_push(&movement->parts, zero);
  sum->state = echo_boxes_fill(&movement->boxes, sum->zero);
  bool is_float = echo_element_is_float(echo_type_element_kind(value->type));
  paint(movement, sum, value->type,
        (EchoStackPart){echo_op_operand(def->op, 0), place, ECHO_NOWHERE, is_float});
  return true;
}

/* Adds the parts of `other`; false where they meet others. */
static bool add_parts(EchoMovement *movement, EchoPadSum *sum, const EchoPadSum *other,
                      const EchoType *whole)
{
  for (uint32_t i = other->last; i != ECHO_NOWHERE; i = movement->parts.data[i].previous) {
    EchoBox box = box_of(&movement->parts.data[i]);
    if (echo_boxes_source(&movement->boxes, sum->state, whole->as.shaped.dims,
                          echo_type_rank(whole), &box) != sum->zero)
      return false;
  }
  for (uint32_t i = other->last; i != ECHO_NOWHERE; i = movement->parts.data[i].previous)
    paint(movement, sum, whole, movement->parts.data[i]);
  return true;
}

void echo_movement_find_sum(EchoMovement *movement, EchoOp *op, EchoMovedOp *entry)
{
  EchoPadSum a, b;
  const EchoType *type = echo_op_result_type(op, 0);
  if (!has_numbers(type) || !as_sum(movement, echo_op_operand(op, 0), &a) ||
      !as_sum(movement, echo_op_operand(op, 1), &b))
    return;
  bool is_a_larger = a.n >= b.n; /* fewer are painted again */
  if (!add_parts(movement, is_a_larger ? &a : &b, is_a_larger ? &b : &a, type))
    return;
  entry->sum = (uint32_t)movement->sums.size;
  echo_vector_push(&movement->sums, is_a_larger ? a : b);
}

/* ---- sums as concatenations ---- */

/* The one dimension along which the parts lie side by side, each covering all others; false where
 * there is none. */
static bool find_dim(const EchoMovement *movement, EchoPadSum *sum, const EchoType *whole)
{
  bool is_found = false;
  for (uint32_t i = sum->last; i != ECHO_NOWHERE; i = movement->parts.data[i].previous)
    for (uint32_t d = 0; d < echo_type_rank(whole); ++d) {
      if (echo_type_dim(movement->parts.data[i].value->type, d) == echo_type_dim(whole, d))
        continue;
      if (is_found && sum->dim != d)
        return false;
      is_found = true;
      sum->dim = d;
    }
  return is_found;
}

typedef struct Laid {
  int64_t start;
  uint32_t part;
} Laid;

static int compare_laid(const void *a, const void *b)
{
  const Laid *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

static void lay(EchoMovement *movement, EchoPadSum *sum)
{
  Laid *laid = ECHO_ARENA_ARRAY(movement->arena, Laid, sum->n);
  uint32_t *order = ECHO_ARENA_ARRAY(movement->arena, uint32_t, sum->n), n = 0;
  for (uint32_t i = sum->last; i != ECHO_NOWHERE; i = movement->parts.data[i].previous)
    laid[n++] = (Laid){movement->parts.data[i].offset[sum->dim], i};
  qsort(laid, n, sizeof *laid, compare_laid);
  for (uint32_t i = 0; i < n; ++i)
    order[i] = laid[i].part;
  sum->laid = order;
}

static bool is_read_as_whole(const EchoMovement *movement, const EchoMovedOp *op)
{
  for (const EchoUse *use = echo_op_result(op->op, 0)->first_use; use != NULL; use = use->next) {
    const EchoMovedOp *reader =
        use->owner->n_results == 1
            ? echo_movement_def_or_null(movement, echo_op_result(use->owner, 0))
            : NULL;
    if (reader == NULL || reader->sum == ECHO_NOWHERE)
      return true;
  }
  return false;
}

/* Sums that grow and are read at each step have a number of parts that is the square of theirs: no
 * more parts are looked at than a few for each op. */
void echo_movement_lay_sums(EchoMovement *movement)
{
  size_t n_left = 4 * movement->ops.size;
  for (uint32_t i = 0; i < movement->ops.size; ++i) {
    EchoMovedOp *op = &movement->ops.data[i];
    EchoPadSum *sum = op->sum != ECHO_NOWHERE ? &movement->sums.data[op->sum] : NULL;
    if (sum == NULL || sum->n > n_left || !is_read_as_whole(movement, op))
      continue;
    n_left -= sum->n;
    if (!find_dim(movement, sum, echo_op_result_type(op->op, 0)))
      continue;
    lay(movement, sum);
    op->is_laid = true;
    uint32_t whole = echo_movement_value(movement, echo_op_result(op->op, 0));
    for (uint32_t k = 0; k < sum->n; ++k) {
      uint32_t part = echo_movement_value(movement, movement->parts.data[sum->laid[k]].value);
      if (part != ECHO_NOWHERE && !movement->values.data[part].is_free)
        echo_movement_join(movement, part, whole);
    }
  }
}
