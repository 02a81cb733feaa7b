/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --chunk-rows: a contraction whose result is large, and meets only ops that work row by row and
 * the contractions of its own gradient (the logits of a loss head), runs in chunks of rows, each
 * with its gradient at once, so that the large value is never whole. What it ends in is put
 * together again: rows by a concatenation, sums over rows by additions in order.
 *
 *   find    from the contraction on: what works on its rows, and whether anything else reads them
 *   pull    cheap ops that make large operands of those (masks, one-hots) are repeated in each
 *           chunk
 *   write   the chunks one after the other, where the contraction stood
 *
 * It depends on the step alone, not on what Echo is asked for, so that bits do not either. All of
 * it is backward code: the loss is computed with its gradient. */
#include <stdlib.h>

#include "base/map.h"
#include "base/vector.h"
#include "dialects/stablehlo/build.h"
#include "dialects/stablehlo/opcode.h"
#include "lowering/lowering.h"
#include "lowering/step/row_roles_t.h"
#include "planning/schedule/graph.h"

/* A chunk of less than that is not worth its launches and additions. */
#define MIN_CHUNK_BYTES (UINT64_C(1) << 20)
#define WANTED_CHUNKS 8
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

typedef struct Member {
  EchoOp *op;
  EchoRowRole role;
  uint32_t follows; /* operands that are cut */
  bool is_pulled;
} Member;

typedef struct Head {
  EchoContext *ctx;
  EchoOp *root;
  int64_t n_rows, n_chunks;
  uint64_t bytes;    /* of the root's result */
  size_t n_pending;  /* uses of its rows that are still to be looked at */
  EchoMap class_of;  /* value -> ValueClass */
  EchoMap is_member; /* op -> 1: replaced by the chunks */
  ECHO_VECTOR(Member) members;
} Head;

static ValueClass class_of(const Head *head, const EchoValue *value)
{
  return (ValueClass)echo_map_get_or(&head->class_of, echo_key(value), CLASS_NONE);
}

static void set_class(Head *head, const EchoOp *op, ValueClass value_class)
{
  for (uint32_t i = 0; i < op->n_results; ++i) {
    const EchoValue *result = echo_op_result(op, i);
    echo_map_set(&head->class_of, echo_key(result), value_class);
    head->n_pending += value_class == CLASS_ROWS ? echo_value_n_uses(result) : 0;
  }
}

static bool is_small(const Head *head, const EchoType *type)
{
  uint64_t bytes;
  return echo_type_bytes(type, &bytes) && bytes <= head->bytes / SMALL_PART;
}

/* ---- find ---- */

/* How many chunks the leading dimension falls into; 0 when there is no good number. */
static int64_t count_chunks(int64_t n_rows, uint64_t bytes)
{
  int64_t best = 0;
  for (int64_t n = MIN_CHUNKS; n <= MAX_CHUNKS; ++n)
    if (n_rows % n == 0 && bytes / (uint64_t)n >= MIN_CHUNK_BYTES &&
        (best == 0 || llabs(n - WANTED_CHUNKS) <= llabs(best - WANTED_CHUNKS)))
      best = n;
  return best;
}

/* Whether the forward contraction has a wide result whose leading dimension can be cut. */
static bool begins_head(EchoOp *op, Head *head)
{
  uint32_t follows;
  if (echo_row_role(op, &follows) != ECHO_ROWS_PRODUCT)
    return false;
  const EchoType *lhs = echo_op_operand_type(op, 0), *result = echo_op_result_type(op, 0);
  uint64_t bytes, read_bytes;
  if (!echo_type_bytes(result, &bytes) || !echo_type_bytes(lhs, &read_bytes) ||
      bytes < MIN_CHUNK_BYTES * MIN_CHUNKS || bytes < read_bytes * MIN_GROWTH)
    return false;
  *head = (Head){.ctx = echo_op_context(op),
                 .root = op,
                 .n_rows = echo_type_dim(result, 0),
                 .n_chunks = count_chunks(echo_type_dim(result, 0), bytes),
                 .bytes = bytes};
  return head->n_chunks != 0;
}

static void head_destroy(Head *head)
{
  echo_map_destroy(&head->class_of);
  echo_map_destroy(&head->is_member);
  echo_vector_destroy(&head->members);
}

