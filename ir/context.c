/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Creation and destruction of the context, interned strings, dialects, and the op table's look-ups.
 * Locations are in ir/attributes/location.c, types and attributes in files of their own. */
#include "ir/context_t.h"

#include <stdatomic.h>

/* ---- uniquing tables ---- */

void echo_uniquer_grow(EchoUniquer *uniquer)
{
  enum { FIRST_SLOTS = 64 };
  size_t n_slots = uniquer->n_slots == 0 ? FIRST_SLOTS : uniquer->n_slots * 2;
  EchoUniquerSlot *slots = echo_alloc_zero(n_slots, sizeof *slots);
  for (size_t i = 0; i < uniquer->n_slots; ++i) {
    EchoUniquerSlot moved = uniquer->slots[i];
    if (moved.object == NULL)
      continue;
    size_t target = (size_t)moved.hash & (n_slots - 1);
    while (slots[target].object != NULL)
      target = (target + 1) & (n_slots - 1);
    slots[target] = moved;
  }
  echo_free(uniquer->slots);
  uniquer->slots = slots;
  uniquer->n_slots = n_slots;
}

void echo_uniquer_destroy(EchoUniquer *uniquer)
{
  echo_free(uniquer->slots);
  *uniquer = (EchoUniquer){0};
}

/* ---- life ---- */

/* Contexts made so far: tells one from another, decides nothing. */
static _Atomic(uint32_t) n_contexts;

EchoContext *echo_context_create(void)
{
  EchoContext *ctx = echo_alloc_zero(1, sizeof *ctx);
  ctx->break_on_op = UINT32_MAX;
  ctx->tag = (uint16_t)atomic_fetch_add(&n_contexts, 1);
  echo_context_create_types(ctx);
  echo_context_create_attributes(ctx);
  return ctx;
}

void echo_context_destroy(EchoContext *ctx)
{
  if (ctx == NULL)
    return;
  echo_ir_memory_destroy(ctx);
  for (size_t i = 0; i < ctx->buffers.size; ++i)
    echo_free(ctx->buffers.data[i].line_starts);
  for (size_t i = 0; i < ctx->owned_blocks.size; ++i)
    echo_free(ctx->owned_blocks.data[i]);
  for (size_t i = 0; i < ctx->files.size; ++i)
    echo_file_close(&ctx->files.data[i]);
  echo_vector_destroy(&ctx->files);
  echo_vector_destroy(&ctx->resources);
  echo_vector_destroy(&ctx->buffers);
  echo_vector_destroy(&ctx->owned_blocks);
  echo_vector_destroy(&ctx->diagnostics);
  echo_vector_destroy(&ctx->dialects);
  echo_vector_destroy(&ctx->named_rows);
  echo_vector_destroy(&ctx->canonicalizations);
  echo_string_map_destroy(&ctx->dialect_index);
  echo_string_map_destroy(&ctx->op_index);
  echo_map_destroy(&ctx->op_specs);
  echo_uniquer_destroy(&ctx->strings);
  echo_uniquer_destroy(&ctx->types);
  echo_uniquer_destroy(&ctx->attrs);
  echo_uniquer_destroy(&ctx->affine_exprs);
  echo_arena_destroy(&ctx->arena);
  echo_free(ctx);
}

void echo_context_allow_unregistered(EchoContext *ctx, bool allow)
{
  if (ctx == NULL)
    return;
  ctx->allow_unregistered = allow;
}

bool echo_context_allows_unregistered(const EchoContext *ctx)
{
  if (ctx == NULL)
    return false;
  return ctx->allow_unregistered;
}

void echo_context_set_n_threads(EchoContext *ctx, unsigned n_threads)
{
  if (ctx == NULL)
    return;
  ctx->n_threads = n_threads;
}

unsigned echo_context_n_threads(const EchoContext *ctx)
{
  if (ctx == NULL)
    return 0;
  return ctx->n_threads;
}

EchoArena *echo_context_arena(EchoContext *ctx)
{
  if (ctx == NULL)
    return NULL;
  return &ctx->arena;
}

void echo_context_take_file(EchoContext *ctx, EchoFile *file)
{
  if (ctx == NULL || file == NULL)
    return;
  echo_vector_push(&ctx->files, *file);
  *file = (EchoFile){0};
}

/* ---- strings ---- */

/* The characters follow their size; a NUL follows them. */
typedef struct InternedString {
  size_t size;
  char data[];
} InternedString;

static bool string_is(const void *object, const void *key)
{
  const InternedString *interned = object;
  const EchoStr *wanted = key;
  return interned->size == wanted->size &&
         (wanted->size == 0 || memcmp(interned->data, wanted->data, wanted->size) == 0);
}

