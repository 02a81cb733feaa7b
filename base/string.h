/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* String views and a growable byte buffer. Views do not own and need no NUL; buffers own their
 * bytes and keep a NUL behind them. */
#ifndef ECHO_BASE_STRING_H
#define ECHO_BASE_STRING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/panic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoStr {
  const char *data;
  size_t size;
} EchoStr;

#ifdef __cplusplus
#define ECHO_STR(literal) (EchoStr{(literal), sizeof(literal) - 1})
#else
#define ECHO_STR(literal) ((EchoStr){(literal), sizeof(literal) - 1})
#endif
/* For printf: printf("%.*s", ECHO_STR_ARG(s)). */
#define ECHO_STR_ARG(str) (int)(str).size, (str).data

/* NULL gives the empty string without data, which is how a name that is missing is told. */
static inline EchoStr echo_str(const char *c_string)
{
  EchoStr str = {c_string, c_string != NULL ? strlen(c_string) : 0};
  return str;
}
static inline bool echo_str_equal(EchoStr a, EchoStr b)
{
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}
static inline bool echo_str_is(EchoStr a, const char *c_string)
{
  return echo_str_equal(a, echo_str(c_string));
}
static inline bool echo_str_starts_with(EchoStr a, const char *prefix)
{
  size_t size = strlen(prefix);
  return a.size >= size && memcmp(a.data, prefix, size) == 0;
}
/* Bytewise order; a prefix sorts first. */
int echo_str_compare(EchoStr a, EchoStr b);
/* Without blanks and tabs at either end, and carriage returns at the end. */
EchoStr echo_str_trim(EchoStr text);
/* Whole string as a decimal number (optional '-'); false on garbage or overflow. */
bool echo_str_to_i64(EchoStr str, int64_t *value);
bool echo_str_to_u64(EchoStr str, uint64_t *value);
/* Bytes, with a unit allowed behind the number: K, M, G, T or KiB, MiB, … (powers of 1024), kB, MB,
 * GB, TB (powers of 1000), B. "1.5GB": with a unit there may be a fraction, rounded down to bytes.
 */
bool echo_str_to_bytes(EchoStr str, uint64_t *bytes);
/* Whole string as a finite decimal or hexadecimal number, correctly rounded whatever the locale; a
 * magnitude that is too large gives infinity. */
bool echo_str_to_f64(EchoStr str, double *value);

typedef struct EchoBuffer {
  char *data; /* NUL-terminated once anything was appended; NULL before */
  size_t size, capacity;
} EchoBuffer;

/* A zero-initialised EchoBuffer is empty and ready. What is appended to NULL is dropped: an error
 * that nobody asks for. */
void echo_buffer_destroy(EchoBuffer *buffer);
void echo_buffer_clear(EchoBuffer *buffer); /* keeps the memory */
void echo_buffer_reserve(EchoBuffer *buffer, size_t extra_bytes);
static inline void echo_buffer_append(EchoBuffer *buffer, const void *data, size_t size)
{
  if (size == 0 || buffer == NULL)
    return;
  if (buffer->capacity - buffer->size <= size) /* size <= capacity always */
    echo_buffer_reserve(buffer, size);
  memcpy(buffer->data + buffer->size, data, size);
  buffer->size += size;
  buffer->data[buffer->size] = '\0';
}
static inline void echo_buffer_append_c(EchoBuffer *buffer, const char *c_string)
{
  echo_buffer_append(buffer, c_string, strlen(c_string));
}
void echo_buffer_append_i64(EchoBuffer *buffer, int64_t value);
void echo_buffer_append_u64(EchoBuffer *buffer, uint64_t value);
/* Bytes for people, three digits in powers of 1000: "999 B", "1.54 kB", "27.7 MB". */
void echo_buffer_append_bytes(EchoBuffer *buffer, uint64_t bytes);
void echo_buffer_printf(EchoBuffer *buffer, const char *format, ...) ECHO_PRINTF(2, 3);
void echo_buffer_vprintf(EchoBuffer *buffer, const char *format, va_list arguments)
    ECHO_PRINTF(2, 0);
static inline void echo_buffer_append_str(EchoBuffer *buffer, EchoStr str)
{
  echo_buffer_append(buffer, str.data, str.size);
}
static inline void echo_buffer_append_char(EchoBuffer *buffer, char c)
{
  if (buffer->size + 1 >= buffer->capacity)
    echo_buffer_reserve(buffer, 1);
  buffer->data[buffer->size++] = c;
  buffer->data[buffer->size] = '\0';
}
/* The content, "" when empty; valid until the next change. */
static inline const char *echo_buffer_c_str(const EchoBuffer *buffer)
{
  return buffer->data != NULL ? buffer->data : "";
}
static inline EchoStr echo_buffer_str(const EchoBuffer *buffer)
{
  EchoStr str = {echo_buffer_c_str(buffer), buffer->size};
  return str;
}

#ifdef __cplusplus
}
#endif

#endif
