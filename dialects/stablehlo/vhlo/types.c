/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* VHLO's types, read as those that StableHLO has for them. The codes are VHLO's, which never
 * changes one. */
#include <inttypes.h>

#include "dialects/quant/bytecode_t.h"
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
  if (code != TYPE_BUFFER)
    return echo_bytecode_tensor(reader, dims, rank, element, encoding, type);
  *type = echo_type_memref(ctx, dims, rank, element, NULL, NULL);
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
    return echo_quant_read_uniform(reader, code == TYPE_QUANTIZED_PER_AXIS, type);
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
