/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading lists of numbers. The common forms (decimal integers that fit 64 bits, decimal floats
 * with few digits) are converted in place and exactly; all others go through slower, general code.
 */
#include "ir/text/parse/attribute/literal_t.h"

#include "base/decimal.h"
#include "ir/attributes/element.h"
#include "ir/text/parse/attribute/type_t.h"
#include "ir/text/parse/tokens_t.h"

/* What may stand for one number. */
typedef struct Number {
  const char *start, *end; /* without the sign */
  bool negative, is_float, is_hex, is_word;
} Number;

/* ---- storing ---- */

static uint8_t *next_element(Literal *literal, size_t size_bytes)
{
  if (literal->capacity_bytes - literal->size_bytes < size_bytes) {
    size_t capacity = literal->capacity_bytes * 2 + 64;
    literal->data = echo_realloc_array(literal->data, capacity, 1);
    literal->capacity_bytes = capacity;
  }
  uint8_t *place = literal->data + literal->size_bytes;
  literal->size_bytes += size_bytes;
  return place;
}

static void store_u64(const EchoType *scalar, uint8_t *place, uint64_t value)
{
  switch (echo_type_element_bytes(scalar)) {
  case 4: {
    uint32_t v = (uint32_t)value;
    if (scalar->as.integer.width == 32)
      memcpy(place, &v, sizeof v);
    else
      echo_element_store_i64(scalar, place, (int64_t)value);
    return;
  }
  case 8:
    if (scalar->kind == ECHO_TYPE_INDEX || scalar->as.integer.width == 64) {
      memcpy(place, &value, sizeof value);
      return;
    }
    break;
  default:
    break;
  }
  echo_element_store_i64(scalar, place, (int64_t)value);
}

static void store_f64(const EchoType *scalar, uint8_t *place, double value)
{
  if (scalar->as.float_kind == ECHO_F32) {
    float single = (float)value;
    memcpy(place, &single, sizeof single);
  } else if (scalar->as.float_kind == ECHO_F64) {
    memcpy(place, &value, sizeof value);
  } else {
    echo_element_store_f64(scalar, place, value);
  }
}

/* ---- integers ---- */

static uint32_t scalar_width(const EchoType *scalar)
{
  return scalar->kind == ECHO_TYPE_INDEX ? 64 : scalar->as.integer.width;
}

/* Whether `magnitude`, negated or not, is a value of the type: signless types take both ranges. */
static bool fits_u64(const EchoType *scalar, bool negative, uint64_t magnitude)
{
  uint32_t width = scalar_width(scalar);
  bool is_signed = scalar->kind == ECHO_TYPE_INDEX || scalar->as.integer.signedness == ECHO_SIGNED;
  if (width == 0)
    return magnitude == 0 && !negative;
  uint64_t half = UINT64_C(1) << ((width > 64 ? 64 : width) - 1);
  if (width > 64)
    return !negative || magnitude != 0;
  if (negative)
    return magnitude != 0 && magnitude <= half;
  if (is_signed)
    return magnitude < half;
  return width == 64 || magnitude >> width == 0;
}

