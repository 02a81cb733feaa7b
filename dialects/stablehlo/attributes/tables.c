/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables of StableHLO's struct-like attributes and enumerations. */
#include "dialects/stablehlo/attributes/attributes_t.h"

#define FIELD(text, field_kind, member)                                                            \
  {                                                                                                \
    .name = text, .kind = ECHO_HLO_FIELD_##field_kind, .offset = offsetof(EchoHloPayload, member)  \
  }

static const EchoHloField DOT_FIELDS[] = {
    FIELD("lhs_batching_dimensions", DIMS, as.dot.lhs_batching),
    FIELD("rhs_batching_dimensions", DIMS, as.dot.rhs_batching),
    FIELD("lhs_contracting_dimensions", DIMS, as.dot.lhs_contracting),
    FIELD("rhs_contracting_dimensions", DIMS, as.dot.rhs_contracting),
};
static const EchoHloField CONV_RAW_FIELDS[] = {
    FIELD("input_batch_dimension", INT, as.conv.input_batch),
    FIELD("input_feature_dimension", INT, as.conv.input_feature),
    FIELD("input_spatial_dimensions", DIMS, as.conv.input_spatial),
    FIELD("kernel_input_feature_dimension", INT, as.conv.kernel_input_feature),
    FIELD("kernel_output_feature_dimension", INT, as.conv.kernel_output_feature),
    FIELD("kernel_spatial_dimensions", DIMS, as.conv.kernel_spatial),
    FIELD("output_batch_dimension", INT, as.conv.output_batch),
    FIELD("output_feature_dimension", INT, as.conv.output_feature),
    FIELD("output_spatial_dimensions", DIMS, as.conv.output_spatial),
};
static const EchoHloField GATHER_FIELDS[] = {
    FIELD("offset_dims", DIMS, as.gather.offset_dims),
    FIELD("collapsed_slice_dims", DIMS, as.gather.collapsed_slice_dims),
    FIELD("operand_batching_dims", DIMS, as.gather.operand_batching_dims),
    FIELD("start_indices_batching_dims", DIMS, as.gather.start_indices_batching_dims),
    FIELD("start_index_map", DIMS, as.gather.start_index_map),
    FIELD("index_vector_dim", INT, as.gather.index_vector_dim),
};
static const EchoHloField SCATTER_FIELDS[] = {
    FIELD("update_window_dims", DIMS, as.scatter.update_window_dims),
    FIELD("inserted_window_dims", DIMS, as.scatter.inserted_window_dims),
    FIELD("input_batching_dims", DIMS, as.scatter.input_batching_dims),
    FIELD("scatter_indices_batching_dims", DIMS, as.scatter.scatter_indices_batching_dims),
    FIELD("scatter_dims_to_operand_dims", DIMS, as.scatter.scatter_dims_to_operand_dims),
    FIELD("index_vector_dim", INT, as.scatter.index_vector_dim),
};
static const EchoHloField RAGGED_DOT_FIELDS[] = {
    FIELD("lhs_batching_dimensions", DIMS, as.ragged_dot.dot.lhs_batching),
    FIELD("rhs_batching_dimensions", DIMS, as.ragged_dot.dot.rhs_batching),
    FIELD("lhs_contracting_dimensions", DIMS, as.ragged_dot.dot.lhs_contracting),
    FIELD("rhs_contracting_dimensions", DIMS, as.ragged_dot.dot.rhs_contracting),
    FIELD("lhs_ragged_dimensions", DIMS, as.ragged_dot.lhs_ragged),
    FIELD("rhs_group_dimensions", DIMS, as.ragged_dot.rhs_group),
};
static const EchoHloField DOT_ALGORITHM_FIELDS[] = {
    FIELD("lhs_precision_type", TYPE, as.dot_algorithm.lhs_precision),
    FIELD("rhs_precision_type", TYPE, as.dot_algorithm.rhs_precision),
    FIELD("accumulation_type", TYPE, as.dot_algorithm.accumulation),
    FIELD("lhs_component_count", INT, as.dot_algorithm.lhs_components),
    FIELD("rhs_component_count", INT, as.dot_algorithm.rhs_components),
    FIELD("num_primitive_operations", INT, as.dot_algorithm.primitive_operations),
    FIELD("allow_imprecise_accumulation", BOOL, as.dot_algorithm.allow_imprecise_accumulation),
};
static const EchoHloField ALIAS_FIELDS[] = {
    FIELD("output_tuple_indices", DIMS, as.alias.output_tuple_indices),
    FIELD("operand_index", INT, as.alias.operand_index),
    FIELD("operand_tuple_indices", DIMS, as.alias.operand_tuple_indices),
};
static const EchoHloField CHANNEL_FIELDS[] = {
    FIELD("handle", INT, as.channel.handle),
    FIELD("type", INT, as.channel.type),
};
static const EchoHloField ACCURACY_FIELDS[] = {
    FIELD("atol", FLOAT, as.accuracy.atol),
    FIELD("rtol", FLOAT, as.accuracy.rtol),
    FIELD("ulps", INT, as.accuracy.ulps),
    FIELD("mode", MODE, as.accuracy.mode),
};

