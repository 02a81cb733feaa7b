/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Types: builtin ones by keyword, aliases, and dialect types, whose bodies are kept as text. */
#include "ir/text/parse/attribute/type_t.h"

#include "ir/text/dialect_symbol_t.h"
#include "ir/text/parse/attribute/parts_t.h"
#include "ir/text/parse/attribute/symbol_t.h"
#include "ir/text/parse/recursion_t.h"
#include "ir/text/parse/tokens_t.h"

/* ---- dimensions ---- */

typedef struct Dims {
  int64_t values[ECHO_MAX_RANK];
  size_t rank;
  uint64_t scalable;
} Dims;

static bool push_dim(EchoAsmParser *p, Dims *dims, int64_t value, bool scalable)
{
  if (dims->rank == ECHO_MAX_RANK)
    return echo_parser_error(p, "rank is above the limit of %d", ECHO_MAX_RANK);
  if (scalable)
    dims->scalable |= UINT64_C(1) << dims->rank;
  dims->values[dims->rank++] = value;
  return true;
}

/* The "x" behind a dimension, which the lexer glues to what follows. */
static bool dim_separator(EchoAsmParser *p)
{
  EchoToken token = p->lexer.token;
  if (token.kind != ECHO_TOKEN_BARE_ID || *token.start != 'x')
    return echo_parser_wrong_token(p, "expected 'x' in dimension list");
  echo_lexer_restart(&p->lexer, token.start + 1);
  return true;
}

static bool dim_size(EchoAsmParser *p, int64_t *size)
{
  EchoToken token = p->lexer.token;
  if (token.end - token.start > 1 && token.start[0] == '0' && token.start[1] == 'x') {
    *size = 0; /* "0x4": a zero, then "x4" */
    echo_lexer_restart(&p->lexer, token.start + 1);
    return true;
  }
  uint64_t value;
  if (!echo_parser_u64(echo_token_text(token), &value) || value > INT64_MAX)
    return echo_parser_error(p, "invalid dimension");
  *size = (int64_t)value;
  echo_parser_consume(p);
  return true;
}

/* "4x?x[2]x" up to the element type. */
static bool dimension_list(EchoAsmParser *p, bool allow_dynamic, bool allow_scalable, Dims *dims)
{
  dims->rank = 0;
  dims->scalable = 0;
  for (;;) {
    int64_t size = ECHO_DYNAMIC;
    bool scalable = false;
    if (echo_parser_at(p, '?')) {
      if (!allow_dynamic)
        return echo_parser_error(p, "expected static shape");
      echo_parser_consume(p);
    } else if (allow_scalable && echo_parser_try(p, '[')) {
      scalable = true;
      if (!echo_parser_at(p, ECHO_TOKEN_INTEGER))
        return echo_parser_wrong_token(p, "invalid dimension");
      if (!dim_size(p, &size) ||
          !echo_parser_expect(p, ']', "missing ']' closing scalable dimension"))
        return false;
    } else if (echo_parser_at(p, ECHO_TOKEN_INTEGER)) {
      if (!dim_size(p, &size))
        return false;
    } else {
      return true;
    }
    if (!push_dim(p, dims, size, scalable) || !dim_separator(p))
      return false;
  }
}

/* ---- shaped types ---- */

static bool is_element_type(const EchoType *type)
{
  return type->kind != ECHO_TYPE_NONE && type->kind != ECHO_TYPE_FUNCTION &&
         type->kind != ECHO_TYPE_TUPLE && type->kind != ECHO_TYPE_TENSOR &&
         type->kind != ECHO_TYPE_UNRANKED_TENSOR && type->kind != ECHO_TYPE_MEMREF &&
         type->kind != ECHO_TYPE_UNRANKED_MEMREF;
}

