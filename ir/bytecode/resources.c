/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Resources: kept by the context as the text that a file would have for them. */
#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/reader_t.h"

#include "ir/context_t.h"
#include "ir/text/text.h"

static void append_hex(EchoBuffer *out, const uint8_t *bytes, size_t n)
{
  static const char DIGITS[] = "0123456789ABCDEF";
  echo_buffer_reserve(out, 2 * n);
  for (size_t i = 0; i < n; i++) {
    echo_buffer_append_char(out, DIGITS[bytes[i] >> 4]);
    echo_buffer_append_char(out, DIGITS[bytes[i] & 15]);
  }
}

/* "0x", the alignment in four bytes, little end first, the data. */
static bool blob_text(EchoBytecodeReader *reader, EchoBuffer *text)
{
  uint64_t alignment, size;
  EchoBytecodeSpan data;
  if (!echo_bytecode_read_varint(reader, &alignment) || !echo_bytecode_read_varint(reader, &size) ||
      !echo_bytecode_align(reader, alignment) || !echo_bytecode_read_bytes(reader, size, &data))
    return false;
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(alignment >> (8 * i));
  echo_buffer_append_c(text, "\"0x");
  append_hex(text, bytes, sizeof bytes);
  append_hex(text, data.data, data.size);
  echo_buffer_append_char(text, '"');
  return true;
}

static bool resource_text(EchoBytecodeReader *reader, uint8_t kind, EchoBuffer *text)
{
  uint8_t flag;
  EchoStr string;
  switch (kind) {
  case ECHO_RESOURCE_BLOB:
    return blob_text(reader, text);
  case ECHO_RESOURCE_BOOL:
    if (!echo_bytecode_read_byte(reader, &flag))
      return false;
    echo_buffer_append_c(text, flag != 0 ? "true" : "false");
    return true;
  case ECHO_RESOURCE_STRING:
    if (!echo_bytecode_read_string(reader, &string))
      return false;
    echo_print_attr(echo_attr_string(reader->file->ctx, string), text);
    return true;
  default:
    return echo_bytecode_error(reader, "a resource of kind %d, which is none", kind);
  }
}

/* One group: keys, sizes and kinds stand among the offsets, the values in the data. */
static bool read_group(EchoBytecodeReader *offsets, EchoBytecodeReader *data, const char *section,
                       EchoStr group)
{
  EchoBytecodeFile *file = offsets->file;
  size_t n;
  if (!echo_bytecode_read_count(offsets, &n))
    return false;
  bool is_dialect = strcmp(section, "dialect_resources") == 0;
  if (is_dialect) {
    EchoStr *keys = ECHO_ARENA_ARRAY(&file->memory, EchoStr, file->n_resources + n + 1);
    if (file->n_resources != 0)
      memcpy(keys, file->resources, file->n_resources * sizeof *keys);
    file->resources = keys;
  }
  for (size_t i = 0; i < n; i++) {
    EchoStr key;
    uint64_t size;
    uint8_t kind;
    EchoBytecodeSpan span;
    if (!echo_bytecode_read_string(offsets, &key) || !echo_bytecode_read_varint(offsets, &size) ||
        !echo_bytecode_read_byte(offsets, &kind) || !echo_bytecode_read_bytes(data, size, &span))
      return false;
    if (is_dialect)
      file->resources[file->n_resources++] = key;
    if (size == 0) /* only declared */
      continue;
    EchoBytecodeReader entry = echo_bytecode_reader(file, span);
    EchoBuffer text = {0};
    bool fine =
        resource_text(&entry, kind, &text) &&
        (entry.at == entry.end || echo_bytecode_error(&entry, "trailing bytes behind a resource"));
    if (fine)
      echo_vector_push(
          &file->ctx->resources,
          (EchoResource){.section = echo_str(section),
                         .group = group,
                         .key = key,
                         .text = echo_context_intern(file->ctx, echo_buffer_str(&text))});
    echo_buffer_destroy(&text);
    if (!fine)
      return false;
  }
  return true;
}

bool echo_bytecode_read_resources(EchoBytecodeFile *file, EchoBytecodeSpan data,
                                  EchoBytecodeSpan offsets)
{
  EchoBytecodeReader offset_reader = echo_bytecode_reader(file, offsets);
  EchoBytecodeReader data_reader = echo_bytecode_reader(file, data);
  size_t n_external;
  if (!echo_bytecode_read_count(&offset_reader, &n_external))
    return false;
  for (size_t i = 0; i < n_external; i++) {
    EchoStr group;
    if (!echo_bytecode_read_string(&offset_reader, &group) ||
        !read_group(&offset_reader, &data_reader, "external_resources", group))
      return false;
  }
  while (offset_reader.at != offset_reader.end) {
    size_t dialect;
    if (!echo_bytecode_read_index(&offset_reader, file->n_dialects, "dialect", &dialect) ||
        !read_group(&offset_reader, &data_reader, "dialect_resources",
                    file->dialects[dialect].name))
      return false;
  }
  return true;
}
