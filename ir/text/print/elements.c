/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Affine maps and sets, dense elements and arrays as text. */
#include "ir/attributes/element.h"
#include "ir/text/float_text_t.h"
#include "ir/text/print/printer_t.h"

/* MLIR writes more elements than this as one string of hexadecimal digits. */
enum { LARGEST_LIST = 100 };

/* ---- one scalar ---- */

static void scalar(EchoBuffer *out, const EchoType *type, const uint8_t *data)
{
  if (type->kind == ECHO_TYPE_FLOAT) {
    uint64_t words[2] = {0, 0};
    memcpy(words, data, echo_type_element_bytes(type));
    echo_float_print(type->as.float_kind, words, out);
  } else if (echo_type_is_integer(type, 1)) {
    echo_buffer_append_c(out, (*data & 1) != 0 ? "true" : "false");
  } else if (type->kind == ECHO_TYPE_INTEGER && type->as.integer.width > 64) {
    size_t n_words = (type->as.integer.width + 63) / 64;
    uint64_t *words = echo_alloc_zero(n_words, sizeof *words);
    memcpy(words, data, echo_type_element_bytes(type));
    echo_printer_integer(out, type, 0, words);
    echo_free(words);
  } else {
    echo_printer_integer(out, type, echo_element_load_i64(type, data), NULL);
  }
}

static void element(EchoBuffer *out, const EchoType *type, const uint8_t *data)
{
  if (type->kind != ECHO_TYPE_COMPLEX) {
    scalar(out, type, data);
    return;
  }
  const EchoType *part = type->as.shaped.element;
  echo_buffer_append_char(out, '(');
  scalar(out, part, data);
  echo_buffer_append_char(out, ',');
  scalar(out, part, data + echo_type_element_bytes(part));
  echo_buffer_append_char(out, ')');
}

/* ---- hexadecimal ---- */

static void hex_bytes(EchoBuffer *out, const uint8_t *bytes, size_t n)
{
  static const char DIGITS[] = "0123456789ABCDEF";
  uint16_t pairs[256];
  bool is_long = n >= sizeof pairs;
  for (size_t i = 0; is_long && i < 256; i++)
    memcpy(&pairs[i], (char[2]){DIGITS[i >> 4], DIGITS[i & 15]}, 2);
  echo_buffer_reserve(out, 2 * n + 1);
  char *place = out->data + out->size;
  for (size_t i = 0; i < n; i++) {
    if (is_long) {
      memcpy(place + 2 * i, &pairs[bytes[i]], 2);
    } else {
      place[2 * i] = DIGITS[bytes[i] >> 4];
      place[2 * i + 1] = DIGITS[bytes[i] & 15];
    }
  }
  out->size += 2 * n;
  out->data[out->size] = '\0';
}

/* As many elements as go between two looks at how long the output has become. */
enum { STRETCH = 1 << 14 };

/* The first `raw` bytes of each of n scalars of `host` bytes. */
static void hex_scalars(EchoAsmPrinter *p, const uint8_t *data, size_t n, size_t host, size_t raw)
{
  for (size_t begin = 0; begin < n; begin += STRETCH) {
    size_t end = n - begin < STRETCH ? n : begin + STRETCH;
    if (host == raw)
      hex_bytes(p->out, data + begin * host, (end - begin) * host);
    for (size_t i = begin; host != raw && i < end; i++)
      hex_bytes(p->out, data + i * host, raw);
    echo_printer_empty_if_long(p);
  }
}

/* i1: packed bits, as MLIR 19 wants them, or bytes, as newer StableHLO writes them. */
static void hex_bools(EchoAsmPrinter *p, const uint8_t *bools, size_t n, bool packed)
{
  if (!packed) {
    hex_scalars(p, bools, n, 1, 1);
    return;
  }
  for (size_t i = 0; i < n; i += 8) {
    uint8_t byte = 0;
    for (size_t j = 0; j < 8 && i + j < n; j++)
      byte |= (uint8_t)((bools[i + j] & 1) << j);
    hex_bytes(p->out, &byte, 1);
    echo_printer_empty_if_long(p);
  }
}

static size_t raw_scalar_bytes(const EchoType *type)
{
  return type->kind == ECHO_TYPE_INDEX ? 8 : (echo_type_bit_width(type) + 7) / 8;
}