static const EchoType *tensor_type(EchoAsmParser *p)
{
  Dims dims;
  if (!echo_parser_expect(p, '<', "expected '<' in tensor type"))
    return NULL;
  bool unranked = echo_parser_try(p, '*');
  if (unranked ? !dim_separator(p) : !dimension_list(p, true, false, &dims))
    return NULL;
  const char *element_at = p->lexer.token.start;
  const EchoType *element = echo_parser_type(p);
  if (element == NULL)
    return NULL;
  const EchoAttr *encoding = NULL;
  const char *encoding_at = NULL;
  if (echo_parser_try(p, ',')) {
    encoding_at = p->lexer.token.start;
    encoding = echo_parser_attr(p, NULL);
    if (encoding == NULL)
      return NULL;
    if (unranked) {
      echo_parser_error(p, "cannot apply encoding to unranked tensor");
      return NULL;
    }
  }
  if (!echo_parser_expect(p, '>', "expected '>' in tensor type"))
    return NULL;
  if (!is_element_type(element)) {
    echo_parser_error_at(p, element_at, "invalid tensor element type: '%s'",
                         echo_type_text(p->ctx, element));
    return NULL;
  }
  EchoBuffer error = {0};
  bool ok = echo_type_check_encoding(p->ctx, encoding, dims.values, dims.rank, &error);
  if (!ok)
    echo_parser_error_at(p, encoding_at, "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
  if (!ok)
    return NULL;
  return unranked ? echo_type_unranked_tensor(p->ctx, element)
                  : echo_type_tensor(p->ctx, dims.values, dims.rank, element, encoding);
}

static bool is_layout(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_AFFINE_MAP || attr->kind == ECHO_ATTR_STRIDED_LAYOUT;
}

/* Dimensions in order, whatever symbols there are: the layout that is not written. */
static bool is_identity_map(const EchoAttr *map)
{
  if (map->kind != ECHO_ATTR_AFFINE_MAP || map->as.affine.n_dims != map->as.affine.n_results)
    return false;
  for (uint32_t i = 0; i < map->as.affine.n_results; i++) {
    const EchoAffineExpr *result = map->as.affine.results[i];
    if (result->kind != ECHO_AFFINE_DIM || result->value != (int64_t)i)
      return false;
  }
  return true;
}

static bool layout_fits(EchoAsmParser *p, const char *at, const EchoAttr *layout, size_t rank)
{
  if (layout->kind == ECHO_ATTR_AFFINE_MAP && layout->as.affine.n_dims != rank)
    return echo_parser_error_at(p, at,
                                "memref layout mismatch between rank and affine map: %zu != %u",
                                rank, layout->as.affine.n_dims);
  if (layout->kind == ECHO_ATTR_STRIDED_LAYOUT && layout->as.strided.n_strides != rank)
    return echo_parser_error_at(p, at, "expected the number of strides to match the rank");
  return true;
}

static bool is_memory_space(const EchoAttr *attr)
{
  return attr->kind == ECHO_ATTR_INTEGER || attr->kind == ECHO_ATTR_STRING ||
         attr->kind == ECHO_ATTR_DICTIONARY || attr->kind == ECHO_ATTR_OPAQUE;
}

static const EchoType *memref_type(EchoAsmParser *p)
{
  Dims dims;
  const char *start = p->lexer.token.start;
  if (!echo_parser_expect(p, '<', "expected '<' in memref type"))
    return NULL;
  bool unranked = echo_parser_try(p, '*');
  if (unranked ? !dim_separator(p) : !dimension_list(p, true, false, &dims))
    return NULL;
  const char *element_at = p->lexer.token.start;
  const EchoType *element = echo_parser_type(p);
  if (element == NULL)
    return NULL;
  const EchoAttr *layout = NULL, *space = NULL;
  while (!echo_parser_at(p, '>')) {
    bool is_first = layout == NULL && space == NULL;
    if (!echo_parser_expect(
            p, ',', is_first ? "expected ',' or '>' in memref type" : "expected ',' or '>'"))
      return NULL;
    const char *at = p->lexer.token.start;
    const EchoAttr *attr = echo_parser_attr(p, NULL);
    if (attr == NULL)
      return NULL;
    if (space != NULL) {
      echo_parser_error_at(p, at, "multiple memory spaces specified in memref type");
      return NULL;
    }
    if (is_layout(attr)) {
      if (unranked || layout != NULL) {
        echo_parser_error_at(p, at,
                             unranked ? "cannot have affine map for unranked memref type"
                                      : "multiple layouts specified in memref type");
        return NULL;
      }
      if (!layout_fits(p, start, attr, dims.rank))
        return NULL;
      layout = attr;
    } else if (!is_memory_space(attr)) {
      echo_parser_error_at(p, start - strlen("memref"), "unsupported memory space Attribute");
      return NULL;
    } else {
      space = attr;
    }
  }
  echo_parser_consume(p);
  bool nested_memref =
      element->kind == ECHO_TYPE_MEMREF || element->kind == ECHO_TYPE_UNRANKED_MEMREF;
  if (!is_element_type(element) && !nested_memref) {
    echo_parser_error_at(p, element_at, "invalid memref element type");
    return NULL;
  }
  if (layout != NULL && is_identity_map(layout))
    layout = NULL;
  if (space != NULL && space->kind == ECHO_ATTR_INTEGER && space->as.integer.value == 0 &&
      space->as.integer.words == NULL)
    space = NULL;
  return unranked ? echo_type_unranked_memref(p->ctx, element, space)
                  : echo_type_memref(p->ctx, dims.values, dims.rank, element, layout, space);
}

static const EchoType *vector_type(EchoAsmParser *p)
{
  Dims dims;
  if (!echo_parser_expect(p, '<', "expected '<' in vector type"))
    return NULL;
  const char *dims_at = p->lexer.token.start;
  if (!dimension_list(p, false, true, &dims))
    return NULL;
  for (size_t i = 0; i < dims.rank; i++) {
    if (dims.values[i] == 0) {
      echo_parser_error_at(p, dims_at, "vector types must have positive constant sizes");
      return NULL;
    }
  }
  const char *element_at = p->lexer.token.start;
  const EchoType *element = echo_parser_type(p);
  if (element == NULL || !echo_parser_expect(p, '>', "expected '>' in vector type"))
    return NULL;
  if (element->kind != ECHO_TYPE_INTEGER && element->kind != ECHO_TYPE_INDEX &&
      element->kind != ECHO_TYPE_FLOAT) {
    echo_parser_error_at(p, element_at, "vector elements must be int/index/float type but got '%s'",
                         echo_type_text(p->ctx, element));
    return NULL;
  }
  return echo_type_vector(p->ctx, dims.values, dims.rank, element, dims.scalable);
}

static const EchoType *complex_type(EchoAsmParser *p)
{
  if (!echo_parser_expect(p, '<', "expected '<' in complex type"))
    return NULL;
  const char *at = p->lexer.token.start;
  const EchoType *element = echo_parser_type(p);
  if (element == NULL || !echo_parser_expect(p, '>', "expected '>' in complex type"))
    return NULL;
  if (element->kind != ECHO_TYPE_INTEGER && element->kind != ECHO_TYPE_FLOAT) {
    echo_parser_error_at(p, at, "invalid element type for complex");
    return NULL;
  }
  return echo_type_complex(p->ctx, element);
}

static const EchoType *tuple_type(EchoAsmParser *p)
{
  if (!echo_parser_expect(p, '<', "expected '<' in tuple type"))
    return NULL;
  size_t mark = p->types.size;
  if (!echo_parser_at(p, '>')) {
    do {
      const EchoType *element = echo_parser_type(p);
      if (element == NULL)
        return NULL;
      echo_vector_push(&p->types, element);
    } while (echo_parser_try(p, ','));
  }
  if (!echo_parser_expect(p, '>', "expected '>' in tuple type"))
    return NULL;
  const EchoType *type = echo_type_tuple(p->ctx, p->types.size > mark ? &p->types.data[mark] : NULL,
                                         p->types.size - mark);
  p->types.size = mark;
  return type;
}

/* ---- lists and functions ---- */

bool echo_parser_type_list_parens(EchoAsmParser *p)
{
  if (!echo_parser_expect(p, '(', "expected '('"))
    return false;
  if (echo_parser_try(p, ')'))
    return true;
  do {
    const EchoType *type = echo_parser_type(p);
    if (type == NULL)
      return false;
    echo_vector_push(&p->types, type);
  } while (echo_parser_try(p, ','));
  return echo_parser_expect(p, ')', "expected ')'");
}

bool echo_parser_result_types(EchoAsmParser *p)
{
  if (echo_parser_at(p, '('))
    return echo_parser_type_list_parens(p);
  const EchoType *type = echo_parser_non_function_type(p);
  if (type == NULL)
    return false;
  echo_vector_push(&p->types, type);
  return true;
}

static const EchoType *function_type(EchoAsmParser *p)
{
  size_t mark = p->types.size;
  if (!echo_parser_type_list_parens(p))
    return NULL;
  size_t n_inputs = p->types.size - mark;
  if (!echo_parser_expect(p, ECHO_TOKEN_ARROW, "expected '->' in function type") ||
      !echo_parser_result_types(p))
    return NULL;
  const EchoType *const *types = p->types.data + mark;
  const EchoType *type = echo_type_function(p->ctx, types, n_inputs, types + n_inputs,
                                            p->types.size - mark - n_inputs);
  p->types.size = mark;
  return type;
}

/* ---- names ---- */

/* "i32", "si8", "ui1": NULL and silent when the text is no such name. */
static const EchoType *integer_type_or_null(EchoAsmParser *p, EchoStr text, bool *too_wide)
{
  EchoSignedness signedness = text.data[0] == 's'   ? ECHO_SIGNED
                              : text.data[0] == 'u' ? ECHO_UNSIGNED
                                                    : ECHO_SIGNLESS;
  size_t i = signedness == ECHO_SIGNLESS ? 0 : 1;
  if (text.size < i + 2 || text.data[i] != 'i' || !echo_char_is(text.data[i + 1], ECHO_CHAR_DIGIT))
    return NULL;
  uint64_t width = 0;
  for (i++; i < text.size; i++) {
    if (!echo_char_is(text.data[i], ECHO_CHAR_DIGIT))
      return NULL;
    if (width < UINT32_MAX)
      width = width * 10 + (uint64_t)(text.data[i] - '0');
  }
  *too_wide = width > (1u << 24) - 1;
  return *too_wide ? NULL : echo_type_integer(p->ctx, (uint32_t)width, signedness);
}

static const EchoType *float_type_or_null(EchoContext *ctx, EchoStr text)
{
  for (int kind = 0; kind < ECHO_N_FLOAT_KINDS; kind++)
    if (echo_str_is(text, echo_float_name((EchoFloatKind)kind)))
      return ctx->floats[kind];
  return NULL;
}

typedef const EchoType *TypeFn(EchoAsmParser *p);

static TypeFn *composite_or_null(EchoStr name)
{
  static const struct {
    const char *name;
    TypeFn *parse;
  } rows[] = {{"tensor", tensor_type},
              {"memref", memref_type},
              {"vector", vector_type},
              {"complex", complex_type},
              {"tuple", tuple_type}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (echo_str_is(name, rows[i].name))
      return rows[i].parse;
  return NULL;
}

static const EchoType *simple_type_or_null(EchoAsmParser *p, EchoStr text, bool *too_wide)
{
  *too_wide = false;
  if (text.size == 3 && memcmp(text.data, "f32", 3) == 0)
    return p->ctx->floats[ECHO_F32];
  if (text.data[0] == 'i' || text.data[0] == 's' || text.data[0] == 'u') {
    if (text.size == 3 && memcmp(text.data, "i32", 3) == 0)
      return p->ctx->i32;
    if (echo_str_is(text, "index"))
      return p->ctx->index;
    return integer_type_or_null(p, text, too_wide);
  }
  if (echo_str_is(text, "none"))
    return p->ctx->none;
  return float_type_or_null(p->ctx, text);
}

static const EchoType *extended_type(EchoAsmParser *p)
{
  EchoToken token = p->lexer.token;
  EchoStr name = {token.start + 1, (size_t)(token.end - token.start - 1)};
  if (memchr(name.data, '.', name.size) == NULL && *p->lexer.cursor != '<') {
    uint64_t alias = echo_string_map_get_or(&p->type_aliases, name, 0);
    if (alias == 0) {
      echo_parser_error(p, "undefined symbol alias id '%.*s'", ECHO_STR_ARG(name));
      return NULL;
    }
    echo_parser_consume(p);
    return (const EchoType *)(uintptr_t)alias;
  }
  EchoStr dialect, text;
  bool is_pretty;
  if (!echo_parser_dialect_symbol(p, &dialect, &text, &is_pretty))
    return NULL;
  dialect = echo_context_todays_name(p->ctx, dialect);
  const EchoDialect *owner = echo_context_dialect_or_null(p->ctx, dialect);
  if (owner == NULL && !echo_keeps_unknown(p->ctx, dialect)) {
    echo_parser_error_at(p, token.start,
                         "dialect '%.*s' provides no type parsing hook, or is not registered",
                         ECHO_STR_ARG(dialect));
    return NULL;
  }
  EchoTextParts parts = {0};
  EchoBuffer canonical = {0};
  const EchoType *type = NULL;
  if (echo_parser_text_parts(p, dialect, text, &parts) &&
      (owner == NULL || owner->check_type == NULL ||
       owner->check_type(p->ctx, echo_parser_loc(p, token.start), text))) {
    if (owner != NULL && owner->canonical_type != NULL && parts.size == 0 &&
        owner->canonical_type(p->ctx, text, &canonical))
      text = echo_buffer_str(&canonical);
    type = echo_type_opaque_of_parts(p->ctx, dialect, text, parts.data, parts.size);
  }
  echo_buffer_destroy(&canonical);
  echo_vector_destroy(&parts);
  return type;
}

/* ---- whole types, remembered by their text ---- */

/* The text of "tensor<…>" when it holds no nested brackets or strings, from its first letter to
 * ">"; else empty. */
static EchoStr plain_composite_text(const EchoAsmParser *p)
{
  const char *c = p->lexer.cursor;
  if (*c != '<')
    return (EchoStr){NULL, 0};
  for (c++; *c != '>'; c++)
    if (*c == '<' || *c == '"' || *c == '\0' || *c == '\n' || *c == '-' || *c == '#' ||
        c - p->lexer.cursor > 64)
      return (EchoStr){NULL, 0};
  return (EchoStr){p->lexer.token.start, (size_t)(c + 1 - p->lexer.token.start)};
}

static EchoCachedType *cache_slot(EchoAsmParser *p, EchoStr text)
{
  uint64_t hash = echo_hash_bytes(text.data, text.size, 0);
  return &p->type_cache[(hash ^ hash >> 32) % ECHO_TYPE_CACHE_SIZE];
}

static const EchoType *composite_type(EchoAsmParser *p, TypeFn *parse)
{
  EchoStr text = plain_composite_text(p);
  EchoCachedType *slot = NULL;
  if (text.size != 0) {
    slot = cache_slot(p, text);
    if (echo_str_equal(slot->text, text)) {
      echo_lexer_restart(&p->lexer, text.data + text.size);
      return slot->type;
    }
  }
  if (!echo_parser_enter(p))
    return NULL;
  echo_parser_consume(p);
  const EchoType *type = parse(p);
  echo_parser_leave(p);
  if (type != NULL && slot != NULL)
    *slot = (EchoCachedType){text, type};
  return type;
}

bool echo_parser_at_type(EchoAsmParser *p)
{
  EchoToken token = p->lexer.token;
  if (token.kind != ECHO_TOKEN_BARE_ID)
    return token.kind == ECHO_TOKEN_EXCLAM_ID || token.kind == '(';
  bool too_wide;
  EchoStr text = echo_token_text(token);
  return composite_or_null(text) != NULL || simple_type_or_null(p, text, &too_wide) != NULL ||
         too_wide;
}

const EchoType *echo_parser_non_function_type(EchoAsmParser *p)
{
  EchoToken token = p->lexer.token;
  if (token.kind == ECHO_TOKEN_EXCLAM_ID)
    return extended_type(p);
  if (token.kind == ECHO_TOKEN_BARE_ID) {
    EchoStr text = echo_token_text(token);
    TypeFn *parse = composite_or_null(text);
    if (parse != NULL)
      return composite_type(p, parse);
    bool too_wide;
    const EchoType *type = simple_type_or_null(p, text, &too_wide);
    if (type != NULL) {
      echo_parser_consume(p);
      return type;
    }
    if (too_wide) {
      echo_parser_error(p, "integer bitwidth is limited to %d bits", ECHO_MAX_INTEGER_WIDTH);
      return NULL;
    }
  }
  echo_parser_wrong_token(p, "expected non-function type");
  return NULL;
}

const EchoType *echo_parser_type(EchoAsmParser *p)
{
  if (!echo_parser_at(p, '('))
    return echo_parser_non_function_type(p);
  if (!echo_parser_enter(p))
    return NULL;
  const EchoType *type = function_type(p);
  echo_parser_leave(p);
  return type;
}
