/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes made of many numbers: dense<…>, array<…>, sparse<…>, dense_resource<…>. The literal
 * stands before its type, so the parser first finds the closing '>', reads the type, and then goes
 * over the literal once, straight into host data. */
#include "ir/text/parse/attribute/elements_t.h"

#include "ir/attributes/element.h"
#include "ir/text/parse/attribute/literal_t.h"
#include "ir/text/parse/attribute/type_t.h"
#include "ir/text/parse/tokens_t.h"

/* ---- finding the end ---- */

/* The '>' that closes a literal whose text starts at `from`; NULL when there is none. Literals hold
 * no brackets "<>". */
static const char *closing_angle_or_null(EchoLexer *lexer, const char *from)
{
  enum { STRETCH_BYTES = 1 << 16 };
  static const bool SPECIAL[256] = {['>'] = true, ['"'] = true, ['/'] = true, ['\0'] = true};
  for (const char *c = from;; c++) {
    const char *stop = lexer->end - c < STRETCH_BYTES ? lexer->end : c + STRETCH_BYTES;
    while (c < stop && !SPECIAL[(unsigned char)*c])
      c++;
    echo_lexer_forget_before(lexer, c);
    if (!SPECIAL[(unsigned char)*c]) {
      c--;
      continue;
    }
    if (*c == '>')
      return c[-1] == '-' ? NULL : c; /* an arrow is part of something else */
    if (*c == '"') {
      c = echo_string_end_or_null(lexer, c, lexer->end);
      if (c == NULL)
        return NULL;
      c--;
    } else if (*c == '/' && c[1] == '/') {
      c = memchr(c, '\n', (size_t)(lexer->end - c));
      if (c == NULL)
        return NULL;
    } else if (*c == '\0' && c >= lexer->end) {
      return NULL;
    }
  }
}

/* ": type", or the type that the context gives. */
static const EchoType *trailing_type(EchoAsmParser *p, const EchoType *given)
{
  if (given != NULL)
    return given;
  return echo_parser_expect(p, ':', "expected ':'") ? echo_parser_type(p) : NULL;
}

/* The same for ranked, static tensors and vectors only. */
static const EchoType *elements_type(EchoAsmParser *p, const char *at, const EchoType *given)
{
  const EchoType *type = trailing_type(p, given);
  if (type == NULL)
    return NULL;
  if (!echo_type_is_shaped(type)) {
    echo_parser_error_at(p, at, "elements literal must be a shaped type");
    return NULL;
  }
  if (!echo_type_has_static_shape(type)) {
    echo_parser_error_at(p, at, "elements literal type must have static shape");
    return NULL;
  }
  return type;
}

/* Steps over a literal that starts behind the current token '<' or ','; the current token is then
 * what follows it. */
static bool skip_literal(EchoAsmParser *p, const char **start, const char **end)
{
  *start = p->lexer.cursor;
  *end = closing_angle_or_null(&p->lexer, *start);
  if (*end == NULL) {
    return echo_parser_error(p, "elements literal is not closed by '>'");
  }
  echo_lexer_restart(&p->lexer, *end);
  echo_parser_consume(p);
  return true;
}

/* ---- dense<…> ---- */

static bool has_shape(const Literal *literal, const EchoType *type)
{
  return literal->rank == type->as.shaped.rank &&
         (literal->rank == 0 ||
          memcmp(literal->dims, type->as.shaped.dims, literal->rank * sizeof *literal->dims) == 0);
}

static void append_dims(EchoBuffer *out, const int64_t *dims, size_t rank)
{
  for (size_t i = 0; i < rank; i++) {
    if (i != 0)
      echo_buffer_append_c(out, ", ");
    echo_buffer_append_i64(out, dims[i]);
  }
}

