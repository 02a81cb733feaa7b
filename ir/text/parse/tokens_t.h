/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tokens, errors at them, and how deep the parser is: what every other file here stands on. */
#ifndef ECHO_IR_TEXT_PARSE_TOKENS_T_H
#define ECHO_IR_TEXT_PARSE_TOKENS_T_H

#include "ir/text/parse/parser_t.h"

/* How deep types, attributes, expressions and pretty-form regions may nest: the stack is finite.
 * Regions of ops in generic form nest as deep as memory allows. */
#define ECHO_PARSER_MAX_DEPTH 1000

/* At a position of the source; nothing is said when the token is one that the lexer complained
 * about. All return false. */
bool echo_parser_error_at(EchoAsmParser *p, const char *at, const char *format, ...)
    ECHO_PRINTF(3, 4);
/* At the current token (one back at the end of the file). */
bool echo_parser_error(EchoAsmParser *p, const char *format, ...) ECHO_PRINTF(2, 3);
/* Where something is missing: behind the last token when the current one starts a line. */
bool echo_parser_wrong_token(EchoAsmParser *p, const char *format, ...) ECHO_PRINTF(2, 3);

static inline bool echo_parser_at(const EchoAsmParser *p, int kind)
{
  return p->lexer.token.kind == kind;
}
static inline void echo_parser_consume(EchoAsmParser *p)
{
  echo_lexer_advance(&p->lexer);
}
static inline bool echo_parser_try(EchoAsmParser *p, int kind)
{
  if (p->lexer.token.kind != kind)
    return false;
  echo_lexer_advance(&p->lexer);
  return true;
}
static inline bool echo_parser_expect(EchoAsmParser *p, int kind, const char *message)
{
  return echo_parser_try(p, kind) || echo_parser_wrong_token(p, "%s", message);
}
static inline EchoStr echo_parser_text(const EchoAsmParser *p)
{
  return echo_token_text(p->lexer.token);
}
static inline bool echo_parser_at_keyword(const EchoAsmParser *p, const char *keyword)
{
  return p->lexer.token.kind == ECHO_TOKEN_BARE_ID && echo_token_is(p->lexer.token, keyword);
}
static inline bool echo_parser_try_keyword(EchoAsmParser *p, const char *keyword)
{
  if (!echo_parser_at_keyword(p, keyword))
    return false;
  echo_lexer_advance(&p->lexer);
  return true;
}
static inline EchoLoc echo_parser_loc(const EchoAsmParser *p, const char *at)
{
  return echo_lexer_loc(&p->lexer, at);
}
/* Counts a level of nesting; an error when there are too many. Leave with echo_parser_leave when it
 * succeeded. */
bool echo_parser_enter(EchoAsmParser *p);
static inline void echo_parser_leave(EchoAsmParser *p)
{
  p->depth--;
}
/* An unsigned integer token's value, decimal or hexadecimal; false (silent) when it does not fit.
 */
bool echo_parser_u64(EchoStr text, uint64_t *value);
/* "-"? integer; an error otherwise. */
bool echo_parser_i64(EchoAsmParser *p, int64_t *value);

#endif
