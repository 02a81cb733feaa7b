/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables in front of the IR: strings, dialects and op names, where attributes and types lie,
 * and the properties. */
#include "ir/bytecode/reader_t.h"

#include "ir/context_t.h"

/* First the sizes, the last string's first, each with its NUL, then the bytes. */
bool echo_bytecode_read_strings(EchoBytecodeFile *file, EchoBytecodeSpan section)
{
  EchoBytecodeReader reader = echo_bytecode_reader(file, section);
  size_t n;
  if (!echo_bytecode_read_count(&reader, &n))
    return false;
  uint64_t *sizes = ECHO_ARENA_ARRAY(&file->memory, uint64_t, n + 1);
  for (size_t i = n; i-- > 0;)
    if (!echo_bytecode_read_varint(&reader, &sizes[i]))
      return false;
  file->strings = ECHO_ARENA_ARRAY(&file->memory, EchoStr, n + 1);
  for (size_t i = 0; i < n; i++) {
    EchoBytecodeSpan bytes;
    if (!echo_bytecode_read_bytes(&reader, sizes[i], &bytes))
      return false;
    if (bytes.size == 0 || bytes.data[bytes.size - 1] != '\0')
      return echo_bytecode_error(&reader, "string %zu does not end with a NUL", i);
    EchoStr string = {(const char *)bytes.data, bytes.size - 1};
    file->strings[i] = echo_context_intern(file->ctx, string);
  }
  file->n_strings = n;
  return reader.at == reader.end ||
         echo_bytecode_error(&reader, "trailing bytes behind the strings");
}

/* ---- dialects and op names ---- */

