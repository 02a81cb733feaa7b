/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes: builtin ones by token or keyword, aliases, and dialect attributes, whose bodies are
 * kept as text. */
#include "ir/text/parse/attribute/attr_t.h"

#include "ir/text/dialect_symbol_t.h"
#include "ir/text/parse/attribute/affine_t.h"
#include "ir/text/parse/attribute/elements_t.h"
#include "ir/text/parse/attribute/literal_t.h"
#include "ir/text/parse/attribute/loc_t.h"
#include "ir/text/parse/attribute/parts_t.h"
#include "ir/text/parse/attribute/symbol_t.h"
#include "ir/text/parse/attribute/type_t.h"
#include "ir/text/parse/tokens_t.h"

/* ---- symbols and strings ---- */

bool echo_parser_symbol_name(EchoAsmParser *p, EchoStr *name)
{
  if (!echo_parser_at(p, ECHO_TOKEN_AT_ID))
    return echo_parser_wrong_token(p, "expected valid '@'-identifier for symbol name");
  EchoStr text = echo_parser_text(p);
  *name = (EchoStr){text.data + 1, text.size - 1};
  if (name->data[0] == '"')
    *name = echo_string_unescape(echo_context_arena(p->ctx), *name);
  echo_parser_consume(p);
  return true;
}

/* "@a::@b::@c" */
static const EchoAttr *symbol_ref(EchoAsmParser *p)
{
  EchoStr root;
  if (!echo_parser_symbol_name(p, &root))
    return NULL;
  ECHO_VECTOR(EchoStr) nested = {0};
  const EchoAttr *attr = NULL;
  bool fine = true;
  while (fine && echo_parser_at(p, ':') && *p->lexer.cursor == ':') {
    echo_parser_consume(p);
    echo_parser_consume(p);
    EchoStr name;
    if (!echo_parser_at(p, ECHO_TOKEN_AT_ID)) {
      fine = echo_parser_wrong_token(p, "expected nested symbol reference identifier");
    } else {
      fine = echo_parser_symbol_name(p, &name);
      echo_vector_push(&nested, name);
    }
  }
  if (fine)
    attr = echo_attr_symbol_nested(p->ctx, root, nested.data, nested.size);
  echo_vector_destroy(&nested);
  return attr;
}

static const EchoAttr *string_attr(EchoAsmParser *p, const EchoType *type)
{
  EchoArenaMark mark = echo_arena_mark(&p->scratch);
  EchoStr value = echo_string_unescape(&p->scratch, echo_parser_text(p));
  echo_parser_consume(p);
  const EchoAttr *attr = NULL;
  bool fine = true;
  if (type == NULL && echo_parser_try(p, ':')) {
    type = echo_parser_type(p);
    fine = type != NULL;
  }
  if (fine)
    attr = type != NULL && type->kind != ECHO_TYPE_NONE
               ? echo_attr_string_typed(p->ctx, value, type)
               : echo_attr_string(p->ctx, value);
  echo_arena_reset(&p->scratch, mark);
  return attr;
}

/* ---- lists and dictionaries ---- */

static const EchoAttr *array_attr(EchoAsmParser *p)
{
  echo_parser_consume(p);
  ECHO_VECTOR(const EchoAttr *) elements = {0};
  bool fine = true;
  if (!echo_parser_at(p, ']')) {
    do {
      const EchoAttr *element = echo_parser_attr(p, NULL);
      fine = element != NULL;
      echo_vector_push(&elements, element);
    } while (fine && echo_parser_try(p, ','));
  }
  fine = fine && echo_parser_expect(p, ']', "expected ',' or ']'");
  const EchoAttr *attr = fine ? echo_attr_array(p->ctx, elements.data, elements.size) : NULL;
  echo_vector_destroy(&elements);
  return attr;
}

static bool attr_entry(EchoAsmParser *p, EchoNamedAttr *entry)
{
  EchoToken token = p->lexer.token;
  if (token.kind == ECHO_TOKEN_STRING) {
    EchoArenaMark mark = echo_arena_mark(&p->scratch);
    entry->name =
        echo_context_intern(p->ctx, echo_string_unescape(&p->scratch, echo_token_text(token)));
    echo_arena_reset(&p->scratch, mark);
  } else if (token.kind == ECHO_TOKEN_BARE_ID) {
    entry->name = echo_context_intern(p->ctx, echo_token_text(token));
  } else {
    return echo_parser_wrong_token(p, "expected attribute name");
  }
  if (entry->name.size == 0)
    return echo_parser_error(p, "expected valid attribute name");
  echo_parser_consume(p);
  if (!echo_parser_try(p, '=')) {
    entry->value = echo_attr_unit(p->ctx);
    return true;
  }
  entry->value = echo_parser_attr(p, NULL);
  return entry->value != NULL;
}

