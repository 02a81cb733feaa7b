/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Location attributes, source buffers, and what a location resolves to. */
#include "ir/attributes/attribute_t.h"

/* ---- location attributes ---- */

static bool same_location(const void *object, const void *key)
{
  const EchoAttr *a = object, *b = key;
  return a->kind == ECHO_ATTR_LOCATION && a->as.location.kind == b->as.location.kind &&
         a->as.location.line == b->as.location.line &&
         a->as.location.column == b->as.location.column &&
         a->as.location.end_line == b->as.location.end_line &&
         a->as.location.end_column == b->as.location.end_column &&
         a->as.location.child == b->as.location.child &&
         a->as.location.caller == b->as.location.caller &&
         echo_str_equal(a->as.location.name, b->as.location.name) &&
         echo_same_attrs(a->as.location.parts, a->as.location.n_parts, b->as.location.parts,
                         b->as.location.n_parts);
}

static uint64_t hash_location(const EchoAttr *key)
{
  uint64_t hash =
      echo_hash_combine(echo_attr_seed(ECHO_ATTR_LOCATION), (uint64_t)key->as.location.kind);
  hash = echo_hash_combine(hash, (uint64_t)key->as.location.line << 32 | key->as.location.column);
  hash = echo_hash_combine(hash,
                           (uint64_t)key->as.location.end_line << 32 | key->as.location.end_column);
  if (key->as.location.name.size != 0)
    hash = echo_hash_bytes(key->as.location.name.data, key->as.location.name.size, hash);
  if (key->as.location.child != NULL)
    hash = echo_hash_combine(hash, key->as.location.child->hash);
  if (key->as.location.caller != NULL)
    hash = echo_hash_combine(hash, ~(uint64_t)key->as.location.caller->hash);
  return echo_hash_attrs(hash, key->as.location.parts, key->as.location.n_parts);
}

static const EchoAttr *unique_location(EchoContext *ctx, EchoAttr *key)
{
  uint64_t hash = hash_location(key);
  EchoUniquerSlot *slot = echo_attr_slot(ctx, hash, same_location, key);
  if (slot->object != NULL)
    return slot->object;
  key->as.location.name = echo_context_intern(ctx, key->as.location.name);
  key->as.location.parts = echo_copy_attrs(ctx, key->as.location.parts, key->as.location.n_parts);
  return echo_attr_add(ctx, slot, hash, key, ECHO_ATTR_BYTES(location));
}

static bool check_location(EchoContext *ctx, const char *name, const EchoAttr *attr)
{
  return echo_attr_needs_attr(ctx, name, attr) &&
         (attr->kind == ECHO_ATTR_LOCATION ||
          echo_misuse(ctx, echo_loc_unknown(), "a location is made: '%s' is %s, no location", name,
                      echo_attr_text(ctx, attr)));
}

static EchoAttr location_key(EchoLocationKind kind)
{
  EchoAttr key = {.kind = ECHO_ATTR_LOCATION};
  key.as.location.kind = kind;
  key.as.location.name = ECHO_STR("");
  return key;
}

const EchoAttr *echo_attr_location_unknown(EchoContext *ctx)
{
  if (ctx == NULL || ctx->unknown_location != NULL)
    return ctx != NULL ? ctx->unknown_location : NULL;
  EchoAttr key = location_key(ECHO_LOC_UNKNOWN);
  return unique_location(ctx, &key);
}

const EchoAttr *echo_attr_location_file(EchoContext *ctx, EchoStr file, uint32_t line,
                                        uint32_t column)
{
  return echo_attr_location_range(ctx, file, line, column, line, column);
}

const EchoAttr *echo_attr_location_range(EchoContext *ctx, EchoStr file, uint32_t line,
                                         uint32_t column, uint32_t end_line, uint32_t end_column)
{
  if (!echo_check_string(ctx, "a location", "file", file))
    return NULL;
  EchoAttr key = location_key(ECHO_LOC_FILE);
  key.as.location.name = file;
  key.as.location.line = line;
  key.as.location.column = column;
  key.as.location.end_line = end_line;
  key.as.location.end_column = end_column;
  return unique_location(ctx, &key);
}

