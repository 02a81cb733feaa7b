/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes StableHLO's attributes with the text that its own printer gives them. */
#include <string.h>

#include "dialects/stablehlo/attributes/attributes_t.h"

#include "ir/text/text.h"

static void print_dims(EchoDimList list, EchoBuffer *out)
{
  echo_buffer_append_char(out, '[');
  for (size_t i = 0; i < list.size; ++i) {
    echo_buffer_append_c(out, i == 0 ? "" : ", ");
    if (list.dims[i] == ECHO_DYNAMIC)
      echo_buffer_append_char(out, '?');
    else
      echo_buffer_append_i64(out, list.dims[i]);
  }
  echo_buffer_append_char(out, ']');
}

/* A float as MLIR writes it, without its type. */
static void print_float(EchoContext *ctx, double value, EchoBuffer *out)
{
  EchoBuffer text = {0};
  echo_print_attr(echo_attr_float(ctx, echo_type_f64(ctx), value), &text);
  const char *space = memchr(text.data, ' ', text.size);
  echo_buffer_append(out, text.data, space != NULL ? (size_t)(space - text.data) : text.size);
  echo_buffer_destroy(&text);
}

static bool field_is_zero(const EchoHloField *field, const void *place)
{
  switch (field->kind) {
  case ECHO_HLO_FIELD_DIMS:
    return ((const EchoDimList *)place)->size == 0;
  case ECHO_HLO_FIELD_INT:
    return *(const int64_t *)place == 0;
  case ECHO_HLO_FIELD_FLOAT:
    return *(const double *)place == 0.0;
  default:
    return false;
  }
}

static void print_field(EchoContext *ctx, const EchoHloField *field, const void *place,
                        EchoBuffer *out)
{
  switch (field->kind) {
  case ECHO_HLO_FIELD_DIMS:
    print_dims(*(const EchoDimList *)place, out);
    return;
  case ECHO_HLO_FIELD_INT:
    echo_buffer_append_i64(out, *(const int64_t *)place);
    return;
  case ECHO_HLO_FIELD_BOOL:
    echo_buffer_append_c(out, *(const bool *)place ? "true" : "false");
    return;
  case ECHO_HLO_FIELD_TYPE:
    echo_print_type(*(const EchoType *const *)place, out);
    return;
  case ECHO_HLO_FIELD_FLOAT:
    print_float(ctx, *(const double *)place, out);
    return;
  case ECHO_HLO_FIELD_MODE:
    echo_buffer_printf(
        out, "#stablehlo.result_accuracy_mode<%s>",
        echo_hlo_enum(ECHO_HLO_ATTR_RESULT_ACCURACY_MODE)->words[*(const EchoAccuracyMode *)place]);
    return;
  }
}

static const EchoHloStruct *struct_of(EchoHloAttrKind kind)
{
  for (size_t i = 0; i < ECHO_HLO_N_STRUCTS; ++i)
    if (ECHO_HLO_STRUCTS[i].kind == kind)
      return &ECHO_HLO_STRUCTS[i];
  ECHO_UNREACHABLE("attribute kind %d is not a struct", (int)kind);
}

void echo_hlo_struct_print(EchoContext *ctx, const EchoHloPayload *payload, EchoBuffer *out)
{
  const EchoHloStruct *info = struct_of(payload->kind);
  const char *separator = "";
  echo_buffer_append_char(out, '<');
  for (size_t i = 0; i < info->n_fields; ++i) {
    const void *place = (const char *)payload + info->fields[i].offset;
    if (!info->prints_all && field_is_zero(&info->fields[i], place))
      continue;
    echo_buffer_printf(out, "%s%s = ", separator, info->fields[i].name);
    print_field(ctx, &info->fields[i], place, out);
    separator = ", ";
  }
  echo_buffer_append_char(out, '>');
}