static bool wrong_shape(EchoAsmParser *p, const char *at, const Literal *literal,
                        const EchoType *type)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "inferred shape of elements literal ([");
  append_dims(&text, literal->dims, literal->rank);
  echo_buffer_append_c(&text, "]) does not match type ([");
  append_dims(&text, type->as.shaped.dims, type->as.shaped.rank);
  echo_buffer_append_c(&text, "])");
  echo_parser_error_at(p, at, "%s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

/* Bits of an element in MLIR's own buffers: i1 is one bit, all else whole bytes. */
static uint64_t raw_element_bits(const EchoType *element)
{
  if (element->kind == ECHO_TYPE_COMPLEX)
    return 2 * echo_align_up(echo_type_bit_width(element->as.shaped.element), 8);
  if (element->kind == ECHO_TYPE_INDEX)
    return 64;
  uint64_t width = echo_type_bit_width(element);
  return width == 1 ? 1 : echo_align_up(width, 8);
}

/* "0x" of i0 or complex<i0>, whose elements have no bits: zeros, however many there are. */
static const EchoAttr *elements_without_bits(EchoContext *ctx, const EchoType *type, size_t n)
{
  static const uint8_t zeros[2] = {0};
  return echo_attr_elements(ctx, type, zeros, n == 0 ? 0 : echo_type_element_bytes(type), n != 0);
}

/* Spreads raw scalars of raw_bytes each over host scalars. */
static void spread(const EchoType *scalar, const uint8_t *raw, size_t raw_bytes, size_t n,
                   uint8_t *host)
{
  size_t host_bytes = echo_type_element_bytes(scalar);
  uint32_t width = echo_type_bit_width(scalar);
  for (size_t i = 0; i < n; i++, raw += raw_bytes, host += host_bytes) {
    memset(host, 0, host_bytes);
    memcpy(host, raw, raw_bytes < host_bytes ? raw_bytes : host_bytes);
    if (width % 8 != 0 && width / 8 < host_bytes)
      host[width / 8] &= (uint8_t)((1u << width % 8) - 1);
  }
}

/* i1 as bits, or as bytes: told apart by how many there are. */
static bool unpack_bools(const uint8_t *raw, size_t size, size_t n, uint8_t *host, bool *is_splat)
{
  if (size == 1 && n > 8) {
    *is_splat = true;
    host[0] = raw[0] & 1;
    return raw[0] == 0 || raw[0] == 0xff || raw[0] == 1;
  }
  if (size == (n + 7) / 8) {
    for (size_t i = 0; i < n; i++)
      host[i] = raw[i / 8] >> i % 8 & 1;
    return true;
  }
  for (size_t i = 0; i < n; i++)
    host[i] = raw[i] & 1;
  return size == n;
}

/* "0x…" to bytes; false when it is something else. */
static bool hex_bytes(EchoAsmParser *p, EchoStr content, uint8_t *bytes)
{
  enum { STRETCH_DIGITS = 1 << 16 };
  if (content.size < 2 || content.data[0] != '0' || content.data[1] != 'x' || content.size % 2 != 0)
    return false;
  echo_lexer_look_again(&p->lexer, content.data);
  const char *digits = content.data + 2, *end = content.data + content.size;
  for (; digits < end; digits += STRETCH_DIGITS, bytes += STRETCH_DIGITS / 2) {
    size_t left = (size_t)(end - digits);
    if (!echo_hex_decode((EchoStr){digits, left < STRETCH_DIGITS ? left : STRETCH_DIGITS}, bytes))
      return false;
    echo_lexer_forget_before(&p->lexer, digits);
  }
  return true;
}

static const EchoAttr *blob(EchoAsmParser *p, const char *at, EchoStr content, const EchoType *type,
                            size_t n)
{
  const EchoType *element = type->as.shaped.element;
  if (element->kind != ECHO_TYPE_INTEGER && element->kind != ECHO_TYPE_INDEX &&
      element->kind != ECHO_TYPE_FLOAT && element->kind != ECHO_TYPE_COMPLEX) {
    echo_parser_error_at(p, at,
                         "expected floating-point, integer, or complex element type, got '%s'",
                         echo_type_text(p->ctx, element));
    return NULL;
  }
  size_t size = content.size / 2 == 0 ? 0 : content.size / 2 - 1;
  uint8_t *raw = echo_alloc(size + 1);
  if (!hex_bytes(p, content, raw)) {
    echo_free(raw);
    echo_parser_error_at(p, at, "expected string containing hex digits starting with `0x`");
    return NULL;
  }
  uint64_t bits = raw_element_bits(element);
  if (bits == 0 && size == 0) {
    echo_free(raw);
    return elements_without_bits(p->ctx, type, n);
  }
  bool is_splat = bits != 1 && n != 1 && size == bits / 8;
  bool fits = bits == 0   ? false
              : bits == 1 ? size == n || size == (n + 7) / 8 || size == 1
                          : is_splat || (size % (bits / 8) == 0 && size / (bits / 8) == n);
  size_t n_stored = is_splat ? 1 : n;
  size_t host_bytes = echo_type_element_bytes(element);
  const EchoAttr *attr = NULL;
  bool same_layout = bits != 1 && bits / 8 == host_bytes && echo_type_bit_width(element) % 8 == 0;
  if (fits && same_layout) {
    return echo_attr_elements_adopt(p->ctx, type, raw, size, is_splat);
  }
  if (fits) {
    bool is_complex = element->kind == ECHO_TYPE_COMPLEX;
    uint8_t *host = echo_alloc(n_stored * host_bytes + 1);
    if (bits == 1)
      fits = unpack_bools(raw, size, n, host, &is_splat);
    else
      spread(is_complex ? element->as.shaped.element : element, raw, bits / 8 / (1u + is_complex),
             n_stored * (1u + is_complex), host);
    n_stored = is_splat ? 1 : n;
    if (fits)
      attr = echo_attr_elements_adopt(p->ctx, type, host, n_stored * host_bytes, is_splat);
    else
      echo_free(host);
  }
  if (!fits)
    echo_parser_error_at(p, at, "elements hex data size is invalid for provided type: '%s'",
                         echo_type_text(p->ctx, type));
  echo_free(raw);
  return attr;
}

/* A literal whose type is known, from its text. */
static const EchoAttr *elements_from(EchoAsmParser *p, const char *at, const char *start,
                                     const char *end, const EchoType *type)
{
  int64_t n_elements;
  uint64_t n_bits;
  if (!echo_type_n_listed(type, &n_elements) ||
      !echo_mul_u64((uint64_t)n_elements, UINT64_C(1) << 12, &n_bits)) {
    echo_parser_error_at(p, at, "number of elements of '%s' overflows",
                         echo_type_text(p->ctx, type));
    return NULL;
  }
  Literal literal;
  if (!echo_literal_parse(p, &literal, start, end, type->as.shaped.element, (size_t)n_elements)) {
    echo_literal_destroy(&literal);
    return NULL;
  }
  const EchoAttr *attr = NULL;
  if (literal.hex.data != NULL)
    attr = blob(p, at, literal.hex, type, (size_t)n_elements);
  else if (literal.is_list && !has_shape(&literal, type))
    wrong_shape(p, at, &literal, type);
  else if (literal.n_elements == 0 && n_elements != 0)
    echo_parser_error_at(p, at, "parsed zero elements, but type ('%s') expected at least 1",
                         echo_type_text(p->ctx, type));
  else if (literal.are_strings)
    attr = echo_attr_dense_strings(p->ctx, type, literal.strings.data, literal.strings.size);
  else {
    bool is_splat = !literal.is_list && literal.n_elements == 1;
    attr = echo_attr_elements_adopt(p->ctx, type, echo_literal_take(&literal), literal.size_bytes,
                                    is_splat);
  }
  echo_literal_destroy(&literal);
  return attr;
}

/* "<literal> : type" behind the keyword, with the literal still as text; NULL after an error. */
static const EchoType *typed_literal(EchoAsmParser *p, const char *keyword,
                                     const EchoType *type_or_null, const char **start,
                                     const char **end)
{
  const char *at = p->lexer.token.start;
  echo_parser_consume(p);
  if (!echo_parser_at(p, '<')) {
    echo_parser_wrong_token(p, "expected '<' after '%s'", keyword);
    return NULL;
  }
  return skip_literal(p, start, end) ? elements_type(p, at, type_or_null) : NULL;
}

const EchoAttr *echo_parser_dense(EchoAsmParser *p, const EchoType *type_or_null)
{
  const char *at = p->lexer.token.start, *start, *end;
  const EchoType *type = typed_literal(p, "dense", type_or_null, &start, &end);
  return type != NULL ? elements_from(p, at, start, end, type) : NULL;
}

/* ---- sparse<indices, values> ---- */

/* The ',' between the two literals: the first that no bracket encloses. */
static const char *top_level_comma_or_null(const char *start, const char *end)
{
  size_t depth = 0;
  for (const char *c = start; c < end; c++) {
    if (*c == '[' || *c == '(')
      depth++;
    else if (*c == ']' || *c == ')')
      depth -= depth != 0;
    else if (*c == ',' && depth == 0)
      return c;
    else if (*c == '"') {
      c = echo_string_end_or_null(NULL, c, end);
      if (c == NULL)
        return NULL;
      c--; /* the closing quote */
    }
  }
  return NULL;
}

static const EchoType *literal_type(EchoContext *ctx, const Literal *literal,
                                    const EchoType *element, const int64_t *splat_dims,
                                    size_t splat_rank)
{
  return literal->is_list ? echo_type_tensor(ctx, literal->dims, literal->rank, element, NULL)
                          : echo_type_tensor(ctx, splat_dims, splat_rank, element, NULL);
}

static const EchoAttr *literal_attr(EchoAsmParser *p, const char *at, Literal *literal,
                                    const EchoType *type)
{
  if (literal->hex.data != NULL)
    return blob(p, at, literal->hex, type, (size_t)echo_type_static_n_elements(type));
  if (literal->are_strings)
    return echo_attr_dense_strings(p->ctx, type, literal->strings.data, literal->strings.size);
  return echo_attr_elements_adopt(p->ctx, type, echo_literal_take(literal), literal->size_bytes,
                                  !literal->is_list && literal->n_elements == 1);
}

static bool sparse_index_error(EchoAsmParser *p, const char *at, const EchoAttr *indices,
                               size_t row, const EchoType *type)
{
  EchoBuffer index = {0};
  size_t rank = type->as.shaped.rank;
  for (size_t i = 0; i < rank; i++) {
    echo_buffer_append_c(&index, i == 0 ? "" : ", ");
    echo_buffer_append_i64(&index, echo_elements_i64(indices, row * rank + i));
  }
  echo_parser_error_at(p, at,
                       "sparse index #%zu is not contained within the value shape, with "
                       "index=[%s], and type='%s'",
                       row, echo_buffer_c_str(&index), echo_type_text(p->ctx, type));
  echo_buffer_destroy(&index);
  return false;
}

/* Every index lies inside the shape. */
static bool check_sparse_indices(EchoAsmParser *p, const char *at, const EchoAttr *indices,
                                 const EchoType *type)
{
  size_t rank = type->as.shaped.rank;
  size_t n = (size_t)echo_type_static_n_elements(indices->type);
  for (size_t i = 0; i < n; i++) {
    int64_t index = echo_elements_i64(indices, i);
    if (index < 0 || index >= type->as.shaped.dims[i % rank])
      return sparse_index_error(p, at, indices, i / rank, type);
  }
  return true;
}

static const EchoAttr *no_elements(EchoContext *ctx, const EchoType *type)
{
  bool is_numeric = type->as.shaped.element->kind == ECHO_TYPE_INTEGER ||
                    type->as.shaped.element->kind == ECHO_TYPE_INDEX ||
                    type->as.shaped.element->kind == ECHO_TYPE_FLOAT ||
                    type->as.shaped.element->kind == ECHO_TYPE_COMPLEX;
  return is_numeric ? echo_attr_elements(ctx, type, "", 0, false)
                    : echo_attr_dense_strings(ctx, type, NULL, 0);
}

/* sparse<> */
static const EchoAttr *empty_sparse(EchoContext *ctx, const EchoType *type)
{
  const int64_t no_indices[2] = {0, type->as.shaped.rank}, no_values[1] = {0};
  const EchoType *indices = echo_type_tensor(ctx, no_indices, 2, echo_type_i64(ctx), NULL);
  const EchoType *values = echo_type_tensor(ctx, no_values, 1, type->as.shaped.element, NULL);
  return echo_attr_sparse(ctx, type, no_elements(ctx, indices), no_elements(ctx, values));
}

/* The attribute of two literals; values may be hexadecimal, as long lists of them are printed. */
static const EchoAttr *sparse_of(EchoAsmParser *p, const char *at, Literal *indices,
                                 Literal *values, const EchoType *type)
{
  const EchoType *i64 = echo_type_i64(p->ctx), *element = type->as.shaped.element;
  bool has_values = values->hex.data != NULL || values->n_elements != 0;
  if (indices->is_list && indices->n_elements == 0 && values->is_list && !has_values)
    return empty_sparse(p->ctx, type);
  if (indices->hex.data != NULL || (indices->is_list && indices->rank > 2) ||
      indices->n_elements == 0 || !has_values) {
    echo_parser_error_at(p, at, "expected a list of indices and one of values");
    return NULL;
  }
  const int64_t one_index[2] = {1, type->as.shaped.rank};
  const EchoType *indices_type = literal_type(p->ctx, indices, i64, one_index, 2);
  const int64_t n_values[1] = {indices_type->as.shaped.dims[0]};
  const EchoType *values_type = literal_type(p->ctx, values, element, n_values, 1);
  int64_t width = indices_type->as.shaped.rank == 2 ? indices_type->as.shaped.dims[1] : 1;
  if (width != type->as.shaped.rank || values_type->as.shaped.dims[0] != n_values[0] ||
      values_type->as.shaped.rank != 1) {
    echo_parser_error_at(p, at, "sparse indices do not match the shape or number of values");
    return NULL;
  }
  const EchoAttr *index_attr = literal_attr(p, at, indices, indices_type);
  if (!check_sparse_indices(p, at, index_attr, type))
    return NULL;
  const EchoAttr *value_attr = literal_attr(p, at, values, values_type);
  return value_attr != NULL ? echo_attr_sparse(p->ctx, type, index_attr, value_attr) : NULL;
}

static const EchoAttr *sparse_from(EchoAsmParser *p, const char *at, const char *start,
                                   const char *end, const EchoType *type)
{
  const EchoType *i64 = echo_type_i64(p->ctx), *element = type->as.shaped.element;
  const char *comma = top_level_comma_or_null(start, end);
  if (echo_lexer_skip_blank(&p->lexer, start) >= end)
    return empty_sparse(p->ctx, type);
  if (comma == NULL) {
    echo_parser_error_at(p, end, "expected ','");
    return NULL;
  }
  Literal indices, values = {0};
  bool fine = echo_literal_parse(p, &indices, start, comma, i64, 0) &&
              echo_literal_parse(p, &values, comma + 1, end, element, 0);
  const EchoAttr *attr = fine ? sparse_of(p, at, &indices, &values, type) : NULL;
  echo_literal_destroy(&indices);
  echo_literal_destroy(&values);
  return attr;
}

const EchoAttr *echo_parser_sparse(EchoAsmParser *p, const EchoType *type_or_null)
{
  const char *at = p->lexer.token.start, *start, *end;
  const EchoType *type = typed_literal(p, "sparse", type_or_null, &start, &end);
  return type != NULL ? sparse_from(p, at, start, end, type) : NULL;
}

/* ---- dense_resource<key> ---- */

const EchoAttr *echo_parser_dense_resource(EchoAsmParser *p, const EchoType *type_or_null)
{
  const char *at = p->lexer.token.start;
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '<', "expected '<' after 'dense_resource'"))
    return NULL;
  EchoStr key = echo_parser_text(p);
  if (echo_parser_at(p, ECHO_TOKEN_STRING)) {
    key = echo_string_unescape(echo_context_arena(p->ctx), key);
  } else if (!echo_parser_at(p, ECHO_TOKEN_BARE_ID)) {
    echo_parser_wrong_token(p, "expected identifier key for 'resource' entry");
    return NULL;
  }
  echo_parser_consume(p);
  if (!echo_parser_expect(p, '>', "expected '>'"))
    return NULL;
  const EchoType *type = trailing_type(p, type_or_null);
  if (type == NULL)
    return NULL;
  if (!echo_type_is_shaped(type)) {
    echo_parser_error_at(p, at, "`dense_resource` expected a shaped type");
    return NULL;
  }
  return echo_attr_dense_resource(p->ctx, type, key);
}

