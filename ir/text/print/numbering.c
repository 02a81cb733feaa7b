/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers of values and blocks, as MLIR's AsmPrinter gives them: a region's own values first, then
 * the regions inside it, the last one first; in the pretty form each nested region starts from its
 * parent's count, in the generic form one count goes on through all. */
#include <stdlib.h>

#include "ir/text/print/printer_t.h"

/* A region still to be numbered, and the counts that it starts from. */
typedef struct Pending {
  const EchoRegion *region;
  uint32_t next_value, next_arg, next_conflict;
  size_t names_mark; /* names of enclosing regions */
} Pending;

/* Names in use, as a stack: a region's names are the tail from its mark on. */
typedef struct UsedName {
  EchoStr name;
  uint64_t hash;
  uint32_t next;
} UsedName;

typedef struct Numberer {
  EchoNumbering *out;
  bool generic;
  uint32_t next_value, next_arg, next_conflict;
  ECHO_VECTOR(Pending) pending;
  ECHO_VECTOR(const EchoOp *) with_regions; /* of the region being numbered */
  ECHO_VECTOR(UsedName) used;
  uint32_t *slots; /* newest of each hash, + 1 */
  size_t n_slots;
  const EchoRegion
      *naming_args_of; /* the hook that runs is asked for this region's arguments; NULL = results */
} Numberer;

/* ---- unique names ---- */

static bool is_used(const Numberer *n, EchoStr name, uint64_t hash)
{
  if (n->n_slots == 0)
    return false;
  for (uint32_t i = n->slots[hash & (n->n_slots - 1)]; i != 0; i = n->used.data[i - 1].next)
    if (n->used.data[i - 1].hash == hash && echo_str_equal(n->used.data[i - 1].name, name))
      return true;
  return false;
}

static void link_used(Numberer *n, size_t index)
{
  UsedName *used = &n->used.data[index];
  uint32_t *slot = &n->slots[used->hash & (n->n_slots - 1)];
  used->next = *slot;
  *slot = (uint32_t)index + 1;
}

static void use_name(Numberer *n, EchoStr name, uint64_t hash)
{
  if (n->used.size >= n->n_slots) {
    n->n_slots = n->n_slots == 0 ? 64 : n->n_slots * 2;
    echo_free(n->slots);
    n->slots = echo_alloc_zero(n->n_slots, sizeof *n->slots);
    for (size_t i = 0; i < n->used.size; i++)
      link_used(n, i);
  }
  echo_vector_push(&n->used, (UsedName){name, hash, 0});
  link_used(n, n->used.size - 1);
}

static void drop_names(Numberer *n, size_t mark)
{
  while (n->used.size > mark) {
    const UsedName *used = &n->used.data[--n->used.size];
    n->slots[used->hash & (n->n_slots - 1)] = used->next;
  }
}

/* A name that may be printed: identifier characters only, and no digit first. */
static EchoStr sanitised(Numberer *n, EchoStr name)
{
  bool fine = name.size != 0 && (name.data[0] < '0' || name.data[0] > '9');
  for (size_t i = 0; i < name.size && fine; i++) {
    char c = name.data[i];
    fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '$' ||
           c == '_' || c == '-';
  }
  if (fine)
    return name;
  EchoBuffer clean = {0};
  if (name.size == 0 || (name.data[0] >= '0' && name.data[0] <= '9'))
    echo_buffer_append_char(&clean, '_');
  for (size_t i = 0; i < name.size; i++) {
    char c = name.data[i];
    bool keep = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '$' || c == '_' || c == '-';
    if (keep || c == ' ')
      echo_buffer_append_char(&clean, keep ? c : '_');
    else
      echo_buffer_printf(&clean, "%X", (unsigned)(unsigned char)c);
  }
  EchoStr copy = {echo_arena_copy_string(&n->out->arena, clean.data, clean.size), clean.size};
  echo_buffer_destroy(&clean);
  return copy;
}

static EchoStr unique_name(Numberer *n, EchoStr wanted)
{
  EchoStr name = sanitised(n, wanted);
  uint64_t hash = echo_hash_bytes(name.data, name.size, 0);
  if (is_used(n, name, hash)) {
    EchoBuffer probe = {0};
    do {
      echo_buffer_clear(&probe);
      echo_buffer_append_str(&probe, name);
      echo_buffer_append_char(&probe, '_');
      echo_buffer_append_u64(&probe, n->next_conflict++);
      hash = echo_hash_bytes(probe.data, probe.size, 0);
    } while (is_used(n, echo_buffer_str(&probe), hash));
    name = (EchoStr){echo_arena_copy_string(&n->out->arena, probe.data, probe.size), probe.size};
    echo_buffer_destroy(&probe);
  }
  use_name(n, name, hash);
  return name;
}

/* ---- codes ---- */

static void set_code(Numberer *n, const EchoValue *value, uint32_t kind, uint32_t payload)
{
  n->out->codes[value->id] = kind | (payload & ECHO_CODE_PAYLOAD);
}

static void set_name(Numberer *n, const EchoValue *value, EchoStr name)
{
  EchoStr unique = unique_name(n, name);
  set_code(n, value, ECHO_CODE_NAME, (uint32_t)n->out->names.size);
  echo_vector_push(&n->out->names, unique);
}

/* What a row's name_values hook calls for each value that it names. */
static void suggest_name(void *user, const EchoValue *value, const char *name)
{
  Numberer *n = user;
  const EchoRegion *region =
      value->is_block_arg != 0 ? echo_value_block_arg(value)->block->region : NULL;
  if (region != n->naming_args_of || n->out->codes[value->id] != 0)
    return;
  if (name[0] != '\0')
    set_name(n, value, echo_str(name));
}

