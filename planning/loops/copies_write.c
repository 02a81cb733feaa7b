/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A loop in the place of copies. It carries the sums and states, and hands out, a row a copy, what
 * is read elsewhere of what copies make. What is the same for all copies and costs little is made
 * in the loop, as it would be had the loop been written by hand; else it would wait for all of
 * them. */
#include "dialects/stablehlo/attributes/attributes.h"
#include "dialects/stablehlo/build.h"
#include "planning/loops/copies_t.h"
#include "planning/loops/slices.h"
#include "planning/schedule/graph.h"

typedef ECHO_VECTOR(EchoValue *) Values;

typedef struct Writer {
  EchoCopies *copies;
  uint32_t joined; /* of the rows that the loop holds */
  bool is_down;
  EchoMap is_added;  /* additions that become the loop's */
  EchoMap is_needed; /* ops of the block, the same for all copies, that the loop reads or holds */
  Values handed_out; /* of the first copy */
  EchoMap values;    /* of the first copy, or outside -> in the loop */
  EchoOp *before;    /* where the loop goes */
  EchoOp *loop;
  EchoBuilder body;
  EchoValue *copy;   /* its number, in the loop */
  Values are_copies; /* by number: whether it is that; NULL: nobody asked */
} Writer;

static bool is_inside(const Writer *writer, const EchoValue *value, EchoCopiesPlace *place)
{
  return echo_copies_place(writer->copies, value, place) &&
         echo_copies_joined(writer->copies, place->row) == writer->joined;
}

static bool is_inside_op(const Writer *writer, const EchoOp *op)
{
  EchoCopiesPlace place;
  return op->n_results != 0 && is_inside(writer, echo_op_result(op, 0), &place);
}

static const EchoCopiesRow *row_of(const Writer *writer, const EchoOp *op)
{
  EchoCopiesPlace place = {0};
  echo_copies_place(writer->copies, echo_op_result(op, 0), &place);
  return &writer->copies->rows.data[place.row];
}

static bool is_first_copy(const Writer *writer, const EchoOp *op)
{
  return is_inside_op(writer, op) && row_of(writer, op)->ops[0] == op;
}

/* ---- what becomes part of the loop ---- */

static void find_additions(Writer *writer)
{
  for (size_t i = 0; i < writer->copies->sums.size; ++i) {
    const EchoCopiesSum *sum = &writer->copies->sums.data[i];
    size_t n = sum->n_rows * (size_t)writer->copies->n_copies - (sum->init == NULL);
    for (EchoOp *op = sum->last; n-- > 0;) { /* the first one may have a constant on the right */
      echo_map_set(&writer->is_added, echo_key(op), 1);
      if (n != 0)
        op = echo_value_def_or_null(echo_op_operand(op, sum->adds_right ? 0 : 1));
    }
  }
}

static bool is_made_outside(const Writer *writer, const EchoOp *op)
{
  return echo_map_has(&writer->copies->made_outside, echo_key(op));
}

static bool is_read_elsewhere(const Writer *writer, const EchoValue *value)
{
  if (is_made_outside(writer, echo_value_def_or_null(value)))
    return false;
  for (const EchoUse *use = value->first_use; use != NULL; use = use->next) {
    const EchoOp *op = echo_op_ancestor_in_block(use->owner, writer->copies->block);
    if (!is_inside_op(writer, op) && !echo_map_has(&writer->is_added, echo_key(op)))
      return true;
  }
  return false;
}

/* The last copy's of a state is what the loop ends with. */
static bool any_is_read_elsewhere(const Writer *writer, const EchoCopiesRow *row, uint32_t result)
{
  uint64_t number = (uint64_t)(row - writer->copies->rows.data);
  bool is_state = echo_map_has(&writer->copies->state_of, number << 32 | result);
  for (int64_t c = 0; c < writer->copies->n_copies - is_state; ++c)
    if (is_read_elsewhere(writer, echo_op_result(row->ops[c], result)))
      return true;
  for (size_t i = 0; i < row->others.size; ++i)
    if (is_read_elsewhere(writer, echo_op_result(row->others.data[i], result)))
      return true;
  return false;
}

