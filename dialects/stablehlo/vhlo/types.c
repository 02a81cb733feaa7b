/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* VHLO's types, read as those that StableHLO has for them. The codes are VHLO's, which never
 * changes one. */
#include <inttypes.h>

#include "dialects/stablehlo/vhlo/codes_t.h"
#include "dialects/stablehlo/vhlo/vhlo_t.h"
#include "ir/text/text.h"

/* Types that are a code and nothing else. */
typedef struct PlainCode {
  uint8_t code;
  bool is_float;
  uint8_t kind; /* EchoFloatKind, or the width of an integer */
  bool is_unsigned;
} PlainCode;

static const PlainCode PLAIN[] = {
    {2, true, ECHO_BF16, false},
    {3, true, ECHO_F16, false},
    {4, true, ECHO_F32, false},
    {5, true, ECHO_F64, false},
    {6, true, ECHO_F8E4M3FN, false},
    {7, true, ECHO_F8E5M2, false},
    {27, true, ECHO_F8E4M3FNUZ, false},
    {28, true, ECHO_F8E5M2FNUZ, false},
    {29, true, ECHO_F8E4M3B11FNUZ, false},
    {34, true, ECHO_TF32, false},
    {35, true, ECHO_F8E4M3, false},
    {36, true, ECHO_F8E3M4, false},
    {37, true, ECHO_F4E2M1FN, false},
    {38, true, ECHO_F6E2M3FN, false},
    {39, true, ECHO_F6E3M2FN, false},
    {40, true, ECHO_F8E8M0FNU, false},
    {TYPE_BOOL, false, 1, false},
    {31, false, 2, false},
    {10, false, 4, false},
    {11, false, 8, false},
    {12, false, 16, false},
    {13, false, 32, false},
    {14, false, 64, false},
    {32, false, 2, true},
    {15, false, 4, true},
    {16, false, 8, true},
    {17, false, 16, true},
    {18, false, 32, true},
    {19, false, 64, true},
};

static const EchoType *plain_type_or_null(EchoContext *ctx, uint64_t code)
{
  for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
    if (PLAIN[i].code == code)
      return PLAIN[i].is_float
                 ? echo_type_float(ctx, (EchoFloatKind)PLAIN[i].kind)
                 : echo_type_integer(ctx, PLAIN[i].kind,
                                     PLAIN[i].is_unsigned ? ECHO_UNSIGNED : ECHO_SIGNLESS);
  return NULL;
}

bool echo_vhlo_plain_code(const EchoType *type, uint8_t *code)
{
  for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
    EchoSignedness signedness = PLAIN[i].is_unsigned ? ECHO_UNSIGNED : ECHO_SIGNLESS;
    bool is_it = PLAIN[i].is_float
                     ? type->kind == ECHO_TYPE_FLOAT && type->as.float_kind == PLAIN[i].kind
                     : echo_type_is_integer(type, PLAIN[i].kind) &&
                           type->as.integer.signedness == signedness;
    if (is_it) {
      *code = PLAIN[i].code;
      return true;
    }
  }
  return false;
}

static bool read_shape(EchoBytecodeReader *reader, const int64_t **dims, size_t *rank)
{
  if (!echo_bytecode_read_signeds(reader, dims, rank))
    return false;
  if (*rank > ECHO_MAX_RANK)
    return echo_bytecode_error(reader, "a shape of rank %zu", *rank);
  for (size_t i = 0; i < *rank; i++)
    if ((*dims)[i] < 0 && (*dims)[i] != ECHO_DYNAMIC)
      return echo_bytecode_error(reader, "a dimension of %" PRId64, (*dims)[i]);
  return true;
}

static bool read_tensor(EchoBytecodeReader *reader, TypeCode code, const EchoType **type)
{
  const EchoAttr *encoding = NULL;
  const int64_t *dims;
  size_t rank;
  const EchoType *element;
  if ((code == TYPE_TENSOR_WITH_ENCODING && !echo_bytecode_read_attr(reader, &encoding)) ||
      !read_shape(reader, &dims, &rank) || !echo_bytecode_read_type(reader, &element))
    return false;
  EchoContext *ctx = echo_bytecode_context(reader);
  *type = code == TYPE_BUFFER ? echo_type_memref(ctx, dims, rank, element, NULL, NULL)
                              : echo_type_tensor(ctx, dims, rank, element, encoding);
  return *type != NULL;
}