static void add_member(Head *head, EchoOp *op, EchoRowRole role, uint32_t follows)
{
  Member member = {op, role, follows, false};
  echo_vector_push(&head->members, member);
  echo_map_set(&head->is_member, echo_key(op), 1);
  set_class(head, op, role == ECHO_ROWS_EACH || op == head->root ? CLASS_ROWS : CLASS_DONE);
}

/* What an op reads of the head. */
typedef struct Reading {
  bool reads_rows, reads_large_rows, reads_done, captures;
} Reading;

static Reading look_at_operands(Head *head, EchoOp *op)
{
  Reading reading = {0};
  for (EchoOp *inner = op; inner != NULL;
       inner = op->n_regions != 0 ? echo_op_walk_next(op, inner) : NULL)
    for (size_t i = 0; i < inner->n_operands; ++i) {
      const EchoValue *value = echo_op_operand(inner, i);
      ValueClass value_class = class_of(head, value);
      if (value_class == CLASS_NONE)
        continue;
      reading.captures |= inner != op;
      reading.reads_done |= value_class == CLASS_DONE;
      reading.reads_rows |= value_class == CLASS_ROWS;
      head->n_pending -= value_class == CLASS_ROWS;
      reading.reads_large_rows |= value_class == CLASS_ROWS && !is_small(head, value->type);
    }
  return reading;
}

/* The role that the op can play in the chunks: every operand with rows must be cut along them. */
static EchoRowRole role_in_head(const Head *head, const EchoOp *op, uint32_t *follows)
{
  EchoRowRole role = echo_row_role(op, follows);
  for (uint32_t i = 0; i < op->n_operands && role != ECHO_ROWS_NONE; ++i) {
    bool has_rows = class_of(head, echo_op_operand(op, i)) == CLASS_ROWS;
    bool is_cut = (*follows >> i & 1) != 0;
    if (has_rows != is_cut && has_rows)
      return ECHO_ROWS_NONE;
    if (is_cut && echo_type_dim(echo_op_operand_type(op, i), 0) != head->n_rows)
      return ECHO_ROWS_NONE;
  }
  if (role == ECHO_ROWS_PRODUCT && echo_op_phase(op) == ECHO_FORWARD)
    return ECHO_ROWS_NONE; /* the model goes on: no loss head */
  return role;
}

/* Follows the rows to where they end. False when somebody needs a large value whole. */
static bool find_members(Head *head)
{
  size_t n_products = 0, n_sums = 0;
  uint64_t sum_bytes = 0;
  add_member(head, head->root, ECHO_ROWS_PRODUCT, 1);
  for (EchoOp *op = head->root->next; op != NULL && head->n_pending != 0; op = op->next) {
    Reading reading = look_at_operands(head, op);
    uint32_t follows;
    if (!reading.reads_rows && !reading.reads_done)
      continue;
    EchoRowRole role =
        reading.reads_done || reading.captures ? ECHO_ROWS_NONE : role_in_head(head, op, &follows);
    if (role == ECHO_ROWS_SUM && !reading.reads_large_rows)
      role = ECHO_ROWS_NONE; /* of what is small the whole is there */
    if (role == ECHO_ROWS_NONE) {
      if (reading.reads_large_rows || (reading.captures && reading.reads_rows))
        return false;
      set_class(head, op, CLASS_DONE);
      continue;
    }
    add_member(head, op, role, follows);
    n_products += role == ECHO_ROWS_PRODUCT;
    n_sums += role == ECHO_ROWS_SUM && echo_op_has_trait(op, ECHO_HEAVY);
    uint64_t bytes;
    if (role == ECHO_ROWS_SUM && echo_type_bytes(echo_op_result_type(op, 0), &bytes))
      sum_bytes += bytes;
  }
  /* One sum and what is added to it stand together: that must not take what the chunks save. */
  return n_products != 0 && n_sums != 0 && sum_bytes <= head->bytes / 2;
}

/* ---- pull ---- */

