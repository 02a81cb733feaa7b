/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes as text. */
#include "ir/text/float_text_t.h"
#include "ir/text/lexer_t.h"
#include "ir/text/print/printer_t.h"

/* ---- strings and names ---- */

void echo_printer_string(EchoBuffer *out, EchoStr str)
{
  size_t plain = 0;
  for (size_t i = 0; i < str.size; i++) {
    unsigned char c = (unsigned char)str.data[i];
    if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
      continue;
    echo_buffer_append(out, str.data + plain, i - plain);
    plain = i + 1;
    if (c == '\\')
      echo_buffer_append_c(out, "\\\\");
    else {
      echo_buffer_append_char(out, '\\');
      echo_buffer_append_char(out, "0123456789ABCDEF"[c >> 4]);
      echo_buffer_append_char(out, "0123456789ABCDEF"[c & 15]);
    }
  }
  echo_buffer_append(out, str.data + plain, str.size - plain);
}

static bool is_bare_identifier(EchoStr name)
{
  if (name.size == 0 || !(echo_char_is(name.data[0], ECHO_CHAR_LETTER) || name.data[0] == '_'))
    return false;
  for (size_t i = 1; i < name.size; i++)
    if (!echo_char_is(name.data[i], ECHO_CHAR_ID))
      return false;
  return true;
}

void echo_printer_keyword_or_string(EchoBuffer *out, EchoStr name)
{
  if (is_bare_identifier(name)) {
    echo_buffer_append_str(out, name);
    return;
  }
  echo_buffer_append_char(out, '"');
  echo_printer_string(out, name);
  echo_buffer_append_char(out, '"');
}

void echo_printer_symbol(EchoBuffer *out, EchoStr name)
{
  echo_buffer_append_char(out, '@');
  echo_printer_keyword_or_string(out, name);
}

static void symbol_ref(EchoBuffer *out, const EchoAttr *attr)
{
  echo_printer_symbol(out, attr->as.symbol.root);
  for (size_t i = 0; i < attr->as.symbol.n_nested; i++) {
    echo_buffer_append_c(out, "::");
    echo_printer_symbol(out, attr->as.symbol.nested[i]);
  }
}

/* ---- numbers ---- */

/* Words as a decimal number, most significant digits by repeated division. */
static void append_wide(EchoBuffer *out, const uint64_t *words, uint32_t width, bool is_unsigned)
{
  size_t n = (width + 63) / 64;
  uint32_t *limbs = echo_alloc_zero(n * 2 + 1, sizeof *limbs);
  bool negative = !is_unsigned && (words[(width - 1) / 64] >> (width - 1) % 64 & 1) != 0;
  uint64_t carry = negative;
  for (size_t i = 0; i < n; i++) {
    uint64_t word = words[i];
    if (i == n - 1 && width % 64 != 0 && negative)
      word |= ~((UINT64_C(1) << width % 64) - 1);
    if (negative) {
      word = ~word + carry;
      carry = carry != 0 && word == 0;
    }
    limbs[2 * i] = (uint32_t)word;
    limbs[2 * i + 1] = (uint32_t)(word >> 32);
  }
  size_t n_limbs = n * 2;
  EchoBuffer groups = {0}; /* of nine digits, least significant first, each reversed */
  for (;;) {
    while (n_limbs != 0 && limbs[n_limbs - 1] == 0)
      n_limbs--;
    if (n_limbs == 0)
      break;
    uint64_t rest = 0;
    for (size_t i = n_limbs; i-- > 0;) {
      rest = rest << 32 | limbs[i];
      limbs[i] = (uint32_t)(rest / 1000000000);
      rest %= 1000000000;
    }
    for (int i = 0; i < 9; i++, rest /= 10)
      echo_buffer_append_char(&groups, (char)('0' + rest % 10));
  }
  while (groups.size > 1 && groups.data[groups.size - 1] == '0')
    groups.size--;
  if (negative)
    echo_buffer_append_char(out, '-');
  if (groups.size == 0)
    echo_buffer_append_char(out, '0');
  for (size_t i = groups.size; i-- > 0;)
    echo_buffer_append_char(out, groups.data[i]);
  echo_buffer_destroy(&groups);
  echo_free(limbs);
}