static void find_handed_out(Writer *writer)
{
  for (size_t i = 0; i < writer->copies->order.size; ++i) {
    EchoOp *op = writer->copies->order.data[i];
    if (!is_first_copy(writer, op) || row_of(writer, op)->is_slice)
      continue;
    for (uint32_t r = 0; r < op->n_results; ++r)
      if (any_is_read_elsewhere(writer, row_of(writer, op), r))
        echo_vector_push(&writer->handed_out, echo_op_result(op, r));
  }
}

/* ---- what is the same for all copies ---- */

/* What a copy alone reads may be needed in front of the loop, too, where the copies make it each in
 * its way. */
static bool need(void *user, EchoValue *value)
{
  Writer *writer = user;
  EchoOp *op = echo_value_def_or_null(value);
  if (op != NULL && op->block == writer->copies->block &&
      (echo_copies_is_outside(writer->copies, value) ||
       echo_map_has(&writer->copies->owners, echo_key(op)) || is_made_outside(writer, op)))
    echo_map_set(&writer->is_needed, echo_key(op), 1);
  return true;
}

static bool is_cheap(const EchoOp *op)
{
  EchoNodeKind kind = echo_op_node_kind(op);
  return kind == ECHO_NODE_CONSTANT || kind == ECHO_NODE_MAP || kind == ECHO_NODE_RESHAPE;
}

/* All that the loop is made of, and what that is made of; and it is moved in front of the loop
 * where it does not stand there. */
static void find_needed(Writer *writer)
{
  const EchoDataflowOrder *order = &writer->copies->order;
  for (size_t i = 0; i < writer->copies->sums.size; ++i)
    if (writer->copies->sums.data[i].init != NULL)
      need(writer, writer->copies->sums.data[i].init);
  for (size_t i = 0; i < writer->copies->states.size; ++i)
    need(writer, writer->copies->states.data[i].init);
  for (size_t i = 0; i < writer->copies->picks.size; ++i)
    for (int64_t c = 0; c < writer->copies->n_copies; ++c)
      need(writer, writer->copies->picks.data[i].values[c]);
  for (size_t i = order->size; i-- > 0;)
    if (is_first_copy(writer, order->data[i]) ||
        echo_map_has(&writer->is_needed, echo_key(order->data[i])))
      echo_dataflow_for_operands(order->data[i], need, writer);
  for (size_t i = 0; i < order->size; ++i)
    if (echo_map_has(&writer->is_needed, echo_key(order->data[i])) &&
        !echo_op_is_before(order->data[i], writer->before))
      echo_op_move_before(order->data[i], writer->before);
}

/* The first op that may read what the loop makes. */
static EchoOp *find_before(const Writer *writer)
{
  EchoOp *op = writer->copies->block->first;
  while (op != writer->copies->block->last && op->n_results != 0 &&
         (is_inside_op(writer, op) || echo_map_has(&writer->is_added, echo_key(op)) ||
          is_made_outside(writer, op) ||
          echo_copies_is_outside(writer->copies, echo_op_result(op, 0))))
    op = op->next;
  return op;
}

/* ---- the loop ---- */

static const EchoType *stack_type(const Writer *writer, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK] = {writer->copies->n_copies};
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[d + 1] = echo_type_dim(type, d);
  return echo_type_tensor(writer->body.ctx, dims, echo_type_rank(type) + 1, type->as.shaped.element,
                          NULL);
}

/* What changes no sum in front of which it stands: of floats that is -0. */
static EchoValue *nothing(EchoBuilder *builder, const EchoType *type)
{
  return echo_type_element(type)->kind == ECHO_TYPE_FLOAT
             ? echo_hlo_constant_f64(builder, type, -0.0)
             : echo_hlo_constant_i64(builder, type, 0);
}

