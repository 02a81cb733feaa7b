/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An op's attributes as VHLO has them: numbers that StableHLO holds in one attribute are several,
 * lists of numbers are tensors, symbols are strings, units are bools, and every default is written
 * out. */
#include "dialects/stablehlo/vhlo/vhlo_t.h"

#include "ir/text/text.h"

/* What is known of an op, by name; names are VHLO's. */
typedef struct Spread {
  const EchoOp *op;
  EchoContext *ctx;
  EchoStr base;
  const EchoAttr *known; /* a dictionary */
  bool is_wrong;
} Spread;

/* ---- conversion ---- */

static const EchoAttr *elements_of(EchoContext *ctx, const int64_t *values, size_t n)
{
  const int64_t dims[] = {(int64_t)n};
  const EchoType *type = echo_type_tensor(ctx, dims, 1, echo_type_i64(ctx), NULL);
  return echo_attr_elements(ctx, type, n != 0 ? (const void *)values : "", n * sizeof *values,
                            false);
}

static const EchoAttr *elements_of_array(EchoContext *ctx, const EchoAttr *attr)
{
  const EchoType *element = attr->as.dense_array.element;
  const int64_t dims[] = {(int64_t)attr->as.dense_array.size};
  const EchoType *type = echo_type_tensor(ctx, dims, 1, element, NULL);
  size_t bytes = attr->as.dense_array.size * echo_type_element_bytes(element);
  return echo_attr_elements(ctx, type, bytes != 0 ? attr->as.dense_array.data : "", bytes, false);
}

static const EchoAttr *convert_or_null(Spread *spread, const EchoAttr *attr);

static const EchoAttr *convert_array(Spread *spread, const EchoAttr *attr)
{
  size_t n = attr->as.array.size;
  const EchoAttr **elements = echo_alloc((n + 1) * sizeof *elements);
  bool fine = true;
  for (size_t i = 0; i < n; i++)
    fine = (elements[i] = convert_or_null(spread, attr->as.array.elements[i])) != NULL && fine;
  const EchoAttr *result = fine ? echo_attr_array(spread->ctx, elements, n) : NULL;
  echo_free(elements);
  return result;
}

static const EchoAttr *convert_dictionary(Spread *spread, const EchoAttr *attr)
{
  size_t n = attr->as.dictionary.size;
  EchoNamedAttr *entries = echo_alloc((n + 1) * sizeof *entries);
  bool fine = true;
  for (size_t i = 0; i < n; i++) {
    entries[i] = attr->as.dictionary.entries[i];
    fine = (entries[i].value = convert_or_null(spread, entries[i].value)) != NULL && fine;
  }
  const EchoAttr *result = fine ? echo_attr_dictionary(spread->ctx, entries, n) : NULL;
  echo_free(entries);
  return result;
}