bool echo_bytecode_is_name(EchoStr name)
{
  for (size_t i = 0; i < name.size; i++) {
    unsigned char c = (unsigned char)name.data[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9') && c != '_' && c != '$' && c != '.' && c != '-')
      return false;
  }
  return name.size != 0;
}

static bool read_dialect_name(EchoBytecodeReader *reader, EchoBytecodeDialectName *dialect)
{
  EchoBytecodeFile *file = reader->file;
  bool has_version = false;
  uint64_t index;
  if (file->version < ECHO_BYTECODE_DIALECT_VERSIONS
          ? !echo_bytecode_read_varint(reader, &index)
          : !echo_bytecode_read_flagged(reader, &index, &has_version))
    return false;
  if (index >= file->n_strings)
    return echo_bytecode_error(reader, "a dialect without a name");
  dialect->name = file->strings[index]; /* empty for ops as ".gradient" */
  if (dialect->name.size != 0 && !echo_bytecode_is_name(dialect->name))
    return echo_bytecode_error(reader, "a dialect whose name is none");
  dialect->row = echo_context_row_or_null(file->ctx, ECHO_BYTECODE_ROW, dialect->name);
  EchoBytecodeSection id;
  EchoBytecodeSpan version;
  if (!has_version)
    return true;
  return echo_bytecode_read_section(reader, &id, &version) &&
         (id == ECHO_SECTION_DIALECT_VERSIONS ||
          echo_bytecode_error(reader, "section %d where a dialect's version belongs", (int)id));
}

static bool read_op_name(EchoBytecodeReader *reader, EchoBytecodeDialectName *dialect,
                         EchoBytecodeOpName *name)
{
  EchoBytecodeFile *file = reader->file;
  uint64_t index;
  *name = (EchoBytecodeOpName){0};
  if (file->version < ECHO_BYTECODE_PROPERTIES
          ? !echo_bytecode_read_varint(reader, &index)
          : !echo_bytecode_read_flagged(reader, &index, &name->was_registered))
    return false;
  if (index >= file->n_strings)
    return echo_bytecode_error(reader, "an op's name is string %llu of %zu",
                               (unsigned long long)index, file->n_strings);
  EchoStr tail = file->strings[index];
  EchoBuffer text = {0};
  echo_buffer_append_str(&text, dialect->name);
  if (tail.size != 0) {
    echo_buffer_append_char(&text, '.');
    echo_buffer_append_str(&text, tail);
  }
  bool is_valid = echo_bytecode_is_name(echo_buffer_str(&text));
  if (is_valid) {
    name->info = echo_context_op_info_any(file->ctx, echo_buffer_str(&text));
    name->spec = echo_context_op_spec_or_null(file->ctx, name->info);
    name->dialect = dialect;
    name->is_upgraded = dialect->row != NULL && dialect->row->upgrade != NULL;
    dialect->has_ops = true;
  }
  echo_buffer_destroy(&text);
  return is_valid || echo_bytecode_error(reader, "an op whose name is none");
}

/* A dialect and a number of entries that belong to it. */
static bool read_group(EchoBytecodeReader *reader, EchoBytecodeDialectName **dialect, size_t *n)
{
  size_t index;
  if (!echo_bytecode_read_index(reader, reader->file->n_dialects, "dialect", &index) ||
      !echo_bytecode_read_count(reader, n))
    return false;
  *dialect = &reader->file->dialects[index];
  return true;
}

bool echo_bytecode_read_dialects(EchoBytecodeFile *file, EchoBytecodeSpan section)
{
  EchoBytecodeReader reader = echo_bytecode_reader(file, section);
  size_t n;
  if (!echo_bytecode_read_count(&reader, &n))
    return false;
  file->dialects = ECHO_ARENA_ARRAY(&file->memory, EchoBytecodeDialectName, n + 1);
  for (size_t i = 0; i < n; i++) {
    file->dialects[i] = (EchoBytecodeDialectName){0};
    if (!read_dialect_name(&reader, &file->dialects[i]))
      return false;
  }
  file->n_dialects = n;
  uint64_t n_announced;
  if (file->version >= ECHO_BYTECODE_NO_UNKNOWN_ARG_LOCS &&
      !echo_bytecode_read_varint(&reader, &n_announced))
    return false;
  ECHO_VECTOR(EchoBytecodeOpName) names = {0};
  bool fine = true;
  while (fine && reader.at != reader.end) {
    EchoBytecodeDialectName *dialect;
    size_t n_ops;
    fine = read_group(&reader, &dialect, &n_ops);
    for (size_t i = 0; fine && i < n_ops; i++) {
      EchoBytecodeOpName name;
      fine = read_op_name(&reader, dialect, &name);
      if (fine)
        echo_vector_push(&names, name);
    }
  }
  file->n_op_names = names.size;
  if (fine && names.size != 0)
    file->op_names = echo_arena_copy(&file->memory, names.data, names.size * sizeof *names.data);
  echo_vector_destroy(&names);
  return fine;
}

/* ---- attributes and types ---- */

static bool read_offsets(EchoBytecodeReader *reader, EchoBytecodeReader *data,
                         EchoBytecodeEntry *entries, size_t n)
{
  for (size_t i = 0; i < n;) {
    EchoBytecodeDialectName *dialect;
    size_t n_group;
    if (!read_group(reader, &dialect, &n_group))
      return false;
    if (n_group > n - i)
      return echo_bytecode_error(reader, "more attributes or types than were announced");
    for (size_t end = i + n_group; i < end; i++) {
      EchoBytecodeEntry *entry = &entries[i];
      *entry = (EchoBytecodeEntry){.dialect = dialect};
      uint64_t size;
      EchoBytecodeSpan span;
      if (!echo_bytecode_read_flagged(reader, &size, &entry->is_custom) ||
          !echo_bytecode_read_bytes(data, size, &span))
        return false;
      entry->data = span.data;
      entry->size = span.size;
    }
  }
  return true;
}

bool echo_bytecode_read_entries(EchoBytecodeFile *file, EchoBytecodeSpan data,
                                EchoBytecodeSpan offsets)
{
  EchoBytecodeReader reader = echo_bytecode_reader(file, offsets);
  EchoBytecodeReader data_reader = echo_bytecode_reader(file, data);
  if (!echo_bytecode_read_count(&reader, &file->n_attrs) ||
      !echo_bytecode_read_count(&reader, &file->n_types))
    return false;
  file->attrs = ECHO_ARENA_ARRAY(&file->memory, EchoBytecodeEntry, file->n_attrs + 1);
  file->types = ECHO_ARENA_ARRAY(&file->memory, EchoBytecodeEntry, file->n_types + 1);
  return read_offsets(&reader, &data_reader, file->attrs, file->n_attrs) &&
         read_offsets(&reader, &data_reader, file->types, file->n_types) &&
         (reader.at == reader.end ||
          echo_bytecode_error(&reader, "trailing bytes behind the offsets"));
}

/* ---- properties ---- */

bool echo_bytecode_read_property_table(EchoBytecodeFile *file, EchoBytecodeSpan section)
{
  EchoBytecodeReader reader = echo_bytecode_reader(file, section);
  if (section.size == 0)
    return true;
  size_t n;
  if (!echo_bytecode_read_count(&reader, &n))
    return false;
  file->properties = ECHO_ARENA_ARRAY(&file->memory, EchoBytecodeSpan, n + 1);
  for (size_t i = 0; i < n; i++) {
    EchoStr blob;
    if (!echo_bytecode_read_blob(&reader, &blob))
      return false;
    file->properties[i] = (EchoBytecodeSpan){(const uint8_t *)blob.data, blob.size};
  }
  file->n_properties = n;
  return reader.at == reader.end ||
         echo_bytecode_error(&reader, "trailing bytes behind the properties");
}