/* Interned names are equal when their pointers are. Small dictionaries compare, large ones hash. */
static bool is_repeated(const EchoAsmParser *p, EchoMap *seen, size_t mark, EchoStr name)
{
  enum { SMALL = 16 };
  size_t n = p->named.size - mark;
  if (n < SMALL) {
    for (size_t i = mark; i < p->named.size; i++)
      if (p->named.data[i].name.data == name.data)
        return true;
    return false;
  }
  for (size_t i = seen->n_live; i < n; i++)
    echo_map_insert(seen, echo_key(p->named.data[mark + i].name.data), 1);
  return echo_map_has(seen, echo_key(name.data));
}

bool echo_parser_attr_entries(EchoAsmParser *p, size_t mark)
{
  if (!echo_parser_expect(p, '{', "expected '{' in attribute dictionary"))
    return false;
  if (echo_parser_try(p, '}'))
    return true;
  EchoMap seen = {0};
  bool fine = true;
  do {
    const char *at = p->lexer.token.start;
    EchoNamedAttr entry;
    fine = attr_entry(p, &entry);
    if (fine && is_repeated(p, &seen, mark, entry.name))
      fine = echo_parser_error_at(p, at, "duplicate key '%.*s' in dictionary attribute",
                                  ECHO_STR_ARG(entry.name));
    if (fine)
      echo_vector_push(&p->named, entry);
  } while (fine && echo_parser_try(p, ','));
  echo_map_destroy(&seen);
  return fine && echo_parser_expect(p, '}', "expected '}' in attribute dictionary");
}

const EchoAttr *echo_parser_attr_dict(EchoAsmParser *p)
{
  size_t mark = p->named.size;
  if (!echo_parser_attr_entries(p, mark))
    return NULL;
  const EchoAttr *attr = echo_attr_dictionary(
      p->ctx, p->named.size > mark ? &p->named.data[mark] : NULL, p->named.size - mark);
  p->named.size = mark;
  return attr;
}

/* ---- dialect attributes and aliases ---- */

static const EchoAttr *extended_attr(EchoAsmParser *p, const EchoType *type)
{
  EchoToken token = p->lexer.token;
  EchoStr name = {token.start + 1, (size_t)(token.end - token.start - 1)};
  if (memchr(name.data, '.', name.size) == NULL && *p->lexer.cursor != '<') {
    uint64_t alias = echo_string_map_get_or(&p->attr_aliases, name, 0);
    if (alias == 0) {
      echo_parser_error(p, "undefined symbol alias id '%.*s'", ECHO_STR_ARG(name));
      return NULL;
    }
    echo_parser_consume(p);
    return (const EchoAttr *)(uintptr_t)alias;
  }
  EchoStr dialect, text;
  bool is_pretty;
  if (!echo_parser_dialect_symbol(p, &dialect, &text, &is_pretty))
    return NULL;
  dialect = echo_context_todays_name(p->ctx, dialect);
  if (type == NULL && echo_parser_try(p, ':')) {
    type = echo_parser_type(p);
    if (type == NULL)
      return NULL;
  }
  if (echo_context_dialect_or_null(p->ctx, dialect) == NULL &&
      !echo_keeps_unknown(p->ctx, dialect)) {
    echo_parser_error_at(p, token.start,
                         "dialect '%.*s' provides no attribute parsing hook, or is not registered",
                         ECHO_STR_ARG(dialect));
    return NULL;
  }
  EchoTextParts parts = {0};
  const EchoAttr *attr = NULL;
  if (echo_parser_text_parts(p, dialect, text, &parts))
    attr = echo_attr_opaque_of_parts_or_null(p->ctx, echo_parser_loc(p, token.start), dialect, text,
                                             is_pretty, type, parts.data, parts.size);
  echo_vector_destroy(&parts);
  return attr;
}

/* ---- keyword attributes ---- */

typedef const EchoAttr *AttrFn(EchoAsmParser *p, const EchoType *type);

static const EchoAttr *in_angles(EchoAsmParser *p, const EchoAttr *(*body)(EchoAsmParser *p),
                                 const char *open_error, const char *close_error)
{
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '<', open_error))
    return NULL;
  const EchoAttr *attr = body(p);
  return attr != NULL && echo_parser_expect(p, '>', close_error) ? attr : NULL;
}

static const EchoAttr *affine_map_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  return in_angles(p, echo_parser_affine_map, "expected '<' in affine map",
                   "expected '>' in affine map");
}

static const EchoAttr *affine_set_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  return in_angles(p, echo_parser_integer_set, "expected '<' in integer set",
                   "expected '>' in integer set");
}

static const EchoAttr *dense_array_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  echo_parser_consume(p);
  return echo_parser_dense_array(p);
}

static const EchoAttr *strided_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  echo_parser_consume(p);
  return echo_parser_strided(p);
}