void echo_printer_integer(EchoBuffer *out, const EchoType *type, int64_t value,
                          const uint64_t *words)
{
  bool is_unsigned =
      type->kind == ECHO_TYPE_INTEGER && type->as.integer.signedness == ECHO_UNSIGNED;
  if (words != NULL)
    append_wide(out, words, type->as.integer.width, is_unsigned);
  else if (is_unsigned)
    echo_buffer_append_u64(out, (uint64_t)value);
  else if (echo_type_is_integer(type, 1))
    echo_buffer_append_c(out, (value & 1) != 0 ? "-1" : "0");
  else
    echo_buffer_append_i64(out, value);
}

static bool is_signless(const EchoType *type, uint32_t width)
{
  return echo_type_is_integer(type, width) && type->as.integer.signedness == ECHO_SIGNLESS;
}

/* True when its type is not written. */
static bool integer(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision)
{
  if (is_signless(attr->type, 1)) {
    echo_buffer_append_c(p->out, (attr->as.integer.value & 1) != 0 ? "true" : "false");
    return true;
  }
  echo_printer_integer(p->out, attr->type, attr->as.integer.value, attr->as.integer.words);
  return elision == ECHO_ELIDE_DEFAULT && is_signless(attr->type, 64);
}

static bool floating(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision)
{
  uint64_t words[2] = {attr->as.floating.bits, 0};
  if (attr->as.floating.words != NULL)
    memcpy(words, attr->as.floating.words, sizeof words);
  bool hex = echo_float_print(attr->type->as.float_kind, words, p->out);
  return elision == ECHO_ELIDE_DEFAULT && attr->type->as.float_kind == ECHO_F64 && !hex;
}

/* ---- composites ---- */

void echo_printer_named_attr(EchoAsmPrinter *p, const EchoNamedAttr *entry)
{
  echo_printer_keyword_or_string(p->out, entry->name);
  if (entry->value->kind == ECHO_ATTR_UNIT)
    return;
  echo_buffer_append_c(p->out, " = ");
  echo_printer_attr(p, entry->value);
}

static void dictionary(EchoAsmPrinter *p, const EchoAttr *attr)
{
  echo_buffer_append_char(p->out, '{');
  for (size_t i = 0; i < attr->as.dictionary.size; i++) {
    if (i != 0)
      echo_buffer_append_c(p->out, ", ");
    echo_printer_named_attr(p, &attr->as.dictionary.entries[i]);
  }
  echo_buffer_append_char(p->out, '}');
}

static void array(EchoAsmPrinter *p, const EchoAttr *attr)
{
  echo_buffer_append_char(p->out, '[');
  for (size_t i = 0; i < attr->as.array.size; i++) {
    if (i != 0)
      echo_buffer_append_c(p->out, ", ");
    echo_printer_attr_with(p, attr->as.array.elements[i], ECHO_ELIDE_DEFAULT);
  }
  echo_buffer_append_char(p->out, ']');
}

static void stride(EchoBuffer *out, int64_t value)
{
  if (value == ECHO_DYNAMIC)
    echo_buffer_append_char(out, '?');
  else
    echo_buffer_append_i64(out, value);
}

static void strided(EchoBuffer *out, const EchoAttr *attr)
{
  echo_buffer_append_c(out, "strided<[");
  for (size_t i = 0; i < attr->as.strided.n_strides; i++) {
    if (i != 0)
      echo_buffer_append_c(out, ", ");
    stride(out, attr->as.strided.strides[i]);
  }
  echo_buffer_append_char(out, ']');
  if (attr->as.strided.offset != 0) {
    echo_buffer_append_c(out, ", offset: ");
    stride(out, attr->as.strided.offset);
  }
  echo_buffer_append_char(out, '>');
}

void echo_printer_text(EchoAsmPrinter *p, EchoStr text, const EchoTextPart *parts, size_t n_parts)
{
  size_t begin = 0;
  for (size_t i = 0; i < n_parts; i++) {
    echo_buffer_append(p->out, text.data + begin, parts[i].offset - begin);
    if (parts[i].attr != NULL)
      echo_printer_attr(p, parts[i].attr);
    else
      echo_printer_type(p, parts[i].type);
    begin = parts[i].offset + parts[i].size;
  }
  echo_buffer_append(p->out, text.data + begin, text.size - begin);
}

static void opaque(EchoAsmPrinter *p, const EchoAttr *attr)
{
  EchoBuffer *out = p->out;
  echo_buffer_append_char(out, '#');
  echo_buffer_append_str(out, attr->as.opaque.dialect);
  echo_buffer_append_char(out, attr->as.opaque.is_pretty ? '.' : '<');
  echo_printer_text(p, attr->as.opaque.text, attr->as.opaque.parts, attr->as.opaque.n_parts);
  if (!attr->as.opaque.is_pretty)
    echo_buffer_append_char(out, '>');
}

