/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types and attributes of dialects: their bodies, whatever is in them, are found by their brackets
 * and kept as text. */
#include "ir/text/parse/attribute/symbol_t.h"

#include "ir/text/dialect_symbol_t.h"
#include "ir/text/parse/tokens_t.h"

/* ---- bodies kept as text ---- */

/* The end of the string literal that starts at `quote`, or NULL. */
static const char *skip_string_or_null(const EchoAsmParser *p, const char *quote)
{
  for (const char *c = quote + 1; c < p->lexer.end; c++) {
    if (*c == '\\')
      c++;
    else if (*c == '"')
      return c + 1;
    else if (*c == '\n')
      return NULL;
  }
  return NULL;
}

typedef ECHO_VECTOR(const char *) OpenBrackets;

static const char *unbalanced(EchoAsmParser *p, const OpenBrackets *open)
{
  const char *innermost = open->data[open->size - 1];
  echo_parser_error_at(p, innermost, "unbalanced '%c' character in pretty dialect name",
                       *innermost);
  return NULL;
}

/* The end of the brackets that open at `start`; NULL after an error. The open ones are kept in a
 * list, so that depth costs memory and no stack. */
static const char *balanced_end_or_null(EchoAsmParser *p, const char *start, OpenBrackets *open)
{
  const char *c = start;
  while (c < p->lexer.end) {
    switch (*c) {
    case '<':
    case '(':
    case '[':
    case '{':
      echo_vector_push(open, c);
      break;
    case '-':
      c += c[1] == '>'; /* an arrow closes nothing */
      break;
    case '>':
    case ')':
    case ']':
    case '}':
      if (echo_closing_bracket(*open->data[open->size - 1]) != *c)
        return unbalanced(p, open);
      if (--open->size == 0)
        return c + 1;
      break;
    case '"': {
      const char *end = skip_string_or_null(p, c);
      if (end == NULL) {
        echo_parser_error_at(p, c, "expected '\"' in string literal");
        return NULL;
      }
      c = end;
      continue;
    }
    default:
      break;
    }
    c++;
  }
  return unbalanced(p, open);
}

bool echo_parser_balanced_body(EchoAsmParser *p, EchoStr *text)
{
  OpenBrackets open = {0};
  const char *start = p->lexer.token.start;
  const char *end = balanced_end_or_null(p, start, &open);
  echo_vector_destroy(&open);
  if (end == NULL)
    return false;
  const char *null = memchr(start, '\0', (size_t)(end - start));
  if (null != NULL)
    return echo_parser_error_at(p, null, "null character not allowed in pretty dialect name");
  *text = (EchoStr){start, (size_t)(end - start)};
  echo_lexer_restart(&p->lexer, end);
  return true;
}

/* A letter or '_', then letters, digits, '_' and '$'. */
static bool check_namespace(EchoAsmParser *p, const char *at, EchoStr name)
{
  bool fine =
      name.size != 0 && (echo_char_is(name.data[0], ECHO_CHAR_LETTER) || name.data[0] == '_');
  for (size_t i = 1; i < name.size && fine; i++)
    fine = name.data[i] != '.' && echo_char_is(name.data[i], ECHO_CHAR_ID);
  return fine ||
         echo_parser_error_at(p, at, "invalid dialect namespace '%.*s'", ECHO_STR_ARG(name));
}

bool echo_parser_dialect_symbol(EchoAsmParser *p, EchoStr *dialect, EchoStr *text, bool *is_pretty)
{
  EchoToken token = p->lexer.token;
  EchoStr name = {token.start + 1, (size_t)(token.end - token.start - 1)};
  const char *dot = memchr(name.data, '.', name.size);
  if (dot != NULL) {
    *dialect = (EchoStr){name.data, (size_t)(dot - name.data)};
    *text = (EchoStr){dot + 1, name.size - dialect->size - 1};
    if (!check_namespace(p, token.start, *dialect))
      return false;
    bool has_body = *p->lexer.cursor == '<'; /* at once or not at all */
    EchoStr body = {NULL, 0};
    echo_parser_consume(p);
    if (has_body && !echo_parser_balanced_body(p, &body))
      return false;
    text->size += body.size;
    *is_pretty = echo_symbol_is_pretty(*text);
    return true;
  }
  *dialect = name;
  if (!check_namespace(p, token.start, name))
    return false;
  echo_parser_consume(p);
  if (!echo_parser_at(p, '<'))
    return echo_parser_wrong_token(p, "expected '<' in dialect type or attribute");
  EchoStr body;
  if (!echo_parser_balanced_body(p, &body))
    return false;
  *text = (EchoStr){body.data + 1, body.size - 2};
  *is_pretty = echo_symbol_is_pretty(*text);
  return true;
}
