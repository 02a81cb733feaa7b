/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What StableHLO holds in one attribute and VHLO in several: dimension numbers, the algorithm of a
 * product, channels. */
#include "dialects/stablehlo/vhlo/vhlo_t.h"

/* A dictionary that parts are taken out of. */
typedef struct Parts {
  const EchoOp *op;
  EchoContext *ctx;
  const EchoAttr **attrs;
  bool is_wrong;
} Parts;

static const EchoAttr *take_or_null(Parts *parts, const char *name)
{
  const EchoAttr *value = echo_dictionary_get_or_null(*parts->attrs, name);
  if (value != NULL)
    *parts->attrs = echo_dictionary_with(parts->ctx, *parts->attrs, echo_str(name), NULL);
  return value;
}

static void wrong(Parts *parts, const char *name)
{
  if (!parts->is_wrong)
    echo_op_error(parts->op, "attribute '%s' is missing, or not what it should be", name);
  parts->is_wrong = true;
}

static int64_t take_int(Parts *parts, const char *name)
{
  const EchoAttr *value = take_or_null(parts, name);
  if (value != NULL && value->kind == ECHO_ATTR_INTEGER)
    return value->as.integer.value;
  wrong(parts, name);
  return 0;
}

/* Absent is empty: what a later version of the op added. */
static EchoDimList take_dims(Parts *parts, const char *name)
{
  const EchoAttr *value = take_or_null(parts, name);
  if (value == NULL)
    return (EchoDimList){0};
  if (value->kind == ECHO_ATTR_DENSE_ELEMENTS &&
      echo_type_is_integer(echo_type_element(value->type), 64))
    return echo_hlo_dim_list(parts->ctx, value);
  wrong(parts, name);
  return (EchoDimList){0};
}

static const EchoType *take_type(Parts *parts, const char *name)
{
  const EchoAttr *value = take_or_null(parts, name);
  if (value != NULL && value->kind == ECHO_ATTR_TYPE)
    return value->as.type_value;
  wrong(parts, name);
  return echo_type_none(parts->ctx);
}

static void put(Parts *parts, const char *name, const EchoAttr *value)
{
  if (value == NULL)
    wrong(parts, name);
  else if (!parts->is_wrong)
    *parts->attrs = echo_dictionary_with(parts->ctx, *parts->attrs, echo_str(name), value);
}

static void algorithm(Parts *parts)
{
  static const char *const NAMES[] = {"lhs_precision_type",          "rhs_precision_type",
                                      "accumulation_type",           "lhs_component_count",
                                      "rhs_component_count",         "num_primitive_operations",
                                      "allow_imprecise_accumulation"};
  const EchoAttr *first = echo_dictionary_get_or_null(*parts->attrs, NAMES[0]);
  bool is_none = first == NULL ||
                 (first->kind == ECHO_ATTR_TYPE && first->as.type_value->kind == ECHO_TYPE_NONE);
  if (is_none) {
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
      take_or_null(parts, NAMES[i]);
    return;
  }
  EchoDotAlgorithm value = {.lhs_precision = take_type(parts, NAMES[0]),
                            .rhs_precision = take_type(parts, NAMES[1]),
                            .accumulation = take_type(parts, NAMES[2]),
                            .lhs_components = take_int(parts, NAMES[3]),
                            .rhs_components = take_int(parts, NAMES[4]),
                            .primitive_operations = take_int(parts, NAMES[5]),
                            .allow_imprecise_accumulation = take_int(parts, NAMES[6]) != 0};
  put(parts, "algorithm",
      echo_hlo_input_attr_or_null(
          parts->ctx, parts->op->loc,
          &(EchoHloPayload){ECHO_HLO_ATTR_DOT_ALGORITHM, {.dot_algorithm = value}}));
}

static void dot(Parts *parts)
{
  EchoDotDims dims = {.lhs_batching = take_dims(parts, "lhs_batching_dimensions"),
                      .rhs_batching = take_dims(parts, "rhs_batching_dimensions"),
                      .lhs_contracting = take_dims(parts, "lhs_contracting_dimensions"),
                      .rhs_contracting = take_dims(parts, "rhs_contracting_dimensions")};
  put(parts, "dot_dimension_numbers",
      echo_hlo_input_attr_or_null(parts->ctx, parts->op->loc,
                                  &(EchoHloPayload){ECHO_HLO_ATTR_DOT, {.dot = dims}}));
  algorithm(parts);
}