#define STRUCT(text, attr_kind, all, table)                                                        \
  {                                                                                                \
    .mnemonic = text, .kind = ECHO_HLO_ATTR_##attr_kind, .prints_all = all, .fields = table,       \
    .n_fields = sizeof table / sizeof *table                                                       \
  }

const EchoHloStruct ECHO_HLO_STRUCTS[] = {
    STRUCT("dot", DOT, false, DOT_FIELDS),
    STRUCT("gather", GATHER, false, GATHER_FIELDS),
    STRUCT("scatter", SCATTER, false, SCATTER_FIELDS),
    STRUCT("ragged_dot", RAGGED_DOT, false, RAGGED_DOT_FIELDS),
    STRUCT("dot_algorithm", DOT_ALGORITHM, true, DOT_ALGORITHM_FIELDS),
    STRUCT("output_operand_alias", OUTPUT_OPERAND_ALIAS, true, ALIAS_FIELDS),
    STRUCT("channel_handle", CHANNEL_HANDLE, true, CHANNEL_FIELDS),
    STRUCT("result_accuracy", RESULT_ACCURACY, false, ACCURACY_FIELDS),
    STRUCT("conv raw", CONV, true, CONV_RAW_FIELDS),
};
const size_t ECHO_HLO_N_STRUCTS = sizeof ECHO_HLO_STRUCTS / sizeof *ECHO_HLO_STRUCTS;

static const char *const DIRECTIONS[] = {"EQ", "NE", "GE", "GT", "LE", "LT", NULL};
static const char *const COMPARE_TYPES[] = {"NOTYPE", "FLOAT",    "TOTALORDER",
                                            "SIGNED", "UNSIGNED", NULL};
static const char *const PRECISIONS[] = {"DEFAULT", "HIGH", "HIGHEST", NULL};
static const char *const RNG_ALGORITHMS[] = {"DEFAULT", "THREE_FRY", "PHILOX", NULL};
static const char *const RNG_DISTRIBUTIONS[] = {"", "UNIFORM", "NORMAL", NULL}; /* from 1 */
static const char *const TRANSPOSES[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE",
                                         "ADJOINT", NULL};
static const char *const FFT_TYPES[] = {"FFT", "IFFT", "RFFT", "IRFFT", NULL};
static const char *const ACCURACY_MODES[] = {"DEFAULT", "HIGHEST", "TOLERANCE", NULL};

const EchoHloEnum ECHO_HLO_ENUMS[] = {
    {"comparison_direction", ECHO_HLO_ATTR_COMPARISON_DIRECTION, DIRECTIONS},
    {"comparison_type", ECHO_HLO_ATTR_COMPARISON_TYPE, COMPARE_TYPES},
    {"precision", ECHO_HLO_ATTR_PRECISION, PRECISIONS},
    {"rng_algorithm", ECHO_HLO_ATTR_RNG_ALGORITHM, RNG_ALGORITHMS},
    {"rng_distribution", ECHO_HLO_ATTR_RNG_DISTRIBUTION, RNG_DISTRIBUTIONS},
    {"transpose", ECHO_HLO_ATTR_TRANSPOSE, TRANSPOSES},
    {"fft_type", ECHO_HLO_ATTR_FFT_TYPE, FFT_TYPES},
    {"result_accuracy_mode", ECHO_HLO_ATTR_RESULT_ACCURACY_MODE, ACCURACY_MODES},
};
const size_t ECHO_HLO_N_ENUMS = sizeof ECHO_HLO_ENUMS / sizeof *ECHO_HLO_ENUMS;

const EchoHloEnum *echo_hlo_enum(EchoHloAttrKind kind)
{
  for (size_t i = 0; i < ECHO_HLO_N_ENUMS; ++i)
    if (ECHO_HLO_ENUMS[i].kind == kind)
      return &ECHO_HLO_ENUMS[i];
  ECHO_UNREACHABLE("attribute kind %d is not an enumeration", (int)kind);
}

int echo_hlo_enum_value(EchoHloAttrKind kind, EchoStr word)
{
  const EchoHloEnum *info = echo_hlo_enum(kind);
  for (int i = 0; word.size != 0 && info->words[i] != NULL; ++i)
    if (echo_str_is(word, info->words[i]))
      return i;
  return -1;
}

#define WORD(table, value)                                                                         \
  ((unsigned)(value) + 1 < sizeof(table) / sizeof *(table) ? (table)[value] : no_word((int)(value)))

static const char *no_word(int value)
{
  ECHO_UNREACHABLE("value %d of an enumeration", value);
}

const char *echo_stablehlo_compare_direction_word(EchoCompareDirection direction)
{
  return WORD(DIRECTIONS, direction);
}

const char *echo_stablehlo_compare_type_word(EchoCompareType type)
{
  return WORD(COMPARE_TYPES, type);
}

const char *echo_stablehlo_precision_word(EchoPrecision precision)
{
  return WORD(PRECISIONS, precision);
}