static bool integer_words(EchoStr text, bool negative, uint32_t width, EchoSignedness signedness,
                          bool is_index, uint64_t *words, size_t n_words)
{
  bool is_hex = text.size > 1 && text.data[1] == 'x';
  memset(words, 0, n_words * sizeof *words);
  for (size_t i = is_hex ? 2 : 0; i < text.size; i++) {
    uint64_t carry = is_hex ? echo_hex_value(text.data[i]) : (uint64_t)(text.data[i] - '0');
    for (size_t j = 0; j < n_words; j++) {
      uint64_t low = (words[j] & UINT32_MAX) * (is_hex ? 16 : 10) + carry;
      uint64_t high = (words[j] >> 32) * (is_hex ? 16 : 10) + (low >> 32);
      words[j] = high << 32 | (low & UINT32_MAX);
      carry = high >> 32;
    }
    if (carry != 0)
      return false;
  }
  uint32_t top_bits = width % 64 == 0 ? 64 : width % 64;
  uint64_t mask = top_bits == 64 ? UINT64_MAX : (UINT64_C(1) << top_bits) - 1;
  if ((words[n_words - 1] & ~mask) != 0)
    return false;
  if (negative) {
    uint64_t carry = 1;
    for (size_t j = 0; j < n_words; j++) {
      words[j] = ~words[j] + carry;
      carry = carry != 0 && words[j] == 0;
    }
  }
  bool sign = (words[n_words - 1] >> (top_bits - 1) & 1) != 0;
  words[n_words - 1] &= mask;
  if (negative)
    return sign;
  return !(sign && (signedness == ECHO_SIGNED || is_index));
}

/* An integer wider than 64 bits, in little-endian host words. */
static bool store_wide(const EchoType *scalar, uint8_t *place, const Number *number)
{
  enum { MAX_WORDS = 64 };
  uint64_t words[MAX_WORDS];
  size_t n_words = (scalar->as.integer.width + 63) / 64;
  if (n_words > MAX_WORDS)
    return false;
  EchoStr text = {number->start, (size_t)(number->end - number->start)};
  if (!integer_words(text, number->negative, scalar->as.integer.width,
                     scalar->as.integer.signedness, false, words, n_words))
    return false;
  memcpy(place, words, echo_type_element_bytes(scalar));
  return true;
}

static bool store_integer(Literal *literal, const Number *number)
{
  EchoAsmParser *p = literal->p;
  const EchoType *scalar = literal->scalar;
  uint8_t *place = next_element(literal, echo_type_element_bytes(scalar));
  const char *at = number->start;
  if (number->is_word) {
    if (!echo_type_is_integer(scalar, 1))
      return echo_parser_error_at(p, at, "expected i1 type for 'true' or 'false' values");
    *place = *number->start == 't';
    return true;
  }
  if (number->is_float)
    return echo_parser_error_at(p, at, "expected integer elements, but parsed floating-point");
  if (number->negative && scalar->kind == ECHO_TYPE_INTEGER &&
      scalar->as.integer.signedness == ECHO_UNSIGNED)
    return echo_parser_error_at(p, at,
                                "expected unsigned integer elements, but parsed negative value");
  uint64_t value = 0;
  bool fine = scalar_width(scalar) > 64
                  ? store_wide(scalar, place, number)
                  : echo_parser_u64((EchoStr){number->start, (size_t)(number->end - number->start)},
                                    &value) &&
                        fits_u64(scalar, number->negative, value);
  if (!fine)
    return echo_parser_error_at(p, at, "integer constant out of range for type");
  if (scalar_width(scalar) <= 64)
    store_u64(scalar, place, number->negative ? 0 - value : value);
  return true;
}

/* ---- floats ---- */

static double decimal_value(const char *start, const char *end)
{
  double value = 0;
  if (!echo_decimal_parse(start, end, &value))
    echo_str_to_f64((EchoStr){start, (size_t)(end - start)}, &value);
  return value;
}

/* The bits of a float, written as a hexadecimal integer, least significant word first. */
static bool hex_float_words(EchoAsmParser *p, const Number *number, uint32_t width,
                            uint64_t words[2])
{
  const char *at = number->start;
  if (!number->is_hex) {
    echo_parser_error_at(p, at, "unexpected decimal integer literal for a floating point value");
    return echo_note(p->ctx, echo_parser_loc(p, at),
                     "add a trailing dot to make the literal a float");
  }
  if (number->negative)
    return echo_parser_error_at(p, at, "hexadecimal float literal should not have a leading minus");
  EchoStr text = {number->start, (size_t)(number->end - number->start)};
  words[1] = 0;
  if (!integer_words(text, false, width, ECHO_UNSIGNED, false, words, width > 64 ? 2 : 1))
    return echo_parser_error_at(p, at, "hexadecimal float constant out of range for type");
  return true;
}

