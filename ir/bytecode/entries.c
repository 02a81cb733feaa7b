/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes and types by number: each is read when it is first asked for, by its dialect or from
 * its text. */
#include "ir/bytecode/reader_t.h"

#include "ir/text/text.h"

/* How deep attributes may lie in each other: stack, four calls a level. */
enum { MAX_DEPTH = 1024 };

static const EchoBytecodeDialect BUILTIN = {.read_attr = echo_bytecode_builtin_attr,
                                            .read_type = echo_bytecode_builtin_type};

static bool read_custom(EchoBytecodeReader *reader, const EchoBytecodeEntry *entry, bool is_type,
                        const void **object)
{
  const EchoBytecodeDialect *row =
      echo_str_is(entry->dialect->name, "builtin") ? &BUILTIN : entry->dialect->row;
  if (row == NULL || (is_type ? row->read_type == NULL : row->read_attr == NULL))
    return echo_bytecode_error(reader, "how dialect '%.*s' encodes %s is not known",
                               ECHO_STR_ARG(entry->dialect->name),
                               is_type ? "types" : "attributes");
  if (is_type) {
    const EchoType *type = NULL;
    if (!row->read_type(reader, &type))
      return false;
    *object = type;
  } else {
    const EchoAttr *attr = NULL;
    if (!row->read_attr(reader, &attr))
      return false;
    *object = attr;
  }
  return *object != NULL || echo_bytecode_error(reader, "%s of dialect '%.*s' that is none",
                                                is_type ? "a type" : "an attribute",
                                                ECHO_STR_ARG(entry->dialect->name));
}

static bool read_text(EchoBytecodeReader *reader, bool is_type, const void **object)
{
  EchoStr text;
  if (!echo_bytecode_read_c_string(reader, &text))
    return false;
  EchoContext *ctx = reader->file->ctx;
  *object = is_type ? (const void *)echo_parse_type_or_null(ctx, text)
                    : (const void *)echo_parse_attr_or_null(ctx, text);
  return *object != NULL || echo_bytecode_error(reader, "'%.*s' is no %s", ECHO_STR_ARG(text),
                                                is_type ? "type" : "attribute");
}

static bool read_entry(EchoBytecodeReader *from, EchoBytecodeEntry *entry, bool is_type)
{
  if (entry->is_open)
    return echo_bytecode_error(from, "%s that holds itself", is_type ? "a type" : "an attribute");
  if (from->depth >= MAX_DEPTH)
    return echo_bytecode_error(from, "attributes and types more than %d deep", MAX_DEPTH);
  EchoBytecodeReader reader =
      echo_bytecode_reader(from->file, (EchoBytecodeSpan){entry->data, entry->size});
  reader.depth = from->depth + 1;
  entry->is_open = true;
  const void *object = NULL;
  bool fine = entry->is_custom ? read_custom(&reader, entry, is_type, &object)
                               : read_text(&reader, is_type, &object);
  entry->is_open = false;
  if (!fine)
    return false;
  entry->object = object;
  return reader.at == reader.end || echo_bytecode_error(&reader, "trailing bytes behind %s",
                                                        is_type ? "a type" : "an attribute");
}

static bool resolve(EchoBytecodeReader *reader, uint64_t index, bool is_type, const void **object)
{
  EchoBytecodeFile *file = reader->file;
  if (index >= (is_type ? file->n_types : file->n_attrs))
    return echo_bytecode_error(reader, "there is no %s of number %llu",
                               is_type ? "type" : "attribute", (unsigned long long)index);
  EchoBytecodeEntry *entry = is_type ? &file->types[index] : &file->attrs[index];
  if (entry->object == NULL && !read_entry(reader, entry, is_type))
    return false;
  *object = entry->object;
  return true;
}

bool echo_bytecode_read_attr(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  uint64_t index = 0;
  const void *object = NULL;
  if (!echo_bytecode_read_varint(reader, &index) || !resolve(reader, index, false, &object))
    return false;
  *attr = object;
  return true;
}

bool echo_bytecode_read_optional_attr(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  uint64_t index = 0;
  bool is_there;
  const void *object = NULL;
  if (!echo_bytecode_read_flagged(reader, &index, &is_there) ||
      (is_there && !resolve(reader, index, false, &object)))
    return false;
  *attr = object;
  return true;
}

bool echo_bytecode_read_type(EchoBytecodeReader *reader, const EchoType **type)
{
  uint64_t index = 0;
  const void *object = NULL;
  if (!echo_bytecode_read_varint(reader, &index) || !resolve(reader, index, true, &object))
    return false;
  *type = object;
  return true;
}

bool echo_bytecode_type_at(EchoBytecodeReader *reader, uint64_t index, const EchoType **type)
{
  const void *object = NULL;
  if (!resolve(reader, index, true, &object))
    return false;
  *type = object;
  return true;
}

bool echo_bytecode_read_attrs(EchoBytecodeReader *reader, const EchoAttr *const **attrs, size_t *n)
{
  if (!echo_bytecode_read_count(reader, n))
    return false;
  const EchoAttr **list = ECHO_ARENA_ARRAY(&reader->file->memory, const EchoAttr *, *n + 1);
  for (size_t i = 0; i < *n; i++)
    if (!echo_bytecode_read_attr(reader, &list[i]))
      return false;
  *attrs = list;
  return true;
}

bool echo_bytecode_read_types(EchoBytecodeReader *reader, const EchoType *const **types, size_t *n)
{
  if (!echo_bytecode_read_count(reader, n))
    return false;
  const EchoType **list = ECHO_ARENA_ARRAY(&reader->file->memory, const EchoType *, *n + 1);
  for (size_t i = 0; i < *n; i++)
    if (!echo_bytecode_read_type(reader, &list[i]))
      return false;
  *types = list;
  return true;
}

bool echo_bytecode_read_signeds(EchoBytecodeReader *reader, const int64_t **values, size_t *n)
{
  if (!echo_bytecode_read_count(reader, n))
    return false;
  int64_t *list = ECHO_ARENA_ARRAY(&reader->file->memory, int64_t, *n + 1);
  for (size_t i = 0; i < *n; i++)
    if (!echo_bytecode_read_signed(reader, &list[i]))
      return false;
  *values = list;
  return true;
}