static void begin(Writer *writer)
{
  EchoCopies *copies = writer->copies;
  EchoBuilder builder = echo_builder_before(writer->before), cond;
  const EchoOp *last = copies->sums.size != 0
                           ? copies->sums.data[0].last
                           : copies->rows.data[copies->states.data[0].row].ops[0];
  builder.attrs = last->attrs;
  builder.loc = last->loc;
  writer->body.ctx = builder.ctx;
  Values inits = {0};
  const EchoType *type =
      echo_hlo_scalar_type(builder.ctx, echo_type_integer(builder.ctx, 32, ECHO_SIGNLESS));
  echo_vector_push(&inits, echo_hlo_constant_i64(&builder, type, 0));
  for (size_t i = 0; i < copies->sums.size; ++i) {
    const EchoCopiesSum *sum = &copies->sums.data[i];
    echo_vector_push(&inits, sum->init != NULL
                                 ? sum->init
                                 : nothing(&builder, echo_op_result_type(sum->last, 0)));
  }
  for (size_t i = 0; i < copies->states.size; ++i)
    echo_vector_push(&inits, copies->states.data[i].init);
  for (size_t i = 0; i < writer->handed_out.size; ++i)
    echo_vector_push(
        &inits,
        echo_hlo_constant_i64(&builder, stack_type(writer, writer->handed_out.data[i]->type), 0));
  writer->loop = echo_hlo_while(&builder, inits.data, inits.size, &cond, &writer->body);
  cond.attrs = writer->body.attrs = builder.attrs;
  EchoValue *goes_on =
      echo_hlo_compare(&cond, ECHO_COMPARE_LT, echo_block_arg(echo_op_body(writer->loop, 0), 0),
                       echo_hlo_constant_i64(&cond, type, copies->n_copies));
  echo_hlo_return(&cond, &goes_on, 1);
  echo_vector_destroy(&inits);
  EchoValue *count = echo_block_arg(echo_op_body(writer->loop, 1), 0);
  writer->copy = writer->is_down
                     ? echo_hlo_subtract(
                           &writer->body,
                           echo_hlo_constant_i64(&writer->body, type, copies->n_copies - 1), count)
                     : count;
}

static EchoValue *as_type(EchoBuilder *builder, EchoValue *value, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  for (size_t d = 0; d < echo_type_rank(type); ++d)
    dims[d] = echo_type_dim(type, d);
  return echo_hlo_reshape(builder, value, dims, echo_type_rank(type));
}

static bool is_dense(const EchoOp *slice)
{
  for (size_t d = 0; d < echo_type_rank(echo_op_result_type(slice, 0)); ++d)
    if (echo_copies_stride(slice, d) != 1)
      return false;
  return true;
}

/* All copies' slices, one after the other, are the array: it is read as a stack of them. */
static bool are_all(const Writer *writer, const EchoOp *first, const EchoCopiesSlice *slice)
{
  const EchoType *type = echo_op_result_type(first, 0), *array = echo_op_operand_type(first, 0);
  bool holds = is_dense(first) && slice->dim == 0 && slice->step == echo_type_dim(type, 0) &&
               slice->step * writer->copies->n_copies == echo_type_dim(array, 0);
  for (size_t d = 1; d < echo_type_rank(type) && holds; ++d)
    holds = echo_type_dim(type, d) == echo_type_dim(array, d);
  return holds && echo_type_rank(type) < ECHO_MAX_RANK;
}

static EchoValue *read_slice(Writer *writer, const EchoOp *first, const EchoCopiesSlice *slice)
{
  EchoBuilder *body = &writer->body;
  const EchoType *type = echo_op_result_type(first, 0);
  EchoValue *array = echo_op_operand(first, 0), *starts[ECHO_MAX_RANK];
  int64_t sizes[ECHO_MAX_RANK], strides[ECHO_MAX_RANK], zeros[ECHO_MAX_RANK];
  bool is_all = are_all(writer, first, slice);
  if (is_all && slice->step == 1)
    return echo_loop_read_slice(body, array, writer->copy);
  if (is_all) {
    EchoBuilder outside = echo_builder_before(writer->loop);
    outside.attrs = first->attrs;
    EchoValue *stack = as_type(&outside, array, stack_type(writer, type));
    return as_type(body, echo_loop_read_slice(body, stack, writer->copy), type);
  }
  EchoDimList from = echo_stablehlo_dims(first, "start_indices");
  for (size_t d = 0; d < from.size; ++d) {
    starts[d] = echo_hlo_constant_i64(body, writer->copy->type, from.dims[d]);
    strides[d] = echo_copies_stride(first, d);
    sizes[d] = echo_type_dim(type, d) == 0 ? 0 : (echo_type_dim(type, d) - 1) * strides[d] + 1;
    zeros[d] = 0;
    if (d == slice->dim)
      starts[d] = echo_hlo_add(
          body,
          echo_hlo_multiply(body, writer->copy,
                            echo_hlo_constant_i64(body, writer->copy->type, slice->step)),
          starts[d]);
  }
  EchoValue *span = echo_hlo_dynamic_slice(body, array, starts, sizes);
  return is_dense(first) ? span : echo_hlo_slice(body, span, zeros, sizes, strides);
}