/* As VHLO has it; NULL after an error: not at all. */
static const EchoAttr *convert_or_null(Spread *spread, const EchoAttr *attr)
{
  switch (attr->kind) {
  case ECHO_ATTR_ARRAY:
    return convert_array(spread, attr);
  case ECHO_ATTR_DICTIONARY:
    return convert_dictionary(spread, attr);
  case ECHO_ATTR_DENSE_ARRAY:
    if (echo_type_is_integer(attr->as.dense_array.element, 64) ||
        echo_type_is_integer(attr->as.dense_array.element, 1))
      return elements_of_array(spread->ctx, attr);
    break;
  case ECHO_ATTR_SYMBOL_REF:
    if (attr->as.symbol.n_nested == 0)
      return echo_attr_string(spread->ctx, attr->as.symbol.root);
    break;
  case ECHO_ATTR_DENSE_RESOURCE: { /* VHLO has none: its data stands in the op */
    const EchoAttr *elements = echo_resource_elements_or_null(spread->ctx, attr);
    if (elements != NULL)
      return elements;
    break;
  }
  case ECHO_ATTR_STRING:
    if (attr->type == NULL || attr->type->kind == ECHO_TYPE_NONE)
      return attr;
    break;
  case ECHO_ATTR_INTEGER:
    if (attr->type->kind == ECHO_TYPE_INDEX || attr->type->as.integer.signedness != ECHO_SIGNED)
      return attr;
    break;
  case ECHO_ATTR_FLOAT:
  case ECHO_ATTR_TYPE:
  case ECHO_ATTR_DENSE_ELEMENTS:
  case ECHO_ATTR_OPAQUE:
    return attr;
  default:
    break;
  }
  EchoBuffer text = {0};
  echo_print_attr(attr, &text);
  echo_op_error(spread->op, "has attribute %s, which VHLO has no form for",
                echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  spread->is_wrong = true;
  return NULL;
}

/* ---- one attribute, several of VHLO's ---- */

static void know(Spread *spread, const char *name, const EchoAttr *value)
{
  spread->known = echo_dictionary_with(spread->ctx, spread->known, echo_str(name), value);
}

static void know_int(Spread *spread, const char *name, int64_t value)
{
  know(spread, name, echo_attr_i64(spread->ctx, value));
}

static void know_dims(Spread *spread, const char *name, EchoDimList list)
{
  know(spread, name, elements_of(spread->ctx, list.dims, list.size));
}

static void spread_conv(Spread *spread, const EchoConvDims *conv)
{
  know_int(spread, "input_batch_dimension", conv->input_batch);
  know_int(spread, "input_feature_dimension", conv->input_feature);
  know_dims(spread, "input_spatial_dimensions", conv->input_spatial);
  know_int(spread, "kernel_input_feature_dimension", conv->kernel_input_feature);
  know_int(spread, "kernel_output_feature_dimension", conv->kernel_output_feature);
  know_dims(spread, "kernel_spatial_dimensions", conv->kernel_spatial);
  know_int(spread, "output_batch_dimension", conv->output_batch);
  know_int(spread, "output_feature_dimension", conv->output_feature);
  know_dims(spread, "output_spatial_dimensions", conv->output_spatial);
}

static void spread_gather(Spread *spread, const EchoGatherDims *gather)
{
  know_dims(spread, "offset_dims", gather->offset_dims);
  know_dims(spread, "collapsed_slice_dims", gather->collapsed_slice_dims);
  know_dims(spread, "operand_batching_dims", gather->operand_batching_dims);
  know_dims(spread, "start_indices_batching_dims", gather->start_indices_batching_dims);
  know_dims(spread, "start_index_map", gather->start_index_map);
  know_int(spread, "index_vector_dim", gather->index_vector_dim);
}

static void spread_scatter(Spread *spread, const EchoScatterDims *scatter)
{
  know_dims(spread, "update_window_dims", scatter->update_window_dims);
  know_dims(spread, "inserted_window_dims", scatter->inserted_window_dims);
  know_dims(spread, "input_batching_dims", scatter->input_batching_dims);
  know_dims(spread, "scatter_indices_batching_dims", scatter->scatter_indices_batching_dims);
  know_dims(spread, "scatter_dims_to_operand_dims", scatter->scatter_dims_to_operand_dims);
  know_int(spread, "index_vector_dim", scatter->index_vector_dim);
}

static void spread_algorithm(Spread *spread, const EchoDotAlgorithm *algorithm)
{
  EchoContext *ctx = spread->ctx;
  know(spread, "lhs_precision_type", echo_attr_type(ctx, algorithm->lhs_precision));
  know(spread, "rhs_precision_type", echo_attr_type(ctx, algorithm->rhs_precision));
  know(spread, "accumulation_type", echo_attr_type(ctx, algorithm->accumulation));
  know_int(spread, "lhs_component_count", algorithm->lhs_components);
  know_int(spread, "rhs_component_count", algorithm->rhs_components);
  know_int(spread, "num_primitive_operations", algorithm->primitive_operations);
  know(spread, "allow_imprecise_accumulation",
       echo_attr_bool(ctx, algorithm->allow_imprecise_accumulation));
}

/* False: it is one attribute there too. */
static bool spread_opaque(Spread *spread, const EchoAttr *attr)
{
  const EchoHloPayload *payload = attr->kind == ECHO_ATTR_OPAQUE ? attr->as.opaque.payload : NULL;
  if (payload == NULL || !echo_str_is(attr->as.opaque.dialect, "stablehlo"))
    return false;
  switch (payload->kind) {
  case ECHO_HLO_ATTR_DOT:
    know_dims(spread, "lhs_batching_dimensions", payload->as.dot.lhs_batching);
    know_dims(spread, "rhs_batching_dimensions", payload->as.dot.rhs_batching);
    know_dims(spread, "lhs_contracting_dimensions", payload->as.dot.lhs_contracting);
    know_dims(spread, "rhs_contracting_dimensions", payload->as.dot.rhs_contracting);
    return true;
  case ECHO_HLO_ATTR_CONV:
    spread_conv(spread, &payload->as.conv);
    return true;
  case ECHO_HLO_ATTR_GATHER:
    spread_gather(spread, &payload->as.gather);
    return true;
  case ECHO_HLO_ATTR_SCATTER:
    spread_scatter(spread, &payload->as.scatter);
    return true;
  case ECHO_HLO_ATTR_DOT_ALGORITHM:
    spread_algorithm(spread, &payload->as.dot_algorithm);
    return true;
  case ECHO_HLO_ATTR_CHANNEL_HANDLE:
    know_int(spread, "channel_id", payload->as.channel.handle);
    if (echo_str_is(spread->base, "send") || echo_str_is(spread->base, "recv"))
      know_int(spread, "channel_type", payload->as.channel.type);
    return true;
  default:
    return false;
  }
}

static void take(Spread *spread, const EchoNamedAttr *attr)
{
  if (spread_opaque(spread, attr->value))
    return;
  bool is_flag = echo_str_is(attr->name, "use_global_device_ids") ||
                 echo_str_is(attr->name, "has_dynamic_root");
  const EchoAttr *value;
  if (is_flag && attr->value->kind == ECHO_ATTR_UNIT)
    value = echo_attr_bool(spread->ctx, true);
  else if (echo_str_is(spread->base, "custom_call") && echo_str_is(attr->name, "api_version") &&
           attr->value->kind == ECHO_ATTR_INTEGER)
    value = echo_attr_integer(
        spread->ctx, echo_type_integer(spread->ctx, ECHO_VHLO_API_VERSION_BITS, ECHO_SIGNED),
        attr->value->as.integer.value);
  else
    value = convert_or_null(spread, attr->value);
  spread->known = echo_dictionary_with(spread->ctx, spread->known, attr->name, value);
}

/* ---- defaults ---- */

/* Of windows: `per_dim` numbers `value` for each dimension. */
static const EchoAttr *repeated(Spread *spread, size_t n, size_t per_dim, int64_t value)
{
  const int64_t dims[] = {(int64_t)n, (int64_t)per_dim};
  const EchoType *type =
      echo_type_tensor(spread->ctx, dims, per_dim == 1 ? 1 : 2, echo_type_i64(spread->ctx), NULL);
  if (n == 0)
    return echo_attr_elements(spread->ctx, type, "", 0, false);
  return echo_attr_elements(spread->ctx, type, &value, sizeof value, true);
}

static const EchoAttr *bools(Spread *spread, size_t n)
{
  const int64_t dims[] = {(int64_t)n};
  const EchoType *type = echo_type_tensor(spread->ctx, dims, 1, echo_type_i1(spread->ctx), NULL);
  return echo_attr_elements(spread->ctx, type, "", n != 0 ? 1 : 0, n != 0);
}

/* Dimensions that the op's windows move in. */
static size_t n_windows(Spread *spread)
{
  const char *name =
      echo_str_is(spread->base, "convolution") || echo_str_is(spread->base, "dynamic_conv")
          ? "input_spatial_dimensions"
          : "window_dimensions";
  const EchoAttr *dims = echo_dictionary_get_or_null(spread->known, name);
  return dims != NULL ? echo_hlo_dim_list(spread->ctx, dims).size : 0;
}

static const EchoAttr *window_default_or_null(Spread *spread, EchoStr name)
{
  if (echo_str_is(name, "padding"))
    return repeated(spread, n_windows(spread), 2, 0);
  if (echo_str_is(name, "window_reversal"))
    return bools(spread, n_windows(spread));
  static const char *const ONES[] = {"window_strides", "lhs_dilation", "rhs_dilation",
                                     "base_dilations", "window_dilations"};
  for (size_t i = 0; i < sizeof ONES / sizeof *ONES; i++)
    if (echo_str_is(name, ONES[i]))
      return repeated(spread, n_windows(spread), 1, 1);
  return NULL;
}

/* The convention of a call with a dictionary is that of typed calls. */
static const EchoAttr *backend_config(Spread *spread)
{
  const EchoAttr *convention = echo_dictionary_get_or_null(spread->known, "api_version");
  bool is_typed = convention != NULL && convention->kind == ECHO_ATTR_INTEGER &&
                  convention->as.integer.value == 4;
  return is_typed ? echo_attr_dictionary(spread->ctx, NULL, 0)
                  : echo_attr_string(spread->ctx, ECHO_STR(""));
}

/* Texts of defaults that are the same for every op; NULL op: of any. */
static const EchoAttr *text_default_or_null(Spread *spread, EchoStr name)
{
  static const struct {
    const char *op, *attr, *text;
  } TEXTS[] = {
      {NULL, "use_global_device_ids", "false"},
      {NULL, "has_dynamic_root", "false"},
      {NULL, "lower", "false"},
      {NULL, "has_side_effect", "false"},
      {NULL, "indices_are_sorted", "false"},
      {NULL, "unique_indices", "false"},
      {NULL, "is_host_transfer", "false"},
      {NULL, "is_stable", "false"},
      {NULL, "channel_id", "0 : i64"},
      {"composite", "version", "0 : i64"},
      {"sort", "dimension", "-1 : i64"},
      {NULL, "sym_visibility", "\"\""},
      {NULL, "infeed_config", "\"\""},
      {NULL, "outfeed_config", "\"\""},
      {NULL, "arg_attrs", "[]"},
      {NULL, "res_attrs", "[]"},
      {NULL, "called_computations", "[]"},
      {NULL, "operand_layouts", "[]"},
      {NULL, "result_layouts", "[]"},
      {NULL, "output_operand_aliases", "[]"},
      {NULL, "result_tilings", "[]"},
      {NULL, "layout", "[]"},
      {NULL, "composite_attributes", "{}"},
      {NULL, "api_version", "1 : si32"},
      {NULL, "compare_type", "#stablehlo<comparison_type NOTYPE>"},
      {NULL, "precision_config", "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"},
      {NULL, "known_expanding_dimensions", "dense<> : tensor<0xi64>"},
      {NULL, "known_nonexpanding_dimensions", "dense<> : tensor<0xi64>"},
      {"send", "source_target_pairs", "dense<> : tensor<0xi64>"},
      {"recv", "source_target_pairs", "dense<> : tensor<0xi64>"},
      {"dot_general", "lhs_precision_type", "none"},
      {"dot_general", "rhs_precision_type", "none"},
      {"dot_general", "accumulation_type", "none"},
      {"dot_general", "lhs_component_count", "none"},
      {"dot_general", "rhs_component_count", "none"},
      {"dot_general", "num_primitive_operations", "none"},
      {"dot_general", "allow_imprecise_accumulation", "none"},
  };
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    if ((TEXTS[i].op == NULL || echo_str_is(spread->base, TEXTS[i].op)) &&
        echo_str_is(name, TEXTS[i].attr))
      return echo_attr_from_text(spread->ctx, TEXTS[i].text);
  return NULL;
}

static const EchoAttr *default_or_null(Spread *spread, EchoStr name)
{
  if (echo_str_is(name, "backend_config"))
    return backend_config(spread);
  if (echo_str_is(name, "result_accuracy"))
    return echo_stablehlo_result_accuracy_attr(spread->ctx, &(EchoResultAccuracy){0});
  const EchoAttr *value = window_default_or_null(spread, name);
  return value != NULL ? value : text_default_or_null(spread, name);
}

static const EchoAttr *value_or_null(Spread *spread, EchoStr name)
{
  for (size_t i = 0; i < spread->known->as.dictionary.size; i++)
    if (echo_str_equal(spread->known->as.dictionary.entries[i].name, name))
      return spread->known->as.dictionary.entries[i].value;
  return default_or_null(spread, name);
}

bool echo_vhlo_spread(const EchoOp *op, EchoStr base, const char *names, EchoArena *memory,
                      const EchoAttr ***attrs, size_t *n_attrs, const EchoAttr **rest)
{
  EchoContext *ctx = echo_op_context(op);
  Spread spread = {.op = op, .ctx = ctx, .base = base, .known = echo_attr_dictionary(ctx, NULL, 0)};
  const EchoAttr *sources[] = {op->properties, op->attrs};
  for (size_t s = 0; s < 2; s++)
    for (size_t i = 0; sources[s] != NULL && i < sources[s]->as.dictionary.size; i++)
      take(&spread, &sources[s]->as.dictionary.entries[i]);
  if (spread.is_wrong)
    return false;
  size_t n = 0;
  *attrs = ECHO_ARENA_ARRAY(memory, const EchoAttr *, strlen(names) / 2 + 1);
  *rest = spread.known;
  for (const char *at = names; *at != '\0'; at += *at == ' ') {
    EchoStr name = {at, strcspn(at, " ")};
    const EchoAttr *value = value_or_null(&spread, name);
    if (value == NULL)
      return echo_op_error(op, "has no '%.*s'", ECHO_STR_ARG(name));
    (*attrs)[n++] = value;
    *rest = echo_dictionary_with(ctx, *rest, name, NULL);
    at += name.size;
  }
  *n_attrs = n;
  return true;
}