EchoStr echo_context_intern(EchoContext *ctx, EchoStr str)
{
  if (ECHO_UNLIKELY(ctx == NULL || (str.data == NULL && str.size != 0))) {
    echo_misuse(ctx, echo_loc_unknown(), "a string is interned: 'str' is NULL, of %zu bytes",
                str.size);
    return (EchoStr){NULL, 0};
  }
  uint64_t hash = echo_hash_bytes(str.data, str.size, 0);
  EchoUniquerSlot *slot = echo_uniquer_slot(&ctx->strings, hash, string_is, &str);
  if (slot->object == NULL) {
    InternedString *added = echo_arena_alloc(&ctx->arena, sizeof *added + str.size + 1);
    added->size = str.size;
    if (str.size != 0)
      memcpy(added->data, str.data, str.size);
    added->data[str.size] = '\0';
    echo_uniquer_fill(&ctx->strings, slot, hash, added);
  }
  const InternedString *interned = slot->object;
  return (EchoStr){interned->data, interned->size};
}

/* ---- dialects and the op table ---- */

static bool register_row(EchoContext *ctx, const EchoDialect *dialect, const EchoOpInfo *info,
                         EchoBuffer *error)
{
  if (info->name == NULL) {
    echo_buffer_printf(error, "dialect '%s' has a row without a name", dialect->name);
    return false;
  }
  EchoStr name = echo_str(info->name);
  size_t prefix = strlen(dialect->name);
  if (!echo_str_starts_with(name, dialect->name) || name.size <= prefix + 1 ||
      name.data[prefix] != '.') {
    echo_buffer_printf(error, "row '%s' is not of its dialect '%s'", info->name, dialect->name);
    return false;
  }
  if (echo_context_op_info_or_null(ctx, name) != NULL) {
    echo_buffer_printf(error, "op '%s' has two rows", info->name);
    return false;
  }
  const EchoOpSpec *spec = echo_op_spec_parse_or_null(ctx, dialect, info, error);
  if (spec == NULL)
    return false;
  echo_map_set_ptr(&ctx->op_specs, info, spec);
  echo_string_map_set(&ctx->op_index, name, echo_key(info));
  return true;
}

/* What was made of an unknown dialect has none of its rows and hooks, and would stay so. */
static bool check_nothing_made(const EchoContext *ctx, const char *name, EchoBuffer *error)
{
  for (size_t i = 0; i < ctx->attrs.n_slots; ++i) {
    const EchoAttr *attr = ctx->attrs.slots[i].object;
    if (attr == NULL || attr->kind != ECHO_ATTR_OPAQUE ||
        !echo_str_is(attr->as.opaque.dialect, name))
      continue;
    echo_buffer_printf(error, "dialect '%s' is registered after an attribute of it was made", name);
    return false;
  }
  return true;
}

bool echo_context_try_register_dialect(EchoContext *ctx, const EchoDialect *dialect,
                                       EchoBuffer *error)
{
  if (ctx == NULL || dialect == NULL) {
    echo_buffer_printf(error, "a dialect is registered: '%s' is NULL",
                       ctx == NULL ? "ctx" : "dialect");
    return false;
  }
  if (dialect->name == NULL || dialect->name[0] == '\0' ||
      (dialect->n_ops != 0 && dialect->ops == NULL)) {
    echo_buffer_append_c(error, dialect->name == NULL || dialect->name[0] == '\0'
                                    ? "a dialect has no name"
                                    : "a dialect counts ops and has none");
    return false;
  }
  EchoStr name = echo_str(dialect->name);
  const EchoDialect *known = echo_context_dialect_or_null(ctx, name);
  if (known == dialect)
    return true;
  if (known != NULL) {
    echo_buffer_printf(error, "two dialects are named '%s'", dialect->name);
    return false;
  }
  if (!check_nothing_made(ctx, dialect->name, error))
    return false;
  echo_vector_push(&ctx->dialects, dialect);
  echo_string_map_set(&ctx->dialect_index, name, ctx->dialects.size);
  for (size_t i = 0; i < dialect->n_ops; ++i)
    if (!register_row(ctx, dialect, &dialect->ops[i], error))
      return false;
  return true;
}