static const EchoAttr *pretty_attr(EchoContext *ctx, const char *dialect, EchoBuffer *text)
{
  const EchoAttr *attr = echo_attr_opaque(ctx, echo_str(dialect), echo_buffer_str(text), true);
  echo_buffer_destroy(text);
  return attr;
}

const EchoAttr *echo_hlo_struct_attr(EchoContext *ctx, const EchoHloPayload *payload)
{
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, struct_of(payload->kind)->mnemonic);
  echo_hlo_struct_print(ctx, payload, &text);
  return pretty_attr(ctx, payload->kind == ECHO_HLO_ATTR_RAGGED_DOT ? "chlo" : "stablehlo", &text);
}

const EchoAttr *echo_hlo_input_attr_or_null(EchoContext *ctx, EchoLoc loc,
                                            const EchoHloPayload *payload)
{
  EchoBuffer text = {0};
  if (payload->kind == ECHO_HLO_ATTR_CONV) {
    const EchoConvDims *conv = &payload->as.conv;
    if (conv->input_spatial.size > ECHO_MAX_RANK || conv->kernel_spatial.size > ECHO_MAX_RANK ||
        conv->output_spatial.size > ECHO_MAX_RANK) {
      echo_error(ctx, loc, "a convolution of more than %d dimensions", ECHO_MAX_RANK);
      return NULL;
    }
    echo_buffer_append_c(&text, "conv<");
    echo_hlo_conv_print(conv, &text);
    echo_buffer_append_char(&text, '>');
  } else {
    echo_buffer_append_c(&text, struct_of(payload->kind)->mnemonic);
    echo_hlo_struct_print(ctx, payload, &text);
  }
  const EchoAttr *attr =
      echo_attr_opaque_or_null(ctx, loc, ECHO_STR("stablehlo"), echo_buffer_str(&text), true);
  echo_buffer_destroy(&text);
  return attr;
}

/* ---- convolution dimension numbers ---- */

static void print_conv_side(EchoDimList spatial, int64_t first, char first_letter, int64_t second,
                            char second_letter, EchoBuffer *out)
{
  size_t rank = spatial.size + 2;
  echo_buffer_append_char(out, '[');
  for (size_t i = 0; i < rank; ++i) {
    echo_buffer_append_c(out, i == 0 ? "" : ", ");
    if ((int64_t)i == first)
      echo_buffer_append_char(out, first_letter);
    else if ((int64_t)i == second)
      echo_buffer_append_char(out, second_letter);
    else
      for (size_t k = 0; k < spatial.size; ++k)
        if (spatial.dims[k] == (int64_t)i)
          echo_buffer_append_u64(out, k);
  }
  echo_buffer_append_char(out, ']');
}

void echo_hlo_conv_print(const EchoConvDims *dims, EchoBuffer *out)
{
  print_conv_side(dims->input_spatial, dims->input_batch, 'b', dims->input_feature, 'f', out);
  echo_buffer_append_char(out, 'x');
  print_conv_side(dims->kernel_spatial, dims->kernel_input_feature, 'i',
                  dims->kernel_output_feature, 'o', out);
  echo_buffer_append_c(out, "->");
  print_conv_side(dims->output_spatial, dims->output_batch, 'b', dims->output_feature, 'f', out);
}

/* ---- what is asked for ---- */

