/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the text of StableHLO's attributes into payloads. The text was lexed and balanced by the
 * IR's parser; what it means is checked here. Field order is free, as in StableHLO's own parser. */
#include "dialects/stablehlo/attributes/attributes_t.h"

#include "base/vector.h"
#include "ir/text/text.h"

typedef struct Scanner {
  EchoContext *ctx;
  EchoLoc loc; /* of `begin` */
  EchoStr rest;
  const char *begin;
} Scanner;

/* `n` bytes further in its buffer; what points into none stays as it is. */
static EchoLoc moved(EchoLoc loc, size_t n)
{
  return (EchoLoc){(loc.bits & 1) != 0 ? loc.bits + ((uint64_t)n << 1) : loc.bits};
}

static EchoLoc here(const Scanner *scanner)
{
  return moved(scanner->loc, (size_t)(scanner->rest.data - scanner->begin));
}

static bool is_space(char c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool is_word(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void advance(Scanner *scanner, size_t n)
{
  scanner->rest.data += n;
  scanner->rest.size -= n;
}

static void skip_line(Scanner *scanner)
{
  while (scanner->rest.size != 0 && scanner->rest.data[0] != '\n')
    advance(scanner, 1);
}

/* Space, and comments up to the line's end. */
static void skip_space(Scanner *scanner)
{
  while (scanner->rest.size != 0) {
    if (is_space(scanner->rest.data[0]))
      advance(scanner, 1);
    else if (echo_str_starts_with(scanner->rest, "//"))
      skip_line(scanner);
    else
      return;
  }
}

static bool at_end(Scanner *scanner)
{
  skip_space(scanner);
  return scanner->rest.size == 0;
}

static bool try_char(Scanner *scanner, char c)
{
  if (at_end(scanner) || scanner->rest.data[0] != c)
    return false;
  advance(scanner, 1);
  return true;
}

static bool expect_char(Scanner *scanner, char c)
{
  return try_char(scanner, c) || echo_error(scanner->ctx, here(scanner), "expected '%c'", c);
}

/* Letters, digits and underscores; empty when there are none. */
static EchoStr scan_word(Scanner *scanner)
{
  skip_space(scanner);
  size_t n = 0;
  while (n < scanner->rest.size && is_word(scanner->rest.data[n]))
    ++n;
  EchoStr word = {scanner->rest.data, n};
  advance(scanner, n);
  return word;
}

static bool scan_int(Scanner *scanner, int64_t *value)
{
  skip_space(scanner);
  size_t n = scanner->rest.size != 0 && scanner->rest.data[0] == '-' ? 1 : 0;
  while (n < scanner->rest.size && scanner->rest.data[n] >= '0' && scanner->rest.data[n] <= '9')
    ++n;
  if (!echo_str_to_i64((EchoStr){scanner->rest.data, n}, value))
    return echo_error(scanner->ctx, here(scanner), "expected integer value");
  advance(scanner, n);
  return true;
}

/* All up to a ',' or '>' outside of brackets. */
static EchoStr scan_balanced(Scanner *scanner)
{
  skip_space(scanner);
  size_t n = 0, depth = 0;
  for (; n < scanner->rest.size; ++n) {
    char c = scanner->rest.data[n];
    if (c == '<' || c == '[' || c == '(')
      depth++;
    else if (depth == 0 && (c == ',' || c == '>'))
      break;
    else if (c == '>' || c == ']' || c == ')')
      depth--;
  }
  EchoStr found = {scanner->rest.data, n};
  advance(scanner, n);
  while (found.size != 0 && is_space(found.data[found.size - 1]))
    found.size--;
  return found;
}

/* [1, 2, …]; '?' stands for ECHO_DYNAMIC. */
static bool scan_dims(Scanner *scanner, EchoDimList *list)
{
  ECHO_VECTOR(int64_t) dims = {0};
  bool ok = expect_char(scanner, '[');
  if (ok && !try_char(scanner, ']')) {
    do {
      int64_t dim = ECHO_DYNAMIC;
      ok = try_char(scanner, '?') || scan_int(scanner, &dim);
      echo_vector_push(&dims, dim);
    } while (ok && try_char(scanner, ','));
    ok = ok && expect_char(scanner, ']');
  }
  if (ok) {
    int64_t *kept = ECHO_ARENA_ARRAY(echo_context_arena(scanner->ctx), int64_t, dims.size);
    if (dims.size != 0)
      memcpy(kept, dims.data, dims.size * sizeof *kept);
    *list = (EchoDimList){kept, dims.size};
  }
  echo_vector_destroy(&dims);
  return ok;
}

static bool scan_mode(Scanner *scanner, EchoAccuracyMode *mode)
{
  EchoStr text = scan_balanced(scanner);
  const EchoAttr *attr = echo_parse_attr_or_null(scanner->ctx, text);
  if (attr == NULL)
    return false;
  const EchoHloPayload *payload =
      echo_hlo_payload_or_null(attr, ECHO_HLO_ATTR_RESULT_ACCURACY_MODE);
  if (payload == NULL)
    return echo_error(scanner->ctx, here(scanner), "expected a #stablehlo.result_accuracy_mode");
  *mode = (EchoAccuracyMode)payload->as.word;
  return true;
}

static bool scan_field(Scanner *scanner, const EchoHloField *field, EchoHloPayload *payload)
{
  void *place = (char *)payload + field->offset;
  switch (field->kind) {
  case ECHO_HLO_FIELD_DIMS:
    return scan_dims(scanner, place);
  case ECHO_HLO_FIELD_INT:
    return scan_int(scanner, place);
  case ECHO_HLO_FIELD_MODE:
    return scan_mode(scanner, place);
  case ECHO_HLO_FIELD_BOOL: {
    EchoStr word = scan_word(scanner);
    *(bool *)place = echo_str_is(word, "true");
    return echo_str_is(word, "true") || echo_str_is(word, "false") ||
           echo_error(scanner->ctx, here(scanner), "expected 'true' or 'false'");
  }
  case ECHO_HLO_FIELD_TYPE:
    *(const EchoType **)place = echo_parse_type_or_null(scanner->ctx, scan_balanced(scanner));
    return *(const EchoType **)place != NULL;
  case ECHO_HLO_FIELD_FLOAT:
    return echo_str_to_f64(scan_balanced(scanner), place) ||
           echo_error(scanner->ctx, here(scanner), "expected floating point literal");
  }
  ECHO_UNREACHABLE("field kind %d", (int)field->kind);
}

static bool unknown_field(Scanner *scanner, const EchoHloStruct *info)
{
  EchoBuffer text = {0};
  for (size_t i = 0; i < info->n_fields; ++i)
    echo_buffer_printf(&text, "%s`%s`", i == 0 ? "" : ", ", info->fields[i].name);
  echo_error(scanner->ctx, here(scanner), "expected one of: %s", echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return false;
}

bool echo_hlo_struct_parse(EchoContext *ctx, EchoLoc loc, const EchoHloStruct *info, EchoStr body,
                           EchoHloPayload *payload)
{
  Scanner scanner = {ctx, loc, body, body.data};
  uint64_t seen = 0;
  while (!try_char(&scanner, '>')) {
    EchoStr name = scan_word(&scanner);
    size_t i = 0;
    while (i < info->n_fields && !echo_str_is(name, info->fields[i].name))
      ++i;
    if (i == info->n_fields)
      return unknown_field(&scanner, info);
    if ((seen >> i & 1) != 0)
      return echo_error(ctx, here(&scanner), "duplicated `%s` entry", info->fields[i].name);
    seen |= UINT64_C(1) << i;
    if (!expect_char(&scanner, '=') || !scan_field(&scanner, &info->fields[i], payload))
      return false;
    if (!try_char(&scanner, ',')) {
      if (!expect_char(&scanner, '>'))
        return false;
      break;
    }
  }
  if (!at_end(&scanner))
    return echo_error(ctx, here(&scanner), "unexpected text after '>'");
  uint64_t all = (UINT64_C(1) << info->n_fields) - 1;
  if (info->prints_all && info->kind != ECHO_HLO_ATTR_CONV && seen != all)
    return echo_error(ctx, here(&scanner), "#stablehlo.%s misses a field", info->mnemonic);
  return true;
}

/* ---- convolution dimension numbers ---- */

/* One "[b, 0, 1, f]": places[0] and places[1] of the two letters, and the spatial dimensions in
 * order of their numbers. */
static bool scan_conv_side(Scanner *scanner, const char letters[2], int64_t places[2],
                           EchoDimList *spatial)
{
  int64_t where[ECHO_MAX_RANK];
  int64_t n = 0, n_spatial = 0;
  for (size_t i = 0; i < ECHO_MAX_RANK; ++i)
    where[i] = -1;
  places[0] = places[1] = -1;
  if (!expect_char(scanner, '['))
    return false;
  do {
    EchoStr word = scan_word(scanner);
    int64_t dim;
    if (echo_str_to_i64(word, &dim)) {
      if (dim >= ECHO_MAX_RANK)
        return echo_error(scanner->ctx, here(scanner), "unexpected dimension %lld", (long long)dim);
      if (where[dim] >= 0)
        return echo_error(scanner->ctx, here(scanner),
                          "duplicate entries for spatial dimension %lld", (long long)dim);
      where[dim] = n;
      n_spatial = dim + 1 > n_spatial ? dim + 1 : n_spatial;
    } else {
      size_t k = word.size == 1 && word.data[0] == letters[1];
      if (word.size != 1 || word.data[0] != letters[k] || places[k] >= 0)
        return echo_error(scanner->ctx, here(scanner), "unexpected dimension '%.*s'",
                          ECHO_STR_ARG(word));
      places[k] = n;
    }
    ++n;
  } while (try_char(scanner, ','));
  if (!expect_char(scanner, ']'))
    return false;
  for (size_t k = 0; k < 2; ++k)
    if (places[k] < 0)
      return echo_error(scanner->ctx, here(scanner), "expected dimension '%c' not specified",
                        letters[k]);
  int64_t *dims = ECHO_ARENA_ARRAY(echo_context_arena(scanner->ctx), int64_t, (size_t)n_spatial);
  for (int64_t i = 0; i < n_spatial; ++i) {
    if (where[i] < 0)
      return echo_error(scanner->ctx, here(scanner),
                        "expected spatial dimension %lld not specified", (long long)i);
    dims[i] = where[i];
  }
  *spatial = (EchoDimList){dims, (size_t)n_spatial};
  return true;
}

static bool scan_conv(Scanner *scanner, EchoConvDims *dims)
{
  int64_t input[2], kernel[2], output[2];
  if (!scan_conv_side(scanner, "bf", input, &dims->input_spatial))
    return false;
  if (!try_char(scanner, 'x'))
    return echo_error(scanner->ctx, here(scanner), "expected 'x'");
  if (!scan_conv_side(scanner, "io", kernel, &dims->kernel_spatial) || !expect_char(scanner, '-') ||
      !expect_char(scanner, '>') || !scan_conv_side(scanner, "bf", output, &dims->output_spatial))
    return false;
  dims->input_batch = input[0];
  dims->input_feature = input[1];
  dims->kernel_input_feature = kernel[0];
  dims->kernel_output_feature = kernel[1];
  dims->output_batch = output[0];
  dims->output_feature = output[1];
  return true;
}

bool echo_hlo_conv_parse(EchoContext *ctx, EchoLoc loc, EchoStr text, EchoConvDims *dims)
{
  Scanner scanner = {ctx, loc, text, text.data};
  return scan_conv(&scanner, dims);
}

static bool parse_conv(Scanner *scanner, EchoHloPayload *payload)
{
  Scanner ahead = *scanner;
  if (echo_str_is(scan_word(&ahead), "raw")) {
    const EchoHloStruct *raw = &ECHO_HLO_STRUCTS[ECHO_HLO_N_STRUCTS - 1];
    return echo_hlo_struct_parse(scanner->ctx, here(scanner), raw, ahead.rest, payload);
  }
  return scan_conv(scanner, &payload->as.conv) && expect_char(scanner, '>') &&
         (at_end(scanner) || echo_error(scanner->ctx, here(scanner), "unexpected text after '>'"));
}

/* ---- the hook ---- */

static const char *const VERBATIM[] = {"sub_axis_info", "axis_ref", "mesh_axis", "mesh",
                                       "replica_group_mesh_axes"};

static bool parse_enum(Scanner *scanner, const EchoHloEnum *info, bool bracketed,
                       EchoHloPayload *payload)
{
  EchoStr word = scan_word(scanner);
  payload->as.word = echo_hlo_enum_value(info->kind, word);
  if (payload->as.word < 0)
    return echo_error(scanner->ctx, here(scanner), "'%.*s' is not a %s", ECHO_STR_ARG(word),
                      info->mnemonic);
  return (!bracketed || expect_char(scanner, '>')) &&
         (at_end(scanner) || echo_error(scanner->ctx, here(scanner), "unexpected text after '%.*s'",
                                        ECHO_STR_ARG(word)));
}

/* Precisions of lhs, rhs and accumulation, and how many products of such are known to be supported
 * on some hardware. */
static const struct {
  EchoFloatKind lhs, rhs, accumulation;
  int64_t primitive_operations[4];
} KNOWN_ALGORITHMS[] = {
    {ECHO_F16, ECHO_F16, ECHO_F16, {1}},      {ECHO_F16, ECHO_F16, ECHO_F32, {1}},
    {ECHO_BF16, ECHO_BF16, ECHO_BF16, {1}},   {ECHO_BF16, ECHO_BF16, ECHO_F32, {1, 3, 6, 9}},
    {ECHO_TF32, ECHO_TF32, ECHO_F32, {1, 3}}, {ECHO_F32, ECHO_F32, ECHO_F32, {1}},
    {ECHO_F64, ECHO_F64, ECHO_F64, {1}},
};

static bool is_float_kind(const EchoType *type, EchoFloatKind kind)
{
  return type->kind == ECHO_TYPE_FLOAT && type->as.float_kind == kind;
}

static bool is_f8(const EchoType *type)
{
  return type->kind == ECHO_TYPE_FLOAT && echo_type_bit_width(type) == 8 &&
         type->as.float_kind != ECHO_F8E8M0FNU;
}

bool echo_hlo_is_known_algorithm(const EchoDotAlgorithm *a)
{
  if (a->lhs_components != 1 || a->rhs_components != 1)
    return false;
  if (is_f8(a->lhs_precision) && is_f8(a->rhs_precision) &&
      is_float_kind(a->accumulation, ECHO_F32) && a->primitive_operations == 1)
    return true;
  for (size_t i = 0; i < sizeof KNOWN_ALGORITHMS / sizeof KNOWN_ALGORITHMS[0]; ++i) {
    if (!is_float_kind(a->lhs_precision, KNOWN_ALGORITHMS[i].lhs) ||
        !is_float_kind(a->rhs_precision, KNOWN_ALGORITHMS[i].rhs) ||
        !is_float_kind(a->accumulation, KNOWN_ALGORITHMS[i].accumulation))
      continue;
    for (size_t n = 0; n < 4; ++n)
      if (KNOWN_ALGORITHMS[i].primitive_operations[n] == a->primitive_operations)
        return !a->allow_imprecise_accumulation;
  }
  return false;
}

/* What no field alone can show. */
static bool check_struct(Scanner *scanner, const EchoHloPayload *payload)
{
  const EchoResultAccuracy *accuracy = &payload->as.accuracy;
  const EchoDotAlgorithm *algorithm = &payload->as.dot_algorithm;
  if (payload->kind == ECHO_HLO_ATTR_RESULT_ACCURACY && accuracy->mode != ECHO_ACCURACY_TOLERANCE &&
      (accuracy->atol != 0 || accuracy->rtol != 0 || accuracy->ulps != 0))
    return echo_error(scanner->ctx, here(scanner),
                      "tolerances must be zero unless the mode is TOLERANCE");
  if (payload->kind == ECHO_HLO_ATTR_DOT_ALGORITHM &&
      (algorithm->lhs_components < 1 || algorithm->rhs_components < 1 ||
       algorithm->primitive_operations < 1))
    return echo_error(scanner->ctx, here(scanner),
                      "counts of components and primitive operations must be positive");
  if (payload->kind == ECHO_HLO_ATTR_DOT_ALGORITHM && !echo_hlo_is_known_algorithm(algorithm))
    return echo_error(scanner->ctx, here(scanner),
                      "dot algorithm is not known to be supported on any hardware");
  return true;
}

/* "bounds<3, ?>" and "type_extensions<bounds = [3, ?]>" */
static bool parse_bounds(Scanner *scanner, bool extensions, EchoHloPayload *payload)
{
  ECHO_VECTOR(int64_t) bounds = {0};
  payload->kind = ECHO_HLO_ATTR_BOUNDS;
  if (!expect_char(scanner, '<'))
    return false;
  if (extensions)
    return echo_str_is(scan_word(scanner), "bounds") && expect_char(scanner, '=') &&
           scan_dims(scanner, &payload->as.bounds) && expect_char(scanner, '>');
  bool ok = true;
  if (!try_char(scanner, '>')) {
    do {
      int64_t bound = ECHO_DYNAMIC;
      ok = try_char(scanner, '?') || scan_int(scanner, &bound);
      echo_vector_push(&bounds, bound);
    } while (ok && try_char(scanner, ','));
    ok = ok && expect_char(scanner, '>');
  }
  int64_t *kept = ECHO_ARENA_ARRAY(echo_context_arena(scanner->ctx), int64_t, bounds.size);
  if (bounds.size != 0)
    memcpy(kept, bounds.data, bounds.size * sizeof *kept);
  payload->as.bounds = (EchoDimList){kept, bounds.size};
  echo_vector_destroy(&bounds);
  return ok;
}

static bool parse_payload(Scanner *scanner, EchoHloPayload *payload)
{
  EchoStr mnemonic = scan_word(scanner);
  for (size_t i = 0; i < ECHO_HLO_N_ENUMS; ++i)
    if (echo_str_is(mnemonic, ECHO_HLO_ENUMS[i].mnemonic)) {
      payload->kind = ECHO_HLO_ENUMS[i].kind;
      return parse_enum(scanner, &ECHO_HLO_ENUMS[i], try_char(scanner, '<'), payload);
    }
  for (size_t i = 0; i < ECHO_HLO_N_STRUCTS; ++i)
    if (echo_str_is(mnemonic, ECHO_HLO_STRUCTS[i].mnemonic)) {
      payload->kind = ECHO_HLO_STRUCTS[i].kind;
      return expect_char(scanner, '<') &&
             echo_hlo_struct_parse(scanner->ctx, here(scanner), &ECHO_HLO_STRUCTS[i], scanner->rest,
                                   payload) &&
             check_struct(scanner, payload);
    }
  if (echo_str_is(mnemonic, "conv")) {
    payload->kind = ECHO_HLO_ATTR_CONV;
    return expect_char(scanner, '<') && parse_conv(scanner, payload);
  }
  if (echo_str_is(mnemonic, "bounds") || echo_str_is(mnemonic, "type_extensions"))
    return parse_bounds(scanner, echo_str_is(mnemonic, "type_extensions"), payload);
  for (size_t i = 0; i < sizeof VERBATIM / sizeof *VERBATIM; ++i)
    if (echo_str_is(mnemonic, VERBATIM[i]))
      return true;
  return echo_error(scanner->ctx, here(scanner), "unknown attribute '%.*s'",
                    ECHO_STR_ARG(mnemonic));
}

/* Where the text itself stands, when `loc` is that of its "#stablehlo." in a buffer. */
static EchoLoc loc_of_text(EchoContext *ctx, EchoLoc loc, EchoStr text)
{
  static const size_t head = sizeof "#stablehlo." - 1;
  if ((loc.bits & 1) == 0)
    return loc;
  EchoStr source = echo_context_buffer_text(ctx, (uint32_t)(loc.bits >> 48));
  uint64_t at = ((loc.bits & ((UINT64_C(1) << 48) - 1)) >> 1) + head;
  bool is_there = at < source.size && text.size <= source.size - at &&
                  memcmp(source.data + at, text.data, text.size) == 0;
  return is_there ? moved(loc, head) : loc;
}

bool echo_hlo_parse_attr(EchoContext *ctx, EchoLoc loc, EchoStr text, bool is_pretty,
                         const void **payload)
{
  (void)is_pretty;
  EchoHloPayload *parsed = ECHO_ARENA_NEW(echo_context_arena(ctx), EchoHloPayload);
  memset(parsed, 0, sizeof *parsed);
  Scanner scanner = {ctx, loc_of_text(ctx, loc, text), text, text.data};
  if (!parse_payload(&scanner, parsed))
    return false;
  *payload = parsed;
  return true;
}
