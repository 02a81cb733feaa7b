/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes a head in chunks of rows. What is cut is first reshaped so that its rows are one
 * dimension, whatever dimensions they were; then each chunk has any number of them. What others
 * read is concatenated and reshaped back, sums are added up in the order of the chunks. */
#include "dialects/stablehlo/build.h"
#include "lowering/step/row_head_t.h"

/* What is cut and no member made, by the dimensions of its rows. */
typedef struct OuterRows {
  EchoValue *value;
  EchoRowDims rows;
  EchoValue *flat;  /* all rows, as one dimension */
  EchoValue *chunk; /* of the present chunk; NULL = not yet cut */
} OuterRows;

typedef struct Writer {
  const EchoRowHead *head;
  EchoBuilder builder;
  const EchoAttr *phase;  /* of every op of the chunks; NULL: each has its own */
  int64_t begin, end;     /* rows of the present chunk */
  size_t chunk, n_chunks; /* its number */
  EchoMap *in_chunk;      /* by chunk: value of a member -> its rows there */
  size_t *first_part;     /* by member: number of its first result among those of all */
  EchoValue **parts;      /* by result and chunk: what is concatenated in the end */
  EchoValue **totals;     /* by member: sums so far */
  ECHO_VECTOR(OuterRows) outer;
} Writer;

bool echo_is_splat(const EchoValue *value)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         constant->as.elements.is_splat;
}

const EchoType *echo_row_sum_type(EchoContext *ctx, const EchoType *type)
{
  const EchoType *element = echo_type_element(type);
  if (!echo_element_is_float(echo_type_element_kind(type)) || echo_type_bit_width(element) >= 32)
    return type;
  return echo_type_tensor(ctx, type->as.shaped.dims, echo_type_rank(type), echo_type_f32(ctx),
                          type->as.shaped.encoding);
}

/* ---- operands ---- */

static EchoValue *flat_value(Writer *writer, EchoValue *value, EchoRowDims rows)
{
  int64_t n_rows = rows.is_cut ? writer->head->n_rows : 1;
  const EchoType *type = echo_flat_type(writer->head->ctx, value->type, rows, n_rows);
  return echo_hlo_reshape(&writer->builder, value, type->as.shaped.dims, echo_type_rank(type));
}

static OuterRows *get_outer(Writer *writer, EchoValue *value, EchoRowDims rows)
{
  for (size_t i = 0; i < writer->outer.size; ++i) {
    OuterRows *known = &writer->outer.data[i];
    if (known->value == value && known->rows.first == rows.first && known->rows.n == rows.n)
      return known;
  }
  OuterRows made = {.value = value, .rows = rows};
  if (!echo_is_splat(value))
    made.flat = flat_value(writer, value, rows);
  echo_vector_push(&writer->outer, made);
  return &echo_vector_last(&writer->outer);
}

static EchoValue *splat_chunk(Writer *writer, const EchoValue *value, EchoRowDims rows)
{
  EchoContext *ctx = writer->head->ctx;
  const EchoAttr *whole = echo_value_constant_or_null(value);
  int64_t n_rows = rows.is_cut ? writer->end - writer->begin : 1;
  const EchoType *type = echo_flat_type(ctx, value->type, rows, n_rows);
  return echo_hlo_constant(
      &writer->builder,
      echo_attr_elements(ctx, type, whole->as.elements.data, whole->as.elements.size_bytes, true));
}

/* The operand as the chunk reads it. */
static EchoValue *operand_in_chunk(Writer *writer, EchoValue *value, EchoRowDims rows)
{
  EchoValue *known = echo_map_get_ptr(&writer->in_chunk[writer->chunk], value);
  if (known != NULL || rows.n == 0)
    return known != NULL ? known : value;
  OuterRows *outer = get_outer(writer, value, rows);
  if (outer->chunk == NULL && outer->flat == NULL)
    outer->chunk = splat_chunk(writer, value, rows);
  else if (outer->chunk == NULL)
    outer->chunk = rows.is_cut ? echo_hlo_slice_dim(&writer->builder, outer->flat, rows.first,
                                                    writer->begin, writer->end)
                               : outer->flat;
  return outer->chunk;
}

/* ---- members ---- */

static void add_to_total(Writer *writer, size_t m, EchoOp *clone)
{
  EchoBuilder *builder = &writer->builder;
  EchoValue *part = echo_op_result(clone, 0), **total = &writer->totals[m];
  const EchoType *type = echo_row_sum_type(writer->head->ctx, part->type);
  if (echo_op_has_trait(clone, ECHO_HEAVY)) /* which adds up in it anyway */
    echo_value_set_type(part, type);
  part = echo_hlo_convert(builder, part, echo_type_element(type));
  *total = *total == NULL ? part : echo_hlo_add(builder, *total, part);
}

static void write_member(Writer *writer, size_t m)
{
  const EchoRowHead *head = writer->head;
  const EchoRowMember *member = &head->members.data[m];
  writer->builder.loc = member->op->loc;
  EchoOp *clone = echo_op_clone(member->op, NULL);
  for (uint32_t i = 0; i < clone->n_operands; ++i) {
    EchoValue *operand = echo_op_operand(member->op, i);
    echo_op_set_operand(clone, i, operand_in_chunk(writer, operand, member->use.operands[i]));
  }
  for (EchoOp *op = clone; op != NULL && writer->phase != NULL; op = echo_op_walk_next(clone, op))
    echo_op_set_attr(op, "echo.phase", writer->phase);
  echo_op_insert_before(clone, head->places[member->span]);
  echo_flatten_op(clone, &member->use, writer->end - writer->begin);
  if (member->role == ECHO_ROWS_SUM) {
    add_to_total(writer, m, clone);
    return;
  }
  for (uint32_t i = 0; i < clone->n_results; ++i) {
    EchoValue *value = echo_op_result(clone, i);
    echo_map_set_ptr(&writer->in_chunk[writer->chunk], echo_op_result(member->op, i), value);
    writer->parts[(writer->first_part[m] + i) * writer->n_chunks + writer->chunk] = value;
  }
}