static bool read_function(EchoBytecodeReader *reader, const EchoType **type)
{
  const EchoType *const *inputs, *const *results;
  size_t n_inputs, n_results;
  if (!echo_bytecode_read_types(reader, &inputs, &n_inputs) ||
      !echo_bytecode_read_types(reader, &results, &n_results))
    return false;
  *type = echo_type_function(echo_bytecode_context(reader), inputs, n_inputs, results, n_results);
  return true;
}

static bool read_future(EchoBytecodeReader *reader, const EchoType **type)
{
  const EchoType *const *types;
  size_t n;
  if (!echo_bytecode_read_types(reader, &types, &n))
    return false;
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "!stablehlo.future<");
  for (size_t i = 0; i < n; i++) {
    echo_buffer_append_c(&text, i == 0 ? "" : ", ");
    echo_print_type(types[i], &text);
  }
  echo_buffer_append_c(&text, ">");
  *type = echo_parse_type_or_null(echo_bytecode_context(reader), echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return *type != NULL;
}

const EchoType *echo_vhlo_future_or_null(EchoContext *ctx, const EchoType *type)
{
  static const char HEAD[] = "future<";
  if (type->kind != ECHO_TYPE_OPAQUE || !echo_str_is(type->as.opaque.dialect, "stablehlo") ||
      !echo_str_starts_with(type->as.opaque.text, HEAD))
    return NULL;
  size_t head = strlen(HEAD);
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "tuple<");
  echo_buffer_append(&text, type->as.opaque.text.data + head, type->as.opaque.text.size - head);
  const EchoType *tuple = echo_parse_type_or_null(ctx, echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return tuple != NULL && tuple->kind == ECHO_TYPE_TUPLE ? tuple : NULL;
}

/* ---- quantized types: their text, read ---- */

static bool read_f64(EchoBytecodeReader *reader, EchoBuffer *text)
{
  uint64_t bits;
  if (!echo_bytecode_read_int(reader, 64, &bits))
    return false;
  EchoContext *ctx = echo_bytecode_context(reader);
  size_t start = text->size;
  echo_print_attr(echo_attr_float_bits(ctx, echo_type_f64(ctx), bits), text);
  char *colon = strstr(text->data + start, " : ");
  if (colon != NULL) {
    text->size = (size_t)(colon - text->data);
    *colon = '\0';
  }
  return true;
}

/* "{2.0:10, 3.0}": scales, then zero points, of one axis. */
static bool read_axis(EchoBytecodeReader *reader, EchoBuffer *text)
{
  size_t n, n_points;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  EchoBuffer *scales = echo_alloc((n + 1) * sizeof *scales);
  memset(scales, 0, (n + 1) * sizeof *scales);
  bool fine = true;
  for (size_t i = 0; fine && i < n; i++)
    fine = read_f64(reader, &scales[i]);
  fine = fine && echo_bytecode_read_count(reader, &n_points) &&
         (n_points == n || echo_bytecode_error(reader, "%zu scales, %zu zero points", n, n_points));
  echo_buffer_append_c(text, "{");
  for (size_t i = 0; fine && i < n; i++) {
    int64_t point;
    fine = echo_bytecode_read_signed(reader, &point);
    if (fine)
      echo_buffer_printf(text, point != 0 ? "%s%s:%" PRId64 : "%s%s", i == 0 ? "" : ", ",
                         echo_buffer_c_str(&scales[i]), point);
  }
  echo_buffer_append_c(text, "}");
  for (size_t i = 0; i < n; i++)
    echo_buffer_destroy(&scales[i]);
  echo_free(scales);
  return fine;
}