static bool store_float(Literal *literal, const Number *number)
{
  EchoAsmParser *p = literal->p;
  const EchoType *scalar = literal->scalar;
  uint8_t *place = next_element(literal, echo_type_element_bytes(scalar));
  const char *at = number->start;
  if (number->is_word || (!number->is_float && !number->is_hex))
    return echo_parser_error_at(p, at, "expected floating-point elements, but parsed %s",
                                number->is_word ? "boolean" : "integer");
  if (!number->is_float) {
    uint64_t words[2];
    if (!hex_float_words(p, number, echo_type_bit_width(scalar), words))
      return false;
    memcpy(place, words, echo_type_element_bytes(scalar));
    return true;
  }
  double value = decimal_value(number->start, number->end);
  store_f64(scalar, place, number->negative ? -value : value);
  return true;
}

/* ---- one element ---- */

/* The number at *cursor, which moves behind it. */
static bool scan_number(Literal *literal, const char **cursor, Number *number)
{
  const char *c = *cursor;
  *number = (Number){0};
  if (*c == '-') {
    number->negative = true;
    c = echo_lexer_skip_blank(&literal->p->lexer, c + 1);
  }
  number->start = c;
  if (echo_char_is(*c, ECHO_CHAR_DIGIT)) {
    if (*c == '0' && c[1] == 'x') {
      number->is_hex = true;
      for (c += 2; echo_char_is(*c, ECHO_CHAR_HEX); c++)
        ;
    } else {
      while (echo_char_is(*c, ECHO_CHAR_DIGIT))
        c++;
      if (*c == '.') {
        number->is_float = true;
        for (c++; echo_char_is(*c, ECHO_CHAR_DIGIT); c++)
          ;
        bool has_sign = (*c == 'e' || *c == 'E') && (c[1] == '-' || c[1] == '+');
        if ((*c == 'e' || *c == 'E') && echo_char_is(c[1 + has_sign], ECHO_CHAR_DIGIT))
          for (c += 2 + has_sign; echo_char_is(*c, ECHO_CHAR_DIGIT); c++)
            ;
      }
    }
    number->end = *cursor = c;
    return true;
  }
  while (echo_char_is(*c, ECHO_CHAR_ID))
    c++;
  number->end = c;
  EchoStr word = {number->start, (size_t)(c - number->start)};
  number->is_word = true;
  if (number->negative || (!echo_str_is(word, "true") && !echo_str_is(word, "false")))
    return echo_parser_error_at(literal->p, *cursor,
                                number->negative ? "expected integer or floating point literal"
                                                 : "expected element literal of primitive type");
  *cursor = c;
  return true;
}

static bool scalar_element(Literal *literal, const char **cursor)
{
  Number number;
  if (!scan_number(literal, cursor, &number))
    return false;
  return literal->scalar->kind == ECHO_TYPE_FLOAT ? store_float(literal, &number)
                                                  : store_integer(literal, &number);
}

static bool expect_char(Literal *literal, const char **cursor, char expected, const char *where)
{
  *cursor = echo_lexer_skip_blank(&literal->p->lexer, *cursor);
  if (**cursor != expected)
    return echo_parser_error_at(literal->p, *cursor, "expected '%c'%s", expected, where);
  *cursor = echo_lexer_skip_blank(&literal->p->lexer, *cursor + 1);
  return true;
}

static bool complex_element(Literal *literal, const char **cursor)
{
  return expect_char(literal, cursor, '(', "") && scalar_element(literal, cursor) &&
         expect_char(literal, cursor, ',', " between complex elements") &&
         scalar_element(literal, cursor) &&
         expect_char(literal, cursor, ')', " after complex elements");
}

static const char *string_end(Literal *literal, const char *quote, const char *end)
{
  const char *close = echo_string_end_or_null(&literal->p->lexer, quote, end);
  return close != NULL ? close : end;
}

