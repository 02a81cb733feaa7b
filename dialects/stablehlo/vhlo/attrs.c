/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* VHLO's attributes, read as those that StableHLO has for them. */
#include <inttypes.h>

#include "dialects/stablehlo/vhlo/codes_t.h"
#include "dialects/stablehlo/vhlo/vhlo_t.h"
#include "ir/text/text.h"

bool echo_vhlo_read_enum(EchoBytecodeReader *reader, EchoHloAttrKind kind, const EchoAttr **attr)
{
  uint64_t value;
  if (!echo_bytecode_read_varint(reader, &value))
    return false;
  const EchoHloEnum *info = echo_hlo_enum(kind);
  size_t n = 0;
  while (info->words[n] != NULL)
    n++;
  if (value >= n || info->words[value][0] == '\0')
    return echo_bytecode_error(reader, "'%s' has no value %" PRIu64, info->mnemonic, value);
  *attr = echo_hlo_enum_attr(echo_bytecode_context(reader), "stablehlo", kind, (int)value);
  return true;
}

static bool read_dictionary(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  size_t n;
  if (!echo_bytecode_read_count(reader, &n))
    return false;
  EchoContext *ctx = echo_bytecode_context(reader);
  EchoNamedAttr *entries = echo_alloc((n + 1) * sizeof *entries);
  bool fine = true;
  for (size_t i = 0; fine && i < n; i++) {
    const EchoAttr *name;
    fine = echo_bytecode_read_attr(reader, &name) &&
           echo_bytecode_read_attr(reader, &entries[i].value) &&
           (name->kind == ECHO_ATTR_STRING ||
            echo_bytecode_error(reader, "a dictionary's name that is no string"));
    if (fine)
      entries[i].name = name->as.string;
  }
  *attr = fine ? echo_attr_dictionary(ctx, entries, n) : NULL;
  echo_free(entries);
  return *attr != NULL;
}

static bool read_number(EchoBytecodeReader *reader, bool is_float, const EchoAttr **attr)
{
  EchoContext *ctx = echo_bytecode_context(reader);
  const EchoType *type;
  uint64_t bits;
  if (!echo_bytecode_read_type(reader, &type))
    return false;
  bool is_right = is_float ? type->kind == ECHO_TYPE_FLOAT
                           : type->kind == ECHO_TYPE_INTEGER || type->kind == ECHO_TYPE_INDEX;
  uint32_t width = echo_type_bit_width(type);
  if (!is_right || width > 64)
    return echo_bytecode_error(reader, "a number of type %s", echo_type_text(ctx, type));
  if (!echo_bytecode_read_int(reader, width, &bits))
    return false;
  if (width < 64)
    bits &= (UINT64_C(1) << width) - 1;
  *attr = is_float ? echo_attr_float_bits(ctx, type, bits)
                   : echo_attr_integer(ctx, type, (int64_t)bits);
  return *attr != NULL;
}

bool echo_vhlo_read_alias(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoOutputOperandAlias alias;
  if (!echo_bytecode_read_signeds(reader, &alias.output_tuple_indices.dims,
                                  &alias.output_tuple_indices.size) ||
      !echo_bytecode_read_signed(reader, &alias.operand_index) ||
      !echo_bytecode_read_signeds(reader, &alias.operand_tuple_indices.dims,
                                  &alias.operand_tuple_indices.size))
    return false;
  *attr = echo_hlo_input_attr_or_null(
      echo_bytecode_context(reader), echo_bytecode_loc(reader),
      &(EchoHloPayload){ECHO_HLO_ATTR_OUTPUT_OPERAND_ALIAS, {.alias = alias}});
  return *attr != NULL;
}

bool echo_vhlo_read_bounds(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  const int64_t *bounds;
  size_t n;
  if (!echo_bytecode_read_signeds(reader, &bounds, &n))
    return false;
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "#stablehlo.bounds<");
  for (size_t i = 0; i < n; i++) {
    echo_buffer_append_c(&text, i == 0 ? "" : ", ");
    if (bounds[i] == ECHO_DYNAMIC)
      echo_buffer_append_c(&text, "?");
    else
      echo_buffer_append_i64(&text, bounds[i]);
  }
  echo_buffer_append_c(&text, ">");
  *attr = echo_parse_attr_or_null(echo_bytecode_context(reader), echo_buffer_str(&text));
  echo_buffer_destroy(&text);
  return *attr != NULL;
}