const EchoAttr *echo_attr_location_name(EchoContext *ctx, EchoStr name, const EchoAttr *child)
{
  if (!echo_check_string(ctx, "a location", "name", name) ||
      (child != NULL && !check_location(ctx, "child", child)))
    return NULL;
  EchoAttr key = location_key(ECHO_LOC_NAME);
  key.as.location.name = name;
  key.as.location.child = child != NULL ? child : ctx->unknown_location;
  return unique_location(ctx, &key);
}

const EchoAttr *echo_attr_location_call_site(EchoContext *ctx, const EchoAttr *callee,
                                             const EchoAttr *caller)
{
  if (!check_location(ctx, "callee", callee) || !check_location(ctx, "caller", caller))
    return NULL;
  EchoAttr key = location_key(ECHO_LOC_CALL_SITE);
  key.as.location.child = callee;
  key.as.location.caller = caller;
  return unique_location(ctx, &key);
}

typedef ECHO_VECTOR(const EchoAttr *) Parts;

static void add_part(Parts *parts, EchoMap *seen, const EchoAttr *part)
{
  if (echo_map_insert(seen, echo_key(part), 1))
    echo_vector_push(parts, part);
}

/* As MLIR's FusedLoc::get: nested parts of the same metadata are taken apart, unknown and repeated
 * ones left out; a single part without metadata stands for itself. */
const EchoAttr *echo_attr_location_fused(EchoContext *ctx, const EchoAttr *const *parts,
                                         size_t n_parts, const EchoAttr *metadata)
{
  if ((n_parts != 0 && !echo_attr_is_given(ctx, "parts", parts)) ||
      !echo_attr_check_owner(ctx, "a location is made", "metadata", metadata))
    return NULL;
  for (size_t i = 0; i < n_parts; ++i)
    if (!check_location(ctx, "parts[]", parts[i]))
      return NULL;
  Parts kept = {0};
  EchoMap seen = {0};
  for (size_t i = 0; i < n_parts; ++i) {
    const EchoAttr *part = parts[i];
    if (part->as.location.kind == ECHO_LOC_FUSED && part->as.location.caller == metadata)
      for (size_t j = 0; j < part->as.location.n_parts; ++j)
        add_part(&kept, &seen, part->as.location.parts[j]);
    else if (part->as.location.kind != ECHO_LOC_UNKNOWN)
      add_part(&kept, &seen, part);
  }
  echo_map_destroy(&seen);

  const EchoAttr *result;
  if (kept.size <= 1 && metadata == NULL) {
    result = kept.size == 1 ? kept.data[0] : ctx->unknown_location;
  } else {
    if (kept.size == 0)
      echo_vector_push(&kept, ctx->unknown_location);
    EchoAttr key = location_key(ECHO_LOC_FUSED);
    key.as.location.caller = metadata;
    key.as.location.parts = kept.data;
    key.as.location.n_parts = kept.size;
    result = unique_location(ctx, &key);
  }
  echo_vector_destroy(&kept);
  return result;
}

/* ---- source buffers ---- */

enum { MAX_BUFFERS = 1 << 15 };

uint32_t echo_context_add_buffer(EchoContext *ctx, EchoStr file_name, EchoStr text,
                                 uint32_t first_line)
{
  EchoLoc nowhere = echo_loc_unknown();
  bool ok = echo_check_string(ctx, "a source buffer", "file_name", file_name) &&
            echo_check_string(ctx, "a source buffer", "text", text) &&
            (ctx->buffers.size < MAX_BUFFERS ||
             echo_misuse(ctx, nowhere, "a source buffer is made: there are %d, no more can be",
                         MAX_BUFFERS)) &&
            ((uint64_t)text.size < UINT64_C(1) << 46 ||
             echo_misuse(ctx, nowhere, "a source buffer is made: 'text' has %zu bytes, too many",
                         text.size));
  if (!ok)
    return ECHO_NO_BUFFER;
  EchoSourceBuffer buffer = {
      .file_name = echo_context_intern(ctx, file_name), .text = text, .first_line = first_line};
  echo_vector_push(&ctx->buffers, buffer);
  return (uint32_t)ctx->buffers.size - 1;
}

