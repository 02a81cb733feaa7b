/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/text/parse/tokens_t.h"

/* ---- errors ---- */

static bool report(EchoAsmParser *p, const char *at, const char *format, va_list arguments)
{
  if (p->lexer.token.kind == ECHO_TOKEN_ERROR)
    return false; /* the lexer has said it */
  EchoBuffer message = {0};
  echo_buffer_vprintf(&message, format, arguments);
  echo_error(p->ctx, echo_parser_loc(p, at), "%s", echo_buffer_c_str(&message));
  echo_buffer_destroy(&message);
  return false;
}

bool echo_parser_error_at(EchoAsmParser *p, const char *at, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(p, at, format, arguments);
  va_end(arguments);
  return false;
}

/* The current token, or the last character at the end of the file. */
static const char *token_position(const EchoAsmParser *p)
{
  const char *at = p->lexer.token.start;
  return p->lexer.token.kind == ECHO_TOKEN_EOF && at > p->lexer.begin ? at - 1 : at;
}

bool echo_parser_error(EchoAsmParser *p, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(p, token_position(p), format, arguments);
  va_end(arguments);
  return false;
}

/* Behind the last character before `at` that is neither blank nor comment; `at` itself when that is
 * on its line, or when there is none. */
static const char *end_of_previous_token(const EchoAsmParser *p, const char *at)
{
  const char *end = at;
  for (;;) {
    while (end > p->lexer.begin && (end[-1] == ' ' || end[-1] == '\t'))
      end--;
    if (end == p->lexer.begin)
      return at;
    if (end[-1] != '\n' && end[-1] != '\r')
      return end;
    end--;
    const char *line = end;
    while (line > p->lexer.begin && line[-1] != '\n' && line[-1] != '\r')
      line--;
    for (const char *c = line; c + 1 < end; c++) {
      if (c[0] == '/' && c[1] == '/') {
        end = c;
        break;
      }
    }
  }
}

bool echo_parser_wrong_token(EchoAsmParser *p, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(p, end_of_previous_token(p, token_position(p)), format, arguments);
  va_end(arguments);
  return false;
}

bool echo_parser_enter(EchoAsmParser *p)
{
  if (p->depth >= ECHO_PARSER_MAX_DEPTH)
    return echo_parser_error(p, "nesting is deeper than %d levels", ECHO_PARSER_MAX_DEPTH);
  p->depth++;
  return true;
}

/* ---- small values ---- */

bool echo_parser_u64(EchoStr text, uint64_t *value)
{
  if (text.size > 2 && text.data[1] == 'x') {
    uint64_t hex = 0;
    for (size_t i = 2; i < text.size; i++) {
      if (hex >> 60 != 0)
        return false;
      hex = hex << 4 | echo_hex_value(text.data[i]);
    }
    *value = hex;
    return true;
  }
  return echo_str_to_u64(text, value);
}

bool echo_parser_i64(EchoAsmParser *p, int64_t *value)
{
  const char *start = p->lexer.token.start;
  bool negative = echo_parser_try(p, '-');
  uint64_t magnitude;
  if (!echo_parser_at(p, ECHO_TOKEN_INTEGER))
    return echo_parser_wrong_token(p, "expected integer value");
  if (!echo_parser_u64(echo_parser_text(p), &magnitude) ||
      magnitude > (uint64_t)INT64_MAX + negative)
    return echo_parser_error_at(p, start, "integer value too large");
  *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
  echo_parser_consume(p);
  return true;
}