/* "%argN", unless a hook took that name. */
static void number_entry_arg(Numberer *n, const EchoValue *arg)
{
  uint32_t number = n->next_arg++;
  if (n->used.size == 0) {
    set_code(n, arg, ECHO_CODE_ARG, number);
    return;
  }
  char text[16];
  EchoBuffer name = {0};
  echo_buffer_append_c(&name, "arg");
  echo_buffer_append_u64(&name, number);
  memcpy(text, name.data, name.size);
  EchoStr wanted = {text, name.size};
  echo_buffer_destroy(&name);
  bool taken = is_used(n, wanted, echo_hash_bytes(wanted.data, wanted.size, 0));
  if (!taken)
    set_code(n, arg, ECHO_CODE_ARG, number);
  else
    set_name(n, arg, wanted);
}

static void number_results(Numberer *n, const EchoOp *op)
{
  if (op->n_results == 0)
    return;
  if (!n->generic && op->info->name_values != NULL) {
    n->naming_args_of = NULL;
    op->info->name_values(op, suggest_name, n);
  }
  const EchoValue *first = &op->results[0];
  if (n->out->codes[first->id] == 0)
    set_code(n, first, ECHO_CODE_NUMBER, n->next_value++);
  uint32_t group = 0;
  for (uint32_t i = 1; i < op->n_results; i++) {
    if (n->out->codes[op->results[i].id] != 0)
      group = i;
    else
      set_code(n, &op->results[i], ECHO_CODE_MEMBER, group);
  }
}

static void add_edges(Numberer *n, const EchoOp *op)
{
  for (uint16_t i = 0; i < op->n_successors; i++)
    if (op->block != NULL)
      echo_vector_push(&n->out->edges, (EchoBlockEdge){echo_op_successors(op)[i]->id,
                                                       n->out->block_ordinals[op->block->id]});
}

static void number_block(Numberer *n, const EchoBlock *block, bool is_entry)
{
  for (uint32_t i = 0; i < block->n_args; i++) {
    const EchoValue *arg = echo_block_arg(block, i);
    if (n->out->codes[arg->id] != 0)
      continue;
    if (is_entry)
      number_entry_arg(n, arg);
    else
      set_code(n, arg, ECHO_CODE_NUMBER, n->next_value++);
  }
  for (const EchoOp *op = block->first; op != NULL; op = op->next) {
    number_results(n, op);
    if (op->n_successors != 0)
      add_edges(n, op);
    if (op->n_regions != 0)
      echo_vector_push(&n->with_regions, op);
  }
}

static void push_regions(Numberer *n, const EchoOp *op)
{
  for (uint16_t i = 0; i < op->n_regions; i++)
    echo_vector_push(&n->pending, (Pending){&op->regions[i], n->next_value, n->next_arg,
                                            n->next_conflict, n->used.size});
}

static void number_region(Numberer *n, const EchoRegion *region)
{
  if (!n->generic && region->parent != NULL && region->parent->info->name_values != NULL) {
    n->naming_args_of = region;
    region->parent->info->name_values(region->parent, suggest_name, n);
  }
  uint32_t ordinal = 0;
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    n->out->block_ordinals[block->id] = ordinal++;
  for (const EchoBlock *block = region->first; block != NULL; block = block->next)
    number_block(n, block, block == region->first);
  for (size_t i = 0; i < n->with_regions.size; i++)
    push_regions(n, n->with_regions.data[i]);
  echo_vector_clear(&n->with_regions);
}

static int compare_edges(const void *a, const void *b)
{
  const EchoBlockEdge *x = a, *y = b;
  if (x->target_id != y->target_id)
    return x->target_id < y->target_id ? -1 : 1;
  return (x->source_ordinal > y->source_ordinal) - (x->source_ordinal < y->source_ordinal);
}

void echo_numbering_create(EchoNumbering *numbering, EchoContext *ctx, const EchoOp *root,
                           bool generic)
{
  *numbering = (EchoNumbering){0};
  numbering->n_codes = ctx->next_value_id;
  numbering->n_blocks = ctx->next_block_id;
  numbering->codes = echo_alloc_zero(numbering->n_codes + 1, sizeof *numbering->codes);
  numbering->block_ordinals =
      echo_alloc_zero(numbering->n_blocks + 1, sizeof *numbering->block_ordinals);
  Numberer n = {.out = numbering, .generic = generic};
  push_regions(&n, root);
  number_results(&n, root);
  while (n.pending.size != 0) {
    Pending next = echo_vector_pop(&n.pending);
    drop_names(&n, next.names_mark);
    if (!generic) {
      n.next_value = next.next_value;
      n.next_arg = next.next_arg;
      n.next_conflict = next.next_conflict;
    }
    number_region(&n, next.region);
  }
  if (numbering->edges.size != 0)
    qsort(numbering->edges.data, numbering->edges.size, sizeof *numbering->edges.data,
          compare_edges);
  echo_vector_destroy(&n.pending);
  echo_vector_destroy(&n.with_regions);
  echo_vector_destroy(&n.used);
  echo_free(n.slots);
}

void echo_numbering_destroy(EchoNumbering *numbering)
{
  echo_free(numbering->codes);
  echo_free(numbering->block_ordinals);
  echo_vector_destroy(&numbering->names);
  echo_vector_destroy(&numbering->edges);
  echo_arena_destroy(&numbering->arena);
}