EchoStr echo_context_buffer_text(const EchoContext *ctx, uint32_t buffer_id)
{
  if (ctx == NULL)
    return (EchoStr){0};
  return buffer_id < ctx->buffers.size ? ctx->buffers.data[buffer_id].text : (EchoStr){0};
}

EchoLoc echo_loc_in_buffer(uint32_t buffer_id, uint64_t offset)
{
  return (EchoLoc){(uint64_t)buffer_id << ECHO_LOC_BUFFER_SHIFT | offset << 1 | 1};
}

EchoLoc echo_loc_from_attr(const EchoAttr *location)
{
  ECHO_CHECK(location != NULL && location->kind == ECHO_ATTR_LOCATION,
             "attribute kind %d is no location", location != NULL ? (int)location->kind : -1);
  bool is_unknown = location->as.location.kind == ECHO_LOC_UNKNOWN;
  return (EchoLoc){is_unknown ? 0 : (uint64_t)(uintptr_t)location};
}

static bool is_in_buffer(EchoLoc loc)
{
  return (loc.bits & 1) != 0;
}

/* NULL when there is no such buffer: the location is of another context. */
static EchoSourceBuffer *buffer_of(EchoContext *ctx, EchoLoc loc, uint64_t *offset)
{
  size_t id = (size_t)(loc.bits >> ECHO_LOC_BUFFER_SHIFT);
  if (id >= ctx->buffers.size)
    return NULL;
  EchoSourceBuffer *buffer = &ctx->buffers.data[id];
  *offset = (loc.bits & ((UINT64_C(1) << ECHO_LOC_BUFFER_SHIFT) - 1)) >> 1;
  if (*offset > buffer->text.size)
    *offset = buffer->text.size;
  return buffer;
}

static void index_lines(EchoSourceBuffer *buffer)
{
  ECHO_VECTOR(uint64_t) starts = {0};
  echo_vector_push(&starts, 0);
  const char *text = buffer->text.data;
  const char *end = text + buffer->text.size;
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (newline == NULL)
      break;
    at = newline + 1;
    echo_vector_push(&starts, (uint64_t)(at - text));
  }
  buffer->line_starts = starts.data;
  buffer->n_lines = starts.size;
}

