/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>

#include "tests/gpu/parse.h"

static void skip_blanks(Lexer *lexer)
{
  for (;;) {
    if (*lexer->at == '\n') {
      lexer->line++;
      lexer->at++;
    } else if (isspace((unsigned char)*lexer->at)) {
      lexer->at++;
    } else if (lexer->at[0] == '/' && lexer->at[1] == '/') {
      lexer->at += strcspn(lexer->at, "\n");
    } else if (lexer->at[0] == '/' && lexer->at[1] == '*') {
      for (lexer->at += 2; *lexer->at != '\0' && (lexer->at[0] != '*' || lexer->at[1] != '/');
           lexer->at++)
        lexer->line += *lexer->at == '\n';
      lexer->at += *lexer->at != '\0' ? 2 : 0;
    } else {
      return;
    }
  }
}

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

Token lex_next(Lexer *lexer)
{
  skip_blanks(lexer);
  Token token = {TOKEN_END, lexer->at, 0, lexer->line};
  if (*lexer->at == '\0')
    return token;
  if (*lexer->at == '"') {
    token.kind = TOKEN_STRING;
    token.size = 1 + strcspn(lexer->at + 1, "\"");
    token.size += lexer->at[token.size] == '"';
  } else if (is_word(*lexer->at)) {
    token.kind = isdigit((unsigned char)*lexer->at) ? TOKEN_NUMBER : TOKEN_WORD;
    /* "::" joins the parts of a few mnemonics */
    while (is_word(lexer->at[token.size]) ||
           (token.kind == TOKEN_WORD && lexer->at[token.size] == ':' &&
            lexer->at[token.size + 1] == ':'))
      token.size += lexer->at[token.size] == ':' ? 2 : 1;
  } else {
    token.kind = TOKEN_PUNCTUATION;
    token.size = 1;
  }
  lexer->at += token.size;
  return token;
}

bool token_is(const Token *token, const char *text)
{
  return token->size == strlen(text) && memcmp(token->text, text, token->size) == 0;
}
