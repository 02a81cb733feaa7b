/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* StableHLO's own attributes and types in bytecode: what MLIR's writer gives for a module that is
 * StableHLO and no artifact of a version. */
#include <inttypes.h>

#include "dialects/stablehlo/vhlo/vhlo_t.h"
#include "ir/text/text.h"

typedef enum AttrCode {
  CODE_CHANNEL_HANDLE = 1,
  CODE_COMPARISON_DIRECTION = 2,
  CODE_COMPARISON_TYPE = 3,
  CODE_CONV = 4,
  CODE_DOT = 5,
  CODE_FFT_TYPE = 6,
  CODE_GATHER = 7,
  CODE_PRECISION = 8,
  CODE_RNG_ALGORITHM = 9,
  CODE_RNG_DISTRIBUTION = 10,
  CODE_SCATTER = 11,
  CODE_TRANSPOSE = 12,
  CODE_TYPE_EXTENSIONS = 13,
  CODE_OUTPUT_OPERAND_ALIAS = 14,
  CODE_DOT_ALGORITHM = 15,
  CODE_RESULT_ACCURACY_MODE = 16,
  CODE_RESULT_ACCURACY = 17
} AttrCode;

static bool read_dims(EchoBytecodeReader *reader, EchoDimList *list)
{
  return echo_bytecode_read_signeds(reader, &list->dims, &list->size);
}

static bool read_conv(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoConvDims conv;
  if (!echo_bytecode_read_signed(reader, &conv.input_batch) ||
      !echo_bytecode_read_signed(reader, &conv.input_feature) ||
      !read_dims(reader, &conv.input_spatial) ||
      !echo_bytecode_read_signed(reader, &conv.kernel_input_feature) ||
      !echo_bytecode_read_signed(reader, &conv.kernel_output_feature) ||
      !read_dims(reader, &conv.kernel_spatial) ||
      !echo_bytecode_read_signed(reader, &conv.output_batch) ||
      !echo_bytecode_read_signed(reader, &conv.output_feature) ||
      !read_dims(reader, &conv.output_spatial))
    return false;
  *attr = echo_hlo_input_attr_or_null(echo_bytecode_context(reader), echo_bytecode_loc(reader),
                                      &(EchoHloPayload){ECHO_HLO_ATTR_CONV, {.conv = conv}});
  return *attr != NULL;
}

static bool read_dot(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoDotDims dot;
  if (!read_dims(reader, &dot.lhs_batching) || !read_dims(reader, &dot.rhs_batching) ||
      !read_dims(reader, &dot.lhs_contracting) || !read_dims(reader, &dot.rhs_contracting))
    return false;
  *attr = echo_hlo_input_attr_or_null(echo_bytecode_context(reader), echo_bytecode_loc(reader),
                                      &(EchoHloPayload){ECHO_HLO_ATTR_DOT, {.dot = dot}});
  return *attr != NULL;
}

static bool read_gather(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoGatherDims gather;
  if (!read_dims(reader, &gather.offset_dims) || !read_dims(reader, &gather.collapsed_slice_dims) ||
      !read_dims(reader, &gather.operand_batching_dims) ||
      !read_dims(reader, &gather.start_indices_batching_dims) ||
      !read_dims(reader, &gather.start_index_map) ||
      !echo_bytecode_read_signed(reader, &gather.index_vector_dim))
    return false;
  *attr = echo_hlo_input_attr_or_null(echo_bytecode_context(reader), echo_bytecode_loc(reader),
                                      &(EchoHloPayload){ECHO_HLO_ATTR_GATHER, {.gather = gather}});
  return *attr != NULL;
}

static bool read_scatter(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoScatterDims scatter;
  if (!read_dims(reader, &scatter.update_window_dims) ||
      !read_dims(reader, &scatter.inserted_window_dims) ||
      !read_dims(reader, &scatter.input_batching_dims) ||
      !read_dims(reader, &scatter.scatter_indices_batching_dims) ||
      !read_dims(reader, &scatter.scatter_dims_to_operand_dims) ||
      !echo_bytecode_read_signed(reader, &scatter.index_vector_dim))
    return false;
  *attr =
      echo_hlo_input_attr_or_null(echo_bytecode_context(reader), echo_bytecode_loc(reader),
                                  &(EchoHloPayload){ECHO_HLO_ATTR_SCATTER, {.scatter = scatter}});
  return *attr != NULL;
}