/* MLIR never makes a splat of elements that have no bits: it lists them. */
static bool has_bits(const EchoType *type)
{
  return echo_type_bit_width(type) != 0;
}

static void hex_elements(EchoAsmPrinter *p, const EchoAttr *attr, size_t n)
{
  const EchoType *type = attr->type->as.shaped.element;
  const uint8_t *data = attr->as.elements.data;
  echo_buffer_append_c(p->out, "\"0x");
  if (!has_bits(type)) {
    echo_buffer_append_char(p->out, '"');
    return;
  }
  if (echo_type_is_integer(type, 1)) {
    hex_bools(p, data, n, p->options.generic);
  } else {
    bool is_complex = type->kind == ECHO_TYPE_COMPLEX;
    const EchoType *part = is_complex ? type->as.shaped.element : type;
    size_t host = echo_type_element_bytes(part), raw = raw_scalar_bytes(part);
    hex_scalars(p, data, is_complex ? 2 * n : n, host, raw);
  }
  echo_buffer_append_char(p->out, '"');
}

/* ---- lists ---- */

static void print_element(EchoAsmPrinter *p, const EchoAttr *attr, size_t index)
{
  if (attr->kind == ECHO_ATTR_DENSE_STRINGS) {
    size_t n = attr->as.array.size;
    echo_buffer_append_char(p->out, '"');
    echo_printer_string(p->out, attr->as.array.elements[n == 1 ? 0 : index]->as.string);
    echo_buffer_append_char(p->out, '"');
    return;
  }
  const EchoType *type = attr->type->as.shaped.element;
  const uint8_t *data = attr->as.elements.data;
  size_t at = attr->as.elements.is_splat ? 0 : index * echo_type_element_bytes(type);
  element(p->out, type, data + at);
}

/* Nested brackets, by counting like a clock: the last dimension turns fastest. */
static void list(EchoAsmPrinter *p, const EchoAttr *attr, size_t n)
{
  const int64_t *dims = attr->type->as.shaped.dims;
  size_t rank = attr->type->as.shaped.rank, open = 0;
  int64_t counter[ECHO_MAX_RANK] = {0};
  for (size_t i = 0; i < n; i++) {
    if (i != 0)
      echo_buffer_append_c(p->out, ", ");
    for (; open < rank; open++)
      echo_buffer_append_char(p->out, '[');
    print_element(p, attr, i);
    for (size_t axis = rank; axis-- > 0;) {
      if (++counter[axis] < dims[axis])
        break;
      counter[axis] = 0;
      echo_buffer_append_char(p->out, ']');
      open--;
    }
  }
}

void echo_printer_elements(EchoAsmPrinter *p, const EchoAttr *attr, bool allow_hex)
{
  int64_t n = 0;
  bool are_strings = attr->kind == ECHO_ATTR_DENSE_STRINGS;
  bool is_splat =
      are_strings ? attr->as.array.size == 1 : attr->as.elements.is_splat && has_bits(attr->type);
  if (!echo_type_n_listed(attr->type, &n) || (n == 0 && !is_splat))
    return;
  if (is_splat || (attr->type->as.shaped.rank == 0))
    print_element(p, attr, 0);
  else if (allow_hex && !are_strings && n > LARGEST_LIST)
    hex_elements(p, attr, (size_t)n);
  else
    list(p, attr, (size_t)n);
}

void echo_printer_dense_array(EchoAsmPrinter *p, const EchoAttr *attr)
{
  const EchoType *type = attr->as.dense_array.element;
  const uint8_t *data = attr->as.dense_array.data;
  echo_buffer_append_c(p->out, "array<");
  echo_printer_type(p, type);
  for (size_t i = 0; i < attr->as.dense_array.size; i++) {
    echo_buffer_append_c(p->out, i == 0 ? ": " : ", ");
    scalar(p->out, type, data + i * echo_type_element_bytes(type));
    echo_printer_empty_if_long(p);
  }
  echo_buffer_append_char(p->out, '>');
}

/* ---- affine expressions ---- */

typedef enum Binding { WEAK, STRONG } Binding;

static void expression(EchoBuffer *out, const EchoAffineExpr *expr, Binding binding);

static const char *product_text(EchoAffineKind kind)
{
  switch (kind) {
  case ECHO_AFFINE_MUL:
    return " * ";
  case ECHO_AFFINE_MOD:
    return " mod ";
  case ECHO_AFFINE_FLOOR_DIV:
    return " floordiv ";
  default:
    return " ceildiv ";
  }
}