/* ---- results ---- */

static EchoValue *whole_value(Writer *writer, size_t m, uint32_t i)
{
  const EchoRowMember *member = &writer->head->members.data[m];
  const EchoType *type = echo_op_result_type(member->op, i);
  EchoBuilder *builder = &writer->builder;
  builder->loc = member->op->loc;
  if (writer->totals[m] != NULL)
    return echo_hlo_convert(builder, writer->totals[m], echo_type_element(type));
  EchoValue **parts = writer->parts + (writer->first_part[m] + i) * writer->n_chunks;
  EchoValue *rows =
      echo_hlo_concatenate(builder, parts, writer->n_chunks, member->use.result.first);
  return echo_hlo_reshape(builder, rows, type->as.shaped.dims, echo_type_rank(type));
}

/* Uses by ops that are not replaced read the whole value. */
static void replace_outer_uses(Writer *writer, size_t m)
{
  EchoOp *op = writer->head->members.data[m].op;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    EchoValue *whole = NULL;
    for (EchoUse *use = echo_op_result(op, i)->first_use, *next; use != NULL; use = next) {
      next = use->next;
      if (echo_map_has(&writer->head->is_member, echo_key(use->owner)))
        continue;
      if (whole == NULL)
        whole = whole_value(writer, m, i);
      echo_op_set_operand(use->owner, echo_use_operand_index(use), whole);
    }
  }
}

static void erase_members(const EchoRowHead *head)
{
  for (size_t m = head->members.size; m-- > 0;) { /* the last first */
    const EchoRowMember *member = &head->members.data[m];
    if (!member->is_pulled || echo_value_is_unused(echo_op_result(member->op, 0)))
      echo_op_erase(member->op);
  }
}

/* With its gradient at once the loss is backward code too: the forward part ends before the head.
 * Of what the model goes on behind, each op stays what it was. */
static const EchoAttr *phase_of_all_or_null(const EchoRowHead *head)
{
  return head->has_gradient && head->is_own_gradient
             ? echo_attr_string(head->ctx, ECHO_STR("backward"))
             : NULL;
}

/* What is made from here on stands before the place of the span. */
static void set_place(Writer *writer, uint8_t span)
{
  EchoOp *place = writer->head->places[span];
  const EchoAttr *attr =
      writer->phase != NULL ? writer->phase : echo_op_attr_or_null(place, "echo.phase");
  EchoNamedAttr phase = {ECHO_STR("echo.phase"), attr};
  writer->builder = echo_builder_before(place);
  if (attr != NULL)
    writer->builder.attrs = echo_attr_dictionary(writer->head->ctx, &phase, 1);
}

static void writer_create(Writer *writer, const EchoRowHead *head)
{
  size_t n_results = 0;
  *writer = (Writer){.head = head, .phase = phase_of_all_or_null(head)};
  writer->n_chunks = (size_t)((head->n_rows + head->rows_a_chunk - 1) / head->rows_a_chunk);
  writer->in_chunk = echo_alloc_zero(writer->n_chunks, sizeof(EchoMap));
  writer->first_part = echo_alloc_zero(head->members.size + 1, sizeof(size_t));
  for (size_t m = 0; m < head->members.size; ++m) {
    writer->first_part[m] = n_results;
    n_results += head->members.data[m].op->n_results;
  }
  writer->parts = echo_alloc_zero(n_results * writer->n_chunks + 1, sizeof(EchoValue *));
  writer->totals = echo_alloc_zero(head->members.size + 1, sizeof(EchoValue *));
}

static void writer_destroy(Writer *writer)
{
  for (size_t c = 0; c < writer->n_chunks; ++c)
    echo_map_destroy(&writer->in_chunk[c]);
  echo_free(writer->in_chunk);
  echo_vector_destroy(&writer->outer);
  echo_free(writer->first_part);
  echo_free((void *)writer->parts);
  echo_free((void *)writer->totals);
}

static void write_span(Writer *writer, uint8_t span)
{
  const EchoRowHead *head = writer->head;
  set_place(writer, span);
  writer->end = 0;
  for (writer->chunk = 0; writer->chunk < writer->n_chunks; ++writer->chunk) {
    writer->begin = writer->end;
    writer->end = writer->begin + head->rows_a_chunk;
    if (writer->end > head->n_rows)
      writer->end = head->n_rows;
    for (size_t i = 0; i < writer->outer.size; ++i)
      writer->outer.data[i].chunk = NULL;
    for (size_t m = 0; m < head->members.size; ++m)
      if (head->members.data[m].span == span)
        write_member(writer, m);
  }
}

void echo_write_chunks(const EchoRowHead *head)
{
  Writer writer;
  writer_create(&writer, head);
  for (uint8_t span = 0; span < head->n_spans; ++span)
    write_span(&writer, span);
  for (size_t m = 0; m < head->members.size; ++m)
    if (!head->members.data[m].is_pulled) {
      set_place(&writer, head->members.data[m].span);
      replace_outer_uses(&writer, m);
    }
  erase_members(head);
  writer_destroy(&writer);
}
