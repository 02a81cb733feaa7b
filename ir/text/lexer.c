/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ir/text/lexer_t.h"

#include "ir/context_t.h"
#include "ir/diagnostics.h"

enum {
  LETTER = ECHO_CHAR_LETTER | ECHO_CHAR_ID | ECHO_CHAR_SUFFIX,
  HEX_LETTER = LETTER | ECHO_CHAR_HEX,
  DIGIT = ECHO_CHAR_DIGIT | ECHO_CHAR_ID | ECHO_CHAR_SUFFIX | ECHO_CHAR_HEX,
  MARK = ECHO_CHAR_ID | ECHO_CHAR_SUFFIX,
  BLANK = ECHO_CHAR_BLANK
};

const uint8_t echo_char_class[256] = {
    [' '] = BLANK,      ['\t'] = BLANK,     ['\n'] = BLANK,
    ['\r'] = BLANK,     ['$'] = MARK,       ['-'] = ECHO_CHAR_SUFFIX,
    ['.'] = MARK,       ['_'] = MARK,       ['0'] = DIGIT,
    ['1'] = DIGIT,      ['2'] = DIGIT,      ['3'] = DIGIT,
    ['4'] = DIGIT,      ['5'] = DIGIT,      ['6'] = DIGIT,
    ['7'] = DIGIT,      ['8'] = DIGIT,      ['9'] = DIGIT,
    ['A'] = HEX_LETTER, ['B'] = HEX_LETTER, ['C'] = HEX_LETTER,
    ['D'] = HEX_LETTER, ['E'] = HEX_LETTER, ['F'] = HEX_LETTER,
    ['G'] = LETTER,     ['H'] = LETTER,     ['I'] = LETTER,
    ['J'] = LETTER,     ['K'] = LETTER,     ['L'] = LETTER,
    ['M'] = LETTER,     ['N'] = LETTER,     ['O'] = LETTER,
    ['P'] = LETTER,     ['Q'] = LETTER,     ['R'] = LETTER,
    ['S'] = LETTER,     ['T'] = LETTER,     ['U'] = LETTER,
    ['V'] = LETTER,     ['W'] = LETTER,     ['X'] = LETTER,
    ['Y'] = LETTER,     ['Z'] = LETTER,     ['a'] = HEX_LETTER,
    ['b'] = HEX_LETTER, ['c'] = HEX_LETTER, ['d'] = HEX_LETTER,
    ['e'] = HEX_LETTER, ['f'] = HEX_LETTER, ['g'] = LETTER,
    ['h'] = LETTER,     ['i'] = LETTER,     ['j'] = LETTER,
    ['k'] = LETTER,     ['l'] = LETTER,     ['m'] = LETTER,
    ['n'] = LETTER,     ['o'] = LETTER,     ['p'] = LETTER,
    ['q'] = LETTER,     ['r'] = LETTER,     ['s'] = LETTER,
    ['t'] = LETTER,     ['u'] = LETTER,     ['v'] = LETTER,
    ['w'] = LETTER,     ['x'] = LETTER,     ['y'] = LETTER,
    ['z'] = LETTER,
};

EchoLoc echo_lexer_loc(const EchoLexer *lexer, const char *position)
{
  if (lexer->buffer_id == UINT32_MAX)
    return echo_loc_unknown();
  return echo_loc_in_buffer(lexer->buffer_id, (uint64_t)(position - lexer->begin));
}

bool echo_token_is(EchoToken token, const char *text)
{
  return echo_str_is(echo_token_text(token), text);
}

static void form(EchoLexer *lexer, int kind, const char *start, const char *end)
{
  lexer->token = (EchoToken){kind, start, end};
  lexer->cursor = end;
}

static void fail(EchoLexer *lexer, const char *start, const char *at, const char *message)
{
  echo_error(lexer->ctx, echo_lexer_loc(lexer, at), "%s", message);
  form(lexer, ECHO_TOKEN_ERROR, start, at < lexer->end ? at + 1 : at);
}