static bool read_algorithm(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoDotAlgorithm algorithm;
  uint8_t allows;
  if (!echo_bytecode_read_type(reader, &algorithm.lhs_precision) ||
      !echo_bytecode_read_type(reader, &algorithm.rhs_precision) ||
      !echo_bytecode_read_type(reader, &algorithm.accumulation) ||
      !echo_bytecode_read_signed(reader, &algorithm.lhs_components) ||
      !echo_bytecode_read_signed(reader, &algorithm.rhs_components) ||
      !echo_bytecode_read_signed(reader, &algorithm.primitive_operations) ||
      !echo_bytecode_read_byte(reader, &allows))
    return false;
  algorithm.allow_imprecise_accumulation = allows != 0;
  *attr = echo_hlo_input_attr_or_null(
      echo_bytecode_context(reader), echo_bytecode_loc(reader),
      &(EchoHloPayload){ECHO_HLO_ATTR_DOT_ALGORITHM, {.dot_algorithm = algorithm}});
  return *attr != NULL;
}

static bool read_channel(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  EchoChannelHandle channel;
  if (!echo_bytecode_read_signed(reader, &channel.handle) ||
      !echo_bytecode_read_signed(reader, &channel.type))
    return false;
  *attr = echo_hlo_input_attr_or_null(
      echo_bytecode_context(reader), echo_bytecode_loc(reader),
      &(EchoHloPayload){ECHO_HLO_ATTR_CHANNEL_HANDLE, {.channel = channel}});
  return *attr != NULL;
}

static bool read_attr(EchoBytecodeReader *reader, const EchoAttr **attr)
{
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  switch (code) {
  case CODE_CHANNEL_HANDLE:
    return read_channel(reader, attr);
  case CODE_COMPARISON_DIRECTION:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_COMPARISON_DIRECTION, attr);
  case CODE_COMPARISON_TYPE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_COMPARISON_TYPE, attr);
  case CODE_CONV:
    return read_conv(reader, attr);
  case CODE_DOT:
    return read_dot(reader, attr);
  case CODE_FFT_TYPE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_FFT_TYPE, attr);
  case CODE_GATHER:
    return read_gather(reader, attr);
  case CODE_PRECISION:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_PRECISION, attr);
  case CODE_RNG_ALGORITHM:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_RNG_ALGORITHM, attr);
  case CODE_RNG_DISTRIBUTION:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_RNG_DISTRIBUTION, attr);
  case CODE_SCATTER:
    return read_scatter(reader, attr);
  case CODE_TRANSPOSE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_TRANSPOSE, attr);
  case CODE_TYPE_EXTENSIONS:
    return echo_vhlo_read_bounds(reader, attr);
  case CODE_OUTPUT_OPERAND_ALIAS:
    return echo_vhlo_read_alias(reader, attr);
  case CODE_DOT_ALGORITHM:
    return read_algorithm(reader, attr);
  case CODE_RESULT_ACCURACY_MODE:
    return echo_vhlo_read_enum(reader, ECHO_HLO_ATTR_RESULT_ACCURACY_MODE, attr);
  case CODE_RESULT_ACCURACY:
    return echo_vhlo_read_accuracy(reader, attr);
  default:
    return echo_bytecode_error(
        reader, "what StableHLO's attribute of code %" PRIu64 " is is not known", code);
  }
}

static bool read_type(EchoBytecodeReader *reader, const EchoType **type)
{
  uint64_t code;
  if (!echo_bytecode_read_varint(reader, &code))
    return false;
  if (code != 0)
    return echo_bytecode_error(reader, "what StableHLO's type of code %" PRIu64 " is is not known",
                               code);
  *type = echo_type_opaque(echo_bytecode_context(reader), ECHO_STR("stablehlo"), ECHO_STR("token"));
  return true;
}

const EchoBytecodeDialect ECHO_STABLEHLO_BYTECODE = {.read_attr = read_attr,
                                                     .read_type = read_type};