static bool is_given(EchoContext *ctx, const char *name, const void *argument)
{
  return ctx != NULL &&
         (argument != NULL ||
          echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: '%s' is NULL", name));
}

static bool are_given(EchoContext *ctx, const char *name, const EchoDimList *const *lists, size_t n)
{
  for (size_t i = 0; i < n; ++i)
    if (lists[i]->dims == NULL && lists[i]->size != 0)
      return echo_misuse(ctx, echo_loc_unknown(),
                         "an attribute is made: '%s' has a list of %zu that is NULL", name,
                         lists[i]->size);
  return true;
}
/* Whether `dims` is there and all of the lists in it are. */
#define ARE_DIMS_GIVEN(ctx, dims, ...)                                                             \
  (is_given((ctx), #dims, (dims)) &&                                                               \
   are_given((ctx), #dims, (const EchoDimList *const[]){__VA_ARGS__},                              \
             sizeof((const EchoDimList *const[]){__VA_ARGS__}) / sizeof(EchoDimList *)))

const EchoAttr *echo_stablehlo_conv_dims_attr(EchoContext *ctx, const EchoConvDims *dims)
{
  if (!ARE_DIMS_GIVEN(ctx, dims, &dims->input_spatial, &dims->kernel_spatial,
                      &dims->output_spatial))
    return NULL;
  EchoBuffer text = {0};
  echo_buffer_append_c(&text, "conv<");
  echo_hlo_conv_print(dims, &text);
  echo_buffer_append_char(&text, '>');
  return pretty_attr(ctx, "stablehlo", &text);
}

/* ---- canonical text ---- */

/* Whether the short form can say it: every dimension of each side named once. */
static bool conv_side_is_whole(EchoDimList spatial, int64_t first, int64_t second)
{
  uint64_t seen = 0;
  size_t rank = spatial.size + 2;
  if (rank > ECHO_MAX_RANK)
    return false;
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = i == 0 ? first : i == 1 ? second : spatial.dims[i - 2];
    if (dim < 0 || dim >= (int64_t)rank || (seen >> dim & 1) != 0)
      return false;
    seen |= UINT64_C(1) << dim;
  }
  return true;
}

static bool conv_is_whole(const EchoConvDims *dims)
{
  return conv_side_is_whole(dims->input_spatial, dims->input_batch, dims->input_feature) &&
         conv_side_is_whole(dims->kernel_spatial, dims->kernel_input_feature,
                            dims->kernel_output_feature) &&
         conv_side_is_whole(dims->output_spatial, dims->output_batch, dims->output_feature);
}

/* One blank where `text` has blanks or breaks of lines, none inside of a bracket; strings as they
 * are. */
static void print_on_one_line(EchoStr text, EchoBuffer *out)
{
  bool is_string = false, is_apart = false;
  for (size_t i = 0; i < text.size; i++) {
    const char c = text.data[i];
    if (!is_string && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) {
      is_apart = true;
      continue;
    }
    const char before = out->size != 0 ? out->data[out->size - 1] : '<';
    if (is_apart && strchr("<[(", before) == NULL && strchr(">])", c) == NULL)
      echo_buffer_append_char(out, ' ');
    is_apart = false;
    echo_buffer_append_char(out, c);
    if (is_string && c == '\\' && i + 1 < text.size)
      echo_buffer_append_char(out, text.data[++i]);
    else if (c == '"')
      is_string = !is_string;
  }
}

bool echo_hlo_canonical_attr(EchoContext *ctx, const void *payload, EchoStr text, bool is_pretty,
                             EchoBuffer *out)
{
  const EchoHloPayload *parsed = payload;
  if (parsed == NULL)
    return false;
  if (parsed->kind == ECHO_HLO_ATTR_VERBATIM) {
    print_on_one_line(text, out);
  } else if (parsed->kind == ECHO_HLO_ATTR_BOUNDS) {
    EchoBuffer dims = {0};
    print_dims(parsed->as.bounds, &dims);
    echo_buffer_printf(out, "bounds<%.*s>", (int)dims.size - 2, dims.data + 1);
    echo_buffer_destroy(&dims);
  } else if (parsed->kind == ECHO_HLO_ATTR_CONV) {
    if (!conv_is_whole(&parsed->as.conv))
      return false;
    echo_buffer_append_c(out, "conv<");
    echo_hlo_conv_print(&parsed->as.conv, out);
    echo_buffer_append_char(out, '>');
  } else if (parsed->kind >= ECHO_HLO_ATTR_COMPARISON_DIRECTION) {
    const EchoHloEnum *info = echo_hlo_enum(parsed->kind);
    echo_buffer_printf(out, is_pretty ? "%s<%s>" : "%s %s", info->mnemonic,
                       info->words[parsed->as.word]);
  } else {
    echo_buffer_append_c(out, struct_of(parsed->kind)->mnemonic);
    echo_hlo_struct_print(ctx, parsed, out);
  }
  return !echo_str_equal(echo_buffer_str(out), text);
}

/* ---- structs ---- */

const EchoAttr *echo_stablehlo_dot_dims_attr(EchoContext *ctx, const EchoDotDims *dims)
{
  if (!ARE_DIMS_GIVEN(ctx, dims, &dims->lhs_batching, &dims->rhs_batching, &dims->lhs_contracting,
                      &dims->rhs_contracting))
    return NULL;
  return echo_hlo_struct_attr(ctx, &(EchoHloPayload){ECHO_HLO_ATTR_DOT, {.dot = *dims}});
}

const EchoAttr *echo_stablehlo_gather_dims_attr(EchoContext *ctx, const EchoGatherDims *dims)
{
  if (!ARE_DIMS_GIVEN(ctx, dims, &dims->offset_dims, &dims->collapsed_slice_dims,
                      &dims->operand_batching_dims, &dims->start_indices_batching_dims,
                      &dims->start_index_map))
    return NULL;
  return echo_hlo_struct_attr(ctx, &(EchoHloPayload){ECHO_HLO_ATTR_GATHER, {.gather = *dims}});
}

const EchoAttr *echo_stablehlo_scatter_dims_attr(EchoContext *ctx, const EchoScatterDims *dims)
{
  if (!ARE_DIMS_GIVEN(ctx, dims, &dims->update_window_dims, &dims->inserted_window_dims,
                      &dims->input_batching_dims, &dims->scatter_indices_batching_dims,
                      &dims->scatter_dims_to_operand_dims))
    return NULL;
  return echo_hlo_struct_attr(ctx, &(EchoHloPayload){ECHO_HLO_ATTR_SCATTER, {.scatter = *dims}});
}

const EchoAttr *echo_stablehlo_dot_algorithm_attr(EchoContext *ctx,
                                                  const EchoDotAlgorithm *algorithm)
{
  if (!is_given(ctx, "algorithm", algorithm) ||
      !is_given(ctx, "algorithm->lhs_precision", algorithm->lhs_precision) ||
      !is_given(ctx, "algorithm->rhs_precision", algorithm->rhs_precision) ||
      !is_given(ctx, "algorithm->accumulation", algorithm->accumulation))
    return NULL;
  if (!echo_hlo_is_known_algorithm(algorithm)) {
    echo_misuse(ctx, echo_loc_unknown(),
                "an attribute is made: 'algorithm' is not known to be supported on any hardware");
    return NULL;
  }
  return echo_hlo_struct_attr(
      ctx, &(EchoHloPayload){ECHO_HLO_ATTR_DOT_ALGORITHM, {.dot_algorithm = *algorithm}});
}

const EchoAttr *echo_stablehlo_channel_handle_attr(EchoContext *ctx, EchoChannelHandle channel)
{
  if (ctx == NULL)
    return NULL;
  return echo_hlo_struct_attr(
      ctx, &(EchoHloPayload){ECHO_HLO_ATTR_CHANNEL_HANDLE, {.channel = channel}});
}

const EchoAttr *echo_stablehlo_output_operand_alias_attr(EchoContext *ctx,
                                                         const EchoOutputOperandAlias *alias)
{
  if (!ARE_DIMS_GIVEN(ctx, alias, &alias->output_tuple_indices, &alias->operand_tuple_indices))
    return NULL;
  return echo_hlo_struct_attr(
      ctx, &(EchoHloPayload){ECHO_HLO_ATTR_OUTPUT_OPERAND_ALIAS, {.alias = *alias}});
}

const EchoAttr *echo_stablehlo_result_accuracy_attr(EchoContext *ctx,
                                                    const EchoResultAccuracy *accuracy)
{
  if (!is_given(ctx, "accuracy", accuracy))
    return NULL;
  if ((unsigned)accuracy->mode > ECHO_ACCURACY_TOLERANCE) {
    echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: 'accuracy->mode' is %d, none",
                (int)accuracy->mode);
    return NULL;
  }
  return echo_hlo_struct_attr(
      ctx, &(EchoHloPayload){ECHO_HLO_ATTR_RESULT_ACCURACY, {.accuracy = *accuracy}});
}