const char *echo_lexer_skip_blank(const EchoLexer *lexer, const char *from)
{
  const char *p = from;
  for (;;) {
    while (echo_char_is(*p, ECHO_CHAR_BLANK))
      p++;
    if (*p == '/' && p[1] == '/') {
      const char *newline = memchr(p, '\n', (size_t)(lexer->end - p));
      p = newline != NULL ? newline : lexer->end;
    } else if (*p == '\0' && p < lexer->end) {
      p++; /* as MLIR does, NULs inside the file are blank */
    } else {
      return p;
    }
  }
}

/* Past the digits and letters of a number that starts at `p`. */
static void lex_number(EchoLexer *lexer, const char *start)
{
  const char *p = start + 1;
  if (*start == '0' && *p == 'x' && echo_char_is(p[1], ECHO_CHAR_HEX)) {
    for (p += 2; echo_char_is(*p, ECHO_CHAR_HEX); p++)
      ;
    form(lexer, ECHO_TOKEN_INTEGER, start, p);
    return;
  }
  while (echo_char_is(*p, ECHO_CHAR_DIGIT))
    p++;
  if (*p != '.') {
    form(lexer, ECHO_TOKEN_INTEGER, start, p);
    return;
  }
  for (p++; echo_char_is(*p, ECHO_CHAR_DIGIT); p++)
    ;
  if (*p == 'e' || *p == 'E') {
    bool has_sign = p[1] == '-' || p[1] == '+';
    if (echo_char_is(p[1 + has_sign], ECHO_CHAR_DIGIT))
      for (p += 2 + has_sign; echo_char_is(*p, ECHO_CHAR_DIGIT); p++)
        ;
  }
  form(lexer, ECHO_TOKEN_FLOAT, start, p);
}

/* The first character from `p` on that ends a string or has a meaning in it. Strings may be as long
 * as the file: what was passed is forgotten. */
static const char *skip_plain(EchoLexer *lexer, const char *p)
{
  static const bool IS_SPECIAL[256] = {
      ['"'] = true, ['\0'] = true, ['\n'] = true, ['\v'] = true, ['\f'] = true, ['\\'] = true};
  enum { STRETCH_BYTES = 1 << 16 };
  for (;;) {
    size_t left = (size_t)(lexer->end - p);
    const char *stop = p + (left < STRETCH_BYTES ? left : STRETCH_BYTES);
    while (p < stop && !IS_SPECIAL[(unsigned char)*p])
      p++;
    if (p < stop || p == lexer->end)
      return p;
    echo_lexer_forget_before(lexer, p);
  }
}

/* The end of the string literal whose opening quote stands at `quote`, or NULL after an error. */
static const char *string_end_or_null(EchoLexer *lexer, const char *start, const char *quote)
{
  for (const char *p = quote + 1;; p++) {
    p = skip_plain(lexer, p);
    switch (*p) {
    case '"':
      return p + 1;
    case '\0':
      if (p < lexer->end)
        continue;
      fail(lexer, start, p, "expected '\"' in string literal");
      return NULL;
    case '\n':
    case '\v':
    case '\f':
      fail(lexer, start, p, "expected '\"' in string literal");
      return NULL;
    case '\\':
      p++;
      if (*p == '"' || *p == '\\' || *p == 'n' || *p == 't')
        continue;
      if (echo_char_is(*p, ECHO_CHAR_HEX) && echo_char_is(p[1], ECHO_CHAR_HEX)) {
        p++;
        continue;
      }
      fail(lexer, start, p - 1, "unknown escape in string literal");
      return NULL;
    default:
      break;
    }
  }
}

static void lex_string(EchoLexer *lexer, const char *start)
{
  const char *end = string_end_or_null(lexer, start, start);
  if (end != NULL)
    form(lexer, ECHO_TOKEN_STRING, start, end);
}