static bool is_constant(const EchoAffineExpr *expr, int64_t value)
{
  return expr->kind == ECHO_AFFINE_CONSTANT && expr->value == value;
}

static void product(EchoBuffer *out, const EchoAffineExpr *expr, Binding binding)
{
  if (binding == STRONG)
    echo_buffer_append_char(out, '(');
  if (expr->kind == ECHO_AFFINE_MUL && is_constant(expr->rhs, -1)) {
    echo_buffer_append_char(out, '-');
    expression(out, expr->lhs, STRONG);
  } else {
    expression(out, expr->lhs, STRONG);
    echo_buffer_append_c(out, product_text(expr->kind));
    expression(out, expr->rhs, STRONG);
  }
  if (binding == STRONG)
    echo_buffer_append_char(out, ')');
}

/* "a + b", with a negative b as "a - b". */
static void sum_tail(EchoBuffer *out, const EchoAffineExpr *rhs)
{
  if (rhs->kind == ECHO_AFFINE_MUL && rhs->rhs->kind == ECHO_AFFINE_CONSTANT) {
    int64_t factor = rhs->rhs->value;
    if (factor == -1) {
      echo_buffer_append_c(out, " - ");
      expression(out, rhs->lhs, rhs->lhs->kind == ECHO_AFFINE_ADD ? STRONG : WEAK);
      return;
    }
    if (factor < -1 && factor != INT64_MIN) {
      echo_buffer_append_c(out, " - ");
      expression(out, rhs->lhs, STRONG);
      echo_buffer_append_c(out, " * ");
      echo_buffer_append_i64(out, -factor);
      return;
    }
  }
  if (rhs->kind == ECHO_AFFINE_CONSTANT && rhs->value < 0 && rhs->value != INT64_MIN) {
    echo_buffer_append_c(out, " - ");
    echo_buffer_append_i64(out, -rhs->value);
    return;
  }
  echo_buffer_append_c(out, " + ");
  expression(out, rhs, WEAK);
}

static void expression(EchoBuffer *out, const EchoAffineExpr *expr, Binding binding)
{
  switch (expr->kind) {
  case ECHO_AFFINE_CONSTANT:
    echo_buffer_append_i64(out, expr->value);
    return;
  case ECHO_AFFINE_DIM:
  case ECHO_AFFINE_SYMBOL:
    echo_buffer_append_char(out, expr->kind == ECHO_AFFINE_DIM ? 'd' : 's');
    echo_buffer_append_i64(out, expr->value);
    return;
  case ECHO_AFFINE_ADD:
    if (binding == STRONG)
      echo_buffer_append_char(out, '(');
    expression(out, expr->lhs, WEAK);
    sum_tail(out, expr->rhs);
    if (binding == STRONG)
      echo_buffer_append_char(out, ')');
    return;
  default:
    product(out, expr, binding);
  }
}

static void identifiers(EchoBuffer *out, char prefix, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (i != 0)
      echo_buffer_append_c(out, ", ");
    echo_buffer_append_char(out, prefix);
    echo_buffer_append_u64(out, i);
  }
}

void echo_printer_affine(EchoAsmPrinter *p, const EchoAttr *attr)
{
  EchoBuffer *out = p->out;
  bool is_map = attr->kind == ECHO_ATTR_AFFINE_MAP;
  echo_buffer_append_char(out, '(');
  identifiers(out, 'd', attr->as.affine.n_dims);
  echo_buffer_append_char(out, ')');
  if (attr->as.affine.n_symbols != 0) {
    echo_buffer_append_char(out, '[');
    identifiers(out, 's', attr->as.affine.n_symbols);
    echo_buffer_append_char(out, ']');
  }
  echo_buffer_append_c(out, is_map ? " -> (" : " : (");
  for (uint32_t i = 0; i < attr->as.affine.n_results; i++) {
    if (i != 0)
      echo_buffer_append_c(out, ", ");
    expression(out, attr->as.affine.results[i], WEAK);
    if (!is_map)
      echo_buffer_append_c(out, (attr->as.affine.equality >> i & 1) != 0 ? " == 0" : " >= 0");
  }
  echo_buffer_append_char(out, ')');
}