/* Cheap and large, or made of nothing: better made again, a chunk at a time, than cut. */
static bool is_worth_pulling(const Head *head, const EchoOp *op, EchoRowRole role)
{
  if (role != ECHO_ROWS_EACH || op->block != head->root->block || !echo_op_is_pure(op))
    return false;
  EchoHloOpcode opcode = echo_hlo_opcode(op);
  if (opcode == ECHO_HLO_IOTA || opcode == ECHO_HLO_BROADCAST_IN_DIM)
    return true;
  return echo_op_has_trait(op, ECHO_ELEMENTWISE) && !is_small(head, echo_op_result_type(op, 0));
}

static bool is_splat(const EchoValue *value)
{
  const EchoAttr *constant = echo_value_constant_or_null(value);
  return constant != NULL && constant->kind == ECHO_ATTR_DENSE_ELEMENTS &&
         constant->as.elements.is_splat;
}

/* Whatever the members cut and need not: to a fixpoint, each op once. */
static void pull_operands(Head *head)
{
  for (size_t m = 0; m < head->members.size; ++m) {
    Member member = head->members.data[m];
    for (uint32_t i = 0; i < member.op->n_operands; ++i) {
      EchoValue *value = echo_op_operand(member.op, i);
      EchoOp *def = echo_value_def_or_null(value);
      uint32_t follows;
      if ((member.follows >> i & 1) == 0 || def == NULL || class_of(head, value) != CLASS_NONE ||
          is_splat(value) || !is_worth_pulling(head, def, echo_row_role(def, &follows)))
        continue;
      echo_vector_push(&head->members, ((Member){def, ECHO_ROWS_EACH, follows, true}));
      set_class(head, def, CLASS_PULLED);
    }
  }
}

static int compare_members(const void *a, const void *b)
{
  const Member *x = a, *y = b;
  return x->op == y->op ? 0 : echo_op_is_before(x->op, y->op) ? -1 : 1;
}

/* Ops behind the root that the members need and that do not depend on it move before it. False when
 * one of them may not move. */
