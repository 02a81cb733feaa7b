/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dense data as MLIR lays it out. */
#include "ir/bytecode/reader_t.h"

/* i1: a byte each, or a bit each; a single byte with all bits set or none is a splat. */
static const EchoAttr *bools(EchoBytecodeReader *reader, const EchoType *type, EchoStr data,
                             size_t n)
{
  EchoContext *ctx = reader->file->ctx;
  unsigned char first = data.size != 0 ? (unsigned char)data.data[0] : 0;
  bool is_splat = data.size == 1 && (first == 0xff || first == 0 || n > 8);
  if (is_splat) {
    unsigned char value = first != 0;
    return echo_attr_elements(ctx, type, &value, 1, true);
  }
  if (data.size != n && data.size != (n + 7) / 8)
    return NULL;
  bool is_packed = data.size != n || n == 1;
  unsigned char *bytes = ECHO_ARENA_ARRAY(&reader->file->memory, unsigned char, n + 1);
  for (size_t i = 0; i < n; i++) {
    unsigned from = (unsigned char)data.data[is_packed ? i / 8 : i];
    bool bit = is_packed ? (from >> (i % 8) & 1) != 0 : from != 0;
    memcpy(&bytes[i], &bit, 1);
  }
  return echo_attr_elements(ctx, type, bytes, n, false);
}

bool echo_bytecode_elements(EchoBytecodeReader *reader, const EchoType *type, EchoStr data,
                            const EchoAttr **attr)
{
  int64_t n = 0;
  size_t element_bytes = echo_type_is_shaped(type) ? echo_type_element_bytes(type) : 0;
  if (element_bytes == 0 || !echo_type_n_listed(type, &n))
    return echo_bytecode_error(reader, "dense elements of type %s",
                               echo_type_text(reader->file->ctx, type));
  uint64_t full = 0;
  bool is_sized = !__builtin_mul_overflow((uint64_t)n, element_bytes, &full);
  bool is_splat = data.size == element_bytes && full != data.size;
  *attr = NULL;
  if (echo_type_is_integer(echo_type_element(type), 1)) {
    *attr = bools(reader, type, data, (size_t)n);
  } else if (is_sized && (data.size == full || is_splat)) {
    *attr = echo_attr_elements(reader->file->ctx, type, data.size != 0 ? data.data : "", data.size,
                               is_splat);
  }
  return *attr != NULL || echo_bytecode_error(reader, "%zu bytes for elements of type %s",
                                              data.size, echo_type_text(reader->file->ctx, type));
}
