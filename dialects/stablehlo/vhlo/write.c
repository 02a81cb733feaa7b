/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attributes and types as VHLO encodes them. */
#include "dialects/quant/quant.h"
#include "dialects/stablehlo/vhlo/codes_t.h"
#include "dialects/stablehlo/vhlo/vhlo_t.h"

static void put_f64(EchoBytecodeWriter *writer, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  echo_bytecode_put_int(writer, 64, bits);
}

static void put_dims(EchoBytecodeWriter *writer, EchoDimList list)
{
  echo_bytecode_put_signeds(writer, list.dims, list.size);
}

/* ---- attributes ---- */

static bool put_enum(EchoBytecodeWriter *writer, const EchoHloPayload *payload)
{
  static const struct {
    EchoHloAttrKind kind;
    AttrCode code;
  } CODES[] = {{ECHO_HLO_ATTR_COMPARISON_DIRECTION, ATTR_COMPARISON_DIRECTION},
               {ECHO_HLO_ATTR_COMPARISON_TYPE, ATTR_COMPARISON_TYPE},
               {ECHO_HLO_ATTR_PRECISION, ATTR_PRECISION},
               {ECHO_HLO_ATTR_RNG_ALGORITHM, ATTR_RNG_ALGORITHM},
               {ECHO_HLO_ATTR_RNG_DISTRIBUTION, ATTR_RNG_DISTRIBUTION},
               {ECHO_HLO_ATTR_TRANSPOSE, ATTR_TRANSPOSE},
               {ECHO_HLO_ATTR_FFT_TYPE, ATTR_FFT_TYPE},
               {ECHO_HLO_ATTR_RESULT_ACCURACY_MODE, ATTR_RESULT_ACCURACY_MODE}};
  for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++)
    if (CODES[i].kind == payload->kind) {
      echo_bytecode_put_varint(writer, CODES[i].code);
      echo_bytecode_put_varint(writer, (uint64_t)payload->as.word);
      return true;
    }
  return false;
}

static void put_accuracy(EchoBytecodeWriter *writer, const EchoResultAccuracy *accuracy)
{
  echo_bytecode_put_varint(writer, ATTR_RESULT_ACCURACY);
  put_f64(writer, accuracy->atol);
  put_f64(writer, accuracy->rtol);
  echo_bytecode_put_signed(writer, accuracy->ulps);
  echo_bytecode_put_attr(writer, echo_hlo_enum_attr(echo_bytecode_writer_context(writer),
                                                    "stablehlo", ECHO_HLO_ATTR_RESULT_ACCURACY_MODE,
                                                    (int)accuracy->mode));
}

/* StableHLO's own; false: none that VHLO has. */
static bool put_opaque(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  const EchoHloPayload *payload = attr->as.opaque.payload;
  if (payload == NULL || !echo_str_is(attr->as.opaque.dialect, "stablehlo"))
    return false;
  switch (payload->kind) {
  case ECHO_HLO_ATTR_VERBATIM:
    return echo_vhlo_write_mesh(writer, attr);
  case ECHO_HLO_ATTR_BOUNDS:
    echo_bytecode_put_varint(writer, ATTR_TYPE_EXTENSIONS);
    put_dims(writer, payload->as.bounds);
    return true;
  case ECHO_HLO_ATTR_OUTPUT_OPERAND_ALIAS:
    echo_bytecode_put_varint(writer, ATTR_OUTPUT_OPERAND_ALIAS);
    put_dims(writer, payload->as.alias.output_tuple_indices);
    echo_bytecode_put_signed(writer, payload->as.alias.operand_index);
    put_dims(writer, payload->as.alias.operand_tuple_indices);
    return true;
  case ECHO_HLO_ATTR_RESULT_ACCURACY:
    put_accuracy(writer, &payload->as.accuracy);
    return true;
  default:
    return put_enum(writer, payload);
  }
}