/* What a row's other ops compute is the same. */
static void write_row(Writer *writer, EchoOp *op)
{
  const EchoCopiesRow *row = row_of(writer, op);
  EchoCopiesSlice slice;
  if (row->is_slice && echo_copies_slice(row->ops, (size_t)writer->copies->n_copies, &slice))
    echo_map_set_ptr(&writer->values, echo_op_result(op, 0), read_slice(writer, op, &slice));
  else
    echo_builder_insert(&writer->body, echo_op_clone(op, &writer->values));
  for (size_t i = 0; i < row->others.size; ++i)
    for (uint32_t r = 0; r < op->n_results; ++r)
      echo_map_set_ptr(&writer->values, echo_op_result(row->others.data[i], r),
                       echo_map_get_ptr(&writer->values, echo_op_result(op, r)));
}

/* Whether the iteration is the one of copy `c`. */
static EchoValue *is_copy(Writer *writer, size_t c)
{
  while (writer->are_copies.size <= c)
    echo_vector_push(&writer->are_copies, (EchoValue *)NULL);
  if (writer->are_copies.data[c] == NULL)
    writer->are_copies.data[c] =
        echo_hlo_compare(&writer->body, ECHO_COMPARE_EQ, writer->copy,
                         echo_hlo_constant_i64(&writer->body, writer->copy->type, (int64_t)c));
  return writer->are_copies.data[c];
}

/* The copy's own of scalars: maps, which stand in the kernel of what reads them, where a row would
 * be read by a kernel of its own. */
static EchoValue *select_own(Writer *writer, EchoValue *const *values)
{
  size_t n = (size_t)writer->copies->n_copies;
  EchoValue *own = values[n - 1];
  for (size_t c = n - 1; c-- > 0;)
    if (values[c] != own)
      own = echo_hlo_select(&writer->body, is_copy(writer, c), values[c], own);
  return own;
}

/* The copy's own of arrays, a row of all of them, which is read again where it is needed again:
 * what a branch hands on is kept, and so is what is selected of arrays element by element. */
static EchoValue *read_own(Writer *writer, EchoValue *const *values)
{
  size_t n = (size_t)writer->copies->n_copies, rank = echo_type_rank(values[0]->type);
  EchoBuilder *body = &writer->body;
  int64_t dims[ECHO_MAX_RANK + 1] = {1};
  for (size_t d = 0; d < rank; ++d)
    dims[d + 1] = echo_type_dim(values[0]->type, d);
  EchoValue **rows = echo_alloc_array(n, sizeof(EchoValue *));
  for (size_t c = 0; c < n; ++c)
    rows[c] = echo_hlo_reshape(body, values[c], dims, rank + 1);
  EchoValue *stack = echo_hlo_concatenate(body, rows, n, 0);
  echo_free(rows);
  return as_type(body, echo_loop_read_slice(body, stack, writer->copy), values[0]->type);
}

/* The number that all of a constant is filled with; NULL: there is none. */
static const EchoAttr *filling_or_null(const EchoValue *value)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  bool is_filled = constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
                   constant->as.elements.is_splat;
  return is_filled ? constant : NULL;
}

/* Of arrays that are filled with one number each it is the number that is selected, so that none of
 * them is ever whole. */