/* ---- array<i64: …> ---- */

static bool is_array_element(const EchoType *type)
{
  if (type->kind == ECHO_TYPE_FLOAT)
    return echo_type_bit_width(type) % 8 == 0;
  return type->kind == ECHO_TYPE_INTEGER &&
         (type->as.integer.width == 1 || type->as.integer.width % 8 == 0) &&
         type->as.integer.width <= 64;
}

const EchoAttr *echo_parser_dense_array(EchoAsmParser *p)
{
  if (!echo_parser_expect(p, '<', "expected '<' after 'array'"))
    return NULL;
  const char *at = p->lexer.token.start;
  const EchoType *element = echo_parser_type(p);
  if (element == NULL)
    return NULL;
  if (element->kind != ECHO_TYPE_INTEGER && element->kind != ECHO_TYPE_FLOAT) {
    echo_parser_error_at(p, at, "expected integer or float type, got: '%s'",
                         echo_type_text(p->ctx, element));
    return NULL;
  }
  if (!is_array_element(element)) {
    echo_parser_error_at(p, at,
                         echo_type_bit_width(element) > 64
                             ? "array elements are limited to 64 bits"
                             : "element type bitwidth must be a multiple of 8");
    return NULL;
  }
  if (echo_parser_try(p, '>'))
    return echo_attr_dense_array(p->ctx, element, NULL, 0);
  if (!echo_parser_at(p, ':')) {
    echo_parser_wrong_token(p, "expected ':' after dense array type");
    return NULL;
  }
  const char *start = p->lexer.cursor;
  const char *end = closing_angle_or_null(&p->lexer, start);
  if (end == NULL) {
    echo_parser_wrong_token(p, "expected '>' to close an array attribute");
    return NULL;
  }
  Literal literal;
  const EchoAttr *attr = NULL;
  if (echo_literal_parse_flat(p, &literal, start, end, element)) {
    attr = echo_attr_dense_array(p->ctx, element, literal.data, literal.n_elements);
    echo_lexer_restart(&p->lexer, end);
    echo_parser_consume(p);
  }
  echo_literal_destroy(&literal);
  return attr;
}