static void put_dictionary(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  EchoContext *ctx = echo_bytecode_writer_context(writer);
  echo_bytecode_put_varint(writer, ATTR_DICTIONARY);
  echo_bytecode_put_varint(writer, attr->as.dictionary.size);
  for (size_t i = 0; i < attr->as.dictionary.size; i++) {
    echo_bytecode_put_attr(writer, echo_attr_string(ctx, attr->as.dictionary.entries[i].name));
    echo_bytecode_put_attr(writer, attr->as.dictionary.entries[i].value);
  }
}

static void put_number(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  bool is_float = attr->kind == ECHO_ATTR_FLOAT;
  uint32_t width = attr->type->kind == ECHO_TYPE_INDEX ? 64 : echo_type_bit_width(attr->type);
  echo_bytecode_put_varint(writer, is_float ? ATTR_FLOAT : ATTR_INTEGER);
  echo_bytecode_put_type(writer, attr->type);
  echo_bytecode_put_int(writer, width,
                        is_float ? attr->as.floating.bits : (uint64_t)attr->as.integer.value);
}

static void put_integer(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  bool is_api_version =
      attr->type->kind == ECHO_TYPE_INTEGER && attr->type->as.integer.signedness == ECHO_SIGNED;
  bool is_bool = echo_type_is_integer(attr->type, 1);
  if (!is_api_version && !is_bool) {
    put_number(writer, attr);
    return;
  }
  echo_bytecode_put_varint(writer, is_bool ? ATTR_BOOL : ATTR_API_VERSION);
  echo_bytecode_put_varint(writer, (uint64_t)attr->as.integer.value & INT32_MAX);
}

bool echo_vhlo_write_attr(EchoBytecodeWriter *writer, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_ARRAY:
    echo_bytecode_put_varint(writer, ATTR_ARRAY);
    echo_bytecode_put_attrs(writer, attr->as.array.elements, attr->as.array.size);
    return true;
  case ECHO_ATTR_DICTIONARY:
    put_dictionary(writer, attr);
    return true;
  case ECHO_ATTR_FLOAT:
    put_number(writer, attr);
    return true;
  case ECHO_ATTR_INTEGER:
    put_integer(writer, attr);
    return true;
  case ECHO_ATTR_STRING:
    echo_bytecode_put_varint(writer, ATTR_STRING);
    echo_bytecode_put_string(writer, attr->as.string);
    return true;
  case ECHO_ATTR_TYPE:
    echo_bytecode_put_varint(writer, ATTR_TYPE);
    echo_bytecode_put_type(writer, attr->as.type_value);
    return true;
  case ECHO_ATTR_DENSE_ELEMENTS:
    echo_bytecode_put_varint(writer, ATTR_TENSOR);
    echo_bytecode_put_type(writer, attr->type);
    echo_bytecode_put_elements(writer, attr);
    return true;
  case ECHO_ATTR_OPAQUE:
    return put_opaque(writer, attr);
  default:
    return false;
  }
}

/* ---- types ---- */

static void put_shape(EchoBytecodeWriter *writer, TypeCode code, const EchoAttr *encoding,
                      const EchoType *type)
{
  echo_bytecode_put_varint(writer, code);
  if (encoding != NULL)
    echo_bytecode_put_attr(writer, encoding);
  echo_bytecode_put_signeds(writer, type->as.shaped.dims, type->as.shaped.rank);
  echo_bytecode_put_type(writer, type->as.shaped.element);
}