/* Index of the line that holds `offset`. O(log lines) after the first call. */
static size_t line_of(EchoSourceBuffer *buffer, uint64_t offset)
{
  if (buffer->line_starts == NULL)
    index_lines(buffer);
  size_t low = 0, high = buffer->n_lines;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (buffer->line_starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static bool resolve_in_buffer(EchoContext *ctx, EchoLoc loc, EchoStr *file, uint32_t *line,
                              uint32_t *column)
{
  uint64_t offset;
  EchoSourceBuffer *buffer = buffer_of(ctx, loc, &offset);
  if (buffer == NULL)
    return false;
  size_t index = line_of(buffer, offset);
  *file = buffer->file_name;
  *line = buffer->first_line + (uint32_t)index;
  *column = (uint32_t)(offset - buffer->line_starts[index]) + 1;
  return true;
}

const EchoAttr *echo_loc_attr(EchoContext *ctx, EchoLoc loc)
{
  if (ctx == NULL || loc.bits == 0)
    return ctx != NULL ? ctx->unknown_location : NULL;
  if (!echo_loc_fits(ctx, loc)) {
    echo_misuse(ctx, loc, "an attribute is made: 'loc' is of another context");
    return NULL;
  }
  if (!is_in_buffer(loc))
    return (const EchoAttr *)(uintptr_t)loc.bits;
  EchoStr file;
  uint32_t line, column;
  resolve_in_buffer(ctx, loc, &file, &line, &column);
  return echo_attr_location_file(ctx, file, line, column);
}

/* The first file position, or the first name, in the location, depth first: a name's child, a
 * call's callee before its caller, a fusion's parts in order. NULL when there is none. */
static const EchoAttr *find_or_null(const EchoAttr *location, EchoLocationKind wanted)
{
  Parts stack = {0};
  EchoMap seen = {0};
  const EchoAttr *found = NULL;
  echo_vector_push(&stack, location);
  while (stack.size != 0 && found == NULL) {
    const EchoAttr *at = echo_vector_pop(&stack);
    if (!echo_map_insert(&seen, echo_key(at), 1))
      continue;
    if (at->as.location.kind == wanted) {
      found = at;
      break;
    }
    switch (at->as.location.kind) {
    case ECHO_LOC_UNKNOWN:
    case ECHO_LOC_FILE:
      break;
    case ECHO_LOC_NAME:
      echo_vector_push(&stack, at->as.location.child);
      break;
    case ECHO_LOC_CALL_SITE:
      echo_vector_push(&stack, at->as.location.caller);
      echo_vector_push(&stack, at->as.location.child);
      break;
    case ECHO_LOC_FUSED:
      for (size_t i = at->as.location.n_parts; i-- > 0;)
        echo_vector_push(&stack, at->as.location.parts[i]);
      break;
    }
  }
  echo_map_destroy(&seen);
  echo_vector_destroy(&stack);
  return found;
}

bool echo_loc_resolve(EchoContext *ctx, EchoLoc loc, EchoStr *file, uint32_t *line,
                      uint32_t *column)
{
  if (ctx == NULL || loc.bits == 0 || file == NULL || line == NULL || column == NULL)
    return false;
  if (is_in_buffer(loc))
    return resolve_in_buffer(ctx, loc, file, line, column);
  const EchoAttr *position = find_or_null((const EchoAttr *)(uintptr_t)loc.bits, ECHO_LOC_FILE);
  if (position == NULL)
    return false;
  *file = position->as.location.name;
  *line = position->as.location.line;
  *column = position->as.location.column;
  return true;
}

EchoStr echo_loc_name(EchoLoc loc)
{
  if (loc.bits == 0 || is_in_buffer(loc))
    return (EchoStr){"", 0};
  const EchoAttr *named = find_or_null((const EchoAttr *)(uintptr_t)loc.bits, ECHO_LOC_NAME);
  return named != NULL ? named->as.location.name : (EchoStr){"", 0};
}

bool echo_loc_describe(EchoContext *ctx, EchoLoc loc, EchoBuffer *out)
{
  EchoStr name = echo_loc_name(loc), file;
  uint32_t line, column;
  for (size_t i = 0; i < name.size; i++)
    echo_buffer_append_char(out, (unsigned char)name.data[i] < ' ' ? ' ' : name.data[i]);
  if (!echo_loc_resolve(ctx, loc, &file, &line, &column))
    return name.size != 0;
  echo_buffer_printf(out, "%s%.*s:%u:%u", name.size != 0 ? " " : "", ECHO_STR_ARG(file), line,
                     column);
  return true;
}

EchoStr echo_loc_source_line(EchoContext *ctx, EchoLoc loc)
{
  if (ctx == NULL || !is_in_buffer(loc))
    return ECHO_STR("");
  uint64_t offset;
  EchoSourceBuffer *buffer = buffer_of(ctx, loc, &offset);
  if (buffer == NULL)
    return ECHO_STR("");
  size_t index = line_of(buffer, offset);
  uint64_t begin = buffer->line_starts[index];
  uint64_t end = index + 1 < buffer->n_lines ? buffer->line_starts[index + 1] - 1
                                             : (uint64_t)buffer->text.size;
  if (end > begin && buffer->text.data[end - 1] == '\r')
    end--;
  return (EchoStr){buffer->text.data + begin, (size_t)(end - begin)};
}