static bool string_element(Literal *literal, const char **cursor, const char *end)
{
  EchoAsmParser *p = literal->p;
  if (**cursor != '"')
    return echo_parser_error_at(p, *cursor, "expected string token, got '%c'", **cursor);
  const char *close = string_end(literal, *cursor, end);
  EchoStr text = echo_string_unescape(echo_context_arena(p->ctx),
                                      (EchoStr){*cursor, (size_t)(close - *cursor)});
  echo_vector_push(&literal->strings, echo_attr_string(p->ctx, text));
  *cursor = close;
  return true;
}

static bool inconsistent_ranks(const Literal *literal, const char *at)
{
  return echo_parser_error_at(
      literal->p, at, "tensor literal is invalid; ranks are not consistent between elements");
}

static bool element(Literal *literal, const char **cursor, const char *end)
{
  if (**cursor == '[')
    return inconsistent_ranks(literal, *cursor);
  bool fine = literal->are_strings                  ? string_element(literal, cursor, end)
              : literal->scalar != literal->element ? complex_element(literal, cursor)
                                                    : scalar_element(literal, cursor);
  literal->n_elements++;
  return fine;
}

/* ---- lists ---- */

/* A plain decimal integer of at most 18 digits that fits a scalar of up to 64 bits, the commonest
 * element by far: true when there was one, stored and stepped over. */
static bool quick_integer(Literal *literal, const char **cursor)
{
  const char *c = *cursor;
  bool negative = *c == '-';
  c += negative;
  const char *first = c;
  uint64_t value = 0;
  for (; echo_char_is(*c, ECHO_CHAR_DIGIT); c++)
    value = value * 10 + (uint64_t)(*c - '0');
  if (c == first || c - first > 18 || *c == 'x' || *c == '.' || (negative && value == 0) ||
      !fits_u64(literal->scalar, negative, value) || (negative && literal->quick == QUICK_UNSIGNED))
    return false;
  store_u64(literal->scalar, next_element(literal, literal->element_bytes),
            negative ? 0 - value : value);
  literal->n_elements++;
  *cursor = c;
  return true;
}

/* "1, 2, 3" up to what is neither number nor comma: the innermost lists, in a tight loop. */
static bool flat_list(Literal *literal, const char **cursor, const char *end, int64_t *size)
{
  EchoLexer *lexer = &literal->p->lexer;
  const char *c = *cursor;
  for (;;) {
    echo_lexer_forget_before(lexer, c);
    bool was_quick = literal->quick != QUICK_NONE && quick_integer(literal, &c);
    if (!was_quick && !element(literal, &c, end))
      return false;
    ++*size;
    if (*c != ',') {
      c = echo_lexer_skip_blank(lexer, c);
      if (*c != ',')
        break;
    }
    c++;
    if (*c == ' ')
      c++;
    if (echo_char_is(*c, ECHO_CHAR_BLANK) || *c == '/')
      c = echo_lexer_skip_blank(lexer, c);
  }
  *cursor = c;
  return true;
}

static bool list(Literal *literal, const char **cursor, const char *end, int64_t *dims,
                 size_t *rank, size_t depth);

static bool list_of_lists(Literal *literal, const char **cursor, const char *end, int64_t *dims,
                          size_t *rank, size_t depth)
{
  EchoAsmParser *p = literal->p;
  int64_t inner[ECHO_MAX_RANK];
  size_t inner_rank = 0;
  for (int64_t n = 0;; n++) {
    int64_t *these = n == 0 ? inner : dims + 1;
    size_t this_rank = 0;
    const char *at = *cursor;
    if (*at != '[')
      return inconsistent_ranks(literal, at);
    if (!list(literal, cursor, end, these, &this_rank, depth + 1))
      return false;
    if (n == 0)
      inner_rank = this_rank;
    else if (this_rank != inner_rank || memcmp(these, inner, inner_rank * sizeof *inner) != 0)
      return inconsistent_ranks(literal, at);
    *cursor = echo_lexer_skip_blank(&p->lexer, *cursor);
    if (**cursor != ',') {
      dims[0] = n + 1;
      memcpy(dims + 1, inner, inner_rank * sizeof *inner);
      *rank = inner_rank + 1;
      return true;
    }
    *cursor = echo_lexer_skip_blank(&p->lexer, *cursor + 1);
  }
}