static const EchoAttr *distinct_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '[', "expected '[' after 'distinct'"))
    return NULL;
  uint64_t id;
  EchoToken token = p->lexer.token;
  if (token.kind != ECHO_TOKEN_INTEGER) {
    echo_parser_wrong_token(p, "expected distinct ID");
    return NULL;
  }
  if (!echo_parser_u64(echo_token_text(token), &id)) {
    echo_parser_error(p, "expected an unsigned 64-bit integer");
    return NULL;
  }
  echo_parser_consume(p);
  if (!echo_parser_expect(p, ']', "expected ']' to close distinct ID") ||
      !echo_parser_expect(p, '<', "expected '<' after distinct ID"))
    return NULL;
  const EchoAttr *value =
      echo_parser_at(p, '>') ? echo_attr_unit(p->ctx) : echo_parser_attr(p, type);
  if (value == NULL || !echo_parser_expect(p, '>', "expected '>' to close distinct attribute"))
    return NULL;
  uint64_t known;
  if (!echo_map_get(&p->distinct_values, id, &known)) {
    echo_map_set(&p->distinct_values, id, echo_key(value));
  } else if (known != echo_key(value)) {
    echo_parser_error_at(p, token.start,
                         "referenced attribute does not match previous definition: %s",
                         echo_attr_text(p->ctx, (const EchoAttr *)(uintptr_t)known));
    return NULL;
  }
  return echo_attr_distinct(p->ctx, id, value);
}

static const EchoAttr *loc_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '(', "expected '(' in inline location"))
    return NULL;
  const EchoAttr *attr = echo_parser_location(p);
  return attr != NULL && echo_parser_expect(p, ')', "expected ')' in inline location") ? attr
                                                                                       : NULL;
}

static const EchoAttr *unit_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  echo_parser_consume(p);
  return echo_attr_unit(p->ctx);
}

static const EchoAttr *bool_attr(EchoAsmParser *p, const EchoType *type)
{
  (void)type;
  bool value = *p->lexer.token.start == 't';
  echo_parser_consume(p);
  return echo_attr_bool(p->ctx, value);
}

static AttrFn *keyword_or_null(EchoStr text)
{
  static const struct {
    const char *name;
    AttrFn *parse;
  } rows[] = {{"true", bool_attr},
              {"false", bool_attr},
              {"dense", echo_parser_dense},
              {"array", dense_array_attr},
              {"unit", unit_attr},
              {"affine_map", affine_map_attr},
              {"affine_set", affine_set_attr},
              {"dense_resource", echo_parser_dense_resource},
              {"sparse", echo_parser_sparse},
              {"strided", strided_attr},
              {"distinct", distinct_attr},
              {"loc", loc_attr}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (echo_str_is(text, rows[i].name))
      return rows[i].parse;
  return NULL;
}

static const EchoAttr *bare_attr(EchoAsmParser *p, const EchoType *type)
{
  AttrFn *parse = keyword_or_null(echo_parser_text(p));
  if (parse != NULL)
    return parse(p, type);
  if (!echo_parser_at_type(p)) {
    echo_parser_wrong_token(p, "expected attribute value");
    return NULL;
  }
  const EchoType *value = echo_parser_type(p);
  return value != NULL ? echo_attr_type(p->ctx, value) : NULL;
}

static const EchoAttr *dispatch(EchoAsmParser *p, const EchoType *type)
{
  switch (p->lexer.token.kind) {
  case ECHO_TOKEN_AT_ID:
    return symbol_ref(p);
  case '[':
    return array_attr(p);
  case '{':
    return echo_parser_attr_dict(p);
  case ECHO_TOKEN_HASH_ID:
    return extended_attr(p, type);
  case ECHO_TOKEN_INTEGER:
  case ECHO_TOKEN_FLOAT:
    return echo_parser_number(p, type, false);
  case '-':
    echo_parser_consume(p);
    if (!echo_parser_at(p, ECHO_TOKEN_INTEGER) && !echo_parser_at(p, ECHO_TOKEN_FLOAT)) {
      echo_parser_wrong_token(p, "expected constant integer or floating point value");
      return NULL;
    }
    return echo_parser_number(p, type, true);
  case ECHO_TOKEN_STRING:
    return string_attr(p, type);
  case ECHO_TOKEN_BARE_ID:
    return bare_attr(p, type);
  case '(':
  case ECHO_TOKEN_EXCLAM_ID: {
    const EchoType *value = echo_parser_type(p);
    return value != NULL ? echo_attr_type(p->ctx, value) : NULL;
  }
  default:
    echo_parser_wrong_token(p, "expected attribute value");
    return NULL;
  }
}

const EchoAttr *echo_parser_attr(EchoAsmParser *p, const EchoType *type_or_null)
{
  if (!echo_parser_enter(p))
    return NULL;
  const EchoAttr *attr = dispatch(p, type_or_null);
  echo_parser_leave(p);
  return attr;
}
