/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What gets which number: the order that MLIR's writer gives attributes, types and op names. They
 * are met region by region, the last region of those that wait first; what is named more often
 * comes before what is named less often, and within the numbers that take equally many bytes those
 * of a dialect stand together. */
#include <stdlib.h>

#include "ir/bytecode/writer_t.h"

#include "ir/context_t.h"
#include "ir/diagnostics.h"

enum { MAX_DEPTH = 1024 };

static uint32_t dialect_number(EchoBytecodeWriter *w, EchoStr name)
{
  uint64_t index = echo_string_map_get_or(&w->dialect_index, name, 0);
  if (index != 0)
    return (uint32_t)index - 1;
  echo_vector_push(&w->dialects, name);
  echo_string_map_set(&w->dialect_index, name, w->dialects.size);
  return (uint32_t)w->dialects.size - 1;
}

uint64_t echo_bytecode_string_number(EchoBytecodeWriter *w, EchoStr string)
{
  if (w->is_numbering)
    return 0;
  uint64_t index = echo_string_map_get_or(&w->string_index, string, 0);
  if (index != 0)
    return index - 1;
  EchoStr kept = echo_context_intern(w->ctx, string);
  echo_vector_push(&w->strings, kept);
  echo_string_map_set(&w->string_index, kept, w->strings.size);
  return w->strings.size - 1;
}

/* Objects are aligned: what they are written as fits into the lowest bits of their address. */
static uint64_t key_of(const void *object, EchoBytecodeAs as)
{
  return echo_key(object) | (uint64_t)as;
}

/* The entry when it is there and counted; NULL when it was made just now. */
static const EchoBytecodeNumbered *count(EchoBytecodeWriter *w, EchoBytecodeTable *table,
                                         EchoMap *map, const void *object, EchoBytecodeAs as,
                                         EchoStr dialect)
{
  uint64_t index = echo_map_get_or(map, key_of(object, as), 0);
  if (index != 0) {
    EchoBytecodeNumbered *entry = &table->entries.data[index - 1];
    entry->n_refs += w->is_numbering;
    return entry;
  }
  echo_vector_push(&table->entries, (EchoBytecodeNumbered){.object = object,
                                                           .as = as,
                                                           .dialect = dialect_number(w, dialect),
                                                           .n_refs = 1});
  echo_map_set(map, key_of(object, as), table->entries.size);
  return NULL;
}

static bool enter(EchoBytecodeWriter *w)
{
  if (w->depth++ < MAX_DEPTH)
    return true;
  if (!w->is_wrong)
    echo_error(w->ctx, echo_loc_unknown(), "attributes stand too deep in others to be written");
  w->is_wrong = true;
  return false;
}

uint64_t echo_bytecode_attr_number(EchoBytecodeWriter *w, const EchoAttr *attr, EchoBytecodeAs as)
{
  bool is_foreign = as == ECHO_AS_OWN && attr->kind == ECHO_ATTR_OPAQUE &&
                    w->form->is_foreign != NULL && w->form->is_foreign(attr->as.opaque.dialect);
  if (is_foreign)
    as = ECHO_AS_BUILTIN;
  EchoStr dialect = as == ECHO_AS_OWN                ? echo_str(w->form->dialect)
                    : attr->kind == ECHO_ATTR_OPAQUE ? attr->as.opaque.dialect
                                                     : ECHO_STR("builtin");
  const EchoBytecodeNumbered *entry = count(w, &w->attrs, &w->attr_index, attr, as, dialect);
  if (entry != NULL)
    return entry->number;
  if (enter(w))
    echo_bytecode_write_attr(w, attr, as);
  w->depth--;
  return 0;
}

uint64_t echo_bytecode_type_number(EchoBytecodeWriter *w, const EchoType *type, EchoBytecodeAs as)
{
  EchoStr dialect = as == ECHO_AS_OWN                ? echo_str(w->form->dialect)
                    : type->kind == ECHO_TYPE_OPAQUE ? type->as.opaque.dialect
                                                     : ECHO_STR("builtin");
  const EchoBytecodeNumbered *entry = count(w, &w->types, &w->type_index, type, as, dialect);
  if (entry != NULL)
    return entry->number;
  if (enter(w))
    echo_bytecode_write_type(w, type, as);
  w->depth--;
  return 0;
}

static uint32_t count_name(EchoBytecodeWriter *w, const EchoBytecodeOp *op)
{
  EchoBuffer full = {0};
  echo_buffer_append_str(&full, op->dialect);
  echo_buffer_append_char(&full, '.');
  echo_buffer_append_str(&full, op->name);
  uint64_t index = echo_string_map_get_or(&w->name_index, echo_buffer_str(&full), 0);
  if (index != 0) {
    w->names.entries.data[index - 1].n_refs++;
  } else {
    echo_vector_push(&w->names.entries,
                     (EchoBytecodeNumbered){.name = echo_context_intern(w->ctx, op->name),
                                            .is_registered = op->is_registered,
                                            .dialect = dialect_number(w, op->dialect),
                                            .n_refs = 1});
    index = w->names.entries.size;
    echo_string_map_set(&w->name_index, echo_context_intern(w->ctx, echo_buffer_str(&full)), index);
  }
  echo_buffer_destroy(&full);
  return (uint32_t)index - 1;
}

/* ---- which ops stand alone ---- */

const EchoBytecodeOp *echo_bytecode_op(const EchoBytecodeWriter *w, const EchoOp *op)
{
  return &w->ops.data[echo_map_get_or(&w->op_index, echo_key(op), 0)];
}