static void lex_at_identifier(EchoLexer *lexer, const char *start)
{
  const char *p = start + 1;
  if (*p == '"') {
    const char *end = string_end_or_null(lexer, start, p);
    if (end != NULL)
      form(lexer, ECHO_TOKEN_AT_ID, start, end);
    return;
  }
  if (!echo_char_is(*p, ECHO_CHAR_LETTER) && *p != '_') {
    fail(lexer, start, p, "@ identifier expected to start with letter or '_'");
    return;
  }
  while (echo_char_is(*p, ECHO_CHAR_ID))
    p++;
  form(lexer, ECHO_TOKEN_AT_ID, start, p);
}

static void lex_prefixed(EchoLexer *lexer, const char *start, int kind, const char *error)
{
  const char *p = start + 1;
  if (echo_char_is(*p, ECHO_CHAR_DIGIT)) {
    while (echo_char_is(*p, ECHO_CHAR_DIGIT))
      p++;
  } else if (echo_char_is(*p, ECHO_CHAR_SUFFIX)) {
    while (echo_char_is(*p, ECHO_CHAR_SUFFIX))
      p++;
  } else {
    fail(lexer, start, start, error);
    return;
  }
  form(lexer, kind, start, p);
}

void echo_lexer_advance(EchoLexer *lexer)
{
  const char *start = lexer->cursor;
  lexer->previous_end = start;
  while (echo_char_is(*start, ECHO_CHAR_BLANK))
    start++;
  if (ECHO_UNLIKELY(*start == '/' || *start == '\0'))
    start = echo_lexer_skip_blank(lexer, start);
  const char *p = start;
  switch (*start) {
  case '\0':
    form(lexer, ECHO_TOKEN_EOF, start, start);
    return;
  case '%':
    lex_prefixed(lexer, start, ECHO_TOKEN_PERCENT_ID, "invalid SSA name");
    return;
  case '"':
    lex_string(lexer, start);
    return;
  case '(':
  case ')':
  case ',':
  case ':':
  case '=':
  case '<':
  case '>':
  case '[':
  case ']':
  case '}':
  case '*':
  case '+':
  case '?':
  case '|':
  case '/':
    if (*start == '/') {
      fail(lexer, start, start, "unexpected character");
      return;
    }
    form(lexer, *start, start, start + 1);
    return;
  case '{':
    if (p[1] == '-' && p[2] == '#')
      form(lexer, ECHO_TOKEN_METADATA_BEGIN, start, start + 3);
    else
      form(lexer, '{', start, start + 1);
    return;
  case '-':
    if (p[1] == '>')
      form(lexer, ECHO_TOKEN_ARROW, start, start + 2);
    else
      form(lexer, '-', start, start + 1);
    return;
  case '#':
    if (p[1] == '-' && p[2] == '}')
      form(lexer, ECHO_TOKEN_METADATA_END, start, start + 3);
    else
      lex_prefixed(lexer, start, ECHO_TOKEN_HASH_ID, "invalid attribute name");
    return;
  case '^':
    lex_prefixed(lexer, start, ECHO_TOKEN_CARET_ID, "invalid block name");
    return;
  case '!':
    lex_prefixed(lexer, start, ECHO_TOKEN_EXCLAM_ID, "invalid type identifier");
    return;
  case '@':
    lex_at_identifier(lexer, start);
    return;
  case '.':
    if (p[1] == '.' && p[2] == '.')
      form(lexer, ECHO_TOKEN_ELLIPSIS, start, start + 3);
    else
      fail(lexer, start, start, "expected three consecutive dots for an ellipsis");
    return;
  default:
    break;
  }
  if (echo_char_is(*start, ECHO_CHAR_LETTER) || *start == '_') {
    while (echo_char_is(*p, ECHO_CHAR_ID))
      p++;
    form(lexer, ECHO_TOKEN_BARE_ID, start, p);
  } else if (echo_char_is(*start, ECHO_CHAR_DIGIT)) {
    lex_number(lexer, start);
  } else {
    fail(lexer, start, start, "unexpected character");
  }
}

