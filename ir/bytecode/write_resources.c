/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The resource sections: the blobs that attributes refer to, in the order in which those are met,
 * and whole groups of a module's external resources. A blob begins where its alignment wants it in
 * the file. */
#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/reader_t.h"
#include "ir/bytecode/writer_t.h"
#include "ir/context_t.h"
#include "ir/diagnostics.h"
#include "ir/text/text.h"

/* ---- numbers ---- */

static void index_blobs(EchoBytecodeWriter *w)
{
  for (size_t i = 0; i < w->ctx->resources.size; i++) {
    const EchoResource *entry = &w->ctx->resources.data[i];
    if (echo_str_is(entry->section, "dialect_resources") && echo_str_is(entry->group, "builtin"))
      echo_string_map_set(&w->blob_index, entry->key, i + 1);
  }
}

uint64_t echo_bytecode_resource_number(EchoBytecodeWriter *w, EchoStr key)
{
  uint64_t index = echo_string_map_get_or(&w->resource_index, key, 0);
  if (index != 0)
    return w->resources.data[index - 1].number;
  if (w->blob_index.entries == NULL)
    index_blobs(w);
  EchoBytecodeResource resource = {.key = key,
                                   .entry = echo_string_map_get_or(&w->blob_index, key, 0)};
  echo_vector_push(&w->resources, resource);
  echo_string_map_set(&w->resource_index, key, w->resources.size);
  return 0;
}

/* Those with data come first. */
void echo_bytecode_number_resources(EchoBytecodeWriter *w)
{
  uint64_t next = 0;
  for (int has_data = 1; has_data >= 0; has_data--)
    for (size_t i = 0; i < w->resources.size; i++)
      if ((w->resources.data[i].entry != 0) == (has_data != 0))
        w->resources.data[i].number = next++;
}

/* ---- values ---- */