bool echo_vhlo_read_accuracy(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  uint64_t atol, rtol;
  const EchoAttr *mode;
  EchoResultAccuracy accuracy;
  if (!echo_bytecode_read_int(reader, 64, &atol) || !echo_bytecode_read_int(reader, 64, &rtol) ||
      !echo_bytecode_read_signed(reader, &accuracy.ulps) || !echo_bytecode_read_attr(reader, &mode))
    return false;
  memcpy(&accuracy.atol, &atol, sizeof atol);
  memcpy(&accuracy.rtol, &rtol, sizeof rtol);
  const EchoHloPayload *payload =
      echo_hlo_payload_or_null(mode, ECHO_HLO_ATTR_RESULT_ACCURACY_MODE);
  if (payload == NULL)
    return echo_bytecode_error(reader, "an accuracy without its mode");
  accuracy.mode = (EchoAccuracyMode)payload->as.word;
  *attr = echo_hlo_input_attr_or_null(
      echo_bytecode_context(reader), echo_bytecode_loc(reader),
      &(EchoHloPayload){ECHO_HLO_ATTR_RESULT_ACCURACY, {.accuracy = accuracy}});
  return *attr != NULL;
}

static bool read_simple(EchoBytecodeReader *reader, uint64_t code, const EchoAttr **attr)
{
  EchoContext *ctx = echo_bytecode_context(reader);
  const EchoAttr *const *list;
  const EchoType *type;
  EchoStr string;
  uint64_t value;
  size_t n;
  switch (code) {
  case ATTR_ARRAY:
    if (!echo_bytecode_read_attrs(reader, &list, &n))
      return false;
    *attr = echo_attr_array(ctx, list, n);
    return true;
  case ATTR_BOOL:
    if (!echo_bytecode_read_varint(reader, &value))
      return false;
    *attr = echo_attr_bool(ctx, value != 0);
    return value <= 1 || echo_bytecode_error(reader, "a bool of %" PRIu64, value);
  case ATTR_API_VERSION:
    if (!echo_bytecode_read_varint(reader, &value))
      return false;
    *attr = echo_attr_i32(ctx, (int32_t)(value & INT32_MAX));
    return true;
  case ATTR_STRING:
    if (!echo_bytecode_read_string(reader, &string))
      return false;
    *attr = echo_attr_string(ctx, string);
    return true;
  case ATTR_TENSOR:
    return echo_bytecode_read_type(reader, &type) && echo_bytecode_read_blob(reader, &string) &&
           echo_bytecode_elements(reader, type, string, attr);
  case ATTR_TYPE:
    if (!echo_bytecode_read_type(reader, &type))
      return false;
    *attr = echo_attr_type(ctx, type);
    return true;
  default:
    return echo_bytecode_error(reader, "what VHLO's attribute of code %" PRIu64 " is is not known",
                               code);
  }
}

bool echo_vhlo_read_attr(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  switch (code) {
  case ATTR_COMPARISON_DIRECTION:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_COMPARISON_DIRECTION, attr);
  case ATTR_COMPARISON_TYPE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_COMPARISON_TYPE, attr);
  case ATTR_DICTIONARY:
    return read_dictionary(reader, attr);
  case ATTR_FFT_TYPE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_FFT_TYPE, attr);
  case ATTR_FLOAT:
  case ATTR_INTEGER:
    return read_number(reader, code == ATTR_FLOAT, attr);
  case ATTR_OUTPUT_OPERAND_ALIAS:
    return echo_vhlo_read_alias(reader, attr);
  case ATTR_PRECISION:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_PRECISION, attr);
  case ATTR_RNG_ALGORITHM:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_RNG_ALGORITHM, attr);
  case ATTR_RNG_DISTRIBUTION:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_RNG_DISTRIBUTION, attr);
  case ATTR_TRANSPOSE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_TRANSPOSE, attr);
  case ATTR_TYPE_EXTENSIONS:
    return echo_vhlo_read_bounds(reader, attr);
  case ATTR_RESULT_ACCURACY_MODE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_RESULT_ACCURACY_MODE, attr);
  case ATTR_RESULT_ACCURACY:
    return echo_vhlo_read_accuracy(reader, attr);
  case ATTR_SUB_AXIS_INFO:
  case ATTR_AXIS_REF:
  case ATTR_REPLICA_GROUP_MESH_AXES:
  case ATTR_MESH_AXIS:
  case ATTR_MESH:
    return echo_vhlo_read_mesh(reader, code, attr);
  default:
    return read_simple(reader, code, attr);
  }
}

const EchoBytecodeDialect ECHO_VHLO_BYTECODE = {.read_attr = echo_vhlo_read_attr,
                                                .read_type = echo_vhlo_read_type,
                                                .property_names_or_null =
                                                    echo_vhlo_property_names_or_null,
                                                .upgrade = echo_vhlo_upgrade};