static EchoValue *pick_own(Writer *writer, EchoValue *const *values)
{
  size_t n = (size_t)writer->copies->n_copies;
  bool are_filled = true;
  if (echo_type_rank(values[0]->type) == 0)
    return select_own(writer, values);
  for (size_t c = 0; c < n && are_filled; ++c)
    are_filled = filling_or_null(values[c]) != NULL;
  if (!are_filled)
    return read_own(writer, values);
  EchoBuilder *body = &writer->body;
  EchoValue **numbers = echo_alloc_array(n, sizeof(EchoValue *));
  const EchoType *number = echo_hlo_scalar_type(body->ctx, echo_type_element(values[0]->type));
  for (size_t c = 0; c < n; ++c) {
    const EchoAttr *filling = filling_or_null(values[c]);
    numbers[c] =
        echo_hlo_constant(body, echo_attr_elements(body->ctx, number, filling->as.elements.data,
                                                   filling->as.elements.size_bytes, true));
  }
  EchoValue *own = select_own(writer, numbers);
  echo_free(numbers);
  return echo_hlo_broadcast_scalar(body, own, values[0]->type);
}

/* Not an op that a copy has one like: in the loop that is the copy's. */
static bool is_not_of_copy(void *user, EchoValue *value)
{
  const Writer *writer = user;
  const EchoOp *op = echo_value_def_or_null(value);
  return op == NULL || !is_made_outside(writer, op);
}

static void write_body(Writer *writer)
{
  const EchoBlock *block = echo_op_body(writer->loop, 1);
  for (uint32_t i = 0; i < writer->copies->states.size; ++i)
    echo_map_set_ptr(&writer->values, echo_op_result(writer->copies->states.data[i].stand_in, 0),
                     echo_block_arg(block, 1 + (uint32_t)writer->copies->sums.size + i));
  for (uint32_t i = 0; i < writer->copies->rows.size; ++i) {
    EchoValue *const *arguments = writer->copies->rows.data[i].arguments;
    if (arguments != NULL && echo_copies_joined(writer->copies, i) == writer->joined)
      echo_map_set_ptr(&writer->values, arguments[0], pick_own(writer, arguments));
  }
  for (size_t i = 0; i < writer->copies->picks.size; ++i) {
    const EchoCopiesPick *pick = &writer->copies->picks.data[i];
    echo_map_set_ptr(&writer->values, echo_op_result(pick->stand_in, 0),
                     pick_own(writer, pick->values));
  }
  const EchoDataflowOrder *order = &writer->copies->order;
  for (size_t i = 0; i < order->size; ++i) {
    EchoOp *op = order->data[i];
    if (is_first_copy(writer, op))
      write_row(writer, op);
    else if (echo_map_has(&writer->is_needed, echo_key(op)) && is_cheap(op) &&
             echo_dataflow_for_operands(op, is_not_of_copy, writer))
      echo_builder_insert(&writer->body, echo_op_clone(op, &writer->values));
  }
}

static EchoValue *add_terms(Writer *writer, const EchoCopiesSum *sum, EchoValue *so_far)
{
  for (uint32_t i = 0; i < sum->n_rows; ++i) {
    EchoCopiesPlace place = {0};
    echo_copies_place(writer->copies, sum->terms[i], &place);
    const EchoCopiesRow *row = &writer->copies->rows.data[place.row];
    const EchoValue *first = row->arguments != NULL
                                 ? row->arguments[0]
                                 : echo_op_result(row->ops[0], sum->terms[i]->index);
    EchoValue *term = echo_map_get_ptr(&writer->values, first);
    so_far = sum->adds_right ? echo_hlo_add(&writer->body, so_far, term)
                             : echo_hlo_add(&writer->body, term, so_far);
  }
  return so_far;
}

static void end(Writer *writer)
{
  EchoBuilder *body = &writer->body;
  const EchoBlock *block = echo_op_body(writer->loop, 1);
  EchoValue *count = echo_block_arg(block, 0);
  Values all = {0};
  uint32_t at = 1;
  echo_vector_push(&all, echo_hlo_add(body, count, echo_hlo_constant_i64(body, count->type, 1)));
  for (size_t i = 0; i < writer->copies->sums.size; ++i)
    echo_vector_push(&all,
                     add_terms(writer, &writer->copies->sums.data[i], echo_block_arg(block, at++)));
  for (size_t i = 0; i < writer->copies->states.size; ++i, ++at) {
    const EchoCopiesState *state = &writer->copies->states.data[i];
    const EchoOp *first = writer->copies->rows.data[state->row].ops[0];
    echo_vector_push(
        &all, (EchoValue *)echo_map_get_ptr(&writer->values, echo_op_result(first, state->index)));
  }
  for (size_t i = 0; i < writer->handed_out.size; ++i) {
    EchoValue *made = echo_map_get_ptr(&writer->values, writer->handed_out.data[i]);
    echo_vector_push(&all,
                     echo_loop_write_slice(body, echo_block_arg(block, at++), made, writer->copy));
  }
  echo_hlo_return(body, all.data, all.size);
  echo_vector_destroy(&all);
}