/* Distinct attributes are numbered as they are met. */
static void distinct(EchoAsmPrinter *p, const EchoAttr *attr)
{
  uint64_t id = attr->as.distinct.id;
  if (p->ctx != NULL) {
    uint64_t known = echo_map_get_or(&p->distinct_ids, echo_key(attr), 0);
    if (known == 0) {
      known = p->distinct_ids.n_live + 1;
      echo_map_set(&p->distinct_ids, echo_key(attr), known);
    }
    id = known - 1;
  }
  echo_buffer_append_c(p->out, "distinct[");
  echo_buffer_append_u64(p->out, id);
  echo_buffer_append_c(p->out, "]<");
  if (attr->as.distinct.value->kind != ECHO_ATTR_UNIT)
    echo_printer_attr(p, attr->as.distinct.value);
  echo_buffer_append_char(p->out, '>');
}

/* ---- locations ---- */

static void quoted(EchoBuffer *out, EchoStr str)
{
  echo_buffer_append_char(out, '"');
  echo_printer_string(out, str);
  echo_buffer_append_char(out, '"');
}

static void fused_location(EchoAsmPrinter *p, const EchoAttr *location)
{
  echo_buffer_append_c(p->out, "fused");
  if (location->as.location.caller != NULL) {
    echo_buffer_append_char(p->out, '<');
    echo_printer_attr(p, location->as.location.caller);
    echo_buffer_append_char(p->out, '>');
  }
  echo_buffer_append_char(p->out, '[');
  for (size_t i = 0; i < location->as.location.n_parts; i++) {
    if (i != 0)
      echo_buffer_append_c(p->out, ", ");
    echo_printer_location(p, location->as.location.parts[i], true);
  }
  echo_buffer_append_char(p->out, ']');
}

void echo_printer_location(EchoAsmPrinter *p, const EchoAttr *location, bool allow_alias)
{
  EchoBuffer *out = p->out;
  if (allow_alias && echo_printer_alias(p, location))
    return;
  switch (location->as.location.kind) {
  case ECHO_LOC_UNKNOWN:
    echo_buffer_append_c(out, "unknown");
    break;
  case ECHO_LOC_FILE:
    quoted(out, location->as.location.name);
    echo_buffer_append_char(out, ':');
    echo_buffer_append_u64(out, location->as.location.line);
    echo_buffer_append_char(out, ':');
    echo_buffer_append_u64(out, location->as.location.column);
    if (location->as.location.end_line != location->as.location.line)
      echo_buffer_printf(out, " to %u:%u", location->as.location.end_line,
                         location->as.location.end_column);
    else if (location->as.location.end_column != location->as.location.column)
      echo_buffer_printf(out, " to :%u", location->as.location.end_column);
    break;
  case ECHO_LOC_NAME:
    quoted(out, location->as.location.name);
    if (location->as.location.child->as.location.kind != ECHO_LOC_UNKNOWN) {
      echo_buffer_append_char(out, '(');
      echo_printer_location(p, location->as.location.child, true);
      echo_buffer_append_char(out, ')');
    }
    break;
  case ECHO_LOC_CALL_SITE:
    echo_buffer_append_c(out, "callsite(");
    echo_printer_location(p, location->as.location.child, true);
    echo_buffer_append_c(out, " at ");
    echo_printer_location(p, location->as.location.caller, true);
    echo_buffer_append_char(out, ')');
    break;
  case ECHO_LOC_FUSED:
    fused_location(p, location);
    break;
  }
}

/* ---- dispatch ---- */

static void sparse(EchoAsmPrinter *p, const EchoAttr *attr)
{
  const EchoAttr *indices = attr->as.sparse.indices, *values = attr->as.sparse.values;
  echo_buffer_append_c(p->out, "sparse<");
  int64_t n = 0;
  if (echo_type_n_elements(indices->type, &n) && n != 0) {
    echo_printer_elements(p, indices, false);
    echo_buffer_append_c(p->out, ", ");
    echo_printer_elements(p, values, true);
  }
  echo_buffer_append_char(p->out, '>');
}

static void dense(EchoAsmPrinter *p, const EchoAttr *attr)
{
  int64_t n = 0;
  echo_type_n_listed(attr->type, &n);
  bool is_splat = attr->kind == ECHO_ATTR_DENSE_ELEMENTS && attr->as.elements.is_splat;
  if (p->options.elide_elements_above != 0 && !is_splat &&
      (uint64_t)n > p->options.elide_elements_above) {
    echo_buffer_append_c(p->out, "dense_resource<__elided__>");
    return;
  }
  echo_buffer_append_c(p->out, "dense<");
  echo_printer_elements(p, attr, true);
  echo_buffer_append_char(p->out, '>');
}