/* Every op from `op` up to the one in whose region `value` is defined uses what is around it. */
static void expose(EchoBytecodeWriter *w, const EchoOp *op, const EchoValue *value)
{
  const EchoOp *owner = echo_block_parent(echo_value_block(value));
  for (const EchoOp *around = echo_op_parent(op); around != NULL && around != owner;
       around = echo_op_parent(around))
    echo_map_insert(&w->exposed, echo_key(around), 1);
}

static bool describe_ops(EchoBytecodeWriter *w, EchoOp *module)
{
  bool fine = true;
  for (EchoOp *op = module; op != NULL; op = echo_op_walk_next(module, op)) {
    EchoBytecodeOp description = {0};
    fine = w->form->describe(w->form->user, op, &w->memory, &description) && fine;
    echo_map_set(&w->op_index, echo_key(op), w->ops.size);
    echo_vector_push(&w->ops, description);
    echo_vector_push(&w->op_names, 0);
    for (uint32_t i = 0; i < op->n_operands; i++)
      expose(w, op, echo_op_operand(op, i));
  }
  return fine;
}

/* ---- the walk ---- */

static void number_op(EchoBytecodeWriter *w, const EchoOp *op)
{
  const EchoBytecodeOp *form = echo_bytecode_op(w, op);
  w->op_names.data[form - w->ops.data] = count_name(w, form);
  for (uint32_t i = 0; i < op->n_results; i++)
    echo_bytecode_type_number(w, echo_op_result_type(op, i), echo_bytecode_types_as(form));
  if (form->attrs != NULL)
    echo_bytecode_attr_number(w, form->attrs, form->is_own ? ECHO_AS_MIXED : ECHO_AS_BUILTIN);
  for (size_t i = 0; i < form->n_properties; i++)
    if (form->properties[i] != NULL)
      echo_bytecode_attr_number(w, form->properties[i],
                                form->is_own ? ECHO_AS_OWN : ECHO_AS_BUILTIN);
  echo_bytecode_attr_number(w, echo_loc_attr(w->ctx, op->loc), ECHO_AS_BUILTIN);
}

typedef ECHO_VECTOR(const EchoRegion *) Regions;

static void wait_for_regions(Regions *waiting, const EchoOp *op)
{
  for (uint32_t r = 0; r < op->n_regions; r++)
    echo_vector_push(waiting, &op->regions[r]);
}

static void number_region(EchoBytecodeWriter *w, Regions *waiting, const EchoRegion *region,
                          EchoBytecodeAs types)
{
  for (const EchoBlock *block = region->first; block != NULL; block = block->next) {
    for (uint32_t i = 0; i < block->n_args; i++) {
      const EchoValue *arg = echo_block_arg(block, i);
      echo_bytecode_attr_number(w, echo_loc_attr(w->ctx, echo_value_loc(arg)), ECHO_AS_BUILTIN);
      echo_bytecode_type_number(w, arg->type, types);
    }
    for (const EchoOp *op = block->first; op != NULL; op = op->next)
      number_op(w, op);
  }
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    for (const EchoOp *op = block->first; op != NULL; op = op->next)
      wait_for_regions(waiting, op);
}

/* ---- the order ---- */

typedef struct Ranked {
  uint64_t key;
  uint32_t place, entry;
} Ranked;

static int compare(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* Entries whose numbers take equally many bytes, by dialect; first that which stood last in the
 * stretch before. */
static void group_by_dialect(const EchoBytecodeTable *table, Ranked *ranked, size_t n)
{
  uint32_t first = 0;
  uint64_t length = 0;
  for (unsigned bytes = 1; n != 0; bytes++) {
    length = (UINT64_C(1) << (7 * bytes)) - length;
    size_t size = n < length || bytes == 8 ? n : (size_t)length;
    for (size_t i = 0; i < size; i++) {
      uint32_t dialect = table->entries.data[ranked[i].entry].dialect;
      ranked[i].key = dialect == first ? 0 : dialect + UINT64_C(1);
      ranked[i].place = (uint32_t)i;
    }
    qsort(ranked, size, sizeof *ranked, compare);
    first = table->entries.data[ranked[size - 1].entry].dialect;
    ranked += size;
    n -= size;
  }
}

static void give_numbers(EchoBytecodeWriter *w, EchoBytecodeTable *table)
{
  size_t n = table->entries.size;
  Ranked *ranked = ECHO_ARENA_ARRAY(&w->memory, Ranked, n + 1);
  table->order = ECHO_ARENA_ARRAY(&w->memory, uint32_t, n + 1);
  for (size_t i = 0; i < n; i++)
    ranked[i] = (Ranked){~table->entries.data[i].n_refs, (uint32_t)i, (uint32_t)i};
  qsort(ranked, n, sizeof *ranked, compare);
  group_by_dialect(table, ranked, n);
  for (size_t i = 0; i < n; i++) {
    table->entries.data[ranked[i].entry].number = i;
    table->order[i] = ranked[i].entry;
  }
}

bool echo_bytecode_number(EchoBytecodeWriter *w, EchoOp *module)
{
  if (!describe_ops(w, module))
    return false;
  w->is_numbering = true;
  Regions waiting = {0};
  number_op(w, module);
  wait_for_regions(&waiting, module);
  while (waiting.size != 0) {
    const EchoRegion *region = echo_vector_pop(&waiting);
    number_region(w, &waiting, region, echo_bytecode_types_as(echo_bytecode_op(w, region->parent)));
  }
  echo_vector_destroy(&waiting);
  w->is_numbering = false;
  echo_bytecode_number_resources(w);
  give_numbers(w, &w->attrs);
  give_numbers(w, &w->names);
  give_numbers(w, &w->types);
  return !w->is_wrong;
}