static bool put_quantized(EchoBytecodeWriter *writer, const EchoType *type)
{
  EchoContext *ctx = echo_bytecode_writer_context(writer);
  EchoQuantized quantized;
  if (!echo_quantized_read(type, &quantized))
    return false;
  bool per_axis = quantized.axis >= 0;
  echo_bytecode_put_varint(writer, per_axis ? TYPE_QUANTIZED_PER_AXIS : TYPE_QUANTIZED);
  echo_bytecode_put_varint(writer, quantized.is_unsigned ? 0 : 1);
  echo_bytecode_put_type(writer, echo_type_integer(ctx, quantized.storage_bits, ECHO_SIGNLESS));
  echo_bytecode_put_type(writer, echo_type_float(ctx, quantized.expressed));
  if (per_axis) {
    echo_bytecode_put_varint(writer, (uint64_t)quantized.axis);
  } else {
    put_f64(writer, quantized.scales[0]);
    echo_bytecode_put_signed(writer, quantized.zero_points[0]);
  }
  echo_bytecode_put_signed(writer, quantized.min);
  echo_bytecode_put_signed(writer, quantized.max);
  if (per_axis) {
    echo_bytecode_put_varint(writer, quantized.n_scales);
    for (size_t i = 0; i < quantized.n_scales; i++)
      put_f64(writer, quantized.scales[i]);
    echo_bytecode_put_signeds(writer, quantized.zero_points, quantized.n_scales);
  }
  echo_quantized_destroy(&quantized);
  return true;
}

static bool put_opaque_type(EchoBytecodeWriter *writer, const EchoType *type)
{
  if (echo_is_quantized(type))
    return put_quantized(writer, type);
  const EchoType *held = echo_vhlo_future_or_null(echo_bytecode_writer_context(writer), type);
  if (held != NULL) {
    echo_bytecode_put_varint(writer, TYPE_FUTURE);
    echo_bytecode_put_types(writer, held->as.tuple.elements, held->as.tuple.n_elements);
    return true;
  }
  bool is_token = echo_str_is(type->as.opaque.dialect, "stablehlo") &&
                  echo_str_is(type->as.opaque.text, "token");
  bool is_witness =
      echo_str_is(type->as.opaque.dialect, "shape") && echo_str_is(type->as.opaque.text, "witness");
  if (is_token || is_witness)
    echo_bytecode_put_varint(writer, is_token ? TYPE_TOKEN : TYPE_WITNESS);
  return is_token || is_witness;
}

bool echo_vhlo_write_type(EchoBytecodeWriter *writer, const EchoType *type)
{
  uint8_t code;
  if (echo_vhlo_plain_code(type, &code)) {
    echo_bytecode_put_varint(writer, code);
    return true;
  }
  const EchoAttr *encoding = type->kind == ECHO_TYPE_TENSOR ? type->as.shaped.encoding : NULL;
  switch (type->kind) {
  case ECHO_TYPE_COMPLEX:
  case ECHO_TYPE_UNRANKED_TENSOR:
    echo_bytecode_put_varint(writer,
                             type->kind == ECHO_TYPE_COMPLEX ? TYPE_COMPLEX : TYPE_UNRANKED_TENSOR);
    echo_bytecode_put_type(writer, type->as.shaped.element);
    return true;
  case ECHO_TYPE_FUNCTION:
    echo_bytecode_put_varint(writer, TYPE_FUNCTION);
    echo_bytecode_put_types(writer, type->as.function.inputs, type->as.function.n_inputs);
    echo_bytecode_put_types(writer, type->as.function.results, type->as.function.n_results);
    return true;
  case ECHO_TYPE_INDEX:
    echo_bytecode_put_varint(writer, TYPE_INDEX);
    return true;
  case ECHO_TYPE_NONE:
    echo_bytecode_put_varint(writer, TYPE_NONE);
    return true;
  case ECHO_TYPE_TENSOR:
    put_shape(writer, encoding != NULL ? TYPE_TENSOR_WITH_ENCODING : TYPE_TENSOR, encoding, type);
    return true;
  case ECHO_TYPE_MEMREF:
    put_shape(writer, TYPE_BUFFER, NULL, type);
    return true;
  case ECHO_TYPE_TUPLE:
    echo_bytecode_put_varint(writer, TYPE_TUPLE);
    echo_bytecode_put_types(writer, type->as.tuple.elements, type->as.tuple.n_elements);
    return true;
  case ECHO_TYPE_OPAQUE:
    return put_opaque_type(writer, type);
  default:
    return false;
  }
}
