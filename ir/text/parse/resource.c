/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The section at a file's end, {-# dialect_resources: { builtin: { key: "0x…" } },
 * external_resources: { … } #-}: kept by the context, entry by entry, in its order. */
#include "ir/text/parse/resource_t.h"

#include "ir/text/parse/tokens_t.h"

/* A key: identifier or string; interned. */
static bool resource_key(EchoAsmParser *p, const char *what, EchoStr *key)
{
  EchoStr text = echo_parser_text(p);
  if (echo_parser_at(p, ECHO_TOKEN_STRING))
    text = echo_string_unescape(echo_context_arena(p->ctx), text);
  else if (!echo_parser_at(p, ECHO_TOKEN_BARE_ID))
    return echo_parser_wrong_token(p, "expected identifier key %s", what);
  *key = echo_context_intern(p->ctx, text);
  echo_parser_consume(p);
  return echo_parser_expect(p, ':', "expected ':'");
}

/* The token that is an entry's value, as it is written. */
static bool resource_value(EchoAsmParser *p, EchoStr *text)
{
  bool is_bool = echo_parser_at_keyword(p, "true") || echo_parser_at_keyword(p, "false");
  if (!is_bool && !echo_parser_at(p, ECHO_TOKEN_STRING) && !echo_parser_at(p, ECHO_TOKEN_INTEGER))
    return echo_parser_wrong_token(p, "expected string, boolean or integer resource value");
  *text = echo_parser_text(p);
  echo_parser_consume(p);
  return true;
}

static bool resource_group(EchoAsmParser *p, EchoStr section, EchoStr group)
{
  if (!echo_parser_expect(p, '{', "expected '{'"))
    return false;
  if (echo_parser_try(p, '}'))
    return true;
  do {
    EchoResource entry = {.section = section, .group = group};
    if (!resource_key(p, "for 'resource' entry", &entry.key) || !resource_value(p, &entry.text))
      return false;
    echo_vector_push(&p->ctx->resources, entry);
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, '}', "expected '}'");
}

static bool resource_section(EchoAsmParser *p, EchoStr section)
{
  if (!echo_parser_expect(p, '{', "expected '{'"))
    return false;
  if (echo_parser_try(p, '}'))
    return true;
  do {
    EchoStr group;
    if (!resource_key(p, "for 'resource' entry", &group) || !resource_group(p, section, group))
      return false;
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, '}', "expected '}'");
}

bool echo_parser_metadata(EchoAsmParser *p)
{
  echo_parser_consume(p);
  while (!echo_parser_try(p, ECHO_TOKEN_METADATA_END)) {
    const char *at = p->lexer.token.start;
    EchoStr section;
    if (!resource_key(p, "in file metadata dictionary", &section))
      return false;
    if (!echo_str_is(section, "dialect_resources") && !echo_str_is(section, "external_resources"))
      return echo_parser_error_at(p, at, "unknown key '%.*s' in file metadata dictionary",
                                  ECHO_STR_ARG(section));
    if (!resource_section(p, section))
      return false;
    if (!echo_parser_try(p, ',') && !echo_parser_at(p, ECHO_TOKEN_METADATA_END))
      return echo_parser_wrong_token(p, "expected ',' or '#-}'");
  }
  return true;
}
