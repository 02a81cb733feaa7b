/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stands in the text of an attribute or type of one of MLIR's dialects and is an attribute or
 * a type by itself: aliases, "#dialect.name<…>" and "!dialect.name<…>" of such dialects, affine
 * maps and sets, distinct attributes. The rest of the text means what the dialect says, and stays
 * text. MLIR keeps the text of dialects that it does not know whole: so does this. */
#include "ir/text/parse/attribute/parts_t.h"

#include "ir/text/dialect_symbol_t.h"
#include "ir/text/parse/recursion_t.h"
#include "ir/text/parse/tokens_t.h"

/* Each level has its own copy of the text inside it: what nests deeper stays text. */
enum { MAX_LEVELS = 64 };

typedef struct Scan {
  EchoAsmParser *p;
  const char *begin, *at, *end;
  EchoTextParts *parts;
  int level;
} Scan;

static bool text_parts(EchoAsmParser *p, EchoStr dialect, EchoStr text, EchoTextParts *parts,
                       int level);

static void push(Scan *scan, const char *start, const EchoAttr *attr, const EchoType *type)
{
  echo_vector_push(scan->parts, (EchoTextPart){.offset = (uint32_t)(start - scan->begin),
                                               .size = (uint32_t)(scan->at - start),
                                               .attr = attr,
                                               .type = type});
}

/* Behind the bracket that closes the one here, or the end: brackets match, or the text would not
 * have been taken. */
static const char *behind_brackets(const Scan *scan, const char *at)
{
  size_t depth = 0;
  for (; at < scan->end; at++) {
    if (*at == '"') {
      at = echo_string_end_or_null(NULL, at, scan->end);
      if (at == NULL)
        return scan->end;
      at--;
    } else if (*at == '-' && at + 1 < scan->end && at[1] == '>') {
      at++;
    } else if (strchr("<([{", *at) != NULL && *at != '\0') {
      depth++;
    } else if (strchr(">)]}", *at) != NULL && *at != '\0' && --depth == 0) {
      return at + 1;
    }
  }
  return scan->end;
}

static const char *behind_word(const Scan *scan, uint8_t class)
{
  const char *at = scan->at + 1;
  while (at < scan->end && echo_char_is(*at, class))
    at++;
  return at;
}

/* "dialect.text" or "dialect<text>" behind the prefix at `start`, up to scan->at. */
static bool dialect_part(Scan *scan, const char *start, EchoStr dialect, EchoStr text)
{
  EchoAsmParser *p = scan->p;
  if (scan->level == MAX_LEVELS || !echo_mlir_has_dialect(p->ctx, dialect))
    return true;
  EchoTextParts parts = {0};
  bool fine = text_parts(p, dialect, text, &parts, scan->level + 1);
  if (fine && *start == '#') {
    const EchoAttr *attr = echo_attr_opaque_of_parts_or_null(
        p->ctx, echo_parser_loc(p, start), dialect, text, echo_symbol_is_pretty(text), NULL,
        parts.data, parts.size);
    fine = attr != NULL;
    if (fine)
      push(scan, start, attr, NULL);
  } else if (fine) {
    push(scan, start, NULL,
         echo_type_opaque_of_parts(p->ctx, dialect, text, parts.data, parts.size));
  }
  echo_vector_destroy(&parts);
  return fine;
}

/* At '#' or '!'. */
static bool prefixed(Scan *scan)
{
  const char *start = scan->at, *name_end = behind_word(scan, ECHO_CHAR_SUFFIX);
  EchoStr name = {start + 1, (size_t)(name_end - start - 1)};
  const char *dot = memchr(name.data, '.', name.size);
  bool has_body = name_end < scan->end && *name_end == '<';
  scan->at = has_body ? behind_brackets(scan, name_end) : name_end;
  if (name.size == 0)
    return true;
  if (dot != NULL)
    return dialect_part(scan, start, (EchoStr){name.data, (size_t)(dot - name.data)},
                        (EchoStr){dot + 1, (size_t)(scan->at - dot - 1)});
  if (has_body)
    return dialect_part(scan, start, name,
                        (EchoStr){name_end + 1, (size_t)(scan->at - name_end - 2)});
  const EchoStringMap *aliases = *start == '#' ? &scan->p->attr_aliases : &scan->p->type_aliases;
  const void *alias = (const void *)(uintptr_t)echo_string_map_get_or(aliases, name, 0);
  if (alias != NULL)
    push(scan, start, *start == '#' ? alias : NULL, *start == '#' ? NULL : alias);
  return true;
}

/* At a letter: one of three keywords with its brackets, or any other word. */
static bool word(Scan *scan)
{
  const char *start = scan->at, *end = behind_word(scan, ECHO_CHAR_ID);
  EchoStr name = {start, (size_t)(end - start)};
  char next = end < scan->end ? *end : '\0';
  bool is_affine =
      next == '<' && (echo_str_is(name, "affine_map") || echo_str_is(name, "affine_set"));
  bool is_distinct = next == '[' && echo_str_is(name, "distinct");
  scan->at = end;
  if (!is_affine && !is_distinct)
    return true;
  scan->at = behind_brackets(scan, end);
  if (is_distinct && scan->at < scan->end && *scan->at == '<')
    scan->at = behind_brackets(scan, scan->at);
  echo_lexer_restart(&scan->p->lexer, start);
  const EchoAttr *attr = echo_parser_attr(scan->p, NULL);
  if (attr == NULL || scan->p->lexer.token.kind == ECHO_TOKEN_ERROR)
    return false;
  push(scan, start, attr, NULL);
  return true;
}

static bool scan_text(Scan *scan)
{
  bool fine = true;
  while (fine && scan->at < scan->end) {
    char c = *scan->at;
    if (c == '"') {
      const char *end = echo_string_end_or_null(NULL, scan->at, scan->end);
      scan->at = end != NULL ? end : scan->end;
    } else if (c == '#' || c == '!') {
      fine = prefixed(scan);
    } else if (echo_char_is(c, ECHO_CHAR_LETTER)) {
      fine = word(scan);
    } else {
      scan->at++;
    }
  }
  return fine;
}

static bool text_parts(EchoAsmParser *p, EchoStr dialect, EchoStr text, EchoTextParts *parts,
                       int level)
{
  if (text.size > UINT32_MAX || !echo_mlir_has_dialect(p->ctx, dialect))
    return true;
  EchoLexer lexer = p->lexer;
  Scan scan = {p, text.data, text.data, text.data + text.size, parts, level};
  bool fine = scan_text(&scan);
  if (fine)
    p->lexer = lexer;
  return fine;
}

bool echo_parser_text_parts(EchoAsmParser *p, EchoStr dialect, EchoStr text, EchoTextParts *parts)
{
  return text_parts(p, dialect, text, parts, 0);
}