/* "[…]": dims and rank of what was read. dims has room for ECHO_MAX_RANK - depth entries. */
static bool list(Literal *literal, const char **cursor, const char *end, int64_t *dims,
                 size_t *rank, size_t depth)
{
  EchoAsmParser *p = literal->p;
  if (depth + 1 >= ECHO_MAX_RANK)
    return echo_parser_error_at(p, *cursor, "rank is above the limit of %d", ECHO_MAX_RANK - 1);
  *cursor = echo_lexer_skip_blank(&p->lexer, *cursor + 1);
  if (**cursor == ']') {
    dims[0] = 0;
    *rank = 1;
  } else if (**cursor == '[') {
    if (!list_of_lists(literal, cursor, end, dims, rank, depth))
      return false;
  } else {
    dims[0] = 0;
    *rank = 1;
    if (!flat_list(literal, cursor, end, &dims[0]))
      return false;
  }
  if (**cursor != ']')
    return echo_parser_error_at(p, *cursor, "expected ']'");
  ++*cursor;
  return true;
}

/* ---- whole literals ---- */

static bool is_numeric(const EchoType *element)
{
  return element->kind == ECHO_TYPE_INTEGER || element->kind == ECHO_TYPE_INDEX ||
         element->kind == ECHO_TYPE_FLOAT || element->kind == ECHO_TYPE_COMPLEX;
}

static void literal_init(EchoAsmParser *p, Literal *literal, const EchoType *element,
                         size_t n_bytes)
{
  *literal = (Literal){.p = p, .element = element, .scalar = element};
  literal->are_strings = !is_numeric(element);
  if (literal->are_strings)
    return;
  if (element->kind == ECHO_TYPE_COMPLEX)
    literal->scalar = element->as.shaped.element;
  literal->element_bytes = echo_type_element_bytes(element);
  if (element->kind == ECHO_TYPE_INDEX)
    literal->quick = QUICK_SIGNED;
  else if (element->kind == ECHO_TYPE_INTEGER && element->as.integer.width <= 64)
    literal->quick =
        element->as.integer.signedness == ECHO_UNSIGNED ? QUICK_UNSIGNED : QUICK_SIGNED;
  literal->capacity_bytes = n_bytes;
  literal->data = echo_alloc(n_bytes + 1);
}

bool echo_literal_parse(EchoAsmParser *p, Literal *literal, const char *start, const char *end,
                        const EchoType *type, size_t n_expected)
{
  const char *cursor = echo_lexer_skip_blank(&p->lexer, start);
  bool sized = is_numeric(type) && *cursor == '[' && n_expected <= (size_t)(end - start);
  echo_lexer_look_again(&p->lexer, start);
  literal_init(p, literal, type, sized ? n_expected * echo_type_element_bytes(type) : 64);
  if (cursor >= end)
    return true;
  if (*cursor == '"' && !literal->are_strings) {
    const char *close = string_end(literal, cursor, end);
    literal->hex = (EchoStr){cursor + 1, (size_t)(close - cursor - 2)};
    cursor = close;
  } else if (*cursor == '[') {
    literal->is_list = true;
    if (!list(literal, &cursor, end, literal->dims, &literal->rank, 0))
      return false;
  } else if (!element(literal, &cursor, end)) {
    return false;
  }
  cursor = echo_lexer_skip_blank(&p->lexer, cursor);
  return cursor == end || echo_parser_error_at(p, cursor, "expected '>'");
}

