/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tokens of MLIR text. The lexer walks a NUL-terminated source buffer with one pointer, keeps one
 * token, and allocates nothing: a token is a kind and two pointers into the buffer. It reports
 * malformed tokens itself, once, as ECHO_TOKEN_ERROR; whoever meets such a token only returns. For
 * ir/ alone. */
#ifndef ECHO_IR_TEXT_LEXER_T_H
#define ECHO_IR_TEXT_LEXER_T_H

#include "ir/context.h"

/* Punctuation of one character is its own kind. */
typedef enum EchoTokenKind {
  ECHO_TOKEN_EOF = 0,
  ECHO_TOKEN_ERROR = 128,
  ECHO_TOKEN_BARE_ID,        /* abc, i32 */
  ECHO_TOKEN_AT_ID,          /* @abc, @"a b" */
  ECHO_TOKEN_CARET_ID,       /* ^bb0 */
  ECHO_TOKEN_PERCENT_ID,     /* %12 */
  ECHO_TOKEN_HASH_ID,        /* #map */
  ECHO_TOKEN_EXCLAM_ID,      /* !t */
  ECHO_TOKEN_INTEGER,        /* 42, 0x2A */
  ECHO_TOKEN_FLOAT,          /* 1.5e3 */
  ECHO_TOKEN_STRING,         /* "…" with its quotes, escapes not resolved */
  ECHO_TOKEN_ARROW,          /* -> */
  ECHO_TOKEN_ELLIPSIS,       /* ... */
  ECHO_TOKEN_METADATA_BEGIN, /* {-# */
  ECHO_TOKEN_METADATA_END    /* #-} */
} EchoTokenKind;

typedef struct EchoToken {
  int kind; /* EchoTokenKind or a character */
  const char *start, *end;
} EchoToken;

typedef struct EchoLexer {
  EchoContext *ctx;
  uint32_t
      buffer_id; /* what locations point into; UINT32_MAX = no buffer, errors have no location */
  const char *begin, *end;  /* *end is NUL */
  const char *cursor;       /* behind the token */
  const char *previous_end; /* behind the token before */
  const char *kept_from;    /* text before it was forgotten; NULL = it cannot be */
  EchoToken token;
} EchoLexer;

/* Starts at the first token of the text, which may be forgotten when it is the mapping of a file of
 * the context; `text.data[text.size]` must be NUL. */
void echo_lexer_init(EchoLexer *lexer, EchoContext *ctx, uint32_t buffer_id, EchoStr text);
/* Steps to the next token. */
void echo_lexer_advance(EchoLexer *lexer);
/* Restarts at `position` inside the buffer, with the token that begins there. */
void echo_lexer_restart(EchoLexer *lexer, const char *position);
/* The source before `position` will hardly be looked at again: where it is a file's mapping, its
 * memory is given back, a good piece at a time. What does look at it reads the file again. */
void echo_lexer_forget_slow(EchoLexer *lexer, const char *position);
/* The text from `position` on is gone over once more. */
static inline void echo_lexer_look_again(EchoLexer *lexer, const char *position)
{
  if (lexer->kept_from != NULL && position < lexer->kept_from)
    lexer->kept_from = position;
}
static inline void echo_lexer_forget_before(EchoLexer *lexer, const char *position)
{
  enum { PIECE_BYTES = 1 << 20 };
  if (ECHO_UNLIKELY(lexer->kept_from != NULL && position - lexer->kept_from > PIECE_BYTES))
    echo_lexer_forget_slow(lexer, position);
}
/* The first position from `from` on that is neither white space nor a comment. */
const char *echo_lexer_skip_blank(const EchoLexer *lexer, const char *from);

EchoLoc echo_lexer_loc(const EchoLexer *lexer, const char *position);

/* Character classes, as bits of echo_char_class. */
#define ECHO_CHAR_LETTER 1u /* a-z A-Z */
#define ECHO_CHAR_DIGIT 2u
#define ECHO_CHAR_ID 4u     /* letters, digits, '_', '$', '.': the rest of a bare identifier */
#define ECHO_CHAR_SUFFIX 8u /* the same and '-': the rest of %x, #x … */
#define ECHO_CHAR_BLANK 16u /* space, tab, newline, carriage return */
#define ECHO_CHAR_HEX 32u
extern const uint8_t echo_char_class[256];
static inline bool echo_char_is(char c, unsigned classes)
{
  return (echo_char_class[(unsigned char)c] & classes) != 0;
}

/* Value of a hexadecimal digit. */
static inline unsigned echo_hex_value(char c)
{
  return c <= '9' ? (unsigned)(c - '0') : ((unsigned)c & 0x1fu) + 9u;
}

static inline EchoStr echo_token_text(EchoToken token)
{
  return (EchoStr){token.start, (size_t)(token.end - token.start)};
}
bool echo_token_is(EchoToken token, const char *text);

/* Behind the closing quote of the string at `quote`; NULL when it does not end before `end`. Checks
 * no escapes. `lexer_or_null` forgets what was passed. */
const char *echo_string_end_or_null(EchoLexer *lexer_or_null, const char *quote, const char *end);
/* The content of a string token (or of the quoted part of an @"…" token's text) with escapes
 * resolved. Without escapes it is a view of the source, else a copy in `arena`. */
EchoStr echo_string_unescape(EchoArena *arena, EchoStr quoted);
/* Pairs of hexadecimal digits to digits.size / 2 bytes: false when one is none, or has no pair. */
bool echo_hex_decode(EchoStr digits, uint8_t *bytes);

#endif