void echo_context_register_dialect(EchoContext *ctx, const EchoDialect *dialect)
{
  EchoBuffer error = {0};
  ECHO_CHECK(echo_context_try_register_dialect(ctx, dialect, &error), "%s",
             echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
}

const EchoDialect *echo_context_dialect_or_null(const EchoContext *ctx, EchoStr name)
{
  if (ctx == NULL || name.data == NULL)
    return NULL;
  uint64_t index = echo_string_map_get_or(&ctx->dialect_index, name, 0);
  return index != 0 ? ctx->dialects.data[index - 1] : NULL;
}

EchoStr echo_context_todays_name(EchoContext *ctx, EchoStr name)
{
  if (ctx == NULL || name.data == NULL)
    return name;
  const char *point = name.size != 0 ? memchr(name.data, '.', name.size) : NULL;
  EchoStr dialect = {name.data, point != NULL ? (size_t)(point - name.data) : name.size};
  if (echo_context_dialect_or_null(ctx, dialect) != NULL)
    return name;
  for (size_t i = 0; i < echo_context_n_dialects(ctx); i++) {
    const EchoDialect *row = echo_context_dialect(ctx, i);
    if (row->former_name == NULL || !echo_str_is(dialect, row->former_name))
      continue;
    for (size_t k = 0; point != NULL && row->former_ops != NULL && row->former_ops[k][0]; k++)
      if (echo_str_is((EchoStr){point + 1, name.size - dialect.size - 1}, row->former_ops[k][0]))
        return echo_str(row->former_ops[k][1]);
    EchoBuffer text = {0};
    echo_buffer_printf(&text, "%s%.*s", row->name, (int)(name.size - dialect.size),
                       name.data + dialect.size);
    EchoStr today = echo_context_intern(ctx, echo_buffer_str(&text));
    echo_buffer_destroy(&text);
    return today;
  }
  return name;
}

size_t echo_context_n_dialects(const EchoContext *ctx)
{
  if (ctx == NULL)
    return 0;
  return ctx->dialects.size;
}

const EchoDialect *echo_context_dialect(const EchoContext *ctx, size_t index)
{
  size_t n_dialects = echo_context_n_dialects(ctx);
  ECHO_CHECK(index < n_dialects, "dialect %zu of %zu", index, n_dialects);
  return ctx->dialects.data[index];
}

bool echo_context_register_row(EchoContext *ctx, const char *kind, const char *name,
                               const void *row)
{
  if (ctx == NULL || kind == NULL || name == NULL || row == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), "a row is registered: '%s' is NULL",
                       kind == NULL   ? "kind"
                       : name == NULL ? "name"
                                      : "row");
  if (echo_context_row_or_null(ctx, kind, echo_str(name)) != NULL)
    return false;
  echo_vector_push(&ctx->named_rows, (EchoNamedRow){kind, name, row});
  return true;
}

const void *echo_context_row_or_null(const EchoContext *ctx, const char *kind, EchoStr name)
{
  if (ctx == NULL || kind == NULL || name.data == NULL)
    return NULL;
  for (size_t i = 0; i < ctx->named_rows.size; ++i)
    if (strcmp(ctx->named_rows.data[i].kind, kind) == 0 &&
        echo_str_is(name, ctx->named_rows.data[i].name))
      return ctx->named_rows.data[i].row;
  return NULL;
}

const void *echo_context_row_at_or_null(const EchoContext *ctx, const char *kind, size_t index)
{
  if (ctx == NULL || kind == NULL)
    return NULL;
  for (size_t i = 0; i < ctx->named_rows.size; ++i)
    if (strcmp(ctx->named_rows.data[i].kind, kind) == 0 && index-- == 0)
      return ctx->named_rows.data[i].row;
  return NULL;
}

/* The row under a name, of either sort. */
static const EchoOpInfo *find_row(const EchoContext *ctx, EchoStr name)
{
  return (const EchoOpInfo *)(uintptr_t)echo_string_map_get_or(&ctx->op_index, name, 0);
}

const EchoOpInfo *echo_context_op_info_or_null(const EchoContext *ctx, EchoStr name)
{
  if (ctx == NULL || name.data == NULL)
    return NULL;
  const EchoOpInfo *info = find_row(ctx, name);
  return info != NULL && (info->traits & ECHO_UNREGISTERED) == 0 ? info : NULL;
}

const EchoOpInfo *echo_context_op_info(const EchoContext *ctx, const char *name)
{
  const EchoOpInfo *info = echo_context_op_info_or_null(ctx, echo_str(name));
  ECHO_CHECK(info != NULL, "op '%s' is not registered", name != NULL ? name : "NULL");
  return info;
}

const EchoOpInfo *echo_context_op_info_any(EchoContext *ctx, EchoStr name)
{
  if (ctx == NULL || name.data == NULL) {
    echo_misuse(ctx, echo_loc_unknown(), "a row is looked for: 'name' is NULL");
    return NULL;
  }
  const EchoOpInfo *known = find_row(ctx, name);
  if (known != NULL)
    return known;
  EchoStr interned = echo_context_intern(ctx, name);
  EchoOpInfo *info = ECHO_ARENA_NEW(&ctx->arena, EchoOpInfo);
  *info = (EchoOpInfo){.name = interned.data,
                       .operands = "",
                       .results = "",
                       .attrs = "",
                       .n_regions = ECHO_VARIADIC,
                       .n_successors = ECHO_VARIADIC,
                       .traits = ECHO_UNREGISTERED,
                       .summary = ""};
  echo_string_map_set(&ctx->op_index, interned, echo_key(info));
  return info;
}

const EchoOpSpec *echo_context_op_spec_or_null(const EchoContext *ctx, const EchoOpInfo *info)
{
  if (ctx == NULL || info == NULL)
    return NULL;
  return echo_map_get_ptr(&ctx->op_specs, info);
}