void echo_lexer_restart(EchoLexer *lexer, const char *position)
{
  echo_lexer_look_again(lexer, position);
  lexer->cursor = position;
  echo_lexer_advance(lexer);
}

void echo_lexer_forget_slow(EchoLexer *lexer, const char *position)
{
  lexer->kept_from = echo_file_forget_range(lexer->kept_from, position);
}

static bool can_be_forgotten(const EchoContext *ctx, EchoStr text)
{
  for (size_t i = 0; i < ctx->files.size; i++)
    if (echo_file_is_mapping_of(&ctx->files.data[i], text))
      return true;
  return false;
}

void echo_lexer_init(EchoLexer *lexer, EchoContext *ctx, uint32_t buffer_id, EchoStr text)
{
  *lexer = (EchoLexer){.ctx = ctx,
                       .buffer_id = buffer_id,
                       .begin = text.data,
                       .end = text.data + text.size,
                       .cursor = text.data,
                       .kept_from = can_be_forgotten(ctx, text) ? text.data : NULL};
  echo_lexer_advance(lexer);
}

EchoStr echo_string_unescape(EchoArena *arena, EchoStr quoted)
{
  EchoStr content = {quoted.data + 1, quoted.size - 2};
  if (memchr(content.data, '\\', content.size) == NULL)
    return content;
  char *out = echo_arena_alloc_aligned(arena, content.size + 1, 1);
  size_t size = 0;
  for (size_t i = 0; i < content.size; i++) {
    char c = content.data[i];
    if (c != '\\') {
      out[size++] = c;
      continue;
    }
    c = content.data[++i];
    if (c == '"' || c == '\\')
      out[size++] = c;
    else if (c == 'n')
      out[size++] = '\n';
    else if (c == 't')
      out[size++] = '\t';
    else {
      out[size++] = (char)(echo_hex_value(c) << 4 | echo_hex_value(content.data[i + 1]));
      i++;
    }
  }
  out[size] = '\0';
  return (EchoStr){out, size};
}

const char *echo_string_end_or_null(EchoLexer *lexer_or_null, const char *quote, const char *end)
{
  enum { STRETCH_BYTES = 1 << 16 };
  const char *c = quote + 1;
  while (c < end) {
    const char *stop = end - c < STRETCH_BYTES ? end : c + STRETCH_BYTES;
    const char *close = memchr(c, '"', (size_t)(stop - c));
    const char *limit = close != NULL ? close : stop;
    while (c < limit) {
      const char *escape = memchr(c, '\\', (size_t)(limit - c));
      c = escape != NULL ? escape + 2 : limit;
    }
    if (close != NULL && c == close)
      return close + 1;
    if (lexer_or_null != NULL)
      echo_lexer_forget_before(lexer_or_null, c);
  }
  return NULL;
}

/* Values of hexadecimal digits, 0x80 for all other characters. */
static void fill_hex_values(uint8_t values[256])
{
  memset(values, 0x80, 256);
  for (unsigned char c = 0; c < 16; c++) {
    values[(unsigned char)"0123456789abcdef"[c]] = c;
    values[(unsigned char)"0123456789ABCDEF"[c]] = c;
  }
}

bool echo_hex_decode(EchoStr digits, uint8_t *bytes)
{
  uint8_t values[256], seen = 0;
  fill_hex_values(values);
  const unsigned char *c = (const unsigned char *)digits.data;
  size_t n = digits.size / 2;
  for (size_t i = 0; i < n; i++) {
    uint8_t high = values[c[2 * i]], low = values[c[2 * i + 1]];
    seen |= high | low;
    bytes[i] = (uint8_t)(high << 4 | low);
  }
  return (seen & 0x80) == 0 && digits.size % 2 == 0;
}