static void convolution(Parts *parts)
{
  EchoConvDims dims = {.input_batch = take_int(parts, "input_batch_dimension"),
                       .input_feature = take_int(parts, "input_feature_dimension"),
                       .input_spatial = take_dims(parts, "input_spatial_dimensions"),
                       .kernel_input_feature = take_int(parts, "kernel_input_feature_dimension"),
                       .kernel_output_feature = take_int(parts, "kernel_output_feature_dimension"),
                       .kernel_spatial = take_dims(parts, "kernel_spatial_dimensions"),
                       .output_batch = take_int(parts, "output_batch_dimension"),
                       .output_feature = take_int(parts, "output_feature_dimension"),
                       .output_spatial = take_dims(parts, "output_spatial_dimensions")};
  put(parts, "dimension_numbers",
      echo_hlo_input_attr_or_null(parts->ctx, parts->op->loc,
                                  &(EchoHloPayload){ECHO_HLO_ATTR_CONV, {.conv = dims}}));
}

static void gather(Parts *parts)
{
  EchoGatherDims dims = {.offset_dims = take_dims(parts, "offset_dims"),
                         .collapsed_slice_dims = take_dims(parts, "collapsed_slice_dims"),
                         .operand_batching_dims = take_dims(parts, "operand_batching_dims"),
                         .start_indices_batching_dims =
                             take_dims(parts, "start_indices_batching_dims"),
                         .start_index_map = take_dims(parts, "start_index_map"),
                         .index_vector_dim = take_int(parts, "index_vector_dim")};
  put(parts, "dimension_numbers",
      echo_hlo_input_attr_or_null(parts->ctx, parts->op->loc,
                                  &(EchoHloPayload){ECHO_HLO_ATTR_GATHER, {.gather = dims}}));
}

static void scatter(Parts *parts)
{
  EchoScatterDims dims = {
      .update_window_dims = take_dims(parts, "update_window_dims"),
      .inserted_window_dims = take_dims(parts, "inserted_window_dims"),
      .input_batching_dims = take_dims(parts, "input_batching_dims"),
      .scatter_indices_batching_dims = take_dims(parts, "scatter_indices_batching_dims"),
      .scatter_dims_to_operand_dims = take_dims(parts, "scatter_dims_to_operand_dims"),
      .index_vector_dim = take_int(parts, "index_vector_dim")};
  put(parts, "scatter_dimension_numbers",
      echo_hlo_input_attr_or_null(parts->ctx, parts->op->loc,
                                  &(EchoHloPayload){ECHO_HLO_ATTR_SCATTER, {.scatter = dims}}));
}

/* Of send and recv with a type, of collectives without; number 0 there is no channel. */
static void channel(Parts *parts)
{
  EchoChannelHandle handle = {.handle = take_int(parts, "channel_id")};
  bool has_type = echo_dictionary_get_or_null(*parts->attrs, "channel_type") != NULL;
  if (has_type)
    handle.type = take_int(parts, "channel_type");
  if (has_type || handle.handle != 0)
    put(parts, "channel_handle",
        echo_hlo_input_attr_or_null(
            parts->ctx, parts->op->loc,
            &(EchoHloPayload){ECHO_HLO_ATTR_CHANNEL_HANDLE, {.channel = handle}}));
}

bool echo_vhlo_gather_numbers(const EchoOp *op, EchoStr name, const EchoAttr **attrs)
{
  Parts parts = {.op = op, .ctx = echo_op_context(op), .attrs = attrs};
  if (echo_str_is(name, "dot_general"))
    dot(&parts);
  else if (echo_str_is(name, "convolution") || echo_str_is(name, "dynamic_conv"))
    convolution(&parts);
  else if (echo_str_is(name, "gather") || echo_str_is(name, "dynamic_gather"))
    gather(&parts);
  else if (echo_str_is(name, "scatter"))
    scatter(&parts);
  if (echo_dictionary_get_or_null(*attrs, "channel_id") != NULL)
    channel(&parts);
  return !parts.is_wrong;
}