/* ---- in the place of what stood there ---- */

static void replace_elsewhere(const Writer *writer, EchoBuilder *builder, EchoValue *stack,
                              int64_t copy, EchoValue *old)
{
  if (echo_value_is_unused(old) || is_made_outside(writer, echo_value_def_or_null(old)))
    return;
  EchoValue *row = echo_hlo_slice_dim(builder, stack, 0, copy, copy + 1);
  echo_value_replace_all_uses(old, as_type(builder, row, old->type));
}

static void replace(Writer *writer)
{
  EchoCopies *copies = writer->copies;
  EchoBuilder behind = echo_builder_before(writer->before);
  uint32_t at = 1;
  for (size_t i = 0; i < copies->sums.size; ++i)
    echo_value_replace_all_uses(echo_op_result(copies->sums.data[i].last, 0),
                                echo_op_result(writer->loop, at++));
  for (size_t i = 0; i < copies->states.size; ++i) {
    const EchoCopiesState *state = &copies->states.data[i];
    const EchoOp *last = copies->rows.data[state->row].ops[copies->n_copies - 1];
    EchoValue *end = echo_op_result(writer->loop, at++);
    if (!is_made_outside(writer, last))
      echo_value_replace_all_uses(echo_op_result(last, state->index), end);
  }
  for (size_t i = 0; i < writer->handed_out.size; ++i) {
    const EchoValue *first = writer->handed_out.data[i];
    const EchoCopiesRow *row = row_of(writer, echo_value_def_or_null(first));
    EchoValue *stack = echo_op_result(writer->loop, at++);
    behind.attrs = row->ops[0]->attrs;
    for (int64_t c = 0; c < copies->n_copies; ++c)
      replace_elsewhere(writer, &behind, stack, c, echo_op_result(row->ops[c], first->index));
    for (size_t k = 0; k < row->others.size; ++k) {
      EchoValue *other = echo_op_result(row->others.data[k], first->index);
      EchoCopiesPlace place = {0};
      echo_copies_place(copies, other, &place);
      replace_elsewhere(writer, &behind, stack, place.copy, other);
    }
  }
  for (size_t i = 0; i < copies->picks.size; ++i) {
    const EchoCopiesPick *pick = &copies->picks.data[i];
    echo_value_replace_all_uses(echo_op_result(pick->stand_in, 0), pick->values[0]);
    echo_op_erase(pick->stand_in);
  }
  for (size_t i = 0; i < copies->states.size; ++i) {
    const EchoCopiesState *state = &copies->states.data[i];
    echo_value_replace_all_uses(echo_op_result(state->stand_in, 0), state->init);
    echo_op_erase(state->stand_in);
  }
  for (size_t i = copies->order.size; i-- > 0;) {
    EchoOp *op = copies->order.data[i];
    bool is_gone = is_inside_op(writer, op) || echo_map_has(&writer->is_added, echo_key(op));
    for (uint32_t r = 0; r < op->n_results && is_gone; ++r)
      is_gone = echo_value_is_unused(echo_op_result(op, r));
    if (is_gone)
      echo_op_erase(op);
  }
}

void echo_copies_write(EchoCopies *copies)
{
  Writer writer = {.copies = copies,
                   .joined = copies->joined,
                   .is_down = copies->sums.size != 0 && copies->sums.data[0].is_down};
  echo_copies_join_own(copies, writer.joined);
  find_additions(&writer);
  find_handed_out(&writer);
  writer.before = find_before(&writer);
  find_needed(&writer);
  begin(&writer);
  write_body(&writer);
  end(&writer);
  replace(&writer);
  echo_map_destroy(&writer.is_added);
  echo_map_destroy(&writer.is_needed);
  echo_map_destroy(&writer.values);
  echo_vector_destroy(&writer.handed_out);
  echo_vector_destroy(&writer.are_copies);
}