bool echo_literal_parse_flat(EchoAsmParser *p, Literal *literal, const char *start, const char *end,
                             const EchoType *type)
{
  echo_lexer_look_again(&p->lexer, start);
  literal_init(p, literal, type, 64);
  const char *cursor = echo_lexer_skip_blank(&p->lexer, start);
  int64_t size = 0;
  if (!flat_list(literal, &cursor, end, &size))
    return false;
  return cursor == end ||
         echo_parser_error_at(p, cursor, "expected '>' to close an array attribute");
}

void *echo_literal_take(Literal *literal)
{
  void *data = literal->data;
  literal->data = NULL;
  return data;
}

void echo_literal_destroy(Literal *literal)
{
  echo_free(literal->data);
  echo_vector_destroy(&literal->strings);
}

/* ---- lone numbers ---- */

static const EchoAttr *integer_attr(EchoAsmParser *p, const EchoType *type, const Number *number)
{
  enum { MAX_WORDS = 1024 };
  const char *at = number->start;
  if (type->kind != ECHO_TYPE_INTEGER && type->kind != ECHO_TYPE_INDEX) {
    echo_parser_error_at(p, at, "integer literal not valid for specified type");
    return NULL;
  }
  if (number->negative && type->kind == ECHO_TYPE_INTEGER &&
      type->as.integer.signedness == ECHO_UNSIGNED) {
    echo_parser_error_at(p, at, "negative integer literal not valid for unsigned integer type");
    return NULL;
  }
  EchoStr text = {number->start, (size_t)(number->end - number->start)};
  uint32_t width = scalar_width(type);
  if (width > 64) {
    uint64_t words[MAX_WORDS];
    size_t n_words = (width + 63) / 64;
    if (n_words <= MAX_WORDS && integer_words(text, number->negative, width,
                                              type->as.integer.signedness, false, words, n_words))
      return echo_attr_integer_words(p->ctx, type, words);
  } else {
    uint64_t value;
    if (echo_parser_u64(text, &value) && fits_u64(type, number->negative, value))
      return echo_attr_integer(p->ctx, type, (int64_t)(number->negative ? 0 - value : value));
  }
  echo_parser_error_at(p, at, "integer constant out of range for attribute");
  return NULL;
}

/* From the integer token of a float's bits. */
static const EchoAttr *float_from_bits(EchoAsmParser *p, const EchoType *type, const Number *number)
{
  uint64_t words[2];
  uint32_t width = echo_type_bit_width(type);
  if (!hex_float_words(p, number, width, words))
    return NULL;
  return width > 64 ? echo_attr_float_words(p->ctx, type, words)
                    : echo_attr_float_bits(p->ctx, type, words[0]);
}

const EchoAttr *echo_parser_number(EchoAsmParser *p, const EchoType *type_or_null, bool negative)
{
  EchoToken token = p->lexer.token;
  Number number = {.start = token.start, .end = token.end, .negative = negative};
  number.is_float = token.kind == ECHO_TOKEN_FLOAT;
  number.is_hex = token.end - token.start > 1 && token.start[1] == 'x';
  echo_parser_consume(p);
  const EchoType *type = type_or_null;
  if (type == NULL) {
    if (!echo_parser_try(p, ':'))
      type = number.is_float ? echo_type_f64(p->ctx) : echo_type_i64(p->ctx);
    else if ((type = echo_parser_type(p)) == NULL)
      return NULL;
  }
  if (!number.is_float)
    return type->kind == ECHO_TYPE_FLOAT ? float_from_bits(p, type, &number)
                                         : integer_attr(p, type, &number);
  if (type->kind != ECHO_TYPE_FLOAT) {
    echo_parser_error(p, "floating point value not valid for specified type");
    return NULL;
  }
  double value = decimal_value(number.start, number.end);
  return echo_attr_float(p->ctx, type, negative ? -value : value);
}