/* ---- enumerations ---- */

const EchoAttr *echo_hlo_enum_attr(EchoContext *ctx, const char *dialect, EchoHloAttrKind kind,
                                   int value)
{
  EchoBuffer text = {0};
  const EchoHloEnum *info = echo_hlo_enum(kind);
  echo_buffer_printf(&text, "%s %s", info->mnemonic, info->words[value]);
  const EchoAttr *attr = echo_attr_opaque(ctx, echo_str(dialect), echo_buffer_str(&text), false);
  echo_buffer_destroy(&text);
  return attr;
}

/* A word of an enumeration that a caller names; the argument `name`. */
static const EchoAttr *checked_enum_attr(EchoContext *ctx, const char *name, EchoHloAttrKind kind,
                                         int value)
{
  const char *const *words = echo_hlo_enum(kind)->words;
  int n = 0;
  while (words[n] != NULL)
    n++;
  if (ctx != NULL && value >= 0 && value < n && words[value][0] != '\0')
    return echo_hlo_enum_attr(ctx, "stablehlo", kind, value);
  echo_misuse(ctx, echo_loc_unknown(), "an attribute is made: '%s' is %d, none", name, value);
  return NULL;
}

const EchoAttr *echo_stablehlo_compare_direction_attr(EchoContext *ctx,
                                                      EchoCompareDirection direction)
{
  return checked_enum_attr(ctx, "direction", ECHO_HLO_ATTR_COMPARISON_DIRECTION, (int)direction);
}