static bool read_quantized_text(EchoBytecodeReader *reader, bool per_axis, EchoBuffer *text)
{
  uint64_t flags, axis = 0;
  const EchoType *storage, *expressed;
  EchoBuffer scale = {0};
  int64_t point = 0, low, high;
  if (!echo_bytecode_read_varint(reader, &flags) || !echo_bytecode_read_type(reader, &storage) ||
      !echo_bytecode_read_type(reader, &expressed))
    return false;
  bool fine = per_axis ? echo_bytecode_read_varint(reader, &axis)
                       : read_f64(reader, &scale) && echo_bytecode_read_signed(reader, &point);
  fine =
      fine && echo_bytecode_read_signed(reader, &low) && echo_bytecode_read_signed(reader, &high);
  if (fine && (storage->kind != ECHO_TYPE_INTEGER || storage->as.integer.width > 64))
    fine = echo_bytecode_error(reader, "a quantized type without an integer to store");
  if (fine) {
    uint32_t width = storage->as.integer.width;
    bool is_signed = (flags & 1) != 0;
    int64_t least = is_signed && width < 64 ? -(INT64_C(1) << (width - 1)) : 0;
    int64_t most = width >= 63 ? INT64_MAX : (INT64_C(1) << (width - is_signed)) - 1;
    echo_buffer_printf(text, "!quant.uniform<%c%u", is_signed ? 'i' : 'u', width);
    if (low != least || high != most)
      echo_buffer_printf(text, "<%" PRId64 ":%" PRId64 ">", low, high);
    echo_buffer_append_c(text, ":");
    echo_print_type(expressed, text);
    if (per_axis)
      echo_buffer_printf(text, ":%" PRIu64, axis);
    echo_buffer_printf(text, ", %s", echo_buffer_c_str(&scale));
    if (point != 0)
      echo_buffer_printf(text, ":%" PRId64, point);
    fine = !per_axis || read_axis(reader, text);
    echo_buffer_append_c(text, ">");
  }
  echo_buffer_destroy(&scale);
  return fine;
}

static bool read_quantized(EchoBytecodeReader *reader, bool per_axis, const EchoType **type)
{
  EchoBuffer text = {0};
  bool fine = read_quantized_text(reader, per_axis, &text);
  if (fine)
    *type = echo_parse_type_or_null(echo_bytecode_context(reader), echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return fine && *type != NULL;
}

bool echo_vhlo_read_type(EchoBytecodeReader *reader, const EchoType **type)
{
  EchoContext *ctx = echo_bytecode_context(reader);
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  *type = plain_type_or_null(ctx, code);
  if (*type != NULL)
    return true;
  const EchoType *element, *const *list;
  size_t n;
  switch (code) {
  case TYPE_COMPLEX:
    if (!echo_bytecode_read_type(reader, &element))
      return false;
    *type = echo_type_complex(ctx, element);
    return *type != NULL;
  case TYPE_FUNCTION:
    return read_function(reader, type);
  case TYPE_INDEX:
    *type = echo_type_index(ctx);
    return true;
  case TYPE_TENSOR:
  case TYPE_TENSOR_WITH_ENCODING:
  case TYPE_BUFFER:
    return read_tensor(reader, (TypeCode)code, type);
  case TYPE_TOKEN:
    *type = echo_type_opaque(ctx, ECHO_STR("stablehlo"), ECHO_STR("token"));
    return true;
  case TYPE_TUPLE:
    if (!echo_bytecode_read_types(reader, &list, &n))
      return false;
    *type = echo_type_tuple(ctx, list, n);
    return true;
  case TYPE_QUANTIZED:
  case TYPE_QUANTIZED_PER_AXIS:
    return read_quantized(reader, code == TYPE_QUANTIZED_PER_AXIS, type);
  case TYPE_UNRANKED_TENSOR:
    if (!echo_bytecode_read_type(reader, &element))
      return false;
    *type = echo_type_unranked_tensor(ctx, element);
    return true;
  case TYPE_WITNESS:
    *type = echo_type_opaque(ctx, ECHO_STR("shape"), ECHO_STR("witness"));
    return true;
  case TYPE_NONE:
    *type = echo_type_none(ctx);
    return true;
  case TYPE_FUTURE:
    return read_future(reader, type);
  default:
    return echo_bytecode_error(reader, "VHLO has no type of code %" PRIu64, code);
  }
}