static void affine(EchoAsmPrinter *p, const EchoAttr *attr)
{
  echo_buffer_append_c(p->out, attr->kind == ECHO_ATTR_AFFINE_MAP ? "affine_map<" : "affine_set<");
  echo_printer_affine(p, attr);
  echo_buffer_append_char(p->out, '>');
}

static void resource(EchoAsmPrinter *p, const EchoAttr *attr)
{
  echo_buffer_append_c(p->out, "dense_resource<");
  echo_printer_keyword_or_string(p->out, attr->as.string);
  echo_buffer_append_char(p->out, '>');
  echo_vector_push(&p->resources, attr);
}

/* True when nothing is to be said of the type. */
static bool body(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision)
{
  switch (attr->kind) {
  case ECHO_ATTR_UNIT:
    echo_buffer_append_c(p->out, "unit");
    return true;
  case ECHO_ATTR_INTEGER:
    return integer(p, attr, elision);
  case ECHO_ATTR_FLOAT:
    return floating(p, attr, elision);
  case ECHO_ATTR_STRING:
    quoted(p->out, attr->as.string);
    return false;
  case ECHO_ATTR_ARRAY:
    array(p, attr);
    return true;
  case ECHO_ATTR_DICTIONARY:
    dictionary(p, attr);
    return true;
  case ECHO_ATTR_TYPE:
    echo_printer_type(p, attr->as.type_value);
    return true;
  case ECHO_ATTR_SYMBOL_REF:
    symbol_ref(p->out, attr);
    return true;
  case ECHO_ATTR_DENSE_ELEMENTS:
  case ECHO_ATTR_DENSE_STRINGS:
    dense(p, attr);
    return false;
  case ECHO_ATTR_DENSE_RESOURCE:
    resource(p, attr);
    return false;
  case ECHO_ATTR_SPARSE:
    sparse(p, attr);
    return false;
  case ECHO_ATTR_DENSE_ARRAY:
    echo_printer_dense_array(p, attr);
    return true;
  case ECHO_ATTR_AFFINE_MAP:
  case ECHO_ATTR_INTEGER_SET:
    affine(p, attr);
    return true;
  case ECHO_ATTR_STRIDED_LAYOUT:
    strided(p->out, attr);
    return true;
  case ECHO_ATTR_LOCATION:
    echo_buffer_append_c(p->out, "loc(");
    echo_printer_location(p, attr, false);
    echo_buffer_append_char(p->out, ')');
    return true;
  case ECHO_ATTR_DISTINCT:
    distinct(p, attr);
    return true;
  case ECHO_ATTR_OPAQUE:
    opaque(p, attr);
    return false;
  }
  return true;
}

void echo_printer_attr_plain(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision)
{
  bool type_is_clear = body(p, attr, elision);
  if (type_is_clear || elision == ECHO_ELIDE_ALWAYS || attr->type == NULL ||
      attr->type->kind == ECHO_TYPE_NONE)
    return;
  echo_buffer_append_c(p->out, " : ");
  echo_printer_type(p, attr->type);
}

void echo_printer_attr_with(EchoAsmPrinter *p, const EchoAttr *attr, EchoTypeElision elision)
{
  if (p->collecting)
    echo_aliases_visit_attr(&p->aliases, attr, false);
  else if (!echo_printer_alias(p, attr))
    echo_printer_attr_plain(p, attr, elision);
}

void echo_printer_attr(EchoAsmPrinter *p, const EchoAttr *attr)
{
  if (p->collecting) {
    echo_aliases_visit_attr(&p->aliases, attr, false);
    return;
  }
  if (echo_printer_reuse(p, attr))
    return;
  EchoPrinterMark mark = echo_printer_mark(p);
  if (!echo_printer_alias(p, attr))
    echo_printer_attr_plain(p, attr, ECHO_ELIDE_NEVER);
  echo_printer_remember(p, attr, mark);
}

void echo_print_attr(const EchoAttr *attr, EchoBuffer *out)
{
  if (attr == NULL || out == NULL)
    return;
  EchoAsmPrinter p = {.out = out, .options.local_scope = true};
  echo_printer_attr_plain(&p, attr, ECHO_ELIDE_NEVER);
  echo_vector_destroy(&p.resources);
}