const EchoAttr *echo_stablehlo_compare_type_attr(EchoContext *ctx, EchoCompareType type)
{
  return checked_enum_attr(ctx, "type", ECHO_HLO_ATTR_COMPARISON_TYPE, (int)type);
}

const EchoAttr *echo_stablehlo_precision_attr(EchoContext *ctx, EchoPrecision precision)
{
  return checked_enum_attr(ctx, "precision", ECHO_HLO_ATTR_PRECISION, (int)precision);
}

const EchoAttr *echo_stablehlo_rng_algorithm_attr(EchoContext *ctx, EchoRngAlgorithm algorithm)
{
  return checked_enum_attr(ctx, "algorithm", ECHO_HLO_ATTR_RNG_ALGORITHM, (int)algorithm);
}

const EchoAttr *echo_stablehlo_fft_type_attr(EchoContext *ctx, EchoFftType type)
{
  return checked_enum_attr(ctx, "type", ECHO_HLO_ATTR_FFT_TYPE, (int)type);
}

const EchoAttr *echo_stablehlo_rng_distribution_attr(EchoContext *ctx,
                                                     EchoRngDistribution distribution)
{
  return checked_enum_attr(ctx, "distribution", ECHO_HLO_ATTR_RNG_DISTRIBUTION, (int)distribution);
}

const EchoAttr *echo_stablehlo_transpose_attr(EchoContext *ctx, EchoTransposeKind kind)
{
  return checked_enum_attr(ctx, "kind", ECHO_HLO_ATTR_TRANSPOSE, (int)kind);
}

const EchoAttr *echo_stablehlo_padding_attr(EchoContext *ctx, const int64_t (*padding)[2], size_t n)
{
  if (n != 0 && !is_given(ctx, "padding", padding))
    return NULL;
  const EchoType *type =
      echo_type_tensor(ctx, (const int64_t[]){(int64_t)n, 2}, 2, echo_type_i64(ctx), NULL);
  return echo_attr_elements(ctx, type, padding, n * sizeof *padding, false);
}