static int digit(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* "0x", the alignment in four bytes, the data; false: it is no such text. */
static bool read_blob(EchoStr text, EchoBuffer *bytes)
{
  if (!echo_str_starts_with(text, "\"0x") || text.size < 4 || text.size % 2 != 0)
    return false;
  for (size_t i = 3; i + 2 < text.size; i += 2) {
    int high = digit(text.data[i]), low = digit(text.data[i + 1]);
    if (high < 0 || low < 0)
      return false;
    echo_buffer_append_char(bytes, (char)(high << 4 | low));
  }
  return bytes->size >= 4;
}

static void pad(EchoBuffer *out, uint64_t alignment)
{
  while ((out->size & (alignment - 1)) != 0)
    echo_buffer_append_char(out, (char)ECHO_BYTECODE_PADDING);
}

/* Appends a value; the kind, or -1: only text can hold it. Raises *alignment to the blob's. */
static int put_value(EchoBytecodeWriter *w, EchoStr text, EchoBuffer *out, uint64_t *alignment)
{
  if (echo_str_is(text, "true") || echo_str_is(text, "false")) {
    echo_buffer_append_char(out, echo_str_is(text, "true"));
    return ECHO_RESOURCE_BOOL;
  }
  EchoBuffer bytes = {0};
  int kind = -1;
  if (read_blob(text, &bytes)) {
    uint32_t own = 0;
    for (int i = 0; i < 4; i++)
      own |= (uint32_t)(uint8_t)bytes.data[i] << (8 * i);
    if (own != 0 && (own & (own - 1)) == 0) {
      echo_bytecode_append_varint(out, own);
      echo_bytecode_append_varint(out, bytes.size - 4);
      pad(out, own);
      echo_buffer_append(out, bytes.data + 4, bytes.size - 4);
      *alignment = own > *alignment ? own : *alignment;
      kind = ECHO_RESOURCE_BLOB;
    }
  } else if (text.size != 0 && text.data[0] == '"') {
    const EchoAttr *string = echo_parse_attr_or_null(w->ctx, text);
    if (string != NULL && string->kind == ECHO_ATTR_STRING) {
      echo_bytecode_append_varint(out, echo_bytecode_string_number(w, string->as.string));
      kind = ECHO_RESOURCE_STRING;
    }
  }
  echo_buffer_destroy(&bytes);
  return kind;
}

/* ---- the sections ---- */

typedef struct Sections {
  EchoBuffer data, groups;
  uint64_t alignment;
} Sections;

/* One entry: its key, size and kind among the groups. `entry` NULL: it is only declared. */
static bool put_entry(EchoBytecodeWriter *w, Sections *to, EchoStr key, const EchoResource *entry,
                      const EchoOp *module)
{
  size_t begin = to->data.size;
  int kind =
      entry != NULL ? put_value(w, entry->text, &to->data, &to->alignment) : ECHO_RESOURCE_BLOB;
  if (kind < 0)
    return echo_op_error(module, "has a resource '%.*s' that only text can hold",
                         ECHO_STR_ARG(key));
  echo_bytecode_append_varint(&to->groups, echo_bytecode_string_number(w, key));
  echo_bytecode_append_varint(&to->groups, to->data.size - begin);
  echo_buffer_append_char(&to->groups, (char)kind);
  return true;
}

static bool is_external(const EchoResource *entry, const EchoOp *module)
{
  return entry->module == module && !echo_str_is(entry->section, "dialect_resources");
}

/* How many entries of one group stand from `first` on. */
static size_t group_size(const EchoContext *ctx, const EchoOp *module, size_t first)
{
  size_t n = 1;
  const EchoResource *entries = ctx->resources.data;
  while (first + n < ctx->resources.size && is_external(&entries[first + n], module) &&
         echo_str_equal(entries[first + n].group, entries[first].group))
    n++;
  return n;
}

static bool put_external(EchoBytecodeWriter *w, Sections *to, const EchoOp *module)
{
  const EchoContext *ctx = w->ctx;
  bool has_any = w->form->dialect == NULL;
  uint64_t n_groups = 0;
  size_t size = 1;
  for (size_t i = 0; has_any && i < ctx->resources.size; i += size) {
    bool is_one = is_external(&ctx->resources.data[i], module);
    size = is_one ? group_size(ctx, module, i) : 1;
    n_groups += is_one;
  }
  echo_bytecode_append_varint(&to->groups, n_groups);
  for (size_t i = 0; n_groups != 0 && i < ctx->resources.size; i += size) {
    const EchoResource *first = &ctx->resources.data[i];
    size = 1;
    if (!is_external(first, module))
      continue;
    size = group_size(ctx, module, i);
    echo_bytecode_append_varint(&to->groups, echo_bytecode_string_number(w, first->group));
    echo_bytecode_append_varint(&to->groups, size);
    for (size_t k = 0; k < size; k++)
      if (!put_entry(w, to, first[k].key, &first[k], module))
        return false;
  }
  return true;
}

static bool put_referred(EchoBytecodeWriter *w, Sections *to, const EchoOp *module)
{
  if (w->resources.size == 0)
    return true;
  echo_bytecode_append_varint(&to->groups, 0); /* builtin's number, of all dialects the first */
  echo_bytecode_append_varint(&to->groups, w->resources.size);
  size_t *order = ECHO_ARENA_ARRAY(&w->memory, size_t, w->resources.size);
  for (size_t i = 0; i < w->resources.size; i++)
    order[w->resources.data[i].number] = i;
  for (size_t n = 0; n < w->resources.size; n++) {
    const EchoBytecodeResource *resource = &w->resources.data[order[n]];
    const EchoResource *entry =
        resource->entry != 0 ? &w->ctx->resources.data[resource->entry - 1] : NULL;
    if (!put_entry(w, to, resource->key, entry, module))
      return false;
  }
  return true;
}

/* Behind the head of a section, padding up to where its blobs' alignment counts from. */
static void put_aligned(EchoBuffer *out, size_t begin, Sections *from)
{
  size_t head = out->size;
  echo_buffer_append_char(out, ECHO_SECTION_RESOURCE);
  echo_bytecode_append_varint(out, from->data.size);
  if (((out->size - begin) & (from->alignment - 1)) != 0) {
    out->data[head] = (char)(ECHO_SECTION_RESOURCE | 0x80);
    echo_bytecode_append_varint(out, from->alignment);
    while (((out->size - begin) & (from->alignment - 1)) != 0)
      echo_buffer_append_char(out, (char)ECHO_BYTECODE_PADDING);
  }
  echo_buffer_append(out, from->data.data, from->data.size);
}

bool echo_bytecode_put_resources(EchoBytecodeWriter *w, const EchoOp *module, EchoBuffer *out,
                                 size_t begin)
{
  Sections sections = {.alignment = 1};
  bool fine = put_external(w, &sections, module) && put_referred(w, &sections, module);
  if (fine) {
    echo_buffer_append_char(out, ECHO_SECTION_RESOURCE_OFFSET);
    echo_bytecode_append_varint(out, sections.groups.size);
    echo_buffer_append(out, sections.groups.data, sections.groups.size);
    put_aligned(out, begin, &sections);
  }
  echo_buffer_destroy(&sections.data);
  echo_buffer_destroy(&sections.groups);
  return fine;
}
