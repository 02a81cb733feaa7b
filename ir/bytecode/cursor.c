/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes, integers and sections: the encodings that everything else is made of. */
#include <stdarg.h>

#include "ir/bytecode/codes_t.h"
#include "ir/bytecode/reader_t.h"

EchoContext *echo_bytecode_context(EchoBytecodeReader *reader)
{
  return reader->file->ctx;
}

EchoLoc echo_bytecode_loc(EchoBytecodeReader *reader)
{
  const EchoBytecodeFile *file = reader->file;
  size_t offset = (size_t)(reader->at - file->begin);
  uint32_t column = offset < UINT32_MAX ? (uint32_t)offset + 1 : UINT32_MAX;
  return echo_loc_from_attr(echo_attr_location_file(file->ctx, file->name, 1, column));
}

bool echo_bytecode_error(EchoBytecodeReader *reader, const char *format, ...)
{
  if (reader->file->is_silent)
    return false;
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  echo_error(reader->file->ctx, echo_bytecode_loc(reader), "bytecode: %s",
             echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

size_t echo_bytecode_left(const EchoBytecodeReader *reader)
{
  return (size_t)(reader->end - reader->at);
}

static bool too_short(EchoBytecodeReader *reader, uint64_t n)
{
  return echo_bytecode_error(reader, "%llu bytes are needed, %zu are left", (unsigned long long)n,
                             echo_bytecode_left(reader));
}

bool echo_bytecode_read_bytes(EchoBytecodeReader *reader, uint64_t n, EchoBytecodeSpan *span)
{
  if (n > echo_bytecode_left(reader))
    return too_short(reader, n);
  *span = (EchoBytecodeSpan){reader->at, (size_t)n};
  reader->at += n;
  return true;
}

bool echo_bytecode_read_byte(EchoBytecodeReader *reader, uint8_t *value)
{
  if (reader->at == reader->end)
    return too_short(reader, 1);
  *value = *reader->at++;
  return true;
}

/* The zeros below the lowest one of the first byte say how many bytes follow; little end first. */
bool echo_bytecode_read_varint(EchoBytecodeReader *reader, uint64_t *value)
{
  uint8_t first = 0;
  if (!echo_bytecode_read_byte(reader, &first))
    return false;
  if ((first & 1) != 0) {
    *value = first >> 1;
    return true;
  }
  unsigned n_more = first == 0 ? 8 : (unsigned)__builtin_ctz(first);
  EchoBytecodeSpan bytes = {0};
  if (!echo_bytecode_read_bytes(reader, n_more, &bytes))
    return false;
  uint64_t bits = 0;
  for (unsigned i = 0; i < n_more; i++)
    bits |= (uint64_t)bytes.data[i] << (8 * i);
  *value = first == 0 ? bits : bits << (7 - n_more) | (uint64_t)(first >> (n_more + 1));
  return true;
}

bool echo_bytecode_read_signed(EchoBytecodeReader *reader, int64_t *value)
{
  uint64_t bits = 0;
  if (!echo_bytecode_read_varint(reader, &bits))
    return false;
  *value = (int64_t)(bits >> 1 ^ (0 - (bits & 1)));
  return true;
}

bool echo_bytecode_read_flagged(EchoBytecodeReader *reader, uint64_t *value, bool *flag)
{
  if (!echo_bytecode_read_varint(reader, value))
    return false;
  *flag = (*value & 1) != 0;
  *value >>= 1;
  return true;
}

bool echo_bytecode_read_count(EchoBytecodeReader *reader, size_t *n)
{
  uint64_t count = 0;
  if (!echo_bytecode_read_varint(reader, &count))
    return false;
  if (count > echo_bytecode_left(reader))
    return echo_bytecode_error(reader, "a list of %llu elements in %zu bytes",
                               (unsigned long long)count, echo_bytecode_left(reader));
  *n = (size_t)count;
  return true;
}

bool echo_bytecode_read_index(EchoBytecodeReader *reader, size_t n, const char *what, size_t *index)
{
  uint64_t value = 0;
  if (!echo_bytecode_read_varint(reader, &value))
    return false;
  if (value >= n)
    return echo_bytecode_error(reader, "there is no %s of number %llu, but %zu of them", what,
                               (unsigned long long)value, n);
  *index = (size_t)value;
  return true;
}

bool echo_bytecode_read_int(EchoBytecodeReader *reader, uint32_t width, uint64_t *value)
{
  if (width <= 8) {
    uint8_t byte = 0;
    if (!echo_bytecode_read_byte(reader, &byte))
      return false;
    *value = byte;
    return true;
  }
  int64_t number = 0;
  if (!echo_bytecode_read_signed(reader, &number))
    return false;
  *value = (uint64_t)number;
  return true;
}

bool echo_bytecode_read_string(EchoBytecodeReader *reader, EchoStr *string)
{
  size_t index = 0;
  if (!echo_bytecode_read_index(reader, reader->file->n_strings, "string", &index))
    return false;
  *string = reader->file->strings[index];
  return true;
}

bool echo_bytecode_read_c_string(EchoBytecodeReader *reader, EchoStr *string)
{
  const uint8_t *nul =
      reader->at == reader->end ? NULL : memchr(reader->at, '\0', echo_bytecode_left(reader));
  if (nul == NULL)
    return echo_bytecode_error(reader, "a string without an end");
  *string = (EchoStr){(const char *)reader->at, (size_t)(nul - reader->at)};
  reader->at = nul + 1;
  return true;
}

bool echo_bytecode_read_blob(EchoBytecodeReader *reader, EchoStr *blob)
{
  uint64_t size = 0;
  EchoBytecodeSpan span = {0};
  if (!echo_bytecode_read_varint(reader, &size) || !echo_bytecode_read_bytes(reader, size, &span))
    return false;
  *blob = (EchoStr){(const char *)span.data, span.size};
  return true;
}

bool echo_bytecode_align(EchoBytecodeReader *reader, uint64_t alignment)
{
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return echo_bytecode_error(reader, "an alignment of %llu bytes, no power of two",
                               (unsigned long long)alignment);
  while (((uint64_t)(reader->at - reader->file->begin) & (alignment - 1)) != 0) {
    uint8_t byte = 0;
    if (!echo_bytecode_read_byte(reader, &byte))
      return false;
    if (byte != ECHO_BYTECODE_PADDING)
      return echo_bytecode_error(reader, "padding of 0x%02x, not 0x%02x", byte,
                                 ECHO_BYTECODE_PADDING);
  }
  return true;
}

bool echo_bytecode_read_section(EchoBytecodeReader *reader, EchoBytecodeSection *id,
                                EchoBytecodeSpan *span)
{
  uint8_t head = 0;
  uint64_t size = 0, alignment = 0;
  if (!echo_bytecode_read_byte(reader, &head) || !echo_bytecode_read_varint(reader, &size))
    return false;
  if ((head & 0x7f) >= ECHO_N_SECTIONS)
    return echo_bytecode_error(reader, "a section of number %d, which is none", head & 0x7f);
  *id = (EchoBytecodeSection)(head & 0x7f);
  if ((head & 0x80) != 0 &&
      (!echo_bytecode_read_varint(reader, &alignment) || !echo_bytecode_align(reader, alignment)))
    return false;
  return echo_bytecode_read_bytes(reader, size, span);
}