static bool hoist_operands(Head *head)
{
  ECHO_VECTOR(EchoOp *) needed = {0};
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

/* ---- write ---- */

typedef struct Writer {
  const Head *head;
  EchoBuilder builder;
  int64_t chunk;
  EchoMap cut;        /* value -> its rows in this chunk */
  EchoValue **parts;  /* by member and chunk: what is concatenated in the end */
  EchoValue **totals; /* by member: sums so far */
} Writer;

static const EchoType *cut_type(const Head *head, const EchoType *type)
{
  int64_t dims[ECHO_MAX_RANK];
  memcpy(dims, type->as.shaped.dims, echo_type_rank(type) * sizeof *dims);
  dims[0] /= head->n_chunks;
  return echo_type_tensor(head->ctx, dims, echo_type_rank(type), echo_type_element(type),
                          type->as.shaped.encoding);
}

static EchoValue *rows_of(Writer *writer, EchoValue *value)
{
  EchoValue *known = echo_map_get_ptr(&writer->cut, value);
  if (known != NULL)
    return known;
  const EchoType *type = cut_type(writer->head, value->type);
  int64_t size = echo_type_dim(type, 0);
  if (is_splat(value)) {
    const EchoAttr *whole = echo_value_constant_or_null(value);
    known = echo_hlo_constant(&writer->builder,
                              echo_attr_elements(writer->head->ctx, type, whole->as.elements.data,
                                                 whole->as.elements.size_bytes, true));
  } else {
    known = echo_hlo_slice_dim(&writer->builder, value, 0, writer->chunk * size,
                               (writer->chunk + 1) * size);
  }
  echo_map_set_ptr(&writer->cut, value, known);
  return known;
}

static void write_member(Writer *writer, size_t m)
{
  const Head *head = writer->head;
  const Member *member = &head->members.data[m];
  writer->builder.loc = member->op->loc;
  EchoOp *clone = echo_op_clone(member->op, NULL);
  for (uint32_t i = 0; i < clone->n_operands; ++i)
    if ((member->follows >> i & 1) != 0)
      echo_op_set_operand(clone, i, rows_of(writer, echo_op_operand(member->op, i)));
  for (EchoOp *op = clone; op != NULL; op = echo_op_walk_next(clone, op))
    echo_op_set_attr(op, "echo.phase", echo_attr_string(head->ctx, ECHO_STR("backward")));
  echo_op_insert_before(clone, head->root);
  EchoValue *result = echo_op_result(clone, 0);
  if (member->role == ECHO_ROWS_SUM) {
    EchoValue **total = &writer->totals[m];
    *total = *total == NULL ? result : echo_hlo_add(&writer->builder, *total, result);
    return;
  }
  for (uint32_t i = 0; i < clone->n_results; ++i) {
    EchoValue *value = echo_op_result(clone, i);
    echo_value_set_type(value, cut_type(head, value->type));
    echo_map_set_ptr(&writer->cut, echo_op_result(member->op, i), value);
  }
  writer->parts[m * (size_t)head->n_chunks + (size_t)writer->chunk] = result;
}

/* Uses by ops that are not replaced read the whole value. */
static void replace_outer_uses(Writer *writer, size_t m)
{
  const Head *head = writer->head;
  const Member *member = &head->members.data[m];
  EchoValue *old = echo_op_result(member->op, 0), *whole = writer->totals[m];
  for (EchoUse *use = old->first_use, *next; use != NULL; use = next) {
    next = use->next;
    if (echo_map_has(&head->is_member, echo_key(use->owner)))
      continue;
    writer->builder.loc = member->op->loc;
    if (whole == NULL)
      whole = echo_hlo_concatenate(&writer->builder, writer->parts + m * (size_t)head->n_chunks,
                                   (size_t)head->n_chunks, 0);
    echo_op_set_operand(use->owner, echo_use_operand_index(use), whole);
  }
}

static void write_chunks(const Head *head)
{
  Writer writer = {.head = head, .builder = echo_builder_before(head->root)};
  EchoNamedAttr phase = {ECHO_STR("echo.phase"), echo_attr_string(head->ctx, ECHO_STR("backward"))};
  writer.builder.attrs = echo_attr_dictionary(head->ctx, &phase, 1);
  writer.parts =
      echo_alloc_zero(head->members.size * (size_t)head->n_chunks + 1, sizeof(EchoValue *));
  writer.totals = echo_alloc_zero(head->members.size + 1, sizeof(EchoValue *));
  for (; writer.chunk < head->n_chunks; ++writer.chunk) {
    echo_map_clear(&writer.cut);
    for (size_t m = 0; m < head->members.size; ++m)
      write_member(&writer, m);
  }
  for (size_t m = 0; m < head->members.size; ++m)
    if (!head->members.data[m].is_pulled)
      replace_outer_uses(&writer, m);
  for (size_t m = head->members.size; m-- > 0;) { /* the root last */
    const Member *member = &head->members.data[m];
    if (!member->is_pulled || echo_value_is_unused(echo_op_result(member->op, 0)))
      echo_op_erase(member->op);
  }
  echo_map_destroy(&writer.cut);
  echo_free((void *)writer.parts);
  echo_free((void *)writer.totals);
}

/* ---- the pass ---- */

/* One result each, so that a part or a sum is a value. */
static bool have_one_result(const Head *head)
{
  for (size_t m = 0; m < head->members.size; ++m)
    if (head->members.data[m].op->n_results != 1)
      return false;
  return true;
}

static bool chunk(EchoOp *op)
{
  Head head;
  if (!begins_head(op, &head))
    return false;
  bool is_chunked = find_members(&head) && have_one_result(&head);
  if (is_chunked) {
    pull_operands(&head);
    is_chunked = hoist_operands(&head);
  }
  if (is_chunked) {
    qsort(head.members.data, head.members.size, sizeof(Member), compare_members);
    write_chunks(&head);
  }
  head_destroy(&head);
  return is_chunked;
}

/* What a head takes away is never another head's beginning, so all are found first. */
static void chunk_function(EchoPassRun *pass, EchoOp *function)
{
  ECHO_VECTOR(EchoOp *) contractions = {0};
  for (EchoOp *op = function->regions[0].first->first; op != NULL; op = op->next)
    if (echo_hlo_opcode(op) == ECHO_HLO_DOT_GENERAL && echo_op_phase(op) == ECHO_FORWARD)
      echo_vector_push(&contractions, op);
  for (size_t i = 0; i < contractions.size; ++i)
    if (chunk(contractions.data[i]))
      echo_pass_count(pass, "heads", 1);
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
